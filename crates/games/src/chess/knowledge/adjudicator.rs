//! Positions that tablebases decide, with regard to the 50-move rule.

use spinney_search::GameValue;
use spinney_search::knowledge::Known;

use crate::chess::Chess;
use crate::chess::tablebase::{Probe, Tablebases};

/// Tablebases as a judge, in the tree and in playouts.
#[derive(Clone)]
pub struct Adjudicator {
    tables: Option<Tablebases>,
    /// With fewer men at the root the tables are not asked (`mcc`, 5.2.2 has 8, so that tables help
    /// playouts only).
    least_men: u32,
    is_asked: bool,
}

impl Adjudicator {
    /// A judge by these tables, in searches whose root has at least `least_men` men.
    pub fn new(tables: Option<Tablebases>, least_men: u32) -> Self {
        Adjudicator { tables, least_men, is_asked: false }
    }

    pub(super) fn begin(&mut self, root: &Chess) {
        self.is_asked = root.board().occupied().len() >= self.least_men;
    }

    /// What the tables say, unless the 50-move rule comes before a mate that they know.
    #[inline]
    fn probe(&self, position: &Chess) -> Option<Probe> {
        let tables = self.tables.as_ref().filter(|_| self.is_asked)?;
        let probe = tables.probe(position)?;
        let plies = u32::from(position.board().halfmove_clock()) + probe.plies.unwrap_or(0);
        (plies <= DRAWN_AT_HALFMOVES).then_some(probe)
    }

    /// What the tables prove: draws, and mates whose distance they know.
    #[inline]
    pub(super) fn known(&self, position: &Chess) -> Option<Known> {
        let Probe { value, plies } = self.probe(position)?;
        let plies = if value == GameValue::Draw { 0 } else { plies? };
        Some(Known { value, plies: plies as u16 })
    }

    /// The value by the tables, also where they know no distance.
    #[inline]
    pub(super) fn value(&self, position: &Chess) -> Option<GameValue> {
        Some(self.probe(position)?.value)
    }
}

/// The 50-move rule; mate at this half-move still counts.
const DRAWN_AT_HALFMOVES: u32 = 100;
