//! Reports as Markdown.

use std::fmt::Write;

use super::{LEGEND, RAW, Report, apart, date, estimate, name};

/// All reports, one after the other, with links to the files that they are made of.
pub fn markdown(reports: &[Report], raw: &[String]) -> String {
    let mut text = format!("# {}\n\n", super::title(reports));
    if let Some(paper) = super::paper(reports) {
        let _ = write!(text, "{}\n\n", paper.citation());
    }
    let _ = writeln!(text, "{LEGEND}");
    let links: Vec<String> = raw.iter().map(|name| format!("[{name}]({name})")).collect();
    if !links.is_empty() {
        let _ = writeln!(text, "\n{RAW}: {}.", links.join(", "));
    }
    for report in reports {
        let _ = write!(text, "\n{}", section(report));
    }
    text
}

/// One report. Writing to a string cannot fail.
pub(super) fn section(report: &Report) -> String {
    let experiment = &report.experiment;
    let mut text = format!(
        "## {}: {}\n\n{}\n\n{}\n\n",
        experiment.id,
        experiment.publication(),
        experiment.title,
        report.effort()
    );
    for row in report.claims() {
        let _ = match row.claim.parts.is_empty() {
            true => writeln!(text, "- {}", row.claim.text),
            false => writeln!(
                text,
                "- **{}**: {} ({}) `{}`: ours {}, paper {}",
                row.verdict(),
                row.claim.text,
                row.claim.source,
                row.condition(),
                row.ours(),
                row.published()
            ),
        };
    }
    if !experiment.claim.is_empty() {
        text.push('\n');
    }
    // 1. The table.
    let columns: Vec<&str> = experiment.column.iter().map(name).collect();
    let _ = writeln!(text, "| | {} |", columns.join(" | "));
    let _ = writeln!(text, "|---|{}", "---|".repeat(columns.len()));
    for (row_number, row) in report.rows() {
        let _ = write!(text, "| {} |", name(row));
        for column in 0..columns.len() {
            let _ = write!(text, " {} |", cell(report, row_number, column));
        }
        text.push('\n');
    }
    // 2. What it was made with.
    let _ = write!(text, "\n{}\n", experiment.conversion.trim());
    if !experiment.notes.is_empty() {
        let _ = write!(text, "\n{}\n", experiment.notes.trim());
    }
    if let Some(run) = &report.run {
        let (started, cores) = (date(run.started), run.cores);
        let _ = write!(
            text,
            "\nBegun {started} with spinney {} on {} ({cores} cores, {}):\n\n```text\n{}\n```\n",
            run.version, run.processor, run.system, run.command
        );
    }
    text
}

/// `82.0 [76.1, 86.7] · 67.5 [64.6, 70.4] · +14.5 [8.0, 20.1]`.
fn cell(report: &Report, row: usize, column: usize) -> String {
    let Some(result) = report.cell(row, column) else { return String::new() };
    let measure = result.cell.measure;
    let text =
        |number: &Option<_>| number.as_ref().map_or("–".to_owned(), |n| estimate(n, measure));
    let apart = apart(result).map_or(String::new(), |apart| format!(" · {}", apart.text));
    format!("{} · {}{apart}", text(&result.measured), text(&result.cell.published))
}
