//! A network in whole numbers: the same value on every machine.
//!
//! Weights of the first layer are in 1/255, so that a hidden unit is full at 255; those of the output in
//! units that make the greatest of them at most 127; the table over lines and the last sum in 1/16 point.
//! With these bounds no sum overflows 32 bits, and the product of a hidden unit and its output weight
//! fits in 16 bits: all of it is arithmetic on vectors of 16 bits.

use spinney_game::cpu::{self, Kernel};

/// Points of the evaluation for a logit: at 240 points the side to move is expected to score 73 %.
pub const POINTS_PER_LOGIT: f32 = 240.0;
/// The value of a hidden unit that is full.
pub(crate) const FULL: i16 = 255;
/// The greatest weight of the output.
pub(crate) const MOST_OUTPUT: i16 = 127;
/// Parts of a point in the last sum, as a shift.
pub(crate) const PARTS: u32 = 4;
/// What the sum over the hidden units is multiplied by is in units of 2^-32.
pub(crate) const FACTOR_BITS: u32 = 32;
/// Values are cut to this size, in points: wins are beyond it in every search.
const MOST_POINTS: i32 = 10_000;

/// A network with up to `H` hidden units for each view. A smaller one has units that are always 0.
#[derive(Clone, PartialEq, Eq)]
pub struct Network<const H: usize> {
    /// The hidden units that count.
    pub(crate) hidden: usize,
    /// For each input, what it adds to the hidden units.
    pub(crate) first: Vec<[i16; H]>,
    pub(crate) bias: [i16; H],
    /// For the own view and the other.
    pub(crate) output: [[i16; H]; 2],
    /// From the sum over the hidden units to parts of a point.
    pub(crate) factor: u32,
    /// In parts of a point.
    pub(crate) output_bias: i32,
    /// The weights of the classes of lines, in parts of a point.
    pub(crate) classes: Vec<i16>,
    /// The table over lines: the classes, expanded. With every number of 16 bits in it no access is checked.
    pub(crate) lines: Box<[i16; 1 << 16]>,
    /// How it was trained.
    pub(crate) record: String,
}

/// The sums that are kept beside a position: the hidden units of both views before they are clamped, and
/// the table over lines as the first view sees it. Which side the first view belongs to is up to the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accumulators<const H: usize> {
    hidden: [[i16; H]; 2],
    lines: i32,
}

/// What a move changes in one view: inputs that it switches off and on.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The man leaves a square.
    pub leaves: usize,
    /// It comes to another.
    pub comes: usize,
    /// The man that it takes.
    pub taken: Option<usize>,
}

impl<const H: usize> Network<H> {
    /// How it was trained, as text.
    pub fn record(&self) -> &str {
        &self.record
    }

    /// The hidden units of a view.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// The sums of a position from scratch: the inputs of both views, and the entries of the lines as the
    /// first view sees them.
    pub fn accumulators(&self, views: &[Vec<u16>; 2], lines: &[u16]) -> Accumulators<H> {
        let hidden = [0, 1].map(|view: usize| {
            let mut sums = self.bias;
            for &input in &views[view] {
                for (sum, weight) in sums.iter_mut().zip(&self.first[usize::from(input)]) {
                    *sum = sum.wrapping_add(*weight);
                }
            }
            sums
        });
        let lines = lines.iter().map(|&entry| self.line(entry)).sum();
        Accumulators { hidden, lines }
    }

    /// The value of an entry of the table over lines, in parts of a point.
    #[inline(always)]
    pub fn line(&self, entry: u16) -> i32 {
        self.lines[usize::from(entry)].into()
    }

    /// Plays a move: changes of both views, and of the sum over lines as the first view sees it.
    #[inline(always)]
    pub fn update(&self, sums: &mut Accumulators<H>, changes: [Change; 2], lines: i32) {
        sums.lines += lines;
        cpu::run_wide(Update { network: self, hidden: &mut sums.hidden, changes });
    }

    /// The value in points for the side to move, whose view is number `own`.
    #[inline(always)]
    pub fn evaluate(&self, sums: &Accumulators<H>, own: usize) -> i32 {
        let [mine, theirs] = [&sums.hidden[own & 1], &sums.hidden[!own & 1]];
        let sum = cpu::run_wide(Output { network: self, mine, theirs });
        self.points(sum, if own == 0 { sums.lines } else { -sums.lines })
    }

    /// The value in points after a move, for the side of view `own`, which is to move then, without making
    /// the move.
    #[inline(always)]
    pub fn evaluate_after(
        &self,
        sums: &Accumulators<H>,
        own: usize,
        changes: [Change; 2],
        lines: i32,
    ) -> i32 {
        let sum = cpu::run_wide(OutputAfter { network: self, hidden: &sums.hidden, own, changes });
        let lines = sums.lines + lines;
        self.points(sum, if own == 0 { lines } else { -lines })
    }

    /// The value from the sum over the hidden units and that over the lines.
    #[inline(always)]
    fn points(&self, sum: i32, lines: i32) -> i32 {
        let hidden = (i64::from(sum) * i64::from(self.factor)) >> FACTOR_BITS;
        let parts = hidden as i32 + lines + self.output_bias;
        (parts >> PARTS).clamp(-MOST_POINTS, MOST_POINTS)
    }

    /// Changes the hidden units of a view.
    #[inline(always)]
    fn change(&self, hidden: &mut [i16; H], change: Change) {
        let (leaves, comes) = (&self.first[change.leaves], &self.first[change.comes]);
        if let Some(taken) = change.taken {
            let taken = &self.first[taken];
            for unit in 0..H {
                let off = leaves[unit].wrapping_add(taken[unit]);
                hidden[unit] = hidden[unit].wrapping_sub(off).wrapping_add(comes[unit]);
            }
        } else {
            for unit in 0..H {
                hidden[unit] = hidden[unit].wrapping_sub(leaves[unit]).wrapping_add(comes[unit]);
            }
        }
    }
}

/// The sum over the hidden units of a view. The products stay within 16 bits (see the top).
#[inline(always)]
fn output<const H: usize>(hidden: &[i16; H], weights: &[i16; H]) -> i32 {
    let mut sum = 0;
    for unit in 0..H {
        let clamped = hidden[unit].clamp(0, FULL);
        let weighted = clamped.wrapping_mul(weights[unit]);
        sum += i32::from(clamped) * i32::from(weighted);
    }
    sum
}

struct Update<'a, const H: usize> {
    network: &'a Network<H>,
    hidden: &'a mut [[i16; H]; 2],
    changes: [Change; 2],
}

impl<const H: usize> Kernel for Update<'_, H> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.network.change(&mut self.hidden[0], self.changes[0]);
        self.network.change(&mut self.hidden[1], self.changes[1]);
    }
}

struct Output<'a, const H: usize> {
    network: &'a Network<H>,
    mine: &'a [i16; H],
    theirs: &'a [i16; H],
}

impl<const H: usize> Kernel for Output<'_, H> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let [own, other] = &self.network.output;
        output(self.mine, own) + output(self.theirs, other)
    }
}

struct OutputAfter<'a, const H: usize> {
    network: &'a Network<H>,
    hidden: &'a [[i16; H]; 2],
    own: usize,
    changes: [Change; 2],
}

impl<const H: usize> Kernel for OutputAfter<'_, H> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let [own, other] = &self.network.output;
        let mut hidden = *self.hidden;
        self.network.change(&mut hidden[0], self.changes[0]);
        self.network.change(&mut hidden[1], self.changes[1]);
        output(&hidden[self.own & 1], own) + output(&hidden[!self.own & 1], other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_game::Rng;

    /// Room for hidden units that is no multiple of a vector, too.
    fn check<const H: usize>() {
        let mut rng = Rng::new(H as u64);
        let mut weight = |most: i16| rng.below(2 * most as u32 + 1) as i32 - i32::from(most);
        let mut row = |most: i16| [0; H].map(|_: i16| weight(most) as i16);
        let network = Network::<H> {
            hidden: H,
            first: (0..16).map(|_| row(1300)).collect(),
            bias: row(1300),
            output: [row(MOST_OUTPUT), row(MOST_OUTPUT)],
            factor: 1 << 20,
            output_bias: 7,
            classes: Vec::new(),
            lines: Box::new([0; 1 << 16]),
            record: String::new(),
        };
        for _ in 0..1000 {
            // Any sums, those that wrap around too.
            let mut hidden = [row(i16::MAX), row(i16::MAX)];
            let mut portable = hidden;
            let inputs = row(8).map(|input| (input + 8) as usize % 16);
            let taken = (inputs[0] < 8).then_some(inputs[1]);
            let change = |i: usize| Change { leaves: inputs[i], comes: inputs[i + 1], taken };
            let (network, changes) = (&network, [change(0), change(2)]);
            let after = OutputAfter { network, hidden: &hidden, own: 1, changes };
            let value = cpu::run_wide(after);
            Update { network, hidden: &mut portable, changes }.run();
            cpu::run_wide(Update { network, hidden: &mut hidden, changes });
            assert_eq!(hidden, portable);
            let [theirs, mine] = [&portable[0], &portable[1]];
            let expected = Output { network, mine, theirs }.run();
            assert_eq!(cpu::run_wide(Output { network, mine, theirs }), expected);
            assert_eq!(value, expected);
        }
    }

    #[test]
    fn vectors_give_the_same_integers() {
        check::<64>();
        check::<24>();
        check::<5>();
    }

    #[test]
    fn the_greatest_sums_fit() {
        let most = i64::from(FULL) * i64::from(FULL) * i64::from(MOST_OUTPUT);
        assert!(2 * 128 * most <= i64::from(i32::MAX));
        assert!(i32::from(FULL) * i32::from(MOST_OUTPUT) <= i32::from(i16::MAX));
    }
}
