//! Exceptions that are raised on purpose.

use term::{Class, Exception, Term, known};

use super::assertion::is_assertion;
use crate::finding::{ReasonShape, StackEntry};
use crate::subject::EntryPoint;

/// Why an exception is one that the author wants, if so.
pub fn declared(exception: &Exception, entry_point: &EntryPoint) -> Option<String> {
    let top = exception.stack.cells().next()?;
    let entry = StackEntry::read(top)?;
    if is_assertion(&exception.reason) {
        return None;
    }
    let shape = ReasonShape::of(&exception.reason);
    let is_own = exception.class != Class::Error || !is_of_the_vm(&shape);
    if entry.is_in(entry_point) {
        let is_raised = is_own || shape == ReasonShape::Atom(known::BADARG) && !is_explained(top);
        return is_raised.then(|| format!("{} raises it on purpose", entry.function));
    }
    // By convention the name of such a function says that it raises what another one returns.
    let is_bang = entry_point.function.function.name().ends_with('!');
    let is_fault = matches!(&shape, ReasonShape::Atom(atom) if matches!(atom.name(), "badarith" | "undef"));
    (is_bang && !is_fault).then(|| format!("a function named {} raises", entry_point.function.function))
}

/// True if the VM or a compiler raises such errors by itself.
fn is_of_the_vm(shape: &ReasonShape) -> bool {
    match shape {
        ReasonShape::Atom(atom) => ATOMS.contains(&atom.name()),
        ReasonShape::Tagged(tag, size) => TUPLES.contains(&(tag.name(), *size)),
        ReasonShape::Struct(name) => name.name() == "Elixir.Protocol.UndefinedError",
        ReasonShape::Other(_) => false,
    }
}

const ATOMS: [&str; 10] = [
    "badarg",
    "badarith",
    "function_clause",
    "if_clause",
    "undef",
    "system_limit",
    "timeout_value",
    "noproc",
    "cond_clause",
    "notalive",
];

const TUPLES: [(&str, usize); 17] = [
    ("badmatch", 2),
    ("case_clause", 2),
    ("try_clause", 2),
    ("else_clause", 2),
    ("with_clause", 2),
    ("badfun", 2),
    ("badarity", 2),
    ("badmap", 2),
    ("badkey", 2),
    ("badkey", 3),
    ("badrecord", 2),
    ("badstruct", 3),
    ("badbool", 3),
    ("bad_generator", 2),
    ("bad_filter", 2),
    ("nocatch", 2),
    ("badarg", 2),
];

/// True if the VM adds to an entry of the stack why an operation of it failed.
fn is_explained(entry: &Term) -> bool {
    let location = entry.as_tuple().and_then(|entry| entry.get(3));
    let tags = location.into_iter().flat_map(|location| location.cells()).filter_map(|item| item.as_tuple()?.first());
    tags.into_iter().any(|tag| tag.as_atom().is_some_and(|tag| tag.name() == "error_info"))
}

#[cfg(test)]
mod tests {
    use term::{Atom, Mfa};

    use super::*;

    fn entry_point(name: &str) -> EntryPoint {
        let function = Mfa { module: Atom::new("m"), function: Atom::new(name), arity: 1 };
        EntryPoint {
            function,
            signatures: Vec::new(),
            specified: true,
            modules: vec![Atom::new("m")],
            facts: crate::subject::EntryFacts::default(),
        }
    }

    fn is_declared(class: Class, reason: &str, stack: &str) -> bool {
        let read = |text: &str| Term::read(text).unwrap_or_else(|e| panic!("{e}"));
        let exception = Exception { class, reason: read(reason), stack: read(stack) };
        declared(&exception, &entry_point("f")).is_some()
    }

    const OWN: &str = "[{m, f, 1, [{line, 3}]}]";
    const LIBRARY: &str = "[{maps, get, [a, b], []}, {m, f, 1, [{line, 3}]}]";

    #[test]
    fn a_reason_of_the_programs_own_is_raised_on_purpose() {
        assert!(is_declared(Class::Error, "{no_such_user, 7}", OWN));
        assert!(is_declared(Class::Throw, "{badmatch, 7}", OWN));
        assert!(is_declared(Class::Exit, "normal", OWN));
        assert!(!is_declared(Class::Error, "{no_such_user, 7}", LIBRARY));
        assert!(!is_declared(Class::Exit, "noproc", "[]"));
    }

    #[test]
    fn what_the_vm_raises_is_not() {
        for reason in ["{badmatch, 7}", "{case_clause, 7}", "function_clause", "badarith", "{badkey, a, b}", "undef"] {
            assert!(!is_declared(Class::Error, reason, OWN), "{reason}");
        }
    }

    #[test]
    fn badarg_is_where_a_function_raises_it_itself() {
        assert!(is_declared(Class::Error, "badarg", OWN));
        assert!(!is_declared(Class::Error, "badarg", LIBRARY));
        assert!(!is_declared(Class::Error, "badarg", "[{m, f, 1, [{line, 3}, {error_info, x}]}]"));
    }

    #[test]
    fn a_failed_assertion_is_a_bug() {
        assert!(!is_declared(Class::Error, "{assertEqual, [{module, m}, {line, 3}]}", OWN));
        assert!(is_declared(Class::Error, "{assertion, []}", OWN));
    }

    #[test]
    fn a_bang_raises_what_the_library_does() {
        let read = |text: &str| Term::read(text).unwrap_or_else(|e| panic!("{e}"));
        let raised = |reason, stack| Exception { class: Class::Error, reason: read(reason), stack: read(stack) };
        let entry = entry_point("f!");
        assert!(declared(&raised("{badkey, a}", LIBRARY), &entry).is_some());
        assert!(declared(&raised("{badmatch, a}", OWN), &entry).is_none());
        assert!(declared(&raised("badarith", "[{erlang, '+', [a, 1], []}]"), &entry).is_none());
    }
}
