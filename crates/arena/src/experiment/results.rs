//! From the records of the tasks to the numbers of the cells.

use std::collections::{BTreeMap, BTreeSet};

use super::plan::{Pairing, Source};
use super::task::AnalysisRecord;
use super::{Cell, Measure, Plan, Store, StoreError, Task};
use crate::ratings::{Encounter, Ratings, performance};
use crate::{GameResult, Tally};

/// A number with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The lower end; the number itself if no interval is known.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// A number and its interval.
    pub fn new(value: f64, low: f64, high: f64) -> Estimate {
        Estimate { value, low, high }
    }

    /// A number that is exact, or whose interval is not known.
    pub fn exact(value: f64) -> Estimate {
        Estimate { value, low: value, high: value }
    }

    /// A percentage of a number of games, with Wilson's interval.
    pub fn of_share(percentage: f64, games: u64) -> Estimate {
        let games_won = (percentage / 100.0 * games as f64).round() as u64;
        let singles = [games - games_won.min(games), 0, games_won.min(games)];
        let [low, high] = Tally { singles, games: singles, ..Tally::default() }.interval();
        Estimate::new(percentage, 100.0 * low, 100.0 * high)
    }

    /// Whether the two intervals have nothing in common.
    pub fn differs_from(&self, other: &Estimate) -> bool {
        self.high < other.low || other.high < self.low
    }
}

impl Measure {
    /// Whether it is a share from 0 to 100 of games or runs.
    pub fn is_percentage(self) -> bool {
        matches!(self, Measure::Score | Measure::Share | Measure::Frequency | Measure::Solved)
    }

    /// What is counted, for a heading.
    pub fn unit(self) -> &'static str {
        match self {
            Measure::Score => "score, %",
            Measure::Share => "score in the tournament, %",
            Measure::Elo | Measure::Rating => "Elo",
            Measure::Superiority => "likelihood of superiority, %",
            Measure::Solved => "positions solved, %",
            Measure::CommonNodes => "thousands of nodes a position",
            Measure::CommonSeconds => "seconds a position",
            Measure::Frequency => "frequency, %",
            Measure::Nodes => "thousands of nodes",
            Measure::Rate => "simulations a second",
            Measure::PlayoutLength => "plies a playout",
            Measure::Unmeasured => "not measured",
        }
    }

    /// Whether ours is to be like the paper's: times and rates belong to a machine, and the effort of
    /// solving to a set of positions; lengths have no interval, on either side.
    pub(super) fn is_comparable(self) -> bool {
        use Measure::{CommonNodes, CommonSeconds, PlayoutLength, Rate, Superiority};
        !matches!(self, CommonNodes | CommonSeconds | PlayoutLength | Rate | Superiority)
    }
}

/// A cell with both numbers.
#[derive(Clone, Debug)]
pub struct CellResult {
    /// The cell.
    pub cell: Cell,
    /// What was measured, if anything was yet.
    pub measured: Option<Estimate>,
    /// Games or analyses behind it, and how many are wanted.
    pub count: [u64; 2],
    /// Whether the published and the measured interval have nothing in common.
    pub differs: bool,
}

/// The numbers of all cells, as far as the store has them.
pub fn evaluate(plan: &Plan, store: &Store) -> Result<Vec<CellResult>, StoreError> {
    let mut tallies = BTreeMap::new();
    let mut analyses = BTreeMap::new();
    for (name, (task, wanted)) in &plan.tasks {
        match task {
            Task::Match(_) => {
                tallies.insert(name.as_str(), (store.tally(task, *wanted)?, *wanted));
            }
            Task::Analyses(_) => {
                analyses.insert(name.as_str(), (store.analyses(task, *wanted)?, *wanted));
            }
        }
    }
    let evidence = Evidence { tallies, analyses, ratings: BTreeMap::new() };
    Ok(evidence.results(&plan.cells))
}

struct Evidence<'a> {
    tallies: BTreeMap<&'a str, (Tally, u64)>,
    analyses: BTreeMap<&'a str, (Vec<AnalysisRecord>, u64)>,
    /// By the tasks of the tournament.
    ratings: BTreeMap<Vec<&'a str>, Ratings>,
}

impl<'a> Evidence<'a> {
    fn results(mut self, cells: &'a [Cell]) -> Vec<CellResult> {
        cells
            .iter()
            .map(|cell| {
                let (measured, count) = self.cell(cell);
                let differs = match (&cell.published, &measured) {
                    (Some(published), Some(measured)) if cell.measure.is_comparable() => {
                        published.differs_from(measured)
                    }
                    _ => false,
                };
                CellResult { cell: cell.clone(), measured, count, differs }
            })
            .collect()
    }

    fn cell(&mut self, cell: &'a Cell) -> (Option<Estimate>, [u64; 2]) {
        match &cell.source {
            Source::Nothing => (None, [0, 0]),
            Source::Match(pairing) => {
                let (tally, wanted) = self.tally(pairing);
                (score(&tally), [tally.count(), wanted])
            }
            Source::Rated(pairings) => {
                let (mut encounters, mut count) = (Vec::new(), [0, 0]);
                for (rating, pairing) in pairings {
                    let (tally, wanted) = self.tally(pairing);
                    encounters.push((*rating, tally));
                    count = [count[0] + tally.count(), count[1] + wanted];
                }
                let rating = performance(&encounters);
                (rating.map(|(value, [low, high])| Estimate::new(value, low, high)), count)
            }
            Source::Tournament { players, pairings, a, other } => {
                self.tournament(cell.measure, *players, pairings, *a, *other)
            }
            Source::Analyses { task, others, m } => {
                let Some((records, wanted)) = self.analyses.get(task.as_str()) else {
                    return (None, [0, 0]);
                };
                let count = [records.len() as u64, *wanted];
                (self.analysed(cell.measure, records, others, m.as_deref()), count)
            }
        }
    }

    /// The results of a match as the cell's A sees them.
    fn tally(&self, pairing: &Pairing) -> (Tally, u64) {
        let (tally, wanted) = self.tallies.get(pairing.task.as_str()).copied().unwrap_or_default();
        (if pairing.is_swapped { tally.reversed() } else { tally }, wanted)
    }

    fn tournament(
        &mut self,
        measure: Measure,
        players: usize,
        pairings: &'a [(usize, usize, Pairing)],
        a: usize,
        other: usize,
    ) -> (Option<Estimate>, [u64; 2]) {
        let mut encounters: Vec<Encounter> = Vec::new();
        let mut count = [0, 0];
        let mut own = Tally::default();
        for (i, j, pairing) in pairings {
            let (tally, wanted) = self.tally(pairing);
            encounters.push((*i, *j, tally));
            count = [count[0] + tally.count(), count[1] + wanted];
            if *i == a {
                own = own.plus(&tally);
            } else if *j == a {
                own = own.plus(&tally.reversed());
            }
        }
        if encounters.iter().any(|(_, _, tally)| tally.count() == 0) {
            return (None, count);
        }
        if measure == Measure::Share {
            return (score(&own), count);
        }
        let tasks: Vec<&str> = pairings.iter().map(|(_, _, p)| p.task.as_str()).collect();
        let ratings =
            self.ratings.entry(tasks).or_insert_with(|| Ratings::new(players, &encounters));
        let estimate = match measure {
            Measure::Superiority => Estimate::exact(100.0 * ratings.superiority(a, other)),
            _ => {
                let (elo, [low, high]) = ratings.difference(a, other);
                Estimate::new(elo, low, high)
            }
        };
        (Some(estimate), count)
    }

    fn analysed(
        &self,
        measure: Measure,
        records: &[AnalysisRecord],
        others: &[String],
        m: Option<&str>,
    ) -> Option<Estimate> {
        if records.is_empty() {
            return None;
        }
        let count = records.len() as u64;
        match measure {
            Measure::Solved => {
                let solved = records.iter().filter(|record| record.proven.is_some()).count();
                Some(Estimate::of_share(100.0 * solved as f64 / count as f64, count))
            }
            Measure::CommonNodes | Measure::CommonSeconds => {
                // Nodes of stopped searches say nothing: only what all have solved is compared.
                let solved = |records: &[AnalysisRecord]| -> BTreeSet<u64> {
                    records.iter().filter(|r| r.proven.is_some()).map(|r| r.index).collect()
                };
                let mut common = solved(records);
                for other in others {
                    let (records, _) = self.analyses.get(other.as_str())?;
                    common = common.intersection(&solved(records)).copied().collect();
                }
                let own = records.iter().filter(|record| common.contains(&record.index));
                let effort = own.map(|record| match measure {
                    Measure::CommonNodes => record.nodes as f64 / 1000.0,
                    _ => record.seconds,
                });
                (!common.is_empty()).then(|| mean(effort))
            }
            Measure::Frequency => {
                let chosen = records.iter().filter(|record| record.best.as_deref() == m).count();
                Some(Estimate::of_share(100.0 * chosen as f64 / count as f64, count))
            }
            Measure::Nodes => Some(mean(records.iter().map(|record| record.nodes as f64 / 1000.0))),
            Measure::PlayoutLength => {
                let plies: u64 = records.iter().map(|record| record.playout_plies).sum();
                let simulations: u64 = records.iter().map(|record| record.simulations).sum();
                (plies > 0).then(|| Estimate::exact(plies as f64 / simulations as f64))
            }
            _ => {
                let seconds: f64 = records.iter().map(|record| record.seconds).sum();
                let simulations: u64 = records.iter().map(|record| record.simulations).sum();
                (seconds > 0.0).then(|| Estimate::exact(simulations as f64 / seconds))
            }
        }
    }
}

/// A score in percent.
fn score(tally: &Tally) -> Option<Estimate> {
    let [low, high] = tally.interval();
    tally.score().map(|score| Estimate::new(100.0 * score, 100.0 * low, 100.0 * high))
}

/// The mean of what cannot be negative, with its normal interval.
fn mean(values: impl Iterator<Item = f64> + Clone) -> Estimate {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
    let error = if count > 1.0 { 1.96 * (squares / (count - 1.0) / count).sqrt() } else { 0.0 };
    Estimate::new(mean, (mean - error).max(0.0), mean + error)
}

/// The results of games by number: pairs where both are there.
pub(super) fn tally_of(results: &BTreeMap<u64, GameResult>) -> Tally {
    let mut tally = Tally::default();
    for (&index, &result) in results {
        let partner = results.get(&(index ^ 1)).copied();
        tally.add(result, partner.filter(|_| index % 2 == 1));
    }
    tally
}
