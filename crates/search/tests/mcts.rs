//! Monte Carlo tree search: proofs are true, searches repeat, every option does something.

use std::time::{Duration, Instant};

use spinney_game::conformance::legal_moves;
use spinney_game::{History, Move, Notation, Outcome, Path, Repetition, Rng, Symmetric};
use spinney_games::atarigo::AtariGo;
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;
use spinney_games::chess::Chess;
use spinney_games::domineering::Domineering;
use spinney_games::dummy::{Dummy, RandomTree};
use spinney_games::knightthrough::Knightthrough;
use spinney_games::loa::Loa;
use spinney_games::nogo::NoGo;
use spinney_games::tictactoe::TicTacToe;
use spinney_search::brute_force::{BruteForce, Options};
use spinney_search::knowledge::NoKnowledge;
use spinney_search::mcts::{
    self, Bias, ChildOrder, Config, FinalMove, Mcts, Parallelism, Widening,
};
use spinney_search::policy::{Policy, Random, Simulation};
use spinney_search::{Budget, Candidate, GameValue, Limits, NoNode, Report, Stop};

/// Plain minimax with full rules: the value as the side to move sees it.
fn minimax<G: Repetition>(position: &G, path: &mut Path) -> GameValue {
    if let Some(outcome) = position.outcome() {
        return GameValue::of(outcome, position.to_move());
    }
    if position.drawn_at().is_some_and(|times| path.repeats(times)) {
        return GameValue::Draw;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut best = GameValue::Loss;
    for m in moves {
        let mut child = position.clone();
        let irreversible = position.is_irreversible(m);
        child.play(m);
        path.push(child.key(), irreversible);
        best = best.max(minimax(&child, path).for_opponent());
        path.truncate(path.len() - 1);
        if best == GameValue::Win {
            break;
        }
    }
    best
}

fn value_of<G: Repetition>(history: &History<G>) -> GameValue {
    minimax(history.position(), &mut history.path().clone())
}

fn search<G: Repetition>(history: &History<G>, config: Config, limits: Limits) -> Report {
    let mut mcts = Mcts::new(config, Random { max_plies: 300 }, 1);
    mcts.search(history, &limits, &Stop::new(), &mut |_| ())
}

/// The same settings but for some.
fn with(mut config: Config, change: impl FnOnce(&mut Config)) -> Config {
    change(&mut config);
    config
}

fn on_threads(config: Config, number: usize, parallelism: Parallelism) -> Config {
    with(config, |c| {
        c.threads.number = number;
        c.threads.parallelism = parallelism;
    })
}

fn small() -> Config {
    with(Config::default(), |c| {
        c.growth.memory = 64 << 20;
        c.decision.stop_early = false;
    })
}

/// Configurations whose proofs must all be true.
fn configurations() -> Vec<Config> {
    let tree = |threads| on_threads(small(), threads, Parallelism::Tree);
    let root = |threads| on_threads(small(), threads, Parallelism::Root);
    vec![
        small(),
        with(small(), |c| c.proof.look_ahead = true),
        with(small(), |c| {
            c.selection.policy_visits = 5;
            c.growth.order = ChildOrder::Generated;
        }),
        with(small(), |c| {
            c.selection.rave = Some(50.0);
            c.growth.expand_at = 3;
        }),
        with(small(), |c| c.selection.proof_bias = 2.0),
        with(small(), |c| {
            c.selection.first_play = Some(0.2);
            c.proof.shortest = true;
        }),
        with(small(), |c| c.growth.transpositions = Some(1)),
        tree(4),
        with(tree(4), |c| c.proof.look_ahead = true),
        root(4),
    ]
}

/// Searches until the root is proven and compares the value; also the values of all moves.
fn check_proofs<G: Repetition + Notation + Symmetric>(history: &History<G>, config: &Config) {
    let expected = value_of(history);
    let report = search(history, config.clone(), Limits::simulations(2_000_000));
    let text = history.position().position_text();
    assert_eq!(report.proven, Some(expected), "{text} with {config:?}");
    for candidate in &report.candidates {
        let Some(proven) = candidate.proven else { continue };
        let mut next = history.clone();
        let m = G::Move::unpack(candidate.m);
        next.play(m);
        let value = match next.outcome() {
            Some(outcome) => GameValue::of(outcome, history.position().to_move()),
            None => value_of(&next).for_opponent(),
        };
        assert_eq!(proven, value, "{text}: {}", history.position().move_text(m));
    }
    // The move to play keeps the value.
    let mut next = history.clone();
    next.play(G::Move::unpack(report.best.expect("a move")));
    let kept = match next.outcome() {
        Some(outcome) => GameValue::of(outcome, history.position().to_move()),
        None => value_of(&next).for_opponent(),
    };
    assert_eq!(kept, expected, "{text}: the best move");
}

#[test]
fn proofs_are_true_on_random_trees() {
    let mut rng = Rng::new(5);
    let configurations = configurations();
    for number in 0..10_000 {
        let shape = RandomTree {
            depth: 2 + number % 4,
            draws: [0.0, 0.2, 0.6][number as usize % 3],
            ..RandomTree::default()
        };
        let history = History::new(Dummy::random(&shape, &mut rng));
        // Threads are slow to start: the configurations that use them get fewer trees.
        let config = &configurations[number as usize % 5];
        check_proofs(&history, config);
        if number % 10 == 0 {
            check_proofs(&history, &configurations[5 + (number as usize / 10) % 3]);
        }
    }
}

#[test]
fn proofs_are_true_on_graphs_with_repetition() {
    let mut rng = Rng::new(6);
    let configurations = configurations();
    for number in 0..1500 {
        let shape = RandomTree {
            depth: 3,
            branching: 1..=3,
            transpositions: 0.2,
            cycles: 0.2,
            drawn_at: Some(2 + number % 2),
            ..RandomTree::default()
        };
        let history = History::new(Dummy::random(&shape, &mut rng));
        if count_leaves(&history, 200_000) >= 200_000 {
            continue; // Too large for plain minimax.
        }
        check_proofs(&history, &configurations[number as usize % configurations.len()]);
    }
}

/// The number of games from here, up to a limit.
fn count_leaves<G: Repetition>(history: &History<G>, limit: u64) -> u64 {
    if history.outcome().is_some() {
        return 1;
    }
    let mut moves = Vec::new();
    history.position().legal_moves(&mut moves);
    let mut leaves = 0;
    for m in moves {
        let mut next = history.clone();
        next.play(m);
        leaves += count_leaves(&next, limit - leaves);
        if leaves >= limit {
            break;
        }
    }
    leaves
}

fn check_positions<G: Repetition + Notation + Symmetric>(start: G, random_plies: u32, games: u64) {
    let configurations = configurations();
    for game in 0..games {
        let mut rng = Rng::stream(7, game);
        let mut history = History::new(start.clone());
        for _ in 0..random_plies {
            let m = history.position().random_move(&mut rng);
            history.play(m);
            if history.outcome().is_some() {
                break;
            }
        }
        if history.outcome().is_none() {
            check_proofs(&history, &configurations[game as usize % configurations.len()]);
        }
    }
}

#[test]
fn proofs_are_true_on_small_boards() {
    let size = |width, height| Size::new(width, height).unwrap();
    for history in [0, 1, 2, 3] {
        check_positions(TicTacToe::default(), history, 7);
    }
    for board in [size(3, 3), size(3, 4), size(4, 3)] {
        check_positions(Breakthrough::new(board), 0, 7);
        check_positions(Breakthrough::new(board).misere(), 0, 7);
        check_positions(Knightthrough::new(board), 0, 7);
        check_positions(Knightthrough::new(board).misere(), 0, 7);
        check_positions(Domineering::new(board), 0, 7);
        check_positions(Domineering::new(board).misere(), 0, 7);
        check_positions(NoGo::new(board), 2, 7);
        check_positions(NoGo::new(board).misere(), 2, 7);
        check_positions(AtariGo::new(board), 3, 7);
    }
}

/// From the start, on 3x4 and 4x4, with one thread and with four: what is proven is what brute force
/// finds. A proof may take too long for a Monte Carlo search; a wrong one may not happen.
#[test]
fn proofs_agree_with_brute_force() {
    fn check<G: Repetition + Notation + Symmetric>(start: G, proven: &mut u32) {
        let mut solver = BruteForce::new(Options::default(), NoKnowledge).expect("memory");
        let expected = solver.solve(&start, &Limits::default(), &Stop::new()).proven;
        assert!(expected.is_some());
        let history = History::new(start);
        let one = with(small(), |c| {
            c.proof.look_ahead = true;
            c.growth.memory = 512 << 20;
        });
        let tree = on_threads(one.clone(), 4, Parallelism::Tree);
        let root = on_threads(one.clone(), 4, Parallelism::Root);
        for config in [one, tree, root] {
            let report = search(&history, config, Limits::simulations(100_000));
            let text = history.position().position_text();
            assert!(report.proven.is_none() || report.proven == expected, "{text}");
            *proven += u32::from(report.proven.is_some());
            for candidate in report.candidates.iter().filter(|c| c.proven.is_some()) {
                let mut next = history.position().clone();
                next.play(G::Move::unpack(candidate.m));
                let value = solver.solve(&next, &Limits::default(), &Stop::new()).proven;
                assert_eq!(candidate.proven, value.map(GameValue::for_opponent), "{text}");
            }
        }
    }
    let mut proven = 0;
    for (width, height) in [(3, 4), (4, 4)] {
        let size = Size::new(width, height).unwrap();
        check(Breakthrough::new(size), &mut proven);
        check(Breakthrough::new(size).misere(), &mut proven);
        check(Knightthrough::new(size), &mut proven);
        check(Knightthrough::new(size).misere(), &mut proven);
        check(Domineering::new(size), &mut proven);
        check(Domineering::new(size).misere(), &mut proven);
        check(NoGo::new(size), &mut proven);
        check(NoGo::new(size).misere(), &mut proven);
        check(AtariGo::new(size), &mut proven);
    }
    assert!(proven >= 25, "{proven} of 54 were proven");
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let history = History::new(Loa::<8>::default());
    let report = |config: Config| search(&history, config, Limits::simulations(3000));
    for config in configurations().into_iter().filter(|config| config.threads.number == 1) {
        let (first, second) = (report(config.clone()), report(config));
        assert_eq!(first.candidates, second.candidates);
        assert_eq!(first.nodes, second.nodes);
    }
    // Golden numbers: the same in debug and release builds and on every machine.
    let report = report(small());
    let best = &report.candidates[0];
    let text = history.position().move_text(Move::unpack(best.m));
    assert_eq!((text.as_str(), best.visits, best.value), GOLDEN);
}

const GOLDEN: (&str, u64, f64) = ("d1-b3", 395, 0.1620253164556962);

#[test]
fn limits_are_respected() {
    let history = History::new(Chess::start());
    for threads in [1, 2] {
        for parallelism in [Parallelism::Root, Parallelism::Tree] {
            let config = on_threads(small(), threads, parallelism);
            let report = search(&history, config.clone(), Limits::simulations(1000));
            assert_eq!(report.simulations, 1000, "{config:?}");
            let started = Instant::now();
            let report = search(&history, config.clone(), Limits::time(Duration::from_millis(50)));
            let elapsed = started.elapsed();
            assert!(report.simulations > 10);
            assert!(elapsed >= Duration::from_millis(45), "{elapsed:?}");
        }
    }
    let report = search(&history, small(), Limits::nodes(50_000));
    assert!(report.simulations > 10 && report.simulations < 1000);
}

#[test]
fn threads_lose_no_simulation() {
    // Enough for threads to start far below the root, in games with and without repetition.
    fn check<G: Repetition>(start: G) {
        let history = History::new(start);
        for (threads, virtual_loss) in [(2, 1), (4, 1), (4, 0), (3, 5)] {
            let parallelism = Parallelism::Tree;
            let config = with(on_threads(small(), threads, parallelism), |c| {
                c.threads.virtual_loss = virtual_loss
            });
            let report = search(&history, config, Limits::simulations(20_000));
            let visits: u64 = report.candidates.iter().map(|candidate| candidate.visits).sum();
            assert_eq!((report.simulations, visits), (20_000, 20_000));
        }
    }
    check(Loa::<6>::default());
    check(Breakthrough::new(Size::FIVE));
}

/// Root parallelism over machines: visits and scores are added, and the rule of the final move sees the
/// sums (paper `mcts-loa`, III.B).
#[test]
fn searches_apart_are_joined_like_threads() {
    let history = History::new(Loa::<6>::default());
    let legal: Vec<_> = legal_moves(history.position()).into_iter().map(Move::pack).collect();
    for final_move in [FinalMove::MostVisited, FinalMove::HighestValue, FinalMove::Secure] {
        let config = with(small(), |c| c.decision.final_move = final_move);
        let player = |seed| Mcts::new(config.clone(), Random { max_plies: 300 }, seed);
        let limits = Limits::simulations(500);
        let parts: Vec<_> = (0..4)
            .map(|seed| player(seed).search(&history, &limits, &Stop::new(), &mut |_| ()))
            .collect();
        let whole = mcts::merge(&config, &legal, &parts);
        assert_eq!(whole.simulations, 2000);
        assert_eq!(whole.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), 2000);
        for candidate in &whole.candidates {
            let of_move =
                || parts.iter().flat_map(|part| &part.candidates).filter(|c| c.m == candidate.m);
            assert_eq!(candidate.visits, of_move().map(|part| part.visits).sum());
            let score: f64 = of_move().map(|part| part.value * part.visits as f64).sum();
            assert!((candidate.value * candidate.visits as f64 - score).abs() < 1e-9);
        }
        let rank = |candidate: &Candidate| match final_move {
            FinalMove::MostVisited => candidate.visits as f64,
            FinalMove::HighestValue => candidate.value,
            FinalMove::Secure => candidate.value + 1.0 / (candidate.visits as f64).sqrt(),
        };
        let ranks: Vec<f64> = whole.candidates.iter().map(rank).collect();
        assert!(ranks.is_sorted_by(|a, b| a >= b), "{ranks:?}");
        assert_eq!(whole.best, Some(whole.candidates[0].m));
        // One search joined with nothing is itself.
        let moves = |report: &Report| -> Vec<_> {
            report.candidates.iter().map(|candidate| (candidate.m, candidate.visits)).collect()
        };
        assert_eq!(moves(&mcts::merge(&config, &legal, &parts[..1])), moves(&parts[0]));
    }
}

#[test]
fn a_search_can_be_stopped() {
    let history = History::new(Loa::<8>::default());
    for (threads, parallelism) in
        [(1, Parallelism::Root), (2, Parallelism::Root), (2, Parallelism::Tree)]
    {
        let config = on_threads(small(), threads, parallelism);
        let mut mcts = Mcts::new(config, Random { max_plies: 200 }, 1);
        let report = mcts.search(&history, &Limits::default(), &Stop::at_look(5), &mut |_| ());
        assert!(report.best.is_some());
    }
}

#[test]
fn snapshots_come_while_the_search_runs() {
    let history = History::new(Loa::<8>::default());
    for (threads, parallelism) in
        [(1, Parallelism::Root), (2, Parallelism::Root), (2, Parallelism::Tree)]
    {
        let config = on_threads(small(), threads, parallelism);
        let mut mcts = Mcts::new(config, Random { max_plies: 200 }, 1);
        let mut snapshots = Vec::new();
        let limits = Limits::time(Duration::from_millis(450));
        let last = mcts.search(&history, &limits, &Stop::new(), &mut |report| {
            snapshots.push(report.clone());
        });
        assert!(snapshots.len() >= 2, "{}", snapshots.len());
        assert!(snapshots.windows(2).all(|pair| pair[0].simulations <= pair[1].simulations));
        assert!(snapshots[0].simulations < last.simulations);
        assert!(snapshots.iter().all(|report| report.best.is_some() && !report.pv.is_empty()));
    }
}

#[test]
fn the_tree_is_kept_between_moves() {
    let mut history = History::new(Loa::<8>::default());
    let config = with(small(), |c| c.growth.reuse = true);
    let mut mcts = Mcts::new(config, Random { max_plies: 200 }, 1);
    let limits = Limits::simulations(20_000);
    let report = mcts.search(&history, &limits, &Stop::new(), &mut |_| ());
    let line = report.pv.clone();
    assert!(line.len() >= 2, "{line:?}");
    history.play(Move::unpack(line[0]));
    history.play(Move::unpack(line[1]));
    let report = mcts.search(&history, &Limits::simulations(1), &Stop::new(), &mut |_| ());
    let visits: u64 = report.candidates.iter().map(|candidate| candidate.visits).sum();
    assert!(visits > 10, "{visits} visits");
    // Another game: nothing is known.
    let other =
        History::new(Loa::<8>::new(spinney_games::loa::Start::ScrambledEggs, Default::default()));
    let report = mcts.search(&other, &Limits::simulations(1), &Stop::new(), &mut |_| ());
    assert_eq!(report.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), 1);
}

#[test]
fn a_proven_root_ends_the_search() {
    // x completes a row at once.
    let start = TicTacToe::default();
    let history = History::new(start.parse_position("3/oo1/xx1 x").unwrap());
    let report = search(&history, small(), Limits::default());
    assert_eq!(report.proven, Some(GameValue::Win));
    assert_eq!(report.plies, Some(1));
    assert_eq!(history.position().move_text(Move::unpack(report.best.unwrap())), "c1");
    assert_eq!(report.value, 1.0);
}

#[test]
fn a_finished_game_has_no_move() {
    let history = History::new(TicTacToe::default().parse_position("3/oo1/xxx o").unwrap());
    assert_eq!(history.outcome(), Some(Outcome::Win(spinney_game::Side::First)));
    assert_eq!(search(&history, small(), Limits::default()).best, None);
}

/// Random playouts with a prior for a fixed order of moves.
#[derive(Clone)]
struct Biased;

impl<G: Repetition> Policy<G> for Biased {
    fn playout(&mut self, position: G, simulation: &mut Simulation<'_, G>) -> Option<f32> {
        Random { max_plies: 200 }.playout(position, simulation)
    }

    fn choose(&mut self, position: &G, _rng: &mut Rng, _budget: &mut Budget) -> G::Move {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves[0]
    }

    fn prior(&mut self, _position: &G, m: G::Move) -> f32 {
        (m.pack() % 7) as f32
    }
}

/// Every option of the search changes what it finds.
#[test]
fn every_option_changes_behaviour() {
    let history = History::new(Breakthrough::new(Size::EIGHT));
    let visits = |config: Config, simulations: u64| {
        let mut mcts = Mcts::new(config, Biased, 3);
        let report =
            mcts.search(&history, &Limits::simulations(simulations), &Stop::new(), &mut |_| ());
        let mut visits: Vec<_> =
            report.candidates.iter().map(|candidate| (candidate.m, candidate.visits)).collect();
        visits.sort();
        (visits, report.nodes, report.simulations)
    };
    let base = with(small(), |c| c.growth.order = ChildOrder::Generated);
    let biased = |bias| {
        with(base.clone(), |c| {
            c.selection.bias = bias;
            c.selection.bias_weight = 10.0;
        })
    };
    let plain = visits(base.clone(), 4000);
    let changed = [
        ("exploration", with(base.clone(), |c| c.selection.exploration = 0.1)),
        ("bias by losses", biased(Bias::Losses)),
        ("bias by the root of losses", biased(Bias::RootOfLosses)),
        ("bias by visits", biased(Bias::Visits)),
        ("rave", with(base.clone(), |c| c.selection.rave = Some(1000.0))),
        ("transpositions", with(base.clone(), |c| c.growth.transpositions = Some(2))),
        ("proof bias", with(base.clone(), |c| c.selection.proof_bias = 1e6)),
        (
            "widening",
            with(base.clone(), |c| {
                c.selection.widening = Widening { after: 0, first: Some(2), growth: 2.0 }
            }),
        ),
        ("policy visits", with(base.clone(), |c| c.selection.policy_visits = 20)),
        ("expansion", with(base.clone(), |c| c.growth.expand_at = 10)),
        ("order by prior", with(base.clone(), |c| c.growth.order = ChildOrder::Prior)),
        ("shuffled order", with(base.clone(), |c| c.growth.order = ChildOrder::Shuffled)),
    ];
    let mut seen = vec![("plain", plain)];
    for (name, config) in changed {
        let result = visits(config, 4000);
        for (other, known) in &seen {
            assert_ne!(known, &result, "{name} is as {other}");
        }
        seen.push((name, result));
    }
    let forgetful = visits(with(base.clone(), |c| c.growth.memory = 1), 20_000);
    assert_ne!(forgetful, visits(base.clone(), 20_000), "memory");
    // The limit on simulations is not reached if the move cannot change any more.
    let early = visits(
        with(base.clone(), |c| {
            c.decision.stop_early = true;
            c.selection.exploration = 0.01;
        }),
        100_000,
    );
    assert!(early.2 < 100_000, "{}", early.2);
}

/// The mean of a twin is taken as the right side sees it: values stay what they were.
#[test]
fn transpositions_change_no_sign() {
    let unsolved = with(small(), |c| c.proof.solver = false);
    for text in ["x1o/1x1/o2 x", "3/1x1/2o x", "x2/1o1/2x o", "3/1x1/3 o"] {
        let position = TicTacToe::default().parse_position(text).unwrap();
        let value = |transpositions| {
            let config = with(unsolved.clone(), |c| c.growth.transpositions = transpositions);
            search(&History::new(position), config, Limits::simulations(20_000)).value
        };
        let (plain, twins) = (value(None), value(Some(1)));
        assert!((plain - twins).abs() < 0.1, "{text}: {plain} without, {twins} with");
    }
}

#[test]
fn the_solver_and_the_look_ahead_prove_sooner() {
    let size = Size::new(4, 4).unwrap();
    let history = History::new(Breakthrough::new(size));
    let simulations = |config: Config| {
        let report = search(&history, config, Limits::simulations(200_000));
        (report.proven.is_some(), report.simulations)
    };
    let off = simulations(with(small(), |c| c.proof.solver = false));
    let on = simulations(small());
    let ahead = simulations(with(small(), |c| c.proof.look_ahead = true));
    assert_eq!(off, (false, 200_000));
    assert!(on.0 && ahead.0 && ahead.1 < on.1 && on.1 < 200_000, "{on:?} {ahead:?}");
}

#[test]
fn final_moves_follow_the_rule() {
    let history = History::new(Loa::<8>::default());
    let ranked = |final_move| {
        let config = with(small(), |c| c.decision.final_move = final_move);
        search(&history, config, Limits::simulations(3000)).candidates
    };
    let visited = ranked(FinalMove::MostVisited);
    assert!(visited.windows(2).all(|pair| pair[0].visits >= pair[1].visits));
    let valued = ranked(FinalMove::HighestValue);
    assert!(valued.windows(2).all(|pair| pair[0].value >= pair[1].value));
    let secure = ranked(FinalMove::Secure);
    let rank = |visits: u64, value: f64| value + 1.0 / (visits as f64).sqrt();
    assert!(secure.windows(2).all(|pair| {
        rank(pair[0].visits, pair[0].value) >= rank(pair[1].visits, pair[1].value)
    }));
}

/// What the tree shows adds up: the root has the candidates of the report, and the visits of a node are
/// those of its moves and its own first ones.
#[test]
fn the_tree_can_be_looked_into() {
    let history = History::new(Loa::<8>::default());
    for (threads, parallelism) in [(1, Parallelism::Tree), (2, Parallelism::Root)] {
        let config = on_threads(small(), threads, parallelism);
        let mut mcts = Mcts::new(config, Random { max_plies: 200 }, 1);
        let tree = mcts.tree();
        assert!(tree.moves(&[]).unwrap().is_empty());
        // It grows while it is looked at.
        let mut seen = Vec::new();
        let limits = Limits::time(Duration::from_millis(700));
        let report = mcts.search(&history, &limits, &Stop::new(), &mut |_| {
            let moves = tree.moves(&[]).unwrap();
            seen.push(moves.iter().map(|one| one.candidate.visits).sum::<u64>());
        });
        assert!(seen.is_sorted() && seen.first() < seen.last(), "{seen:?}");
        let root = tree.moves(&[]).unwrap();
        assert_eq!(root.len(), report.candidates.len());
        for branch in &root {
            let same = report.candidates.iter().find(|one| one.m == branch.candidate.m);
            assert_eq!(same, Some(&branch.candidate));
            if branch.children == 0 {
                continue;
            }
            let below = tree.moves(&[branch.candidate.m]).unwrap();
            let visits: u64 = below.iter().map(|one| one.candidate.visits).sum();
            assert_eq!(below.len(), branch.children);
            let own = branch.candidate.visits - visits;
            assert!(own >= 1 && own <= threads as u64, "{own} visits of its own");
            assert!(below.is_sorted_by_key(|one| std::cmp::Reverse(one.candidate.visits)));
        }
        // The line of the report is in the tree; a line that goes on for ever is not.
        assert!(tree.moves(&report.pv).is_ok());
        let endless = [report.pv.as_slice(), &report.pv].concat();
        assert_eq!(tree.moves(&endless), Err(NoNode::Missing));
        // Another search grows another tree: what somebody looks at stays.
        let mut next = history.clone();
        next.play(Move::unpack(report.pv[0]));
        mcts.search(&next, &Limits::simulations(100), &Stop::new(), &mut |_| ());
        assert_eq!(tree.moves(&[]).unwrap(), root);
        assert_ne!(mcts.tree().moves(&[]).unwrap(), root);
    }
}

#[test]
fn a_proven_tree_shows_its_proofs() {
    let history = History::new(TicTacToe::default().parse_position("3/oo1/xx1 x").unwrap());
    let mut mcts = Mcts::new(small(), Random { max_plies: 9 }, 1);
    mcts.search(&history, &Limits::default(), &Stop::new(), &mut |_| ());
    let tree = mcts.tree();
    let best = &tree.moves(&[]).unwrap()[0].candidate;
    assert_eq!((best.proven, best.plies), (Some(GameValue::Win), Some(1)));
    assert_eq!(history.position().move_text(Move::unpack(best.m)), "c1");
    assert!(tree.moves(&[best.m]).unwrap().is_empty());
}
