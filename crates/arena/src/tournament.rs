//! Tournaments: matches between many players, and their ratings.

use spinney_session::Limits;

use crate::Tally;
use crate::experiment::{MatchTask, Store, StoreError, Task};
use crate::ratings::{Encounter, Ratings};

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairings {
    /// Everybody plays everybody.
    RoundRobin,
    /// The first player plays everybody else.
    Gauntlet,
    /// Everybody plays the next one.
    Neighbours,
}

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The game.
    pub game: String,
    /// The players as text.
    pub players: Vec<String>,
    /// What each may use for a move.
    pub limit: Limits,
    /// The text of a file of openings; empty for the start position.
    pub openings: String,
    /// Rounds; two games of each pair in each, with sides swapped.
    pub rounds: u64,
    /// The seed.
    pub seed: u64,
    /// Plies after which a game is a draw.
    pub max_plies: u32,
    /// Who plays whom.
    pub pairings: Pairings,
}

/// A player's place.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The player.
    pub player: String,
    /// Games and points.
    pub games: u64,
    /// Points in these games.
    pub points: f64,
    /// The rating above the mean of all players.
    pub elo: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
}

impl Tournament {
    /// The matches: two players by number, and the task.
    pub fn matches(&self) -> Vec<(usize, usize, Task)> {
        let mut matches = Vec::new();
        for i in 0..self.players.len() {
            for j in i + 1..self.players.len() {
                let is_paired = match self.pairings {
                    Pairings::RoundRobin => true,
                    Pairings::Gauntlet => i == 0,
                    Pairings::Neighbours => j == i + 1,
                };
                if is_paired {
                    matches.push((i, j, self.task(i, j)));
                }
            }
        }
        matches
    }

    fn task(&self, i: usize, j: usize) -> Task {
        Task::Match(MatchTask {
            game: self.game.clone(),
            players: [self.players[i].clone(), self.players[j].clone()],
            limits: [self.limit; 2],
            openings: self.openings.clone(),
            seed: self.seed,
            max_plies: self.max_plies,
        })
    }

    /// The number of games of each match.
    pub fn games(&self) -> u64 {
        2 * self.rounds
    }

    /// The players as they stand, the best first.
    pub fn standings(&self, store: &Store) -> Result<Vec<Standing>, StoreError> {
        let mut encounters: Vec<Encounter> = Vec::new();
        for (i, j, task) in self.matches() {
            encounters.push((i, j, store.tally(&task, self.games())?));
        }
        let ratings = Ratings::new(self.players.len(), &encounters);
        let standing = |number: usize| {
            let own = encounters.iter().fold(Tally::default(), |own, &(i, j, tally)| {
                match (i == number, j == number) {
                    (true, _) => own.plus(&tally),
                    (_, true) => own.plus(&tally.reversed()),
                    _ => own,
                }
            });
            let (elo, interval) = ratings.above_mean(number);
            let points = own.score().unwrap_or(0.0) * own.count() as f64;
            let player = self.players[number].clone();
            Standing { player, games: own.count(), points, elo, interval }
        };
        let mut standings: Vec<Standing> = (0..self.players.len()).map(standing).collect();
        standings.sort_by(|a, b| b.elo.total_cmp(&a.elo));
        Ok(standings)
    }
}
