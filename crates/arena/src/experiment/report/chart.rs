//! Charts as inline SVG: our numbers and the paper's with their intervals.
//!
//! A row with many columns of short names is a curve of its own; other tables are one chart of all
//! cells, a line each, for every measure.

use std::fmt::Write;

use super::page::escape;
use super::{CellResult, Estimate, Measure, Report, name, number};

/// Rows with at least this many columns are curves, if the names of the columns fit below them.
const FEWEST_POINTS: usize = 5;
const LONGEST_NAME: usize = 8;
/// Sizes in pixels.
const CURVE: [f64; 2] = [360.0, 190.0];
const LINE_HEIGHT: f64 = 26.0;
const WIDEST_LABEL: f64 = 330.0;
const PLOT_WIDTH: f64 = 430.0;
/// How far ours and the paper's stand apart.
const OFFSET: f64 = 4.0;
/// Beyond this ratio of the largest number to the smallest an axis is logarithmic.
const WIDEST: f64 = 20.0;
/// The width of a digit in the names of columns.
const DIGIT: f64 = 7.0;

/// All charts of a report.
pub(super) fn charts(report: &Report) -> String {
    let columns = report.experiment.column.len();
    let mut text = String::new();
    let fits = report.experiment.column.iter().all(|c| name(c).chars().count() <= LONGEST_NAME);
    if columns >= FEWEST_POINTS && fits {
        for row in 0..report.experiment.row.len() {
            let cells: Vec<&CellResult> =
                (0..columns).filter_map(|column| report.cell(row, column)).collect();
            if cells.iter().any(|cell| cell.measured.is_some()) {
                text += &curve(report, row, &cells);
            }
        }
        return text;
    }
    let mut measures: Vec<Measure> = Vec::new();
    for result in &report.cells {
        if !measures.contains(&result.cell.measure) {
            measures.push(result.cell.measure);
        }
    }
    for measure in measures {
        let cells: Vec<&CellResult> = report
            .cells
            .iter()
            .filter(|result| result.cell.measure == measure && result.measured.is_some())
            .collect();
        if !cells.is_empty() {
            text += &dots(report, measure, &cells);
        }
    }
    text
}

/// An axis from a value to a place.
struct Axis {
    values: [f64; 2],
    places: [f64; 2],
    step: f64,
    /// Whether equal distances are equal ratios.
    is_log: bool,
}

impl Axis {
    fn new(measure: Measure, cells: &[&CellResult], places: [f64; 2]) -> Axis {
        if measure.is_percentage() || measure == Measure::Superiority {
            return Axis { values: [0.0, 100.0], places, step: 25.0, is_log: false };
        }
        // What has no end leaves the chart.
        let ends: Vec<f64> = cells
            .iter()
            .flat_map(|cell| [cell.measured, cell.cell.published])
            .flatten()
            .flat_map(|estimate| [estimate.low, estimate.value, estimate.high])
            .filter(|end| end.is_finite())
            .collect();
        let least = ends.iter().copied().filter(|end| *end > 0.0).fold(f64::INFINITY, f64::min);
        let most = ends.iter().copied().fold(0.0, f64::max);
        if measure.is_positive() && most > WIDEST * least {
            let values =
                [least.log10().floor(), most.log10().ceil()].map(|power| 10f64.powf(power));
            return Axis { values, places, step: 1.0, is_log: true };
        }
        // Ratings are on a scale without a zero that means anything.
        let origin = if measure == Measure::Rating { f64::INFINITY } else { 0.0 };
        let low = ends.iter().copied().fold(origin, f64::min);
        let high = ends.iter().copied().fold(low, f64::max);
        let high = if high > low { high } else { low + 1.0 };
        let (values, step) = steps([low, high]);
        Axis { values, places, step, is_log: false }
    }

    fn place(&self, value: f64) -> f64 {
        let scale =
            |value: f64| if self.is_log { value.max(f64::MIN_POSITIVE).log10() } else { value };
        let [low, high] = self.values.map(scale);
        let share = ((scale(value) - low) / (high - low)).clamp(0.0, 1.0);
        self.places[0] + share * (self.places[1] - self.places[0])
    }

    /// A tick without needless digits.
    fn text(&self, tick: f64) -> String {
        tick_text(tick, if self.is_log { tick } else { self.step })
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let [low, high] = self.values;
        let span = if self.is_log { (high / low).log10() } else { (high - low) / self.step };
        (0..=span.round() as i32).map(move |tick| match self.is_log {
            true => low * 10f64.powi(tick),
            false => low + f64::from(tick) * self.step,
        })
    }
}

/// The ends of an axis with room for these values, and the distance of its ticks: 1, 2 or 5 times a power of ten,
/// about four of them.
pub(super) fn steps([low, high]: [f64; 2]) -> ([f64; 2], f64) {
    let rough = (high - low) / 4.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|s| s * power).into_iter().find(|&s| s >= rough);
    let step = step.unwrap_or(rough);
    ([(low / step).floor() * step, (high / step).ceil() * step], step)
}

/// A tick without needless digits; thousands and millions are k and M.
pub(super) fn tick_text(value: f64, step: f64) -> String {
    for (unit, name) in [(1e6, "M"), (1e3, "k")] {
        if step >= unit && value != 0.0 {
            return format!("{:.0}{name}", value / unit);
        }
    }
    let digits = if step >= 1.0 { 0 } else { (-step.log10()).ceil() as usize };
    format!("{:.digits$}", value + 0.0)
}

/// One row: the columns from the left to the right.
fn curve(report: &Report, row: usize, cells: &[&CellResult]) -> String {
    let [width, height] = CURVE;
    let (left, right, top, bottom) = (44.0, width - 12.0, 30.0, height - 28.0);
    let Some(measure) = cells.first().map(|cell| cell.cell.measure) else { return String::new() };
    let axis = Axis::new(measure, cells, [bottom, top]);
    let columns = report.experiment.column.len();
    let x = |column: usize| left + (right - left) * (column as f64 + 0.5) / columns as f64;
    let title = name(&report.experiment.row[row]);
    let mut svg = open(width, height, title);
    let _ = write!(svg, r#"<text class="title" x="8" y="16">{}</text>"#, escape(title));
    // 1. The grid.
    for tick in axis.ticks() {
        let y = axis.place(tick);
        let _ = write!(
            svg,
            r#"<line class="grid" x1="{left}" y1="{y:.1}" x2="{right}" y2="{y:.1}"/><text class="tick" x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"#,
            left - 6.0,
            y + 4.0,
            axis.text(tick)
        );
    }
    // Names that would touch stand in two lines, every other one below.
    let names: Vec<&str> = report.experiment.column.iter().map(name).collect();
    let room = |pair: &[&str]| pair.iter().map(|name| name.chars().count()).sum::<usize>() as f64;
    let is_crowded = names.windows(2).any(|pair| room(pair) / 2.0 * DIGIT + 4.0 > x(1) - x(0));
    for (column, name) in names.into_iter().enumerate() {
        let lower = if is_crowded && column % 2 == 1 { 10.0 } else { 0.0 };
        let _ = write!(
            svg,
            r#"<text class="tick" x="{:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
            x(column),
            bottom + 15.0 + lower,
            escape(name)
        );
    }
    // 2. The numbers.
    for (class, offset) in [("paper", OFFSET), ("ours", -OFFSET)] {
        let mut path = String::new();
        let mut marks = String::new();
        for result in cells {
            let Some(estimate) = chosen(result, class) else { continue };
            let (x, y) = (x(result.cell.column) + offset, axis.place(estimate.value));
            let _ = write!(path, "{}{x:.1} {y:.1}", if path.is_empty() { "M" } else { "L" });
            let [low, high] = [estimate.low, estimate.high].map(|end| axis.place(end));
            let _ = write!(
                marks,
                r#"<g class="{class}">{}<line class="bar" x1="{x:.1}" y1="{low:.1}" x2="{x:.1}" y2="{high:.1}"/><circle cx="{x:.1}" cy="{y:.1}" r="3.5"/></g>"#,
                tip(report, result, class)
            );
        }
        let _ = write!(svg, r#"<path class="{class}" d="{path}"/>{marks}"#);
    }
    svg + "</svg>\n"
}

/// Many cells of one measure: a line each, from the top.
fn dots(report: &Report, measure: Measure, cells: &[&CellResult]) -> String {
    let labels: Vec<String> = cells.iter().map(|result| label(report, result)).collect();
    let letters = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let label_width = (letters as f64 * DIGIT + 20.0).min(WIDEST_LABEL);
    let (top, width) = (30.0, label_width + PLOT_WIDTH + 20.0);
    let bottom = top + LINE_HEIGHT * cells.len() as f64;
    let axis = Axis::new(measure, cells, [label_width, label_width + PLOT_WIDTH]);
    let mut svg = open(width, bottom + 26.0, measure.unit());
    let _ =
        write!(svg, r#"<text class="title" x="{label_width}" y="16">{}</text>"#, measure.unit());
    for tick in axis.ticks() {
        let x = axis.place(tick);
        let _ = write!(
            svg,
            r#"<line class="grid" x1="{x:.1}" y1="{top}" x2="{x:.1}" y2="{bottom}"/><text class="tick" x="{x:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
            bottom + 17.0,
            axis.text(tick)
        );
    }
    for (line, (result, label)) in cells.iter().zip(&labels).enumerate() {
        let middle = top + LINE_HEIGHT * (line as f64 + 0.5);
        let _ = write!(
            svg,
            r#"<text class="label" x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"#,
            label_width - 10.0,
            middle + 4.0,
            escape(label)
        );
        for (class, offset) in [("paper", OFFSET), ("ours", -OFFSET)] {
            let Some(estimate) = chosen(result, class) else { continue };
            let (x, y) = (axis.place(estimate.value), middle + offset);
            let [low, high] = [estimate.low, estimate.high].map(|end| axis.place(end));
            let _ = write!(
                svg,
                r#"<g class="{class}">{}<line class="bar" x1="{low:.1}" y1="{y:.1}" x2="{high:.1}" y2="{y:.1}"/><circle cx="{x:.1}" cy="{y:.1}" r="3.5"/></g>"#,
                tip(report, result, class)
            );
        }
    }
    svg + "</svg>\n"
}

pub(super) fn open(width: f64, height: f64, title: &str) -> String {
    format!(
        r#"<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{}">"#,
        escape(title)
    )
}

fn chosen(result: &CellResult, class: &str) -> Option<Estimate> {
    if class == "ours" { result.measured } else { result.cell.published }
}

/// The row, and the column where the row has several of the measure.
fn label(report: &Report, result: &CellResult) -> String {
    let row = name(&report.experiment.row[result.cell.row]);
    let siblings = report
        .cells
        .iter()
        .filter(|other| {
            other.cell.row == result.cell.row && other.cell.measure == result.cell.measure
        })
        .count();
    if siblings < 2 {
        return row.to_owned();
    }
    format!("{row} – {}", name(&report.experiment.column[result.cell.column]))
}

/// What a pointer on a mark tells.
fn tip(report: &Report, result: &CellResult, class: &str) -> String {
    let Some(estimate) = chosen(result, class) else { return String::new() };
    let measure = result.cell.measure;
    let whose = if class == "ours" { "ours" } else { "paper" };
    let text = format!(
        "{}, {}: {whose} {}",
        name(&report.experiment.row[result.cell.row]),
        name(&report.experiment.column[result.cell.column]),
        number(estimate.value, measure)
    );
    format!("<title>{}</title>", escape(&text))
}
