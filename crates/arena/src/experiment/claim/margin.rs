//! How much of a difference matters: one rule for all claims of all papers, so that no margin can be
//! chosen to suit a result.
//!
//! Scores and shares have 5 points. That is how the papers use their words: 46.9 is "close to the level"
//! of 50, 47.4 an "equal footing" and 49 "around 50"; 56.4 "handily outperforms", and 46.9 is "much
//! better" than 39.4. Amounts (nodes, seconds, simulations) are compared by their ratio.

use super::super::Measure;

/// Percentage points.
const POINTS: f64 = 5.0;
/// What 5 points are near 50 %.
const ELO: f64 = 35.0;
/// Amounts whose ratio is smaller are about the same.
const ABOUT: f64 = 1.25;
/// An amount is clearly more from this ratio on.
const CLEAR: f64 = 2.0;

/// The margin of a measure.
#[derive(Clone, Copy, Debug)]
pub(super) enum Margin {
    /// A difference.
    Points(f64),
    /// The ratio up to which two amounts are alike, and that from which one is clearly the larger.
    Ratio { alike: f64, clear: f64 },
}

impl Margin {
    pub(super) fn of(measure: Measure) -> Margin {
        match measure {
            Measure::Elo | Measure::Rating => Margin::Points(ELO),
            measure if measure.is_percentage() => Margin::Points(POINTS),
            _ => Margin::Ratio { alike: ABOUT, clear: CLEAR },
        }
    }
}

/// The rule for readers: what the papers say, how a condition writes it, and when it is true.
pub(in super::super) fn words() -> [[String; 3]; 6] {
    let row = |said: &str, sign: &str, meaning: String| [said.to_owned(), sign.to_owned(), meaning];
    [
        row("better, beats, saves, weaker", "`>` or `<`", "any difference".to_owned()),
        row(
            "clearly, much, handily, convincingly, by far, dominates",
            "`>>` or `<<`",
            format!("more than {POINTS} points; of amounts {CLEAR} times as much"),
        ),
        row(
            "equal, close to, around, not affected",
            "`=`",
            format!("within {POINTS} points ({ELO} Elo); of amounts within a factor of {ABOUT}"),
        ),
        row(
            "does not improve; no worse",
            "`no better than`; `no worse than`",
            format!("by at most {POINTS} points"),
        ),
        row(
            "a number with an interval, or a range",
            "`91 < A < 215`",
            "inside the paper's 95 % interval, or its range".to_owned(),
        ),
        row("nearly always; always", "`> 95`; `> 99`", "in that share of games, %".to_owned()),
    ]
}
