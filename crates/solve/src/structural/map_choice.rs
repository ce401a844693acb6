//! Choices about maps: which keys are the same, which field a key belongs to, where two maps differ.

use constraint::Kinds;

use num_bigint::BigInt;
use term::Term;

use super::choice::{Choice, Refinement, around};
use super::maps::{Entries, MOST_PLACES};
use super::production::Prod;
use super::propagators::{Propagator, Status, TermRelation};
use super::store::{Conflict, Context, NodeId, Order, Step, Store};
use crate::integer::interval::Range;
use crate::query::UnknownReason;

impl Store {
    /// A choice about keys that are neither known to be the same nor to differ.
    pub fn of_keys(&self, cx: &mut Context) -> Option<Choice> {
        for (at, id) in self.maps.iter().enumerate() {
            let id = self.find(*id);
            if self.maps[..at].iter().any(|earlier| self.find(*earlier) == id) {
                continue;
            }
            let Some(entries) = &self.node(id).entries else { continue };
            let choice = self.of_same_keys(id, entries).or_else(|| self.of_field(cx, id, entries));
            if choice.is_some() {
                return choice;
            }
        }
        None
    }

    /// Returns true if it is the size of a map whose keys are asked for by their places.
    pub fn is_size_of_places(&self, count: NodeId) -> bool {
        self.maps.iter().map(|id| self.node(*id)).any(|node| {
            node.count.is_some_and(|own| self.find(own) == self.find(count))
                && node.entries.as_ref().is_some_and(|entries| !entries.places.is_empty())
        })
    }

    /// Two keys are the same, or not.
    fn of_same_keys(&self, id: NodeId, entries: &Entries) -> Option<Choice> {
        let keys: Vec<NodeId> = entries.present.iter().map(|(key, _)| *key).collect();
        let pairs = keys.iter().enumerate().flat_map(|(at, key)| keys[..at].iter().map(move |other| (*other, *key)));
        let (a, b) = pairs.into_iter().find(|(a, b)| !self.is_same_key(*a, *b) && !self.is_apart(entries, *a, *b))?;
        let mut both = vec![vec![Refinement::Keys(id, a, b)], vec![Refinement::Same(a, b)]];
        if self.was(a).is_some() && self.was(a) == self.was(b) {
            both.reverse();
        }
        Some(Choice::of(both))
    }

    /// To which field a key belongs.
    fn of_field(&self, cx: &mut Context, id: NodeId, entries: &Entries) -> Option<Choice> {
        let node = self.node(id);
        let [Prod::Map(rows)] = &node.prods[..] else { return None };
        for (key, _) in entries.present.iter().filter(|(key, _)| self.node(*key).value.is_none()) {
            for (at, row) in rows.iter().enumerate() {
                if entries.fields.iter().any(|(known, of, _)| *of == at && self.find(*known) == self.find(*key)) {
                    continue;
                }
                let fields: Vec<usize> =
                    (0..row.len()).filter(|field| self.can_be_in(cx, *key, &row[*field])).collect();
                if fields.len() > 1 {
                    let alternatives = fields.into_iter().map(|field| vec![Refinement::Field(id, *key, at, field)]);
                    return Some(Choice::of(alternatives));
                }
            }
        }
        None
    }

    /// A key of a map belongs to one field of a row, and so to none before it.
    pub fn take_field(&mut self, cx: &mut Context, id: NodeId, key: NodeId, row: usize, field: usize) -> Step {
        let [Prod::Map(rows)] = &self.node(id).prods[..] else { return Ok(()) };
        let row_of = rows[row].clone();
        self.expand_map(cx, id)?.fields.push((key, row, field));
        let dom = cx.domains.of_rule(row_of[field].key);
        let allowed = cx.domains.prods(dom);
        self.restrict(cx, key, &allowed)?;
        for earlier in &row_of[..field] {
            match cx.domains.only(earlier.key) {
                Some(value) if !Kinds::COMPOUND.has(Kinds::of(&value)) => self.exclude(cx, key, &value)?,
                _ if !self.can_be_in(cx, key, earlier) => {}
                // A key of both fields belongs to the earlier one: that none is taken is left to the last check.
                _ => cx.leave_out(UnknownReason::Unsupported),
            }
        }
        let value = self.expand_entry(cx, id, key)?;
        let dom = cx.domains.of_rule(row_of[field].value);
        let allowed = cx.domains.prods(dom);
        self.restrict(cx, value, &allowed)
    }

    /// A difference of two maps: in an entry of the one that is known, or in any.
    pub fn of_difference(&mut self, cx: &mut Context, relate: TermRelation, a: NodeId, b: NodeId) -> Step<Choice> {
        let (open, known) = if self.node(a).value.is_some() { (b, a) } else { (a, b) };
        let alternatives = match self.node(known).value.clone() {
            Some(Term::Map(_, map)) => {
                let mut alternatives = vec![vec![Refinement::NotCount(open, map.len() as u64)]];
                for (key, value) in map.iter() {
                    let (key, value) = (self.literal(cx, key.clone()), self.literal(cx, value.clone()));
                    alternatives.push(vec![Refinement::Entry(open, key, relate, value)]);
                    alternatives.push(vec![Refinement::Lack(open, key)]);
                }
                alternatives
            }
            _ => {
                let key = self.fresh(cx, &[super::domains::DomId::ANY], None)?;
                let value = self.open_any(cx)?;
                let same = vec![Refinement::Entry(a, key, relate, value), Refinement::Value(b, key, value)];
                let one = |has, lacks| vec![Refinement::Has(has, key), Refinement::Lack(lacks, key)];
                vec![one(a, b), one(b, a), same]
            }
        };
        Ok(Choice::settling(alternatives))
    }

    fn open_any(&mut self, cx: &mut Context) -> Step<NodeId> {
        self.fresh(cx, &[super::domains::DomId::ANY], None)
    }

    /// Maps are equal as `==` has it if they have the same keys, and equal values.
    pub fn look_equal_maps(&mut self, cx: &mut Context, a: NodeId, b: NodeId) -> Step<Status> {
        for (known, other) in [(a, b), (b, a)] {
            let Some(Term::Map(_, map)) = self.node(known).value.clone() else { continue };
            let count = self.map_count(cx, other)?;
            self.bind(cx, count, Term::int(map.len() as i64))?;
            for (key, value) in map.iter() {
                let (key, value) = (self.literal(cx, key.clone()), self.literal(cx, value.clone()));
                let own = self.expand_entry(cx, other, key)?;
                self.pending.push(Propagator::Pair(TermRelation::Equal, own, value));
            }
            return Ok(Status::Entailed);
        }
        let (x, y) = (self.map_count(cx, a)?, self.map_count(cx, b)?);
        if self.find(x) != self.find(y) {
            self.equate(x, y);
            return Ok(Status::Suspended);
        }
        let Some(size) = self.node(x).value.as_ref().map(Term::as_i64) else { return Ok(Status::Suspended) };
        let Some(size) = size.and_then(|size| usize::try_from(size).ok()).filter(|size| *size <= MOST_PLACES) else {
            return cx.give_up(UnknownReason::Budget);
        };
        let (left, right) = (self.all_keys(cx, a, size)?, self.all_keys(cx, b, size)?);
        for (key, other) in left.into_iter().zip(right) {
            self.equate(key, other);
            let values = (self.expand_entry(cx, a, key)?, self.expand_entry(cx, b, other)?);
            self.pending.push(Propagator::Pair(TermRelation::Equal, values.0, values.1));
        }
        Ok(Status::Entailed)
    }

    fn all_keys(&mut self, cx: &mut Context, id: NodeId, size: usize) -> Step<Vec<NodeId>> {
        if self.expand_map(cx, id)?.order.is_empty() {
            self.expand_order(cx, id, size)?;
        }
        Ok(self.expand_map(cx, id)?.order.clone())
    }

    /// The number of entries of a map: as many as it had, or fewer, or more.
    pub fn of_map_size(&mut self, cx: &mut Context, id: NodeId) -> Step<Choice> {
        let count = self.map_count(cx, id)?;
        let Range { low, high } = self.hull(count);
        let near = self.node(count).near.as_ref().and_then(Term::as_bigint).unwrap_or_default();
        let size = near.max(low.unwrap_or_default());
        let size = high.map_or(size.clone(), |high| size.min(high));
        if size > BigInt::from(MOST_PLACES) {
            return Ok(Choice::partial([]));
        }
        Ok(around(count, size))
    }

    /// Two maps that are not the same, or not in order.
    pub fn look_maps(&mut self, cx: &mut Context, relate: TermRelation, a: NodeId, b: NodeId) -> Step<Status> {
        if !matches!(relate, TermRelation::Differ | TermRelation::Unequal) {
            return Ok(Status::Suspended);
        }
        for (one, other) in [(a, b), (b, a)] {
            let empty = matches!(&self.node(one).value, Some(Term::Map(_, map)) if map.is_empty());
            if empty {
                let count = self.map_count(cx, other)?;
                self.exclude(cx, count, &Term::int(0))?;
                return Ok(Status::Entailed);
            }
        }
        Ok(Status::Suspended)
    }

    /// Keys in order: as terms are, but integers before floats.
    pub fn look_before(&mut self, cx: &mut Context, a: NodeId, b: NodeId) -> Step<Status> {
        let Some((left, right)) = self.keep_order(cx, a, b)? else { return Ok(Status::Entailed) };
        match (left, right) {
            (Kinds::INTEGER, Kinds::FLOAT) => return Ok(Status::Entailed),
            (Kinds::FLOAT, Kinds::INTEGER) => return Err(Conflict),
            _ if !left.is_single() || !right.is_single() => return Ok(Status::Suspended),
            _ => {}
        }
        if left == right && Kinds::COMPOUND.has(left) {
            return self.examine_parts(cx, TermRelation::Before, a, b);
        }
        if left == right && left == Kinds::MAP {
            return self.look_map_before(cx, a, b);
        }
        self.pending.push(Propagator::Pair(TermRelation::Less, a, b));
        Ok(Status::Entailed)
    }

    /// The smaller map comes first.
    fn look_map_before(&mut self, cx: &mut Context, a: NodeId, b: NodeId) -> Step<Status> {
        let (x, y) = (self.map_count(cx, a)?, self.map_count(cx, b)?);
        let size = |id: NodeId| self.node(id).value.as_ref().and_then(Term::as_i64);
        match (size(x), size(y)) {
            (Some(x), Some(y)) if x < y => return Ok(Status::Entailed),
            (Some(x), Some(y)) if x > y || x == 0 => return Err(Conflict),
            (Some(_), Some(_)) => {}
            _ => return Ok(Status::Suspended),
        }
        self.maps_of_one_size(cx, a, b)?;
        Ok(Status::Entailed)
    }

    /// The order of two keys that are maps, by their sizes.
    pub fn of_maps_in_order(&self, a: NodeId, b: NodeId) -> Choice {
        Choice::settling([vec![Refinement::SmallerMap(a, b)], vec![Refinement::AsLargeMap(a, b)]])
    }

    /// Lets the first map have fewer entries than the second.
    pub fn smaller_map(&mut self, cx: &mut Context, a: NodeId, b: NodeId) -> Step {
        let (x, y) = (self.map_count(cx, a)?, self.map_count(cx, b)?);
        self.relations.push((Order::Less, x, y));
        Ok(())
    }

    /// Of two maps of one size that are keys, one stands before the other.
    pub fn maps_of_one_size(&mut self, cx: &mut Context, a: NodeId, b: NodeId) -> Step {
        let (x, y) = (self.map_count(cx, a)?, self.map_count(cx, b)?);
        self.equate(x, y);
        self.exclude(cx, x, &Term::int(0))?;
        // The order of terms is not the order of keys where there are numbers inside.
        cx.leave_out(UnknownReason::Unsupported);
        self.pending.push(Propagator::Pair(TermRelation::Less, a, b));
        Ok(())
    }
}
