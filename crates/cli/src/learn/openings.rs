//! `spinney learn openings`: balanced openings of LOA, for matches (papers `mcts-loa`, VI, and
//! `ab-playouts`, V: a standardized set of 100 starting positions after three plies).

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use spinney_game::{Game, Move as _, Notation, Rng, Symmetric};
use spinney_games::loa::knowledge::evaluation::Evaluation;
use spinney_games::loa::knowledge::lines::Lines;
use spinney_games::loa::{Loa, Move};

use super::Board;

#[derive(Args)]
pub(super) struct Openings {
    /// The game.
    #[arg(long, value_name = "GAME", default_value = "loa")]
    game: Board,
    /// Plies of each opening.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=4))]
    plies: u32,
    /// Number of openings.
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Points that the evaluation may favour either side by, the turn left out.
    #[arg(long, default_value_t = 50)]
    balance: i32,
    /// Which of the balanced openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Openings {
    pub(super) fn run(&self, out: &mut impl Write) -> Result<()> {
        match self.game {
            Board::Loa => self.write::<8>(out, "LOA", ""),
            Board::Loa6 => self.write::<6>(out, "LOA 6x6", "--game loa6 "),
        }
    }

    fn write<const N: usize>(&self, out: &mut impl Write, title: &str, flag: &str) -> Result<()> {
        // 1. All positions after the plies, one of each class of symmetric ones.
        let mut classes = BTreeMap::new();
        collect(&Loa::<N>::default(), self.plies, &mut Vec::new(), &mut classes);
        // 2. The balanced ones.
        let evaluation = Evaluation::<N>::default();
        let all = classes.len();
        let mut balanced: Vec<(Vec<Move>, i32)> = classes
            .into_values()
            .map(|(position, moves)| (moves, balance(&evaluation, &position)))
            .filter(|&(_, value)| value.abs() <= self.balance)
            .collect();
        if balanced.len() < self.count {
            bail!("only {} of {all} openings are so balanced", balanced.len());
        }
        // 3. Some of them at random.
        let found = balanced.len();
        let mut rng = Rng::new(self.seed);
        for place in 0..self.count {
            let other = place + rng.below((found - place) as u32) as usize;
            balanced.swap(place, other);
        }
        balanced.truncate(self.count);
        balanced.sort_by_key(|(moves, _)| moves.iter().map(|m| m.pack()).collect::<Vec<_>>());
        writeln!(
            out,
            "# Openings of {title}, distinct up to symmetry and balanced by evaluation: after the moves, what\n\
             # the side to move is ahead in points, the turn left out. {} of {found} with at most {}, of {all} in all.\n\
             # Made by `spinney learn openings {flag}--plies {} --count {} --balance {} --seed {}`.",
            self.count, self.balance, self.plies, self.count, self.balance, self.seed
        )?;
        for (moves, value) in balanced {
            let mut position = Loa::<N>::default();
            for m in moves {
                write!(out, "{} ", position.move_text(m))?;
                position.play(m);
            }
            writeln!(out, "# {value}")?;
        }
        Ok(())
    }
}

/// A position and the moves to it, for each class of symmetric positions.
type Classes<const N: usize> = BTreeMap<u64, (Loa<N>, Vec<Move>)>;

/// The unfinished positions after `plies`, and the first way to one of each class.
fn collect<const N: usize>(
    position: &Loa<N>,
    plies: u32,
    moves: &mut Vec<Move>,
    classes: &mut Classes<N>,
) {
    if position.outcome().is_some() {
        return;
    }
    if plies == 0 {
        let images = (0..position.symmetries()).map(|index| position.transformed_key(index));
        let class = images.min().unwrap_or_default();
        classes.entry(class).or_insert_with(|| (position.clone(), moves.clone()));
        return;
    }
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    for m in legal {
        let mut next = position.clone();
        next.play(m);
        moves.push(m);
        collect(&next, plies - 1, moves, classes);
        moves.pop();
    }
}

/// What the side to move is ahead, without the worth of the turn: the mean of the values with either
/// side to move.
fn balance<const N: usize>(evaluation: &Evaluation<N>, position: &Loa<N>) -> i32 {
    let lines = Lines::new(position);
    let passed = evaluation.evaluate(&position.with_turn_passed(), &lines);
    (evaluation.evaluate(position, &lines) - passed) / 2
}
