//! Quiescence search: tactical moves to their end.

use spinney_game::Repetition;
use spinney_game::cpu::{self, Kernel};

use super::{LONGEST, Thread, Worker, end};
use crate::knowledge::{MoveOrder, Oracle};

impl<G: Repetition, K: MoveOrder<G> + Oracle<G>> Worker<'_, G, K> {
    /// The value of a position whose tactical moves are searched to their end. It is not finished.
    #[inline]
    pub(super) fn quiesce(
        &mut self,
        position: &G,
        state: &K::State,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        cpu::run(Quiesce { worker: self, position, state, alpha, beta, ply })
    }
}

/// Quiescence search, compiled for the processor.
struct Quiesce<'a, 'w, 'n, G: Repetition, K: MoveOrder<G> + Oracle<G>> {
    worker: &'a mut Worker<'w, G, K>,
    position: &'n G,
    state: &'n K::State,
    alpha: i32,
    beta: i32,
    ply: usize,
}

impl<G: Repetition, K: MoveOrder<G> + Oracle<G>> Kernel for Quiesce<'_, '_, '_, G, K> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Quiesce { worker, position, state, mut alpha, beta, ply } = self;
        // 1. The side to move need not make a tactical move.
        let mut best_value = worker.evaluate(position, state);
        if !worker.config.quiescence || best_value >= beta || ply >= LONGEST {
            return best_value;
        }
        alpha = alpha.max(best_value);
        // 2. Tactical moves.
        let Thread { knowledge, ordering, .. } = &mut *worker.thread;
        let mut list = ordering.open_tactical(knowledge, position, state);
        let mut index = 0;
        while let Some(m) = worker.thread.ordering.pick(&mut list, index) {
            index += 1;
            let mut child = position.clone();
            child.play(m);
            let value = match child.outcome() {
                _ if worker.visits(ply + 1) => -alpha,
                Some(outcome) => -end(&child, outcome, ply + 1),
                None => {
                    let mut state = state.clone();
                    worker.thread.knowledge.update(&mut state, position, m);
                    -worker.quiesce(&child, &state, -beta, -alpha, ply + 1)
                }
            };
            if worker.budget.is_exhausted() {
                best_value = beta;
                break;
            }
            best_value = best_value.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        worker.thread.ordering.close(&list);
        best_value
    }
}
