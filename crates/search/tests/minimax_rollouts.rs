//! Playouts with a minimax search at every ply, on random trees.

mod reference;

use proptest::prelude::*;
use reference::{after, assert_fits, forced, successors};
use spinney_game::{Game, Hashed, Path, Rng};
use spinney_games::dummy::{Dummy, RandomTree};
use spinney_search::policy::{MinimaxRollouts, Policy, Simulation};
use spinney_search::{Budget, Limits, Stop};

proptest! {
    #[test]
    fn the_choice_is_what_minimax_says(seed: u64, depth in 1..5_u32) {
        let mut rng = Rng::new(seed);
        let tree = Dummy::random(&RandomTree::default(), &mut rng);
        let m = MinimaxRollouts::new(depth, u32::MAX).choose(&tree, &mut rng, &mut Budget::unlimited());
        let chosen = forced(&after(&tree, m), depth - 1);
        match forced(&tree, depth) {
            Some(win) if win.score_for_mover > 0 => {
                prop_assert_eq!(chosen.map(|f| (f.score_for_mover, f.plies + 1)), Some((-1, win.plies)));
            }
            Some(_) => {}
            None => prop_assert!(chosen.is_none_or(|f| f.score_for_mover < 0), "a move that loses"),
        }
    }

    /// A win is found as before; if there is none, the choice is uniform.
    #[test]
    fn a_search_for_wins_only_finds_them_all(seed: u64, depth in 1..5_u32) {
        let mut rng = Rng::new(seed);
        let tree = Dummy::random(&RandomTree::default(), &mut rng);
        let mut policy = MinimaxRollouts::new(depth, u32::MAX).wins_only();
        let m = policy.choose(&tree, &mut rng.clone(), &mut Budget::unlimited());
        match forced(&tree, depth) {
            Some(win) if win.score_for_mover > 0 => {
                let chosen = forced(&after(&tree, m), depth - 1);
                prop_assert_eq!(chosen.map(|f| (f.score_for_mover, f.plies + 1)), Some((-1, win.plies)));
            }
            _ => {
                let mut moves = Vec::new();
                tree.legal_moves(&mut moves);
                prop_assert_eq!(Some(m), rng.choose(&moves));
            }
        }
    }

    #[test]
    fn a_playout_leaves_the_path_alone_and_notes_its_moves(seed: u64, depth in 0..4_u32) {
        let mut rng = Rng::new(seed);
        let shape = RandomTree { cycles: 0.2, drawn_at: Some(2), ..RandomTree::default() };
        let tree = Dummy::random(&shape, &mut rng);
        let mut path = Path::new(tree.key());
        let mut trace = Vec::new();
        let mut budget = Budget::unlimited();
        let mut simulation = Simulation {
            path: &mut path,
            rng: &mut rng,
            budget: &mut budget,
            trace: Some(&mut trace),
        };
        let value = MinimaxRollouts::new(depth, 50).playout(tree.clone(), &mut simulation);
        prop_assert!(path == Path::new(tree.key()));
        let last = trace.iter().fold(tree, |position, &m| after(&position, m));
        let expected = last.outcome().map_or(0.0, |outcome| outcome.score_for_first());
        prop_assert_eq!(value, Some(expected));
    }
}

/// The outer moves lose to the reply at once; the third wins in three plies.
const TREE: &str = "((- +) ((- -) (- +)) ((+ -) (- +)) (+ -))";

#[test]
fn depth_one_sees_own_wins_and_depth_two_those_of_the_opponent() {
    let tree: Dummy = TREE.parse().unwrap();
    for (depth, probabilities) in
        [(0, [0.25; 4]), (1, [0.25; 4]), (2, [0.0, 0.5, 0.5, 0.0]), (3, [0.0, 0.0, 1.0, 0.0])]
    {
        let mut policy = MinimaxRollouts::new(depth, u32::MAX);
        let mut rng = Rng::new(1);
        let mut counts = [0; 4];
        for _ in 0..4000 {
            counts[policy.choose(&tree, &mut rng, &mut Budget::unlimited()) as usize] += 1;
        }
        assert_fits(&counts, &probabilities, &format!("depth {depth}"));
    }
    let winning: Dummy = "((+ -) + (- -))".parse().unwrap();
    assert_eq!(
        MinimaxRollouts::new(1, u32::MAX).choose(
            &winning,
            &mut Rng::new(1),
            &mut Budget::unlimited()
        ),
        1
    );
    let suicide: Dummy = "(- (+ -) -)".parse().unwrap();
    assert_eq!(
        MinimaxRollouts::new(1, u32::MAX).choose(
            &suicide,
            &mut Rng::new(1),
            &mut Budget::unlimited()
        ),
        1
    );
}

#[test]
fn a_search_for_wins_only_plays_moves_that_lose() {
    // Suicide is avoided at depth 1, and what loses to the reply at depth 2, unless only wins count.
    for (tree, depth, probabilities) in
        [("(- (+ -) -)", 1, [0.0, 1.0, 0.0]), ("((- +) ((- +) (+ +)) (+ -))", 2, [0.0, 1.0, 0.0])]
    {
        let tree: Dummy = tree.parse().unwrap();
        let avoiding = MinimaxRollouts::new(depth, u32::MAX);
        let wins_only = avoiding.clone().wins_only();
        for (mut policy, probabilities) in [(avoiding, probabilities), (wins_only, [1.0 / 3.0; 3])]
        {
            let mut rng = Rng::new(1);
            let mut counts = [0; 3];
            for _ in 0..3000 {
                counts[policy.choose(&tree, &mut rng, &mut Budget::unlimited()) as usize] += 1;
            }
            assert_fits(&counts, &probabilities, &format!("{tree:?}"));
        }
    }
}

#[test]
fn where_every_move_loses_the_choice_is_random() {
    let tree: Dummy = "((- +) (- +) -)".parse().unwrap();
    let mut policy = MinimaxRollouts::new(2, u32::MAX);
    let mut rng = Rng::new(1);
    let mut counts = vec![0; successors(&tree).len()];
    for _ in 0..3000 {
        counts[policy.choose(&tree, &mut rng, &mut Budget::unlimited()) as usize] += 1;
    }
    assert_fits(&counts, &[1.0 / 3.0; 3], "lost");
}

#[test]
fn playouts_end_by_their_limits() {
    // A game that goes round in a circle for long.
    let circle: Dummy = "a:(a a) first 100000".parse().unwrap();
    let playout = |max_plies: u32, budget: &mut Budget| {
        let mut path = Path::new(circle.key());
        let mut simulation =
            Simulation { path: &mut path, rng: &mut Rng::new(1), budget, trace: None };
        MinimaxRollouts::new(2, max_plies).playout(circle.clone(), &mut simulation)
    };
    assert_eq!(playout(10, &mut Budget::unlimited()), Some(0.0));
    let mut budget = Budget::new(&Limits::nodes(100), &Stop::new());
    assert_eq!(playout(u32::MAX, &mut budget), None);
    assert!((100..110).contains(&budget.visited()), "{}", budget.visited());
}
