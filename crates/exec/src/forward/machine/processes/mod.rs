//! Several processes on one engine: it runs one until that waits, ends or has had its turn, then the next.
//!
//! An operation that others can see is done in [`operations`]; what it means for the processes is in [`super::node`].

mod accesses;
mod arrivals;
mod flags;
mod info;
mod leaders;
mod leaks;
mod operations;
mod options;
mod receive;
mod receivers;
mod recurrence;
mod schedule;
mod spawn;
mod stored;
mod switch;
mod tables;
mod timers;
mod turns;

pub use receive::{LONGEST, Received};
pub use schedule::{Schedule, Trial};
pub use timers::{BEGINNING, EARLIEST, FARTHEST, LATEST, MILLISECONDS, UPTIME};
