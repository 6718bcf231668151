//! Experiments as data: the tables of the papers, and those that users write.
//!
//! A file says in TOML what a table claims, its published numbers and its settings. At
//! a scale it becomes a [`Plan`]: cells, each with what is measured, and the [`Task`]s (matches and
//! analyses) whose results the cells are made of. A task is named by a hash of all that decides it,
//! so a folder of results can hold many experiments, and two tables of the same games share them.

mod catalog;
mod file;
mod plan;
mod report;
mod results;
mod runner;
mod shard;
mod store;
mod task;

pub use catalog::{find, ids};
pub use file::{Experiment, FileError, Measure};
pub use plan::{Cell, Plan};
pub use report::{Report, html, markdown};
pub use results::{CellResult, Estimate, evaluate};
pub use runner::{PlanError, RunEvent};
pub use shard::MergeError;
pub use store::{RunInfo, Store, StoreError};
pub use task::{AnalysisRecord, AnalysisTask, MatchTask, Piece, Run, Task, TaskError, TaskRecord};
