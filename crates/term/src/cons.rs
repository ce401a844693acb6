//! List cells, and walking lists without recursion.

use std::mem;
use std::rc::Rc;

use crate::{Term, heap};

/// One list cell.
pub struct Cons {
    /// The first element.
    pub head: Term,
    /// The rest, which need not be a list.
    pub tail: Term,
}

impl Cons {
    /// A cell of these two.
    #[inline]
    pub fn new(head: Term, tail: Term) -> Cons {
        heap::charge(heap::CELL);
        Cons { head, tail }
    }
}

/// Frees a list cell by cell: a list of a million cells must not need a million stack frames.
impl Drop for Cons {
    #[inline]
    fn drop(&mut self) {
        // Most cells are taken apart before they are freed.
        if matches!(self.tail, Term::Cons(..)) || matches!(self.head, Term::Cons(..) | Term::Tuple(..)) {
            self.free();
        }
    }
}

impl Cons {
    fn free(&mut self) {
        let mut rest = mem::take(&mut self.tail);
        while let Term::Cons(_, cell) = rest {
            match Rc::try_unwrap(cell) {
                Ok(mut cell) => rest = mem::take(&mut cell.tail),
                Err(_) => break,
            }
        }
        if matches!(self.head, Term::Cons(..) | Term::Tuple(..)) {
            let head = mem::take(&mut self.head);
            crate::depth::dropping(move || drop(head));
        }
    }
}

/// The heads of a list's cells; see [`Term::cells`].
pub struct ListIter<'a> {
    rest: &'a Term,
}

impl<'a> ListIter<'a> {
    pub(crate) fn new(list: &'a Term) -> Self {
        ListIter { rest: list }
    }

    /// The rest after the cells seen so far.
    pub fn rest(&self) -> &'a Term {
        self.rest
    }
}

impl<'a> Iterator for ListIter<'a> {
    type Item = &'a Term;

    fn next(&mut self) -> Option<&'a Term> {
        match self.rest {
            Term::Cons(_, cell) => {
                self.rest = &cell.tail;
                Some(&cell.head)
            }
            _ => None,
        }
    }
}
