//! Names for pids, ports and references that a run has made: the VM gives them others each time.

use rustc_hash::FxHashMap;

use crate::{Exception, Handle, HandleKind, Map, Term};

/// Numbers handles from 1 on as they are met, each kind by itself; those of some terms keep their names.
#[derive(Default)]
pub struct Naming {
    names: FxHashMap<Handle, Handle>,
    last: FxHashMap<HandleKind, u32>,
}

impl Naming {
    /// The handles of these terms stay what they are, and no other gets their names.
    pub fn keeping(terms: &[Term]) -> Naming {
        let mut naming = Naming::default();
        for term in terms {
            term.any(|part| {
                if let Term::Handle(_, handle) = part {
                    naming.names.insert((**handle).clone(), (**handle).clone());
                }
                false
            });
        }
        naming
    }

    /// The term with other handles. What a closure has captured is left as it is: it is not printed.
    pub fn name(&mut self, term: &Term) -> Term {
        crate::depth::deeper(|| match term {
            Term::Handle(_, handle) => Term::handle(self.of(handle)),
            Term::Tuple(_, items) => Term::tuple(items.iter().map(|item| self.name(item)).collect::<Vec<_>>()),
            Term::Map(_, map) => {
                let pairs: Vec<(Term, Term)> = map.iter().map(|(key, at)| (self.name(key), self.name(at))).collect();
                Term::map(Map::from_pairs(pairs))
            }
            Term::Cons(..) => {
                let mut cells = term.cells();
                let items: Vec<Term> = cells.by_ref().map(|item| self.name(item)).collect();
                Term::list_with_tail(items, self.name(cells.rest()))
            }
            _ => term.clone(),
        })
    }

    fn of(&mut self, handle: &Handle) -> Handle {
        if let Some(name) = self.names.get(handle) {
            return name.clone();
        }
        let mut name = handle.clone();
        loop {
            let last = self.last.entry(handle.kind).or_default();
            *last += 1;
            name.words.fill(0);
            name.words[0] = *last;
            if !self.names.contains_key(&name) {
                self.names.insert(handle.clone(), name.clone());
                return name;
            }
        }
    }
}

impl Exception {
    /// The exception of a call with names that do not depend on the run.
    pub fn named(&self, args: &[Term]) -> Exception {
        let mut naming = Naming::keeping(args);
        Exception { class: self.class, reason: naming.name(&self.reason), stack: naming.name(&self.stack) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Atom, Class};

    fn pid(number: u32) -> Term {
        let words = Box::new([number, 0]);
        Term::handle(Handle { kind: HandleKind::Pid, node: Atom::new("nonode@nohost"), creation: 0, words })
    }

    #[test]
    fn handles_are_numbered_as_they_are_met_and_those_of_the_call_stay() {
        let reason = Term::tuple([pid(90), pid(1), Term::list([pid(91), pid(90)])]);
        let exception = Exception { class: Class::Exit, reason, stack: Term::list([pid(91)]) };
        let named = exception.named(&[Term::list([pid(1)])]);
        assert_eq!(named.reason, Term::tuple([pid(2), pid(1), Term::list([pid(3), pid(2)])]));
        assert_eq!(named.stack, Term::list([pid(3)]));
    }
}
