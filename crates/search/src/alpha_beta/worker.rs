//! One thread of the search: iterative deepening and the root. `visit.rs` has interior nodes,
//! `quiescence.rs` what follows them.
//!
//! All values are as the side to move at the node sees them.

mod quiescence;
mod visit;

use std::ops::ControlFlow;

use spinney_game::{Move, Outcome, Path, Repetition};

use super::config::{Config, Count, Realisation};
use super::ordering::Ordering;
use super::score::{self, INFINITE, PROVEN};
use super::table::{Bound, Entry, FACT, PLY, Table};
use crate::Budget;
use crate::knowledge::{MoveOrder, Oracle};

/// The longest line from the root, in plies; positions there are evaluated.
const LONGEST: usize = 200;
/// Bounds of the root further away than this, in points, are none.
const WIDEST: i32 = 1000;
/// The greatest depth of an iteration, in plies. Below [`FACT`].
pub(super) const DEEPEST: u32 = 120;

/// What a thread keeps between searches.
pub(super) struct Thread<G: Repetition, K> {
    knowledge: K,
    ordering: Ordering<G>,
    /// For each ply, the best line from there on.
    lines: Vec<Vec<G::Move>>,
}

impl<G: Repetition, K: MoveOrder<G> + Oracle<G>> Thread<G, K> {
    pub(super) fn new(config: &Config, knowledge: K) -> Self {
        let lines = vec![Vec::new(); LONGEST + 2];
        Thread { knowledge, ordering: Ordering::new(config, LONGEST + 1), lines }
    }

    /// Lets what was learned about moves fade.
    pub(super) fn begin_search(&mut self) {
        self.ordering.begin_search();
    }

    /// Forgets what was learned in the last game.
    pub(super) fn new_game(&mut self, knowledge: K) {
        self.knowledge = knowledge;
        self.ordering.clear();
    }
}

/// A move at the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) m: M,
    /// Its value when it was last best.
    pub(super) value: i32,
    /// The line when it was last best, itself included.
    pub(super) line: Vec<M>,
    /// Nodes below it.
    pub(super) nodes: u64,
    /// Whether the value is that of perfect play.
    pub(super) is_fact: bool,
}

/// What iterative deepening has found so far.
#[derive(Clone, Debug)]
pub(super) struct Found<M> {
    /// The moves of the root, the best first; never none after a search.
    pub(super) moves: Vec<RootMove<M>>,
    /// The last depth that was searched to its end.
    pub(super) depth: u32,
    /// How many lines of the next depth were searched to their end.
    pub(super) lines: usize,
    pub(super) nodes: u64,
}

impl<M> Found<M> {
    /// Before the first search.
    pub(super) const NOTHING: Self = Found { moves: Vec::new(), depth: 0, lines: 0, nodes: 0 };

    /// A forced result is final; so is a tree that was searched to its ends.
    fn is_final(&self) -> bool {
        let decides = |best: &RootMove<M>| score::is_proven(best.value) || best.is_fact;
        self.depth > 0 && self.moves.first().is_some_and(decides)
    }
}

/// The role that a node is expected to have (Marsland and Popowich 1985, "Parallel game-tree
/// search"): one on the principal variation; one that is left by a cut-off; one whose moves must
/// all be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Pv,
    Cut,
    All,
}

impl Role {
    /// The role of a child that is searched with a window of no width.
    #[inline]
    fn of_child(self) -> Role {
        match self {
            Role::Pv | Role::All => Role::Cut,
            Role::Cut => Role::All,
        }
    }
}

/// A position to search.
struct Node<'a, G, S> {
    position: &'a G,
    state: &'a S,
    key: u64,
    alpha: i32,
    beta: i32,
    /// The remaining depth in parts of a ply.
    depth: i32,
    /// Plies from the root.
    ply: usize,
    role: Role,
    /// Whether the null move may be tried here: not twice in succession.
    tries_null: bool,
}

/// A search by one thread.
pub(super) struct Worker<'a, G: Repetition, K: MoveOrder<G> + Oracle<G>> {
    config: &'a Config,
    table: &'a Table,
    thread: &'a mut Thread<G, K>,
    path: Path,
    /// The number of occurrences that is a draw.
    drawn_at: Option<u32>,
    budget: Budget,
    /// Lines of at least this many plies are not extended.
    longest: usize,
    /// Positions fewer plies from the root do not count as nodes.
    counted_from: usize,
    /// What may be wrong with the values found since this was last unset.
    doubt: Doubt,
}

/// Why a value may not be that of perfect play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Doubt {
    /// It may change with depth; or it rests on a repetition, and that was not followed up.
    is_shallow: bool,
    /// The first position on the path on whose repetition it may rest, if that is followed up.
    rests_on: usize,
}

impl Doubt {
    const NONE: Doubt = Doubt { is_shallow: false, rests_on: usize::MAX };
    const SHALLOW: Doubt = Doubt { is_shallow: true, ..Doubt::NONE };

    /// The doubts about both of two values.
    #[inline(always)]
    fn and(self, other: Doubt) -> Doubt {
        Doubt {
            is_shallow: self.is_shallow | other.is_shallow,
            rests_on: self.rests_on.min(other.rests_on),
        }
    }
}

impl<'a, G: Repetition, K: MoveOrder<G> + Oracle<G>> Worker<'a, G, K> {
    /// A search of the position that `path` leads to.
    pub(super) fn new(
        config: &'a Config,
        table: &'a Table,
        thread: &'a mut Thread<G, K>,
        path: &Path,
        budget: Budget,
    ) -> Self {
        Worker {
            config,
            table,
            thread,
            path: path.clone(),
            drawn_at: None,
            budget,
            longest: 0,
            counted_from: 0,
            doubt: Doubt::NONE,
        }
    }

    /// Searches deeper and deeper, from what was found before on, until a limit or a forced result
    /// ends it, or `progress` does. The position must not be finished.
    pub(super) fn deepen(
        mut self,
        position: &G,
        mut found: Found<G::Move>,
        last: u32,
        progress: &mut dyn FnMut(&Found<G::Move>) -> ControlFlow<()>,
    ) -> Found<G::Move> {
        let rule = position.drawn_at();
        self.drawn_at = match rule {
            _ if self.config.proves_draws => Some(2),
            Some(_) if self.config.first_repetition => Some(2),
            rule => rule,
        };
        // 1. The moves in their order: whatever happens, the first can be played.
        let state = self.thread.knowledge.state(position);
        if found.moves.is_empty() {
            found.moves = self.root_moves(position, &state);
        }
        // 2. Iterations.
        for depth in found.depth + 1..=last.min(DEEPEST) {
            if found.is_final() {
                break;
            }
            self.longest = (2 * depth as usize).min(LONGEST);
            self.counted_from = match self.config.count {
                Count::All => 0,
                Count::New => depth as usize,
            };
            let lines = self.config.lines.clamp(1, found.moves.len());
            while found.lines < lines && !self.budget.is_exhausted() {
                let rest = &mut found.moves[found.lines..];
                self.search_window(position, &state, rest, depth as i32 * PLY);
                found.lines += usize::from(!self.budget.is_exhausted());
            }
            found.nodes = self.budget.visited();
            if self.budget.is_exhausted() {
                break;
            }
            (found.depth, found.lines) = (depth, 0);
            if self.config.proves_draws {
                self.table.begin_search();
            }
            if progress(&found).is_break() {
                break;
            }
        }
        found
    }

    /// The moves of the root before the first search: that of the table first, if it has one.
    fn root_moves(&mut self, position: &G, state: &K::State) -> Vec<RootMove<G::Move>> {
        let Thread { knowledge, ordering, .. } = &mut *self.thread;
        let table_move = self.table.probe(position.key()).map(|entry| G::Move::unpack(entry.m));
        let mut list = ordering.open(knowledge, (position, state), None, 0);
        ordering.complete(knowledge, (position, state), &mut list, None);
        let mut moves = Vec::new();
        while let Some(m) = ordering.pick(&mut list, moves.len()) {
            let value = -INFINITE;
            moves.push(RootMove { m, value, line: vec![m], nodes: 0, is_fact: false });
        }
        ordering.close(&list);
        if let Some(index) = moves.iter().position(|root| Some(root.m) == table_move) {
            moves[..=index].rotate_right(1);
        }
        moves
    }

    /// Searches moves of the root, first with bounds around the last value, which are moved away until
    /// the value is between them.
    fn search_window(
        &mut self,
        position: &G,
        state: &K::State,
        moves: &mut [RootMove<G::Move>],
        depth: i32,
    ) {
        let last = moves[0].value;
        let mut width = self.config.window;
        let has_window = width > 0 && depth > 4 * PLY && last.abs() < PROVEN;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if has_window {
            (alpha, beta) = (last - width, last + width);
        }
        loop {
            let value = self.search_root(position, state, moves, depth, alpha, beta);
            if self.budget.is_exhausted() || (alpha < value && value < beta) {
                return;
            }
            width *= 3;
            if value <= alpha {
                alpha = if width > WIDEST { -INFINITE } else { value - width };
            } else {
                beta = if width > WIDEST { INFINITE } else { value + width };
            }
        }
    }

    /// Searches moves of the root; the best comes first. What is left out is better. Returns the value,
    /// or a bound of it.
    fn search_root(
        &mut self,
        position: &G,
        state: &K::State,
        moves: &mut [RootMove<G::Move>],
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let key = position.key();
        let mut best_value = -INFINITE;
        self.doubt = Doubt::NONE;
        // Nothing that the value rests on may be before the root.
        let here = self.path.len() - 1;
        for index in 0..moves.len() {
            let m = moves[index].m;
            let before = self.budget.visited();
            let node = Node {
                position,
                state,
                key,
                alpha: best_value.max(alpha),
                beta,
                depth,
                ply: 0,
                role: Role::Pv,
                tries_null: false,
            };
            let value = self.search_move(&node, m, index);
            moves[index].nodes += self.budget.visited() - before;
            if self.budget.is_exhausted() {
                // If all moves so far lose, the rest is not proven to; so the next one is better.
                if index > 0 && best_value <= -PROVEN {
                    moves.rotate_left(index);
                    let value = 1 - PROVEN;
                    moves[0] =
                        RootMove { value, line: vec![m], is_fact: false, ..moves[0].clone() };
                }
                return best_value;
            }
            if value > best_value {
                best_value = value;
                // A bound tells nothing of the order.
                if value <= alpha {
                    continue;
                }
                let best = &mut moves[index];
                best.value = value;
                best.is_fact = false;
                best.line.clear();
                best.line.push(m);
                // Beyond beta there is no line.
                if value < beta {
                    best.line.extend_from_slice(&self.thread.lines[1]);
                }
                moves[..=index].rotate_right(1);
                if value >= beta {
                    return value;
                }
            }
        }
        if best_value > alpha {
            moves[0].is_fact = !self.doubt.is_shallow && self.doubt.rests_on >= here;
            let m = moves[0].m.pack();
            let entry = Entry { value: best_value, bound: Bound::Exact, depth, m, is_fresh: true };
            self.table.store(key, entry);
        }
        best_value
    }

    /// The value of a move, number `index` in the order of its node: principal variation search
    /// with realisation probabilities.
    #[inline(always)]
    fn search_move(&mut self, node: &Node<'_, G, K::State>, m: G::Move, index: usize) -> i32 {
        let Node { alpha, beta, depth, role, .. } = *node;
        let step = if index == 0 { PLY } else { self.step(node, m, index) };
        let (child, state) = self.play(node, m);
        let mut search = |alpha: i32, beta: i32, depth: i32, role: Role| {
            let (position, state, key) = (&child, &state, child.key());
            let ply = node.ply + 1;
            -self.search(Node {
                position,
                state,
                key,
                alpha: -beta,
                beta: -alpha,
                depth,
                ply,
                role,
                tries_null: true,
            })
        };
        let value = if index == 0 && role == Role::Pv {
            search(alpha, beta, depth - PLY, Role::Pv)
        } else {
            // 1. Nothing but whether it is better than alpha, to the depth its probability allows.
            let mut value = search(alpha, alpha + 1, depth - step, role.of_child());
            // 2. It seems so: to the full depth.
            if value > alpha && step > PLY {
                value = search(alpha, alpha + 1, depth - PLY, role.of_child());
            }
            // 3. How much better.
            if value > alpha && value < beta && role == Role::Pv {
                value = search(alpha, beta, depth - PLY, Role::Pv);
            }
            value
        };
        self.take_back();
        value
    }

    /// What a move takes from the depth.
    #[inline(always)]
    fn step(&self, node: &Node<'_, G, K::State>, m: G::Move, index: usize) -> i32 {
        // Children that are leaves either way need no probability.
        if node.depth <= PLY {
            return PLY;
        }
        let mut plies = match self.config.realisation {
            Some(options) => step(options, self.thread.knowledge.prior(node.position, m)),
            None => PLY,
        };
        let options = self.config.late_moves;
        if options.slope > 0 && index >= 2 {
            let product = log(node.depth / PLY) * log(index as i32);
            let standing = self.thread.ordering.standing(node.position.to_move(), m, node.ply);
            let hundredths = options.base as f32 + options.slope as f32 * product
                - options.history as f32 * standing;
            let parts = (hundredths * (PLY as f32 / 100.0)) as i32;
            plies += if node.role == Role::Pv { parts / 2 } else { parts }.max(0);
        }
        plies
    }

    /// The position after a move, added to the path.
    #[inline(always)]
    fn play(&mut self, node: &Node<'_, G, K::State>, m: G::Move) -> (G, K::State) {
        let Node { position, state, depth, .. } = *node;
        let mut child = position.clone();
        child.play(m);
        let key = child.key();
        // Leaves are not in the table.
        if depth > PLY {
            self.table.touch(key);
        }
        if self.drawn_at.is_some() {
            self.path.push(key, position.is_irreversible(m));
        }
        self.thread.ordering.makes(Some(m), node.ply);
        let mut state = state.clone();
        self.thread.knowledge.update(&mut state, position, m);
        (child, state)
    }

    #[inline(always)]
    fn take_back(&mut self) {
        if self.drawn_at.is_some() {
            self.path.truncate(self.path.len() - 1);
        }
    }

    /// Whether an entry of the table tells enough about a position that is to be searched so deep.
    #[inline(always)]
    fn suffices(&self, entry: Entry, depth: i32) -> bool {
        if self.config.exact_depth {
            return entry.depth == depth;
        }
        // Depths do not tell how long ago a line was cut off, and in cycles a value could rest on its
        // own past for ever: draws are proven with what one iteration finds.
        let is_deep = entry.depth >= depth && (entry.is_fresh || !self.config.proves_draws);
        is_deep || is_certain(entry)
    }

    /// Notes the visit of a position; `true` if the search must end.
    #[inline(always)]
    fn visits(&mut self, ply: usize) -> bool {
        if ply >= self.counted_from { self.budget.spend(1) } else { self.budget.spend_uncounted(1) }
    }

    /// The static value.
    #[inline(always)]
    fn evaluate(&mut self, position: &G, state: &K::State) -> i32 {
        self.doubt.is_shallow = true;
        self.thread.knowledge.evaluate(position, state).clamp(1 - PROVEN, PROVEN - 1)
    }
}

/// Whether an entry holds at any depth.
#[inline]
fn is_certain(entry: Entry) -> bool {
    entry.depth == FACT
        || (entry.value >= PROVEN && entry.is_lower())
        || (entry.value <= -PROVEN && entry.is_upper())
}

/// About the natural logarithm of a number.
#[inline]
fn log(number: i32) -> f32 {
    log2(number.max(1) as f32) * std::f32::consts::LN_2
}

/// The logarithm to the base 2, up to 0.09: the bits of a number are that. Alike on all machines.
#[inline]
fn log2(number: f32) -> f32 {
    (number.to_bits() as f32) * (1.0 / (1 << 23) as f32) - 127.0
}

/// What a move of some probability takes from the depth.
#[inline]
fn step(options: Realisation, probability: f32) -> i32 {
    let plies = log2(probability) / log2(options.one_ply);
    (plies.clamp(options.least, options.most) * PLY as f32) as i32
}

/// The value of a finished game.
#[inline(always)]
fn end<G: Repetition>(position: &G, outcome: Outcome, ply: usize) -> i32 {
    score::of_end(outcome.score_for(position.to_move()), ply)
}
