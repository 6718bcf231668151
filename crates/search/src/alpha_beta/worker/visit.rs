//! The search of an interior node: cut-offs without searching its moves, then the moves.

use spinney_game::cpu::{self, Kernel};
use spinney_game::{Move, Repetition};

use super::{Doubt, LONGEST, Node, Role, Thread, Worker, end, is_certain};
use crate::alpha_beta::ordering::List;
use crate::alpha_beta::score::{self, DRAW, INFINITE, PROVEN};
use crate::alpha_beta::table::{Bound, Entry, FACT, PLY};
use crate::knowledge::{MoveOrder, Oracle};

/// The search of a position, compiled for the processor.
struct Visit<'a, 'w, 'n, G: Repetition, K: MoveOrder<G> + Oracle<G>> {
    worker: &'a mut Worker<'w, G, K>,
    node: Node<'n, G, K::State>,
}

impl<G: Repetition, K: MoveOrder<G> + Oracle<G>> Kernel for Visit<'_, '_, '_, G, K> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Visit { worker, mut node } = self;
        let Node { position, state, depth, ply, role, .. } = node;
        let is_pv = role == Role::Pv;
        if is_pv {
            worker.thread.lines[ply].clear();
        }
        // 1. The end of the search (then beta, so that the node above neither prunes nor searches
        //    again), of the game, or of the line.
        if worker.visits(ply) {
            return node.beta;
        }
        if let Some(outcome) = position.outcome() {
            return end(position, outcome, ply);
        }
        if let Some(times) = worker.drawn_at
            && worker.path.repeats(times)
        {
            worker.doubt = worker.doubt.and(match worker.path.earlier() {
                Some(rests_on) if worker.config.proves_draws => Doubt { rests_on, ..Doubt::NONE },
                _ => Doubt::SHALLOW,
            });
            return DRAW;
        }
        let sees_wins = worker.config.winning_moves && (depth > 0 || worker.config.quiescence);
        if sees_wins && let Some(m) = worker.thread.knowledge.winning_move(position, state) {
            if is_pv {
                worker.thread.lines[ply].push(m);
            }
            return score::of_end(1, ply + 1);
        }
        let is_threatened = worker.config.threats
            && ply < worker.longest
            && worker.thread.knowledge.is_threatened(position, state);
        if is_threatened {
            node.depth = node.depth.max(0) + PLY;
        }
        let depth = node.depth;
        if depth <= 0 || ply >= LONGEST {
            return worker.quiesce(position, state, node.alpha, node.beta, ply);
        }
        // 2. The table may know enough. On the principal variation it only names a move.
        let known = worker.table.probe(node.key);
        if let Some(entry) = known
            && !is_pv
            && worker.suffices(entry, depth)
        {
            let value = score::from_table(entry.value, ply);
            if (entry.is_lower() && value >= node.beta) || (entry.is_upper() && value <= node.alpha)
            {
                worker.doubt.is_shallow |= !is_certain(entry);
                return value;
            }
        }
        let table_move = known.map(|entry| G::Move::unpack(entry.m));
        // The static value, and whether it is so far below alpha that quiet moves are left out.
        let mut hopeless = None;
        let margins = worker.config.margins;
        if margins.above > 0
            && !is_pv
            && !is_threatened
            && depth <= margins.plies * PLY
            && node.beta.abs() < PROVEN
        {
            let before = worker.doubt;
            let value = worker.evaluate(position, state);
            if value - margins.above * depth / PLY >= node.beta {
                return value;
            }
            worker.doubt = before;
            let most = value + margins.below * (depth + PLY) / PLY;
            if margins.below > 0 && most <= node.alpha {
                hopeless = Some(most);
            }
        }
        let Thread { knowledge, ordering, .. } = &mut *worker.thread;
        let mut list = ordering.open(knowledge, (position, state), table_move, ply);
        // 3. Forward pruning, where a bound is enough and no forced result is at stake.
        if !is_pv {
            if worker.config.transposition_cutoffs && depth > 2 * PLY {
                ordering.complete(knowledge, (position, state), &mut list, table_move);
                if let Some(value) = worker.transposition_cutoff(&node, &list) {
                    worker.thread.ordering.close(&list);
                    return value;
                }
            }
            let before = worker.doubt;
            if node.beta.abs() < PROVEN
                && let Some(value) = worker
                    .null_move(&node)
                    .or_else(|| worker.multi_cut(&node, &mut list, table_move))
            {
                worker.thread.ordering.close(&list);
                worker.doubt = worker.doubt.and(before);
                return value;
            }
            worker.doubt = before;
        }
        // 4. The moves, from the most promising.
        let before = worker.doubt;
        let mut doubt = Doubt::NONE;
        let side = position.to_move();
        let alpha = node.alpha;
        let (mut best_value, mut best_move, mut best_index) = (-INFINITE, None, 0);
        let mut index = 0;
        while let Some(m) = worker.pick((position, state), &mut list, index, table_move) {
            worker.doubt = Doubt::NONE;
            if let Some(most) = hopeless
                && best_value > -PROVEN
                && !worker.thread.knowledge.is_tactical(position, m)
            {
                best_value = best_value.max(most);
                doubt.is_shallow = true;
                index += 1;
                continue;
            }
            let value = worker.search_move(&node, m, index);
            if worker.budget.is_exhausted() {
                worker.thread.ordering.close(&list);
                return node.beta;
            }
            worker.thread.ordering.tried(side, m);
            if value > best_value {
                (best_value, best_move, best_index) = (value, Some(m), index);
                if value > node.alpha {
                    node.alpha = value;
                    if is_pv {
                        worker.extend_line(m, ply);
                    }
                    if value >= node.beta {
                        // The other moves do not matter.
                        doubt = worker.doubt;
                        break;
                    }
                }
            }
            doubt = doubt.and(worker.doubt);
            index += 1;
        }
        // 5. What was learned.
        let bound = match best_value {
            value if value >= node.beta => Bound::Lower,
            value if value > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        if let Some(m) = best_move {
            if bound != Bound::Upper {
                worker.thread.ordering.gains(side, &list, best_index, depth / PLY);
                worker.thread.ordering.was_best(side, m, depth / PLY, ply);
            }
            let value = score::to_table(best_value, ply);
            let mut entry = Entry { value, bound, depth, m: m.pack(), is_fresh: true };
            // A cycle that goes back to here can be played from here, whatever came before.
            if is_certain(entry) || doubt.rests_on >= worker.path.len() - 1 {
                doubt.rests_on = usize::MAX;
            }
            doubt.is_shallow &= !is_certain(entry);
            if doubt == Doubt::NONE && !worker.config.exact_depth {
                entry.depth = FACT;
            } else if doubt.rests_on != usize::MAX {
                // Only the move is of use elsewhere.
                entry.depth = 0;
            }
            worker.table.store(node.key, entry);
        }
        worker.thread.ordering.close(&list);
        worker.doubt = doubt.and(before);
        best_value
    }
}

impl<G: Repetition, K: MoveOrder<G> + Oracle<G>> Worker<'_, G, K> {
    /// The value of a position: exact within the window, else a bound.
    #[inline]
    pub(super) fn search(&mut self, node: Node<'_, G, K::State>) -> i32 {
        cpu::run(Visit { worker: self, node })
    }

    /// Enhanced transposition cut-offs: a child that the table knows well enough, or that wins.
    #[inline(always)]
    fn transposition_cutoff(&mut self, node: &Node<'_, G, K::State>, list: &List) -> Option<i32> {
        let Node { position, beta, depth, .. } = *node;
        let ply = node.ply + 1;
        for index in 0..self.thread.ordering.len(list) {
            let m = self.thread.ordering.get(list, index);
            let mut child = position.clone();
            child.play(m);
            if !(K::FINDS_WINS && self.config.winning_moves)
                && let Some(outcome) = child.outcome()
            {
                let value = -end(&child, outcome, ply);
                if value >= beta.max(PROVEN) {
                    return Some(value);
                }
                continue;
            }
            let key = child.key();
            let Some(entry) = self.table.probe(key) else { continue };
            let value = -score::from_table(entry.value, ply);
            if entry.is_upper() && value >= beta && self.suffices(entry, depth - PLY) {
                // The table knows no repetitions.
                if let Some(times) = self.drawn_at {
                    self.path.push(key, position.is_irreversible(m));
                    let repeats = self.path.repeats(times);
                    self.take_back();
                    if repeats {
                        continue;
                    }
                }
                self.doubt.is_shallow |= !is_certain(entry);
                return Some(value);
            }
        }
        None
    }

    /// Adaptive null move (paper `mia`, 3): who is above beta even after a pass needs no proof.
    #[inline(always)]
    fn null_move(&mut self, node: &Node<'_, G, K::State>) -> Option<i32> {
        let Node { position, beta, depth, role, .. } = *node;
        // One ply at least is left after the null move, and it must save one.
        if !self.config.null_move || !node.tries_null || depth <= 2 * PLY {
            return None;
        }
        let knowledge = &self.thread.knowledge;
        let (child, state) = knowledge.null_move(position, node.state)?;
        let deep = if knowledge.is_endgame(position) { 8 } else { 6 };
        let reduction = if role == Role::All || depth > deep * PLY { 3 } else { 2 };
        let key = child.key();
        self.thread.ordering.makes(None, node.ply);
        if self.drawn_at.is_some() {
            self.path.push(key, true);
        }
        let value = -self.search(Node {
            position: &child,
            state: &state,
            key,
            alpha: -beta,
            beta: 1 - beta,
            depth: (depth - (1 + reduction) * PLY).max(PLY),
            ply: node.ply + 1,
            role: role.of_child(),
            tries_null: false,
        });
        self.take_back();
        // A forced win after a pass is none.
        self.doubt.is_shallow = true;
        (value >= beta).then_some(value.min(PROVEN - 1))
    }

    /// Multi-cut: where several moves fail high at a lower depth, one of them will do it; and one
    /// is enough if no greater depth can change it.
    #[inline(always)]
    fn multi_cut(
        &mut self,
        node: &Node<'_, G, K::State>,
        list: &mut List,
        table_move: Option<G::Move>,
    ) -> Option<i32> {
        let options = self.config.multi_cut?;
        let depth = node.depth - (1 + options.reduction) * PLY;
        if depth < PLY {
            return None;
        }
        let mut cuts = 0;
        for index in 0..options.moves {
            let m = self.pick((node.position, node.state), list, index, table_move)?;
            let (child, state) = self.play(node, m);
            self.doubt = Doubt::NONE;
            let value = -self.search(Node {
                position: &child,
                state: &state,
                key: child.key(),
                alpha: -node.beta,
                beta: 1 - node.beta,
                depth,
                ply: node.ply + 1,
                role: node.role.of_child(),
                tries_null: true,
            });
            self.take_back();
            if self.budget.is_exhausted() {
                return None;
            }
            if value >= node.beta {
                cuts += 1;
                if self.doubt == Doubt::NONE {
                    return Some(value);
                }
                if cuts == options.cuts {
                    return Some(node.beta);
                }
            }
        }
        None
    }

    /// The next move of a node.
    #[inline(always)]
    fn pick(
        &mut self,
        (position, state): (&G, &K::State),
        list: &mut List,
        index: usize,
        table_move: Option<G::Move>,
    ) -> Option<G::Move> {
        let Thread { knowledge, ordering, .. } = &mut *self.thread;
        if index == ordering.len(list) {
            ordering.complete(knowledge, (position, state), list, table_move);
        }
        ordering.pick(list, index)
    }

    /// The best line from `ply` on begins with `m`.
    fn extend_line(&mut self, m: G::Move, ply: usize) {
        if let [line, rest, ..] = &mut self.thread.lines[ply..] {
            line.clear();
            line.push(m);
            line.extend_from_slice(rest);
        }
    }
}
