//! Records of games: SGF, PGN, a position or a list of moves in; SGF or PGN out.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use spinney_game::{Game, Notation};
use spinney_games::chess::Chess;
use spinney_protocol::loa_record::{is_resignation, plain};
use spinney_protocol::pgn::{self, Line, PgnGame, PgnMove};
use spinney_protocol::sgf::{self, GameTree};
use spinney_session::{RecordFormat, Registry, Session};

use crate::error::ApiError;
use crate::state::{self, Node, Place};

/// More moves, with all variations, than anybody looks at.
const MOST_NODES: usize = 20_000;
/// Variations inside each other.
const DEEPEST: usize = 100;

/// A record as the page keeps it. A node comes after its parent; the first node with a parent is
/// its main line.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Record {
    pub game: String,
    /// The start, if it is not the usual one.
    pub start: Option<String>,
    /// What the record is called.
    pub name: String,
    pub nodes: Vec<Node>,
}

/// A record to be written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Export {
    game: String,
    #[serde(default)]
    start: Option<String>,
    nodes: Vec<Node>,
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Sgf,
    Pgn,
}

/// Reads a record. What does not say its game is one of `game`.
pub(crate) fn read(registry: &Registry, game: &str, text: &str) -> Result<Record, ApiError> {
    let text = text.trim().trim_start_matches('\u{feff}');
    let record = match text.chars().next() {
        None => return Err(ApiError::wrong("the record is empty")),
        Some('(') => read_sgf(game, text)?,
        Some('[') => read_pgn(text)?,
        _ => match read_position(registry, game, text) {
            Some(record) => record,
            None if game == "chess" => read_pgn(text)?,
            None => read_moves(game, text),
        },
    };
    if record.nodes.len() > MOST_NODES {
        return Err(ApiError::wrong(format!("more than {MOST_NODES} moves")));
    }
    let nodes = state::read_tree(&open(registry, &record.game, &record.start)?, &record.nodes)?;
    Ok(Record { nodes, ..record })
}

fn open(registry: &Registry, game: &str, start: &Option<String>) -> Result<Session, ApiError> {
    let place = Place { game: game.to_owned(), start: start.clone(), moves: Vec::new() };
    state::open(registry, &place)
}

/// A position of this game, or of LOA or chess.
fn read_position(registry: &Registry, game: &str, text: &str) -> Option<Record> {
    if !text.contains('/') {
        return None;
    }
    [game, "loa", "chess", "loa6"].into_iter().find_map(|game| {
        let start = Some(text.to_owned());
        open(registry, game, &start).ok()?;
        Some(Record { game: game.to_owned(), start, name: String::new(), nodes: Vec::new() })
    })
}

/// Moves with blanks or commas between, move numbers and results among them.
fn read_moves(game: &str, text: &str) -> Record {
    let mut nodes: Vec<Node> = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',' || c == ';') {
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        if word.is_empty() || matches!(word, "-0" | "-1" | "/2-1/2" | "*") {
            continue;
        }
        let parent = nodes.len().checked_sub(1);
        nodes.push(Node { m: word.to_owned(), parent, ..Node::default() });
    }
    Record { game: game.to_owned(), start: None, name: String::new(), nodes }
}

fn read_pgn(text: &str) -> Result<Record, ApiError> {
    let games = pgn::parse(text).map_err(ApiError::wrong)?;
    let game = games.first().ok_or_else(|| ApiError::wrong("no game in this PGN"))?;
    let name = match (game.tag("White"), game.tag("Black")) {
        (Some(white), Some(black)) if white != "?" || black != "?" => format!("{white} – {black}"),
        _ => String::new(),
    };
    let mut nodes = Vec::new();
    add_line(&game.line, game.start.clone(), None, &mut nodes);
    let start = (game.start != Chess::start()).then(|| game.start.position_text());
    Ok(Record { game: "chess".to_owned(), start, name, nodes })
}

/// The moves of a line; each with its variations after it, so that the main line comes first.
fn add_line(line: &Line, mut position: Chess, mut parent: Option<usize>, nodes: &mut Vec<Node>) {
    for PgnMove { m, nags, comment, variations } in &line.moves {
        let index = nodes.len();
        let text = position.move_text(*m);
        let (nags, comment) = (nags.clone(), comment.clone());
        nodes.push(Node { m: text, parent, comment, nags, ..Node::default() });
        for variation in variations {
            add_line(variation, position.clone(), parent, nodes);
        }
        position.play(*m);
        parent = Some(index);
    }
}

fn read_sgf(game: &str, text: &str) -> Result<Record, ApiError> {
    let games = sgf::parse(text).map_err(ApiError::wrong)?;
    let tree = games.first().ok_or_else(|| ApiError::wrong("no game in this SGF"))?;
    let value = |name| tree.nodes.iter().find_map(|node| node.value(name));
    let game = match (value(sgf::GAME), value("GM")) {
        (Some(game), _) => game,
        (None, Some(sgf::LOA)) if !game.starts_with("loa") => "loa",
        _ => game,
    };
    let setup = value("SU").unwrap_or_default().to_ascii_lowercase();
    let game = match setup.starts_with("scrambled") && !game.contains("start=") {
        true => format!("{game}{}start=scrambled-eggs", if game.contains(':') { ',' } else { ':' }),
        false => game.to_owned(),
    };
    let mut nodes = Vec::new();
    add_tree(tree, None, &mut nodes);
    let name = value("GN").unwrap_or_default().to_owned();
    Ok(Record { game, start: value(sgf::START).map(str::to_owned), name, nodes })
}

fn add_tree(tree: &GameTree, mut parent: Option<usize>, nodes: &mut Vec<Node>) {
    for node in &tree.nodes {
        let comment = node.value("C").unwrap_or_default().trim();
        for (name, values) in node.properties() {
            let text = values.first().map_or("", String::as_str).trim();
            if !matches!(name.as_str(), "B" | "W") || is_resignation(text) || text.is_empty() {
                continue;
            }
            let node =
                Node { m: plain(text), parent, comment: comment.to_owned(), ..Node::default() };
            parent = Some(nodes.len());
            nodes.push(node);
        }
    }
    for variation in &tree.variations {
        add_tree(variation, parent, nodes);
    }
}

/// Writes a record.
pub(crate) fn write(registry: &Registry, export: &Export) -> Result<String, ApiError> {
    let Export { game, start, nodes, format } = export;
    if nodes.len() > MOST_NODES {
        return Err(ApiError::wrong(format!("more than {MOST_NODES} moves")));
    }
    let session = open(registry, game, start)?;
    let info = session.game().info();
    let nodes = state::read_tree(&session, nodes)?;
    let children = children(&nodes);
    match format {
        Format::Sgf => {
            let first = session.to_move().index();
            let mut text = sgf::begin(game, start.as_deref());
            let colours = if info.board.light_first { ['W', 'B'] } else { ['B', 'W'] };
            let writer = SgfWriter { nodes: &nodes, children: &children, colours };
            writer.line(None, first, DEEPEST, &mut text)?;
            text.push_str(")\n");
            Ok(text)
        }
        Format::Pgn if info.record != RecordFormat::Pgn => Err(ApiError::bad("PGN is for chess")),
        Format::Pgn => {
            let start = match start {
                Some(text) => Chess::start().parse_position(text).map_err(ApiError::wrong)?,
                None => Chess::start(),
            };
            let line = pgn_line(&nodes, &children, None, &start, DEEPEST)?;
            Ok(PgnGame { line, ..PgnGame::new(start) }.to_string())
        }
    }
}

/// The children of every node, and of the start at the end.
fn children(nodes: &[Node]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); nodes.len() + 1];
    for (index, node) in nodes.iter().enumerate() {
        children[node.parent.unwrap_or(nodes.len())].push(index);
    }
    children
}

struct SgfWriter<'a> {
    nodes: &'a [Node],
    children: &'a [Vec<usize>],
    colours: [char; 2],
}

impl SgfWriter<'_> {
    /// What follows a node, whose next move is of the side with this number.
    fn line(
        &self,
        mut at: Option<usize>,
        mut side: usize,
        deepest: usize,
        text: &mut String,
    ) -> Result<(), ApiError> {
        if deepest == 0 {
            return Err(ApiError::wrong("too many variations inside each other"));
        }
        loop {
            let children = &self.children[at.unwrap_or(self.nodes.len())];
            match children[..] {
                [] => return Ok(()),
                [next] => {
                    self.node(next, side, text);
                    (at, side) = (Some(next), 1 - side);
                }
                _ => {
                    for &child in children {
                        text.push_str("\n(");
                        self.node(child, side, text);
                        self.line(Some(child), 1 - side, deepest - 1, text)?;
                        text.push(')');
                    }
                    return Ok(());
                }
            }
        }
    }

    fn node(&self, index: usize, side: usize, text: &mut String) {
        let Node { m, comment, .. } = &self.nodes[index];
        let _ = write!(text, "\n;{}[{}]", self.colours[side], sgf::escaped(m));
        if !comment.is_empty() {
            let _ = write!(text, "C[{}]", sgf::escaped(comment));
        }
    }
}

fn pgn_line(
    nodes: &[Node],
    children: &[Vec<usize>],
    mut at: Option<usize>,
    start: &Chess,
    deepest: usize,
) -> Result<Line, ApiError> {
    if deepest == 0 {
        return Err(ApiError::wrong("too many variations inside each other"));
    }
    let mut position = start.clone();
    let mut line = Line::default();
    while let Some((&main, others)) = children[at.unwrap_or(nodes.len())].split_first() {
        let read = |index: usize, position: &Chess| {
            let m = position.parse_move(&nodes[index].m).map_err(ApiError::wrong)?;
            let Node { comment, nags, .. } = nodes[index].clone();
            Ok::<_, ApiError>(PgnMove { comment, nags, ..PgnMove::from(m) })
        };
        let mut played = read(main, &position)?;
        for &other in others {
            let first = read(other, &position)?;
            let mut after = position.clone();
            after.play(first.m);
            let mut variation = pgn_line(nodes, children, Some(other), &after, deepest - 1)?;
            variation.moves.insert(0, first);
            played.variations.push(variation);
        }
        position.play(played.m);
        line.moves.push(played);
        at = Some(main);
    }
    Ok(line)
}
