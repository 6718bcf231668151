//! Mates in one, two and three: `testdata/positions/chess-mates.tsv` and how it was made.

use spinney_game::conformance::legal_moves;
use spinney_game::{Game, Notation, Outcome, Rng};
use spinney_games::chess::Chess;
use spinney_games::chess::knowledge::mate_in_one;

const FILE: &str = include_str!("../../../testdata/positions/chess-mates.tsv");

/// Positions with a mate in one, two and three.
const COUNTS: [usize; 3] = [34, 33, 33];
/// The most men: with more, random positions have too many checks to be like any others.
const MOST_MEN: u32 = 20;

fn after(position: &Chess, m: <Chess as Game>::Move) -> Chess {
    let mut next = position.clone();
    next.play(m);
    next
}

/// Whether the side to move mates within `moves` of its moves, by trying everything.
fn mates_within(position: &Chess, moves: u32) -> bool {
    if mate_in_one(position).is_some() {
        return true;
    }
    let us = position.to_move();
    moves > 1
        && legal_moves(position).into_iter().map(|m| after(position, m)).any(|next| {
            next.outcome().is_none()
                && legal_moves(&next).into_iter().map(|m| after(&next, m)).all(|last| {
                    match last.outcome() {
                        Some(outcome) => outcome == Outcome::Win(us),
                        None => mates_within(&last, moves - 1),
                    }
                })
        })
}

/// The moves to the shortest mate, if there are at most three.
fn moves_to_mate(position: &Chess) -> Option<usize> {
    (1..=3).find(|&moves| mates_within(position, moves)).map(|moves| moves as usize)
}

/// Random games from the start; of each game at most one position with few men and a short mate.
fn make() -> String {
    let mut found = [const { Vec::new() }; 3];
    let mut rng = Rng::new(2026);
    while (0..3).any(|moves| found[moves].len() < COUNTS[moves]) {
        let mut position = Chess::start();
        while position.outcome().is_none() {
            let few = position.board().occupied().len() <= MOST_MEN;
            if few
                && rng.below(10) == 0
                && let Some(moves) = moves_to_mate(&position)
            {
                if found[moves - 1].len() < COUNTS[moves - 1] {
                    found[moves - 1].push(position.position_text());
                }
                break;
            }
            position.play_random(&mut rng);
        }
    }
    let mut text = String::from(
        "# Positions of random games, the side to move mates. moves: its moves to the shortest mate, by \
         brute force.\n# Made by crates/games/tests/chess_mates.rs.\nmoves\tposition\n",
    );
    for (moves, positions) in found.iter().enumerate() {
        for position in positions {
            text.push_str(&format!("{}\t{position}\n", moves + 1));
        }
    }
    text
}

#[test]
fn distances_are_right() {
    let lines = FILE.lines().filter(|line| !line.starts_with('#')).skip(1);
    for line in lines {
        let (moves, fen) = line.split_once('\t').expect("two columns");
        let position = Chess::start().parse_position(fen).expect("a position");
        assert_eq!(
            moves_to_mate(&position).map(|n| n.to_string()).as_deref(),
            Some(moves),
            "{fen}"
        );
    }
}

#[test]
fn the_file_is_what_is_made_here() {
    let made = make();
    assert!(made == FILE, "{made}");
}
