//! Games of OpenSpiel: `openspiel:NAME`, where `NAME` is what `pyspiel.load_game` reads.
//!
//! A position is a state of OpenSpiel, which stays on its side; Python asks it what searches want to know. The
//! states of a tree are kept until there are too many ([`CAPACITY`]). A random playout is one conversation with
//! one state, two calls for each ply; in games with many moves ([`MANY_ACTIONS`]), where most of the time would
//! go into lists, two random bots of OpenSpiel play it in one call.
//!
//! - Sides alternate here. Where the same player moves again, the other one has to pass first ([`PASS`]).
//! - The text of a position is its moves from the start, `[3,3,2] 2`: what OpenSpiel can always read.
//! - Two positions are one if they have the same moves; in games whose state as text says everything
//!   ([`TOLD_BY_TEXT`]), if they have the same text after as many moves with the same player to move.
//!
//! No lock of this module is held while the interpreter's is waited for: a thread that has the interpreter
//! may wait for it.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use pyo3::exceptions::{PyImportError, PyRuntimeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyList;
use spinney_game::{
    Game, GameInfo, Hashed, Notation, Outcome, PackedMove, Playout, PositionError, Repetition, Rng,
    Side, Symmetric, closest,
};
use spinney_session::{GameHandle, Session};

use crate::failure::Failure;

/// What stands in front of the name of a game.
pub(crate) const FAMILY: &str = "openspiel";

/// The only move of a side that is not to move in OpenSpiel.
pub(crate) const PASS: PackedMove = 1 << 31;

/// States that a game keeps. Guess: some hundred megabytes.
const CAPACITY: usize = 200_000;

/// From this number of different moves on, bots of OpenSpiel are faster than lists of moves. Measured: Hex
/// (121 moves) with bots, Connect Four (7) with lists.
const MANY_ACTIONS: i64 = 64;

/// The player to move when the game is over, for OpenSpiel.
const TERMINAL: i32 = -4;

/// Games whose state as text, with the number of moves before it and the player to move, decides how it may
/// go on.
const TOLD_BY_TEXT: &[&str] = &[
    "breakthrough",
    "clobber",
    "connect_four",
    "dots_and_boxes",
    "gomoku",
    "havannah",
    "hex",
    "mancala",
    "mnk",
    "nim",
    "othello",
    "pentago",
    "tic_tac_toe",
    "y",
];

/// The games that were opened.
static OPENED: LazyLock<Mutex<HashMap<String, (GameInfo, Position)>>> =
    LazyLock::new(Mutex::default);

/// A game of OpenSpiel.
struct Table {
    game: Py<PyAny>,
    /// The number of the player who moves first.
    first: i32,
    is_told_by_text: bool,
    /// What makes two random bots play, in games with many moves.
    bots: Option<Bots>,
    /// So that they need not be made again.
    kept: Mutex<Vec<Arc<Node>>>,
    failure: Failure,
}

/// Functions of OpenSpiel.
struct Bots {
    make_uniform_random_bot: Py<PyAny>,
    evaluate_bots: Py<PyAny>,
}

/// A position and what is known of it so far.
struct Node {
    state: Py<PyAny>,
    to_move: Side,
    turn: Turn,
    moves: OnceLock<Moves>,
    identity: OnceLock<String>,
}

/// Who moves in OpenSpiel.
#[derive(Clone, Copy)]
enum Turn {
    ToMove,
    Other,
    Over(Outcome),
}

/// The legal moves, with the positions after them as far as they are known and kept.
struct Moves {
    actions: Vec<PackedMove>,
    children: Mutex<Vec<Weak<Node>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Table {
    /// The node of a state, which is kept.
    fn node(&self, state: Bound<'_, PyAny>, to_move: Side) -> PyResult<Arc<Node>> {
        let py = state.py();
        let player: i32 = state.call_method0(intern!(py, "current_player"))?.extract()?;
        let turn = match player {
            TERMINAL => Turn::Over(self.outcome(&state)?),
            _ if self.side(player) == to_move => Turn::ToMove,
            _ => Turn::Other,
        };
        let state = state.unbind();
        let node = Node { state, to_move, turn, moves: OnceLock::new(), identity: OnceLock::new() };
        let node = Arc::new(node);
        let mut kept = lock(&self.kept);
        let full = if kept.len() < CAPACITY { Vec::new() } else { std::mem::take(&mut *kept) };
        kept.push(node.clone());
        // Objects of Python may run code when they go.
        drop(kept);
        drop(full);
        Ok(node)
    }

    fn side(&self, player: i32) -> Side {
        if player == self.first { Side::First } else { Side::Second }
    }

    /// The outcome of a finished state.
    fn outcome(&self, state: &Bound<'_, PyAny>) -> PyResult<Outcome> {
        Ok(self.outcome_of(state.call_method0(intern!(state.py(), "returns"))?.extract()?))
    }

    fn outcome_of(&self, returns: [f64; 2]) -> Outcome {
        let winner = returns.iter().position(|&one| one > 0.0);
        winner.map_or(Outcome::Draw, |player| Outcome::Win(self.side(player as i32)))
    }

    fn moves<'a>(&self, node: &'a Node) -> PyResult<&'a Moves> {
        if let Some(moves) = node.moves.get() {
            return Ok(moves);
        }
        let actions: Vec<PackedMove> = match node.turn {
            Turn::ToMove => Python::attach(|py| {
                node.state.bind(py).call_method0(intern!(py, "legal_actions"))?.extract()
            })?,
            Turn::Other => vec![PASS],
            Turn::Over(_) => Vec::new(),
        };
        if actions.is_empty() && !matches!(node.turn, Turn::Over(_)) {
            return Err(PyRuntimeError::new_err("a state of OpenSpiel without moves or result"));
        }
        let children = Mutex::new(vec![Weak::new(); actions.len()]);
        Ok(node.moves.get_or_init(|| Moves { actions, children }))
    }

    /// The position after a move.
    fn child(&self, node: &Node, action: PackedMove) -> PyResult<Arc<Node>> {
        let moves = self.moves(node)?;
        // Actions are in increasing order in most games.
        let index = match moves.actions.binary_search(&action) {
            Ok(index) => Some(index),
            Err(_) => moves.actions.iter().position(|&legal| legal == action),
        };
        let Some(index) = index else {
            return Err(PyValueError::new_err(format!("action {action} is not legal")));
        };
        if let Some(child) = lock(&moves.children)[index].upgrade() {
            return Ok(child);
        }
        let child = Python::attach(|py| {
            let state = node.state.bind(py);
            let state = match node.turn {
                Turn::Other => state.clone(),
                _ => state.call_method1(intern!(py, "child"), (action,))?,
            };
            self.node(state, !node.to_move)
        })?;
        lock(&moves.children)[index] = Arc::downgrade(&child);
        Ok(child)
    }

    /// Plays random moves to the end.
    fn playout(&self, node: &Node, max_plies: u32, rng: &mut Rng) -> PyResult<Playout> {
        if let Turn::Over(outcome) = node.turn {
            return Ok(Playout { outcome: Some(outcome), plies: 0 });
        }
        Python::attach(|py| {
            let state = node.state.bind(py).call_method0(intern!(py, "clone"))?;
            if let Some(bots) = &self.bots {
                return self.playout_by_bots(&state, bots, max_plies, rng);
            }
            // Looked up once, not for every ply.
            let legal_actions = state.getattr(intern!(py, "legal_actions"))?;
            let apply_action = state.getattr(intern!(py, "apply_action"))?;
            let mut plies = 0;
            loop {
                let actions = legal_actions.call0()?.cast_into::<PyList>()?;
                if actions.is_empty() {
                    return Ok(Playout { outcome: Some(self.outcome(&state)?), plies });
                }
                if plies == max_plies {
                    return Ok(Playout { outcome: None, plies });
                }
                let chosen = rng.below(actions.len() as u32);
                apply_action.call1((actions.get_item(chosen as usize)?,))?;
                plies += 1;
            }
        })
    }

    fn playout_by_bots(
        &self,
        state: &Bound<'_, PyAny>,
        bots: &Bots,
        max_plies: u32,
        rng: &mut Rng,
    ) -> PyResult<Playout> {
        let py = state.py();
        let number = || state.call_method0(intern!(py, "move_number"))?.extract::<u32>();
        let before = number()?;
        let mut bot = |player: i32| {
            let seed = (rng.next_u64() >> 33) as u32;
            bots.make_uniform_random_bot.call1(py, (player, seed))
        };
        let pair = PyList::new(py, [bot(0)?, bot(1)?])?;
        let returns = bots.evaluate_bots.call1(py, (state, pair, 0))?.extract(py)?;
        let plies = number()? - before;
        let outcome = (plies <= max_plies).then(|| self.outcome_of(returns));
        Ok(Playout { outcome, plies: plies.min(max_plies) })
    }

    /// What tells a position from the others.
    fn identity(&self, node: &Node) -> PyResult<String> {
        Python::attach(|py| {
            let state = node.state.bind(py);
            if !self.is_told_by_text {
                return history(state);
            }
            let moves: u64 = state.call_method0(intern!(py, "move_number"))?.extract()?;
            let player: i32 = state.call_method0(intern!(py, "current_player"))?.extract()?;
            Ok(format!("{moves} {player} {}", state.str()?))
        })
    }

    /// What a state says, or the exception as text.
    fn ask<T>(&self, node: &Node, ask: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Option<T> {
        let answer = Python::attach(|py| ask(node.state.bind(py)));
        answer.inspect_err(|error| self.failure.note(copy(error))).ok()
    }
}

fn copy(error: &PyErr) -> PyErr {
    Python::attach(|py| error.clone_ref(py))
}

/// The moves to a state.
fn history(state: &Bound<'_, PyAny>) -> PyResult<String> {
    let actions: Vec<PackedMove> = state.call_method0(intern!(state.py(), "history"))?.extract()?;
    let texts: Vec<String> = actions.iter().map(PackedMove::to_string).collect();
    Ok(format!("[{}]", texts.join(",")))
}

/// A position of a game of OpenSpiel.
#[derive(Clone)]
pub(crate) struct Position {
    table: Arc<Table>,
    /// None after an exception: a drawn position, which ends the search soon.
    node: Option<Arc<Node>>,
    to_move: Side,
}

impl Position {
    fn identity(&self) -> &str {
        let Some(node) = &self.node else { return "" };
        if node.identity.get().is_none() {
            let identity = self.table.identity(node);
            let identity = identity.inspect_err(|error| self.table.failure.note(copy(error)));
            // Another thread may have been faster.
            let _ = node.identity.set(identity.unwrap_or_default());
        }
        node.identity.get().map_or("", String::as_str)
    }

    fn failed<T>(&self, result: PyResult<T>) -> Option<T> {
        result.map_err(|error| self.table.failure.note(error)).ok()
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.to_move == other.to_move && self.identity() == other.identity()
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.to_move, self.identity()).hash(hasher);
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.position_text())
    }
}

impl Game for Position {
    type Move = PackedMove;

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn legal_moves(&self, moves: &mut Vec<PackedMove>) {
        let Some(node) = &self.node else { return };
        match self.failed(self.table.moves(node)) {
            Some(legal) => moves.extend(&legal.actions),
            // There must be one; it leads to the position after an exception.
            None => moves.push(PASS),
        }
    }

    fn play(&mut self, m: PackedMove) {
        self.to_move = !self.to_move;
        let Some(node) = self.node.take() else { return };
        self.node = self.failed(self.table.child(&node, m));
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.node.as_ref().map(|node| node.turn) {
            None => Some(Outcome::Draw),
            Some(Turn::Over(outcome)) => Some(outcome),
            Some(_) => None,
        }
    }

    fn whole_playout(&self, max_plies: u32, rng: &mut Rng) -> Option<Playout> {
        let drawn = Playout { outcome: Some(Outcome::Draw), plies: 0 };
        let Some(node) = &self.node else { return Some(drawn) };
        Some(self.failed(self.table.playout(node, max_plies, rng)).unwrap_or(drawn))
    }
}

impl Hashed for Position {}
impl Repetition for Position {}
impl Symmetric for Position {}

/// The letters of the sides at the end of a position.
const TURNS: [&str; 2] = ["1", "2"];

impl Notation for Position {
    fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
        let error = |problem: &str| PositionError::new(text, problem);
        let (moves, turn) = text
            .strip_prefix('[')
            .and_then(|rest| rest.split_once("] "))
            .ok_or_else(|| error("expected the actions from the start, such as [3,3,2] 2"))?;
        let turn = TURNS.iter().position(|&known| known == turn.trim());
        let turn = turn.ok_or_else(|| error("expected 1 or 2 at the end: the side to move"))?;
        let opened = lock(&OPENED)
            .values()
            .find_map(|(_, start)| Arc::ptr_eq(&start.table, &self.table).then(|| start.clone()));
        let mut position = opened.ok_or_else(|| error("the game is gone"))?;
        let pass = |position: &mut Position| {
            if position.node.as_ref().is_some_and(|node| matches!(node.turn, Turn::Other)) {
                position.play(PASS);
            }
        };
        for word in moves.split(',').filter(|word| !word.is_empty()) {
            pass(&mut position);
            let action: PackedMove =
                word.trim().parse().map_err(|_| error(&format!("{word:?} is no action")))?;
            let mut legal = Vec::new();
            if position.outcome().is_none() {
                position.legal_moves(&mut legal);
            }
            if !legal.contains(&action) {
                return Err(error(&format!("action {action} is not legal after those before it")));
            }
            position.play(action);
        }
        if position.to_move != Side::BOTH[turn] {
            pass(&mut position);
        }
        match position.to_move == Side::BOTH[turn] {
            true => Ok(position),
            false => Err(error("the other side is to move")),
        }
    }

    fn position_text(&self) -> String {
        let node = self.node.as_ref();
        let moves = node.and_then(|node| self.table.ask(node, history));
        format!("{} {}", moves.as_deref().unwrap_or("[?]"), TURNS[self.to_move.index()])
    }

    fn move_text(&self, m: PackedMove) -> String {
        if m == PASS {
            return "pass".to_owned();
        }
        let text = self.node.as_ref().and_then(|node| {
            self.table.ask(node, |state| {
                let name = intern!(state.py(), "action_to_string");
                state.call_method1(name, (m,))?.extract::<String>()
            })
        });
        text.unwrap_or_else(|| m.to_string())
    }

    fn board_text(&self) -> Option<String> {
        let node = self.node.as_ref()?;
        self.table.ask(node, |state| Ok(state.str()?.to_string()))
    }
}

/// Opens a game: what the registry has to know, and its start.
pub(crate) fn open(name: &str) -> Result<(GameInfo, Position), String> {
    if let Some((info, start)) = lock(&OPENED).get(name) {
        return Ok((*info, start.clone()));
    }
    let opened = Python::attach(|py| {
        load(py, name).map_err(|error| match error.value(py).str() {
            Ok(text) => text.to_string().lines().next().unwrap_or_default().to_owned(),
            Err(_) => error.to_string(),
        })
    })?;
    Ok(lock(&OPENED).entry(name.to_owned()).or_insert(opened).clone())
}

fn load(py: Python<'_>, name: &str) -> PyResult<(GameInfo, Position)> {
    let spiel = py.import("pyspiel").map_err(|_| {
        PyImportError::new_err("OpenSpiel is not installed; `pip install open_spiel` does it")
    })?;
    // 1. A game of this name.
    let plain = name.split('(').next().unwrap_or(name);
    let known: Vec<String> = spiel.call_method0("registered_names")?.extract()?;
    if !known.iter().any(|known| known == plain) {
        let guess = closest(plain, known.iter().map(String::as_str));
        let guess = guess.map_or(String::new(), |guess| format!("; did you mean {guess:?}?"));
        return Err(PyValueError::new_err(format!("OpenSpiel has no game {plain:?}{guess}")));
    }
    let game = spiel.call_method1("load_game", (name,))?;
    // 2. It must be one that can be searched here.
    let kind = game.call_method0("get_type")?;
    let is = |field: &str, value: &str| -> PyResult<bool> {
        Ok(kind.getattr(field)?.getattr("name")?.extract::<String>()? == value)
    };
    let players: i32 = game.call_method0("num_players")?.extract()?;
    let [least, most]: [f64; 2] = [
        game.call_method0("min_utility")?.extract()?,
        game.call_method0("max_utility")?.extract()?,
    ];
    let refused = if players != 2 {
        Some(format!("it is for {players} players, not two"))
    } else if !is("dynamics", "SEQUENTIAL")? {
        Some("players do not move in turn".to_owned())
    } else if !is("chance_mode", "DETERMINISTIC")? {
        Some("it has chance".to_owned())
    } else if !is("information", "PERFECT_INFORMATION")? {
        Some("players do not see everything".to_owned())
    } else if !is("utility", "ZERO_SUM")? {
        Some("what one player wins the other does not lose".to_owned())
    } else if (least, most) != (-1.0, 1.0) {
        Some(format!("it pays {least} to {most}; expected loss, draw or win, -1 to 1"))
    } else {
        None
    };
    if let Some(reason) = refused {
        return Err(PyValueError::new_err(format!("it cannot be searched: {reason}")));
    }
    let actions: i64 = game.call_method0("num_distinct_actions")?.extract()?;
    if actions > i64::from(PASS) {
        return Err(PyValueError::new_err(format!("it has {actions} actions, more than {PASS}")));
    }
    // 3. The start.
    let state = game.call_method0("new_initial_state")?;
    let full_name = format!("{FAMILY}:{name}");
    let bots = match actions >= MANY_ACTIONS {
        true => Some(Bots {
            make_uniform_random_bot: spiel.getattr("make_uniform_random_bot")?.unbind(),
            evaluate_bots: spiel.getattr("evaluate_bots")?.unbind(),
        }),
        false => None,
    };
    let table = Arc::new(Table {
        first: state.call_method0("current_player")?.extract()?,
        game: game.unbind(),
        is_told_by_text: TOLD_BY_TEXT.contains(&plain),
        bots,
        kept: Mutex::default(),
        failure: Failure::of(&full_name),
    });
    let node = table.node(state, Side::First)?;
    let start = Position { table, node: Some(node), to_move: Side::First };
    // The registry keeps what it is told of a game for as long as the program runs.
    let leak = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    let title: String = kind.getattr("long_name")?.extract()?;
    let info = GameInfo {
        sides: ["First", "Second"],
        ..GameInfo::new(leak(full_name), leak(title), "a game of OpenSpiel")
    };
    Ok((info, start))
}

/// OpenSpiel's game, if it is one of them, and the number of the player who moves first.
pub(crate) fn game<'py>(py: Python<'py>, handle: &GameHandle) -> Option<(Bound<'py, PyAny>, i32)> {
    let name = handle.info().name.strip_prefix(FAMILY)?.strip_prefix(':')?;
    let opened = lock(&OPENED);
    opened.get(name).map(|(_, start)| (start.table.game.bind(py).clone(), start.table.first))
}

/// The state of a session, made anew, if it is of a game of OpenSpiel; and the number of the player who
/// moves first.
pub(crate) fn state<'py>(
    py: Python<'py>,
    session: &Session,
) -> PyResult<Option<(Bound<'py, PyAny>, i32)>> {
    let Some((game, first)) = game(py, session.game()) else { return Ok(None) };
    let state = game.call_method0(intern!(py, "new_initial_state"))?;
    let text = session.position_text();
    let moves = text.strip_prefix('[').and_then(|rest| rest.split(']').next()).unwrap_or_default();
    for word in moves.split(',').filter(|word| !word.is_empty()) {
        let action: PackedMove = word.parse()?;
        state.call_method1(intern!(py, "apply_action"), (action,))?;
    }
    Ok(Some((state, first)))
}

/// Passes for the side that OpenSpiel leaves out.
pub(crate) fn settle(session: &mut Session) {
    while session.game().info().name.starts_with(FAMILY) && session.legal_moves() == [PASS] {
        session.play(PASS);
    }
}
