//! What alpha-beta asks of a game.

use spinney_game::Game;

/// What a game knows beyond its rules: the boundary between alpha-beta and the games.
///
/// Mark the methods `#[inline(always)]`: they are called at every node, and what is inlined is
/// compiled for the processor (see `spinney_game::cpu`).
pub trait Knowledge<G: Game>: Clone + Send + 'static {
    /// What is kept up to date beside a position (line indices, sums); `()` if nothing is.
    type State: Clone + Send;

    /// Whether [`winning_move`](Knowledge::winning_move) finds every move that wins at once.
    const FINDS_WINS: bool = false;

    /// The state of a position, from scratch.
    fn state(&mut self, position: &G) -> Self::State;

    /// Brings the state of `position` to that after the move, which is not played yet.
    fn update(&mut self, state: &mut Self::State, position: &G, m: G::Move);

    /// The same, for a position of which only the moves of the side to move then and the values after
    /// them are asked.
    #[inline(always)]
    fn update_for_replies(&mut self, state: &mut Self::State, position: &G, m: G::Move) {
        self.update(state, position, m);
    }

    /// The static value for the side to move, between `-PROVEN` and `PROVEN`.
    fn evaluate(&mut self, position: &G, state: &Self::State) -> i32;

    /// The static value, for its mover, of the position after a move that does not end the game. A
    /// game may find it without making the move.
    #[inline(always)]
    fn evaluate_after(&mut self, position: &G, state: &Self::State, m: G::Move) -> i32 {
        let (mut next, mut next_state) = (position.clone(), state.clone());
        self.update(&mut next_state, position, m);
        next.play(m);
        -self.evaluate(&next, &next_state)
    }

    /// The class of a move: those of a higher class are tried first. In LOA: captures into the
    /// inner 4x4 board, captures into the 6x6 board, all others.
    fn order_class(&self, position: &G, m: G::Move) -> u8;

    /// Whether quiescence search looks at the move. No sequence of such moves may go on for ever.
    fn is_tactical(&self, position: &G, m: G::Move) -> bool;

    /// How probable it is that the move is played where it can be, above 0 and at most 1.
    fn probability(&self, position: &G, m: G::Move) -> f32;

    /// Appends every legal move, in an order that depends on the position alone. A game may find them
    /// from what is kept beside the position.
    #[inline(always)]
    fn legal_moves(&self, position: &G, _state: &Self::State, moves: &mut Vec<G::Move>) {
        position.legal_moves(moves);
    }

    /// Whether a move may end the game.
    #[inline(always)]
    fn may_end(&self, _position: &G, _state: &Self::State, _m: G::Move) -> bool {
        true
    }

    /// Appends the probability of each of the legal moves. A game may find out once what they share.
    #[inline(always)]
    fn probabilities(&self, position: &G, moves: &[G::Move], probabilities: &mut Vec<f32>) {
        for &m in moves {
            probabilities.push(self.probability(position, m));
        }
    }

    /// A game may divide its moves into up to 64 parts, in LOA the lines of the board: those whose moves
    /// of the other side may be others after a move, or none before and some after it. All its other
    /// moves stay as they are, with their probabilities. `None` if that can be said of no move.
    #[inline(always)]
    fn touched_parts(&self, _position: &G, _state: &Self::State, _m: G::Move) -> Option<u64> {
        None
    }

    /// The part that a move belongs to, below 64.
    #[inline(always)]
    fn part(&self, _m: G::Move) -> u32 {
        0
    }

    /// Appends the legal moves of some parts, and their probabilities. What stands here is for games
    /// without parts; one that says what a move touches has its own.
    #[inline(always)]
    fn moves_of_parts(
        &self,
        position: &G,
        state: &Self::State,
        _parts: u64,
        moves: &mut Vec<G::Move>,
        probabilities: &mut Vec<f32>,
    ) {
        self.legal_moves(position, state, moves);
        self.probabilities(position, moves, probabilities);
    }

    /// The position with the other side to move, and its state; `None` where that makes no sense.
    fn null_move(&self, position: &G, state: &Self::State) -> Option<(G, Self::State)>;

    /// Whether so little is left that the null move must be used with more care.
    fn is_endgame(&self, position: &G) -> bool;

    /// A move that wins at once, if the game finds one faster than by playing all moves.
    #[inline(always)]
    fn winning_move(&mut self, _position: &G, _state: &Self::State) -> Option<G::Move> {
        None
    }

    /// Whether the side to move wins at once, as far as the game finds out; the state is not needed.
    #[inline(always)]
    fn wins_at_once(&mut self, position: &G) -> bool {
        let state = self.state(position);
        self.winning_move(position, &state).is_some()
    }

    /// Whether the other side would win at once if it were its turn, as far as the game finds out.
    #[inline]
    fn is_threatened(&mut self, _position: &G, _state: &Self::State) -> bool {
        false
    }

    /// Whether a move that was good in another position is legal here, if that is found out
    /// faster than by the list of all moves: then such moves are tried before there is a list.
    #[inline]
    fn is_legal(&self, _position: &G, _m: G::Move) -> Option<bool> {
        None
    }

    /// Appends the legal moves that quiescence search looks at. A game may find them without the
    /// list of all moves.
    #[inline]
    fn tactical_moves(&self, position: &G, _state: &Self::State, moves: &mut Vec<G::Move>) {
        let start = moves.len();
        position.legal_moves(moves);
        let mut kept = start;
        for index in start..moves.len() {
            if self.is_tactical(position, moves[index]) {
                moves[kept] = moves[index];
                kept += 1;
            }
        }
        moves.truncate(kept);
    }
}

/// Nothing but the rules: what a solver knows. Every position that is not searched is worth a draw.
#[derive(Clone, Copy, Debug)]
pub struct NoKnowledge;

impl<G: Game> Knowledge<G> for NoKnowledge {
    type State = ();

    #[inline(always)]
    fn state(&mut self, _: &G) {}

    #[inline(always)]
    fn update(&mut self, (): &mut (), _: &G, _: G::Move) {}

    #[inline(always)]
    fn evaluate(&mut self, _: &G, (): &()) -> i32 {
        0
    }

    #[inline(always)]
    fn order_class(&self, _: &G, _: G::Move) -> u8 {
        0
    }

    #[inline(always)]
    fn is_tactical(&self, _: &G, _: G::Move) -> bool {
        false
    }

    #[inline(always)]
    fn probability(&self, _: &G, _: G::Move) -> f32 {
        1.0
    }

    #[inline(always)]
    fn null_move(&self, _: &G, (): &()) -> Option<(G, ())> {
        None
    }

    #[inline(always)]
    fn is_endgame(&self, _: &G) -> bool {
        false
    }
}
