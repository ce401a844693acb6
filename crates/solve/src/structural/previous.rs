//! The first choice: previous values, since most undecided conditions were met before (as phase saving in SAT).

use constraint::Kinds;
use rustc_hash::FxHashMap;
use term::Term;

use super::choice::{Choice, Refinement};
use super::propagators::{Propagator, TermRelation};
use super::store::{Context, NodeId, Store};

/// As deep as two terms are looked at for where they differed.
const DEEPEST: u32 = 32;

impl Store {
    /// Tried once; the other alternative leaves everything as undecided as it is.
    pub fn of_near(&mut self, cx: &mut Context) -> Option<Choice> {
        if std::mem::replace(&mut self.tried_previous, true) {
            return None;
        }
        self.choose_previous();
        let (mut stay, mut put_off, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
        for pending in std::mem::take(&mut self.pending) {
            match self.differed(pending) {
                Some((relate, a, b)) => {
                    stay.push(Refinement::Pend(Propagator::Pair(relate, a, b)));
                    // Integers have a solver of their own, that looks at all of them.
                    let open = [a, b].into_iter().filter(|id| self.node(*id).kinds != Kinds::INTEGER);
                    stay.extend(open.filter_map(|id| self.as_it_was(cx, id)));
                    put_off.push(Refinement::Pend(pending));
                }
                None => waiting.push(pending),
            }
        }
        self.pending = waiting;
        for pending in &self.pending {
            let Propagator::Pair(relate, a, b) = *pending else { continue };
            if self.was(a).zip(self.was(b)).is_some_and(|(left, right)| relate.holds(left, right)) {
                stay.extend([a, b].into_iter().filter_map(|id| self.as_it_was(cx, id)));
            }
        }
        (!stay.is_empty()).then(|| Choice::of([stay, put_off]))
    }

    /// The value of a node, or else its previous one.
    pub fn was(&self, id: NodeId) -> Option<&Term> {
        let node = self.node(id);
        node.value.as_ref().or(node.near.as_ref())
    }

    /// Lets nodes that became the same be what suits most of the undecided conditions.
    fn choose_previous(&mut self) {
        let mut suited: FxHashMap<NodeId, Vec<u32>> = FxHashMap::default();
        for pending in &self.pending {
            let Propagator::Pair(relate, a, b) = *pending else { continue };
            for (id, other, is_left) in [(a, b, true), (b, a, false)] {
                let node = self.node(id);
                let Some(other) = self.was(other).filter(|_| !node.also.is_empty() && node.value.is_none()) else {
                    continue;
                };
                let counts = suited.entry(self.find(id)).or_insert_with(|| vec![0; node.also.len() + 1]);
                for (count, was) in counts.iter_mut().zip(node.near.iter().chain(&node.also)) {
                    let holds = if is_left { relate.holds(was, other) } else { relate.holds(other, was) };
                    *count += u32::from(holds);
                }
            }
        }
        for (id, counts) in suited {
            let most = counts.iter().copied().max().unwrap_or(0);
            let best = counts.iter().position(|count| *count == most).unwrap_or(0);
            let node = self.node_mut(id);
            if let Some(at) = best.checked_sub(1)
                && let Some(near) = &mut node.near
            {
                std::mem::swap(near, &mut node.also[at]);
            }
        }
    }

    /// The parts in which two terms that are to differ did so, if these are further in.
    fn differed(&self, pending: Propagator) -> Option<(TermRelation, NodeId, NodeId)> {
        let Propagator::Pair(relate, a, b) = pending else { return None };
        let part = relate.wants_difference().then(|| self.apart(relate, a, b, DEEPEST)).flatten()?;
        (part != (self.find(a), self.find(b))).then_some((relate, part.0, part.1))
    }

    fn apart(&self, relate: TermRelation, a: NodeId, b: NodeId, deepest: u32) -> Option<(NodeId, NodeId)> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b || deepest == 0 {
            return None;
        }
        let (left, right) = (self.node(a), self.node(b));
        let find = |(x, y): (&NodeId, &NodeId)| self.apart(relate, *x, *y, deepest - 1);
        match (left.cells, right.cells) {
            (Some(mine), Some(theirs)) => return find((&mine.0, &theirs.0)).or_else(|| find((&mine.1, &theirs.1))),
            _ if left.kinds != Kinds::TUPLE || right.kinds != Kinds::TUPLE => {}
            _ if !left.items.is_empty() && left.items.len() == right.items.len() && left.size == right.size => {
                return left.items.iter().zip(&right.items).find_map(find);
            }
            _ => {}
        }
        relate.holds(self.was(a)?, self.was(b)?).then_some((a, b))
    }

    /// A node that is not expanded keeps its previous value, if it may.
    fn as_it_was(&self, cx: &Context, id: NodeId) -> Option<Refinement> {
        let node = self.node(id);
        let near = node.near.as_ref().filter(|_| node.value.is_none() && !node.is_expanded())?;
        let fits = !node.not.contains(near) && node.prods.iter().any(|prod| cx.domains.prod_accepts(prod, near));
        fits.then(|| Refinement::Bind(id, near.clone()))
    }
}
