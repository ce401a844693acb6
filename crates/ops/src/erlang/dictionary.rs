//! The process dictionary.

use std::mem;

use term::{Atom, Map, Mfa, Term, known};

use crate::raise::OrBadarg;
use crate::{Entry, Environment, Eval};

pub(super) const NATIVES: &[Entry] = &[
    Entry::running("get", 0, |run, _| all(run)),
    Entry::running("get", 1, |run, args| Ok(found(run.dictionary().get(&args[0]).cloned()))),
    Entry::running("get_keys", 0, |run, _| Ok(Term::list(firsts(&all(run)?)))),
    Entry::running("get_keys", 1, keys_of),
    Entry::running("put", 2, put),
    Entry::running("erase", 0, erase_all),
    Entry::running("erase", 1, |run, args| Ok(found(run.dictionary().remove_mut(&args[0])))),
    Entry::running("self", 0, |run, _| Ok(run.own_pid())),
];

fn found(value: Option<Term>) -> Term {
    value.unwrap_or(Term::atom(known::UNDEFINED))
}

fn put(run: &mut dyn Environment, args: &mut [Term]) -> Eval {
    let (key, value) = (mem::take(&mut args[0]), mem::take(&mut args[1]));
    let dictionary = run.dictionary();
    let old = dictionary.get(&key).cloned();
    dictionary.insert_mut(key, value);
    Ok(found(old))
}

/// All entries, in the order in which the VM lists them.
fn all(run: &mut dyn Environment) -> Eval {
    let entries: Vec<Term> =
        run.dictionary().iter().map(|(key, value)| Term::tuple([key.clone(), value.clone()])).collect();
    match entries.len() {
        0 | 1 => Ok(Term::list(entries)),
        _ => listed_by_vm(run, entries),
    }
}

/// The order follows from hashes that the VM alone knows, so a process of its own is given the keys and asked for
/// them. The call evaluates `[put(K, K) || K <- Keys], get_keys()`.
fn listed_by_vm(run: &mut dyn Environment, entries: Vec<Term>) -> Eval {
    let keys = Term::list(entries.iter().map(first));
    let exprs = Mfa { module: Atom::new("erl_eval"), function: Atom::new("exprs"), arity: 2 };
    let answer =
        run.ask(exprs, &[program().or_badarg()?, Term::list([Term::tuple([Term::atom_named("Keys"), keys])])])?;
    let order = answer.as_tuple().and_then(|parts| parts.get(1)).and_then(Term::proper_list).or_badarg()?;
    let dictionary = run.dictionary();
    let entry = |key: Term| dictionary.get(&key).cloned().map(|value| Term::tuple([key, value]));
    let listed: Vec<Term> = order.into_iter().filter_map(entry).collect();
    Ok(Term::list(if listed.len() == entries.len() { listed } else { entries }))
}

fn program() -> Option<Term> {
    const FORMS: &str = "[{lc,1,{call,1,{atom,1,put},[{var,1,'K'},{var,1,'K'}]},[{generate,1,{var,1,'K'},{var,1,'Keys'}}]},\
                         {call,1,{atom,1,get_keys},[]}]";
    Term::read(FORMS).ok()
}

fn first(entry: &Term) -> Term {
    entry.as_tuple().and_then(|pair| pair.first()).cloned().unwrap_or_default()
}

fn firsts(entries: &Term) -> Vec<Term> {
    entries.cells().map(first).collect()
}

/// The keys that have exactly this value.
fn keys_of(run: &mut dyn Environment, args: &mut [Term]) -> Eval {
    let entries = all(run)?;
    let having = |entry: &&Term| entry.as_tuple().is_some_and(|pair| pair.get(1) == Some(&args[0]));
    let keys: Vec<Term> = entries.cells().filter(having).map(first).collect();
    Ok(Term::list(keys))
}

fn erase_all(run: &mut dyn Environment, _: &mut [Term]) -> Eval {
    let entries = all(run)?;
    *run.dictionary() = Map::new();
    Ok(entries)
}
