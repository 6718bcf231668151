//! One game: two players at a table.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use spinney_game::{Outcome, Rng};
use spinney_games::catalog::Playable;
use spinney_players::{Player, PlayerError, PlayerSpec};
use spinney_protocol::create;
use spinney_search::{GameValue, Limits, Stop};

use crate::{Contestant, EndReason, Fixture, GameResult, MoveRecord};

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

/// What holds for every game of a match.
pub(crate) struct Conditions {
    pub(crate) limits: [Limits; 2],
    pub(crate) max_plies: u32,
    pub(crate) adjudication: Adjudication,
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
        conditions: &Conditions,
        stop: &Stop,
    ) -> Option<Played> {
        for (index, player) in (0..).zip(&mut self.players) {
            player.new_game(Rng::stream(fixture.seed, index).next_u64());
        }
        let mut history = fixture.opening.history.clone();
        let mut moves = Vec::new();
        // What each player has proved, as of its last move.
        let mut proven: [Option<Outcome>; 2] = [None; 2];
        let mut legal = Vec::new();
        let mut failure = None;
        let (outcome, end) = loop {
            // 1. Is the game over?
            if let Some(outcome) = history.position().outcome() {
                break (outcome, EndReason::Rules);
            }
            if let Some(outcome) = history.outcome() {
                break (outcome, EndReason::Repetition);
            }
            let proofs = match conditions.adjudication {
                Adjudication::Off => None,
                Adjudication::One => proven[0].or(proven[1]),
                Adjudication::Both => proven[0].filter(|_| proven[0] == proven[1]),
            };
            if let Some(outcome) = proofs {
                break (outcome, EndReason::Proven);
            }
            if moves.len() >= conditions.max_plies as usize {
                break (Outcome::Draw, EndReason::PlyLimit);
            }

            // 2. Ask the player to move.
            let position = history.position();
            let side = position.to_move();
            let mover = Contestant::with_side(side, fixture.first);
            let start = Instant::now();
            let report = self.players[mover.index()].analyse(
                &history,
                &conditions.limits[mover.index()],
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
                break (Outcome::Win(!side), EndReason::NoMove);
            };
            legal.clear();
            position.legal_moves(&mut legal);
            if !legal.contains(&m) {
                break (Outcome::Win(!side), EndReason::IllegalMove);
            }
            moves.push(MoveRecord {
                m: position.move_text(m),
                seconds,
                simulations: report.simulations,
                nodes: report.nodes,
                value: report.value,
                proven: report.proven.map(|value| value.name().to_owned()),
            });
            proven[mover.index()] = report.proven.map(|value| match value {
                GameValue::Win => Outcome::Win(side),
                GameValue::Draw => Outcome::Draw,
                GameValue::Loss => Outcome::Win(!side),
            });
            history.play(m);
        };
        Some(Played { moves, result: GameResult::of(outcome, fixture.first), end, failure })
    }
}
