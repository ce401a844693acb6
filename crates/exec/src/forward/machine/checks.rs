//! The tests that only look.

use term::{Atom, Term, known};

use super::arith::{less, same};
use super::cursor::{Cursor, View};
use super::engine::Engine;
use crate::forward::code::{NativeForm, Slot, Src};

impl View {
    /// True for `[]`.
    #[inline(always)]
    pub fn if_nil(self, value: Src) -> bool {
        matches!(self.look(value), Term::Nil(_))
    }

    /// True for this atom.
    #[inline(always)]
    pub fn if_atom(self, value: Src, atom: Atom) -> bool {
        matches!(self.look(value), Term::Atom(_, it) if *it == atom)
    }

    /// True for this integer.
    #[inline(always)]
    pub fn if_int(self, value: Src, int: i32) -> bool {
        matches!(self.look(value), Term::Int(_, it) if *it == i64::from(int))
    }

    /// True for a term that is exactly this constant.
    #[inline(always)]
    pub fn if_constant(self, value: Src, index: u32) -> bool {
        let holds = same(self.look(value), self.constant(index));
        self.release(value);
        holds
    }

    /// `a =:= b`.
    #[inline(always)]
    pub fn if_same(self, a: Src, b: Src) -> bool {
        self.compared(a, b, same)
    }

    /// `a == b`.
    #[inline(always)]
    pub fn if_equal(self, a: Src, b: Src) -> bool {
        self.compared(a, b, Term::num_eq)
    }

    /// `a < b`.
    #[inline(always)]
    pub fn if_less(self, a: Src, b: Src) -> bool {
        if let (Term::Int(_, x), Term::Int(_, y)) = (self.look(a), self.look(b)) {
            return x < y;
        }
        self.compared(a, b, less)
    }

    #[inline(always)]
    fn compared(self, a: Src, b: Src, holds: impl Fn(&Term, &Term) -> bool) -> bool {
        let holds = holds(self.look(a), self.look(b));
        self.release(a);
        self.release(b);
        holds
    }

    /// `a < b` for a constant.
    #[inline(always)]
    pub fn if_less_int(self, a: Src, b: i32) -> bool {
        match self.look(a) {
            Term::Int(_, x) => *x < i64::from(b),
            _ => self.less_slowly(a, |a| less(a, &Term::int(i64::from(b)))),
        }
    }

    /// `a > b` for a constant.
    #[inline(always)]
    pub fn if_more_int(self, a: Src, b: i32) -> bool {
        match self.look(a) {
            Term::Int(_, x) => *x > i64::from(b),
            _ => self.less_slowly(a, |a| less(&Term::int(i64::from(b)), a)),
        }
    }

    #[inline(never)]
    fn less_slowly(self, a: Src, holds: impl Fn(&Term) -> bool) -> bool {
        let holds = holds(self.look(a));
        self.release(a);
        holds
    }

    /// True for a map with this key, whose value goes to a slot.
    #[inline(always)]
    pub fn if_map_key(self, to: Slot, map: Src, key: Src) -> bool {
        let found = match self.look(map) {
            Term::Map(_, map) => map.get(self.look(key)).cloned(),
            _ => None,
        };
        self.release(map);
        self.release(key);
        match found {
            Some(value) => {
                self.put_if_wanted(to, value);
                true
            }
            None => false,
        }
    }

    /// True for a bitstring without bits.
    #[inline(always)]
    pub fn if_bits_end(self, value: Src) -> bool {
        let holds = matches!(self.look(value), Term::Bits(_, bits) if bits.is_empty());
        self.release(value);
        holds
    }
}

impl Engine<'_> {
    /// A test by an operation; those that could fail are no tests.
    pub fn if_native(&mut self, at: Cursor, form: u32) -> bool {
        let NativeForm { native, args } = &self.program.code.tests[form as usize];
        let view = self.view(at);
        let mut args: Vec<Term> = args.iter().map(|src| view.look(*src).clone()).collect();
        let result = match self.program.natives[*native as usize].native {
            ops::Native::Pure(rule) => rule(&mut args),
            ops::Native::Running(rule) => rule(&mut self.state, &mut args),
        };
        matches!(result, Ok(Term::Atom(_, known::TRUE)))
    }
}
