//! A session of the tool: code and the VM behind it, and the commands without their flags and printing.
//!
//! A [`Session`] is opened on sources; [`run`], [`explore`], [`reach`], [`instrument`] and [`solve`] work in it and
//! return results that another crate puts into words.

mod bounds;
mod confirm;
pub mod doctor;
mod domain;
pub mod explore;
mod failure;
mod gathered;
mod guard;
pub mod instrument;
pub mod interrupt;
pub mod job;
pub mod learn;
pub mod library;
mod monitor;
pub mod names;
pub mod near;
mod private;
pub mod project;
mod proper;
pub mod reach;
pub mod resolve;
pub mod run;
mod schedule;
mod session;
pub mod silence;
pub mod solve;
mod solver;
pub mod store;
pub mod versions;
mod vm;
mod words;
mod workers;
pub mod z3;

pub use bounds::{SearchBounds, mebibytes};
pub use failure::Failure;
pub use job::{Job, JobResult};
pub use monitor::Monitor;
pub use schedule::{EventAction, FindingSchedule, ShownEvent};
pub use session::{Opened, Session, SessionOptions};
