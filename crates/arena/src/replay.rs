//! Records are checked before they are used: a game is replayed from its opening, and must end where
//! and as the record says.

use std::collections::HashMap;
use std::path::Path;

use spinney_session::{GameValue, Registry, Session};

use crate::matches::game_seed;
use crate::play::{Conditions, Referee};
use crate::record::word;
use crate::{
    Adjudication, Contestant, EndReason, GameRecord, GameResult, RecordFile, RecordFileError,
};

/// Replays a game: every move is legal, the game ends with the last one and not before, and the
/// result is the one of the rules, or of a forfeit by the player to move.
pub(crate) fn replay(
    record: &GameRecord,
    opening: &Session,
    conditions: Conditions,
) -> Result<(), String> {
    let mut referee = Referee::new(opening, record.first, conditions);
    for (number, played) in (1..).zip(&record.moves) {
        if let Some((_, end)) = referee.verdict() {
            return Err(format!("move {number}: the game is over before it ({})", word(&end)));
        }
        let m = referee
            .session
            .parse_move(&played.m)
            .map_err(|error| format!("move {number}: {error}"))?;
        let proven = match &played.proven {
            None => None,
            Some(name) => Some(
                GameValue::named(name)
                    .ok_or_else(|| format!("move {number}: {name:?} is no proven value"))?,
            ),
        };
        referee.play(m, proven);
    }
    let (outcome, end) = match referee.verdict() {
        Some(verdict) => verdict,
        None if record.end.is_forfeit() => referee.forfeit(record.end),
        None => return Err(format!("the game is not over after move {}", record.moves.len())),
    };
    let result = GameResult::of(outcome, record.first);
    if (result, end) == (record.result, record.end) {
        return Ok(());
    }
    let text = |result: GameResult, end: EndReason| format!("{} ({})", word(&result), word(&end));
    Err(format!(
        "the result is {}, but the moves give {}",
        text(record.result, record.end),
        text(result, end)
    ))
}

impl GameRecord {
    /// Checks a game whose match is not known: its side and seed are those of its number, and a replay
    /// ends as the record says.
    pub fn check(&self, registry: &Registry) -> Result<(), String> {
        if self.first != Contestant::first_in(self.index) {
            return Err(format!("game {}: the sides are swapped", self.index));
        }
        if self.seed != game_seed(self.match_seed, self.index) {
            return Err(format!("game {}: the seed is that of another game", self.index));
        }
        let game = registry.game(&self.game).map_err(|error| error.to_string())?;
        let mut opening = game.at(Some(&self.start)).map_err(|error| error.to_string())?;
        opening.play_texts(&self.opening).map_err(|error| format!("the opening: {error}"))?;
        // Older records do not tell the conditions: any that explain the end will do.
        let is_capped = self.end == EndReason::PlyLimit;
        let max_plies = self.max_plies.unwrap_or(match u32::try_from(self.moves.len()) {
            Ok(plies) if is_capped => plies,
            _ => u32::MAX,
        });
        let judged = |adjudication| replay(self, &opening, Conditions { max_plies, adjudication });
        match self.adjudication {
            Some(adjudication) => judged(adjudication),
            None => judged(Adjudication::Off)
                .or_else(|problem| judged(Adjudication::One).map_err(|_| problem))
                .or_else(|problem| judged(Adjudication::Both).map_err(|_| problem)),
        }
    }

    /// Checks that another game can be of the same match. Older records do not tell all settings.
    fn check_match(&self, other: &GameRecord) -> Result<(), String> {
        let settings = |record: &GameRecord| {
            [
                ("the game", Some(record.game.clone())),
                ("player A", Some(record.a.clone())),
                ("player B", Some(record.b.clone())),
                ("the limit of A", Some(record.limit_a.clone())),
                ("the limit of B", Some(record.limit_b.clone())),
                ("the seed", Some(record.match_seed.to_string())),
                ("the cap on plies", record.max_plies.map(|plies| plies.to_string())),
                ("adjudication", record.adjudication.map(|judges| word(&judges))),
            ]
        };
        for ((what, first), (_, here)) in settings(self).into_iter().zip(settings(other)) {
            if let (Some(first), Some(here)) = (first, here)
                && first != here
            {
                return Err(format!("{what} is {here}, and {first} in the first game of the file"));
            }
        }
        Ok(())
    }
}

/// Reads a file of games whose match is not known. Every game is checked by itself, all are of one
/// match, and the two games of a pair have one opening.
pub fn read_games(registry: &Registry, path: &Path) -> Result<Vec<GameRecord>, RecordFileError> {
    let mut first: Option<GameRecord> = None;
    let mut openings: HashMap<u64, (String, Vec<String>)> = HashMap::new();
    RecordFile::read(path, |record: &GameRecord| {
        first.get_or_insert_with(|| record.clone()).check_match(record)?;
        let opening = (record.start.clone(), record.opening.clone());
        let of_pair = openings.entry(record.index / 2).or_insert_with(|| opening.clone());
        if *of_pair != opening {
            let partner = record.index ^ 1;
            return Err(format!(
                "the opening is not that of game {partner}, the other of the pair"
            ));
        }
        record.check(registry)
    })
}
