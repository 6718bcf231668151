//! Whether tables agree with the rules of the game.

use cozy_chess::{BoardBuilder, Color, Piece, Square, get_king_moves};
use spinney_game::{Game, Notation, Rng};

use super::value::Value;
use super::{Ending, Tablebases};
use crate::chess::{Chess, Move};

/// A legal position with kings and these men, drawn uniformly; the colours are as given or, half of
/// the time, the other way round.
fn random_position(men: &[(Color, Piece)], rng: &mut Rng) -> Chess {
    let kings = Color::ALL.map(|color| (color, Piece::King));
    loop {
        let reversed = rng.below(2) == 1;
        let mut builder = BoardBuilder::empty();
        builder.side_to_move = if rng.below(2) == 0 { Color::White } else { Color::Black };
        let mut apart = true;
        for &(color, piece) in men.iter().chain(&kings) {
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

/// The positions after each legal move.
fn successors(position: &Chess) -> impl Iterator<Item = (Move, Chess)> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.into_iter().map(|m| {
        let mut after = position.clone();
        after.play(m);
        (m, after)
    })
}

impl Ending {
    /// A legal position of this ending, drawn uniformly; each side has the stronger men half of the
    /// time.
    pub fn random_position(self, rng: &mut Rng) -> Chess {
        let men: Vec<_> = self.others().map(|man| (man.color, man.piece)).collect();
        random_position(&men, rng)
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
        let mut best = (Value::NONE, None);
        for (m, after) in successors(position) {
            let value = self.value(&after)?.before();
            if value > best.0 {
                best = (value, Some(m));
            }
        }
        if best.1.is_none() {
            let mated = !position.board().checkers().is_empty();
            best.0 = if mated { Value::loss(0) } else { Value::DRAW };
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

    /// The same for the Syzygy tables of a folder, position by position of every table. Wins and
    /// losses are those without the 50-move rule.
    pub fn find_syzygy_contradiction(&self, positions: u32, rng: &mut Rng) -> Option<String> {
        let syzygy = self.syzygy.as_ref()?;
        let differs = |position: &Chess| {
            let sign = |value: i32| value.signum();
            let value = syzygy.value(position.board()).map(sign);
            let mated = if position.board().checkers().is_empty() { 0 } else { -1 };
            let ahead = successors(position)
                .map(|(_, after)| Some(-sign(syzygy.value(after.board())?)))
                .collect::<Option<Vec<i32>>>();
            value.is_none() || value != ahead.map(|ahead| ahead.into_iter().max().unwrap_or(mated))
        };
        let of_table = |men: Vec<(Color, Piece)>| {
            let mut random = (0..positions).map(|_| random_position(&men, rng));
            random.find(differs).map(|position| position.position_text())
        };
        syzygy.tables().find_map(of_table)
    }
}
