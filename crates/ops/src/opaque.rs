//! What is certain about functions that look into their arguments in ways no rule describes: whether they can fail at
//! all, and what they give. Tests hold it to the VM.

mod checksum;
mod external;
mod guess;
mod pattern;
mod subjects;

use term::{Atom, Mfa, Term};

pub use guess::guesses;

/// What is known of the outcomes of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcomes {
    pub returns: Returns,
    pub gives: Gives,
}

/// When a function returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returns {
    Always,
    /// If its only argument is a binary; otherwise nothing is known.
    OfBinary,
    Perhaps,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    Anything,
    /// Bounds included.
    Integer(i64, i64),
    Float,
    Binary,
    /// A binary of that many bytes.
    Bytes(u32),
    /// A list.
    List,
}

const WORD: i64 = u32::MAX as i64;

/// Everything that somebody has looked up; the rest may do anything.
const KNOWN: &[(&str, &str, u8, Returns, Gives)] = &[
    ("erlang", "phash2", 1, Returns::Always, Gives::Integer(0, (1 << 27) - 1)),
    ("erlang", "phash2", 2, Returns::Perhaps, Gives::Integer(0, WORD)),
    ("erlang", "phash", 2, Returns::Perhaps, Gives::Integer(1, WORD + 1)),
    ("erlang", "crc32", 1, Returns::OfBinary, Gives::Integer(0, WORD)),
    ("erlang", "crc32", 2, Returns::Perhaps, Gives::Integer(0, WORD)),
    ("erlang", "adler32", 1, Returns::OfBinary, Gives::Integer(0, WORD)),
    ("erlang", "adler32", 2, Returns::Perhaps, Gives::Integer(0, WORD)),
    ("erlang", "md5", 1, Returns::OfBinary, Gives::Bytes(16)),
    ("erlang", "term_to_binary", 1, Returns::Always, Gives::Binary),
    ("erlang", "term_to_binary", 2, Returns::Perhaps, Gives::Binary),
    ("erlang", "external_size", 1, Returns::Always, Gives::Integer(0, i64::MAX)),
    ("erlang", "pid_to_list", 1, Returns::Perhaps, Gives::List),
    ("erlang", "port_to_list", 1, Returns::Perhaps, Gives::List),
    ("erlang", "ref_to_list", 1, Returns::Perhaps, Gives::List),
    ("erlang", "fun_to_list", 1, Returns::Perhaps, Gives::List),
    ("erlang", "float_to_list", 1, Returns::Perhaps, Gives::List),
    ("erlang", "float_to_list", 2, Returns::Perhaps, Gives::List),
    ("erlang", "float_to_binary", 1, Returns::Perhaps, Gives::Binary),
    ("erlang", "float_to_binary", 2, Returns::Perhaps, Gives::Binary),
    ("crypto", "hash", 2, Returns::Perhaps, Gives::Binary),
];

/// What is known of a function's outcomes.
pub fn outcomes(function: Mfa) -> Outcomes {
    let (module, name) = (function.module.name(), function.function.name());
    let known = KNOWN.iter().find(|(m, f, arity, ..)| *m == module && *f == name && *arity == function.arity);
    match known {
        Some((.., returns, gives)) => Outcomes { returns: *returns, gives: *gives },
        None if module == "math" && name != "pi" => Outcomes { returns: Returns::Perhaps, gives: Gives::Float },
        None => Outcomes { returns: Returns::Perhaps, gives: Gives::Anything },
    }
}

/// Every function of which something is known.
pub fn all() -> impl Iterator<Item = Mfa> {
    KNOWN.iter().map(|(module, name, arity, ..)| Mfa {
        module: Atom::new(module),
        function: Atom::new(name),
        arity: *arity,
    })
}

impl Gives {
    /// Whether a value is what it says.
    pub fn covers(self, value: &Term) -> bool {
        let bytes = value.as_bits().filter(|bits| bits.is_binary()).map(|bits| bits.byte_len());
        match self {
            Gives::Anything => true,
            Gives::Integer(low, high) => value.as_i64().is_some_and(|value| (low..=high).contains(&value)),
            Gives::Float => matches!(value, Term::Float(..)),
            Gives::Binary => bytes.is_some(),
            Gives::Bytes(count) => bytes == Some(count as usize),
            Gives::List => value.proper_list().is_some(),
        }
    }
}
