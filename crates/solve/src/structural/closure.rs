//! Congruence closure and arc consistency: equal nodes are merged, productions that parts exclude are dropped.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::domains::DomId;
use super::funs::result_doms;
use super::production::{Prod, cell_doms, exhausted, item_doms};
use super::store::{Conflict, Context, Node, NodeId, Step, Store};

impl Store {
    /// Returns true if something changed whose consequences have not been drawn.
    pub fn has_work(&self) -> bool {
        !self.same.is_empty() || !self.shrunk.is_empty() || !self.changed.is_empty()
    }

    /// Draws all consequences of sameness and of what nodes lost.
    pub fn close(&mut self, cx: &mut Context) -> Step {
        loop {
            if let Some((a, b)) = self.same.pop() {
                self.merge(cx, a, b)?;
            } else if let Some(id) = self.shrunk.pop() {
                self.follow(cx, id)?;
            } else if let Some(id) = self.changed.pop() {
                for parent in self.node(id).parents.clone() {
                    self.drop_impossible(cx, parent)?;
                }
            } else {
                return Ok(());
            }
        }
    }

    /// The children of a node can be only what its productions allow.
    fn follow(&mut self, cx: &mut Context, id: NodeId) -> Step {
        let node = self.node(id);
        if node.value.is_some() {
            return Ok(());
        }
        let (prods, items, rows) = (node.prods.clone(), node.items.clone(), node.rows.clone());
        if let Some((head, tail)) = node.cells {
            let (heads, tails) = cell_doms(&prods);
            for (part, doms) in [(head, heads), (tail, tails)] {
                let allowed = cx.domains.union(&doms);
                self.restrict(cx, part, &allowed)?;
            }
        }
        for (at, item) in items.into_iter().enumerate() {
            let allowed = cx.domains.union(&item_doms(&prods, at));
            self.restrict(cx, item, &allowed)?;
        }
        if !rows.is_empty() {
            let allowed = cx.domains.union(&result_doms(&prods));
            rows.into_iter().try_for_each(|(_, result)| self.restrict(cx, result, &allowed))?;
        }
        Ok(())
    }

    /// Drops the productions of a node that its children no longer allow.
    fn drop_impossible(&mut self, cx: &mut Context, id: NodeId) -> Step {
        let node = self.node(id);
        if node.prods.len() < 2 || node.value.is_some() {
            return Ok(());
        }
        let prods = node.prods.clone();
        let mut fitting = Fitting { store: self, known: FxHashMap::default() };
        let kept: Vec<Prod> = prods.iter().filter(|prod| fitting.parts(cx, id, prod, 0)).cloned().collect();
        if kept.len() == prods.len() { Ok(()) } else { self.set_prods(cx, id, kept.into()) }
    }

    fn merge(&mut self, cx: &mut Context, a: NodeId, b: NodeId) -> Step {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return Ok(());
        }
        let prods = {
            let (left, right) = (&self.nodes[a.0 as usize], &self.nodes[b.0 as usize]);
            if !left.kinds.meets(right.kinds) {
                return Err(Conflict);
            }
            self.merged_prods(cx, left, right)
        };
        let taken = self.absorb(a, b)?;
        debug_assert!(self.find(b) == a, "a merged node is represented by the other");
        self.exclude_names(cx, a);
        let value = self.nodes[a.0 as usize].value.take().or(taken.value.clone());
        if let (Some(mine), Some(other)) = (&value, &taken.value)
            && mine != other
        {
            return Err(Conflict);
        }
        let kinds = self.nodes[a.0 as usize].kinds & taken.kinds;
        let prods: Rc<[Prod]> = match &value {
            Some(_) => prods,
            None => {
                let not = &self.nodes[a.0 as usize].not;
                prods.iter().filter(|prod| kinds.has(prod.kind()) && !exhausted(prod, not)).cloned().collect()
            }
        };
        self.nodes[a.0 as usize].kinds = kinds;
        match value {
            Some(value) => {
                self.nodes[a.0 as usize].prods = prods;
                self.bind(cx, a, value)
            }
            None => {
                self.set_prods(cx, a, prods)?;
                let node = &self.nodes[a.0 as usize];
                let children: Vec<NodeId> = node
                    .cells
                    .into_iter()
                    .flat_map(|(head, tail)| [head, tail])
                    .chain(node.items.iter().copied())
                    .chain(node.rows.iter().map(|(_, result)| *result))
                    .collect();
                self.adopt(a, children);
                self.changed.push(a);
                Ok(())
            }
        }
    }

    fn merged_prods(&self, cx: &mut Context, left: &Node, right: &Node) -> Rc<[Prod]> {
        match (&left.value, &right.value) {
            // The other's value is checked against these.
            (Some(_), None) => right.prods.clone(),
            (None, Some(_)) => left.prods.clone(),
            _ => cx.domains.meet_prods(&left.prods, &right.prods),
        }
    }

    /// Joins what two nodes know apart from their productions, and gives what the second one was.
    fn absorb(&mut self, a: NodeId, b: NodeId) -> Step<Node> {
        let other = self.nodes[b.0 as usize].clone();
        self.nodes[b.0 as usize].link = a;
        let node = &mut self.nodes[a.0 as usize];
        node.not.extend(other.not.iter().cloned());
        node.rows.extend(other.rows.iter().copied());
        node.parents.extend(other.parents.iter().copied());
        let others = other.near.iter().chain(&other.also).filter(|was| node.near.as_ref() != Some(was)).cloned();
        node.also.extend(others);
        if node.near.is_none() && !node.also.is_empty() {
            node.near = Some(node.also.remove(0));
        }
        match (node.cells, other.cells) {
            (Some(mine), Some(theirs)) => self.same.extend([(mine.0, theirs.0), (mine.1, theirs.1)]),
            (None, theirs) => node.cells = theirs,
            _ => {}
        }
        self.same.extend(node.items.iter().copied().zip(other.items.iter().copied()));
        let known = node.items.len();
        node.items.extend(other.items.iter().skip(known).copied());
        node.entries = match (node.entries.take(), &other.entries) {
            (Some(mine), Some(theirs)) => {
                if !mine.order.is_empty() && !theirs.order.is_empty() && mine.order.len() != theirs.order.len() {
                    return Err(Conflict);
                }
                self.same.extend(mine.order.iter().copied().zip(theirs.order.iter().copied()));
                Some(Rc::new(mine.joined(theirs)))
            }
            (mine, theirs) => mine.or_else(|| theirs.clone()),
        };
        node.size = match (node.size, other.size) {
            (Some(a), Some(b)) if a != b => return Err(Conflict),
            (a, b) => a.or(b),
        };
        let bits = other.bits.clone();
        let integers = [(&mut node.length, other.length), (&mut node.count, other.count)];
        for (mine, theirs) in [(&mut node.name, other.name)].into_iter().chain(integers) {
            match (*mine, theirs) {
                (Some(mine), Some(theirs)) => self.same.push((mine, theirs)),
                (None, theirs) => *mine = theirs,
                _ => {}
            }
        }
        self.absorb_bits(a, bits);
        Ok(other)
    }
}

/// True if nodes can be what domains say, as far as their forms show.
struct Fitting<'a> {
    store: &'a Store,
    known: FxHashMap<(NodeId, DomId), bool>,
}

/// Looking less deep loses no solution.
const DEEPEST_LOOK: u32 = 12;

impl Fitting<'_> {
    /// Returns true if the children a node has can be what a production says of them.
    fn parts(&mut self, cx: &mut Context, id: NodeId, prod: &Prod, depth: u32) -> bool {
        let node = self.store.node(id);
        match prod {
            Prod::Cons(head, tail) => node.cells.is_none_or(|cells| {
                self.fits(cx, cells.0, *head, depth + 1) && self.fits(cx, cells.1, *tail, depth + 1)
            }),
            Prod::Tuple(Some(doms)) => {
                let mut items = node.items.iter().zip(doms.iter());
                node.items.len() <= doms.len() && items.all(|(item, dom)| self.fits(cx, *item, *dom, depth + 1))
            }
            Prod::Fun(_, dom) => node.rows.iter().all(|(_, result)| self.fits(cx, *result, *dom, depth + 1)),
            _ => true,
        }
    }

    fn fits(&mut self, cx: &mut Context, id: NodeId, dom: DomId, depth: u32) -> bool {
        if dom == DomId::ANY || depth > DEEPEST_LOOK {
            return true;
        }
        let id = self.store.find(id);
        if let Some(known) = self.known.get(&(id, dom)) {
            return *known;
        }
        let fits = self.looked_up(cx, id, dom, depth);
        self.known.insert((id, dom), fits);
        fits
    }

    fn looked_up(&mut self, cx: &mut Context, id: NodeId, dom: DomId, depth: u32) -> bool {
        let node = self.store.node(id);
        if let Some(value) = &node.value {
            return cx.domains.accepts(dom, value);
        }
        let wanted = cx.domains.prods(dom);
        let met = cx.domains.meet_prods(&node.prods, &wanted);
        let mut met = met.iter().filter(|prod| node.kinds.has(prod.kind()) && !exhausted(prod, &node.not));
        met.any(|prod| self.parts(cx, id, prod, depth))
    }
}
