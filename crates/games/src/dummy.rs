//! A game written down as its tree, to test searches with.
//!
//! ```text
//! ((+ -) (= (- +)))                 a tree: First moves at the root, the sides alternate
//! a:(+ b:(- a) b) first 3           a graph: names make positions that transpose and repeat
//! ((+ *-) =) first                  the game stands at the `*`
//!
//! position = node [side] [times]
//! node     = ["*"] [name ":"] (leaf | "(" node … ")")  |  name
//! leaf     = "+" | "-" | "="        First wins, Second wins, a draw
//! side     = "first" | "second"     who moves where the game stands; `first` if not said
//! times    = a number from 2        a position is a draw at this occurrence
//! ```
//!
//! A move is the number of a child, from 0. A name stands for the node it was given to, which must
//! begin earlier in the text; every graph can be written so, each node where a depth-first walk
//! first meets it. A node with the other side to move is another position, so a cycle of odd length
//! is run through twice before a position repeats. A name used inside its own node makes games that
//! need not end, so the text must then say `times`.

use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;

use spinney_game::{
    Game, Hashed, MoveError, Notation, Outcome, PositionError, Repetition, Rng, Side, Symmetric,
};

/// A position of a dummy game. Clones share the tree.
#[derive(Clone, Debug)]
pub struct Dummy {
    tree: Arc<Tree>,
    node: u32,
    to_move: Side,
}

/// The nodes in the order of the text; the first is the root.
#[derive(Debug, Default)]
struct Tree {
    nodes: Vec<Node>,
    /// The children of all nodes, those of the first node first.
    children: Vec<u32>,
    drawn_at: Option<u32>,
    /// A hash of the above: positions of different trees have different keys.
    hash: u64,
    /// For the text alone.
    names: BTreeMap<u32, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Leaf(Outcome),
    /// The children are `children[start..start + count]`.
    Inner {
        start: u32,
        count: u32,
    },
}

impl Tree {
    /// Sets the hash, when all else is in place.
    fn finish(mut self) -> Arc<Tree> {
        let mut hash = u64::from(self.drawn_at.unwrap_or(0));
        for node in &self.nodes {
            hash = mix(hash
                ^ match *node {
                    Node::Leaf(Outcome::Win(side)) => 1 + side.index() as u64,
                    Node::Leaf(Outcome::Draw) => 3,
                    Node::Inner { count, .. } => 4 + u64::from(count),
                });
        }
        self.hash = self.children.iter().fold(hash, |hash, &child| mix(hash ^ u64::from(child)));
        Arc::new(self)
    }

    #[inline]
    fn children(&self, node: u32) -> &[u32] {
        match self.nodes[node as usize] {
            Node::Leaf(_) => &[],
            Node::Inner { start, count } => &self.children[start as usize..][..count as usize],
        }
    }
}

/// What decides a game; names do not.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        self.hash == other.hash
            && self.drawn_at == other.drawn_at
            && self.nodes == other.nodes
            && self.children == other.children
    }
}

/// One step of SplitMix64: a bijection that spreads every bit.
#[inline]
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl PartialEq for Dummy {
    fn eq(&self, other: &Dummy) -> bool {
        (self.node, self.to_move) == (other.node, other.to_move)
            && (Arc::ptr_eq(&self.tree, &other.tree) || self.tree == other.tree)
    }
}

impl Eq for Dummy {}

impl Hash for Dummy {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.node, self.to_move).hash(state);
    }
}

/// What random dummy games look like: see [`Dummy::random`].
#[derive(Clone, Debug, PartialEq)]
pub struct RandomTree {
    /// Plies from the root to the deepest leaves, links aside.
    pub depth: u32,
    /// The number of children of a node, at least 1.
    pub branching: RangeInclusive<u32>,
    /// The probability that a node ends the game above the full depth; the root never does.
    pub early_ends: f64,
    /// The probability that a leaf is a draw; 0 for games of wins and losses only.
    pub draws: f64,
    /// The probability that a child is a finished node elsewhere in the tree instead of a new one.
    pub transpositions: f64,
    /// The probability that a child leads back to a node on the way from the root instead.
    pub cycles: f64,
    /// How often a position occurs until the game is a draw. Cycles need it.
    pub drawn_at: Option<u32>,
}

impl Default for RandomTree {
    /// Trees of about a hundred nodes, a fifth of the leaves drawn, without links.
    fn default() -> Self {
        RandomTree {
            depth: 5,
            branching: 1..=4,
            early_ends: 0.1,
            draws: 0.2,
            transpositions: 0.0,
            cycles: 0.0,
            drawn_at: None,
        }
    }
}

impl Dummy {
    /// A random game, First to move at the root. It depends on the shape and the state of the
    /// generator alone.
    ///
    /// # Panics
    /// If `branching` is empty or begins at 0, if `drawn_at` is below 2, or if there may be cycles
    /// and no `drawn_at`.
    pub fn random(shape: &RandomTree, rng: &mut Rng) -> Dummy {
        assert!(
            *shape.branching.start() >= 1 && !shape.branching.is_empty(),
            "a node has at least one child"
        );
        assert!(shape.drawn_at.is_none_or(|times| times >= 2), "every position occurs once");
        assert!(
            shape.cycles <= 0.0 || shape.drawn_at.is_some(),
            "games with cycles end by repetition"
        );
        let tree = Tree { drawn_at: shape.drawn_at, ..Tree::default() };
        let mut growth = Growth { shape, rng, tree, open: Vec::new(), closed: Vec::new() };
        growth.grow();
        Dummy { tree: growth.tree.finish(), node: 0, to_move: Side::First }
    }

    /// The number of nodes in the whole game.
    pub fn nodes(&self) -> usize {
        self.tree.nodes.len()
    }
}

/// A random tree that grows in the order of the text.
struct Growth<'a> {
    shape: &'a RandomTree,
    rng: &'a mut Rng,
    tree: Tree,
    /// The nodes from the root to here.
    open: Vec<u32>,
    /// Inner nodes that are finished.
    closed: Vec<u32>,
}

impl Growth<'_> {
    /// Adds a node and all below it.
    fn grow(&mut self) -> u32 {
        let node = self.tree.nodes.len() as u32;
        let depth = self.open.len() as u32;
        if depth == self.shape.depth || (depth > 0 && self.happens(self.shape.early_ends)) {
            let outcome = if self.happens(self.shape.draws) {
                Outcome::Draw
            } else {
                Outcome::Win(Side::BOTH[self.rng.below(2) as usize])
            };
            self.tree.nodes.push(Node::Leaf(outcome));
            return node;
        }
        let (least, most) = (*self.shape.branching.start(), *self.shape.branching.end());
        let count = least + self.rng.below(most - least + 1);
        let start = self.tree.children.len();
        self.tree.nodes.push(Node::Inner { start: start as u32, count });
        self.tree.children.resize(start + count as usize, 0);
        self.open.push(node);
        for index in start..start + count as usize {
            self.tree.children[index] = self.child();
        }
        self.open.pop();
        self.closed.push(node);
        node
    }

    fn child(&mut self) -> u32 {
        if self.happens(self.shape.cycles)
            && let Some(node) = self.rng.choose(&self.open)
        {
            return node;
        }
        if self.happens(self.shape.transpositions)
            && let Some(node) = self.rng.choose(&self.closed)
        {
            return node;
        }
        self.grow()
    }

    /// Draws no number where there is nothing to decide.
    fn happens(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.rng.unit() < probability
    }
}

impl Game for Dummy {
    type Move = u32;

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    fn legal_moves(&self, moves: &mut Vec<u32>) {
        moves.extend(0..self.count_moves() as u32);
    }

    #[inline]
    fn play(&mut self, m: u32) {
        self.node = self.tree.children(self.node)[m as usize];
        self.to_move = !self.to_move;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.tree.nodes[self.node as usize] {
            Node::Leaf(outcome) => Some(outcome),
            Node::Inner { .. } => None,
        }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> u32 {
        rng.below(self.count_moves() as u32)
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        self.tree.children(self.node).len() as u64
    }
}

impl Hashed for Dummy {
    #[inline]
    fn key(&self) -> u64 {
        mix(self.tree.hash ^ (u64::from(self.node) << 1 | self.to_move.index() as u64))
    }
}

impl Repetition for Dummy {
    #[inline]
    fn drawn_at(&self) -> Option<u32> {
        self.tree.drawn_at
    }

    #[inline]
    fn is_irreversible(&self, _: u32) -> bool {
        false
    }
}

impl Symmetric for Dummy {
    fn symmetries(&self) -> usize {
        1
    }

    fn transformed(&self, _: usize) -> Self {
        self.clone()
    }

    fn transform_move(&self, m: u32, _: usize) -> u32 {
        m
    }
}

impl Notation for Dummy {
    fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
        text.parse()
    }

    /// The whole game, with a `*` where it stands unless that is the root.
    fn position_text(&self) -> String {
        let mut text = String::new();
        self.write_nodes(&mut text);
        text.push_str(match self.to_move {
            Side::First => " first",
            Side::Second => " second",
        });
        if let Some(times) = self.tree.drawn_at {
            text.push_str(&format!(" {times}"));
        }
        text
    }

    fn move_text(&self, m: u32) -> String {
        m.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u32, MoveError> {
        let count = self.count_moves();
        match text.trim().parse::<u32>() {
            Ok(m) if u64::from(m) < count => Ok(m),
            _ if count == 0 => Err(MoveError::new(text, "the game is over")),
            _ => Err(MoveError::new(text, format!("expected a number from 0 to {}", count - 1))),
        }
    }
}

impl Dummy {
    /// Writes the nodes in their order. Without recursion: a tree may be as deep as it likes.
    fn write_nodes(&self, text: &mut String) {
        let tree = &*self.tree;
        // 1. Nodes that are a child more than once need a name; so does a root that is a child.
        let mut parents = vec![0_u32; tree.nodes.len()];
        parents[0] = 1;
        tree.children.iter().for_each(|&child| parents[child as usize] += 1);
        let name = |node: u32| match tree.names.get(&node) {
            Some(name) => Some(name.clone()),
            None => (parents[node as usize] > 1).then(|| format!("n{node}")),
        };
        // 2. The walk: for each open node, the children still to be written.
        let mut written = 0;
        let mut open: Vec<&[u32]> = Vec::new();
        let mut next = Some(0);
        loop {
            if let Some(node) = next {
                if text.ends_with(|last| last != '(') {
                    text.push(' ');
                }
                if node < written {
                    text.push_str(&name(node).unwrap_or_default());
                } else {
                    written = node + 1;
                    if node == self.node && node != 0 {
                        text.push('*');
                    }
                    if let Some(name) = name(node) {
                        text.push_str(&name);
                        text.push(':');
                    }
                    match tree.nodes[node as usize] {
                        Node::Leaf(Outcome::Win(Side::First)) => text.push('+'),
                        Node::Leaf(Outcome::Win(Side::Second)) => text.push('-'),
                        Node::Leaf(Outcome::Draw) => text.push('='),
                        Node::Inner { .. } => {
                            text.push('(');
                            open.push(tree.children(node));
                        }
                    }
                }
            } else {
                text.push(')');
                open.pop();
            }
            let Some(children) = open.last_mut() else { return };
            next = children.split_off_first().copied();
        }
    }
}

impl FromStr for Dummy {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Dummy, PositionError> {
        Parser::new(text).parse().map_err(|problem| PositionError::new(text, problem))
    }
}

/// Reads a position. Without recursion: a text of a million `(` must not overflow the stack.
struct Parser<'a> {
    text: &'a str,
    /// Bytes read.
    at: usize,
    nodes: Vec<Node>,
    children: Vec<Vec<u32>>,
    names: HashMap<&'a str, u32>,
    /// The nodes whose `(` is read and whose `)` is not.
    open: Vec<u32>,
    /// Where the game stands, if a `*` was read.
    standing: Option<u32>,
    /// A name that was used inside its own node.
    cycle: Option<&'a str>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Parser {
            text,
            at: 0,
            nodes: Vec::new(),
            children: Vec::new(),
            names: HashMap::new(),
            open: Vec::new(),
            standing: None,
            cycle: None,
        }
    }

    fn parse(mut self) -> Result<Dummy, String> {
        // 1. The nodes.
        self.node()?;
        while !self.open.is_empty() {
            self.node()?;
        }
        // 2. The side to move and the repetition.
        let mut fields = self.text[self.at..].split_whitespace().peekable();
        let to_move = match fields.peek() {
            Some(&"first") => Some(Side::First),
            Some(&"second") => Some(Side::Second),
            _ => None,
        };
        if to_move.is_some() {
            fields.next();
        }
        let mut drawn_at = None;
        if let Some(field) = fields.next() {
            drawn_at = field.parse().ok().filter(|&times| times >= 2);
            if drawn_at.is_none() || fields.next().is_some() {
                return Err(format!(
                    "{field:?} after the last node: expected first or second, then a number from 2"
                ));
            }
        }
        if let (Some(name), None) = (self.cycle, drawn_at) {
            return Err(format!(
                "the node {name} can repeat: say how often a position occurs until the draw"
            ));
        }
        // 3. The tree.
        let mut tree = Tree { nodes: self.nodes, drawn_at, ..Tree::default() };
        for (node, children) in tree.nodes.iter_mut().zip(&self.children) {
            if let Node::Inner { start, count } = node {
                *start = tree.children.len() as u32;
                *count = children.len() as u32;
                tree.children.extend(children);
            }
        }
        tree.names = self.names.into_iter().map(|(name, node)| (node, name.to_owned())).collect();
        Ok(Dummy {
            tree: tree.finish(),
            node: self.standing.unwrap_or(0),
            to_move: to_move.unwrap_or(Side::First),
        })
    }

    /// Reads a leaf, a name, the beginning of an inner node, or its end.
    fn node(&mut self) -> Result<(), String> {
        self.skip_blanks();
        let start = self.at;
        let stands_here = self.skip('*');
        let name = self.name();
        let is_given = !name.is_empty() && self.skip(':');
        if !name.is_empty() && !is_given {
            return if stands_here {
                Err(format!("* before the name {name}: it belongs where the node begins"))
            } else {
                self.link(name)
            };
        }
        let at = self.at;
        let node = self.nodes.len() as u32;
        let kind = match self.next() {
            Some('+') => Node::Leaf(Outcome::Win(Side::First)),
            Some('-') => Node::Leaf(Outcome::Win(Side::Second)),
            Some('=') => Node::Leaf(Outcome::Draw),
            Some('(') => Node::Inner { start: 0, count: 0 },
            Some(')') if !stands_here && !is_given => return self.close(),
            Some(other) => {
                let place = self.place(at);
                return Err(format!("{other:?} {place}: expected a node, + - = or a list (…)"));
            }
            None => return Err("it ends within a list: ) is missing".to_owned()),
        };
        if stands_here && self.standing.replace(node).is_some() {
            return Err(format!("a second * {}", self.place(start)));
        }
        if is_given && self.names.insert(name, node).is_some() {
            return Err(format!("the name {name} is given twice"));
        }
        self.add_child(node);
        self.nodes.push(kind);
        self.children.push(Vec::new());
        if let Node::Inner { .. } = kind {
            self.open.push(node);
        }
        Ok(())
    }

    /// The end of the innermost open node.
    fn close(&mut self) -> Result<(), String> {
        match self.open.pop() {
            Some(node) if !self.children[node as usize].is_empty() => Ok(()),
            Some(_) => Err("a list () without moves".to_owned()),
            None => Err("it begins with )".to_owned()),
        }
    }

    /// A name in the place of a node.
    fn link(&mut self, name: &'a str) -> Result<(), String> {
        let Some(&node) = self.names.get(name) else {
            return Err(format!("the name {name} is not given to a node before it is used"));
        };
        // Open nodes are in rising order.
        if self.open.binary_search(&node).is_ok() {
            self.cycle.get_or_insert(name);
        }
        self.add_child(node);
        Ok(())
    }

    fn add_child(&mut self, node: u32) {
        if let Some(&parent) = self.open.last() {
            self.children[parent as usize].push(node);
        }
    }

    /// A name: a letter, then letters, digits and underscores. Empty if there is none here.
    fn name(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = match rest.chars().next() {
            Some(first) if first.is_ascii_alphabetic() => {
                rest.find(|c| !is_part(c)).unwrap_or(rest.len())
            }
            _ => 0,
        };
        self.at += length;
        &rest[..length]
    }

    fn next(&mut self) -> Option<char> {
        let next = self.text[self.at..].chars().next()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Skips this character, and says whether it was there.
    fn skip(&mut self, wanted: char) -> bool {
        let found = self.text[self.at..].starts_with(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// A place in the text, for people.
    fn place(&self, at: usize) -> String {
        format!("at character {}", self.text[..at].chars().count() + 1)
    }
}
