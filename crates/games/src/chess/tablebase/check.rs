//! Whether tables agree with the rules of the game.

use cozy_chess::{BoardBuilder, Color, Piece, Square, get_king_moves};
use spinney_game::{Game, Notation, Rng};

use super::value::Value;
use super::{Ending, Tablebases};
use crate::chess::{Chess, Move};

impl Ending {
    /// A legal position of this ending, drawn uniformly; each side has the stronger men half of the
    /// time.
    pub fn random_position(self, rng: &mut Rng) -> Chess {
        loop {
            let reversed = rng.below(2) == 1;
            let mut builder = BoardBuilder::empty();
            builder.side_to_move = if rng.below(2) == 0 { Color::White } else { Color::Black };
            let kings = Color::ALL.map(|color| (color, Piece::King));
            let men = self.others().map(|man| (man.color, man.piece)).chain(kings);
            let mut apart = true;
            for (color, piece) in men {
                let color = if reversed { !color } else { color };
                let square = builder.square_mut(Square::index(rng.below(64) as usize));
                apart &= square.is_none();
                *square = Some((piece, color));
            }
            // Kings side by side are not refused by the builder.
            if apart
                && let Ok(board) = builder.build()
                && !get_king_moves(board.king(Color::White)).has(board.king(Color::Black))
            {
                return Chess { board };
            }
        }
    }
}

impl Tablebases {
    /// The best move, the quickest mate or the longest defence, if all moves lead to positions with
    /// a known distance.
    pub fn best_move(&self, position: &Chess) -> Option<Move> {
        self.look_ahead(position).and_then(|(_, best)| best)
    }

    /// The value of a position and the best move, from the values of the positions after each move;
    /// `None` if one of them is in no table.
    fn look_ahead(&self, position: &Chess) -> Option<(Value, Option<Move>)> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            let mated = !position.board().checkers().is_empty();
            return Some((if mated { Value::loss(0) } else { Value::DRAW }, None));
        }
        let mut best = (Value::NONE, None);
        for m in moves {
            let mut after = position.clone();
            after.play(m);
            let value = self.value(&after)?.before();
            if value > best.0 {
                best = (value, Some(m));
            }
        }
        Some(best)
    }

    /// Compares the values of random positions with a look one ply ahead; the first that differs.
    pub fn find_contradiction(
        &self,
        ending: Ending,
        positions: u32,
        rng: &mut Rng,
    ) -> Option<String> {
        let differs = |position: &Chess| {
            let value = self.value(position);
            value.is_none() || value != self.look_ahead(position).map(|(value, _)| value)
        };
        let mut random = (0..positions).map(|_| ending.random_position(rng));
        random.find(differs).map(|position| position.position_text())
    }
}
