//! The experiments and inputs that are part of the program.

use std::collections::BTreeMap;
use std::path::Path;

use spinney_session::closest;

use super::{Experiment, FileError};

macro_rules! experiments {
    ($($id:literal),* $(,)?) => {
        /// Names and texts.
        const EXPERIMENTS: &[(&str, &str)] = &[
            $(($id, include_str!(concat!("../../../../experiments/", $id, ".toml")))),*
        ];
    };
}

experiments!(
    "mcts-loa/table-1",
    "mcts-loa/table-2",
    "mcts-loa/table-3",
    "mcts-loa/table-3-nodes",
    "mcts-loa/table-4",
    "mcts-loa/table-5",
    "mcts-loa/table-6",
    "mcts-loa/figure-3",
    "nmcs/table-2",
    "nmcs/table-3",
    "nmcs/table-4",
    "nmcs/table-5",
    "nmcs/propositions",
    "nmcs/equal-time",
    "mcc/table-1",
    "mcc/table-2",
    "mcc/table-3",
    "mcc/table-4",
    "mcc/table-5",
    "mcc/table-6",
    "mcc/table-7",
    "mcc/table-8",
    "mcc/table-9",
    "mcc/figures",
    "mcc/figure-7",
    "ab-playouts/table-1",
    "ab-playouts/table-2",
    "ab-playouts/table-3",
    "ab-playouts/table-4",
    "ab-playouts/time",
    "ab-playouts/speed",
    "mia/search",
    "mia/endgames",
    "mia/strength",
    "mia/speed",
    "mc-loa/tuning",
    "mcc/placement",
    "mcc/tuning",
);

/// Openings and positions, by name.
const INPUTS: &[(&str, &str)] = &[
    ("loa-100", include_str!("../../../../testdata/openings/loa-100.txt")),
    ("loa6-100", include_str!("../../../../testdata/openings/loa6-100.txt")),
    ("chess-50", include_str!("../../../../testdata/openings/chess-50.txt")),
    ("loa-endgames", include_str!("../../../../testdata/positions/loa-endgames.tsv")),
    ("loa-middle", include_str!("../../../../testdata/positions/loa-middle.txt")),
    ("chess-figure-6", include_str!("../../../../testdata/openings/chess-figure-6.txt")),
    ("chess-figure-7", include_str!("../../../../testdata/positions/chess-figure-7.txt")),
    ("chess-figure-8", include_str!("../../../../testdata/openings/chess-figure-8.txt")),
    ("chess-figure-9", include_str!("../../../../testdata/openings/chess-figure-9.txt")),
    ("tictactoe-figure-1", include_str!("../../../../testdata/positions/tictactoe-figure-1.txt")),
    ("breakthrough-trap", include_str!("../../../../testdata/positions/breakthrough-trap.txt")),
];

/// The names of the experiments.
pub fn ids() -> impl Iterator<Item = &'static str> {
    EXPERIMENTS.iter().map(|&(id, _)| id)
}

/// The experiment of this name, or in this file.
pub fn find(name: &str) -> Result<Experiment, FileError> {
    if let Some((id, source)) = EXPERIMENTS.iter().find(|(id, _)| *id == name) {
        return Experiment::with_inputs(id, source, BTreeMap::new());
    }
    if name.ends_with(".toml") || Path::new(name).is_file() {
        return Experiment::load(Path::new(name));
    }
    let guess = closest(name, ids()).map(|guess| format!("; did you mean {guess:?}?"));
    Err(FileError::Unknown { name: name.to_owned(), guess: guess.unwrap_or_default() })
}

/// The number of claims that an experiment's paper makes. Verdicts are corrected for this number of
/// comparisons.
pub(super) fn claims_of(experiment: &Experiment) -> usize {
    let count = |experiment: &Experiment| {
        experiment.claim.iter().filter(|claim| !claim.parts.is_empty()).count()
    };
    let own = count(experiment);
    if !ids().any(|id| id == experiment.id) {
        return own;
    }
    let of_paper = |id: &str| {
        find(id).ok().filter(|other| other.paper == experiment.paper).map_or(0, |e| count(&e))
    };
    ids().map(of_paper).sum::<usize>().max(own)
}

/// The text of openings or positions that are part of the program.
pub(super) fn input(name: &str) -> Option<&'static str> {
    INPUTS.iter().find(|(known, _)| *known == name).map(|&(_, text)| text)
}
