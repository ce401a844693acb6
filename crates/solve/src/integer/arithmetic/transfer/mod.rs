//! Transfer functions of operations on intervals, forwards and backwards.

/// Bit operations.
pub mod bits;
/// Quotients and remainders.
pub mod divide;
/// Products and absolute values.
pub mod multiply;
