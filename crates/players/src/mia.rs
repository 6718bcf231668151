//! MIA, the alpha-beta champion of Lines of Action (paper `mia`): the search joined with LOA's
//! knowledge.

use spinney_game::{Game, History};
use spinney_games::loa::knowledge::cache::{CachedEvaluation, State};
use spinney_games::loa::knowledge::categories::Category;
use spinney_games::loa::knowledge::centre_of_mass;
use spinney_games::loa::knowledge::evaluation::{Evaluation, Weights};
use spinney_games::loa::knowledge::lines::line_of;
use spinney_games::loa::{Loa, Move, NoMove, joints};
use spinney_search::alpha_beta::{AlphaBeta, Config, Knowledge, MultiCut, Realisation};
use spinney_search::{Limits, Report, Stop};

use crate::{OptionList, Player, PlayerError};

/// The inner 4x4 and 6x6 boards.
const INNER: u64 = 0x0000_3c3c_3c3c_0000;
const MIDDLE: u64 = 0x007e_7e7e_7e7e_7e00;
/// With fewer men the null move is used with more care (`mia`, 3).
const FEW_MEN: u32 = 5;

/// What MIA knows of LOA.
#[derive(Clone)]
pub(crate) struct LoaKnowledge {
    evaluation: CachedEvaluation,
    /// The small random factor that keeps games apart: points up or down, and where from.
    noise: u32,
    seed: u64,
}

impl LoaKnowledge {
    pub(crate) fn new(evaluation: CachedEvaluation, noise: u32, seed: u64) -> Self {
        LoaKnowledge { evaluation, noise, seed }
    }

    /// The random factor of a position with these men of the side to move and of the other: always the
    /// same for one position.
    #[inline(always)]
    fn random(&self, [own, enemy]: [u64; 2]) -> i32 {
        if self.noise == 0 {
            return 0;
        }
        let mixed = (own ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32) ^ enemy;
        let random = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let scaled = (random * u64::from(2 * self.noise + 1)) >> 32;
        scaled as i32 - self.noise as i32
    }

    /// Whether a capture forms a connection of the mover or destroys one of the enemy.
    #[inline(always)]
    fn changes_connections(position: &Loa, m: Move) -> bool {
        let side = position.to_move();
        let around = KING_STEPS[m.to.index()];
        let own = position.men(side) & !m.from.bit();
        (own | position.men(!side)) & around != 0
    }
}

/// The part of the moves that passes are; the others are the lines.
const PASSES: u32 = 63;

/// The squares next to each square.
static KING_STEPS: [u64; 64] = {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    let mut steps = [0; 64];
    let mut square = 0;
    while square < 64 {
        let bit = 1 << square;
        let row = bit | ((bit & !(FILE_A << 7)) << 1) | ((bit & !FILE_A) >> 1);
        steps[square] = (row | row << 8 | row >> 8) & !bit;
        square += 1;
    }
    steps
};

impl Knowledge<Loa> for LoaKnowledge {
    type State = State;

    const FINDS_WINS: bool = true;

    fn state(&mut self, position: &Loa) -> State {
        self.evaluation.state(position)
    }

    #[inline(always)]
    fn update(&mut self, state: &mut State, position: &Loa, m: Move) {
        self.evaluation.play(state, position, m);
    }

    #[inline(always)]
    fn update_for_replies(&mut self, state: &mut State, position: &Loa, m: Move) {
        self.evaluation.play_for_replies(state, position, m);
    }

    #[inline(always)]
    fn evaluate(&mut self, position: &Loa, state: &State) -> i32 {
        let side = position.to_move();
        let men = [side, !side].map(|side| position.men(side));
        self.evaluation.evaluate(position, state) + self.random(men)
    }

    #[inline(always)]
    fn evaluate_after(&mut self, position: &Loa, state: &State, m: Move) -> i32 {
        let (own, enemy) = position.men_after(m);
        self.evaluation.evaluate_after(position, state, m) - self.random([enemy, own])
    }

    #[inline(always)]
    fn order_class(&self, position: &Loa, m: Move) -> u8 {
        if !position.is_capture(m) {
            0
        } else if INNER & m.to.bit() != 0 {
            2
        } else {
            u8::from(MIDDLE & m.to.bit() != 0)
        }
    }

    #[inline(always)]
    fn is_tactical(&self, position: &Loa, m: Move) -> bool {
        position.is_capture(m)
            && (INNER & m.to.bit() != 0 || LoaKnowledge::changes_connections(position, m))
    }

    #[inline(always)]
    fn probability(&self, position: &Loa, m: Move) -> f32 {
        if m.is_pass() {
            return 1.0;
        }
        let centre = centre_of_mass(position.men(position.to_move()));
        Category::of(m, position.is_capture(m), centre).probability()
    }

    #[inline(always)]
    fn legal_moves(&self, position: &Loa, state: &State, moves: &mut Vec<Move>) {
        state.legal_moves(position, moves);
    }

    #[inline(always)]
    fn may_end(&self, position: &Loa, state: &State, m: Move) -> bool {
        // The mover's men are joined by a move to one of their joints only. Those of the other side are
        // joined by a capture if it takes a group away, so that of a man alone.
        let joints = state.joints[position.to_move().index()];
        let enemy = position.men(!position.to_move());
        let takes_a_group = (enemy & m.to.bit() != 0) & (enemy & KING_STEPS[m.to.index()] == 0);
        (joints & m.to.bit() != 0) | takes_a_group | (position.rules().no_move != NoMove::Pass)
    }

    #[inline(always)]
    fn probabilities(&self, position: &Loa, moves: &[Move], probabilities: &mut Vec<f32>) {
        // A pass is the only move where there is one.
        if moves.first().is_none_or(|m| m.is_pass()) {
            probabilities.extend(moves.iter().map(|_| 1.0));
            return;
        }
        let side = position.to_move();
        let centre = centre_of_mass(position.men(side));
        let enemy = position.men(!side);
        probabilities.extend(
            moves.iter().map(|&m| Category::of(m, enemy & m.to.bit() != 0, centre).probability()),
        );
    }

    #[inline(always)]
    fn touched_parts(&self, position: &Loa, state: &State, m: Move) -> Option<u64> {
        // A pass is a part of its own, which every move touches.
        Some(state.touched_lines(position, m)? | 1 << PASSES)
    }

    #[inline(always)]
    fn part(&self, m: Move) -> u32 {
        if m.is_pass() { PASSES } else { line_of(m) }
    }

    #[inline(always)]
    fn moves_of_parts(
        &self,
        position: &Loa,
        state: &State,
        parts: u64,
        moves: &mut Vec<Move>,
        probabilities: &mut Vec<f32>,
    ) {
        state.lines.moves_on(position, parts, moves);
        let side = position.to_move();
        let centre = state.centre_of_mass(position, side);
        let enemy = position.men(!side);
        probabilities.extend(
            moves.iter().map(|&m| Category::of(m, enemy & m.to.bit() != 0, centre).probability()),
        );
    }

    #[inline(always)]
    fn null_move(&self, position: &Loa, state: &State) -> Option<(Loa, State)> {
        Some((position.with_turn_passed(), state.clone()))
    }

    #[inline(always)]
    fn is_endgame(&self, position: &Loa) -> bool {
        position.men(position.to_move()).count_ones() < FEW_MEN
    }

    #[inline(always)]
    fn winning_move(&mut self, position: &Loa, state: &State) -> Option<Move> {
        position.connecting_move(state.joints[position.to_move().index()])
    }

    #[inline(always)]
    fn wins_at_once(&mut self, position: &Loa) -> bool {
        position.connecting_move(joints(position.men(position.to_move()))).is_some()
    }

    #[inline(always)]
    fn is_threatened(&mut self, position: &Loa, state: &State) -> bool {
        let joints = state.joints[(!position.to_move()).index()];
        joints != 0 && position.with_turn_passed().connecting_move(joints).is_some()
    }

    #[inline(always)]
    fn tactical_moves(&self, position: &Loa, state: &State, moves: &mut Vec<Move>) {
        state.lines.captures(position, |m| {
            if self.is_tactical(position, m) {
                moves.push(m);
            }
        });
    }

    #[inline(always)]
    fn is_legal(&self, position: &Loa, m: Move) -> Option<bool> {
        // A pass is legal only where nothing else is.
        (!m.is_pass()).then(|| position.is_legal(m))
    }
}

/// The default size of the transposition table, in megabytes.
const TABLE_MEGABYTES: usize = 16;
/// Points of the random factor. Guess: small beside the weight of a move of mobility.
const NOISE: u32 = 5;

/// Which of the programs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// All of it.
    Mia,
    /// Without realisation probability, null move and multi-cut.
    Classic,
    /// With a plainer evaluation.
    Third,
}

/// Makes one of the programs.
pub(crate) fn create(
    kind: Kind,
    options: &mut OptionList,
    seed: u64,
) -> Result<Box<dyn Player<Loa>>, PlayerError> {
    let default = match kind {
        Kind::Mia | Kind::Third => Config::default(),
        Kind::Classic => Config::classic(),
    };
    let multi_cut = options.take_switch("multicut", default.multi_cut.is_some())?;
    let realisation = options.take_switch("realisation", default.realisation.is_some())?;
    let megabytes: usize = options.take("table", TABLE_MEGABYTES)?;
    let config = Config {
        table_bytes: megabytes.min(1_000_000) << 20,
        transposition_cutoffs: options.take_switch("etc", default.transposition_cutoffs)?,
        null_move: options.take_switch("null", default.null_move)?,
        multi_cut: multi_cut.then(MultiCut::default),
        realisation: realisation.then(Realisation::default),
        quiescence: options.take_switch("quiescence", default.quiescence)?,
        winning_moves: options.take_switch("wins", default.winning_moves)?,
        threats: options.take_switch("threats", default.threats)?,
        killers: options.take_switch("killers", default.killers)?,
        classes: options.take_switch("classes", default.classes)?,
        history: options.take_switch("history", default.history)?,
        threads: options.take("threads", default.threads)?,
        lines: options.take("lines", default.lines)?,
        ..default
    };
    if !(1..=256).contains(&config.threads) {
        return Err(options.error("threads: expected 1 to 256".to_owned()));
    }
    let mut weights = options.take("weights", Weights::default())?;
    if kind == Kind::Third {
        // Concentration, centralisation, centre of mass and quads only.
        weights.0[5..].fill(0.0);
    }
    let noise = take_noise(options, NOISE)?;
    let remembers = options.take_switch("cache", true)?;
    let evaluation = CachedEvaluation::new(Evaluation::new(weights), remembers);
    let knowledge = LoaKnowledge::new(evaluation, noise, seed);
    let search = AlphaBeta::new(config, knowledge.clone())
        .map_err(|_| options.error(format!("table={megabytes}: no such memory")))?;
    Ok(Box::new(Mia { search, knowledge }))
}

/// The points of the random factor.
pub(crate) fn take_noise(options: &mut OptionList, default: u32) -> Result<u32, PlayerError> {
    let noise = options.take("noise", default)?;
    if noise > 10_000 {
        return Err(options.error("noise: expected 0 to 10000".to_owned()));
    }
    Ok(noise)
}

/// Alpha-beta as a player.
struct Mia {
    search: AlphaBeta<Loa, LoaKnowledge>,
    /// What every game begins with.
    knowledge: LoaKnowledge,
}

impl Player<Loa> for Mia {
    fn analyse(
        &mut self,
        history: &History<Loa>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.search.search(history, limits, stop, progress)
    }

    fn resume(
        &mut self,
        history: &History<Loa>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.search.resume(history, limits, stop, progress)
    }

    fn new_game(&mut self, seed: u64) {
        self.knowledge.seed = seed;
        self.search.new_game(&self.knowledge);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_game::{Hashed, Move as _, Outcome, Path, Rng};
    use spinney_search::Budget;
    use spinney_search::policy::{Informed, Playouts, Policy, Simulation, Strategy};

    /// The same knowledge without short cuts, which are then what the trait does by itself; but for
    /// some, if `WINS`: moves that win, and parts if wanted. Then no two moves are equally likely.
    #[derive(Clone)]
    struct Plain<const WINS: bool> {
        knowledge: LoaKnowledge,
        parts: bool,
    }

    impl<const WINS: bool> Knowledge<Loa> for Plain<WINS> {
        type State = State;

        const FINDS_WINS: bool = WINS;

        fn state(&mut self, position: &Loa) -> State {
            self.knowledge.state(position)
        }

        fn update(&mut self, state: &mut State, position: &Loa, m: Move) {
            self.knowledge.update(state, position, m);
        }

        fn evaluate(&mut self, position: &Loa, state: &State) -> i32 {
            self.knowledge.evaluate(position, state)
        }

        fn order_class(&self, position: &Loa, m: Move) -> u8 {
            self.knowledge.order_class(position, m)
        }

        fn is_tactical(&self, position: &Loa, m: Move) -> bool {
            self.knowledge.is_tactical(position, m)
        }

        fn probability(&self, position: &Loa, m: Move) -> f32 {
            if !WINS {
                return self.knowledge.probability(position, m);
            }
            let number = 64 * m.from.index() + m.to.index();
            (number * 1237 % 4096 + 1) as f32 / 4096.0
        }

        fn null_move(&self, position: &Loa, state: &State) -> Option<(Loa, State)> {
            self.knowledge.null_move(position, state)
        }

        fn is_endgame(&self, position: &Loa) -> bool {
            self.knowledge.is_endgame(position)
        }

        fn winning_move(&mut self, position: &Loa, state: &State) -> Option<Move> {
            if WINS { self.knowledge.winning_move(position, state) } else { None }
        }

        fn touched_parts(&self, position: &Loa, state: &State, m: Move) -> Option<u64> {
            self.knowledge.touched_parts(position, state, m).filter(|_| self.parts)
        }

        fn part(&self, m: Move) -> u32 {
            self.knowledge.part(m)
        }

        fn moves_of_parts(
            &self,
            position: &Loa,
            state: &State,
            parts: u64,
            moves: &mut Vec<Move>,
            probabilities: &mut Vec<f32>,
        ) {
            self.knowledge.moves_of_parts(position, state, parts, moves, probabilities);
            probabilities.clear();
            self.probabilities(position, moves, probabilities);
        }
    }

    #[test]
    fn short_cuts_agree_with_what_they_shorten() {
        let evaluation = CachedEvaluation::new(Evaluation::default(), true);
        let mut quick = LoaKnowledge::new(evaluation, 50, 9);
        let mut plain = Plain::<false> { knowledge: quick.clone(), parts: false };
        let (mut wins, mut ends, mut parts) = (0, 0, 0);
        for seed in 0..150 {
            let mut rng = Rng::new(seed);
            let mut position = Loa::<8>::default();
            while position.outcome().is_none() {
                let state = quick.state(&position);
                let (mut moves, mut expected) = (Vec::new(), Vec::new());
                quick.legal_moves(&position, &state, &mut moves);
                plain.legal_moves(&position, &state, &mut expected);
                let wins_by = |m: Move| {
                    let mut next = position.clone();
                    next.play(m);
                    next.outcome() == Some(Outcome::Win(position.to_move()))
                };
                let winning = quick.winning_move(&position, &state);
                assert_eq!(winning.is_some(), moves.iter().any(|&m| wins_by(m)), "{position:?}");
                assert!(winning.is_none_or(wins_by), "{position:?}");
                assert_eq!(quick.wins_at_once(&position), winning.is_some(), "{position:?}");
                wins += u32::from(winning.is_some());
                let (mut some, mut others) = (Vec::new(), Vec::new());
                quick.probabilities(&position, &moves, &mut some);
                plain.probabilities(&position, &moves, &mut others);
                assert_eq!(some, others);
                let (passed, _) = quick.null_move(&position, &state).expect("a null move");
                for &m in &moves {
                    let mut next = position.clone();
                    next.play(m);
                    if let Some(touched) = quick.touched_parts(&position, &state, m) {
                        let next_state = quick.state(&next);
                        let (mut found, mut weights) = (Vec::new(), Vec::new());
                        quick.legal_moves(&passed, &state, &mut found);
                        found.retain(|&m| touched >> quick.part(m) & 1 == 0);
                        quick.probabilities(&passed, &found, &mut weights);
                        let (mut new, mut new_weights) = (Vec::new(), Vec::new());
                        quick.moves_of_parts(
                            &next,
                            &next_state,
                            touched,
                            &mut new,
                            &mut new_weights,
                        );
                        found.extend(new);
                        weights.extend(new_weights);
                        let mut all = Vec::new();
                        plain.legal_moves(&next, &next_state, &mut all);
                        all.retain(|m| !m.is_pass());
                        assert_eq!(found.len(), all.len(), "{position:?} {m:?}");
                        assert!(all.iter().all(|m| found.contains(m)), "{position:?} {m:?}");
                        for (&m, weight) in found.iter().zip(weights) {
                            assert_eq!(weight, quick.probability(&next, m));
                        }
                        parts += 1;
                    }
                    if next.outcome().is_none() {
                        let value = quick.evaluate_after(&position, &state, m);
                        assert_eq!(value, plain.evaluate_after(&position, &state, m));
                    } else {
                        assert!(quick.may_end(&position, &state, m), "{position:?} {m:?}");
                        ends += 1;
                    }
                }
                for list in [&mut moves, &mut expected] {
                    list.sort_by_key(|&m| m.pack());
                }
                assert_eq!(moves, expected, "{position:?}");
                position.play(position.random_move(&mut rng));
            }
        }
        assert!(wins > 50 && ends > 5 && parts > 1000, "{wins} {ends} {parts}");
    }

    #[test]
    fn play_outs_are_the_same_with_lists_that_are_shared() {
        let evaluation = CachedEvaluation::new(Evaluation::default(), true);
        let knowledge = LoaKnowledge::new(evaluation, 0, 1);
        let options = Playouts { strategy: Strategy::AlphaBeta, ..Playouts::default() };
        let mut policies = [true, false]
            .map(|parts| Plain::<true> { knowledge: knowledge.clone(), parts })
            .map(|knowledge| Informed::new(options.clone(), knowledge));
        let mut length = 0;
        for seed in 0..60 {
            let mut position = Loa::<8>::default();
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
        assert!(length > 500, "{length}");
    }
}
