//! A game with nothing but what the contract requires conforms, and its default key is one.

use std::collections::HashMap;

use spinney_game::conformance::{check, fuzz_parsers};
use spinney_game::{
    Game, Hashed, History, Move, Notation, Outcome, Playable, PositionError, Repetition, Rng, Side,
    Symmetric,
};

/// Nim: a move takes one man or more from one heap; who takes the last wins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Nim {
    heaps: Vec<u8>,
    second_to_move: bool,
}

/// A move: the number of men taken from a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Take {
    heap: u8,
    men: u8,
}

impl Move for Take {
    fn pack(self) -> u32 {
        u32::from(self.heap) << 8 | u32::from(self.men)
    }

    fn unpack(number: u32) -> Self {
        Take { heap: (number >> 8) as u8, men: number as u8 }
    }
}

impl Game for Nim {
    type Move = Take;

    fn to_move(&self) -> Side {
        if self.second_to_move { Side::Second } else { Side::First }
    }

    fn legal_moves(&self, moves: &mut Vec<Take>) {
        for (heap, &size) in (0..).zip(&self.heaps) {
            moves.extend((1..=size).map(|men| Take { heap, men }));
        }
    }

    fn play(&mut self, m: Take) {
        self.heaps[usize::from(m.heap)] -= m.men;
        self.second_to_move = !self.second_to_move;
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_over = self.heaps.iter().all(|&size| size == 0);
        is_over.then(|| Outcome::Win(!self.to_move()))
    }
}

impl Hashed for Nim {}
impl Repetition for Nim {}
impl Symmetric for Nim {}

impl Notation for Nim {
    fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
        let error = |problem: &str| PositionError::new(text, problem);
        let (heaps, side) = text.split_once(' ').ok_or_else(|| error("expected heaps and side"))?;
        let heaps: Result<Vec<u8>, _> = heaps.split('/').map(str::parse).collect();
        Ok(Nim {
            heaps: heaps.map_err(|_| error("a heap is a number"))?,
            second_to_move: match side {
                "first" => false,
                "second" => true,
                _ => return Err(error("expected first or second")),
            },
        })
    }

    fn position_text(&self) -> String {
        let heaps: Vec<String> = self.heaps.iter().map(u8::to_string).collect();
        format!("{} {}", heaps.join("/"), if self.second_to_move { "second" } else { "first" })
    }
}

fn nim(text: &str) -> Nim {
    let any = Nim { heaps: Vec::new(), second_to_move: false };
    any.parse_position(text).expect("a position")
}

#[test]
fn a_minimal_game_conforms() {
    fn is_playable<G: Playable>(_: &G) {}
    let start = nim("3/4/5/6 first");
    is_playable(&start);
    check(&start);
    fuzz_parsers(&nim("3/4/5 first"), 20_000, 1);
}

/// What a game need not say.
#[test]
fn defaults_are_the_plainest() {
    let start = nim("1/2 first");
    assert_eq!((start.count_moves(), start.perft(1), start.perft(2)), (3, 3, 5));
    assert_eq!((start.drawn_at(), start.ending()), (None, ""));
    let m = Take { heap: 1, men: 2 };
    assert_eq!(start.move_text(m), "Take { heap: 1, men: 2 }");
    assert_eq!(start.move_label(m), start.move_text(m));
    assert_eq!(start.parse_move(" Take { heap: 1, men: 2 } "), Ok(m));
    assert!(start.parse_move("Take { heap: 1, men: 3 }").is_err());
    assert!(!start.is_irreversible(m));
    assert_eq!((start.symmetries(), start.transform_move(m, 0)), (1, m));
    assert!(start.transformed(0) == start && start.transformed_key(0) == start.key());
    let mut history = History::new(start);
    history.play(m);
    history.play(Take { heap: 0, men: 1 });
    assert_eq!(history.outcome(), Some(Outcome::Win(Side::Second)));
    assert!(history.position().parse_move("Take { heap: 0, men: 1 }").is_err());
}

/// Moves that are numbers are packed as they are.
#[test]
fn numbers_are_moves() {
    assert_eq!((7_u8.pack(), u8::unpack(7)), (7, 7));
    assert_eq!((0xfffe_u16.pack(), u16::unpack(0xfffe)), (0xfffe, 0xfffe));
    assert_eq!((u32::MAX.pack(), u32::unpack(u32::MAX)), (u32::MAX, u32::MAX));
}

#[test]
fn equal_positions_have_equal_keys_and_others_have_others() {
    // All ways to the same position.
    let mut keys: HashMap<Nim, u64> = HashMap::new();
    for seed in 0..2_000 {
        let mut rng = Rng::new(seed);
        let mut position = nim("6/7/8/9 first");
        while position.outcome().is_none() {
            let key = *keys.entry(position.clone()).or_insert_with(|| position.key());
            assert_eq!(position.key(), key);
            assert_eq!(nim(&position.position_text()).key(), key);
            position.play_random(&mut rng);
        }
    }
    let mut different: Vec<u64> = keys.values().copied().collect();
    different.sort_unstable();
    different.dedup();
    assert!(keys.len() > 2_000, "{}", keys.len());
    assert_eq!(different.len(), keys.len(), "two positions share a key");

    // Whatever a hash is made of tells positions apart.
    let one = nim("1/2 first").key();
    for other in ["2/1 first", "1/2 second", "1/2/0 first", "1/3 first", "1 first"] {
        assert_ne!(nim(other).key(), one, "{other}");
    }
    // The slots of a path are the lowest bits of keys, those of tables the highest.
    for shift in [0, 54] {
        let mut slots = [0_u32; 1024];
        different.iter().for_each(|key| slots[(key >> shift) as usize % 1024] += 1);
        let mean = different.len() as f64 / 1024.0;
        let chi_square: f64 =
            slots.iter().map(|&count| (f64::from(count) - mean).powi(2) / mean).sum();
        let deviations = (chi_square - 1023.0) / (2.0 * 1023.0_f64).sqrt();
        assert!(deviations.abs() < 5.0, "bits from {shift}: {deviations}");
    }
}

/// All sorts of fields, hashed as `derive` does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Fields {
    side: Side,
    last: Option<Outcome>,
    flag: bool,
    numbers: (u8, u16, u32, u64, u128, usize),
    signed: (i8, i16, i32, i64, i128, isize),
    squares: [u8; 5],
    list: Vec<u8>,
    text: String,
    letter: char,
}

impl Game for Fields {
    type Move = u8;

    fn to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, _moves: &mut Vec<u8>) {}

    fn play(&mut self, _m: u8) {}

    fn outcome(&self) -> Option<Outcome> {
        self.last
    }
}

impl Hashed for Fields {}

fn fields() -> Fields {
    Fields {
        side: Side::Second,
        last: Some(Outcome::Win(Side::First)),
        flag: true,
        numbers: (1, 2, 3, 4, 5, 6),
        signed: (-1, -2, -3, -4, -5, -6),
        squares: [1, 2, 3, 4, 5],
        list: (0..20).collect(),
        text: "text".to_owned(),
        letter: 'x',
    }
}

/// Keys are the same on every machine and in every build: tables and golden numbers rest on them.
#[test]
fn keys_are_the_same_everywhere() {
    assert_eq!(nim("3/4/5 first").key(), 7_125_463_697_964_686_314);
    assert_eq!(fields().key(), 5_394_211_912_328_835_033);
}

#[test]
fn every_field_counts() {
    let usual = fields();
    let (numbers, signed) = (usual.numbers, usual.signed);
    let others = [
        Fields { side: Side::First, ..usual.clone() },
        Fields { last: Some(Outcome::Draw), ..usual.clone() },
        Fields { last: None, ..usual.clone() },
        Fields { flag: false, ..usual.clone() },
        Fields { numbers: (2, 1, 3, 4, 5, 6), ..usual.clone() },
        Fields { numbers: (1, 2, 3, 4, 5 << 64, 6), ..usual.clone() },
        Fields { numbers: (1, 2, 3, 4 << 60, numbers.4, 6), ..usual.clone() },
        Fields { signed: (1, -2, -3, -4, -5, -6), ..usual.clone() },
        Fields { signed: (-1, -2, -3, -4, 5, signed.5), ..usual.clone() },
        Fields { squares: [1, 2, 3, 4, 6], ..usual.clone() },
        Fields { list: (0..21).collect(), ..usual.clone() },
        Fields { text: "texts".to_owned(), ..usual.clone() },
        Fields { letter: 'o', ..usual.clone() },
    ];
    let mut keys: Vec<u64> = others.iter().map(Hashed::key).chain([usual.key()]).collect();
    assert_eq!(usual.clone().key(), usual.key());
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), others.len() + 1);
}
