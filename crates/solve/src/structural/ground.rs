//! From what a store allows to inputs: what is still open stays as it was, or becomes small.

use constraint::Kinds;
use rustc_hash::FxHashMap;
use term::Term;

use super::domains::DomId;
use super::funs::Clash;
use super::numeric::Solution;
use super::production::Prod;
use super::store::{Conflict, Context, NodeId, Step, Store};
use crate::query::UnknownReason;

/// Longer bitstrings are not made.
const MOST_BITS: usize = 1 << 27;

/// Terms of nodes made so far; `None` while one is being made.
pub struct Ground<'a> {
    /// The store that allows the terms.
    pub store: &'a Store,
    /// The values of its numbers.
    pub solution: &'a Solution,
    /// The terms of nodes so far; `None` while one is being made.
    pub made: FxHashMap<NodeId, Option<Term>>,
    /// Something that was to be made contains itself.
    pub cyclic: bool,
    /// A fun would have to give two results for the same arguments.
    pub clash: Option<Clash>,
}

impl Store {
    /// The inputs, given the values of integers, or what is still to be decided.
    pub fn ground(&self, cx: &mut Context, solution: &Solution) -> Step<Result<Vec<Term>, Clash>> {
        let mut ground = Ground { store: self, solution, made: FxHashMap::default(), cyclic: false, clash: None };
        let inputs = self.inputs.iter().map(|input| ground.term(cx, *input)).collect::<Step<Vec<Term>>>();
        match (inputs, ground.clash) {
            (Ok(inputs), _) => Ok(Ok(inputs)),
            (Err(Conflict), Some(clash)) => Ok(Err(clash)),
            (Err(Conflict), None) => Err(Conflict),
        }
    }

    /// Returns true if no term contains itself.
    pub fn is_finite(&self) -> bool {
        // 0: not seen, 1: above, 2: done.
        let mut state = vec![0u8; self.len()];
        let mut stack: Vec<(NodeId, bool)> = self.classes().map(|(id, _)| (id, false)).collect();
        while let Some((id, leave)) = stack.pop() {
            let seen = &mut state[id.0 as usize];
            if leave {
                *seen = 2;
                continue;
            }
            if *seen == 2 {
                continue;
            }
            *seen = 1;
            stack.push((id, true));
            let node = self.node(id);
            let cells = node.cells.iter().flat_map(|(head, tail)| [*head, *tail]);
            let entries =
                node.entries.iter().flat_map(|entries| &entries.present).flat_map(|(key, value)| [*key, *value]);
            for child in cells.chain(node.items.iter().copied()).chain(entries).map(|child| self.find(child)) {
                match state[child.0 as usize] {
                    0 => stack.push((child, false)),
                    1 => return false,
                    _ => {}
                }
            }
        }
        true
    }
}

impl Ground<'_> {
    /// The term of a node.
    pub fn term(&mut self, cx: &mut Context, id: NodeId) -> Step<Term> {
        let id = self.store.find(id);
        match self.made.get(&id) {
            Some(Some(term)) => return Ok(term.clone()),
            // Only what a fun gives can contain the fun: there is such a fun, but no table of it.
            Some(None) => {
                self.cyclic = true;
                return cx.give_up(UnknownReason::Unsupported);
            }
            None => {}
        }
        self.made.insert(id, None);
        let term = term::deeper(|| self.make(cx, id));
        match &term {
            Ok(term) => self.made.insert(id, Some(term.clone())),
            Err(Conflict) => self.made.remove(&id),
        };
        term
    }

    fn make(&mut self, cx: &mut Context, id: NodeId) -> Step<Term> {
        let node = self.store.node(id);
        if let Some(value) = &node.value {
            // A zero has the sign that was found.
            let zero = self.solution.floats.get(&id).filter(|value| **value == 0.0);
            return Ok(zero.map_or_else(|| value.clone(), |zero| Term::float(*zero)));
        }
        if let Some(value) = self.solution.get(&id) {
            return Ok(Term::big(value.clone()));
        }
        if let Some(value) = self.solution.floats.get(&id) {
            return Ok(Term::float(*value));
        }
        if node.entries.is_some() {
            return self.map(cx, id);
        }
        if node.cells.is_some() {
            return self.list(cx, id);
        }
        if node.kinds == Kinds::TUPLE && (!node.items.is_empty() || node.size.is_some()) {
            return self.tuple(cx, id);
        }
        if !node.rows.is_empty() {
            return self.fun(cx, id);
        }
        if node.bits.is_some() {
            return self.bits(cx, id);
        }
        if let Some(name) = node.name {
            return self.atom(cx, id, name);
        }
        self.leaf(cx, id)
    }

    /// The pieces in their places, and between them what was there, or zeros.
    fn bits(&mut self, cx: &mut Context, id: NodeId) -> Step<Term> {
        let node = self.store.node(id);
        let Some(known) = &node.bits else { return Err(Conflict) };
        let len = self.term(cx, known.len)?.as_i64().and_then(|len| usize::try_from(len).ok());
        let Some(len) = len.filter(|len| *len <= MOST_BITS) else { return cx.give_up(UnknownReason::Budget) };
        let near = node.near.as_ref().and_then(Term::as_bits);
        let mut builder = term::BitsBuilder::with_capacity(len.div_ceil(8));
        let fill = |builder: &mut term::BitsBuilder, to: usize| {
            let at = builder.bit_len();
            let kept = near.map_or(at, |near| near.bit_len().clamp(at, to));
            if let Some(near) = near {
                builder.push_bits(&near.slice(at, kept - at));
            }
            builder.push_int(0, to - kept, false);
        };
        for piece in &known.pieces {
            let value = self.term(cx, piece.node)?.as_bigint().ok_or(Conflict)?;
            if piece.at as usize + piece.size as usize > len {
                return cx.give_up(UnknownReason::Wrong);
            }
            fill(&mut builder, piece.at as usize);
            builder.push_bigint(&value, piece.size as usize, false);
        }
        fill(&mut builder, len);
        let term = Term::bits(builder.finish());
        if node.not.contains(&term) { cx.give_up(UnknownReason::Wrong) } else { Ok(term) }
    }

    fn leaf(&mut self, cx: &mut Context, id: NodeId) -> Step<Term> {
        let node = self.store.node(id);
        let allowed = |cx: &Context, term: &Term| {
            node.kinds.has(Kinds::of(term))
                && !node.not.contains(term)
                && node.prods.iter().any(|prod| cx.domains.prod_accepts(prod, term))
        };
        if let Some(near) = node.near.as_ref().filter(|near| allowed(cx, near)) {
            return Ok(near.clone());
        }
        let term = cx.domains.pick(&node.prods, node.kinds, &node.not);
        cx.some(term, UnknownReason::Unsupported)
    }

    fn list(&mut self, cx: &mut Context, id: NodeId) -> Step<Term> {
        let mut heads = Vec::new();
        let mut rest = id;
        while let (Some((head, tail)), None) = (self.store.node(rest).cells, &self.store.node(rest).value) {
            heads.push(self.term(cx, head)?);
            rest = tail;
        }
        let tail = if self.may_end(cx, rest) { Term::nil() } else { self.term(cx, rest)? };
        Ok(Term::list_with_tail(heads, tail))
    }

    /// True if a list may end where nothing says what follows: an end that is no list is for those who ask for it.
    fn may_end(&mut self, cx: &Context, id: NodeId) -> bool {
        let id = self.store.find(id);
        let node = self.store.node(id);
        let nil = Term::nil();
        let is_open = node.value.is_none() && !self.solution.contains_key(&id) && node.kinds.has(Kinds::NIL);
        let may = is_open
            && !self.made.contains_key(&id)
            && !matches!(node.near, Some(Term::Cons(..)))
            && !node.not.contains(&nil)
            && node.prods.iter().any(|prod| cx.domains.prod_accepts(prod, &nil));
        if may {
            self.made.insert(id, Some(nil));
        }
        may
    }

    fn tuple(&mut self, cx: &mut Context, id: NodeId) -> Step<Term> {
        let node = self.store.node(id);
        if node.items.is_empty() {
            return self.leaf(cx, id);
        }
        let size = node.size.map_or(node.items.len(), |size| size as usize);
        let mut items = node.items.iter().map(|item| self.term(cx, *item)).collect::<Step<Vec<_>>>()?;
        let Some(Prod::Tuple(doms)) = node.prods.first() else { return cx.give_up(UnknownReason::Wrong) };
        for at in items.len()..size {
            let near = node.near.as_ref().and_then(Term::as_tuple).and_then(|items| items.get(at));
            let dom = doms.as_ref().and_then(|doms| doms.get(at).copied()).unwrap_or(DomId::ANY);
            let item = match near.filter(|near| cx.domains.accepts(dom, near)) {
                Some(near) => Some(near.clone()),
                None => cx.domains.smallest(dom),
            };
            items.push(cx.some(item, UnknownReason::Unsupported)?);
        }
        Ok(Term::tuple(items))
    }
}
