//! Building and reading maps.

use std::rc::Rc;

use ir::PairKind;
use ops::{MapOp, Rule};
use term::{Exception, Mark, Term, known};

use super::arith::bad;
use super::cursor::View;
use super::fault::Fault;
use crate::forward::code::{MapForm, Slot, Src};

type Done = Result<(), Box<Fault>>;

impl View {
    /// Builds or updates a map, in place if this is its only owner.
    pub fn map(self, to: Slot, form: &MapForm) -> Done {
        let mut map = match self.fetch(form.base) {
            Term::Map(_, map) => map,
            base => return Err(Fault::here(Exception::tagged(known::BADMAP, base))),
        };
        if let Some(key) = self.missing(&map, form) {
            return Err(Fault::here(Exception::tagged(known::BADKEY, key)));
        }
        if !form.pairs.is_empty() {
            let map = Rc::make_mut(&mut map);
            for (_, key, value) in &form.pairs {
                let key = self.fetch(*key);
                map.insert_mut(key, self.fetch(*value));
            }
        }
        self.put(to, Term::Map(Mark::NONE, map));
        Ok(())
    }

    /// The first key that must be there and is not, pairs taken in order.
    fn missing(self, map: &term::Map, form: &MapForm) -> Option<Term> {
        let strict = form.pairs.iter().enumerate().filter(|(_, (kind, _, _))| *kind == PairKind::Update);
        for (at, (_, key, _)) in strict {
            let key = self.look(*key);
            let put_before = form.pairs[..at].iter().any(|(_, earlier, _)| self.look(*earlier) == key);
            if !put_before && map.get(key).is_none() {
                return Some(key.clone());
            }
        }
        None
    }

    /// `map_get(key, map)`.
    #[inline(always)]
    pub fn map_get(self, to: Slot, key: Src, map: Src) -> Done {
        let Term::Map(_, entries) = self.look(map) else { return self.no_entry(key, map) };
        let Some(value) = entries.get(self.look(key)) else { return self.no_entry(key, map) };
        let value = value.clone();
        self.release(key);
        self.release(map);
        self.put(to, value);
        Ok(())
    }

    #[cold]
    fn no_entry(self, key: Src, map: Src) -> Done {
        let (key, map) = (self.look(key).clone(), self.look(map).clone());
        let exception = match &map {
            Term::Map(..) => Exception::tagged(known::BADKEY, key.clone()),
            _ => Exception::tagged(known::BADMAP, map.clone()),
        };
        Err(bad(Rule::Map(MapOp::Get), &[key, map], exception))
    }
}
