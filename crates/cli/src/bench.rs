//! `spinney bench`: how fast each part is, on fixed work with fixed seeds.
//!
//! Every figure is `<name> <number> <unit>`; the last line is a signature: the number of positions
//! all this work visited. The times vary, the signature changes only when behaviour does.

use std::io::Write;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use spinney_game::{Game, Rng};
use spinney_games::loa::Loa;
use spinney_games::loa::knowledge::cache::CachedEvaluation;
use spinney_games::loa::knowledge::evaluation::Evaluation;
use spinney_session::{Limits, Registry, Report, Session, Stop, closest};

/// The limit on a playout of LOA (paper `mcts-loa`, V.A: a draw after 200 moves).
const LOA_PLAYOUT_PLIES: u32 = 200;
/// More plies than any other game lasts.
const NO_LIMIT: u32 = 100_000;
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
        work: |round| playouts("loa", 20_000, LOA_PLAYOUT_PLIES, round),
    },
    Figure { name: "loa-perft", work: |_| perft("loa", 5) },
    Figure { name: "loa-uct", work: |round| uct("loa", 20_000, LOA_PLAYOUT_PLIES, round) },
    Figure { name: "loa-mc-loa", work: |round| player("mc-loa-plus", 10_000, round) },
    Figure { name: "loa-mc-loa-ab", work: |round| player("mc-loa-ab-plus", 3_000, round) },
    Figure { name: "loa-evaluation", work: evaluations },
    Figure { name: "loa-mia", work: |round| alpha_beta("mia-plus", 9, round) },
    Figure {
        name: "loa-mia-classic",
        work: |round| alpha_beta("mia-classic:wins=on,threats=on", 6, round),
    },
    Figure { name: "chess-playouts", work: |round| playouts("chess", 4_000, NO_LIMIT, round) },
    Figure { name: "chess-perft", work: |_| perft("chess", 5) },
    Figure { name: "chess-uct", work: |round| uct("chess", 4_000, NO_LIMIT, round) },
    Figure {
        name: "breakthrough-5x5-playouts",
        work: |round| playouts("breakthrough", 300_000, NO_LIMIT, round),
    },
    Figure {
        name: "breakthrough-5x5-uct",
        work: |round| uct("breakthrough", 500_000, NO_LIMIT, round),
    },
    Figure {
        name: "breakthrough-8x8-playouts",
        work: |round| playouts("breakthrough:8x8", 80_000, NO_LIMIT, round),
    },
    Figure {
        name: "breakthrough-8x8-uct",
        work: |round| uct("breakthrough:8x8", 100_000, NO_LIMIT, round),
    },
    Figure {
        name: "knightthrough-5x5-playouts",
        work: |round| playouts("knightthrough", 300_000, NO_LIMIT, round),
    },
    Figure {
        name: "domineering-5x5-playouts",
        work: |round| playouts("domineering", 300_000, NO_LIMIT, round),
    },
    Figure { name: "nogo-5x5-playouts", work: |round| playouts("nogo", 100_000, NO_LIMIT, round) },
    Figure {
        name: "atarigo-5x5-playouts",
        work: |round| playouts("atarigo", 100_000, NO_LIMIT, round),
    },
    Figure { name: "breakthrough-nested", work: |round| nested("breakthrough", round) },
    Figure {
        name: "breakthrough-misere-nested",
        work: |round| nested("breakthrough-misere", round),
    },
    Figure { name: "knightthrough-nested", work: |round| nested("knightthrough", round) },
    Figure {
        name: "knightthrough-misere-nested",
        work: |round| nested("knightthrough-misere", round),
    },
    Figure { name: "domineering-nested", work: |round| nested("domineering", round) },
    Figure { name: "domineering-misere-nested", work: |round| nested("domineering-misere", round) },
    Figure { name: "nogo-nested", work: |round| nested("nogo", round) },
    Figure { name: "nogo-misere-nested", work: |round| nested("nogo-misere", round) },
    Figure { name: "atarigo-nested", work: |round| nested("atarigo", round) },
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

/// A built-in game at its start.
fn start(game: &str) -> Session {
    let game = Registry::builtin().game(game);
    game.expect("a built-in game").start()
}

fn perft(game: &str, plies: u32) -> Work {
    let leaves = start(game).perft(plies);
    Work { done: leaves, visited: leaves }
}

/// Random playouts from the start.
fn playouts(game: &str, count: u64, max_plies: u32, seed: u64) -> Work {
    let visited = start(game).random_playouts(count, max_plies, seed).plies;
    Work { done: count, visited }
}

/// Simulations of plain UCT with the solver. What the signature counts are the nodes of the tree.
fn uct(game: &str, simulations: u64, max_plies: u32, seed: u64) -> Work {
    let spec = format!("uct:stop-early=off,max-plies={max_plies}");
    search(game, &spec, &Limits::simulations(simulations), seed, |report| report.simulations)
}

/// Positions visited by nested search: the last column of Table 3 of paper `nmcs`.
fn nested(game: &str, seed: u64) -> Work {
    let spec = "nested:level=2,discounting=on,repeat=on";
    search(game, spec, &Limits::nodes(1_000_000), seed, |report| report.nodes)
}

/// Simulations of a player of LOA from the start.
fn player(name: &str, simulations: u64, seed: u64) -> Work {
    search("loa", name, &Limits::simulations(simulations), seed, |report| report.simulations)
}

/// Nodes of a player of LOA to a depth, from the start position.
fn alpha_beta(player: &str, depth: u32, seed: u64) -> Work {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    search("loa", player, &limits, seed, |report| report.nodes)
}

/// A search from the start of a built-in game; `done` says what of it is counted.
fn search(
    game: &str,
    player: &str,
    limits: &Limits,
    seed: u64,
    done: impl Fn(&Report) -> u64,
) -> Work {
    let session = start(game);
    let spec = player.parse().expect("a built-in player");
    let mut player = session.game().player(&spec, seed).expect("a built-in player");
    let report = player.analyse(&session, limits, &Stop::new(), &mut |_| ());
    let report = report.expect("limits that end it");
    Work { done: done(&report), visited: report.nodes }
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
    let mut evaluation = CachedEvaluation::new(Evaluation::default(), true);
    let mut moves = Vec::new();
    let (mut done, mut sum) = (0, 0);
    for position in &positions {
        let state = evaluation.state(position);
        moves.clear();
        position.legal_moves(&mut moves);
        for _ in 0..EVALUATIONS {
            sum += evaluation.sum_after(position, &state, &moves);
        }
        done += EVALUATIONS * moves.len() as u64;
    }
    // The values too are part of the signature.
    Work { done, visited: done + sum.unsigned_abs() % 1000 }
}
