//! Records of games out: SGF or PGN.

use std::fmt::Write;

use serde::Deserialize;
use spinney_game::{Game, Notation};
use spinney_games::chess::Chess;
use spinney_protocol::pgn::{Line, PgnGame, PgnMove, PgnResult};
use spinney_protocol::sgf;
use spinney_session::{Outcome, RecordFormat, Registry, Session};

use crate::Refusal;
use crate::reading::{About, Ending, MOST_NODES, colours, ending_text, open};
use crate::state::{self, Node};

/// Variations inside each other.
const DEEPEST: usize = 100;

/// A record to be written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Export {
    game: String,
    #[serde(default)]
    start: Option<String>,
    #[serde(default)]
    about: About,
    nodes: Vec<Node>,
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Sgf,
    Pgn,
}

/// Writes a record.
pub(crate) fn write(registry: &Registry, export: &Export) -> Result<String, Refusal> {
    let Export { game, start, about, nodes, format } = export;
    if nodes.len() > MOST_NODES {
        return Err(Refusal::wrong(format!("more than {MOST_NODES} moves")));
    }
    let session = open(registry, game, start)?;
    let info = session.game().info();
    let (nodes, problem) = state::read_tree(&session, nodes);
    if let Some(problem) = problem {
        return Err(Refusal::wrong(problem));
    }
    let children = children(&nodes);
    let ending = about.ending.clone().or_else(|| ending_on_board(&session, &nodes, &children));
    match format {
        Format::Sgf => {
            let first = session.to_move().index();
            let mut text = sgf::begin(game, start.as_deref());
            let colours = colours(info.board.light_first);
            text += &sgf_about(about, ending.as_ref(), colours);
            let writer = SgfWriter { nodes: &nodes, children: &children, colours };
            writer.line(None, first, DEEPEST, &mut text)?;
            text.push_str(")\n");
            Ok(text)
        }
        Format::Pgn if info.record != RecordFormat::Pgn => Err(Refusal::bad("PGN is for chess")),
        Format::Pgn => {
            let start = match start {
                Some(text) => Chess::start().parse_position(text).map_err(Refusal::wrong)?,
                None => Chess::start(),
            };
            let mut line = pgn_line(&nodes, &children, None, &start, DEEPEST)?;
            let notes = [&about.notes, &about.comment].into_iter().filter(|text| !text.is_empty());
            line.comment = notes.cloned().collect::<Vec<_>>().join(" ");
            let result = match ending.map(|ending| ending.winner) {
                None => PgnResult::Unknown,
                Some(None) => PgnResult::Draw,
                Some(Some(0)) => PgnResult::White,
                Some(Some(_)) => PgnResult::Black,
            };
            let [white, black] = &about.players;
            let event = if about.event.is_empty() { &about.name } else { &about.event };
            // PGN has dots where SGF has dashes.
            let date = about.date.replace('-', ".");
            let tags = [("Event", event), ("Date", &date), ("White", white), ("Black", black)]
                .into_iter()
                .filter(|(_, value)| !value.is_empty())
                .map(|(name, value)| (name.to_owned(), value.clone()))
                .collect();
            Ok(PgnGame { tags, start, line, result }.to_string())
        }
    }
}

/// The properties of the first node that tell of the game.
fn sgf_about(about: &About, ending: Option<&Ending>, colours: [char; 2]) -> String {
    let About { name, event, date, players, notes, comment, .. } = about;
    let names = colours.map(|colour| format!("P{colour}"));
    let result = ending.map_or_else(String::new, |ending| ending_text(ending, colours));
    [
        ("GN", name),
        ("EV", event),
        ("DT", date),
        (&*names[0], &players[0]),
        (&*names[1], &players[1]),
        ("RE", &result),
        ("GC", notes),
        ("C", comment),
    ]
    .iter()
    .filter(|(_, value)| !value.is_empty())
    .map(|(name, value)| format!("\n{name}[{}]", sgf::escaped(value)))
    .collect()
}

/// How the main line ends, if it ends on the board.
fn ending_on_board(session: &Session, nodes: &[Node], children: &[Vec<usize>]) -> Option<Ending> {
    let mut session = session.clone();
    let mut at = nodes.len();
    while let Some(&next) = children[at].first() {
        session.play(session.parse_move(&nodes[next].m).ok()?);
        at = next;
    }
    let winner = match session.outcome()? {
        Outcome::Win(side) => Some(side.index()),
        Outcome::Draw => None,
    };
    Some(Ending { winner, how: String::new() })
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
    ) -> Result<(), Refusal> {
        if deepest == 0 {
            return Err(Refusal::wrong("too many variations inside each other"));
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
        let Node { m, comment, nags, .. } = &self.nodes[index];
        let _ = write!(text, "\n;{}[{}]", self.colours[side], sgf::escaped(m));
        text.extend(nags.iter().filter_map(|&nag| sgf::judgement(nag)));
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
) -> Result<Line, Refusal> {
    if deepest == 0 {
        return Err(Refusal::wrong("too many variations inside each other"));
    }
    let mut position = start.clone();
    let mut line = Line::default();
    while let Some((&main, others)) = children[at.unwrap_or(nodes.len())].split_first() {
        let read = |index: usize, position: &Chess| {
            let m = position.parse_move(&nodes[index].m).map_err(Refusal::wrong)?;
            let Node { comment, nags, .. } = nodes[index].clone();
            Ok::<_, Refusal>(PgnMove { comment, nags, ..PgnMove::from(m) })
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
