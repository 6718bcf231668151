//! Reports as one HTML page: no scripts, no other files.

use std::fmt::Write;

use super::{CellResult, LEGEND, Report, chart, date, name, number};

const STYLE: &str = include_str!("page.css");

/// The page of all reports. Writing to a string cannot fail.
pub fn html(reports: &[Report]) -> String {
    let title = match reports {
        [one] => format!("{}: {}", one.experiment.id, one.experiment.publication()),
        _ => "Experiments".to_owned(),
    };
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n\
         <main>\n",
        title = escape(&title)
    );
    if reports.len() > 1 {
        let _ = write!(page, "<h1>Experiments</h1>\n<nav><ul>\n");
        for report in reports {
            let id = escape(&report.experiment.id);
            let (compared, differ) = report.compared();
            let _ = writeln!(
                page,
                "<li><a href=\"#{id}-{scale}\">{id}</a> ({scale}): {differ} of {compared} cells differ</li>",
                scale = escape(&report.scale)
            );
        }
        page += "</ul></nav>\n";
    }
    for report in reports {
        section(report, &mut page);
    }
    page + "</main>\n</html>\n"
}

fn section(report: &Report, page: &mut String) {
    let experiment = &report.experiment;
    let [id, scale, title, claim] =
        [&experiment.id, &report.scale, &experiment.title, &experiment.claim]
            .map(|text| escape(text));
    let _ = write!(
        page,
        "<section id=\"{id}-{scale}\">\n<h2>{id} <small>{}</small></h2>\n\
         <p class=\"lead\">{title}</p>\n<p><strong>Claim.</strong> {claim}</p>\n<p>{}</p>\n",
        escape(&experiment.publication()),
        escape(&report.effort())
    );
    // 1. The table.
    let _ = write!(page, "<div class=\"scroll\"><table>\n<thead><tr><th></th>");
    for column in &experiment.column {
        let _ = write!(page, "<th scope=\"col\">{}</th>", escape(name(column)));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for (row_number, row) in experiment.row.iter().enumerate() {
        let _ = write!(page, "<tr><th scope=\"row\">{}</th>", escape(name(row)));
        for column in 0..experiment.column.len() {
            page.push_str(&report.cell(row_number, column).map_or("<td></td>".to_owned(), cell));
        }
        page.push_str("</tr>\n");
    }
    let _ = write!(page, "</tbody></table></div>\n<p class=\"note\">{LEGEND}</p>\n");
    // 2. The charts.
    let charts = chart::charts(report);
    if !charts.is_empty() {
        let _ = write!(
            page,
            "<p class=\"legend\"><span class=\"ours\">●</span> ours <span class=\"paper\">○</span> \
             paper, with 95 % intervals</p>\n<div class=\"charts\">\n{charts}</div>\n"
        );
    }
    // 3. What it was made with.
    for text in [&experiment.conversion, &experiment.notes] {
        if !text.is_empty() {
            let _ = writeln!(page, "<p class=\"note\">{}</p>", escape(text.trim()));
        }
    }
    if let Some(run) = &report.run {
        let _ = writeln!(
            page,
            "<p class=\"note\">Begun {} with spinney {} on {} ({} cores, {}):<br>\
             <code>{}</code></p>",
            date(run.started),
            escape(&run.version),
            escape(&run.processor),
            run.cores,
            escape(&run.system),
            escape(&run.command)
        );
    }
    page.push_str("</section>\n");
}

/// Ours above, the paper's below.
fn cell(result: &CellResult) -> String {
    let measure = result.cell.measure;
    let show = |estimate: &Option<super::Estimate>| match estimate {
        None => "–".to_owned(),
        Some(estimate) if estimate.low == estimate.high => number(estimate.value, measure),
        Some(estimate) => format!(
            "{} <i>{}–{}</i>",
            number(estimate.value, measure),
            number(estimate.low, measure),
            number(estimate.high, measure)
        ),
    };
    let (class, mark) = if result.differs { (" class=\"differs\"", "≠ ") } else { ("", "") };
    format!(
        "<td{class}><span class=\"ours\">{mark}{}</span><span class=\"paper\">{}</span></td>",
        show(&result.measured),
        show(&result.cell.published)
    )
}

/// Text that means nothing to a browser.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
