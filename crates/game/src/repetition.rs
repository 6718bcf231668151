//! Repeated positions: what they mean, and the path that finds them.

use crate::{Game, Hashed, Outcome};

/// What a repeated position means in a game.
pub trait Repetition: Hashed {
    /// The number of occurrences of a position (same board, same side to move) that ends the game
    /// as a draw; `None`, the default, where repetition means nothing or cannot happen.
    fn drawn_at(&self) -> Option<u32> {
        None
    }

    /// Whether no position from before the legal move `m` can occur again after it: a capture,
    /// for instance. `false`, the default, is always correct; `true` shortens the search for
    /// repetitions.
    fn is_irreversible(&self, _m: Self::Move) -> bool {
        false
    }
}

/// The keys of the positions from the start of a game to the present one.
///
/// A search pushes as it descends and truncates as it returns; a playout does the same. Repeated
/// positions are found without a scan: every step knows the last step before it whose key falls
/// into the same slot of a small table, and only those can hold the same position.
#[derive(Clone, Debug)]
pub struct Path {
    steps: Vec<Step>,
    /// For every slot, the last step whose key falls into it, or `NONE`.
    last_in_slot: Box<[u32; SLOTS]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    key: u64,
    /// Index of the first position that can still be repeated.
    window: u32,
    /// Index of the last step before this one in the same slot, or `NONE`.
    previous_in_slot: u32,
}

/// Enough for most games without a slot used twice, and small enough for the fastest cache.
const SLOTS: usize = 1024;
/// No step.
const NONE: u32 = u32::MAX;

impl Step {
    #[inline]
    fn slot(&self) -> usize {
        self.key as usize % SLOTS
    }
}

impl Default for Path {
    fn default() -> Self {
        Path { steps: Vec::new(), last_in_slot: Box::new([NONE; SLOTS]) }
    }
}

/// Two paths are equal if they lead through the same positions; the table follows from them.
impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.steps == other.steps
    }
}

impl Eq for Path {}

impl Path {
    /// A path that holds one position.
    pub fn new(key: u64) -> Self {
        let mut path = Path::default();
        path.push(key, true);
        path
    }

    /// Adds the position after a move.
    #[inline(always)]
    pub fn push(&mut self, key: u64, irreversible: bool) {
        let index = self.steps.len() as u32;
        let window = match self.steps.last() {
            Some(last) if !irreversible => last.window,
            _ => index,
        };
        let mut step = Step { key, window, previous_in_slot: NONE };
        let last = &mut self.last_in_slot[step.slot()];
        step.previous_in_slot = std::mem::replace(last, index);
        self.steps.push(step);
    }

    /// The number of positions.
    #[inline]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is no position.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The keys of the positions, from the first.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        self.steps.iter().map(|step| step.key)
    }

    /// Forgets the positions after the first `len`.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        // From the last, so that every slot ends up with the step it held before.
        while self.steps.len() > len
            && let Some(step) = self.steps.pop()
        {
            self.last_in_slot[step.slot()] = step.previous_in_slot;
        }
    }

    /// The place on the path, from 0, where the last position occurred last before.
    pub fn earlier(&self) -> Option<usize> {
        let last = self.steps.last()?;
        let mut place = last.previous_in_slot;
        while place >= last.window
            && let Some(step) = self.steps.get(place as usize)
        {
            if step.key == last.key {
                return Some(place as usize);
            }
            place = step.previous_in_slot;
        }
        None
    }

    /// Whether the last position occurs `times` times or more, itself included.
    #[inline(always)]
    pub fn repeats(&self, times: u32) -> bool {
        let Some(last) = self.steps.last() else { return false };
        let mut missing = times.saturating_sub(1);
        let mut step = last;
        // `NONE` is beyond every path: it ends the walk as a step before the window does.
        while missing > 0
            && step.previous_in_slot >= last.window
            && let Some(previous) = self.steps.get(step.previous_in_slot as usize)
        {
            missing -= u32::from(previous.key == last.key);
            step = previous;
        }
        missing == 0
    }
}

/// A game from its start to the present position: what judges a game with all its rules.
#[derive(Clone, Debug)]
pub struct History<G: Game> {
    start: G,
    moves: Vec<G::Move>,
    position: G,
    path: Path,
}

impl<G: Repetition> History<G> {
    /// A game that starts here.
    pub fn new(start: G) -> Self {
        let path = Path::new(start.key());
        History { position: start.clone(), start, moves: Vec::new(), path }
    }

    /// The position before the first move.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// The moves from the start to the present position.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The moves since `earlier`, if that is this game at an earlier moment or now.
    pub fn moves_after(&self, earlier: &Self) -> Option<&[G::Move]> {
        if self.start != earlier.start {
            return None;
        }
        self.moves.strip_prefix(earlier.moves.as_slice())
    }

    /// The present position.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The keys of the positions up to the present one, itself included.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: G::Move) {
        let irreversible = self.position.is_irreversible(m);
        self.position.play(m);
        self.moves.push(m);
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
        let mut path = Path::default();
        for &key in keys {
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
    fn keys_that_share_a_slot_are_told_apart() {
        let [a, b, c] = [7, 7 + SLOTS as u64, 7 + 2 * SLOTS as u64];
        let mut path = path(&[a, b, a, c]);
        assert!(!path.repeats(2));
        assert_eq!(path.earlier(), None);
        path.push(a, false);
        assert!(path.repeats(3));
        assert_eq!(path.earlier(), Some(2));
        assert!(!path.repeats(4));
        path.truncate(1);
        path.push(b, false);
        path.push(a, false);
        assert!(path.repeats(2) && !path.repeats(3), "truncation empties the slots");
    }

    #[test]
    fn an_irreversible_move_hides_what_was_before() {
        let mut path = path(&[1, 2, 3, 4]);
        path.push(1, true);
        assert!(!path.repeats(2));
        assert_eq!(path.earlier(), None);
        path.push(9, false);
        path.push(1, false);
        assert!(path.repeats(2));
        assert!(!path.repeats(3));
        path.truncate(4);
        path.push(1, false);
        assert!(path.repeats(2), "truncation restores the window");
    }
}
