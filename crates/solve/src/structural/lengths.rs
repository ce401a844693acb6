//! Lengths of lists and sizes of tuples: integers tied to what has them.

use std::rc::Rc;

use constraint::{Kinds, RuleId};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use term::Term;

use super::domains::{DomId, PROPER};
use super::production::{Prod, cell_doms};
use super::store::{Conflict, Context, Node, NodeId, Step, Store};
use crate::integer::interval::Range;
use crate::query::UnknownReason;

/// As far as the lengths that a rule allows are followed.
const LONGEST_LOOK: u64 = 64;

impl Store {
    /// Lets a node be only what a rule of our own allows.
    pub fn restrict_to_rule(&mut self, cx: &mut Context, id: NodeId, rule: RuleId) -> Step {
        let dom = cx.domains.of_rule(rule);
        let prods = cx.domains.prods(dom);
        self.restrict(cx, id, &prods)
    }

    /// The integer that is the length of a node, which is made a proper list.
    pub fn length(&mut self, cx: &mut Context, id: NodeId) -> Step<NodeId> {
        self.restrict_to_rule(cx, id, PROPER)?;
        Ok(self.measure(id, |node| &mut node.length, |list| Some(list.proper_list()?.len())))
    }

    /// The integer that is the size of a node, which is made a tuple.
    pub fn count(&mut self, cx: &mut Context, id: NodeId) -> Step<NodeId> {
        self.keep_kinds(cx, id, Kinds::TUPLE)?;
        Ok(self.measure(id, |node| &mut node.count, |tuple| Some(tuple.as_tuple()?.len())))
    }

    /// The integer at a place of a node, made if there is none yet.
    pub fn measure(
        &mut self,
        id: NodeId,
        place: fn(&mut Node) -> &mut Option<NodeId>,
        size: fn(&Term) -> Option<usize>,
    ) -> NodeId {
        if let Some(known) = *place(self.node_mut(id)) {
            return known;
        }
        let near = self.node(id).near.as_ref().and_then(size).map(|size| Term::int(size as i64));
        let measure = self.integer(Some(BigInt::zero()), near);
        *place(self.node_mut(id)) = Some(measure);
        self.measured.push(id);
        measure
    }

    /// Carries what is known of lengths and sizes to what has them, and back.
    pub fn propagate_measures(&mut self, cx: &mut Context) -> Step {
        let mut at = 0;
        while at < self.measured.len() {
            let id = self.measured[at];
            if let Some(length) = self.node(id).length {
                self.propagate_length(cx, id, length)?;
            }
            if let Some(count) = self.node(id).count {
                self.propagate_count(cx, id, count)?;
            }
            at += 1;
        }
        Ok(())
    }

    fn propagate_length(&mut self, cx: &mut Context, id: NodeId, length: NodeId) -> Step {
        let (cells, end) = self.end_of_list(id)?;
        let Some(mut end) = end else { return self.bind(cx, length, Term::int(cells as i64)) };
        let Some(wanted) = self.node(length).value.as_ref().map(Term::as_i64) else { return Ok(()) };
        let wanted = wanted.map_or(u64::MAX, |wanted| wanted as u64);
        let more = wanted.checked_sub(cells).ok_or(Conflict)?;
        if more > cx.cells {
            return cx.give_up(UnknownReason::Budget);
        }
        cx.cells -= more;
        for _ in 0..more {
            end = self.expand_cell(cx, end)?.1;
        }
        self.keep_kinds(cx, end, Kinds::NIL)
    }

    fn propagate_count(&mut self, cx: &mut Context, id: NodeId, count: NodeId) -> Step {
        if self.node(id).entries.is_some() {
            return Ok(());
        }
        if let Some(size) = self.size(id) {
            return self.bind(cx, count, Term::int(size as i64));
        }
        let Some(wanted) = self.node(count).value.as_ref().map(Term::as_i64) else { return Ok(()) };
        match wanted.and_then(|wanted| wanted.to_u32()) {
            Some(wanted) if u64::from(wanted) <= cx.cells => self.set_size(cx, id, wanted),
            _ => cx.give_up(UnknownReason::Budget),
        }
    }

    /// The known cells of a proper list, and the open node that follows them, if one does.
    pub fn end_of_list(&self, mut id: NodeId) -> Step<(u64, Option<NodeId>)> {
        let mut cells = 0;
        loop {
            let node = self.node(id);
            if let Some(value) = &node.value {
                return Ok((cells + value.cells().count() as u64, None));
            }
            match node.cells {
                Some((_, tail)) => id = tail,
                None if node.kinds == Kinds::NIL => return Ok((cells, None)),
                None => return Ok((cells, Some(self.find(id)))),
            }
            cells += 1;
            // More cells than nodes: the list would contain itself.
            if cells > self.len() as u64 {
                return Err(Conflict);
            }
        }
    }

    /// Gives every open list that has a length, or ends one that has, an integer within what its rule allows.
    /// Answers with the lists whose length follows from that of their end.
    pub fn expand_measures(&mut self, cx: &mut Context) -> Step<Vec<(NodeId, u64, NodeId)>> {
        let mut ties = Vec::new();
        let mut at = 0;
        while at < self.measured.len() {
            let id = self.measured[at];
            at += 1;
            if let Some(length) = self.node(id).length {
                let (cells, end) = self.end_of_list(id)?;
                let Some(end) = end else { continue };
                if end == self.find(id) {
                    let range = length_range(cx, &self.node(end).prods.clone());
                    self.restrict_integer(cx, length, range)?;
                } else {
                    let rest = self.length(cx, end)?;
                    ties.push((length, cells, rest));
                }
            }
            if self.node(id).bits.is_some() {
                self.tie_bits(cx, id)?;
            }
            if let Some(count) = self.node(id).count.filter(|_| self.size(id).is_none()) {
                let range = size_range(self.node(id).items.len(), &self.node(id).prods);
                self.restrict_integer(cx, count, range)?;
            }
        }
        Ok(ties)
    }

    /// Lets an integer be in a range.
    pub fn restrict_integer(&mut self, cx: &mut Context, id: NodeId, range: Range) -> Step {
        let prods: Rc<[Prod]> = Rc::new([Prod::Integer(Rc::new(range))]);
        self.restrict(cx, id, &prods)
    }
}

/// The least and the greatest length of the proper lists that productions allow.
fn length_range(cx: &mut Context, prods: &[Prod]) -> Range {
    let (mut least, mut greatest) = (None, None);
    let mut row: Vec<Prod> = prods.to_vec();
    for length in 0..=LONGEST_LOOK {
        if row.iter().any(|prod| matches!(prod, Prod::Exact(_))) {
            return Range { low: Some(BigInt::zero()), high: None };
        }
        if row.contains(&Prod::Nil) {
            least = least.or(Some(length));
            greatest = Some(length);
        }
        let (_, tails) = cell_doms(&row);
        if tails.is_empty() {
            return Range { low: least.map(BigInt::from), high: greatest.map(BigInt::from) };
        }
        // A tail of every kind, or of the same rules again, goes on for ever.
        if tails.contains(&DomId::ANY) || (least.is_some() && length > 8) {
            break;
        }
        row = tails.iter().flat_map(|tail| cx.domains.prods(*tail).to_vec()).collect();
    }
    Range { low: Some(least.map_or_else(BigInt::zero, BigInt::from)), high: None }
}

fn size_range(least: usize, prods: &[Prod]) -> Range {
    let sizes: Option<Vec<usize>> = prods.iter().map(Prod::size).collect();
    match sizes {
        Some(sizes) => Range {
            low: sizes.iter().min().map(|size| BigInt::from(*size)),
            high: sizes.iter().max().map(|size| BigInt::from(*size)),
        },
        None => Range { low: Some(BigInt::from(least)), high: None },
    }
}
