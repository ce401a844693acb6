//! The depth guard: recursion over data that nests deeper than the stack goes.
//!
//! Only the first part of a thread's stack is used; from there on recursion takes pieces that are counted as memory and
//! given back, and what is dropped waits for its turn in one piece.

use std::cell::{Cell, RefCell};

use crate::cut;

/// The stack that a recursive step may need, the size of a new piece when less is left, and the part of a thread's own
/// stack that is used.
const RED_ZONE: usize = 128 << 10;
const STACK_STEP: usize = 4 << 20;
const FIRST: usize = 4 << 20;

type Waiting = Vec<Box<dyn FnOnce()>>;

thread_local! {
    /// Bytes of the current stack that are not used; not known at first.
    static FLOOR: Cell<usize> = const { Cell::new(usize::MAX) };
    /// The drops that wait, while there is a piece for them.
    static WAITING: RefCell<Option<Waiting>> = const { RefCell::new(None) };
}

#[inline]
fn has_room() -> bool {
    stacker::remaining_stack().is_some_and(|left| left >= FLOOR.get())
}

/// The same, where the part of the stack that is used may not be known yet.
fn has_room_after_all() -> bool {
    if FLOOR.get() == usize::MAX {
        FLOOR.set(stacker::remaining_stack().map_or(0, |left| left.saturating_sub(FIRST).max(RED_ZONE)));
    }
    has_room()
}

/// A piece of stack, which is counted as long as it is used.
struct Piece {
    outer: usize,
}

impl Piece {
    fn new() -> Piece {
        cut::count(STACK_STEP as isize);
        Piece { outer: FLOOR.replace(RED_ZONE) }
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        cut::count(-(STACK_STEP as isize));
        FLOOR.set(self.outer);
    }
}

/// Runs one level deeper, on a new piece of stack where the current one gets short. It may be cut ([`crate::cut`]).
#[inline]
pub fn deeper<T>(step: impl FnOnce() -> T) -> T {
    cut::tick();
    if has_room() { step() } else { on_piece(step) }
}

#[cold]
#[inline(never)]
fn on_piece<T>(step: impl FnOnce() -> T) -> T {
    if has_room_after_all() {
        return step();
    }
    cut::reserve(STACK_STEP);
    let _piece = Piece::new();
    stacker::grow(STACK_STEP, step)
}

/// Drops terms, which is never cut.
#[inline]
pub(crate) fn dropping(drop: impl FnOnce() + 'static) {
    if has_room() { drop() } else { drop_later(drop) }
}

#[cold]
#[inline(never)]
fn drop_later(drop: impl FnOnce() + 'static) {
    if has_room_after_all() {
        return drop();
    }
    let is_first = WAITING.with_borrow_mut(|waiting| {
        let is_first = waiting.is_none();
        waiting.get_or_insert_default().push(Box::new(drop));
        is_first
    });
    if is_first {
        let _piece = Piece::new();
        stacker::grow(STACK_STEP, || {
            while let Some(next) = next_drop() {
                next()
            }
        });
        WAITING.set(None);
    }
}

fn next_drop() -> Option<Box<dyn FnOnce()>> {
    WAITING.with_borrow_mut(|waiting| waiting.as_mut()?.pop())
}

#[cfg(test)]
mod tests {
    use crate::Term;

    #[test]
    fn deep_terms_are_dropped_and_compared_in_little_stack() {
        let deep = |last: i64| (0..1_000_000).fold(Term::int(last), |inner, _| Term::tuple([inner]));
        let one = deep(1);
        assert_eq!(one, deep(1));
        assert_ne!(one, deep(2));
    }
}
