//! What depends on the men of one side only, remembered (paper `mia`, 4.10).
//!
//! A move changes the men of its side, and those of the other side only if it captures. So both
//! halves of the knowledge are kept beside a position, and a move needs one new half, or two. The
//! same men come up again and again with other men against them: a small table remembers halves.

use spinney_game::cpu::{self, Kernel};

use super::evaluation::Evaluation;
use crate::loa::joints;

/// What is known of the men of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Half {
    /// Six of the nine features, weighted: see [`Evaluation::one_sided`].
    pub value: f32,
    /// The squares by which a move may connect the men: see [`joints`].
    pub joints: u64,
}

/// An evaluation that remembers halves.
#[derive(Clone, Debug)]
pub struct CachedEvaluation {
    evaluation: Evaluation,
    /// Men and their half, by a hash of the men; no men where there is none yet. Never empty.
    entries: Vec<(u64, Half)>,
    shift: u32,
}

/// 2^14 halves. Measured at the start of a game: 2^12 miss twice as often, 2^16 a little less.
const BITS: u32 = 14;

impl CachedEvaluation {
    /// An evaluation that remembers, or one that does not.
    pub fn new(evaluation: Evaluation, remembers: bool) -> Self {
        let bits = if remembers { BITS } else { 0 };
        let entries = vec![(0, Half::default()); 1 << bits];
        CachedEvaluation { evaluation, entries, shift: 64 - bits }
    }

    /// The evaluation itself.
    #[inline(always)]
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// What is known of some men.
    #[inline(always)]
    pub fn half(&mut self, men: u64) -> Half {
        let hash = men.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = hash.checked_shr(self.shift).unwrap_or(0) as usize;
        match self.entries.get_mut(place) {
            Some((known, half)) if *known == men => *half,
            entry => {
                let half = cpu::run(Compute { evaluation: &self.evaluation, men });
                if let (Some(entry), true) = (entry, self.shift < 64) {
                    *entry = (men, half);
                }
                half
            }
        }
    }
}

/// A half from scratch.
struct Compute<'a> {
    evaluation: &'a Evaluation,
    men: u64,
}

impl Kernel for Compute<'_> {
    type Output = Half;

    #[inline(always)]
    fn run(self) -> Half {
        Half { value: self.evaluation.one_sided(self.men), joints: joints(self.men) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loa::Loa;
    use spinney_game::{Game, Rng, Side};

    #[test]
    fn what_is_remembered_is_true() {
        let evaluation = Evaluation::default();
        let mut cached = CachedEvaluation::new(evaluation.clone(), true);
        let mut plain = CachedEvaluation::new(evaluation, false);
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            let mut position = Loa::<8>::default();
            while position.outcome().is_none() {
                for men in Side::BOTH.map(|side| position.men(side)) {
                    assert_eq!(cached.half(men), plain.half(men));
                    assert_eq!(plain.half(men).value, plain.evaluation().one_sided(men));
                }
                position.play(position.random_move(&mut rng));
            }
        }
        let used =
            |cache: &CachedEvaluation| cache.entries.iter().filter(|entry| entry.0 != 0).count();
        assert!(used(&cached) > 1000);
        assert_eq!(used(&plain), 0);
    }
}
