//! The syntax of flat programs.
//!
//! A body is a row of `let` steps and a result. What a step computes is an [`Action`]; its arguments are [`Value`]s,
//! which cannot fail: variables, literals, and conses and tuples of values. A call is a tail call when it is the last
//! step of a function's body and its variable is the result.

use ir::{Location, PairKind};
use term::{Atom, Term};

pub use crate::core::{Format, Name};

pub struct Module {
    pub name: Atom,
    pub exports: Vec<(Atom, u8)>,
    /// As in the source: names and values, specs and types among them.
    pub attributes: Vec<(Term, Term)>,
    pub functions: Vec<Function>,
    /// Source files that locations refer to; the module's own first.
    pub files: Vec<String>,
}

pub struct Function {
    pub name: Atom,
    pub arity: u8,
    pub lambda: Lambda,
    /// The variables of this function: unique names to print, indexed by [`Var`].
    pub names: Vec<String>,
}

/// A variable, unique in its function, closures and local functions inside it included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

#[derive(Clone)]
pub struct Lambda {
    pub params: Vec<Var>,
    pub body: Body,
    pub location: Location,
    /// The name that the compiler chose for a fun, named funs among the local functions included.
    pub lifted: Option<Atom>,
}

/// `let … in let … in <result>`. As many values as the place needs: several for `let <X, Y> = case …`.
pub struct Body {
    pub steps: Vec<Step>,
    pub result: Vec<Value>,
}

/// `let <binds> = action`. No binds and an ignored value: `do action`. An action that never returns, such as
/// `match_fail`, may have any number of binds.
#[derive(Clone)]
pub struct Step {
    pub binds: Vec<Var>,
    pub action: Action,
    pub location: Location,
}

#[derive(Clone, PartialEq)]
pub enum Value {
    Var(Var),
    Literal(Term),
    Cons(Box<(Value, Value)>),
    Tuple(Vec<Value>),
    /// A function of the module, or of a surrounding `letrec`, as a fun value.
    Function(Name),
}

#[derive(Clone)]
pub enum Action {
    /// Values that are just given names.
    Values(Vec<Value>),
    /// A body of its own, for `let <p> = (let … in …)`.
    Block(Body),
    Apply {
        function: Callee,
        args: Vec<Value>,
    },
    Call {
        module: Value,
        function: Value,
        args: Vec<Value>,
    },
    Primop {
        name: Atom,
        args: Vec<Value>,
    },
    Case(Case),
    Fun(Fun),
    Letrec(Letrec),
    Try(Box<Try>),
    Catch(Body),
    Map {
        base: Value,
        pairs: Vec<(PairKind, Value, Value)>,
    },
    Bits(Vec<Segment>),
    /// The line-coverage event of the extraction.
    Line(u32),
}

#[derive(Clone)]
pub enum Callee {
    /// A function of the module or of a surrounding `letrec`.
    Local(Name),
    Value(Value),
}

#[derive(Clone)]
pub struct Case {
    pub args: Vec<Value>,
    pub clauses: Vec<Clause>,
}

#[derive(Clone)]
pub struct Clause {
    pub patterns: Vec<Pattern>,
    /// One value, `true` or `false`; an exception in it means `false`. Holds only what a guard may.
    pub guard: Body,
    pub body: Body,
    pub location: Location,
    /// Made by the compiler, not written in the source.
    pub generated: bool,
}

#[derive(Clone, PartialEq)]
pub enum Pattern {
    Var(Var),
    Literal(Term),
    Cons(Box<(Pattern, Pattern)>),
    Tuple(Vec<Pattern>),
    /// Keys are values bound before the pattern.
    Map(Vec<(Value, Pattern)>),
    Bits(Vec<SegmentPattern>),
    Alias(Var, Box<Pattern>),
}

/// A segment of a bitstring pattern; its size may use a variable bound by an earlier segment.
#[derive(Clone, PartialEq)]
pub struct SegmentPattern {
    pub pattern: Pattern,
    pub size: Value,
    pub format: Format,
}

/// A segment of a bitstring under construction.
#[derive(Clone)]
pub struct Segment {
    pub value: Value,
    pub size: Value,
    pub format: Format,
}

#[derive(Clone)]
pub struct Fun {
    pub lambda: Lambda,
    /// The name the VM gives the lifted function, such as `'-main/1-fun-0-'`.
    pub name: Atom,
}

#[derive(Clone)]
pub struct Letrec {
    pub functions: Vec<(Name, Lambda)>,
    pub body: Body,
    /// Every use is a tail call inside `body` or the functions: labels, not functions.
    pub goto: bool,
}

#[derive(Clone)]
pub struct Try {
    pub body: Body,
    pub vars: Vec<Var>,
    pub ok: Body,
    /// Class, reason, raw stack.
    pub caught: Vec<Var>,
    pub handler: Body,
}

impl Step {
    /// Whether the step's values are all the values of the body that it ends.
    pub fn is_result(&self, result: &[Value]) -> bool {
        let same = |(bind, value): (&Var, &Value)| matches!(value, Value::Var(var) if var == bind);
        !self.binds.is_empty() && self.binds.len() == result.len() && self.binds.iter().zip(result).all(same)
    }
}

impl Action {
    /// Whether it has no value at all: only then does a step without binds not throw a value away.
    pub fn has_no_value(&self) -> bool {
        match self {
            Action::Case(case) => case.clauses.first().is_some_and(|clause| clause.body.result.is_empty()),
            Action::Letrec(letrec) => letrec.body.result.is_empty(),
            Action::Try(attempt) => attempt.ok.result.is_empty(),
            Action::Block(body) => body.result.is_empty(),
            Action::Values(values) => values.is_empty(),
            _ => false,
        }
    }
}
