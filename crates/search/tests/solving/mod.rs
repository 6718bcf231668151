//! What the tests of all solvers share: what to solve, and the comparison with plain minimax.

use spinney_game::{Game, History, Move, Playable, Repetition, Rng};
use spinney_games::atarigo::AtariGo;
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;
use spinney_games::domineering::Domineering;
use spinney_games::dummy::{Dummy, RandomTree};
use spinney_games::facts::Known;
use spinney_games::knightthrough::Knightthrough;
use spinney_games::loa::Loa;
use spinney_games::nogo::NoGo;
use spinney_games::tictactoe::TicTacToe;
use spinney_search::brute_force::minimax;
use spinney_search::knowledge::Facts;
use spinney_search::{GameValue, Report};

/// The games that are played on boards of many sizes.
pub(crate) const GAMES: [&str; 10] = [
    "breakthrough",
    "breakthrough-misere",
    "knightthrough",
    "knightthrough-misere",
    "domineering",
    "domineering-misere",
    "nogo",
    "nogo-misere",
    "atarigo",
    "atarigo-misere",
];

/// What is to be done with a game, whichever it is.
pub(crate) trait Visitor {
    /// What comes out.
    type Output;

    /// Does it, with the start position of the game.
    fn visit<G: Playable>(self, start: G) -> Self::Output;

    /// Does it, with what is known of the game.
    fn visit_knowing<G: Playable, F: Facts<G>>(self, start: G, _facts: F) -> Self::Output
    where
        Self: Sized,
    {
        self.visit(start)
    }
}

/// Hands the start position of a game such as `nogo-misere:3x4` to a visitor.
pub(crate) fn visit<V: Visitor>(game: &str, visitor: V) -> V::Output {
    let (name, size) = game.split_once(':').unwrap_or((game, "5x5"));
    let size: Size = size.parse().expect("a size");
    match name {
        "breakthrough" => visitor.visit_knowing(Breakthrough::new(size), Known),
        "breakthrough-misere" => visitor.visit_knowing(Breakthrough::new(size).misere(), Known),
        "knightthrough" => visitor.visit_knowing(Knightthrough::new(size), Known),
        "knightthrough-misere" => visitor.visit_knowing(Knightthrough::new(size).misere(), Known),
        "domineering" => visitor.visit_knowing(Domineering::new(size), Known),
        "domineering-misere" => visitor.visit_knowing(Domineering::new(size).misere(), Known),
        "nogo" => visitor.visit_knowing(NoGo::new(size), Known),
        "nogo-misere" => visitor.visit_knowing(NoGo::new(size).misere(), Known),
        "atarigo" => visitor.visit_knowing(AtariGo::new(size), Known),
        "atarigo-misere" => visitor.visit_knowing(AtariGo::new(size).misere(), Known),
        "tictactoe" => visitor.visit(TicTacToe::new()),
        "loa" => visitor.visit(Loa::<8>::default()),
        _ => panic!("no game {game:?} here"),
    }
}

/// In the first, First repeats at once, or lets Second choose between a win and a way back to the
/// start: a draw. In the others the same position is met by two ways, one of which makes a cycle;
/// a node of odd distance to itself is met with either side to move.
pub(crate) const REPETITIONS: [&str; 6] = [
    "a:(b:(a) c:(- a)) first 2",
    "a:(b:(c:(a -)) b) first 3",
    "a:(b:(c:(a +) a)) first 3",
    "a:(b:(c:(b (+ -))) (b -)) first 2",
    "a:(b:(a c:(+ a)) +) first 2",
    "a:((b:(c:(b a) -) d:(b)) (d c +)) first 2",
];

/// First wins in three plies, or in one after a mistake.
pub(crate) const WIN_IN_THREE: &str = "(((+ -)) -)";

/// The value and the move of a report agree with minimax; the plies, if any, are those of some line
/// that wins.
pub(crate) fn assert_perfect<G: Repetition>(start: &G, report: &Report, what: &str) {
    let perfect = minimax(&History::new(start.clone()));
    assert_eq!(report.proven, Some(perfect.value), "{what}: {start:?}");
    assert_eq!(report.best.is_none(), start.outcome().is_some(), "{what}: {start:?}");
    if let Some(m) = report.best {
        let m = G::Move::unpack(m);
        let mut history = History::new(start.clone());
        history.play(m);
        let after = minimax(&history).value.for_opponent();
        assert_eq!(after, perfect.value, "{what}: {start:?}: {m:?}");
    }
    if let (Some(plies), true) = (report.plies, perfect.value != GameValue::Draw) {
        assert!(plies >= perfect.plies, "{what}: {start:?}: {plies}, {perfect:?}");
    }
}

/// Graphs with transpositions and cycles, drawn at the second or third occurrence: `count`
/// of either, less those for which minimax would take long.
pub(crate) fn graphs(count: usize) -> impl Iterator<Item = Dummy> {
    [2, 3].into_iter().flat_map(move |drawn_at| {
        let mut rng = Rng::new(drawn_at.into());
        let graph = move |round| {
            let shape = RandomTree {
                depth: 4,
                branching: 1..=3,
                draws: [0.0, 0.2][round % 2],
                transpositions: 0.2,
                cycles: [0.1, 0.2, 0.3][round % 3],
                drawn_at: Some(drawn_at),
                ..RandomTree::default()
            };
            Dummy::random(&shape, &mut rng)
        };
        (0..count).map(graph).filter(is_small)
    })
}

/// Whether minimax is done soon: with three occurrences the number of lines explodes.
fn is_small(dummy: &Dummy) -> bool {
    fn count(history: &History<Dummy>, left: &mut u32) {
        *left = left.saturating_sub(1);
        if *left == 0 || history.outcome().is_some() {
            return;
        }
        for m in 0..history.position().count_moves() as u32 {
            let mut next = history.clone();
            next.play(m);
            count(&next, left);
        }
    }
    let mut left = 5_000;
    count(&History::new(dummy.clone()), &mut left);
    left > 0
}
