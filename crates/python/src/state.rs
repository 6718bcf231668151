//! Games and their states, with the verbs of OpenSpiel.

use std::sync::{LazyLock, PoisonError, RwLock};

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use spinney_session::{BoardStyle, GameHandle, Man, Outcome, PackedMove, Registry, Session, Side};

use crate::errors::{GameError, MoveError, PositionError};
use crate::{failure, observation, openspiel};

/// All games, with other programs as players, and those that were added.
static REGISTRY: LazyLock<RwLock<Registry>> = LazyLock::new(|| {
    let mut registry = spinney_protocol::registry();
    registry.add_family(openspiel::FAMILY, openspiel::open);
    RwLock::new(registry)
});

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

    fn min_utility(&self) -> f64 {
        -1.0
    }

    fn max_utility(&self) -> f64 {
        1.0
    }

    fn utility_sum(&self) -> f64 {
        0.0
    }

    /// Actions are below this number.
    fn num_distinct_actions(&self, py: Python<'_>) -> PyResult<PackedMove> {
        num_distinct_actions(py, &self.handle)
    }

    /// No game has more moves; `None` if there is no such number.
    fn max_game_length(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        if let Some((game, _)) = openspiel::game(py, &self.handle) {
            return game.call_method0("max_game_length")?.extract();
        }
        let diagram = self.handle.start().diagram();
        let [files, ranks] = diagram.map_or([0, 0], |board| [board.files(), board.ranks()]);
        Ok(match self.handle.info().board.style {
            _ if files == 0 => None,
            BoardStyle::Stones | BoardStyle::Marks | BoardStyle::Dominoes => Some(files * ranks),
            // Two rows of men on each side, which only go forward.
            BoardStyle::Men | BoardStyle::Knights => Some(4 * files * (ranks - 1)),
            BoardStyle::Loa | BoardStyle::Chess => None,
        })
    }

    /// The shape of the observation tensors of its states: planes, ranks and files, or what OpenSpiel says.
    fn observation_tensor_shape(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        if let Some((game, _)) = openspiel::game(py, &self.handle) {
            return game.call_method0("observation_tensor_shape")?.extract();
        }
        let shape = observation::shape(&self.handle.start());
        shape.map(Vec::from).ok_or_else(|| no_board(&self.handle))
    }

    fn observation_tensor_size(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.observation_tensor_shape(py)?.iter().product())
    }

    /// OpenSpiel's type with what holds for every game here; needs `pyspiel`.
    fn get_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("spinney.drop_in")?.call_method1("game_type", (self.name(),))
    }

    /// How its board is drawn, if its positions have squares: `men`, `stones`, `chess` and others.
    #[getter]
    fn style(&self) -> Option<&'static str> {
        self.handle.start().diagram().map(|_| self.handle.info().board.style.name())
    }

    /// The letters of the men of each side; chess has its own.
    #[getter]
    fn men(&self) -> [char; 2] {
        self.handle.info().board.men
    }

    /// Whether the men of the side that moves first are the light ones.
    #[getter]
    fn light_first(&self) -> bool {
        self.handle.info().board.light_first
    }

    /// The start, or the position of a text.
    #[pyo3(signature = (position=None))]
    fn new_initial_state(&self, position: Option<&str>) -> PyResult<State> {
        let session = self.handle.at(position);
        let session = session.map_err(|error| PositionError::new_err(error.to_string()))?;
        Ok(State::at(session))
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

fn no_board(game: &GameHandle) -> PyErr {
    GameError::new_err(format!("game \"{game}\": its positions have no board"))
}

/// Actions of a game are below this number (docs/guides/python.md).
fn num_distinct_actions(py: Python<'_>, game: &GameHandle) -> PyResult<PackedMove> {
    if let Some((game, _)) = openspiel::game(py, game) {
        return game.call_method0("num_distinct_actions")?.extract();
    }
    if game.start().diagram().is_none() {
        return Err(GameError::new_err(format!("game \"{game}\": its actions have no bound")));
    }
    Ok(match game.info().board.style {
        BoardStyle::Stones | BoardStyle::Marks => 64,
        BoardStyle::Chess => 64 * 64 * 6,
        BoardStyle::Loa | BoardStyle::Men | BoardStyle::Knights | BoardStyle::Dominoes => 256 * 64,
    })
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
    /// In games of OpenSpiel nobody sees the passes that keep sides in turn.
    fn at(mut session: Session) -> State {
        openspiel::settle(&mut session);
        State { session }
    }

    fn play(&mut self, action: PackedMove) -> PyResult<()> {
        self.session.play(action);
        openspiel::settle(&mut self.session);
        failure::check(self.session.game())
    }

    /// Whether nobody sees a move.
    fn is_hidden(&self, action: PackedMove) -> bool {
        action == openspiel::PASS && self.session.game().info().name.starts_with(openspiel::FAMILY)
    }

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
            state.play(state.action_of(&text)?)?;
        }
        Ok(state)
    }

    fn get_game(&self) -> Game {
        Game { handle: self.session.game().clone() }
    }

    /// The numbers of the legal moves, in increasing order; none if the game is over, or if it is not the
    /// turn of `player`.
    #[pyo3(signature = (player=None))]
    fn legal_actions(&self, player: Option<i32>) -> Vec<PackedMove> {
        if player.is_some_and(|player| player != self.current_player()) {
            return Vec::new();
        }
        let mut actions = self.session.legal_moves();
        actions.sort_unstable();
        actions
    }

    /// For every action whether it is legal, 1 or 0.
    #[pyo3(signature = (player=None))]
    fn legal_actions_mask(&self, py: Python<'_>, player: Option<i32>) -> PyResult<Vec<u32>> {
        let mut mask = vec![0; self.num_distinct_actions(py)? as usize];
        for action in self.legal_actions(player) {
            if let Some(place) = mask.get_mut(action as usize) {
                *place = 1;
            }
        }
        Ok(mask)
    }

    fn num_distinct_actions(&self, py: Python<'_>) -> PyResult<PackedMove> {
        num_distinct_actions(py, self.session.game())
    }

    fn num_players(&self) -> u32 {
        2
    }

    /// The position as numbers, plane by plane and rank by rank, of the shape that the game tells: for each kind of
    /// man of the first side where it stands, the same for the second side, and ones if the second side is
    /// to move. Of OpenSpiel's games what OpenSpiel says.
    #[pyo3(signature = (player=None))]
    fn observation_tensor(&self, py: Python<'_>, player: Option<i32>) -> PyResult<Vec<f32>> {
        let Some((state, first)) = openspiel::state(py, &self.session)? else {
            let tensor = observation::tensor(&self.session);
            return tensor.ok_or_else(|| no_board(self.session.game()));
        };
        let player = player.unwrap_or(self.session.to_move().index() as i32);
        state.call_method1("observation_tensor", (player ^ first,))?.extract()
    }

    /// The position as text.
    #[pyo3(signature = (_player=None))]
    fn observation_string(&self, _player: Option<i32>) -> String {
        self.position()
    }

    /// OpenSpiel's state, made anew, in its games; else `None`.
    fn spiel_state<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(openspiel::state(py, &self.session)?.map(|(state, _)| state))
    }

    fn is_chance_node(&self) -> bool {
        false
    }

    fn is_simultaneous_node(&self) -> bool {
        false
    }

    fn is_player_node(&self) -> bool {
        !self.is_terminal()
    }

    fn is_initial_state(&self) -> bool {
        self.history().is_empty()
    }

    /// The number of moves so far.
    fn move_number(&self) -> usize {
        self.history().len()
    }

    fn history_str(&self) -> String {
        let texts: Vec<String> = self.history().iter().map(PackedMove::to_string).collect();
        texts.join(", ")
    }

    /// The last change of [`returns`](State::returns): all comes at the end.
    fn rewards(&self) -> [f64; 2] {
        self.returns()
    }

    fn player_return(&self, player: usize) -> PyResult<f64> {
        let returns = self.returns().get(player).copied();
        returns.ok_or_else(|| PyIndexError::new_err("expected player 0 or 1"))
    }

    fn player_reward(&self, player: usize) -> PyResult<f64> {
        self.player_return(player)
    }

    /// The board as SVG, for notebooks.
    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<String> {
        slf.py().import("spinney.drawing")?.call_method1("svg", (slf,))?.extract()
    }

    /// The letters of the squares, the highest rank first, `.` for an empty one; `None` if the position has no
    /// squares.
    #[getter]
    fn squares(&self) -> Option<Vec<Vec<char>>> {
        let diagram = self.session.diagram()?;
        let letter = |man: Option<Man>| man.map_or('.', |man| man.letter);
        let letters: Vec<char> = diagram.squares().map(letter).collect();
        Some(letters.chunks(diagram.files()).rev().map(Vec::from).collect())
    }

    /// The legal moves as text, in the same order.
    fn legal_moves(&self) -> Vec<String> {
        self.legal_actions(None).into_iter().map(|action| self.session.move_text(action)).collect()
    }

    /// Plays a legal move: its number or its text.
    fn apply_action(&mut self, action: Move) -> PyResult<()> {
        let action = match action {
            Move::Action(action) => self.legal(action)?,
            Move::Text(text) => self.action_of(&text)?,
        };
        self.play(action)
    }

    /// Plays legal moves, one after the other.
    fn apply_actions(&mut self, actions: Vec<Move>) -> PyResult<()> {
        actions.into_iter().try_for_each(|action| self.apply_action(action))
    }

    /// Takes the last move back; it must be this one, by this player.
    fn undo_action(&mut self, player: i32, action: PackedMove) -> PyResult<()> {
        let mut moves = self.session.moves();
        let mut last = moves.pop();
        while last.is_some_and(|action| self.is_hidden(action)) {
            last = moves.pop();
        }
        let mut session = self.session.from_start();
        moves.into_iter().for_each(|m| session.play(m));
        if last != Some(action) || session.to_move().index() as i32 != player {
            let problem = format!("player {player}, action {action}: not the last move");
            return Err(MoveError::new_err(problem));
        }
        self.session = session;
        Ok(())
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
        self.session.moves().into_iter().filter(|&action| !self.is_hidden(action)).collect()
    }

    /// The moves so far as text.
    fn moves(&self) -> Vec<String> {
        let texts = self.session.move_texts().into_iter().zip(self.session.moves());
        texts.filter(|&(_, action)| !self.is_hidden(action)).map(|(text, _)| text).collect()
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

    /// The board as text, one line per rank, or what the game draws; else the position.
    #[getter]
    fn board(&self) -> String {
        self.session.board_text()
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
