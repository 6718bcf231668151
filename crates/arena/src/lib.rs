//! Matches between players: pairings, records and statistics.
//!
//! A [`Match`] is a list of [`Fixture`]s, each fully decided by the match and its number; they are
//! played at [`Table`]s, one game at a time each. Every game yields a [`GameRecord`]; the counts of
//! all games are a [`Tally`], from which the statistics come.

mod cores;
pub mod experiment;
mod game_text;
mod limits;
mod matches;
mod opening;
mod play;
mod ratings;
mod record;
mod record_file;
mod replay;
mod score_sheet;
mod self_play;
mod sprt;
mod statistics;
mod tournament;
mod tuning;

pub use cores::games_at_once;
pub use game_text::{GameTextError, game_text};
pub use limits::{limits_text, parse_limits, parse_time, quantity};
pub use matches::{End, Fixture, Match, Progress, Summary};
pub use opening::{OpeningError, read_openings};
pub use play::{Adjudication, Table};
pub use ratings::{Encounter, Ratings, performance};
pub use record::{Contestant, EndReason, GameRecord, GameResult, MoveRecord};
pub use record_file::{Journal, Record, RecordFile, RecordFileError};
pub use replay::read_games;
pub use score_sheet::standing;
pub use self_play::{Note, Sample, SelfPlay};
pub use sprt::{Hypothesis, Sprt, SprtError, SprtState};
pub use statistics::{Tally, elo_of_score, score_of_elo};
pub use tournament::{Pairings, Standing, Tournament};
pub use tuning::{Iteration, Tuning, Varied};
