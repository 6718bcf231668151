//! A learned evaluation of LOA: what its networks see, and the sums that are kept beside a position.
//!
//! Inputs: a man of mine on each square, then a man of theirs. Lines: every rank, file and diagonal with all
//! its men. Ranks and files are of one kind if they are as far from the edge, diagonals if they are as
//! long; a line has the value of its mirror image, and the opposite value with the men of both sides
//! exchanged.

use std::sync::{Arc, LazyLock};

use spinney_game::{Game, Side, bits};
use spinney_network::{Accumulators, Active, Change, FeatureSet, Network, Tie};

use super::LoaEvaluation;
use super::lines::{Lines, exchanged};
use crate::board::Square;
use crate::loa::geometry::{Geometry, MOST_LINES, POWERS, TERNARY, table_start};
use crate::loa::{INFO, INFO_6X6, Loa, Move};

/// Room for hidden units of a view.
pub const HIDDEN: usize = 64;

/// A network for LOA.
pub type LoaNetwork = Network<HIDDEN>;

/// The features of a board of `N` times `N` squares, 8 or 6.
pub fn features<const N: usize>() -> &'static FeatureSet {
    static EIGHT: LazyLock<FeatureSet> = LazyLock::new(declare::<8>);
    static SIX: LazyLock<FeatureSet> = LazyLock::new(declare::<6>);
    if N == 6 { &SIX } else { &EIGHT }
}

/// The networks that come with Spinney, named by the checksums of their files; records/loa/network says how
/// they were made.
const SHIPPED: &[u8] = include_bytes!("loa-af1b0b283bac7999.net");
const SHIPPED_6X6: &[u8] = include_bytes!("loa6-d6950b8873af9544.net");

/// The file of the network that comes with Spinney for a board.
pub fn shipped<const N: usize>() -> &'static [u8] {
    if N == 6 { SHIPPED_6X6 } else { SHIPPED }
}

/// The table over lines of a board.
struct Table<const N: usize>;

impl<const N: usize> Table<N> {
    /// Where diagonals begin: behind the kinds of ranks and files.
    const DIAGONALS: usize = N / 2 * POWERS[N] as usize;
    const ENTRIES: usize = Self::DIAGONALS + table_start(N) as usize + POWERS[N] as usize;

    /// The first entry of each line.
    const STARTS: [u16; MOST_LINES] = {
        let mut starts = [0; MOST_LINES];
        let [_, files, diagonals, ..] = Geometry::line_starts(N);
        let geometry = Geometry::new(N);
        let mut number = 0;
        while number < Lines::<N>::starts().1 {
            starts[number] = if number < diagonals {
                let rank = if number < files { number } else { number - files };
                let kind = if rank < N - 1 - rank { rank } else { N - 1 - rank };
                kind as u16 * POWERS[N]
            } else {
                Self::DIAGONALS as u16 + geometry.lines[number].table_start
            };
            number += 1;
        }
        starts
    };

    /// What leads from an index of [`Lines`] to an entry.
    const FROM_INDEX: &'static [u16; MOST_LINES] = &const {
        let mut steps = Self::STARTS;
        let mut number = 0;
        while number < Lines::<N>::starts().1 {
            steps[number] = steps[number].wrapping_sub(Lines::<N>::starts().0[number]);
            number += 1;
        }
        steps
    };

    /// The entry of a line with this index in [`Lines`].
    #[inline(always)]
    fn entry(line: u8, index: u16) -> u16 {
        index.wrapping_add(Self::FROM_INDEX[usize::from(line) % MOST_LINES])
    }

    /// The lengths of the lines of every kind, and where their entries begin.
    fn kinds() -> impl Iterator<Item = (usize, usize)> {
        let straight = (0..N / 2).map(|kind| (N, kind * usize::from(POWERS[N])));
        let diagonals =
            (1..=N).map(|length| (length, Self::DIAGONALS + usize::from(table_start(length))));
        straight.chain(diagonals)
    }
}

fn declare<const N: usize>() -> FeatureSet {
    // 1. Inputs: squares as they are numbered on the board, those outside a small one never used.
    let image = |symmetry: usize, input: usize| {
        let square = Square((input % 64) as u8);
        let is_inside = usize::from(square.file()) < N && usize::from(square.rank()) < N;
        match is_inside {
            true => input / 64 * 64 + Loa::<N>::SIZE.transform_square(square, symmetry).index(),
            false => input,
        }
    };
    let symmetries = (0..Loa::<N>::SIZE.symmetries())
        .map(|symmetry| (0..128).map(|input| image(symmetry, input) as u16).collect())
        .collect();
    // 2. Lines: arrangements that share a weight get the same class.
    let mut ties = vec![Tie { class: 0, sign: 0 }; Table::<N>::ENTRIES];
    let mut classes = 0;
    for (length, start) in Table::<N>::kinds() {
        for value in 0..POWERS[length] {
            let mirrored = reversed(value, length);
            let [opposite, opposite_mirrored] = [value, mirrored].map(exchanged);
            let is_first = value <= mirrored && value < opposite && value < opposite_mirrored;
            if !is_first {
                continue;
            }
            let images = [(value, 1), (mirrored, 1), (opposite, -1), (opposite_mirrored, -1)];
            for (image, sign) in images {
                ties[start + usize::from(image)] = Tie { class: classes, sign };
            }
            classes += 1;
        }
    }
    FeatureSet {
        game: if N == 6 { INFO_6X6.name } else { INFO.name },
        name: "squares+lines",
        inputs: 128,
        most_active: 4 * (N - 2),
        exchanged: (0..128).map(|input| input ^ 64).collect(),
        symmetries,
        ties,
        classes: classes.into(),
        extract: extract::<N>,
    }
}

/// The number of a line seen from its other end.
fn reversed(value: u16, length: usize) -> u16 {
    (0..length).map(|place| value / POWERS[place] % 3 * POWERS[length - 1 - place]).sum()
}

fn extract<const N: usize>([own, enemy]: [u64; 2], active: &mut Active) {
    active.inputs.extend(bits::iterate(own).map(|square| square as u16));
    active.inputs.extend(bits::iterate(enemy).map(|square| 64 + square as u16));
    active.lines.extend((0..Lines::<N>::starts().1).map(|line| {
        let ternary = |men: u64| TERNARY[usize::from(Loa::<N>::line_set(line, men))];
        Table::<N>::STARTS[line] + ternary(own) + 2 * ternary(enemy)
    }));
}

/// An evaluation by a network.
#[derive(Clone)]
pub struct NetworkEvaluation<const N: usize = 8> {
    network: Arc<LoaNetwork>,
}

/// What a network keeps beside a position.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkState<const N: usize = 8> {
    lines: Lines<N>,
    /// The first view is that of the first side.
    sums: Accumulators<HIDDEN>,
}

impl<const N: usize> NetworkEvaluation<N> {
    /// The evaluation of a network.
    pub fn new(network: Arc<LoaNetwork>) -> Self {
        NetworkEvaluation { network }
    }

    /// What a move of a side, no pass, changes in both views.
    #[inline(always)]
    fn changes(side: Side, m: Move, captures: bool) -> [Change; 2] {
        [Side::First, Side::Second].map(|view| {
            // A view has its own men first.
            let [mover, other] = if side == view { [0, 64] } else { [64, 0] };
            Change {
                leaves: mover + m.from.index(),
                comes: mover + m.to.index(),
                taken: captures.then_some(other + m.to.index()),
            }
        })
    }

    /// The change of the sum over lines when a line has another index.
    #[inline(always)]
    fn line_change(network: &LoaNetwork, line: u8, before: u16, after: u16) -> i32 {
        let [before, after] = [before, after].map(|index| Table::<N>::entry(line, index));
        network.line(after) - network.line(before)
    }
}

impl<const N: usize> LoaEvaluation<N> for NetworkEvaluation<N> {
    type State = NetworkState<N>;

    #[inline(always)]
    fn lines(state: &NetworkState<N>) -> &Lines<N> {
        &state.lines
    }

    fn state(&mut self, position: &Loa<N>) -> NetworkState<N> {
        let features = features::<N>();
        let (views, lines) = features.views(Side::BOTH.map(|side| position.men(side)));
        let sums = self.network.accumulators(&views, &lines);
        NetworkState { lines: Lines::new(position), sums }
    }

    #[inline(always)]
    fn play(&mut self, state: &mut NetworkState<N>, position: &Loa<N>, m: Move) {
        if m.is_pass() {
            return;
        }
        let mut lines = 0;
        state.lines.play_noting(position, m, |line, before, after| {
            lines += Self::line_change(&self.network, line, before, after);
        });
        let changes = Self::changes(position.to_move(), m, position.is_capture(m));
        self.network.update(&mut state.sums, changes, lines);
    }

    #[inline(always)]
    fn play_for_replies(&mut self, state: &mut NetworkState<N>, position: &Loa<N>, m: Move) {
        self.play(state, position, m);
    }

    #[inline(always)]
    fn evaluate(&self, position: &Loa<N>, state: &NetworkState<N>) -> i32 {
        self.network.evaluate(&state.sums, position.to_move().index())
    }

    #[inline(always)]
    fn evaluate_after(&self, position: &Loa<N>, state: &NetworkState<N>, m: Move) -> i32 {
        let side = position.to_move();
        if m.is_pass() {
            return -self.network.evaluate(&state.sums, (!side).index());
        }
        let captures = position.is_capture(m);
        let mut lines = 0;
        state.lines.changes_after(side, m, captures, |line, before, after| {
            lines += Self::line_change(&self.network, line, before, after);
        });
        let changes = Self::changes(side, m, captures);
        -self.network.evaluate_after(&state.sums, (!side).index(), changes, lines)
    }
}
