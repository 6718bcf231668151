//! Compares the speed of Spinney's UCT with that of the crates `treant` and `minimax`, on one thread,
//! and with its own on two threads.
//!
//! All sides play the same game by the same code, end every simulation with the same random
//! playout and prove what they can; only their trees differ. They take turns for a few rounds, and
//! the medians are compared. The exit code is 0 if every requirement holds, else 1.

mod measure;
mod ours;
mod peer_minimax;
mod peer_treant;

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Parser;
use serde_json::{Value, json};
use spinney_game::Repetition;
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;
use spinney_games::loa::Loa;
use spinney_search::mcts::Parallelism;

use crate::measure::{Counts, Done, Task};

/// Compares the speed of Spinney's UCT with that of the crates `treant` and `minimax`.
#[derive(Parser)]
struct Arguments {
    /// Print one JSON object instead of tables.
    #[arg(long)]
    json: bool,
    /// Measurements of each side.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
}

/// A board to compare on.
struct Board {
    name: &'static str,
    size: Size,
    simulations: u64,
    /// Of our rate to that of each peer; `None` where the ratio is only told.
    required_ratio: Option<f64>,
}

const BOARDS: &[Board] = &[
    Board { name: "5x5", size: Size::FIVE, simulations: 500_000, required_ratio: Some(2.0) },
    Board { name: "8x8", size: Size::EIGHT, simulations: 100_000, required_ratio: None },
];

/// Another search.
struct Peer {
    name: &'static str,
    search: fn(Task) -> Result<Done>,
    /// The coefficient with which our formula explores as much as the peer's.
    exploration: f32,
}

const PEERS: &[Peer] = &[
    Peer { name: "treant", search: peer_treant::search, exploration: peer_treant::EXPLORATION },
    Peer { name: "minimax", search: peer_minimax::search, exploration: peer_minimax::EXPLORATION },
];

/// The limit on a playout of LOA, as in the bench of the program.
const LOA_PLAYOUT_PLIES: u32 = 200;

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let mut comparisons = Vec::new();
    for board in BOARDS {
        for peer in PEERS {
            comparisons.push(compare(board, peer, arguments.rounds)?);
        }
    }
    let breakthrough = Breakthrough::new(Size::FIVE);
    let scalings = [
        measure_scaling("breakthrough 5x5", &breakthrough, 1_000_000, u32::MAX, true, &arguments),
        measure_scaling(
            "loa 8x8",
            &Loa::<8>::default(),
            100_000,
            LOA_PLAYOUT_PLIES,
            false,
            &arguments,
        ),
    ];
    let scalings = scalings.concat();

    let holds = comparisons.iter().all(Comparison::holds) && scalings.iter().all(Scaling::holds);
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let result = json!({
            "holds": holds,
            "rounds": arguments.rounds,
            "comparisons": comparisons.iter().map(Comparison::to_json).collect::<Vec<_>>(),
            "scalings": scalings.iter().map(Scaling::to_json).collect::<Vec<_>>(),
        });
        writeln!(out, "{result:#}")?;
    } else {
        print_tables(&mut out, arguments.rounds, &comparisons, &scalings)?;
    }
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Says what is going on, away from the result on standard output.
fn note(text: &str) {
    // Nothing depends on whether anybody can read it.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The rounds of one side.
#[derive(Default)]
struct Side {
    /// Simulations per second.
    rates: Vec<f64>,
    /// Simulations per second of processor time.
    processor_rates: Vec<f64>,
    /// Added up over all rounds.
    simulations: u64,
    playouts: u64,
    plies: u64,
}

impl Side {
    fn add(&mut self, task: Task, done: &Done) -> Result<()> {
        let Counts { playouts, finished, plies } = done.counts;
        ensure!(
            done.simulations == task.simulations && playouts + finished == task.simulations,
            "{} simulations wanted; {} went through the root, {playouts} had a playout and \
             {finished} met the end of the game",
            task.simulations,
            done.simulations,
        );
        let simulations = task.simulations as f64;
        self.rates.push(simulations / done.time.wall.as_secs_f64());
        self.processor_rates.push(simulations / done.time.processor.as_secs_f64());
        self.simulations += task.simulations;
        self.playouts += playouts;
        self.plies += plies;
        Ok(())
    }

    fn to_json(&self) -> Value {
        json!({
            "median": median(&self.rates),
            "rounds": self.rates,
            "processor_median": median(&self.processor_rates),
            "processor_rounds": self.processor_rates,
            "simulations": self.simulations,
            "playouts": self.playouts,
            "plies": self.plies,
        })
    }

    /// The share of simulations that ended with a playout, and the mean length of those.
    fn describe(&self) -> (f64, f64) {
        let playouts = self.playouts as f64;
        (playouts / self.simulations as f64, self.plies as f64 / playouts.max(1.0))
    }
}

/// A peer and ourselves on a board.
struct Comparison {
    board: &'static Board,
    peer: &'static Peer,
    theirs: Side,
    ours: Side,
}

/// The two sides alternate because the load of the machine changes while this runs.
fn compare(board: &'static Board, peer: &'static Peer, rounds: u64) -> Result<Comparison> {
    note(&format!("breakthrough {}: {}", board.name, peer.name));
    let mut comparison = Comparison { board, peer, theirs: Side::default(), ours: Side::default() };
    for seed in 0..rounds {
        let start = Breakthrough::new(board.size);
        let task = Task { start, simulations: board.simulations, seed };
        comparison.theirs.add(task, &(peer.search)(task)?)?;
        comparison.ours.add(task, &ours::search(task, peer.exploration)?)?;
    }
    Ok(comparison)
}

impl Comparison {
    fn ratio(&self) -> f64 {
        median(&self.ours.rates) / median(&self.theirs.rates)
    }

    fn processor_ratio(&self) -> f64 {
        median(&self.ours.processor_rates) / median(&self.theirs.processor_rates)
    }

    /// By both clocks: on a busy machine the time on the wall alone may flatter us.
    fn holds(&self) -> bool {
        let ratio = self.ratio().min(self.processor_ratio());
        self.board.required_ratio.is_none_or(|required| ratio >= required)
    }

    fn to_json(&self) -> Value {
        json!({
            "game": format!("breakthrough {}", self.board.name),
            "peer": self.peer.name,
            "simulations": self.board.simulations,
            "exploration": self.peer.exploration,
            "ratio": self.ratio(),
            "processor_ratio": self.processor_ratio(),
            "required_ratio": self.board.required_ratio,
            "holds": self.holds(),
            "theirs": self.theirs.to_json(),
            "spinney": self.ours.to_json(),
        })
    }
}

/// Two threads beside one.
#[derive(Clone)]
struct Scaling {
    game: &'static str,
    parallelism: &'static str,
    simulations: u64,
    one: Vec<f64>,
    two: Vec<f64>,
    required_ratio: Option<f64>,
}

/// `judged`: whether the game's ratios are required or only told.
fn measure_scaling<G: Repetition>(
    game: &'static str,
    start: &G,
    simulations: u64,
    max_plies: u32,
    judged: bool,
    arguments: &Arguments,
) -> Vec<Scaling> {
    note(&format!("{game}: two threads"));
    let mut one = Vec::new();
    let (mut root, mut tree) = (Vec::new(), Vec::new());
    for seed in 0..arguments.rounds {
        let rate = |threads| ours::rate_of_threads(start, simulations, max_plies, threads, seed);
        one.push(rate((1, Parallelism::Root)));
        root.push(rate((2, Parallelism::Root)));
        tree.push(rate((2, Parallelism::Tree)));
    }
    [("root", root, 1.8), ("tree", tree, 1.6)]
        .map(|(parallelism, two, required)| Scaling {
            game,
            parallelism,
            simulations,
            one: one.clone(),
            two,
            required_ratio: judged.then_some(required),
        })
        .to_vec()
}

impl Scaling {
    fn ratio(&self) -> f64 {
        median(&self.two) / median(&self.one)
    }

    fn holds(&self) -> bool {
        self.required_ratio.is_none_or(|required| self.ratio() >= required)
    }

    fn to_json(&self) -> Value {
        json!({
            "game": self.game,
            "parallelism": self.parallelism,
            "simulations": self.simulations,
            "ratio": self.ratio(),
            "required_ratio": self.required_ratio,
            "holds": self.holds(),
            "one_thread": { "median": median(&self.one), "rounds": self.one },
            "two_threads": { "median": median(&self.two), "rounds": self.two },
        })
    }
}

fn median(rates: &[f64]) -> f64 {
    let mut sorted = rates.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// What is required, and whether it holds.
fn verdict(required: Option<f64>, holds: bool) -> (String, &'static str) {
    match required {
        Some(required) => (format!("{required}"), if holds { "yes" } else { "NO" }),
        None => ("-".to_string(), "-"),
    }
}

fn print_tables(
    out: &mut impl Write,
    rounds: u64,
    comparisons: &[Comparison],
    scalings: &[Scaling],
) -> Result<()> {
    writeln!(out, "simulations per second, medians of {rounds} rounds, one thread\n")?;
    writeln!(
        out,
        "{:18} {:8} {:>12} {:>12} {:>7} {:>10} {:>9}  holds",
        "game", "peer", "peer /s", "Spinney /s", "ratio", "processor", "required",
    )?;
    for comparison in comparisons {
        let Comparison { board, peer, theirs, ours } = comparison;
        let (required, holds) = verdict(board.required_ratio, comparison.holds());
        writeln!(
            out,
            "breakthrough {:5} {:8} {:12.0} {:12.0} {:7.2} {:10.2} {required:>9}  {holds}",
            board.name,
            peer.name,
            median(&theirs.rates),
            median(&ours.rates),
            comparison.ratio(),
            comparison.processor_ratio(),
        )?;
    }

    writeln!(out, "\nthe simulations: those that ended with a playout, and its mean length\n")?;
    writeln!(
        out,
        "{:18} {:8} {:>11} {:>10} {:>10} {:>13} {:>13}",
        "game", "peer", "exploration", "peer", "Spinney", "peer plies", "Spinney plies",
    )?;
    for Comparison { board, peer, theirs, ours } in comparisons {
        let ((their_share, their_plies), (our_share, our_plies)) =
            (theirs.describe(), ours.describe());
        writeln!(
            out,
            "breakthrough {:5} {:8} {:11.2} {:9.2}% {:9.2}% {their_plies:13.2} {our_plies:13.2}",
            board.name,
            peer.name,
            peer.exploration,
            100.0 * their_share,
            100.0 * our_share,
        )?;
    }

    writeln!(out, "\nSpinney's simulations per second, two threads beside one\n")?;
    writeln!(
        out,
        "{:18} {:8} {:>12} {:>12} {:>7} {:>10} {:>9}  holds",
        "game", "threads", "one /s", "two /s", "ratio", "", "required",
    )?;
    for scaling in scalings {
        let (required, holds) = verdict(scaling.required_ratio, scaling.holds());
        writeln!(
            out,
            "{:18} {:8} {:12.0} {:12.0} {:7.2} {:>10} {required:>9}  {holds}",
            scaling.game,
            scaling.parallelism,
            median(&scaling.one),
            median(&scaling.two),
            scaling.ratio(),
            "",
        )?;
    }
    Ok(())
}
