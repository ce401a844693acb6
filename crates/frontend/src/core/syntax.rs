//! The syntax of Core Erlang functions.
//!
//! Expressions live in one table per function and refer to each other by [`Id`]: bodies are nested thousands deep, and
//! a table is freed without recursion.

use ir::{Location, PairKind, SegmentKind};
use term::{Atom, Term};

/// A function's name and arity, as `'f'/1` has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name {
    pub function: Atom,
    pub arity: u8,
}

/// One function of a module.
pub struct Function {
    pub name: Name,
    pub fun: Fun,
    pub location: Location,
    pub nodes: Vec<Node>,
}

/// An expression of one function, by its place in [`Function::nodes`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Id(pub(crate) u32);

pub struct Node {
    pub expr: Expr,
    pub location: Location,
}

/// The compiler numbers the variables it makes up, and names the others as the source does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variable {
    Number(i64),
    Named(Atom),
}

pub struct Fun {
    pub params: Vec<Variable>,
    pub body: Id,
    /// The name of the lifted function, where the compiler has chosen one.
    pub lifted: Option<Atom>,
}

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

pub struct Pair {
    pub kind: PairKind,
    pub key: Id,
    pub value: Id,
}

/// A segment of a bitstring under construction.
pub struct Segment {
    pub value: Id,
    pub size: Id,
    pub format: Format,
}

/// How a segment is laid out. `unit` is 1 for the `utf*` kinds, which have none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    pub kind: SegmentKind,
    pub unit: u16,
    pub signed: bool,
    pub little: bool,
}

pub struct Clause {
    pub patterns: Vec<Pattern>,
    pub guard: Id,
    pub body: Id,
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

pub struct SegmentPattern {
    pub pattern: Pattern,
    pub size: Id,
    pub format: Format,
}

impl Function {
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id.0 as usize]
    }
}
