//! Events that graphs tell: shown to whoever observes the run, nothing otherwise.

use ir::{EVENT_BACK, EVENT_CALL};
use term::{Atom, Term};

use super::engine::Engine;

/// Somebody who is shown the events of a run, in order.
pub trait Observer {
    fn event(&mut self, number: u32, value: Option<&Term>);
}

/// An event that came to pass.
#[derive(Clone, PartialEq, Debug)]
pub struct Observed {
    pub number: u32,
    /// What the run told with it.
    pub value: Option<Term>,
}

impl Observer for Vec<Observed> {
    fn event(&mut self, number: u32, value: Option<&Term>) {
        self.push(Observed { number, value: value.cloned() });
    }
}

impl Engine<'_> {
    /// Does what one of the primitives that tell events says.
    pub fn told(&mut self, name: &str, args: &[Term]) {
        let Some(observer) = self.observer.as_deref_mut() else { return };
        let Some((first, rest)) = args.split_first() else { return };
        let number = first.as_i64().and_then(|number| u32::try_from(number).ok()).unwrap_or(u32::MAX);
        match (name, rest) {
            (EVENT_CALL, [module, callee]) => observer.event(number + u32::from(!leads_into(module, callee)), None),
            (EVENT_BACK, [module, callee, value]) => {
                if !leads_into(module, callee) {
                    observer.event(number, Some(value));
                }
            }
            (_, rest) => observer.event(number, rest.first()),
        }
    }
}

/// Whether a fun, or a pair of module and name, is of the module.
fn leads_into(module: &Term, callee: &Term) -> bool {
    let of: Option<Atom> = match callee {
        Term::Fun(_, fun) => Some(fun.module()),
        Term::Tuple(_, parts) => parts.first().and_then(Term::as_atom),
        _ => None,
    };
    of.is_some() && of == module.as_atom()
}
