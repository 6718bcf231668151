//! The search of one thread.

use spinney_game::cpu::Kernel;
use spinney_game::{Game, Move, Repetition, Side, Symmetric};

use super::ordering::{Order, Ordering};
use super::table::{Bounds, Busy, Table};
use crate::knowledge::Facts;
use crate::{Budget, GameValue};

/// What a thread keeps from one search to the next.
#[derive(Debug)]
pub(super) struct Worker<G: Game> {
    ordering: Ordering,
    /// The path from the root, one frame per ply.
    frames: Vec<Frame>,
    /// The children of all frames that must be searched, those of the root first; and which of them
    /// are still to be, with their weights.
    children: Vec<Child<G>>,
    left: Vec<(i32, u32)>,
    moves: Vec<G::Move>,
    /// Positions visited since the search began.
    pub(super) visited: u64,
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
    table_key: u128,
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
    table_key: u128,
    /// The move to it, as a number.
    m: u32,
    /// Whether no position from before the move can occur after it.
    irreversible: bool,
}

/// The result rests on no repetition.
const NOTHING: usize = usize::MAX;
/// The weight of a child that another thread is searching.
const LATER: i32 = i32::MIN;
/// Positions between two looks at what other threads have decided.
const LOOK: u64 = 16;

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

impl<G: Game> Worker<G> {
    pub(super) fn new(promises: bool) -> Self {
        Worker {
            ordering: Ordering::new(promises),
            frames: Vec::new(),
            children: Vec::new(),
            left: Vec::new(),
            moves: Vec::new(),
            visited: 0,
        }
    }
}

/// One search of a worker.
pub(super) struct Search<'a, G: Game, F> {
    pub(super) worker: &'a mut Worker<G>,
    pub(super) position: &'a G,
    pub(super) table: &'a Table,
    /// The positions that threads are in; `None` on one thread.
    pub(super) busy: Option<&'a Busy>,
    pub(super) facts: &'a F,
    pub(super) budget: Budget,
    /// The most plies from the root.
    pub(super) depth: usize,
}

/// What the search of the root came to.
pub(super) struct Root {
    pub(super) bounds: Bounds,
    pub(super) best: Option<u32>,
    pub(super) nodes: u64,
    /// Whether the search has run out of nodes.
    pub(super) is_paused: bool,
}

impl Root {
    pub(super) const UNKNOWN: Root =
        Root { bounds: Bounds::UNKNOWN, best: None, nodes: 0, is_paused: false };

    /// Joins what another thread found: its value, if it has one.
    pub(super) fn add(&mut self, other: Root) {
        let nodes = self.nodes + other.nodes;
        let is_solved = [self.bounds, other.bounds].iter().any(|bounds| bounds.value().is_some());
        let is_paused = !is_solved && (self.is_paused || other.is_paused);
        if self.best.is_none() || other.bounds.value().is_some() {
            *self = other;
        }
        *self = Root { nodes, is_paused, ..*self };
    }
}

impl<G: Repetition + Symmetric, F: Facts<G>> Kernel for Search<'_, G, F> {
    type Output = Root;

    #[inline(always)]
    fn run(mut self) -> Root {
        self.worker.frames.clear();
        self.worker.children.clear();
        self.worker.left.clear();
        // The root is expanded whatever the table knows: its move is wanted too.
        let root = Child {
            position: self.position.clone(),
            key: self.position.key(),
            table_key: self.facts.key(self.position),
            m: 0,
            irreversible: true,
        };
        self.expand(root, 0, Bounds::UNKNOWN, GameValue::Loss, GameValue::Win);
        loop {
            let Some(frame) = self.worker.frames.last() else { return Root::UNKNOWN };
            let is_open = frame.lower < frame.beta
                && self.worker.left.len() > frame.first_left
                && !self.is_over();
            // 1. The next child, unless the position is decided.
            let found = if is_open && let Some((weight, index)) = self.worker.left.pop() {
                match self.enter(weight, index) {
                    None => continue,
                    Some(found) => found,
                }
            } else {
                // 2. Or the way back.
                let (found, best) = self.leave();
                if self.worker.frames.is_empty() {
                    let nodes = self.budget.visited();
                    self.worker.visited = nodes;
                    let is_paused = self.budget.is_exhausted() && !self.budget.is_interrupted();
                    return Root { bounds: found.bounds, best, nodes, is_paused };
                }
                found
            };
            // 3. What was found counts for the position above.
            self.absorb(found);
        }
    }
}

impl<G: Repetition + Symmetric, F: Facts<G>> Search<'_, G, F> {
    /// Whether a limit, or another thread, has ended the search.
    #[inline(always)]
    fn is_over(&self) -> bool {
        self.budget.is_exhausted() || self.busy.is_some_and(Busy::is_over)
    }

    /// Begins the search of a child of the last frame; what is found, if it is found at once.
    #[inline(always)]
    fn enter(&mut self, weight: i32, index: u32) -> Option<Found> {
        let worker = &mut *self.worker;
        let ply = worker.frames.len();
        let child = &worker.children[index as usize];
        let parent = worker.frames.last_mut()?;
        // 1. Others are at it: later, if there is something else to do. Not so the first child: it is
        //    the most likely to decide the position, and all threads help to search it.
        if let Some(busy) = self.busy
            && weight > LATER
            && parent.tries > 0
            && worker.left.len() > parent.first_left
            && busy.contains(child.table_key)
        {
            worker.left.insert(parent.first_left, (LATER, index));
            return None;
        }
        parent.present = child.m;
        parent.child_visited = self.budget.visited();
        // 2. A repetition is a draw. Sides alternate: every other position may be the same.
        let window = if child.irreversible { ply } else { parent.window };
        let alpha = parent.beta.for_opponent();
        let beta = parent.alpha.max(parent.lower).for_opponent();
        let mut earlier = ply;
        while earlier >= window + 2 {
            earlier -= 2;
            if worker.frames[earlier].key == child.key {
                let bounds = Bounds::exactly(GameValue::Draw);
                return Some(Found { bounds, rests_on: earlier });
            }
        }
        // 3. What is known since the child was listed may be enough.
        let known = self.table.probe(child.table_key);
        if known.decides(alpha, beta) {
            return Some(Found::fact(known));
        }
        // 4. Too deep, or no time left.
        let child = child.clone();
        if ply >= self.depth || self.is_over() {
            return Some(Found::UNKNOWN);
        }
        if let Some(busy) = self.busy {
            busy.insert(child.table_key);
        }
        self.expand(child, window, known, alpha, beta);
        // 5. Others may have decided a position on the path.
        if self.busy.is_some() && self.budget.visited().is_multiple_of(LOOK) {
            return self.decided_by_others();
        }
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
        let worker = &mut *self.worker;
        let position = at.position;
        let first_child = worker.children.len();
        let first_left = worker.left.len();
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
            first_left,
            present: 0,
            tries: 0,
            order: Order::Fewest,
            best: None,
            best_work: 0,
            visited,
            child_visited: visited,
        };
        // 1. Children at the end of the game or with a known value need no search.
        worker.moves.clear();
        position.legal_moves(&mut worker.moves);
        let mut undecided = 0;
        for index in 0..worker.moves.len() {
            let m = worker.moves[index];
            let mut next = position.clone();
            next.play(m);
            let value = match next.outcome() {
                Some(outcome) => Some(GameValue::of(outcome, frame.side)),
                None => self.facts.value(&next).map(GameValue::for_opponent),
            };
            if let Some(value) = value {
                frame.raise(m.pack(), value, 0);
                frame.upper = frame.upper.max(value);
                if frame.lower >= frame.beta {
                    break;
                }
            } else {
                worker.moves[undecided] = m;
                undecided += 1;
                worker.children.push(Child {
                    key: next.key(),
                    table_key: 0,
                    m: m.pack(),
                    irreversible: position.is_irreversible(m),
                    position: next,
                });
            }
        }
        // 2. Nor do those that the table decides. The others come in order.
        if frame.lower < frame.beta {
            let mut children = worker.children[first_child..].iter_mut();
            self.facts.keys_after(&position, &worker.moves[..undecided], |key| {
                self.table.prefetch(key);
                if let Some(child) = children.next() {
                    child.table_key = key;
                }
            });
            frame.order = worker.ordering.choose(frame.side, frame.key);
            for (index, child) in (first_child..).zip(&worker.children[first_child..]) {
                let bounds = self.table.probe(child.table_key).for_opponent();
                frame.raise(child.m, bounds.lower, 0);
                if frame.lower >= frame.beta {
                    break;
                }
                if bounds.value().is_some() || bounds.upper <= frame.alpha {
                    frame.upper = frame.upper.max(bounds.upper);
                    continue;
                }
                let m = G::Move::unpack(child.m);
                let promise = self.facts.promise(&position, m, &child.position);
                let replies = child.position.count_moves() as i32;
                let weight =
                    worker.ordering.weight(frame.order, frame.side, child.m, replies, promise);
                worker.left.push((weight, index as u32));
            }
            // The greatest weight last; of equal weights the later child.
            worker.left[first_left..].sort_unstable();
        }
        worker.frames.push(frame);
    }

    /// Takes what was found about the present child of the last frame.
    #[inline(always)]
    fn absorb(&mut self, found: Found) {
        let visited = self.budget.visited();
        let Some(frame) = self.worker.frames.last_mut() else { return };
        let bounds = found.bounds.for_opponent();
        frame.tries += 1;
        frame.raise(frame.present, bounds.lower, visited - frame.child_visited);
        frame.upper = frame.upper.max(bounds.upper);
        frame.rests_on = frame.rests_on.min(found.rests_on);
        let refutes = frame.lower >= frame.beta;
        self.worker.ordering.learn(frame.side, frame.present, refutes);
    }

    /// Removes the last frame.
    #[inline(always)]
    fn pop(&mut self) -> Option<Frame> {
        let worker = &mut *self.worker;
        let frame = worker.frames.pop()?;
        worker.children.truncate(frame.first_child);
        worker.left.truncate(frame.first_left);
        if let Some(busy) = self.busy {
            busy.remove(frame.table_key);
        }
        Some(frame)
    }

    /// Ends the search of the last frame, and remembers what is known now; its best move too.
    #[inline(always)]
    fn leave(&mut self) -> (Found, Option<u32>) {
        let ply = self.worker.frames.len() - 1;
        let left = self.worker.left.len();
        let Some(frame) = self.pop() else { return (Found::UNKNOWN, None) };
        if frame.tries > 0 {
            let first_refutes = frame.tries == 1 && frame.lower >= frame.beta;
            self.worker.ordering.judge(frame.order, frame.side, first_refutes);
        }
        // 1. What the children come to: they bound from above only if all were looked at.
        let is_complete = left == frame.first_left && frame.lower < frame.beta;
        let upper = if is_complete { frame.upper } else { GameValue::Win };
        let bounds = Bounds { lower: frame.lower, upper }.and(frame.known);
        // 2. Facts are stored. Wins and losses rest on no repetition; a draw is a fact here if it
        //    rests on none above.
        let is_decisive = bounds.lower == GameValue::Win || bounds.upper == GameValue::Loss;
        if is_decisive || frame.rests_on >= ply {
            if bounds != frame.known {
                let nodes = self.budget.visited() - frame.visited;
                self.table.store(frame.table_key, bounds, nodes);
            }
            return (Found::fact(bounds), frame.best);
        }
        (Found { bounds, rests_on: frame.rests_on }, frame.best)
    }

    /// Leaves the first position of the path that another thread has decided, if there is one. The
    /// root is not looked up: whoever decides it ends the search.
    fn decided_by_others(&mut self) -> Option<Found> {
        let frames = self.worker.frames.iter().enumerate().skip(1);
        let (ply, known) = frames
            .map(|(ply, frame)| (ply, self.table.probe(frame.table_key), frame))
            .find(|(_, known, frame)| known.decides(frame.alpha, frame.beta))
            .map(|(ply, known, _)| (ply, known))?;
        while self.worker.frames.len() > ply {
            self.pop();
        }
        Some(Found::fact(known))
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
