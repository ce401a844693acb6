//! Problems over numbers, as all solvers of arithmetic are given them: variables, expressions over them, relations.

use std::cmp::Ordering;

use constraint::{FloatOp, Op};
use rustc_hash::FxHashMap;

/// Relations between expressions over variables; all must hold. Variables are of type `V`, constants of type `C`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Problem<V, C> {
    /// The numbers to be found.
    pub variables: Vec<V>,
    /// Each refers only to earlier ones.
    pub exprs: Vec<Expression<C>>,
    /// Between the values of expressions.
    pub relations: Vec<Constraint>,
    /// Operations on floats that have no result for these expressions.
    pub failing: Vec<(FloatOp, Vec<usize>)>,
}

/// A part of a problem, without relations, and where it comes from.
pub struct ProblemPart<V, C> {
    /// The expressions that were kept, and their variables.
    pub problem: Problem<V, C>,
    /// For each expression of the whole its place in the part, if it is there.
    pub places: Vec<usize>,
    /// The variables of the part, by their places in the whole.
    pub variables: Vec<usize>,
}

/// An expression over the variables of a problem. The parts of an operation are named by their places.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expression<C> {
    /// A variable, by its place.
    Variable(usize),
    /// A number that does not depend on the variables of the problem alone.
    Constant(C),
    /// An operation on earlier expressions: arithmetic and bits, no lengths or sizes. Where a relation needs it, it must
    /// be defined: a division by zero is no solution.
    Apply(Op, Vec<usize>),
}

/// Between expressions, named by their places.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Constraint {
    /// `==`
    Equal(usize, usize),
    /// `/=`
    Differ(usize, usize),
    /// `<`
    Less(usize, usize),
    /// `=<`
    AtMost(usize, usize),
}

impl Constraint {
    /// The places of the left and the right side.
    pub fn sides(&self) -> (usize, usize) {
        match *self {
            Constraint::Equal(a, b) | Constraint::Differ(a, b) | Constraint::Less(a, b) | Constraint::AtMost(a, b) => {
                (a, b)
            }
        }
    }

    /// The same relation between other places.
    pub fn moved(&self, to: impl Fn(usize) -> usize) -> Constraint {
        match *self {
            Constraint::Equal(a, b) => Constraint::Equal(to(a), to(b)),
            Constraint::Differ(a, b) => Constraint::Differ(to(a), to(b)),
            Constraint::Less(a, b) => Constraint::Less(to(a), to(b)),
            Constraint::AtMost(a, b) => Constraint::AtMost(to(a), to(b)),
        }
    }

    /// Returns true if the relation holds between values that stand in this order.
    pub fn holds(&self, order: Ordering) -> bool {
        match self {
            Constraint::Equal(..) => order.is_eq(),
            Constraint::Differ(..) => order.is_ne(),
            Constraint::Less(..) => order.is_lt(),
            Constraint::AtMost(..) => order.is_le(),
        }
    }
}

impl<V, C> Default for Problem<V, C> {
    fn default() -> Problem<V, C> {
        Problem { variables: Vec::new(), exprs: Vec::new(), relations: Vec::new(), failing: Vec::new() }
    }
}

impl<V, C> Problem<V, C> {
    /// Adds an expression; returns its place.
    pub fn expr(&mut self, expr: Expression<C>) -> usize {
        if let Expression::Apply(_, args) = &expr {
            debug_assert!(args.iter().all(|arg| *arg < self.exprs.len()), "expressions refer to earlier ones");
        }
        self.exprs.push(expr);
        self.exprs.len() - 1
    }

    /// Adds a variable; returns the place of its expression.
    pub fn variable(&mut self, variable: V) -> usize {
        self.variables.push(variable);
        self.expr(Expression::Variable(self.variables.len() - 1))
    }

    /// For each expression, true if the relations need it, directly or not: only those must be defined.
    pub fn used(&self) -> Vec<bool> {
        self.used_by(&self.relations)
    }

    /// For each expression, true if these relations need it.
    pub fn used_by(&self, relations: &[Constraint]) -> Vec<bool> {
        let mut used = vec![false; self.exprs.len()];
        for relation in relations {
            let (a, b) = relation.sides();
            used[a] = true;
            used[b] = true;
        }
        self.mark_operands(&mut used);
        used
    }

    /// Marks the operands of everything that is marked.
    pub fn mark_operands(&self, used: &mut [bool]) {
        for at in (0..used.len()).rev() {
            if let (true, Expression::Apply(_, args)) = (used[at], &self.exprs[at]) {
                args.iter().for_each(|arg| used[*arg] = true);
            }
        }
    }
}

impl<V: Clone, C: Clone> Problem<V, C> {
    /// The part that has these expressions; the operands of each are among them.
    pub fn part(&self, kept: &[bool]) -> ProblemPart<V, C> {
        let (mut problem, mut places, mut variables) = (Problem::default(), vec![usize::MAX; kept.len()], Vec::new());
        let mut known: FxHashMap<usize, usize> = FxHashMap::default();
        for (at, expr) in self.exprs.iter().enumerate().filter(|(at, _)| kept[*at]) {
            let expr = match expr {
                Expression::Variable(variable) => Expression::Variable(*known.entry(*variable).or_insert_with(|| {
                    variables.push(*variable);
                    problem.variables.push(self.variables[*variable].clone());
                    variables.len() - 1
                })),
                Expression::Constant(value) => Expression::Constant(value.clone()),
                Expression::Apply(op, args) => Expression::Apply(*op, args.iter().map(|arg| places[*arg]).collect()),
            };
            places[at] = problem.expr(expr);
        }
        ProblemPart { problem, places, variables }
    }
}
