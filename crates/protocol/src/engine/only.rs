//! A search among some moves only, with any player: `go searchmoves`.
//!
//! Players know nothing of it: they are asked about the positions after the moves, in turn. Limits
//! are shared evenly; without any, rounds of growing length follow each other until the search is
//! stopped.

use std::time::{Duration, Instant};

use spinney_game::{History, Repetition};
use spinney_players::Player;
use spinney_search::{Candidate, GameValue, Limits, Report, Stop};

/// The time for each move in the first round of a search without limits; every round doubles it.
const FIRST_ROUND: Duration = Duration::from_millis(50);

/// Searches `moves`, legal ones and at least one, at the present position.
pub(super) fn analyse<G: Repetition>(
    player: &mut dyn Player<G>,
    history: &History<G>,
    moves: &[G::Move],
    limits: &Limits,
    stop: &Stop,
    progress: &mut dyn FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    let started = Instant::now();
    let mut candidates: Vec<Candidate<G::Move>> = moves.iter().map(|&m| untried(m)).collect();
    let mut report = Report::empty();
    let mut round = FIRST_ROUND;
    loop {
        let share = share(limits, moves.len(), round);
        for &m in moves {
            let mut next = history.clone();
            next.play(m);
            let found = match next.outcome() {
                Some(outcome) => finished(GameValue::of(outcome, next.position().to_move())),
                None if stop.is_set() => continue,
                None => player.analyse(&next, &share, stop, &mut |_| ()),
            };
            report.simulations += found.simulations;
            report.nodes += found.nodes;
            if let Some(candidate) = candidates.iter_mut().find(|candidate| candidate.m == m) {
                *candidate = from_root(m, found);
            }
            summarise(&mut report, &mut candidates);
            report.elapsed = started.elapsed();
            progress(&report);
        }
        let proven = candidates.iter().all(|candidate| candidate.proven.is_some());
        if *limits != Limits::default() || stop.is_set() || proven {
            summarise(&mut report, &mut candidates);
            return report;
        }
        round = round.saturating_mul(2);
    }
}

/// The limits for one of `count` moves.
fn share(limits: &Limits, count: usize, round: Duration) -> Limits {
    if *limits == Limits::default() {
        return Limits::time(round);
    }
    let parts = count.max(1) as u64;
    Limits {
        time: limits.time.map(|time| time / u32::try_from(parts).unwrap_or(u32::MAX)),
        simulations: limits.simulations.map(|simulations| simulations.div_ceil(parts)),
        nodes: limits.nodes.map(|nodes| nodes.div_ceil(parts)),
        depth: limits.depth.map(|depth| depth.saturating_sub(1).max(1)),
    }
}

fn untried<M: Copy>(m: M) -> Candidate<M> {
    Candidate { m, visits: 0, value: -1.0, proven: None, plies: None, pv: vec![m] }
}

fn finished<M>(value_for_mover: GameValue) -> Report<M> {
    Report {
        value: value_for_mover.score().into(),
        proven: Some(value_for_mover),
        plies: Some(0),
        ..Report::empty()
    }
}

/// What was found after `m`, as the side that plays it sees it.
fn from_root<M: Copy>(m: M, found: Report<M>) -> Candidate<M> {
    Candidate {
        m,
        visits: found.simulations.max(1),
        value: -found.value,
        proven: found.proven.map(GameValue::for_opponent),
        plies: found.plies.map(|plies| plies + 1),
        pv: std::iter::once(m).chain(found.pv).collect(),
    }
}

/// Puts the best move first: the quickest win, the longest loss.
fn summarise<M: Copy>(report: &mut Report<M>, candidates: &mut [Candidate<M>]) {
    let rank = |candidate: &Candidate<M>| {
        let plies = f64::from(candidate.plies.unwrap_or(0));
        match candidate.proven {
            Some(GameValue::Win) => 1e9 - plies,
            Some(GameValue::Loss) => plies - 1e9,
            Some(GameValue::Draw) | None => candidate.value,
        }
    };
    candidates.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    if let Some(best) = candidates.first() {
        report.best = Some(best.m);
        (report.value, report.proven, report.plies) = (best.value, best.proven, best.plies);
        report.pv.clone_from(&best.pv);
    }
    // The best is proven as the best only if no other may be better.
    let open = candidates.iter().any(|candidate| candidate.proven.is_none());
    if open && report.proven != Some(GameValue::Win) {
        (report.proven, report.plies) = (None, None);
    }
    report.candidates = candidates.to_vec();
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_game::Notation;
    use spinney_games::tictactoe::TicTacToe;

    fn search(
        position: &str,
        moves: &[&str],
        limits: Limits,
    ) -> Report<<TicTacToe as spinney_game::Game>::Move> {
        let start = TicTacToe::default();
        let mut player = spinney_players::create(&"uct".parse().unwrap(), &start, 1).unwrap();
        let position = start.parse_position(position).unwrap();
        let moves: Vec<_> = moves.iter().map(|m| position.parse_move(m).unwrap()).collect();
        let history = History::new(position);
        analyse(player.as_mut(), &history, &moves, &limits, &Stop::new(), &mut |_| ())
    }

    #[test]
    fn only_the_named_moves_are_judged() {
        // c3 wins at once; a1 loses to a2 … c2 if x does not block: o threatens b-row.
        let position = "xx1/oo1/3 x";
        let limits = Limits::simulations(5000);
        let win = search(position, &["a1", "c3"], limits);
        assert_eq!((win.proven, win.plies), (Some(GameValue::Win), Some(1)));
        let loss = search(position, &["a1", "b1"], limits);
        assert_eq!((loss.proven, loss.plies), (Some(GameValue::Loss), Some(2)));
        assert_eq!(loss.candidates.len(), 2);
        let block = search(position, &["c2", "a1"], limits);
        let start = TicTacToe::default().parse_position(position).unwrap();
        assert_eq!(start.move_text(block.best.unwrap()), "c2");
        // Without limits it goes on until all is proven.
        assert_eq!(search(position, &["a1"], Limits::default()).proven, Some(GameValue::Loss));
    }
}
