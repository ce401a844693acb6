//! The record of an operation: everything that is known of one function of the library, and the table of all records.

use std::sync::LazyLock;

use constraint::{Op, Type};
use rustc_hash::FxHashMap;
use term::{Atom, Mfa, Term};

use crate::opaque::Guess;
use crate::policy::Policy;
use crate::{Detour, Environment, Eval, Gives, Native, Returns, Rule, tables};

/// A function of the library with everything that the engines need to know about it.
#[derive(Clone, Copy)]
pub struct Operation {
    pub module: &'static str,
    pub name: &'static str,
    pub arity: u8,
    /// Computes its value, if that is written in Rust.
    pub native: Option<Native>,
    /// Its meaning in terms of expressions and conditions; the linker chooses instructions by it, too.
    pub rule: Rule,
    /// The shape of its values.
    pub gives: Gives,
    /// When it ends with a value.
    pub returns: Returns,
    /// True if guards may call it.
    pub guard: bool,
    /// The way its value depends on the numbers of processes and references, which are others in every run of the VM.
    pub shows_handles: Option<HandleView>,
    /// Recognises arguments of which one that has no mark decides the value alone.
    pub constant: Option<fn(&[Term]) -> bool>,
    /// The module of the prelude, without its prefix, and the function there that does the same in Erlang.
    pub prelude: Option<(&'static str, &'static str)>,
    /// Hands some calls over to Erlang code.
    pub detour: Option<Detour>,
    /// Guesses arguments for a wanted value.
    pub guess: Option<Guess>,
    /// The treatment of a call that nothing above describes; nothing for a function that is written in Erlang.
    pub policy: Option<Policy>,
}

/// The facts about pids, ports and references among the arguments that a value shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandleView {
    /// Their numbers.
    Numbers,
    /// Which of two is the greater.
    Order,
    /// The order of a map's keys.
    KeyOrder,
}

impl Operation {
    const fn new(name: &'static str, arity: u8, native: Option<Native>, policy: Option<Policy>) -> Operation {
        Operation {
            module: "",
            name,
            arity,
            native,
            rule: Rule::None,
            gives: Gives::Anything,
            returns: Returns::Perhaps,
            guard: false,
            shows_handles: None,
            constant: None,
            prelude: None,
            detour: None,
            guess: None,
            policy,
        }
    }

    /// An operation written in Rust that needs nothing but its arguments.
    pub(crate) const fn pure(name: &'static str, arity: u8, rule: fn(&mut [Term]) -> Eval) -> Operation {
        Operation::new(name, arity, Some(Native::Pure(rule)), Some(Policy::Pure))
    }

    /// An operation written in Rust that may need something of the run.
    pub(crate) const fn running(
        name: &'static str,
        arity: u8,
        rule: fn(&mut dyn Environment, &mut [Term]) -> Eval,
    ) -> Operation {
        Operation::new(name, arity, Some(Native::Running(rule)), Some(Policy::Pure))
    }

    /// An operation that the machine itself or the VM does.
    pub(crate) const fn vm(name: &'static str, arity: u8, policy: Policy) -> Operation {
        Operation::new(name, arity, None, Some(policy))
    }

    /// A function written in Erlang.
    pub(crate) const fn code(name: &'static str, arity: u8) -> Operation {
        Operation::new(name, arity, None, None)
    }

    pub(crate) const fn rule(self, rule: Rule) -> Operation {
        Operation { rule, ..self }
    }

    pub(crate) const fn gives(self, gives: Gives) -> Operation {
        Operation { gives, ..self }
    }

    pub(crate) const fn returns(self, returns: Returns) -> Operation {
        Operation { returns, ..self }
    }

    pub(crate) const fn guard(self) -> Operation {
        Operation { guard: true, ..self }
    }

    pub(crate) const fn shows_handles(self, view: HandleView) -> Operation {
        Operation { shows_handles: Some(view), ..self }
    }

    pub(crate) const fn constant(self, constant: fn(&[Term]) -> bool) -> Operation {
        Operation { constant: Some(constant), ..self }
    }

    /// A test that guards may make and that cannot fail.
    pub(crate) const fn test(self) -> Operation {
        self.gives(Gives::Boolean).returns(Returns::Always).guard()
    }

    pub(crate) const fn prelude(self, module: &'static str, name: &'static str) -> Operation {
        Operation { prelude: Some((module, name)), ..self }
    }

    pub(crate) const fn detour(self, detour: Detour) -> Operation {
        Operation { detour: Some(detour), ..self }
    }

    pub(crate) const fn guess(self, guess: Guess) -> Operation {
        Operation { guess: Some(guess), ..self }
    }

    pub(crate) const fn policy(self, policy: Policy) -> Operation {
        Operation { policy: Some(policy), ..self }
    }

    /// Returns the function's name.
    pub fn mfa(&self) -> Mfa {
        Mfa { module: Atom::new(self.module), function: Atom::new(self.name), arity: self.arity }
    }

    /// Returns the calls that are samples: those of an operation that depends on nothing but its arguments in a way that
    /// no rule describes.
    pub fn sampling(&self) -> Sampling {
        let is_function = self.arity > 0 && self.rule == Rule::None && !crate::prelude::is_prelude_name(self.module);
        match self.prelude {
            _ if !is_function => Sampling::Never,
            Some(_) => Sampling::Marked,
            None => Sampling::Always,
        }
    }
}

/// Which calls of an operation are recorded as samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sampling {
    Never,
    /// Calls with symbolic arguments; the prelude does the others better.
    Marked,
    Always,
}

/// Returns the record of a size that is a term for solvers.
pub(crate) const fn size(op: Op, of: Type, rule: fn(&mut [Term]) -> Eval) -> Operation {
    Operation::pure(op.name(), 1, rule).rule(Rule::Size(op, of)).gives(Gives::Integer).guard()
}

static RECORDS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    let records = tables::ALL.into_iter().flatten();
    records.flat_map(|(module, records)| records.iter().map(move |record| Operation { module, ..*record })).collect()
});

static INDEX: LazyLock<FxHashMap<Mfa, &'static Operation>> =
    LazyLock::new(|| all().map(|operation| (operation.mfa(), operation)).collect());

/// Returns every record. Those of `erlang` come first.
pub fn all() -> impl Iterator<Item = &'static Operation> {
    RECORDS.iter()
}

/// Returns the record of a function.
pub fn find(function: Mfa) -> Option<&'static Operation> {
    INDEX.get(&function).copied()
}

/// Returns a function's meaning.
pub fn rule(function: Mfa) -> Rule {
    find(function).map_or(Rule::None, |operation| operation.rule)
}

/// Returns the concrete rule of a function, if it is written in Rust.
pub fn native(function: Mfa) -> Option<Native> {
    find(function)?.native
}
