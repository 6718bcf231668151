//! What shallow searches and nested playouts are compared with: slow and plain.

#![allow(dead_code, reason = "each test file uses a part")]

use spinney_game::Game;

/// A forced win (1) or loss (-1) of the side to move, and the plies until then: the shortest win,
/// the longest loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Forced {
    pub(crate) score_for_mover: i32,
    pub(crate) plies: u32,
}

/// What is forced within a number of plies, if anything is.
pub(crate) fn forced<G: Game>(position: &G, within: u32) -> Option<Forced> {
    if let Some(outcome) = position.outcome() {
        let score_for_mover = outcome.score_for(position.to_move());
        return (score_for_mover != 0).then_some(Forced { score_for_mover, plies: 0 });
    }
    if within == 0 {
        return None;
    }
    let values: Vec<_> = successors(position).iter().map(|s| forced(s, within - 1)).collect();
    let plies_of = |score: i32| {
        values.iter().flatten().filter(move |f| f.score_for_mover == score).map(|f| f.plies + 1)
    };
    if let Some(plies) = plies_of(-1).min() {
        return Some(Forced { score_for_mover: 1, plies });
    }
    if plies_of(1).count() < values.len() {
        return None;
    }
    plies_of(1).max().map(|plies| Forced { score_for_mover: -1, plies })
}

/// The positions after each move, in the order of the moves.
pub(crate) fn successors<G: Game>(position: &G) -> Vec<G> {
    let mut moves = Vec::new();
    if position.outcome().is_none() {
        position.legal_moves(&mut moves);
    }
    moves.into_iter().map(|m| after(position, m)).collect()
}

/// The position after a move.
pub(crate) fn after<G: Game>(position: &G, m: G::Move) -> G {
    let mut successor = position.clone();
    successor.play(m);
    successor
}

/// Whether counts fit probabilities: nothing impossible happened, and chi-square is not absurdly
/// high (a chance of about one in a million for a correct program).
pub(crate) fn assert_fits(counts: &[u32], probabilities: &[f64], what: &str) {
    let total: u32 = counts.iter().sum();
    let mut chi_square = 0.0;
    let mut cells = 0;
    for (&count, &probability) in counts.iter().zip(probabilities) {
        let expected = probability * f64::from(total);
        assert!(count == 0 || probability > 0.0, "{what}: the impossible happened");
        if expected >= 5.0 {
            chi_square += (f64::from(count) - expected).powi(2) / expected;
            cells += 1;
        }
    }
    let freedom = f64::from(cells);
    let bound = freedom + 5.0 * (2.0 * freedom).sqrt() + 12.0;
    assert!(chi_square < bound, "{what}: {counts:?}, expected {probabilities:?}");
}
