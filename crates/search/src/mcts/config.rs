//! The options of a Monte Carlo tree search, grouped by what they are about. Values are on the scale from -1
//! (loss) to 1 (win).

/// How a Monte Carlo tree search selects, grows, proves and decides, and what its threads do. The default is
/// plain UCT with the solver.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// Which child a simulation goes to.
    pub selection: Selection,
    /// How the tree grows.
    pub growth: Growth,
    /// What is proven.
    pub proof: Proving,
    /// When the search ends and what it plays.
    pub decision: Decision,
    /// What threads do.
    pub threads: Threads,
}

/// Which child a simulation goes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// The coefficient C of `v + sqrt(C ln n_p / n_i)` (paper `mcts-loa`, formula 1).
    pub exploration: f32,
    /// How the prior of a move enters the formula.
    pub bias: Bias,
    /// The weight of that term: W, or k of `mcc`.
    pub bias_weight: f32,
    /// Selects among the moves with the highest priors first.
    pub widening: Widening,
    /// Values of moves from anywhere in a simulation: k of paper `mcc`, formula 3.
    pub rave: Option<f32>,
    /// What the effort to prove a move adds to the formula: this times the eighth power of the mean result
    /// at the parent times the least effort of all moves over its own, by proof numbers. 0: nothing.
    pub proof_bias: f32,
    /// First-play urgency: an unvisited move is worth the mean of its parent, for the mover, less this.
    /// `None`: every move is visited once before any is visited twice.
    pub first_play: Option<f32>,
    /// The playout policy selects in nodes with at most this many visits (T of `mcts-loa`, III.A).
    pub policy_visits: u32,
}

impl Default for Selection {
    fn default() -> Self {
        Selection {
            exploration: 1.0,
            bias: Bias::None,
            bias_weight: 0.0,
            widening: Widening::default(),
            rave: None,
            proof_bias: 0.0,
            first_play: None,
            policy_visits: 0,
        }
    }
}

/// How the tree grows.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The order in which children are first visited.
    pub order: ChildOrder,
    /// Visits at which a node gets children.
    pub expand_at: u32,
    /// A new node takes the mean of a transposition with at least this many visits in place of a playout.
    /// `None`: never.
    pub transpositions: Option<u32>,
    /// Keeps what is known about the position after the moves played since the last search.
    pub reuse: bool,
    /// Bytes that all trees together may use.
    pub memory: usize,
}

impl Default for Growth {
    fn default() -> Self {
        Growth {
            order: ChildOrder::Shuffled,
            expand_at: 1,
            transpositions: None,
            reuse: false,
            memory: 1 << 30,
        }
    }
}

/// What is proven.
#[derive(Clone, Debug, PartialEq)]
pub struct Proving {
    /// Proves wins, losses and draws (`mcts-loa`, IV).
    pub solver: bool,
    /// Before a node gets children, looks for a move that wins at once (`mcts-loa`, IV.B).
    pub look_ahead: bool,
    /// After a win is proven, looks for a shorter one by full width.
    pub shortest: bool,
}

impl Default for Proving {
    fn default() -> Self {
        Proving { solver: true, look_ahead: false, shortest: false }
    }
}

/// When the search ends and what it plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The move to play in the end.
    pub final_move: FinalMove,
    /// A of the secure child.
    pub secure: f32,
    /// Ends the search when the most visited move cannot be overtaken.
    pub stop_early: bool,
}

impl Default for Decision {
    fn default() -> Self {
        Decision { final_move: FinalMove::MostVisited, secure: 1.0, stop_early: true }
    }
}

/// What threads do.
#[derive(Clone, Debug, PartialEq)]
pub struct Threads {
    /// How many there are, each with its own tree or all in one.
    pub number: usize,
    /// What they share.
    pub parallelism: Parallelism,
    /// Losses that a thread assumes on its way, so that others go elsewhere.
    pub virtual_loss: u32,
}

impl Default for Threads {
    fn default() -> Self {
        Threads { number: 1, parallelism: Parallelism::Root, virtual_loss: 1 }
    }
}

impl Config {
    /// Whether the children of a new node are looked at for the end of the game.
    pub(super) fn looks_ahead(&self) -> bool {
        self.proof.look_ahead && self.proof.solver
    }

    /// Whether proof numbers are kept.
    pub(super) fn needs_efforts(&self) -> bool {
        self.selection.proof_bias != 0.0 && self.proof.solver
    }

    /// Whether children are sorted by prior.
    pub(super) fn sorts_by_prior(&self) -> bool {
        self.growth.order == ChildOrder::Prior || self.selection.widening.first.is_some()
    }

    /// Whether anybody asks for priors.
    pub(super) fn needs_priors(&self) -> bool {
        self.sorts_by_prior() || self.selection.bias != Bias::None
    }
}

/// The progressive bias: how a prior P enters the selection formula, fading as a move is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bias {
    /// Not at all.
    None,
    /// `W P / (l + 1)`, l the losses of the move (`mcts-loa`, formula 1).
    Losses,
    /// `W P / sqrt(l + 1)` (`mcts-loa`, VI: the tuned form).
    RootOfLosses,
    /// `k P / n`, n the visits of the move (`mcc`, formula 4).
    Visits,
    /// `W P sqrt(n_p) / (n + 1)`, n_p the visits of the parent: PUCT (Rosin 2011, as in AlphaZero). The
    /// priors of a node are meant to add up to 1.
    Polynomial,
}

/// Progressive widening and unpruning (`mcc`, 2.2.4): a node first considers only its best moves by
/// prior, then logarithmically more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// Moves considered at first. `None`: all of them, always.
    pub first: Option<u32>,
    /// One more move each time the visits have grown by this factor; above 1.
    pub growth: f32,
    /// Visits after which moves are left out; 0 for unpruning, which does so from the start.
    pub after: u32,
}

impl Default for Widening {
    /// None. The factor, for where it is asked for, is a guess.
    fn default() -> Self {
        Widening { first: None, growth: 1.4, after: 0 }
    }
}

/// The order of the children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildOrder {
    /// Random.
    Shuffled,
    /// As the game lists the moves (`mcc`).
    Generated,
    /// By prior, the highest first. Widening always uses it.
    Prior,
}

/// How the final move is chosen among those not proven lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalMove {
    /// The most visited move.
    MostVisited,
    /// The highest mean result.
    HighestValue,
    /// The secure child: the highest `v + A / sqrt(n)` (`mcts-loa`, IV.C).
    Secure,
}

/// What threads share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallelism {
    /// Nothing: each grows a tree; the moves of the roots are added up (`mcts-loa`, III.B).
    Root,
    /// One tree, with virtual loss.
    Tree,
}
