//! A call with its arguments, and how a call can end.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Atom, Term, known};

/// A function's full name: `lists:sort/1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mfa {
    pub module: Atom,
    pub function: Atom,
    pub arity: u8,
}

/// A function and the arguments to call it with.
#[derive(Clone, Serialize, Deserialize)]
pub struct Call {
    pub module: Atom,
    pub function: Atom,
    pub args: Vec<Term>,
}

/// The three kinds of exception.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Class {
    Error,
    Exit,
    Throw,
}

/// An exception that unwinds the stack.
#[derive(Clone, Serialize, Deserialize)]
pub struct Exception {
    /// `error`, `exit` or `throw`.
    pub class: Class,
    /// Any term.
    pub reason: Term,
    /// The stack trace as Erlang shows it: a list of `{M, F, ArityOrArgs, Location}`.
    pub stack: Term,
}

/// The outcome of a call.
#[derive(Clone)]
pub enum Outcome {
    Value(Term),
    Raised(Exception),
}

impl Call {
    /// The function that is called.
    pub fn mfa(&self) -> Mfa {
        Mfa { module: self.module, function: self.function, arity: self.args.len() as u8 }
    }
}

impl Class {
    /// Its name as an atom.
    pub fn atom(self) -> Atom {
        match self {
            Class::Error => known::ERROR,
            Class::Exit => known::EXIT,
            Class::Throw => known::THROW,
        }
    }

    /// The class of that name.
    pub fn from_atom(atom: Atom) -> Option<Class> {
        match atom {
            known::ERROR => Some(Class::Error),
            known::EXIT => Some(Class::Exit),
            known::THROW => Some(Class::Throw),
            _ => None,
        }
    }
}

impl Exception {
    /// An exception of class `error` without a stack.
    pub fn error(reason: Term) -> Exception {
        Exception { class: Class::Error, reason, stack: Term::nil() }
    }

    /// `error:badarg`.
    pub fn badarg() -> Exception {
        Exception::error(Term::atom(known::BADARG))
    }

    /// `error:badarith`.
    pub fn badarith() -> Exception {
        Exception::error(Term::atom(known::BADARITH))
    }

    /// `error:system_limit`.
    pub fn system_limit() -> Exception {
        Exception::error(Term::atom(known::SYSTEM_LIMIT))
    }

    /// `error:{Tag, Value}`, such as `{badmatch, V}`.
    pub fn tagged(tag: Atom, value: Term) -> Exception {
        Exception::error(Term::tuple([Term::atom(tag), value]))
    }
}

impl fmt::Debug for Mfa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
