//! The suite that every game passes, by one line in its tests: `conformance::check(&start)`.
//!
//! It plays random games and checks, at every position, what searches, protocols and front ends
//! rely on. What it cannot know, the rules themselves, each game checks against a deliberately
//! naive second implementation.
//!
//! ```
//! # use spinney_game::{Game, Outcome, Side};
//! use spinney_game::conformance;
//! # #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! # struct Count(u8);
//! # impl Game for Count {
//! #     type Move = u8;
//! #     fn to_move(&self) -> Side { Side::BOTH[usize::from(self.0 % 2)] }
//! #     fn legal_moves(&self, moves: &mut Vec<u8>) { moves.push(1); }
//! #     fn play(&mut self, m: u8) { self.0 += m; }
//! #     fn outcome(&self) -> Option<Outcome> { (self.0 == 3).then_some(Outcome::Draw) }
//! # }
//!
//! assert_eq!(conformance::legal_moves(&Count(0)), [1]);
//! ```

use std::collections::{HashMap, HashSet};

use crate::{Game, History, Move, Notation, Outcome, Repetition, Rng, Side, Symmetric};

/// Random games played by [`check`].
const GAMES: u64 = 60;
/// Positions whose random moves are counted by [`check`].
const SAMPLED_POSITIONS: usize = 150;
/// A random game that is longer never ends.
const MAX_PLIES: u32 = 100_000;
/// Plies of a random game that are checked one by one.
const CHECKED_PLIES: u32 = 300;

/// Checks the contract of a game on random games from `start`.
///
/// # Panics
/// If the game breaks the contract; the message says how and where.
pub fn check<G>(start: &G)
where
    G: Repetition + Notation + Symmetric,
{
    let mut seen = HashMap::new();
    let mut sample = Vec::new();
    for seed in 0..GAMES {
        let mut rng = Rng::new(seed);
        let mut history = History::new(start.clone());
        let mut earlier = HashSet::new();
        let mut plies = 0;
        while history.outcome().is_none() {
            let position = history.position();
            let m = position.random_move(&mut rng);
            if plies < CHECKED_PLIES {
                check_position(position);
                check_random_play(position, &mut rng.clone());
                check_symmetries(position);
                check_key(position, &mut seen);
                assert!(
                    !earlier.contains(&position.key()),
                    "{} was possible before an irreversible move",
                    position.position_text()
                );
                if position.is_irreversible(m) {
                    earlier.extend(seen_keys(&history));
                }
                if rng.below(8) == 0 && sample.len() < SAMPLED_POSITIONS {
                    sample.push(position.clone());
                }
            }
            history.play(m);
            plies += 1;
            assert!(plies < MAX_PLIES, "a random game does not end");
        }
        check_text(history.position());
        check_key(history.position(), &mut seen);
        check_moves(&history);
    }
    check_uniformity(&sample);
}

fn seen_keys<G: Repetition>(history: &History<G>) -> Vec<u64> {
    history.path().keys().collect()
}

/// The moves of a game lead from its start to its end.
fn check_moves<G: Repetition>(history: &History<G>) {
    let mut replayed = History::new(history.start().clone());
    for &m in history.moves() {
        replayed.play(m);
    }
    assert_eq!(replayed.position(), history.position());
    assert_eq!(replayed.path(), history.path());
}

/// Moves of an unfinished position: there are some, they are distinct, repeatable and readable,
/// and playing one hands over the turn.
fn check_position<G: Repetition + Notation>(position: &G) {
    let text = position.position_text();
    check_text(position);

    let moves = legal_moves(position);
    assert!(!moves.is_empty(), "{text} is not finished and has no moves");
    assert_eq!(moves, legal_moves(position), "{text}: the order of moves changes");
    assert_eq!(moves.len(), moves.iter().collect::<HashSet<_>>().len(), "{text}: a move twice");
    assert_eq!(moves.len() as u64, position.count_moves(), "{text}: count_moves");

    let mut leaves = 0;
    for &m in &moves {
        let move_text = position.move_text(m);
        assert_eq!(position.parse_move(&move_text), Ok(m), "{text}: {move_text} is read wrongly");
        assert_eq!(G::Move::unpack(m.pack()), m, "{text}: {move_text} does not survive packing");
        let mut child = position.clone();
        child.play(m);
        assert_eq!(child.to_move(), !position.to_move(), "{text}: {move_text} keeps the turn");
        if child.outcome().is_none() {
            leaves += child.count_moves();
        }
    }
    assert_eq!(position.perft(2), leaves, "{text}: perft(2)");
}

/// `play_random` draws the move that `random_move` draws, and plays it.
fn check_random_play<G: Notation>(position: &G, rng: &mut Rng) {
    let mut expected = position.clone();
    let m = position.random_move(&mut rng.clone());
    expected.play(m);
    let mut played = position.clone();
    let text = position.position_text();
    assert_eq!(played.play_random(rng), m, "{text}: play_random draws another move");
    assert!(played == expected, "{text}: play_random plays {m:?} in another way");
}

/// Text of a position: read back it is the same position with the same key, so the key is that of
/// a position built from scratch.
fn check_text<G: Repetition + Notation>(position: &G) {
    let text = position.position_text();
    let read = position.parse_position(&text).unwrap_or_else(|error| panic!("{error}"));
    assert!(&read == position, "{text} is read as {}", read.position_text());
    assert_eq!(read.key(), position.key(), "{text}: the key differs from one made from scratch");
    assert_eq!(read.outcome(), position.outcome(), "{text}: the outcome depends on more");
}

/// Different positions met in the games have different keys.
fn check_key<G: Repetition + Notation>(position: &G, seen: &mut HashMap<u64, G>) {
    let known = seen.entry(position.key()).or_insert_with(|| position.clone());
    assert!(
        known.same_position(position),
        "{} and {} share a key",
        known.position_text(),
        position.position_text()
    );
}

/// A symmetric image has the corresponding moves, and playing them commutes with the symmetry.
fn check_symmetries<G: Repetition + Notation + Symmetric>(position: &G) {
    let text = position.position_text();
    let moves = legal_moves(position);
    assert!(position.transformed(0) == *position, "{text}: symmetry 0 is not the identity");
    for index in 0..position.symmetries() {
        let image = position.transformed(index);
        assert_eq!(image.outcome(), position.outcome(), "{text}: symmetry {index}");
        assert_eq!(position.transformed_key(index), image.key(), "{text}: symmetry {index}");
        let expected: HashSet<_> =
            moves.iter().map(|&m| position.transform_move(m, index)).collect();
        let actual: HashSet<_> = legal_moves(&image).into_iter().collect();
        assert_eq!(actual, expected, "{text}: moves under symmetry {index}");
        for &m in &moves {
            let mut child = position.clone();
            child.play(m);
            let mut image_child = image.clone();
            image_child.play(position.transform_move(m, index));
            assert!(
                child.transformed(index) == image_child,
                "{text}: {} under symmetry {index}",
                position.move_text(m)
            );
        }
    }
}

/// `random_move` draws every legal move equally often: a chi-square test over many positions, each
/// with 100 draws for each of its moves.
fn check_uniformity<G: Notation>(sample: &[G]) {
    const DRAWS: u32 = 100;
    let mut rng = Rng::new(2026);
    let mut chi_square = 0.0;
    let mut degrees = 0.0;
    for position in sample {
        let moves = legal_moves(position);
        let mut counts: HashMap<G::Move, u32> = moves.iter().map(|&m| (m, 0)).collect();
        for _ in 0..DRAWS as usize * moves.len() {
            let m = position.random_move(&mut rng);
            let count = counts.get_mut(&m).unwrap_or_else(|| {
                panic!("{}: random_move gives illegal {m:?}", position.position_text())
            });
            *count += 1;
        }
        chi_square += counts
            .values()
            .map(|&count| (f64::from(count) - f64::from(DRAWS)).powi(2) / f64::from(DRAWS))
            .sum::<f64>();
        degrees += moves.len() as f64 - 1.0;
    }
    if degrees > 0.0 {
        // For many degrees of freedom, close to a standard normal variable.
        let deviations = (chi_square - degrees) / (2.0 * degrees).sqrt();
        assert!(
            deviations.abs() < 5.0,
            "random_move is not uniform: chi-square {chi_square:.0} for {degrees} degrees of freedom"
        );
    }
}

/// Feeds the parsers of a game with `rounds` damaged texts: none may panic, and what is accepted
/// must be a usable position that reads back.
///
/// # Panics
/// If a parser does, or accepts a text that it does not read back.
pub fn fuzz_parsers<G: Repetition + Notation>(start: &G, rounds: u32, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut position = start.clone();
    for _ in 0..rounds {
        // 1. A damaged position text, tried as a position.
        let text = damaged(&position.position_text(), &mut rng);
        if let Ok(read) = start.parse_position(&text) {
            check_text(&read);
            if read.outcome().is_none() {
                check_position(&read);
            }
        }
        // 2. A random move of the present position; its damaged text, tried as a move.
        if position.outcome().is_some() || rng.below(200) == 0 {
            position = start.clone();
            continue;
        }
        let m = position.random_move(&mut rng);
        let text = damaged(&position.move_text(m), &mut rng);
        if let Ok(read) = position.parse_move(&text) {
            assert!(legal_moves(&position).contains(&read), "{text} is read as an illegal move");
        }
        position.play(m);
    }
}

/// A text with a few characters removed, repeated, swapped or replaced.
fn damaged(text: &str, rng: &mut Rng) -> String {
    const STRANGE: &[char] = &[
        ' ', '/', '-', '1', '8', '9', '0', 'x', 'o', 'w', 'b', 'K', 'k', 'p', 'a', 'h', 'é',
        '\u{0}', '😀', '\t', '=', '+',
    ];
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..1 + rng.below(4) {
        let length = characters.len() as u32;
        let strange = STRANGE[rng.below(STRANGE.len() as u32) as usize];
        if length == 0 {
            characters.push(strange);
            continue;
        }
        let at = rng.below(length) as usize;
        match rng.below(6) {
            0 => drop(characters.remove(at)),
            1 => characters.insert(at, strange),
            2 => characters[at] = strange,
            3 => characters.swap(at, rng.below(length) as usize),
            4 => characters.truncate(at),
            _ => characters.insert(at, characters[at]),
        }
    }
    characters.into_iter().collect()
}

/// The legal moves as a list.
pub fn legal_moves<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// A deliberately naive second implementation of a game, for tests: it shares no code with the
/// fast one and describes positions and moves by the same text.
pub trait Naive: Sized {
    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// The side to move.
    fn to_move(&self) -> Side;
    /// Every legal move as text, with the position it leads to. In any order.
    fn successors(&self) -> Vec<(String, Self)>;
    /// The position as text.
    fn text(&self) -> String;
}

/// Compares a game with its naive twin on `games` random games: outcome, side to move, and the
/// text of every move and every successor.
///
/// # Panics
/// If they disagree.
pub fn check_against_naive<G: Notation, N: Naive>(start: &G, read: impl Fn(&str) -> N, games: u64) {
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut position = start.clone();
        for _ in 0..CHECKED_PLIES {
            let text = position.position_text();
            let naive = read(&text);
            assert_eq!(naive.text(), text, "the naive game reads the text differently");
            assert_eq!(position.outcome(), naive.outcome(), "{text}: outcome");
            assert_eq!(position.to_move(), naive.to_move(), "{text}: to move");
            if position.outcome().is_some() {
                break;
            }
            let mut actual: Vec<(String, String)> = legal_moves(&position)
                .into_iter()
                .map(|m| {
                    let mut child = position.clone();
                    child.play(m);
                    (position.move_text(m), child.position_text())
                })
                .collect();
            let mut expected: Vec<(String, String)> =
                naive.successors().into_iter().map(|(m, child)| (m, child.text())).collect();
            actual.sort();
            expected.sort();
            assert_eq!(actual, expected, "{text}: moves");
            position.play(position.random_move(&mut rng));
        }
    }
}

/// Compares the perft numbers of a game and of its naive twin, up to a number of plies.
///
/// # Panics
/// If they disagree.
pub fn check_perft_against_naive<G: Notation, N: Naive>(
    start: &G,
    read: impl Fn(&str) -> N,
    plies: u32,
) {
    let text = start.position_text();
    for plies in 0..=plies {
        assert_eq!(start.perft(plies), naive_perft(&read(&text), plies), "{text}, {plies} plies");
    }
}

fn naive_perft<N: Naive>(position: &N, plies: u32) -> u64 {
    if plies == 0 {
        return 1;
    }
    if position.outcome().is_some() {
        return 0;
    }
    position.successors().iter().map(|(_, child)| naive_perft(child, plies - 1)).sum()
}
