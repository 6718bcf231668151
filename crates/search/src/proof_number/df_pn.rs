//! Depth-first proof-number search (Nagai 2002, "Df-pn algorithm for searching AND/OR trees and its
//! applications"): the order of best-first search in the memory of a table.
//!
//! A position is searched until one of its numbers reaches a threshold. The child with the least δ,
//! the most promising one, is searched until it is no longer the best, or its parent is done:
//!
//! ```text
//! φ(n) = min δ(c)       φ threshold of c = δ threshold of n - (sum of φ over the other children)
//! δ(n) = sum φ(c)       δ threshold of c = min(φ threshold of n, (1 + ε) δ of the second best)
//! ```
//!
//! The factor 1 + ε (Pawlewicz and Lew 2007, "Improving depth-first PN-search: 1+ε trick") keeps
//! the search from jumping between children that are nearly alike.
//!
//! *Deviations*: the numbers of children are kept with their parent while it is searched, and are
//! read from the table once; what the search of a sibling learns about them counts from the next
//! visit on. Cycles make numbers that count each other and grow beyond all bounds (Kishimoto and
//! Müller 2008, "About the completeness of depth-first proof-number search"); where the largest
//! number is reached there are no thresholds any more, and the search goes on depth-first.

use std::collections::TryReserveError;

use spinney_game::cpu::{self, Kernel};
use spinney_game::{Game, Repetition};

use super::numbers::{Ending, HOPELESS, Known, LARGEST};
use super::table::{Entry, Table};
use super::{Answer, Question, initial, mix, terminal};
use crate::Budget;

/// ε is one part in so many. Measured on endgames of LOA; see docs/methods.md.
const EPSILON_PARTS: u32 = 4;

/// The table, and room for the path.
#[derive(Debug)]
pub(super) struct DfPn<G: Game> {
    table: Table,
    /// The path from the root, one frame a ply.
    frames: Vec<Frame<G>>,
    /// The children of all frames, those of the root first.
    children: Vec<Child>,
    moves: Vec<G::Move>,
}

/// A position that is being searched.
#[derive(Clone, Debug)]
struct Frame<G> {
    position: G,
    key: u64,
    /// The first ply that can be repeated from here on, and the way from there to here.
    window: usize,
    way: u64,
    first_child: usize,
    /// The child that is being searched.
    present: usize,
    /// When to leave.
    phi_threshold: u32,
    delta_threshold: u32,
    /// What was known before, and the positions visited.
    before: Known,
    visited: u64,
}

#[derive(Clone, Copy, Debug)]
struct Child {
    key: u64,
    /// The move to it, as a number.
    m: u32,
    known: Known,
}

impl<G: Repetition> DfPn<G> {
    pub(super) fn new(bytes: usize) -> Result<Self, TryReserveError> {
        Ok(DfPn {
            table: Table::new(bytes)?,
            frames: Vec::new(),
            children: Vec::new(),
            moves: Vec::new(),
        })
    }

    /// Answers a question; the budget may end it.
    pub(super) fn ask(&mut self, question: &Question<'_, G>, budget: &mut Budget) -> Answer {
        // The questions about the two attackers share the table.
        let salt = mix(1 + question.attacker.index() as u64);
        cpu::run(Search { solver: self, question, budget, salt })
    }
}

/// One search.
struct Search<'a, 'q, G: Game> {
    solver: &'a mut DfPn<G>,
    question: &'a Question<'q, G>,
    budget: &'a mut Budget,
    salt: u64,
}

/// What the children of a position come to.
#[derive(Clone, Copy, Debug)]
struct Sum {
    phi: u32,
    delta: u32,
    /// The child with the least δ, and the least δ of the others.
    best: usize,
    second: u32,
}

impl<G: Repetition> Kernel for Search<'_, '_, G> {
    type Output = Answer;

    #[inline(always)]
    fn run(mut self) -> Answer {
        self.solver.frames.clear();
        self.solver.children.clear();
        let root = self.question.position;
        self.expand(Frame {
            position: root.clone(),
            key: root.key(),
            window: 0,
            way: 0,
            first_child: 0,
            present: 0,
            phi_threshold: HOPELESS,
            delta_threshold: HOPELESS,
            before: Known::open(1, 1),
            visited: 0,
        });
        loop {
            let ply = self.solver.frames.len() - 1;
            let end = self.solver.children.len();
            let Some(frame) = self.solver.frames.last_mut() else { return Answer::UNKNOWN };
            let children = &mut self.solver.children[frame.first_child..];
            let sum = add_up(children);
            // 1. Downwards, to the most promising child.
            if sum.phi < frame.phi_threshold
                && sum.delta < frame.delta_threshold
                && !self.budget.is_exhausted()
            {
                frame.present = frame.first_child + sum.best;
                let child = &mut children[sum.best];
                if ply + 1 >= self.question.depth {
                    // Too deep: nothing can be known of it.
                    child.known = Known::open(HOPELESS, HOPELESS);
                    continue;
                }
                let others = sum.delta - child.known.phi;
                let second = sum.second.saturating_add((sum.second / EPSILON_PARTS).max(1));
                let second = if second < LARGEST { second } else { HOPELESS };
                let m = G::unpack(child.m);
                let is_irreversible = frame.position.is_irreversible(m);
                let mut position = frame.position.clone();
                position.play(m);
                let next = Frame {
                    position,
                    key: child.key,
                    window: if is_irreversible { ply + 1 } else { frame.window },
                    way: if is_irreversible { 0 } else { mix(frame.way ^ frame.key) },
                    first_child: end,
                    present: 0,
                    phi_threshold: match frame.delta_threshold {
                        HOPELESS => HOPELESS,
                        threshold => threshold - others,
                    },
                    delta_threshold: frame.phi_threshold.min(second),
                    before: child.known,
                    visited: self.budget.visited(),
                };
                self.expand(next);
                continue;
            }
            // 2. Upwards, with what was found.
            let known = self.leave(sum);
            let Some(parent) = self.solver.frames.last() else {
                let children = &self.solver.children;
                let best = match known.is_solved() {
                    true => deciding(children, known.phi == 0),
                    false => children.get(sum.best),
                };
                return Answer { known, best: best.map(|child| child.m) };
            };
            self.solver.children[parent.present].known = known;
        }
    }
}

impl<G: Repetition> Search<'_, '_, G> {
    /// Lists the children of a position, with what is known of them, and adds its frame.
    #[inline(always)]
    fn expand(&mut self, frame: Frame<G>) {
        let solver = &mut *self.solver;
        let ply = solver.frames.len();
        let side = frame.position.to_move();
        solver.moves.clear();
        frame.position.legal_moves(&mut solver.moves);
        let way = mix(frame.way ^ frame.key);
        for index in 0..solver.moves.len() {
            let m = solver.moves[index];
            let mut next = frame.position.clone();
            next.play(m);
            let (key, known) = match next.outcome() {
                Some(outcome) => (0, terminal(outcome, !side, self.question.attacker)),
                None => {
                    let key = next.key();
                    let is_irreversible = frame.position.is_irreversible(m);
                    let earlier = if is_irreversible { None } else { solver.repeats(&frame, key) };
                    let known = match earlier {
                        // The attacker has not won when a position repeats.
                        Some(earlier) => Known::solved(
                            !side != self.question.attacker,
                            Ending::rests_on(earlier as u32),
                        ),
                        None => {
                            let (way, window) =
                                if is_irreversible { (0, ply + 1) } else { (way, frame.window) };
                            match solver.known(key ^ self.salt, way, window) {
                                Some(known) => known,
                                None => initial(&next),
                            }
                        }
                    };
                    (key, known)
                }
            };
            solver.children.push(Child { key, m: G::pack(m), known });
            // A win at once is enough. What only holds may hide one.
            if known.delta == 0 && known.ending.plies().is_some() {
                self.budget.spend(index as u64 + 1);
                solver.frames.push(frame);
                return;
            }
        }
        self.budget.spend(solver.moves.len() as u64);
        solver.frames.push(frame);
    }

    /// Ends the search of the last frame, and remembers what is known now.
    #[inline(always)]
    fn leave(&mut self, sum: Sum) -> Known {
        let Some(frame) = self.solver.frames.pop() else { return Known::open(1, 1) };
        let ply = self.solver.frames.len();
        let key = frame.key ^ self.salt;
        let nodes = self.budget.visited() - frame.visited;
        let children = &self.solver.children[frame.first_child..];
        let known = if sum.phi == 0 || sum.delta == 0 {
            let child = deciding(children, sum.phi == 0);
            let ending = child.map_or(Ending::FACT, |child| child.known.ending.before_a_move());
            // A cycle that leads back to this position can be played whatever came before.
            let is_fact = ending.repeated_ply().is_some_and(|earlier| earlier as usize >= ply);
            Known::solved(sum.phi == 0, if is_fact { Ending::FACT } else { ending })
        } else if sum.phi < HOPELESS {
            Known::open(sum.phi, sum.delta)
        } else {
            Known::open(HOPELESS, HOPELESS)
        };
        if let Some(earlier) = known.ending.repeated_ply().filter(|_| known.is_solved()) {
            // 1. What rests on a repetition is known for this way to the position alone.
            let offset = earlier.saturating_sub(frame.window as u32);
            let entry = Entry {
                known: Known { ending: Ending::rests_on(offset), ..known },
                has_paths: false,
            };
            self.solver.table.store(key ^ mix(frame.way), entry, nodes);
            // For others the position stays open.
            let before = if frame.before.is_solved() { Known::open(1, 1) } else { frame.before };
            self.solver.table.store(key, Entry { known: before, has_paths: true }, nodes);
        } else if known.is_solved() || known.phi < HOPELESS {
            // 2. Facts, and numbers.
            let has_paths = !known.is_solved()
                && self.solver.table.probe(key).is_some_and(|entry| entry.has_paths);
            self.solver.table.store(key, Entry { known, has_paths }, nodes);
        }
        if !self.solver.frames.is_empty() {
            self.solver.children.truncate(frame.first_child);
        }
        known
    }
}

impl<G: Repetition> DfPn<G> {
    /// The ply of a position on the path to the child of a frame that is about to be added.
    #[inline(always)]
    fn repeats(&self, frame: &Frame<G>, key: u64) -> Option<usize> {
        // The frame is at ply `len`, its child one further; sides alternate, so the positions with
        // the same side to move are two plies apart.
        let mut earlier = self.frames.len() + 1;
        while earlier >= frame.window + 2 {
            earlier -= 2;
            if self.frames.get(earlier).is_some_and(|frame| frame.key == key) {
                return Some(earlier);
            }
        }
        None
    }

    /// What the table knows of a position with a way to it, which begins at ply `window`.
    #[inline(always)]
    fn known(&self, key: u64, way: u64, window: usize) -> Option<Known> {
        let entry = self.table.probe(key)?;
        if entry.has_paths
            && let Some(Entry { known, .. }) = self.table.probe(key ^ mix(way))
            && let Some(offset) = known.ending.repeated_ply()
        {
            return Some(Known { ending: Ending::rests_on(window as u32 + offset), ..known });
        }
        Some(entry.known)
    }
}

/// The numbers of a position from those of its children.
#[inline(always)]
fn add_up(children: &[Child]) -> Sum {
    let mut sum = Sum { phi: u32::MAX, delta: 0, best: 0, second: u32::MAX };
    let mut total = 0_u64;
    let mut all_succeed = true;
    for (index, Child { known, .. }) in children.iter().enumerate() {
        if known.delta < sum.phi {
            sum.second = sum.phi;
            sum.phi = known.delta;
            sum.best = index;
        } else {
            sum.second = sum.second.min(known.delta);
        }
        total += u64::from(known.phi);
        all_succeed &= known.phi == 0;
    }
    sum.delta = match () {
        () if sum.phi == 0 => u32::MAX,
        () if all_succeed => 0,
        () => total.min(u64::from(LARGEST)) as u32,
    };
    sum
}

/// The child that decides a solved position: the best for its side to move; or, if all children are
/// won for the other, the one that resists longest.
#[inline(always)]
fn deciding(children: &[Child], is_success: bool) -> Option<&Child> {
    if is_success {
        let successes = children.iter().filter(|child| child.known.delta == 0);
        successes.max_by_key(|child| child.known.ending)
    } else {
        children.iter().min_by_key(|child| child.known.ending)
    }
}
