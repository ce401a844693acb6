//! The value type itself: one enum, sixteen bytes, a mark on every node.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::{Atom, Bits, Cons, Fun, Handle, ListIter, Map, Tuple, heap, known};

/// A number an engine may hang on any node; [`Mark::NONE`] when there is nothing to say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Mark(pub u32);

impl Mark {
    /// No mark.
    pub const NONE: Mark = Mark(0);

    /// True if there is a mark.
    #[inline]
    pub fn is_some(self) -> bool {
        self.0 != 0
    }
}

/// An Erlang value. Integers that fit an `i64` are always `Int`, all others `Big`; floats are never NaN or infinite.
///
/// `==` on terms is Erlang's exact equality (`=:=`); marks are ignored by equality, order and hashing.
#[derive(Clone)]
pub enum Term {
    Nil(Mark),
    Int(Mark, i64),
    Atom(Mark, Atom),
    Float(Mark, f64),
    Cons(Mark, Rc<Cons>),
    Tuple(Mark, Tuple),
    Bits(Mark, Rc<Bits>),
    Map(Mark, Rc<Map>),
    Big(Mark, Rc<BigInt>),
    Fun(Mark, Rc<Fun>),
    /// A pid, port or reference.
    Handle(Mark, Rc<Handle>),
}

impl Default for Term {
    #[inline]
    fn default() -> Self {
        Term::nil()
    }
}

impl Term {
    /// The empty list.
    #[inline]
    pub const fn nil() -> Term {
        Term::Nil(Mark::NONE)
    }

    /// A small integer.
    #[inline]
    pub const fn int(value: i64) -> Term {
        Term::Int(Mark::NONE, value)
    }

    /// An integer of any size, in its normal form.
    pub fn big(value: BigInt) -> Term {
        match value.to_i64() {
            Some(small) => Term::int(small),
            None => {
                heap::charge(heap::block(value.bits() as usize / 8));
                Term::Big(Mark::NONE, Rc::new(value))
            }
        }
    }

    /// A float; the caller has checked that it is finite.
    #[inline]
    pub fn float(value: f64) -> Term {
        debug_assert!(value.is_finite());
        Term::Float(Mark::NONE, value)
    }

    /// An atom.
    #[inline]
    pub const fn atom(atom: Atom) -> Term {
        Term::Atom(Mark::NONE, atom)
    }

    /// The atom of that name, interned.
    pub fn atom_named(name: &str) -> Term {
        Term::atom(Atom::new(name))
    }

    /// `true` or `false`.
    #[inline]
    pub const fn bool(value: bool) -> Term {
        Term::atom(if value { known::TRUE } else { known::FALSE })
    }

    /// `[head | tail]`.
    #[inline]
    pub fn cons(head: Term, tail: Term) -> Term {
        Term::Cons(Mark::NONE, Rc::new(Cons::new(head, tail)))
    }

    /// A tuple of these elements.
    pub fn tuple<I>(items: I) -> Term
    where
        I: IntoIterator<Item = Term>,
        I::IntoIter: ExactSizeIterator,
    {
        Term::Tuple(Mark::NONE, Tuple::new(items))
    }

    /// A proper list.
    pub fn list<I>(items: I) -> Term
    where
        I: IntoIterator<Item = Term>,
        I::IntoIter: DoubleEndedIterator,
    {
        Term::list_with_tail(items, Term::nil())
    }

    /// `[item, … | tail]`.
    pub fn list_with_tail<I>(items: I, tail: Term) -> Term
    where
        I: IntoIterator<Item = Term>,
        I::IntoIter: DoubleEndedIterator,
    {
        items.into_iter().rev().fold(tail, |tail, head| Term::cons(head, tail))
    }

    /// A list of code points.
    pub fn string(text: &str) -> Term {
        Term::list(text.chars().map(|c| Term::int(c as i64)))
    }

    /// A bitstring.
    pub fn bits(bits: Bits) -> Term {
        heap::charge(heap::block(0));
        Term::Bits(Mark::NONE, Rc::new(bits))
    }

    /// A binary of these bytes.
    pub fn binary(bytes: impl Into<Vec<u8>>) -> Term {
        Term::bits(Bits::from_bytes(bytes.into()))
    }

    /// A map.
    pub fn map(map: Map) -> Term {
        heap::charge(heap::block(0));
        Term::Map(Mark::NONE, Rc::new(map))
    }

    /// A function value.
    pub fn fun(fun: Fun) -> Term {
        heap::charge(fun.size());
        Term::Fun(Mark::NONE, Rc::new(fun))
    }

    /// A pid, port or reference.
    pub fn handle(handle: Handle) -> Term {
        heap::charge(heap::block(handle.words.len() * 4));
        Term::Handle(Mark::NONE, Rc::new(handle))
    }

    /// The mark of this node.
    #[inline]
    pub fn mark(&self) -> Mark {
        match self {
            Term::Nil(m)
            | Term::Int(m, _)
            | Term::Atom(m, _)
            | Term::Float(m, _)
            | Term::Cons(m, _)
            | Term::Tuple(m, _)
            | Term::Bits(m, _)
            | Term::Map(m, _)
            | Term::Big(m, _)
            | Term::Fun(m, _)
            | Term::Handle(m, _) => *m,
        }
    }

    /// The same value carrying another mark.
    #[inline]
    pub fn with_mark(mut self, mark: Mark) -> Term {
        match &mut self {
            Term::Nil(m)
            | Term::Int(m, _)
            | Term::Atom(m, _)
            | Term::Float(m, _)
            | Term::Cons(m, _)
            | Term::Tuple(m, _)
            | Term::Bits(m, _)
            | Term::Map(m, _)
            | Term::Big(m, _)
            | Term::Fun(m, _)
            | Term::Handle(m, _) => *m = mark,
        }
        self
    }

    /// True for integers of any size.
    pub fn is_integer(&self) -> bool {
        matches!(self, Term::Int(..) | Term::Big(..))
    }

    /// True for integers and floats.
    pub fn is_number(&self) -> bool {
        matches!(self, Term::Int(..) | Term::Big(..) | Term::Float(..))
    }

    /// The atom, if it is one.
    pub fn as_atom(&self) -> Option<Atom> {
        match self {
            Term::Atom(_, atom) => Some(*atom),
            _ => None,
        }
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.as_atom()? {
            known::TRUE => Some(true),
            known::FALSE => Some(false),
            _ => None,
        }
    }

    /// The integer, if it is a small one.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Term::Int(_, value) => Some(*value),
            _ => None,
        }
    }

    /// An integer of either form as a big one.
    pub fn as_bigint(&self) -> Option<BigInt> {
        match self {
            Term::Int(_, value) => Some(BigInt::from(*value)),
            Term::Big(_, value) => Some((**value).clone()),
            _ => None,
        }
    }

    /// The elements, if it is a tuple.
    pub fn as_tuple(&self) -> Option<&[Term]> {
        match self {
            Term::Tuple(_, tuple) => Some(tuple),
            _ => None,
        }
    }

    /// The bitstring, if it is one.
    pub fn as_bits(&self) -> Option<&Bits> {
        match self {
            Term::Bits(_, bits) => Some(bits),
            _ => None,
        }
    }

    /// The map, if it is one.
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Term::Map(_, map) => Some(map),
            _ => None,
        }
    }

    /// Walks the cells of a list, proper or not; [`ListIter::rest`] is what follows the last cell.
    pub fn cells(&self) -> ListIter<'_> {
        ListIter::new(self)
    }

    /// True if the term or a part of it passes the test. Functions have no parts here.
    pub fn any(&self, mut test: impl FnMut(&Term) -> bool) -> bool {
        let mut open = vec![self];
        while let Some(term) = open.pop() {
            if test(term) {
                return true;
            }
            match term {
                Term::Cons(_, cell) => open.extend([&cell.tail, &cell.head]),
                Term::Tuple(_, items) => open.extend(items.iter().rev()),
                Term::Map(_, map) => map.iter().for_each(|(key, value)| open.extend([key, value])),
                _ => {}
            }
        }
        false
    }

    /// The elements of a proper list.
    pub fn proper_list(&self) -> Option<Vec<Term>> {
        let mut cells = self.cells();
        let len = cells.by_ref().count();
        matches!(cells.rest(), Term::Nil(_)).then(|| {
            crate::cut::reserve(len * size_of::<Term>());
            let mut items = Vec::with_capacity(len);
            items.extend(self.cells().cloned());
            items
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_takes_no_room() {
        assert_eq!(size_of::<Term>(), 16);
        assert_eq!(size_of::<Option<Term>>(), 16);
    }
}
