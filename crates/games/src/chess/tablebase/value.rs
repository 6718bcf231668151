//! What a position in a table is worth.

/// The value of a position for the side to move, in one byte. Greater is better: an early win, a
/// late win, a draw, a late loss, an early loss. Zero is no value: no such position is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value(pub(super) u8);

impl Value {
    pub(super) const NONE: Value = Value(0);
    pub(super) const DRAW: Value = Value(128);
    /// The longest mate that a value can hold; no mate with four men takes 100 plies.
    pub(super) const LONGEST: u8 = 126;

    /// The side to move mates in `plies`.
    pub(super) fn win(plies: u8) -> Value {
        debug_assert!(plies % 2 == 1 && plies <= Self::LONGEST);
        Value(255 - plies)
    }

    /// The side to move is mated in `plies`.
    pub(super) fn loss(plies: u8) -> Value {
        debug_assert!(plies.is_multiple_of(2) && plies <= Self::LONGEST);
        Value(1 + plies)
    }

    /// The plies to the mate if the side to move wins.
    #[inline]
    pub(super) fn win_plies(self) -> Option<u8> {
        (self > Value::DRAW).then(|| 255 - self.0)
    }

    /// The plies to the mate if the side to move loses.
    #[inline]
    pub(super) fn loss_plies(self) -> Option<u8> {
        (self != Value::NONE && self < Value::DRAW).then(|| self.0 - 1)
    }

    /// What a move into a position of this value is worth to the side that makes it.
    #[inline]
    pub(super) fn before(self) -> Value {
        match self {
            Value::NONE | Value::DRAW => self,
            loss if self < Value::DRAW => Value(255 - loss.0),
            // Win in 255 - w plies: loss in 256 - w, which is the byte 257 - w.
            win => Value(1 + (255 - win.0 + 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ply_before() {
        assert_eq!(Value::loss(0).before(), Value::win(1));
        assert_eq!(Value::win(1).before(), Value::loss(2));
        assert_eq!(Value::win(85).before(), Value::loss(86));
        assert_eq!(Value::DRAW.before(), Value::DRAW);
        assert_eq!(Value::NONE.before(), Value::NONE);
    }

    #[test]
    fn greater_is_better() {
        let order = [
            Value::NONE,
            Value::loss(0),
            Value::loss(126),
            Value::DRAW,
            Value::win(125),
            Value::win(1),
        ];
        assert!(order.is_sorted());
        assert_eq!(Value::win(125).win_plies(), Some(125));
        assert_eq!(Value::loss(126).loss_plies(), Some(126));
        for value in [Value::NONE, Value::DRAW] {
            assert_eq!((value.win_plies(), value.loss_plies()), (None, None));
        }
    }
}
