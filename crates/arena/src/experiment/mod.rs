//! Experiments as data: the tables of the papers, and those that users write.
//!
//! A file says in TOML what a table claims, its published numbers and its settings. At
//! a scale it becomes a [`Plan`]: cells, each with what is measured, and the [`Task`]s (matches and
//! analyses) whose results the cells are made of. A task is named by a hash of all that decides it,
//! so a folder of results can hold many experiments, and two tables of the same games share them.

mod catalog;
mod claim;
mod file;
mod packed;
mod papers;
mod plan;
mod report;
mod results;
mod runner;
mod shard;
mod site;
mod store;
mod task;

pub use catalog::{find, ids};
pub use claim::{Claim, Evidence, Judgement, Part, Verdict, judge};
pub use file::{Experiment, FileError, Measure};
pub use packed::Packed;
pub use papers::{PAPERS, Paper};
pub use plan::{Cell, Plan};
pub use report::{Curves, Report, claims_html, claims_markdown, head, html, markdown, summary};
pub use results::{CellResult, Estimate, evaluate};
pub use runner::{PlanError, RunEvent};
pub use shard::MergeError;
pub use site::{SiteError, pages};
pub use store::{RunInfo, Store, StoreError};
pub use task::{AnalysisRecord, AnalysisTask, MatchTask, Piece, Run, Task, TaskError, TaskRecord};
