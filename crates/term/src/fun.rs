//! Function values: closures of the machine, functions named by module, and functions given by a table.

use std::mem;

use crate::{Atom, Mfa, Table, Term};

/// A function value.
pub enum Fun {
    /// `fun M:F/A`.
    External(Mfa),
    /// A closure over captured values.
    Closure(Closure),
    /// A function value of the real VM, kept in its external form so that it can go back there.
    Foreign { module: Atom, arity: u8, etf: Box<[u8]> },
    /// A function without code.
    Table(Table),
}

/// A closure. `code` is a number that the machine which made it understands; names are for printing and comparing.
pub struct Closure {
    pub module: Atom,
    /// The lifted function's name, such as `'-main/1-fun-0-'`.
    pub name: Atom,
    pub arity: u8,
    pub code: u32,
    /// The VM's index and hash of this fun, as in `#Fun<lists.6.12345>`; zero when unknown.
    pub index: u32,
    pub uniq: u32,
    pub captured: Box<[Term]>,
}

impl Fun {
    /// The module of the VM whose funs tables become there.
    pub const TABLES: &str = "hound_table";

    /// The number of parameters.
    pub fn arity(&self) -> u8 {
        match self {
            Fun::External(mfa) => mfa.arity,
            Fun::Closure(closure) => closure.arity,
            Fun::Foreign { arity, .. } => *arity,
            Fun::Table(table) => table.arity(),
        }
    }

    /// The module that it belongs to.
    pub fn module(&self) -> Atom {
        match self {
            Fun::External(mfa) => mfa.module,
            Fun::Closure(closure) => closure.module,
            Fun::Foreign { module, .. } => *module,
            Fun::Table(_) => Atom::new(Fun::TABLES),
        }
    }
}

/// Closures capture closures, as deep as lists nest.
impl Drop for Closure {
    fn drop(&mut self) {
        let captured = mem::take(&mut self.captured);
        crate::depth::dropping(move || drop(captured));
    }
}
