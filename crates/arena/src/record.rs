//! What is kept of a game: one line of JSON, enough to play it over.

use serde::{Deserialize, Serialize};
use spinney_session::{Outcome, Side};

use crate::{Adjudication, Record};

/// One of the two players of a match, whichever side it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contestant {
    /// The player named first.
    A,
    /// The player named second.
    B,
}

impl Contestant {
    /// 0 for A, 1 for B.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The player who has the first side in game `index` of a match: A in even games.
    pub const fn first_in(index: u64) -> Contestant {
        if index.is_multiple_of(2) { Contestant::A } else { Contestant::B }
    }

    /// The other one.
    pub const fn opponent(self) -> Contestant {
        match self {
            Contestant::A => Contestant::B,
            Contestant::B => Contestant::A,
        }
    }

    /// The side this player has, if `first` has the first side.
    pub fn side(self, first: Contestant) -> Side {
        if self == first { Side::First } else { Side::Second }
    }

    /// The player who has this side, if `first` has the first side.
    pub fn with_side(side: Side, first: Contestant) -> Contestant {
        match side {
            Side::First => first,
            Side::Second => first.opponent(),
        }
    }
}

/// Who won a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameResult {
    /// Player A.
    A,
    /// Nobody.
    Draw,
    /// Player B.
    B,
}

impl GameResult {
    /// The result of a game in which `first` had the first side.
    pub fn of(outcome: Outcome, first: Contestant) -> GameResult {
        match outcome {
            Outcome::Draw => GameResult::Draw,
            Outcome::Win(side) => match Contestant::with_side(side, first) {
                Contestant::A => GameResult::A,
                Contestant::B => GameResult::B,
            },
        }
    }

    /// What A gets: 2 for a win, 1 for a draw, 0 for a loss.
    pub const fn half_points_a(self) -> usize {
        match self {
            GameResult::A => 2,
            GameResult::Draw => 1,
            GameResult::B => 0,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// The rules of the game, repetition aside.
    Rules,
    /// A repeated position.
    Repetition,
    /// The cap on plies: a draw.
    PlyLimit,
    /// Adjudicated, since a player proved the value.
    Proven,
    /// The player to move gave no move, and lost.
    NoMove,
    /// The player to move gave an illegal move, and lost.
    IllegalMove,
    /// The clock of the player to move ran out, and it lost.
    Time,
}

impl EndReason {
    /// Whether the loser lost because it did not play on.
    pub const fn is_forfeit(self) -> bool {
        matches!(self, EndReason::NoMove | EndReason::IllegalMove | EndReason::Time)
    }
}

/// A game of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The game that was played, as the catalog of games names it.
    pub game: String,
    /// Player A.
    pub a: String,
    /// Player B.
    pub b: String,
    /// What A might use for a move, or for the game: `tc=10+0.1`.
    pub limit_a: String,
    /// What B might use.
    pub limit_b: String,
    /// The seed of the match.
    pub match_seed: u64,
    /// Plies after which a game of the match is a draw; older records do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// Whether proven values end games of the match; older records do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<Adjudication>,
    /// The number of the game in the match, from 0. Games 2k and 2k + 1 are a pair: one opening,
    /// sides swapped.
    pub index: u64,
    /// The seed of this game.
    pub seed: u64,
    /// Who had the side that moves first in the game's start position.
    pub first: Contestant,
    /// The position before the moves of the opening.
    pub start: String,
    /// The moves of the opening.
    pub opening: Vec<String>,
    /// The moves of the players.
    pub moves: Vec<MoveRecord>,
    /// Who won.
    pub result: GameResult,
    /// Why the game ended.
    pub end: EndReason,
    /// Why the player to move gave no move, if it said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl Record for GameRecord {
    fn index(&self) -> u64 {
        self.index
    }

    fn is_timed(&self) -> bool {
        [&self.limit_a, &self.limit_b]
            .iter()
            .any(|limit| limit.contains("time=") || limit.contains("tc="))
    }
}

/// A move, and what its player said of it. Values are as that player sees them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move.
    #[serde(rename = "move")]
    pub m: String,
    /// The time it took, as the arena measured it.
    pub seconds: f64,
    /// Simulations.
    pub simulations: u64,
    /// Nodes, as the search counts them.
    pub nodes: u64,
    /// The expected result, from -1 to 1.
    pub value: f64,
    /// The proven value: `win`, `loss` or `draw`.
    pub proven: Option<String>,
}

/// The name that a value has in records.
pub(crate) fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}
