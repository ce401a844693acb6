//! Closures of the machine on a visit to the VM: it can keep, print, hash and compare them, but not call them.
//!
//! They travel as funs of their module with the VM's own index and hash, so that they print as the VM's do, under a
//! mark in place of the module's checksum. What comes back with that mark is the closure again.

use rustc_hash::FxHashMap;

use super::fun::add_fun;
use super::{EncodeError, encode_with, fun_parts, tag};
use crate::{Atom, Closure, Fun, Map, Table, Term};

/// The closures of one machine that the VM has seen.
pub struct Visits {
    /// A number that programs cannot guess, or they could make up closures.
    mark: u64,
    /// The lifted functions by [`Closure::code`].
    names: FxHashMap<u32, Atom>,
}

/// The first element of what stands for a table.
const TABLE: &str = "$hound_table";

/// The place of the mark in the external form of a fun: after tag, size and arity.
const MARK: std::ops::Range<usize> = 6..14;
const CODE: std::ops::Range<usize> = 14..18;

impl Visits {
    /// No closure yet; `mark` stands in the form of each.
    pub fn new(mark: u64) -> Visits {
        Visits { mark, names: FxHashMap::default() }
    }

    /// The term as `term_to_binary` gives it, closures in their form for visits.
    pub fn encode(&mut self, term: &Term) -> Result<Vec<u8>, EncodeError> {
        let mut out = vec![tag::VERSION];
        self.encode_into(&mut out, term)?;
        Ok(out)
    }

    fn encode_into(&mut self, out: &mut Vec<u8>, term: &Term) -> Result<(), EncodeError> {
        encode_with(out, term, &mut |fun, out| match fun {
            Fun::Table(table) => self.table(table, out),
            Fun::Closure(closure) => self.closure(fun, closure, out),
            fun => Err(EncodeError::Closure(format!("{fun:?}"))),
        })
    }

    /// The Erlang half makes a fun of this.
    fn table(&mut self, table: &Table, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let arity = Term::int(i64::from(table.arity()));
        self.encode_into(out, &Term::tuple([Term::atom_named(TABLE), arity, table.data()]))
    }

    fn closure(&mut self, fun: &Fun, closure: &Closure, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        self.names.insert(closure.code, closure.name);
        let mut checksum = [0; 16];
        checksum[..8].copy_from_slice(&self.mark.to_be_bytes());
        checksum[8..12].copy_from_slice(&closure.code.to_be_bytes());
        let numbers = [closure.index, closure.uniq];
        add_fun(out, fun, checksum, numbers, &closure.captured, &mut |out, value| self.encode_into(out, value))
    }

    /// The term with the visitors in it as closures again.
    pub fn home(&self, term: Term) -> Term {
        if self.names.is_empty() {
            return term;
        }
        self.changed(&term).unwrap_or(term)
    }

    /// `None` if there is no visitor in it.
    fn changed(&self, term: &Term) -> Option<Term> {
        crate::depth::deeper(|| match term {
            Term::Fun(_, fun) => self.closure_of(fun),
            Term::Cons(..) => self.changed_list(term),
            Term::Tuple(_, items) => self.changed_items(items).map(Term::tuple),
            Term::Map(_, map) => self.changed_map(map),
            _ => None,
        })
    }

    fn closure_of(&self, fun: &Fun) -> Option<Term> {
        let Fun::Foreign { module, arity, etf } = fun else { return None };
        if *etf.get(MARK)? != self.mark.to_be_bytes() {
            return None;
        }
        let code = u32::from_be_bytes(etf.get(CODE)?.try_into().ok()?);
        let name = *self.names.get(&code)?;
        let parts = fun_parts(etf);
        let captured = parts.captured.into_iter().map(|value| self.home(value)).collect();
        let closure =
            Closure { module: *module, name, arity: *arity, code, index: parts.index, uniq: parts.uniq, captured };
        Some(Term::fun(Fun::Closure(closure)))
    }

    fn changed_items(&self, items: &[Term]) -> Option<Vec<Term>> {
        let changed: Vec<Option<Term>> = items.iter().map(|item| self.changed(item)).collect();
        if changed.iter().all(Option::is_none) {
            return None;
        }
        Some(changed.into_iter().zip(items).map(|(new, old)| new.unwrap_or_else(|| old.clone())).collect())
    }

    fn changed_list(&self, list: &Term) -> Option<Term> {
        let mut cells = list.cells();
        let mut items: Vec<Term> = cells.by_ref().cloned().collect();
        items.push(cells.rest().clone());
        let mut changed = self.changed_items(&items)?;
        let tail = changed.pop()?;
        Some(Term::list_with_tail(changed, tail))
    }

    fn changed_map(&self, map: &Map) -> Option<Term> {
        let pairs: Vec<Term> = map.iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect();
        let mut changed = self.changed_items(&pairs)?.into_iter();
        let pair = || changed.next().zip(changed.next());
        Some(Term::map(Map::from_pairs(std::iter::from_fn(pair))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::etf;

    fn closure(captured: Vec<Term>) -> Term {
        let (module, name) = (Atom::new("m"), Atom::new("-f/1-fun-0-"));
        Term::fun(Fun::Closure(Closure {
            module,
            name,
            arity: 1,
            code: 7,
            index: 3,
            uniq: 99,
            captured: captured.into(),
        }))
    }

    #[test]
    fn a_closure_comes_home_wherever_it_stood() {
        let mut visits = Visits::new(42);
        let inner = closure(vec![Term::int(1)]);
        let outer = closure(vec![Term::list([inner.clone()])]);
        let map = Term::map(Map::from_pairs([(inner.clone(), outer.clone())]));
        let term = Term::tuple([Term::list_with_tail([outer, Term::int(2)], inner), map, Term::string("text")]);
        let away = etf::decode(&visits.encode(&term).expect("it has a form")).expect("it reads back");
        assert_eq!((foreign(&away), foreign(&term)), (4, 0));
        let home = visits.home(away);
        assert_eq!(foreign(&home), 0);
        assert_eq!(home, term);
    }

    /// The number of the VM's funs that a term holds; equality does not distinguish them from closures.
    fn foreign(term: &Term) -> usize {
        match term {
            Term::Fun(_, fun) => match &**fun {
                Fun::Foreign { .. } => 1,
                Fun::Closure(closure) => closure.captured.iter().map(foreign).sum(),
                Fun::External(_) | Fun::Table(_) => 0,
            },
            Term::Cons(..) => {
                let mut cells = term.cells();
                cells.by_ref().map(foreign).sum::<usize>() + foreign(cells.rest())
            }
            Term::Tuple(_, items) => items.iter().map(foreign).sum(),
            Term::Map(_, map) => map.iter().map(|(key, value)| foreign(key) + foreign(value)).sum(),
            _ => 0,
        }
    }

    #[test]
    fn another_mark_is_not_ours() {
        let away = etf::decode(&Visits::new(1).encode(&closure(Vec::new())).unwrap()).unwrap();
        let mut visits = Visits::new(2);
        visits.encode(&closure(Vec::new())).unwrap();
        assert_eq!(foreign(&visits.home(away)), 1);
    }
}
