//! Matches, solvers and statistics, in and out as JSON where they are more than numbers.

use pyo3::prelude::*;
use serde_json::json;
use spinney_arena::{
    Adjudication, GameRecord, GameResult, Match, Opening, Progress, Sprt, Summary, Table,
    games_at_once, read_openings, standing,
};
use spinney_games::catalog::{GameSpec, Playable, Visitor};
use spinney_players::{Algorithm, Player, PlayerSpec};
use spinney_search::{Limits, Stop};

use crate::bot::Bot;
use crate::errors::{PlayerError, SpinneyError};
use crate::player::{read_limits, to_json};
use crate::state::{Game, State};
use crate::wait::interruptible;

/// A player of a match.
#[derive(FromPyObject)]
pub(crate) enum Contestant {
    Spec(String),
    Object(Py<PyAny>),
}

/// What a match is, as Python gives it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    players: [Contestant; 2],
    names: [String; 2],
    games: u64,
    limits: [String; 2],
    openings: Option<String>,
    seed: u64,
    max_plies: u32,
    adjudicate: String,
    sprt: Option<String>,
    concurrency: usize,
}

/// Plays a match. `on_game` gets the record of each game as JSON; the summary is returned as JSON.
#[pyfunction]
pub(crate) fn play_match(
    py: Python<'_>,
    game: &Game,
    settings: Settings,
    on_game: Py<PyAny>,
) -> PyResult<String> {
    let limits = [read_limits(&settings.limits[0])?, read_limits(&settings.limits[1])?];
    let adjudication = match settings.adjudicate.as_str() {
        "none" => Adjudication::Off,
        "one" => Adjudication::One,
        "both" => Adjudication::Both,
        other => {
            let problem = format!("adjudicate: {other:?} is none of 'none', 'one', 'both'");
            return Err(SpinneyError::new_err(problem));
        }
    };
    let sprt = settings.sprt.as_deref().map(read_sprt).transpose()?;
    if !(1..=256).contains(&settings.concurrency) {
        return Err(SpinneyError::new_err("concurrency: expected 1 to 256"));
    }
    let game = game.spec;
    let summary = interruptible(
        py,
        |stop, sender| {
            game.visit(Play {
                game,
                settings: &settings,
                limits,
                adjudication,
                sprt,
                stop,
                // Nobody listens any more once it is stopped.
                on_game: &mut |record| drop(sender.send(record.clone())),
            })
        },
        |py, record: GameRecord| on_game.call1(py, (to_json(&record)?,)).map(|_| ()),
    )?;
    to_json(&summary?)
}

struct Play<'a> {
    game: GameSpec,
    settings: &'a Settings,
    limits: [Limits; 2],
    adjudication: Adjudication,
    sprt: Option<Sprt>,
    stop: &'a Stop,
    on_game: &'a mut dyn FnMut(&GameRecord),
}

impl Visitor for Play<'_> {
    type Output = PyResult<Summary>;

    fn visit<G: Playable>(self, start: G) -> PyResult<Summary> {
        let Settings { players, names, games, seed, max_plies, concurrency, .. } = self.settings;
        let openings = match &self.settings.openings {
            Some(text) => read_openings(&start, text),
            None => Opening::new(start.clone(), "").map(|opening| vec![opening]),
        };
        let openings =
            openings.map_err(|error| SpinneyError::new_err(format!("openings: {error}")))?;
        let mut specs: Vec<PlayerSpec> = Vec::new();
        for player in players {
            if let Contestant::Spec(text) = player {
                let spec =
                    text.parse().map_err(|error| PlayerError::new_err(format!("{error}")))?;
                specs.push(spec);
            }
        }
        let seat = |player: &Contestant| -> PyResult<Box<dyn Player<G>>> {
            match player {
                Contestant::Spec(text) => text
                    .parse()
                    .and_then(|spec| spinney_protocol::create(&spec, &start, 0))
                    .map_err(|error| PlayerError::new_err(error.to_string())),
                Contestant::Object(object) => Ok(Box::new(Bot {
                    object: Python::attach(|py| object.clone_ref(py)),
                    game: self.game,
                    failure: None,
                })),
            }
        };
        // A Python object plays one game at a time.
        let wanted = if specs.len() < players.len() { 1 } else { *concurrency };
        let tables = (0..games_at_once(wanted, &self.limits, &specs))
            .map(|_| Ok(Table { players: [seat(&players[0])?, seat(&players[1])?] }))
            .collect::<PyResult<Vec<Table<G>>>>()?;
        let plan = Match {
            game: self.game.to_string(),
            players: names.clone(),
            limits: self.limits,
            openings,
            first_game: 0,
            games: *games,
            seed: *seed,
            max_plies: *max_plies,
            adjudication: self.adjudication,
            sprt: self.sprt,
        };
        plan.run(tables, self.stop, |record, _| {
            (self.on_game)(record);
            Ok(())
        })
    }
}

/// The value of a position by a solver, in the JSON analysis format. The moves before the position
/// do not matter.
#[pyfunction]
pub(crate) fn solve(
    py: Python<'_>,
    state: &State,
    algorithm: &str,
    memory: usize,
    limit: &str,
) -> PyResult<String> {
    let algorithm: Algorithm = algorithm.parse().map_err(SpinneyError::new_err)?;
    let limits = read_limits(limit)?;
    let place = state.place.as_ref();
    let solved = interruptible(
        py,
        |stop, _| place.solve(&algorithm, memory, &limits, stop),
        |_, _: ()| Ok(()),
    )?;
    to_json(&solved.map_err(SpinneyError::new_err)?)
}

fn read_sprt(text: &str) -> PyResult<Sprt> {
    text.parse().map_err(|error| SpinneyError::new_err(format!("sprt: {error}")))
}

/// What the results of games say, by the half points of A. Games 2k and 2k + 1 are a pair. With a
/// sequential test, only the games up to the pair that decides it count.
#[pyfunction]
pub(crate) fn statistics(half_points: Vec<u8>, sprt: Option<&str>) -> PyResult<String> {
    let result = |(index, points)| match points {
        0 => Ok((index, GameResult::B)),
        1 => Ok((index, GameResult::Draw)),
        2 => Ok((index, GameResult::A)),
        _ => Err(SpinneyError::new_err(format!("game {index}: a score is 0, 0.5 or 1"))),
    };
    let results = (0..).zip(half_points).map(result).collect::<PyResult<Vec<_>>>()?;
    let Progress { tally, sprt } = standing(results, sprt.map(read_sprt).transpose()?);
    to_json(&json!({
        "games": tally.count(),
        "score": tally.score(),
        "interval": tally.interval(),
        "elo": tally.elo(),
        "elo_interval": tally.elo_interval(),
        "normalised_elo": tally.normalised_elo(),
        "normalised_elo_interval": tally.normalised_elo_interval(),
        "los": tally.likelihood_of_superiority(),
        "sprt": sprt,
    }))
}
