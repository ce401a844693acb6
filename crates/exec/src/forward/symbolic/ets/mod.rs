//! ETS in a symbolic run: the VM keeps the tables, and beside each stand its rows with the expressions of their parts.

mod bag;
mod keys;
mod operations;
mod read;
mod rows;
mod tables;

pub use operations::{Expected, Kept};
pub use tables::reaches_tables;
