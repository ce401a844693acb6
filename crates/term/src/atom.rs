//! Atoms: interned names. The table only grows, as the VM's does.

use std::cmp::Ordering;
use std::fmt;
use std::sync::{LazyLock, RwLock};

use rustc_hash::FxHashMap;

/// An interned name; equal numbers mean equal names.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Atom(u32);

struct Table {
    names: Vec<&'static str>,
    index: FxHashMap<&'static str, u32>,
}

static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(|| {
    let names = known::NAMES.to_vec();
    let index = names.iter().enumerate().map(|(at, name)| (*name, at as u32)).collect();
    RwLock::new(Table { names, index })
});

impl Atom {
    /// The most characters the VM allows in an atom.
    pub const MAX_CHARS: usize = 255;

    pub fn new(name: &str) -> Atom {
        if let Some(atom) = Atom::existing(name) {
            return atom;
        }
        let mut table = TABLE.write().expect("the atom table is never left half written");
        if let Some(&at) = table.index.get(name) {
            return Atom(at);
        }
        let at = u32::try_from(table.names.len()).expect("fewer than 2^32 atoms");
        let name: &'static str = Box::leak(name.into());
        table.names.push(name);
        table.index.insert(name, at);
        Atom(at)
    }

    /// The atom, if somebody has made it already.
    pub fn existing(name: &str) -> Option<Atom> {
        let table = TABLE.read().expect("the atom table is never left half written");
        table.index.get(name).map(|&at| Atom(at))
    }

    pub fn name(self) -> &'static str {
        TABLE.read().expect("the atom table is never left half written").names[self.0 as usize]
    }

    /// A number for tables keyed by atom; it differs from run to run.
    #[inline]
    pub fn index(self) -> u32 {
        self.0
    }
}

/// Atoms are ordered by their names, code point by code point.
impl Ord for Atom {
    fn cmp(&self, other: &Self) -> Ordering {
        if self == other { Ordering::Equal } else { self.name().cmp(other.name()) }
    }
}

impl PartialOrd for Atom {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

macro_rules! known_atoms {
    ($($constant:ident = $name:literal,)*) => {
        /// Atoms the code names, interned before any other so that they are constants and can be matched on.
        pub mod known {
            use super::Atom;
            pub(super) const NAMES: &[&str] = &[$($name),*];
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum At { $($constant),* }
            $(pub const $constant: Atom = Atom(At::$constant as u32);)*
        }
    };
}

known_atoms! {
    FALSE = "false",
    TRUE = "true",
    UNDEFINED = "undefined",
    OK = "ok",
    ERROR = "error",
    EXIT = "exit",
    THROW = "throw",
    EXIT_UPPER = "EXIT",
    BADARG = "badarg",
    BADARITH = "badarith",
    BADMATCH = "badmatch",
    BADFUN = "badfun",
    BADARITY = "badarity",
    BADMAP = "badmap",
    BADKEY = "badkey",
    BADRECORD = "badrecord",
    CASE_CLAUSE = "case_clause",
    IF_CLAUSE = "if_clause",
    FUNCTION_CLAUSE = "function_clause",
    TRY_CLAUSE = "try_clause",
    ELSE_CLAUSE = "else_clause",
    UNDEF = "undef",
    SYSTEM_LIMIT = "system_limit",
    NOCATCH = "nocatch",
    ERLANG = "erlang",
    LISTS = "lists",
    MAPS = "maps",
    NONE = "none",
    ALL = "all",
    EMPTY = "",
}
