//! One thread of a Monte Carlo tree search: simulations, one after the other.
//!
//! A simulation (Fig. 2 and Fig. 6 of paper `mcts-loa`) goes down the tree to a leaf, plays the game
//! out, and takes the result back up. *Deviations*: draws are proven too, proven values are bounds
//! beside the averages instead of infinities in them, and the whole list of children is made when a
//! node is visited for the second time; a child counts as a node once it is visited.

use std::collections::HashSet;

use spinney_game::{Path, Repetition, Rng, Side, cpu};

use super::config::{Config, FinalMove, MoveOrder};
use super::node::{Node, Proof, Score};
use super::select::Selector;
use super::tree::{Claim, ROOT, Tree};
use crate::policy::{Policy, Simulation};
use crate::{Budget, GameValue};

/// A thread's share of a search.
pub(super) struct Worker<'a, G: Repetition, P> {
    pub(super) config: &'a Config,
    pub(super) selector: Selector<'a>,
    /// Whether other threads work on the same tree.
    pub(super) shared: bool,
    pub(super) tree: &'a Tree,
    pub(super) root: &'a G,
    /// The way to the root, and while a simulation runs further down.
    pub(super) path: Path,
    pub(super) policy: P,
    pub(super) rng: Rng,
    pub(super) budget: Budget,
    /// Where its new nodes go.
    pub(super) claim: Claim,
    /// Nodes visited for the first time, not yet told to the tree.
    pub(super) visited: u64,
    pub(super) buffers: Buffers<'a, G>,
}

/// Memory that simulations use again and again.
pub(super) struct Buffers<'a, G: Repetition> {
    /// The nodes of the present simulation, below the root.
    trail: Vec<&'a Node>,
    moves: Vec<G::Move>,
    /// The priors of the moves, and both together while they are sorted.
    priors: Vec<f32>,
    sorted: Vec<(G::Move, f32)>,
    /// The moves of the play-out, for RAVE.
    trace: Vec<G::Move>,
    /// The moves played so far from the end of a simulation, for RAVE: of the side to move at even
    /// and at odd depths.
    later: [HashSet<u32>; 2],
}

impl<G: Repetition> Default for Buffers<'_, G> {
    fn default() -> Self {
        Buffers {
            trail: Vec::with_capacity(64),
            moves: Vec::with_capacity(128),
            priors: Vec::new(),
            sorted: Vec::new(),
            trace: Vec::new(),
            later: Default::default(),
        }
    }
}

/// What a simulation ended with.
enum End {
    /// A node whose value is known.
    Proven,
    /// A play-out, with its result as the first side sees it.
    Playout(f32),
    /// The budget, before there was a result.
    Interrupted,
}

impl<G: Repetition, P: Policy<G>> Worker<'_, G, P> {
    /// Runs simulations until so many are done, the root is proven or the budget is spent. Returns
    /// the number done.
    pub(super) fn run(&mut self, simulations: u64) -> u64 {
        let run = Run { worker: self, simulations };
        let done = if P::INLINED { cpu::run(run) } else { cpu::Kernel::run(run) };
        self.tree.count_visited(std::mem::take(&mut self.visited));
        done
    }

    /// Whether nothing is left to find out.
    #[inline]
    pub(super) fn root_is_proven(&self) -> bool {
        self.config.solver && self.tree.node(ROOT).proof().is_exact()
    }

    /// One simulation; `false` if it was interrupted.
    #[inline(always)]
    fn simulate(&mut self) -> bool {
        let length = self.path.len();
        let mut position = self.root.clone();
        self.buffers.trail.clear();
        let end = self.descend(&mut position);
        self.budget.spend(1 + self.buffers.trail.len() as u64);
        self.path.truncate(length);
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
        true
    }

    /// From the root to a leaf, and its play-out.
    #[inline(always)]
    fn descend(&mut self, position: &mut G) -> End {
        let tree = self.tree;
        let drawn_at = position.drawn_at();
        let mut node = tree.node(ROOT);
        let mut needed = 0;
        loop {
            // 1. A leaf is played out, until it has been visited often enough to get children.
            if !node.is_expanded() {
                if node.visits() < needed || !self.expand(node, position) {
                    return self.play_out(position.clone());
                }
                if !self.buffers.trail.is_empty() && node.proof().is_exact() {
                    return End::Proven;
                }
            }
            // 2. A child is selected.
            let children = tree.children(node);
            let Some(chosen) = self.choose(node, children, position) else {
                // Other threads proved the last of the children while this one looked.
                return self.play_out(position.clone());
            };
            node = &children[chosen];
            needed = self.config.expand_at;
            self.buffers.trail.push(node);
            // 3. The move is played.
            let m = G::unpack(node.packed_move());
            let irreversible = drawn_at.is_some() && position.is_irreversible(m);
            let mover = position.to_move();
            position.play(m);
            if drawn_at.is_some() {
                self.path.push(position.key(), irreversible);
            }
            // 4. A position visited for the first time may be the end of the game.
            if node.visits() == 0 {
                self.visited += 1;
                let repeats = drawn_at.is_some_and(|times| self.path.repeats(times));
                if let Some(outcome) = position.outcome() {
                    tree.prove(node, Proof::exact(GameValue::of(outcome, mover), 0));
                } else if repeats {
                    tree.prove(node, Proof::exact(GameValue::Draw, 0));
                }
            }
            // 5. A known value needs no simulation.
            if node.proof().is_exact() {
                return End::Proven;
            }
            if self.shared {
                tree.assume_losses(node, self.config.virtual_loss);
            }
        }
    }

    /// The child to go to: by the policy in rarely visited nodes, else by the selection formula.
    #[inline(always)]
    fn choose(&mut self, node: &Node, children: &[Node], position: &G) -> Option<usize> {
        if node.visits() > self.config.policy_visits || self.config.policy_visits == 0 {
            return self.selector.select(self.tree, node, children);
        }
        let m = G::pack(self.policy.choose(position, &mut self.rng));
        children.iter().position(|child| child.packed_move() == m)
    }

    #[inline(always)]
    fn play_out(&mut self, position: G) -> End {
        self.buffers.trace.clear();
        let wants_trace = self.config.rave.is_some();
        let mut simulation = Simulation {
            path: &mut self.path,
            rng: &mut self.rng,
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
        // 1. The moves, with their priors if anybody asks for them.
        let Buffers { moves, priors, sorted, .. } = &mut self.buffers;
        moves.clear();
        position.legal_moves(moves);
        if self.config.needs_priors() {
            priors.clear();
            priors.extend(moves.iter().map(|&m| self.policy.prior(position, m)));
        }
        // 2. Their order.
        if self.config.sorts_by_prior() {
            sorted.clear();
            sorted.extend(moves.iter().copied().zip(priors.iter().copied()));
            // Stable: moves with equal priors stay in the order of the game.
            sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
            for ((m, prior), sorted) in moves.iter_mut().zip(&mut *priors).zip(sorted) {
                (*m, *prior) = *sorted;
            }
        } else if self.config.order == MoveOrder::Shuffled {
            for last in (1..moves.len()).rev() {
                let other = self.rng.below(last as u32 + 1) as usize;
                moves.swap(last, other);
                if self.config.needs_priors() {
                    priors.swap(last, other);
                }
            }
        }
        let packed = moves.iter().map(|&m| G::pack(m));
        if !self.tree.expand(node, &mut self.claim, packed, priors) {
            return false;
        }
        // 3. The look-ahead.
        if self.config.look_ahead && self.config.solver {
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
        if !self.config.solver {
            return;
        }
        let root = self.tree.node(ROOT);
        let ancestors = self.buffers.trail.iter().rev().skip(1).chain([&root]);
        for &node in ancestors {
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
        // The root is seen by the side that moved into it, the opponent of the side to move there;
        // at odd depths it is the other way round.
        let depth = self.buffers.trail.len();
        let seen_by_first = (self.root.to_move() == Side::First) == (depth % 2 == 1);
        let result = Score::new(result_for_first);
        let mut result = if seen_by_first { result } else { result.for_opponent() };
        for &node in self.buffers.trail.iter().rev() {
            result = node.proof().bound(result);
            self.tree.add(node, self.shared, result);
            result = result.for_opponent();
        }
        let root = self.tree.node(ROOT);
        result = root.proof().bound(result);
        self.tree.add(root, self.shared, result);
        if self.config.rave.is_some() {
            self.update_rave(result.for_opponent());
        }
    }

    /// Credits the result to every child on the way whose move was played later by the same side.
    fn update_rave(&mut self, result_for_root_side: Score) {
        let Buffers { trail, trace, later, .. } = &mut self.buffers;
        later.iter_mut().for_each(HashSet::clear);
        for (ply, &m) in trace.iter().enumerate() {
            later[(trail.len() + ply) % 2].insert(G::pack(m));
        }
        let mut result = result_for_root_side;
        if trail.len() % 2 == 0 {
            result = result.for_opponent();
        }
        for depth in (0..trail.len()).rev() {
            let played = &mut later[depth % 2];
            played.insert(trail[depth].packed_move());
            let node = if depth == 0 { self.tree.node(ROOT) } else { trail[depth - 1] };
            for (child, rave) in self.tree.children(node).iter().zip(self.tree.raves(node)) {
                if played.contains(&child.packed_move()) {
                    rave.add(result);
                }
            }
            result = result.for_opponent();
        }
    }

    fn take_back_virtual_losses(&mut self) {
        if self.shared {
            self.buffers.trail.iter().for_each(|node| self.tree.forget_losses(node));
        }
    }

    /// Whether the most visited move stays so, whatever the remaining simulations bring.
    pub(super) fn is_decided(&self, remaining: u64) -> bool {
        if !self.config.stop_early || self.config.final_move != FinalMove::MostVisited {
            return false;
        }
        let children = self.tree.children(self.tree.node(ROOT));
        let (mut first, mut second) = (0, 0);
        for child in children.iter().filter(|child| !child.proof().is_loss()) {
            if child.proof().is_exact() {
                return false; // A draw in hand gets no more visits, but may be the move to play.
            }
            let visits = u64::from(child.visits());
            if visits > first {
                (first, second) = (visits, first);
            } else {
                second = second.max(visits);
            }
        }
        first - second > remaining
    }
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
struct Run<'w, 'a, G: Repetition, P> {
    worker: &'w mut Worker<'a, G, P>,
    simulations: u64,
}

impl<G: Repetition, P: Policy<G>> cpu::Kernel for Run<'_, '_, G, P> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Run { worker, simulations } = self;
        let mut done = 0;
        while done < simulations
            && !worker.budget.is_exhausted()
            && !worker.root_is_proven()
            && worker.simulate()
        {
            done += 1;
        }
        done
    }
}
