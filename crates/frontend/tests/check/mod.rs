//! Checks that a flat program is one.
//!
//! - A variable is bound once in its function, and its printed name is no other's.
//! - Variables and local functions are used only where they are bound; calls have the callee's number of arguments.
//! - A body has as many values as its place needs, a case as many patterns as arguments.
//! - A label, a function of a `letrec` with `goto`, is only called, and only as the last step of a path out of it.
//! - A guard holds only what a guard may: see [`guard`].
//! - Literals are such that text can say them.

mod action;
mod guard;
mod value;

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use frontend::flat::{Body, Function, Lambda, LetStep, Module, Name, Var};

/// A rule that a function breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// The function.
    pub function: Name,
    /// The source line, 0 if unknown.
    pub line: u32,
    /// The problem, in words.
    pub problem: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}: line {}: {}", self.function.function.name(), self.function.arity, self.line, self.problem)
    }
}

/// The flaws of a module; none if it is right.
pub fn check(module: &Module) -> Vec<Flaw> {
    let names = module.functions.iter().map(|function| Name { function: function.name, arity: function.arity });
    let names: FxHashSet<Name> = names.collect();
    module.functions.iter().flat_map(|function| check_function(function, &names)).collect()
}

/// The flaws of one function of a module that has functions of these names.
fn check_function(function: &Function, module: &FxHashSet<Name>) -> Vec<Flaw> {
    let mut checker = Checker {
        name: Name { function: function.name, arity: function.arity },
        variables: vec![State::Unbound; function.names.len()],
        locals: FxHashMap::default(),
        module,
        line: function.lambda.location.line,
        flaws: Vec::new(),
    };
    checker.printed_names(&function.names);
    if function.lambda.params.len() != usize::from(function.arity) {
        checker.flaw("the parameters are not as many as the arity");
    }
    checker.lambda(&function.lambda, 1, &Labels::default());
    checker.flaws
}

/// The state of a variable: unbound, in scope, or gone out of it.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Unbound,
    Bound,
    Gone,
}

/// The labels that a last step may jump to.
type Labels = FxHashSet<Name>;

struct Checker<'a> {
    name: Name,
    variables: Vec<State>,
    /// Functions of `letrec`s; whether each is in scope now, and whether it is a label.
    locals: FxHashMap<Name, Local>,
    module: &'a FxHashSet<Name>,
    line: u32,
    flaws: Vec<Flaw>,
}

struct Local {
    in_scope: bool,
    label: bool,
}

impl Checker<'_> {
    fn flaw(&mut self, problem: impl Into<String>) {
        self.flaws.push(Flaw { function: self.name, line: self.line, problem: problem.into() });
    }

    fn printed_names(&mut self, names: &[String]) {
        let mut seen = FxHashSet::default();
        for name in names {
            if !seen.insert(name) {
                self.flaw(format!("two variables print as {name}"));
            }
        }
    }

    fn bind(&mut self, vars: &[Var]) {
        for var in vars {
            match self.variables.get_mut(var.0 as usize) {
                Some(state @ State::Unbound) => *state = State::Bound,
                Some(_) => self.flaw(format!("variable {} is bound a second time", var.0)),
                None => self.flaw(format!("variable {} has no name", var.0)),
            }
        }
    }

    fn leave(&mut self, vars: &[Var]) {
        for var in vars {
            if let Some(state) = self.variables.get_mut(var.0 as usize) {
                *state = State::Gone;
            }
        }
    }

    fn lambda(&mut self, lambda: &Lambda, count: usize, labels: &Labels) {
        self.bind(&lambda.params);
        self.body(&lambda.body, count, labels);
        self.leave(&lambda.params);
    }

    /// `count`: how many values the body should have.
    fn body(&mut self, body: &Body, count: usize, labels: &Labels) {
        term::deeper(|| self.open_body(body, count, labels));
    }

    fn open_body(&mut self, body: &Body, count: usize, labels: &Labels) {
        for (at, step) in body.steps.iter().enumerate() {
            let last = at + 1 == body.steps.len() && step.is_result(&body.result);
            let none = Labels::default();
            self.step(step, if last { labels } else { &none });
        }
        body.result.iter().for_each(|value| self.value(value));
        if body.result.len() != count {
            self.flaw(format!("a body has {} values where {count} are needed", body.result.len()));
        }
        body.steps.iter().for_each(|step| self.leave(&step.binds));
    }

    fn step(&mut self, step: &LetStep, labels: &Labels) {
        if step.location.is_known() {
            self.line = step.location.line;
        }
        self.action(step, labels);
        self.bind(&step.binds);
    }
}
