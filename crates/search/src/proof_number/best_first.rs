//! Best-first proof-number search: the tree in memory, and always the open position that matters
//! most.
//!
//! - **PN** (Allis, van der Meulen and van den Herik 1994): descend to the child with the least δ
//!   until a position has no children yet, make them, and correct the numbers on the way back, as
//!   far as they change.
//! - **PN²** (Breuker 1998, "Memory versus search in games"; Winands, Uiterwijk and van den Herik
//!   2003): a position is expanded by a second PN search, of which only the children of its root
//!   are kept. With x nodes in the first tree the second may have x / (1 + e^((a - x) / b)).
//!
//! *Deviations*: the children of solved positions are removed at once in both trees, and the size
//! of a tree is the nodes it holds.

use std::collections::TryReserveError;

use spinney_game::cpu::{self, Kernel};
use spinney_game::{Game, Move, Repetition};

use super::numbers::{HOPELESS, Known, Sum, deciding};
use super::{Answer, Question};
use crate::Budget;

/// PN and PN².
#[derive(Debug)]
pub(super) struct BestFirst<G: Game> {
    pub(super) first: Tree<G>,
    second: Option<Tree<G>>,
}

/// The size of a second search, by that of the first: x / (1 + e^((a - x) / b)).
#[derive(Clone, Copy, Debug)]
pub(super) struct Fraction {
    pub(super) a: f64,
    pub(super) b: f64,
}

impl Fraction {
    /// Breuker's values as they are quoted; see docs/how/proof-number.md.
    const PN2: Fraction = Fraction { a: 1.8e6, b: 240e3 };

    pub(super) fn size(self, first: usize) -> usize {
        let x = first as f64;
        (x / (1.0 + exponential((self.a - x) / self.b))) as usize
    }
}

/// e to some power up to 50, by basic operations alone: those of libraries differ in the last bit
/// between machines, and a search must not.
fn exponential(power: f64) -> f64 {
    let part = power.clamp(-50.0, 50.0) / 1024.0;
    let root = 1.0 + part * (1.0 + part / 2.0 * (1.0 + part / 3.0 * (1.0 + part / 4.0)));
    (0..10).fold(root, |root, _| root * root)
}

impl<G: Repetition> BestFirst<G> {
    /// PN search with `bytes` of memory.
    pub(super) fn pn(bytes: usize) -> Result<Self, TryReserveError> {
        Ok(BestFirst { first: Tree::new(bytes)?, second: None })
    }

    /// PN² search with `bytes` of memory.
    pub(super) fn pn2(bytes: usize) -> Result<Self, TryReserveError> {
        Ok(BestFirst { first: Tree::new(bytes / 2)?, second: Some(Tree::new(bytes / 2)?) })
    }

    /// Answers a question, or continues the last one; the budget or the memory may end it.
    pub(super) fn ask(
        &mut self,
        question: &Question<'_, G>,
        budget: &mut Budget,
        resumes: bool,
    ) -> Answer {
        if !resumes {
            self.first.plant(question.position, question.position.key(), &[], 0);
        }
        cpu::run(Search { solver: self, question, budget })
    }
}

/// One search.
struct Search<'a, 'q, G: Game> {
    solver: &'a mut BestFirst<G>,
    question: &'a Question<'q, G>,
    budget: &'a mut Budget,
}

impl<G: Repetition> Kernel for Search<'_, '_, G> {
    type Output = Answer;

    #[inline(always)]
    fn run(self) -> Answer {
        let Search { solver: BestFirst { first, second }, question, budget } = self;
        match second {
            None if !first.is_open() || budget.is_exhausted() => {}
            None => first.grow(question, usize::MAX, budget),
            Some(second) => {
                while first.is_open() && !budget.is_exhausted() {
                    first.descend();
                    if !first.expand_by(second, question, budget) {
                        break;
                    }
                    first.correct();
                }
            }
        }
        first.answer()
    }
}

/// A tree of positions in bounded memory. The root is node 0.
#[derive(Debug)]
pub(super) struct Tree<G: Game> {
    nodes: Vec<Node>,
    most_nodes: usize,
    /// For every number of children, the free blocks of that many nodes.
    free: Vec<Vec<u32>>,
    live: usize,
    /// The way from the root to the node that is looked at.
    steps: Vec<Step<G>>,
    /// The keys of the positions before the root and of the steps.
    keys: Vec<u64>,
    moves: Vec<G::Move>,
    /// Nodes that are about to become children.
    buffer: Vec<Node>,
    /// Blocks still to be freed.
    solved: Vec<Block>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    known: Known,
    /// The move to it, as a number.
    m: u32,
    children: Block,
}

/// Nodes that lie together: the children of a node.
#[derive(Clone, Copy, Debug)]
struct Block {
    start: u32,
    count: u32,
}

impl Block {
    const EMPTY: Block = Block { start: 0, count: 0 };

    #[inline(always)]
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }
}

#[derive(Clone, Debug)]
struct Step<G> {
    node: u32,
    position: G,
    /// The first ply that can be repeated from here on.
    window: usize,
}

impl<G: Repetition> Tree<G> {
    /// A tree of at most `bytes`, but of at least a thousand nodes.
    pub(super) fn new(bytes: usize) -> Result<Self, TryReserveError> {
        let most_nodes = (bytes / size_of::<Node>()).clamp(FEWEST_NODES, u32::MAX as usize);
        let mut nodes = Vec::new();
        // The room is taken once, so that the nodes never move; memory is used where it is filled.
        nodes.try_reserve_exact(most_nodes)?;
        Ok(Tree {
            nodes,
            most_nodes,
            free: Vec::new(),
            live: 0,
            steps: Vec::new(),
            keys: Vec::new(),
            moves: Vec::new(),
            buffer: Vec::new(),
            solved: Vec::new(),
        })
    }

    /// Begins a tree with a position that is not finished. `before` are the keys of the positions on
    /// the way to it, `window` is the first of them that can be repeated.
    #[inline(always)]
    pub(super) fn plant(&mut self, position: &G, key: u64, before: &[u64], window: usize) {
        self.nodes.clear();
        self.free.iter_mut().for_each(Vec::clear);
        self.nodes.push(Node { known: Known::open(1, 1), m: 0, children: Block::EMPTY });
        self.live = 1;
        self.keys.clear();
        self.keys.extend_from_slice(before);
        self.keys.push(key);
        self.steps.clear();
        self.steps.push(Step { node: 0, position: position.clone(), window });
    }

    /// PN search, up to some number of nodes, but at least one step.
    #[inline(always)]
    pub(super) fn grow(
        &mut self,
        question: &Question<'_, G>,
        most_nodes: usize,
        budget: &mut Budget,
    ) {
        loop {
            self.descend();
            if !self.expand(question, budget) {
                return;
            }
            self.correct();
            if !self.is_open() || self.live >= most_nodes || budget.is_exhausted() {
                return;
            }
        }
    }

    /// What is known of the root.
    pub(super) fn known(&self) -> Known {
        self.nodes.first().map_or(Known::HOPELESS, |root| root.known)
    }

    /// The moves of the node that a line of packed moves leads to, with what is known after each and
    /// the number of moves there; `None` if there is no such node.
    pub(super) fn moves(&self, path: &[u32]) -> Option<Vec<(u32, Known, usize)>> {
        let mut node = self.nodes.first()?;
        for &m in path {
            node = self.nodes[node.children.range()].iter().find(|child| child.m == m)?;
        }
        let children = self.nodes[node.children.range()].iter();
        Some(children.map(|node| (node.m, node.known, node.children.count as usize)).collect())
    }

    /// The position at the root, if a tree was planted.
    pub(super) fn root(&self) -> Option<&G> {
        self.steps.first().map(|step| &step.position)
    }

    /// What is known of the root, and its best move.
    fn answer(&self) -> Answer {
        let Some(root) = self.nodes.first() else { return Answer::UNKNOWN };
        let children = &self.nodes[root.children.range()];
        let known = || children.iter().map(|child| child.known);
        let best = match root.known.is_solved() {
            true => deciding(known(), root.known.phi == 0).map(|(index, _)| index),
            false => Some(Sum::of(known()).best),
        };
        let best = best.and_then(|index| children.get(index));
        Answer { known: root.known, best: best.map(|child| child.m) }
    }

    /// Whether the root may yet be solved.
    #[inline(always)]
    fn is_open(&self) -> bool {
        let known = self.known();
        !known.is_solved() && known.phi < HOPELESS
    }

    /// Goes on to the position that is to be expanded next.
    #[inline(always)]
    fn descend(&mut self) {
        while let Some(step) = self.steps.last() {
            let children = self.nodes[step.node as usize].children;
            if children.count == 0 {
                return;
            }
            let sum = Sum::of(self.nodes[children.range()].iter().map(|child| child.known));
            let node = children.start + sum.best as u32;
            let m = G::Move::unpack(self.nodes[node as usize].m);
            let is_irreversible = step.position.is_irreversible(m);
            let window = if is_irreversible { self.keys.len() } else { step.window };
            let mut position = step.position.clone();
            position.play(m);
            self.keys.push(position.key());
            self.steps.push(Step { node, position, window });
        }
    }

    /// Makes the children of the last step; `false` if there is no room for them.
    #[inline(always)]
    fn expand(&mut self, question: &Question<'_, G>, budget: &mut Budget) -> bool {
        let Some(step) = self.steps.last() else { return false };
        // Plies from the root of the question, which may be above that of the tree.
        let ply = self.keys.len() - 1;
        if ply >= question.depth {
            self.nodes[step.node as usize].known = Known::HOPELESS;
            return true;
        }
        let side = step.position.to_move();
        self.moves.clear();
        self.buffer.clear();
        step.position.legal_moves(&mut self.moves);
        for &m in &self.moves {
            let mut next = step.position.clone();
            next.play(m);
            let known = match next.outcome() {
                Some(outcome) => Known::finished(outcome, !side, question.attacker),
                None if step.position.is_irreversible(m) => Known::new(&next),
                None => match earlier(&self.keys, step.window, next.key()) {
                    Some(earlier) => Known::repeated(earlier, !side, question.attacker),
                    None => Known::new(&next),
                },
            };
            self.buffer.push(Node { known, m: m.pack(), children: Block::EMPTY });
            // A win at once is enough. What only holds may hide one.
            if known.delta == 0 && known.ending.plies().is_some() {
                break;
            }
        }
        budget.spend(self.buffer.len() as u64);
        self.adopt()
    }

    /// Expands the last step by a search of its own; `false` if there is no room.
    #[inline(always)]
    fn expand_by(
        &mut self,
        second: &mut Tree<G>,
        question: &Question<'_, G>,
        budget: &mut Budget,
    ) -> bool {
        let Some((step, (&key, before))) = self.steps.last().zip(self.keys.split_last()) else {
            return false;
        };
        second.plant(&step.position, key, before, step.window);
        second.grow(question, Fraction::PN2.size(self.live), budget);
        let root = second.nodes[0];
        if root.children.count == 0 {
            // Too deep, or it did not fit.
            self.nodes[step.node as usize].known = root.known;
            return root.known == Known::HOPELESS;
        }
        self.buffer.clear();
        let children = second.nodes[root.children.range()].iter();
        self.buffer.extend(children.map(|child| Node { children: Block::EMPTY, ..*child }));
        self.adopt()
    }

    /// Makes the buffer the children of the last step; `false` if there is no room.
    #[inline(always)]
    fn adopt(&mut self) -> bool {
        let Some(start) = self.allocate(self.buffer.len()) else { return false };
        let children = Block { start, count: self.buffer.len() as u32 };
        self.nodes[children.range()].copy_from_slice(&self.buffer);
        if let Some(step) = self.steps.last() {
            self.nodes[step.node as usize].children = children;
        }
        true
    }

    /// Corrects the numbers on the way back, as far as they change.
    #[inline(always)]
    fn correct(&mut self) {
        while let Some(step) = self.steps.last() {
            let number = step.node as usize;
            let Node { known: before, children, .. } = self.nodes[number];
            if children.count > 0 {
                let children = || self.nodes[children.range()].iter().map(|child| child.known);
                let known = Sum::of(children()).known(children(), self.keys.len() - 1);
                self.nodes[number].known = known;
                if known.is_solved() {
                    self.prune(number);
                }
                if known == before {
                    return;
                }
            }
            if self.steps.len() == 1 {
                return;
            }
            self.steps.pop();
            self.keys.pop();
        }
    }

    /// Removes what is below a solved node. The root keeps its children: they are its moves.
    fn prune(&mut self, number: usize) {
        let children = self.nodes[number].children;
        if number == 0 {
            for child in children.range() {
                self.solved.push(std::mem::replace(&mut self.nodes[child].children, Block::EMPTY));
            }
        } else {
            self.solved.push(children);
            self.nodes[number].children = Block::EMPTY;
        }
        while let Some(block) = self.solved.pop() {
            if block.count > 0 {
                self.solved.extend(self.nodes[block.range()].iter().map(|node| node.children));
                self.live -= block.count as usize;
                self.release(block);
            }
        }
    }

    fn release(&mut self, block: Block) {
        let count = block.count as usize;
        if self.free.len() <= count {
            self.free.resize_with(count + 1, Vec::new);
        }
        self.free[count].push(block.start);
    }

    /// So many nodes that lie together, if there is room.
    #[inline(always)]
    fn allocate(&mut self, count: usize) -> Option<u32> {
        let start = match self.free.get_mut(count).and_then(Vec::pop) {
            Some(start) => start,
            None if self.nodes.len() + count <= self.most_nodes => {
                let start = self.nodes.len() as u32;
                self.nodes.extend_from_slice(&self.buffer);
                start
            }
            None => self.split(count)?,
        };
        self.live += count;
        Some(start)
    }

    /// So many nodes from a larger block.
    #[cold]
    fn split(&mut self, count: usize) -> Option<u32> {
        let size = (count + 1..self.free.len()).find(|&size| !self.free[size].is_empty())?;
        let start = self.free[size].pop()?;
        self.release(Block { start: start + count as u32, count: (size - count) as u32 });
        Some(start)
    }
}

/// The smallest tree in nodes.
const FEWEST_NODES: usize = 1000;

/// The ply of an earlier occurrence of the position that comes after those with these keys, not
/// before `window`.
#[inline(always)]
pub(super) fn earlier(keys: &[u64], window: usize, key: u64) -> Option<usize> {
    // Sides alternate: every other position may be the same.
    let mut ply = keys.len();
    while ply >= window + 2 {
        ply -= 2;
        if keys[ply] == key {
            return Some(ply);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_searches_grow_with_the_first() {
        for power in [-50.0, -3.0, 0.0, 0.1, 7.5, 40.0] {
            assert!((exponential(power) / f64::exp(power) - 1.0).abs() < 1e-5, "{power}");
        }
        let sizes =
            [0, 1000, 900_000, 1_800_000, 3_000_000, 1 << 32].map(|x| Fraction::PN2.size(x));
        assert_eq!((sizes[0], sizes[1], sizes[3]), (0, 0, 900_000));
        assert!(sizes.is_sorted() && sizes[4] > 2_900_000 && sizes[5] <= 1 << 32, "{sizes:?}");
    }
}
