//! From the file of an experiment to the work it takes at a scale.

use std::collections::BTreeMap;
use std::time::Duration;

use spinney_session::Limits;
use toml::Spanned;

use super::claim::{self, Name};
use super::file::{Clock, Errors, Part, Published, Scale};
use super::results::Estimate;
use super::task::{AnalysisTask, MatchTask, Task, read_positions};
use super::{Experiment, FileError, Measure};
use crate::{limits_text, parse_limits};

/// Plies after which a game is a draw.
const MAX_PLIES: u32 = 2000;

/// What an experiment takes at a scale.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The tasks and how many games or analyses of each are wanted, by name.
    pub tasks: BTreeMap<String, (Task, u64)>,
    /// The names of the tasks in the order of the cells that ask for them.
    pub order: Vec<String>,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
}

/// A cell of the table.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The number of its row, from 0.
    pub row: usize,
    /// The number of its column, from 0.
    pub column: usize,
    /// What is measured.
    pub measure: Measure,
    /// What the paper says.
    pub published: Option<Estimate>,
    /// What it is made of.
    pub(super) source: Source,
}

/// What the number of a cell is made of.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// Nothing is measured.
    Nothing,
    /// A match.
    Match(Pairing),
    /// Matches against players of known rating.
    Rated(Vec<(f64, Pairing)>),
    /// All matches of a tournament; players are numbers.
    Tournament { players: usize, pairings: Vec<(usize, usize, Pairing)>, a: usize, other: usize },
    /// Analyses of one player, and those of all rows.
    Analyses { task: String, others: Vec<String>, m: Option<String> },
}

/// A match as a cell sees it. The players of a task are in the order of their texts, so that it is the
/// same task in every table.
#[derive(Clone, Debug)]
pub(super) struct Pairing {
    pub(super) task: String,
    /// Whether the cell's A is the task's B.
    pub(super) is_swapped: bool,
}

impl Experiment {
    /// The work at a scale. `file` is for messages.
    pub fn plan(&self, file: &str, scale: &str) -> Result<Plan, FileError> {
        let Some(chosen) = self.scale.get(scale) else {
            let known: Vec<&str> = self.scale.keys().map(String::as_str).collect();
            let problem = format!("there is no scale {scale:?}, but {}", known.join(", "));
            return Err(FileError::File { file: file.to_owned(), problem });
        };
        let mut planner = Planner {
            experiment: self,
            file,
            scale: chosen,
            more: 0,
            tasks: BTreeMap::new(),
            order: Vec::new(),
        };
        let mut cells = Vec::new();
        for (row_number, row) in self.row.iter().enumerate() {
            for (column_number, column) in self.column.iter().enumerate() {
                let place = Place { row, column, column_number, settings: &self.settings };
                if !place.has_cell() {
                    continue;
                }
                let measure = place.measure();
                let name = place.name();
                let more = chosen.cells.iter().filter(|(pattern, _)| claim::names(pattern, &name));
                planner.more = more.map(|(_, more)| *more).max().unwrap_or(0);
                cells.push(Cell {
                    row: row_number,
                    column: column_number,
                    measure,
                    published: published(&place, measure),
                    source: planner.source(&place, measure)?,
                });
            }
        }
        Ok(Plan { tasks: planner.tasks, order: planner.order, cells })
    }
}

impl Experiment {
    /// The names of the cells, `row/column`, in the order of the plan, and what they measure.
    pub(super) fn cell_names(&self) -> Vec<Name> {
        let mut names = Vec::new();
        for row in &self.row {
            for (column_number, column) in self.column.iter().enumerate() {
                let place = Place { row, column, column_number, settings: &self.settings };
                if place.has_cell() {
                    names.push((place.name(), place.measure()));
                }
            }
        }
        names
    }
}

/// Where a cell is: its row and column.
#[derive(Clone, Copy)]
struct Place<'a> {
    row: &'a Part,
    column: &'a Part,
    column_number: usize,
    settings: &'a Part,
}

impl<'a> Place<'a> {
    /// What the row says, else the column, else the settings.
    fn get<T>(&self, key: impl Fn(&'a Part) -> Option<T>) -> Option<T> {
        key(self.row).or_else(|| key(self.column)).or_else(|| key(self.settings))
    }

    /// `row/column`.
    fn name(&self) -> String {
        let name = |part: &'a Part| part.name.as_ref().map_or("", |name| name.get_ref());
        format!("{}/{}", name(self.row), name(self.column))
    }

    /// What is measured there.
    fn measure(&self) -> Measure {
        self.get(|part| part.measure).unwrap_or(Measure::Score)
    }

    /// What is published there.
    fn published(&self) -> Option<&'a Published> {
        self.row.published.as_ref().map(|all| &all.get_ref()[self.column_number])
    }

    /// Whether the table has a cell there.
    fn has_cell(&self) -> bool {
        !matches!(self.published(), Some(Published::Sign(sign)) if sign == "-")
    }
}

/// A number with its interval: as published, or by the number of games.
fn published(place: &Place<'_>, measure: Measure) -> Option<Estimate> {
    let Some(&Published::Number(value)) = place.published() else { return None };
    let error = match place.get(|part| part.error.as_ref()) {
        Some(Errors::One(error)) => Some(*error),
        Some(Errors::Each(errors)) => {
            errors.get(place.column_number).copied().filter(|&error| error > 0.0)
        }
        None => None,
    };
    let games = place.get(|part| part.published_games);
    Some(match (error, games) {
        (Some(error), _) => Estimate::new(value, value - error, value + error),
        (None, Some(games)) if measure.is_percentage() => Estimate::of_share(value, games),
        _ => Estimate::new(value, value, value),
    })
}

struct Planner<'a> {
    experiment: &'a Experiment,
    file: &'a str,
    scale: &'a Scale,
    /// Games or analyses that the scale wants of this cell.
    more: u64,
    tasks: BTreeMap<String, (Task, u64)>,
    order: Vec<String>,
}

impl<'a> Planner<'a> {
    fn source(&mut self, place: &Place<'a>, measure: Measure) -> Result<Source, FileError> {
        use Measure::*;
        Ok(match measure {
            Unmeasured => Source::Nothing,
            Score | FirstSide | Drawn => {
                let a = self.needed(place, "a", |part| part.a.as_ref())?;
                let b = self.needed(place, "b", |part| part.b.as_ref())?;
                Source::Match(self.pairing(place, a, b)?)
            }
            Rating => Source::Rated(self.rated(place)?),
            Elo | Share | Superiority => self.tournament(place, measure)?,
            Solved | CommonNodes | CommonSeconds | Frequency | Nodes | Seconds | Rate
            | PlayoutLength => {
                let task = self.analyses(place)?;
                let mut others = Vec::new();
                if matches!(measure, CommonNodes | CommonSeconds) {
                    let rows = self.experiment.row.iter().map(|row| Place { row, ..*place });
                    for other in rows.filter(Place::has_cell) {
                        others.push(self.analyses(&other)?);
                    }
                }
                Source::Analyses { task, others, m: place.get(|part| part.m.clone()) }
            }
        })
    }

    /// The match against B, whose rating is known, or without B those of all rows that have such a B.
    fn rated(&mut self, place: &Place<'a>) -> Result<Vec<(f64, Pairing)>, FileError> {
        let a = self.needed(place, "a", |part| part.a.as_ref())?;
        let players = &self.experiment.players;
        let rating = |b: &Spanned<String>| players.get(b.get_ref()).and_then(|entry| entry.rating);
        if let Some(b) = place.get(|part| part.b.as_ref()) {
            let pairing = self.pairing(place, a, b)?;
            let Some(rating) = rating(b) else {
                let problem = format!("{:?} has no key \"rating\"", b.get_ref());
                return Err(self.experiment.mistake(self.file, &b.span(), problem));
            };
            return Ok(vec![(rating, pairing)]);
        }
        let mut rated = Vec::new();
        for row in &self.experiment.row {
            if let Some(b) = &row.b
                && let Some(rating) = rating(b)
            {
                rated.push((rating, self.pairing(&Place { row, ..*place }, a, b)?));
            }
        }
        if rated.is_empty() { Err(self.missing(place, "b")) } else { Ok(rated) }
    }

    fn tournament(&mut self, place: &Place<'a>, measure: Measure) -> Result<Source, FileError> {
        let Some(players) = place.get(|part| part.tournament.as_ref()) else {
            return Err(self.missing(place, "tournament"));
        };
        let mut pairings = Vec::new();
        for (i, a) in players.iter().enumerate() {
            for (j, b) in players.iter().enumerate().skip(i + 1) {
                pairings.push((i, j, self.pairing(place, a, b)?));
            }
        }
        let number = |name: &Spanned<String>| {
            let found = players.iter().position(|known| known.get_ref() == name.get_ref());
            found.ok_or_else(|| {
                let problem = format!("{:?} does not play in the tournament", name.get_ref());
                self.experiment.mistake(self.file, &name.span(), problem)
            })
        };
        let a = number(self.needed(place, "a", |part| part.a.as_ref())?)?;
        let other = match measure {
            Measure::Superiority => number(self.needed(place, "b", |part| part.b.as_ref())?)?,
            Measure::Elo => number(self.needed(place, "base", |part| part.base.as_ref())?)?,
            _ => a,
        };
        Ok(Source::Tournament { players: players.len(), pairings, a, other })
    }

    /// The match of two players of the table.
    fn pairing(
        &mut self,
        place: &Place<'a>,
        a: &Spanned<String>,
        b: &Spanned<String>,
    ) -> Result<Pairing, FileError> {
        let seconds_b = place.get(|part| part.seconds_b);
        let mut sides = [self.player(place, a, None)?, self.player(place, b, seconds_b)?];
        let text = |(player, limits): &(String, Limits)| (player.clone(), limits_text(limits));
        let is_swapped = text(&sides[1]) < text(&sides[0]);
        sides.sort_by_key(text);
        let [(first, first_limit), (second, second_limit)] = sides;
        let openings = place.get(|part| part.openings.as_ref());
        let task = Task::Match(MatchTask {
            game: self.game(place)?,
            players: [first, second],
            limits: [first_limit, second_limit],
            openings: openings.map_or_else(String::new, |name| self.input(name)),
            seed: self.seed(place),
            max_plies: MAX_PLIES,
        });
        Ok(Pairing { task: self.add(task, self.scale.games), is_swapped })
    }

    fn analyses(&mut self, place: &Place<'a>) -> Result<String, FileError> {
        let a = self.needed(place, "a", |part| part.a.as_ref())?;
        let (player, limit) = self.player(place, a, None)?;
        let positions = match place.get(|part| part.positions.as_ref()) {
            None => vec![String::new()],
            Some(name) => {
                let all = read_positions(&self.input(name));
                // Spread evenly, so that the first positions are no favourites.
                let count = self.scale.positions.unwrap_or(all.len()).min(all.len());
                (0..count).map(|i| all[i * all.len() / count].clone()).collect()
            }
        };
        let units = self.scale.runs * positions.len() as u64;
        let game = self.game(place)?;
        let task =
            Task::Analyses(AnalysisTask { game, player, limit, positions, seed: self.seed(place) });
        Ok(self.add(task, units))
    }

    /// A player as text, and its limits.
    fn player(
        &self,
        place: &Place<'a>,
        name: &Spanned<String>,
        seconds: Option<f64>,
    ) -> Result<(String, Limits), FileError> {
        let Some(entry) = self.experiment.players.get(name.get_ref()) else {
            let known = self.experiment.players.keys().map(String::as_str);
            let guess = spinney_session::closest(name.get_ref(), known);
            let guess = guess.map_or(String::new(), |guess| format!("; did you mean {guess:?}?"));
            let problem = format!("there is no player {:?}{guess}", name.get_ref());
            return Err(self.experiment.mistake(self.file, &name.span(), problem));
        };
        let spec = entry.spec.get_ref().clone();
        let parse = |text: &Spanned<String>| {
            parse_limits(text.get_ref())
                .map_err(|problem| self.experiment.mistake(self.file, &text.span(), problem))
        };
        let limit = entry.limit.as_ref().or_else(|| place.get(|part| part.limit.as_ref()));
        if let Some(limit) = limit {
            return Ok((spec, parse(limit)?));
        }
        let said = seconds
            .or_else(|| place.row.seconds.or(place.column.seconds))
            .or(self.scale.seconds)
            .or(self.experiment.settings.seconds);
        let Some(seconds) = said else { return Ok((spec, Limits::default())) };
        let limits = match self.scale.clock {
            Clock::Time => {
                let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
                Limits { time, ..Limits::default() }
            }
            Clock::Count => {
                // A player's own rate is better known than that of the game.
                let second =
                    entry.second.as_ref().or_else(|| place.get(|part| part.second.as_ref()));
                let Some(second) = second else {
                    let problem = format!("{:?} has no key \"second\"", name.get_ref());
                    return Err(self.experiment.mistake(self.file, &name.span(), problem));
                };
                times(&parse(second)?, seconds)
            }
        };
        Ok((spec, limits))
    }

    fn add(&mut self, task: Task, units: u64) -> String {
        let name = task.name();
        let (_, wanted) = self.tasks.entry(name.clone()).or_insert_with(|| {
            self.order.push(name.clone());
            (task, 0)
        });
        *wanted = units.max(self.more).max(*wanted);
        name
    }

    fn game(&self, place: &Place<'a>) -> Result<String, FileError> {
        Ok(self.needed(place, "game", |part| part.game.as_ref())?.get_ref().clone())
    }

    fn seed(&self, place: &Place<'a>) -> u64 {
        place.get(|part| part.seed).unwrap_or(1)
    }

    fn input(&self, name: &Spanned<String>) -> String {
        self.experiment.inputs.get(name.get_ref()).cloned().unwrap_or_default()
    }

    fn needed(
        &self,
        place: &Place<'a>,
        key: &str,
        get: impl Fn(&'a Part) -> Option<&'a Spanned<String>>,
    ) -> Result<&'a Spanned<String>, FileError> {
        place.get(get).ok_or_else(|| self.missing(place, key))
    }

    fn missing(&self, place: &Place<'a>, key: &str) -> FileError {
        let name = |part: &'a Part| part.name.as_ref().map_or("", |name| name.get_ref());
        let span = place.row.name.as_ref().map_or(0..0, Spanned::span);
        let (row, column) = (name(place.row), name(place.column));
        let problem = format!("row {row:?}, column {column:?}: the key {key:?} is missing");
        self.experiment.mistake(self.file, &span, problem)
    }
}

/// What a player does in `seconds`, if this is what it does in one.
fn times(second: &Limits, seconds: f64) -> Limits {
    let scaled = |count: u64| (count as f64 * seconds).round().max(1.0) as u64;
    Limits {
        simulations: second.simulations.map(scaled),
        nodes: second.nodes.map(scaled),
        ..*second
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment;

    #[test]
    fn efforts_are_compared_between_the_rows_that_have_such_a_cell() {
        let id = "mcts-loa/table-3";
        let plan = experiment::find(id).unwrap().plan(id, "quick").unwrap();
        let compared = |measure| {
            let cells = plan.cells.iter().filter(move |cell| cell.measure == measure);
            cells.map(|cell| match &cell.source {
                Source::Analyses { task, others, .. } => (task, others),
                _ => panic!("{cell:?}"),
            })
        };
        assert_eq!(compared(Measure::Solved).count(), 6, "three of the paper, three of today");
        let efforts: Vec<_> = compared(Measure::CommonNodes).collect();
        let tasks: Vec<String> = efforts.iter().map(|(task, _)| (*task).clone()).collect();
        assert_eq!(tasks.len(), 3);
        assert!(efforts.iter().all(|(_, others)| **others == tasks));
    }

    #[test]
    fn single_cells_can_have_more_games() {
        let id = "nmcs/table-3";
        let plan = experiment::find(id).unwrap().plan(id, "quick").unwrap();
        let wanted = plan.cells.iter().map(|cell| match &cell.source {
            Source::Match(pairing) => plan.tasks[&pairing.task].1,
            _ => panic!("{cell:?}"),
        });
        let wanted: Vec<u64> = wanted.take(3).collect();
        assert_eq!(wanted, [1000, 1000, 100], "levels 0, 1 and 2");
    }

    #[test]
    fn a_row_without_an_opponent_is_rated_by_all_of_known_strength() {
        let id = "mcc/placement";
        let plan = experiment::find(id).unwrap().plan(id, "quick").unwrap();
        let rated = plan.cells.iter().filter_map(|cell| match &cell.source {
            Source::Rated(pairings) => Some(pairings.iter().map(|(rating, _)| *rating).collect()),
            _ => None,
        });
        let rated: Vec<Vec<f64>> = rated.collect();
        let [levels @ .., all] = rated.as_slice() else { panic!("no ratings") };
        assert_eq!(*all, [1320.0, 1468.0, 1608.0, 1742.0, 1923.0, 2204.0]);
        assert_eq!(levels.concat(), *all);
        assert_eq!(plan.tasks.len(), 11, "the games of the scores");
    }
}
