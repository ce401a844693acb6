//! Elementary conditions: what a run can ask about its inputs.

use serde::{Deserialize, Serialize};

use crate::Expr;

/// A test of expressions and the answer it had, or is to have.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Condition {
    pub test: Test,
    pub holds: bool,
}

/// A yes-or-no question about expressions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Test {
    /// Is it a list cell?
    Cons(Expr),
    /// Is it a tuple of that size?
    Tuple(Expr, u32),
    Type(Expr, Type),
    /// Is it a fun of that many arguments?
    Arity(Expr, u8),
    /// Has the first, which is a map, the second as a key?
    HasKey(Expr, Expr),
    /// Exactly equal, `=:=`; with a constant on the right this is also the test for an atom, `[]`, an integer.
    Same(Expr, Expr),
    /// Equal as `==` has it.
    Equal(Expr, Expr),
    /// Before in the order of all terms, `<`.
    Less(Expr, Expr),
    /// Has the operation a result? Its arguments have values.
    Defined(Expr),
}

/// The types that a test asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Type {
    Atom,
    Boolean,
    Integer,
    Float,
    Number,
    /// A list cell or `[]`.
    List,
    /// A list that ends in `[]`.
    ProperList,
    /// A list of characters that ends in `[]`.
    Text,
    /// A list of more cells than that, so many of which hold characters: longer than a text may be, however it ends.
    LongText(u8),
    Tuple,
    Map,
    Binary,
    Bitstring,
    Function,
    Pid,
    Port,
    Reference,
}

impl Condition {
    /// Returns the same test with the other answer.
    pub fn negated(&self) -> Condition {
        Condition { test: self.test, holds: !self.holds }
    }
}

impl Test {
    /// The same question about other expressions, if there are such.
    pub(crate) fn moved(&self, mut to: impl FnMut(Expr) -> Option<Expr>) -> Option<Test> {
        Some(match *self {
            Test::Cons(x) => Test::Cons(to(x)?),
            Test::Tuple(x, size) => Test::Tuple(to(x)?, size),
            Test::Type(x, kind) => Test::Type(to(x)?, kind),
            Test::Arity(x, arity) => Test::Arity(to(x)?, arity),
            Test::Same(a, b) => Test::Same(to(a)?, to(b)?),
            Test::Equal(a, b) => Test::Equal(to(a)?, to(b)?),
            Test::Less(a, b) => Test::Less(to(a)?, to(b)?),
            Test::HasKey(map, key) => Test::HasKey(to(map)?, to(key)?),
            Test::Defined(x) => Test::Defined(to(x)?),
        })
    }

    /// The expressions it asks about.
    pub fn exprs(&self) -> impl Iterator<Item = Expr> {
        let (first, second) = match *self {
            Test::Cons(x) | Test::Tuple(x, _) | Test::Type(x, _) | Test::Arity(x, _) | Test::Defined(x) => (x, None),
            Test::Same(a, b) | Test::Equal(a, b) | Test::Less(a, b) | Test::HasKey(a, b) => (a, Some(b)),
        };
        std::iter::once(first).chain(second)
    }
}
