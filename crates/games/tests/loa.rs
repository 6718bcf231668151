//! Lines of Action: the conformance suite, perft tables of independent programs, a naive twin.

use spinney_game::conformance::{self, Naive};
use spinney_game::{Game, GameOptionKind, GameSettings, Hashed, History, Notation, Outcome, Side};
use spinney_games::loa::{self, Loa, Loa6, NoMove, RepetitionRule, Rules, Simultaneous, Start};

fn loa(text: &str) -> Loa {
    Loa::default().parse_position(text).expect("a position")
}

#[test]
fn conforms() {
    conformance::check(&Loa::<8>::default());
    conformance::check(&Loa6::default());
    conformance::check(&Loa::<8>::new(Start::ScrambledEggs, Rules::default()));
    let rules = Rules {
        simultaneous: Simultaneous::MoverWins,
        no_move: NoMove::Loses,
        repetition: RepetitionRule::Second,
    };
    conformance::check(&Loa6::new(Start::Standard, rules));
}

/// The options in the facts about the game are those that the rules read, with the same defaults.
#[test]
fn options_are_words_of_the_rules() {
    let settings = GameSettings::new(&loa::INFO);
    let rules = Rules {
        simultaneous: settings.choice("simultaneous").parse().expect("a word"),
        no_move: settings.choice("no-move").parse().expect("a word"),
        repetition: settings.choice("repetition").parse().expect("a word"),
    };
    assert_eq!(rules, Rules::default());
    assert_eq!(settings.choice("start").parse(), Ok(Start::default()));
    // What a rule does not read, its error lists.
    fn words<T: std::str::FromStr<Err: std::fmt::Display> + std::fmt::Debug>() -> String {
        let message = "?".parse::<T>().expect_err("no word").to_string();
        message.split_once("one of ").expect("a list").1.to_owned()
    }
    for option in loa::INFO.options {
        let GameOptionKind::Choice(listed) = option.kind else { panic!("{option:?}") };
        let known = match option.key {
            "start" => words::<Start>(),
            "simultaneous" => words::<Simultaneous>(),
            "no-move" => words::<NoMove>(),
            "repetition" => words::<RepetitionRule>(),
            key => panic!("no rule {key}"),
        };
        assert_eq!(listed.join(", "), known);
    }
}

#[test]
fn parsers_survive_anything() {
    conformance::fuzz_parsers(&Loa::<8>::default(), 20_000, 1);
    conformance::fuzz_parsers(&Loa6::default(), 20_000, 2);
}

/// `testdata/perft/loa.txt`: name, position, depth, leaves.
#[test]
fn perft_equals_the_tables() {
    let table = include_str!("../../../testdata/perft/loa.txt");
    let mut lines = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, position, depth, leaves] = fields[..] else { panic!("{line}") };
        let depth: u32 = depth.parse().unwrap();
        let leaves: u64 = leaves.parse().unwrap();
        if leaves > 100_000_000 {
            continue; // `perft_of_the_start` goes deeper.
        }
        assert_eq!(loa(position).perft(depth), leaves, "{name} at depth {depth}");
        lines += 1;
    }
    assert!(lines > 30);
}

#[test]
fn perft_of_the_start() {
    assert_eq!(Loa::<8>::default().perft(6), 1_938_494_632);
}

#[test]
#[ignore = "a minute; for the nightly profile"]
fn perft_of_the_start_to_depth_7() {
    assert_eq!(Loa::<8>::default().perft(7), 68_593_739_064);
}

#[test]
fn start_positions() {
    assert_eq!(Loa::<8>::default().position_text(), "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b");
    assert_eq!(Loa6::default().position_text(), "1xxxx1/o4o/o4o/o4o/o4o/1xxxx1 b");
    assert_eq!(
        Loa::<8>::new(Start::ScrambledEggs, Rules::default()).position_text(),
        "1oxoxox1/x6o/o6x/x6o/o6x/x6o/o6x/1xoxoxo1 b"
    );
}

#[test]
fn moves_of_figure_1b() {
    // d3 in the middle of a made-up position: the distance is the number of men on each line.
    let position = loa("8/8/8/8/1o6/1x1x1o2/8/5o2 b");
    let texts: Vec<String> = conformance::legal_moves(&position)
        .into_iter()
        .filter(|m| m.from.to_string() == "d3")
        .map(|m| position.move_text(m))
        .collect();
    // Rank 3 has three men: g3 is behind f3, a3 is reached over the own man on b3. The diagonal
    // to f1 has two men: f1 is captured, b5 is empty.
    let mut sorted = texts;
    sorted.sort();
    assert_eq!(sorted, ["d3-a3", "d3-b5", "d3-c2", "d3-d2", "d3-d4", "d3-e4", "d3xf1"]);
}

#[test]
fn ends() {
    assert_eq!(loa("8/8/8/8/8/8/xx6/5o1o w").outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(loa("8/8/8/8/8/8/x1x5/6oo w").outcome(), Some(Outcome::Win(Side::Second)));
    assert_eq!(loa("8/8/8/8/8/8/x7/7o w").outcome(), Some(Outcome::Draw));
    assert_eq!(loa("8/8/8/8/8/8/x1x5/5o1o w").outcome(), None);
    // A capture may connect the enemy: the mover loses by its own move.
    let mut position = loa("x7/8/8/8/2o5/8/2x5/6oo b");
    position.play(position.parse_move("c2xc4").unwrap());
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::Second)));
}

#[test]
fn rule_presets_change_the_outcome() {
    let both = "8/8/8/8/8/8/x7/7o w";
    let rules = Rules { simultaneous: Simultaneous::MoverWins, ..Rules::default() };
    let position = Loa::<8>::new(Start::Standard, rules).parse_position(both).unwrap();
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));

    let no_move = "8/8/2x5/x7/1x1x4/xx1x4/1xx1x3/o2ox3 w";
    let under = |no_move_rule| {
        let rules = Rules { no_move: no_move_rule, ..Rules::default() };
        Loa::<8>::new(Start::Standard, rules).parse_position(no_move).unwrap()
    };
    assert_eq!(under(NoMove::Pass).outcome(), None);
    assert_eq!(
        under(NoMove::Pass).move_text(conformance::legal_moves(&under(NoMove::Pass))[0]),
        "pass"
    );
    assert_eq!(under(NoMove::Loses).outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(under(NoMove::Draw).outcome(), Some(Outcome::Draw));
}

#[test]
fn repetition_follows_the_preset() {
    let circle = ["b1-b3", "a2-c2", "b3-b1", "c2-a2"];
    let plies_until_draw = |repetition| {
        let rules = Rules { repetition, ..Rules::default() };
        let mut history = History::new(Loa::<8>::new(Start::Standard, rules));
        for ply in 0..40 {
            if history.outcome().is_some() {
                return Some(ply);
            }
            let m = history.position().parse_move(circle[ply % 4]).unwrap();
            history.play(m);
        }
        None
    };
    assert_eq!(plies_until_draw(RepetitionRule::Second), Some(4));
    assert_eq!(plies_until_draw(RepetitionRule::Third), Some(8));
    assert_eq!(plies_until_draw(RepetitionRule::None), None);
}

#[test]
fn broken_input_is_refused_with_a_reason() {
    let start = Loa::<8>::default();
    let position_error = |text| match start.parse_position(text) {
        Ok(_) => panic!("{text} was read"),
        Err(error) => error.to_string(),
    };
    assert!(position_error("1xxxxxx1/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b").contains("8x7"));
    assert!(position_error("8/8/8/8/8/8/8/x7 b").contains("White has no men"));
    let move_error = |text| match start.parse_move(text) {
        Ok(_) => panic!("{text} was read"),
        Err(error) => error.to_string(),
    };
    assert!(move_error("b1-b4").contains("not a legal move"));
    assert!(move_error("a2-c2").contains("no man of the side to move"));
    assert!(move_error("pass").contains("passing is not allowed"));
    assert!(move_error("é1-b4").contains("expected a move"));
    assert_eq!(start.parse_move("B1:D3"), start.parse_move("b1d3"));
}

#[test]
fn the_key_tells_the_side_to_move() {
    let black = loa("8/8/8/8/8/8/x1x5/5o1o b");
    let white = loa("8/8/8/8/8/8/x1x5/5o1o w");
    assert_ne!(black.key(), white.key());
}

/// LOA on an array of characters, square by square.
struct NaiveLoa {
    rows: Vec<Vec<char>>, // from the first rank
    side: char,
}

const DIRECTIONS: [(i32, i32); 8] =
    [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)];

impl NaiveLoa {
    fn read(text: &str) -> NaiveLoa {
        let (board, side) = text.split_once(' ').expect("a diagram");
        let rows = board.split('/').rev().map(|row| {
            row.chars()
                .flat_map(|c| match c.to_digit(10) {
                    Some(n) => vec!['.'; n as usize],
                    None => vec![c],
                })
                .collect()
        });
        NaiveLoa { rows: rows.collect(), side: side.chars().next().expect("a side") }
    }

    fn at(&self, row: i32, column: i32) -> Option<char> {
        self.rows.get(usize::try_from(row).ok()?)?.get(usize::try_from(column).ok()?).copied()
    }

    fn squares(&self) -> Vec<(i32, i32)> {
        let length = self.rows.len() as i32;
        (0..length).flat_map(|row| (0..length).map(move |column| (row, column))).collect()
    }

    fn is_connected(&self, man: char) -> bool {
        let men: Vec<(i32, i32)> =
            self.squares().into_iter().filter(|&(r, c)| self.at(r, c) == Some(man)).collect();
        let mut group = vec![men[0]];
        let mut next = 0;
        while next < group.len() {
            let (row, column) = group[next];
            next += 1;
            for (dr, dc) in DIRECTIONS {
                let neighbour = (row + dr, column + dc);
                if men.contains(&neighbour) && !group.contains(&neighbour) {
                    group.push(neighbour);
                }
            }
        }
        group.len() == men.len()
    }

    fn destination(&self, row: i32, column: i32, (dr, dc): (i32, i32)) -> Option<(i32, i32)> {
        let (own, enemy) = if self.side == 'b' { ('x', 'o') } else { ('o', 'x') };
        let men =
            (-7..=7).filter(|i| matches!(self.at(row + i * dr, column + i * dc), Some('x' | 'o')));
        let distance = men.count() as i32;
        for step in 1..distance {
            if self.at(row + step * dr, column + step * dc)? == enemy {
                return None;
            }
        }
        let to = (row + distance * dr, column + distance * dc);
        (self.at(to.0, to.1)? != own).then_some(to)
    }
}

impl Naive for NaiveLoa {
    fn outcome(&self) -> Option<Outcome> {
        match (self.is_connected('x'), self.is_connected('o')) {
            (true, true) => Some(Outcome::Draw),
            (true, false) => Some(Outcome::Win(Side::First)),
            (false, true) => Some(Outcome::Win(Side::Second)),
            (false, false) => None,
        }
    }

    fn to_move(&self) -> Side {
        if self.side == 'b' { Side::First } else { Side::Second }
    }

    fn successors(&self) -> Vec<(String, NaiveLoa)> {
        let own = if self.side == 'b' { 'x' } else { 'o' };
        let next_side = if self.side == 'b' { 'w' } else { 'b' };
        let mut successors = Vec::new();
        for (row, column) in self.squares() {
            if self.at(row, column) != Some(own) {
                continue;
            }
            for direction in DIRECTIONS {
                let Some(to) = self.destination(row, column, direction) else { continue };
                let mut rows = self.rows.clone();
                rows[row as usize][column as usize] = '.';
                let taken = std::mem::replace(&mut rows[to.0 as usize][to.1 as usize], own);
                let name = |(r, c): (i32, i32)| format!("{}{}", (b'a' + c as u8) as char, r + 1);
                let separator = if taken == '.' { '-' } else { 'x' };
                let text = format!("{}{separator}{}", name((row, column)), name(to));
                successors.push((text, NaiveLoa { rows, side: next_side }));
            }
        }
        if successors.is_empty() {
            let rows = self.rows.clone();
            successors.push(("pass".to_owned(), NaiveLoa { rows, side: next_side }));
        }
        successors
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for row in self.rows.iter().rev() {
            let mut empty = 0;
            for &c in row.iter().chain(['/'].iter()) {
                if c == '.' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text.push_str(&empty.to_string());
                    empty = 0;
                }
                text.push(c);
            }
        }
        text.pop();
        format!("{text} {}", self.side)
    }
}

#[test]
fn equals_the_naive_twin() {
    conformance::check_against_naive(&Loa::<8>::default(), NaiveLoa::read, 30);
    conformance::check_against_naive(&Loa6::default(), NaiveLoa::read, 60);
    conformance::check_perft_against_naive(&Loa6::default(), NaiveLoa::read, 3);
}

#[test]
fn single_moves_are_judged_as_the_list_does() {
    use spinney_game::Rng;
    use spinney_games::board::Square;
    use spinney_games::loa::Move;
    let mut rng = Rng::new(9);
    for _ in 0..20 {
        let mut position = Loa::<8>::default();
        for _ in 0..40 {
            let moves = conformance::legal_moves(&position);
            for from in 0..64 {
                for to in (0..64).filter(|&to| to != from) {
                    let m = Move { from: Square(from), to: Square(to) };
                    assert_eq!(position.is_legal(m), moves.contains(&m), "{position:?} {m:?}");
                }
            }
            if position.outcome().is_some() {
                break;
            }
            position.play(position.random_move(&mut rng));
        }
    }
}
