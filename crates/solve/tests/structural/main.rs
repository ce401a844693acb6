//! The structural member against examples and against all inputs of small grammars.

mod bits;
mod features;
mod funs;
mod maps;
mod names;
mod order;
mod random;
