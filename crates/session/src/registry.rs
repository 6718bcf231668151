//! The games and players that there are.

use std::fmt;
use std::sync::Arc;

use spinney_game::{GameInfo, GameSettings, History, Playable, PositionError, closest};
use spinney_players::{
    Algorithm, LEVEL, LEVELS, Level, OptionInfo, PlayerError, PlayerKind, PlayerSpec, Role, Solver,
    Solvers, references, searches,
};
use spinney_search::{GameValue, Limits, Report, Stop};
use thiserror::Error;

use crate::certificate::check_moves;
use crate::place::Place;
use crate::player::{Failure, Seated, history};
use crate::solving::Solving;
use crate::{Player, ReadError, Session};

/// The games that a program knows, each with its players, and other programs as players.
#[derive(Clone, Default)]
pub struct Registry {
    games: Vec<Arc<dyn Kind>>,
    families: Vec<Family>,
    programs: Vec<ProgramKind>,
}

/// Games whose names begin alike, each made when it is asked for.
#[derive(Clone)]
struct Family {
    name: &'static str,
    open: Arc<dyn Open>,
}

/// What makes a game of a family from the rest of its name.
trait Open: Fn(&str) -> Result<Arc<dyn Kind>, String> + Send + Sync {}

impl<F: Fn(&str) -> Result<Arc<dyn Kind>, String> + Send + Sync> Open for F {}

/// The names of the games.
impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.games().map(|info| info.name)).finish()
    }
}

/// A kind of player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerEntry {
    /// The name users type.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
}

/// A kind of player for any game: another program.
#[derive(Clone, Copy)]
pub struct ProgramKind {
    /// Its name, and what it is.
    pub entry: PlayerEntry,
    /// Makes one for a game.
    pub make: MakeProgram,
    /// The options, after those of a spec were checked.
    pub options: fn(&GameHandle, &PlayerSpec) -> Result<Vec<OptionInfo>, PlayerError>,
}

/// How another program is made a player.
pub type MakeProgram = fn(&GameHandle, &PlayerSpec) -> Result<Box<dyn Player>, PlayerError>;

/// A text that names no game, and why.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("game {input:?}: {problem}")]
pub struct GameError {
    input: String,
    problem: String,
}

impl Registry {
    /// A registry without games.
    pub fn new() -> Self {
        Registry::default()
    }

    /// Adds a game with the players that every game has. A game with the same name is replaced.
    pub fn add<G: Playable>(&mut self, info: GameInfo, start: impl Start<G>) {
        self.add_with_players(info, start, Vec::new());
    }

    /// Adds a game with players of its own beside those that every game has.
    pub fn add_with_players<G: Playable>(
        &mut self,
        info: GameInfo,
        start: impl Start<G>,
        own: Vec<PlayerKind<G>>,
    ) {
        self.add_with_solvers(info, start, own, Solvers::new());
    }

    /// Adds a game with players of its own and solvers that know more than its rules.
    pub fn add_with_solvers<G: Playable>(
        &mut self,
        info: GameInfo,
        start: impl Start<G>,
        own: Vec<PlayerKind<G>>,
        solvers: Solvers<G>,
    ) {
        let players = searches().into_iter().chain(own).chain(references()).collect();
        let kind: Arc<dyn Kind> =
            Arc::new(Registered { info, start: Box::new(start), players, solvers });
        match self.games.iter_mut().find(|known| known.info().name == info.name) {
            Some(known) => *known = kind,
            None => self.games.push(kind),
        }
    }

    /// Adds games that are made when they are asked for: `name:REST` is what `open` makes of the rest, with
    /// the players that every game has. They are not listed.
    pub fn add_family<G: Playable>(
        &mut self,
        name: &'static str,
        open: impl Fn(&str) -> Result<(GameInfo, G), String> + Send + Sync + 'static,
    ) {
        let open = move |rest: &str| -> Result<Arc<dyn Kind>, String> {
            let (info, start) = open(rest)?;
            let mut registry = Registry::new();
            registry.add(info, move |_| Ok(start.clone()));
            registry.games.pop().ok_or_else(|| "no game".to_owned())
        };
        self.families.push(Family { name, open: Arc::new(open) });
    }

    /// Adds other programs as players of every game.
    pub fn add_program(&mut self, program: ProgramKind) {
        self.programs.push(program);
    }

    /// What there is to know of every game, in the order they are listed.
    pub fn games(&self) -> impl Iterator<Item = &GameInfo> {
        self.games.iter().map(|game| game.info())
    }

    /// All players of all games, in the order they are listed.
    pub fn players(&self) -> Vec<PlayerEntry> {
        let mut all: Vec<PlayerEntry> = Vec::new();
        for game in &self.games {
            let own = game.players();
            for (index, entry) in own.iter().enumerate() {
                if all.iter().any(|known| known.name == entry.name) {
                    continue;
                }
                // Before the next that is known already: players that all games share stay around.
                let place = own[index..]
                    .iter()
                    .find_map(|next| all.iter().position(|known| known.name == next.name));
                all.insert(place.unwrap_or(all.len()), *entry);
            }
        }
        all.extend(self.programs.iter().map(|program| program.entry));
        all
    }

    /// Reads a game as users type it: `loa`, `breakthrough:8x8`, `loa:repetition=second`.
    pub fn game(&self, text: &str) -> Result<GameHandle, GameError> {
        let error = |problem: String| GameError { input: text.chars().take(80).collect(), problem };
        let (name, options) = match text.split_once(':') {
            Some((name, options)) => (name, Some(options)),
            None => (text, None),
        };
        if let Some(family) = self.families.iter().find(|family| family.name == name) {
            let kind = (family.open)(options.unwrap_or_default()).map_err(error)?;
            return self.open(kind, None).map_err(error);
        }
        let kind = self.games.iter().find(|game| game.info().name == name).ok_or_else(|| {
            error(match closest(name, self.games().map(|info| info.name)) {
                Some(guess) => format!("unknown; did you mean {guess:?}?"),
                None => "unknown; `spinney games` lists all games".to_owned(),
            })
        })?;
        self.open(kind.clone(), options).map_err(error)
    }

    fn open(&self, kind: Arc<dyn Kind>, options: Option<&str>) -> Result<GameHandle, String> {
        let settings = match options {
            Some(options) => GameSettings::parse(kind.info(), options)?,
            None => GameSettings::new(kind.info()),
        };
        let start = kind.start(&settings)?;
        Ok(GameHandle(Arc::new(Opened { kind, settings, start, registry: self.clone() })))
    }
}

/// How a game makes its start position from its options; an error says what is wrong with them.
pub trait Start<G>: Fn(&GameSettings) -> Result<G, String> + Send + Sync + 'static {}

impl<G, F: Fn(&GameSettings) -> Result<G, String> + Send + Sync + 'static> Start<G> for F {}

/// A game of the registry, whichever it is.
pub(crate) trait Kind: Send + Sync {
    fn info(&self) -> &GameInfo;
    fn start(&self, settings: &GameSettings) -> Result<Box<dyn Place>, String>;
    fn players(&self) -> Vec<PlayerEntry>;
    /// The options of a player; `None` if this game has none of that name.
    fn options(&self, spec: &PlayerSpec) -> Option<Result<Vec<OptionInfo>, PlayerError>>;
    /// Makes a player; `None` if this game has none of that name.
    fn make(&self, spec: &PlayerSpec, seed: u64) -> Option<Result<Box<dyn Player>, PlayerError>>;
    /// Solves the present position of a session of this game.
    fn solve(
        &self,
        session: &Session,
        solver: &Solver,
        solving: Solving<'_>,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Report, String>;
    /// Writes the certificate of a value of the present position.
    fn certify(
        &self,
        session: &Session,
        value: GameValue,
        solving: &Solving<'_>,
        stop: &Stop,
    ) -> Result<(), String>;
    /// Checks the strategies of a certificate of the present position ([`crate::verify`]).
    fn verify(
        &self,
        session: &Session,
        value: GameValue,
        moves: &[u8],
        stop: &Stop,
        progress: &mut dyn FnMut(usize),
    ) -> Result<usize, String>;
}

struct Registered<G: Playable> {
    info: GameInfo,
    start: Box<dyn Start<G>>,
    players: Vec<PlayerKind<G>>,
    solvers: Solvers<G>,
}

impl<G: Playable> Kind for Registered<G> {
    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self, settings: &GameSettings) -> Result<Box<dyn Place>, String> {
        Ok(Box::new(History::new((self.start)(settings)?)))
    }

    fn players(&self) -> Vec<PlayerEntry> {
        let entry = |kind: &PlayerKind<G>| PlayerEntry { name: kind.name, summary: kind.summary };
        self.players.iter().map(entry).collect()
    }

    fn options(&self, spec: &PlayerSpec) -> Option<Result<Vec<OptionInfo>, PlayerError>> {
        Some(self.kind(spec)?.options(spec))
    }

    fn make(&self, spec: &PlayerSpec, seed: u64) -> Option<Result<Box<dyn Player>, PlayerError>> {
        let player = self.kind(spec)?.make(spec, seed);
        Some(player.map(|player| Box::new(Seated(player)) as Box<dyn Player>))
    }

    fn solve(
        &self,
        session: &Session,
        solver: &Solver,
        solving: Solving<'_>,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Report, String> {
        let history = history::<G>(session).ok_or_else(|| Failure::OtherGame.to_string())?;
        solving.run(session, history.position(), solver, &self.solvers, limits, stop)
    }

    fn certify(
        &self,
        session: &Session,
        value: GameValue,
        solving: &Solving<'_>,
        stop: &Stop,
    ) -> Result<(), String> {
        let history = history::<G>(session).ok_or_else(|| Failure::OtherGame.to_string())?;
        solving.certify(session, history.position(), value, &self.solvers, stop)
    }

    fn verify(
        &self,
        session: &Session,
        value: GameValue,
        moves: &[u8],
        stop: &Stop,
        progress: &mut dyn FnMut(usize),
    ) -> Result<usize, String> {
        let history = history::<G>(session).ok_or_else(|| Failure::OtherGame.to_string())?;
        check_moves(history.position(), value, moves, stop, progress)
    }
}

impl<G: Playable> Registered<G> {
    fn kind(&self, spec: &PlayerSpec) -> Option<&PlayerKind<G>> {
        self.players.iter().find(|kind| kind.name == spec.name())
    }
}

/// A game of a registry with its options: `breakthrough:8x8`. Clones share it.
#[derive(Clone)]
pub struct GameHandle(Arc<Opened>);

struct Opened {
    kind: Arc<dyn Kind>,
    settings: GameSettings,
    start: Box<dyn Place>,
    registry: Registry,
}

impl fmt::Debug for GameHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The name with the options that differ from the default, as [`Registry::game`] reads it.
impl fmt::Display for GameHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)?;
        let options = self.0.settings.to_string();
        if options.is_empty() { Ok(()) } else { write!(f, ":{options}") }
    }
}

/// The same game with the same options.
impl PartialEq for GameHandle {
    fn eq(&self, other: &Self) -> bool {
        self.info().name == other.info().name && self.0.settings == other.0.settings
    }
}

impl Eq for GameHandle {}

impl GameHandle {
    /// What there is to know of the game beyond its rules.
    pub fn info(&self) -> &GameInfo {
        self.0.kind.info()
    }

    /// The game as people call it, with its options: `Breakthrough 8x8`.
    pub fn title(&self) -> String {
        let (title, options) = (self.info().title, self.0.settings.to_string());
        if options.is_empty() { title.to_owned() } else { format!("{title} {options}") }
    }

    /// The registry that it is from.
    pub fn registry(&self) -> &Registry {
        &self.0.registry
    }

    /// The game before its first move.
    pub fn start(&self) -> Session {
        Session::new(self.clone(), self.0.start.boxed())
    }

    /// A game that starts in a position, or in the usual one.
    pub fn at(&self, position: Option<&str>) -> Result<Session, PositionError> {
        match position {
            Some(text) => self.start().at(text),
            None => Ok(self.start()),
        }
    }

    /// Reads a game: where it starts, if not in the usual position, and its moves.
    pub fn read<T: AsRef<str>>(
        &self,
        start: Option<&str>,
        moves: impl IntoIterator<Item = T>,
    ) -> Result<Session, ReadError> {
        let mut session = self.at(start)?;
        session.play_texts(moves)?;
        Ok(session)
    }

    /// The players of this game, in the order they are listed.
    pub fn players(&self) -> Vec<PlayerEntry> {
        let mut players = self.0.kind.players();
        players.extend(self.registry().programs.iter().map(|program| program.entry));
        players
    }

    /// The opponents by strength, the easiest first: the player [`LEVEL`] with a `number` from 1. None if
    /// the game has no such player.
    pub fn levels(&self) -> &'static [Level] {
        let has_levels = self.0.kind.players().iter().any(|entry| entry.name == LEVEL);
        if has_levels { &LEVELS } else { &[] }
    }

    /// Who plays if nobody is named.
    pub fn default_player(&self) -> PlayerSpec {
        PlayerSpec::plain(self.info().default_player)
    }

    /// Makes a player.
    pub fn player(&self, spec: &PlayerSpec, seed: u64) -> Result<Box<dyn Player>, PlayerError> {
        match self.program(spec)? {
            Some(program) => (program.make)(self, spec),
            None => self.0.kind.make(spec, seed).ok_or_else(|| self.unknown(spec))?,
        }
    }

    /// The options of a player, after those given in `spec` were checked. No player is made. A sandbox has
    /// no paths.
    pub fn options(&self, spec: &PlayerSpec) -> Result<Vec<OptionInfo>, PlayerError> {
        match self.program(spec)? {
            Some(program) => (program.options)(self, spec),
            None => self.0.kind.options(spec).ok_or_else(|| self.unknown(spec))?,
        }
    }

    /// Whether a player can be made. Other programs are not started for it.
    pub fn check(&self, spec: &PlayerSpec) -> Result<(), PlayerError> {
        match self.program(spec)? {
            Some(program) => (program.options)(self, spec).map(|_| ()),
            None => self.player(spec, 0).map(|_| ()),
        }
    }

    /// The key of the option with a role, if a player has one.
    pub fn option_for(&self, role: Role, spec: &PlayerSpec) -> Option<&'static str> {
        let options = self.options(&PlayerSpec::plain(spec.name())).ok()?;
        options.into_iter().find(|option| option.role == role).map(|option| option.key)
    }

    /// Reads a way to solve positions: a solver, or a player that proves.
    pub fn algorithm(&self, text: &str) -> Result<Algorithm, String> {
        let algorithm: Algorithm = text.parse().map_err(|error: PlayerError| error.to_string())?;
        let Algorithm::Player(spec) = &algorithm else { return Ok(algorithm) };
        let (name, players) = (spec.name(), self.registry().players());
        if players.iter().any(|entry| entry.name == name) {
            return Ok(algorithm);
        }
        let solvers: Vec<&str> = Solver::ALL.iter().map(Solver::name).collect();
        let known = solvers.iter().copied().chain(players.iter().map(|entry| entry.name));
        Err(match closest(name, known) {
            Some(guess) => format!("'{name}' is unknown; did you mean {guess:?}?"),
            None => format!("'{name}' is no player and none of {}", solvers.join(", ")),
        })
    }

    /// The game with its types.
    pub(crate) fn kind(&self) -> &dyn Kind {
        &*self.0.kind
    }

    /// The kind of program that a player is, if it is one. Strangers may start none.
    fn program(&self, spec: &PlayerSpec) -> Result<Option<&ProgramKind>, PlayerError> {
        let mut programs = self.registry().programs.iter();
        let program = programs.find(|program| program.entry.name == spec.name());
        match program {
            Some(_) if spec.is_sandboxed() => {
                Err(spec.forbidden("may not start other programs here"))
            }
            program => Ok(program),
        }
    }

    /// The error for a player that this game does not have.
    fn unknown(&self, spec: &PlayerSpec) -> PlayerError {
        let all = self.registry().players();
        let name = spec.name();
        spec.error(match closest(name, all.iter().map(|entry| entry.name)) {
            _ if all.iter().any(|entry| entry.name == name) => {
                "this game has no such player; `spinney players GAME` lists them".to_owned()
            }
            Some(guess) => format!("unknown; did you mean {guess:?}?"),
            None => "unknown; `spinney players` lists all players".to_owned(),
        })
    }
}
