//! Conditions: booleans that cannot fail, computed where they decide something rather than where they are bound.

use std::rc::Rc;

use ir::{BlockId, Callee, Location, Op, Operand, Reg, Test};
use term::{Atom, Mfa, Term, known};

use super::place::Place;
use super::value::literal;
use super::{Binding, Lowering};
use crate::flat::{Action, Step, Try, Value};

/// A condition of a guard.
pub enum Condition<'a> {
    Known(bool),
    /// A value that is surely `true` or `false`.
    Value(Operand),
    /// A test of the `erlang` module that cannot fail on these arguments.
    Call {
        name: &'static str,
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

/// Tests of the `erlang` module that never raise, whatever their arguments.
const TOTAL: &[(&str, usize)] = &[
    ("is_atom", 1),
    ("is_binary", 1),
    ("is_bitstring", 1),
    ("is_boolean", 1),
    ("is_float", 1),
    ("is_function", 1),
    ("is_integer", 1),
    ("is_list", 1),
    ("is_map", 1),
    ("is_number", 1),
    ("is_pid", 1),
    ("is_port", 1),
    ("is_reference", 1),
    ("is_tuple", 1),
    ("<", 2),
    (">", 2),
    ("=<", 2),
    (">=", 2),
    ("==", 2),
    ("/=", 2),
    ("=:=", 2),
    ("=/=", 2),
];

/// The name of a test that cannot raise on these arguments.
fn total(name: &str, args: &[Value]) -> Option<&'static str> {
    let always = TOTAL.iter().find(|(known, arity)| *known == name && *arity == args.len());
    if let Some((name, _)) = always {
        return Some(name);
    }
    let size = |value: &Value| literal(value).and_then(Term::as_i64).is_some_and(|size| (0..=255).contains(&size));
    let tag = |value: &Value| literal(value).is_some_and(|tag| tag.as_atom().is_some());
    match (name, args) {
        ("is_function", [_, arity]) if size(arity) => Some("is_function"),
        ("is_record", [_, name]) if tag(name) => Some("is_record"),
        ("is_record", [_, name, arity]) if tag(name) && size(arity) => Some("is_record"),
        _ => None,
    }
}

/// The function's name and the arguments, if this calls a function of the `erlang` module.
pub fn erlang_call(action: &Action) -> Option<(&'static str, &[Value])> {
    let Action::Call { module, function, args } = action else { return None };
    let is_erlang = literal(module)?.as_atom()? == known::ERLANG;
    is_erlang.then_some((literal(function)?.as_atom()?.name(), args))
}

impl<'a> Lowering<'_, 'a> {
    /// Leaves a step for later whose value is a condition that at most one place looks at.
    pub fn keep_condition(&mut self, step: &'a Step) -> bool {
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
        let (name, args) = erlang_call(action)?;
        let at = self.at;
        match (name, args) {
            ("not", [arg]) => Some(self.condition_of(arg)?.not(at)),
            ("and", [a, b]) => Some(Rc::new(Condition::And(self.pair(a, b)?, at))),
            ("or", [a, b]) => Some(Rc::new(Condition::Or(self.pair(a, b)?, at))),
            ("=:=" | "==", [a, b]) => self.truth(a, b).or_else(|| self.call_condition(name, args)),
            _ => self.call_condition(name, args),
        }
    }

    fn pair(&mut self, a: &Value, b: &Value) -> Option<Pair<'a>> {
        let (first, second) = (self.condition_of(a)?, self.condition_of(b)?);
        let depth = first.depth().max(second.depth()) + 1;
        (depth < DEPTH).then_some(Pair { first, second, depth })
    }

    fn call_condition(&mut self, name: &str, args: &[Value]) -> Option<Rc<Condition<'a>>> {
        let name = total(name, args)?;
        Some(Rc::new(Condition::Call { name, args: self.operands(args), at: self.at }))
    }

    /// `Condition =:= true` is the condition itself, `Condition =:= false` its opposite.
    fn truth(&self, a: &Value, b: &Value) -> Option<Rc<Condition<'a>>> {
        let Value::Var(var) = a else { return None };
        let Some(Binding::Condition(condition)) = self.bindings.get(var) else { return None };
        match literal(b)?.as_bool()? {
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
        match (self.condition_of(value), literal(value)) {
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
            Condition::Call { name, args, at } => {
                let before = std::mem::replace(&mut self.at, *at);
                self.branch_call(name, args, yes, no);
                self.at = before;
            }
            Condition::Protected(part, at) => {
                let before = std::mem::replace(&mut self.at, *at);
                self.protect(part, &Place::Branch { yes, no });
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

    fn branch_call(&mut self, name: &str, args: &[Operand], yes: BlockId, no: BlockId) {
        match (name, args) {
            ("=:=", [a, b]) => self.branch_same(a, b, yes, no),
            ("=/=", [a, b]) => self.branch_same(a, b, no, yes),
            ("==", [a, b]) if exact(a) || exact(b) => self.branch_same(a, b, yes, no),
            ("/=", [a, b]) if exact(a) || exact(b) => self.branch_same(a, b, no, yes),
            ("is_record", [value, Operand::Literal(tag), Operand::Literal(Term::Int(_, size))]) => {
                self.branch_record(value, tag, *size as u32, yes, no);
            }
            _ => self.test(Test::Predicate(erlang(name, args.len())), args.iter().cloned(), [], yes, no),
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
        let (name, args, at) = match condition {
            Condition::Known(value) => return self.copy(to, Operand::Literal(Term::bool(*value))),
            Condition::Value(operand) => return self.copy(to, operand.clone()),
            Condition::Call { name, args, at } => (*name, args.clone(), *at),
            Condition::Protected(part, _) => {
                return self.joined(&Place::values([Some(to)], None), |this, place| this.protect(part, place));
            }
            Condition::Not(inner, at) => ("not", vec![self.computed(inner)], *at),
            Condition::And(pair, at) => ("and", vec![self.computed(&pair.first), self.computed(&pair.second)], *at),
            Condition::Or(pair, at) => ("or", vec![self.computed(&pair.first), self.computed(&pair.second)], *at),
        };
        let callee = Callee::Remote { module: atom(known::ERLANG), function: atom(Atom::new(name)) };
        self.builder.push(Op::Call { to, callee, args }, at);
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

/// The operand of an atom.
pub fn atom(atom: Atom) -> Operand {
    Operand::Literal(Term::atom(atom))
}

/// A function of the module `erlang`.
pub fn erlang(name: &str, arity: usize) -> Mfa {
    Mfa { module: known::ERLANG, function: Atom::new(name), arity: arity as u8 }
}
