//! Running an experiment: every task of its plan, as far as its results are not in the store.

use spinney_session::{Registry, Stop};

use super::{Plan, Run, Store, StoreError, Task, TaskError, TaskRecord};
use crate::Journal;

/// The progress of a run.
#[derive(Clone, Copy, Debug)]
pub enum RunEvent<'a> {
    /// A task begins, of which some games or analyses are there already.
    Begins {
        /// The task.
        task: &'a Task,
        /// Those that are there.
        done: u64,
    },
    /// A game or an analysis is done.
    Done,
}

/// A task that cannot be done, with one line on what it is.
#[derive(Debug, thiserror::Error)]
#[error("{task}: {error}")]
pub struct PlanError {
    task: String,
    error: TaskError,
}

impl Plan {
    /// Finds what is wrong with its tasks before anything is done.
    pub fn check(&self, registry: &Registry) -> Result<(), PlanError> {
        let mut tasks = self.tasks.values().map(|(task, _)| task);
        tasks.try_for_each(|task| {
            task.check(registry).map_err(|error| PlanError { task: task.describe(), error })
        })
    }

    /// The number of games and analyses.
    pub fn units(&self) -> u64 {
        self.tasks.values().map(|(_, units)| units).sum()
    }

    /// Does what is not in the store yet, in the order of the tasks. Ends early if `stop` is set.
    pub fn run(
        &self,
        store: &Store,
        concurrency: usize,
        stop: &Stop,
        on_event: &mut dyn FnMut(RunEvent<'_>),
    ) -> Result<(), StoreError> {
        for name in &self.order {
            let (task, units) = &self.tasks[name];
            on_event(RunEvent::Begins { task, done: store.count(task, *units)? });
            let journal = Journal::File(store.path(name));
            let on_done = &mut |_: TaskRecord<'_>| on_event(RunEvent::Done);
            let run = Run { journal: &journal, concurrency, stop, on_done };
            task.run(store.registry(), 0..*units, run)?;
            if stop.is_set() {
                break;
            }
        }
        Ok(())
    }
}
