//! One thread of a depth-first search: its path, and the step down or up.

use std::sync::atomic::Ordering::Relaxed;

use spinney_game::cpu::Kernel;
use spinney_game::{Game, Move, Repetition, Symmetric};

use super::best_first::{Fraction, Tree, earlier};
use super::depth_first::{Shared, mix};
use super::numbers::{Ending, HOPELESS, Known, Sum, deciding};
use super::rule::Thresholds;
use super::table::{Entry, Table};
use super::{Answer, Initial};
use crate::Budget;
use crate::knowledge::Oracle;
use crate::limits::STRIDE;

/// The second searches of PDS-PN: the values of Winands et al. as quoted; see docs/how/proof-number.md.
const FRACTION: Fraction = Fraction { a: 450e3, b: 300e3 };

/// The numbers of a new position whose side to move must answer a threat, and of one where it is free.
/// Measured, see docs/how/proof-number.md.
const MUST_ANSWER: Known = Known::open(4, 1);
const FREE: Known = Known::open(1, 16);
/// Points of the evaluation that δ grows by 1 for. Measured, see docs/how/proof-number.md.
const POINTS: i32 = 50;

/// A thread's buffers and knowledge.
#[derive(Debug)]
pub(super) struct Worker<G: Game, K> {
    knowledge: K,
    /// For searches of positions that are met for the first time.
    second: Option<Tree<G>>,
    /// The path from the root, one frame a ply, and its keys.
    frames: Vec<Frame<G>>,
    keys: Vec<u64>,
    /// The children of all frames, those of the root first.
    children: Vec<Child>,
    /// Of the position that is being expanded: its moves, and where they lead.
    moves: Vec<G::Move>,
    positions: Vec<G>,
    /// Positions solved by several threads when the path was last compared with the table.
    solved: u64,
    /// Positions generated that others have not been told of.
    untold: u64,
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
    /// Whether a child has been searched.
    is_started: bool,
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

impl<G: Game, K> Worker<G, K> {
    pub(super) fn new(knowledge: K, second: Option<Tree<G>>) -> Self {
        Worker {
            knowledge,
            second,
            frames: Vec::new(),
            keys: Vec::new(),
            children: Vec::new(),
            moves: Vec::new(),
            positions: Vec::new(),
            solved: 0,
            untold: 0,
        }
    }
}

impl<G: Game, K: Oracle<G>> Worker<G, K> {
    /// The numbers of the position with this index, which has not been searched.
    #[inline(always)]
    fn initial(&mut self, initial: Initial, index: usize) -> Known {
        let (position, knowledge) = (&self.positions[index], &mut self.knowledge);
        match initial {
            Initial::Unit => Known::open(1, 1),
            Initial::Threats | Initial::Evaluation if !K::FINDS_WINS => Known::new(position),
            Initial::Threats | Initial::Evaluation if knowledge.must_answer(position) => {
                MUST_ANSWER
            }
            Initial::Threats => FREE,
            Initial::Evaluation => {
                let state = knowledge.state(position);
                let value = knowledge.evaluate(position, &state);
                let delta = FREE.delta as i32 + value / POINTS;
                Known::open(FREE.phi, delta.clamp(2, 2 * FREE.delta as i32) as u32)
            }
            Initial::Mobility => Known::new(position),
        }
    }
}

/// One search.
pub(super) struct Search<'a, 'q, G: Game, K> {
    pub(super) worker: &'a mut Worker<G, K>,
    pub(super) shared: &'a Shared<'a, 'q, G>,
    pub(super) budget: &'a mut Budget,
}

impl<G: Repetition + Symmetric, K: Oracle<G>> Kernel for Search<'_, '_, G, K> {
    type Output = Answer;

    #[inline(always)]
    fn run(mut self) -> Answer {
        self.worker.frames.clear();
        self.worker.keys.clear();
        self.worker.children.clear();
        self.worker.solved = 0;
        self.worker.untold = 0;
        let root = self.shared.question.position;
        self.expand(Frame {
            position: root.clone(),
            key: self.shared.key(root),
            window: 0,
            way: 0,
            first_child: 0,
            present: 0,
            is_started: false,
            thresholds: Thresholds { phi: 0, delta: 0 },
            before: Known::open(1, 1),
            visited: 0,
        });
        let rule = self.shared.rule;
        // A frame that another thread has solved, to be left with all above it.
        let mut solved_ply = None;
        loop {
            let ply = self.worker.frames.len() - 1;
            if self.shared.busy.is_some() {
                solved_ply = solved_ply.or_else(|| self.find_solved());
            }
            let end = self.worker.children.len();
            let Some(frame) = self.worker.frames.last_mut() else { return Answer::UNKNOWN };
            let children = &mut self.worker.children[frame.first_child..];
            let sum = Sum::of(children.iter().map(|child| child.known));
            let is_open = !sum.is_solved()
                && sum.phi < HOPELESS
                && solved_ply.is_none()
                && !self.budget.is_exhausted()
                && !self.shared.is_over.load(Relaxed);
            if is_open && ply == 0 && rule.leaves(sum, frame.thresholds) {
                frame.thresholds = rule.at_root(sum);
            }
            let mut leaves = !is_open || rule.leaves(sum, frame.thresholds);
            let mut choice = sum;
            if !leaves && let Some(busy) = self.shared.busy {
                // Other threads may have learned something about the child, or be in it now.
                let child = &mut children[sum.best];
                let is_irreversible = frame.position.is_irreversible(G::Move::unpack(child.m));
                let (way, window) = frame.way_on(is_irreversible, ply);
                let key = child.key ^ self.shared.salt;
                if let Some(known) = look_up(self.shared.table, key, way, window)
                    && known != child.known
                {
                    child.known = known;
                    continue;
                }
                if busy.count(child.key).load(Relaxed) > 0 {
                    choice = Sum::of(children.iter().map(|child| {
                        let threads = busy.count(child.key).load(Relaxed);
                        child.known.looking_worse(threads.into())
                    }));
                    if choice.phi >= frame.thresholds.phi {
                        // Enough is done here. But whoever came must do something.
                        leaves = frame.is_started;
                        choice = sum;
                    }
                }
            }
            // 1. Upwards, with what was found.
            if leaves {
                let known = match solved_ply {
                    Some(solved) if solved == ply => {
                        solved_ply = None;
                        self.abandon()
                    }
                    _ => self.leave(sum),
                };
                match self.worker.frames.last() {
                    Some(parent) => self.worker.children[parent.present].known = known,
                    None => return self.answer(known, sum),
                }
                continue;
            }
            // 2. Downwards, to the most promising child.
            frame.present = frame.first_child + choice.best;
            frame.is_started = true;
            let child = &mut children[choice.best];
            if ply + 1 >= self.shared.question.depth {
                child.known = Known::HOPELESS;
                continue;
            }
            let m = G::Move::unpack(child.m);
            let is_irreversible = frame.position.is_irreversible(m);
            let (way, window) = frame.way_on(is_irreversible, ply);
            let mut position = frame.position.clone();
            position.play(m);
            let next = Frame {
                position,
                key: child.key,
                window,
                way,
                first_child: end,
                present: 0,
                is_started: false,
                thresholds: rule.for_child(choice, frame.thresholds, child.known),
                before: child.known,
                visited: self.budget.visited(),
            };
            if std::mem::take(&mut child.is_new) && self.worker.second.is_some() {
                let number = frame.present;
                self.worker.children[number].known = self.evaluate(&next);
            } else {
                self.expand(next);
            }
        }
    }
}

impl<G> Frame<G> {
    /// The way to a child of this frame at `ply`, and the first ply that can be repeated from there on.
    #[inline(always)]
    fn way_on(&self, is_irreversible: bool, ply: usize) -> (u64, usize) {
        if is_irreversible { (0, ply + 1) } else { (mix(self.way ^ self.key), self.window) }
    }
}

impl<G: Repetition + Symmetric, K: Oracle<G>> Search<'_, '_, G, K> {
    /// Lists the children of a position, with what is known of them, and adds its frame.
    #[inline(always)]
    fn expand(&mut self, frame: Frame<G>) {
        let Shared { options, table, .. } = *self.shared;
        let ply = self.worker.frames.len();
        let side = frame.position.to_move();
        let attacker = self.shared.question.attacker;
        self.worker.keys.push(frame.key);
        self.worker.moves.clear();
        // The root may have a win at once, which answers every threat. Below, nobody who moves has one.
        if !(K::FINDS_WINS
            && options.forced
            && ply > 0
            && self.worker.knowledge.forced_moves(&frame.position, &mut self.worker.moves))
        {
            frame.position.legal_moves(&mut self.worker.moves);
        }
        let first = self.worker.children.len();
        self.worker.positions.clear();
        // 1. The positions, and what is known of them without the table.
        for index in 0..self.worker.moves.len() {
            let m = self.worker.moves[index];
            let mut next = frame.position.clone();
            next.play(m);
            let mut child = Child { key: 0, m: m.pack(), is_new: true, known: Known::HOPELESS };
            if let Some(outcome) = next.outcome() {
                child.is_new = false;
                child.known = Known::finished(outcome, !side, attacker);
            } else if K::FINDS_WINS && options.wins && self.worker.knowledge.wins_at_once(&next) {
                child.is_new = false;
                child.known = Known::success(Ending::decisive(1));
            } else {
                child.key = self.shared.key(&next);
                table.prefetch(child.key ^ self.shared.salt);
            }
            self.worker.positions.push(next);
            self.worker.children.push(child);
            // A win is enough. What only holds may hide one.
            if child.known.is_decisive_failure() {
                self.worker.positions.clear();
                break;
            }
        }
        self.count((self.worker.children.len() - first) as u64);
        // 2. Repetitions, what the table knows, and numbers for the others.
        for index in 0..self.worker.positions.len() {
            let mut child = self.worker.children[first + index];
            if !child.is_new {
                continue;
            }
            let m = self.worker.moves[index];
            let (way, window) = frame.way_on(frame.position.is_irreversible(m), ply);
            let key = child.key ^ self.shared.salt;
            if let Some(earlier) = earlier(&self.worker.keys, window, child.key) {
                child.known = Known::repeated(earlier, !side, attacker);
                child.is_new = false;
            } else if let Some(known) = look_up(table, key, way, window) {
                child.known = known;
                child.is_new = false;
            } else {
                child.known = self.worker.initial(options.initial, index);
            }
            self.worker.children[first + index] = child;
            if child.known.is_decisive_failure() {
                self.worker.children.truncate(first + index + 1);
                break;
            }
        }
        if let Some(busy) = self.shared.busy {
            busy.count(frame.key).fetch_add(1, Relaxed);
        }
        self.worker.frames.push(frame);
    }

    /// Counts generated positions, and tells others of them now and then.
    #[inline(always)]
    fn count(&mut self, positions: u64) {
        self.budget.spend(positions);
        self.worker.untold += positions;
        if self.worker.untold >= STRIDE {
            self.shared.visited.fetch_add(std::mem::take(&mut self.worker.untold), Relaxed);
        }
    }

    /// The first ply of the path that another thread has solved, if any was since this was asked last.
    #[inline(always)]
    fn find_solved(&mut self) -> Option<usize> {
        let solved = self.shared.solved.load(Relaxed);
        if solved == self.worker.solved {
            return None;
        }
        self.worker.solved = solved;
        let is_solved = |frame: &Frame<G>| self.table_known(frame).is_some_and(Known::is_solved);
        (1..self.worker.frames.len()).find(|&ply| is_solved(&self.worker.frames[ply]))
    }

    /// What the table knows of the position of a frame.
    #[inline(always)]
    fn table_known(&self, frame: &Frame<G>) -> Option<Known> {
        look_up(self.shared.table, frame.key ^ self.shared.salt, frame.way, frame.window)
    }

    /// The numbers of a position by a PN search.
    #[inline(always)]
    fn evaluate(&mut self, frame: &Frame<G>) -> Known {
        let worker = &mut *self.worker;
        let Some(tree) = &mut worker.second else { return frame.before };
        tree.plant(&frame.position, frame.key, &worker.keys, frame.window);
        tree.grow(self.shared.question, FRACTION.size(self.shared.table.len()), self.budget);
        let known = tree.known();
        self.remember(frame, known);
        known
    }

    /// Takes the last frame off the path.
    #[inline(always)]
    fn pop(&mut self) -> Option<Frame<G>> {
        let frame = self.worker.frames.pop()?;
        self.worker.keys.pop();
        if let Some(busy) = self.shared.busy {
            busy.count(frame.key).fetch_sub(1, Relaxed);
        }
        // The children of the root are still wanted.
        if !self.worker.frames.is_empty() {
            self.worker.children.truncate(frame.first_child);
        }
        Some(frame)
    }

    /// Ends the search of the last frame, and remembers what is known now.
    #[inline(always)]
    fn leave(&mut self, sum: Sum) -> Known {
        let ply = self.worker.frames.len() - 1;
        let first = self.worker.frames[ply].first_child;
        let known = sum.known(self.worker.children[first..].iter().map(|child| child.known), ply);
        let Some(frame) = self.pop() else { return Known::HOPELESS };
        self.remember(&frame, known);
        if let Some(busy) = self.shared.busy
            && known.is_solved()
            && busy.count(frame.key).load(Relaxed) > 0
        {
            self.shared.solved.fetch_add(1, Relaxed);
        }
        if self.shared.table.is_crowded() {
            self.shared.is_over.store(true, Relaxed);
        }
        known
    }

    /// Ends the search of the last frame, which another thread has solved.
    fn abandon(&mut self) -> Known {
        let Some(frame) = self.pop() else { return Known::HOPELESS };
        self.table_known(&frame).unwrap_or(frame.before)
    }

    /// Stores what is known of a position now.
    #[inline(always)]
    fn remember(&mut self, frame: &Frame<G>, known: Known) {
        let table = self.shared.table;
        let key = frame.key ^ self.shared.salt;
        let nodes = self.budget.visited() - frame.visited;
        if let Some(earlier) = known.ending.repeated_ply() {
            // 1. What rests on a repetition is known for this way to the position alone.
            let ending = Ending::rests_on(earlier.saturating_sub(frame.window as u32));
            let entry = Entry { known: Known { ending, ..known }, has_ways: false };
            table.store(key ^ mix(frame.way), entry, nodes);
            // For others the position stays open, unless another thread has solved it.
            let before = table.probe(key).map(|entry| entry.known);
            let before = before.filter(|known| known.is_solved()).unwrap_or(frame.before);
            table.store(key, Entry { known: before, has_ways: !before.is_solved() }, nodes);
        } else if known != Known::HOPELESS {
            // 2. Facts, and numbers. A fact is never overwritten by numbers.
            // Nor a win by a longer one: so the plies of wins lead to the end (`DepthFirst::lost_in`).
            let held = table.probe(key);
            if let Some(Entry { known: held, .. }) = held
                && held.is_solved()
                && (!known.is_solved() || held.ending >= known.ending)
            {
                return;
            }
            let has_ways = !known.is_solved() && held.is_some_and(|entry| entry.has_ways);
            table.store(key, Entry { known, has_ways }, nodes);
        }
    }

    /// What is known of the root, and its best move.
    fn answer(&self, known: Known, sum: Sum) -> Answer {
        let children = &self.worker.children;
        let best = match known.is_solved() {
            true => deciding(children.iter().map(|child| child.known), known.phi == 0)
                .map_or(0, |(index, _)| index),
            false => sum.best,
        };
        Answer { known, best: children.get(best).map(|child| child.m) }
    }
}

/// What the table knows of a position with a way to it, which begins at ply `window`.
#[inline(always)]
pub(super) fn look_up(table: &Table, key: u64, way: u64, window: usize) -> Option<Known> {
    let entry = table.probe(key)?;
    if entry.has_ways
        && let Some(Entry { known, .. }) = table.probe(key ^ mix(way))
        && let Some(offset) = known.ending.repeated_ply()
    {
        return Some(Known { ending: Ending::rests_on(window as u32 + offset), ..known });
    }
    Some(entry.known)
}
