//! A persistent B-tree in the order of map keys: copies share all nodes that neither has changed.

use std::mem;
use std::rc::Rc;
use std::slice;

use num_integer::Integer;

use super::{Entry, copied, find, place};
use crate::Term;
use crate::heap::{self, Measure};

/// The most entries or children of a node, and the fewest before it joins a neighbour.
const MOST: usize = 16;
const LEAST: usize = MOST / 4;

#[derive(Clone)]
pub(super) struct Tree {
    root: Rc<Node>,
    len: usize,
}

enum Node {
    Leaf(Vec<Entry>),
    Branch(Vec<Child>),
}

impl Clone for Node {
    fn clone(&self) -> Self {
        match self {
            Node::Leaf(entries) => Node::Leaf(copied(entries)),
            Node::Branch(children) => Node::Branch(copied(children)),
        }
    }
}

/// A subtree and a key that is not greater than any of its own, but greater than all of the subtree before it.
type Child = (Term, Rc<Node>);

/// The result of adding an entry to a node.
enum Growth {
    /// The key was there already.
    None,
    Within,
    Split(Child),
}

/// The child in which a key belongs.
#[inline]
fn route(children: &[Child], key: &Term) -> usize {
    children[1..].partition_point(|(least, _)| least.compare_exact(key).is_le())
}

impl Tree {
    /// From entries in strictly ascending order of their keys.
    pub fn from_sorted(entries: Vec<Entry>) -> Tree {
        let len = entries.len();
        let mut level: Vec<Child> = pack(entries, |part| (part[0].0.clone(), Rc::new(Node::Leaf(part))));
        while level.len() > 1 {
            level = pack(level, |part| (part[0].0.clone(), Rc::new(Node::Branch(part))));
        }
        let root = level.pop().map_or_else(|| Rc::new(Node::Leaf(Vec::new())), |(_, root)| root);
        Tree { root, len }
    }

    /// The number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The value of a key.
    pub fn get(&self, key: &Term) -> Option<&Term> {
        let mut node = &*self.root;
        loop {
            match node {
                Node::Branch(children) => node = &children[route(children, key)].1,
                Node::Leaf(entries) => return find(entries, key).map(|at| &entries[at].1),
            }
        }
    }

    /// Says whether the key is new. A key that is equal to the one there takes its place, as in the VM's large maps.
    pub fn insert(&mut self, key: Term, value: Term) -> bool {
        match insert(Rc::make_mut(&mut self.root), key, value) {
            Growth::None => return false,
            Growth::Within => {}
            Growth::Split(right) => {
                let left = mem::replace(&mut self.root, Rc::new(Node::Leaf(Vec::new())));
                self.root = Rc::new(Node::Branch(vec![(Term::nil(), left), right]));
            }
        }
        self.len += 1;
        true
    }

    /// Takes an entry out and returns its value.
    pub fn remove(&mut self, key: &Term) -> Option<Term> {
        // Nothing is to be copied for a key that is not there.
        self.get(key)?;
        let value = remove(Rc::make_mut(&mut self.root), key);
        if let Node::Branch(children) = &mut *Rc::make_mut(&mut self.root)
            && children.len() == 1
            && let Some((_, only)) = children.pop()
        {
            self.root = only;
        }
        self.len -= 1;
        value
    }

    /// Counts the nodes that were not counted before, and goes on with what they hold.
    pub fn measure<'a>(&'a self, measure: &mut Measure<'a>) {
        let mut open = vec![&self.root];
        while let Some(node) = open.pop() {
            if !measure.enter_rc(node, heap::block(node.len() * size_of::<Entry>())) {
                continue;
            }
            match &**node {
                Node::Leaf(entries) => entries.iter().for_each(|(key, value)| measure.later([key, value])),
                Node::Branch(children) => open.extend(children.iter().map(|(_, child)| child)),
            }
        }
    }

    /// The entries in the order of their keys.
    pub fn iter(&self) -> Iter<'_> {
        let mut iter = Iter { leaf: [].iter(), open: Vec::new() };
        iter.descend(&self.root);
        iter
    }
}

/// Cuts a level into as few nodes as will do, all nearly as full as each other.
fn pack<T>(items: Vec<T>, node: impl Fn(Vec<T>) -> Child) -> Vec<Child> {
    let count = items.len().div_ceil(MOST);
    let (each, over) = items.len().div_rem(&count.max(1));
    let mut items = items.into_iter();
    (0..count).map(|at| node(items.by_ref().take(each + usize::from(at < over)).collect())).collect()
}

fn insert(node: &mut Node, key: Term, value: Term) -> Growth {
    match node {
        Node::Leaf(entries) => match place(entries, &key) {
            Ok(at) => {
                entries[at] = (key, value);
                Growth::None
            }
            Err(at) => {
                entries.insert(at, (key, value));
                overflow(entries, Node::Leaf)
            }
        },
        Node::Branch(children) => {
            let at = route(children, &key);
            match insert(Rc::make_mut(&mut children[at].1), key, value) {
                Growth::Split(right) => {
                    children.insert(at + 1, right);
                    overflow(children, Node::Branch)
                }
                growth => growth,
            }
        }
    }
}

/// Splits what has become too long.
fn overflow<T: Keyed>(items: &mut Vec<T>, node: fn(Vec<T>) -> Node) -> Growth {
    if items.len() <= MOST {
        return Growth::Within;
    }
    let right = items.split_off(items.len() / 2);
    heap::charge(heap::block(MOST * size_of::<Entry>()));
    Growth::Split((right[0].key().clone(), Rc::new(node(right))))
}

/// The entries of leaves and the children of branches both begin with a key.
trait Keyed {
    fn key(&self) -> &Term;
}

impl<T> Keyed for (Term, T) {
    fn key(&self) -> &Term {
        &self.0
    }
}

fn remove(node: &mut Node, key: &Term) -> Option<Term> {
    match node {
        Node::Leaf(entries) => find(entries, key).map(|at| entries.remove(at).1),
        Node::Branch(children) => {
            let at = route(children, key);
            let value = remove(Rc::make_mut(&mut children[at].1), key);
            if children[at].1.len() < LEAST && children.len() > 1 {
                join(children, at.min(children.len() - 2));
            }
            value
        }
    }
}

impl Node {
    fn len(&self) -> usize {
        match self {
            Node::Leaf(entries) => entries.len(),
            Node::Branch(children) => children.len(),
        }
    }
}

/// Makes one node of a child and the next, or two even ones if they are too many for one.
fn join(children: &mut Vec<Child>, at: usize) {
    let (least, mut right) = children.remove(at + 1);
    let growth = match (Rc::make_mut(&mut children[at].1), Rc::make_mut(&mut right)) {
        (Node::Leaf(left), Node::Leaf(right)) => {
            left.append(right);
            overflow(left, Node::Leaf)
        }
        (Node::Branch(left), Node::Branch(right)) => {
            // The first child's key was never looked at, and may be anything.
            right[0].0 = least;
            left.append(right);
            overflow(left, Node::Branch)
        }
        // All leaves are at the same depth.
        _ => Growth::Within,
    };
    if let Growth::Split(right) = growth {
        children.insert(at + 1, right);
    }
}

/// The entries in order.
pub(super) struct Iter<'a> {
    leaf: slice::Iter<'a, Entry>,
    /// For each branch above the leaf, the children that are still to come.
    open: Vec<slice::Iter<'a, Child>>,
}

impl<'a> Iter<'a> {
    /// Over entries that are in no tree.
    pub fn flat(entries: &'a [Entry]) -> Self {
        Iter { leaf: entries.iter(), open: Vec::new() }
    }

    fn descend(&mut self, mut node: &'a Node) {
        loop {
            match node {
                Node::Leaf(entries) => {
                    self.leaf = entries.iter();
                    return;
                }
                Node::Branch(children) => {
                    let mut rest = children.iter();
                    let Some((_, first)) = rest.next() else { return };
                    self.open.push(rest);
                    node = first;
                }
            }
        }
    }
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Term, &'a Term);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.leaf.next() {
                return Some((key, value));
            }
            match self.open.last_mut()?.next() {
                Some((_, child)) => self.descend(child),
                None => {
                    self.open.pop();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tree: &Tree, keys: impl Iterator<Item = i64>) {
        let found: Vec<i64> = tree.iter().filter_map(|(key, _)| key.as_i64()).collect();
        let keys: Vec<i64> = keys.collect();
        assert_eq!(found, keys);
        assert_eq!(tree.len(), keys.len());
        assert!(keys.iter().all(|key| tree.get(&Term::int(*key)).is_some()));
    }

    fn shuffled(count: i64) -> impl Iterator<Item = Term> {
        (0..count).map(move |at| Term::int(at * 7919 % count))
    }

    #[test]
    fn grows_and_shrinks_in_any_order() {
        let mut tree = Tree::from_sorted(Vec::new());
        assert!(shuffled(5000).all(|key| tree.insert(key, Term::nil())));
        check(&tree, 0..5000);
        let full = tree.clone();
        assert!(shuffled(5000).filter(|key| key.as_i64().unwrap() % 3 > 0).all(|key| tree.remove(&key).is_some()));
        check(&tree, (0..5000).filter(|key| key % 3 == 0));
        assert!(shuffled(5000).filter(|key| key.as_i64().unwrap() % 3 == 0).all(|key| tree.remove(&key).is_some()));
        check(&tree, 0..0);
        check(&full, 0..5000);
        assert!(tree.remove(&Term::int(1)).is_none());
    }

    #[test]
    fn built_from_sorted_entries_of_every_length() {
        for count in 0..600 {
            let tree = Tree::from_sorted((0..count).map(|key| (Term::int(key), Term::nil())).collect());
            check(&tree, 0..count);
        }
    }

    #[test]
    fn a_key_below_all_others_is_found() {
        let mut tree = Tree::from_sorted((0..500).map(|key| (Term::int(key), Term::nil())).collect());
        (1..500).for_each(|key| assert!(tree.insert(Term::int(-key), Term::nil())));
        check(&tree, -499..500);
        (-499..400).for_each(|key| assert!(tree.remove(&Term::int(key)).is_some()));
        check(&tree, 400..500);
    }
}
