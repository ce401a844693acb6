//! Conditions: booleans that cannot fail, computed where they decide something rather than where they are bound.

use std::rc::Rc;

use constraint::Type;
use ir::{BlockId, Callee, Location, Op, Operand, Reg, Test};
use ops::{Boolean, Gives, Operation, Relation, Returns, Rule};
use term::{Atom, Mfa, Term, known};

use super::place::Place;
use super::{Binding, Lowering};
use crate::flat::{Action, LetStep, Try, Value};

/// A condition of a guard.
pub enum Condition<'a> {
    Known(bool),
    /// A value that is surely `true` or `false`.
    Value(Operand),
    /// A test that cannot fail on these arguments.
    Call {
        operation: &'static Operation,
        args: Vec<Operand>,
        at: Location,
    },
    /// A part of a guard in which an exception means no.
    Protected(&'a Try, Location),
    Not(Rc<Condition<'a>>, Location),
    And(Pair<'a>, Location),
    Or(Pair<'a>, Location),
}

/// Two conditions, and how deep they are.
pub struct Pair<'a> {
    first: Rc<Condition<'a>>,
    second: Rc<Condition<'a>>,
    depth: u32,
}

/// Deeper conditions are computed step by step.
const DEPTH: u32 = 500;

impl<'a> Condition<'a> {
    fn not(self: Rc<Self>, at: Location) -> Rc<Condition<'a>> {
        match &*self {
            Condition::Not(inner, _) => Rc::clone(inner),
            Condition::Known(value) => Rc::new(Condition::Known(!value)),
            _ => Rc::new(Condition::Not(self, at)),
        }
    }

    fn depth(&self) -> u32 {
        match self {
            Condition::Not(inner, _) => inner.depth(),
            Condition::And(pair, _) | Condition::Or(pair, _) => pair.depth,
            Condition::Known(_) | Condition::Value(_) | Condition::Call { .. } | Condition::Protected(..) => 0,
        }
    }
}

/// Returns true if a test cannot raise on these arguments.
fn is_total(operation: &Operation, args: &[Value]) -> bool {
    let size = |value: &Value| value.literal().and_then(Term::as_i64).is_some_and(|size| (0..=255).contains(&size));
    let tag = |value: &Value| value.literal().is_some_and(|tag| tag.as_atom().is_some());
    match (operation.rule, args) {
        (Rule::IsFunction, [_, arity]) => size(arity),
        (Rule::IsRecord, [_, name]) => tag(name),
        (Rule::IsRecord, [_, name, arity]) => tag(name) && size(arity),
        _ => operation.gives == Gives::Boolean && operation.returns == Returns::Always,
    }
}

/// Returns the operation of the `erlang` module that an action calls, if it calls one, and the arguments.
pub fn erlang_call(action: &Action) -> Option<(&'static Operation, &[Value])> {
    let Action::Call { args, .. } = action else { return None };
    Some((ops::find(erlang_function(action)?)?, args))
}

/// Returns the function of the `erlang` module that an action calls.
pub fn erlang_function(action: &Action) -> Option<Mfa> {
    action.named().filter(|function| function.module == known::ERLANG)
}

impl<'a> Lowering<'_, 'a> {
    /// Leaves a step for later whose value is a condition that at most one place looks at.
    pub fn keep_condition(&mut self, step: &'a LetStep) -> bool {
        let [var] = step.binds[..] else { return false };
        if self.lifting.uses(var) > 1 {
            return false;
        }
        let Some(condition) = self.condition(&step.action) else { return false };
        self.bindings.insert(var, Binding::Condition(condition));
        true
    }

    /// The condition that an action computes, if it is one.
    pub fn condition(&mut self, action: &'a Action) -> Option<Rc<Condition<'a>>> {
        if let Action::Try(part) = action {
            return self.protected_condition(part);
        }
        let (operation, args) = erlang_call(action)?;
        let at = self.at;
        match (operation.rule, args) {
            (Rule::Boolean(Boolean::Not), [arg]) => Some(self.condition_of(arg)?.not(at)),
            (Rule::Boolean(Boolean::And), [a, b]) => Some(Rc::new(Condition::And(self.pair(a, b)?, at))),
            (Rule::Boolean(Boolean::Or), [a, b]) => Some(Rc::new(Condition::Or(self.pair(a, b)?, at))),
            (Rule::Relation(Relation::Same | Relation::Equal), [a, b]) => {
                self.truth(a, b).or_else(|| self.call_condition(operation, args))
            }
            _ => self.call_condition(operation, args),
        }
    }

    fn pair(&mut self, a: &Value, b: &Value) -> Option<Pair<'a>> {
        let (first, second) = (self.condition_of(a)?, self.condition_of(b)?);
        let depth = first.depth().max(second.depth()) + 1;
        (depth < DEPTH).then_some(Pair { first, second, depth })
    }

    fn call_condition(&mut self, operation: &'static Operation, args: &[Value]) -> Option<Rc<Condition<'a>>> {
        let total = is_total(operation, args);
        total.then(|| Rc::new(Condition::Call { operation, args: self.operands(args), at: self.at }))
    }

    /// `Condition =:= true` is the condition itself, `Condition =:= false` its opposite.
    fn truth(&self, a: &Value, b: &Value) -> Option<Rc<Condition<'a>>> {
        let Value::Var(var) = a else { return None };
        let Some(Binding::Condition(condition)) = self.bindings.get(var) else { return None };
        match b.literal()?.as_bool()? {
            true => Some(Rc::clone(condition)),
            false => Some(Rc::clone(condition).not(self.at)),
        }
    }

    /// A `try` around steps that cannot raise is what it protects. One that can is left for later too if it is part of a
    /// guard: nothing there has an effect, so only the answer matters.
    fn protected_condition(&mut self, part: &'a Try) -> Option<Rc<Condition<'a>>> {
        if !part.passes_on() || part.body.result.len() != 1 {
            return None;
        }
        let protected = || Rc::new(Condition::Protected(part, self.at));
        let or_later = self.in_guard.then(protected).filter(|_| part.gives_boolean());
        self.unprotected_condition(part).or(or_later)
    }

    /// Nothing is emitted unless all steps are conditions.
    fn unprotected_condition(&mut self, part: &'a Try) -> Option<Rc<Condition<'a>>> {
        if !part.body.steps.iter().all(|step| simple(&step.action)) {
            return None;
        }
        for step in &part.body.steps {
            self.stand_at(step.location);
            if !self.keep_condition(step) {
                return None;
            }
        }
        self.condition_of(part.body.result.first()?)
    }

    /// The condition that a value is.
    pub fn condition_of(&mut self, value: &Value) -> Option<Rc<Condition<'a>>> {
        match value {
            Value::Literal(literal) => Some(Rc::new(Condition::Known(literal.as_bool()?))),
            Value::Var(var) => match self.bindings.get(var)? {
                Binding::Condition(condition) => Some(Rc::clone(condition)),
                Binding::Operand(operand) if self.booleans.contains(var) => {
                    Some(Rc::new(Condition::Value(operand.clone())))
                }
                Binding::Operand(_) | Binding::Function(_) => None,
            },
            _ => None,
        }
    }

    /// Goes to `yes` if the value is `true`, to `no` otherwise.
    pub fn decide(&mut self, value: &Value, yes: BlockId, no: BlockId) {
        match (self.condition_of(value), value.literal()) {
            (Some(condition), _) => self.branch(&condition, yes, no),
            (None, Some(_)) => self.builder.jump(no, self.at),
            (None, None) => {
                let operand = self.operand(value);
                self.test(Test::Literal(Term::bool(true)), [operand], [], yes, no);
            }
        }
    }

    /// One branch per elementary test. No test can fail or be seen, so one that does not matter is not made.
    pub fn branch(&mut self, condition: &Condition<'a>, yes: BlockId, no: BlockId) {
        term::deeper(|| match condition {
            Condition::Known(value) => self.builder.jump(if *value { yes } else { no }, self.at),
            Condition::Value(operand) => {
                self.test(Test::Literal(Term::bool(true)), [operand.clone()], [], yes, no);
            }
            Condition::Call { operation, args, at } => {
                let before = std::mem::replace(&mut self.at, *at);
                self.branch_call(operation, args, yes, no);
                self.at = before;
            }
            Condition::Protected(part, at) => {
                let before = std::mem::replace(&mut self.at, *at);
                self.protect(part, None, &Place::Branch { yes, no });
                self.at = before;
            }
            Condition::Not(inner, _) => self.branch(inner, no, yes),
            Condition::And(Pair { first, second, .. }, _) => {
                let then = self.builder.block(self.handler);
                self.branch(first, then, no);
                self.builder.start(then);
                self.branch(second, yes, no);
            }
            Condition::Or(Pair { first, second, .. }, _) => {
                let otherwise = self.builder.block(self.handler);
                self.branch(first, yes, otherwise);
                self.builder.start(otherwise);
                self.branch(second, yes, no);
            }
        });
    }

    fn branch_call(&mut self, operation: &Operation, args: &[Operand], yes: BlockId, no: BlockId) {
        match (operation.rule, args) {
            (Rule::Relation(Relation::Same), [a, b]) => self.branch_same(a, b, yes, no),
            (Rule::Relation(Relation::NotSame), [a, b]) => self.branch_same(a, b, no, yes),
            (Rule::Relation(Relation::Equal), [a, b]) if exact(a) || exact(b) => self.branch_same(a, b, yes, no),
            (Rule::Relation(Relation::NotEqual), [a, b]) if exact(a) || exact(b) => self.branch_same(a, b, no, yes),
            (Rule::IsRecord, [value, Operand::Literal(tag), Operand::Literal(Term::Int(_, size))]) => {
                self.branch_record(value, tag, *size as u32, yes, no);
            }
            _ => self.test(Test::Predicate(operation.mfa()), args.iter().cloned(), [], yes, no),
        }
    }

    fn branch_same(&mut self, a: &Operand, b: &Operand, yes: BlockId, no: BlockId) {
        match (a, b) {
            (value, Operand::Literal(literal)) | (Operand::Literal(literal), value) => {
                self.test(Test::Literal(literal.clone()), [value.clone()], [], yes, no);
            }
            _ => self.test(Test::Same, [a.clone(), b.clone()], [], yes, no),
        }
    }

    fn branch_record(&mut self, value: &Operand, tag: &Term, size: u32, yes: BlockId, no: BlockId) {
        if size == 0 {
            return self.builder.jump(no, self.at);
        }
        let first = self.builder.register();
        let then = self.builder.block(self.handler);
        let outs = (0..size).map(|at| (at == 0).then_some(first));
        self.test(Test::Tuple(size), [value.clone()], outs, then, no);
        self.builder.start(then);
        self.test(Test::Literal(tag.clone()), [first.into()], [], yes, no);
    }

    /// The condition as a value.
    pub fn compute(&mut self, condition: &Condition<'a>, to: Reg) {
        let (function, args, at) = match condition {
            Condition::Known(value) => return self.copy(to, Operand::Literal(Term::bool(*value))),
            Condition::Value(operand) => return self.copy(to, operand.clone()),
            Condition::Call { operation, args, at } => (operation.mfa(), args.clone(), *at),
            Condition::Protected(part, _) => {
                return self.joined(&Place::values([Some(to)], None), |this, place| this.protect(part, None, place));
            }
            Condition::Not(inner, at) => (Rule::Boolean(Boolean::Not).function(1), vec![self.computed(inner)], *at),
            Condition::And(pair, at) => (Rule::Boolean(Boolean::And).function(2), self.computed_pair(pair), *at),
            Condition::Or(pair, at) => (Rule::Boolean(Boolean::Or).function(2), self.computed_pair(pair), *at),
        };
        let callee = Callee::Remote { module: atom(function.module), function: atom(function.function) };
        self.builder.push(Op::Call { to, callee, args }, at);
    }

    fn computed_pair(&mut self, pair: &Pair<'a>) -> Vec<Operand> {
        vec![self.computed(&pair.first), self.computed(&pair.second)]
    }

    fn computed(&mut self, condition: &Condition<'a>) -> Operand {
        let to = self.builder.register();
        term::deeper(|| self.compute(condition, to));
        to.into()
    }

    /// Copies an operand to a register.
    pub fn copy(&mut self, to: Reg, from: Operand) {
        self.builder.push(Op::Copy { to, from }, self.at);
    }
}

/// True if all arguments are operands already, so that nothing needs to be built.
fn simple(action: &Action) -> bool {
    let plain = |value: &Value| matches!(value, Value::Var(_) | Value::Literal(_));
    erlang_call(action).is_some_and(|(_, args)| args.iter().all(plain))
}

/// True if only this very literal is equal to it: no number is involved.
fn exact(operand: &Operand) -> bool {
    matches!(operand, Operand::Literal(Term::Atom(..) | Term::Nil(_) | Term::Bits(..)))
}

/// Returns the test of a value's type.
pub fn type_test(wanted: Type) -> Test {
    Test::Predicate(Rule::Type(wanted).function(1))
}

/// The operand of an atom.
pub fn atom(atom: Atom) -> Operand {
    Operand::Literal(Term::atom(atom))
}
