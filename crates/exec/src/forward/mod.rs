//! The forward machine: runs graphs exactly as the real VM runs the code they came from.
//!
//! The stages of a function: the [`World`] gives its graph, `link` turns the graph into compact code once, at the first
//! call, and `machine` runs that code. Nothing here does input or output; what the machine needs it asks the world for.

mod code;
mod link;
mod machine;
mod outcome;
mod passing;
mod program;
mod symbolic;
mod unmatched;
mod world;

pub use link::asked;
pub use machine::{
    Access, CLOCK, Crash, Directions, EventKind, Machine, MessageId, Numbers, Object, Observed, Observer, Patterns,
    PidTable, ProcessEvent, Schedule, Script, Sent, Stopped, TIMER, channel, channel_ends, pid,
};
pub use outcome::{ClauseId, Coverage, Ending, Limits, Options, Place, Run, WaitingProcess};
pub use symbolic::{
    Branch, Concretize, EnteredClause, Gap, Recorder, RecorderLimits, SiteInfo, branch_site, is_marked,
};
pub use world::{Code, CodeSource, RecordedRun, RunStopped, SampleStore, Stop, Vm, VmAnswer, VmCall, World};
