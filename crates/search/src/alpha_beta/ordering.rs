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

/// Slots for the history of moves, for each side. Moves that share one share their history: not
/// those of two squares, packed in a byte each.
const SLOT_BITS: u32 = 14;

/// What a thread has learned about the order of moves, and the lists of its nodes.
#[derive(Debug)]
pub(super) struct Ordering<G: Game> {
    killers: Vec<[Option<G::Move>; 2]>,
    history: [Vec<Share>; 2],
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
            history: [(); 2].map(|()| vec![0; 1 << SLOT_BITS]),
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
        self.history.iter_mut().for_each(|shares| shares.fill(0));
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
                let share = if uses_history { share::<G>(history, m) } else { 0 };
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

    /// Learns that a move was best, or good enough for a cut-off, at a node of this depth in plies.
    #[inline]
    pub(super) fn was_best(&mut self, side: Side, m: G::Move, depth: i32, ply: usize) {
        let history = &mut self.history[side.index()];
        let share = &mut history[slot::<G>(m)];
        match self.by_history {
            HistoryOrder::Off => {}
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

/// The share of a move in the history.
#[inline]
fn share<G: Game>(history: &[Share], m: G::Move) -> u32 {
    history[slot::<G>(m)].into()
}
