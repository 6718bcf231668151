//! One thread of a Monte Carlo tree search: simulations, one after the other.
//!
//! A simulation (Fig. 2 and Fig. 6 of paper `mcts-loa`) goes down the tree to a leaf, plays the game
//! out, and takes the result back up. *Deviations*: draws are proven too, proven values are bounds
//! beside the averages instead of infinities in them, and the whole list of children is made when a
//! node is visited for the second time; a child counts as a node once it is visited.

use std::collections::HashSet;

use spinney_game::{Move, PackedMove, Path, Repetition, Rng, Side, cpu};

use super::config::{ChildOrder, Config};
use super::effort;
use super::node::{Node, Proof, Score};
use super::select::Selector;
use super::tree::{Claim, Tree};
use crate::knowledge::Known;
use crate::policy::{Policy, Simulation};
use crate::{Budget, GameValue};

/// A thread's share of a search. `INLINED`: playouts are part of the loop over simulations, which is
/// then compiled for the processor as a whole; larger policies call `cpu::run` themselves.
pub(super) struct Worker<'a, G: Repetition, P, const INLINED: bool> {
    pub(super) config: &'a Config,
    pub(super) selector: Selector<'a>,
    /// Whether other threads work on the same tree.
    pub(super) shared: bool,
    pub(super) tree: &'a Tree,
    pub(super) root: &'a G,
    pub(super) root_path_length: usize,
    pub(super) start: Start<G>,
    /// The way to the start, and while a simulation runs further down.
    pub(super) path: Path,
    pub(super) policy: P,
    pub(super) share: Share,
    pub(super) budget: Budget,
    pub(super) buffers: Buffers<'a, G>,
}

/// Where simulations start: at the root. In a shared tree a thread stays below some node that was
/// visited often for a batch of simulations, and only then adds the results to it and to the nodes
/// above: near the root, where all threads pass, they would wait for each other most of the time.
pub(super) struct Start<G> {
    position: G,
    /// The nodes of the trail from the root to the start, both included.
    nodes: usize,
    path_length: usize,
}

impl<G: Repetition> Start<G> {
    pub(super) fn at_root(root: &G, path: &Path) -> Self {
        Start { position: root.clone(), nodes: 1, path_length: path.len() }
    }
}

/// A node with at least this many visits can be the start of a batch of simulations: statistics above it
/// lag by at most 1/8.
const MIN_BATCH_VISITS: u32 = 256;

/// The simulations for which a thread in a shared tree stays in one place.
pub(super) const BATCH: u64 = 32;

/// Memory that simulations use again and again.
pub(super) struct Buffers<'a, G: Repetition> {
    /// The nodes of the present simulation, from the root.
    trail: Vec<&'a Node>,
    /// In a shared tree, the results of this batch that the nodes up to the start do not know yet.
    pending: Vec<Pending>,
    moves: Vec<G::Move>,
    /// The priors of the moves, and both together while they are sorted.
    priors: Vec<f32>,
    sorted: Vec<(PackedMove, f32)>,
    /// The moves of the playout, for RAVE.
    trace: Vec<G::Move>,
    /// The moves played so far from the end of a simulation, for RAVE: of the side to move at even
    /// and at odd depths.
    later: [HashSet<u32>; 2],
}

impl<'a, G: Repetition> Buffers<'a, G> {
    pub(super) fn new(root: &'a Node) -> Self {
        let mut trail = Vec::with_capacity(64);
        trail.push(root);
        Buffers {
            trail,
            pending: Vec::with_capacity(64),
            moves: Vec::with_capacity(128),
            priors: Vec::new(),
            sorted: Vec::new(),
            trace: Vec::new(),
            later: Default::default(),
        }
    }
}

/// Simulations that a node does not know of yet.
#[derive(Clone, Copy, Default)]
struct Pending {
    visits: u32,
    score: Score,
}

/// What a simulation ended with.
enum End {
    /// A node whose value is known.
    Proven,
    /// A playout, with its result as the first side sees it.
    Playout(f32),
    /// The budget, before there was a result.
    Interrupted,
}

impl<'a, G: Repetition, P: Policy<G>, const INLINED: bool> Worker<'a, G, P, INLINED> {
    fn run_all(&mut self, simulations: u64) -> u64 {
        let mut done = 0;
        loop {
            if self.shared {
                self.approach();
            }
            let run = Run { worker: self, simulations: simulations - done };
            done += if INLINED { cpu::run(run) } else { cpu::Kernel::run(run) };
            let goes_on_elsewhere =
                self.start_is_proven() && done < simulations && !self.budget.is_paused();
            if self.shared {
                self.depart();
            }
            if !goes_on_elsewhere || self.root_is_proven() {
                return done;
            }
        }
    }

    /// Goes down to the last node on the way that was visited often: simulations start there now.
    fn approach(&mut self) {
        let tree = self.tree;
        let mut position = self.root.clone();
        let repeats = position.drawn_at().is_some();
        let mut node = self.start_node();
        loop {
            let children = tree.children(node);
            let chosen = self.selector.select(tree, node, children);
            let Some(child) = chosen.map(|chosen| &children[chosen]) else {
                break;
            };
            if child.visits() < MIN_BATCH_VISITS || !child.is_expanded() || child.proof().is_exact()
            {
                break;
            }
            node = child;
            self.buffers.trail.push(node);
            let m = G::Move::unpack(node.packed_move());
            let irreversible = repeats && position.is_irreversible(m);
            position.play(m);
            if repeats {
                self.path.push(position.key(), irreversible);
            }
            tree.assume_losses(node, self.config.threads.virtual_loss.saturating_mul(BATCH as u32));
        }
        let nodes = self.buffers.trail.len();
        self.buffers.pending.clear();
        self.buffers.pending.resize(nodes, Pending::default());
        self.start = Start { position, nodes, path_length: self.path.len() };
    }

    /// Adds what was found since [`approach`](Self::approach) to the nodes on the way, and goes back
    /// to the root.
    fn depart(&mut self) {
        let Buffers { trail, pending, .. } = &mut self.buffers;
        for (node, pending) in trail.iter().zip(pending) {
            self.tree.add(node, true, pending.visits, pending.score);
        }
        trail.truncate(1);
        self.path.truncate(self.root_path_length);
        self.start = Start::at_root(self.root, &self.path);
    }

    /// The node where simulations start.
    #[inline(always)]
    fn start_node(&self) -> &'a Node {
        self.buffers.trail[self.start.nodes - 1]
    }

    /// Whether nothing is left to find out below the start.
    #[inline(always)]
    fn start_is_proven(&self) -> bool {
        self.config.proof.solver && self.start_node().proof().is_exact()
    }

    /// Whether nothing is left to find out.
    fn root_is_proven(&self) -> bool {
        self.config.proof.solver && self.buffers.trail[0].proof().is_exact()
    }

    /// One simulation; `false` if it was interrupted.
    #[inline(always)]
    fn simulate(&mut self) -> bool {
        let mut position = self.start.position.clone();
        self.buffers.trail.truncate(self.start.nodes);
        let end = self.descend(&mut position);
        let visited = (1 + self.buffers.trail.len() - self.start.nodes) as u64;
        if self.config.looks_ahead() {
            // The children that the look-ahead looks at are what counts (`mcts-loa`, VI.D).
            self.budget.spend_uncounted(visited);
        } else {
            self.budget.spend(visited);
        }
        if self.root.drawn_at().is_some() {
            self.path.truncate(self.start.path_length);
        }
        let result_for_first = match end {
            End::Interrupted => {
                self.take_back_virtual_losses();
                return false;
            }
            End::Playout(result_for_first) => result_for_first,
            // The bound of the leaf, which is exact, makes the result.
            End::Proven => {
                self.propagate_proof();
                0.0
            }
        };
        self.update(result_for_first);
        if self.config.needs_efforts() {
            effort::update(self.tree, &self.buffers.trail);
        }
        true
    }

    /// From the start to a leaf, and its playout.
    #[inline(always)]
    fn descend(&mut self, position: &mut G) -> End {
        let tree = self.tree;
        let drawn_at = position.drawn_at();
        let mut node = self.start_node();
        let mut needed = 0; // The start is the root, or has long had children.
        loop {
            // 1. A leaf is played out, until it has been visited often enough to get children.
            if !node.is_expanded() {
                if node.visits() < needed || !self.expand(node, position) {
                    return self.play_out(position.clone());
                }
                if self.buffers.trail.len() > 1 && node.proof().is_exact() {
                    return End::Proven;
                }
            }
            // 2. A child is selected.
            let children = tree.children(node);
            let Some(chosen) = self.choose(node, children, position) else {
                // Other threads proved the last of the children while this one looked.
                return self.play_out(position.clone());
            };
            let parent = node;
            node = &children[chosen];
            needed = self.config.growth.expand_at;
            self.buffers.trail.push(node);
            // 3. The move is played.
            let m = G::Move::unpack(node.packed_move());
            let irreversible = drawn_at.is_some() && position.is_irreversible(m);
            let mover = position.to_move();
            position.play(m);
            if drawn_at.is_some() {
                self.path.push(position.key(), irreversible);
            }
            // 4. A position visited for the first time may be the end of the game.
            if node.visits() == 0 {
                let repeats = drawn_at.is_some_and(|times| self.path.repeats(times));
                if let Some(outcome) = position.outcome() {
                    tree.prove(node, Proof::exact(GameValue::of(outcome, mover), 0));
                } else if repeats {
                    tree.prove(node, Proof::exact(GameValue::Draw, 0));
                } else if let Some(Known { value, plies }) = self.policy.known(position) {
                    tree.prove(node, Proof::exact(value.for_opponent(), plies));
                }
            }
            // 5. A known value needs no simulation.
            if node.proof().is_exact() {
                return End::Proven;
            }
            if self.shared {
                tree.assume_losses(node, self.config.threads.virtual_loss);
            }
            // 6. Nor does a position that was met before, if it was searched there.
            if let Some(fewest_visits) = self.config.growth.transpositions
                && let Some(result) = self.result_of_twin(parent, chosen, position, fewest_visits)
            {
                return End::Playout(result);
            }
        }
    }

    /// The child to go to: by the policy in rarely visited nodes, else by the selection formula.
    #[inline(always)]
    fn choose(&mut self, node: &Node, children: &[Node], position: &G) -> Option<usize> {
        let policy_visits = self.config.selection.policy_visits;
        if policy_visits == 0 || node.visits() > policy_visits {
            return self.selector.select(self.tree, node, children);
        }
        let m = self.policy.choose(position, &mut self.share.rng, &mut self.budget).pack();
        children.iter().position(|child| child.packed_move() == m)
    }

    /// The mean result of a node with the same position, as the first side sees it, if this child of
    /// `parent` is visited for the first time.
    #[inline(never)]
    fn result_of_twin(
        &mut self,
        parent: &Node,
        child: usize,
        position: &G,
        fewest_visits: u32,
    ) -> Option<f32> {
        let visits = self.tree.children(parent)[child].visits();
        if visits > 0 {
            // Entered now and then, so that the most visited of several transpositions is found.
            if visits.is_power_of_two() {
                self.tree.enter(position.key(), parent, child);
            }
            return None;
        }
        let twin = self.tree.twin(position.key())?;
        if twin.visits() < fewest_visits {
            return None;
        }
        self.buffers.trace.clear();
        // A node's mean is as the side sees it that moved into it.
        let mean = twin.mean() as f32;
        Some(if position.to_move() == Side::Second { mean } else { -mean })
    }

    #[inline(always)]
    fn play_out(&mut self, position: G) -> End {
        self.buffers.trace.clear();
        let wants_trace = self.config.selection.rave.is_some();
        let mut simulation = Simulation {
            path: &mut self.path,
            rng: &mut self.share.rng,
            budget: &mut self.budget,
            trace: wants_trace.then_some(&mut self.buffers.trace),
        };
        match self.policy.playout(position, &mut simulation) {
            Some(result_for_first) => End::Playout(result_for_first),
            None => End::Interrupted,
        }
    }

    /// Gives a node its children; with look-ahead, children that end the game are proven at once.
    /// `false` if the tree is full or another thread is at it.
    fn expand(&mut self, node: &Node, position: &G) -> bool {
        // 1. The moves in their order, with their priors if anybody asks for them.
        let Buffers { moves, priors, sorted, .. } = &mut self.buffers;
        moves.clear();
        position.legal_moves(moves);
        if self.config.growth.order == ChildOrder::Shuffled {
            self.share.rng.shuffle(moves);
        }
        if self.config.needs_priors() {
            priors.clear();
            self.policy.priors(position, moves, priors);
        }
        if self.config.sorts_by_prior() {
            sorted.clear();
            sorted.extend(moves.iter().map(|m| m.pack()).zip(priors.iter().copied()));
            sort_by_prior(sorted);
            for ((m, prior), sorted) in moves.iter_mut().zip(&mut *priors).zip(sorted) {
                (*m, *prior) = (G::Move::unpack(sorted.0), sorted.1);
            }
        }
        // 2. The children.
        let packed = moves.iter().map(|&m| m.pack());
        if !self.tree.expand(node, &mut self.share.claim, packed, priors) {
            return false;
        }
        // 3. The look-ahead.
        if self.config.looks_ahead() {
            let mover = position.to_move();
            for (child, &m) in self.tree.children(node).iter().zip(moves.iter()) {
                let mut next = position.clone();
                next.play(m);
                if let Some(outcome) = next.outcome() {
                    self.tree.prove(child, Proof::exact(GameValue::of(outcome, mover), 0));
                }
            }
            self.budget.spend(moves.len() as u64);
            settle(self.tree, node);
        }
        true
    }

    /// Proves what follows for the nodes above from the proof of the last node of the trail.
    fn propagate_proof(&mut self) {
        if !self.config.proof.solver {
            return;
        }
        for &node in self.buffers.trail.iter().rev().skip(1) {
            let before = node.proof();
            settle(self.tree, node);
            if node.proof() == before {
                return;
            }
        }
    }

    /// Adds the result to all nodes of the simulation, from the leaf up. What is proven about a node
    /// bounds the results that go through it.
    #[inline(always)]
    fn update(&mut self, result_for_first: f32) {
        let Buffers { trail, pending, .. } = &mut self.buffers;
        // The root is seen by the side that moved into it, the opponent of the side to move there;
        // at odd depths it is the other way round.
        let depth = trail.len() - 1;
        let seen_by_first = (self.root.to_move() == Side::First) == (depth % 2 == 1);
        let result = Score::new(result_for_first);
        let mut result = if seen_by_first { result } else { result.for_opponent() };
        let (above, below) = trail.split_at(if self.shared { self.start.nodes } else { 0 });
        for node in below.iter().rev() {
            result = node.proof().bound(result);
            self.tree.add(node, self.shared, 1, result);
            result = result.for_opponent();
        }
        for (node, pending) in above.iter().zip(pending).rev() {
            result = node.proof().bound(result);
            pending.visits += 1;
            pending.score = pending.score + result;
            result = result.for_opponent();
        }
        if self.config.selection.rave.is_some() {
            self.update_rave(result);
        }
    }

    /// Credits the result to every child on the way whose move was played later by the same side.
    fn update_rave(&mut self, result_for_root_side: Score) {
        let Buffers { trail, trace, later, .. } = &mut self.buffers;
        later.iter_mut().for_each(HashSet::clear);
        for (ply, &m) in trace.iter().enumerate() {
            later[(trail.len() + ply) % 2].insert(m.pack());
        }
        let mut result = result_for_root_side;
        if trail.len() % 2 == 1 {
            result = result.for_opponent();
        }
        for depth in (1..trail.len()).rev() {
            let played = &mut later[depth % 2];
            played.insert(trail[depth].packed_move());
            let parent = trail[depth - 1];
            for (child, rave) in self.tree.children(parent).iter().zip(self.tree.raves(parent)) {
                if played.contains(&child.packed_move()) {
                    rave.add(result);
                }
            }
            result = result.for_opponent();
        }
    }

    fn take_back_virtual_losses(&mut self) {
        if self.shared {
            let below = &self.buffers.trail[self.start.nodes..];
            below.iter().for_each(|node| self.tree.forget_losses(node));
        }
    }
}

/// A [`Worker`] of some game, for those who do not ask which.
pub(super) trait Simulator {
    /// Runs simulations until that many are done, the root is proven or the budget is spent. Returns
    /// the number done.
    fn run(&mut self, simulations: u64) -> u64;

    /// Gives the root children before threads meet at it: every simulation then goes through one.
    fn open_root(&mut self);

    /// What it may spend.
    fn budget(&mut self) -> &mut Budget;

    /// What it has done.
    fn share(&mut self) -> &mut Share;

    /// Hands its share over to the simulator that continues the search.
    fn into_share(self: Box<Self>) -> Share;
}

/// What a thread has done, and what it takes from one slice of a search to the next.
pub(super) struct Share {
    rng: Rng,
    /// Where its new nodes go.
    claim: Claim,
    pub(super) simulations: u64,
    /// Positions, as the limit on them counts.
    pub(super) nodes: u64,
    /// Work that the limit does not count.
    pub(super) uncounted: u64,
}

impl Share {
    pub(super) fn new(rng: Rng) -> Self {
        Share { rng, claim: Claim::default(), simulations: 0, nodes: 0, uncounted: 0 }
    }
}

impl<G: Repetition, P: Policy<G>, const INLINED: bool> Simulator for Worker<'_, G, P, INLINED> {
    fn run(&mut self, simulations: u64) -> u64 {
        self.run_all(simulations)
    }

    fn open_root(&mut self) {
        let root = self.buffers.trail[0];
        if !root.is_expanded() {
            self.expand(root, self.root);
        }
    }

    fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    fn share(&mut self) -> &mut Share {
        &mut self.share
    }

    fn into_share(self: Box<Self>) -> Share {
        self.share
    }
}

/// The most likely move first. Moves with equal priors stay in the order they had.
fn sort_by_prior(moves: &mut [(PackedMove, f32)]) {
    moves.sort_by(|a, b| b.1.total_cmp(&a.1));
}

/// Proves what follows for a node from its children. All bounds of the children are as the side to
/// move at the node sees them, those of the node itself as its opponent does.
fn settle(tree: &Tree, node: &Node) {
    if node.proof().is_exact() || !node.is_expanded() {
        return;
    }
    let (mut lower, mut upper) = (GameValue::Loss, GameValue::Loss);
    let mut quickest_win = u16::MAX;
    // The longest way to a loss and to a draw.
    let mut longest = [0; 3];
    for child in tree.children(node) {
        let proof = child.proof();
        lower = lower.max(proof.lower());
        upper = upper.max(proof.upper());
        if proof.lower() == GameValue::Win {
            quickest_win = quickest_win.min(proof.plies());
        }
        let longest = &mut longest[proof.upper() as usize];
        *longest = proof.plies().max(*longest);
    }
    let plies = if lower == GameValue::Win { quickest_win } else { longest[upper as usize] };
    let proof = Proof::new(upper.for_opponent(), lower.for_opponent(), plies.saturating_add(1));
    if proof.lower() != GameValue::Loss || proof.upper() != GameValue::Win {
        tree.prove(node, proof);
    }
}

/// The loop over simulations, compiled for the processor.
struct Run<'w, 'a, G: Repetition, P, const INLINED: bool> {
    worker: &'w mut Worker<'a, G, P, INLINED>,
    simulations: u64,
}

impl<G: Repetition, P: Policy<G>, const INLINED: bool> cpu::Kernel for Run<'_, '_, G, P, INLINED> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Run { worker, simulations } = self;
        let mut done = 0;
        while done < simulations
            && !worker.budget.is_exhausted()
            && !worker.budget.is_paused()
            && !worker.start_is_proven()
            && worker.simulate()
        {
            done += 1;
        }
        done
    }
}
