//! Values of positions: whole numbers, as the side to move sees them.

use crate::GameValue;

/// A win at the root; a win in `n` plies from the root is worth `MATE - n`, a loss the negative.
pub(super) const MATE: i32 = 32_000;
/// Values from here on are forced wins, their negatives forced losses: an evaluation must be
/// between, and is cut off where it is not.
pub const PROVEN: i32 = 31_000;
const LOST: i32 = -PROVEN;
/// Above every value. All of them fit in 16 bits.
pub(super) const INFINITE: i32 = 32_500;
pub(super) const DRAW: i32 = 0;

/// The value of a finished game, `ply` plies from the root.
#[inline]
pub(super) fn of_end(score_for_mover: i32, ply: usize) -> i32 {
    score_for_mover * (MATE - ply as i32)
}

/// Whether the value is a forced win or loss.
#[inline]
pub(super) fn is_proven(value: i32) -> bool {
    value.abs() >= PROVEN
}

/// A value counted from the root, as the table keeps it: counted from the position itself.
#[inline]
pub(super) fn to_table(value: i32, ply: usize) -> i32 {
    match value {
        PROVEN.. => value + ply as i32,
        ..=LOST => value - ply as i32,
        _ => value,
    }
}

/// The inverse of [`to_table`].
#[inline]
pub(super) fn from_table(value: i32, ply: usize) -> i32 {
    match value {
        PROVEN.. => value - ply as i32,
        ..=LOST => value + ply as i32,
        _ => value,
    }
}

/// The forced result and the plies until then.
pub(super) fn forced(value: i32) -> Option<(GameValue, u32)> {
    let plies = (MATE - value.abs()) as u32;
    match value {
        PROVEN.. => Some((GameValue::Win, plies)),
        ..=LOST => Some((GameValue::Loss, plies)),
        _ => None,
    }
}

/// The value on the scale from -1 to 1, if `decisive` is the evaluation of a game nearly won.
pub(super) fn scaled(value: i32, decisive: i32) -> f64 {
    match forced(value) {
        Some((result, _)) => result.score().into(),
        None => (f64::from(value) / f64::from(decisive.max(1))).tanh(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_counts_from_the_position() {
        for value in [0, 700, -700, MATE - 7, 7 - MATE] {
            assert_eq!(from_table(to_table(value, 5), 5), value);
        }
        // A win 4 plies below a position 3 plies from the root is 4 plies away 9 plies from it.
        assert_eq!(from_table(to_table(MATE - 7, 3), 9), MATE - 13);
    }

    #[test]
    fn the_scale_is_monotone() {
        let values = [-MATE, 9 - MATE, 1 - PROVEN, -700, 0, 1, 700, PROVEN - 1, MATE - 3];
        let scaled = values.map(|value| scaled(value, 700));
        assert!(scaled.is_sorted(), "{scaled:?}");
        assert_eq!(scaled[0], -1.0);
        assert_eq!(scaled[8], 1.0);
    }
}
