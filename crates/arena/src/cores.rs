//! How many games go on at once: two players on the clock never share a core.

use std::thread;

use spinney_session::{Limits, PlayerSpec};

/// The number of games at once, `wanted` or fewer. Where a limit is in time, every game has a core for
/// each thread of the player that has more of them: only one player of a game thinks at a time.
pub fn games_at_once(wanted: usize, limits: &[Limits], players: &[PlayerSpec]) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    at_once_on(cores, wanted, limits, players)
}

fn at_once_on(cores: usize, wanted: usize, limits: &[Limits], players: &[PlayerSpec]) -> usize {
    if limits.iter().all(|limits| limits.time.is_none()) {
        return wanted;
    }
    let threads = |player: &PlayerSpec| player.value("threads").and_then(|text| text.parse().ok());
    let most: usize = players.iter().filter_map(threads).max().unwrap_or(1);
    wanted.min(cores / most.max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn timed_games_have_cores_of_their_own() {
        let [one, two]: [PlayerSpec; 2] =
            ["uct", "uct:threads=2"].map(|text| text.parse().unwrap());
        let count = Limits::nodes(5);
        let time = Limits { time: Some(Duration::from_secs(1)), ..count };
        let one_each = [one.clone(), one.clone()];
        assert_eq!(at_once_on(2, 8, &[count, count], &one_each), 8);
        assert_eq!(at_once_on(2, 8, &[count, time], &one_each), 2);
        assert_eq!(at_once_on(8, 3, &[time, time], &one_each), 3);
        assert_eq!(at_once_on(8, 8, &[time, time], &[one.clone(), two.clone()]), 4);
        assert_eq!(at_once_on(1, 8, &[time, time], &[two, one]), 1);
    }
}
