//! Tuples: a reference-counted slice of terms behind one thin pointer, so that a term stays two words.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::{self, NonNull};
use std::rc::Rc;
use std::slice;

use crate::Term;
use crate::heap::{self, Measure};

/// The elements of a tuple; cloning shares them.
pub struct Tuple {
    block: NonNull<Header>,
    /// Not `Send`: the count is not atomic.
    _owner: PhantomData<Rc<Term>>,
}

/// Stands before the elements in their allocation.
#[repr(C, align(16))]
struct Header {
    owners: Cell<usize>,
    len: usize,
}

fn layout(len: usize) -> Layout {
    let elements = Layout::array::<Term>(len).expect("a tuple fits the address space");
    Layout::new::<Header>().extend(elements).expect("a tuple fits the address space").0
}

impl Tuple {
    /// A tuple of these elements.
    pub fn new<I>(items: I) -> Tuple
    where
        I: IntoIterator<Item = Term>,
        I::IntoIter: ExactSizeIterator,
    {
        let mut items = items.into_iter();
        let len = items.len();
        let layout = layout(len);
        heap::charge(layout.size());
        // SAFETY: the layout is never of size zero (it holds the header). Every element is written before the
        // tuple exists; should `items` panic or run short, the block leaks and nothing uninitialised is read.
        unsafe {
            let Some(block) = NonNull::new(alloc(layout).cast::<Header>()) else { handle_alloc_error(layout) };
            block.write(Header { owners: Cell::new(1), len });
            let first = block.add(1).cast::<Term>();
            for at in 0..len {
                first.add(at).write(items.next().expect("an exact size iterator keeps its word"));
            }
            Tuple { block, _owner: PhantomData }
        }
    }

    #[inline]
    fn header(&self) -> &Header {
        // SAFETY: the block lives as long as any owner does.
        unsafe { self.block.as_ref() }
    }

    #[inline]
    fn first(&self) -> *mut Term {
        // SAFETY: the elements follow the header in the same allocation; the header's alignment is a term's or more.
        unsafe { self.block.add(1).cast::<Term>().as_ptr() }
    }

    /// The elements, writable if this is their only owner.
    pub fn get_mut(&mut self) -> Option<&mut [Term]> {
        if self.header().owners.get() != 1 {
            return None;
        }
        // SAFETY: this is the only owner, and it is borrowed mutably.
        Some(unsafe { slice::from_raw_parts_mut(self.first(), self.header().len) })
    }

    /// Counts the elements; false if they were counted before.
    pub(crate) fn enter(&self, measure: &mut Measure<'_>) -> bool {
        measure.enter(self.block.as_ptr().cast_const().cast(), self.header().owners.get(), layout(self.len()).size())
    }

    /// True if both are the same allocation.
    #[inline]
    pub fn same(&self, other: &Tuple) -> bool {
        self.block == other.block
    }
}

impl Clone for Tuple {
    #[inline]
    fn clone(&self) -> Self {
        let owners = &self.header().owners;
        owners.set(owners.get() + 1);
        Tuple { block: self.block, _owner: PhantomData }
    }
}

impl Deref for Tuple {
    type Target = [Term];

    #[inline]
    fn deref(&self) -> &[Term] {
        // SAFETY: all elements were written when the tuple was made, and live as long as any owner.
        unsafe { slice::from_raw_parts(self.first(), self.header().len) }
    }
}

impl Drop for Tuple {
    #[inline]
    fn drop(&mut self) {
        let owners = self.header().owners.get();
        if owners > 1 {
            self.header().owners.set(owners - 1);
        } else {
            self.free();
        }
    }
}

impl Tuple {
    #[inline(never)]
    fn free(&mut self) {
        let len = self.header().len;
        let block = self.block;
        let elements = ptr::slice_from_raw_parts_mut(self.first(), len);
        // SAFETY: the last owner is going: no reference to the elements or the block is left.
        crate::depth::dropping(move || unsafe {
            ptr::drop_in_place(elements);
            dealloc(block.as_ptr().cast(), layout(len));
        });
    }
}

impl FromIterator<Term> for Tuple {
    fn from_iter<I: IntoIterator<Item = Term>>(items: I) -> Self {
        Tuple::new(items.into_iter().collect::<Vec<_>>())
    }
}
