//! A match: games between two players in pairs, one opening with sides swapped.
//!
//! Everything about game i follows from the match and i: its opening, who has which side, its seed
//! (stream i of the match's seed) and the seeds of the players (streams 0 and 1 of the game's). So
//! with limits that count, a match is the same bit for bit however many games run at once.

use std::collections::HashSet;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use spinney_session::{GameHandle, Limits, Rng, Session, Stop, TimeControl};

use crate::play::{Conditions, Played};
use crate::replay::replay;
use crate::score_sheet::{Forfeits, ScoreSheet};
use crate::{
    Adjudication, Contestant, EndReason, GameRecord, GameResult, Sprt, SprtState, Table, Tally,
    limits_text,
};

/// How soon a stop from outside reaches the players.
const STOP_LATENCY: Duration = Duration::from_millis(20);

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Match {
    /// The game.
    pub game: GameHandle,
    /// The players as text, A first.
    pub players: [String; 2],
    /// What each may use for a move, A first.
    pub limits: [Limits; 2],
    /// Clocks for the whole game, in place of the limits for a move; A first.
    pub clocks: [Option<TimeControl>; 2],
    /// Where games begin; used in turn, again from the first when they run out. Not empty.
    pub openings: Vec<Session>,
    /// The first game to be played; those before it are played elsewhere.
    pub first_game: u64,
    /// The number of games. If it is odd, the last one has no partner.
    pub games: u64,
    /// From it all randomness is derived.
    pub seed: u64,
    /// Plies of the players after which a game is a draw.
    pub max_plies: u32,
    /// Whether proven values end a game.
    pub adjudication: Adjudication,
    /// A test that may end the match.
    pub sprt: Option<Sprt>,
}

/// A game to be played.
#[derive(Clone, Debug)]
pub struct Fixture<'a> {
    /// Its number in the match, from 0.
    pub index: u64,
    /// Where it begins.
    pub opening: &'a Session,
    /// Who has the first side.
    pub first: Contestant,
    /// The seed of the game.
    pub seed: u64,
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// All games were played.
    Complete,
    /// The sequential test was decided.
    Sprt,
    /// It was stopped from outside.
    Stopped,
}

/// How a match stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The games that are done.
    pub tally: Tally,
    /// Where the test stands, if there is one.
    pub sprt: Option<SprtState>,
}

/// The result of a match. Infinite values are `null` in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The game, as the catalog of games names it.
    pub game: String,
    /// Player A.
    pub a: String,
    /// Player B.
    pub b: String,
    /// The seed of the match.
    pub seed: u64,
    /// The games that count.
    pub games: u64,
    /// Games that A won.
    pub wins_a: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that B won.
    pub wins_b: u64,
    /// Complete pairs by the half points of A, from 0 to 4.
    pub pairs: [u64; 5],
    /// The share of the points that A got, from 0 to 1.
    pub score_a: Option<f64>,
    /// The 95 % interval of `score_a`.
    pub interval: [f64; 2],
    /// The difference in Elo, as A sees it.
    pub elo: Option<f64>,
    /// The 95 % interval of `elo`.
    pub elo_interval: [f64; 2],
    /// The difference in normalised Elo, as A sees it.
    pub normalised_elo: Option<f64>,
    /// The 95 % interval of `normalised_elo`.
    pub normalised_elo_interval: [f64; 2],
    /// The likelihood that A is the stronger player.
    pub los: f64,
    /// Where the sequential test stands, if there is one.
    pub sprt: Option<SprtState>,
    /// Games that A lost because it gave no legal move, or none in time.
    pub forfeits_a: u64,
    /// Games that B lost because it gave no legal move, or none in time.
    pub forfeits_b: u64,
    /// What the last player to fail said of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Why the match ended.
    pub end: End,
    /// The time it took.
    pub seconds: f64,
}

impl Match {
    /// Game number `index`.
    pub fn fixture(&self, index: u64) -> Fixture<'_> {
        let pair = index / 2;
        Fixture {
            index,
            opening: &self.openings[(pair % self.openings.len() as u64) as usize],
            first: Contestant::first_in(index),
            seed: game_seed(self.seed, index),
        }
    }

    pub(crate) fn conditions(&self) -> Conditions {
        Conditions { max_plies: self.max_plies, adjudication: self.adjudication }
    }

    /// Plays all games, as many at once as there are tables. `on_game` is told of each in the order
    /// they end, with how the match stands; an error of it ends the match, as `stop` does.
    ///
    /// A sequential test looks at the pairs in their order, so that it ends at the same pair
    /// whatever the number of tables. Games beyond that pair do not count; `on_game` hears of those
    /// that ended before it did.
    pub fn run<E>(
        &self,
        tables: Vec<Table>,
        stop: &Stop,
        on_game: impl FnMut(&GameRecord, &Progress) -> Result<(), E>,
    ) -> Result<Summary, E> {
        self.resume(&[], tables, stop, on_game)
    }

    /// [`Match::run`] without the games that are done: they count, but are not played again.
    pub fn resume<E>(
        &self,
        done: &[GameRecord],
        tables: Vec<Table>,
        stop: &Stop,
        mut on_game: impl FnMut(&GameRecord, &Progress) -> Result<(), E>,
    ) -> Result<Summary, E> {
        let start = Instant::now();
        let halt = Stop::new();
        let mut score_sheet = ScoreSheet::new(self.sprt);
        let mut failure = None;
        let mut forfeits = Forfeits::default();
        let mut is_done = HashSet::new();
        for record in done {
            is_done.insert(record.index);
            if !score_sheet.is_decided() {
                score_sheet.enter(record.index, record.result);
                forfeits.enter(record);
            }
        }
        if score_sheet.is_decided() {
            halt.stop();
        }
        let next = AtomicU64::new(self.first_game);
        // Bounded, so that the players wait if the records cannot be kept as fast.
        let (sender, games) = mpsc::sync_channel(tables.len());
        thread::scope(|scope| {
            for mut table in tables {
                let (sender, next, halt, is_done) = (sender.clone(), &next, &halt, &is_done);
                scope.spawn(move || {
                    while !halt.is_set()
                        && let index = next.fetch_add(1, Ordering::Relaxed)
                        && index < self.games
                    {
                        if is_done.contains(&index) {
                            continue;
                        }
                        let Some(record) = self.play(&mut table, index, halt) else { break };
                        if sender.send(record).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender); // The channel closes when the last table is done.
            loop {
                let record = match games.recv_timeout(STOP_LATENCY) {
                    Ok(record) => Some(record),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if let Some(record) = record
                    && failure.is_none()
                    && !score_sheet.is_decided()
                {
                    score_sheet.enter(record.index, record.result);
                    forfeits.enter(&record);
                    failure = on_game(&record, &score_sheet.progress()).err();
                }
                if stop.is_set() || failure.is_some() || score_sheet.is_decided() {
                    halt.stop();
                }
            }
        });
        match failure {
            Some(error) => Err(error),
            None => Ok(self.summary(&score_sheet.progress(), forfeits, start.elapsed())),
        }
    }

    /// Plays one game; `None` if it was stopped.
    fn play(&self, table: &mut Table, index: u64, stop: &Stop) -> Option<GameRecord> {
        let fixture = self.fixture(index);
        let Played { moves, result, end, failure } = table.play(&fixture, self, stop)?;
        Some(GameRecord { moves, result, end, failure, ..self.unplayed(&fixture) })
    }

    /// What a player may use, in records.
    fn limit_text(&self, player: usize) -> String {
        match self.clocks[player] {
            Some(control) => format!("tc={control}"),
            None => limits_text(&self.limits[player]),
        }
    }

    /// The record of a game before its first move.
    fn unplayed(&self, fixture: &Fixture<'_>) -> GameRecord {
        let [a, b] = self.players.clone();
        GameRecord {
            game: self.game.to_string(),
            a,
            b,
            limit_a: self.limit_text(0),
            limit_b: self.limit_text(1),
            match_seed: self.seed,
            max_plies: Some(self.max_plies),
            adjudication: Some(self.adjudication),
            index: fixture.index,
            seed: fixture.seed,
            first: fixture.first,
            start: fixture.opening.start_text(),
            opening: fixture.opening.move_texts(),
            moves: Vec::new(),
            result: GameResult::Draw,
            end: EndReason::NoMove,
            failure: None,
        }
    }

    /// Checks that a record is of a game of this match, by its fixture and by replaying it; the error
    /// says what is wrong.
    pub fn claim(&self, record: &GameRecord) -> Result<(), String> {
        if record.index >= self.games {
            return Err(format!("game {}, but the match has {} games", record.index, self.games));
        }
        let fixture = self.fixture(record.index);
        let ours = self.unplayed(&fixture);
        let differ = |what: &str, theirs: &dyn Debug, ours: &dyn Debug| {
            let (theirs, ours) = (format!("{theirs:?}"), format!("{ours:?}"));
            if theirs == ours {
                return Ok(());
            }
            Err(format!("a game of another match: {what} is {theirs} there and {ours} here"))
        };
        differ("the game", &record.game, &ours.game)?;
        differ("player A", &record.a, &ours.a)?;
        differ("player B", &record.b, &ours.b)?;
        differ("the limit of A", &record.limit_a, &ours.limit_a)?;
        differ("the limit of B", &record.limit_b, &ours.limit_b)?;
        differ("the seed", &record.match_seed, &ours.match_seed)?;
        // Older records do not tell these two.
        if record.max_plies.is_some() {
            differ("the cap on plies", &record.max_plies, &ours.max_plies)?;
        }
        if record.adjudication.is_some() {
            differ("adjudication", &record.adjudication, &ours.adjudication)?;
        }
        differ("the start", &record.start, &ours.start)?;
        differ("the opening", &record.opening, &ours.opening)?;
        differ("the seed of the game", &record.seed, &ours.seed)?;
        differ("the first player", &record.first, &ours.first)?;
        replay(record, fixture.opening, self.conditions())
    }

    fn summary(&self, progress: &Progress, forfeits: Forfeits, elapsed: Duration) -> Summary {
        let Progress { tally, sprt } = progress;
        let [a, b] = self.players.clone();
        let [wins_b, draws, wins_a] = tally.games;
        let games = tally.count();
        Summary {
            game: self.game.to_string(),
            a,
            b,
            seed: self.seed,
            games,
            wins_a,
            draws,
            wins_b,
            pairs: tally.pairs,
            score_a: tally.score(),
            interval: tally.interval(),
            elo: tally.elo(),
            elo_interval: tally.elo_interval(),
            normalised_elo: tally.normalised_elo(),
            normalised_elo_interval: tally.normalised_elo_interval(),
            los: tally.likelihood_of_superiority(),
            sprt: *sprt,
            forfeits_a: forfeits.counts[Contestant::A.index()],
            forfeits_b: forfeits.counts[Contestant::B.index()],
            failure: forfeits.last_failure,
            end: match sprt {
                Some(SprtState { accepted: Some(_), .. }) => End::Sprt,
                _ if self.first_game + games == self.games => End::Complete,
                _ => End::Stopped,
            },
            seconds: elapsed.as_secs_f64(),
        }
    }
}

/// The seed of a game of a match.
pub(crate) fn game_seed(match_seed: u64, index: u64) -> u64 {
    Rng::stream(match_seed, index).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hypothesis;
    use spinney_session::{Failure, GameValue, Player, PlayerSpec, Registry, Report, Side};
    use std::convert::Infallible;

    fn game(name: &str) -> GameHandle {
        Registry::builtin().game(name).unwrap()
    }

    fn plan(game: &GameHandle, games: u64) -> Match {
        Match {
            game: game.clone(),
            players: ["random".to_owned(), "random".to_owned()],
            limits: [Limits::simulations(1); 2],
            clocks: [None; 2],
            openings: vec![game.start()],
            first_game: 0,
            games,
            seed: 7,
            max_plies: 2000,
            adjudication: Adjudication::Off,
            sprt: None,
        }
    }

    fn random_tables(game: &GameHandle, count: usize) -> Vec<Table> {
        let random: PlayerSpec = "random".parse().unwrap();
        let specs = [random.clone(), random];
        (0..count).map(|_| Table::new(&specs, game, &Default::default()).unwrap()).collect()
    }

    /// The games in their order and without times, and the summary.
    fn play(plan: &Match, tables: Vec<Table>) -> (Vec<GameRecord>, Summary) {
        let mut records = Vec::new();
        let summary = plan
            .run(tables, &Stop::new(), |record, _| {
                let mut record = record.clone();
                record.moves.iter_mut().for_each(|m| m.seconds = 0.0);
                records.push(record);
                Ok::<_, Infallible>(())
            })
            .unwrap();
        records.sort_by_key(|record| record.index);
        (records, Summary { seconds: 0.0, ..summary })
    }

    /// Always the first legal move, with a claim about the end.
    struct Claimant(fn(Side) -> Option<GameValue>);

    impl Player for Claimant {
        fn analyse(
            &mut self,
            session: &Session,
            _limits: &Limits,
            _stop: &Stop,
            _progress: &mut dyn FnMut(&Report),
        ) -> Result<Report, Failure> {
            let best = session.legal_moves().first().copied();
            let proven = (self.0)(session.to_move());
            Ok(Report { best, proven, ..Report::empty() })
        }

        fn new_game(&mut self, _seed: u64) {}
    }

    /// Never moves.
    struct Silent;

    impl Player for Silent {
        fn analyse(
            &mut self,
            _session: &Session,
            _limits: &Limits,
            _stop: &Stop,
            _progress: &mut dyn FnMut(&Report),
        ) -> Result<Report, Failure> {
            Err(Failure::Program("silence".to_owned()))
        }

        fn new_game(&mut self, _seed: u64) {}
    }

    #[test]
    fn openings_are_played_twice_with_sides_swapped() {
        let start = game("breakthrough");
        let mut plan = plan(&start, 7);
        plan.openings = ["a2-a3", "b2-b3"].map(|m| start.read(None, [m]).unwrap()).into();
        let (records, summary) = play(&plan, random_tables(&start, 1));
        let openings: Vec<&str> = records.iter().map(|r| r.opening[0].as_str()).collect();
        assert_eq!(openings, ["a2-a3", "a2-a3", "b2-b3", "b2-b3", "a2-a3", "a2-a3", "b2-b3"]);
        for record in &records {
            let first = if record.index % 2 == 0 { Contestant::A } else { Contestant::B };
            assert_eq!(record.first, first);
        }
        let mut seeds: Vec<u64> = records.iter().map(|record| record.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 7);
        assert_ne!(records[0].moves, records[4].moves, "seeds of games differ");
        assert_eq!((summary.games, summary.pairs.iter().sum::<u64>()), (7, 3));
        assert_eq!(summary.end, End::Complete);
    }

    #[test]
    fn concurrency_does_not_change_the_games() {
        let start = game("breakthrough");
        let plan = plan(&start, 60);
        let one = play(&plan, random_tables(&start, 1));
        for tables in [2, 5] {
            assert_eq!(play(&plan, random_tables(&start, tables)), one);
        }
        let other = Match { seed: 8, ..plan };
        assert_ne!(play(&other, random_tables(&start, 1)).0, one.0);
    }

    #[test]
    fn a_sequential_test_ends_the_match_at_the_same_pair() {
        let start = game("tictactoe");
        let mut plan = plan(&start, 100_000);
        plan.sprt = Some("-300,-100".parse().unwrap()); // Equal players: H1 is nearer.
        let (records, one) = play(&plan, random_tables(&start, 1));
        assert_eq!((one.end, one.games), (End::Sprt, records.len() as u64));
        assert_eq!(one.sprt.unwrap().accepted, Some(Hypothesis::H1));
        assert!(one.games < 1000 && one.games.is_multiple_of(2), "{}", one.games);
        assert_eq!(play(&plan, random_tables(&start, 3)).1, one);
    }

    #[test]
    fn proven_values_end_games_only_if_asked() {
        let start = game("breakthrough");
        let claims = |a: fn(Side) -> _, b: fn(Side) -> _| {
            vec![Table { players: [Box::new(Claimant(a)), Box::new(Claimant(b))] }]
        };
        let first_wins: fn(Side) -> Option<GameValue> = |side| match side {
            Side::First => Some(GameValue::Win),
            Side::Second => Some(GameValue::Loss),
        };
        let unsure: fn(Side) -> Option<GameValue> = |_| None;
        let played = |adjudication, a, b| {
            let plan = Match { adjudication, ..plan(&start, 2) };
            let (records, _) = play(&plan, claims(a, b));
            records.iter().map(|r| (r.moves.len(), r.result, r.end)).collect::<Vec<_>>()
        };
        use GameResult::{A, B};
        let off = played(Adjudication::Off, first_wins, first_wins);
        assert!(off.iter().all(|&(_, _, end)| end == EndReason::Rules), "{off:?}");
        assert_eq!(
            played(Adjudication::One, first_wins, unsure),
            [(1, A, EndReason::Proven), (2, B, EndReason::Proven)]
        );
        assert_eq!(
            played(Adjudication::Both, first_wins, first_wins),
            [(2, A, EndReason::Proven), (2, B, EndReason::Proven)]
        );
        assert_eq!(played(Adjudication::Both, first_wins, unsure), off);
    }

    #[test]
    fn games_end_by_cap_and_by_silence() {
        let start = game("breakthrough");
        let capped = Match { max_plies: 3, ..plan(&start, 2) };
        for record in play(&capped, random_tables(&start, 1)).0 {
            assert_eq!((record.result, record.end), (GameResult::Draw, EndReason::PlyLimit));
            assert_eq!(record.moves.len(), 3);
        }
        let silent = Table { players: [Box::new(Silent), Box::new(Claimant(|_| None))] };
        let (records, summary) = play(&plan(&start, 2), vec![silent]);
        for record in records {
            assert_eq!((record.result, record.end), (GameResult::B, EndReason::NoMove));
            assert_eq!(record.failure.as_deref(), Some("silence"));
        }
        assert_eq!((summary.forfeits_a, summary.forfeits_b), (2, 0));
        assert_eq!(summary.failure.as_deref(), Some("silence"));
    }

    #[test]
    fn a_stop_and_an_error_end_the_match() {
        let start = game("breakthrough");
        let plan = plan(&start, 1_000_000);
        let stop = Stop::new();
        let summary = plan
            .run(random_tables(&start, 2), &stop, |_, progress| {
                if progress.tally.count() == 10 {
                    stop.stop();
                }
                Ok::<_, Infallible>(())
            })
            .unwrap();
        assert!((10..1_000_000).contains(&summary.games), "{}", summary.games);
        assert_eq!(summary.end, End::Stopped);
        let error = plan.run(random_tables(&start, 2), &Stop::new(), |_, _| Err("full"));
        assert_eq!(error, Err("full"));
    }

    #[test]
    fn records_are_read_back() {
        let start = game("tictactoe");
        let (records, _) = play(&plan(&start, 2), random_tables(&start, 1));
        for record in records {
            let line = serde_json::to_string(&record).unwrap();
            assert!(!line.contains('\n') && line.contains(r#""move":"#), "{line}");
            assert_eq!(serde_json::from_str::<GameRecord>(&line).unwrap(), record);
        }
    }
}
