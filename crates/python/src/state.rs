//! Games and their states, with the verbs of OpenSpiel.

use std::sync::{LazyLock, PoisonError, RwLock};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use spinney_session::{GameHandle, Outcome, PackedMove, Registry, Session, Side};

use crate::errors::{GameError, MoveError, PositionError};
use crate::own_game;

/// All games, with other programs as players, and those that were added.
static REGISTRY: LazyLock<RwLock<Registry>> =
    LazyLock::new(|| RwLock::new(spinney_protocol::registry()));

/// The games that there are now.
pub(crate) fn registry() -> Registry {
    REGISTRY.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Adds games.
pub(crate) fn add(add: impl FnOnce(&mut Registry)) {
    add(&mut REGISTRY.write().unwrap_or_else(PoisonError::into_inner));
}

/// What `current_player` is when the game is over, as in OpenSpiel.
const TERMINAL_PLAYER: i32 = -4;

/// A game with its options.
#[pyclass(frozen, module = "spinney")]
pub(crate) struct Game {
    pub(crate) handle: GameHandle,
}

#[pymethods]
impl Game {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let handle =
            registry().game(name).map_err(|error| GameError::new_err(error.to_string()))?;
        Ok(Game { handle })
    }

    /// The name with the options.
    #[getter]
    fn name(&self) -> String {
        self.handle.to_string()
    }

    /// One line on what it is.
    #[getter]
    fn summary(&self) -> &'static str {
        self.handle.info().summary
    }

    fn num_players(&self) -> u32 {
        2
    }

    /// The start, or the position of a text.
    #[pyo3(signature = (position=None))]
    fn new_initial_state(&self, position: Option<&str>) -> PyResult<State> {
        let session = self.handle.at(position);
        let session = session.map_err(|error| PositionError::new_err(error.to_string()))?;
        Ok(State { session })
    }

    fn __repr__(&self) -> String {
        format!("load_game({:?})", self.name())
    }

    fn __eq__(&self, other: &Game) -> bool {
        self.handle == other.handle
    }

    fn __hash__(&self) -> u64 {
        self.name().bytes().fold(7, |hash: u64, byte| hash.wrapping_mul(31) + u64::from(byte))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().name(),))
    }
}

/// A game at one moment.
#[pyclass(module = "spinney")]
pub(crate) struct State {
    pub(crate) session: Session,
}

/// A move as Python users may give it.
#[derive(FromPyObject)]
enum Move {
    Action(PackedMove),
    Text(String),
}

impl State {
    /// A legal move, by its number.
    fn legal(&self, action: PackedMove) -> PyResult<PackedMove> {
        if self.session.legal_moves().contains(&action) {
            return Ok(action);
        }
        Err(MoveError::new_err(format!(
            "action {action}: not a legal move in {}",
            self.session.position_text()
        )))
    }

    fn text_of(&self, action: PackedMove) -> PyResult<String> {
        Ok(self.session.move_text(self.legal(action)?))
    }

    fn action_of(&self, text: &str) -> PyResult<PackedMove> {
        if self.session.outcome().is_some() {
            return Err(MoveError::new_err(format!("move {text:?}: the game is over")));
        }
        self.session.parse_move(text).map_err(|error| MoveError::new_err(error.to_string()))
    }
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (game, position=None, moves=Vec::new()))]
    fn new(game: &str, position: Option<&str>, moves: Vec<String>) -> PyResult<State> {
        let mut state = Game::new(game)?.new_initial_state(position)?;
        for text in moves {
            state.session.play(state.action_of(&text)?);
        }
        Ok(state)
    }

    fn get_game(&self) -> Game {
        Game { handle: self.session.game().clone() }
    }

    /// The numbers of the legal moves, in increasing order; none if the game is over.
    fn legal_actions(&self) -> Vec<PackedMove> {
        let mut actions = self.session.legal_moves();
        actions.sort_unstable();
        actions
    }

    /// The legal moves as text, in the same order.
    fn legal_moves(&self) -> Vec<String> {
        self.legal_actions().into_iter().map(|action| self.session.move_text(action)).collect()
    }

    /// Plays a legal move: its number or its text.
    fn apply_action(&mut self, action: Move) -> PyResult<()> {
        let action = match action {
            Move::Action(action) => self.legal(action)?,
            Move::Text(text) => self.action_of(&text)?,
        };
        self.session.play(action);
        own_game::check(self.session.game())
    }

    /// The state after a legal move.
    fn child(&self, action: Move) -> PyResult<State> {
        let mut child = self.clone();
        child.apply_action(action)?;
        Ok(child)
    }

    fn clone(&self) -> State {
        State { session: self.session.clone() }
    }

    fn is_terminal(&self) -> bool {
        self.session.outcome().is_some()
    }

    /// What each player gets: 1, 0 or -1; zeros while the game is not over.
    fn returns(&self) -> [f64; 2] {
        let outcome = self.session.outcome().unwrap_or(Outcome::Draw);
        Side::BOTH.map(|side| f64::from(outcome.score_for(side)))
    }

    /// 0 for the side that moves first in the usual start, 1 for the other, -4 when the game is over.
    fn current_player(&self) -> i32 {
        if self.is_terminal() { TERMINAL_PLAYER } else { self.session.to_move().index() as i32 }
    }

    /// A legal move as text: `action_to_string(action)`, or with the player in front.
    #[pyo3(signature = (*arguments))]
    fn action_to_string(&self, arguments: &Bound<'_, PyTuple>) -> PyResult<String> {
        match arguments.len() {
            1 => self.text_of(arguments.get_item(0)?.extract()?),
            2 => self.text_of(arguments.get_item(1)?.extract()?),
            _ => Err(PyTypeError::new_err("expected an action, or a player and an action")),
        }
    }

    /// The number of a legal move from its text.
    fn string_to_action(&self, text: &str) -> PyResult<PackedMove> {
        self.action_of(text)
    }

    /// The numbers of the moves so far.
    fn history(&self) -> Vec<PackedMove> {
        self.session.moves()
    }

    /// The moves so far as text.
    fn moves(&self) -> Vec<String> {
        self.session.move_texts()
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> String {
        self.session.start_text()
    }

    /// The position as text.
    #[getter]
    fn position(&self) -> String {
        self.session.position_text()
    }

    /// The board as text, one line per rank; the text of a position without one.
    #[getter]
    fn board(&self) -> String {
        let diagram = self.session.diagram();
        diagram.map_or_else(|| self.position(), |diagram| diagram.to_string())
    }

    fn __str__(&self) -> String {
        self.position()
    }

    fn __repr__(&self) -> String {
        format!("State({:?}, {:?})", self.session.game().to_string(), self.position())
    }

    fn __copy__(&self) -> State {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> State {
        self.clone()
    }

    fn __eq__(&self, other: &State) -> bool {
        self.session.game() == other.session.game()
            && self.start() == other.start()
            && self.history() == other.history()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> (Bound<'py, PyAny>, (String, String, Vec<String>)) {
        let state = slf.borrow();
        let arguments = (state.session.game().to_string(), state.start(), state.moves());
        (slf.get_type().into_any(), arguments)
    }
}
