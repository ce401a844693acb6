//! Expansion: the parts of a term that conditions are about become nodes of their own.

use std::rc::Rc;

use constraint::Kinds;
use term::Term;

use super::domains::DomId;
use super::production::{Prod, cell_doms, item_doms};
use super::store::{Conflict, Context, NodeId, Step, Store};

impl Store {
    /// Head and tail of a node, which is made a cell.
    pub fn expand_cell(&mut self, cx: &mut Context, id: NodeId) -> Step<(NodeId, NodeId)> {
        self.keep_kinds(cx, id, Kinds::CONS)?;
        let id = self.find(id);
        let node = &self.nodes[id.0 as usize];
        if let Some(cells) = node.cells {
            return Ok(cells);
        }
        let parts = match (&node.value, &node.near) {
            (Some(Term::Cons(_, cell)), _) => {
                let cell = cell.clone();
                (self.literal(cx, cell.head.clone()), self.literal(cx, cell.tail.clone()))
            }
            (_, near) => {
                let near = match near {
                    Some(Term::Cons(_, cell)) => Some((cell.head.clone(), cell.tail.clone())),
                    _ => None,
                };
                let (head, tail) = near.unzip();
                let (heads, tails) = cell_doms(&node.prods);
                let head = head.or_else(|| Store::plain_character(cx, &heads));
                let parts = (self.fresh(cx, &heads, head)?, self.fresh(cx, &tails, tail)?);
                self.adopt(id, [parts.0, parts.1]);
                parts
            }
        };
        self.nodes[id.0 as usize].cells = Some(parts);
        Ok(parts)
    }

    /// Makes a node a tuple of that size.
    pub fn set_size(&mut self, cx: &mut Context, id: NodeId, size: u32) -> Step {
        self.keep_kinds(cx, id, Kinds::TUPLE)?;
        let node = self.node(id);
        if let Some(known) = node.size {
            return if known == size { Ok(()) } else { Err(Conflict) };
        }
        if let Some(value) = &node.value {
            let fits = value.as_tuple().is_some_and(|items| items.len() == size as usize);
            return if fits { Ok(()) } else { Err(Conflict) };
        }
        if node.items.len() > size as usize {
            return Err(Conflict);
        }
        let any: Rc<[DomId]> = vec![DomId::ANY; size as usize].into();
        self.restrict(cx, id, &(Rc::new([Prod::Tuple(Some(any))]) as Rc<[Prod]>))?;
        self.node_mut(id).size = Some(size);
        Ok(())
    }

    /// The size of a tuple, where it is known.
    pub fn size(&self, id: NodeId) -> Option<usize> {
        let node = self.node(id);
        match &node.value {
            Some(value) => value.as_tuple().map(<[Term]>::len),
            None => node.size.map(|size| size as usize),
        }
    }

    /// Element `at` of a node, which is made a tuple that has one.
    pub fn expand_item(&mut self, cx: &mut Context, id: NodeId, at: u32) -> Step<NodeId> {
        self.keep_kinds(cx, id, Kinds::TUPLE)?;
        let at = at as usize;
        let prods = &self.node(id).prods;
        let large = |prod: &Prod| prod.size().is_none_or(|size| size > at);
        if self.size(id).is_some_and(|size| size <= at) {
            return Err(Conflict);
        }
        if self.node(id).value.is_none() && !prods.iter().all(large) {
            let prods = prods.iter().filter(|prod| large(prod)).cloned().collect();
            self.set_prods(cx, id, prods)?;
        }
        while self.node(id).items.len() <= at {
            self.expand_next_item(cx, id)?;
        }
        Ok(self.node(id).items[at])
    }

    fn expand_next_item(&mut self, cx: &mut Context, id: NodeId) -> Step {
        let id = self.find(id);
        let node = &self.nodes[id.0 as usize];
        let at = node.items.len();
        let part =
            |term: &Option<Term>| term.as_ref().and_then(Term::as_tuple).and_then(|items| items.get(at).cloned());
        let item = match part(&node.value) {
            Some(value) => self.literal(cx, value),
            None => {
                let near = part(&node.near);
                let doms = item_doms(&node.prods, at);
                let item = self.fresh(cx, &doms, near)?;
                self.adopt(id, [item]);
                item
            }
        };
        self.nodes[id.0 as usize].items.push(item);
        Ok(())
    }
}
