//! MIA against plain negamax, and on endgames of real games.

mod common;

use std::thread;

use common::{Endgame, endgames, game};

use spinney_game::{Game, Hashed, Notation, Path, Repetition, Rng};
use spinney_games::loa::Loa;
use spinney_games::loa::knowledge::cache::{CachedEvaluation, State};
use spinney_games::loa::knowledge::evaluation::Evaluation;
use spinney_session::{GameValue, Limits, Player, Report};

fn player(spec: &str) -> Box<dyn Player> {
    common::player(&game("loa"), spec, 1)
}

/// What a player finds.
fn analyse(player: &mut dyn Player, position: &Loa, limits: &Limits) -> Report {
    let session = common::position(&game("loa"), &position.position_text());
    common::analyse(player, &session, limits)
}

fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// 200 positions: half from the endgames, half from random games.
fn positions() -> Vec<Loa> {
    let mut rng = Rng::new(1);
    let read = |endgame: Endgame| {
        Loa::default().parse_position(&endgame.position.position_text()).expect("a position")
    };
    let mut positions: Vec<Loa> = endgames().into_iter().step_by(5).take(100).map(read).collect();
    while positions.len() < 200 {
        let mut position = Loa::<8>::default();
        for _ in 0..rng.below(60) {
            if position.outcome().is_none() {
                position.play(position.random_move(&mut rng));
            }
        }
        if position.outcome().is_none() {
            positions.push(position);
        }
    }
    positions
}

const MATE: i32 = 32_000;

/// Plain negamax. As in the search, the first repetition is a draw.
fn negamax(
    evaluation: &mut CachedEvaluation,
    position: &Loa,
    state: &State,
    path: &mut Path,
    depth: u32,
    ply: i32,
) -> i32 {
    if let Some(outcome) = position.outcome() {
        return outcome.score_for(position.to_move()) * (MATE - ply);
    }
    if path.repeats(2) {
        return 0;
    }
    if depth == 0 {
        return evaluation.evaluate(position, state);
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let length = path.len();
    let values = moves.into_iter().map(|m| {
        let mut state = state.clone();
        evaluation.play(&mut state, position, m);
        let mut child = position.clone();
        child.play(m);
        path.push(child.key(), position.is_irreversible(m));
        let value = -negamax(evaluation, &child, &state, path, depth - 1, ply + 1);
        path.truncate(length);
        value
    });
    values.max().unwrap_or(0)
}

/// What is left of `mia-classic` if all that changes values is off has the value of negamax.
fn check_negamax(positions: &[Loa], depth: u32) {
    let mut classic = player("mia-classic:quiescence=off,threats=off,table=0,noise=0");
    let mut evaluation = CachedEvaluation::new(Evaluation::default(), true);
    for position in positions {
        let state = evaluation.state(position);
        let mut path = Path::new(position.key());
        let expected = negamax(&mut evaluation, position, &state, &mut path, depth, 0);
        let report = analyse(&mut *classic, position, &to_depth(depth));
        let plies = report.plies.unwrap_or(0) as i32;
        let found = match report.proven {
            Some(GameValue::Win) => MATE - plies,
            Some(GameValue::Loss) => plies - MATE,
            Some(GameValue::Draw) => 0,
            None => (report.value.atanh() * 700.0).round() as i32,
        };
        assert_eq!(found, expected, "depth {depth}: {}", position.position_text());
    }
}

#[test]
fn classic_without_pruning_is_negamax() {
    let positions = positions();
    check_negamax(&positions, 1);
    check_negamax(&positions, 2);
    check_negamax(&positions, 3);
    check_negamax(&positions[..8], 4);
}

#[test]
#[ignore = "seven minutes"]
fn classic_without_pruning_is_negamax_deeper() {
    let positions = positions();
    thread::scope(|scope| {
        for part in positions.chunks(positions.len().div_ceil(2)) {
            scope.spawn(|| (3..=5).for_each(|depth| check_negamax(part, depth)));
        }
    });
}

#[test]
fn endgames_are_solved_and_never_wrongly() {
    // As many as were solved when this was written.
    for (spec, least) in [("mia-plus", 64), ("mia-classic:wins=on,threats=on", 56)] {
        let mut solved = 0;
        for Endgame { position, value, .. } in endgames().into_iter().skip(3).step_by(8) {
            let mut player = player(spec);
            let report = common::analyse(&mut *player, &position, &Limits::nodes(100_000));
            if let Some(proven) = report.proven {
                assert_eq!(proven.name(), value, "{spec}: {}", position.position_text());
                solved += 1;
            }
        }
        assert!(solved >= least, "{spec}: {solved} of 66");
    }
}

/// Forced wins that begin with moves which look bad.
#[test]
fn proofs_find_wins_that_alpha_beta_does_not() {
    let texts = [
        ("8/7o/o4xxo/6oo/o3xx2/o6o/3oxoo1/1xxxxxx1 b", "g6-c2"),
        ("2o5/x1oxo3/2ox2oo/3x1ox1/5xxo/6xo/4x3/8 b", "d7-d4"),
    ];
    for (text, best) in texts {
        let session = common::position(&game("loa"), text);
        let limits = Limits::nodes(2_000_000);
        let alone = common::analyse(&mut *player("spinney:proofs=off"), &session, &limits);
        assert_eq!(alone.proven, None, "{text}");
        let mut both = player("spinney:proofs=10");
        let report = common::analyse(&mut *both, &session, &limits);
        assert_eq!(report.proven, Some(GameValue::Win), "{text}");
        assert!(report.nodes < 2_001_000, "{text}: {} nodes", report.nodes);
        assert_eq!(report.best.map(|m| session.move_text(m)).as_deref(), Some(best));
        assert_eq!(report.candidates[0].pv, report.pv);
        // The line is played to its end.
        let mut end = session.clone();
        report.pv.iter().for_each(|&m| end.play(m));
        assert!(end.outcome().is_some(), "{text}: the line ends early");
        // Another game knows nothing of it.
        both.new_game(1);
        let again = common::analyse(&mut *both, &session, &limits);
        assert_eq!((again.nodes, again.pv), (report.nodes, report.pv), "{text}");
    }
}

#[test]
fn a_new_game_uses_its_seed() {
    let mut player = player("mia:noise=200");
    let start = Loa::<8>::default();
    let mut game = |seed| {
        player.new_game(seed);
        let report = analyse(&mut *player, &start, &to_depth(5));
        (report.nodes, report.value.to_bits())
    };
    let first = game(1);
    assert_ne!(game(2), first);
    assert_eq!(game(1), first);
}

/// Remembering changes the time a search takes, and nothing else.
#[test]
fn the_cache_changes_no_value() {
    for position in positions().iter().step_by(20) {
        let found = |spec: &str| {
            let report = analyse(&mut *player(spec), position, &to_depth(6));
            (report.best, report.value.to_bits(), report.nodes)
        };
        assert_eq!(found("mia:cache=on"), found("mia:cache=off"));
    }
}
