//! Brute force: the exact value of a position, by depth-first search with a table.
//!
//! Alpha-beta on the three values loss < draw < win (Knuth and Moore 1975, "An analysis of
//! alpha-beta pruning"), with a transposition table of bounds and enhanced transposition cut-offs
//! (Plaat et al. 1996, "Exploiting graph properties of game trees"): before a child is searched,
//! every child is asked for an end of the game or a value in the table that decides the node. Where
//! nobody can draw, the window from loss to win is the search for a win.
//!
//! **Order of moves.** Nothing here knows a game. Children may come by the number of replies they
//! leave to the opponent, the fewest or the most first, by the relative history heuristic (Winands
//! et al. 2006: the share of refutations among the tries of a move), or by both. Which is best
//! differs between games, and between a game and its misère form: the search tries them all and
//! uses, for each side, the one whose first move refutes most often.
//!
//! **Symmetry.** A position is looked up by the least key of all its images. On 4x5 boards that
//! takes 30 to 60 % of the nodes away.
//!
//! **Repetition.** The value is that of the game that starts at the given position. Then it does
//! not matter how often a position must occur until the game is drawn: a side that can force a win
//! can do it without repeating anything, a side that cannot lose can hold for ever. So the first
//! repetition on the path is a draw, and so is endless play in games without such a rule. What is
//! stored is a fact about the position, whatever the way to it:
//! - A win or loss is: the lines that prove it end in wins, none in a repetition.
//! - A bound that says draw may rest on a repetition of a position on the path. Every result
//!   carries the first such position it may rest on. If that is the position itself or one below
//!   it, the cycle can be played from here whatever came before, and the bound is a fact; if it is
//!   above, the bound holds on this path only and is not stored.
//!
//! So everything claimed at the root is claimed without assumptions: nothing is above it.
//!
//! *Deviations*: draws that rest on positions above are searched again each time they are met; in
//! games full of cycles that can take for ever, and a solver made for graphs does better. A counter
//! that is no part of the key (a count of moves without progress) is ignored when values are looked up.

mod minimax;
mod ordering;
mod table;

use std::collections::TryReserveError;

use spinney_game::cpu::{self, Kernel};
use spinney_game::{Game, Move, Repetition, Side, Symmetric};

pub use self::minimax::{Perfect, minimax};
use self::ordering::{Order, Ordering};
use self::table::{Bounds, Key, Table};
use crate::{Budget, GameValue, Limits, Report, Stop};

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The size of the table in bytes. It is taken from the system as it fills.
    pub table_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { table_bytes: 1 << 30 }
    }
}

/// Deeper lines are given up as unknown; they take memory, a few kilobytes a ply.
const DEEPEST: u32 = 10_000;

/// A solver: the table, and what it has learned about the order of moves.
#[derive(Debug)]
pub struct BruteForce<G: Game> {
    table: Table,
    ordering: Ordering,
    /// The path from the root, one frame a ply.
    frames: Vec<Frame>,
    /// The children of all frames that must be searched, those of the root first; and which of them
    /// are still to be, with their weights.
    children: Vec<Child<G>>,
    left: Vec<(i32, u32)>,
    moves: Vec<G::Move>,
}

/// A position that is being searched. All values are as its side to move sees them.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The key that finds repetitions.
    key: u64,
    /// The first ply that can be repeated from here on.
    window: usize,
    side: Side,
    /// The key in the table, and what the table knew.
    table_key: Key,
    known: Bounds,
    /// Alpha is assured elsewhere, beta is enough.
    alpha: GameValue,
    beta: GameValue,
    /// What the children so far come to: the best of their lower bounds, and of their upper ones.
    lower: GameValue,
    upper: GameValue,
    /// The first ply of a repetition that this may rest on, or [`NOTHING`].
    rests_on: usize,
    /// Where its children begin, and the list of those left, the most promising last.
    first_child: usize,
    first_left: usize,
    /// The move that is being searched.
    present: u32,
    /// The moves searched so far.
    tries: u32,
    order: Order,
    /// The move that assures the lower bound, or else the one that took most work to refute.
    best: Option<u32>,
    best_work: u64,
    /// Positions visited when this one was, and when its present child was.
    visited: u64,
    child_visited: u64,
}

/// A child that is still to be searched.
#[derive(Clone, Debug)]
struct Child<G: Game> {
    position: G,
    key: u64,
    table_key: Key,
    /// The move to it, as a number.
    m: u32,
    /// Whether no position from before the move can occur after it.
    irreversible: bool,
    replies: i32,
}

/// The result rests on no repetition.
const NOTHING: usize = usize::MAX;

/// What a search found, as the side to move sees it.
#[derive(Clone, Copy, Debug)]
struct Found {
    bounds: Bounds,
    rests_on: usize,
}

impl Found {
    const UNKNOWN: Found = Found::fact(Bounds::UNKNOWN);

    const fn fact(bounds: Bounds) -> Found {
        Found { bounds, rests_on: NOTHING }
    }
}

impl<G: Repetition + Symmetric> BruteForce<G> {
    /// A solver with an empty table; an error if the memory cannot be had.
    pub fn new(options: Options) -> Result<Self, TryReserveError> {
        Ok(BruteForce {
            table: Table::new(options.table_bytes)?,
            ordering: Ordering::new(),
            frames: Vec::new(),
            children: Vec::new(),
            left: Vec::new(),
            moves: Vec::new(),
        })
    }

    /// Solves the game that starts at `position`.
    ///
    /// `proven` is its value, or `None` where a limit came first; the best move is then a guess.
    /// `nodes` are positions whose moves were listed; `depth` in the limits gives up longer lines.
    /// The table stays: later positions of the same game profit from it.
    pub fn solve(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report {
        let start = stop.now();
        let mut report = Report::empty();
        if let Some(outcome) = position.outcome() {
            report.proven = Some(GameValue::of(outcome, position.to_move()));
            report.plies = Some(0);
        } else {
            let depth = limits.depth.unwrap_or(DEEPEST).min(DEEPEST) as usize;
            let budget = Budget::new(limits, stop);
            let root = cpu::run(Search { solver: self, position, budget, depth });
            report.proven = root.bounds.value();
            report.nodes = root.nodes;
            report.best = root.best.or_else(|| {
                position.legal_moves(&mut self.moves);
                self.moves.first().map(|m| m.pack())
            });
            report.pv.extend(report.best);
        }
        report.value = report.proven.map_or(0.0, |value| value.score().into());
        report.elapsed = stop.now().saturating_sub(start);
        report
    }
}

/// One search of a solver.
struct Search<'a, G: Game> {
    solver: &'a mut BruteForce<G>,
    position: &'a G,
    budget: Budget,
    /// The most plies from the root.
    depth: usize,
}

/// The greatest weight last; of equal weights the later child.
fn sort(left: &mut [(i32, u32)]) {
    left.sort_unstable();
}

/// What the search of the root came to.
struct Root {
    bounds: Bounds,
    best: Option<u32>,
    nodes: u64,
}

impl<G: Repetition + Symmetric> Kernel for Search<'_, G> {
    type Output = Root;

    #[inline(always)]
    fn run(mut self) -> Root {
        self.solver.frames.clear();
        self.solver.children.clear();
        self.solver.left.clear();
        // The root is expanded whatever the table knows: its move is wanted too.
        let key = self.position.key();
        let root = Child {
            position: self.position.clone(),
            key,
            table_key: Key::of(self.position),
            m: 0,
            irreversible: true,
            replies: 0,
        };
        self.expand(root, 0, Bounds::UNKNOWN, GameValue::Loss, GameValue::Win);
        loop {
            let Some(&frame) = self.solver.frames.last() else {
                return Root { bounds: Bounds::UNKNOWN, best: None, nodes: self.budget.visited() };
            };
            // 1. The next child, unless the position is decided.
            let found = if frame.lower < frame.beta
                && !self.budget.is_exhausted()
                && self.solver.left.len() > frame.first_left
                && let Some((_, index)) = self.solver.left.pop()
            {
                match self.enter(index as usize, &frame) {
                    None => continue,
                    Some(found) => found,
                }
            } else {
                // 2. Or the way back.
                let found = self.leave(&frame);
                if self.solver.frames.is_empty() {
                    let nodes = self.budget.visited();
                    return Root { bounds: found.bounds, best: frame.best, nodes };
                }
                found
            };
            // 3. What was found counts for the position above.
            self.absorb(found);
        }
    }
}

impl<G: Repetition + Symmetric> Search<'_, G> {
    /// Begins the search of a child of the last frame; what is found, if it is found at once.
    #[inline(always)]
    fn enter(&mut self, child: usize, parent: &Frame) -> Option<Found> {
        let ply = self.solver.frames.len();
        let child = &self.solver.children[child];
        if let Some(parent) = self.solver.frames.last_mut() {
            parent.present = child.m;
            parent.child_visited = self.budget.visited();
        }
        // 1. A repetition is a draw. Sides alternate: every other position may be the same.
        let window = if child.irreversible { ply } else { parent.window };
        let mut earlier = ply;
        while earlier >= window + 2 {
            earlier -= 2;
            if self.solver.frames[earlier].key == child.key {
                let bounds = Bounds::exactly(GameValue::Draw);
                return Some(Found { bounds, rests_on: earlier });
            }
        }
        // 2. What is known since the child was listed may be enough.
        let alpha = parent.beta.for_opponent();
        let beta = parent.alpha.max(parent.lower).for_opponent();
        let known = self.solver.table.probe(child.table_key);
        if known.lower >= beta || known.upper <= alpha || known.value().is_some() {
            return Some(Found::fact(known));
        }
        // 3. Too deep, or no time left.
        if ply >= self.depth || self.budget.is_exhausted() {
            return Some(Found::UNKNOWN);
        }
        self.expand(child.clone(), window, known, alpha, beta);
        None
    }

    /// Lists the moves of a position and adds its frame, with the children that must be searched.
    #[inline(always)]
    fn expand(
        &mut self,
        at: Child<G>,
        window: usize,
        known: Bounds,
        alpha: GameValue,
        beta: GameValue,
    ) {
        let solver = &mut *self.solver;
        let position = at.position;
        let first_child = solver.children.len();
        let visited = self.budget.visited();
        self.budget.spend(1);
        let mut frame = Frame {
            key: at.key,
            window,
            side: position.to_move(),
            table_key: at.table_key,
            known,
            alpha: alpha.max(known.lower),
            beta: beta.min(known.upper),
            lower: GameValue::Loss,
            upper: GameValue::Loss,
            rests_on: NOTHING,
            first_child,
            first_left: solver.left.len(),
            present: 0,
            tries: 0,
            order: Order::Fewest,
            best: None,
            best_work: 0,
            visited,
            child_visited: visited,
        };
        // 1. Children at the end of the game or decided by the table need no search.
        solver.moves.clear();
        position.legal_moves(&mut solver.moves);
        for &m in &solver.moves {
            let mut next = position.clone();
            next.play(m);
            if let Some(outcome) = next.outcome() {
                let value = GameValue::of(outcome, frame.side);
                frame.raise(m.pack(), value, 0);
                frame.upper = frame.upper.max(value);
            } else {
                let table_key = Key::of(&next);
                let bounds = solver.table.probe(table_key).for_opponent();
                frame.raise(m.pack(), bounds.lower, 0);
                if bounds.value().is_some() || bounds.upper <= frame.alpha {
                    frame.upper = frame.upper.max(bounds.upper);
                } else {
                    solver.children.push(Child {
                        key: next.key(),
                        table_key,
                        m: m.pack(),
                        irreversible: position.is_irreversible(m),
                        replies: next.count_moves() as i32,
                        position: next,
                    });
                }
            }
            if frame.lower >= frame.beta {
                break;
            }
        }
        // 2. The others in order.
        if frame.lower < frame.beta {
            frame.order = solver.ordering.choose(frame.side, frame.key);
            for (index, child) in (first_child..).zip(&solver.children[first_child..]) {
                let weight =
                    solver.ordering.weight(frame.order, frame.side, child.m, child.replies);
                solver.left.push((weight, index as u32));
            }
            sort(&mut solver.left[frame.first_left..]);
        }
        solver.frames.push(frame);
    }

    /// Takes what was found about the present child of the last frame.
    #[inline(always)]
    fn absorb(&mut self, found: Found) {
        let visited = self.budget.visited();
        let Some(frame) = self.solver.frames.last_mut() else { return };
        let bounds = found.bounds.for_opponent();
        frame.tries += 1;
        frame.raise(frame.present, bounds.lower, visited - frame.child_visited);
        frame.upper = frame.upper.max(bounds.upper);
        frame.rests_on = frame.rests_on.min(found.rests_on);
        let refutes = frame.lower >= frame.beta;
        self.solver.ordering.learn(frame.side, frame.present, refutes);
    }

    /// Ends the search of the last frame, and remembers what is known now.
    #[inline(always)]
    fn leave(&mut self, frame: &Frame) -> Found {
        let ply = self.solver.frames.len() - 1;
        let is_complete = self.solver.left.len() == frame.first_left;
        self.solver.frames.pop();
        self.solver.children.truncate(frame.first_child);
        self.solver.left.truncate(frame.first_left);
        if frame.tries > 0 {
            let first_refutes = frame.tries == 1 && frame.lower >= frame.beta;
            self.solver.ordering.judge(frame.order, frame.side, first_refutes);
        }
        // 1. What the children come to: they bound from above only if all were looked at.
        let is_complete = is_complete && frame.lower < frame.beta;
        let upper = if is_complete { frame.upper } else { GameValue::Win };
        let bounds = Bounds { lower: frame.lower, upper }.and(frame.known);
        // 2. Facts are stored. Wins and losses rest on no repetition; a draw is a fact here if it
        //    rests on none above.
        let is_decisive = bounds.lower == GameValue::Win || bounds.upper == GameValue::Loss;
        if is_decisive || frame.rests_on >= ply {
            if bounds != frame.known {
                let nodes = self.budget.visited() - frame.visited;
                self.solver.table.store(frame.table_key, bounds, nodes);
            }
            return Found::fact(bounds);
        }
        Found { bounds, rests_on: frame.rests_on }
    }
}

impl Frame {
    /// Takes a lower bound that a move assures, and the work it took.
    #[inline(always)]
    fn raise(&mut self, m: u32, lower: GameValue, work: u64) {
        if lower > self.lower {
            self.lower = lower;
            self.best = Some(m);
            self.best_work = u64::MAX;
        } else if self.best.is_none() || work > self.best_work {
            self.best = Some(m);
            self.best_work = work;
        }
    }
}
