//! A search among some moves only, with any player: `go searchmoves`.
//!
//! Players know nothing of it: they are asked about the positions after the moves, in turn. Limits
//! are shared evenly; without any, rounds of growing length follow each other until the search is
//! stopped.

use std::time::{Duration, Instant};

use spinney_session::{
    Candidate, Failure, GameValue, Limits, PackedMove, Player, Report, Session, Stop,
};

/// The time for each move in the first round of a search without limits; every round doubles it.
const FIRST_ROUND: Duration = Duration::from_millis(50);

/// Searches `moves`, legal ones and at least one, at the present position.
pub(super) fn analyse(
    player: &mut dyn Player,
    session: &Session,
    moves: &[PackedMove],
    limits: &Limits,
    stop: &Stop,
    progress: &mut dyn FnMut(&Report),
) -> Result<Report, Failure> {
    let started = Instant::now();
    let mut candidates: Vec<Candidate> = moves.iter().map(|&m| untried(m)).collect();
    let mut report = Report::empty();
    let mut round = FIRST_ROUND;
    loop {
        let share = share(limits, moves.len(), round);
        for &m in moves {
            let mut next = session.clone();
            next.play(m);
            if next.outcome().is_none() && stop.is_set() {
                continue;
            }
            let found = player.analyse(&next, &share, stop, &mut |_| ())?;
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
            return Ok(report);
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

fn untried(m: PackedMove) -> Candidate {
    Candidate { m, visits: 0, value: -1.0, proven: None, plies: None, pv: vec![m] }
}

/// What was found after `m`, as the side that plays it sees it.
fn from_root(m: PackedMove, found: Report) -> Candidate {
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
fn summarise(report: &mut Report, candidates: &mut [Candidate]) {
    let rank = |candidate: &Candidate| {
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
    use spinney_session::Registry;

    fn search(position: &str, moves: &[&str], limits: Limits) -> (Session, Report) {
        let game = Registry::builtin().game("tictactoe").unwrap();
        let mut player = game.player(&"uct".parse().unwrap(), 1).unwrap();
        let session = game.at(Some(position)).unwrap();
        let moves: Vec<_> = moves.iter().map(|m| session.parse_move(m).unwrap()).collect();
        let report = analyse(player.as_mut(), &session, &moves, &limits, &Stop::new(), &mut |_| ());
        (session, report.unwrap())
    }

    #[test]
    fn only_the_named_moves_are_judged() {
        // c3 wins at once; a1 loses to a2 … c2 if x does not block: o threatens b-row.
        let position = "xx1/oo1/3 x";
        let limits = Limits::simulations(5000);
        let (_, win) = search(position, &["a1", "c3"], limits);
        assert_eq!((win.proven, win.plies), (Some(GameValue::Win), Some(1)));
        let (_, loss) = search(position, &["a1", "b1"], limits);
        assert_eq!((loss.proven, loss.plies), (Some(GameValue::Loss), Some(2)));
        assert_eq!(loss.candidates.len(), 2);
        let (session, block) = search(position, &["c2", "a1"], limits);
        assert_eq!(session.move_text(block.best.unwrap()), "c2");
        // Without limits it runs until everything is proven.
        assert_eq!(search(position, &["a1"], Limits::default()).1.proven, Some(GameValue::Loss));
    }
}
