//! Building terms and taking them apart.

use std::rc::Rc;

use constraint::{Op, Type, is_of};
use ops::Rule;
use term::{Closure, Exception, Fun, Term, Tuple};

use super::arith::bad;
use super::cursor::View;
use super::fault::Fault;
use crate::forward::code::{ClosureForm, NOWHERE, Out, Slot, Src};

type Done = Result<(), Box<Fault>>;

impl View {
    /// Makes a list cell.
    #[inline(always)]
    pub fn cons(self, to: Slot, head: Src, tail: Src) {
        let head = self.fetch(head);
        let tail = self.fetch(tail);
        self.put(to, Term::cons(head, tail));
    }

    /// Makes a tuple.
    #[inline(always)]
    pub fn tuple(self, to: Slot, sources: &[Src]) {
        let tuple = Term::tuple(sources.iter().map(|src| self.fetch(*src)));
        self.put(to, tuple);
    }

    /// Makes a fun with its captured values.
    pub fn closure(self, to: Slot, form: &ClosureForm) {
        let captured: Box<[Term]> = form.captured.iter().map(|src| self.fetch(*src)).collect();
        let closure = Closure {
            module: form.name.module,
            name: form.name.function,
            arity: form.name.arity - captured.len() as u8,
            code: form.function,
            index: form.identity.0,
            uniq: form.identity.1,
            captured,
        };
        self.put(to, Term::fun(Fun::Closure(closure)));
    }

    /// Writes the answer of a type test as a boolean.
    #[inline(always)]
    pub fn type_test(self, kind: Type, to: Slot, a: Src) {
        let holds = is_of(self.look(a), kind);
        self.release(a);
        self.put(to, Term::bool(holds));
    }

    /// `hd(list)`.
    #[inline(always)]
    pub fn head(self, to: Slot, list: Src) -> Done {
        let Term::Cons(_, cell) = self.look(list) else { return self.refuse(Rule::Head, &[list]) };
        let head = cell.head.clone();
        self.release(list);
        self.put(to, head);
        Ok(())
    }

    /// `tl(list)`.
    #[inline(always)]
    pub fn tail(self, to: Slot, list: Src) -> Done {
        let Term::Cons(_, cell) = self.look(list) else { return self.refuse(Rule::Tail, &[list]) };
        let tail = cell.tail.clone();
        self.release(list);
        self.put(to, tail);
        Ok(())
    }

    /// `element(at, tuple)`.
    #[inline(always)]
    pub fn element(self, to: Slot, at: Src, tuple: Src) -> Done {
        let (Term::Int(_, place), Term::Tuple(_, items)) = (self.look(at), self.look(tuple)) else {
            return self.refuse(Rule::Element, &[at, tuple]);
        };
        let Some(item) = usize::try_from(place.wrapping_sub(1)).ok().and_then(|place| items.get(place)) else {
            return self.refuse(Rule::Element, &[at, tuple]);
        };
        let item = item.clone();
        self.release(tuple);
        self.put(to, item);
        Ok(())
    }

    /// `tuple_size(tuple)`.
    #[inline(always)]
    pub fn tuple_size(self, to: Slot, tuple: Src) -> Done {
        let Term::Tuple(_, items) = self.look(tuple) else {
            return self.refuse(Rule::Size(Op::TupleSize, Type::Tuple), &[tuple]);
        };
        let size = Term::int(items.len() as i64);
        self.release(tuple);
        self.put(to, size);
        Ok(())
    }

    /// The `badarg` of an operation with this rule.
    #[cold]
    #[inline(never)]
    fn refuse(self, rule: Rule, args: &[Src]) -> Done {
        let args: Vec<Term> = args.iter().map(|src| self.look(*src).clone()).collect();
        Err(bad(rule, &args, Exception::badarg()))
    }

    /// Takes the value apart if it is a list cell.
    #[inline(always)]
    pub fn if_cons(self, value: Src, head: Slot, tail: Slot) -> bool {
        let Term::Cons(_, cell) = self.look(value) else { return false };
        if value.is_last() {
            self.split(value.index() as Slot, head, tail);
            return true;
        }
        // Cloning is a waste for parts that are not used.
        if head != NOWHERE {
            self.put(head, cell.head.clone());
        }
        if tail != NOWHERE {
            self.put(tail, cell.tail.clone());
        }
        true
    }

    /// Moves the parts of a dying cell out of it, or copies them if it has other owners.
    #[inline(always)]
    fn split(self, value: Slot, head: Slot, tail: Slot) {
        let Term::Cons(_, mut cell) = self.take(value) else { return };
        match Rc::get_mut(&mut cell) {
            Some(parts) => {
                if head != NOWHERE {
                    self.adopt(head, &mut parts.head);
                }
                if tail != NOWHERE {
                    self.adopt(tail, &mut parts.tail);
                }
            }
            None => {
                if head != NOWHERE {
                    self.put(head, cell.head.clone());
                }
                if tail != NOWHERE {
                    self.put(tail, cell.tail.clone());
                }
            }
        }
    }

    /// Takes the value apart if it is a tuple of that size.
    #[inline(always)]
    pub fn if_tuple(self, size: u16, value: Src, outs: &[Out]) -> bool {
        match self.look(value) {
            Term::Tuple(_, tuple) if tuple.len() == usize::from(size) => {}
            _ => return false,
        }
        if value.is_last() {
            let Term::Tuple(_, tuple) = self.take(value.index() as Slot) else { return false };
            self.spread(tuple, outs);
        } else if let Term::Tuple(_, tuple) = self.look(value) {
            for out in outs {
                self.put(out.slot, tuple[usize::from(out.element)].clone());
            }
        }
        true
    }

    #[inline(always)]
    fn spread(self, mut tuple: Tuple, outs: &[Out]) {
        match tuple.get_mut() {
            Some(items) => {
                for out in outs {
                    self.adopt(out.slot, &mut items[usize::from(out.element)]);
                }
            }
            None => {
                for out in outs {
                    self.put(out.slot, tuple[usize::from(out.element)].clone());
                }
            }
        }
    }
}
