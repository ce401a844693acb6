//! The syntax of flat programs.
//!
//! A body is a row of `let` steps and a result. What a step computes is an [`Action`]; its arguments are [`Value`]s,
//! which cannot fail: variables, literals, and conses and tuples of values. A call is a tail call when it is the last
//! step of a function's body and its variable is the result.

use ir::{Location, PairKind, Primitive, SegmentFormat};
use term::{Atom, Term};

pub use crate::core::Name;

/// A module as a flat program.
pub struct Module {
    /// Its name.
    pub name: Atom,
    /// Its exported functions.
    pub exports: Vec<(Atom, u8)>,
    /// As in the source: names and values, specs and types among them.
    pub attributes: Vec<(Term, Term)>,
    /// Its functions.
    pub functions: Vec<Function>,
    /// Source files that locations refer to; the module's own first.
    pub files: Vec<String>,
}

/// A function as a flat program.
pub struct Function {
    /// Its name.
    pub name: Atom,
    /// The number of parameters.
    pub arity: u8,
    /// Its parameters and body.
    pub lambda: Lambda,
    /// The variables of this function: unique names to print, indexed by [`Var`].
    pub names: Vec<String>,
}

/// A variable, unique in its function, closures and local functions inside it included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

/// Parameters and a body.
#[derive(Clone)]
pub struct Lambda {
    /// The parameters.
    pub params: Vec<Var>,
    /// The body.
    pub body: Body,
    /// Its source place.
    pub location: Location,
    /// The name that the compiler chose for a fun, named funs among the local functions included.
    pub lifted: Option<Atom>,
}

/// `let … in let … in <result>`. As many values as the place needs: several for `let <X, Y> = case …`.
pub struct Body {
    /// The steps in order.
    pub steps: Vec<LetStep>,
    /// The values of the body.
    pub result: Vec<Value>,
}

/// `let <binds> = action`. No binds and an ignored value: `do action`. An action that never returns, such as
/// `match_fail`, may have any number of binds.
#[derive(Clone)]
pub struct LetStep {
    /// The variables that get its values.
    pub binds: Vec<Var>,
    /// The action.
    pub action: Action,
    /// Its source place.
    pub location: Location,
}

/// A value that cannot fail.
#[derive(Clone, PartialEq)]
pub enum Value {
    Var(Var),
    Literal(Term),
    Cons(Box<(Value, Value)>),
    Tuple(Vec<Value>),
    /// A function of the module, or of a surrounding `letrec`, as a fun value.
    Function(Name),
}

/// The right side of a `let`.
#[derive(Clone)]
pub enum Action {
    /// Values that are just given names.
    Values(Vec<Value>),
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
        op: Primitive,
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

/// The function of a call.
#[derive(Clone)]
pub enum Callee {
    /// A function of the module or of a surrounding `letrec`.
    Local(Name),
    Value(Value),
}

/// A case of several values.
#[derive(Clone)]
pub struct Case {
    /// The values.
    pub args: Vec<Value>,
    /// The clauses in order.
    pub clauses: Vec<Clause>,
}

/// A clause of a case.
#[derive(Clone)]
pub struct Clause {
    /// Its patterns, one for each value.
    pub patterns: Vec<Pattern>,
    /// One value, `true` or `false`; an exception in it means `false`. Holds only what a guard may.
    pub guard: Body,
    /// Its body.
    pub body: Body,
    /// Its source place.
    pub location: Location,
    /// Made by the compiler, not written in the source.
    pub generated: bool,
}

/// A pattern.
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
    /// The pattern of the value.
    pub pattern: Pattern,
    /// Its size in units.
    pub size: Value,
    /// Its format.
    pub format: SegmentFormat,
}

/// A segment of a bitstring under construction.
#[derive(Clone)]
pub struct Segment {
    /// The value of the segment.
    pub value: Value,
    /// Its size in units.
    pub size: Value,
    /// Its format.
    pub format: SegmentFormat,
}

/// A `fun` expression.
#[derive(Clone)]
pub struct Fun {
    /// Its parameters and body.
    pub lambda: Lambda,
    /// The name the VM gives the lifted function, such as `'-main/1-fun-0-'`.
    pub name: Atom,
}

/// Local functions and a body that uses them.
#[derive(Clone)]
pub struct Letrec {
    /// The functions.
    pub functions: Vec<(Name, Lambda)>,
    /// The body.
    pub body: Body,
    /// Every use is a tail call inside `body` or the functions: labels, not functions.
    pub goto: bool,
}

/// A protected body.
#[derive(Clone)]
pub struct Try {
    /// The protected part.
    pub body: Body,
    /// The variables that get its values.
    pub vars: Vec<Var>,
    /// The part after it, unprotected.
    pub ok: Body,
    /// Class, reason, raw stack.
    pub caught: Vec<Var>,
    /// The handler.
    pub handler: Body,
}
