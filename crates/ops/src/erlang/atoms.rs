//! Atoms to text and back.

use term::{Atom, Term};

use super::ask;
use super::text::{Encoding, binary_bytes};
use crate::policy::Policy;
use crate::raise::{OrBadarg, Raised, badarg, system_limit};
use crate::{Environment, Eval, Operation, Rule};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::pure("atom_to_list", 1, |args| Ok(Term::string(args[0].as_atom().or_badarg()?.name()))).rule(Rule::Name),
    Operation::pure("atom_to_binary", 1, |args| Ok(Term::binary(args[0].as_atom().or_badarg()?.name())))
        .prelude("convert", "atom_to_binary"),
    Operation::pure("atom_to_binary", 2, to_binary).prelude("convert", "atom_to_binary"),
    Operation::pure("list_to_atom", 1, |args| Ok(intern(&list_name(&args[0])?)))
        .rule(Rule::Named)
        .prelude("convert", "list_to_atom"),
    Operation::pure("binary_to_atom", 1, |args| Ok(intern(&binary_name(&args[0], Encoding::Utf8)?)))
        .prelude("convert", "binary_to_atom"),
    Operation::pure("binary_to_atom", 2, |args| Ok(intern(&binary_name(&args[0], encoding(&args[1])?)?)))
        .prelude("convert", "binary_to_atom"),
    existing("list_to_existing_atom", 1, |run, args| find(run, "list_to_existing_atom", args, list_name)),
    existing("binary_to_existing_atom", 1, |run, args| {
        find(run, "binary_to_existing_atom", args, |text| binary_name(text, Encoding::Utf8))
    }),
    existing("binary_to_existing_atom", 2, |run, args| {
        let encoding = encoding(&args[1])?;
        find(run, "binary_to_existing_atom", args, |text| binary_name(text, encoding))
    }),
];

/// The atoms that exist already depend on what has run before.
const fn existing(name: &'static str, arity: u8, rule: fn(&mut dyn Environment, &mut [Term]) -> Eval) -> Operation {
    Operation::running(name, arity, rule).rule(Rule::Existing).policy(Policy::Session)
}

type Named = Raised<String>;

fn encoding(value: &Term) -> Raised<Encoding> {
    Encoding::of(value).or_badarg()
}

fn intern(name: &str) -> Term {
    Term::atom(Atom::new(name))
}

fn to_binary(args: &mut [Term]) -> Eval {
    let name = args[0].as_atom().or_badarg()?.name();
    if encoding(&args[1])? == Encoding::Utf8 {
        return Ok(Term::binary(name));
    }
    let bytes: Option<Vec<u8>> = name.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
    Ok(Term::binary(bytes.or_badarg()?))
}

/// The VM stops at the first fault: a character too many, or one that is none.
fn list_name(list: &Term) -> Named {
    let mut name = String::new();
    let mut cells = list.cells();
    for (at, cell) in cells.by_ref().enumerate() {
        if at == Atom::MAX_CHARS {
            return system_limit();
        }
        let point = cell.as_i64().and_then(|point| u32::try_from(point).ok()).or_badarg()?;
        name.push(char::from_u32(point).or_badarg()?);
    }
    if matches!(cells.rest(), Term::Nil(_)) { Ok(name) } else { badarg() }
}

/// The VM looks no further than the first character too many, and not at all at what is too long in any case.
fn binary_name(value: &Term, encoding: Encoding) -> Named {
    let bytes = binary_bytes(value).or_badarg()?;
    if encoding == Encoding::Latin1 {
        return if bytes.len() > Atom::MAX_CHARS {
            system_limit()
        } else {
            Ok(bytes.iter().map(|byte| char::from(*byte)).collect())
        };
    }
    let (valid, rest) = match std::str::from_utf8(&bytes) {
        Ok(name) => (name, false),
        Err(fault) => (std::str::from_utf8(&bytes[..fault.valid_up_to()]).unwrap_or_default(), true),
    };
    let full = valid.chars().nth(Atom::MAX_CHARS - 1).is_some();
    let longer = rest || valid.chars().nth(Atom::MAX_CHARS).is_some();
    if bytes.len() > Atom::MAX_CHARS * 4 || full && longer {
        return system_limit();
    }
    if rest { badarg() } else { Ok(valid.to_owned()) }
}

/// An atom exists if we have it or the VM has: it knows those of all code it has loaded.
fn find(run: &mut dyn Environment, function: &str, args: &mut [Term], name: impl FnOnce(&Term) -> Named) -> Eval {
    let Ok(name) = name(&args[0]) else { return badarg() };
    if let Some(atom) = Atom::existing(&name) {
        return Ok(Term::atom(atom));
    }
    ask(run, function, args)
}
