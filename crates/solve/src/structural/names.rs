//! Atoms as names: an atom is the list of its characters, and two atoms stand to each other as these lists do.

use std::rc::Rc;

use constraint::{Kinds, of_text};
use num_bigint::BigInt;
use term::{Atom, Term};

use super::domains::TEXT;
use super::ground::Ground;
use super::production::Prod;
use super::propagators::{Propagator, Status, TermRelation};
use super::store::{Conflict, Context, NodeId, Step, Store};
use crate::integer::interval::Range;
use crate::query::UnknownReason;

/// The character where there is no previous one.
const PLAIN: i64 = 'a' as i64;

impl Store {
    /// The list of characters of a node, which is made an atom.
    pub fn expand_name(&mut self, cx: &mut Context, id: NodeId) -> Step<NodeId> {
        self.keep_kinds(cx, id, Kinds::ATOM)?;
        let id = self.find(id);
        let node = self.node(id);
        if let Some(name) = node.name {
            return Ok(name);
        }
        let text = |term: &Option<Term>| term.as_ref().and_then(Term::as_atom).map(|atom| Term::string(atom.name()));
        let name = match text(&node.value) {
            Some(text) => self.literal(cx, text),
            None => {
                let near = text(&node.near);
                let dom = cx.domains.of_rule(TEXT);
                self.fresh(cx, &[dom], near)?
            }
        };
        self.node_mut(id).name = Some(name);
        self.names.push(id);
        self.exclude_names(cx, id);
        Ok(name)
    }

    /// The atom whose name a node is.
    pub fn named(&mut self, cx: &mut Context, text: NodeId) -> Step<NodeId> {
        self.restrict_to_rule(cx, text, TEXT)?;
        let node = self.node(text);
        let near = node.value.as_ref().or(node.near.as_ref()).and_then(of_text).map(Term::atom);
        let id = self.push(Kinds::ATOM, Rc::new([Prod::Atom(None)]), near);
        self.node_mut(id).name = Some(text);
        self.names.push(id);
        Ok(id)
    }

    /// A list of more cells than that, so many of which hold characters.
    pub fn expand_long_text(&mut self, cx: &mut Context, list: NodeId, count: u8) -> Step {
        let character = cx.domains.character();
        let prods = cx.domains.prods(character);
        let mut rest = list;
        for _ in 0..count {
            let (head, tail) = self.expand_cell(cx, rest)?;
            self.restrict(cx, head, &prods)?;
            // What the head rules out, the tail need not be looked at for.
            self.close(cx)?;
            rest = tail;
        }
        self.keep_kinds(cx, rest, Kinds::CONS)
    }

    /// Lets the name of an atom differ from the names of the atoms it is not.
    pub fn exclude_names(&mut self, cx: &mut Context, id: NodeId) {
        let Some(name) = self.node(id).name else { return };
        let atoms: Vec<Atom> = self.node(id).not.iter().filter_map(Term::as_atom).collect();
        for atom in atoms {
            let other = self.literal(cx, Term::string(atom.name()));
            self.pending.push(Propagator::Pair(TermRelation::Differ, name, other));
        }
    }

    /// Returns true if one of two atoms is known by its name.
    pub fn has_names(&self, a: NodeId, b: NodeId) -> bool {
        self.node(a).name.is_some() || self.node(b).name.is_some()
    }

    /// Two atoms stand to each other as their names do.
    pub fn relate_names(&mut self, cx: &mut Context, relate: TermRelation, a: NodeId, b: NodeId) -> Step<Status> {
        let (left, right) = (self.expand_name(cx, a)?, self.expand_name(cx, b)?);
        self.pending.push(Propagator::Pair(relate, left, right));
        Ok(Status::Entailed)
    }

    /// An atom whose characters are all known is known.
    pub fn propagate_names(&mut self, cx: &mut Context) -> Step {
        for at in 0..self.names.len() {
            let id = self.names[at];
            if self.node(id).value.is_some() {
                continue;
            }
            let Some(name) = self.node(id).name else { continue };
            let (cells, end) = self.end_of_list(name)?;
            let more = end.is_some_and(|end| self.node(end).kinds == Kinds::CONS);
            if cells + u64::from(more) > Atom::MAX_CHARS as u64 {
                return Err(Conflict);
            }
            if let Some(length) = self.node(name).length {
                let range = Range { low: None, high: Some(BigInt::from(Atom::MAX_CHARS)) };
                self.restrict_integer(cx, length, range)?;
            }
            if end.is_none()
                && let Some(text) = self.known_text(name)
            {
                let atom = of_text(&text).ok_or(Conflict)?;
                self.bind(cx, id, Term::atom(atom))?;
            }
        }
        Ok(())
    }

    /// A list all of whose parts are known.
    fn known_text(&self, mut id: NodeId) -> Option<Term> {
        let mut heads = Vec::new();
        loop {
            let node = self.node(id);
            match (&node.value, node.cells) {
                (Some(value), _) => return Some(Term::list_with_tail(heads, value.clone())),
                (None, Some((head, tail))) => {
                    heads.push(self.node(head).value.clone()?);
                    id = tail;
                }
                (None, None) if node.kinds == Kinds::NIL => return Some(Term::list(heads)),
                (None, None) => return None,
            }
        }
    }

    /// The preferred value of a new cell of text: a letter is better than a control character.
    pub fn plain_character(cx: &mut Context, heads: &[super::domains::DomId]) -> Option<Term> {
        (heads == [cx.domains.character()]).then(|| Term::int(PLAIN))
    }
}

impl Ground<'_> {
    /// The atom of a name.
    pub fn atom(&mut self, cx: &mut Context, id: NodeId, name: NodeId) -> Step<Term> {
        let text = self.term(cx, name)?;
        let node = self.store.node(id);
        let fits =
            |atom: &Term| !node.not.contains(atom) && node.prods.iter().any(|prod| cx.domains.prod_accepts(prod, atom));
        let atom = of_text(&text).map(Term::atom).filter(fits);
        cx.some(atom, UnknownReason::Wrong)
    }
}
