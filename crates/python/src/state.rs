//! Games and their states, with the verbs of OpenSpiel.

use std::str::FromStr;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use spinney_game::{History, Outcome, Side};
use spinney_games::catalog::{GameSpec, Playable};

use crate::errors::{GameError, MoveError, PositionError};
use crate::place::{self, Place};

/// What `current_player` is when the game is over, as in OpenSpiel.
const TERMINAL_PLAYER: i32 = -4;

/// A game of the catalog with its options.
#[pyclass(frozen, module = "spinney")]
pub(crate) struct Game {
    pub(crate) spec: GameSpec,
}

#[pymethods]
impl Game {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let spec =
            GameSpec::from_str(name).map_err(|error| GameError::new_err(error.to_string()))?;
        Ok(Game { spec })
    }

    /// The name with the options.
    #[getter]
    fn name(&self) -> String {
        self.spec.to_string()
    }

    /// One line on what it is.
    #[getter]
    fn summary(&self) -> &'static str {
        self.spec.entry().summary
    }

    fn num_players(&self) -> u32 {
        2
    }

    /// The start, or the position of a text.
    #[pyo3(signature = (position=None))]
    fn new_initial_state(&self, position: Option<&str>) -> PyResult<State> {
        State::open(self.spec, position)
    }

    fn __repr__(&self) -> String {
        format!("load_game({:?})", self.name())
    }

    fn __eq__(&self, other: &Game) -> bool {
        self.spec == other.spec
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
    pub(crate) game: GameSpec,
    /// The position before the first move.
    start: String,
    /// The moves since then.
    actions: Vec<u32>,
    moves: Vec<String>,
    pub(crate) place: Box<dyn Place>,
}

/// A move as Python users may give it.
#[derive(FromPyObject)]
enum Move {
    Action(u32),
    Text(String),
}

impl State {
    pub(crate) fn open(game: GameSpec, position: Option<&str>) -> PyResult<State> {
        let place = place::open(&game, position)
            .map_err(|error| PositionError::new_err(error.to_string()))?;
        Ok(State { game, start: place.text(), actions: Vec::new(), moves: Vec::new(), place })
    }

    /// The state of a game, with its moves.
    pub(crate) fn after<G: Playable>(game: GameSpec, history: &History<G>) -> PyResult<State> {
        let mut state = State::open(game, Some(&history.start().position_text()))?;
        for &m in history.moves() {
            state.apply(G::pack(m))?;
        }
        Ok(State { place: Box::new(history.clone()), ..state })
    }

    fn text_of(&self, action: u32) -> PyResult<String> {
        self.place.move_text(action).ok_or_else(|| {
            MoveError::new_err(format!(
                "action {action}: not a legal move in {}",
                self.place.text()
            ))
        })
    }

    fn action_of(&self, text: &str) -> PyResult<u32> {
        self.place.parse_move(text).map_err(|error| MoveError::new_err(error.to_string()))
    }

    pub(crate) fn apply(&mut self, action: u32) -> PyResult<()> {
        self.moves.push(self.text_of(action)?);
        self.actions.push(action);
        self.place.play(action);
        Ok(())
    }
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (game, position=None, moves=Vec::new()))]
    fn new(game: &str, position: Option<&str>, moves: Vec<String>) -> PyResult<State> {
        let mut state = Game::new(game)?.new_initial_state(position)?;
        for text in moves {
            state.apply(state.action_of(&text)?)?;
        }
        Ok(state)
    }

    fn get_game(&self) -> Game {
        Game { spec: self.game }
    }

    /// The numbers of the legal moves, in increasing order; none if the game is over.
    fn legal_actions(&self) -> Vec<u32> {
        let mut actions = self.place.legal();
        actions.sort_unstable();
        actions
    }

    /// The legal moves as text, in the same order.
    fn legal_moves(&self) -> Vec<String> {
        self.legal_actions().into_iter().filter_map(|a| self.place.move_text(a)).collect()
    }

    /// Plays a legal move: its number or its text.
    fn apply_action(&mut self, action: Move) -> PyResult<()> {
        let action = match action {
            Move::Action(action) => action,
            Move::Text(text) => self.action_of(&text)?,
        };
        self.apply(action)
    }

    /// The state after a legal move.
    fn child(&self, action: Move) -> PyResult<State> {
        let mut child = self.clone();
        child.apply_action(action)?;
        Ok(child)
    }

    fn clone(&self) -> State {
        State {
            game: self.game,
            start: self.start.clone(),
            actions: self.actions.clone(),
            moves: self.moves.clone(),
            place: self.place.copy(),
        }
    }

    fn is_terminal(&self) -> bool {
        self.place.outcome().is_some()
    }

    /// What each player gets: 1, 0 or -1; zeros while the game goes on.
    fn returns(&self) -> [f64; 2] {
        let outcome = self.place.outcome().unwrap_or(Outcome::Draw);
        Side::BOTH.map(|side| f64::from(outcome.score_for(side)))
    }

    /// 0 for the side that moves first in the usual start, 1 for the other, -4 when the game is over.
    fn current_player(&self) -> i32 {
        if self.is_terminal() { TERMINAL_PLAYER } else { self.place.to_move().index() as i32 }
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
    fn string_to_action(&self, text: &str) -> PyResult<u32> {
        self.action_of(text)
    }

    /// The numbers of the moves so far.
    fn history(&self) -> Vec<u32> {
        self.actions.clone()
    }

    /// The moves so far as text.
    fn moves(&self) -> Vec<String> {
        self.moves.clone()
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> String {
        self.start.clone()
    }

    /// The position as text.
    #[getter]
    fn position(&self) -> String {
        self.place.text()
    }

    fn __str__(&self) -> String {
        self.position()
    }

    fn __repr__(&self) -> String {
        format!("State({:?}, {:?})", self.game.to_string(), self.position())
    }

    fn __copy__(&self) -> State {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> State {
        self.clone()
    }

    fn __eq__(&self, other: &State) -> bool {
        (self.game, &self.start, &self.actions) == (other.game, &other.start, &other.actions)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> (Bound<'py, PyAny>, (String, String, Vec<String>)) {
        let state = slf.borrow();
        let arguments = (state.game.to_string(), state.start.clone(), state.moves.clone());
        (slf.get_type().into_any(), arguments)
    }
}
