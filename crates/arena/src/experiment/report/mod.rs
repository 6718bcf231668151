//! Reports: our numbers beside the paper's, cell by cell, as Markdown and as one HTML page that needs
//! nothing else.

mod chart;
mod claims;
mod curves;
mod markdown;
mod page;

pub use claims::{claims_html, claims_markdown, summary};
pub use curves::Curves;
pub use markdown::markdown;
pub use page::{head, html};

use super::file::Part;
use super::{CellResult, Claim, Estimate, Experiment, Judgement, Measure};
use super::{Paper, catalog, evaluate, file::Clock, judge};
use super::{RunInfo, Store, StoreError, Verdict};

/// What a reader must know to read a cell.
const LEGEND: &str = "A cell has our number with its 95 % interval, then the paper's, then the difference. Times, rates, \
                      lengths, likelihoods and efforts of solving belong to a machine or to a set of positions, so their \
                      differences are not shown. Level and claim are two things: a conclusion may hold at another level.";

/// What comes before the links to the files.
const RAW: &str = "The games and runs behind all numbers";

/// The results of one experiment at one scale.
#[derive(Clone, Debug)]
pub struct Report {
    /// The experiment.
    pub experiment: Experiment,
    /// The scale.
    pub scale: String,
    /// Its cells, row by row.
    pub cells: Vec<CellResult>,
    /// What they say of the claims, one by one.
    pub judgements: Vec<Judgement>,
    /// Where and when it was run.
    pub run: Option<RunInfo>,
}

impl Report {
    /// The results in a folder.
    pub fn of_run(
        experiment: &Experiment,
        scale: &str,
        store: &Store,
    ) -> Result<Report, StoreError> {
        let plan = experiment.plan(&experiment.id, scale)?;
        let cells = evaluate(&plan, store)?;
        let evidence: Vec<_> = cells.iter().map(|cell| cell.evidence.clone()).collect();
        let counts: Vec<u64> = cells.iter().map(|cell| cell.count[0]).collect();
        let family = catalog::claims_of(experiment);
        let judge = |claim: &Claim| judge(&claim.parts, family, &evidence, &counts);
        let judgements = experiment.claim.iter().map(judge).collect();
        let (experiment, scale) = (experiment.clone(), scale.to_owned());
        Ok(Report { experiment, scale, cells, judgements, run: None })
    }

    /// The table, for a terminal.
    pub fn text(&self) -> String {
        markdown::section(self)
    }

    /// Where its numbers were published, as a heading: `Table II`.
    fn place(&self) -> String {
        let place = match &self.experiment.table {
            Some(place) if place.starts_with(char::is_lowercase) => place.clone(),
            Some(table) => format!("Table {table}"),
            None => "Our own".to_owned(),
        };
        let mut letters = place.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    }

    /// The rows that have a number, ours or the paper's.
    fn rows(&self) -> impl Iterator<Item = (usize, &Part)> {
        let has_number = |row| {
            let own = self.cells.iter().filter(move |result| result.cell.row == row);
            own.into_iter().any(|r| r.measured.is_some() || r.cell.published.is_some())
        };
        let rows = self.experiment.row.iter().enumerate();
        rows.filter(move |(row, _)| has_number(*row))
    }

    fn cell(&self, row: usize, column: usize) -> Option<&CellResult> {
        self.cells.iter().find(|result| result.cell.row == row && result.cell.column == column)
    }

    /// Cells that are not measured to the end.
    fn unfinished(&self) -> usize {
        self.cells.iter().filter(|result| result.count[0] < result.count[1]).count()
    }

    /// The claims with their verdicts.
    fn claims(&self) -> impl Iterator<Item = claims::Row<'_>> {
        let claims = self.experiment.claim.iter().zip(&self.judgements);
        claims.map(|(claim, &judgement)| claims::Row { report: self, claim, judgement })
    }

    /// The verdicts on the claims that are stated as conditions.
    pub fn verdicts(&self) -> Vec<Verdict> {
        let claims = self.claims().filter(|row| !row.claim.parts.is_empty());
        claims.map(|row| row.judgement.verdict).collect()
    }

    /// How many claims have which verdict: `2 holds, 1 undecided`.
    fn verdict_counts(&self) -> String {
        let mut words: Vec<(&str, usize)> = Vec::new();
        for word in self.verdicts().into_iter().map(Verdict::word) {
            match words.iter_mut().find(|(known, _)| *known == word) {
                Some((_, count)) => *count += 1,
                None => words.push((word, 1)),
            }
        }
        let words: Vec<String> =
            words.iter().map(|(word, count)| format!("{count} {word}")).collect();
        if words.is_empty() { "no claims".to_owned() } else { words.join(", ") }
    }

    /// A sentence on how much was done.
    fn effort(&self) -> String {
        let counts =
            || self.cells.iter().filter(|cell| cell.count[1] > 0).map(|cell| cell.count[0]);
        let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
        let range = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let budget = match self.experiment.scale.get(&self.scale).map(|scale| scale.clock) {
            Some(Clock::Time) => "limits in time of this machine",
            _ => "limits by count",
        };
        let unfinished = match self.unfinished() {
            0 => String::new(),
            cells => format!(" {cells} cells have fewer than planned."),
        };
        format!("Scale {}, {budget}; {range} games or analyses per cell.{unfinished}", self.scale)
    }
}

/// How far ours is from the paper's, where the two are to be alike.
struct Apart {
    /// Such as `+6.3 [-0.8, 12.6]`, or `× 1.52` of numbers that have no fixed scale.
    text: String,
    /// From 0 to 1, where nothing is further.
    size: f64,
}

fn apart(result: &CellResult) -> Option<Apart> {
    let (ours, theirs) = (result.measured?, result.cell.published?);
    let measure = result.cell.measure;
    if !measure.is_comparable() {
        return None;
    }
    if measure == Measure::Nodes {
        let ratio = ours.value / theirs.value;
        let text = format!("× {}", number(ratio, Measure::Seconds));
        return Some(Apart { text, size: (ratio.log2().abs() / 2.0).min(1.0) });
    }
    let value = ours.value - theirs.value;
    let below = (ours.value - ours.low).hypot(theirs.high - theirs.value);
    let above = (ours.high - ours.value).hypot(theirs.value - theirs.low);
    let signed = |value: f64| {
        let sign = if value > 0.0 { "+" } else { "" };
        format!("{sign}{}", number(value, measure))
    };
    let text = format!("{} [{}, {}]", signed(value), signed(value - below), signed(value + above));
    // Percentage points, or Elo.
    let most = if measure.is_percentage() { 50.0 } else { 400.0 };
    Some(Apart { text, size: (value.abs() / most).min(1.0) })
}

/// The paper that all reports are of.
fn paper(reports: &[Report]) -> Option<Paper> {
    let mut names = reports.iter().map(|report| report.experiment.paper.as_str());
    let first = names.next()?;
    Paper::named(first).filter(|_| names.all(|name| name == first))
}

/// The heading of a page of reports.
fn title(reports: &[Report]) -> String {
    match (paper(reports), reports) {
        (Some(paper), _) => paper.title.to_owned(),
        (None, [one]) => format!("{}: {}", one.experiment.id, one.experiment.publication()),
        _ => "Experiments".to_owned(),
    }
}

/// The name of a row or column.
fn name(part: &Part) -> &str {
    part.name.as_ref().map_or("", |name| name.get_ref())
}

/// A number as its measure is written.
fn number(value: f64, measure: Measure) -> String {
    match measure {
        _ if value.is_infinite() => value.to_string().replace("inf", "∞"),
        // Adding zero to a rounded -0.2 makes it 0.
        Measure::Elo | Measure::Rating => format!("{}", value.round() + 0.0),
        _ if measure.is_percentage() => format!("{value:.1}"),
        Measure::Superiority => format!("{value:.0}"),
        Measure::Nodes | Measure::CommonNodes | Measure::Rate if value >= 100.0 => {
            grouped(value.round() as u64)
        }
        _ if value >= 100.0 => format!("{value:.0}"),
        _ if value.abs() < 0.1 => format!("{value:.4}"),
        _ => format!("{value:.2}"),
    }
}

/// Digits in groups of three.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `82.0 [76.1, 86.7]`, or the number alone if it has no interval.
fn estimate(estimate: &Estimate, measure: Measure) -> String {
    let value = number(estimate.value, measure);
    if estimate.low == estimate.high {
        return value;
    }
    format!("{value} [{}, {}]", number(estimate.low, measure), number(estimate.high, measure))
}

/// A day and a time of day, UTC, from seconds since 1970.
fn date(seconds: u64) -> String {
    // Days to a civil date: Hinnant 2013, "chrono-compatible low-level date algorithms".
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{year}-{month:02}-{day:02} {hours:02}:{minutes:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_their_measure_wants() {
        assert_eq!(number(82.04, Measure::Score), "82.0");
        assert_eq!(number(-0.2, Measure::Elo), "0");
        assert_eq!(number(f64::NEG_INFINITY, Measure::Rating), "-∞");
        assert_eq!(number(1234.4, Measure::Nodes), "1,234");
        assert_eq!(number(0.4771, Measure::CommonSeconds), "0.48");
        assert_eq!(number(0.00677, Measure::CommonSeconds), "0.0068");
        assert_eq!(number(-12.0, Measure::CommonSeconds), "-12.00", "the end of an interval");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(estimate(&Estimate::exact(3.0), Measure::Score), "3.0");
        assert_eq!(estimate(&Estimate::new(3.0, 1.0, 5.0), Measure::Score), "3.0 [1.0, 5.0]");
    }

    #[test]
    fn dates_are_civil() {
        assert_eq!(date(0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_826_740), "2000-02-29 12:19 UTC");
        assert_eq!(date(1_735_689_599), "2024-12-31 23:59 UTC");
    }
}
