//! ETS in a symbolic run: the VM keeps the tables, and beside each stand its rows with the expressions of their parts.

mod bag;
mod keys;
mod observe;
mod operations;
mod rows;
mod table;

pub use observe::reaches_tables;
pub use table::{Expected, SymbolicTable};
