//! When a depth-first search leaves a position, and how far it may go into a child.
//!
//! - **df-pn** leaves a position when one of its numbers reaches its threshold: then another position is
//!   better, here or further up.
//!
//!   ```text
//!   φ threshold of c = δ threshold of n - (sum of φ over the other children)
//!   δ threshold of c = min(φ threshold of n, (1 + ε) δ of the second best child)
//!   ```
//! - **PDS** leaves a position when both numbers reach their thresholds, which for a child are its
//!   numbers, one of them plus 1: φ if the parent has room in δ and the child is more likely to
//!   succeed (φ ≤ δ) or the parent has no room in φ; else δ.

use super::numbers::{HOPELESS, INFINITE, Known, LARGEST, Sum};

/// When to leave a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// The factor 1 + ε, ε in percent.
    DfPn {
        epsilon: u32,
    },
    Pds,
}

/// The thresholds of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thresholds {
    pub(super) phi: u32,
    pub(super) delta: u32,
}

impl Thresholds {
    pub(super) const NONE: Thresholds = Thresholds { phi: HOPELESS, delta: HOPELESS };

    /// A threshold that may grow beyond all numbers, and is none then.
    #[inline(always)]
    fn limited(number: u32) -> u32 {
        if number < LARGEST { number } else { HOPELESS }
    }
}

impl Rule {
    /// The thresholds of the root; PDS raises them by and by.
    #[inline(always)]
    pub(super) fn at_root(self, sum: Sum) -> Thresholds {
        match self {
            Rule::DfPn { .. } => Thresholds::NONE,
            Rule::Pds => Rule::one_more(sum.phi, sum.delta, sum.phi <= sum.delta),
        }
    }

    #[inline(always)]
    fn one_more(phi: u32, delta: u32, raises_phi: bool) -> Thresholds {
        let (phi, delta) = if raises_phi { (phi + 1, delta) } else { (phi, delta + 1) };
        Thresholds { phi: Thresholds::limited(phi), delta: Thresholds::limited(delta) }
    }

    /// Whether to leave a position that is not solved.
    #[inline(always)]
    pub(super) fn leaves(self, sum: Sum, thresholds: Thresholds) -> bool {
        let (phi, delta) = (sum.phi >= thresholds.phi, sum.delta >= thresholds.delta);
        match self {
            Rule::DfPn { .. } => phi || delta,
            Rule::Pds => phi && delta,
        }
    }

    /// The thresholds of the most promising child.
    #[inline(always)]
    pub(super) fn for_child(self, sum: Sum, thresholds: Thresholds, child: Known) -> Thresholds {
        match self {
            Rule::DfPn { epsilon } => {
                let phi = match thresholds.delta {
                    HOPELESS => HOPELESS,
                    delta => delta - (sum.delta - child.phi),
                };
                let more = u64::from(sum.second) * u64::from(epsilon) / 100;
                let more = u32::try_from(more).unwrap_or(INFINITE).max(1);
                let second = sum.second.saturating_add(more);
                Thresholds { phi, delta: thresholds.phi.min(Thresholds::limited(second)) }
            }
            Rule::Pds => {
                let raises_phi = sum.delta < thresholds.delta
                    && (child.phi <= child.delta || sum.phi >= thresholds.phi);
                Rule::one_more(child.phi, child.delta, raises_phi)
            }
        }
    }
}
