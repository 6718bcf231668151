//! What the searches ask of LOA (`spinney_search::knowledge`): MIA's evaluation and move order, the
//! probabilities of move categories, and moves that win at once.

use spinney_game::{Game, Side};
use spinney_search::knowledge::{Evaluate, LeafValue, MoveOrder, Oracle, PlayoutModel};

use super::cache::CachedEvaluation;
use super::categories::Category;
use super::lines::Lines;
use super::{centre_of_mass, inner_board};
use crate::board::Square;
use crate::loa::connection::neighbours;
use crate::loa::{Loa, Move, NoMove, joints};

/// With fewer men of the side to move it is an endgame (`mia`, 3).
const FEW_MEN: u32 = 5;

/// What says what positions are worth: the nine features, or a network.
pub trait LoaEvaluation<const N: usize>: Clone + Send + 'static {
    /// What is kept beside a position.
    type State: Clone + Send;

    /// The lines of a position.
    fn lines(state: &Self::State) -> &Lines<N>;

    /// The [`joints`] of the men of a side.
    #[inline(always)]
    fn joints(position: &Loa<N>, _state: &Self::State, side: Side) -> u64 {
        joints(position.men(side))
    }

    /// The centre of mass of a side.
    #[inline(always)]
    fn centre_of_mass(position: &Loa<N>, _state: &Self::State, side: Side) -> Square {
        centre_of_mass(position.men(side))
    }

    /// Whether the centre of mass of a side stays where it is when a man of it is taken.
    #[inline(always)]
    fn keeps_centre(position: &Loa<N>, _state: &Self::State, side: Side, taken: Square) -> bool {
        let men = position.men(side);
        let left = men & !taken.bit();
        left != 0 && centre_of_mass(left) == centre_of_mass(men)
    }

    /// The state of a position, from scratch.
    fn state(&mut self, position: &Loa<N>) -> Self::State;
    /// Plays a legal move; `position` is that before it.
    fn play(&mut self, state: &mut Self::State, position: &Loa<N>, m: Move);
    /// The same; the state is good until the other side has moved.
    fn play_for_replies(&mut self, state: &mut Self::State, position: &Loa<N>, m: Move);
    /// The value of a position for the side to move.
    fn evaluate(&self, position: &Loa<N>, state: &Self::State) -> i32;
    /// The value, for its mover, of the position after a legal move, without making it.
    fn evaluate_after(&self, position: &Loa<N>, state: &Self::State, m: Move) -> i32;
}

/// The knowledge of MIA and MC-LOA on a board of `N` times `N` squares.
#[derive(Clone)]
pub struct LoaKnowledge<const N: usize = 8, E = CachedEvaluation<N>> {
    evaluation: E,
    /// Amplitude of the random factor that keeps games apart, in points; 0 for none.
    noise: u32,
    seed: u64,
}

impl<const N: usize, E: LoaEvaluation<N>> LoaKnowledge<N, E> {
    /// The inner 4x4 and 6x6 boards.
    const INNER: u64 = inner_board(N, 4);
    const MIDDLE: u64 = inner_board(N, 6);

    /// Knowledge whose evaluation varies by up to `noise` points either way, by a hash of the position
    /// and `seed`.
    pub fn new(evaluation: E, noise: u32, seed: u64) -> Self {
        LoaKnowledge { evaluation, noise, seed }
    }

    /// The same knowledge with another random factor.
    pub fn with_seed(self, seed: u64) -> Self {
        LoaKnowledge { seed, ..self }
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
    fn changes_connections(position: &Loa<N>, m: Move) -> bool {
        let side = position.to_move();
        let around = KING_STEPS[m.to.index()];
        let own = position.men(side) & !m.from.bit();
        (own | position.men(!side)) & around != 0
    }
}

/// The group of a pass; the groups of other moves are their lines.
const PASSES: u32 = 63;

/// The squares next to each square.
static KING_STEPS: [u64; 64] = {
    let mut steps = [0; 64];
    let mut square = 0;
    while square < 64 {
        steps[square] = neighbours(1 << square) & !(1 << square);
        square += 1;
    }
    steps
};

impl<const N: usize, E: LoaEvaluation<N>> Evaluate<Loa<N>> for LoaKnowledge<N, E> {
    type State = E::State;

    fn state(&mut self, position: &Loa<N>) -> E::State {
        self.evaluation.state(position)
    }

    #[inline(always)]
    fn update(&mut self, state: &mut E::State, position: &Loa<N>, m: Move) {
        self.evaluation.play(state, position, m);
    }

    #[inline(always)]
    fn update_for_replies(&mut self, state: &mut E::State, position: &Loa<N>, m: Move) {
        self.evaluation.play_for_replies(state, position, m);
    }

    #[inline(always)]
    fn evaluate(&mut self, position: &Loa<N>, state: &E::State) -> i32 {
        let side = position.to_move();
        let men = [side, !side].map(|side| position.men(side));
        self.evaluation.evaluate(position, state) + self.random(men)
    }

    #[inline(always)]
    fn evaluate_after(&mut self, position: &Loa<N>, state: &E::State, m: Move) -> i32 {
        let (own, enemy) = position.men_after(m);
        self.evaluation.evaluate_after(position, state, m) - self.random([enemy, own])
    }

    #[inline(always)]
    fn null_move(&self, position: &Loa<N>, state: &E::State) -> Option<(Loa<N>, E::State)> {
        Some((position.with_turn_passed(), state.clone()))
    }
}

impl<const N: usize, E: LoaEvaluation<N>> MoveOrder<Loa<N>> for LoaKnowledge<N, E> {
    #[inline(always)]
    fn order_class(&self, position: &Loa<N>, m: Move) -> u8 {
        if !position.is_capture(m) {
            0
        } else if Self::INNER & m.to.bit() != 0 {
            2
        } else {
            u8::from(Self::MIDDLE & m.to.bit() != 0)
        }
    }

    #[inline(always)]
    fn prior(&self, position: &Loa<N>, m: Move) -> f32 {
        if m.is_pass() {
            return 1.0;
        }
        let centre = centre_of_mass(position.men(position.to_move()));
        Category::of::<N>(m, position.is_capture(m), centre).probability::<N>()
    }

    #[inline(always)]
    fn priors(&mut self, position: &Loa<N>, moves: &[Move], priors: &mut Vec<f32>) {
        // A pass is the only move where there is one.
        if moves.first().is_none_or(|m| m.is_pass()) {
            priors.extend(moves.iter().map(|_| 1.0));
            return;
        }
        let side = position.to_move();
        let centre = centre_of_mass(position.men(side));
        let enemy = position.men(!side);
        priors.extend(
            moves
                .iter()
                .map(|&m| Category::of::<N>(m, enemy & m.to.bit() != 0, centre).probability::<N>()),
        );
    }

    #[inline(always)]
    fn legal_moves(&self, position: &Loa<N>, state: &E::State, moves: &mut Vec<Move>) {
        let before = moves.len();
        E::lines(state).moves(position, moves);
        if moves.len() == before {
            moves.push(Move::PASS);
        }
    }

    #[inline(always)]
    fn is_legal(&self, position: &Loa<N>, m: Move) -> Option<bool> {
        // A pass is legal only where nothing else is.
        (!m.is_pass()).then(|| position.is_legal(m))
    }

    #[inline(always)]
    fn is_tactical(&self, position: &Loa<N>, m: Move) -> bool {
        position.is_capture(m)
            && (Self::INNER & m.to.bit() != 0 || Self::changes_connections(position, m))
    }

    #[inline(always)]
    fn tactical_moves(&self, position: &Loa<N>, state: &E::State, moves: &mut Vec<Move>) {
        E::lines(state).captures(position, |m| {
            if self.is_tactical(position, m) {
                moves.push(m);
            }
        });
    }

    #[inline(always)]
    fn is_endgame(&self, position: &Loa<N>) -> bool {
        position.men(position.to_move()).count_ones() < FEW_MEN
    }
}

impl<const N: usize, E: LoaEvaluation<N>> PlayoutModel<Loa<N>> for LoaKnowledge<N, E> {
    #[inline(always)]
    fn may_end(&self, position: &Loa<N>, state: &E::State, m: Move) -> bool {
        // The mover's men are joined by a move to one of their joints only. Those of the other side are
        // joined by a capture if it takes a group away, so that of a man alone.
        let joints = E::joints(position, state, position.to_move());
        let enemy = position.men(!position.to_move());
        let takes_a_group = (enemy & m.to.bit() != 0) & (enemy & KING_STEPS[m.to.index()] == 0);
        (joints & m.to.bit() != 0) | takes_a_group | (position.rules().no_move != NoMove::Pass)
    }

    #[inline(always)]
    fn touched_groups(&self, position: &Loa<N>, state: &E::State, m: Move) -> Option<u64> {
        // A pass is a group of its own, which every move touches.
        let passes = 1 << PASSES;
        if m.is_pass() {
            return Some(passes);
        }
        // With another centre of mass, all moves of the other side have other categories.
        let enemy = !position.to_move();
        if position.is_capture(m) && !E::keeps_centre(position, state, enemy, m.to) {
            return None;
        }
        Some(Lines::<N>::through(m.from) | Lines::<N>::through(m.to) | passes)
    }

    #[inline(always)]
    fn group(&self, m: Move) -> u32 {
        if m.is_pass() { PASSES } else { Lines::<N>::of_move(m) }
    }

    #[inline(always)]
    fn moves_of_groups(
        &mut self,
        position: &Loa<N>,
        state: &E::State,
        groups: u64,
        moves: &mut Vec<Move>,
        priors: &mut Vec<f32>,
    ) {
        E::lines(state).moves_on(position, groups, moves);
        let side = position.to_move();
        let centre = E::centre_of_mass(position, state, side);
        let enemy = position.men(!side);
        priors.extend(
            moves
                .iter()
                .map(|&m| Category::of::<N>(m, enemy & m.to.bit() != 0, centre).probability::<N>()),
        );
    }
}

impl<const N: usize, E: LoaEvaluation<N>> Oracle<Loa<N>> for LoaKnowledge<N, E> {
    const FINDS_WINS: bool = true;

    #[inline(always)]
    fn winning_move(&mut self, position: &Loa<N>, state: &E::State) -> Option<Move> {
        position.connecting_move(E::joints(position, state, position.to_move()))
    }

    #[inline(always)]
    fn wins_at_once(&mut self, position: &Loa<N>) -> bool {
        position.connecting_move(joints(position.men(position.to_move()))).is_some()
    }

    #[inline(always)]
    fn is_threatened(&mut self, position: &Loa<N>, state: &E::State) -> bool {
        let joints = E::joints(position, state, !position.to_move());
        joints != 0 && position.with_turn_passed().connecting_move(joints).is_some()
    }

    #[inline(always)]
    fn must_answer(&mut self, position: &Loa<N>) -> bool {
        let joints = joints(position.men(!position.to_move()));
        joints != 0 && position.with_turn_passed().connecting_move(joints).is_some()
    }

    /// A threat is a move to an empty square that connects. It stays, and wins, after every move that
    /// takes no man and neither leaves nor enters its line: it is as long as before, nobody is in its way,
    /// and it takes no man by which the others might become connected too.
    #[inline(always)]
    fn forced_moves(&mut self, position: &Loa<N>, moves: &mut Vec<Move>) -> bool {
        let enemy = position.men(!position.to_move());
        let joints = joints(enemy);
        if joints == 0 {
            return false;
        }
        let threat = position.with_turn_passed();
        let mut lines = threat.winning_lines(joints);
        let Some(line) = lines.next() else { return false };
        let first = moves.len();
        position.legal_moves(moves);
        let fallback = moves[first];
        let keep = |line: u64, moves: &mut Vec<Move>| {
            let mut kept = first;
            for index in first..moves.len() {
                let m = moves[index];
                if (m.from.bit() | m.to.bit()) & line != 0 || enemy & m.to.bit() != 0 {
                    moves[kept] = m;
                    kept += 1;
                }
            }
            moves.truncate(kept);
        };
        keep(line, moves);
        lines.for_each(|line| keep(line, moves));
        if moves.len() == first {
            moves.push(fallback);
        }
        true
    }
}

impl<const N: usize, E: LoaEvaluation<N>> LeafValue<Loa<N>> for LoaKnowledge<N, E> {}
