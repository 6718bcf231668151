//! A game at one moment, as the API shows it.

use serde::{Deserialize, Serialize};
use spinney_game::Notation;
use spinney_games::chess::Chess;
use spinney_protocol::Analysis;
use spinney_session::{BoardStyle, MoveError, Outcome, PackedMove, Registry, Report, Session};

use crate::Refusal;
use crate::board::{Board, Look, squares_of};
use crate::lines::{Connections, Line};

/// Candidates in an analysis, and moves of their lines.
const MOST_CANDIDATES: usize = 30;
const LONGEST_LINE: usize = 20;
/// More moves than any game that people play.
const LONGEST_GAME: usize = 5000;

/// Where a game stands, as every request says it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Place {
    /// The game, such as `breakthrough:8x8`.
    pub game: String,
    /// Where it starts; its usual start if missing.
    #[serde(default)]
    pub start: Option<String>,
    /// The moves from there.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// A position, and what may happen next.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct State {
    /// The game with its options.
    pub game: String,
    /// The same as people call it.
    pub title: String,
    /// The position as text.
    pub position: String,
    /// A number for the position, in hexadecimal: the same however it was reached.
    pub key: String,
    #[serde(flatten)]
    pub look: Look,
    #[serde(flatten)]
    pub board: Board,
    /// The board as text, where it has no squares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// 0 for the side that moves first in the usual start, else 1.
    pub to_move: usize,
    /// The moves so far.
    pub played: Vec<MoveText>,
    /// The moves that are legal now.
    pub legal: Vec<MoveText>,
    /// How the game ended.
    pub outcome: Option<End>,
    /// Chess: where the king stands that is in check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// LOA: who is connected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connections: Option<Connections>,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct MoveText {
    /// As the API takes it.
    #[serde(rename = "move")]
    pub m: String,
    /// As people write it: SAN in chess.
    pub label: String,
    /// The squares it names.
    pub squares: Vec<String>,
    /// LOA, of the legal moves: the men that count for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Line>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct End {
    /// The winner; nobody in a draw.
    pub winner: Option<usize>,
    /// What ended it: `checkmate`, `repetition`; may be empty.
    pub how: &'static str,
}

/// A node of a record: a move after the one with the number `parent`, or at the start.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Node {
    #[serde(rename = "move")]
    pub m: String,
    #[serde(default)]
    pub label: String,
    /// An earlier node.
    pub parent: Option<usize>,
    #[serde(default)]
    pub comment: String,
    /// Judgements by their numbers in PGN: 1 for `!`, 2 for `?`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// The key of the position after it ([`State::key`]).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
}

/// An analysis, with moves as people write them.
#[derive(Clone, Debug, Serialize)]
pub struct Labelled {
    #[serde(flatten)]
    pub(crate) analysis: Analysis,
    /// For every candidate the labels of its line; none where moves are their own labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) labels: Vec<Vec<String>>,
    /// Plies searched in full, by a search that goes deeper step by step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) depth: Option<u64>,
}

/// Opens a game and plays its moves.
pub(crate) fn open(registry: &Registry, place: &Place) -> Result<Session, Refusal> {
    if place.moves.len() > LONGEST_GAME {
        return Err(Refusal::wrong(format!("more than {LONGEST_GAME} moves")));
    }
    let game = registry.game(&place.game).map_err(Refusal::bad)?;
    game.read(place.start.as_deref(), &place.moves).map_err(Refusal::wrong)
}

impl State {
    /// What a client is told of a game.
    pub(crate) fn of(session: &Session) -> State {
        let info = session.game().info();
        let text = session.position_text();
        let has_squares = session.diagram().is_some();
        let board = match has_squares {
            true => Board::read(&info.board, &text),
            false => Board { width: 0, height: 0, men: Vec::new() },
        };
        let is_loa = info.board.style == BoardStyle::Loa;
        let legal = session.legal_moves().into_iter().map(|m| {
            let m = MoveText::of(session, m);
            MoveText { line: is_loa.then(|| Line::of(&board, &m.squares)).flatten(), ..m }
        });
        State {
            game: session.game().to_string(),
            title: session.game().title(),
            look: Look::of(info),
            key: key_of(session),
            check: (info.board.style == BoardStyle::Chess).then(|| checked(&text)).flatten(),
            position: text,
            text: (!has_squares).then(|| session.board_text()),
            to_move: session.to_move().index(),
            played: session.replay(MoveText::of),
            legal: legal.collect(),
            connections: is_loa.then(|| Connections::of(&board)),
            board,
            outcome: End::of(session),
        }
    }
}

impl End {
    /// How the game ended on the board, if it did.
    pub(crate) fn of(session: &Session) -> Option<End> {
        let winner = match session.outcome()? {
            Outcome::Win(side) => Some(side.index()),
            Outcome::Draw => None,
        };
        Some(End { winner, how: session.ending() })
    }
}

/// The square of the king to move, if it is in check in this position of chess.
fn checked(position: &str) -> Option<String> {
    Chess::start().parse_position(position).ok()?.checked_king().map(|square| square.to_string())
}

/// The number of a position, as clients get it.
pub(crate) fn key_of(session: &Session) -> String {
    format!("{:016x}", session.key())
}

impl MoveText {
    /// A move from the present position.
    pub(crate) fn of(session: &Session, m: PackedMove) -> MoveText {
        let text = session.move_text(m);
        let label = session.move_label(m);
        MoveText { squares: squares_of(&text), m: text, label, line: None }
    }
}

/// Reads the moves of a tree that starts here; in the answer they are written as usual. A move that
/// cannot be played is left out with all that follows it; the first such is told.
pub(crate) fn read_tree(session: &Session, nodes: &[Node]) -> (Vec<Node>, Option<String>) {
    // The positions of the nodes that were read, and the number of each node among them.
    let mut sessions: Vec<(Session, usize)> = Vec::with_capacity(nodes.len());
    let mut numbers: Vec<Option<usize>> = Vec::with_capacity(nodes.len());
    let mut read = Vec::with_capacity(nodes.len());
    let mut problem = None;
    for node in nodes {
        let parent = node.parent.map(|parent| numbers.get(parent).copied().flatten());
        let (before, ply) = match parent {
            None => (session, 1),
            Some(Some(parent)) => (&sessions[parent].0, sessions[parent].1 + 1),
            // Its parent was left out, or comes after it.
            Some(None) => {
                problem.get_or_insert_with(|| format!("move {:?}: its parent is missing", node.m));
                numbers.push(None);
                continue;
            }
        };
        let m = match before.outcome() {
            Some(_) => Err(MoveError::new(&node.m, "the game is over")),
            None => before.parse_move(&node.m),
        };
        match m {
            Ok(m) => {
                let MoveText { m: text, label, .. } = MoveText::of(before, m);
                // Only the position matters: a session without its past is small.
                let mut next = before.from_here();
                next.play(m);
                numbers.push(Some(read.len()));
                let key = key_of(&next);
                sessions.push((next, ply));
                read.push(Node { m: text, label, parent: parent.flatten(), key, ..node.clone() });
            }
            Err(error) => {
                problem.get_or_insert_with(|| format!("ply {ply}: {error}"));
                numbers.push(None);
            }
        }
    }
    (read, problem)
}

impl Labelled {
    /// What a client can read at a glance of a report, with labels where moves have them. `deepens`:
    /// whether its simulations are searches of growing depth.
    pub(crate) fn new(session: &Session, report: &Report, deepens: bool) -> Labelled {
        let mut analysis = Analysis::new(session, report);
        analysis.candidates.truncate(MOST_CANDIDATES);
        analysis.pv.truncate(LONGEST_LINE);
        let mut labels = Vec::new();
        for (analysed, candidate) in analysis.candidates.iter_mut().zip(&report.candidates) {
            analysed.pv.truncate(LONGEST_LINE);
            let line = &candidate.pv[..candidate.pv.len().min(LONGEST_LINE)];
            labels.push(session.line_labels(line));
        }
        if analysis.candidates.iter().zip(&labels).all(|(analysed, labels)| analysed.pv == *labels)
        {
            labels.clear();
        }
        let depth = deepens.then_some(analysis.simulations);
        Labelled { analysis, labels, depth }
    }
}
