//! Functions that look into their arguments in ways no rule describes: guesses where one gives a wanted value.

mod checksum;
mod external;
pub(crate) mod guess;
mod inverse;
mod pattern;
mod subjects;

pub use guess::{Guess, Sources, guesses};
pub use inverse::{inverse, inverses};
