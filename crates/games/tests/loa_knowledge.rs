//! LOA's knowledge: every override agrees with the default that it shortens, on 8x8 and on 6x6.

use spinney_game::{Game, Hashed, Move as _, Outcome, Path, Rng};
use spinney_games::loa::knowledge::LoaKnowledge;
use spinney_games::loa::knowledge::cache::{CachedEvaluation, State};
use spinney_games::loa::knowledge::evaluation::Evaluation;
use spinney_games::loa::{Loa, Move};
use spinney_search::Budget;
use spinney_search::knowledge::{Evaluate, MoveOrder, Oracle, PlayoutModel};
use spinney_search::policy::{Informed, Playouts, Policy, Simulation, Strategy};

/// The same knowledge with the defaults of the traits; but for some overrides if `WINS`: moves that win,
/// and groups if wanted. Then no two moves are equally likely.
#[derive(Clone)]
struct Plain<const N: usize, const WINS: bool> {
    knowledge: LoaKnowledge<N>,
    groups: bool,
}

impl<const N: usize, const WINS: bool> Evaluate<Loa<N>> for Plain<N, WINS> {
    type State = State<N>;

    fn state(&mut self, position: &Loa<N>) -> State<N> {
        self.knowledge.state(position)
    }

    fn update(&mut self, state: &mut State<N>, position: &Loa<N>, m: Move) {
        self.knowledge.update(state, position, m);
    }

    fn evaluate(&mut self, position: &Loa<N>, state: &State<N>) -> i32 {
        self.knowledge.evaluate(position, state)
    }

    fn null_move(&self, position: &Loa<N>, state: &State<N>) -> Option<(Loa<N>, State<N>)> {
        self.knowledge.null_move(position, state)
    }
}

impl<const N: usize, const WINS: bool> MoveOrder<Loa<N>> for Plain<N, WINS> {
    fn prior(&self, position: &Loa<N>, m: Move) -> f32 {
        if !WINS {
            return self.knowledge.prior(position, m);
        }
        let number = 64 * m.from.index() + m.to.index();
        (number * 1237 % 4096 + 1) as f32 / 4096.0
    }

    fn is_tactical(&self, position: &Loa<N>, m: Move) -> bool {
        self.knowledge.is_tactical(position, m)
    }
}

impl<const N: usize, const WINS: bool> PlayoutModel<Loa<N>> for Plain<N, WINS> {
    fn touched_groups(&self, position: &Loa<N>, state: &State<N>, m: Move) -> Option<u64> {
        self.knowledge.touched_groups(position, state, m).filter(|_| self.groups)
    }

    fn group(&self, m: Move) -> u32 {
        self.knowledge.group(m)
    }

    fn moves_of_groups(
        &mut self,
        position: &Loa<N>,
        state: &State<N>,
        groups: u64,
        moves: &mut Vec<Move>,
        priors: &mut Vec<f32>,
    ) {
        self.knowledge.moves_of_groups(position, state, groups, moves, priors);
        priors.clear();
        self.priors(position, moves, priors);
    }
}

impl<const N: usize, const WINS: bool> Oracle<Loa<N>> for Plain<N, WINS> {
    const FINDS_WINS: bool = WINS;

    fn winning_move(&mut self, position: &Loa<N>, state: &State<N>) -> Option<Move> {
        if WINS { self.knowledge.winning_move(position, state) } else { None }
    }
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort_by_key(|&m| m.pack());
    moves
}

/// What a test must have seen to mean something.
#[derive(Debug, Default)]
struct Seen {
    wins: u32,
    ends: u32,
    groups: u32,
    tactical: u32,
}

struct Pair<const N: usize> {
    quick: LoaKnowledge<N>,
    plain: Plain<N, false>,
}

impl<const N: usize> Pair<N> {
    fn new() -> Self {
        let evaluation = CachedEvaluation::new(Evaluation::default(), true);
        let quick = LoaKnowledge::new(evaluation, 50, 9);
        Pair { plain: Plain { knowledge: quick.clone(), groups: false }, quick }
    }

    fn check(&mut self, position: &Loa<N>, seen: &mut Seen) {
        let Pair { quick, plain } = self;
        let state = quick.state(position);
        // 1. Lists.
        let (mut moves, mut expected) = (Vec::new(), Vec::new());
        quick.legal_moves(position, &state, &mut moves);
        plain.legal_moves(position, &state, &mut expected);
        assert_eq!(sorted(moves.clone()), sorted(expected), "{position:?}");
        let (mut some, mut others) = (Vec::new(), Vec::new());
        quick.priors(position, &moves, &mut some);
        plain.priors(position, &moves, &mut others);
        assert_eq!(some, others);
        let (mut some, mut others) = (Vec::new(), Vec::new());
        quick.tactical_moves(position, &state, &mut some);
        plain.tactical_moves(position, &state, &mut others);
        seen.tactical += some.len() as u32;
        assert_eq!(sorted(some), sorted(others), "{position:?}");
        // 2. Wins at once, of both sides.
        let wins_by = |position: &Loa<N>, m: Move| {
            let mut next = position.clone();
            next.play(m);
            next.outcome() == Some(Outcome::Win(position.to_move()))
        };
        let winning = quick.winning_move(position, &state);
        assert_eq!(winning.is_some(), moves.iter().any(|&m| wins_by(position, m)), "{position:?}");
        assert!(winning.is_none_or(|m| wins_by(position, m)), "{position:?}");
        assert_eq!(quick.wins_at_once(position), winning.is_some(), "{position:?}");
        seen.wins += u32::from(winning.is_some());
        let (passed, _) = quick.null_move(position, &state).expect("a null move");
        let mut threats = Vec::new();
        passed.legal_moves(&mut threats);
        let is_threatened = threats.iter().any(|&m| wins_by(&passed, m));
        assert_eq!(quick.is_threatened(position, &state), is_threatened, "{position:?}");
        // 3. What each move changes.
        for &m in &moves {
            let Pair { quick, .. } = self;
            assert!(quick.is_legal(position, m) != Some(false), "{position:?} {m:?}");
            let mut next = position.clone();
            next.play(m);
            if let Some(touched) = quick.touched_groups(position, &state, m) {
                self.check_groups(position, &state, m, touched);
                seen.groups += 1;
            }
            let Pair { quick, plain } = self;
            if next.outcome().is_none() {
                let value = quick.evaluate_after(position, &state, m);
                assert_eq!(value, plain.evaluate_after(position, &state, m));
            } else {
                assert!(quick.may_end(position, &state, m), "{position:?} {m:?}");
                seen.ends += 1;
            }
        }
    }

    /// Moves of groups that a move does not touch, and new ones of those it does, are all replies.
    fn check_groups(&mut self, position: &Loa<N>, state: &State<N>, m: Move, touched: u64) {
        let Pair { quick, plain } = self;
        let (passed, _) = quick.null_move(position, state).expect("a null move");
        let mut next = position.clone();
        next.play(m);
        let next_state = quick.state(&next);
        let (mut found, mut priors) = (Vec::new(), Vec::new());
        quick.legal_moves(&passed, state, &mut found);
        found.retain(|&m| touched >> quick.group(m) & 1 == 0);
        quick.priors(&passed, &found, &mut priors);
        let (mut new, mut new_priors) = (Vec::new(), Vec::new());
        quick.moves_of_groups(&next, &next_state, touched, &mut new, &mut new_priors);
        found.extend(new);
        priors.extend(new_priors);
        for (&m, prior) in found.iter().zip(priors) {
            assert_eq!(prior, quick.prior(&next, m));
        }
        let mut all = Vec::new();
        plain.legal_moves(&next, &next_state, &mut all);
        all.retain(|m| !m.is_pass());
        assert_eq!(sorted(found), sorted(all), "{position:?} {m:?}");
    }
}

fn check_random_games<const N: usize>() -> Seen {
    let mut pair = Pair::<N>::new();
    let mut seen = Seen::default();
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let mut position = Loa::<N>::default();
        while position.outcome().is_none() {
            pair.check(&position, &mut seen);
            position.play(position.random_move(&mut rng));
        }
    }
    seen
}

#[test]
fn overrides_agree_with_defaults() {
    let Seen { wins, ends, groups, tactical } = check_random_games::<8>();
    assert!(wins > 50 && ends > 5 && groups > 1000 && tactical > 1000);
    let Seen { wins, ends, groups, tactical } = check_random_games::<6>();
    assert!(wins > 50 && ends > 5 && groups > 1000 && tactical > 500);
}

fn play_out_with_and_without_groups<const N: usize>() -> usize {
    let evaluation = CachedEvaluation::new(Evaluation::default(), true);
    let knowledge = LoaKnowledge::<N>::new(evaluation, 0, 1);
    let options = Playouts { strategy: Strategy::AlphaBeta, ..Playouts::default() };
    let mut policies = [true, false]
        .map(|groups| Plain::<N, true> { knowledge: knowledge.clone(), groups })
        .map(|knowledge| Informed::new(options.clone(), knowledge));
    let mut length = 0;
    for seed in 0..60 {
        let mut position = Loa::<N>::default();
        let mut rng = Rng::new(seed);
        for _ in 0..seed % 30 {
            if position.outcome().is_none() {
                position.play(position.random_move(&mut rng));
            }
        }
        if position.outcome().is_some() {
            continue;
        }
        let [shared, alone] = policies.each_mut().map(|policy| {
            let mut trace = Vec::new();
            let mut simulation = Simulation {
                path: &mut Path::new(position.key()),
                rng: &mut Rng::new(seed),
                budget: &mut Budget::unlimited(),
                trace: Some(&mut trace),
            };
            let result = policy.playout(position.clone(), &mut simulation);
            (result, trace)
        });
        assert_eq!(shared, alone, "{position:?}");
        length += shared.1.len();
    }
    length
}

#[test]
fn playouts_are_the_same_with_lists_that_are_shared() {
    assert!(play_out_with_and_without_groups::<8>() > 500);
    assert!(play_out_with_and_without_groups::<6>() > 300);
}
