//! The dummy game: its grammar, repetition, random trees.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use spinney_game::conformance::{check, fuzz_parsers, legal_moves};
use spinney_game::{Game, Hashed, History, Notation, Outcome, Repetition, Rng, Side};
use spinney_games::dummy::{Dummy, RandomTree};

const TEXTS: [&str; 7] = [
    "(+) first",
    "((+ -) (= (- +))) first",
    "((+ *-) =) second",
    "a:(+ b:(- a) b) first 3",
    "loop:(loop) second 2",
    "(shared:(+ =) x1:- (shared *(shared x1) -)) first",
    "= second",
];

fn read(text: &str) -> Dummy {
    text.parse().unwrap()
}

fn after(start: &Dummy, moves: &[u32]) -> Dummy {
    moves.iter().fold(start.clone(), |mut position, &m| {
        position.play(m);
        position
    })
}

#[test]
fn texts_are_written_as_they_are_read() {
    for text in TEXTS {
        assert_eq!(read(text).position_text(), text);
    }
    assert_eq!(read(" ( +(-=)\t+ ) ").position_text(), "(+ (- =) +) first");
    assert_eq!(read("*(+) 2").position_text(), "(+) first 2");
}

#[test]
fn conforms() {
    for text in TEXTS {
        check(&read(text));
    }
    let cyclic =
        RandomTree { transpositions: 0.2, cycles: 0.2, drawn_at: Some(3), ..RandomTree::default() };
    for seed in 0..5 {
        check(&Dummy::random(&RandomTree::default(), &mut Rng::new(seed)));
        check(&Dummy::random(&cyclic, &mut Rng::new(seed)));
    }
}

#[test]
fn parsers_survive_damaged_texts() {
    for text in TEXTS {
        fuzz_parsers(&read(text), 20_000, 1);
    }
}

#[test]
fn children_are_moves_and_leaves_are_outcomes() {
    let start = read("((+ -) =)");
    assert_eq!(legal_moves(&start), [0, 1]);
    assert_eq!(start.to_move(), Side::First);
    assert_eq!(after(&start, &[1]).outcome(), Some(Outcome::Draw));
    assert_eq!(after(&start, &[0]).to_move(), Side::Second);
    assert_eq!(after(&start, &[0]).outcome(), None);
    assert_eq!(after(&start, &[0, 0]).outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(after(&start, &[0, 1]).outcome(), Some(Outcome::Win(Side::Second)));
    assert_eq!(after(&start, &[0, 1]).position_text(), "((+ *-) =) first");
    assert_eq!((start.perft(1), start.perft(2), start.perft(3)), (2, 2, 0));
    assert_eq!(start.parse_move("1"), Ok(1));
    assert!(start.parse_move("2").unwrap_err().to_string().contains("from 0 to 1"));
    assert!(after(&start, &[1]).parse_move("0").unwrap_err().to_string().contains("over"));
}

#[test]
fn names_make_transpositions() {
    let start = read("((shared:(+ -)) (shared) shared)");
    let [one, other, at_once] =
        [after(&start, &[0, 0]), after(&start, &[1, 0]), after(&start, &[2])];
    assert!(one == other && one.key() == other.key());
    assert!(one != at_once && one.key() != at_once.key(), "the other side is to move");
}

#[test]
fn positions_repeat() {
    // An even cycle: back at the root after two plies.
    let mut history = History::new(read("a:(+ (- a)) first 2"));
    history.play(1);
    assert_eq!(history.outcome(), None);
    history.play(1);
    assert_eq!(history.outcome(), Some(Outcome::Draw));
    // An odd one: after one ply the other side is to move, which is another position.
    let mut history = History::new(read("a:(a) first 3"));
    for _ in 0..4 {
        assert_eq!(history.outcome(), None);
        history.play(0);
    }
    assert_eq!(history.outcome(), Some(Outcome::Draw));
    assert_eq!(read("(+)").drawn_at(), None);
}

#[test]
fn trees_have_keys_of_their_own() {
    let [one, other] = [read("(+ -)"), read("(- +)")];
    assert!(one != other && one.key() != other.key());
    let [one, other] = [read("a:(+ -) 2"), read("(+ -) 2")];
    assert!(one == other && one.key() == other.key(), "names mean nothing");
    assert!(read("(+ -) 2") != read("(+ -) 3"));
}

#[test]
fn errors_say_what_is_wrong() {
    for (text, expected) in [
        ("", "it ends within a list"),
        ("(+", "it ends within a list"),
        (")", "it begins with )"),
        ("()", "a list () without moves"),
        ("(+ ())", "a list () without moves"),
        ("(+ é)", "'é' at character 4: expected a node"),
        ("(+ 7)", "'7' at character 4: expected a node"),
        ("(+ a:)", "')' at character 6: expected a node"),
        ("(+ *)", "')' at character 5: expected a node"),
        ("(+ b)", "the name b is not given to a node before it is used"),
        ("(b b:+)", "the name b is not given to a node before it is used"),
        ("(a:+ a:-)", "the name a is given twice"),
        ("(a:+ *a)", "* before the name a"),
        ("(*+ *-)", "a second * at character 5"),
        ("(+) third", "\"third\" after the last node"),
        ("(+) first 1", "\"1\" after the last node"),
        ("(+) 2 first", "after the last node"),
        ("(+)(-)", "\"(-)\" after the last node"),
        ("a:(+ (a))", "the node a can repeat: say how often"),
    ] {
        let message = match text.parse::<Dummy>() {
            Ok(_) => panic!("{text} was read"),
            Err(error) => error.to_string(),
        };
        assert!(message.contains(expected), "{text}: {message}");
    }
}

#[test]
fn deep_trees_do_not_overflow_the_stack() {
    let depth = 200_000;
    let text = format!("{}+{} first", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(read(&text).position_text(), text);
    assert!("(".repeat(depth).parse::<Dummy>().is_err());
}

#[test]
fn random_trees_have_the_shape_asked_for() {
    let shape = RandomTree { depth: 4, branching: 2..=3, ..RandomTree::default() };
    let mut draws = 0;
    let mut leaves = 0;
    for seed in 0..200 {
        let tree = Dummy::random(&shape, &mut Rng::new(seed));
        assert!(tree == Dummy::random(&shape, &mut Rng::new(seed)), "the seed decides");
        assert_eq!(tree.to_move(), Side::First);
        assert!((2..=3).contains(&tree.count_moves()));
        assert_eq!(tree.perft(5), 0);
        let text = tree.position_text();
        draws += text.matches('=').count();
        leaves += text.matches(['+', '-', '=']).count();
    }
    let share = draws as f64 / leaves as f64;
    assert!((0.17..0.23).contains(&share), "{share}");

    let decisive = RandomTree { draws: 0.0, early_ends: 0.0, ..shape };
    let tree = Dummy::random(&decisive, &mut Rng::new(1));
    assert!(!tree.position_text().contains('='));
    assert!(tree.perft(4) >= 16, "every leaf is four plies deep");
}

#[test]
fn random_trees_are_cheap() {
    let mut rng = Rng::new(1);
    let nodes: usize =
        (0..10_000).map(|_| Dummy::random(&RandomTree::default(), &mut rng).nodes()).sum();
    assert!((20..500).contains(&(nodes / 10_000)), "{nodes}");
}
