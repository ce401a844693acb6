//! From a function's graph to compact code, once, before its first call.
//!
//! The ladder: `thread` (with `facts`) leads control past tests whose outcome is known, `order` lays the reachable
//! blocks out, `liveness` finds who is alive where, `allocate` gives every register a slot of the frame, `select` and
//! `branch` choose instructions (with `switch` for chains of literals, `moves` for arguments and `edges` for values
//! that die between blocks), `emit` places them.

mod allocate;
mod branch;
mod edges;
mod emit;
mod facts;
mod liveness;
mod moves;
mod order;
mod select;
mod switch;
mod thread;

pub use emit::link;
pub use thread::asked;
