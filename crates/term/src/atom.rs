//! Atoms: interned names. The table only grows, as the VM's does.

use std::cmp::Ordering;
use std::fmt;
use std::sync::{LazyLock, OnceLock, RwLock};

use rustc_hash::FxHashMap;

/// An interned name; equal numbers mean equal names.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Atom(u32);

/// Numbers by name.
static TABLE: LazyLock<RwLock<FxHashMap<&'static str, u32>>> = LazyLock::new(|| {
    known::NAMES.iter().enumerate().for_each(|(at, name)| slot(at as u32).set(name).expect("a new slot"));
    RwLock::new(known::NAMES.iter().enumerate().map(|(at, name)| (*name, at as u32)).collect())
});

/// Names by number, in chunks that double in size and never move: reading a name takes no lock.
static CHUNKS: [OnceLock<Box<[OnceLock<&'static str>]>>; 32] = [const { OnceLock::new() }; 32];

const FIRST_CHUNK: u64 = 1 << 10;

#[inline]
fn slot(number: u32) -> &'static OnceLock<&'static str> {
    let place = u64::from(number) + FIRST_CHUNK;
    let chunk = place.ilog2() - FIRST_CHUNK.ilog2();
    let len = FIRST_CHUNK << chunk;
    let slots = CHUNKS[chunk as usize].get_or_init(|| (0..len).map(|_| OnceLock::new()).collect());
    &slots[(place - len) as usize]
}

impl Atom {
    /// The most characters the VM allows in an atom.
    pub const MAX_CHARS: usize = 255;

    /// The atom of that name.
    pub fn new(name: &str) -> Atom {
        Atom::existing(name).unwrap_or_else(|| Atom::add(name))
    }

    #[cold]
    fn add(name: &str) -> Atom {
        let mut table = TABLE.write().expect("the atom table is never left half written");
        if let Some(&number) = table.get(name) {
            return Atom(number);
        }
        let number = u32::try_from(table.len()).expect("fewer than 2^32 atoms");
        let name: &'static str = Box::leak(name.into());
        slot(number).set(name).expect("a new slot");
        table.insert(name, number);
        Atom(number)
    }

    /// The atom of that name, if it exists.
    pub fn existing(name: &str) -> Option<Atom> {
        let table = TABLE.read().expect("the atom table is never left half written");
        table.get(name).map(|&number| Atom(number))
    }

    /// Its text, without quotes.
    #[inline]
    pub fn name(self) -> &'static str {
        match slot(self.0).get() {
            Some(name) => name,
            // A constant can be asked for its name before any atom is made.
            None => known::NAMES[self.0 as usize],
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_their_names_before_and_after_the_table_exists() {
        assert_eq!(known::BADARG.name(), "badarg");
        assert_eq!(Atom::new("badarg"), known::BADARG);
        assert_eq!(known::EMPTY.name(), "");
    }

    #[test]
    fn many_atoms_keep_their_names() {
        let atoms: Vec<(String, Atom)> =
            (0..20_000).map(|at| format!("many_{at}")).map(|n| (n.clone(), Atom::new(&n))).collect();
        assert!(atoms.iter().all(|(name, atom)| atom.name() == name && Atom::existing(name) == Some(*atom)));
        assert_eq!(Atom::existing("never made before"), None);
    }

    #[test]
    fn order_is_by_name() {
        let mut atoms = ["b", "a", "ab", "é", "z", ""].map(Atom::new);
        atoms.sort();
        assert_eq!(atoms.map(Atom::name), ["", "a", "ab", "b", "z", "é"]);
    }
}
