//! The order of moves, learned while searching.

use spinney_game::Side;

/// Which children come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Those with the fewest replies.
    Fewest,
    /// Those with the most replies.
    Most,
    /// Those whose move has refuted most often.
    History,
    /// By history, and by fewest replies.
    FewestAndHistory,
    /// By history, and by most replies.
    MostAndHistory,
    /// By what the game promises, and by history: for games that promise something.
    Promise,
}

use Order::*;

/// The orders that compete where the game promises nothing.
const ORDERS: [Order; 5] = [Fewest, Most, History, FewestAndHistory, MostAndHistory];

/// Slots for the history of moves, for each side. Moves that share one share their history.
const SLOTS: usize = 1 << SLOT_BITS;
const SLOT_BITS: u32 = 12;
/// One position in this many is searched in an order that is not the best known, to compare them.
const EXPLORATION: u64 = 64;

/// How often something succeeded. Old tries fade.
#[derive(Clone, Copy, Debug)]
struct Share {
    successes: f32,
    tries: f32,
}

impl Share {
    /// The tries after which the older half of the evidence counts half.
    const MEMORY: f32 = 4096.0;

    /// Optimistic: what was never tried gets tried.
    const NEW: Share = Share { successes: 0.5, tries: 1.0 };

    #[inline]
    fn add(&mut self, success: bool) {
        self.tries += 1.0;
        self.successes += f32::from(u8::from(success));
        if self.tries > Share::MEMORY {
            self.tries *= 0.5;
            self.successes *= 0.5;
        }
    }

    #[inline]
    fn value(self) -> f32 {
        self.successes / self.tries
    }
}

/// What the search has learned.
#[derive(Debug)]
pub(super) struct Ordering {
    /// For each side and slot: how often a searched move refuted the position before it.
    history: [Vec<Share>; 2],
    /// For each side and order: how often the first move searched was a refutation.
    orders: [[Share; ORDERS.len()]; 2],
    best: [Order; 2],
    promises: bool,
}

impl Ordering {
    /// `promises`: whether the game says which moves look promising.
    pub(super) fn new(promises: bool) -> Self {
        Ordering {
            history: [vec![Share::NEW; SLOTS], vec![Share::NEW; SLOTS]],
            orders: [[Share::NEW; ORDERS.len()]; 2],
            best: [Fewest; 2],
            promises,
        }
    }

    /// The order for a position: the best so far, or sometimes another. The key decides, so that
    /// a search is the same each time.
    #[inline]
    pub(super) fn choose(&self, side: Side, key: u64) -> Order {
        if self.promises {
            return Promise;
        }
        let number =
            (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % (EXPLORATION * ORDERS.len() as u64);
        ORDERS.get(number as usize).copied().unwrap_or(self.best[side.index()])
    }

    /// The weight of a move in an order; the heaviest is to be searched first.
    #[inline]
    pub(super) fn weight(
        &self,
        order: Order,
        side: Side,
        m: u32,
        replies: i32,
        promise: i32,
    ) -> i32 {
        // A percent of refutations weighs as much as a quarter of a reply, or nearly nothing.
        let history = (1024.0 * self.history[side.index()][slot(m)].value()) as i32;
        match order {
            Fewest => history - 10_000 * replies,
            Most => history + 10_000 * replies,
            History => history,
            FewestAndHistory => history - 40 * replies,
            MostAndHistory => history + 40 * replies,
            Promise => history + promise,
        }
    }

    /// Learns whether a searched move was a refutation.
    #[inline]
    pub(super) fn learn(&mut self, side: Side, m: u32, refutes: bool) {
        self.history[side.index()][slot(m)].add(refutes);
    }

    /// Learns whether the first move in an order was a refutation.
    #[inline]
    pub(super) fn judge(&mut self, order: Order, side: Side, first_refutes: bool) {
        let shares = &mut self.orders[side.index()];
        if self.promises {
            return;
        }
        shares[order as usize].add(first_refutes);
        let best = self.best[side.index()];
        for order in ORDERS {
            if shares[order as usize].value() > shares[best as usize].value() {
                self.best[side.index()] = order;
            }
        }
    }
}

#[inline]
fn slot(m: u32) -> usize {
    (m.wrapping_mul(0x9e37_79b9) >> (32 - SLOT_BITS)) as usize
}
