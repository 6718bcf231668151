//! The options of alpha-beta search.

/// How to search. The default is the search of MIA 4.5 (paper `mia`, section 3).
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The size of the transposition table in bytes; 0 for none. A larger one than needed is
    /// slower: 16 MiB are enough for ten million nodes.
    pub table_bytes: usize,
    /// Uses an entry of the table only at exactly its depth. Then the value is that of plain
    /// negamax, which the search is compared with in tests; otherwise deeper entries count too.
    pub exact_depth: bool,
    /// Enhanced transposition cut-offs at nodes more than two plies from the leaves.
    pub transposition_cutoffs: bool,
    /// Adaptive null move.
    pub null_move: bool,
    /// Multi-cut.
    pub multi_cut: Option<MultiCut>,
    /// Realisation-probability search; without it every move is one ply.
    pub realisation: Option<Realisation>,
    /// Quiescence search at the leaves.
    pub quiescence: bool,
    /// Detects moves that win at once without a search, at leaves as part of quiescence search. Not in
    /// the paper.
    pub winning_moves: bool,
    /// Searches one ply deeper where the opponent threatens to win at once. Not in the paper.
    pub threats: bool,
    /// Two killer moves a ply.
    pub killers: bool,
    /// The classes of moves that the game names come in their order.
    pub classes: bool,
    /// The history heuristic among the moves of a class.
    pub history: HistoryOrder,
    /// Late moves of a node are searched less deep. Not in the papers.
    pub late_moves: LateMoves,
    /// Prunes by the static value. Not in the papers.
    pub margins: Margins,
    /// How far from the last value the next iteration looks first, in points; 0 for any distance. Not in
    /// the papers.
    pub window: i32,
    /// The first repetition on the path is a draw, whatever number of occurrences the rules ask
    /// for; otherwise the rules decide.
    pub first_repetition: bool,
    /// Values that rest on a repetition further up stay out of the table, and endless play is a
    /// draw: then draws by repetition are proven too. It takes more nodes.
    pub proves_draws: bool,
    /// The number of best moves at the root whose exact value is wanted.
    pub lines: usize,
    /// Which positions count as nodes. A limit on nodes is one on those that count.
    pub count: Count,
    /// Threads, which share the table.
    pub threads: usize,
    /// The evaluation of a game nearly won, which sets the scale of reported values.
    pub decisive: i32,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            table_bytes: 16 << 20,
            exact_depth: false,
            transposition_cutoffs: true,
            null_move: true,
            multi_cut: Some(MultiCut::default()),
            realisation: Some(Realisation::default()),
            quiescence: true,
            winning_moves: false,
            threats: false,
            killers: true,
            classes: true,
            history: HistoryOrder::Relative,
            late_moves: LateMoves::default(),
            margins: Margins::default(),
            window: 0,
            first_repetition: true,
            proves_draws: false,
            lines: 1,
            count: Count::All,
            threads: 1,
            // Papers `mcts-loa`, V.A and VI.B.
            decisive: 700,
        }
    }
}

impl Config {
    /// The fixed-depth search of `mcts-loa` VI.C: without realisation probability, null move and
    /// multi-cut.
    pub fn classic() -> Self {
        Config { null_move: false, multi_cut: None, realisation: None, ..Config::default() }
    }

    /// The search of a solver, which knows nothing of a game but its rules.
    pub fn solver(table_bytes: usize) -> Self {
        Config {
            table_bytes,
            quiescence: false,
            classes: false,
            proves_draws: true,
            ..Self::classic()
        }
    }

    /// No part of the search changes the value of a fixed depth.
    pub fn full_width() -> Self {
        Config { quiescence: false, exact_depth: true, first_repetition: false, ..Self::classic() }
    }
}

/// How moves are ordered by what they did at other nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryOrder {
    /// Not at all.
    Off,
    /// The sum of the squared depths in plies at which a move was best (Schaeffer 1989, "The history
    /// heuristic and alpha-beta search enhancements in practice").
    Plain,
    /// How often a move was best, divided by how often it was tried.
    Relative,
    /// Gains when a move is best, losses when it was tried before the best, both by depth and fading; for
    /// the move alone, and as an answer to the move before.
    Gains,
}

/// Which positions count as nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Every visit.
    All,
    /// Positions at a ply that earlier iterations did not search to (`mcts-loa` VI.D): in iteration d
    /// those d plies or more from the root. What quiescence search visits beyond always counts.
    New,
}

/// Multi-cut: a node is pruned if `cuts` of its first `moves` moves fail high, searched
/// `reduction` plies less deep (Björnsson and Marsland 2001, "Multi-cut alpha-beta-pruning in
/// game-tree search"; M = 10, C = 3 and R = 2 are values of theirs).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultiCut {
    /// M.
    pub moves: usize,
    /// C.
    pub cuts: usize,
    /// R.
    pub reduction: i32,
}

impl Default for MultiCut {
    fn default() -> Self {
        MultiCut { moves: 10, cuts: 3, reduction: 2 }
    }
}

/// A move of probability p is worth log(p) / log(`one_ply`) plies, but at least `least` and at
/// most `most` (Tsuruoka et al. 2002, "Game-tree search algorithm based on realization
/// probability"; Winands and Björnsson 2008, "Enhanced realization probability search").
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Realisation {
    /// The probability of a move that is worth one ply.
    pub one_ply: f32,
    /// The fewest plies that a move is worth.
    pub least: f32,
    /// The most plies that a move is worth.
    pub most: f32,
}

impl Default for Realisation {
    /// The papers at hand do not name the numbers. Measured: of one ply for 0.1 to 0.5 and at most
    /// 2 to 6 plies, these solved most proven endgames in 500,000 nodes each, with a plain evaluation.
    fn default() -> Self {
        Realisation { one_ply: 0.3, least: 1.0, most: 4.0 }
    }
}

/// Late moves. Reductions come on top of those by realisation probability; what fails high is searched
/// again to the full depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateMoves {
    /// Hundredths of a ply: move number i of a node with d plies to go is reduced by ln i · ln d times
    /// this; 0 for no reductions.
    pub slope: i32,
    /// Hundredths of a ply for every reduced move.
    pub base: i32,
    /// Hundredths of a ply that the best history takes away, and the worst adds.
    pub history: i32,
}

impl Default for LateMoves {
    /// Nothing is reduced.
    fn default() -> Self {
        LateMoves { slope: 0, base: 20, history: 100 }
    }
}

/// Pruning by the static value; margins in points for each ply to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margins {
    /// A node whose value is this margin above beta is not searched (reverse futility pruning); 0 for never.
    pub above: i32,
    /// Where the value is this margin below alpha, quiet moves are left out (futility pruning); 0 for never.
    pub below: i32,
    /// The most plies to go at which either is done.
    pub plies: i32,
}

impl Default for Margins {
    /// Nothing is pruned.
    fn default() -> Self {
        Margins { above: 0, below: 0, plies: 6 }
    }
}
