//! Records of games in: SGF, PGN, a position or a list of moves.

use serde::{Deserialize, Serialize};
use spinney_game::{Game, Notation};
use spinney_games::chess::Chess;
use spinney_protocol::loa_record::{is_resignation, plain};
use spinney_protocol::pgn::{self, Line, PgnGame, PgnMove, PgnResult};
use spinney_protocol::sgf::{self, GameTree};
use spinney_session::{Registry, Session};

use crate::Refusal;
use crate::state::{self, Node, Place};

/// More moves, with all variations, than anybody looks at.
pub(crate) const MOST_NODES: usize = 20_000;
/// How the result of a game that did not end on the board is told: the words of SGF and ours.
const ENDINGS: [(&str, &str); 3] =
    [("Resign", "by resignation"), ("Time", "on time"), ("Forfeit", "by forfeit")];

/// A game as the page keeps it. A node comes after its parent; the first node with a parent is its
/// main line.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Record {
    pub game: String,
    /// The start, if it is not the usual one.
    pub start: Option<String>,
    /// The key of the start.
    pub key: String,
    pub about: About,
    pub nodes: Vec<Node>,
}

/// What a record says of its game beside the moves; empty where it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct About {
    pub name: String,
    pub event: String,
    pub date: String,
    /// Who plays the first side and the second.
    pub players: [String; 2],
    /// On the game as a whole.
    pub notes: String,
    /// On its start.
    pub comment: String,
    pub ending: Option<Ending>,
}

/// How a game ended, as its record says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ending {
    /// Nobody in a draw.
    pub winner: Option<usize>,
    /// `by resignation`, `on time`; empty if it ended on the board, or nothing is known.
    #[serde(default)]
    pub how: String,
}

/// One game of a text, and what the text has besides.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Read {
    #[serde(flatten)]
    record: Record,
    /// Why the record stops early.
    problem: Option<String>,
    /// All games of the text.
    games: Vec<Title>,
}

/// A game in a list.
#[derive(Clone, Debug, Serialize)]
struct Title {
    #[serde(flatten)]
    about: About,
    /// The moves of its main line.
    moves: usize,
    /// The main line, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<MainLine>,
}

/// The main line of a game, to look positions up in.
#[derive(Clone, Debug, Serialize)]
struct MainLine {
    game: String,
    /// The key of the start.
    key: String,
    nodes: Vec<Node>,
    /// How it ended on the board.
    outcome: Option<state::End>,
}

/// A text with games, and which of them is wanted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordText {
    /// The game the page shows: what does not say its game is read as this one.
    game: String,
    text: String,
    /// Which of its games, from 0.
    #[serde(default)]
    number: usize,
    /// Whether the main lines of all its games are wanted.
    #[serde(default)]
    lines: bool,
}

/// Reads the game with a number from a text.
pub(crate) fn read(registry: &Registry, request: &RecordText) -> Result<Read, Refusal> {
    let RecordText { game, text, number, lines } = request;
    let text = text.trim().trim_start_matches('\u{feff}');
    let (records, mistake) = match text.chars().next() {
        None => return Err(Refusal::wrong("the record is empty")),
        Some('(') => read_sgf(registry, game, text),
        Some('[') => read_pgn(text),
        _ if is_position(text) => (vec![read_position(registry, game, text)?], None),
        _ => return read_moves(registry, game, text),
    };
    let mut games: Vec<Title> = records.iter().map(Title::of).collect();
    if *lines {
        for (title, record) in games.iter_mut().zip(&records) {
            title.line = MainLine::of(registry, record);
        }
    }
    let is_last = *number + 1 == records.len();
    let Some(record) = records.into_iter().nth(*number) else {
        return Err(Refusal::wrong(mistake.unwrap_or_else(|| "no game in this record".to_owned())));
    };
    let (record, problem) = played(registry, record)?;
    let problem = problem.or(mistake.filter(|_| is_last));
    match problem {
        Some(problem) if record.nodes.is_empty() => Err(Refusal::wrong(problem)),
        problem => Ok(Read { record, problem, games }),
    }
}

impl Record {
    fn new(game: &str, about: About, nodes: Vec<Node>) -> Record {
        Record { game: game.to_owned(), start: None, key: String::new(), about, nodes }
    }

    /// The nodes of the main line.
    fn main_line(&self) -> Vec<usize> {
        let mut line = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            if node.parent == line.last().copied() {
                line.push(index);
            }
        }
        line
    }
}

impl Title {
    fn of(record: &Record) -> Title {
        Title { about: record.about.clone(), moves: record.main_line().len(), line: None }
    }
}

impl MainLine {
    /// As far as its moves can be played; nothing if its start cannot be read.
    fn of(registry: &Registry, record: &Record) -> Option<MainLine> {
        let mut session = open(registry, &record.game, &record.start).ok()?;
        let key = state::key_of(&session);
        let line = record
            .main_line()
            .into_iter()
            .enumerate()
            .map(|(ply, index)| Node { parent: ply.checked_sub(1), ..record.nodes[index].clone() });
        let (nodes, _) = state::read_tree(&session, &line.collect::<Vec<_>>());
        session.play_texts(nodes.iter().map(|node| &node.m)).ok()?;
        let outcome = state::End::of(&session);
        Some(MainLine { game: record.game.clone(), key, nodes, outcome })
    }
}

/// The record with its moves played, up to a problem.
fn played(registry: &Registry, record: Record) -> Result<(Record, Option<String>), Refusal> {
    if record.nodes.len() > MOST_NODES {
        return Err(Refusal::wrong(format!("more than {MOST_NODES} moves")));
    }
    let session = open(registry, &record.game, &record.start)?;
    let (nodes, problem) = state::read_tree(&session, &record.nodes);
    Ok((Record { nodes, key: state::key_of(&session), ..record }, problem))
}

pub(crate) fn open(
    registry: &Registry,
    game: &str,
    start: &Option<String>,
) -> Result<Session, Refusal> {
    let place = Place { game: game.to_owned(), start: start.clone(), moves: Vec::new() };
    state::open(registry, &place)
}

/// Whether the text begins with ranks; a single slash may be that of a result.
fn is_position(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.matches('/').count() > 1
}

/// A position of this game, or of LOA or chess. What is none is told as for this game.
fn read_position(registry: &Registry, game: &str, text: &str) -> Result<Record, Refusal> {
    let start = Some(playstrategy(text).unwrap_or_else(|| text.to_owned()));
    let read = |game: &str| {
        open(registry, game, &start)?;
        Ok(Record { start: start.clone(), ..Record::new(game, About::default(), Vec::new()) })
    };
    let others = ["loa", "chess", "loa6"].into_iter();
    read(game).or_else(|error| others.clone().find_map(|game| read(game).ok()).ok_or(error))
}

/// A position of LOA as PlayStrategy writes it, `1LLLLLL1/l6l/... w - - 0 1`, in our letters: there the
/// first side is L and moves when it says `w`.
fn playstrategy(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let (board, turn) = (words.next()?, words.next()?);
    let is_men = |c: char| matches!(c, 'L' | 'l' | '/') || c.is_ascii_digit();
    if !board.contains(['L', 'l']) || !board.chars().all(is_men) {
        return None;
    }
    let turn = match turn {
        "w" => 'b',
        "b" => 'w',
        _ => return None,
    };
    Some(format!("{} {turn}", board.replace('L', "x").replace('l', "o")))
}

/// A list of moves, of the game that is shown or of LOA or chess, whichever reads more of it.
fn read_moves(registry: &Registry, game: &str, text: &str) -> Result<Read, Refusal> {
    let mut best: Option<(Record, Option<String>)> = None;
    for game in [game, "loa", "chess"] {
        let (record, problem) = match game {
            "chess" => {
                let (mut records, mistake) = read_pgn(text);
                let Some(record) = records.pop() else { continue };
                let (record, problem) = played(registry, record)?;
                (record, problem.or(mistake))
            }
            game => {
                let record = Record::new(game, About::default(), listed_moves(text));
                let Ok(read) = played(registry, record) else { continue };
                read
            }
        };
        if best.as_ref().is_none_or(|(known, _)| record.nodes.len() > known.nodes.len()) {
            best = Some((record, problem));
        }
    }
    match best {
        Some((record, problem)) if !record.nodes.is_empty() => {
            Ok(Read { games: vec![Title::of(&record)], record, problem })
        }
        Some((_, Some(problem))) => Err(Refusal::wrong(problem)),
        _ => Err(Refusal::wrong("no moves in this record")),
    }
}

/// Moves with blanks or commas between, move numbers and results among them.
fn listed_moves(text: &str) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',' || c == ';') {
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        if word.is_empty() || matches!(word, "-0" | "-1" | "/2-1/2" | "*") {
            continue;
        }
        let parent = nodes.len().checked_sub(1);
        nodes.push(Node { m: word.to_owned(), parent, ..Node::default() });
    }
    nodes
}

// --- PGN -------------------------------------------------------------------------------------

fn read_pgn(text: &str) -> (Vec<Record>, Option<String>) {
    let (games, mistake) = pgn::read(text);
    (games.iter().map(pgn_record).collect(), mistake.map(|mistake| mistake.to_string()))
}

fn pgn_record(game: &PgnGame) -> Record {
    let tag = |name| {
        let value = game.tag(name).unwrap_or_default();
        if value.starts_with('?') { String::new() } else { value.to_owned() }
    };
    let winner = match game.result {
        PgnResult::White => Some(Some(0)),
        PgnResult::Black => Some(Some(1)),
        PgnResult::Draw => Some(None),
        PgnResult::Unknown => None,
    };
    let about = About {
        event: tag("Event"),
        date: tag("Date"),
        players: [tag("White"), tag("Black")],
        comment: game.line.comment.clone(),
        ending: winner.map(|winner| Ending { winner, how: String::new() }),
        ..About::default()
    };
    let mut nodes = Vec::new();
    add_line(&game.line, game.start.clone(), None, &mut nodes);
    let start = (game.start != Chess::start()).then(|| game.start.position_text());
    Record { start, ..Record::new("chess", about, nodes) }
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

// --- SGF -------------------------------------------------------------------------------------

fn read_sgf(registry: &Registry, game: &str, text: &str) -> (Vec<Record>, Option<String>) {
    let (games, mistake) = sgf::read(text);
    let records = games.iter().map(|tree| sgf_record(registry, game, tree));
    (records.collect(), mistake.map(|mistake| mistake.to_string()))
}

fn sgf_record(registry: &Registry, game: &str, tree: &GameTree) -> Record {
    let value = |name: &str| tree.nodes.iter().find_map(|node| node.value(name));
    let text = |name: &str| value(name).unwrap_or_default().trim().to_owned();
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
    let colours = match registry.game(&game) {
        Ok(game) => colours(game.info().board.light_first),
        Err(_) => colours(false),
    };
    let root = tree.nodes.first().filter(|node| !has_move(node));
    let mut nodes = Vec::new();
    add_tree(tree, None, &mut nodes);
    let about = About {
        name: text("GN"),
        event: text("EV"),
        date: text("DT"),
        players: colours.map(|colour| text(&format!("P{colour}"))),
        notes: text("GC"),
        comment: root.and_then(|node| node.value("C")).unwrap_or_default().trim().to_owned(),
        ending: ending(&text("RE"), colours).or_else(|| resigned(tree, colours)),
    };
    Record { start: value(sgf::START).map(str::to_owned), ..Record::new(&game, about, nodes) }
}

/// The letters of the first side and the second.
pub(crate) fn colours(light_first: bool) -> [char; 2] {
    if light_first { ['W', 'B'] } else { ['B', 'W'] }
}

/// `B+Resign`, `W+`, `Draw`, `0`; nothing if the result is not known.
fn ending(text: &str, colours: [char; 2]) -> Option<Ending> {
    if text == "0" || text.eq_ignore_ascii_case("draw") {
        return Some(Ending { winner: None, how: String::new() });
    }
    let (winner, how) = text.split_once('+')?;
    let winner = colours.iter().position(|colour| winner.starts_with(*colour))?;
    let initial = how.trim().chars().next();
    let known = ENDINGS.iter().find(|(word, _)| word.chars().next() == initial);
    Some(Ending { winner: Some(winner), how: known.map_or("", |(_, how)| how).to_owned() })
}

/// The text of an ending, as [`ending`] reads it.
pub(crate) fn ending_text(Ending { winner, how }: &Ending, colours: [char; 2]) -> String {
    let known = ENDINGS.iter().find(|(_, known)| known == how);
    let word = known.map_or("", |(word, _)| word);
    match winner.and_then(|winner| colours.get(winner)) {
        Some(colour) => format!("{colour}+{word}"),
        None => "Draw".to_owned(),
    }
}

/// A resignation that stands where a move does.
fn resigned(tree: &GameTree, colours: [char; 2]) -> Option<Ending> {
    let loser = tree.main_line().into_iter().find_map(|node| {
        let resigns = |colour: &char| {
            node.value(&colour.to_string()).is_some_and(|text| is_resignation(text.trim()))
        };
        colours.iter().position(resigns)
    })?;
    Some(Ending { winner: Some(1 - loser), how: ENDINGS[0].1.to_owned() })
}

fn has_move(node: &sgf::Node) -> bool {
    node.value("B").or(node.value("W")).is_some()
}

fn add_tree(tree: &GameTree, mut parent: Option<usize>, nodes: &mut Vec<Node>) {
    for node in &tree.nodes {
        let comment = node.value("C").unwrap_or_default().trim();
        for (name, values) in node.properties() {
            let text = values.first().map_or("", String::as_str).trim();
            if !matches!(name.as_str(), "B" | "W") || is_resignation(text) || text.is_empty() {
                continue;
            }
            let (comment, nags) = (comment.to_owned(), node.judgement().into_iter().collect());
            let node = Node { m: plain(text), parent, comment, nags, ..Node::default() };
            parent = Some(nodes.len());
            nodes.push(node);
        }
    }
    for variation in &tree.variations {
        add_tree(variation, parent, nodes);
    }
}
