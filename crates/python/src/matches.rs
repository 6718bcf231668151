//! Matches, solvers and statistics, in and out as JSON where they are more than numbers.

use pyo3::prelude::*;
use serde_json::json;
use spinney_arena::{
    Adjudication, GameRecord, GameResult, Match, Progress, Sprt, Summary, Table, games_at_once,
    read_openings, standing,
};
use spinney_protocol::Analysis;
use spinney_session::{GameHandle, Limits, Player, PlayerSpec, Stop};

use crate::bot::Bot;
use crate::errors::{PlayerError, SpinneyError};
use crate::failure;
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
    let game = &game.handle;
    let summary = interruptible(
        py,
        |stop, sender| {
            let play = Play { game, settings: &settings, limits, adjudication, sprt, stop };
            // Nobody listens any more once it is stopped.
            play.run(&mut |record| drop(sender.send(record.clone())))
        },
        |py, record: GameRecord| on_game.call1(py, (to_json(&record)?,)).map(|_| ()),
    )?;
    failure::check(game)?;
    to_json(&summary?)
}

struct Play<'a> {
    game: &'a GameHandle,
    settings: &'a Settings,
    limits: [Limits; 2],
    adjudication: Adjudication,
    sprt: Option<Sprt>,
    stop: &'a Stop,
}

impl Play<'_> {
    fn run(&self, on_game: &mut dyn FnMut(&GameRecord)) -> PyResult<Summary> {
        let Settings { players, names, games, seed, max_plies, concurrency, .. } = self.settings;
        let openings = match &self.settings.openings {
            Some(text) => read_openings(self.game, text),
            None => Ok(vec![self.game.start()]),
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
        let seat = |player: &Contestant| -> PyResult<Box<dyn Player>> {
            match player {
                Contestant::Spec(text) => text
                    .parse()
                    .and_then(|spec| self.game.player(&spec, 0))
                    .map_err(|error| PlayerError::new_err(error.to_string())),
                Contestant::Object(object) => {
                    Ok(Box::new(Bot::new(Python::attach(|py| object.clone_ref(py)))))
                }
            }
        };
        // A Python object plays one game at a time.
        let wanted = if specs.len() < players.len() { 1 } else { *concurrency };
        let tables = (0..games_at_once(wanted, &self.limits, &specs))
            .map(|_| Ok(Table { players: [seat(&players[0])?, seat(&players[1])?] }))
            .collect::<PyResult<Vec<Table>>>()?;
        let plan = Match {
            game: self.game.clone(),
            players: names.clone(),
            limits: self.limits,
            clocks: [None; 2],
            openings,
            first_game: 0,
            games: *games,
            seed: *seed,
            max_plies: *max_plies,
            adjudication: self.adjudication,
            sprt: self.sprt,
        };
        plan.run(tables, self.stop, |record, _| {
            on_game(record);
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
    let algorithm = state.session.game().algorithm(algorithm).map_err(SpinneyError::new_err)?;
    let limits = read_limits(limit)?;
    let solved = interruptible(
        py,
        |stop, _| state.session.solve(&algorithm, memory, &limits, stop),
        |_, _: ()| Ok(()),
    )?;
    failure::check(state.session.game())?;
    let report = solved.map_err(SpinneyError::new_err)?;
    to_json(&Analysis::new(&state.session, &report))
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
