//! Small pieces of knowledge to test searches with.

use std::sync::LazyLock;

use spinney_game::{Game, Hashed, Move as _};
use spinney_games::board::Square;
use spinney_games::loa::knowledge::categories::category;
use spinney_games::loa::{Loa, Move};
use spinney_search::knowledge::{Evaluate, MoveOrder, Oracle, PlayoutModel};

/// For any game: values, classes and probabilities at random, but always the same.
#[derive(Clone)]
pub(crate) struct Noise;

fn mixed(number: u64) -> u64 {
    let mixed = (number ^ (number >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

impl<G: Hashed> Evaluate<G> for Noise {
    type State = u64;

    fn state(&mut self, position: &G) -> u64 {
        position.key()
    }

    fn update(&mut self, state: &mut u64, position: &G, m: G::Move) {
        assert_eq!(*state, position.key(), "the state is that before the move");
        let mut child = position.clone();
        child.play(m);
        *state = child.key();
    }

    fn evaluate(&mut self, position: &G, state: &u64) -> i32 {
        assert_eq!(*state, position.key(), "the state follows the position");
        (mixed(position.key()) % 401) as i32 - 200
    }
}

impl<G: Hashed> MoveOrder<G> for Noise {
    fn order_class(&self, _: &G, m: G::Move) -> u8 {
        (mixed(m.pack().into()) % 3) as u8
    }

    fn is_tactical(&self, _: &G, m: G::Move) -> bool {
        mixed(m.pack().into()).is_multiple_of(5)
    }

    fn prior(&self, _: &G, m: G::Move) -> f32 {
        (1 + mixed(m.pack().into()) % 100) as f32 / 100.0
    }
}

impl<G: Hashed> PlayoutModel<G> for Noise {}
impl<G: Hashed> Oracle<G> for Noise {}

/// LOA: the men near the middle of the board and near each other; captures into the inner board
/// are tactical.
#[derive(Clone)]
pub(crate) struct Lines;

const INNER: [u64; 3] = [0x0000_3c3c_3c3c_0000, 0x007e_7e7e_7e7e_7e00, 0x0000_0018_1800_0000];

/// For each square and axis, the squares of the line.
static LINES: LazyLock<[[u64; 4]; 64]> = LazyLock::new(|| {
    std::array::from_fn(|square| {
        [(1, 0), (0, 1), (1, 1), (1, -1)].map(|(file, rank)| {
            let on_board = |steps: i32| {
                let to = (square as i32 % 8 + steps * file, square as i32 / 8 + steps * rank);
                ((0..8).contains(&to.0) && (0..8).contains(&to.1)).then_some(to.0 + 8 * to.1)
            };
            (-7..8).filter_map(on_board).fold(0, |line, to| line | 1 << to)
        })
    })
});

fn side_value(men: u64) -> i32 {
    let count = men.count_ones() as i32;
    let sum = INNER.iter().map(|&board| (men & board).count_ones() as i32).sum::<i32>();
    let pairs = [1, 7, 8, 9].map(|shift| (men & men >> shift).count_ones() as i32);
    100 * (sum + pairs.iter().sum::<i32>()) / count
}

impl Evaluate<Loa> for Lines {
    type State = ();

    #[inline(always)]
    fn state(&mut self, _: &Loa) {}

    #[inline(always)]
    fn update(&mut self, _: &mut (), _: &Loa, _: Move) {}

    #[inline(always)]
    fn evaluate(&mut self, position: &Loa, _: &()) -> i32 {
        let side = position.to_move();
        side_value(position.men(side)) - side_value(position.men(!side))
    }

    #[inline(always)]
    fn null_move(&self, position: &Loa, _: &()) -> Option<(Loa, ())> {
        let mut child = position.clone();
        child.play(Move::PASS);
        Some((child, ()))
    }
}

impl PlayoutModel<Loa> for Lines {}
impl Oracle<Loa> for Lines {}

impl MoveOrder<Loa> for Lines {
    #[inline(always)]
    fn order_class(&self, position: &Loa, m: Move) -> u8 {
        match position.is_capture(m) {
            true if INNER[0] & m.to.bit() != 0 => 2,
            true if INNER[1] & m.to.bit() != 0 => 1,
            _ => 0,
        }
    }

    #[inline(always)]
    fn is_tactical(&self, position: &Loa, m: Move) -> bool {
        position.is_capture(m) && INNER[0] & m.to.bit() != 0
    }

    #[inline(always)]
    fn prior(&self, position: &Loa, m: Move) -> f32 {
        category(position, m).map_or(1.0, |category| category.probability::<8>())
    }

    #[inline(always)]
    fn is_endgame(&self, position: &Loa) -> bool {
        position.men(position.to_move()).count_ones() < 5
    }

    #[inline(always)]
    fn is_legal(&self, position: &Loa, m: Move) -> Option<bool> {
        if m.is_pass() {
            return None;
        }
        let (own, enemy) = (position.men(position.to_move()), position.men(!position.to_move()));
        if own & m.from.bit() == 0 || own & m.to.bit() != 0 {
            return Some(false);
        }
        let files = i32::from(m.to.file()) - i32::from(m.from.file());
        let ranks = i32::from(m.to.rank()) - i32::from(m.from.rank());
        let axis = match (files, ranks) {
            (_, 0) => 0,
            (0, _) => 1,
            _ if files == ranks => 2,
            _ if files == -ranks => 3,
            _ => return Some(false),
        };
        let line = LINES[m.from.index()][axis];
        let distance = files.abs().max(ranks.abs());
        let (low, high) = (m.from.bit().min(m.to.bit()), m.from.bit().max(m.to.bit()));
        let between = line & (high - low) & !low;
        Some(((own | enemy) & line).count_ones() as i32 == distance && between & enemy == 0)
    }

    #[inline(always)]
    fn tactical_moves(&self, position: &Loa, (): &(), moves: &mut Vec<Move>) {
        // Backwards from the men that may be taken.
        let (own, enemy) = (position.men(position.to_move()), position.men(!position.to_move()));
        let mut targets = enemy & INNER[0];
        while targets != 0 {
            let to = Square(targets.trailing_zeros() as u8);
            targets &= targets - 1;
            for (line, offset) in LINES[to.index()].into_iter().zip([1, 8, 9, -7]) {
                let distance = ((own | enemy) & line).count_ones() as i32 * offset;
                for from in [i32::from(to.0) + distance, i32::from(to.0) - distance] {
                    if !(0..64).contains(&from) {
                        continue;
                    }
                    let bit = 1_u64 << from;
                    let (low, high) = (bit.min(to.bit()), bit.max(to.bit()));
                    if own & line & bit != 0 && line & (high - low) & !low & enemy == 0 {
                        moves.push(Move { from: Square(from as u8), to });
                    }
                }
            }
        }
    }
}

#[test]
fn short_cuts_agree_with_the_list() {
    let mut rng = spinney_game::Rng::new(1);
    for _ in 0..100 {
        let mut position = Loa::<8>::default();
        while position.outcome().is_none() {
            let mut moves = spinney_game::conformance::legal_moves(&position);
            for number in 0..4096_u32 {
                let m = Move { from: Square((number % 64) as u8), to: Square((number / 64) as u8) };
                if let Some(legal) = Lines.is_legal(&position, m) {
                    assert_eq!(legal, moves.contains(&m), "{position:?} {m:?}");
                }
            }
            let mut tactical = Vec::new();
            Lines.tactical_moves(&position, &(), &mut tactical);
            moves.retain(|&m| Lines.is_tactical(&position, m));
            assert_eq!(tactical.len(), moves.len());
            assert!(moves.iter().all(|m| tactical.contains(m)), "{position:?}");
            position.play(position.random_move(&mut rng));
        }
    }
}
