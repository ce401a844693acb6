//! Problems of floats, and of integers that floats depend on: intervals of doubles, narrowed and searched.
//!
//! Every interval is an outer bound: what an operation gives is computed at the ends of what it takes, which rounding
//! to nearest keeps in order, and what it was made of is had back with room for what rounding lost. So an empty
//! interval is a proof. A solution is computed with the operations themselves.

mod backward;
mod branch;
mod conversions;
mod decimal;
mod forward;
mod fraction;
mod interval;
mod libm;
mod linear;
mod narrow;
mod order;
mod problem;
mod short;
mod shortest;
#[cfg(test)]
mod tests;
mod undefined;
mod whole;
mod zeros;

pub use branch::solve;
pub use interval::{further, rank, unrank};
pub use problem::{MixedProblem, Number};
#[cfg(test)]
pub use tests::FLOAT_OPS;
