//! Repeated positions: what they mean, and the path that finds them.

use crate::{Game, Hashed, Outcome};

/// What a repeated position means in a game.
pub trait Repetition: Hashed {
    /// The number of occurrences of a position (same board, same side to move) that ends the game
    /// as a draw; `None` where repetition means nothing or cannot happen.
    fn drawn_at(&self) -> Option<u32>;

    /// Whether no position from before the legal move `m` can occur again after it: a capture,
    /// for instance. `false` is always correct; `true` shortens the search for repetitions.
    fn is_irreversible(&self, m: Self::Move) -> bool;
}

/// The keys of the positions from the start of a game to the present one.
///
/// A search pushes as it descends and truncates as it returns; a play-out does the same. Nearly
/// every position is new: a small table of counts, indexed by a part of the key, says so without a
/// look at the path.
#[derive(Clone, Debug)]
pub struct Path {
    steps: Vec<Step>,
    /// How many of the steps have each value of [`slot`].
    counts: Box<[u16; SLOTS]>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    key: u64,
    /// Index of the first position that can still be repeated.
    window: u32,
}

const SLOTS: usize = 1024;

#[inline]
fn slot(key: u64) -> usize {
    key as usize % SLOTS
}

impl Path {
    /// A path that holds one position.
    pub fn new(key: u64) -> Self {
        let mut path = Path { steps: Vec::with_capacity(256), counts: Box::new([0; SLOTS]) };
        path.push(key, true);
        path
    }

    /// Adds the position after a move.
    #[inline]
    pub fn push(&mut self, key: u64, irreversible: bool) {
        let window = match self.steps.last() {
            Some(last) if !irreversible => last.window,
            _ => self.steps.len() as u32,
        };
        self.steps.push(Step { key, window });
        let count = &mut self.counts[slot(key)];
        *count = count.wrapping_add(1);
    }

    /// The number of positions.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "a path always holds the present position")]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The keys of the positions, from the first.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        self.steps.iter().map(|step| step.key)
    }

    /// Forgets the positions after the first `len`.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        for step in self.steps.drain(len.min(self.steps.len())..) {
            let count = &mut self.counts[slot(step.key)];
            *count = count.wrapping_sub(1);
        }
    }

    /// Whether the last position occurs `times` times or more, itself included.
    #[inline(always)]
    pub fn repeats(&self, times: u32) -> bool {
        match self.steps.last() {
            Some(last) if u32::from(self.counts[slot(last.key)]) >= times => self.count_to(times),
            _ => false,
        }
    }

    /// Looks for earlier occurrences of the last position.
    #[cold]
    #[inline(never)]
    fn count_to(&self, times: u32) -> bool {
        let Some((last, earlier)) = self.steps.split_last() else { return false };
        let window = &earlier[(last.window as usize).min(earlier.len())..];
        // Sides alternate, so only every second position has the same side to move.
        let same_side = window.iter().rev().skip(1).step_by(2);
        let occurrences = 1 + same_side.filter(|step| step.key == last.key).count();
        occurrences >= times as usize
    }
}

/// A position together with the way to it: what judges a game with all its rules.
#[derive(Clone, Debug)]
pub struct History<G> {
    position: G,
    path: Path,
}

impl<G: Repetition> History<G> {
    /// A game that starts here.
    pub fn new(start: G) -> Self {
        let path = Path::new(start.key());
        History { position: start, path }
    }

    /// The present position.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The way to the present position, itself included.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: <G as Game>::Move) {
        let irreversible = self.position.is_irreversible(m);
        self.position.play(m);
        self.path.push(self.position.key(), irreversible);
    }

    /// The result, repetition included.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome().or_else(|| {
            let times = self.position.drawn_at()?;
            self.path.repeats(times).then_some(Outcome::Draw)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(keys: &[u64]) -> Path {
        let mut path = Path::new(keys[0]);
        for &key in &keys[1..] {
            path.push(key, false);
        }
        path
    }

    #[test]
    fn the_third_occurrence_is_found() {
        assert!(!path(&[1, 2, 3, 4, 1, 2, 3, 4]).repeats(3));
        assert!(path(&[1, 2, 3, 4, 1, 2, 3, 4, 1]).repeats(3));
        assert!(path(&[1, 2, 3, 4, 1]).repeats(2));
        assert!(path(&[1]).repeats(1));
    }

    #[test]
    fn passes_of_both_sides_repeat_after_two_plies() {
        assert!(path(&[1, 2, 1]).repeats(2));
        assert!(path(&[1, 2, 1, 2, 1]).repeats(3));
    }

    #[test]
    fn an_irreversible_move_hides_what_was_before() {
        let mut path = path(&[1, 2, 3, 4]);
        path.push(1, true);
        assert!(!path.repeats(2));
        path.push(9, false);
        path.push(1, false);
        assert!(path.repeats(2));
        assert!(!path.repeats(3));
        path.truncate(4);
        path.push(1, false);
        assert!(path.repeats(2), "truncation restores the window");
    }
}
