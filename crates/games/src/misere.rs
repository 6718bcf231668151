//! The misère form of any game: the same rules, and who would win loses.
//!
//! Moves, ends, texts and keys are those of the game itself, and so are its perft numbers; the
//! outcome alone is turned around. A draw stays a draw.

use spinney_game::{
    Game, Hashed, MoveError, Notation, Outcome, PositionError, Repetition, Rng, Side, Symmetric,
};

/// A position of a game played for its loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Misere<G>(pub G);

impl<G: Game> Game for Misere<G> {
    type Move = G::Move;

    #[inline]
    fn to_move(&self) -> Side {
        self.0.to_move()
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<G::Move>) {
        self.0.legal_moves(moves);
    }

    #[inline(always)]
    fn play(&mut self, m: G::Move) {
        self.0.play(m);
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome().map(Outcome::misere)
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> G::Move {
        self.0.random_move(rng)
    }

    #[inline]
    fn pack(m: G::Move) -> u32 {
        G::pack(m)
    }

    #[inline]
    fn unpack(number: u32) -> G::Move {
        G::unpack(number)
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        self.0.count_moves()
    }

    #[inline]
    fn perft(&self, plies: u32) -> u64 {
        self.0.perft(plies)
    }
}

impl<G: Hashed> Hashed for Misere<G> {
    #[inline]
    fn key(&self) -> u64 {
        self.0.key()
    }
}

impl<G: Repetition> Repetition for Misere<G> {
    #[inline]
    fn drawn_at(&self) -> Option<u32> {
        self.0.drawn_at()
    }

    #[inline]
    fn is_irreversible(&self, m: G::Move) -> bool {
        self.0.is_irreversible(m)
    }
}

impl<G: Notation> Notation for Misere<G> {
    fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
        self.0.parse_position(text).map(Misere)
    }

    fn position_text(&self) -> String {
        self.0.position_text()
    }

    fn move_text(&self, m: G::Move) -> String {
        self.0.move_text(m)
    }

    fn parse_move(&self, text: &str) -> Result<G::Move, MoveError> {
        self.0.parse_move(text)
    }

    fn ending(&self) -> &'static str {
        self.0.ending()
    }
}

impl<G: Symmetric> Symmetric for Misere<G> {
    fn symmetries(&self) -> usize {
        self.0.symmetries()
    }

    fn transformed(&self, index: usize) -> Self {
        Misere(self.0.transformed(index))
    }

    #[inline]
    fn transformed_key(&self, index: usize) -> u64 {
        self.0.transformed_key(index)
    }

    fn transform_move(&self, m: G::Move, index: usize) -> G::Move {
        self.0.transform_move(m, index)
    }
}
