//! The arithmetic of a store, as a problem for an integer solver, and the values that came back.

use num_bigint::BigInt;
use num_traits::Zero;
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

use constraint::Op;

use super::floats::FloatPart;
use super::production::Prod;
use super::store::{Context, NodeId, Order, Step, Store};
use crate::integer::interval::Range;
use crate::integer::{IntegerProblem, Variable};
use crate::problem::{Constraint, Expression};

/// A problem, and which node each part of it stands for.
#[derive(Default)]
pub struct NumericConstraints {
    /// The constraints on integers alone.
    pub problem: IntegerProblem,
    variables: Vec<NodeId>,
    exprs: FxHashMap<NodeId, usize>,
    /// The parts with floats in them, which are not in the problem.
    pub floats: Vec<FloatPart>,
}

/// Values for nodes that are numbers.
#[derive(Clone, Default)]
pub struct Solution {
    integers: FxHashMap<NodeId, BigInt>,
    /// The values of floats.
    pub floats: FxHashMap<NodeId, f64>,
}

impl std::ops::Deref for Solution {
    type Target = FxHashMap<NodeId, BigInt>;

    fn deref(&self) -> &FxHashMap<NodeId, BigInt> {
        &self.integers
    }
}

impl Solution {
    /// The value of an integer; 0 if there is none.
    pub fn integer(&self, id: NodeId) -> BigInt {
        self.integers.get(&id).cloned().unwrap_or_default()
    }

    /// Forgets all values.
    pub fn clear(&mut self) {
        self.integers.clear();
        self.floats.clear();
    }
}

impl Store {
    /// The constraints on the numbers of this store, if there are any.
    pub fn ask(&mut self, cx: &mut Context) -> Step<Option<NumericConstraints>> {
        let ties = self.expand_measures(cx)?;
        self.sum_joins(cx);
        let measured = self.measured.iter().any(|id| self.is_open(*id));
        if self.equations.is_empty() && self.relations.is_empty() && !measured && self.floats.is_empty() {
            return Ok(None);
        }
        let mut asking = NumericEncoder::new(self);
        asking.equations();
        asking.relations();
        for (length, cells, rest) in ties {
            let (whole, rest) = (asking.expr(length), asking.expr(rest));
            let cells = asking.constant(BigInt::from(cells));
            let sum = asking.asked.problem.expr(Expression::Apply(Op::Add, vec![rest, cells]));
            asking.asked.problem.relations.push(Constraint::Equal(whole, sum));
        }
        asking.measures();
        if !self.floats.is_empty() {
            asking.asked.floats = asking.floats();
        }
        Ok(Some(asking.asked))
    }

    /// Returns true if a length or size of the node is still to be chosen.
    pub fn is_open(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let unknown = |measure: Option<NodeId>| measure.is_some_and(|measure| self.node(measure).value.is_none());
        unknown(node.length) || unknown(node.count) || unknown(node.bits.as_ref().map(|bits| bits.len))
    }

    /// The least range that has all integers a node can be.
    pub fn hull(&self, id: NodeId) -> Range {
        let node = self.node(id);
        let mut ranges = node.prods.iter().filter_map(|prod| match prod {
            Prod::Integer(range) => Some(range),
            _ => None,
        });
        let Some(first) = ranges.next() else { return Range::default() };
        ranges.fold((**first).clone(), |all, range| all.hull(range))
    }
}

/// Collects the numeric constraints of a store.
pub struct NumericEncoder<'a> {
    /// The store they come from.
    pub store: &'a Store,
    /// The constraints so far.
    pub asked: NumericConstraints,
    definitions: FxHashMap<NodeId, usize>,
    /// Equations that are the definition of their node.
    used: FxHashSet<usize>,
    constants: FxHashMap<BigInt, usize>,
}

impl<'a> NumericEncoder<'a> {
    fn new(store: &'a Store) -> NumericEncoder<'a> {
        let mut definitions = FxHashMap::default();
        for (at, (id, ..)) in store.equations.iter().enumerate() {
            definitions.entry(store.find(*id)).or_insert(at);
        }
        NumericEncoder {
            store,
            asked: NumericConstraints::default(),
            definitions,
            used: FxHashSet::default(),
            constants: FxHashMap::default(),
        }
    }

    fn constant(&mut self, value: BigInt) -> usize {
        if let Some(&at) = self.constants.get(&value) {
            return at;
        }
        let at = self.asked.problem.expr(Expression::Constant(value.clone()));
        self.constants.insert(value, at);
        at
    }

    /// The expression of a node; one that needs itself is a variable, tied by its equation.
    pub fn expr(&mut self, id: NodeId) -> usize {
        let id = self.store.find(id);
        if let Some(&at) = self.asked.exprs.get(&id) {
            return at;
        }
        if let Some(value) = self.store.node(id).value.as_ref().and_then(Term::as_bigint) {
            return self.constant(value);
        }
        match self.definitions.get(&id).copied() {
            Some(equation) if self.used.insert(equation) => self.defined(id, equation),
            _ => self.variable(id),
        }
    }

    fn defined(&mut self, id: NodeId, equation: usize) -> usize {
        let applied = self.application(equation);
        if let Some(&variable) = self.asked.exprs.get(&id) {
            self.asked.problem.relations.push(Constraint::Equal(variable, applied));
            return variable;
        }
        self.asked.exprs.insert(id, applied);
        let Range { low, high } = self.store.hull(id);
        if let Some(low) = low {
            let low = self.constant(low);
            self.asked.problem.relations.push(Constraint::AtMost(low, applied));
        }
        if let Some(high) = high {
            let high = self.constant(high);
            self.asked.problem.relations.push(Constraint::AtMost(applied, high));
        }
        self.exclusions(id, applied);
        applied
    }

    fn application(&mut self, equation: usize) -> usize {
        let (_, op, args) = &self.store.equations[equation];
        let args: Vec<usize> = args.iter().map(|arg| term::deeper(|| self.expr(*arg))).collect();
        if let (Op::Div | Op::Rem, [_, divisor]) = (op, &args[..]) {
            let zero = self.constant(BigInt::zero());
            self.asked.problem.relations.push(Constraint::Differ(*divisor, zero));
        }
        self.asked.problem.expr(Expression::Apply(*op, args))
    }

    fn variable(&mut self, id: NodeId) -> usize {
        let near = self.store.node(id).near.as_ref().and_then(Term::as_bigint);
        self.asked.variables.push(id);
        let at = self.asked.problem.variable(Variable { range: self.store.hull(id), near });
        self.asked.exprs.insert(id, at);
        self.exclusions(id, at);
        at
    }

    fn exclusions(&mut self, id: NodeId, at: usize) {
        for value in self.store.node(id).not.iter().filter_map(Term::as_bigint) {
            let value = self.constant(value);
            self.asked.problem.relations.push(Constraint::Differ(at, value));
        }
    }

    fn equations(&mut self) {
        for at in 0..self.store.equations.len() {
            let whole = self.expr(self.store.equations[at].0);
            if self.used.insert(at) {
                let applied = self.application(at);
                self.asked.problem.relations.push(Constraint::Equal(whole, applied));
            }
        }
    }

    fn relations(&mut self) {
        for (order, a, b) in &self.store.relations {
            let (a, b) = (self.expr(*a), self.expr(*b));
            self.asked.problem.relations.push(match order {
                Order::Differ => Constraint::Differ(a, b),
                Order::Less => Constraint::Less(a, b),
                Order::AtMost => Constraint::AtMost(a, b),
            });
        }
    }

    fn measures(&mut self) {
        for id in self.store.measured.iter().filter(|id| self.store.is_open(**id)) {
            let node = self.store.node(*id);
            for measure in node.length.into_iter().chain(node.count).chain(node.bits.as_ref().map(|bits| bits.len)) {
                self.expr(measure);
            }
        }
    }
}

impl NumericConstraints {
    /// The values of all nodes, given those of the variables; `None` where an operation fails.
    pub fn solution(&self, values: &[BigInt]) -> Option<Solution> {
        let values = self.evaluated(values)?;
        Some(self.named(&values))
    }

    fn named(&self, values: &[BigInt]) -> Solution {
        let integers = self.exprs.iter().map(|(id, at)| (*id, values[*at].clone())).collect();
        Solution { integers, floats: FxHashMap::default() }
    }

    /// The place of the expression of an integer.
    pub fn place(&self, id: NodeId) -> usize {
        self.exprs[&id]
    }

    fn evaluated(&self, values: &[BigInt]) -> Option<Vec<BigInt>> {
        let mut all: Vec<BigInt> = Vec::with_capacity(self.problem.exprs.len());
        for expr in &self.problem.exprs {
            let value = match expr {
                Expression::Variable(at) => values.get(*at)?.clone(),
                Expression::Constant(value) => value.clone(),
                Expression::Apply(op, args) => {
                    let args: Vec<Term> = args.iter().map(|arg| Term::big(all[*arg].clone())).collect();
                    op.compute(&args)?.as_bigint()?
                }
            };
            all.push(value);
        }
        Some(all)
    }

    /// The values that an earlier solution has, if they still do.
    pub fn still(&self, earlier: &Solution) -> Option<Solution> {
        let value = |id: &NodeId| earlier.get(id).cloned().unwrap_or_else(BigInt::zero);
        let values: Vec<BigInt> = self.variables.iter().map(value).collect();
        if !self.problem.variables.iter().zip(&values).all(|(variable, value)| variable.range.contains(value)) {
            return None;
        }
        let all = self.evaluated(&values)?;
        let holds = |relation: &Constraint| {
            let (a, b) = relation.sides();
            relation.holds(all[a].cmp(&all[b]))
        };
        self.problem.relations.iter().all(holds).then(|| self.named(&all))
    }
}
