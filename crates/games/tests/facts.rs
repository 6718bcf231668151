//! What solvers take for granted, against plain brute force: on positions of random games on small boards.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::HashMap;

use spinney_game::{Game, Notation, Playable, Rng};
use spinney_games::atarigo::AtariGo;
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;
use spinney_games::domineering::Domineering;
use spinney_games::facts::Known;
use spinney_games::knightthrough::Knightthrough;
use spinney_games::nogo::NoGo;
use spinney_search::brute_force::{BruteForce, Options};
use spinney_search::knowledge::{Facts, NoKnowledge};
use spinney_search::{GameValue, Limits, Stop};

/// Plays random games. A value that is known is that of plain brute force; positions that share a key share
/// a value; images share a key; and the keys of children are found in either way.
///
/// Returns how many values were known.
fn check<G: Playable>(start: G) -> usize
where
    Known: Facts<G>,
{
    let options = Options { table_bytes: 1 << 20, threads: 1 };
    let mut plain = BruteForce::new(options, NoKnowledge).unwrap();
    let mut by_key: HashMap<u128, (GameValue, String)> = HashMap::new();
    let mut known = 0;
    let mut rng = Rng::new(1);
    for _ in 0..100 {
        let mut position = start.clone();
        while position.outcome().is_none() {
            let text = position.position_text();
            let key = Known.key(&position);
            let report = plain.solve(&position, &Limits::default(), &Stop::new());
            let value = report.proven.unwrap();
            let (same, other) = by_key.entry(key).or_insert((value, text.clone()));
            assert_eq!(*same, value, "{text} has the key of {other}");
            known += usize::from(Known.value(&position).is_some());
            for index in 0..position.symmetries() {
                let image = position.transformed(index);
                assert_eq!(Known.key(&image), key, "{text}: symmetry {index}");
                // What is known may depend on the image, but is true.
                if let Some(fact) = Known.value(&image) {
                    assert_eq!(fact, value, "{text}: symmetry {index}");
                }
            }
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let mut keys = Vec::new();
            Known.keys_after(&position, &moves, |key| keys.push(key));
            for (&m, &key) in moves.iter().zip(&keys) {
                let mut next = position.clone();
                next.play(m);
                assert_eq!(Known.key(&next), key, "{text}: {m:?}");
            }
            position.play(position.random_move(&mut rng));
        }
    }
    known
}

/// Checks a game on boards of several sizes; some values are known, so that this tests something.
fn check_all<G: Playable>(boards: &[&str], start: impl Fn(Size) -> G)
where
    Known: Facts<G>,
{
    let known: usize = boards.iter().map(|board| check(start(board.parse().unwrap()))).sum();
    assert!(known > 0, "no value is known");
}

#[test]
fn breakthrough() {
    let boards = ["3x3", "3x4", "4x4", "5x3"];
    check_all(&boards, Breakthrough::new);
    check_all(&["3x5"], Breakthrough::new);
    check_all(&boards, |size| Breakthrough::new(size).misere());
}

#[test]
fn knightthrough() {
    check_all(&["3x4", "4x4", "5x4", "5x3"], |size| Knightthrough::new(size).misere());
}

#[test]
fn domineering() {
    check_all(&["3x3", "4x4", "5x4", "4x5", "6x3", "5x5"], Domineering::new);
    check(Domineering::new(Size::FIVE).misere());
}

/// Boards full of holes: shapes that hardly occur in games.
#[test]
fn domineering_with_holes() {
    let mut plain =
        BruteForce::new(Options { table_bytes: 1 << 20, threads: 1 }, NoKnowledge).unwrap();
    let mut rng = Rng::new(1);
    let mut known = [0; 2];
    for round in 0..4000 {
        let (width, height) = [(8, 4), (4, 8), (6, 5), (5, 6)][round % 4];
        let holes = 2 + rng.below(5);
        let mut square = || if rng.below(8) < holes { 'x' } else { '1' };
        let ranks: Vec<String> =
            (0..height).map(|_| (0..width).map(|_| square()).collect()).collect();
        let text = format!("{} {}", ranks.join("/"), ["v", "h"][round / 4 % 2]);
        let position = Domineering::default().parse_position(&text).unwrap();
        if position.outcome().is_none()
            && let Some(fact) = Known.value(&position)
        {
            let report = plain.solve(&position, &Limits::default(), &Stop::new());
            assert_eq!(Some(fact), report.proven, "{text}");
            known[usize::from(fact == GameValue::Win)] += 1;
        }
    }
    assert!(known.iter().all(|&count| count > 500), "losses and wins known: {known:?}");
}

#[test]
fn stones() {
    let boards = ["3x3", "4x3", "3x4", "5x3", "4x4"];
    check_all(&boards, NoGo::new);
    check_all(&boards, |size| NoGo::new(size).misere());
    check_all(&boards, AtariGo::new);
}

#[test]
#[ignore = "minutes: run by ./check --nightly"]
fn larger_boards() {
    check_all(&["4x5", "8x4"], Breakthrough::new);
    check_all(&["3x7"], |size| Breakthrough::new(size).misere());
    check_all(&["8x4"], |size| Knightthrough::new(size).misere());
    check_all(&["4x5"], NoGo::new);
    check_all(&["5x4"], AtariGo::new);
    check_all(&["6x6", "8x4"], Domineering::new);
}
