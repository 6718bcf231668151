//! What a game declares to its networks.

/// The inputs, lines and symmetries of a game.
///
/// A position is two sets of squares: those of the side to move and those of the other.
pub struct FeatureSet {
    /// The game's name.
    pub game: &'static str,
    /// The name of these features. Another meaning of any number below needs another name.
    pub name: &'static str,
    /// The number of inputs of one view.
    pub inputs: usize,
    /// The most inputs that one view of a legal position switches on.
    pub most_active: usize,
    /// The input of the other view that stands for the same man.
    pub exchanged: Vec<u16>,
    /// For every symmetry of the board, the identity first: the image of each input.
    pub symmetries: Vec<Vec<u16>>,
    /// For every entry of the table over lines: which weight it is.
    pub ties: Vec<Tie>,
    /// The number of weights of the table: symmetric arrangements share one.
    pub classes: usize,
    /// Finds what a position switches on.
    pub extract: fn([u64; 2], &mut Active),
}

/// The weight of an entry of the table over lines: `sign` times that of its class. Arrangements that look
/// the same to both sides have the sign 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tie {
    /// The class.
    pub class: u16,
    /// 1, -1 or 0.
    pub sign: i8,
}

/// What a position switches on, as the side to move sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Active {
    /// Inputs of the own view.
    pub inputs: Vec<u16>,
    /// Entries of the table over lines.
    pub lines: Vec<u16>,
}

impl FeatureSet {
    /// The inputs of both views of a position, the own one first, and the entries of its lines.
    pub fn views(&self, position: [u64; 2]) -> ([Vec<u16>; 2], Vec<u16>) {
        let mut active = Active::default();
        (self.extract)(position, &mut active);
        let Active { inputs, lines } = active;
        let other = inputs.iter().map(|&input| self.exchanged[usize::from(input)]).collect();
        ([inputs, other], lines)
    }
}
