//! Choices about bitstrings: how long, where parts begin, and which bits differ.

use constraint::Kinds;
use term::Term;

use super::choice::{Choice, Refinement, around};
use super::numeric::Solution;
use super::propagators::{Propagator, TermRelation};
use super::store::{Conflict, Context, NodeId, Order, Step, Store};
use crate::query::UnknownReason;

impl Store {
    /// Returns true if both nodes are bitstrings.
    pub fn are_bits(&self, a: NodeId, b: NodeId) -> bool {
        self.node(a).kinds == Kinds::BITS && self.node(b).kinds == Kinds::BITS
    }

    /// A value for the first of some integers that has none.
    pub fn of_places(&self, solution: &Solution, places: impl IntoIterator<Item = NodeId>) -> Choice {
        let open = places.into_iter().map(|id| self.find(id)).find(|id| self.node(*id).value.is_none());
        open.map_or_else(|| Choice::of([Vec::new()]), |open| around(open, solution.integer(open)))
    }

    /// Two bitstrings of unknown length.
    pub fn of_two_bits(
        &mut self,
        cx: &mut Context,
        solution: &Solution,
        relate: TermRelation,
        a: NodeId,
        b: NodeId,
    ) -> Step<Choice> {
        let lens = [self.bit_size(cx, a)?, self.bit_size(cx, b)?];
        if relate == TermRelation::Equal {
            return Ok(Choice { settles: true, ..Choice::of([vec![Refinement::Same(a, b)]]) });
        }
        let known = lens.map(|len| self.node(len).value.is_some());
        let differ = matches!(relate, TermRelation::Differ | TermRelation::Unequal);
        if differ && known != [true, true] && self.find(lens[0]) != self.find(lens[1]) {
            let apart = Refinement::Pend(Propagator::Pair(TermRelation::Differ, lens[0], lens[1]));
            let alike = vec![Refinement::Same(lens[0], lens[1]), Refinement::Pend(Propagator::Pair(relate, a, b))];
            return Ok(Choice { settles: true, ..Choice::of([vec![apart], alike]) });
        }
        Ok(self.of_places(solution, lens))
    }

    /// The place where a bitstring that was looked into differs from a value it does not have.
    pub fn of_excluded_bits(&mut self, cx: &mut Context) -> Option<Choice> {
        while self.has_bits {
            let looked_into = self.classes().find(|(_, node)| {
                node.value.is_none() && node.bits.is_some() && node.not.iter().any(|value| value.as_bits().is_some())
            });
            let (id, len) = looked_into.and_then(|(id, node)| Some((id, node.bits.as_ref()?.len)))?;
            let not = &mut self.node_mut(id).not;
            let value = not.swap_remove(not.iter().position(|value| value.as_bits().is_some())?);
            let size = Term::int(value.as_bits()?.bit_len() as i64);
            let known = self.node(len).value.clone();
            let possible = known.as_ref().is_none_or(|known| *known == size)
                && size.as_bigint().is_some_and(|size| self.hull(len).contains(&size));
            if !possible {
                continue;
            }
            let was = self.node(id).near.as_ref().and_then(Term::as_bits).map(term::Bits::bit_len);
            let literal = self.literal(cx, size);
            let mut ways = vec![vec![Refinement::Pend(Propagator::Pair(TermRelation::Differ, len, literal))]];
            if value.as_bits().is_some_and(|bits| !bits.is_empty()) {
                let here = vec![Refinement::OtherBits(id, value.clone())];
                ways.insert(usize::from(was != value.as_bits().map(term::Bits::bit_len)), here);
            }
            return Some(Choice::of(ways));
        }
        None
    }

    /// The bitstring is as long as a value and differs from it.
    pub fn other_bits(&mut self, cx: &mut Context, id: NodeId, value: &Term) -> Step {
        let bits = value.as_bits().ok_or(Conflict)?;
        let size = cx.some(u32::try_from(bits.bit_len()).ok(), UnknownReason::Budget)?;
        let len = self.bit_size(cx, id)?;
        self.bind(cx, len, Term::int(i64::from(size)))?;
        let (here, there) = (self.read(cx, id, 0, size)?, self.literal(cx, value.clone()));
        let there = self.read(cx, there, 0, size)?;
        self.relations.push((Order::Differ, here, there));
        Ok(())
    }
}
