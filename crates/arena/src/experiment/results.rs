//! From the records of the tasks to the numbers of the cells.

use std::collections::{BTreeMap, BTreeSet};

use super::packed::Packed;
use super::plan::{Pairing, Source};
use super::task::AnalysisRecord;
use super::{Cell, Evidence, Measure, Plan, Store, StoreError, Task};
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
}

impl Measure {
    /// Whether it is a share from 0 to 100 of games or runs.
    pub fn is_percentage(self) -> bool {
        use Measure::{Drawn, FirstSide, Frequency, Score, Share, Solved};
        matches!(self, Score | FirstSide | Drawn | Share | Frequency | Solved)
    }

    /// Whether it is an amount, whose ratios mean something.
    pub(super) fn is_positive(self) -> bool {
        use Measure::{CommonNodes, CommonSeconds, Nodes, PlayoutLength, Rate, Seconds};
        matches!(self, CommonNodes | CommonSeconds | Nodes | PlayoutLength | Rate | Seconds)
    }

    /// What is counted, for a heading.
    pub fn unit(self) -> &'static str {
        match self {
            Measure::Score => "score, %",
            Measure::FirstSide => "score of the side that moves first, %",
            Measure::Drawn => "games drawn, %",
            Measure::Share => "score in the tournament, %",
            Measure::Elo | Measure::Rating => "Elo",
            Measure::Superiority => "likelihood of superiority, %",
            Measure::Solved => "positions solved, %",
            Measure::CommonNodes => "thousands of nodes a position",
            Measure::CommonSeconds => "seconds a position",
            Measure::Frequency => "frequency, %",
            Measure::Nodes => "thousands of nodes",
            Measure::Seconds => "seconds",
            Measure::Rate => "simulations a second",
            Measure::PlayoutLength => "plies a playout",
            Measure::Unmeasured => "not measured",
        }
    }

    /// Whether ours is to be like the paper's: times and rates belong to a machine, and the effort of
    /// solving to a set of positions; lengths have no interval, on either side.
    pub(super) fn is_comparable(self) -> bool {
        use Measure::{CommonNodes, CommonSeconds, PlayoutLength, Rate, Seconds, Superiority};
        !matches!(self, CommonNodes | CommonSeconds | PlayoutLength | Rate | Seconds | Superiority)
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
    /// What claims are judged by.
    pub evidence: Evidence,
}

/// The numbers of all cells, as far as the store has them.
pub fn evaluate(plan: &Plan, store: &Store) -> Result<Vec<CellResult>, StoreError> {
    let packed = Packed::read(store)?;
    let mut tallies = BTreeMap::new();
    let mut analyses = BTreeMap::new();
    let mut results = BTreeMap::new();
    for (name, (task, wanted)) in &plan.tasks {
        let is_full = store.path(name).exists();
        match task {
            Task::Match(_) => {
                let games = if is_full { store.games(task)? } else { packed.games(name) };
                let games: Games = games.range(..wanted).map(|(&i, &result)| (i, result)).collect();
                tallies.insert(name.as_str(), (tally_of(games.iter()), *wanted));
                results.insert(name.as_str(), games);
            }
            Task::Analyses(analysis) => {
                let mut records = match is_full {
                    true => store.analyses(task, *wanted)?,
                    false => packed.analyses(name, analysis),
                };
                records.retain(|record| record.index < *wanted);
                analyses.insert(name.as_str(), (records, *wanted));
            }
        }
    }
    let results = Results { tallies, games: results, analyses, ratings: BTreeMap::new() };
    Ok(results.of_cells(&plan.cells))
}

/// The results of a match by number.
type Games = BTreeMap<u64, GameResult>;

struct Results<'a> {
    tallies: BTreeMap<&'a str, (Tally, u64)>,
    games: BTreeMap<&'a str, Games>,
    analyses: BTreeMap<&'a str, (Vec<AnalysisRecord>, u64)>,
    /// By the tasks of the tournament.
    ratings: BTreeMap<Vec<&'a str>, Ratings>,
}

impl<'a> Results<'a> {
    fn of_cells(mut self, cells: &'a [Cell]) -> Vec<CellResult> {
        let result = |cell: &'a Cell| {
            let (measured, count) = self.cell(cell);
            let evidence = self.evidence(cell, measured);
            CellResult { cell: cell.clone(), measured, count, evidence }
        };
        cells.iter().map(result).collect()
    }

    /// What claims are judged by.
    fn evidence(&self, cell: &Cell, measured: Option<Estimate>) -> Evidence {
        let Some(measured) = measured else { return Evidence::None };
        match &cell.source {
            Source::Match(pairing) if cell.measure == Measure::Score => {
                self.scores(std::iter::once((pairing, false)))
            }
            Source::Match(pairing) => {
                let values = self.values_by_game(pairing, cell.measure);
                Evidence::Runs { values, is_share: cell.measure == Measure::Drawn }
            }
            Source::Tournament { pairings, a, .. } if cell.measure == Measure::Share => {
                let own = pairings.iter().filter(|(i, j, _)| i == a || j == a);
                self.scores(own.map(|(_, j, pairing)| (pairing, j == a)))
            }
            Source::Analyses { task, others, m } => {
                let Some((records, _)) = self.analyses.get(task.as_str()) else {
                    return Evidence::None;
                };
                let records = self.compared(cell.measure, records, others);
                let value = |record: &AnalysisRecord| value(cell.measure, record, m.as_deref());
                let values = records.iter().map(|record| (record.index, value(record)));
                Evidence::Runs { values: values.collect(), is_share: cell.measure.is_percentage() }
            }
            _ => Evidence::Estimate(measured.value, (measured.high - measured.low) / (2.0 * 1.96)),
        }
    }

    /// What every game of a match says of the first side, or of draws, in percent.
    fn values_by_game(&self, pairing: &Pairing, measure: Measure) -> BTreeMap<u64, f64> {
        let value = |(&index, &result): (&u64, &GameResult)| {
            let is_even = index.is_multiple_of(2);
            let points = match (measure, result) {
                (Measure::Drawn, GameResult::Draw) => 100.0,
                (Measure::Drawn, _) => 0.0,
                (_, GameResult::Draw) => 50.0,
                (_, result) if (result == GameResult::A) == is_even => 100.0,
                _ => 0.0,
            };
            (index, points)
        };
        let games = self.games.get(pairing.task.as_str());
        games.map_or(BTreeMap::new(), |games| games.iter().map(value).collect())
    }

    fn by_game(&self, pairing: &Pairing, measure: Measure) -> Option<Estimate> {
        let values = self.values_by_game(pairing, measure);
        (!values.is_empty()).then(|| mean(values.values().copied()))
    }

    /// The score of all games of these matches, in percent. `true` stands for the other side's.
    fn scores<'b>(&self, pairings: impl Iterator<Item = (&'b Pairing, bool)> + Clone) -> Evidence {
        let tally = |pairing: &Pairing| {
            self.tallies.get(pairing.task.as_str()).map_or(Tally::default(), |(tally, _)| *tally)
        };
        let games: u64 = pairings.clone().map(|(pairing, _)| tally(pairing).count()).sum();
        let (mut matches, mut constant) = (Vec::new(), 0.0);
        for (pairing, is_other) in pairings {
            let tally = tally(pairing);
            let weight = 100.0 * tally.count() as f64 / games as f64;
            let is_reversed = pairing.is_swapped != is_other;
            constant += if is_reversed { weight } else { 0.0 };
            let weight = if is_reversed { -weight } else { weight };
            matches.push((pairing.task.clone(), tally, weight));
        }
        Evidence::Scores { matches, constant }
    }

    fn cell(&mut self, cell: &'a Cell) -> (Option<Estimate>, [u64; 2]) {
        match &cell.source {
            Source::Nothing => (None, [0, 0]),
            Source::Match(pairing) => {
                let (tally, wanted) = self.tally(pairing);
                let measured = match cell.measure {
                    Measure::Score => score(&tally),
                    measure => self.by_game(pairing, measure),
                };
                (measured, [tally.count(), wanted])
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

    /// The analyses that a measure is taken over: those of positions that all have solved, where efforts
    /// are compared, since the nodes of stopped searches say nothing; else all.
    fn compared<'b>(
        &self,
        measure: Measure,
        records: &'b [AnalysisRecord],
        others: &[String],
    ) -> Vec<&'b AnalysisRecord> {
        if !matches!(measure, Measure::CommonNodes | Measure::CommonSeconds) {
            return records.iter().collect();
        }
        let solved = |records: &[AnalysisRecord]| -> BTreeSet<u64> {
            records.iter().filter(|r| r.proven.is_some()).map(|r| r.index).collect()
        };
        let mut common = solved(records);
        for other in others {
            let others = self.analyses.get(other.as_str()).map(|(records, _)| solved(records));
            common = common.intersection(&others.unwrap_or_default()).copied().collect();
        }
        records.iter().filter(|record| common.contains(&record.index)).collect()
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
                let compared = self.compared(measure, records, others);
                let effort = compared.iter().map(|record| value(measure, record, m));
                (!compared.is_empty()).then(|| mean(effort))
            }
            Measure::Frequency => {
                let chosen = records.iter().filter(|record| record.best.as_deref() == m).count();
                Some(Estimate::of_share(100.0 * chosen as f64 / count as f64, count))
            }
            Measure::Nodes | Measure::Seconds => {
                Some(mean(records.iter().map(|record| value(measure, record, m))))
            }
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

/// What one analysis says of a measure.
fn value(measure: Measure, record: &AnalysisRecord, m: Option<&str>) -> f64 {
    let share = |is_so: bool| if is_so { 100.0 } else { 0.0 };
    match measure {
        Measure::Solved => share(record.proven.is_some()),
        Measure::Frequency => share(record.best.as_deref() == m),
        Measure::CommonSeconds | Measure::Seconds => record.seconds,
        Measure::PlayoutLength => record.playout_plies as f64 / record.simulations as f64,
        Measure::Rate => record.simulations as f64 / record.seconds,
        _ => record.nodes as f64 / 1000.0,
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
pub(super) fn tally_of<'a>(results: impl Iterator<Item = (&'a u64, &'a GameResult)>) -> Tally {
    let mut tally = Tally::default();
    let mut last = None;
    for (&index, &result) in results {
        // Game 2k comes before its partner.
        let partner = last.filter(|(before, _)| before ^ 1 == index).map(|(_, result)| result);
        tally.add(result, partner);
        last = Some((index, result));
    }
    tally
}
