//! Selection: which child a simulation goes to.

use super::config::{Bias, Config, Widening};
use super::tree::{Index, Node};

/// The child that maximises the selection formula; an unvisited child comes before all others, in
/// their order. Proven children are not selected by the solver: there is nothing left to find out,
/// and what they are worth enters the results by the bounds of their parent. `None` if every child
/// is proven.
#[inline(always)]
pub(super) fn select(
    config: &Config,
    rave: &RaveTable,
    parent: &Node,
    children: &[Node],
) -> Option<usize> {
    let explored = ln(parent.visits().max(1));
    if matches!(config.bias, Bias::None) && config.rave.is_none() && config.widening.is_none() {
        return best(children, config.solver, |_, visits, mean| {
            mean + (config.exploration * explored / visits).sqrt()
        });
    }
    select_informed(config, rave, parent, children, explored)
}

/// Selection with bias, RAVE or widening.
fn select_informed(
    config: &Config,
    rave: &RaveTable,
    parent: &Node,
    children: &[Node],
    explored: f32,
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
        mean + (config.exploration * explored / visits).sqrt() + bias
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

/// The natural logarithm of a count. Made of additions, multiplications and divisions only, so
/// that it is the same on every machine; library functions differ in the last bit.
#[inline]
pub(super) fn ln(count: u32) -> f32 {
    ln_of(count as f32)
}

/// The natural logarithm of a positive, normal number.
#[inline]
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
    entries: Vec<std::sync::atomic::AtomicU64>,
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
