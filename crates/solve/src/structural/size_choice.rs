//! Choices about the sizes of two tuples: the smaller one comes first, and only of the same size do elements count.

use num_bigint::BigInt;

use super::choice::{Choice, Refinement, around};
use super::numeric::Solution;
use super::production::insert;
use super::propagators::{Propagator, TermRelation};
use super::store::{NodeId, Order, Store};
use crate::integer::interval::Range;

impl Store {
    /// Sizes of two tuples, at least one of them unknown.
    pub fn of_sizes(&mut self, solution: &Solution, relate: TermRelation, a: NodeId, b: NodeId) -> Choice {
        let (id, other) = if self.size(a).is_none() { (a, b) } else { (b, a) };
        if let Some(sizes) = self.fixed_sizes(id) {
            return Choice::of(sizes.into_iter().map(|size| vec![Refinement::Size(id, size)]));
        }
        let Some(size) = self.size(other).map(|size| size as u32) else {
            return self.of_unknown_sizes(solution, relate, a, b);
        };
        // Of the same size, the elements decide.
        let same = vec![Refinement::Size(id, size), Refinement::Pend(Propagator::Pair(relate, a, b))];
        let big = BigInt::from(size);
        let other = match relate {
            TermRelation::Equal => None,
            TermRelation::Differ | TermRelation::Unequal => Some(Refinement::Pend(Propagator::NotSize(id, size))),
            _ if id == a => Some(Refinement::Sizes(id, Range { low: None, high: Some(big - 1) })),
            _ => Some(Refinement::Sizes(id, Range { low: Some(big + 1), high: None })),
        };
        Choice { settles: true, ..Choice::of(other.into_iter().map(|post| vec![post]).chain([same])) }
    }

    /// Of two tuples the smaller one comes first; of the same size, the elements decide.
    fn of_unknown_sizes(&self, solution: &Solution, relate: TermRelation, a: NodeId, b: NodeId) -> Choice {
        let count = |id| self.node(id).count.map(|count| self.find(count));
        if let (Some(left), Some(right)) = (count(a), count(b))
            && left == right
        {
            return around(left, solution.integer(left));
        }
        let apart = match relate {
            TermRelation::Equal => None,
            relate if relate.wants_difference() => Some(Order::Differ),
            _ => Some(Order::Less),
        };
        let same = vec![Refinement::Counts(None, a, b), Refinement::Pend(Propagator::Pair(relate, a, b))];
        let apart = apart.map(|order| vec![Refinement::Counts(Some(order), a, b)]);
        Choice::settling(apart.into_iter().chain([same]))
    }

    fn fixed_sizes(&self, id: NodeId) -> Option<Vec<u32>> {
        let mut sizes: Vec<u32> = Vec::new();
        for prod in self.node(id).prods.iter() {
            insert(&mut sizes, prod.size()? as u32);
        }
        Some(sizes)
    }
}
