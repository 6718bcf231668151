//! The results of a match as they come: counts, forfeits, and the sequential test.

use std::collections::BTreeMap;

use crate::{Contestant, GameRecord, GameResult, Progress, Sprt, SprtState, Tally};

/// How a match stands after games with these numbers. Once a test is decided, only the games up to
/// the pair that decided it count.
pub fn standing(
    results: impl IntoIterator<Item = (u64, GameResult)>,
    sprt: Option<Sprt>,
) -> Progress {
    let mut sheet = ScoreSheet::new(sprt);
    for (index, result) in results {
        if sheet.is_decided() {
            break;
        }
        sheet.enter(index, result);
    }
    sheet.progress()
}

/// Games that ended because a player did not play on.
#[derive(Default)]
pub(crate) struct Forfeits {
    /// By the loser, A first.
    pub(crate) counts: [u64; 2],
    pub(crate) last_failure: Option<String>,
}

impl Forfeits {
    pub(crate) fn enter(&mut self, record: &GameRecord) {
        if !record.end.is_forfeit() {
            return;
        }
        let loser = match record.result {
            GameResult::A => Contestant::B,
            GameResult::B => Contestant::A,
            GameResult::Draw => return,
        };
        self.counts[loser.index()] += 1;
        if record.failure.is_some() {
            self.last_failure.clone_from(&record.failure);
        }
    }
}

/// The results so far, in whatever order they come.
pub(crate) struct ScoreSheet {
    tally: Tally,
    /// Results of games whose pair is not complete, or not yet looked at by the test.
    open: BTreeMap<u64, GameResult>,
    test: Option<Test>,
}

/// A sequential test that takes the pairs in their order.
struct Test {
    sprt: Sprt,
    /// The pairs it has seen, all those before the first one that is not complete.
    seen: Tally,
    state: SprtState,
}

impl ScoreSheet {
    pub(crate) fn new(sprt: Option<Sprt>) -> Self {
        let test =
            sprt.map(|sprt| Test { sprt, seen: Tally::default(), state: sprt.state(&[0; 5]) });
        ScoreSheet { tally: Tally::default(), open: BTreeMap::new(), test }
    }

    pub(crate) fn enter(&mut self, index: u64, result: GameResult) {
        let partner = index ^ 1;
        self.tally.add(result, self.open.get(&partner).copied());
        self.open.insert(index, result);
        match &mut self.test {
            None if self.open.contains_key(&partner) => {
                self.open.remove(&partner);
                self.open.remove(&index);
            }
            None => {}
            Some(test) => test.advance(&mut self.open),
        }
    }

    pub(crate) fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(Test::is_decided)
    }

    pub(crate) fn progress(&self) -> Progress {
        match &self.test {
            Some(test) if test.is_decided() => {
                Progress { tally: test.seen, sprt: Some(test.state) }
            }
            test => Progress { tally: self.tally, sprt: test.as_ref().map(|test| test.state) },
        }
    }
}

impl Test {
    fn is_decided(&self) -> bool {
        self.state.accepted.is_some()
    }

    /// Takes the next pairs from `open` as long as they are complete.
    fn advance(&mut self, open: &mut BTreeMap<u64, GameResult>) {
        while !self.is_decided() {
            let index = self.seen.count();
            let (Some(&first), Some(&second)) = (open.get(&index), open.get(&(index + 1))) else {
                return;
            };
            open.remove(&index);
            open.remove(&(index + 1));
            self.seen.add(first, None);
            self.seen.add(second, Some(first));
            self.state = self.sprt.state(&self.seen.pairs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_tested_in_their_order() {
        use GameResult::{A, B};
        let mut sheet = ScoreSheet::new(Some("0,400".parse().unwrap()));
        // Pairs 1 to 20 go to A, but pair 0 is not complete.
        for index in 2..42 {
            sheet.enter(index, A);
        }
        assert_eq!((sheet.is_decided(), sheet.progress().tally.games[2]), (false, 40));
        sheet.enter(1, B);
        sheet.enter(0, A);
        assert!(sheet.is_decided());
        let tally = sheet.progress().tally;
        assert!(tally.count() < 42 && tally.pairs[2] == 1, "{tally:?}");
    }
}
