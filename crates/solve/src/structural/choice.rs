//! Choices: what to try where no condition decides.

use std::rc::Rc;

use constraint::Kinds;

use num_bigint::BigInt;
use term::{Atom, Term};

use super::maps::MOST_PLACES;
use super::numeric::Solution;
use super::production::Prod;
use super::propagators::{Propagator, TermRelation, as_float};
use super::smallest::atoms;
use super::store::{Context, Node, NodeId, Order, Step, Store};
use crate::integer::interval::Range;

/// A change of the store that an alternative makes.
#[derive(Clone, Debug)]
pub enum Refinement {
    Kinds(NodeId, Kinds),
    Bind(NodeId, Term),
    Size(NodeId, u32),
    /// The size of a tuple lies there.
    Sizes(NodeId, Range),
    /// The numbers of elements of two tuples are the same, or stand so to each other.
    Counts(Option<Order>, NodeId, NodeId),
    Same(NodeId, NodeId),
    Pend(Propagator),
    Prods(NodeId, Rc<[Prod]>),
    /// The two funs give different results for some arguments.
    Apart(TermRelation, NodeId, NodeId),
    /// Two keys of a map differ.
    Keys(NodeId, NodeId, NodeId),
    /// A key of a map belongs to that field of that row.
    Field(NodeId, NodeId, usize, usize),
    /// A map has another size.
    NotCount(NodeId, u64),
    /// A map has a key, or does not have it.
    Has(NodeId, NodeId),
    /// Of two keys that are maps, the first is smaller, or both are as large.
    SmallerMap(NodeId, NodeId),
    AsLargeMap(NodeId, NodeId),
    Lack(NodeId, NodeId),
    /// The value of a key stands so to another term.
    Entry(NodeId, NodeId, TermRelation, NodeId),
    /// The value of a key is that.
    Value(NodeId, NodeId, NodeId),
    /// The names of two atoms stand so to each other.
    Names(TermRelation, NodeId, NodeId),
    /// The bitstring is as long as that one, but other bits.
    OtherBits(NodeId, Term),
}

/// Alternatives to be tried in their order.
#[derive(Clone, Default, Debug)]
pub struct Choice {
    /// The refinements of each alternative.
    pub alternatives: Vec<Vec<Refinement>>,
    /// There is something that none of them allows.
    pub leaves_out: bool,
    /// Each of them makes the condition hold that asked for the choice.
    pub(super) settles: bool,
}

impl Choice {
    /// A choice that leaves nothing out.
    pub fn of(alternatives: impl IntoIterator<Item = Vec<Refinement>>) -> Choice {
        Choice { alternatives: alternatives.into_iter().collect(), ..Choice::default() }
    }

    /// A choice whose alternatives all make its condition hold.
    pub fn settling(alternatives: impl IntoIterator<Item = Vec<Refinement>>) -> Choice {
        Choice { settles: true, ..Choice::of(alternatives) }
    }

    /// A choice that leaves something out.
    pub fn partial(alternatives: impl IntoIterator<Item = Vec<Refinement>>) -> Choice {
        Choice { leaves_out: true, ..Choice::of(alternatives) }
    }
}

/// As many conditions are looked at for the one with the fewest alternatives.
const EXAMINED: usize = 8;

impl Store {
    /// Applies a refinement.
    pub fn apply(&mut self, cx: &mut Context, post: &Refinement) -> Step {
        match post {
            Refinement::Kinds(id, kinds) => self.keep_kinds(cx, *id, *kinds),
            Refinement::Bind(id, value) => self.bind(cx, *id, value.clone()),
            Refinement::Size(id, size) => self.set_size(cx, *id, *size),
            Refinement::Sizes(id, range) => {
                let count = self.count(cx, *id)?;
                self.restrict_integer(cx, count, range.clone())
            }
            Refinement::Counts(order, a, b) => {
                let (a, b) = (self.count(cx, *a)?, self.count(cx, *b)?);
                match order {
                    Some(order) => self.relations.push((*order, a, b)),
                    None => self.equate(a, b),
                }
                Ok(())
            }
            Refinement::Same(a, b) => {
                self.equate(*a, *b);
                Ok(())
            }
            Refinement::Pend(pending) => {
                self.pending.push(*pending);
                Ok(())
            }
            Refinement::Prods(id, prods) => self.restrict(cx, *id, prods),
            Refinement::Apart(relate, a, b) => self.require_difference(cx, *relate, *a, *b),
            Refinement::Keys(map, a, b) => self.set_apart(cx, *map, *a, *b),
            Refinement::Field(map, key, row, field) => self.take_field(cx, *map, *key, *row, *field),
            Refinement::NotCount(map, size) => {
                let count = self.map_count(cx, *map)?;
                self.exclude(cx, count, &Term::int(*size as i64))
            }
            Refinement::SmallerMap(a, b) => self.smaller_map(cx, *a, *b),
            Refinement::AsLargeMap(a, b) => self.maps_of_one_size(cx, *a, *b),
            Refinement::Has(map, key) => self.expand_entry(cx, *map, *key).map(drop),
            Refinement::Lack(map, key) => self.lack(cx, *map, *key),
            Refinement::Entry(map, key, relate, other) => {
                let value = self.expand_entry(cx, *map, *key)?;
                self.pending.push(Propagator::Pair(*relate, value, *other));
                Ok(())
            }
            Refinement::Names(relate, a, b) => self.relate_names(cx, *relate, *a, *b).map(drop),
            Refinement::Value(map, key, other) => {
                let value = self.expand_entry(cx, *map, *key)?;
                self.equate(value, *other);
                Ok(())
            }
            Refinement::OtherBits(id, value) => self.other_bits(cx, *id, value),
        }
    }

    /// The next thing to choose, if there is one.
    pub fn choice(&mut self, cx: &mut Context, solution: &Solution) -> Step<Option<Choice>> {
        if let Some(choice) = self.of_literals(cx) {
            return Ok(Some(choice));
        }
        if let Some(choice) = self.of_near(cx) {
            return Ok(Some(choice));
        }
        if let Some(choice) = self.of_lengths(cx) {
            return Ok(Some(choice));
        }
        if let Some(choice) = self.of_conditions(cx, solution)? {
            return Ok(Some(choice));
        }
        if let Some(choice) = self.of_excluded_bits(cx) {
            return Ok(Some(choice));
        }
        Ok(self
            .of_productions(cx)
            .or_else(|| self.of_keys(cx))
            .or_else(|| self.of_measures(solution))
            .or_else(|| self.of_ranges(solution))
            .or_else(|| self.of_float_literals(cx, solution)))
    }

    /// The pending condition with the fewest alternatives.
    fn of_conditions(&mut self, cx: &mut Context, solution: &Solution) -> Step<Option<Choice>> {
        let mut best: Option<(usize, Choice)> = None;
        for at in 0..self.pending.len().min(EXAMINED) {
            let choice = self.of_pending(cx, solution, self.pending[at])?;
            let cost = |choice: &Choice| (choice.leaves_out, choice.alternatives.len());
            if best.as_ref().is_none_or(|(_, best)| cost(&choice) < cost(best)) {
                best = Some((at, choice));
            }
        }
        if let Some((at, choice)) = &best
            && choice.settles
        {
            self.pending.remove(*at);
        }
        Ok(best.map(|(_, choice)| choice))
    }

    fn of_pending(&mut self, cx: &mut Context, solution: &Solution, pending: Propagator) -> Step<Choice> {
        Ok(match pending {
            Propagator::NotSize(id, _) => {
                let near_is_tuple = matches!(self.node(id).near, Some(Term::Tuple(..)));
                let mut both = vec![
                    vec![Refinement::Kinds(id, Kinds::ALL - Kinds::TUPLE)],
                    vec![Refinement::Kinds(id, Kinds::TUPLE)],
                ];
                if near_is_tuple {
                    both.reverse();
                }
                Choice::of(both)
            }
            Propagator::Within { at, part, .. } => {
                let len = self.bit_size(cx, part)?;
                self.of_places(solution, [len, at])
            }
            Propagator::Pair(relate, a, b) if self.are_bits(a, b) => self.of_two_bits(cx, solution, relate, a, b)?,
            Propagator::Pair(relate, a, b) => self.of_pair(cx, solution, relate, a, b)?,
            Propagator::Lookup(fun, args, result) => self.of_lookup(cx, fun, args, result),
        })
    }

    fn of_pair(
        &mut self,
        cx: &mut Context,
        solution: &Solution,
        relate: TermRelation,
        a: NodeId,
        b: NodeId,
    ) -> Step<Choice> {
        let (left, right) = (self.node(a).kinds, self.node(b).kinds);
        if !left.is_single() || !right.is_single() {
            let (id, other) = if left.is_single() { (b, left) } else { (a, right) };
            return Ok(self.of_kinds(id, other, relate));
        }
        if let Some(choice) = self.of_listed(cx, a).or_else(|| self.of_listed(cx, b)) {
            return Ok(choice);
        }
        if left == right && Kinds::COMPOUND.has(left) {
            return match self.parts(cx, a, b)? {
                Some(parts) => Ok(of_parts(relate, &parts)),
                None => Ok(self.of_sizes(solution, relate, a, b)),
            };
        }
        if left == right && left == Kinds::MAP && relate == TermRelation::Before {
            return Ok(self.of_maps_in_order(a, b));
        }
        if left == right && left == Kinds::MAP && relate == TermRelation::Equal {
            return self.of_map_size(cx, a);
        }
        if left == right && left == Kinds::MAP && matches!(relate, TermRelation::Differ | TermRelation::Unequal) {
            return self.of_difference(cx, relate, a, b);
        }
        Ok(match left {
            Kinds::ATOM => self.of_atoms(relate, a, b),
            Kinds::INTEGER | Kinds::FLOAT => self.of_numbers(a, b),
            _ => self.of_values(cx, relate, a, b),
        })
    }

    /// Of which kind a node is; what settles a difference at once comes first.
    fn of_kinds(&self, id: NodeId, other: Kinds, relate: TermRelation) -> Choice {
        let kinds = self.node(id).kinds;
        let near = self.node(id).near.as_ref().map(Kinds::of);
        let apart = match relate {
            TermRelation::Differ => kinds - other,
            TermRelation::Unequal if other.meets(Kinds::NUMBER) => kinds - other - Kinds::NUMBER,
            TermRelation::Unequal => kinds - other,
            _ => Kinds::NONE,
        };
        let mut groups: Vec<Kinds> = Vec::new();
        if !apart.is_empty() {
            groups.push(apart);
        }
        groups.extend((kinds - apart).each());
        // Stable: kinds stand in the order of terms, where simple ones come first.
        groups.sort_by_key(|group| {
            (near.is_none_or(|near| !group.has(near)), group.meets(Kinds::COMPOUND) && group.is_single())
        });
        Choice::of(groups.into_iter().map(|group| vec![Refinement::Kinds(id, group)]))
    }

    /// A choice between the productions of a node, if some of them are single values.
    fn of_listed(&self, cx: &Context, id: NodeId) -> Option<Choice> {
        let node = self.node(id);
        let listed = node.value.is_none() && node.prods.len() > 1;
        (listed && node.prods.iter().any(|prod| matches!(prod, Prod::Exact(_)))).then(|| one_of(cx, id, node))
    }

    /// A value for one of two atoms.
    fn of_atoms(&self, relate: TermRelation, a: NodeId, b: NodeId) -> Choice {
        let finite = |id: NodeId| !self.node(id).prods.iter().any(|prod| matches!(prod, Prod::Atom(None)));
        let open = |id: NodeId| self.node(id).value.is_none();
        // One of several known atoms is a better place to begin than any atom.
        let id = match (open(a), open(b)) {
            (true, true) if finite(b) && !finite(a) => b,
            (true, _) => a,
            _ => b,
        };
        let node = self.node(id);
        let near = node.near.clone().filter(|near| matches!(near, Term::Atom(..)));
        let known = node.prods.iter().filter_map(|prod| match prod {
            Prod::Atom(atom) => atom.map(Term::atom),
            _ => None,
        });
        if finite(id) {
            let mut values: Vec<Term> = known.collect();
            values.sort_by_key(|value| Some(value) != near.as_ref());
            return Choice::of(values.into_iter().map(|value| vec![Refinement::Bind(id, value)]));
        }
        let ordered = !relate.wants_difference() || self.has_order_on(a) || self.has_order_on(b);
        let values =
            near.into_iter().chain(self.suitable_atoms(ordered)).map(|value| vec![Refinement::Bind(id, value)]);
        // What is likely first; then whatever there is.
        Choice::of(values.chain([vec![Refinement::Names(relate, a, b)]]))
    }

    /// Returns true if a condition that is not decided yet may want more of the node than to be another than some.
    fn has_order_on(&self, id: NodeId) -> bool {
        let id = self.find(id);
        let holds_it =
            |other: NodeId| self.find(other) == id || self.node(other).kinds.meets(Kinds::COMPOUND | Kinds::MAP);
        self.pending.iter().any(|pending| match pending {
            Propagator::Pair(relate, a, b) => !relate.wants_difference() && (holds_it(*a) || holds_it(*b)),
            Propagator::Lookup(..) => true,
            Propagator::NotSize(..) | Propagator::Within { .. } => false,
        })
    }

    /// Atoms that occur nowhere yet; where order matters also those around the ones that do.
    fn suitable_atoms(&self, ordered: bool) -> Vec<Term> {
        let mut used: Vec<Atom> = Vec::new();
        for (_, node) in self.classes() {
            let known = node.prods.iter().filter_map(|prod| match prod {
                Prod::Atom(atom) => *atom,
                _ => None,
            });
            used.extend(node.value.iter().chain(&node.not).filter_map(Term::as_atom).chain(known));
        }
        used.sort_unstable();
        used.dedup();
        let fresh = atoms().find(|atom| used.binary_search(atom).is_err());
        let mut all: Vec<Atom> = fresh.into_iter().collect();
        if ordered {
            let near = used.iter().flat_map(|atom| [after(*atom), before(*atom)]).flatten();
            all.extend(near.chain(used.iter().copied()).chain([term::known::EMPTY]).collect::<Vec<_>>());
        }
        all.into_iter().map(Term::atom).collect()
    }

    /// A value for an open float of two numbers.
    fn of_numbers(&self, a: NodeId, b: NodeId) -> Choice {
        let open = |id: &NodeId| self.node(*id).kinds == Kinds::FLOAT && self.node(*id).value.is_none();
        let Some(id) = [a, b].into_iter().find(open) else { return Choice::partial([]) };
        let other = if id == a { b } else { a };
        let near = self.node(id).near.clone().filter(|near| matches!(near, Term::Float(..)));
        let mut values: Vec<f64> = Vec::new();
        let other = self.node(other);
        let around = other.value.as_ref().or(other.near.as_ref()).and_then(|value| match value {
            Term::Float(_, value) => Some(*value),
            value => {
                as_float(value).and_then(|float| if let Term::Float(_, value) = float { Some(value) } else { None })
            }
        });
        for value in around.into_iter().chain([0.0, 1.5, -1.5]) {
            values.extend([value, value + 1.0, value - 1.0, value.next_up(), value.next_down()]);
        }
        let values = values.into_iter().filter(|value| value.is_finite()).map(Term::float);
        Choice::partial(near.into_iter().chain(values).map(|value| vec![Refinement::Bind(id, value)]))
    }

    /// A value for one of two terms that are never looked into.
    fn of_values(&mut self, cx: &mut Context, relate: TermRelation, a: NodeId, b: NodeId) -> Choice {
        if relate == TermRelation::Equal {
            return Choice::partial([vec![Refinement::Same(a, b)]]);
        }
        let id = if self.node(a).value.is_none() { a } else { b };
        let node = self.node(id).clone();
        let mut avoid = node.not.clone();
        let mut values: Vec<Term> = node.near.iter().filter(|near| node.kinds.has(Kinds::of(near))).cloned().collect();
        for _ in 0..3 {
            let next = cx.domains.pick(&node.prods, node.kinds, &avoid);
            avoid.extend(next.clone());
            values.extend(next);
        }
        if self.arity(a).is_some_and(|arity| arity > 0 && self.arity(b) == Some(arity)) {
            return Choice { settles: true, ..Choice::partial([vec![Refinement::Apart(relate, a, b)]]) };
        }
        Choice::partial(values.into_iter().map(|value| vec![Refinement::Bind(id, value)]))
    }

    /// A choice between the productions of an expanded node, where some are literals: all about those
    /// is known.
    fn of_literals(&self, cx: &Context) -> Option<Choice> {
        let is_literal = |prod: &Prod| matches!(prod, Prod::Exact(_) | Prod::Atom(Some(_)));
        self.of_opened(cx, |node| node.prods.iter().any(is_literal))
    }

    /// A choice between the productions of an expanded node.
    fn of_productions(&self, cx: &Context) -> Option<Choice> {
        self.of_opened(cx, |_| true)
    }

    /// A choice of the length of a bitstring, which comes before where it is cut.
    fn of_lengths(&self, cx: &Context) -> Option<Choice> {
        if self.has_bits { self.of_opened(cx, |node| node.bits.is_some()) } else { None }
    }

    fn of_opened(&self, cx: &Context, wanted: impl Fn(&Node) -> bool) -> Option<Choice> {
        let open = |node: &Node| node.is_expanded() && node.value.is_none() && node.prods.len() > 1;
        let (id, node) = self.classes().find(|(_, node)| open(node) && wanted(node))?;
        Some(one_of(cx, id, node))
    }

    /// Lengths and sizes: what the integers said, or less, or more.
    fn of_measures(&self, solution: &Solution) -> Option<Choice> {
        let measures = self.measured.iter().flat_map(|id| {
            let node = self.node(*id);
            let ends = self.end_of_list(*id).is_ok_and(|(_, end)| end == Some(self.find(*id)));
            node.length.filter(|_| ends).into_iter().chain(node.count)
        });
        let open = measures.map(|id| self.find(id)).find(|id| self.node(*id).value.is_none())?;
        if self.is_size_of_places(open) && solution.get(&open).is_some_and(|value| *value > BigInt::from(MOST_PLACES)) {
            return Some(Choice::partial([]));
        }
        Some(around(open, solution.integer(open)))
    }

    /// A choice between the ranges of an integer, if the value found is in none.
    fn of_ranges(&self, solution: &Solution) -> Option<Choice> {
        let inside = |prod: &Prod, value: &BigInt| matches!(prod, Prod::Integer(range) if range.contains(value));
        let mut outside: Vec<NodeId> = solution
            .iter()
            .filter(|(id, value)| {
                let node = self.node(**id);
                node.value.is_none() && !node.prods.iter().any(|prod| inside(prod, value))
            })
            .map(|(id, _)| self.find(*id))
            .collect();
        // The solution is a table without order.
        outside.sort_unstable();
        let id = *outside.first()?;
        let prods = self.node(id).prods.to_vec();
        Some(Choice::of(prods.into_iter().map(|prod| vec![Refinement::Prods(id, Rc::new([prod]))])))
    }
}

/// Each production of a node, first those that it had.
fn one_of(cx: &Context, id: NodeId, node: &Node) -> Choice {
    let mut prods: Vec<Prod> = node.prods.to_vec();
    if let Some(near) = &node.near {
        prods.sort_by_key(|prod| !cx.domains.prod_accepts(prod, near));
    }
    Choice::of(prods.into_iter().map(|prod| vec![Refinement::Prods(id, Rc::new([prod]))]))
}

/// A value of an integer, or less, or more.
pub fn around(open: NodeId, value: BigInt) -> Choice {
    let range = |low, high| vec![Refinement::Prods(open, Rc::new([Prod::Integer(Rc::new(Range { low, high }))]))];
    let (less, more) = (&value - 1, &value + 1);
    Choice::of([vec![Refinement::Bind(open, Term::big(value))], range(None, Some(less)), range(Some(more), None)])
}

/// The first part that is as wanted; where the order counts, those before it are equal.
fn of_parts(relate: TermRelation, parts: &[(NodeId, NodeId)]) -> Choice {
    let pair = |relate, at: usize| Refinement::Pend(Propagator::Pair(relate, parts[at].0, parts[at].1));
    let last = parts.len().saturating_sub(1);
    let alternatives = (0..parts.len()).map(|at| match relate {
        TermRelation::Differ | TermRelation::Unequal => vec![pair(relate, at)],
        TermRelation::Before => {
            let same = (0..at).map(|earlier| Refinement::Same(parts[earlier].0, parts[earlier].1));
            same.chain([pair(relate, at)]).collect()
        }
        _ => {
            let here = if at == last { relate } else { TermRelation::Less };
            (0..at).map(|earlier| pair(TermRelation::Equal, earlier)).chain([pair(here, at)]).collect()
        }
    });
    Choice { settles: true, ..Choice::of(alternatives) }
}

/// An atom shortly after another.
fn after(atom: Atom) -> Option<Atom> {
    let name = atom.name();
    (name.chars().count() < Atom::MAX_CHARS).then(|| Atom::new(&format!("{name}a")))
}

/// An atom before another.
fn before(atom: Atom) -> Option<Atom> {
    let mut name = atom.name().to_owned();
    name.pop()?;
    Some(Atom::new(&name))
}
