//! Propagators: conditions that are suspended until enough is known to decide them.

use std::cmp::Ordering;
use std::rc::Rc;

use constraint::Kinds;

use num_bigint::BigInt;
use num_traits::FromPrimitive;
use term::{Atom, Term, cut, known};

use super::production::Prod;
use super::store::{Conflict, Context, NodeId, Order, Step, Store};
use crate::query::UnknownReason;

/// A condition that has not been decided yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Propagator {
    Pair(TermRelation, NodeId, NodeId),
    /// Not a tuple of that size.
    NotSize(NodeId, u32),
    /// A fun whose value is known gives for these arguments, a tuple, that result.
    Lookup(NodeId, NodeId, NodeId),
    /// All bits of `part` are those of `whole` from bit `at` on.
    Within {
        whole: NodeId,
        at: NodeId,
        part: NodeId,
    },
}

/// A relation in which two terms are to stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TermRelation {
    /// `=/=`
    Differ,
    /// `==`
    Equal,
    /// `/=`
    Unequal,
    Less,
    AtMost,
    /// In the order of keys, where integers come before floats.
    Before,
}

impl TermRelation {
    /// Returns true if two values stand in the relation.
    pub fn holds(self, a: &Term, b: &Term) -> bool {
        match self {
            TermRelation::Differ => a != b,
            TermRelation::Equal => a.num_eq(b),
            TermRelation::Unequal => !a.num_eq(b),
            TermRelation::Less => a.compare(b).is_lt(),
            TermRelation::AtMost => a.compare(b).is_le(),
            TermRelation::Before => a.compare_exact(b).is_lt(),
        }
    }

    /// Returns true if it holds between a term and itself.
    fn is_reflexive(self) -> bool {
        matches!(self, TermRelation::Equal | TermRelation::AtMost)
    }

    /// Returns true if the relation excludes equal terms.
    pub fn wants_difference(self) -> bool {
        matches!(self, TermRelation::Differ | TermRelation::Unequal)
    }

    fn order(self) -> Order {
        match self {
            TermRelation::Less => Order::Less,
            TermRelation::AtMost => Order::AtMost,
            _ => Order::Differ,
        }
    }
}

/// Parts of a term that are searched for another.
const PARTS_SEEN: usize = 64;

/// The standing of a propagator after it was examined.
pub enum Status {
    /// The condition holds whatever follows, or other conditions say the same.
    Entailed,
    /// Too little is known yet.
    Suspended,
}

impl Store {
    /// Decides what can be decided of the pending conditions; returns true if any was.
    pub fn decide(&mut self, cx: &mut Context) -> Step<bool> {
        let mut decided = false;
        let mut waiting = Vec::new();
        let mut todo = std::mem::take(&mut self.pending);
        while !todo.is_empty() {
            for pending in todo {
                cut::work(20);
                match self.examine(cx, pending)? {
                    Status::Entailed => decided = true,
                    Status::Suspended => waiting.push(pending),
                }
                cx.examinations = cx.some(cx.examinations.checked_sub(1), UnknownReason::Budget)?;
            }
            // What was decided may have left parts to decide.
            todo = std::mem::take(&mut self.pending);
        }
        self.pending = waiting;
        Ok(decided)
    }

    fn examine(&mut self, cx: &mut Context, pending: Propagator) -> Step<Status> {
        match pending {
            Propagator::NotSize(id, size) => self.examine_size(cx, id, size),
            Propagator::Lookup(fun, args, result) => self.examine_lookup(cx, fun, args, result),
            Propagator::Within { whole, at, part } => self.examine_within(cx, whole, at, part),
            Propagator::Pair(relate, a, b) => self.examine_pair(cx, relate, self.find(a), self.find(b)),
        }
    }

    fn examine_size(&mut self, cx: &mut Context, id: NodeId, size: u32) -> Step<Status> {
        if !self.node(id).kinds.has(Kinds::TUPLE) {
            return Ok(Status::Entailed);
        }
        if let Some(known) = self.size(id).filter(|_| self.node(id).kinds == Kinds::TUPLE) {
            return if known == size as usize { Err(Conflict) } else { Ok(Status::Entailed) };
        }
        let other = |prod: &Prod| prod.size() != Some(size as usize);
        let prods = self.node(id).prods.clone();
        if !prods.iter().all(other) {
            self.set_prods(cx, id, prods.iter().filter(|prod| other(prod)).cloned().collect())?;
        }
        if !self.node(id).prods.iter().any(|prod| matches!(prod, Prod::Tuple(None))) {
            return Ok(Status::Entailed);
        }
        if self.node(id).kinds != Kinds::TUPLE {
            return Ok(Status::Suspended);
        }
        let count = self.count(cx, id)?;
        self.exclude(cx, count, &Term::int(i64::from(size)))?;
        Ok(Status::Entailed)
    }

    fn examine_pair(&mut self, cx: &mut Context, relate: TermRelation, a: NodeId, b: NodeId) -> Step<Status> {
        if a == b {
            return if relate.is_reflexive() { Ok(Status::Entailed) } else { Err(Conflict) };
        }
        if let (Some(left), Some(right)) = (&self.node(a).value, &self.node(b).value) {
            return if relate.holds(left, right) { Ok(Status::Entailed) } else { Err(Conflict) };
        }
        match relate {
            TermRelation::Differ => self.look_differ(cx, a, b),
            TermRelation::Equal => self.look_equal(cx, a, b),
            TermRelation::Unequal => self.look_unequal(cx, a, b),
            TermRelation::Before => self.look_before(cx, a, b),
            TermRelation::Less | TermRelation::AtMost => self.look_order(cx, relate, a, b),
        }
    }

    fn look_differ(&mut self, cx: &mut Context, a: NodeId, b: NodeId) -> Step<Status> {
        let (left, right) = (self.node(a), self.node(b));
        if !left.kinds.meets(right.kinds) {
            return Ok(Status::Entailed);
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Some(value) = self.plain_value(one) {
                self.exclude(cx, other, &value)?;
                return Ok(Status::Entailed);
            }
        }
        self.look_alike(cx, TermRelation::Differ, a, b)
    }

    /// The value of a node that is not looked into.
    fn plain_value(&self, id: NodeId) -> Option<Term> {
        self.node(id).value.clone().filter(|value| !(Kinds::COMPOUND | Kinds::MAP).has(Kinds::of(value)))
    }

    /// Two nodes that are of the same single kind, or not yet.
    fn look_alike(&mut self, cx: &mut Context, relate: TermRelation, a: NodeId, b: NodeId) -> Step<Status> {
        let (left, right) = (self.node(a).kinds, self.node(b).kinds);
        match left {
            _ if left != right => Ok(Status::Suspended),
            Kinds::INTEGER => {
                self.relations.push((relate.order(), a, b));
                Ok(Status::Entailed)
            }
            Kinds::FLOAT => {
                self.floats.relations.push((Some(relate.order()), a, b));
                Ok(Status::Entailed)
            }
            Kinds::CONS | Kinds::TUPLE => self.examine_parts(cx, relate, a, b),
            Kinds::FUN if relate.wants_difference() && self.have_other_arities(a, b) => Ok(Status::Entailed),
            Kinds::MAP => self.look_maps(cx, relate, a, b),
            Kinds::BITS => self.look_bits(cx, relate, a, b),
            Kinds::ATOM if self.has_names(a, b) => self.relate_names(cx, relate, a, b),
            _ => Ok(Status::Suspended),
        }
    }

    /// Relates two compound terms by their parts.
    pub fn examine_parts(&mut self, cx: &mut Context, relate: TermRelation, a: NodeId, b: NodeId) -> Step<Status> {
        let Some(parts) = self.parts(cx, a, b)? else { return self.look_sizes(relate, a, b) };
        let mut open: Vec<(NodeId, NodeId)> = Vec::new();
        for (left, right) in parts {
            match self.compared(left, right, relate) {
                Some(Ordering::Equal) => {}
                Some(_) if relate.wants_difference() => return Ok(Status::Entailed),
                Some(Ordering::Less) if open.is_empty() => return Ok(Status::Entailed),
                Some(Ordering::Greater) if open.is_empty() => return Err(Conflict),
                _ => open.push((left, right)),
            }
        }
        match open[..] {
            [] if relate.is_reflexive() => Ok(Status::Entailed),
            [] => Err(Conflict),
            [(left, right)] => {
                self.pending.push(Propagator::Pair(relate, left, right));
                Ok(Status::Entailed)
            }
            _ => Ok(Status::Suspended),
        }
    }

    /// Pairs of the parts of two cells, or of two tuples of the same known size.
    pub fn parts(&mut self, cx: &mut Context, a: NodeId, b: NodeId) -> Step<Option<Vec<(NodeId, NodeId)>>> {
        if self.node(a).kinds == Kinds::CONS {
            let (left, right) = (self.expand_cell(cx, a)?, self.expand_cell(cx, b)?);
            return Ok(Some(vec![(left.0, right.0), (left.1, right.1)]));
        }
        let (Some(size), Some(other)) = (self.size(a), self.size(b)) else { return Ok(None) };
        if size != other {
            return Ok(None);
        }
        let pairs = (0..size as u32).map(|at| Ok((self.expand_item(cx, a, at)?, self.expand_item(cx, b, at)?)));
        pairs.collect::<Step<Vec<_>>>().map(Some)
    }

    /// Two tuples that do not have the same known size.
    fn look_sizes(&self, relate: TermRelation, a: NodeId, b: NodeId) -> Step<Status> {
        match (self.size(a), self.size(b)) {
            (Some(_), Some(_)) if relate.wants_difference() => Ok(Status::Entailed),
            (Some(left), Some(right)) if left < right && relate != TermRelation::Equal => Ok(Status::Entailed),
            (Some(_), Some(_)) => Err(Conflict),
            _ => Ok(Status::Suspended),
        }
    }

    /// The certain order of two nodes, as far as it shows without looking inside.
    fn compared(&self, a: NodeId, b: NodeId, relate: TermRelation) -> Option<Ordering> {
        if self.find(a) == self.find(b) {
            return Some(Ordering::Equal);
        }
        let (left, right) = (self.node(a), self.node(b));
        if let (Some(left), Some(right), TermRelation::Before) = (&left.value, &right.value, relate) {
            return Some(left.compare_exact(right));
        }
        if let (Some(left), Some(right)) = (&left.value, &right.value) {
            // `1` and `1.0` are equal in the order and yet differ: parts of those do not come here.
            return Some(left.compare(right)).filter(|order| order.is_ne() || left == right);
        }
        let ((low, high), (from, to)) = (left.kinds.ranks(), right.kinds.ranks());
        match () {
            () if high < from => Some(Ordering::Less),
            () if to < low => Some(Ordering::Greater),
            () => None,
        }
    }

    fn look_equal(&mut self, cx: &mut Context, a: NodeId, b: NodeId) -> Step<Status> {
        let widened = |kinds: Kinds| if kinds.meets(Kinds::NUMBER) { kinds | Kinds::NUMBER } else { kinds };
        let (left, right) = (self.node(a).kinds, self.node(b).kinds);
        self.keep_kinds(cx, a, widened(right))?;
        self.keep_kinds(cx, b, widened(left))?;
        let (left, right) = (self.node(a).kinds, self.node(b).kinds);
        let both = left | right;
        if both == Kinds::INTEGER || both == Kinds::FLOAT || !both.meets(Kinds::NUMBER | Kinds::COMPOUND | Kinds::MAP) {
            self.equate(a, b);
            return Ok(Status::Entailed);
        }
        if left.has(Kinds::NUMBER) || right.has(Kinds::NUMBER) || !left.is_single() || !right.is_single() {
            return Ok(Status::Suspended);
        }
        // Equal terms are of the same size: neither is a part of the other.
        if Kinds::COMPOUND.has(left) && (self.is_part(a, b) || self.is_part(b, a)) {
            return Err(Conflict);
        }
        match left {
            Kinds::CONS => self.equal_parts(cx, a, b),
            Kinds::TUPLE => {
                match (self.size(a), self.size(b)) {
                    (None, None) => return Ok(Status::Suspended),
                    (Some(size), _) => self.set_size(cx, b, size as u32)?,
                    (_, Some(size)) => self.set_size(cx, a, size as u32)?,
                }
                self.equal_parts(cx, a, b)
            }
            Kinds::MAP => self.look_equal_maps(cx, a, b),
            Kinds::INTEGER => self.equal_to_float(cx, a, b),
            Kinds::FLOAT => self.equal_to_float(cx, b, a),
            _ => Ok(Status::Suspended),
        }
    }

    fn equal_parts(&mut self, cx: &mut Context, a: NodeId, b: NodeId) -> Step<Status> {
        let Some(parts) = self.parts(cx, a, b)? else { return Err(Conflict) };
        self.pending.extend(parts.into_iter().map(|(left, right)| Propagator::Pair(TermRelation::Equal, left, right)));
        Ok(Status::Entailed)
    }

    /// Returns true if the first is somewhere in the second, not too far down.
    fn is_part(&self, part: NodeId, whole: NodeId) -> bool {
        let mut todo = vec![self.find(whole)];
        let mut seen = todo.clone();
        while let Some(id) = todo.pop() {
            let node = self.node(id);
            let cells = node.cells.iter().flat_map(|(head, tail)| [*head, *tail]);
            for child in cells.chain(node.items.iter().copied()).map(|child| self.find(child)) {
                if child == part {
                    return true;
                }
                if seen.len() < PARTS_SEEN && !seen.contains(&child) {
                    seen.push(child);
                    todo.push(child);
                }
            }
        }
        false
    }

    /// An integer and a float are equal if the float is that integer.
    fn equal_to_float(&mut self, cx: &mut Context, integer: NodeId, float: NodeId) -> Step<Status> {
        match (&self.node(integer).value, &self.node(float).value) {
            (_, Some(Term::Float(_, value))) => {
                let whole = whole(*value).ok_or(Conflict)?;
                self.bind(cx, integer, whole).map(|()| Status::Entailed)
            }
            (Some(value), _) => {
                let float_value = as_float(value).ok_or(Conflict)?;
                self.bind(cx, float, float_value).map(|()| Status::Entailed)
            }
            _ => {
                self.floats.relations.push((None, integer, float));
                Ok(Status::Entailed)
            }
        }
    }

    fn look_unequal(&mut self, cx: &mut Context, a: NodeId, b: NodeId) -> Step<Status> {
        let (left, right) = (self.node(a).kinds, self.node(b).kinds);
        let both = left & right;
        if both.is_empty() && !(left.meets(Kinds::NUMBER) && right.meets(Kinds::NUMBER)) {
            return Ok(Status::Entailed);
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Some(value) = self.plain_value(one) {
                let twin = if let Term::Float(_, float) = value { whole(float) } else { as_float(&value) };
                for value in twin.into_iter().chain([value]) {
                    self.exclude(cx, other, &value)?;
                }
                return Ok(Status::Entailed);
            }
        }
        if left.is_single() && right.is_single() && both.is_empty() {
            self.floats.relations.push((Some(Order::Differ), a, b));
            return Ok(Status::Entailed);
        }
        self.look_alike(cx, TermRelation::Unequal, a, b)
    }

    /// Keeps the kinds that allow the first not to come after the second; what is left of them, unless it decides.
    pub fn keep_order(&mut self, cx: &mut Context, a: NodeId, b: NodeId) -> Step<Option<(Kinds, Kinds)>> {
        let (left, right) = (self.node(a).kinds, self.node(b).kinds);
        self.keep_kinds(cx, a, left.up_to(right.ranks().1))?;
        self.keep_kinds(cx, b, right.from(left.ranks().0))?;
        let (left, right) = (self.node(a).kinds, self.node(b).kinds);
        Ok((left.ranks().1 >= right.ranks().0).then_some((left, right)))
    }

    fn look_order(&mut self, cx: &mut Context, relate: TermRelation, a: NodeId, b: NodeId) -> Step<Status> {
        let Some((left, right)) = self.keep_order(cx, a, b)? else { return Ok(Status::Entailed) };
        match (left, right) {
            (Kinds::NIL, Kinds::NIL) if relate == TermRelation::AtMost => Ok(Status::Entailed),
            (Kinds::NIL, Kinds::NIL) => Err(Conflict),
            (Kinds::ATOM, Kinds::ATOM) => self.look_atoms(cx, relate, a, b),
            (Kinds::INTEGER, Kinds::FLOAT) | (Kinds::FLOAT, Kinds::INTEGER) => self.look_numbers(cx, relate, a, b),
            _ => self.look_alike(cx, relate, a, b),
        }
    }

    /// Keeps of several atoms those that stand so to a known one.
    fn look_atoms(&mut self, cx: &mut Context, relate: TermRelation, a: NodeId, b: NodeId) -> Step<Status> {
        if self.has_names(a, b) {
            return self.relate_names(cx, relate, a, b);
        }
        let known = |id| self.node(id).value.as_ref().and_then(Term::as_atom);
        let keep: &dyn Fn(Atom) -> bool = match (known(a), known(b)) {
            (Some(left), _) => &move |right| relate.holds(&Term::atom(left), &Term::atom(right)),
            (_, Some(right)) => &move |left| relate.holds(&Term::atom(left), &Term::atom(right)),
            _ => return self.look_finite_atoms(cx, relate, a, b),
        };
        // Nothing comes before the empty atom.
        if relate == TermRelation::Less && known(b) == Some(known::EMPTY) {
            return Err(Conflict);
        }
        let open = if known(a).is_some() { b } else { a };
        let prods = self.node(open).prods.clone();
        let kept: Rc<[Prod]> =
            prods.iter().filter(|prod| !matches!(prod, Prod::Atom(Some(atom)) if !keep(*atom))).cloned().collect();
        let finite = !kept.iter().any(|prod| matches!(prod, Prod::Atom(None)));
        if kept.len() < prods.len() {
            self.set_prods(cx, open, kept)?;
        }
        Ok(if finite { Status::Entailed } else { Status::Suspended })
    }

    /// Of two atoms that are each one of several: what has something before or after it among the others.
    fn look_finite_atoms(&mut self, cx: &mut Context, relate: TermRelation, a: NodeId, b: NodeId) -> Step<Status> {
        let listed = |id: NodeId| -> Option<Vec<Term>> {
            let atom = |prod: &Prod| if let Prod::Atom(atom) = prod { atom.map(Term::atom) } else { None };
            self.node(id).prods.iter().map(atom).collect()
        };
        let (left, right) = (listed(a), listed(b));
        let holds = |left: &Term, right: &Term| relate.holds(left, right);
        let keep = |list: &[Term], has: &dyn Fn(&Term) -> bool| -> Option<Rc<[Prod]>> {
            let kept: Vec<&Term> = list.iter().filter(|atom| has(atom)).collect();
            let atoms = kept.iter().map(|atom| Prod::Atom(atom.as_atom())).collect();
            (kept.len() < list.len()).then_some(atoms)
        };
        if let (Some(left), Some(right)) = (&left, &right) {
            let fewer = keep(left, &|atom| right.iter().any(|other| holds(atom, other)));
            let others = keep(right, &|atom| left.iter().any(|other| holds(other, atom)));
            fewer.map_or(Ok(()), |prods| self.set_prods(cx, a, prods))?;
            others.map_or(Ok(()), |prods| self.set_prods(cx, b, prods))?;
        }
        Ok(Status::Suspended)
    }

    /// An integer against a known float is an integer against an integer.
    fn look_numbers(&mut self, cx: &mut Context, relate: TermRelation, a: NodeId, b: NodeId) -> Step<Status> {
        match (&self.node(a).value, &self.node(b).value) {
            (_, Some(Term::Float(_, high))) => {
                // x < 2.5 is x =< 2, and x < 2.0 is x < 2.
                let relate = if high.fract() == 0.0 { relate } else { TermRelation::AtMost };
                let bound = BigInt::from_f64(high.floor()).ok_or(Conflict)?;
                let bound = self.literal(cx, Term::big(bound));
                self.relations.push((relate.order(), a, bound));
                Ok(Status::Entailed)
            }
            (Some(Term::Float(_, low)), _) => {
                let relate = if low.fract() == 0.0 { relate } else { TermRelation::AtMost };
                let bound = BigInt::from_f64(low.ceil()).ok_or(Conflict)?;
                let bound = self.literal(cx, Term::big(bound));
                self.relations.push((relate.order(), bound, b));
                Ok(Status::Entailed)
            }
            _ => {
                self.floats.relations.push((Some(relate.order()), a, b));
                Ok(Status::Entailed)
            }
        }
    }
}

/// The integer that a float is, if it is one.
pub fn whole(value: f64) -> Option<Term> {
    (value.fract() == 0.0).then(|| BigInt::from_f64(value).map(Term::big)).flatten()
}

/// The float that is exactly that integer, if there is one.
pub fn as_float(integer: &Term) -> Option<Term> {
    let value = term::number::to_f64(integer).filter(|_| integer.is_integer())?;
    Some(Term::float(value)).filter(|float| float.num_eq(integer))
}
