//! One game: two players at a table.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use spinney_session::{
    GameHandle, GameValue, Limits, Outcome, PackedMove, Player, PlayerError, PlayerSpec, Rng,
    Session, Side, Stop, TimeControl,
};

use crate::{Contestant, EndReason, Fixture, GameResult, Match, MoveRecord};

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
pub struct Table {
    /// The players, A first.
    pub players: [Box<dyn Player>; 2],
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
pub(crate) struct Referee {
    pub(crate) session: Session,
    first: Contestant,
    conditions: Conditions,
    /// Moves of the players.
    plies: usize,
    /// What each player has proved, as of its last move; A first.
    proven: [Option<Outcome>; 2],
}

impl Referee {
    /// A game after its opening. `first` has the first side.
    pub(crate) fn new(opening: &Session, first: Contestant, conditions: Conditions) -> Self {
        let session = opening.clone();
        Referee { session, first, conditions, plies: 0, proven: [None; 2] }
    }

    /// The player to move.
    pub(crate) fn mover(&self) -> Contestant {
        Contestant::with_side(self.session.to_move(), self.first)
    }

    /// How the game has ended, if it has.
    pub(crate) fn verdict(&self) -> Option<(Outcome, EndReason)> {
        if let Some(outcome) = self.session.outcome_by_rules() {
            return Some((outcome, EndReason::Rules));
        }
        if let Some(outcome) = self.session.outcome() {
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
        (Outcome::Win(!self.session.to_move()), end)
    }

    /// Plays a legal move. `proven` is the value that its player has proved.
    pub(crate) fn play(&mut self, m: PackedMove, proven: Option<GameValue>) {
        let side = self.session.to_move();
        self.proven[self.mover().index()] = proven.map(|value| match value {
            GameValue::Win => Outcome::Win(side),
            GameValue::Draw => Outcome::Draw,
            GameValue::Loss => Outcome::Win(!side),
        });
        self.plies += 1;
        self.session.play(m);
    }
}

impl Table {
    /// Makes both players, A first. Limits that would not end the searches of a player are refused.
    pub fn new(
        specs: &[PlayerSpec; 2],
        game: &GameHandle,
        limits: &[Limits; 2],
    ) -> Result<Self, PlayerError> {
        let player = |index: usize| {
            // Every game gives them a seed of its own.
            let player = game.player(&specs[index], 0)?;
            let check = player.limit_kinds().check(&limits[index]);
            check.map_err(|error| specs[index].error(error.to_string()))?;
            Ok(player)
        };
        Ok(Table { players: [player(0)?, player(1)?] })
    }

    /// Plays a game to its end; `None` if it was stopped.
    pub(crate) fn play(
        &mut self,
        fixture: &Fixture<'_>,
        plan: &Match,
        stop: &Stop,
    ) -> Option<Played> {
        for (index, player) in (0..).zip(&mut self.players) {
            player.new_game(Rng::stream(fixture.seed, index).next_u64());
        }
        let mut referee = Referee::new(fixture.opening, fixture.first, plan.conditions());
        // A player without a clock has all the time.
        let unlimited = TimeControl { start: Duration::MAX, increment: Duration::ZERO };
        let mut clocks = plan.clocks.map(|control| control.unwrap_or(unlimited).clock());
        let mut moves = Vec::new();
        let mut failure = None;
        let (outcome, end) = loop {
            // 1. Is the game over?
            if let Some(verdict) = referee.verdict() {
                break verdict;
            }

            // 2. Ask the player to move.
            let mover = referee.mover();
            let player = &mut self.players[mover.index()];
            let start = Instant::now();
            let report = match plan.clocks[mover.index()] {
                None => {
                    let limits = &plan.limits[mover.index()];
                    player.analyse(&referee.session, limits, stop, &mut |_| {})
                }
                Some(_) => {
                    let by_side = [Side::First, Side::Second]
                        .map(|side| clocks[Contestant::with_side(side, fixture.first).index()]);
                    player.analyse_on_clock(&referee.session, &by_side, stop, &mut |_| {})
                }
            };
            let elapsed = start.elapsed();
            if stop.is_set() {
                return None; // What a stopped search says is not what it would have played.
            }
            let clock = &mut clocks[mover.index()];
            match clock.remaining.checked_sub(elapsed) {
                Some(rest) => clock.remaining = rest.saturating_add(clock.increment),
                None => {
                    failure = Some(format!("out of time in ply {}", moves.len() + 1));
                    break referee.forfeit(EndReason::Time);
                }
            }

            // 3. Play its move, if it is one.
            let report = match report {
                Ok(report) => report,
                Err(error) => {
                    failure = Some(error.to_string());
                    break referee.forfeit(EndReason::NoMove);
                }
            };
            let Some(m) = report.best else { break referee.forfeit(EndReason::NoMove) };
            if !referee.session.legal_moves().contains(&m) {
                break referee.forfeit(EndReason::IllegalMove);
            }
            moves.push(MoveRecord {
                m: referee.session.move_text(m),
                seconds: elapsed.as_secs_f64(),
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
