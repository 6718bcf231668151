//! The page *Which claims of the papers hold*, and its summary for the README.

use std::fmt::Write;

use super::page::{self, escape};
use super::{Report, estimate};
use crate::experiment::papers::{PAPERS, Paper};
use crate::experiment::site::SCALE;
use crate::experiment::{CellResult, Claim, Estimate, Judgement, Verdict, claim::words, ids};

/// What the page is, for readers.
const INTRODUCTION: &str = "Every claim is stated as conditions over the cells of a table, and judged by the games and \
runs in `records/`. No verdict is written by hand. `spinney experiment run NAME`, with the name beside a claim, plays \
its games again.";

/// What the verdicts mean.
const VERDICTS: [[&str; 2]; 4] = [
    ["holds", "Every condition is sure."],
    ["contradicted", "The opposite of a condition is sure."],
    ["undecided", "Neither. The number is how many more games or runs per cell would decide it."],
    ["not measured", "A cell that it needs has no records."],
];

/// What "sure" means.
const SURE: &str = "Sure means that the chance of any wrong verdict on a paper is at most 1 %, however many claims it \
makes. The numbers shown are those of the condition that is least sure.";

/// Before the words of the papers.
const WORDS: &str = "The words of the papers mean the same everywhere.";

/// One claim with its verdict.
pub(super) struct Row<'a> {
    pub(super) report: &'a Report,
    pub(super) claim: &'a Claim,
    pub(super) judgement: Judgement,
}

impl Row<'_> {
    /// The cells of the part that the verdict hangs on.
    fn cells(&self) -> Vec<&CellResult> {
        let part = self.claim.parts.get(self.judgement.part);
        let terms = part.map_or(&[][..], |part| &part.terms);
        terms.iter().map(|&(cell, _)| &self.report.cells[cell]).collect()
    }

    /// That part as it is written, and how many more there are.
    pub(super) fn condition(&self) -> String {
        let Some(part) = self.claim.parts.get(self.judgement.part) else { return String::new() };
        match self.claim.parts.len() - 1 {
            0 => part.text.clone(),
            more => format!("{} (the least sure of {})", part.text, more + 1),
        }
    }

    pub(super) fn published(&self) -> String {
        self.values(|result| result.cell.published)
    }

    pub(super) fn ours(&self) -> String {
        self.values(|result| result.measured)
    }

    /// The numbers of the part, one by one; of many the sums that are compared, or the ends of a trend.
    fn values(&self, get: impl Fn(&CellResult) -> Option<Estimate>) -> String {
        const MANY: usize = 3;
        let cells = self.cells();
        let text = |result: &&CellResult| {
            get(result).map_or("–".to_owned(), |number| estimate(&number, result.cell.measure))
        };
        let (Some(part), [first, .., last]) =
            (self.claim.parts.get(self.judgement.part), &cells[..])
        else {
            return cells.iter().map(text).collect();
        };
        if cells.len() <= MANY {
            return cells.iter().map(text).collect::<Vec<_>>().join("; ");
        }
        if part.text.contains(" rises") || part.text.contains(" falls") {
            return format!("{} … {}", text(first), text(last));
        }
        let sum = |is_positive: bool| -> Option<f64> {
            let terms = part.terms.iter().zip(&cells);
            let terms = terms.filter(|((_, weight), _)| (*weight > 0.0) == is_positive);
            terms.map(|((_, weight), result)| Some(weight.abs() * get(result)?.value)).sum()
        };
        let sum = |is_positive| {
            sum(is_positive).map_or("–".to_owned(), |sum| super::number(sum, first.cell.measure))
        };
        format!("{}; {}", sum(part.terms[0].1 > 0.0), sum(part.terms[0].1 < 0.0))
    }

    /// Games or runs of a cell.
    pub(super) fn count(&self) -> String {
        let counts = || self.cells().into_iter().map(|result| result.count[0]);
        match (counts().min(), counts().max()) {
            (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
            (Some(count), _) if count > 0 => count.to_string(),
            _ => "–".to_owned(),
        }
    }

    /// The verdict in words.
    pub(super) fn verdict(&self) -> String {
        match self.judgement.verdict {
            Verdict::Undecided { more: Some(more) } => {
                format!("undecided; {} more", super::grouped(more))
            }
            Verdict::Undecided { more: None } => "undecided; too close".to_owned(),
            verdict => verdict.word().to_owned(),
        }
    }

    /// Why it does not hold; nothing if it does.
    pub(super) fn reason(&self) -> &str {
        match self.judgement.verdict {
            Verdict::Holds => "",
            Verdict::Contradicted if self.claim.reason.is_empty() => "Why: open.",
            _ => self.claim.reason.trim(),
        }
    }
}

/// All claims of the reports of a paper.
fn rows<'a>(paper: &Paper, reports: &'a [Report]) -> Vec<Row<'a>> {
    let own = reports.iter().filter(|report| report.experiment.paper == paper.name);
    own.flat_map(Report::claims).filter(|row| !row.claim.parts.is_empty()).collect()
}

/// How many claims have each verdict: holds, contradicted, undecided, not measured.
fn counts(rows: &[Row<'_>]) -> [usize; 4] {
    let mut counts = [0; 4];
    for row in rows {
        counts[match row.judgement.verdict {
            Verdict::Holds => 0,
            Verdict::Contradicted => 1,
            Verdict::Undecided { .. } => 2,
            Verdict::Open => 3,
        }] += 1;
    }
    counts
}

/// The papers with the numbers of their verdicts, as a table of Markdown.
pub fn summary(reports: &[Report]) -> String {
    let mut text =
        "| paper | claims | hold | contradicted | undecided | not measured |\n".to_owned();
    text += "|---|---:|---:|---:|---:|---:|\n";
    let mut all = [0; 4];
    for paper in &PAPERS {
        let counts = counts(&rows(paper, reports));
        all = std::array::from_fn(|i| all[i] + counts[i]);
        text += &line(&format!("`{}`, {}", paper.name, paper.title), counts);
    }
    text + &line("all", all)
}

fn line(name: &str, [holds, contradicted, undecided, open]: [usize; 4]) -> String {
    let all = holds + contradicted + undecided + open;
    format!("| {name} | {all} | {holds} | {contradicted} | {undecided} | {open} |\n")
}

/// The page as Markdown. `folder` leads from the page to the records.
pub fn claims_markdown(reports: &[Report], folder: &str) -> String {
    let mut text = format!(
        "# Which claims of the papers hold\n\n<!-- Made by `spinney experiment claims`. -->\n\n{INTRODUCTION}\n\n{}\n\
         | verdict | meaning |\n|---|---|\n",
        summary(reports)
    );
    for [verdict, meaning] in VERDICTS {
        let _ = writeln!(text, "| {verdict} | {meaning} |");
    }
    let _ = write!(
        text,
        "\n{SURE} {WORDS}\n\n| the papers say | condition | it is true if |\n|---|---|---|\n"
    );
    for [said, sign, meaning] in words() {
        let _ = writeln!(text, "| {said} | {sign} | {meaning} |");
    }
    let link = |id: &str| format!("[{id}]({})", place(id, folder, "md"));
    for paper in &PAPERS {
        let name = paper.name;
        let _ = write!(
            text,
            "\n## {name}\n\n{} [Tables and charts]({folder}/{name}/report.md).\n\n\
             | claim | verdict | published | ours | games or runs | name |\n|---|---|---|---|---|---|\n",
            paper.citation()
        );
        for row in rows(paper, reports) {
            let id = &row.report.experiment.id;
            let verdict = format!("**{}** {}", row.verdict(), with_links(row.reason(), link));
            let cells = [
                format!("{} ({})<br>`{}`", row.claim.text, row.claim.source, row.condition()),
                verdict.trim().to_owned(),
                row.published(),
                row.ours(),
                row.count(),
                link(id),
            ];
            let _ = writeln!(
                text,
                "| {} |",
                cells.map(|cell| cell.replace('|', "\\|").replace('\n', " ")).join(" | ")
            );
        }
    }
    text
}

/// The page as HTML. `folder` leads from the page to the records.
pub fn claims_html(reports: &[Report], folder: &str) -> String {
    let title = "Which claims of the papers hold";
    let mut text = page::head(title);
    let _ =
        write!(text, "<h1>{title}</h1>\n<p>{}</p>\n{}", code(INTRODUCTION), summary_html(reports));
    text += "<aside class=\"box\"><h2>How to read the verdicts</h2>\n<dl class=\"legend\">\n";
    for [verdict, meaning] in VERDICTS {
        let class = verdict.replace(' ', "-");
        let _ = writeln!(
            text,
            "<div><dt><span class=\"verdict {class}\">{verdict}</span></dt><dd>{meaning}</dd></div>"
        );
    }
    let _ = write!(
        text,
        "</dl>\n<p>{SURE}</p>\n<p>{WORDS}</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Words\"><table class=\"words\">\n\
         <thead><tr><th>the papers say</th><th>condition</th><th>it is true if</th></tr></thead>\n<tbody>\n"
    );
    for [said, sign, meaning] in words() {
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\">{said}</th><td>{}</td><td>{meaning}</td></tr>",
            code(&sign)
        );
    }
    text += "</tbody></table></div>\n</aside>\n";
    for paper in &PAPERS {
        let name = paper.name;
        let _ = write!(
            text,
            "<section id=\"{name}\">\n<h2>{} <small>{name}</small></h2>\n<p class=\"cite\">{} \
             <a href=\"{folder}/{name}/report.html\">Tables and charts</a></p>\n",
            escape(paper.title),
            escape(&paper.citation())
        );
        let _ = writeln!(text, "{}</section>", list(&rows(paper, reports), Some(folder)));
    }
    text + "</main>\n</html>\n"
}

/// Where the report of an experiment is. Headings have anchors in HTML only.
fn place(id: &str, folder: &str, format: &str) -> String {
    let (paper, _) = id.split_once('/').unwrap_or((id, ""));
    let anchor = if format == "html" { format!("#{id}-{SCALE}") } else { String::new() };
    format!("{folder}/{paper}/report.{format}{anchor}")
}

/// A text in which every name of an experiment is a link.
fn with_links(text: &str, link: impl Fn(&str) -> String) -> String {
    let part_of_id = |letter: char| letter.is_alphanumeric() || "/-".contains(letter);
    let mut rest = text;
    let mut linked = String::new();
    while let Some(begin) = rest.find(part_of_id) {
        let (before, after) = rest.split_at(begin);
        let end = after.find(|letter| !part_of_id(letter)).unwrap_or(after.len());
        let (word, after) = after.split_at(end);
        linked += before;
        linked += &if ids().any(|id| id == word) { link(word) } else { word.to_owned() };
        rest = after;
    }
    linked + rest
}

/// Text in which words between backquotes are code.
pub(super) fn code(text: &str) -> String {
    let words = text.split('`').map(escape).enumerate();
    words.map(|(i, word)| if i % 2 == 1 { format!("<code>{word}</code>") } else { word }).collect()
}

fn has_digits(text: &str) -> bool {
    text.contains(|letter: char| letter.is_ascii_digit())
}

fn summary_html(reports: &[Report]) -> String {
    let mut text = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Summary\"><table class=\"summary\">\n<thead><tr><th>paper</th><th>claims</th>\
                    <th>hold</th><th>contra&shy;dicted</th><th>un&shy;decided</th><th>not measured</th></tr></thead>\n<tbody>\n"
        .to_owned();
    for paper in &PAPERS {
        let counts = counts(&rows(paper, reports));
        let all: usize = counts.iter().sum();
        let _ = write!(
            text,
            "<tr><th scope=\"row\"><a href=\"#{}\">{}</a></th><td>{all}</td>",
            paper.name,
            escape(paper.title)
        );
        for count in counts {
            let _ = write!(text, "<td>{count}</td>");
        }
        text += "</tr>\n";
    }
    text + "</tbody></table></div>\n"
}

/// The claims with their verdicts, one block each.
pub(super) fn list(rows: &[Row<'_>], folder: Option<&str>) -> String {
    let mut text = "<ul class=\"claims\">\n".to_owned();
    for row in rows {
        let id = escape(&row.report.experiment.id);
        let class = row.judgement.verdict.word().replace(' ', "-");
        let source = match folder {
            Some(folder) => format!(
                "<a href=\"{folder}/{}/report.html#{id}-{}\">{}</a>",
                row.report.experiment.paper,
                row.report.scale,
                escape(&row.claim.source)
            ),
            None => escape(&row.claim.source),
        };
        // A sentence alone has no verdict.
        if row.claim.parts.is_empty() {
            let _ = writeln!(
                text,
                "<li><p></p><p class=\"claim\">{}</p></li>",
                escape(&row.claim.text)
            );
            continue;
        }
        let (word, more) = match row.judgement.verdict {
            Verdict::Undecided { .. } => ("undecided".to_owned(), row.verdict()),
            verdict => (verdict.word().to_owned(), String::new()),
        };
        let more = match more.split_once("; ") {
            Some((_, more)) => format!("<br><small>{more}</small>"),
            None => String::new(),
        };
        let _ = write!(
            text,
            "<li><p><span class=\"verdict {class}\">{word}</span>{more}</p>\n<div><p class=\"claim\">{} <small>{source}</small></p>\n",
            escape(&row.claim.text)
        );
        let numbers = match row.count() {
            count if count == "–" => String::new(),
            count => {
                let published = match has_digits(&row.published()) {
                    true => format!(
                        " · <span class=\"paper\">paper {}</span>",
                        escape(&row.published())
                    ),
                    false => String::new(),
                };
                format!(
                    "<br><span class=\"ours\">ours {}</span>{published} · {count} games or runs",
                    escape(&row.ours())
                )
            }
        };
        let _ = writeln!(
            text,
            "<p class=\"test\"><code>{}</code>{numbers}</p>",
            escape(&row.condition())
        );
        if !row.reason().is_empty() {
            let link = |id: &str| match folder {
                Some(folder) => format!("<a href=\"{}\">{id}</a>", place(id, folder, "html")),
                None => id.to_owned(),
            };
            let reason = with_links(&escape(row.reason()), link);
            let _ = writeln!(text, "<p class=\"note\">{reason}</p>");
        }
        if folder.is_some() {
            let _ =
                writeln!(text, "<p class=\"note\"><code>spinney experiment run {id}</code></p>");
        }
        text += "</div></li>\n";
    }
    text + "</ul>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_experiments_in_a_reason_are_links() {
        let link = |id: &str| format!("[{id}]({})", place(id, "../records", "html"));
        assert_eq!(
            with_links("At equal time (nmcs/equal-time) too; nmcs/none is – not one.", link),
            "At equal time ([nmcs/equal-time](../records/nmcs/report.html#nmcs/equal-time-quick)) too; \
             nmcs/none is – not one."
        );
    }
}
