//! The depth guard: recursion over data that nests deeper than the stack goes.

/// The stack that a recursive step may need, and the size of a new piece when less is left.
const RED_ZONE: usize = 128 << 10;
const STACK_STEP: usize = 4 << 20;

/// Runs one level deeper, on a new piece of stack where the current one gets short. It may be cut ([`crate::cut`]).
#[inline]
pub fn deeper<T>(step: impl FnOnce() -> T) -> T {
    crate::cut::tick();
    dropping(step)
}

/// The same for what drops terms, which is never cut.
#[inline]
pub(crate) fn dropping<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, STACK_STEP, step)
}
