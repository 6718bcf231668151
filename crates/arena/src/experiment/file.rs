//! The file of an experiment: TOML, every mistake with its line.
//!
//! A table has rows and columns. A cell takes its settings from its row, else from its column, else
//! from `[settings]`, so each is written once.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use spinney_session::closest;
use thiserror::Error;
use toml::Spanned;

use super::catalog;
use super::claim::{self, Claim};

/// An experiment: what is to be measured, and what was published.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Experiment {
    /// Its name, such as `mcts-loa/table-2`.
    pub id: String,
    /// The short name of the paper.
    pub paper: String,
    /// The table, as the paper numbers it, or `figure 3`, `section 4`; absent if it is not of a paper.
    pub table: Option<String>,
    /// What the table shows.
    pub title: String,
    /// How budgets follow from what the paper's machine did.
    pub conversion: String,
    /// What else a reader should know.
    #[serde(default)]
    pub notes: String,
    /// Budgets and numbers of games, by name.
    pub scale: BTreeMap<String, Scale>,
    /// What holds for every cell that does not say otherwise.
    #[serde(default)]
    pub settings: Part,
    /// The players by the names that cells use.
    pub players: BTreeMap<String, PlayerEntry>,
    /// The columns, from the left.
    pub column: Vec<Part>,
    /// The rows, from the top.
    pub row: Vec<Part>,
    /// What the paper concludes from the table: conditions over its cells, or only a sentence.
    #[serde(deserialize_with = "claim::sentence_or_list")]
    pub claim: Vec<Claim>,
    /// The text of the file.
    #[serde(skip)]
    pub source: String,
    /// The files it names, by name.
    #[serde(skip)]
    pub inputs: BTreeMap<String, String>,
}

/// How much is done.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scale {
    /// Games of a match, or of each pair of a tournament.
    #[serde(default)]
    pub games: u64,
    /// Analyses of each position.
    #[serde(default = "one")]
    pub runs: u64,
    /// The number of positions, spread evenly over the file; all of them if absent.
    pub positions: Option<usize>,
    /// What a second is.
    pub clock: Clock,
    /// Seconds a move, where neither row nor column says.
    pub seconds: Option<f64>,
    /// Games or analyses of cells that need more of them to decide a claim, by name: `Mixed/*`.
    #[serde(default)]
    pub cells: BTreeMap<String, u64>,
}

fn one() -> u64 {
    1
}

/// What a second of the paper is here.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// A second of this machine.
    Time,
    /// The simulations or nodes that the player made in a second of the paper's machine.
    Count,
}

/// A player of the table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlayerEntry {
    /// `name:key=value,...`.
    pub spec: Spanned<String>,
    /// What it does in a second of the paper's machine, such as `simulations=5000`.
    pub second: Option<Spanned<String>>,
    /// Its limit in every cell and at every scale, such as `depth=1`.
    pub limit: Option<Spanned<String>>,
    /// Its rating, if that is known.
    pub rating: Option<f64>,
}

/// A row, a column, or the settings of all.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Part {
    /// What the table calls it.
    pub name: Option<Spanned<String>>,
    /// What is measured.
    pub measure: Option<Measure>,
    /// The game.
    pub game: Option<Spanned<String>>,
    /// The player that is measured.
    pub a: Option<Spanned<String>>,
    /// Its opponent.
    pub b: Option<Spanned<String>>,
    /// Where games begin: a name such as `loa-100`, or a file beside this one.
    pub openings: Option<Spanned<String>>,
    /// Positions to analyse: a name such as `loa-endgames`, or a file beside this one.
    pub positions: Option<Spanned<String>>,
    /// The move whose frequency is measured.
    #[serde(rename = "move")]
    pub m: Option<String>,
    /// Seconds a move.
    pub seconds: Option<f64>,
    /// Seconds a move of player B, where they differ.
    pub seconds_b: Option<f64>,
    /// What any player does in a second of the paper's machine.
    pub second: Option<Spanned<String>>,
    /// A limit that is the same at every scale.
    pub limit: Option<Spanned<String>>,
    /// All players of a tournament.
    pub tournament: Option<Vec<Spanned<String>>>,
    /// The player whose rating is 0.
    pub base: Option<Spanned<String>>,
    /// The seed.
    pub seed: Option<u64>,
    /// Published numbers by column: a number, `"?"` if it is not known, `"-"` if there is no cell.
    pub published: Option<Spanned<Vec<Published>>>,
    /// Half the widths of the published 95 % intervals; the same for all, or by column.
    pub error: Option<Errors>,
    /// Games or runs behind a published percentage, for its interval where the paper has none.
    pub published_games: Option<u64>,
}

/// A published number.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(untagged)]
pub enum Published {
    /// The number.
    Number(f64),
    /// A sign in its place.
    Sign(String),
}

/// Half the widths of published intervals.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Errors {
    /// The same for all columns.
    One(f64),
    /// By column; 0 for none.
    Each(Vec<f64>),
}

/// What a cell measures.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The score of A against B, %.
    Score,
    /// The score of the side that moves first, %, whoever has it.
    FirstSide,
    /// Games drawn, %.
    Drawn,
    /// The rating of A in a tournament, Elo above the base.
    Elo,
    /// The score of A in a tournament, %.
    Share,
    /// The rating of A by its score against B, or against the B of every row, whose ratings are known.
    Rating,
    /// How likely A is better than B by the ratings of a tournament, %.
    Superiority,
    /// Positions that A solves, %.
    Solved,
    /// Thousands of nodes of A, the mean over the positions that the players of all rows solve.
    CommonNodes,
    /// Seconds of A, the mean over those positions.
    CommonSeconds,
    /// How often A chooses the move, %.
    Frequency,
    /// Nodes of A, in thousands, the mean over the runs.
    Nodes,
    /// Seconds of A, the mean over the runs.
    Seconds,
    /// Simulations of A in a second of this machine.
    Rate,
    /// The mean length of A's playouts, in plies.
    PlayoutLength,
    /// Published, but not measured here.
    Unmeasured,
}

/// A file that is no experiment, and why.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FileError {
    /// A mistake at a place.
    #[error("{file}: line {line}: {problem}")]
    Line {
        /// The file, or the name of an experiment.
        file: String,
        /// From 1.
        line: usize,
        /// What is wrong there.
        problem: String,
    },
    /// A file that cannot be read.
    #[error("{file}: {problem}")]
    File {
        /// Which one.
        file: String,
        /// Why not.
        problem: String,
    },
    /// There is no experiment of this name.
    #[error("there is no experiment {name:?} and no such file{guess}; `spinney experiment list`")]
    Unknown {
        /// The name.
        name: String,
        /// `; did you mean ...?`
        guess: String,
    },
}

impl Experiment {
    /// Where its numbers were published.
    pub fn publication(&self) -> String {
        match &self.table {
            // `figure 3` and `section 4` say what they are.
            Some(place) if place.starts_with(char::is_lowercase) => {
                format!("{place} of {}", self.paper)
            }
            Some(table) => format!("table {table} of {}", self.paper),
            None => "our own".to_owned(),
        }
    }

    /// Reads a file and the files it names.
    pub fn load(path: &Path) -> Result<Experiment, FileError> {
        let file = path.display().to_string();
        let read = |path: &Path| {
            std::fs::read_to_string(path).map_err(|error| FileError::File {
                file: path.display().to_string(),
                problem: error.to_string(),
            })
        };
        let mut experiment = Experiment::parse(&file, &read(path)?)?;
        experiment.read_claims(&file)?;
        for (name, span) in experiment.named_inputs() {
            let text = match catalog::input(&name) {
                Some(text) => text.to_owned(),
                None => read(&path.with_file_name(&name))
                    .map_err(|error| experiment.mistake(&file, &span, error.to_string()))?,
            };
            experiment.inputs.insert(name, text);
        }
        Ok(experiment)
    }

    /// Reads a text whose inputs are known.
    pub fn with_inputs(
        name: &str,
        source: &str,
        inputs: BTreeMap<String, String>,
    ) -> Result<Experiment, FileError> {
        let mut experiment = Experiment::without_claims(name, source, inputs)?;
        experiment.read_claims(name)?;
        Ok(experiment)
    }

    /// Reads a text whose inputs are known, but not the conditions of its claims: those of an old file may be
    /// written in another way.
    pub(super) fn without_claims(
        name: &str,
        source: &str,
        inputs: BTreeMap<String, String>,
    ) -> Result<Experiment, FileError> {
        let mut experiment = Experiment::parse(name, source)?;
        experiment.inputs = inputs;
        for (input, span) in experiment.named_inputs() {
            if experiment.inputs.contains_key(&input) {
                continue;
            }
            let Some(text) = catalog::input(&input) else {
                return Err(experiment.mistake(name, &span, format!("there is no {input:?}")));
            };
            experiment.inputs.insert(input, text.to_owned());
        }
        Ok(experiment)
    }

    /// Reads a text.
    fn parse(file: &str, source: &str) -> Result<Experiment, FileError> {
        let mut experiment: Experiment = toml::from_str(source).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(source, &span));
            let problem = explain(error.message());
            FileError::Line { file: file.to_owned(), line, problem }
        })?;
        experiment.source = source.to_owned();
        experiment.check(file)?;
        Ok(experiment)
    }

    /// What the types do not say: names, and numbers for every column.
    fn check(&self, file: &str) -> Result<(), FileError> {
        for part in self.row.iter().chain(&self.column) {
            if part.name.is_none() {
                let near = part.a.as_ref().or(part.b.as_ref()).or(part.game.as_ref());
                let span = near.map_or(0..0, Spanned::span);
                let problem = "a row or column near here has no name".to_owned();
                return Err(self.mistake(file, &span, problem));
            }
        }
        let columns = self.column.len();
        for row in &self.row {
            if let Some(published) = &row.published {
                let count = published.get_ref().len();
                let sign = published.get_ref().iter().find_map(|number| match number {
                    Published::Sign(sign) if sign != "-" && sign != "?" => Some(sign),
                    _ => None,
                });
                let problem = match sign {
                    Some(sign) => format!("{sign:?}: expected a number, \"?\" or \"-\""),
                    None if count == columns => continue,
                    None => format!("{count} published numbers for {columns} columns"),
                };
                return Err(self.mistake(file, &published.span(), problem));
            }
        }
        Ok(())
    }

    /// Reads the conditions of the claims, and the cells that scales name.
    fn read_claims(&mut self, file: &str) -> Result<(), FileError> {
        let cells = self.cell_names();
        for pattern in self.scale.values().flat_map(|scale| scale.cells.keys()) {
            if cells.iter().all(|(name, _)| !claim::names(pattern, name)) {
                let problem = format!("there is no cell {pattern:?}");
                return Err(FileError::File { file: file.to_owned(), problem });
            }
        }
        let mut claims = std::mem::take(&mut self.claim);
        for claim in &mut claims {
            for condition in &claim.holds_if {
                let parts = claim::parse(condition.get_ref(), &cells)
                    .map_err(|problem| self.mistake(file, &condition.span(), problem))?;
                claim.parts.extend(parts);
            }
        }
        self.claim = claims;
        Ok(())
    }

    /// The files that cells begin from.
    fn named_inputs(&self) -> Vec<(String, Range<usize>)> {
        let parts = self.row.iter().chain(&self.column).chain([&self.settings]);
        parts
            .flat_map(|part| [&part.openings, &part.positions])
            .flatten()
            .map(|name| (name.get_ref().clone(), name.span()))
            .collect()
    }

    /// A mistake at a place of the source.
    pub(crate) fn mistake(&self, file: &str, span: &Range<usize>, problem: String) -> FileError {
        let line = line_of(&self.source, span);
        FileError::Line { file: file.to_owned(), line, problem }
    }
}

fn line_of(source: &str, span: &Range<usize>) -> usize {
    1 + source.as_bytes()[..span.start.min(source.len())].iter().filter(|&&b| b == b'\n').count()
}

/// In our words, with a suggestion for a misspelt key.
fn explain(message: &str) -> String {
    let message = message.lines().next().unwrap_or_default();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let Some((wrong, known)) = quoted.split_first() else { return message.to_owned() };
    if message.starts_with("unknown field") {
        return match closest(wrong, known.iter().copied()) {
            Some(guess) => format!("unknown key {wrong:?}; did you mean {guess:?}?"),
            None => format!("unknown key {wrong:?}; there are {}", known.join(", ")),
        };
    }
    if message.starts_with("unknown variant") {
        return match closest(wrong, known.iter().copied()) {
            Some(guess) => format!("unknown value {wrong:?}; did you mean {guess:?}?"),
            None => format!("unknown value {wrong:?}; there are {}", known.join(", ")),
        };
    }
    if message.starts_with("missing field") {
        return format!("the key {wrong:?} is missing");
    }
    message.to_owned()
}
