//! Names that lead nowhere: modules that are not there, and processes that nothing has started.

use exec::forward::ProcessEvent;
use term::{Atom, Class, Exception, Term, known};

use super::context::{TriageContext, Witness};
use crate::finding::{Defect, StackEntry};

impl TriageContext<'_> {
    /// The module that is not there, if a call of it is the defect and no input has its name.
    pub(super) fn missing_module(&mut self, defect: &Defect, inputs: &[Term]) -> Option<Atom> {
        let module = called_module(defect.exception()?).filter(|module| !is_named(inputs, *module))?;
        (!self.subject.has_module(module)).then_some(module)
    }

    /// True if inputs name a module without the function that is called, or if a process is called that is not there and
    /// that the program has not started.
    pub(super) fn names_nothing(&self, witness: &Witness) -> bool {
        let Some(exception) = witness.defect.exception() else { return false };
        let tag = |items: &[Term]| items.first().and_then(Term::as_atom);
        let reason = exception.reason.as_atom().or_else(|| exception.reason.as_tuple().and_then(tag));
        let is_process = exception.class == Class::Exit && reason.is_some_and(|reason| reason.name() == "noproc");
        let has_started = witness.run.events.iter().any(ProcessEvent::is_spawn);
        let is_module = called_module(exception).is_some_and(|module| is_named(&witness.stimulus.inputs, module));
        is_process && !has_started || is_module
    }
}

/// The module that a call of an undefined function names.
fn called_module(exception: &Exception) -> Option<Atom> {
    let is_undefined = exception.class == Class::Error && exception.reason.as_atom() == Some(known::UNDEF);
    let called = exception.stack.cells().next().filter(|_| is_undefined)?;
    StackEntry::read(called).map(|entry| entry.function.module)
}

fn is_named(inputs: &[Term], module: Atom) -> bool {
    inputs.iter().any(|input| contains(input, module))
}

fn contains(term: &Term, atom: Atom) -> bool {
    term::deeper(|| match term {
        Term::Atom(_, other) => *other == atom,
        Term::Tuple(_, items) => items.iter().any(|item| contains(item, atom)),
        Term::Map(_, map) => map.iter().any(|(key, value)| contains(key, atom) || contains(value, atom)),
        Term::Cons(..) => {
            let mut cells = term.cells();
            cells.by_ref().any(|item| contains(item, atom)) || contains(cells.rest(), atom)
        }
        _ => false,
    })
}
