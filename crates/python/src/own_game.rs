//! Games whose rules are a Python object with four methods.
//!
//! - `start()`: the first position, any object. Its text, `str(position)`, must tell it from all others.
//! - `moves(position)`: the legal moves, any objects. Numbers are actions; others are numbered.
//! - `play(position, move)`: the position after a move. Positions are values: it returns another one.
//! - `result(position)`: `None`, or at the end 1, 0 or -1 as the side that moves first sees it.
//! - `parse(text)`, if it is there: the position with that text.
//! - `board(position)`, if it is there: a picture for people, as text of several lines.
//!
//! Sides alternate. A position is asked about once and then kept, with the positions after it, until the
//! cache is full ([`CAPACITY`]); then the cache begins anew. Searches run without the interpreter's lock and take
//! it only for what is not in the cache.
//!
//! No lock of this module is held while the interpreter's is waited for: a thread that has the
//! interpreter may wait for it.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use spinney_game::{
    Game, GameInfo, Hashed, Notation, Outcome, PackedMove, PositionError, Repetition, Side,
    Symmetric,
};
use spinney_session::Registry;

use crate::errors::GameError;
use crate::failure::Failure;
use crate::state::{self, registry};

/// Positions in the cache of a game. Guess: some hundred megabytes.
const CAPACITY: usize = 500_000;

/// Moves that are no numbers are numbered from here.
const FIRST_NAMED: PackedMove = 1 << 31;

/// The letters of the sides at the end of a position.
const TURNS: [&str; 2] = ["1", "2"];

struct Rules {
    object: Py<PyAny>,
    cache: Mutex<Cache>,
    names: Mutex<Names>,
    failure: Failure,
}

/// The positions that are known.
#[derive(Default)]
struct Cache {
    nodes: HashMap<(String, Side), Arc<Node>>,
}

/// The texts of moves that are no numbers.
#[derive(Default)]
struct Names {
    numbers: HashMap<String, PackedMove>,
}

/// A position and what the rules say of it.
struct Node {
    position: Py<PyAny>,
    text: String,
    to_move: Side,
    outcome: Option<Outcome>,
    moves: Vec<Choice>,
    /// The positions after the moves, as far as they are known and kept.
    children: Mutex<Vec<Weak<Node>>>,
}

/// A legal move.
struct Choice {
    number: PackedMove,
    text: String,
    object: Py<PyAny>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Rules {
    /// The node of a position.
    fn node(&self, position: Bound<'_, PyAny>, to_move: Side) -> PyResult<Arc<Node>> {
        let py = position.py();
        let text = position.str()?.to_string();
        if text.contains('\n') {
            let problem = format!("str(position) has more than one line: {text:?}");
            return Err(PyValueError::new_err(problem));
        }
        if let Some(node) = self.known(&text, to_move) {
            return Ok(node);
        }
        let rules = self.object.bind(py);
        let outcome = match rules.call_method1("result", (&position,))?.extract::<Option<f64>>()? {
            None => None,
            Some(0.0) => Some(Outcome::Draw),
            Some(1.0) => Some(Outcome::Win(Side::First)),
            Some(-1.0) => Some(Outcome::Win(Side::Second)),
            Some(other) => {
                let problem = format!("result({text}) is {other}, not 1, 0, -1 or None");
                return Err(PyValueError::new_err(problem));
            }
        };
        let mut moves = Vec::new();
        if outcome.is_none() {
            for m in rules.call_method1("moves", (&position,))?.try_iter()? {
                let m = m?;
                let text = m.str()?.to_string();
                let number = match m.extract::<PackedMove>() {
                    Ok(number) if number < FIRST_NAMED => number,
                    _ => self.named(&text),
                };
                moves.push(Choice { number, text, object: m.unbind() });
            }
            let mut numbers: Vec<PackedMove> = moves.iter().map(|choice| choice.number).collect();
            numbers.sort_unstable();
            numbers.dedup();
            if moves.is_empty() || numbers.len() < moves.len() {
                let what = if moves.is_empty() { "no moves and no result" } else { "a move twice" };
                return Err(PyValueError::new_err(format!("position {text} has {what}")));
            }
        }
        let children = Mutex::new(moves.iter().map(|_| Weak::new()).collect());
        let position = position.unbind();
        let node =
            Arc::new(Node { position, text: text.clone(), to_move, outcome, moves, children });
        let mut cache = lock(&self.cache);
        if cache.nodes.len() >= CAPACITY {
            // Dropped without this lock: objects of Python may run code when they go.
            let full = std::mem::take(&mut cache.nodes);
            drop(cache);
            drop(full);
            cache = lock(&self.cache);
        }
        let replaced = cache.nodes.insert((text, to_move), node.clone());
        drop(cache);
        drop(replaced);
        Ok(node)
    }

    fn known(&self, text: &str, to_move: Side) -> Option<Arc<Node>> {
        lock(&self.cache).nodes.get(&(text.to_owned(), to_move)).cloned()
    }

    /// The number of a move that the class names by a text.
    fn named(&self, text: &str) -> PackedMove {
        let numbers = &mut lock(&self.names).numbers;
        let next = FIRST_NAMED + numbers.len() as PackedMove;
        *numbers.entry(text.to_owned()).or_insert(next)
    }

    /// The position after a move.
    fn child(&self, node: &Node, index: usize) -> PyResult<Arc<Node>> {
        if let Some(child) = lock(&node.children).get(index).and_then(Weak::upgrade) {
            return Ok(child);
        }
        let child = Python::attach(|py| {
            let arguments = (&node.position, &node.moves[index].object);
            let position = self.object.bind(py).call_method1("play", arguments)?;
            self.node(position, !node.to_move)
        })?;
        if let Some(place) = lock(&node.children).get_mut(index) {
            *place = Arc::downgrade(&child);
        }
        Ok(child)
    }
}

/// A position of a game whose rules are in Python.
#[derive(Clone)]
struct Position {
    rules: Arc<Rules>,
    /// None after an exception: a drawn position, which ends the search soon.
    node: Option<Arc<Node>>,
    to_move: Side,
}

impl Position {
    fn text(&self) -> &str {
        self.node.as_ref().map_or("?", |node| &node.text)
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.to_move == other.to_move && self.text() == other.text()
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.to_move, self.text()).hash(hasher);
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
        if let Some(node) = &self.node {
            moves.extend(node.moves.iter().map(|choice| choice.number));
        }
    }

    fn play(&mut self, m: PackedMove) {
        self.to_move = !self.to_move;
        let Some(node) = self.node.take() else { return };
        let Some(index) = node.moves.iter().position(|choice| choice.number == m) else { return };
        match self.rules.child(&node, index) {
            Ok(child) => self.node = Some(child),
            Err(error) => self.rules.failure.note(error),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.node.as_ref().map_or(Some(Outcome::Draw), |node| node.outcome)
    }
}

impl Hashed for Position {}
impl Repetition for Position {}
impl Symmetric for Position {}

impl Notation for Position {
    fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
        let error = |problem: String| PositionError::new(text, problem);
        let (board, turn) = text.rsplit_once(' ').unwrap_or((text, ""));
        let turn = TURNS.iter().position(|&known| known == turn);
        let turn =
            turn.ok_or_else(|| error("expected 1 or 2 at the end: the side to move".into()))?;
        let to_move = Side::BOTH[turn];
        let node = match self.rules.known(board, to_move) {
            Some(node) => node,
            None => Python::attach(|py| {
                let rules = self.rules.object.bind(py);
                if !rules.hasattr("parse")? {
                    let problem = "the game has no method parse(text)";
                    return Err(PyValueError::new_err(problem));
                }
                self.rules.node(rules.call_method1("parse", (board,))?, to_move)
            })
            .map_err(|problem| error(problem.to_string()))?,
        };
        Ok(Position { rules: self.rules.clone(), node: Some(node), to_move })
    }

    fn position_text(&self) -> String {
        format!("{} {}", self.text(), TURNS[self.to_move.index()])
    }

    fn board_text(&self) -> Option<String> {
        let node = self.node.as_ref()?;
        let drawn = Python::attach(|py| {
            let rules = self.rules.object.bind(py);
            if !rules.hasattr("board")? {
                return Ok(None);
            }
            rules.call_method1("board", (&node.position,))?.extract().map(Some)
        });
        drawn.unwrap_or_else(|error| {
            self.rules.failure.note(error);
            None
        })
    }

    fn move_text(&self, m: PackedMove) -> String {
        let choice =
            self.node.as_ref().and_then(|node| node.moves.iter().find(|choice| choice.number == m));
        choice.map_or_else(|| m.to_string(), |choice| choice.text.clone())
    }
}

/// Adds a game with the rules of an object; it replaces one of the same name.
#[pyfunction]
pub(crate) fn add_game(
    py: Python<'_>,
    name: &str,
    rules: Py<PyAny>,
    summary: &str,
) -> PyResult<state::Game> {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(is_name) {
        let problem = format!("game {name:?}: a name has lower-case letters, digits and dashes");
        return Err(GameError::new_err(problem));
    }
    if Registry::builtin().game(name).is_ok() {
        return Err(GameError::new_err(format!("game {name:?}: Spinney has one of this name")));
    }
    let rules = Arc::new(Rules {
        object: rules,
        cache: Mutex::default(),
        names: Mutex::default(),
        failure: Failure::of(name),
    });
    let start = rules.object.bind(py).call_method0("start")?;
    let node = rules.node(start, Side::First)?;
    let start = Position { rules: rules.clone(), node: Some(node), to_move: Side::First };
    // The registry keeps what it is told of a game for as long as the program runs.
    let leak = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
    let info = GameInfo {
        sides: ["First", "Second"],
        ..GameInfo::new(leak(name), leak(name), leak(summary))
    };
    state::add(|registry| registry.add(info, move |_| Ok(start.clone())));
    let handle = registry().game(name).map_err(|error| GameError::new_err(error.to_string()))?;
    Ok(state::Game { handle })
}
