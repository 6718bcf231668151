//! `spinney bench`: how fast each part is, on fixed work with fixed seeds.
//!
//! Every figure is `<name> <number> <unit>`; the last line is a signature: the number of positions
//! all this work visited. The times vary, the signature changes only when behaviour does.

use std::io::Write;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use spinney_game::{Game, History, Path, Repetition, Rng, cpu, random_playout};
use spinney_games::atarigo::AtariGo;
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;
use spinney_games::catalog::closest;
use spinney_games::chess::Chess;
use spinney_games::domineering::Domineering;
use spinney_games::knightthrough::Knightthrough;
use spinney_games::loa::Loa;
use spinney_games::loa::knowledge::cache::CachedEvaluation;
use spinney_games::loa::knowledge::evaluation::Evaluation;
use spinney_games::misere::Misere;
use spinney_games::nogo::NoGo;
use spinney_players::{PlayerSpec, create};
use spinney_search::mcts::{Config, Mcts};
use spinney_search::policy::Random;
use spinney_search::{Limits, Stop, nested as nested_search};

/// The limit on a play-out of LOA (paper `mcts-loa`, V.A: a draw after 200 moves).
const LOA_PLAYOUT_PLIES: u32 = 200;
/// Games that cannot go on for ever need no limit.
const NO_LIMIT: u32 = u32::MAX;
/// Repetitions of each measurement; the median counts.
const ROUNDS: u64 = 5;

#[derive(Args)]
pub(crate) struct Bench {
    /// The figures to measure, such as loa-playouts; all if none is named.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// A figure: its name, its unit, and one round of work.
struct Figure {
    name: &'static str,
    work: fn(round: u64) -> Work,
}

/// What a round did: the things counted in the figure, and the positions visited.
struct Work {
    done: u64,
    visited: u64,
}

const FIGURES: &[Figure] = &[
    Figure {
        name: "loa-playouts",
        work: |round| playouts(Loa::<8>::default(), 20_000, LOA_PLAYOUT_PLIES, round),
    },
    Figure { name: "loa-perft", work: |_| perft(Loa::<8>::default(), 5) },
    Figure {
        name: "loa-uct",
        work: |round| uct(Loa::<8>::default(), 20_000, LOA_PLAYOUT_PLIES, round),
    },
    Figure { name: "loa-mc-loa", work: |round| player("mc-loa", 10_000, round) },
    Figure { name: "loa-mc-loa-ab", work: |round| player("mc-loa-ab", 3_000, round) },
    Figure { name: "loa-evaluation", work: evaluations },
    Figure { name: "loa-mia", work: |round| alpha_beta("mia", 9, round) },
    Figure { name: "loa-mia-classic", work: |round| alpha_beta("mia-classic", 6, round) },
    Figure {
        name: "chess-playouts",
        work: |round| playouts(Chess::start(), 4_000, NO_LIMIT, round),
    },
    Figure { name: "chess-perft", work: |_| perft(Chess::start(), 5) },
    Figure { name: "chess-uct", work: |round| uct(Chess::start(), 4_000, NO_LIMIT, round) },
    Figure {
        name: "breakthrough-5x5-playouts",
        work: |round| playouts(Breakthrough::new(Size::FIVE), 300_000, NO_LIMIT, round),
    },
    Figure {
        name: "breakthrough-5x5-uct",
        work: |round| uct(Breakthrough::new(Size::FIVE), 500_000, NO_LIMIT, round),
    },
    Figure {
        name: "breakthrough-8x8-playouts",
        work: |round| playouts(Breakthrough::new(Size::EIGHT), 80_000, NO_LIMIT, round),
    },
    Figure {
        name: "breakthrough-8x8-uct",
        work: |round| uct(Breakthrough::new(Size::EIGHT), 100_000, NO_LIMIT, round),
    },
    Figure {
        name: "knightthrough-5x5-playouts",
        work: |round| playouts(Knightthrough::new(Size::FIVE), 300_000, NO_LIMIT, round),
    },
    Figure {
        name: "domineering-5x5-playouts",
        work: |round| playouts(Domineering::new(Size::FIVE), 300_000, NO_LIMIT, round),
    },
    Figure {
        name: "nogo-5x5-playouts",
        work: |round| playouts(NoGo::new(Size::FIVE), 100_000, NO_LIMIT, round),
    },
    Figure {
        name: "atarigo-5x5-playouts",
        work: |round| playouts(AtariGo::new(Size::FIVE), 100_000, NO_LIMIT, round),
    },
    Figure { name: "breakthrough-nested", work: |round| nested(Breakthrough::default(), round) },
    Figure {
        name: "breakthrough-misere-nested",
        work: |round| nested(Misere(Breakthrough::default()), round),
    },
    Figure { name: "knightthrough-nested", work: |round| nested(Knightthrough::default(), round) },
    Figure {
        name: "knightthrough-misere-nested",
        work: |round| nested(Misere(Knightthrough::default()), round),
    },
    Figure { name: "domineering-nested", work: |round| nested(Domineering::default(), round) },
    Figure {
        name: "domineering-misere-nested",
        work: |round| nested(Misere(Domineering::default()), round),
    },
    Figure { name: "nogo-nested", work: |round| nested(NoGo::default(), round) },
    Figure { name: "nogo-misere-nested", work: |round| nested(Misere(NoGo::default()), round) },
    Figure { name: "atarigo-nested", work: |round| nested(AtariGo::default(), round) },
];

impl Bench {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        for name in &self.names {
            if !FIGURES.iter().any(|figure| figure.name == name) {
                match closest(name, FIGURES.iter().map(|figure| figure.name)) {
                    Some(guess) => bail!("figure {name:?}: unknown; did you mean {guess:?}?"),
                    None => bail!("figure {name:?}: unknown; `bench` without names has them all"),
                }
            }
        }
        let mut signature = 0;
        for figure in FIGURES {
            if !self.names.is_empty() && !self.names.iter().any(|name| name == figure.name) {
                continue;
            }
            let (rate, visited) = figure.measure();
            signature += visited;
            writeln!(out, "{} {rate:.0} /s", figure.name)?;
            if figure.name.ends_with("-evaluation") {
                writeln!(out, "{}-time {:.1} ns", figure.name, 1e9 / rate)?;
            }
            out.flush()?;
        }
        writeln!(out, "signature {signature}")?;
        Ok(())
    }
}

impl Figure {
    /// The median rate of all rounds, and the positions they visited.
    fn measure(&self) -> (f64, u64) {
        let mut rates = Vec::new();
        let mut visited = 0;
        for round in 0..ROUNDS {
            let start = Instant::now();
            let work = (self.work)(round);
            rates.push(work.done as f64 / start.elapsed().as_secs_f64());
            visited += work.visited;
        }
        rates.sort_by(f64::total_cmp);
        (rates[rates.len() / 2], visited)
    }
}

fn perft<G: Game>(start: G, plies: u32) -> Work {
    let leaves = start.perft(plies);
    Work { done: leaves, visited: leaves }
}

/// Simulations of plain UCT with the solver. What the signature counts are the nodes of the tree.
fn uct<G: Repetition>(start: G, simulations: u64, max_plies: u32, seed: u64) -> Work {
    let config = Config { stop_early: false, ..Config::default() };
    let mut search = Mcts::new(config, Random { max_plies }, seed);
    let limits = Limits::simulations(simulations);
    let report = search.search(&History::new(start), &limits, &Stop::new(), &mut |_| ());
    Work { done: report.simulations, visited: report.nodes }
}

/// Positions visited by nested search: the last column of Table 3 of paper `nmcs`.
fn nested<G: Repetition>(start: G, seed: u64) -> Work {
    let config = nested_search::Config {
        level: 2,
        discounting: true,
        repeat: true,
        ..nested_search::Config::default()
    };
    let limits = Limits::nodes(1_000_000);
    let report = nested_search::search(&History::new(start), &config, &limits, &Stop::new(), seed);
    Work { done: report.nodes, visited: report.nodes }
}

/// Simulations of a player of LOA from the start.
fn player(name: &str, simulations: u64, seed: u64) -> Work {
    let start = Loa::<8>::default();
    let player = name.parse().and_then(|spec: PlayerSpec| create(&spec, &start, seed));
    let mut player = player.expect("a player of the catalog");
    let limits = Limits::simulations(simulations);
    let report = player.analyse(&History::new(start), &limits, &Stop::new(), &mut |_| ());
    Work { done: report.simulations, visited: report.nodes }
}

/// Nodes of a player of LOA to a depth, from the start position.
fn alpha_beta(player: &str, depth: u32, seed: u64) -> Work {
    let start = Loa::<8>::default();
    let spec: Option<PlayerSpec> = player.parse().ok();
    let Some(mut player) = spec.and_then(|spec| create(&spec, &start, seed).ok()) else {
        return Work { done: 0, visited: 0 };
    };
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let report = player.analyse(&History::new(start), &limits, &Stop::new(), &mut |_| ());
    Work { done: report.nodes, visited: report.nodes }
}

/// How often every successor is evaluated, so that finding the positions takes little of the time.
const EVALUATIONS: u64 = 20;

/// Evaluations of all successors of the positions of random games.
fn evaluations(seed: u64) -> Work {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    while positions.len() < 5_000 {
        let mut position = Loa::<8>::default();
        while position.outcome().is_none() {
            positions.push(position.clone());
            position.play(position.random_move(&mut rng));
        }
    }
    cpu::run(Evaluations { positions })
}

struct Evaluations {
    positions: Vec<Loa>,
}

impl cpu::Kernel for Evaluations {
    type Output = Work;

    #[inline(always)]
    fn run(self) -> Work {
        let mut evaluation = CachedEvaluation::new(Evaluation::default(), true);
        let mut moves = Vec::new();
        let (mut done, mut sum) = (0, 0);
        for position in &self.positions {
            let state = evaluation.state(position);
            moves.clear();
            position.legal_moves(&mut moves);
            for _ in 0..EVALUATIONS {
                for &m in &moves {
                    sum += i64::from(evaluation.evaluate_after(position, &state, m));
                }
            }
            done += EVALUATIONS * moves.len() as u64;
        }
        // The values too are part of the signature.
        Work { done, visited: done + sum.unsigned_abs() % 1000 }
    }
}

fn playouts<G: Repetition>(start: G, count: u64, max_plies: u32, seed: u64) -> Work {
    cpu::run(Playouts { start, count, max_plies, seed })
}

/// Random play-outs from one position.
struct Playouts<G> {
    start: G,
    count: u64,
    max_plies: u32,
    seed: u64,
}

impl<G: Repetition> cpu::Kernel for Playouts<G> {
    type Output = Work;

    #[inline(always)]
    fn run(self) -> Work {
        let mut rng = Rng::new(self.seed);
        let mut path = Path::new(self.start.key());
        let mut visited = 0;
        for _ in 0..self.count {
            let playout = random_playout(self.start.clone(), &mut path, self.max_plies, &mut rng);
            visited += u64::from(playout.plies);
        }
        Work { done: self.count, visited }
    }
}
