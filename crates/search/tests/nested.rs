//! Nested Monte Carlo search: the propositions of paper `nmcs` on random trees, and every option.

mod reference;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use reference::{after, assert_fits, forced, successors};
use spinney_game::{Game, Hashed, History, Path, Repetition, Rng, Side};
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;
use spinney_games::dummy::{Dummy, RandomTree};
use spinney_search::nested::{Config, Nested, Order, search};
use spinney_search::policy::{Policy, Simulation};
use spinney_search::{Budget, Limits, Report, Stop};

/// NMC(n) without improvements.
fn plain(level: u32) -> Config {
    Config { level, ..Config::default() }
}

/// NMC_D(n).
fn discounting(level: u32) -> Config {
    Config { discounting: true, ..plain(level) }
}

/// Playouts of one kind from one position.
struct Sampler<G: Game> {
    policy: Nested<G>,
    start: G,
    path: Path,
    rng: Rng,
    budget: Budget,
    moves: Vec<G::Move>,
}

impl<G: Repetition> Sampler<G> {
    fn new(start: &G, config: Config, seed: u64) -> Self {
        Sampler {
            policy: Nested::new(config),
            start: start.clone(),
            path: Path::new(start.key()),
            rng: Rng::new(seed),
            budget: Budget::unlimited(),
            moves: Vec::new(),
        }
    }

    /// The result of the next playout as the first side sees it; its moves are in `moves`.
    fn playout(&mut self) -> f32 {
        self.moves.clear();
        let mut simulation = Simulation {
            path: &mut self.path,
            rng: &mut self.rng,
            budget: &mut self.budget,
            trace: Some(&mut self.moves),
        };
        let value = self.policy.playout(self.start.clone(), &mut simulation);
        value.expect("the budget has no end")
    }
}

fn play<G: Repetition>(position: &G, config: &Config, seed: u64) -> Report {
    search(&History::new(position.clone()), config, &Limits::default(), &Stop::new(), seed)
}

/// Small random trees with some early ends and draws.
fn random_tree(seed: u64, depth: u32) -> Dummy {
    let shape = RandomTree { depth, branching: 1..=3, early_ends: 0.25, ..RandomTree::default() };
    Dummy::random(&shape, &mut Rng::new(seed))
}

// Propositions 1 and 2: what is forced is found.

proptest! {
    /// A win or loss that is forced in n plies is what NMC_D(n) returns, and it comes after n plies.
    #[test]
    fn proposition_1(seed: u64, level in 1..4_u32, prunes: bool) {
        let tree = random_tree(seed, 6);
        if let Some(forced) = forced(&tree, level) {
            let prune_on_depth = if prunes { level } else { 0 };
            let mut sampler = Sampler::new(&tree, Config { prune_on_depth, ..discounting(level) }, seed);
            for _ in 0..10 {
                prop_assert_eq!(sampler.playout(), forced.score_for_mover as f32);
                prop_assert_eq!(sampler.moves.len() as u32, forced.plies);
            }
        }
    }

    /// Where a win or loss is forced in n + 1 plies, Π(V_D(NMC_D(n))) plays the shortest win or the
    /// longest loss.
    #[test]
    fn proposition_2(seed: u64, level in 0..4_u32, prunes: bool) {
        let tree = random_tree(seed, 6);
        if let Some(best) = forced(&tree, level + 1) {
            let prune_on_depth = if prunes { level + 1 } else { 0 };
            let config = Config { prune_on_depth, ..discounting(level) };
            let m = play(&tree, &config, seed).best.unwrap();
            let after = forced(&after(&tree, m), level).unwrap();
            prop_assert_eq!(after.score_for_mover, -best.score_for_mover);
            prop_assert_eq!(after.plies + 1, best.plies);
        }
    }
}

/// The paper states Proposition 1 for NMC(n) too. By its Definition 1 that does not hold: here a
/// win in one ply exists, but the other move wins half of its random playouts, is then taken as the
/// first of the best, and loses to the reply.
#[test]
fn proposition_1_needs_discounting() {
    let tree: Dummy = "((+ -) +)".parse().unwrap();
    let losses = |config: Config| {
        let mut sampler = Sampler::new(&tree, config, 1);
        (0..4000).filter(|_| sampler.playout() < 0.0).count() as u32
    };
    let count = losses(Config { order: Order::Generation, ..plain(1) });
    assert_fits(&[count, 4000 - count], &[0.5, 0.5], "without discounting");
    assert_eq!(losses(discounting(1)), 0);
}

// Propositions 3 and 4: safe pruning does not change what comes out. The exact distribution of the
// ends of NMC(n) is computed from Definition 1, without any pruning; the search must follow it with
// every kind of safe pruning.

/// The result for the first side and the plies until then, with their probabilities.
type Ends = BTreeMap<(i32, u32), f64>;

/// The ends of NMC(`level`) from a position that is `plies` from the root.
fn ends(level: u32, position: &Dummy, plies: u32, config: &Config) -> Ends {
    if let Some(outcome) = position.outcome() {
        return Ends::from([((outcome.score_for(Side::First), plies), 1.0)]);
    }
    let children = successors(position);
    let uniform = 1.0 / children.len() as f64;
    let probabilities = if level == 0 {
        vec![uniform; children.len()]
    } else {
        let below: Vec<Ends> =
            children.iter().map(|child| ends(level - 1, child, plies + 1, config)).collect();
        let mut sum = vec![0.0; children.len()];
        let orders = match config.order {
            Order::Generation => vec![(0..children.len()).collect()],
            Order::Random => permutations((0..children.len()).collect()),
        };
        for order in &orders {
            let chosen = choice(&below, order, position.to_move(), config.discounting);
            sum.iter_mut().zip(chosen).for_each(|(sum, p)| *sum += p / orders.len() as f64);
        }
        sum
    };
    let mut all = Ends::new();
    for (child, probability) in children.iter().zip(probabilities) {
        if probability > 0.0 {
            for (end, p) in ends(level, child, plies + 1, config) {
                *all.entry(end).or_default() += probability * p;
            }
        }
    }
    all
}

/// The probability that each successor is the first best in an order, given the ends of its playout.
fn choice(ends: &[Ends], order: &[usize], side: Side, discounting: bool) -> Vec<f64> {
    let worth = |&(score, plies): &(i32, u32)| {
        let discount = if discounting { f64::from(plies + 1) } else { 1.0 };
        let value_for_first = f64::from(score) / discount;
        if side == Side::First { value_for_first } else { -value_for_first }
    };
    let mut chosen = vec![0.0; ends.len()];
    for &index in order {
        for (end, probability) in &ends[index] {
            // The chance that those before are worse, and those after not better.
            let mut p = *probability;
            let mut before = true;
            for &other in order {
                if other == index {
                    before = false;
                    continue;
                }
                p *= ends[other]
                    .iter()
                    .filter(
                        |(e, _)| {
                            if before { worth(e) < worth(end) } else { worth(e) <= worth(end) }
                        },
                    )
                    .map(|(_, p)| p)
                    .sum::<f64>();
            }
            // Without discounting a loss is never chosen, and if all lose, any is.
            if worth(end) <= -1.0 {
                chosen.iter_mut().for_each(|c| *c += p / ends.len() as f64);
            } else {
                chosen[index] += p;
            }
        }
    }
    chosen
}

fn permutations(items: Vec<usize>) -> Vec<Vec<usize>> {
    if items.len() <= 1 {
        return vec![items];
    }
    let mut all = Vec::new();
    for index in 0..items.len() {
        let mut rest = items.clone();
        let first = rest.remove(index);
        all.extend(permutations(rest).into_iter().map(|mut order| {
            order.insert(0, first);
            order
        }));
    }
    all
}

/// Samples playouts of every kind on random trees and compares with the exact distribution. With
/// it, the positions visited by each kind: pruning saves some.
fn assert_follows_definition(kinds: &[Config]) {
    const SAMPLES: u32 = 1500;
    let mut visited = vec![0; kinds.len()];
    for seed in 0..12 {
        let tree = random_tree(seed, 5);
        for (kind, visited) in kinds.iter().zip(&mut visited) {
            let exact = ends(kind.level, &tree, 0, kind);
            let total: f64 = exact.values().sum();
            assert!((total - 1.0).abs() < 1e-9, "probabilities add up to {total}");
            let mut counts: BTreeMap<_, u32> = exact.keys().map(|&end| (end, 0)).collect();
            let mut sampler = Sampler::new(&tree, *kind, seed);
            for _ in 0..SAMPLES {
                let end = (sampler.playout() as i32, sampler.moves.len() as u32);
                *counts.entry(end).or_default() += 1;
            }
            let counts: Vec<_> = counts
                .into_iter()
                .map(|(end, count)| (count, exact.get(&end).copied().unwrap_or(0.0)))
                .collect();
            let (counts, probabilities): (Vec<_>, Vec<_>) = counts.into_iter().unzip();
            assert_fits(&counts, &probabilities, &format!("tree {seed}, {kind:?}"));
            *visited += sampler.budget.visited();
        }
    }
    assert!(visited.is_sorted_by(|a, b| a > b), "each kind prunes more: {visited:?}");
}

/// Cut on win is safe without discounting.
#[test]
fn proposition_3() {
    for order in [Order::Generation, Order::Random] {
        assert_follows_definition(&[0, 1, 2].map(|cut_on_win| Config {
            cut_on_win,
            order,
            ..plain(2)
        }));
    }
}

/// Pruning on depth is safe with discounting.
#[test]
fn proposition_4() {
    for order in [Order::Generation, Order::Random] {
        assert_follows_definition(&[0, 1, 2].map(|prune_on_depth| Config {
            prune_on_depth,
            order,
            ..discounting(2)
        }));
    }
}

/// Cut on win is not safe with discounting: it overlooks shorter wins.
#[test]
fn cut_on_win_with_discounting_overlooks_shorter_wins() {
    let tree: Dummy = "(((+)) +)".parse().unwrap();
    let config = Config { order: Order::Generation, ..discounting(1) };
    assert_eq!(play(&tree, &config, 1).best, Some(1));
    assert_eq!(play(&tree, &Config { cut_on_win: 2, ..config }, 1).best, Some(0));
    assert_eq!(
        play(&tree, &Config { cut_on_win: 1, ..config }, 1).best,
        Some(1),
        "not at the root"
    );
}

// Options, limits and reports.

#[test]
fn discounting_prefers_short_wins_and_long_losses() {
    let order = Order::Generation;
    let wins: Dummy = "(((+)) ((((+)))) +)".parse().unwrap();
    assert_eq!(play(&wins, &Config { order, ..plain(0) }, 1).best, Some(0));
    let report = play(&wins, &Config { order, ..discounting(0) }, 1);
    assert_eq!(report.best, Some(2));
    assert_eq!(report.value, 1.0);
    let values: Vec<_> = report.candidates.iter().map(|c| (c.m, c.value)).collect();
    assert_eq!(values, [(2, 1.0), (0, 1.0 / 3.0), (1, 1.0 / 5.0)]);

    let losses: Dummy = "(- ((-)) (-))".parse().unwrap();
    assert_eq!(play(&losses, &Config { order, ..discounting(0) }, 1).best, Some(1));
    let mut counts = [0; 3];
    for seed in 0..3000 {
        counts[play(&losses, &Config { order, ..plain(0) }, seed).best.unwrap() as usize] += 1;
    }
    assert_fits(&counts, &[1.0 / 3.0; 3], "all lost: a random move");
}

#[test]
fn a_draw_is_between_a_win_and_a_loss() {
    for config in [plain(1), discounting(1)] {
        let config = Config { order: Order::Generation, ..config };
        let tree: Dummy = "(- = (((-))) =)".parse().unwrap();
        let report = play(&tree, &config, 1);
        assert_eq!((report.best, report.value), (Some(1), 0.0));
        let tree: Dummy = "(- = (((+))) =)".parse().unwrap();
        assert_eq!(play(&tree, &config, 1).best, Some(2));
    }
}

#[test]
fn random_order_spreads_ties() {
    let tree: Dummy = "(+ (+) + -)".parse().unwrap();
    for (order, probabilities) in [
        (Order::Generation, [1.0, 0.0, 0.0, 0.0]),
        (Order::Random, [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0]),
    ] {
        let mut in_search = [0; 4];
        let mut in_playouts = [0; 4];
        let mut sampler = Sampler::new(&tree, Config { order, ..plain(1) }, 1);
        for seed in 0..3000 {
            let report = play(&tree, &Config { order, ..plain(0) }, seed);
            in_search[report.best.unwrap() as usize] += 1;
            sampler.playout();
            in_playouts[sampler.moves[0] as usize] += 1;
        }
        assert_fits(&in_search, &probabilities, &format!("search, {order:?}"));
        assert_fits(&in_playouts, &probabilities, &format!("playouts, {order:?}"));
    }
}

#[test]
fn the_policy_chooses_as_its_playouts_do() {
    let tree = random_tree(3, 5);
    let kind = Config { order: Order::Random, ..discounting(2) };
    let moves = tree.count_moves() as usize;
    let mut probabilities = vec![0.0; moves];
    let below: Vec<Ends> = successors(&tree).iter().map(|c| ends(1, c, 1, &kind)).collect();
    let orders = permutations((0..moves).collect());
    for order in &orders {
        let chosen = choice(&below, order, Side::First, true);
        probabilities.iter_mut().zip(chosen).for_each(|(sum, p)| *sum += p / orders.len() as f64);
    }
    let mut policy = Nested::new(kind);
    let mut rng = Rng::new(1);
    let mut counts = vec![0; moves];
    for _ in 0..3000 {
        counts[policy.choose(&tree, &mut rng, &mut Budget::unlimited()) as usize] += 1;
    }
    assert_fits(&counts, &probabilities, "choices");
}

#[test]
fn level_zero_is_the_random_playout() {
    let tree = random_tree(5, 5);
    let exact = ends(0, &tree, 0, &plain(0));
    let mut sampler = Sampler::new(&tree, plain(0), 1);
    let mut counts = vec![0; exact.len()];
    for _ in 0..3000 {
        let end = (sampler.playout() as i32, sampler.moves.len() as u32);
        counts[exact.keys().position(|&e| e == end).unwrap()] += 1;
    }
    assert_fits(&counts, &exact.values().copied().collect::<Vec<_>>(), "level 0");
}

#[test]
fn endless_games_are_drawn() {
    // By repetition, with the way to the position; or by the limit on plies.
    let circle: Dummy = "a:(a) first 3".parse().unwrap();
    let mut sampler = Sampler::new(&circle, plain(1), 1);
    assert_eq!((sampler.playout(), sampler.moves.len()), (0.0, 4));
    assert_eq!(sampler.path, Path::new(circle.key()), "the path is as it was");
    let mut history = History::new(circle);
    history.play(0);
    history.play(0);
    history.play(0);
    let report = search(&history, &plain(0), &Limits::default(), &Stop::new(), 1);
    assert_eq!((report.best, report.value, report.nodes), (Some(0), 0.0, 1));

    let circle: Dummy = "a:(a a a) first 1000000".parse().unwrap();
    for level in 0..3 {
        let mut sampler = Sampler::new(&circle, Config { max_plies: 7, ..plain(level) }, 1);
        assert_eq!((sampler.playout(), sampler.moves.len()), (0.0, 7));
    }
}

#[test]
fn one_pass_unless_told_to_repeat() {
    let start = Breakthrough::new(Size::FIVE);
    let history = History::new(start);
    let run = |config: Config, limits: Limits| search(&history, &config, &limits, &Stop::new(), 5);
    let once = run(plain(1), Limits::nodes(1_000_000));
    assert_eq!(once.simulations, start.count_moves());
    assert!(once.candidates.iter().all(|c| c.visits == 1 && c.value.abs() == 1.0));
    assert_eq!(once, Report { elapsed: once.elapsed, ..run(plain(1), Limits::default()) });

    let repeat = Config { repeat: true, cut_on_win: 9, ..plain(1) };
    let often = run(repeat, Limits::simulations(130));
    assert_eq!(often.simulations, 130);
    assert!(often.candidates.iter().all(|c| c.visits == 10), "13 moves: {often:?}");
    assert!(often.candidates.is_sorted_by(|a, b| a.value >= b.value));
    assert_eq!(often.best, Some(often.candidates[0].m));
    let limited = run(repeat, Limits::nodes(20_000));
    assert!((20_000..20_100).contains(&limited.nodes), "{}", limited.nodes);
}

#[test]
fn pruning_at_the_root_is_of_the_level_above() {
    let start = Breakthrough::new(Size::FIVE);
    let simulations = |cut_on_win| play(&start, &Config { cut_on_win, ..plain(1) }, 1).simulations;
    assert_eq!(simulations(1), 13);
    assert!(simulations(2) < 13);
    let nodes = |prune_on_depth| {
        let config = Config { prune_on_depth, ..discounting(1) };
        (0..50).map(|seed| play(&start, &config, seed).nodes).sum::<u64>()
    };
    assert!(nodes(0) > nodes(1) && nodes(1) > nodes(2));
}

#[test]
fn a_search_ends_within_milliseconds_of_its_time() {
    let history = History::new(Breakthrough::new(Size::EIGHT));
    for level in [1, 3] {
        let config = Config { repeat: true, ..plain(level) };
        let limits = Limits::time(Duration::from_millis(20));
        let start = Instant::now();
        let report = search(&history, &config, &limits, &Stop::new(), 1);
        assert!(start.elapsed() < Duration::from_millis(120), "{:?}", start.elapsed());
        assert!(report.best.is_some(), "the best so far, or a random move");
    }
    let stop = Stop::new();
    stop.stop();
    let report = search(&history, &plain(4), &Limits::default(), &stop, 1);
    assert!(report.best.is_some() && report.simulations == 0 && report.nodes < 10_000);
}

#[test]
fn an_interrupted_playout_has_no_result_and_leaves_the_path_alone() {
    let start: Dummy = "a:(a a (a + -)) first 50".parse().unwrap();
    let mut path = Path::new(start.key());
    let mut budget = Budget::new(&Limits::nodes(10_000), &Stop::new());
    let mut simulation =
        Simulation { path: &mut path, rng: &mut Rng::new(1), budget: &mut budget, trace: None };
    assert_eq!(Nested::new(plain(3)).playout(start.clone(), &mut simulation), None);
    assert!((10_000..10_400).contains(&budget.visited()), "{}", budget.visited());
    assert_eq!(path, Path::new(start.key()));
}

#[test]
fn a_finished_game_has_no_move() {
    let over: Dummy = "+".parse().unwrap();
    assert_eq!(play(&over, &plain(1), 1), Report::empty());
}
