//! Results in compact form: `results.jsonl` in a folder of results, one line of JSON per task.
//!
//! It holds what the cells of a table need, and no moves: a letter per game, or a few numbers per
//! analysis. `spinney experiment pack` writes it from the full records, each of which is checked then.
//! A report uses it for every task whose full records are not in the folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use spinney_game::file;

use super::task::Records;
use super::{AnalysisRecord, AnalysisTask, Plan, Store, StoreError};
use crate::{GameResult, limits_text};

/// The name of the file.
pub(super) const FILE: &str = "results.jsonl";
/// Stands for a game that was not played.
const MISSING: char = '.';
/// Seconds are kept in this unit.
const SECOND: f64 = 1e6;

/// The results of tasks, by name.
#[derive(Clone, Debug, Default)]
pub struct Packed(BTreeMap<String, Line>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    task: String,
    /// One line on what it is, for readers.
    what: String,
    #[serde(flatten)]
    results: Results,
}

/// Number, best move, proven value, simulations, nodes, plies of playouts, microseconds.
type Analysis = (u64, Option<String>, Option<String>, u64, u64, u64, u64);

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Results {
    /// One letter per game, in the order of their numbers: `a` or `b` won, `=` drawn.
    Games(String),
    Analyses(Vec<Analysis>),
}

impl Packed {
    /// Those of a folder; none if it has no such file.
    pub fn read(store: &Store) -> Result<Packed, StoreError> {
        let path = path(store);
        let failed = |error| StoreError::Io { path: path.clone(), error };
        if !path.exists() {
            return Ok(Packed::default());
        }
        let text = fs::read_to_string(&path).map_err(failed)?;
        let lines = text.lines().enumerate().map(|(number, line)| {
            serde_json::from_str(line).map_err(|error| StoreError::Line {
                path: path.clone(),
                line: number + 1,
                problem: error.to_string(),
            })
        });
        let lines = lines.map(|line| line.map(|line: Line| (line.task.clone(), line)));
        Ok(Packed(lines.collect::<Result<_, _>>()?))
    }

    /// Takes over what the folder has in full of the tasks of a plan, every record checked. Games of which
    /// only the result is known stay.
    pub fn add(&mut self, plan: &Plan, store: &Store) -> Result<(), StoreError> {
        for (name, (task, _)) in &plan.tasks {
            let path = store.path(name);
            if !path.exists() {
                continue;
            }
            let results = match task.read(store.registry(), &path)? {
                Records::Games(games) => {
                    let mut all = self.games(name);
                    all.extend(games.iter().map(|game| (game.index, game.result)));
                    Results::Games(letters(&all))
                }
                Records::Analyses(records) => {
                    Results::Analyses(records.into_iter().map(numbers).collect())
                }
            };
            let line = Line { task: name.clone(), what: task.describe(), results };
            self.0.insert(name.clone(), line);
        }
        Ok(())
    }

    /// Writes the file of a folder.
    pub fn write(&self, store: &Store) -> Result<PathBuf, StoreError> {
        let path = path(store);
        let failed = |error| StoreError::Io { path: path.clone(), error };
        let mut text = String::new();
        for line in self.0.values() {
            text += &serde_json::to_string(line).map_err(|error| failed(error.into()))?;
            text.push('\n');
        }
        file::replace(&path, text.as_bytes()).map_err(failed)?;
        Ok(path)
    }

    /// The results of a match by number.
    pub(super) fn games(&self, task: &str) -> BTreeMap<u64, GameResult> {
        let Some(Line { results: Results::Games(letters), .. }) = self.0.get(task) else {
            return BTreeMap::new();
        };
        let games = (0..).zip(letters.chars());
        games.filter_map(|(number, letter)| Some((number, result(letter)?))).collect()
    }

    /// The analyses of a task.
    pub(super) fn analyses(&self, name: &str, task: &AnalysisTask) -> Vec<AnalysisRecord> {
        let Some(Line { results: Results::Analyses(lines), .. }) = self.0.get(name) else {
            return Vec::new();
        };
        let record = |line: &Analysis| {
            let (index, best, proven, simulations, nodes, playout_plies, microseconds) =
                line.clone();
            let position = task.positions.get(index as usize % task.positions.len().max(1));
            AnalysisRecord {
                game: task.game.clone(),
                player: task.player.clone(),
                limit: limits_text(&task.limit),
                index,
                position: position.cloned().unwrap_or_default(),
                best,
                proven,
                simulations,
                nodes,
                playout_plies,
                seconds: microseconds as f64 / SECOND,
            }
        };
        lines.iter().map(record).collect()
    }
}

fn path(store: &Store) -> PathBuf {
    store.folder().join(FILE)
}

fn letters(results: &BTreeMap<u64, GameResult>) -> String {
    let end = results.last_key_value().map_or(0, |(last, _)| last + 1);
    (0..end).map(|number| results.get(&number).map_or(MISSING, |&result| letter(result))).collect()
}

fn letter(result: GameResult) -> char {
    match result {
        GameResult::A => 'a',
        GameResult::Draw => '=',
        GameResult::B => 'b',
    }
}

fn result(letter: char) -> Option<GameResult> {
    match letter {
        'a' => Some(GameResult::A),
        '=' => Some(GameResult::Draw),
        'b' => Some(GameResult::B),
        _ => None,
    }
}

fn numbers(record: AnalysisRecord) -> Analysis {
    let AnalysisRecord { index, best, proven, simulations, nodes, playout_plies, seconds, .. } =
        record;
    let microseconds = (seconds * SECOND).round() as u64;
    (index, best, proven, simulations, nodes, playout_plies, microseconds)
}
