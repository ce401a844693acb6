//! The store: a node for each symbolic term, what it can still be, and which nodes are the same.

use std::rc::Rc;

use constraint::{Kinds, Op};
use num_bigint::BigInt;
use term::Term;

use super::bits::{BitString, Join};
use super::domains::{DomId, Domains};
use super::floats::Floats;
use super::maps::Entries;
use super::production::{Prod, exhausted, kinds_of};
use super::propagators::{Propagator, TermRelation};
use crate::integer::interval::Range;
use crate::query::UnknownReason;

/// The number of a node in its store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// Nothing is left that a node could be, or a condition cannot hold.
#[derive(Clone, Copy, Debug)]
pub struct Conflict;

/// The result of a change of the store.
pub type Step<T = ()> = Result<T, Conflict>;

/// The state that all stores of a query share.
pub struct Context {
    /// The domains of the grammar.
    pub domains: Domains,
    /// Why an exhausted search proves nothing, if something was left out.
    pub cut: Option<UnknownReason>,
    /// Cells that may still be made for lengths.
    pub cells: u64,
    /// Looks at undecided conditions that may still be taken.
    pub examinations: u64,
}

impl Context {
    /// Gives up a part of the search without a proof.
    pub fn give_up<T>(&mut self, why: UnknownReason) -> Step<T> {
        self.leave_out(why);
        Err(Conflict)
    }

    /// The value, if there is one; else the part of the search is given up.
    pub fn some<T>(&mut self, value: Option<T>, why: UnknownReason) -> Step<T> {
        value.map_or_else(|| self.give_up(why), Ok)
    }

    /// Notes that the search is not exhaustive, and why.
    pub fn leave_out(&mut self, why: UnknownReason) {
        self.cut.get_or_insert(why);
    }
}

/// A symbolic term: its domain, its parts and its relations to others. Only the representative of a class of nodes is
/// up to date.
#[derive(Clone)]
pub struct Node {
    pub(super) link: NodeId,
    /// The kinds of terms it can be.
    pub kinds: Kinds,
    /// Its productions; none of a kind that is not in `kinds`.
    pub prods: Rc<[Prod]>,
    /// Its value, if it is known.
    pub value: Option<Term>,
    /// Values it does not have; neither cells nor tuples.
    pub not: Vec<Term>,
    /// Head and tail; the node is a cell then.
    pub cells: Option<(NodeId, NodeId)>,
    /// The first elements; the node is a tuple with at least these then.
    pub items: Vec<NodeId>,
    /// The number of elements; the node is a tuple then.
    pub size: Option<u32>,
    /// Arguments, as a tuple, and what the fun gives for them; the node is a fun of as many arguments then.
    pub rows: Vec<(NodeId, NodeId)>,
    /// Its value in the inputs to start from.
    pub near: Option<Term>,
    /// The values that other nodes had which are the same as this one now.
    pub also: Vec<Term>,
    /// Nodes whose productions depend on this one.
    pub(super) parents: Vec<NodeId>,
    /// The integer that is its length.
    pub length: Option<NodeId>,
    /// The integer that is its number of elements.
    pub count: Option<NodeId>,
    /// The node is a map, of which these entries are known.
    pub entries: Option<Rc<Entries>>,
    /// Its known bits; the node is a bitstring then.
    pub bits: Option<Box<BitString>>,
    /// The list of its characters; the node is an atom then.
    pub name: Option<NodeId>,
}

impl Node {
    /// Returns true if its parts are nodes.
    pub fn is_expanded(&self) -> bool {
        let opened = self.cells.is_some() || !self.items.is_empty() || !self.rows.is_empty();
        opened || self.entries.is_some() || self.bits.is_some() || self.name.is_some()
    }
}

/// A relation between two integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Differ,
    Less,
    AtMost,
}

/// A conjunction of constraints on symbolic terms, made consistent by propagation.
#[derive(Clone, Default)]
pub struct Store {
    pub(super) nodes: Vec<Node>,
    /// The nodes of the inputs.
    pub inputs: Vec<NodeId>,
    /// Integers that are operations on others.
    pub equations: Vec<(NodeId, Op, Rc<[NodeId]>)>,
    /// Relations between integers.
    pub relations: Vec<(Order, NodeId, NodeId)>,
    /// Equations and relations of floats.
    pub floats: Floats,
    /// Conditions that nothing decides yet.
    pub pending: Vec<Propagator>,
    /// Conditions on the order of terms, decided by their parts or not.
    pub orders: Vec<(TermRelation, NodeId, NodeId)>,
    /// Lists with a length, tuples and maps with a count, bitstrings with either.
    pub measured: Vec<NodeId>,
    /// Maps of which entries are known.
    pub maps: Vec<NodeId>,
    /// Atoms whose names are nodes.
    pub(super) names: Vec<NodeId>,
    /// Some bitstring was looked into.
    pub(super) has_bits: bool,
    /// Numbers that are others side by side, and not known yet.
    pub(super) joins: Vec<Join>,
    /// As many of the last of them have no equations yet.
    pub(super) fresh_joins: usize,
    /// It has been tried to leave undecided things as they were.
    pub tried_previous: bool,
    pub(super) same: Vec<(NodeId, NodeId)>,
    /// Nodes that changed: their parents must look again.
    pub(super) changed: Vec<NodeId>,
    /// Nodes that lost productions: their children must follow.
    pub(super) shrunk: Vec<NodeId>,
}

impl Store {
    /// The representative of a node's class.
    pub fn find(&self, mut id: NodeId) -> NodeId {
        while self.nodes[id.0 as usize].link != id {
            id = self.nodes[id.0 as usize].link;
        }
        id
    }

    /// The state of a node's class.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[self.find(id).0 as usize]
    }

    /// The state of a node's class, to be changed.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        let id = self.find(id);
        &mut self.nodes[id.0 as usize]
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All classes of nodes.
    pub fn classes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        let all = self.nodes.iter().enumerate();
        all.map(|(at, node)| (NodeId(at as u32), node)).filter(|(id, node)| node.link == *id)
    }

    pub(super) fn push(&mut self, kinds: Kinds, prods: Rc<[Prod]>, near: Option<Term>) -> NodeId {
        let link = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            link,
            kinds,
            prods,
            value: None,
            not: Vec::new(),
            cells: None,
            items: Vec::new(),
            size: None,
            rows: Vec::new(),
            near,
            also: Vec::new(),
            parents: Vec::new(),
            length: None,
            count: None,
            entries: None,
            bits: None,
            name: None,
        });
        link
    }

    /// A node that can be what one of the domains allows.
    pub fn fresh(&mut self, cx: &mut Context, doms: &[DomId], near: Option<Term>) -> Step<NodeId> {
        let prods = cx.domains.union(doms);
        let id = self.push(kinds_of(&prods), prods, near);
        self.propagate_node(cx, id)?;
        Ok(id)
    }

    /// A node of that value.
    pub fn literal(&mut self, cx: &mut Context, term: Term) -> NodeId {
        let prods = cx.domains.prods(DomId::ANY);
        let id = self.push(Kinds::of(&term), prods, None);
        self.nodes[id.0 as usize].value = Some(term);
        id
    }

    /// A cell of these parts.
    pub fn cell(&mut self, head: NodeId, tail: NodeId) -> NodeId {
        let prods = Rc::new([Prod::Cons(DomId::ANY, DomId::ANY)]);
        let id = self.push(Kinds::CONS, prods, None);
        self.nodes[id.0 as usize].cells = Some((head, tail));
        id
    }

    /// A tuple of these elements.
    pub fn tuple(&mut self, items: Vec<NodeId>) -> NodeId {
        let prods = Rc::new([Prod::Tuple(Some(vec![DomId::ANY; items.len()].into()))]);
        let id = self.push(Kinds::TUPLE, prods, None);
        self.nodes[id.0 as usize].size = Some(items.len() as u32);
        self.nodes[id.0 as usize].items = items;
        id
    }

    /// An integer of a range.
    pub fn integer(&mut self, low: Option<BigInt>, near: Option<Term>) -> NodeId {
        let prods = Rc::new([Prod::Integer(Rc::new(Range { low, high: None }))]);
        self.push(Kinds::INTEGER, prods, near)
    }

    /// Lets a node be a term of these kinds only.
    pub fn keep_kinds(&mut self, cx: &mut Context, id: NodeId, kinds: Kinds) -> Step {
        let node = self.node(id);
        if kinds.has(node.kinds) {
            return Ok(());
        }
        let kinds = node.kinds & kinds;
        if node.value.is_some() || kinds.is_empty() {
            return if kinds.is_empty() { Err(Conflict) } else { Ok(()) };
        }
        let prods = node.prods.iter().filter(|prod| kinds.has(prod.kind())).cloned().collect();
        self.set_prods(cx, id, prods)
    }

    /// Replaces the productions of a node by fewer.
    pub fn set_prods(&mut self, cx: &mut Context, id: NodeId, prods: Rc<[Prod]>) -> Step {
        let id = self.find(id);
        let node = &mut self.nodes[id.0 as usize];
        node.kinds = kinds_of(&prods);
        node.prods = prods;
        self.changed.push(id);
        self.shrunk.push(id);
        self.propagate_node(cx, id)
    }

    /// Lets a node be only what one of these productions allows, too.
    pub fn restrict(&mut self, cx: &mut Context, id: NodeId, prods: &Rc<[Prod]>) -> Step {
        let node = self.node(id);
        if let Some(value) = &node.value {
            let fits = prods.iter().any(|prod| cx.domains.prod_accepts(prod, value));
            return if fits { Ok(()) } else { Err(Conflict) };
        }
        let met = cx.domains.meet_prods(&node.prods, prods);
        if Rc::ptr_eq(&met, &node.prods) || met == node.prods {
            return Ok(());
        }
        self.set_prods(cx, id, met)
    }

    /// Draws what follows at once from what the node can be.
    fn propagate_node(&mut self, cx: &mut Context, id: NodeId) -> Step {
        let node = self.node(id);
        if node.kinds.is_empty() {
            return Err(Conflict);
        }
        if node.value.is_none() && node.kinds == Kinds::TUPLE && node.size.is_none() {
            self.propagate_size(id);
        }
        let node = self.node(id);
        let only = match &node.prods[..] {
            _ if node.value.is_some() => None,
            [Prod::Nil] => Some(Term::nil()),
            [Prod::Atom(Some(atom))] => Some(Term::atom(*atom)),
            [Prod::Integer(range)] => range.value().cloned().map(Term::big),
            [Prod::Exact(term)] => Some(term.clone()),
            [Prod::Map(rows)] if rows.iter().any(|row| row.is_empty()) => Some(Term::map(term::Map::new())),
            _ => None,
        };
        only.map_or(Ok(()), |value| self.bind(cx, id, value))
    }

    fn propagate_size(&mut self, id: NodeId) {
        let mut sizes = self.node(id).prods.iter().map(Prod::size);
        if let Some(Some(first)) = sizes.next()
            && sizes.all(|size| size == Some(first))
        {
            self.node_mut(id).size = Some(first as u32);
        }
    }

    /// The node is that value.
    pub fn bind(&mut self, cx: &mut Context, id: NodeId, value: Term) -> Step {
        let id = self.find(id);
        let node = &self.nodes[id.0 as usize];
        if let Some(known) = &node.value {
            return if *known == value { Ok(()) } else { Err(Conflict) };
        }
        let fits = node.kinds.has(Kinds::of(&value))
            && !node.not.contains(&value)
            && node.prods.iter().any(|prod| cx.domains.prod_accepts(prod, &value));
        if !fits {
            return Err(Conflict);
        }
        self.bind_parts(cx, id, &value)?;
        let node = &mut self.nodes[id.0 as usize];
        node.kinds = Kinds::of(&value);
        node.value = Some(value);
        self.changed.push(id);
        Ok(())
    }

    fn bind_parts(&mut self, cx: &mut Context, id: NodeId, value: &Term) -> Step {
        let node = &self.nodes[id.0 as usize];
        match value {
            Term::Cons(_, cell) => {
                let Some((head, tail)) = node.cells else { return Ok(()) };
                let values = [self.literal(cx, cell.head.clone()), self.literal(cx, cell.tail.clone())];
                self.same.extend([(head, values[0]), (tail, values[1])]);
            }
            Term::Tuple(_, values) => {
                if node.size.is_some_and(|size| size as usize != values.len()) || node.items.len() > values.len() {
                    return Err(Conflict);
                }
                for (item, value) in node.items.clone().into_iter().zip(values.iter()) {
                    let value = self.literal(cx, value.clone());
                    self.same.push((item, value));
                }
                self.nodes[id.0 as usize].size = Some(values.len() as u32);
            }
            Term::Fun(..) if !node.rows.is_empty() => self.tie_rows(id),
            Term::Bits(_, bits) => self.bind_bits(cx, id, bits)?,
            Term::Atom(_, atom) => {
                let Some(name) = node.name else { return Ok(()) };
                let text = self.literal(cx, Term::string(atom.name()));
                self.same.push((name, text));
            }
            _ => {}
        }
        Ok(())
    }

    /// The node is not that value, which is neither a cell nor a tuple.
    pub fn exclude(&mut self, cx: &mut Context, id: NodeId, value: &Term) -> Step {
        let id = self.find(id);
        let node = &mut self.nodes[id.0 as usize];
        if let Some(known) = &node.value {
            return if known == value { Err(Conflict) } else { Ok(()) };
        }
        if !node.kinds.has(Kinds::of(value)) || node.not.contains(value) {
            return Ok(());
        }
        node.not.push(value.clone());
        if let (Some(name), Term::Atom(_, atom)) = (node.name, value) {
            let other = self.literal(cx, Term::string(atom.name()));
            self.pending.push(Propagator::Pair(TermRelation::Differ, name, other));
        }
        let node = &self.nodes[id.0 as usize];
        let kept: Vec<Prod> = node.prods.iter().filter(|prod| !exhausted(prod, &node.not)).cloned().collect();
        if kept.len() == node.prods.len() { Ok(()) } else { self.set_prods(cx, id, kept.into()) }
    }

    /// The nodes are the same; takes effect with [`Store::propagate`].
    pub fn equate(&mut self, a: NodeId, b: NodeId) {
        self.same.push((a, b));
    }

    /// Lets the parent be examined again when its children change, if it has more than one production.
    pub fn adopt(&mut self, parent: NodeId, children: impl IntoIterator<Item = NodeId>) {
        if self.nodes[parent.0 as usize].prods.len() < 2 {
            return;
        }
        for child in children {
            let parents = &mut self.node_mut(child).parents;
            if !parents.contains(&parent) {
                parents.push(parent);
            }
        }
    }
}
