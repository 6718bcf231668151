//! Proof and disproof numbers, as the side to move sees them, and what a solved position ends in.
//!
//! ```text
//! φ(n) = min δ(c)    δ(n) = sum φ(c)    over the children c of n
//! ```

use spinney_game::{Game, Outcome, Side};

/// A number of a solved position: no work can reach the other result.
pub(super) const INFINITE: u32 = u32::MAX;
/// The largest number of a position that is not solved and may be.
pub(super) const LARGEST: u32 = HOPELESS - 1;
/// The numbers of a position beyond the limits. Also used as 'no threshold'.
pub(super) const HOPELESS: u32 = (1 << 28) - 1;

/// Move counts are capped at this value.
const MOST_MOVES: u64 = 1000;

/// What is known of a position (Nagai's φ and δ). The aim of the attacker is to win, that of the
/// defender not to lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// The least number of open positions that must be decided for the side to move to reach its
    /// aim: the proof number where the attacker moves, the disproof number where the defender does.
    pub(super) phi: u32,
    /// The same for the side that does not move.
    pub(super) delta: u32,
    /// How a solved position ends; of no meaning for others.
    pub(super) ending: Ending,
}

impl Known {
    /// Not solved.
    #[inline(always)]
    pub(super) const fn open(phi: u32, delta: u32) -> Known {
        Known { phi, delta, ending: Ending::FACT }
    }

    /// The side to move reaches its aim.
    #[inline(always)]
    pub(super) const fn success(ending: Ending) -> Known {
        Known { phi: 0, delta: INFINITE, ending }
    }

    /// The side to move does not reach its aim.
    #[inline(always)]
    pub(super) const fn failure(ending: Ending) -> Known {
        Known { phi: INFINITE, delta: 0, ending }
    }

    /// Success or failure.
    #[inline(always)]
    pub(super) const fn solved(is_success: bool, ending: Ending) -> Known {
        if is_success { Known::success(ending) } else { Known::failure(ending) }
    }

    /// Beyond the limits.
    pub(super) const HOPELESS: Known = Known::open(HOPELESS, HOPELESS);

    /// A finished game.
    #[inline(always)]
    pub(super) fn finished(outcome: Outcome, to_move: Side, attacker: Side) -> Known {
        match outcome {
            Outcome::Win(winner) => Known::solved(winner == to_move, Ending::decisive(0)),
            Outcome::Draw => Known::solved(to_move != attacker, Ending::FACT),
        }
    }

    /// A position that repeats the one at `ply` on its way: the attacker has not won.
    #[inline(always)]
    pub(super) fn repeated(ply: usize, to_move: Side, attacker: Side) -> Known {
        Known::solved(to_move != attacker, Ending::rests_on(ply as u32))
    }

    /// A position that has not been searched: one move must be found, or all answered.
    #[inline(always)]
    pub(super) fn new<G: Game>(position: &G) -> Known {
        Known::open(1, position.count_moves().clamp(1, MOST_MOVES) as u32)
    }

    #[inline(always)]
    pub(super) const fn is_solved(self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    /// Whether the side that moved here wins: a result that no other move can improve.
    #[inline(always)]
    pub(super) const fn is_decisive_failure(self) -> bool {
        self.delta == 0 && self.ending.plies().is_some()
    }

    /// The numbers as other threads take them while some `threads` are in the position: as if these had
    /// already made it harder to refute (Kaneko 2010).
    #[inline(always)]
    pub(super) const fn looking_worse(self, threads: u32) -> Known {
        if threads == 0 || self.is_solved() || self.delta >= LARGEST {
            return self;
        }
        let more = (self.delta / VIRTUAL_PARTS + 1).saturating_mul(threads);
        let delta = self.delta.saturating_add(more);
        Known { delta: if delta < LARGEST { delta } else { LARGEST }, ..self }
    }
}

/// A thread in a position adds 1 / this of δ, and 1. Measured, see docs/how/proof-number.md.
const VIRTUAL_PARTS: u32 = 16;

/// How a solved position ends: one of the sides wins, or the attacker does not and that may rest on
/// a repetition. Larger is better for the side that reaches its aim: wins, the quickest first; then
/// what rests on nothing; then what rests on a repetition, the latest position first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ending(u32);

impl Ending {
    /// Every ending is a number from 1 that fits in this many bits.
    pub(super) const BITS: u32 = 28;
    const HALF: u32 = 1 << (Ending::BITS - 1);
    const MOST_PLIES: u32 = Ending::HALF - 1;

    /// The attacker does not win, whatever the way to the position.
    pub(super) const FACT: Ending = Ending(Ending::HALF);

    /// The attacker does not win, because a position repeats: the earliest such position has this
    /// number on the way.
    #[inline(always)]
    pub(super) const fn rests_on(ply: u32) -> Ending {
        Ending(if ply < Ending::MOST_PLIES - 1 { 1 + ply } else { Ending::HALF - 1 })
    }

    /// One of the sides wins in at most this many plies: the one that reaches its aim.
    #[inline(always)]
    pub(super) const fn decisive(plies: u32) -> Ending {
        let plies = if plies < Ending::MOST_PLIES { plies } else { Ending::MOST_PLIES - 1 };
        Ending(2 * Ending::HALF - 1 - plies)
    }

    /// The plies to the end, if one of the sides wins.
    #[inline(always)]
    pub(super) const fn plies(self) -> Option<u32> {
        if self.0 > Ending::HALF { Some(2 * Ending::HALF - 1 - self.0) } else { None }
    }

    /// The number of the position on the way that it may rest on.
    #[inline(always)]
    pub(super) const fn repeated_ply(self) -> Option<u32> {
        if self.0 < Ending::HALF { Some(self.0 - 1) } else { None }
    }

    /// The ending as the position at `ply` sees it: a cycle that leads back to it, or to one after
    /// it, can be played whatever came before.
    #[inline(always)]
    pub(super) const fn at(self, ply: usize) -> Ending {
        match self.repeated_ply() {
            Some(earlier) if earlier as usize >= ply => Ending::FACT,
            _ => self,
        }
    }

    /// The ending one ply earlier.
    #[inline(always)]
    pub(super) const fn before_a_move(self) -> Ending {
        match self.plies() {
            Some(plies) => Ending::decisive(plies + 1),
            None => self,
        }
    }

    pub(super) const fn number(self) -> u32 {
        self.0
    }

    pub(super) const fn from_number(number: u32) -> Ending {
        Ending(number)
    }
}

/// What the children of a position come to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    pub(super) phi: u32,
    pub(super) delta: u32,
    /// The child with the least δ, and the least δ of the others.
    pub(super) best: usize,
    pub(super) second: u32,
}

impl Sum {
    #[inline(always)]
    pub(super) fn of(children: impl Iterator<Item = Known>) -> Sum {
        let mut sum = Sum { phi: INFINITE, delta: 0, best: 0, second: INFINITE };
        let mut total = 0_u64;
        for (index, known) in children.enumerate() {
            if known.delta < sum.phi {
                sum.second = sum.phi;
                sum.phi = known.delta;
                sum.best = index;
            } else {
                sum.second = sum.second.min(known.delta);
            }
            total += u64::from(known.phi);
        }
        let is_success = sum.phi == 0;
        sum.delta = if is_success { INFINITE } else { total.min(u64::from(LARGEST)) as u32 };
        sum
    }

    #[inline(always)]
    pub(super) fn is_solved(self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    /// What it says of the position itself, which is at `ply` of the way.
    #[inline(always)]
    pub(super) fn known(self, children: impl Iterator<Item = Known>, ply: usize) -> Known {
        if self.is_solved() {
            let is_success = self.phi == 0;
            let ending = deciding(children, is_success).map_or(Ending::FACT, |(_, ending)| ending);
            Known::solved(is_success, ending.at(ply).before_a_move())
        } else if self.phi < HOPELESS {
            Known::open(self.phi, self.delta)
        } else {
            Known::HOPELESS
        }
    }
}

/// The child that decides a solved position, and its ending: the best for the side to move; or, if
/// all children are won for the other, the one that resists longest.
#[inline(always)]
pub(super) fn deciding(
    children: impl Iterator<Item = Known>,
    is_success: bool,
) -> Option<(usize, Ending)> {
    let endings = children.map(|known| (known.delta == 0, known.ending)).enumerate();
    if is_success {
        let successes = endings.filter(|&(_, (is_theirs, _))| is_theirs);
        successes.map(|(index, (_, ending))| (index, ending)).max_by_key(|&(_, ending)| ending)
    } else {
        endings.map(|(index, (_, ending))| (index, ending)).min_by_key(|&(_, ending)| ending)
    }
}
