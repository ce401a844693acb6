//! What operations do to intervals, forwards and backwards.

pub mod bits;
pub mod divide;
pub mod multiply;
