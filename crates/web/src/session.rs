//! One game at one moment, whichever game it is: the boundary where static types end.

use std::any::Any;

use serde::{Deserialize, Serialize};
use spinney_game::{History, Outcome};
use spinney_games::catalog::{GameSpec, Playable, Visitor};
use spinney_games::chess::Chess;
use spinney_players::{OptionDescription, Player, PlayerError, PlayerSpec};
use spinney_protocol::{Analysis, create, describe};
use spinney_search::{GameValue, Limits, Stop};

use crate::board::{Board, Look, squares_of};
use crate::error::ApiError;
use crate::search_tree::{GameTree, OpenTree};

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

/// A game at one moment.
pub(crate) trait Session: Send {
    fn state(&self) -> State;

    /// The options that a player has in this game.
    fn options(&self, player: &PlayerSpec) -> Result<Vec<OptionDescription>, PlayerError>;

    /// Gets ready to search the present position.
    fn searcher(
        self: Box<Self>,
        player: &PlayerSpec,
        seed: u64,
    ) -> Result<Box<dyn Searcher>, PlayerError>;

    /// Reads the moves of a tree that starts here; in the answer they are written as usual.
    fn read_tree(&self, nodes: &[Node]) -> Result<Vec<Node>, ApiError>;
}

/// A player in front of a position.
pub(crate) trait Searcher: Send {
    /// Searches until a limit, or until it is stopped.
    fn run(
        &mut self,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(Labelled),
    ) -> Result<Labelled, String>;

    /// A look into the tree of the search, if it keeps one.
    fn tree(&self) -> Option<Box<dyn OpenTree>>;
}

/// Opens a game and plays its moves.
pub(crate) fn open(place: &Place) -> Result<Box<dyn Session>, ApiError> {
    let game: GameSpec = place.game.parse().map_err(ApiError::bad)?;
    if place.moves.len() > LONGEST_GAME {
        return Err(ApiError::wrong(format!("more than {LONGEST_GAME} moves")));
    }
    game.visit(Open { game, place })
}

struct Open<'a> {
    game: GameSpec,
    place: &'a Place,
}

impl Visitor for Open<'_> {
    type Output = Result<Box<dyn Session>, ApiError>;

    fn visit<G: Playable>(self, start: G) -> Self::Output {
        let start = match &self.place.start {
            Some(text) => start.parse_position(text).map_err(ApiError::wrong)?,
            None => start,
        };
        let mut played = Vec::new();
        let mut history = History::new(start);
        for (index, text) in self.place.moves.iter().enumerate() {
            let error = |problem: String| ApiError::wrong(format!("ply {}: {problem}", index + 1));
            if history.outcome().is_some() {
                return Err(error("the game is over".to_owned()));
            }
            let m = history.position().parse_move(text).map_err(|e| error(e.to_string()))?;
            played.push(move_text(history.position(), m));
            history.play(m);
        }
        Ok(Box::new(Opened { game: self.game, history, played }))
    }
}

struct Opened<G: Playable> {
    game: GameSpec,
    history: History<G>,
    played: Vec<MoveText>,
}

impl<G: Playable> Session for Opened<G> {
    fn state(&self) -> State {
        let position = self.history.position();
        let text = position.position_text();
        let look = Look::of(&self.game);
        let outcome = self.history.outcome();
        let mut legal = Vec::new();
        if outcome.is_none() {
            position.legal_moves(&mut legal);
        }
        State {
            game: self.game.to_string(),
            look,
            board: Board::read(look, &text),
            position: text,
            to_move: position.to_move().index(),
            played: self.played.clone(),
            legal: legal.into_iter().map(|m| move_text(position, m)).collect(),
            outcome: outcome.map(|outcome| End {
                winner: match outcome {
                    Outcome::Win(side) => Some(side.index()),
                    Outcome::Draw => None,
                },
                how: if position.outcome().is_some() { position.ending() } else { "repetition" },
            }),
        }
    }

    fn options(&self, player: &PlayerSpec) -> Result<Vec<OptionDescription>, PlayerError> {
        describe(player, self.history.position())
    }

    fn searcher(
        self: Box<Self>,
        player: &PlayerSpec,
        seed: u64,
    ) -> Result<Box<dyn Searcher>, PlayerError> {
        let player = create(player, self.history.position(), seed)?;
        Ok(Box::new(Ready { history: self.history, player }))
    }

    fn read_tree(&self, nodes: &[Node]) -> Result<Vec<Node>, ApiError> {
        let mut positions: Vec<G> = Vec::with_capacity(nodes.len());
        let mut read = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            let error = |problem: String| {
                ApiError::wrong(format!("move {}, {:?}: {problem}", index + 1, node.m))
            };
            let mut position = match node.parent {
                None => self.history.position().clone(),
                Some(parent) => positions
                    .get(parent)
                    .cloned()
                    .ok_or_else(|| error("its parent comes after it".to_owned()))?,
            };
            let m = position.parse_move(&node.m).map_err(|e| error(e.to_string()))?;
            let MoveText { m: text, label, .. } = move_text(&position, m);
            read.push(Node { m: text, label, ..node.clone() });
            position.play(m);
            positions.push(position);
        }
        Ok(read)
    }
}

struct Ready<G: Playable> {
    history: History<G>,
    player: Box<dyn Player<G>>,
}

impl<G: Playable> Searcher for Ready<G> {
    fn run(
        &mut self,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(Labelled),
    ) -> Result<Labelled, String> {
        let position = self.history.position();
        if let Some(outcome) = self.history.outcome() {
            let value = GameValue::of(outcome, position.to_move());
            return Ok(labelled(position, Analysis::finished(value)));
        }
        self.player.limit_kinds().check(limits).map_err(|error| error.to_string())?;
        let mut show = |report: &_| progress(labelled(position, Analysis::new(position, report)));
        let report = self.player.analyse(&self.history, limits, stop, &mut show);
        match self.player.failure() {
            Some(failure) => Err(failure.to_owned()),
            None => Ok(labelled(position, Analysis::new(position, &report))),
        }
    }

    fn tree(&self) -> Option<Box<dyn OpenTree>> {
        let root = self.history.position().clone();
        self.player.tree().map(|tree| Box::new(GameTree { root, tree }) as Box<dyn OpenTree>)
    }
}

/// What a client can read at a glance, with labels.
fn labelled<G: Playable>(position: &G, mut analysis: Analysis) -> Labelled {
    analysis.candidates.truncate(MOST_CANDIDATES);
    analysis.pv.truncate(LONGEST_LINE);
    for candidate in &mut analysis.candidates {
        candidate.pv.truncate(LONGEST_LINE);
    }
    let labels = match is_chess(position) {
        true => analysis.candidates.iter().map(|one| line_labels(position, &one.pv)).collect(),
        false => Vec::new(),
    };
    Labelled { analysis, labels }
}

fn line_labels<G: Playable>(position: &G, line: &[String]) -> Vec<String> {
    let mut position = position.clone();
    let label = |text: &String| {
        let m = position.parse_move(text).ok()?;
        let label = move_text(&position, m).label;
        position.play(m);
        Some(label)
    };
    line.iter().map_while(label).collect()
}

fn is_chess<G: Playable>(position: &G) -> bool {
    (position as &dyn Any).is::<Chess>()
}

pub(crate) fn move_text<G: Playable>(position: &G, m: G::Move) -> MoveText {
    let text = position.move_text(m);
    let chess = (position as &dyn Any).downcast_ref::<Chess>();
    let chess_move = (&m as &dyn Any).downcast_ref();
    let label = match (chess, chess_move) {
        (Some(chess), Some(&m)) => chess.san(m),
        _ => text.clone(),
    };
    MoveText { squares: squares_of(&text), m: text, label }
}
