//! Many positions at once, for numpy: playouts, and self-play. Numbers cross the border as bytes.

use std::collections::HashSet;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use spinney_arena::{Sample, SelfPlay};
use spinney_session::{Outcome, PlayerSpec, Playouts, Rng, Session, Side, Stop};

use crate::errors::{GameError, PlayerError, SpinneyError};
use crate::failure;
use crate::observation;
use crate::state::{Game, State};
use crate::wait::interruptible;

/// What a batch may use.
fn threads(number: usize) -> PyResult<NonZero<usize>> {
    let number = NonZero::new(number).filter(|number| number.get() <= 256);
    number.ok_or_else(|| SpinneyError::new_err("threads: expected 1 to 256"))
}

/// Plays random games from states. For each three numbers (i64): wins of the first side, draws, wins of
/// the second side.
#[pyfunction]
pub(crate) fn playouts<'py>(
    py: Python<'py>,
    states: Vec<PyRef<'py, State>>,
    count: u64,
    max_plies: u32,
    seed: u64,
    number_of_threads: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let sessions: Vec<Session> = states.iter().map(|state| state.session.clone()).collect();
    drop(states);
    let number_of_threads = threads(number_of_threads)?.get();
    let work = |stop: &Stop| {
        let next = AtomicUsize::new(0);
        let share = || {
            let mut done = Vec::new();
            while !stop.is_set() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(session) = sessions.get(index) else { break };
                let seed = Rng::stream(seed, index as u64).next_u64();
                done.push((index, results(session, count, max_plies, seed)));
            }
            done
        };
        let mut all = vec![[0; 3]; sessions.len()];
        thread::scope(|scope| {
            let others: Vec<_> = (1..number_of_threads).map(|_| scope.spawn(share)).collect();
            let mut done = share();
            for other in others {
                done.extend(other.join().unwrap_or_default());
            }
            for (index, results) in done {
                all[index] = results;
            }
        });
        all
    };
    let all = interruptible(py, |stop, _| work(stop), |_, _: ()| Ok(()))?;
    for session in &sessions {
        failure::check(session.game())?;
    }
    let bytes: Vec<u8> = all.iter().flatten().flat_map(|number| number.to_ne_bytes()).collect();
    Ok(PyBytes::new(py, &bytes))
}

/// Wins of the first side, draws, wins of the second side.
fn results(session: &Session, count: u64, max_plies: u32, seed: u64) -> [u64; 3] {
    let wins = match session.outcome() {
        Some(Outcome::Win(Side::First)) => [count, 0],
        Some(Outcome::Win(Side::Second)) => [0, count],
        Some(Outcome::Draw) => [0, 0],
        None => {
            let Playouts { wins, .. } = session.random_playouts(count, max_plies, seed);
            wins
        }
    };
    [wins[0], count - wins[0] - wins[1], wins[1]]
}

/// Plays a player against itself until there are `positions` different positions: the number of sets of squares
/// for each, and records of those (u64), value (f32), game (u32), result, ply, side to move and kind (u8).
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python has names for them")]
pub(crate) fn self_play<'py>(
    py: Python<'py>,
    game: &Game,
    player: &str,
    nodes: u64,
    positions: usize,
    off_path: f64,
    seed: u64,
    number_of_threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<(usize, Bound<'py, PyBytes>)> {
    let game = &game.handle;
    let sets = observation::number_of_bits(&game.start());
    let sets = sets.ok_or_else(|| {
        GameError::new_err(format!("game \"{game}\": its positions have no board of 8x8 or less"))
    })?;
    if !(0.0..=1.0).contains(&off_path) {
        return Err(SpinneyError::new_err("off_path: expected a probability"));
    }
    let player: PlayerSpec =
        player.parse().map_err(|error| PlayerError::new_err(format!("{error}")))?;
    game.check(&player).map_err(|error| PlayerError::new_err(error.to_string()))?;
    let threads = threads(number_of_threads)?;
    let self_play = SelfPlay { player, nodes, off_path, seed, threads };
    let note = |session: &Session| match observation::bits(session) {
        Some(bits) => Ok((bits, session.to_move())),
        None => Err("the position has no board".to_owned()),
    };
    let result = interruptible(
        py,
        |stop, sender| {
            let mut bytes = Vec::with_capacity(positions * (8 * sets + 12));
            let (mut seen, mut count) = (HashSet::new(), 0);
            let mut done = |_, samples: Vec<Sample<(Vec<u64>, Side)>>| {
                for Sample { position: (bits, side), game, value, result, ply } in samples {
                    if count == positions || !seen.insert(bits.clone()) {
                        continue;
                    }
                    count += 1;
                    bytes.extend(bits.iter().flat_map(|set| set.to_ne_bytes()));
                    bytes.extend((value as f32).to_ne_bytes());
                    bytes.extend(game.to_ne_bytes());
                    let is_off_path = u8::from(result.is_none());
                    let result = result.unwrap_or(0) as u8;
                    bytes.extend([result, ply, side.index() as u8, is_off_path]);
                }
                // Nobody listens any more once it is stopped.
                let _ = sender.send(count);
                if count < positions { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let played = self_play.play(game, 0..u32::MAX, stop, &note, &mut done);
            played.map(|()| bytes)
        },
        |py, count: usize| match &progress {
            Some(progress) => progress.call1(py, (count,)).map(|_| ()),
            None => Ok(()),
        },
    )?;
    failure::check(game)?;
    Ok((sets, PyBytes::new(py, &result.map_err(PlayerError::new_err)?)))
}
