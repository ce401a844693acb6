//! Floats of a store: what they are computed from and how they stand to other numbers, as a problem of its own.

use std::rc::Rc;

use constraint::{FloatOp, Kinds, Op};
use rustc_hash::FxHashMap;
use term::Term;

use super::choice::{Choice, Refinement};
use super::numeric::{NumericEncoder, Solution};
use super::production::Prod;
use super::store::{Context, NodeId, Order, Step, Store};
use crate::float::{MixedProblem, Number};
use crate::partition::Partition;
use crate::problem::{Constraint, Expression, ProblemPart};

/// Equations and relations of floats.
#[derive(Clone, Default)]
pub struct Floats {
    /// Numbers that are operations on others; floats are among them.
    pub equations: Vec<(NodeId, FloatOp, Rc<[NodeId]>)>,
    /// Relations between numbers; `None` is equality. At least one of two is a float.
    pub relations: Vec<(Option<Order>, NodeId, NodeId)>,
    /// Operations that have no result.
    pub failing: Vec<(FloatOp, Rc<[NodeId]>)>,
}

impl Floats {
    /// Returns true if there are no equations and relations of floats.
    pub fn is_empty(&self) -> bool {
        self.equations.is_empty() && self.relations.is_empty() && self.failing.is_empty()
    }
}

fn is_zero(value: &Term) -> bool {
    matches!(value, Term::Float(_, value) if *value == 0.0)
}

impl Store {
    /// The node of an operation on floats.
    pub fn float_operation(&mut self, cx: &mut Context, op: FloatOp, args: Rc<[NodeId]>) -> Step<NodeId> {
        self.keep_operands(cx, op, &args)?;
        let known = |id: &NodeId| self.node(*id).value.clone();
        if let Some(values) = args.iter().map(known).collect::<Option<Vec<Term>>>() {
            let value = op.compute(&values).ok_or(super::store::Conflict)?;
            // A zero that is known may still have either sign.
            let depends_on_sign = values.iter().any(is_zero) && (op.sees_signs() || is_zero(&value));
            if !depends_on_sign {
                return Ok(self.literal(cx, value));
            }
        }
        let near: Option<Vec<Term>> = args.iter().map(|id| self.was(*id).cloned()).collect();
        let near = near.and_then(|args| op.compute(&args));
        let id = if op.gives_float() {
            self.push(Kinds::FLOAT, Rc::new([Prod::Float]), near)
        } else {
            self.integer(None, near)
        };
        self.floats.equations.push((id, op, args));
        Ok(id)
    }

    /// The operation has no result for these.
    pub fn float_failure(&mut self, cx: &mut Context, op: FloatOp, args: Rc<[NodeId]>) -> Step {
        self.keep_operands(cx, op, &args)?;
        self.floats.failing.push((op, args));
        Ok(())
    }

    /// A choice between the literals of a float, if the value found is none of them.
    pub fn of_float_literals(&self, cx: &Context, solution: &Solution) -> Option<Choice> {
        let outside = |(id, value): &(&NodeId, &f64)| {
            let (node, value) = (self.node(**id), Term::float(**value));
            node.value.is_none() && !node.prods.iter().any(|prod| cx.domains.prod_accepts(prod, &value))
        };
        let id = *solution.floats.iter().filter(outside).map(|(id, _)| id).min()?;
        let prods = self.node(id).prods.to_vec();
        Some(Choice::of(prods.into_iter().map(|prod| vec![Refinement::Prods(id, Rc::new([prod]))])))
    }

    fn keep_operands(&mut self, cx: &mut Context, op: FloatOp, args: &[NodeId]) -> Step {
        let kind = if op.takes_floats() { Kinds::FLOAT } else { Kinds::INTEGER };
        args.iter().try_for_each(|arg| self.keep_kinds(cx, *arg, kind))
    }
}

/// A problem of floats, and which node each of its expressions stands for.
#[derive(Default)]
pub struct FloatPart {
    /// The constraints of the part.
    pub problem: MixedProblem,
    /// Of the integers of the store's own problem, the variable here.
    pub integers: Vec<(usize, usize)>,
    /// Nodes that are floats, and their expressions.
    pub nodes: Vec<(NodeId, usize)>,
}

/// Everything about numbers in one problem, before it is cut into parts.
struct MixedEncoder<'a, 'b> {
    asking: &'b mut NumericEncoder<'a>,
    problem: MixedProblem,
    nodes: FxHashMap<NodeId, usize>,
    /// The first equation of each float.
    definitions: FxHashMap<NodeId, usize>,
    used: Vec<bool>,
    /// Some operation sees the sign of a zero.
    sees_signs: bool,
}

impl NumericEncoder<'_> {
    /// The parts of the problem in which there are floats; what is left here are the others.
    pub fn floats(&mut self) -> Vec<FloatPart> {
        let store = self.store;
        for (id, _, args) in &store.floats.equations {
            self.register([*id].iter().chain(args.iter()));
        }
        store.floats.failing.iter().for_each(|(_, args)| self.register(args.iter()));
        store.floats.relations.iter().for_each(|(_, a, b)| self.register([a, b].into_iter()));
        let mut definitions = FxHashMap::default();
        for (at, (id, op, _)) in store.floats.equations.iter().enumerate() {
            if op.gives_float() {
                definitions.entry(store.find(*id)).or_insert(at);
            }
        }
        let mut building = MixedEncoder {
            definitions,
            problem: MixedProblem { relations: self.asked.problem.relations.clone(), ..MixedProblem::default() },
            nodes: FxHashMap::default(),
            used: vec![false; store.floats.equations.len()],
            sees_signs: store.floats.equations.iter().any(|(_, op, _)| op.sees_signs()),
            asking: self,
        };
        building.copy_integers();
        building.state();
        let (problem, nodes) = (building.problem, building.nodes);
        self.cut(problem, nodes)
    }

    fn register<'n>(&mut self, ids: impl Iterator<Item = &'n NodeId>) {
        for id in ids {
            if self.store.node(*id).kinds == Kinds::INTEGER {
                self.expr(*id);
            }
        }
    }

    fn cut(&mut self, problem: MixedProblem, nodes: FxHashMap<NodeId, usize>) -> Vec<FloatPart> {
        let cutter = Components::new(&problem, self.asked.problem.exprs.len());
        self.asked.problem.relations.retain(|relation| !cutter.is_mixed[cutter.owner(relation)]);
        cutter.parts(&problem, &nodes)
    }
}

impl MixedEncoder<'_, '_> {
    /// Integers have the places that they have in their own problem.
    fn copy_integers(&mut self) {
        let problem = &self.asking.asked.problem;
        self.problem.variables = problem.variables.iter().cloned().map(Number::Integer).collect();
        self.problem.exprs = problem
            .exprs
            .iter()
            .map(|expr| match expr {
                Expression::Variable(at) => Expression::Variable(*at),
                Expression::Constant(value) => Expression::Constant(Term::big(value.clone())),
                Expression::Apply(op, args) => Expression::Apply(*op, args.clone()),
            })
            .collect();
    }

    fn state(&mut self) {
        let store = self.asking.store;
        for at in 0..store.floats.equations.len() {
            let (id, op, args) = &store.floats.equations[at];
            if op.gives_float() {
                let whole = self.expr(*id);
                if !std::mem::replace(&mut self.used[at], true) {
                    let applied = self.application(*op, args);
                    self.problem.relations.push(Constraint::Equal(whole, applied));
                }
            } else {
                let (whole, applied) = (self.expr(*id), self.application(*op, args));
                self.problem.relations.push(Constraint::Equal(whole, applied));
            }
        }
        for (order, a, b) in &store.floats.relations {
            let (a, b) = (self.expr(*a), self.expr(*b));
            self.problem.relations.push(match order {
                None => Constraint::Equal(a, b),
                Some(Order::Differ) => Constraint::Differ(a, b),
                Some(Order::Less) => Constraint::Less(a, b),
                Some(Order::AtMost) => Constraint::AtMost(a, b),
            });
        }
        for (op, args) in &store.floats.failing {
            let args = args.iter().map(|arg| self.expr(*arg)).collect();
            self.problem.failing.push((*op, args));
        }
    }

    fn expr(&mut self, id: NodeId) -> usize {
        let store = self.asking.store;
        let id = store.find(id);
        if let Some(&at) = self.nodes.get(&id) {
            return at;
        }
        let node = store.node(id);
        if node.kinds == Kinds::INTEGER && node.value.is_none() {
            return self.asking.asked.place(id);
        }
        if let Some(value) = &node.value {
            let at = self.problem.expr(Expression::Constant(value.clone()));
            let place = if self.sees_signs && is_zero(value) { self.zero(id, at) } else { at };
            self.nodes.insert(id, place);
            return place;
        }
        let at = match self.definitions.get(&id).copied() {
            Some(equation) if !std::mem::replace(&mut self.used[equation], true) => {
                let (_, op, args) = &store.floats.equations[equation];
                let applied = term::deeper(|| self.application(*op, args));
                match self.nodes.get(&id).copied() {
                    // It needs itself: a variable, tied by the equation.
                    Some(variable) => {
                        self.problem.relations.push(Constraint::Equal(variable, applied));
                        return variable;
                    }
                    None => applied,
                }
            }
            _ => self.variable(id),
        };
        self.nodes.insert(id, at);
        self.exclude(id, at);
        at
    }

    /// A zero whose sign is that of what it is computed from, or still to be chosen.
    fn zero(&mut self, id: NodeId, constant: usize) -> usize {
        let place = match self.definitions.get(&id).copied() {
            Some(equation) if !std::mem::replace(&mut self.used[equation], true) => {
                let (_, op, args) = &self.asking.store.floats.equations[equation];
                term::deeper(|| self.application(*op, args))
            }
            _ => self.variable(id),
        };
        self.problem.relations.push(Constraint::Equal(place, constant));
        place
    }

    fn application(&mut self, op: FloatOp, args: &[NodeId]) -> usize {
        let args = args.iter().map(|arg| self.expr(*arg)).collect();
        self.problem.expr(Expression::Apply(Op::Float(op), args))
    }

    fn variable(&mut self, id: NodeId) -> usize {
        let near = match self.asking.store.node(id).near {
            Some(Term::Float(_, near)) => Some(near),
            _ => None,
        };
        self.problem.variable(Number::Float(near))
    }

    fn exclude(&mut self, id: NodeId, at: usize) {
        for value in self.asking.store.node(id).not.iter().filter(|value| matches!(value, Term::Float(..))) {
            let value = self.problem.expr(Expression::Constant(value.clone()));
            self.problem.relations.push(Constraint::Differ(at, value));
        }
    }
}

/// Groups of expressions that depend on each other, constants aside.
struct Components {
    sets: Partition,
    is_mixed: Vec<bool>,
    is_constant: Vec<bool>,
}

impl Components {
    fn new(problem: &MixedProblem, integers: usize) -> Components {
        let count = problem.exprs.len();
        let is_constant = problem.exprs.iter().map(|expr| matches!(expr, Expression::Constant(_))).collect();
        let mut cutter = Components { sets: Partition::new(count), is_mixed: vec![false; count], is_constant };
        for (at, expr) in problem.exprs.iter().enumerate() {
            if let Expression::Apply(_, args) = expr {
                args.iter().for_each(|arg| cutter.tie(at, *arg));
            }
        }
        for relation in &problem.relations {
            let (a, b) = relation.sides();
            cutter.tie(a, b);
        }
        for (_, args) in &problem.failing {
            args.windows(2).for_each(|pair| cutter.tie(pair[0], pair[1]));
        }
        for at in (integers..count).filter(|at| !cutter.is_constant[*at]).collect::<Vec<_>>() {
            let root = cutter.sets.find(at);
            cutter.is_mixed[root] = true;
        }
        for relation in &problem.relations {
            let (a, b) = relation.sides();
            if a.max(b) >= integers {
                let owner = cutter.owner(relation);
                cutter.is_mixed[owner] = true;
            }
        }
        for (_, args) in &problem.failing {
            let owner = cutter.first(args);
            cutter.is_mixed[owner] = true;
        }
        cutter
    }

    fn tie(&mut self, a: usize, b: usize) {
        if !self.is_constant[a] && !self.is_constant[b] {
            self.sets.join(a, b);
        }
    }

    /// The part that something about these belongs to: that of the first which is no constant.
    fn first(&self, of: &[usize]) -> usize {
        let at = of.iter().find(|at| !self.is_constant[**at]).or(of.first());
        at.map_or(0, |at| self.sets.find(*at))
    }

    fn owner(&self, relation: &Constraint) -> usize {
        let (a, b) = relation.sides();
        self.first(&[a, b])
    }

    fn parts(&self, problem: &MixedProblem, nodes: &FxHashMap<NodeId, usize>) -> Vec<FloatPart> {
        let roots = (0..problem.exprs.len()).filter(|at| self.sets.find(*at) == *at && self.is_mixed[*at]);
        roots.map(|root| self.part(problem, nodes, root)).collect()
    }

    fn part(&self, problem: &MixedProblem, nodes: &FxHashMap<NodeId, usize>, root: usize) -> FloatPart {
        let relations: Vec<&Constraint> = problem.relations.iter().filter(|it| self.owner(it) == root).collect();
        let failing: Vec<_> = problem.failing.iter().filter(|(_, args)| self.first(args) == root).collect();
        let mut kept: Vec<bool> = (0..problem.exprs.len()).map(|at| self.sets.find(at) == root).collect();
        let sides = relations.iter().flat_map(|relation| <[usize; 2]>::from(relation.sides()));
        sides.chain(failing.iter().flat_map(|(_, args)| args).copied()).for_each(|at| kept[at] = true);
        problem.mark_operands(&mut kept);
        let ProblemPart { problem: mut part, places, variables } = problem.part(&kept);
        part.relations = relations.iter().map(|relation| relation.moved(|at| places[at])).collect();
        part.failing = failing.iter().map(|(op, args)| (*op, args.iter().map(|at| places[*at]).collect())).collect();
        let is_integer = |(_, here): &(usize, usize)| matches!(part.variables[*here], Number::Integer(_));
        let integers = variables.into_iter().zip(0..).filter(is_integer).collect();
        let named = nodes.iter().filter(|(_, at)| self.sets.find(**at) == root);
        let mut nodes: Vec<(NodeId, usize)> = named.map(|(id, at)| (*id, places[*at])).collect();
        nodes.sort_unstable();
        FloatPart { problem: part, integers, nodes }
    }
}
