//! Selection: which child a simulation goes to.

use std::sync::LazyLock;
use std::sync::atomic::Ordering::Relaxed;

use super::config::{Bias, Config, Widening};
use super::effort;
use super::node::Node;
use super::tree::Tree;
use crate::real::ln as ln_of;

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
        let selection = &config.selection;
        let plain = selection.bias == Bias::None
            && selection.rave.is_none()
            && selection.widening.first.is_none()
            && !config.needs_efforts()
            && selection.first_play.is_none();
        Selector {
            config,
            exploration: selection.exploration.sqrt().max(LITTLE),
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

/// Floor of the exploration factor: 0 × ∞ would be NaN, for a greedy search and for a parent with one
/// visit.
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
    let selection = &config.selection;
    let considered = width(&selection.widening, parent.visits()).min(children.len());
    let weight = selection.bias_weight;
    let priors = if selection.bias == Bias::None { &[] } else { tree.priors(parent) };
    let raves = if selection.rave.is_none() { &[] } else { tree.raves(parent) };
    let efforts = if config.needs_efforts() { tree.efforts(parent) } else { &[] };
    // The clearer the result, the more it matters how it is proven.
    let least_effort = if efforts.is_empty() {
        0.0
    } else {
        let clarity = (parent.mean() as f32).powi(8);
        selection.proof_bias * clarity * effort::least(children, efforts)
    };
    // What a move is taken for before its first visit: a little worse than its parent.
    let first_play = selection.first_play.map(|reduction| -parent.mean() as f32 - reduction);
    let root_of_visits = (parent.visits() as f32).sqrt();
    let formula = |index: usize, visits: f32, mean: f32, width: f32| {
        let mut mean = mean;
        if let (Some(k), Some(rave)) = (selection.rave, raves.get(index))
            && let Some(rave_mean) = rave.mean()
        {
            let beta = (k / (3.0 * visits + k)).sqrt();
            mean = beta * rave_mean + (1.0 - beta) * mean;
        }
        let prior = priors.get(index).map_or(0.0, |prior| f32::from_bits(prior.load(Relaxed)));
        let bias = match selection.bias {
            Bias::None => 0.0,
            Bias::Losses => weight * prior / (losses(visits, mean) + 1.0),
            Bias::RootOfLosses => weight * prior / (losses(visits, mean) + 1.0).sqrt(),
            Bias::Visits => weight * prior / visits.max(1.0),
            Bias::Polynomial => weight * prior * root_of_visits / (visits + 1.0),
        };
        let ease = match efforts.get(index) {
            // Only children that are not proven come here.
            Some(entry) => least_effort / entry.own().max(1) as f32,
            None => 0.0,
        };
        mean + exploration * width + bias + ease
    };
    // In the order of priors, and without anything else to tell them apart, no child without visits
    // comes before the first of them.
    let one_unvisited = config.sorts_by_prior() && selection.rave.is_none();
    // If all considered moves are proven, it is time to look at the others. One call, so that the
    // formula is inlined.
    let mut considered = considered;
    loop {
        let found = best(&children[..considered], first_play, one_unvisited, formula);
        if found.is_some() || considered == children.len() {
            return found;
        }
        considered = children.len();
    }
}

/// The losses among `visits` results with this mean; a draw is half a loss.
#[inline]
fn losses(visits: f32, mean: f32) -> f32 {
    (visits * (1.0 - mean) * 0.5).max(0.0)
}

/// The number of moves that a node with `visits` considers.
fn width(widening: &Widening, visits: u32) -> usize {
    let Some(first) = widening.first.filter(|_| visits >= widening.after) else {
        return usize::MAX;
    };
    let grown = ln(visits.max(1)) - ln(widening.after.max(1));
    (first as usize).max(1) + (grown.max(0.0) / ln_of(widening.growth)) as usize
}

/// The index of the child with the highest value of the formula, given its visits, its mean and one
/// over the root of its visits; `None` if all are proven. A child without visits has the mean
/// `first_play`, or comes before all others; only the first of them counts if `one_unvisited`.
#[inline(always)]
fn best(
    children: &[Node],
    first_play: Option<f32>,
    one_unvisited: bool,
    formula: impl Fn(usize, f32, f32, f32) -> f32,
) -> Option<usize> {
    let mut best = None;
    let mut best_value = f32::NEG_INFINITY;
    for (index, child) in children.iter().enumerate() {
        let urgency = child.urgency();
        if urgency.is_proven() {
            continue;
        }
        let is_unvisited = urgency.is_unvisited();
        let value = match first_play {
            _ if !is_unvisited => {
                formula(index, child.visits() as f32, urgency.mean(), urgency.width)
            }
            Some(mean) => formula(index, 0.0, mean, 1.0),
            None => return Some(index),
        };
        if value > best_value {
            best_value = value;
            best = Some(index);
        }
        if is_unvisited && one_unvisited {
            break;
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
        let unpruning = Widening { after: 0, first: Some(2), growth: 2.0 };
        assert_eq!(width(&unpruning, 0), 2);
        assert_eq!(width(&unpruning, 1), 2);
        assert_eq!(width(&unpruning, 9), 5);
        let widening = Widening { after: 100, first: Some(2), growth: 2.0 };
        assert_eq!(width(&widening, 99), usize::MAX);
        assert_eq!(width(&widening, 100), 2);
        assert_eq!(width(&widening, 450), 4);
    }
}
