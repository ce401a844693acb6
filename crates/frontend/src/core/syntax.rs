//! The syntax of Core Erlang functions.
//!
//! Expressions live in one table per function and refer to each other by [`Id`]: bodies are nested thousands deep, and
//! a table is freed without recursion.

use ir::{Location, PairKind, SegmentKind};
use term::{Atom, Term};

/// A function's name and arity, as `'f'/1` has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name {
    /// Its name.
    pub function: Atom,
    /// The number of parameters.
    pub arity: u8,
}

/// One function of a module.
pub struct Function {
    /// The function's name.
    pub name: Name,
    /// Its parameters and body.
    pub fun: Fun,
    /// Its source place.
    pub location: Location,
    /// All nodes of the function.
    pub nodes: Vec<LocatedExpr>,
}

/// An expression of one function, by its place in [`Function::nodes`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Id(pub(crate) u32);

/// An expression with its source place.
pub struct LocatedExpr {
    /// The expression.
    pub expr: Expr,
    /// Its source place.
    pub location: Location,
}

/// The compiler numbers the variables it makes up, and names the others as the source does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variable {
    Number(i64),
    Named(Atom),
}

/// Parameters and a body.
pub struct Fun {
    /// The parameters.
    pub params: Vec<Variable>,
    /// The body.
    pub body: Id,
    /// The name of the lifted function, where the compiler has chosen one.
    pub lifted: Option<Atom>,
}

/// An expression of Core Erlang.
pub enum Expr {
    Literal(Term),
    Variable(Variable),
    Function(Name),
    Cons {
        head: Id,
        tail: Id,
    },
    Tuple(Vec<Id>),
    Map {
        base: Id,
        pairs: Vec<Pair>,
    },
    Binary(Vec<Segment>),
    Values(Vec<Id>),
    Let {
        vars: Vec<Variable>,
        arg: Id,
        body: Id,
    },
    Seq {
        first: Id,
        then: Id,
    },
    Letrec {
        functions: Vec<(Name, Fun, Location)>,
        body: Id,
        goto: bool,
    },
    Fun(Fun),
    Apply {
        function: Id,
        args: Vec<Id>,
    },
    Call {
        module: Id,
        function: Id,
        args: Vec<Id>,
    },
    Primop {
        name: Atom,
        args: Vec<Id>,
    },
    Case {
        arg: Id,
        clauses: Vec<Clause>,
    },
    Try {
        arg: Id,
        vars: Vec<Variable>,
        body: Id,
        caught: Vec<Variable>,
        handler: Id,
    },
    Catch(Id),
    /// The form before OTP 24; since then `receive` is made of primitive operations.
    Receive {
        clauses: Vec<Clause>,
        timeout: Id,
        action: Id,
    },
}

/// A pair of a map expression.
pub struct Pair {
    /// `=>` or `:=`.
    pub kind: PairKind,
    /// The key.
    pub key: Id,
    /// The value.
    pub value: Id,
}

/// A segment of a bitstring under construction.
pub struct Segment {
    /// The value of the segment.
    pub value: Id,
    /// Its size in units.
    pub size: Id,
    /// Its format.
    pub format: Format,
}

/// The layout of a segment. `unit` is 1 for the `utf*` kinds, which have none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// The type of the value.
    pub kind: SegmentKind,
    /// Bits of one unit of its size.
    pub unit: u16,
    /// Integers are signed.
    pub signed: bool,
    /// The least significant byte comes first.
    pub little: bool,
}

/// A clause of a case.
pub struct Clause {
    /// Its patterns.
    pub patterns: Vec<Pattern>,
    /// Its guard.
    pub guard: Id,
    /// Its body.
    pub body: Id,
    /// Its source place.
    pub location: Location,
    /// Made by the compiler, not written in the source.
    pub generated: bool,
}

/// Keys and sizes are expressions, and see other variables than the pattern binds: see the flattening.
pub enum Pattern {
    Variable(Variable),
    Literal(Term),
    Cons(Box<(Pattern, Pattern)>),
    Tuple(Vec<Pattern>),
    Map(Vec<(Id, Pattern)>),
    Binary(Vec<SegmentPattern>),
    Alias(Variable, Box<Pattern>),
}

/// A segment of a bitstring pattern.
pub struct SegmentPattern {
    /// The pattern of the value.
    pub pattern: Pattern,
    /// Its size in units.
    pub size: Id,
    /// Its format.
    pub format: Format,
}

impl Function {
    /// The node with that number.
    pub fn node(&self, id: Id) -> &LocatedExpr {
        &self.nodes[id.0 as usize]
    }
}
