//! From Core Erlang to the graph: read, flatten, lower; and from specs to the grammar of inputs. Pure: no IO.

pub mod core;
pub mod flat;
pub mod grammar;
pub mod instrument;
pub mod lower;
pub mod wanted;
