//! Selection: which child a simulation goes to.

use std::hint::select_unpredictable;
use std::sync::LazyLock;
use std::sync::atomic::AtomicU64;

use super::config::{Bias, Config, Widening};
use super::tree::{Index, Node, Tree, Urgency};

/// The child that maximises the selection formula; an unvisited child comes before all others, in
/// their order. Proven children are not selected by the solver: there is nothing left to find out,
/// and what they are worth enters the results by the bounds of their parent. `None` if every child
/// is proven.
#[inline(always)]
pub(super) fn select(
    config: &Config,
    tree: &Tree,
    rave: &RaveTable,
    parent: &Node,
    children: &[Node],
) -> Option<usize> {
    let exploration = config.exploration.sqrt() * root_of_ln(parent.visits());
    if matches!(config.bias, Bias::None) && config.rave.is_none() && config.widening.is_none() {
        most_urgent(tree.urgencies(parent), exploration)
    } else {
        select_informed(config, rave, parent, children, exploration)
    }
}

/// The first child with the highest `mean + exploration / sqrt(visits)`; `None` if all are proven.
#[inline(always)]
fn most_urgent(urgencies: &[AtomicU64], exploration: f32) -> Option<usize> {
    // Nothing times infinity is not a number, so even a greedy search explores a little.
    let exploration = exploration.max(f32::MIN_POSITIVE);
    // Which child is better cannot be predicted, so there is no branch; and comparisons that wait for
    // each other are slow, so the children are compared in lanes, and the lanes in the end.
    let mut best = [Lane { value: f32::NEG_INFINITY, index: 0 }; LANES];
    let blocks = urgencies.chunks_exact(LANES);
    let rest = blocks.remainder();
    let mut index = 0;
    for block in blocks {
        for (lane, urgency) in best.iter_mut().zip(block) {
            lane.offer(Urgency::load(urgency), exploration, index);
            index += 1;
        }
    }
    for (lane, urgency) in best.iter_mut().zip(rest) {
        lane.offer(Urgency::load(urgency), exploration, index);
        index += 1;
    }
    let [first, others @ ..] = best;
    let best = others.into_iter().fold(first, |best, lane| {
        let better =
            lane.value > best.value || (lane.value == best.value && lane.index < best.index);
        if better { lane } else { best }
    });
    (best.value > f32::NEG_INFINITY).then_some(best.index as usize)
}

/// Comparisons at the same time.
const LANES: usize = 4;

/// The best of some children.
#[derive(Clone, Copy)]
struct Lane {
    value: f32,
    index: u32,
}

impl Lane {
    /// Takes a child if it is better; the earlier of equals stays.
    #[inline(always)]
    fn offer(&mut self, urgency: Urgency, exploration: f32, index: u32) {
        let value = urgency.mean + exploration * urgency.width;
        let better = value > self.value;
        self.index = select_unpredictable(better, index, self.index);
        self.value = select_unpredictable(better, value, self.value);
    }
}

/// Selection with bias, RAVE or widening.
fn select_informed(
    config: &Config,
    rave: &RaveTable,
    parent: &Node,
    children: &[Node],
    exploration: f32,
) -> Option<usize> {
    let considered = match config.widening {
        Some(widening) => width(widening, parent.visits()).min(children.len()),
        None => children.len(),
    };
    let first_child = parent.first_child();
    let formula = |index: usize, visits: f32, mean: f32| {
        let child = &children[index];
        let mean = match config.rave {
            Some(k) => {
                let beta = (k / (3.0 * visits + k)).sqrt();
                match rave.mean(first_child + index as Index) {
                    Some(rave_mean) => beta * rave_mean + (1.0 - beta) * mean,
                    None => mean,
                }
            }
            None => mean,
        };
        let bias = match config.bias {
            Bias::None => 0.0,
            Bias::Losses(weight) => weight * child.prior() / (losses(visits, mean) + 1.0),
            Bias::RootOfLosses(weight) => {
                weight * child.prior() / (losses(visits, mean) + 1.0).sqrt()
            }
            Bias::Visits(weight) => weight * child.prior() / visits,
        };
        mean + exploration / visits.sqrt() + bias
    };
    // If all considered moves are proven, it is time to look at the others.
    best(&children[..considered], config.solver, formula)
        .or_else(|| best(children, config.solver, formula))
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

/// The index of the first unvisited child, or of the child with the highest value of the formula.
#[inline(always)]
fn best(
    children: &[Node],
    skip_proven: bool,
    formula: impl Fn(usize, f32, f32) -> f32,
) -> Option<usize> {
    let mut best = None;
    let mut best_value = f32::NEG_INFINITY;
    for (index, child) in children.iter().enumerate() {
        if skip_proven && child.proof().value().is_some() {
            continue;
        }
        let visits = child.visits();
        if visits == 0 {
            return Some(index);
        }
        let visits = visits as f32;
        let value = formula(index, visits, child.score() / visits);
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
fn root_of_ln(count: u32) -> f32 {
    let bits = (count.max(1) as f32).to_bits();
    ROOTS_OF_LN[((bits >> 16) - FIRST_ROOT) as usize % ROOTS]
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
            *root = ln_of(number).sqrt();
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

/// Results of moves wherever in a simulation they were played (AMAF), beside the tree: a node's
/// entry has the node's index. Empty unless the search uses RAVE.
#[derive(Default)]
pub(super) struct RaveTable {
    entries: Vec<AtomicU64>,
}

/// An entry packs visits (high half) and the sum of results plus visits (low half, never negative).
impl RaveTable {
    pub(super) fn new(nodes: usize) -> Self {
        RaveTable { entries: (0..nodes).map(|_| Default::default()).collect() }
    }

    /// Forgets what is known about new nodes.
    pub(super) fn reset(&self, first: Index, count: usize) {
        for entry in self.entries.iter().skip(first as usize).take(count) {
            entry.store(0, std::sync::atomic::Ordering::Relaxed);
        }
    }

    pub(super) fn add(&self, index: Index, result: f32) {
        if let Some(entry) = self.entries.get(index as usize) {
            let gain = if result > 0.5 { 2 } else { u64::from(result > -0.5) };
            entry.fetch_add((1 << 32) + gain, std::sync::atomic::Ordering::Relaxed);
        }
    }

    #[inline]
    fn mean(&self, index: Index) -> Option<f32> {
        let entry = self.entries.get(index as usize)?.load(std::sync::atomic::Ordering::Relaxed);
        let (visits, gains) = ((entry >> 32) as f32, entry as u32 as f32);
        (visits > 0.0).then(|| gains / visits - 1.0)
    }
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
            let root_error = (f64::from(root_of_ln(count)) - expected.sqrt()).abs();
            assert!(root_error <= 2e-3, "root of ln {count}: {}", root_of_ln(count));
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
