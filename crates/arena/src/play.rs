//! One game: two players at a table.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use spinney_game::{History, Outcome, Rng};
use spinney_games::catalog::Playable;
use spinney_players::{Player, PlayerError, PlayerSpec};
use spinney_protocol::create;
use spinney_search::{GameValue, Limits, Stop};

use crate::{Contestant, EndReason, Fixture, GameResult, MoveRecord, Opening};

/// Whose word ends a game before its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Adjudication {
    /// Nobody's.
    #[default]
    Off,
    /// A player who has proved the value.
    One,
    /// Both players, when they have proved the same value.
    Both,
}

/// Where one game at a time is played: both players, ready.
pub struct Table<G: Playable> {
    /// The players, A first.
    pub players: [Box<dyn Player<G>>; 2],
}

/// How a game went.
pub(crate) struct Played {
    pub(crate) moves: Vec<MoveRecord>,
    pub(crate) result: GameResult,
    pub(crate) end: EndReason,
    pub(crate) failure: Option<String>,
}

/// What ends the games of a match beside the rules.
#[derive(Clone, Copy)]
pub(crate) struct Conditions {
    pub(crate) max_plies: u32,
    pub(crate) adjudication: Adjudication,
}

/// A game in progress and what decides its end. Games are played and replayed with it, so that a
/// record is judged as its game was.
pub(crate) struct Referee<G: Playable> {
    pub(crate) history: History<G>,
    first: Contestant,
    conditions: Conditions,
    /// Moves of the players.
    plies: usize,
    /// What each player has proved, as of its last move; A first.
    proven: [Option<Outcome>; 2],
}

impl<G: Playable> Referee<G> {
    /// A game after its opening. `first` has the first side.
    pub(crate) fn new(opening: &Opening<G>, first: Contestant, conditions: Conditions) -> Self {
        let history = opening.history.clone();
        Referee { history, first, conditions, plies: 0, proven: [None; 2] }
    }

    /// The player to move.
    pub(crate) fn mover(&self) -> Contestant {
        Contestant::with_side(self.history.position().to_move(), self.first)
    }

    /// How the game has ended, if it has.
    pub(crate) fn verdict(&self) -> Option<(Outcome, EndReason)> {
        if let Some(outcome) = self.history.position().outcome() {
            return Some((outcome, EndReason::Rules));
        }
        if let Some(outcome) = self.history.outcome() {
            return Some((outcome, EndReason::Repetition));
        }
        let [a, b] = self.proven;
        let proven = match self.conditions.adjudication {
            Adjudication::Off => None,
            Adjudication::One => a.or(b),
            Adjudication::Both => a.filter(|_| a == b),
        };
        if let Some(outcome) = proven {
            return Some((outcome, EndReason::Proven));
        }
        let is_long = self.plies >= self.conditions.max_plies as usize;
        is_long.then_some((Outcome::Draw, EndReason::PlyLimit))
    }

    /// The end of the game if the player to move gives no legal move.
    pub(crate) fn forfeit(&self, end: EndReason) -> (Outcome, EndReason) {
        (Outcome::Win(!self.history.position().to_move()), end)
    }

    /// Plays a legal move. `proven` is the value that its player has proved.
    pub(crate) fn play(&mut self, m: G::Move, proven: Option<GameValue>) {
        let side = self.history.position().to_move();
        self.proven[self.mover().index()] = proven.map(|value| match value {
            GameValue::Win => Outcome::Win(side),
            GameValue::Draw => Outcome::Draw,
            GameValue::Loss => Outcome::Win(!side),
        });
        self.plies += 1;
        self.history.play(m);
    }
}

impl<G: Playable> Table<G> {
    /// Makes both players, A first. Limits that would not end the searches of a player are refused.
    pub fn new(
        specs: &[PlayerSpec; 2],
        start: &G,
        limits: &[Limits; 2],
    ) -> Result<Self, PlayerError> {
        let player = |index: usize| {
            // Every game gives them a seed of its own.
            let player = create(&specs[index], start, 0)?;
            let check = player.limit_kinds().check(&limits[index]);
            check.map_err(|error| specs[index].error(error.to_string()))?;
            Ok(player)
        };
        Ok(Table { players: [player(0)?, player(1)?] })
    }

    /// Plays a game to its end; `None` if it was stopped.
    pub(crate) fn play(
        &mut self,
        fixture: &Fixture<'_, G>,
        limits: &[Limits; 2],
        conditions: Conditions,
        stop: &Stop,
    ) -> Option<Played> {
        for (index, player) in (0..).zip(&mut self.players) {
            player.new_game(Rng::stream(fixture.seed, index).next_u64());
        }
        let mut referee = Referee::new(fixture.opening, fixture.first, conditions);
        let mut moves = Vec::new();
        let mut legal = Vec::new();
        let mut failure = None;
        let (outcome, end) = loop {
            // 1. Is the game over?
            if let Some(verdict) = referee.verdict() {
                break verdict;
            }

            // 2. Ask the player to move.
            let position = referee.history.position();
            let mover = referee.mover();
            let start = Instant::now();
            let report = self.players[mover.index()].analyse(
                &referee.history,
                &limits[mover.index()],
                stop,
                &mut |_| {},
            );
            let seconds = start.elapsed().as_secs_f64();
            if stop.is_set() {
                return None; // What a stopped search says is not what it would have played.
            }

            // 3. Play its move, if it is one.
            let Some(m) = report.best else {
                failure = self.players[mover.index()].failure().map(str::to_owned);
                break referee.forfeit(EndReason::NoMove);
            };
            legal.clear();
            position.legal_moves(&mut legal);
            if !legal.contains(&m) {
                break referee.forfeit(EndReason::IllegalMove);
            }
            moves.push(MoveRecord {
                m: position.move_text(m),
                seconds,
                simulations: report.simulations,
                nodes: report.nodes,
                value: report.value,
                proven: report.proven.map(|value| value.name().to_owned()),
            });
            referee.play(m, report.proven);
        };
        Some(Played { moves, result: GameResult::of(outcome, fixture.first), end, failure })
    }
}
