//! Depth-first proof-number searches: the order of best-first search in the memory of a table.
//!
//! A position is searched until its numbers reach thresholds; the child with the least δ comes next.
//!
//! - **df-pn** (Nagai 2002, "Df-pn algorithm for searching AND/OR trees and its applications")
//!   leaves a position when one of its numbers reaches its threshold: then another position is
//!   better, here or further up.
//!
//!   ```text
//!   φ threshold of c = δ threshold of n - (sum of φ over the other children)
//!   δ threshold of c = min(φ threshold of n, (1 + ε) δ of the second best child)
//!   ```
//!
//!   The factor 1 + ε (Pawlewicz and Lew 2007, "Improving depth-first PN-search: 1+ε trick") keeps
//!   the search from jumping between children that are nearly alike.
//! - **PDS** (Nagai 1998, "A new depth-first-search algorithm for AND/OR trees") deepens step by
//!   step: a position is left when both numbers reach their thresholds, which for a child are its
//!   numbers, one of them plus 1: φ if the parent has room in δ and the child is more likely to
//!   succeed (φ ≤ δ) or the parent has no room in φ; else δ.
//! - **PDS-PN** (Winands, Uiterwijk and van den Herik 2003, "PDS-PN: a new proof-number search
//!   algorithm"): PDS, where a position met for the first time gets its numbers from a PN search. With
//!   x positions in the table that search may have x / (1 + e^((a - x) / b)) nodes.
//!
//! *Deviations*: the numbers of children are kept with their parent while it is searched, and are
//! read from the table once; what the search of a sibling learns about them counts from the next
//! visit on. Cycles make numbers that count each other and grow beyond all bounds (Kishimoto and
//! Müller 2008, "About the completeness of depth-first proof-number search"); where the largest
//! number is reached there are no thresholds any more, and the search continues depth-first.

use std::collections::TryReserveError;

use spinney_game::cpu::{self, Kernel};
use spinney_game::{Game, Move, Repetition};

use super::best_first::{Fraction, Tree, earlier};
use super::numbers::{Ending, HOPELESS, Known, LARGEST, Sum, deciding};
use super::table::{Entry, Table};
use super::{Answer, Question};
use crate::Budget;

/// ε is 1 / this: measured, see docs/methods.md.
const EPSILON_PARTS: u32 = 4;
/// The second searches of PDS-PN: the values of Winands et al. as quoted; see docs/methods.md.
const FRACTION: Fraction = Fraction { a: 450e3, b: 300e3 };

/// When to leave a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    DfPn,
    Pds,
}

/// df-pn, PDS and PDS-PN.
#[derive(Debug)]
pub(super) struct DepthFirst<G: Game> {
    rule: Rule,
    table: Table,
    /// For searches of positions that are met for the first time.
    second: Option<Tree<G>>,
    /// The path from the root, one frame a ply, and its keys.
    frames: Vec<Frame<G>>,
    keys: Vec<u64>,
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
    thresholds: Thresholds,
    /// What was known before, and the positions visited by then.
    before: Known,
    visited: u64,
}

#[derive(Clone, Copy, Debug)]
struct Child {
    key: u64,
    /// The move to it, as a number.
    m: u32,
    /// Whether it has been searched before.
    is_new: bool,
    known: Known,
}

impl<G: Repetition> DepthFirst<G> {
    /// df-pn with `bytes` of memory.
    pub(super) fn df_pn(bytes: usize) -> Result<Self, TryReserveError> {
        DepthFirst::new(Rule::DfPn, bytes, None)
    }

    /// PDS with `bytes` of memory.
    pub(super) fn pds(bytes: usize) -> Result<Self, TryReserveError> {
        DepthFirst::new(Rule::Pds, bytes, None)
    }

    /// PDS-PN with `bytes` of memory.
    pub(super) fn pds_pn(bytes: usize) -> Result<Self, TryReserveError> {
        DepthFirst::new(Rule::Pds, bytes / 2, Some(Tree::new(bytes / 2)?))
    }

    fn new(rule: Rule, bytes: usize, second: Option<Tree<G>>) -> Result<Self, TryReserveError> {
        Ok(DepthFirst {
            rule,
            table: Table::new(bytes)?,
            second,
            frames: Vec::new(),
            keys: Vec::new(),
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
    solver: &'a mut DepthFirst<G>,
    question: &'a Question<'q, G>,
    budget: &'a mut Budget,
    salt: u64,
}

/// The thresholds of a position.
#[derive(Clone, Copy, Debug)]
struct Thresholds {
    phi: u32,
    delta: u32,
}

impl Thresholds {
    const NONE: Thresholds = Thresholds { phi: HOPELESS, delta: HOPELESS };

    /// A threshold that may grow beyond all numbers, and is none then.
    #[inline(always)]
    fn limited(number: u32) -> u32 {
        if number < LARGEST { number } else { HOPELESS }
    }
}

impl Rule {
    /// The thresholds of the root; PDS raises them by and by.
    #[inline(always)]
    fn at_root(self, sum: Sum) -> Thresholds {
        match self {
            Rule::DfPn => Thresholds::NONE,
            Rule::Pds => Rule::one_more(sum.phi, sum.delta, sum.phi <= sum.delta),
        }
    }

    #[inline(always)]
    fn one_more(phi: u32, delta: u32, raises_phi: bool) -> Thresholds {
        let (phi, delta) = if raises_phi { (phi + 1, delta) } else { (phi, delta + 1) };
        Thresholds { phi: Thresholds::limited(phi), delta: Thresholds::limited(delta) }
    }

    /// Whether to leave a position that is not solved.
    #[inline(always)]
    fn leaves(self, sum: Sum, thresholds: Thresholds) -> bool {
        let (phi, delta) = (sum.phi >= thresholds.phi, sum.delta >= thresholds.delta);
        match self {
            Rule::DfPn => phi || delta,
            Rule::Pds => phi && delta,
        }
    }

    /// The thresholds of the most promising child.
    #[inline(always)]
    fn for_child(self, sum: Sum, thresholds: Thresholds, child: Known) -> Thresholds {
        match self {
            Rule::DfPn => {
                let phi = match thresholds.delta {
                    HOPELESS => HOPELESS,
                    delta => delta - (sum.delta - child.phi),
                };
                let second = sum.second.saturating_add((sum.second / EPSILON_PARTS).max(1));
                Thresholds { phi, delta: thresholds.phi.min(Thresholds::limited(second)) }
            }
            Rule::Pds => {
                let raises_phi = sum.delta < thresholds.delta
                    && (child.phi <= child.delta || sum.phi >= thresholds.phi);
                Rule::one_more(child.phi, child.delta, raises_phi)
            }
        }
    }
}

impl<G: Repetition> Kernel for Search<'_, '_, G> {
    type Output = Answer;

    #[inline(always)]
    fn run(mut self) -> Answer {
        self.solver.frames.clear();
        self.solver.keys.clear();
        self.solver.children.clear();
        let root = self.question.position;
        self.expand(Frame {
            position: root.clone(),
            key: root.key(),
            window: 0,
            way: 0,
            first_child: 0,
            present: 0,
            thresholds: Thresholds { phi: 0, delta: 0 },
            before: Known::open(1, 1),
            visited: 0,
        });
        loop {
            let ply = self.solver.frames.len() - 1;
            let end = self.solver.children.len();
            let Some(frame) = self.solver.frames.last_mut() else { return Answer::UNKNOWN };
            let children = &mut self.solver.children[frame.first_child..];
            let sum = Sum::of(children.iter().map(|child| child.known));
            let is_open = !sum.is_solved() && sum.phi < HOPELESS && !self.budget.is_exhausted();
            if is_open && ply == 0 && self.solver.rule.leaves(sum, frame.thresholds) {
                frame.thresholds = self.solver.rule.at_root(sum);
            }
            // 1. Upwards, with what was found.
            if !is_open || self.solver.rule.leaves(sum, frame.thresholds) {
                let known = self.leave(sum);
                match self.solver.frames.last() {
                    Some(parent) => self.solver.children[parent.present].known = known,
                    None => return self.answer(known, sum),
                }
                continue;
            }
            // 2. Downwards, to the most promising child.
            frame.present = frame.first_child + sum.best;
            let child = &mut children[sum.best];
            if ply + 1 >= self.question.depth {
                child.known = Known::HOPELESS;
                continue;
            }
            let m = G::Move::unpack(child.m);
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
                thresholds: self.solver.rule.for_child(sum, frame.thresholds, child.known),
                before: child.known,
                visited: self.budget.visited(),
            };
            if std::mem::take(&mut child.is_new) && self.solver.second.is_some() {
                let number = frame.present;
                self.solver.children[number].known = self.evaluate(&next);
            } else {
                self.expand(next);
            }
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
        let attacker = self.question.attacker;
        solver.keys.push(frame.key);
        solver.moves.clear();
        frame.position.legal_moves(&mut solver.moves);
        let way = mix(frame.way ^ frame.key);
        let before = solver.children.len();
        for index in 0..solver.moves.len() {
            let m = solver.moves[index];
            let mut next = frame.position.clone();
            next.play(m);
            let mut child = Child { key: 0, m: m.pack(), is_new: false, known: Known::HOPELESS };
            if let Some(outcome) = next.outcome() {
                child.known = Known::finished(outcome, !side, attacker);
            } else {
                child.key = next.key();
                let is_irreversible = frame.position.is_irreversible(m);
                let (way, window) =
                    if is_irreversible { (0, ply + 1) } else { (way, frame.window) };
                if let Some(earlier) = earlier(&solver.keys, window, child.key) {
                    child.known = Known::repeated(earlier, !side, attacker);
                } else if let Some(known) = solver.known(child.key ^ self.salt, way, window) {
                    child.known = known;
                } else {
                    child.known = Known::new(&next);
                    child.is_new = true;
                }
            }
            solver.children.push(child);
            // A win at once is enough. What only holds may hide one.
            if child.known.delta == 0 && child.known.ending.plies().is_some() {
                break;
            }
        }
        self.budget.spend((solver.children.len() - before) as u64);
        solver.frames.push(frame);
    }

    /// The numbers of a position by a PN search.
    #[inline(always)]
    fn evaluate(&mut self, frame: &Frame<G>) -> Known {
        let solver = &mut *self.solver;
        let Some(tree) = &mut solver.second else { return frame.before };
        tree.plant(&frame.position, frame.key, &solver.keys, frame.window);
        tree.grow(self.question, FRACTION.size(solver.table.len()), self.budget);
        let known = tree.known();
        self.remember(frame, known);
        known
    }

    /// Ends the search of the last frame, and remembers what is known now.
    #[inline(always)]
    fn leave(&mut self, sum: Sum) -> Known {
        let ply = self.solver.frames.len() - 1;
        let Some(frame) = self.solver.frames.pop() else { return Known::HOPELESS };
        self.solver.keys.pop();
        let children = self.solver.children[frame.first_child..].iter();
        let known = sum.known(children.map(|child| child.known), ply);
        self.remember(&frame, known);
        // The children of the root are still wanted.
        if ply > 0 {
            self.solver.children.truncate(frame.first_child);
        }
        known
    }

    /// Stores what is known of a position now.
    #[inline(always)]
    fn remember(&mut self, frame: &Frame<G>, known: Known) {
        let table = &mut self.solver.table;
        let key = frame.key ^ self.salt;
        let nodes = self.budget.visited() - frame.visited;
        if let Some(earlier) = known.ending.repeated_ply() {
            // 1. What rests on a repetition is known for this way to the position alone.
            let ending = Ending::rests_on(earlier.saturating_sub(frame.window as u32));
            let entry = Entry { known: Known { ending, ..known }, has_ways: false };
            table.store(key ^ mix(frame.way), entry, nodes);
            // For others the position stays open.
            table.store(key, Entry { known: frame.before, has_ways: true }, nodes);
        } else if known != Known::HOPELESS {
            // 2. Facts, and numbers.
            let has_ways =
                !known.is_solved() && table.probe(key).is_some_and(|entry| entry.has_ways);
            table.store(key, Entry { known, has_ways }, nodes);
        }
    }

    /// What is known of the root, and its best move.
    fn answer(&self, known: Known, sum: Sum) -> Answer {
        let children = &self.solver.children;
        let best = match known.is_solved() {
            true => deciding(children.iter().map(|child| child.known), known.phi == 0)
                .map_or(0, |(index, _)| index),
            false => sum.best,
        };
        Answer { known, best: children.get(best).map(|child| child.m) }
    }
}

impl<G: Repetition> DepthFirst<G> {
    /// What the table knows of a position with a way to it, which begins at ply `window`.
    #[inline(always)]
    fn known(&self, key: u64, way: u64, window: usize) -> Option<Known> {
        let entry = self.table.probe(key)?;
        if entry.has_ways
            && let Some(Entry { known, .. }) = self.table.probe(key ^ mix(way))
            && let Some(offset) = known.ending.repeated_ply()
        {
            return Some(Known { ending: Ending::rests_on(window as u32 + offset), ..known });
        }
        Some(entry.known)
    }
}

/// One step of SplitMix64: a bijection that spreads every bit.
#[inline(always)]
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
