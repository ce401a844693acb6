//! The concolic walk: a search for numbers that other members leave undecided.

mod access;
mod assignment;
mod bisect;
mod candidates;
mod error;
mod extract;
mod feasible;
mod gradient;
mod invert;
mod levenberg;
mod linear;
mod matrix;
mod member;
mod minimize;
mod neighbourhood;
mod operations;
mod polytope;
mod problem;
mod program;
mod refine;
mod restarts;
mod selection;
mod settings;
mod simplex;
mod squares;
mod tabu;
mod value;

pub use extract::Extraction;
pub use member::{solve, solve_asking};
pub use selection::{easy, has_floats};
pub use settings::WalkSettings;
pub use tabu::{Walked, walk};
pub use value::{Kind, Num};
