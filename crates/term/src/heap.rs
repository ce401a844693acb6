//! The heap of a run: bytes that its terms are made of, counted as they are made and measured as they are reached.
//!
//! Sizes are those of this representation, not of the allocator, so that they depend on the terms alone. What is made is
//! counted per thread and never goes down; [`Measure`] finds what of it is left.

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::{Fun, Term, cut};

/// A block's own bookkeeping: its owners, its length.
const BLOCK: usize = 32;

/// Buffers below this size grow by their size.
const EASY: usize = 1 << 20;

/// The size of a list cell.
pub(crate) const CELL: usize = 48;

struct Counts {
    /// Bytes of all terms that were made.
    made: Cell<u64>,
    /// [`is_due`] holds once more than this is made.
    due: Cell<u64>,
    /// The largest single result that is made.
    largest: Cell<u64>,
    refused: Cell<bool>,
}

thread_local! {
    static COUNTS: Counts = const {
        Counts { made: Cell::new(0), due: Cell::new(u64::MAX), largest: Cell::new(u64::MAX), refused: Cell::new(false) }
    };
}

/// Counts a block that is about to be made. It may be cut.
#[inline]
pub fn charge(bytes: usize) {
    cut::tick();
    cut::reserve(bytes);
    COUNTS.with(|counts| counts.made.set(counts.made.get().wrapping_add(bytes as u64)));
}

/// The size of a block with this many bytes in it.
#[inline]
pub(crate) fn block(bytes: usize) -> usize {
    BLOCK + bytes
}

/// Bytes of all terms that this thread has made.
pub fn made() -> u64 {
    COUNTS.with(|counts| counts.made.get())
}

/// Lets [`is_due`] hold once so many bytes more are made.
pub fn set_due(bytes: u64) {
    COUNTS.with(|counts| counts.due.set(counts.made.get().saturating_add(bytes)));
}

/// True if more was made than [`set_due`] has allowed.
#[inline]
pub fn is_due() -> bool {
    COUNTS.with(|counts| counts.made.get() > counts.due.get())
}

/// True if a result of that size may be made at all; if not, [`was_refused`] holds once.
pub fn allows(bytes: usize) -> bool {
    COUNTS.with(|counts| {
        let allowed = bytes as u64 <= counts.largest.get();
        counts.refused.set(counts.refused.get() || !allowed);
        allowed
    })
}

/// Makes room for more bytes in a buffer. It may be cut.
#[inline]
pub fn grow(buffer: &mut Vec<u8>, bytes: usize) {
    if buffer.capacity() - buffer.len() < bytes {
        grow_slowly(buffer, bytes);
    }
}

#[cold]
#[inline(never)]
fn grow_slowly(buffer: &mut Vec<u8>, bytes: usize) {
    let capacity = buffer.capacity();
    // Twice the size, but not twice a large one: this much is held besides the old buffer.
    let wanted = capacity + if capacity < EASY { capacity.max(64) } else { capacity / 4 };
    let wanted = wanted.max(buffer.len() + bytes);
    cut::reserve(wanted);
    buffer.reserve_exact(wanted - buffer.len());
}

/// True if [`allows`] has refused something since the last question.
pub fn was_refused() -> bool {
    COUNTS.with(|counts| counts.refused.take())
}

/// Does something whose terms do not count, such as loading code.
pub fn uncounted<T>(work: impl FnOnce() -> T) -> T {
    let before = made();
    let result = work();
    COUNTS.with(|counts| counts.made.set(before));
    result
}

/// The bounds of one run, in force until it is dropped.
pub struct Bounds {
    outer: (u64, u64),
}

impl Bounds {
    /// Allows results of at most `largest` bytes.
    pub fn new(largest: u64) -> Bounds {
        COUNTS.with(|counts| Bounds { outer: (counts.due.replace(u64::MAX), counts.largest.replace(largest)) })
    }
}

impl Drop for Bounds {
    fn drop(&mut self) {
        COUNTS.with(|counts| {
            counts.due.set(self.outer.0);
            counts.largest.set(self.outer.1);
        });
    }
}

/// The bytes of everything that some terms reach, each block once.
#[derive(Default)]
pub struct Measure<'a> {
    bytes: usize,
    /// Blocks with several owners that were met.
    seen: FxHashSet<*const ()>,
    open: Vec<&'a Term>,
}

impl<'a> Measure<'a> {
    /// Adds terms and all that they reach; stops early once `limit` is exceeded.
    pub fn add(&mut self, terms: impl IntoIterator<Item = &'a Term>, limit: usize) {
        for term in terms {
            self.open.push(term);
            while let Some(term) = self.open.pop() {
                if self.bytes > limit {
                    return self.open.clear();
                }
                self.visit(term);
            }
        }
    }

    /// The bytes so far.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Counts a block that the caller goes into; false if it was met before.
    pub(crate) fn enter(&mut self, block: *const (), owners: usize, size: usize) -> bool {
        let new = owners == 1 || self.seen.insert(block);
        self.bytes += if new { size } else { 0 };
        new
    }

    pub(crate) fn enter_rc<T>(&mut self, block: &Rc<T>, size: usize) -> bool {
        self.enter(Rc::as_ptr(block).cast(), Rc::strong_count(block), size)
    }

    pub(crate) fn later(&mut self, terms: impl IntoIterator<Item = &'a Term>) {
        self.open.extend(terms);
    }

    fn visit(&mut self, mut term: &'a Term) {
        while let Term::Cons(_, cell) = term {
            if !self.enter_rc(cell, CELL) {
                return;
            }
            self.later(is_block(&cell.head).then_some(&cell.head));
            term = &cell.tail;
        }
        match term {
            Term::Tuple(_, tuple) if tuple.enter(self) => self.later(tuple.iter().filter(|item| is_block(item))),
            Term::Map(_, map) if self.enter_rc(map, block(0)) => map.measure(self),
            Term::Bits(_, bits) if self.enter_rc(bits, block(0)) => bits.measure(self),
            Term::Big(_, big) => _ = self.enter_rc(big, block(big.bits() as usize / 8)),
            Term::Fun(_, fun) if self.enter_rc(fun, fun.size()) => {
                if let Fun::Closure(closure) = &**fun {
                    self.later(&closure.captured);
                }
            }
            Term::Handle(_, handle) => _ = self.enter_rc(handle, block(handle.words.len() * 4)),
            _ => {}
        }
    }
}

fn is_block(term: &Term) -> bool {
    !matches!(term, Term::Nil(_) | Term::Int(..) | Term::Atom(..) | Term::Float(..))
}

impl Fun {
    /// The size of its block.
    pub(crate) fn size(&self) -> usize {
        block(match self {
            Fun::Closure(closure) => 32 + closure.captured.len() * size_of::<Term>(),
            Fun::Foreign { etf, .. } => etf.len(),
            Fun::External(_) | Fun::Table(_) => 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bits, BitsBuilder, Map};

    fn measured(term: &Term) -> usize {
        let mut measure = Measure::default();
        measure.add([term], usize::MAX);
        measure.bytes()
    }

    /// The measured size of a made term, and the bytes counted meanwhile.
    fn both(make: impl FnOnce() -> Term) -> (usize, u64) {
        let before = made();
        let term = make();
        (measured(&term), made() - before)
    }

    #[test]
    fn nothing_is_left_that_was_not_counted() {
        let numbers = |count: i64| (0..count).map(|at| (Term::int(at), Term::tuple([Term::int(at)])));
        type Case = (&'static str, fn() -> Term);
        let cases: [Case; 6] = [
            ("a list", || Term::list((0..1000).map(Term::int))),
            ("a tuple", || Term::tuple((0..200i32).map(|at| Term::list([Term::int(i64::from(at))])))),
            ("a binary", || Term::binary(vec![7; 100_000])),
            ("an integer", || Term::big(num_bigint::BigInt::from(1) << 100_000)),
            ("a small map", || Term::map(Map::from_pairs((0..20).map(|at| (Term::int(at), Term::nil()))))),
            ("a built bitstring", || {
                let mut builder = BitsBuilder::new();
                (0..10_000).for_each(|at| builder.push_u64(at, 13));
                Term::bits(builder.finish())
            }),
        ];
        for (what, make) in cases {
            let (left, counted) = both(make);
            assert!(left as u64 <= counted && counted <= 3 * left as u64, "{what}: {left} left of {counted}");
        }
        let (left, counted) = both(|| Term::map(Map::from_pairs(numbers(5000))));
        assert!(left as u64 <= counted && counted <= 4 * left as u64, "a map: {left} left of {counted}");
        let (left, counted) =
            both(|| Term::map(numbers(5000).fold(Map::new(), |map, (key, value)| map.insert(key, value))));
        assert!(left as u64 <= counted, "a map that grew: {left} left of {counted}");
    }

    #[test]
    fn what_is_shared_counts_once() {
        let mut term = Term::nil();
        (0..60).for_each(|_| term = Term::cons(term.clone(), term.clone()));
        assert_eq!(measured(&term), 60 * CELL);
        let bits = Bits::from_bytes(vec![0; 1 << 20]);
        let slices = Term::list((0..100).map(|at| Term::bits(bits.slice(at, 800))));
        assert!(measured(&slices) < 2 << 20);
    }

    #[test]
    fn appending_counts_what_is_new() {
        let mut term = Term::binary(vec![0; 1 << 20]);
        let before = made();
        for _ in 0..1000 {
            let Term::Bits(_, bits) = std::mem::take(&mut term) else { panic!("bits") };
            let mut builder = bits.builder_from();
            builder.push_bytes(&[1]);
            term = Term::bits(builder.finish());
        }
        // One copy at most, while the buffer has no room left.
        assert!(made() - before < 3 << 20, "{}", made() - before);
    }

    #[test]
    fn bounds_end_with_their_owner() {
        let bounds = Bounds::new(1000);
        set_due(10);
        assert!(allows(1000) && !is_due());
        let inner = Bounds::new(5);
        assert!(!allows(6) && was_refused() && !was_refused());
        drop(inner);
        charge(11);
        assert!(is_due() && allows(6));
        drop(bounds);
        assert!(!is_due() && allows(1 << 40));
    }
}
