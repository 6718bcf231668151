//! Nested Monte Carlo search as a player.

use std::time::Duration;

use spinney_game::{History, Move, Repetition, Rng};

use super::playout::{End, NEVER, Playouts};
use super::score::Score;
use super::{Config, Order};
use crate::tries::Try;
use crate::{Budget, Limits, Report, Stop};

/// Searches the present position of a game, with [`RootChoice`] in one go.
pub fn search<G: Repetition>(
    history: &History<G>,
    config: &Config,
    limits: &Limits,
    stop: &Stop,
    seed: u64,
) -> Report {
    RootChoice::new(history, *config, stop, seed).run(history, limits, stop)
}

/// One search of the player Π(V(NMC(n))), which may be done in slices: judges every move by an NMC(n) playout of the position after it, and
/// plays the best. V_D of a move that wins at once is 1.
///
/// Without [`Config::repeat`] every move gets one playout, as in the paper; the choice at the root
/// is then one of nesting level n + 1, with its cut and its pruning if they are active there. The
/// value of a move whose playout was given up is that of the best. With `repeat` further passes
/// follow until a limit is reached, without cut and pruning at the root, and the best mean is
/// played. If the budget ends before every move had its playout, the best so far counts.
///
/// A simulation is one NMC(n) playout; nodes are positions visited. `Limits::depth` means nothing.
#[derive(Clone, Debug)]
pub struct RootChoice {
    /// The key of the position.
    root: u64,
    config: Config,
    rng: Rng,
    /// The moves in the order they are tried.
    tries: Vec<Try>,
    /// The one that is next in this pass, and the best score of the pass.
    next: usize,
    best: Score,
    /// Playouts so far, and positions visited.
    simulations: u64,
    nodes: u64,
    /// By the clock of the host.
    started: Duration,
}

impl RootChoice {
    /// Begins to search the present position of a game.
    pub fn new<G: Repetition>(
        history: &History<G>,
        config: Config,
        stop: &Stop,
        seed: u64,
    ) -> Self {
        let mut rng = Rng::new(seed);
        let mut moves = Vec::new();
        history.position().legal_moves(&mut moves);
        if config.order == Order::Random {
            for index in (1..moves.len()).rev() {
                moves.swap(index, rng.below(index as u32 + 1) as usize);
            }
        }
        let tries = moves.into_iter().map(|m| Try::new(m.pack())).collect();
        RootChoice {
            root: history.position().key(),
            config,
            rng,
            tries,
            next: 0,
            best: Score::WORST,
            simulations: 0,
            nodes: 0,
            started: stop.now(),
        }
    }

    /// Searches until a limit, the flag or a pause ends it. Limits are the same in every slice; another
    /// position begins another search.
    pub fn run<G: Repetition>(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
    ) -> Report {
        if history.outcome().is_some() {
            return Report::empty();
        }
        if self.root != history.position().key() {
            *self = RootChoice::new(history, self.config, stop, self.rng.next_u64());
        }
        let mut path = history.path().clone();
        let mut budget = Budget::resumed(limits, stop, self.started, self.nodes);
        let most = limits.simulations.unwrap_or(u64::MAX);
        let (config, mut rng) = (self.config, self.rng.clone());
        let mut playouts = Playouts {
            config: &config,
            moves: &mut Vec::new(),
            path: &mut path,
            rng: &mut rng,
            budget: &mut budget,
        };
        while self.simulations < most
            && self.is_unfinished()
            && !playouts.budget.is_exhausted()
            && !playouts.budget.is_paused()
            && self.try_next(history.position(), &mut playouts)
        {}
        self.rng = rng;
        self.nodes = budget.visited();
        self.report(stop)
    }

    /// Whether there are playouts to do: one pass over the moves, or one after the other.
    fn is_unfinished(&self) -> bool {
        self.config.repeat || self.next < self.tries.len()
    }

    /// Plays out the next move; `false` if the budget ran out.
    fn try_next<G: Repetition>(&mut self, position: &G, playouts: &mut Playouts<'_, G>) -> bool {
        let Config { level, discounting, repeat, .. } = *playouts.config;
        let cuts = !repeat && level < playouts.config.cut_on_win;
        let prunes = !repeat && discounting && level < playouts.config.prune_on_depth;
        if self.next == self.tries.len() {
            (self.next, self.best) = (0, Score::WORST);
        }
        let tried = &mut self.tries[self.next];
        let length = playouts.path.len();
        let mut successor = position.clone();
        playouts.play(&mut successor, G::Move::unpack(tried.m));
        let end = match playouts.budget.spend(1) {
            true => End::OutOfBudget,
            false => {
                let hopeless = if prunes { self.best.unbeatable_from() } else { NEVER };
                playouts.nested(level, successor, 1, hopeless)
            }
        };
        playouts.path.truncate(length);
        if end == End::OutOfBudget {
            return false;
        }
        let score = end.score(position.to_move(), discounting).unwrap_or(self.best);
        self.best = self.best.max(score);
        tried.add(score.value());
        self.simulations += 1;
        self.next = if cuts && score.is_win() { self.tries.len() } else { self.next + 1 };
        true
    }

    fn report(&self, stop: &Stop) -> Report {
        let mut tries = self.tries.clone();
        // The best first; of equally good moves the first that was tried. Moves without a playout
        // come last.
        let mean = |tried: &Try| tried.mean_or(0.0);
        tries.sort_by(|a, b| (b.visits > 0).cmp(&(a.visits > 0)).then(mean(b).total_cmp(&mean(a))));
        // Where nothing is known, or only that all moves tried are lost, the choice is random.
        if let Some(first) = tries.first()
            && (first.visits == 0 || (!self.config.discounting && mean(first) <= -1.0))
        {
            let index = self.rng.clone().below(tries.len() as u32) as usize;
            tries[..=index].rotate_right(1);
        }
        Report {
            simulations: self.simulations,
            nodes: self.nodes,
            elapsed: stop.now().saturating_sub(self.started),
            ..Report::of(tries.iter().map(|tried| tried.candidate(0.0)).collect())
        }
    }
}
