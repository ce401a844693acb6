//! The process dictionary.

use std::mem;

use term::{Atom, Exception, Mfa, Term, known};

use crate::dictionary::{Dictionary, Step};
use crate::policy::Policy;
use crate::raise::OrBadarg;
use crate::{DictionaryOp, Environment, Eval, Operation, Rule};

pub(super) const OPERATIONS: &[Operation] = &[
    state("get", 0, DictionaryOp::Get, |run, _| all(run)),
    state("get", 1, DictionaryOp::Get, |run, args| Ok(found(run.dictionary().get(&args[0]).cloned()))),
    state("get_keys", 0, DictionaryOp::GetKeys, |run, _| keys(run, |_| true)),
    state("get_keys", 1, DictionaryOp::GetKeys, |run, args| keys(run, |value| *value == args[0])),
    state("put", 2, DictionaryOp::Put, put),
    state("erase", 0, DictionaryOp::Erase, erase_all),
    state("erase", 1, DictionaryOp::Erase, |run, args| Ok(found(run.dictionary().erase(&args[0])))),
];

type Compute = fn(&mut dyn Environment, &mut [Term]) -> Eval;

const fn state(name: &'static str, arity: u8, operation: DictionaryOp, rule: Compute) -> Operation {
    Operation::running(name, arity, rule).rule(Rule::Dictionary(operation)).policy(Policy::State)
}

fn found(value: Option<Term>) -> Term {
    value.unwrap_or(Term::atom(known::UNDEFINED))
}

fn put(run: &mut dyn Environment, args: &mut [Term]) -> Eval {
    let (key, value) = (mem::take(&mut args[0]), mem::take(&mut args[1]));
    Ok(found(run.dictionary().put(key, value)))
}

/// All entries, in the order in which the VM lists them.
fn listed(run: &mut dyn Environment) -> Result<Vec<(Term, Term)>, Box<Exception>> {
    if run.dictionary().len() < 2 {
        return Ok(run.dictionary().iter().map(|(key, value)| (key.clone(), value.clone())).collect());
    }
    let order = order(run)?;
    let dictionary = run.dictionary();
    Ok(order.into_iter().filter_map(|key| dictionary.get(&key).cloned().map(|value| (key, value))).collect())
}

/// The order follows from hashes that the VM alone knows and from all that was done to the dictionary, so a process of
/// the VM is asked to do the same. The call evaluates [`PROGRAM`].
fn order(run: &mut dyn Environment) -> Result<Vec<Term>, Box<Exception>> {
    let steps = Term::list(run.dictionary().steps().iter().map(call));
    let bindings = Term::list([Term::tuple([Term::atom_named("Steps"), steps])]);
    let exprs = Mfa { module: Atom::new("erl_eval"), function: Atom::new("exprs"), arity: 2 };
    let answer = run.ask(exprs, &[Term::read(PROGRAM).ok().or_badarg()?, bindings])?;
    answer.as_tuple().and_then(|parts| parts.get(1)).and_then(Term::proper_list).or_badarg()
}

/// The function and arguments of a step.
fn call(step: &Step) -> Term {
    let (name, args) = match step {
        Step::Put(key) => ("put", Term::list([key.clone(), Term::tuple([Term::nil()])])),
        Step::Erase(key) => ("erase", Term::list([key.clone()])),
    };
    Term::tuple([Term::atom_named(name), args])
}

/// `erase(), [apply(erlang, F, A) || {F, A} <- Steps], get_keys()`.
const PROGRAM: &str = "[{call,1,{atom,1,erase},[]},\
    {lc,1,{call,1,{atom,1,apply},[{atom,1,erlang},{var,1,'F'},{var,1,'A'}]},\
          [{generate,1,{tuple,1,[{var,1,'F'},{var,1,'A'}]},{var,1,'Steps'}}]},\
    {call,1,{atom,1,get_keys},[]}]";

fn all(run: &mut dyn Environment) -> Eval {
    Ok(Term::list(listed(run)?.into_iter().map(|(key, value)| Term::tuple([key, value]))))
}

/// The keys of all values that are wanted.
fn keys(run: &mut dyn Environment, wanted: impl Fn(&Term) -> bool) -> Eval {
    let keys: Vec<Term> = listed(run)?.into_iter().filter(|(_, value)| wanted(value)).map(|(key, _)| key).collect();
    Ok(Term::list(keys))
}

fn erase_all(run: &mut dyn Environment, _: &mut [Term]) -> Eval {
    let entries = all(run)?;
    *run.dictionary() = Dictionary::new();
    Ok(entries)
}
