//! The tree of decisions: every path that was run, with what became of the other answer at each step.
//!
//! Nodes are numbers into one array and know their parent, so that nothing is copied: a path is a node, and the
//! conditions before it are read by walking up. A node has one flip, the answer that the run that made it did not have.
//!
//! A program asks the same question after the same answers. Two things break that. A *pinned* step holds an input to
//! the value it happens to have, so another run asks for another value: then the first value was answered no, and the
//! values of one input form a chain; so do the sizes of a tuple, where an operation asks for the one it has. Everything
//! else is a divergence; its path hangs beside the expected one, so that it is explored too.

use constraint::{Condition, Path, Site, Step, Test};
use rustc_hash::FxHashMap;

/// A step of at least one path, and by its other answer also a flip.
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

/// What became of a node's other answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Other {
    Queued,
    /// Taken from the queue; the answer is on its way.
    Taken,
    Run,
    /// A proof that no input has it.
    Infeasible,
    Unknown(solve::Unknown),
    /// It depends on what an opaque function gives where nobody has looked.
    Undecided,
    /// Inputs that should have it went elsewhere.
    Diverged,
    /// The inputs are larger than allowed, or there were too many values for a pinned step.
    OutOfBounds,
}

pub struct Node {
    pub site: Site,
    pub test: Test,
    /// The answer of the run that made the node.
    pub holds: bool,
    pub pinned: bool,
    /// It, or a step before it, asks for a place in a table.
    pub minor: bool,
    pub other: Other,
    pub depth: u32,
    pub run: RunId,
    /// How many values of the same pinned input come before.
    pub pins: u16,
    above: Slot,
    below: [Below; 2],
}

/// Where a node hangs: an answer of another node, or a root.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Slot {
    Root(u32),
    Answer(NodeId, bool),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Below {
    Nothing,
    End,
    Node(NodeId),
}

/// What became of a path put into the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The nodes made for it are those from here to the end of the tree.
    pub first: usize,
    /// No run took this path before.
    pub new: bool,
    /// Here the program asked something else than after the same answers before.
    pub mixed: Option<Site>,
}

#[derive(Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// How many of them wait for their other answer.
    queued: usize,
    roots: Vec<Below>,
    /// Other questions asked at a place that has a node.
    beside: FxHashMap<(Slot, Site, Test), NodeId>,
}

impl Tree {
    pub fn new(roots: usize) -> Tree {
        Tree { nodes: Vec::new(), queued: 0, roots: vec![Below::Nothing; roots], beside: FxHashMap::default() }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// How many flips wait for their turn.
    pub fn queued(&self) -> usize {
        self.queued
    }

    pub fn set(&mut self, id: NodeId, other: Other) {
        let known = &mut self.nodes[id.0 as usize].other;
        self.queued -= usize::from(*known == Other::Queued);
        self.queued += usize::from(other == Other::Queued);
        *known = other;
    }

    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The nodes from a number on.
    pub fn ids_from(&self, first: usize) -> impl Iterator<Item = NodeId> + use<> {
        (first..self.nodes.len()).map(|at| NodeId(at as u32))
    }

    /// Puts a path into the tree, making the nodes it needs.
    pub fn insert(&mut self, root: usize, path: &[Step], run: RunId) -> Placed {
        let mut placed = Placed { first: self.nodes.len(), new: false, mixed: None };
        let mut slot = Slot::Root(root as u32);
        let mut at = 0;
        while let Some(step) = path.get(at) {
            let id = self.find(slot, step, &mut placed).unwrap_or_else(|| self.make(slot, step, at, run));
            let another_value = self.is_next_choice(id, step);
            let answer = step.condition.holds && !another_value;
            at += usize::from(!another_value);
            self.take(id, answer);
            slot = Slot::Answer(id, answer);
        }
        self.end(slot, &mut placed);
        placed
    }

    /// The node of this question here, if there is one.
    fn find(&mut self, slot: Slot, step: &Step, placed: &mut Placed) -> Option<NodeId> {
        let first = match self.below(slot) {
            Below::Nothing => return None,
            Below::End => {
                placed.mixed.get_or_insert(step.site);
                return None;
            }
            Below::Node(id) => id,
        };
        if self.asks(first, step) || self.is_next_choice(first, step) {
            return Some(first);
        }
        placed.mixed.get_or_insert(step.site);
        self.beside.get(&(slot, step.site, step.condition.test)).copied()
    }

    fn asks(&self, id: NodeId, step: &Step) -> bool {
        let node = self.node(id);
        node.site == step.site && node.test == step.condition.test
    }

    /// Whether the node says of the same expression that it has another value or size than the step does.
    fn is_next_choice(&self, id: NodeId, step: &Step) -> bool {
        let node = self.node(id);
        let another = match (node.test, step.condition.test) {
            (Test::Same(a, first), Test::Same(b, second)) => node.pinned && step.pinned && a == b && first != second,
            (Test::Tuple(a, first), Test::Tuple(b, second)) => a == b && first != second,
            _ => false,
        };
        another && node.site == step.site && node.holds && step.condition.holds
    }

    fn make(&mut self, slot: Slot, step: &Step, depth: usize, run: RunId) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.queued += 1;
        self.nodes.push(Node {
            site: step.site,
            test: step.condition.test,
            holds: step.condition.holds,
            pinned: step.pinned,
            minor: step.site.is_minor() || matches!(slot, Slot::Answer(above, _) if self.node(above).minor),
            other: Other::Queued,
            depth: depth as u32,
            run,
            pins: self.pins_above(slot, step),
            above: slot,
            below: [Below::Nothing; 2],
        });
        match self.below(slot) {
            Below::Nothing | Below::End => self.hang(slot, Below::Node(id)),
            Below::Node(_) => drop(self.beside.insert((slot, step.site, step.condition.test), id)),
        }
        id
    }

    fn pins_above(&self, slot: Slot, step: &Step) -> u16 {
        match slot {
            Slot::Answer(id, false) if step.pinned && self.is_next_choice(id, step) => {
                self.node(id).pins.saturating_add(1)
            }
            _ => 0,
        }
    }

    fn take(&mut self, id: NodeId, answer: bool) {
        if answer != self.node(id).holds {
            self.set(id, Other::Run);
        }
    }

    fn end(&mut self, slot: Slot, placed: &mut Placed) {
        match self.below(slot) {
            Below::Nothing => {
                self.hang(slot, Below::End);
                placed.new = true;
            }
            Below::End => {}
            Below::Node(id) => drop(placed.mixed.get_or_insert(self.node(id).site)),
        }
        placed.new |= placed.first < self.nodes.len();
    }

    fn below(&self, slot: Slot) -> Below {
        match slot {
            Slot::Root(root) => self.roots[root as usize],
            Slot::Answer(id, answer) => self.node(id).below[usize::from(answer)],
        }
    }

    fn hang(&mut self, slot: Slot, below: Below) {
        match slot {
            Slot::Root(root) => self.roots[root as usize] = below,
            Slot::Answer(id, answer) => self.nodes[id.0 as usize].below[usize::from(answer)] = below,
        }
    }

    /// The last conditions before a node, as they were answered, the latest first.
    pub fn before(&self, id: NodeId, most: usize, conditions: &mut Vec<Condition>) {
        conditions.clear();
        let mut at = id;
        while let Slot::Answer(above, holds) = self.node(at).above
            && conditions.len() < most
        {
            conditions.push(Condition { test: self.node(above).test, holds });
            at = above;
        }
    }

    /// The conditions of a flip: all that come before it as they were answered, and the other answer last.
    pub fn flip(&self, id: NodeId, conditions: &mut Vec<Condition>) {
        conditions.clear();
        let (mut at, mut answer) = (id, !self.node(id).holds);
        loop {
            let node = self.node(at);
            conditions.push(Condition { test: node.test, holds: answer });
            match node.above {
                Slot::Root(_) => break,
                Slot::Answer(above, taken) => (at, answer) = (above, taken),
            }
        }
        conditions.reverse();
    }
}

/// The part of a path that is looked at.
pub fn cut(path: &Path, depth: usize) -> &[Step] {
    &path[..path.len().min(depth)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use constraint::Arena;
    use term::Term;

    fn step(arena: &mut Arena, site: u64, value: i64, holds: bool, pinned: bool) -> Step {
        let (input, value) = (arena.input(0), arena.literal(Term::int(value)));
        Step { condition: Condition { test: Test::Same(input, value), holds }, site: Site(site), pinned }
    }

    #[test]
    fn a_shared_prefix_is_stored_once() {
        let mut arena = Arena::new();
        let mut tree = Tree::new(1);
        let a = step(&mut arena, 1, 1, false, false);
        let (b, c) = (step(&mut arena, 2, 2, false, false), step(&mut arena, 2, 2, true, false));
        assert!(tree.insert(0, &[a.clone(), b.clone()], RunId(0)).new);
        let second = tree.insert(0, &[a.clone(), c], RunId(1));
        assert_eq!(second, Placed { first: 2, new: true, mixed: None });
        assert_eq!((tree.len(), tree.nodes()[0].other, tree.nodes()[1].other), (2, Other::Queued, Other::Run));
        assert!(!tree.insert(0, &[a, b], RunId(2)).new);
    }

    #[test]
    fn a_flip_is_the_prefix_and_the_other_answer() {
        let mut arena = Arena::new();
        let mut tree = Tree::new(1);
        let path: Path = (0..3).map(|at| step(&mut arena, at, at as i64, false, false)).collect();
        tree.insert(0, &path, RunId(0));
        let mut conditions = Vec::new();
        tree.flip(NodeId(1), &mut conditions);
        assert_eq!(conditions, [path[0].condition.clone(), path[1].condition.negated()]);
    }

    #[test]
    fn values_of_a_pinned_input_form_a_chain() {
        let mut arena = Arena::new();
        let mut tree = Tree::new(1);
        for value in 0..3 {
            let placed = tree.insert(0, &[step(&mut arena, 1, value, true, true)], RunId(0));
            assert_eq!((placed.new, placed.mixed), (true, None));
        }
        let others: Vec<Other> = tree.nodes().iter().map(|node| node.other).collect();
        assert_eq!(others, [Other::Run, Other::Run, Other::Queued]);
        assert_eq!(tree.nodes()[2].pins, 2);
        let mut conditions = Vec::new();
        tree.flip(NodeId(2), &mut conditions);
        assert!(conditions.len() == 3 && conditions.iter().all(|condition| !condition.holds));
    }

    #[test]
    fn sizes_of_a_tuple_form_a_chain() {
        let mut arena = Arena::new();
        let input = arena.input(0);
        let mut tree = Tree::new(1);
        for size in [2, 0, 3] {
            let condition = Condition { test: Test::Tuple(input, size), holds: true };
            let placed = tree.insert(0, &[Step { condition, site: Site(1), pinned: false }], RunId(0));
            assert_eq!((placed.new, placed.mixed), (true, None));
        }
        let others: Vec<Other> = tree.nodes().iter().map(|node| node.other).collect();
        assert_eq!(others, [Other::Run, Other::Run, Other::Queued]);
        assert_eq!(tree.nodes()[2].pins, 0);
    }

    #[test]
    fn another_question_after_the_same_answers_is_seen_and_kept() {
        let mut arena = Arena::new();
        let mut tree = Tree::new(1);
        tree.insert(0, &[step(&mut arena, 1, 1, true, false)], RunId(0));
        let other = [step(&mut arena, 2, 1, true, false)];
        assert_eq!(tree.insert(0, &other, RunId(1)), Placed { first: 1, new: true, mixed: Some(Site(2)) });
        assert!(!tree.insert(0, &other, RunId(2)).new);
        assert_eq!(tree.insert(0, &[], RunId(3)).mixed, Some(Site(1)));
    }
}
