//! Why an instruction did not go through.

use ops::Rule;
use term::cut::Cut;
use term::{Atom, Exception, Map, Mfa, Term, known};

use crate::forward::outcome::Ending;

/// An exception that looks for its handler, or the end of the run.
pub enum Fault {
    /// An exception, and the entries that its trace begins with.
    Raise { exception: Exception, trace: Trace },
    /// Raised by the current function, with a word on the cause for its entry in the trace.
    Explained { exception: Exception, info: Term },
    /// The end of the run.
    End(Ending),
    /// More is wanted than there is; the VM would not raise an exception.
    Memory,
    /// The operation was cut.
    Cut(Cut),
    /// None: the instruction is done, and has made so much that the run's memory is to be looked at.
    Due,
}

/// The entries of the stack trace besides what `Exception::stack` holds, which comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trace {
    /// The current function and its callers.
    Here,
    /// Its callers only: it has given its place to the function that failed.
    Callers,
    /// Nothing: the trace is complete.
    Complete,
}

impl Fault {
    /// An exception whose trace begins with the current function.
    #[cold]
    pub fn here(exception: Exception) -> Box<Fault> {
        Box::new(Fault::Raise { exception, trace: Trace::Here })
    }

    /// An exception of class `error`, raised by the current function.
    #[cold]
    pub fn error(reason: Term) -> Box<Fault> {
        Fault::here(Exception::error(reason))
    }

    /// An operation of the VM has failed: it stands in the trace with its arguments.
    #[cold]
    pub fn of_operation(function: Mfa, args: &[Term], mut exception: Exception) -> Box<Fault> {
        let without_entry = ops::rule(function) == Rule::Divide;
        if matches!(exception.stack, Term::Nil(_)) && !without_entry {
            exception.stack = Term::cons(operation_entry(function, args, None), Term::nil());
        }
        Fault::here(exception)
    }

    /// A call on the VM has failed. What it says about its own frames is worth nothing here but for the first.
    #[cold]
    pub fn of_vm(function: Mfa, args: &[Term], mut exception: Exception) -> Box<Fault> {
        let first = exception.stack.cells().next().cloned();
        let own = first.filter(|first| match first.as_tuple() {
            Some([module, name, ..]) => {
                module.as_atom() == Some(function.module) && name.as_atom() == Some(function.function)
            }
            _ => false,
        });
        exception.stack = own.map_or(Term::nil(), |first| Term::cons(with_args(first, args), Term::nil()));
        Fault::of_operation(function, args, exception)
    }

    /// The function is not defined.
    #[cold]
    pub fn undefined(function: Mfa, args: &[Term], tail: bool) -> Box<Fault> {
        let mut exception = Exception::error(Term::atom(known::UNDEF));
        exception.stack = Term::cons(entry(function, Term::list(args.to_vec()), Term::nil()), Term::nil());
        Box::new(Fault::Raise { exception, trace: if tail { Trace::Callers } else { Trace::Here } })
    }
}

/// The entry of a call that the VM made, with the arguments as they were given to it: those that came back have lost
/// their marks.
fn with_args(first: Term, args: &[Term]) -> Term {
    match first.as_tuple() {
        Some([module, name, given, location]) if given.proper_list().is_some_and(|given| given == args) => {
            Term::tuple([module.clone(), name.clone(), Term::list(args.to_vec()), location.clone()])
        }
        _ => first,
    }
}

/// One entry of a stack trace.
pub fn entry(function: Mfa, arity_or_args: Term, location: Term) -> Term {
    Term::tuple([Term::atom(function.module), Term::atom(function.function), arity_or_args, location])
}

/// The entry of an operation, with a word on who can explain the error, and one on the cause.
pub fn operation_entry(function: Mfa, args: &[Term], cause: Option<&str>) -> Term {
    let location = match explainer(function.module) {
        Some(module) => {
            let pairs = [("module", Some(module)), ("cause", cause)];
            let known = pairs.into_iter().filter_map(|(key, word)| Some((key, word?)));
            let info = Map::from_pairs(known.map(|(key, word)| (Term::atom_named(key), Term::atom_named(word))));
            let info = Term::tuple([Term::atom_named("error_info"), Term::map(info)]);
            Term::cons(info, Term::nil())
        }
        None => Term::nil(),
    };
    entry(function, Term::list(args.to_vec()), location)
}

/// The module that explains errors of a library module's operations.
fn explainer(module: Atom) -> Option<&'static str> {
    match module.name() {
        "erlang" => Some("erl_erts_errors"),
        "atomics" | "counters" | "persistent_term" => Some("erl_erts_errors"),
        "lists" | "maps" | "binary" | "math" | "re" | "ets" | "unicode" => Some("erl_stdlib_errors"),
        "os" => Some("erl_kernel_errors"),
        _ => None,
    }
}
