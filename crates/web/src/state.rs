//! A game at one moment, as the API shows it.

use serde::{Deserialize, Serialize};
use spinney_protocol::Analysis;
use spinney_session::{Outcome, PackedMove, Registry, Report, Session};

use crate::board::{Board, Look, squares_of};
use crate::error::ApiError;

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
    #[serde(flatten)]
    pub look: Look,
    #[serde(flatten)]
    pub board: Board,
    /// 0 for the side that moves first in the usual start, else 1.
    pub to_move: usize,
    /// The moves so far.
    pub played: Vec<MoveText>,
    /// The moves that are legal now.
    pub legal: Vec<MoveText>,
    /// How the game ended.
    pub outcome: Option<End>,
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
}

/// An analysis, with moves as people write them.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Labelled {
    #[serde(flatten)]
    pub analysis: Analysis,
    /// For every candidate the labels of its line; none where moves are their own labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Vec<String>>,
}

/// Opens a game and plays its moves.
pub(crate) fn open(registry: &Registry, place: &Place) -> Result<Session, ApiError> {
    if place.moves.len() > LONGEST_GAME {
        return Err(ApiError::wrong(format!("more than {LONGEST_GAME} moves")));
    }
    let game = registry.game(&place.game).map_err(ApiError::bad)?;
    game.read(place.start.as_deref(), &place.moves).map_err(ApiError::wrong)
}

impl State {
    /// What a client is told of a game.
    pub(crate) fn of(session: &Session) -> State {
        let info = session.game().info();
        let text = session.position_text();
        State {
            game: session.game().to_string(),
            title: session.game().title(),
            look: Look::of(info),
            board: Board::read(&info.board, &text),
            position: text,
            to_move: session.to_move().index(),
            played: session.replay(MoveText::of),
            legal: session.legal_moves().into_iter().map(|m| MoveText::of(session, m)).collect(),
            outcome: session.outcome().map(|outcome| End {
                winner: match outcome {
                    Outcome::Win(side) => Some(side.index()),
                    Outcome::Draw => None,
                },
                how: session.ending(),
            }),
        }
    }
}

impl MoveText {
    /// A move from the present position.
    pub(crate) fn of(session: &Session, m: PackedMove) -> MoveText {
        let text = session.move_text(m);
        MoveText { squares: squares_of(&text), m: text, label: session.move_label(m) }
    }
}

/// Reads the moves of a tree that starts here; in the answer they are written as usual.
pub(crate) fn read_tree(session: &Session, nodes: &[Node]) -> Result<Vec<Node>, ApiError> {
    let mut sessions: Vec<Session> = Vec::with_capacity(nodes.len());
    let mut read = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let error = |problem: String| {
            ApiError::wrong(format!("move {}, {:?}: {problem}", index + 1, node.m))
        };
        let parent = match node.parent {
            None => session,
            Some(parent) => {
                sessions.get(parent).ok_or_else(|| error("its parent comes after it".to_owned()))?
            }
        };
        let m = parent.parse_move(&node.m).map_err(|e| error(e.to_string()))?;
        let MoveText { m: text, label, .. } = MoveText::of(parent, m);
        read.push(Node { m: text, label, ..node.clone() });
        // Only the position matters: a session without its past is small.
        let mut next = parent.from_here();
        next.play(m);
        sessions.push(next);
    }
    Ok(read)
}

impl Labelled {
    /// What a client can read at a glance of a report, with labels where moves have them.
    pub(crate) fn new(session: &Session, report: &Report) -> Labelled {
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
        Labelled { analysis, labels }
    }
}
