//! Live searches.

use std::num::NonZero;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use spinney_session::{
    Failure, GameHandle, Limits, Player, PlayerSpec, Report, Role, Session, Slice, Slices, Stop,
};

use crate::state::{self, Labelled, Place};
use crate::{Api, Refusal, RootedTree};

/// The longest search: a page that somebody forgot ends some time.
const LONGEST: Duration = Duration::from_secs(3600);

/// Which position is searched, and how.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    game: String,
    #[serde(default)]
    start: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    player: String,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    limits: RequestLimits,
    /// Whether the client wants to look into the tree.
    #[serde(default)]
    pub tree: bool,
}

/// Whatever comes first ends the search.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestLimits {
    /// Milliseconds.
    time: Option<u64>,
    simulations: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
}

impl RequestLimits {
    fn limits(&self) -> Limits {
        let time = self.time.map_or(LONGEST, Duration::from_millis).min(LONGEST);
        Limits { time: Some(time), ..self.given() }
    }

    /// Without the limit that every search has.
    fn given(&self) -> Limits {
        let RequestLimits { time, simulations, nodes, depth } = *self;
        Limits { time: time.map(Duration::from_millis), simulations, nodes, depth }
    }
}

/// A player that somebody wants to play against.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Opponent {
    game: String,
    player: String,
    #[serde(default)]
    limits: RequestLimits,
}

/// Says whether there is such a player, with these options and limits.
pub(crate) fn check(api: &Api, request: &Opponent) -> Result<(), Refusal> {
    let Opponent { game, player, limits } = request;
    let game = api.registry.game(game).map_err(Refusal::bad)?;
    let player = game.player(&api.player_spec(&game, player)?, 0).map_err(Refusal::player)?;
    player.limit_kinds().check(&limits.given()).map_err(Refusal::bad)
}

impl Api {
    /// Reads the player, within the memory and threads that one search may use. It may not read files
    /// or start programs.
    fn player_spec(&self, game: &GameHandle, text: &str) -> Result<PlayerSpec, Refusal> {
        let mut spec = text.parse::<PlayerSpec>().map_err(Refusal::player)?.sandboxed();
        for option in game.options(&spec).map_err(Refusal::player)? {
            let most = match option.role {
                Role::Memory => self.memory,
                Role::Threads => self.threads,
                _ => continue,
            };
            let key = option.key;
            let number = |text: &str| text.parse().unwrap_or(0_usize);
            match spec.value(key).map(number) {
                Some(given) if given > most => {
                    let message = format!("player {text:?}: {key} may be {most} at most");
                    return Err(Refusal::bad(message));
                }
                None if number(&option.default) > most => spec = spec.with(key, &most.to_string()),
                _ => (),
            }
        }
        Ok(spec)
    }
}

impl SearchRequest {
    /// The game to search. This takes little memory.
    pub fn session(&self, api: &Api) -> Result<Session, Refusal> {
        let (game, start, moves) = (self.game.clone(), self.start.clone(), self.moves.clone());
        state::open(&api.registry, &Place { game, start, moves })
    }

    /// The search with its player, ready to run.
    pub fn search(&self, api: &Api, session: Session, stop: Stop) -> Result<Search, Refusal> {
        let spec = api.player_spec(session.game(), &self.player)?;
        let player = session.game().player(&spec, self.seed).map_err(Refusal::player)?;
        // Alpha-beta alone ends at a depth, and keeps no tree.
        let deepens = player.limit_kinds().depth && player.tree().is_none();
        Ok(Search { session, player, limits: self.limits.limits(), stop, deepens })
    }
}

/// What a search has to say.
#[derive(Clone, Debug)]
pub enum Event {
    /// What is known so far.
    Snapshot(Labelled),
    /// The result: the last event.
    Done(Labelled),
    /// Why there is no result: the last event.
    Failed(String),
}

impl Event {
    fn last(session: &Session, report: Result<Report, Failure>, deepens: bool) -> Event {
        match report {
            Ok(report) => Event::Done(Labelled::new(session, &report, deepens)),
            Err(failure) => Event::Failed(failure.to_string()),
        }
    }

    /// What it is called.
    pub fn name(&self) -> &'static str {
        match self {
            Event::Snapshot(_) => "snapshot",
            Event::Done(_) => "done",
            Event::Failed(_) => "failed",
        }
    }

    /// What it says, as JSON.
    pub fn data(&self) -> String {
        match self {
            Event::Snapshot(analysis) | Event::Done(analysis) => {
                serde_json::to_string(analysis).unwrap_or_default()
            }
            Event::Failed(error) => json!({ "error": error }).to_string(),
        }
    }
}

/// A search, ready to run.
pub struct Search {
    session: Session,
    player: Box<dyn Player>,
    limits: Limits,
    stop: Stop,
    /// Whether its simulations are searches of growing depth.
    deepens: bool,
}

impl Search {
    /// A look into its tree, if it keeps one.
    pub fn tree(&self) -> Option<RootedTree> {
        let root = self.session.from_here();
        self.player.tree().map(|tree| RootedTree { root, tree })
    }

    /// Searches, and returns the last event. The player is gone afterwards.
    pub fn run(self, hear: &mut dyn FnMut(Event)) -> Event {
        let Search { session, mut player, limits, stop, deepens } = self;
        let report = player.analyse(&session, &limits, &stop, &mut |report| {
            hear(Event::Snapshot(Labelled::new(&session, report, deepens)));
        });
        Event::last(&session, report, deepens)
    }

    /// The same in slices, for a program with one thread.
    pub fn in_slices(self) -> SlicedSearch {
        let Search { session, player, limits, stop, deepens } = self;
        SlicedSearch { slices: Slices::new(player, session, limits, stop), deepens }
    }
}

/// A search that returns after each slice.
pub struct SlicedSearch {
    slices: Slices<Box<dyn Player>, Session>,
    deepens: bool,
}

impl SlicedSearch {
    /// Searches for about `thousands` of positions.
    pub fn step(&mut self, thousands: NonZero<u64>) -> Event {
        let slice = self.slices.step(thousands);
        let (session, deepens) = (self.slices.session(), self.deepens);
        match slice {
            Ok(Slice::Paused(report)) => Event::Snapshot(Labelled::new(session, &report, deepens)),
            Ok(Slice::Done(report)) => Event::last(session, Ok(report), deepens),
            Err(failure) => Event::last(session, Err(failure), deepens),
        }
    }
}
