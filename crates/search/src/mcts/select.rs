//! Selection: which child a simulation goes to.

use std::sync::LazyLock;
use std::sync::atomic::Ordering::Relaxed;

use super::config::{Bias, Config, Widening};
use super::node::{Node, Urgency};
use super::tree::Tree;

/// The selection formula of a search, ready to use.
#[derive(Clone, Copy)]
pub(super) struct Selector<'a> {
    config: &'a Config,
    /// The square root of the coefficient C.
    exploration: f32,
    /// Whether the formula has more terms than those of UCT.
    informed: bool,
    roots_of_ln: &'static [f32; ROOTS],
}

impl<'a> Selector<'a> {
    pub(super) fn new(config: &'a Config) -> Self {
        let plain = config.bias == Bias::None && config.rave.is_none() && config.widening.is_none();
        Selector {
            config,
            exploration: config.exploration.sqrt().max(LITTLE),
            informed: !plain,
            roots_of_ln: &ROOTS_OF_LN,
        }
    }

    /// The child that maximises the selection formula; an unvisited child comes before all others,
    /// in their order. Proven children are not selected by the solver: there is nothing left to
    /// find out, and what they are worth enters the results by the bounds of their parent. `None`
    /// if every child is proven.
    #[inline(always)]
    pub(super) fn select(&self, tree: &Tree, parent: &Node, children: &[Node]) -> Option<usize> {
        let exploration = self.exploration * root_of_ln(self.roots_of_ln, parent.visits());
        if self.informed {
            select_informed(self.config, tree, parent, children, exploration)
        } else {
            most_urgent(children, exploration)
        }
    }
}

/// Nothing times infinity is not a number, so even a greedy search, and one whose parent has been
/// visited but once, explores a little.
const LITTLE: f32 = 1e-9;

/// The first child with the highest `mean + exploration / sqrt(visits)`; `None` if all are proven.
#[inline(always)]
fn most_urgent(children: &[Node], exploration: f32) -> Option<usize> {
    // Which child is better cannot be predicted, so there is no branch: the rank of a child and its
    // place, the first the highest, make one integer, and the greatest of them is wanted.
    let mut best = i64::MIN;
    let mut place = u32::MAX;
    for child in children {
        let rank = i64::from(child.urgency().rank(exploration));
        best = best.max(rank << 32 | i64::from(place));
        place = place.wrapping_sub(1);
    }
    (best >= 0).then_some(!(best as u32) as usize)
}

/// Selection with bias, RAVE or widening.
fn select_informed(
    config: &Config,
    tree: &Tree,
    parent: &Node,
    children: &[Node],
    exploration: f32,
) -> Option<usize> {
    let considered = match config.widening {
        Some(widening) => width(widening, parent.visits()).min(children.len()),
        None => children.len(),
    };
    let priors = if config.bias == Bias::None { &[] } else { tree.priors(parent) };
    let raves = if config.rave.is_none() { &[] } else { tree.raves(parent) };
    let formula = |index: usize, visits: f32, urgency: Urgency| {
        let mut mean = urgency.mean();
        if let (Some(k), Some(rave)) = (config.rave, raves.get(index))
            && let Some(rave_mean) = rave.mean()
        {
            let beta = (k / (3.0 * visits + k)).sqrt();
            mean = beta * rave_mean + (1.0 - beta) * mean;
        }
        let prior = priors.get(index).map_or(0.0, |prior| f32::from_bits(prior.load(Relaxed)));
        let bias = match config.bias {
            Bias::None => 0.0,
            Bias::Losses(weight) => weight * prior / (losses(visits, mean) + 1.0),
            Bias::RootOfLosses(weight) => weight * prior / (losses(visits, mean) + 1.0).sqrt(),
            Bias::Visits(weight) => weight * prior / visits,
        };
        mean + exploration * urgency.width + bias
    };
    // If all considered moves are proven, it is time to look at the others.
    best(&children[..considered], formula).or_else(|| best(children, formula))
}

/// The losses among so many results with this mean; a draw is half a loss.
#[inline]
fn losses(visits: f32, mean: f32) -> f32 {
    (visits * (1.0 - mean) * 0.5).max(0.0)
}

/// The moves that a node with so many visits considers.
fn width(widening: Widening, visits: u32) -> usize {
    if visits < widening.after {
        return usize::MAX;
    }
    let grown = ln(visits.max(1)) - ln(widening.after.max(1));
    (widening.first as usize).max(1) + (grown.max(0.0) / ln_of(widening.growth)) as usize
}

/// The index of the first unvisited child, or of the child with the highest value of the formula;
/// `None` if all are proven.
#[inline(always)]
fn best(children: &[Node], formula: impl Fn(usize, f32, Urgency) -> f32) -> Option<usize> {
    let mut best = None;
    let mut best_value = f32::NEG_INFINITY;
    for (index, child) in children.iter().enumerate() {
        let urgency = child.urgency();
        if urgency.is_proven() {
            continue;
        }
        if urgency.is_unvisited() {
            return Some(index);
        }
        let value = formula(index, child.visits() as f32, urgency);
        if value > best_value {
            best_value = value;
            best = Some(index);
        }
    }
    best
}

/// The square root of the natural logarithm of a count, from a table. Counts above 256 are rounded
/// down to eight significant bits: the root changes by less than two thousandths.
#[inline]
fn root_of_ln(roots: &[f32; ROOTS], count: u32) -> f32 {
    let bits = (count.max(1) as f32).to_bits();
    roots[((bits >> 16) - FIRST_ROOT) as usize % ROOTS]
}

/// The upper bits of the number 1.
const FIRST_ROOT: u32 = 0x3f80;
/// 32 powers of two in 128 steps each, and the end of the last.
const ROOTS: usize = 8192;

static ROOTS_OF_LN: LazyLock<Box<[f32; ROOTS]>> = LazyLock::new(|| {
    let mut roots = Box::new([0.0; ROOTS]);
    for (index, root) in roots.iter_mut().enumerate() {
        let number = f32::from_bits((index as u32 + FIRST_ROOT) << 16);
        if number.is_finite() {
            *root = ln_of(number).sqrt().max(LITTLE);
        }
    }
    roots
});

/// The natural logarithm of a count.
fn ln(count: u32) -> f32 {
    ln_of(count as f32)
}

/// The natural logarithm of a positive, normal number. Made of additions, multiplications and
/// divisions only, so that it is the same on every machine; library functions differ in the last
/// bit.
fn ln_of(number: f32) -> f32 {
    // number = mantissa · 2^exponent, the mantissa between about 0.7 and 1.4.
    let bits = number.to_bits();
    let shifted = bits.wrapping_sub(0x3f35_04f3); // the square root of 1/2
    let exponent = shifted as i32 >> 23;
    let mantissa = f32::from_bits(bits.wrapping_sub((exponent as u32) << 23));
    // ln m = 2 artanh((m - 1) / (m + 1))
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let square = t * t;
    let series =
        1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square / 9.0)));
    exponent as f32 * std::f32::consts::LN_2 + 2.0 * t * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_right() {
        for count in (1..2000).chain([1 << 20, u32::MAX / 2, u32::MAX]) {
            let expected = f64::from(count).ln();
            let error = (f64::from(ln(count)) - expected).abs();
            assert!(error <= 2e-7 * expected.max(1.0), "ln {count}: {} {expected}", ln(count));
            let root_error = (f64::from(root_of_ln(&ROOTS_OF_LN, count)) - expected.sqrt()).abs();
            assert!(root_error <= 2e-3, "root of ln {count}: {}", root_of_ln(&ROOTS_OF_LN, count));
        }
    }

    #[test]
    fn widening_grows_logarithmically() {
        let unpruning = Widening { after: 0, first: 2, growth: 2.0 };
        assert_eq!(width(unpruning, 0), 2);
        assert_eq!(width(unpruning, 1), 2);
        assert_eq!(width(unpruning, 9), 5);
        let widening = Widening { after: 100, first: 2, growth: 2.0 };
        assert_eq!(width(widening, 99), usize::MAX);
        assert_eq!(width(widening, 100), 2);
        assert_eq!(width(widening, 450), 4);
    }
}
