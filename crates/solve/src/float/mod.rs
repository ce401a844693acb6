//! Problems of floats, and of integers that floats depend on: intervals of doubles, narrowed and searched.
//!
//! Every interval is an outer bound: what an operation gives is computed at the ends of what it takes, which rounding
//! to nearest keeps in order, and what it was made of is had back with room for what rounding lost. So an empty
//! interval is a proof. A solution is computed with the operations themselves.

mod backward;
mod decimal;
mod ends;
mod failing;
mod forward;
mod fraction;
mod library;
mod narrow;
mod nice;
mod order;
mod problem;
mod search;
mod shortest;
mod signs;
mod span;
#[cfg(test)]
mod tests;

pub use nice::nice;
pub use problem::{MixedProblem, Number, is_met_by};
pub use search::solve;
