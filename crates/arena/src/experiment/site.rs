//! All pages that are made from the records of a source tree, so that they can be made again and
//! compared.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use spinney_session::Registry;
use thiserror::Error;

use super::{
    Report, Store, StoreError, claims_html, claims_markdown, find, html, ids, markdown, packed,
    summary,
};

/// The part of the README that is made here lies between these lines.
const MARKS: [&str; 2] =
    ["<!-- claims: made by `spinney experiment claims` -->\n", "<!-- end of claims -->\n"];

/// The scale of all records.
pub(super) const SCALE: &str = "quick";

/// A tree whose pages cannot be made.
#[derive(Debug, Error)]
pub enum SiteError {
    /// A file or folder cannot be read.
    #[error("{}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// The results of a folder.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A README without a place for the summary.
    #[error("{}: expected the lines {:?} and {:?}", .0.display(), MARKS[0].trim(), MARKS[1].trim())]
    NoMarks(PathBuf),
}

/// The pages of a source tree with their texts: a report for every folder of `records`, the claims in
/// `docs`, and the README with its summary.
pub fn pages(root: &Path, registry: &Registry) -> Result<Vec<(PathBuf, String)>, SiteError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        |error| SiteError::Io { path, error }
    };
    let records = root.join("records");
    let mut folders = Vec::new();
    for entry in fs::read_dir(&records).map_err(failed(&records))? {
        folders.push(entry.map_err(failed(&records))?.path());
    }
    folders.sort();
    let mut pages = Vec::new();
    let mut all: Vec<Report> = Vec::new();
    // Without results a report cannot be made again.
    for folder in folders.iter().filter(|folder| folder.join(packed::FILE).exists()) {
        let store = Store::open(registry, folder);
        let mut reports = store.reports()?;
        reports.extend(not_run(folder, &store, &reports)?);
        reports.sort_by_key(|report| ids().position(|id| id == report.experiment.id));
        let raw = store.raw_files()?;
        pages.push((folder.join("report.md"), markdown(&reports, &raw)));
        pages.push((folder.join("report.html"), html(&reports, &raw)));
        all.extend(reports);
    }
    pages.push((root.join("docs/claims.md"), claims_markdown(&all, "../records")));
    pages.push((root.join("docs/claims.html"), claims_html(&all, "../records")));
    let readme = root.join("README.md");
    let text = fs::read_to_string(&readme).map_err(failed(&readme))?;
    let summary = format!("\n{}\n", summary(&all));
    let text = replaced(&text, &summary).ok_or_else(|| SiteError::NoMarks(readme.clone()))?;
    pages.push((readme, text));
    Ok(pages)
}

/// The experiments with claims of the paper of a folder that were not run: their claims are not measured.
fn not_run(folder: &Path, store: &Store, run: &[Report]) -> Result<Vec<Report>, StoreError> {
    let paper = folder.file_name().unwrap_or_default().to_string_lossy();
    let mut reports = Vec::new();
    for id in ids().filter(|id| run.iter().all(|report| report.experiment.id != *id)) {
        let experiment = find(id)?;
        if experiment.paper == paper && experiment.claim.iter().any(|claim| !claim.parts.is_empty())
        {
            reports.push(Report::of_run(&experiment, SCALE, store)?);
        }
    }
    Ok(reports)
}

/// The text with something else between the marks.
fn replaced(text: &str, new: &str) -> Option<String> {
    let [begin, end] = MARKS;
    let (before, rest) = text.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    Some([before, begin, new, end, after].concat())
}
