//! A game in 60 lines, and UCT on it: `cargo run --release --example connect_four [SIMULATIONS]`.

#![allow(clippy::print_stdout, reason = "an example")]

use spinney_game::{Game, Hashed, History, Outcome, Repetition, Side, Symmetric};
use spinney_search::mcts::{Config, Decision, Mcts};
use spinney_search::policy::Random;
use spinney_search::{Limits, Stop};

/// Stones are dropped into seven columns of six squares; four in a row win. A column has seven bits, the
/// seventh always empty, so that no row goes on in the next column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct ConnectFour {
    stones: [u64; 2],
}

const COLUMNS: u32 = 7;
const HEIGHT: u32 = 7;
const FLOOR: u64 = 0x0408_1020_4081;
const TOP: u64 = FLOOR << (HEIGHT - 2);

impl ConnectFour {
    fn taken(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }
}

impl Game for ConnectFour {
    type Move = u8;

    fn to_move(&self) -> Side {
        if self.taken().count_ones().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        let top = self.taken() & TOP;
        let is_free = |&column: &u8| top >> (u32::from(column) * HEIGHT) & 0x3f == 0;
        moves.extend((0..COLUMNS as u8).filter(is_free));
    }

    fn play(&mut self, column: u8) {
        let floor = 1 << (u32::from(column) * HEIGHT);
        // Adding to the stones of a column carries to the first square above them.
        let square = (self.taken() + floor) & !self.taken() & (floor * 0x3f);
        self.stones[self.to_move().index()] |= square;
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = !self.to_move();
        let stones = self.stones[winner.index()];
        let has_four = [1, HEIGHT - 1, HEIGHT, HEIGHT + 1].iter().any(|step| {
            let pairs = stones & stones >> step;
            pairs & pairs >> (2 * step) != 0
        });
        match self.taken() & TOP {
            _ if has_four => Some(Outcome::Win(winner)),
            TOP => Some(Outcome::Draw),
            _ => None,
        }
    }
}

// A hash for tables, no draw by repetition, no symmetries: the defaults.
impl Hashed for ConnectFour {}
impl Repetition for ConnectFour {}
impl Symmetric for ConnectFour {}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let simulations = std::env::args().nth(1).map_or(Ok(10_000), |text| text.parse())?;
    let decision = Decision { stop_early: false, ..Decision::default() };
    let mut uct = Mcts::new(Config { decision, ..Config::default() }, Random::default(), 1);
    let game = History::new(ConnectFour::default());
    let report = uct.search(&game, &Limits::simulations(simulations), &Stop::new(), &mut |_| ());
    for candidate in &report.candidates {
        println!("column {}: {} visits, {:+.3}", candidate.m, candidate.visits, candidate.value);
    }
    println!("{} simulations, {} plies in playouts", report.simulations, report.playout_plies);
    Ok(())
}
