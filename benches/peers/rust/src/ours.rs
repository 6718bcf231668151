//! Spinney's own search.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use spinney_game::cpu::{self, Kernel};
use spinney_game::{Game, History, Repetition, Rng};
use spinney_games::breakthrough::Breakthrough;
use spinney_search::mcts::{Config, Mcts, Parallelism};
use spinney_search::policy::{Policy, Random, Simulation};
use spinney_search::{Budget, Limits, Stop};

use crate::measure::{Clock, Done, Spent, Tally, Task};

/// One thread, with the exploration that a peer has.
pub(crate) fn search(task: Task, exploration: f32) -> Result<Done> {
    let Task { start, simulations, seed } = task;
    let tally = Arc::new(Tally::new(simulations));
    let policy = Counted { playouts: Random::default(), tally: Arc::clone(&tally) };
    let config = Config { exploration, stop_early: false, ..Config::default() };
    let begin = Clock::now();
    let mut search = Mcts::new(config, policy, seed);
    let limits = Limits::simulations(simulations);
    let report = search.search(&History::new(start), &limits, &Stop::new(), &mut |_| ());
    let end = Clock::now();
    let visits = report.candidates.iter().map(|candidate| candidate.visits).sum();
    let mut counts = tally.counts();
    // The policy is not asked where the game is over.
    counts.finished =
        simulations.checked_sub(counts.playouts).context("more playouts than simulations")?;
    Ok(Done { simulations: visits, counts, time: begin.until(end) })
}

/// Random playouts that are counted.
#[derive(Clone)]
struct Counted {
    playouts: Random,
    tally: Arc<Tally>,
}

impl Policy<Breakthrough> for Counted {
    fn playout(
        &mut self,
        position: Breakthrough,
        simulation: &mut Simulation<'_, Breakthrough>,
    ) -> Option<f32> {
        let before = simulation.budget.visited();
        let result = cpu::run(Playout { playouts: &mut self.playouts, position, simulation });
        self.tally.add_playout(simulation.budget.visited() - before);
        result
    }

    fn choose(
        &mut self,
        position: &Breakthrough,
        rng: &mut Rng,
        _budget: &mut Budget,
    ) -> <Breakthrough as Game>::Move {
        position.random_move(rng)
    }
}

/// A playout, compiled for the processor.
struct Playout<'a, 'b> {
    playouts: &'a mut Random,
    position: Breakthrough,
    simulation: &'a mut Simulation<'b, Breakthrough>,
}

impl Kernel for Playout<'_, '_> {
    type Output = Option<f32>;

    #[inline(always)]
    fn run(self) -> Option<f32> {
        self.playouts.playout(self.position, self.simulation)
    }
}

/// Simulations per second with this number of threads.
pub(crate) fn rate_of_threads<G: Repetition>(
    start: &G,
    simulations: u64,
    max_plies: u32,
    (threads, parallelism): (usize, Parallelism),
    seed: u64,
) -> f64 {
    let config = Config { threads, parallelism, stop_early: false, ..Config::default() };
    let begin = Clock::now();
    let mut search = Mcts::new(config, Random { max_plies }, seed);
    let limits = Limits::simulations(simulations);
    let history = History::new(start.clone());
    let report = search.search(&history, &limits, &Stop::new(), &mut |_| ());
    let Spent { wall, .. } = begin.until(Clock::now());
    report.simulations as f64 / wall.max(Duration::from_nanos(1)).as_secs_f64()
}
