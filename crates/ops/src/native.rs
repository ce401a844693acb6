//! The interface between the machine and the operations that are written in Rust, and the table of them.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use term::{Atom, Exception, Mfa, Term};

use crate::{Dictionary, binary, erlang, io, lists, maps, math, prelude, string, unicode};

/// What an operation gives: a value or an exception whose stack the machine fills in.
pub type Eval = Result<Term, Box<Exception>>;

/// An operation written in Rust. Arguments are the machine's own copies: an operation may take them apart and build
/// its result in place where it is the only owner.
#[derive(Clone, Copy)]
pub enum Native {
    /// Needs nothing but its arguments.
    Pure(fn(&mut [Term]) -> Eval),
    /// Needs something of the run it belongs to.
    Running(fn(&mut dyn Environment, &mut [Term]) -> Eval),
}

/// What a running program has besides its arguments.
pub trait Environment {
    /// The process dictionary.
    fn dictionary(&mut self) -> &mut Dictionary;
    /// The pid of the program's own process.
    fn own_pid(&mut self) -> Term;
    /// Asks the real VM for the value of a pure function.
    fn ask(&mut self, function: Mfa, args: &[Term]) -> Eval;
}

/// One row of a module's table of operations.
pub(crate) struct Entry {
    pub name: &'static str,
    pub arity: u8,
    pub native: Native,
}

impl Entry {
    pub(crate) const fn pure(name: &'static str, arity: u8, rule: fn(&mut [Term]) -> Eval) -> Entry {
        Entry { name, arity, native: Native::Pure(rule) }
    }

    pub(crate) const fn running(
        name: &'static str,
        arity: u8,
        rule: fn(&mut dyn Environment, &mut [Term]) -> Eval,
    ) -> Entry {
        Entry { name, arity, native: Native::Running(rule) }
    }
}

/// Every table of operations, with the library module it belongs to. A module may have several.
const TABLES: &[(&str, &[Entry])] = &[
    ("binary", binary::NATIVES),
    ("erts_internal", maps::INTERNAL),
    ("hound_prelude", prelude::NATIVES),
    ("io", io::NATIVES),
    ("lists", lists::NATIVES),
    ("maps", maps::NATIVES),
    ("math", math::NATIVES),
    ("string", string::NATIVES),
    ("unicode", unicode::NATIVES),
];

static NATIVES: LazyLock<FxHashMap<Mfa, Native>> = LazyLock::new(|| {
    let rows = TABLES.iter().chain(erlang::TABLES).flat_map(|(module, entries)| {
        let module = Atom::new(module);
        entries.iter().map(move |entry| (entry.mfa(module), entry.native))
    });
    rows.collect()
});

impl Entry {
    fn mfa(&self, module: Atom) -> Mfa {
        Mfa { module, function: Atom::new(self.name), arity: self.arity }
    }
}

/// The operation of that name, if it is written in Rust.
pub fn native(function: Mfa) -> Option<Native> {
    NATIVES.get(&function).copied()
}

/// Every function of the VM that is written in Rust, in the order of their names.
pub fn natives() -> Vec<Mfa> {
    let of_vm = |function: &Mfa| !prelude::is_prelude(function.module);
    let mut all: Vec<Mfa> = NATIVES.keys().copied().filter(of_vm).collect();
    all.sort();
    all
}
