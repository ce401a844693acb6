//! The concolic walk: a search for numbers that other members leave undecided.

mod anchor;
mod bisect;
mod code;
mod descend;
mod error;
mod hard;
mod invert;
mod leaves;
mod linear;
mod look;
mod matrix;
mod member;
mod neighbours;
mod place;
mod point;
mod polish;
mod polytope;
pub mod problem;
mod program;
mod search;
mod settings;
mod settle;
mod simplex;
mod slope;
mod squares;
mod starts;
mod value;

pub use hard::{easy, has_floats};
pub use leaves::Leaves;
pub use member::{solve, solve_asking};
pub use search::{Walked, walk};
pub use settings::Settings;
pub use value::{Kind, Num};
