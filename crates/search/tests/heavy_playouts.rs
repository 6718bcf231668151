//! Heavy playouts, the search at the leaves, what is known of positions, and the shortest win.

use spinney_game::{Game, History, Notation, Outcome, Repetition, Rng, Side};
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;
use spinney_games::chess::Chess;
use spinney_games::chess::knowledge::{
    Adjudicator, ChessKnowledge, Greedy, Priors, evaluate, tactical_moves,
};
use spinney_games::dummy::{Dummy, RandomTree};
use spinney_games::tictactoe::TicTacToe;
use spinney_search::brute_force::minimax;
use spinney_search::knowledge::{Evaluate, Known, MoveOrder, Oracle, PlayoutModel};
use spinney_search::mcts::{self, Config, Mcts};
use spinney_search::policy::{
    EpsilonGreedy, EpsilonGreedyConfig, LeafSearch, LeafSearchConfig, Policy, Random, Simulation,
};
use spinney_search::{Budget, GameValue, Limits, Report, Stop};

type MoveOf<G> = <G as Game>::Move;

/// What any game knows by making its moves: the first move is best. `known` says
/// which positions have a known value, by minimax.
#[derive(Clone, Default)]
struct ByRules {
    known: Option<fn(&TicTacToe) -> bool>,
    begun: u32,
}

fn moves_of<G: Game>(position: &G) -> Vec<MoveOf<G>> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

fn after<G: Game>(position: &G, m: MoveOf<G>) -> G {
    let mut next = position.clone();
    next.play(m);
    next
}

impl Evaluate<TicTacToe> for ByRules {
    type State = ();

    fn state(&mut self, _: &TicTacToe) {}

    fn update(&mut self, (): &mut (), _: &TicTacToe, _: MoveOf<TicTacToe>) {}

    fn evaluate(&mut self, _: &TicTacToe, (): &()) -> i32 {
        0
    }
}

impl MoveOrder<TicTacToe> for ByRules {
    fn prior(&self, _: &TicTacToe, _: MoveOf<TicTacToe>) -> f32 {
        0.0
    }
}

impl PlayoutModel<TicTacToe> for ByRules {}

impl Oracle<TicTacToe> for ByRules {
    fn winning_move(&mut self, position: &TicTacToe, (): &()) -> Option<MoveOf<TicTacToe>> {
        let won = Some(Outcome::Win(position.to_move()));
        moves_of(position).into_iter().find(|&m| after(position, m).outcome() == won)
    }

    fn known(&mut self, position: &TicTacToe) -> Option<Known> {
        assert_eq!(self.begun, 1, "a search says where it begins, once");
        self.known.filter(|known| known(position))?;
        let perfect = minimax(&History::new(*position));
        Some(Known { value: perfect.value, plies: perfect.plies as u16 })
    }

    fn begin(&mut self, _: &TicTacToe) {
        self.begun += 1;
    }
}

/// The same settings but for some.
fn with(mut config: Config, change: impl FnOnce(&mut Config)) -> Config {
    change(&mut config);
    config
}

fn parse(text: &str) -> TicTacToe {
    TicTacToe::default().parse_position(text).expect("a position")
}

fn search<G: Repetition, P: Policy<G> + 'static>(
    position: &G,
    config: Config,
    policy: P,
    simulations: u64,
) -> Report {
    let mut mcts = Mcts::new(with(config, |c| c.growth.memory = 64 << 20), policy, 7);
    let history = History::new(position.clone());
    mcts.search(&history, &Limits::simulations(simulations), &Stop::new(), &mut |_| ())
}

/// The results of many playouts as the side to move sees them.
fn results(position: &TicTacToe, options: &EpsilonGreedyConfig, seed: u64) -> Vec<f32> {
    let mut policy = EpsilonGreedy::new(options.clone(), ByRules::default());
    policy.begin(position);
    let mut path = History::new(*position).path().clone();
    let (mut rng, mut budget) = (Rng::new(seed), Budget::unlimited());
    let sign = if position.to_move() == Side::First { 1.0 } else { -1.0 };
    let mut result = || {
        let length = path.len();
        let mut simulation =
            Simulation { path: &mut path, rng: &mut rng, budget: &mut budget, trace: None };
        let result = policy.playout(*position, &mut simulation).expect("a result");
        assert_eq!(path.len(), length, "the path is as it was");
        sign * result
    };
    (0..400).map(|_| result()).collect()
}

fn visits(report: &Report) -> Vec<(u64, u64)> {
    report.candidates.iter().map(|c| (c.visits, c.value.to_bits())).collect()
}

/// With ε = 1 heavy playouts are random ones (`mcc`, 4.2.1), to the bit.
#[test]
fn all_random_is_plain() {
    let start = TicTacToe::default();
    let config = with(Config::default(), |c| c.proof.solver = false);
    let plain = search(&start, config.clone(), Random::default(), 500);
    let heavy = EpsilonGreedy::new(EpsilonGreedyConfig::default(), ByRules::default());
    assert_eq!(visits(&plain), visits(&search(&start, config, heavy, 500)));
}

/// With ε = 0 nothing is left to chance.
#[test]
fn all_greedy_is_deterministic() {
    let options = EpsilonGreedyConfig { epsilon: 0.0, ..EpsilonGreedyConfig::default() };
    let start = TicTacToe::default();
    let one = results(&start, &options, 1);
    assert!(one.iter().all(|&result| result == one[0]));
    assert_eq!(one, results(&start, &options, 2));
    let mixed =
        results(&start, &EpsilonGreedyConfig { epsilon: 0.4, ..EpsilonGreedyConfig::default() }, 1);
    assert!(mixed.iter().any(|&result| result != mixed[0]));
}

#[test]
fn decisive_moves_are_played() {
    // The side to move completes a line, or the other side does next.
    let open = parse("xx1/oo1/3 x");
    let random = results(&open, &EpsilonGreedyConfig::default(), 3);
    assert!(random.contains(&-1.0));
    let decisive = EpsilonGreedyConfig { decisive: true, ..EpsilonGreedyConfig::default() };
    assert!(results(&open, &decisive, 3).iter().all(|&result| result == 1.0));
    // x must stop o: random moves lose at once, anti-decisive ones do not.
    let threatened = parse("x2/oo1/2x x");
    assert!(results(&threatened, &decisive, 4).contains(&-1.0));
    let careful = EpsilonGreedyConfig { anti_decisive: true, ..decisive };
    assert!(!results(&threatened, &careful, 4).contains(&-1.0));
}

#[test]
fn drawn_play_outs_are_repeated() {
    let start = TicTacToe::default();
    let draws = |tries| {
        let options = EpsilonGreedyConfig { tries, ..EpsilonGreedyConfig::default() };
        results(&start, &options, 5).iter().filter(|&&result| result == 0.0).count()
    };
    let (once, twice, often) = (draws(1), draws(2), draws(6));
    // 46080 of 362880 games are drawn: 50.8 of 400; then 6.5; then hardly one.
    assert!((30..75).contains(&once) && (1..15).contains(&twice) && often <= 1);
}

/// Known positions end playouts, and nodes of the tree get their proof with its distance.
#[test]
fn known_positions_are_proven_with_their_distance() {
    let knows_all: fn(&TicTacToe) -> bool = |_| true;
    let knows_late: fn(&TicTacToe) -> bool = |position| moves_of(position).len() <= 4;
    let config = with(Config::default(), |c| c.growth.order = mcts::ChildOrder::Generated);
    for text in ["x1o/3/3 x", "xo1/3/3 x", "x2/1o1/3 x", "xo1/1x1/3 o"] {
        let position = parse(text);
        let perfect = minimax(&History::new(position));
        for (known, all) in [(knows_all, true), (knows_late, false)] {
            let policy = EpsilonGreedy::new(
                EpsilonGreedyConfig::default(),
                ByRules { known: Some(known), ..ByRules::default() },
            );
            let report = search(&position, config.clone(), policy, 100_000);
            assert_eq!(report.proven, Some(perfect.value), "{text}");
            if all && perfect.value != GameValue::Draw {
                assert_eq!(report.plies, Some(perfect.plies), "{text}");
                assert!(report.simulations <= moves_of(&position).len() as u64);
            }
        }
    }
}

/// After the first proof of a win, every shorter win is looked for.
#[test]
fn the_shortest_win_is_reported() {
    let mut rng = Rng::new(9);
    let (mut wins, mut shortened) = (0, 0);
    for number in 0..3000 {
        let shape = RandomTree { depth: 3 + number % 4, ..RandomTree::default() };
        let dummy = Dummy::random(&shape, &mut rng);
        let perfect = minimax(&History::new(dummy.clone()));
        if perfect.value != GameValue::Win {
            continue;
        }
        let report = |shortest| {
            let config = with(Config::default(), |c| c.proof.shortest = shortest);
            search(&dummy, config, Random::default(), 1_000_000)
        };
        let (first, shortest) = (report(false), report(true));
        assert_eq!(shortest.plies, Some(perfect.plies));
        assert_eq!(shortest.candidates[0].plies, Some(perfect.plies));
        wins += 1;
        shortened += usize::from(first.plies > shortest.plies);
    }
    assert!(wins > 500 && shortened >= 5, "{wins} wins, {shortened} of them shortened");
    let race = Breakthrough::new(Size::new(3, 4).expect("a size"));
    let perfect = minimax(&History::new(race));
    if perfect.value == GameValue::Win {
        let config = with(Config::default(), |c| c.proof.shortest = true);
        assert_eq!(search(&race, config, Random::default(), 1_000_000).plies, Some(perfect.plies));
    }
}

fn chess_knowledge() -> ChessKnowledge {
    let priors = Priors::Promise { temperature: 200.0, evenness: 0.1 };
    ChessKnowledge::new(Greedy::Evaluation, priors, Adjudicator::new(None, 0))
}

/// Quiescence without a window or any pruning; `None` if that takes too many positions.
fn plain_quiescence(position: &Chess, left: &mut u32) -> Option<i32> {
    *left = left.checked_sub(1)?;
    let in_check = !position.board().checkers().is_empty();
    let mut best = if in_check { -1_000_000 } else { evaluate(position) };
    let mut moves = Vec::new();
    tactical_moves(position, &mut moves);
    for (m, _) in moves {
        best = best.max(-plain_quiescence(&after(position, m), left)?);
    }
    Some(best)
}

#[test]
fn quiescence_equals_minimax_over_tactical_moves() {
    const SCALE: f32 = 174.0;
    let leaves = |quiescence, margin| {
        let options = LeafSearchConfig { quiescence, margin, scale: SCALE, detect_mate: true };
        LeafSearch::<Chess, _>::new(options, chess_knowledge())
    };
    let mut rng = Rng::new(11);
    let mut budget = Budget::unlimited();
    let mut position = Chess::start();
    let (mut checked, mut noisy) = (0, 0);
    while checked < 1500 {
        position.play_random(&mut rng);
        if position.outcome().is_some() {
            position = Chess::start();
        }
        let mut value = |mut policy: LeafSearch<Chess, ChessKnowledge>| {
            let mut path = History::new(position.clone()).path().clone();
            let mut simulation =
                Simulation { path: &mut path, rng: &mut rng, budget: &mut budget, trace: None };
            policy.playout(position.clone(), &mut simulation).expect("a result")
        };
        let sign = if position.to_move() == Side::First { 1.0 } else { -1.0 };
        let squashed = |value: i32| {
            let p = 1.0 / (1.0 + (-f64::from(value) / f64::from(SCALE)).exp());
            sign * (2.0 * p - 1.0) as f32
        };
        let Some(expected) = plain_quiescence(&position, &mut 3000) else { continue };
        let searched = value(leaves(true, 1_000_000));
        assert!((searched - squashed(expected)).abs() < 1e-4, "{}", position.position_text());
        let standing = value(leaves(false, 0));
        assert!((standing - squashed(evaluate(&position))).abs() < 1e-4);
        noisy += usize::from((searched - standing).abs() > 0.05);
        checked += 1;
    }
    assert!(noisy > 100, "only {noisy} positions with something to take");
    assert!(budget.visited() > 1500);
}

/// A win at once is known to the leaf, with its distance.
#[test]
fn leaves_know_a_mate_in_one() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1";
    let position = Chess::start().parse_position(fen).expect("a position");
    let known = |detect_mate| {
        let options = LeafSearchConfig { quiescence: true, margin: 0, scale: 174.0, detect_mate };
        LeafSearch::<Chess, _>::new(options, chess_knowledge()).known(&position)
    };
    assert_eq!(known(true), Some(Known { value: GameValue::Win, plies: 1 }));
    assert_eq!(known(false), None);
}
