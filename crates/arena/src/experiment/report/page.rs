//! Reports as one HTML page: no scripts, no other files.

use std::fmt::Write;

use super::{CellResult, LEGEND, RAW, Report, apart, chart, claims, date, name, number};

/// Tables with more columns have smaller letters on paper.
const WIDE: usize = 8;
const STYLE: &str = include_str!("page.css");

/// The begin of a page, up to its heading.
pub fn head(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n<main>\n",
        escape(title)
    )
}

/// The page of all reports, with links to the files that they are made of. Writing to a string cannot fail.
pub fn html(reports: &[Report], raw: &[String]) -> String {
    let title = super::title(reports);
    let mut page = head(&title);
    let _ = writeln!(page, "<h1>{}</h1>", escape(&title));
    if let Some(paper) = super::paper(reports) {
        let _ = writeln!(page, "<p class=\"cite\">{}</p>", escape(&paper.citation()));
    }
    if reports.len() > 1 {
        page += "<nav><ul>\n";
        for report in reports {
            let _ = writeln!(
                page,
                "<li><a href=\"#{id}-{scale}\">{}</a>: {} <small>{}</small></li>",
                escape(&report.place()),
                escape(&report.experiment.title),
                escape(&report.verdict_counts()),
                id = escape(&report.experiment.id),
                scale = escape(&report.scale)
            );
        }
        page += "</ul></nav>\n";
    }
    let link = |name: &String| format!("<a href=\"{0}\">{0}</a>", escape(name));
    let links: Vec<String> = raw.iter().map(link).collect();
    let _ = writeln!(
        page,
        "<aside class=\"box\"><h2>How to read the tables</h2><p>{LEGEND}</p></aside>"
    );
    if !links.is_empty() {
        let _ = writeln!(page, "<p class=\"note\">{RAW}: {}.</p>", links.join(", "));
    }
    for (number, report) in reports.iter().enumerate() {
        let before = reports[..number].iter();
        let same = before.rev().find(|r| r.experiment.conversion == report.experiment.conversion);
        section(report, same, &mut page);
    }
    page + "</main>\n</html>\n"
}

/// One table. Budgets that an earlier one explained are not explained again.
fn section(report: &Report, same_budgets: Option<&Report>, page: &mut String) {
    let experiment = &report.experiment;
    let [id, scale, title] =
        [&experiment.id, &report.scale, &experiment.title].map(|text| escape(text));
    let _ = write!(
        page,
        "<section id=\"{id}-{scale}\">\n<h2>{} <small>{id}</small></h2>\n<p class=\"lead\">{title}</p>\n",
        escape(&report.place())
    );
    page.push_str(&claims::list(&report.claims().collect::<Vec<_>>(), None));
    // 1. The table.
    let wide = if experiment.column.len() > WIDE { " class=\"wide\"" } else { "" };
    let has_published = report.cells.iter().any(|result| result.cell.published.is_some());
    let caption = match report.cells.iter().any(|cell| apart(cell).is_some()) {
        true => "Ours, below it the paper's, then the difference: the further apart, the darker.",
        false if has_published => "Ours, below it the paper's.",
        false => "Ours; the paper gives no numbers.",
    };
    let _ = write!(
        page,
        "<p class=\"note\">{caption} {}</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
         aria-label=\"{id}\"><table{wide}>\n<thead><tr><td></td>",
        escape(&report.effort())
    );
    for column in &experiment.column {
        let _ = write!(page, "<th scope=\"col\">{}</th>", escape(name(column)));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for (row_number, row) in report.rows() {
        let _ = write!(page, "<tr><th scope=\"row\">{}</th>", escape(name(row)));
        for column in 0..experiment.column.len() {
            page.push_str(&report.cell(row_number, column).map_or("<td></td>".to_owned(), cell));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
    // 2. The charts.
    let charts = chart::charts(report);
    if !charts.is_empty() {
        let _ = write!(
            page,
            "<p><span class=\"ours\">●</span> ours{}, with 95 % intervals</p>\n<div class=\"charts\" tabindex=\"0\" role=\"region\" aria-label=\"Charts of {id}\">\n{charts}</div>\n",
            if has_published { " <span class=\"paper\">○</span> paper" } else { "" }
        );
    }
    // 3. What it was made with.
    let _ = match same_budgets {
        None => writeln!(
            page,
            "<aside class=\"box\"><h3>Budgets</h3><p>{}</p></aside>",
            claims::code(experiment.conversion.trim())
        ),
        Some(other) => writeln!(
            page,
            "<p class=\"note\">Budgets are those of <a href=\"#{}-{}\">{}</a>.</p>",
            escape(&other.experiment.id),
            escape(&other.scale),
            escape(&other.place())
        ),
    };
    if !experiment.notes.is_empty() {
        let _ = writeln!(page, "<p class=\"note\">{}</p>", claims::code(experiment.notes.trim()));
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
    let (style, level) = apart(result).map_or_else(Default::default, |apart| {
        let style = format!(" style=\"--apart: {:.0}%\"", 100.0 * apart.size);
        (style, format!("<span class=\"level\">{}</span>", apart.text))
    });
    let paper = match &result.cell.published {
        None => String::new(),
        published => format!("<span class=\"paper\">{}</span>", show(published)),
    };
    format!("<td{style}><span class=\"ours\">{}</span>{paper}{level}</td>", show(&result.measured))
}

/// Text that means nothing to a browser.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
