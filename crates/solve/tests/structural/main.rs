//! The structural member against examples and against all inputs of small grammars.

mod bits;
mod features;
mod funs;
mod maps;
mod order;
mod random;
