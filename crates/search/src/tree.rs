//! The tree of decisions: every path that was run, with the state of the other outcome of each decision.
//!
//! Nodes are numbers into one array and know their parent, so that nothing is copied: a path is a node, and the
//! decisions before it are read by walking up. A node has one flip, the outcome that the run that made it did not have.
//!
//! A program decides the same after the same outcomes. Some decisions have more than two outcomes; they form a chain of
//! nodes, each of which asks for one of them: the values of a *pinned* input, which an operation without a rule holds to
//! what it happens to be; the sizes of a tuple, where an operation asks for the one it has. Everything else is a
//! divergence; its path hangs beside the expected one, so that it is explored too.

use constraint::{Condition, Decision, Path, Site, Test};
use rustc_hash::FxHashMap;

mod shown;

pub use shown::{DecisionTree, OpenBranch, PathEnds, ShownBranch, ShownDecision};

/// A decision of at least one path, and by its other outcome also a flip.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// Nodes are numbered as they are made.
    pub fn order(self) -> u32 {
        self.0
    }
}

/// A run whose inputs are remembered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RunId(pub u32);

/// The state of a node's other outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flip {
    /// It waits in the frontier.
    Queued,
    /// Taken from the frontier; the answer is awaited.
    Taken,
    /// A run had it.
    Run,
    /// A proof that no stimulus has it.
    Infeasible,
    /// No solver knew.
    Unknown(solve::UnknownReason),
    /// It depends on the result of an opaque function where that was not observed.
    Undecided,
    /// Inputs that have it begin elsewhere.
    Elsewhere,
    /// Inputs that should have it took another path.
    Diverged,
    /// The inputs are larger than allowed, or there were too many values for a pinned decision.
    OutOfBounds,
}

/// One node.
pub struct DecisionNode {
    /// The place in the program.
    pub site: Site,
    /// The test made there.
    pub test: Test,
    /// The answer of the run that made the node.
    pub holds: bool,
    /// See [`Decision::pinned`].
    pub pinned: bool,
    /// It is [`Decision::minor`] itself.
    pub table: bool,
    /// It, or a decision before it, is [`Decision::minor`].
    pub minor: bool,
    /// The state of the other outcome.
    pub flip: Flip,
    /// The number of decisions before it.
    pub depth: u32,
    /// The run that made it.
    pub run: RunId,
    /// The number of values of the same pinned input that come before.
    pub pins: u16,
    above: TreeSlot,
    below: [Below; 2],
}

/// The parent of a node: an outcome of another node, or a root.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TreeSlot {
    Root(u32),
    Answer(NodeId, bool),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Below {
    Nothing,
    End,
    /// A path goes on beyond the bound on depth.
    Cut,
    Node(NodeId),
}

/// The result of an insertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The end of the path.
    pub end: TreeSlot,
    /// The nodes made for the path are those from here to the end of the tree.
    pub first: usize,
    /// No run took this path before.
    pub new: bool,
    /// Here the program decided something else than after the same outcomes before.
    pub mixed: Option<Site>,
}

/// The tree itself, with one root per clause of the spec and schedule.
#[derive(Default)]
pub struct Tree {
    nodes: Vec<DecisionNode>,
    /// The number of nodes whose flip is queued.
    queued: usize,
    roots: Vec<Below>,
    /// Other decisions made at a slot that has a node.
    beside: FxHashMap<(TreeSlot, Site, Test), NodeId>,
}

impl Tree {
    /// An empty tree.
    pub fn new(roots: usize) -> Tree {
        Tree { roots: vec![Below::Nothing; roots], ..Tree::default() }
    }

    /// Adds a root.
    pub fn add_root(&mut self) {
        self.roots.push(Below::Nothing);
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node of a number.
    pub fn node(&self, id: NodeId) -> &DecisionNode {
        &self.nodes[id.0 as usize]
    }

    /// The number of flips that wait.
    pub fn queued(&self) -> usize {
        self.queued
    }

    /// Changes the state of a flip.
    pub fn set(&mut self, id: NodeId, flip: Flip) {
        let known = &mut self.nodes[id.0 as usize].flip;
        self.queued -= usize::from(*known == Flip::Queued);
        self.queued += usize::from(flip == Flip::Queued);
        *known = flip;
    }

    /// All nodes, in the order they were made.
    pub fn nodes(&self) -> &[DecisionNode] {
        &self.nodes
    }

    /// The nodes from a number on.
    pub fn ids_from(&self, first: usize) -> impl Iterator<Item = NodeId> + use<> {
        (first..self.nodes.len()).map(|at| NodeId(at as u32))
    }

    /// Puts a path into the tree, making the nodes it needs; one that is cut goes on beyond the bound on depth.
    pub fn insert(&mut self, root: usize, path: &[Decision], is_cut: bool, run: RunId) -> Placed {
        let mut slot = TreeSlot::Root(root as u32);
        let mut placed = Placed { first: self.nodes.len(), new: false, mixed: None, end: slot };
        let mut at = 0;
        while let Some(decision) = path.get(at) {
            let id = self.find(slot, decision, &mut placed).unwrap_or_else(|| self.make(slot, decision, at, run));
            let another = self.is_next_value(id, decision);
            let answer = decision.condition.holds && !another;
            at += usize::from(!another);
            if answer != self.node(id).holds {
                self.set(id, Flip::Run);
            }
            slot = TreeSlot::Answer(id, answer);
        }
        debug_assert!(self.is_path_to(slot, path), "the decisions above a node are those of its path");
        self.end(slot, is_cut, &mut placed);
        placed.end = slot;
        placed
    }

    /// The node of this decision here, if there is one.
    fn find(&mut self, slot: TreeSlot, decision: &Decision, placed: &mut Placed) -> Option<NodeId> {
        let first = match self.below(slot) {
            Below::Nothing | Below::Cut => return None,
            Below::End => {
                placed.mixed.get_or_insert(decision.site);
                return None;
            }
            Below::Node(id) => id,
        };
        let test = decision.condition.test;
        let node = self.node(first);
        if node.site == decision.site && node.test == test || self.is_next_value(first, decision) {
            return Some(first);
        }
        placed.mixed.get_or_insert(decision.site);
        self.beside.get(&(slot, decision.site, test)).copied()
    }

    /// True if node and decision are members of one chain: the same thing has another value or size.
    fn is_next_value(&self, id: NodeId, decision: &Decision) -> bool {
        let node = self.node(id);
        let Condition { test, holds } = decision.condition;
        let another = match (node.test, test) {
            (Test::Same(a, first), Test::Same(b, second)) => {
                node.pinned && decision.pinned && a == b && first != second
            }
            (Test::Tuple(a, first), Test::Tuple(b, second)) => a == b && first != second,
            _ => false,
        };
        another && node.site == decision.site && node.holds && holds
    }

    fn make(&mut self, slot: TreeSlot, decision: &Decision, depth: usize, run: RunId) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let Condition { test, holds } = decision.condition;
        self.queued += 1;
        self.nodes.push(DecisionNode {
            site: decision.site,
            test,
            holds,
            pinned: decision.pinned,
            table: decision.minor,
            minor: decision.minor || matches!(slot, TreeSlot::Answer(above, _) if self.node(above).minor),
            flip: Flip::Queued,
            depth: depth as u32,
            run,
            pins: self.pins_above(slot, decision),
            above: slot,
            below: [Below::Nothing; 2],
        });
        match self.below(slot) {
            Below::Nothing | Below::End | Below::Cut => self.hang(slot, Below::Node(id)),
            Below::Node(_) => drop(self.beside.insert((slot, decision.site, test), id)),
        }
        id
    }

    fn pins_above(&self, slot: TreeSlot, decision: &Decision) -> u16 {
        match slot {
            TreeSlot::Answer(id, false) if decision.pinned && self.is_next_value(id, decision) => {
                self.node(id).pins.saturating_add(1)
            }
            _ => 0,
        }
    }

    fn end(&mut self, slot: TreeSlot, is_cut: bool, placed: &mut Placed) {
        match self.below(slot) {
            Below::Nothing => {
                self.hang(slot, if is_cut { Below::Cut } else { Below::End });
                placed.new = true;
            }
            Below::End | Below::Cut => {}
            Below::Node(id) => drop(placed.mixed.get_or_insert(self.node(id).site)),
        }
        placed.new |= placed.first < self.nodes.len();
    }

    fn below(&self, slot: TreeSlot) -> Below {
        match slot {
            TreeSlot::Root(root) => self.roots[root as usize],
            TreeSlot::Answer(id, answer) => self.node(id).below[usize::from(answer)],
        }
    }

    fn hang(&mut self, slot: TreeSlot, below: Below) {
        match slot {
            TreeSlot::Root(root) => self.roots[root as usize] = below,
            TreeSlot::Answer(id, answer) => self.nodes[id.0 as usize].below[usize::from(answer)] = below,
        }
    }

    /// The questions above a slot with their answers, the latest first.
    fn answers(&self, mut slot: TreeSlot) -> impl Iterator<Item = (NodeId, bool)> {
        std::iter::from_fn(move || match slot {
            TreeSlot::Root(_) => None,
            TreeSlot::Answer(id, answer) => {
                slot = self.node(id).above;
                Some((id, answer))
            }
        })
    }

    fn is_path_to(&self, slot: TreeSlot, path: &[Decision]) -> bool {
        let on_path = |(id, answer): &(NodeId, bool)| {
            let node = self.node(*id);
            path.get(node.depth as usize).is_some_and(|decision| {
                let Condition { test, holds } = decision.condition;
                let same = node.site == decision.site && (test, holds) == (node.test, *answer);
                same || !answer && self.is_next_value(*id, decision)
            })
        };
        self.answers(slot).all(|above| on_path(&above))
    }

    fn condition(&self, (id, holds): (NodeId, bool)) -> Condition {
        Condition { test: self.node(id).test, holds }
    }

    /// The last conditions before a node, with their outcomes, the latest first.
    pub fn before(&self, id: NodeId, most: usize, conditions: &mut Vec<Condition>) {
        conditions.clear();
        conditions.extend(self.answers(self.node(id).above).map(|above| self.condition(above)).take(most));
    }

    /// The conditions of a flip: all that come before it with their outcomes, and its other outcome last.
    pub fn conditions(&self, id: NodeId, conditions: &mut Vec<Condition>) {
        conditions.clear();
        let flipped = TreeSlot::Answer(id, !self.node(id).holds);
        conditions.extend(self.answers(flipped).map(|above| self.condition(above)));
        conditions.reverse();
    }
}

/// The part of a path that is looked at.
pub fn cut(path: &Path, depth: usize) -> &[Decision] {
    &path[..path.len().min(depth)]
}

#[cfg(test)]
mod tests;
