//! A game at one moment.

use std::fmt;

use spinney_game::{MoveError, Outcome, PackedMove, PositionError, Rng, Side};
use spinney_players::Algorithm;
use spinney_search::{Limits, Report, Stop};
use thiserror::Error;

use crate::GameHandle;
use crate::place::{Place, Playouts};
use crate::solving::Solving;

/// A game at one moment: its start, the moves since then, and the position they lead to.
///
/// Moves are numbers ([`spinney_game::Move::pack`]). Methods that take a move expect a legal one.
pub struct Session {
    game: GameHandle,
    place: Box<dyn Place>,
}

impl Clone for Session {
    fn clone(&self) -> Self {
        Session { game: self.game.clone(), place: self.place.boxed() }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {:?}", self.game, self.start_text(), self.move_texts())
    }
}

/// A start or a move that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReadError {
    /// The start.
    #[error(transparent)]
    Start(#[from] PositionError),
    /// A move.
    #[error("ply {ply}: {problem}")]
    Move {
        /// Its number, from 1.
        ply: usize,
        /// What is wrong with it.
        problem: String,
    },
}

impl Session {
    pub(crate) fn new(game: GameHandle, place: Box<dyn Place>) -> Self {
        Session { game, place }
    }

    pub(crate) fn place(&self) -> &dyn Place {
        &*self.place
    }

    /// The game with its options.
    pub fn game(&self) -> &GameHandle {
        &self.game
    }

    /// The side whose turn it is.
    pub fn to_move(&self) -> Side {
        self.place.to_move()
    }

    /// The result, repetition included.
    pub fn outcome(&self) -> Option<Outcome> {
        self.place.outcome()
    }

    /// The result by the position alone.
    pub fn outcome_by_rules(&self) -> Option<Outcome> {
        self.place.outcome_by_rules()
    }

    /// What ended the game, in a few words such as `checkmate` or `repetition`. Empty if it is not
    /// over, or if there is nothing to tell.
    pub fn ending(&self) -> &'static str {
        match (self.outcome_by_rules(), self.outcome()) {
            (Some(_), _) => self.place.ending(),
            (None, Some(_)) => "repetition",
            (None, None) => "",
        }
    }

    /// The position before the first move, as text.
    pub fn start_text(&self) -> String {
        self.place.start_text()
    }

    /// The present position, as text.
    pub fn position_text(&self) -> String {
        self.place.position_text()
    }

    /// The key of the present position, as [`spinney_game::Hashed::key`] gives it.
    pub fn key(&self) -> u64 {
        self.place.key()
    }

    /// The moves from the start.
    pub fn moves(&self) -> Vec<PackedMove> {
        self.place.moves()
    }

    /// The moves from the start, as text.
    pub fn move_texts(&self) -> Vec<String> {
        self.replay(|session, m| session.move_text(m))
    }

    /// Plays the moves again from the start; what `note` says of each, before it is played.
    pub fn replay<T>(&self, mut note: impl FnMut(&Session, PackedMove) -> T) -> Vec<T> {
        let mut session = self.from_start();
        let play = |m| {
            let noted = note(&session, m);
            session.play(m);
            noted
        };
        self.moves().into_iter().map(play).collect()
    }

    /// The legal moves, in an order that depends on the position alone; none if the game is over.
    pub fn legal_moves(&self) -> Vec<PackedMove> {
        if self.outcome().is_some() { Vec::new() } else { self.place.legal_moves() }
    }

    /// The legal moves, whatever was repeated: for lines and clients that play on.
    pub fn listed_moves(&self) -> Vec<PackedMove> {
        if self.outcome_by_rules().is_some() { Vec::new() } else { self.place.legal_moves() }
    }

    /// What the game lists as moves where a draw has ended it by its rules: in chess those with which
    /// players go on after fifty moves without progress. Empty where it is not drawn.
    pub fn moves_after_draw(&self) -> Vec<PackedMove> {
        match self.outcome_by_rules() {
            Some(Outcome::Draw) => self.place.legal_moves(),
            _ => Vec::new(),
        }
    }

    /// The number of legal moves of a position that is not finished.
    pub fn count_moves(&self) -> u64 {
        self.place.count_moves()
    }

    /// The number of positions after exactly that many plies.
    pub fn perft(&self, plies: u32) -> u64 {
        self.place.perft(plies)
    }

    /// A legal move, drawn uniformly. The game must not be over.
    pub fn random_move(&self, rng: &mut Rng) -> PackedMove {
        self.place.random_move(rng)
    }

    /// A move as text, in the form that [`parse_move`](Session::parse_move) reads.
    pub fn move_text(&self, m: PackedMove) -> String {
        self.place.move_text(m)
    }

    /// A move as people write it: SAN in chess.
    pub fn move_label(&self, m: PackedMove) -> String {
        self.place.move_label(m)
    }

    /// The moves of a line from here as text, up to the first that is not legal.
    pub fn line_texts(&self, line: &[PackedMove]) -> Vec<String> {
        self.line(line, Session::move_text)
    }

    /// The moves of a line from here as people write them, up to the first that is not legal.
    pub fn line_labels(&self, line: &[PackedMove]) -> Vec<String> {
        self.line(line, Session::move_label)
    }

    fn line(
        &self,
        line: &[PackedMove],
        text: impl Fn(&Session, PackedMove) -> String,
    ) -> Vec<String> {
        let mut session = self.clone();
        let step = |&m: &PackedMove| {
            session.listed_moves().contains(&m).then(|| {
                let text = text(&session, m);
                session.play(m);
                text
            })
        };
        line.iter().map_while(step).collect()
    }

    /// Reads a legal move, whatever was repeated.
    pub fn parse_move(&self, text: &str) -> Result<PackedMove, MoveError> {
        self.place.parse_move(text)
    }

    /// Reads a line of moves from here, up to the first that is no legal move.
    pub fn parse_line<T: AsRef<str>>(&self, texts: impl IntoIterator<Item = T>) -> Vec<PackedMove> {
        let mut session = self.clone();
        let step = |text: T| {
            let m = session.parse_move(text.as_ref()).ok()?;
            session.play(m);
            Some(m)
        };
        texts.into_iter().map_while(step).collect()
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: PackedMove) {
        self.place.play(m);
    }

    /// Reads legal moves and plays them; none may follow the end of the game.
    pub fn play_texts<T: AsRef<str>>(
        &mut self,
        moves: impl IntoIterator<Item = T>,
    ) -> Result<(), ReadError> {
        for text in moves {
            let text = text.as_ref();
            let read = match self.outcome() {
                Some(_) => Err(MoveError::new(text, "the game is over")),
                None => self.parse_move(text),
            };
            let m = read.map_err(|error| ReadError::Move {
                ply: self.place.moves().len() + 1,
                problem: error.to_string(),
            })?;
            self.play(m);
        }
        Ok(())
    }

    /// Another position of the same game, as a start.
    pub fn at(&self, position: &str) -> Result<Session, PositionError> {
        Ok(Session::new(self.game.clone(), self.place.at(position)?))
    }

    /// The game before its first move.
    pub fn from_start(&self) -> Session {
        Session::new(self.game.clone(), self.place.restarted())
    }

    /// The present position as the start of a game.
    pub fn from_here(&self) -> Session {
        Session::new(self.game.clone(), self.place.rebased())
    }

    /// Plays random games from here, each a draw after `max_plies`.
    pub fn random_playouts(&self, playouts: u64, max_plies: u32, seed: u64) -> Playouts {
        self.place.random_playouts(playouts, max_plies, seed)
    }

    /// The value of the present position with perfect play, as far as the limits allow. `memory` is
    /// what a solver may use, in bytes; players have options for it.
    pub fn solve(
        &self,
        algorithm: &Algorithm,
        memory: usize,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Report, String> {
        self.solve_with(algorithm, Solving { memory, ..Solving::default() }, limits, stop)
    }

    /// The same on several threads, with a table that is kept in files, and progress.
    pub fn solve_with(
        &self,
        algorithm: &Algorithm,
        solving: Solving<'_>,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Report, String> {
        /// Players always draw the same random numbers.
        const SEED: u64 = 1;
        solving.check(algorithm)?;
        match algorithm {
            Algorithm::Solver(solver) => {
                solver.check(limits)?;
                self.game.kind().solve(self, solver, solving, limits, stop)
            }
            Algorithm::Player(spec) => {
                let mut player = self.game.player(spec, SEED).map_err(|error| error.to_string())?;
                let report = player.analyse(&self.from_here(), limits, stop, &mut |_| ());
                let report = report.map_err(|error| error.to_string())?;
                if let (Some(_), Some(value)) = (&solving.certificate, report.proven) {
                    self.game.kind().certify(self, value, &solving, stop)?;
                }
                Ok(report)
            }
        }
    }
}
