//! One game at one moment, whichever game it is: the boundary where static types end.

use std::any::Any;

use spinney_game::{History, MoveError, Outcome, PositionError, Side};
use spinney_games::catalog::{GameSpec, Playable, Visitor};
use spinney_players::{Algorithm, Player, PlayerError, PlayerSpec};
use spinney_protocol::{Analysis, create, describe};
use spinney_search::{GameValue, Limits, Stop};

/// A game at one moment. Moves are their numbers ([`spinney_game::Game::pack`]).
pub(crate) trait Place: Any + Send + Sync {
    fn copy(&self) -> Box<dyn Place>;
    fn to_move(&self) -> Side;
    /// The result, repetition included.
    fn outcome(&self) -> Option<Outcome>;
    fn text(&self) -> String;
    /// The legal moves in their order; none if the game is over.
    fn legal(&self) -> Vec<u32>;
    /// A legal move as text.
    fn move_text(&self, action: u32) -> Option<String>;
    /// Reads a legal move.
    fn parse_move(&self, text: &str) -> Result<u32, MoveError>;
    /// Plays a legal move.
    fn play(&mut self, action: u32);
    /// Whether this game has such a player.
    fn check(&self, spec: &PlayerSpec) -> Result<(), PlayerError>;
    /// A player of this game.
    fn player(&self, spec: &PlayerSpec, seed: u64) -> Result<Box<dyn Seat>, PlayerError>;
    fn solve(
        &self,
        algorithm: &Algorithm,
        memory: usize,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Analysis, String>;
}

/// A player of one game, whichever game it is.
pub(crate) trait Seat: Send {
    /// Searches a place of its game.
    fn analyse(
        &mut self,
        place: &dyn Place,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(Analysis),
    ) -> Result<Analysis, String>;

    fn new_game(&mut self, seed: u64);

    /// Joins independent analyses of one place.
    fn merge(&self, place: &dyn Place, analyses: &[Analysis]) -> Result<Analysis, String>;
}

/// The start of a game, or a position of it.
pub(crate) fn open(
    game: &GameSpec,
    position: Option<&str>,
) -> Result<Box<dyn Place>, PositionError> {
    game.visit(Open(position))
}

struct Open<'a>(Option<&'a str>);

impl Visitor for Open<'_> {
    type Output = Result<Box<dyn Place>, PositionError>;

    fn visit<G: Playable>(self, start: G) -> Self::Output {
        let position = match self.0 {
            Some(text) => start.parse_position(text)?,
            None => start,
        };
        Ok(Box::new(History::new(position)))
    }
}

/// The move with this number, if it is legal.
pub(crate) fn find_move<G: Playable>(history: &History<G>, action: u32) -> Option<G::Move> {
    let mut moves = Vec::new();
    if history.outcome().is_none() {
        history.position().legal_moves(&mut moves);
    }
    moves.into_iter().find(|&m| G::pack(m) == action)
}

impl<G: Playable> Place for History<G> {
    fn copy(&self) -> Box<dyn Place> {
        Box::new(self.clone())
    }

    fn to_move(&self) -> Side {
        self.position().to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn text(&self) -> String {
        self.position().position_text()
    }

    fn legal(&self) -> Vec<u32> {
        let mut moves = Vec::new();
        if self.outcome().is_none() {
            self.position().legal_moves(&mut moves);
        }
        moves.into_iter().map(G::pack).collect()
    }

    fn move_text(&self, action: u32) -> Option<String> {
        find_move(self, action).map(|m| self.position().move_text(m))
    }

    fn parse_move(&self, text: &str) -> Result<u32, MoveError> {
        if self.outcome().is_some() {
            return Err(MoveError::new(text, "the game is over"));
        }
        self.position().parse_move(text).map(G::pack)
    }

    fn play(&mut self, action: u32) {
        self.play(G::unpack(action));
    }

    fn check(&self, spec: &PlayerSpec) -> Result<(), PlayerError> {
        describe(spec, self.position()).map(|_| ())
    }

    fn player(&self, spec: &PlayerSpec, seed: u64) -> Result<Box<dyn Seat>, PlayerError> {
        Ok(Box::new(Seated(create(spec, self.position(), seed)?)))
    }

    fn solve(
        &self,
        algorithm: &Algorithm,
        memory: usize,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Analysis, String> {
        algorithm.check(limits)?;
        let report = algorithm.solve(self.position(), memory, limits, stop)?;
        Ok(Analysis::new(self.position(), &report))
    }
}

struct Seated<G>(Box<dyn Player<G>>);

impl<G: Playable> Seated<G> {
    fn history(place: &dyn Place) -> Result<&History<G>, String> {
        let place: &dyn Any = place;
        place.downcast_ref().ok_or_else(|| "a player of another game".to_owned())
    }
}

impl<G: Playable> Seat for Seated<G> {
    fn analyse(
        &mut self,
        place: &dyn Place,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(Analysis),
    ) -> Result<Analysis, String> {
        let history = Self::history(place)?;
        let position = history.position();
        if let Some(outcome) = history.outcome() {
            return Ok(Analysis::finished(GameValue::of(outcome, position.to_move())));
        }
        self.0.limit_kinds().check(limits).map_err(|error| error.to_string())?;
        let mut show = |report: &_| progress(Analysis::new(position, report));
        let report = self.0.analyse(history, limits, stop, &mut show);
        match self.0.failure() {
            Some(failure) => Err(failure.to_owned()),
            None => Ok(Analysis::new(position, &report)),
        }
    }

    fn new_game(&mut self, seed: u64) {
        self.0.new_game(seed);
    }

    fn merge(&self, place: &dyn Place, analyses: &[Analysis]) -> Result<Analysis, String> {
        let history = Self::history(place)?;
        let position = history.position();
        if let Some(outcome) = history.outcome() {
            return Ok(Analysis::finished(GameValue::of(outcome, position.to_move())));
        }
        let reports = analyses.iter().map(|analysis| analysis.report(position));
        let reports = reports.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
        let merged = self.0.merge(history, &reports);
        let merged = merged.ok_or("the player grows no tree whose moves could be added up")?;
        Ok(Analysis::new(position, &merged))
    }
}
