//! The order of moves (paper `mia`, 3): the move of the table, two killers, the classes of the game,
//! then the relative history heuristic.
//!
//! All lists of moves are on one stack. A list comes into being in steps, because most nodes are
//! left after a move or two: first the moves that were good elsewhere, if the game can tell whether
//! they are legal; then all others; and they are sorted as far as they are asked for.
//!
//! *Relative history* (Winands et al. 2006, "The relative history heuristic"): how often a move was
//! best, divided by how often it was tried. *Deviation*: older tries fade, so that the share is one
//! small number and needs no division. Measured, it saves nodes too.
//!
//! *Plain history* (Schaeffer 1989): the sum of the squared depths at which a move was best. All sums
//! of a side are halved when one gets too large.

use spinney_game::{Game, Move, Side};

use super::config::{Config, HistoryOrder};
use crate::knowledge::MoveOrder;

/// The moves of a node: the end of the stack from `start` on.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    start: usize,
    /// Moves in their final places.
    sorted: usize,
    is_complete: bool,
    ply: usize,
}

/// A move with its place in the order: the highest score first.
#[derive(Clone, Copy, Debug)]
struct Scored<M> {
    m: M,
    score: u32,
}

/// The move of the table; a killer comes right after it. Other scores are the class and, in the
/// low 16 bits, the history.
const FIRST: u32 = u32::MAX;
const CLASS_SHIFT: u32 = 16;

/// The share of tries in which a move was best, from 0 to 65535; the sum of plain history.
type Share = u16;
/// A try moves the share 2^-`FADE` of the way to its result. Measured: 4 and 6 need more nodes.
const FADE: u32 = 8;

/// A gain or loss at depth d moves the share by (d² + 2d) / `GAIN_PARTS`, up to a limit.
const GAIN_PARTS: i32 = 1024;
const MOST_GAIN: i32 = 256;
/// A share of which nothing is known, where shares gain and lose.
const MIDDLE: Share = 1 << 15;
/// Slots for answers to moves. Those of different pairs of moves may share one.
const ANSWER_BITS: u32 = 16;

/// Slots for the history of moves, for each side. Moves that share one share their history: not
/// those of two squares, packed in a byte each.
const SLOT_BITS: u32 = 14;

/// What a thread has learned about the order of moves, and the lists of its nodes.
#[derive(Debug)]
pub(super) struct Ordering<G: Game> {
    killers: Vec<[Option<G::Move>; 2]>,
    history: [Vec<Share>; 2],
    /// The same for a move as an answer to the move before it.
    answers: Vec<Share>,
    /// The moves of the path from the root on; none for a null move.
    made: Vec<Option<G::Move>>,
    stack: Vec<Scored<G::Move>>,
    /// Where games append their moves.
    moves: Vec<G::Move>,
    uses_killers: bool,
    uses_classes: bool,
    by_history: HistoryOrder,
}

impl<G: Game> Ordering<G> {
    pub(super) fn new(config: &Config, plies: usize) -> Self {
        Ordering {
            killers: vec![[None; 2]; plies],
            history: [(); 2].map(|()| vec![at_first(config.history); 1 << SLOT_BITS]),
            answers: match config.history {
                HistoryOrder::Gains => vec![MIDDLE; 1 << ANSWER_BITS],
                _ => Vec::new(),
            },
            made: vec![None; plies + 1],
            stack: Vec::new(),
            moves: Vec::new(),
            uses_killers: config.killers,
            uses_classes: config.classes,
            by_history: config.history,
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.killers.fill([None; 2]);
        let start = at_first(self.by_history);
        self.history.iter_mut().for_each(|shares| shares.fill(start));
        self.answers.fill(MIDDLE);
    }

    /// The move that leads from a ply to the next; none for a null move.
    #[inline(always)]
    pub(super) fn makes(&mut self, m: Option<G::Move>, ply: usize) {
        self.made[ply + 1] = m;
    }

    /// Begins the search of another move of the game: the killers are those of other plies.
    pub(super) fn begin_search(&mut self) {
        self.killers.fill([None; 2]);
    }

    /// Opens the list of a position.
    #[inline(always)]
    pub(super) fn open<K: MoveOrder<G>>(
        &mut self,
        knowledge: &K,
        (position, state): (&G, &K::State),
        table_move: Option<G::Move>,
        ply: usize,
    ) -> List {
        let start = self.stack.len();
        let mut list = List { start, sorted: 0, is_complete: false, ply };
        let killers = self.killers[ply];
        for m in [table_move, killers[0], killers[1]].into_iter().flatten() {
            let is_new = self.stack[start..].iter().all(|known| known.m != m);
            if !is_new {
                continue;
            }
            match knowledge.is_legal(position, m) {
                Some(true) => self.stack.push(Scored { m, score: FIRST }),
                Some(false) => {}
                None => {
                    self.complete(knowledge, (position, state), &mut list, table_move);
                    return list;
                }
            }
        }
        list.sorted = self.stack.len() - start;
        list
    }

    /// Adds the moves that are not in the list yet.
    #[inline(always)]
    pub(super) fn complete<K: MoveOrder<G>>(
        &mut self,
        knowledge: &K,
        (position, state): (&G, &K::State),
        list: &mut List,
        table_move: Option<G::Move>,
    ) {
        if list.is_complete {
            return;
        }
        list.is_complete = true;
        let staged = self.stack.len();
        let killers = self.killers[list.ply];
        self.moves.clear();
        knowledge.legal_moves(position, state, &mut self.moves);
        let history = &self.history[position.to_move().index()];
        let uses_history = self.by_history != HistoryOrder::Off;
        for &m in &self.moves {
            if self.stack[list.start..staged].iter().any(|known| known.m == m) {
                continue;
            }
            let score = if Some(m) == table_move {
                FIRST
            } else if let Some(number) = killers.iter().position(|&killer| killer == Some(m)) {
                FIRST - 1 - number as u32
            } else {
                let class = if self.uses_classes { knowledge.order_class(position, m) } else { 0 };
                let share = if uses_history {
                    share::<G>((history, &self.answers), m, self.made[list.ply])
                } else {
                    0
                };
                u32::from(class) << CLASS_SHIFT | share
            };
            self.stack.push(Scored { m, score });
        }
    }

    /// Opens the list of the moves that quiescence search looks at.
    #[inline(always)]
    pub(super) fn open_tactical<K: MoveOrder<G>>(
        &mut self,
        knowledge: &K,
        position: &G,
        state: &K::State,
    ) -> List {
        let start = self.stack.len();
        self.moves.clear();
        knowledge.tactical_moves(position, state, &mut self.moves);
        for &m in &self.moves {
            let class = if self.uses_classes { knowledge.order_class(position, m) } else { 0 };
            self.stack.push(Scored { m, score: class.into() });
        }
        List { start, sorted: 0, is_complete: true, ply: 0 }
    }

    /// The move number `index` of the last list, which is complete or has that many moves.
    #[inline(always)]
    pub(super) fn pick(&mut self, list: &mut List, index: usize) -> Option<G::Move> {
        let moves = &mut self.stack[list.start..];
        if index >= list.sorted && index < moves.len() {
            // Score and place, the first the highest, as one number: which is best cannot be
            // predicted, so there is no branch.
            let mut best = 0;
            let mut place = u32::MAX;
            for scored in &moves[index..] {
                best = best.max(u64::from(scored.score) << 32 | u64::from(place));
                place -= 1;
            }
            moves.swap(index, index + !(best as u32) as usize);
            list.sorted = index + 1;
        }
        moves.get(index).map(|scored| scored.m)
    }

    /// The number of moves in the last list so far.
    #[inline]
    pub(super) fn len(&self, list: &List) -> usize {
        self.stack.len() - list.start
    }

    /// The move that is number `index` of the list at present.
    #[inline]
    pub(super) fn get(&self, list: &List, index: usize) -> G::Move {
        self.stack[list.start + index].m
    }

    /// Forgets the last list.
    #[inline]
    pub(super) fn close(&mut self, list: &List) {
        self.stack.truncate(list.start);
    }

    /// Learns that a move was tried.
    #[inline]
    pub(super) fn tried(&mut self, side: Side, m: G::Move) {
        if self.by_history == HistoryOrder::Relative {
            let share = &mut self.history[side.index()][slot::<G>(m)];
            *share -= *share >> FADE;
        }
    }

    /// What the history says of a move: -1 for bad, 1 for good.
    #[inline]
    pub(super) fn standing(&self, side: Side, m: G::Move, ply: usize) -> f32 {
        let history = &self.history[side.index()];
        let share = share::<G>((history, &self.answers), m, self.made[ply]);
        (share as f32 - f32::from(MIDDLE)) / f32::from(MIDDLE)
    }

    /// Learns that a move, number `index` of the list, was best, after those before it were tried.
    #[inline]
    pub(super) fn gains(&mut self, side: Side, list: &List, index: usize, depth: i32) {
        if self.by_history != HistoryOrder::Gains {
            return;
        }
        let part = (depth * depth + 2 * depth).clamp(1, MOST_GAIN);
        let history = &mut self.history[side.index()];
        let before = self.made[list.ply];
        for (number, scored) in self.stack[list.start..=list.start + index].iter().enumerate() {
            let learn = |share: &mut Share| {
                let aim = if number == index { i32::from(Share::MAX) } else { 0 };
                let old = i32::from(*share);
                *share = (old + (aim - old) * part / GAIN_PARTS) as Share;
            };
            learn(&mut history[slot::<G>(scored.m)]);
            if let Some(before) = before {
                learn(&mut self.answers[answer_slot::<G>(scored.m, before)]);
            }
        }
    }

    /// Learns that a move was best, or good enough for a cut-off, at a node of this depth in plies.
    #[inline]
    pub(super) fn was_best(&mut self, side: Side, m: G::Move, depth: i32, ply: usize) {
        let history = &mut self.history[side.index()];
        let share = &mut history[slot::<G>(m)];
        match self.by_history {
            HistoryOrder::Off | HistoryOrder::Gains => {}
            HistoryOrder::Relative => *share += (Share::MAX - *share) >> FADE,
            HistoryOrder::Plain => {
                *share = share.saturating_add((depth * depth).max(1) as Share);
                if *share == Share::MAX {
                    history.iter_mut().for_each(|share| *share /= 2);
                }
            }
        }
        let killers = &mut self.killers[ply];
        if self.uses_killers && killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
    }
}

#[inline]
fn slot<G: Game>(m: G::Move) -> usize {
    let number = m.pack();
    ((number ^ number >> SLOT_BITS) & ((1 << SLOT_BITS) - 1)) as usize
}

/// The slot of a move as an answer to another.
#[inline]
fn answer_slot<G: Game>(m: G::Move, before: G::Move) -> usize {
    let number = m.pack().wrapping_mul(0x9e37_79b1) ^ before.pack().wrapping_mul(0x85eb_ca6b);
    (number >> (32 - ANSWER_BITS)) as usize
}

/// The share of a move in the history.
#[inline]
fn share<G: Game>(
    (history, answers): (&[Share], &[Share]),
    m: G::Move,
    before: Option<G::Move>,
) -> u32 {
    let share = u32::from(history[slot::<G>(m)]);
    match before {
        _ if answers.is_empty() => share,
        None => (share + u32::from(MIDDLE)) / 2,
        Some(before) => (share + u32::from(answers[answer_slot::<G>(m, before)])) / 2,
    }
}

/// What a share is before anything is known.
fn at_first(history: HistoryOrder) -> Share {
    if history == HistoryOrder::Gains { MIDDLE } else { 0 }
}
