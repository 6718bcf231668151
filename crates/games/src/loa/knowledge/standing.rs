//! The evaluation kept up to date move by move, and the value of a move without making it.
//!
//! What a side's men are worth alone changes only when they move or are captured, and mobility only on
//! the lines through the two squares of a move.

use spinney_game::{Game, Side};

use super::Sums;
use super::evaluation::Evaluation;
use super::lines::Lines;
use crate::loa::{Loa, Move};

/// What is kept of a position so that it is evaluated fast.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    lines: Lines,
    /// The sums of the men of each side.
    sums: [Sums; 2],
    /// What the men of each side are worth alone.
    alone: [f32; 2],
}

impl Standing {
    /// The standing of a position, from scratch.
    #[inline(always)]
    pub fn new(evaluation: &Evaluation, position: &Loa) -> Standing {
        let [first, second] = [position.men(Side::First), position.men(Side::Second)];
        let sums = [Sums::of_men(first), Sums::of_men(second)];
        let alone = [evaluation.one_sided(first, sums[0]), evaluation.one_sided(second, sums[1])];
        Standing { lines: Lines::new(position), sums, alone }
    }

    /// Plays a legal move; `position` is that before it.
    #[inline(always)]
    pub fn play(&mut self, evaluation: &Evaluation, position: &Loa, m: Move) {
        if m.is_pass() {
            return;
        }
        let side = position.to_move();
        self.lines.play(position, m);
        let (own, enemy) = after(position, m);
        let (mine, theirs) = (side.index(), (!side).index());
        self.sums[mine] = self.sums[mine].without(m.from).with(m.to);
        self.alone[mine] = evaluation.one_sided(own, self.sums[mine]);
        if position.is_capture(m) {
            self.sums[theirs] = self.sums[theirs].without(m.to);
            self.alone[theirs] = evaluation.one_sided(enemy, self.sums[theirs]);
        }
    }

    /// Appends the legal moves of the position.
    #[inline(always)]
    pub fn legal_moves(&self, position: &Loa, moves: &mut Vec<Move>) {
        let before = moves.len();
        self.lines.moves(position, moves);
        if moves.len() == before {
            moves.push(Move::PASS);
        }
    }

    /// The value of the position for the side to move.
    #[inline(always)]
    pub fn evaluate(&self, evaluation: &Evaluation, position: &Loa) -> i32 {
        let side = position.to_move();
        let (own, enemy) = (position.men(side), position.men(!side));
        let alone = [self.alone[side.index()], self.alone[(!side).index()]];
        evaluation.join(alone, [own, enemy], self.lines.mobility_of(side))
    }

    /// The value, for its mover, of the position after a legal move.
    #[inline(always)]
    pub fn evaluate_after(&self, evaluation: &Evaluation, position: &Loa, m: Move) -> i32 {
        let side = position.to_move();
        if m.is_pass() {
            return -self.evaluate(evaluation, &position.with_turn_passed());
        }
        let (own, enemy) = after(position, m);
        let sums = self.sums[side.index()].without(m.from).with(m.to);
        let mine = evaluation.one_sided(own, sums);
        let theirs = if position.is_capture(m) {
            evaluation.one_sided(enemy, self.sums[(!side).index()].without(m.to))
        } else {
            self.alone[(!side).index()]
        };
        let mobility = self.lines.mobility_after(position, m);
        // The other side is to move then.
        -evaluation.join([theirs, mine], [enemy, own], mobility.of(!side))
    }
}

/// The men of the mover and of the other side after a move that is no pass.
#[inline(always)]
fn after(position: &Loa, m: Move) -> (u64, u64) {
    let side = position.to_move();
    let own = position.men(side) ^ m.from.bit() | m.to.bit();
    (own, position.men(!side) & !m.to.bit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_game::{Notation, Rng};

    #[test]
    fn what_is_kept_agrees_with_the_evaluation_from_scratch() {
        let evaluation = Evaluation::default();
        let mut captures = 0;
        for seed in 0..60 {
            let mut rng = Rng::new(seed);
            let mut position = Loa::<8>::default();
            let mut standing = Standing::new(&evaluation, &position);
            for _ in 0..100 {
                if position.outcome().is_some() {
                    break;
                }
                let text = position.position_text();
                assert_eq!(standing, Standing::new(&evaluation, &position), "{text}");
                let value = evaluation.evaluate(&position, &Lines::new(&position));
                assert_eq!(standing.evaluate(&evaluation, &position), value, "{text}");
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                for m in moves.into_iter().chain([Move::PASS]) {
                    let mut next = position.clone();
                    next.play(m);
                    captures += u32::from(position.is_capture(m));
                    let value = -evaluation.evaluate(&next, &Lines::new(&next));
                    let quick = standing.evaluate_after(&evaluation, &position, m);
                    assert_eq!(quick, value, "{text} {m:?}");
                }
                let m = position.random_move(&mut rng);
                standing.play(&evaluation, &position, m);
                position.play(m);
            }
        }
        assert!(captures > 1000);
    }
}
