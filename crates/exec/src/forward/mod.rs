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
    Access, BranchCounts, CLOCK, CalledFunction, Crash, Directions, EventKind, EventLog, HandleName, KnownLoop,
    LoopVisit, Machine, MessageId, NameOrder, Numbers, Object, Observed, Observer, Patterns, PidTable, ProcessEvent,
    RoundVisit, RoundWatch, Schedule, Script, Sent, Stopped, TIMER, channel, channel_ends, number_of,
};
pub use outcome::{
    ArgumentChange, ChangeDirection, ClauseId, Coverage, Ending, EndlessLoop, Limits, LoopCall, LoopProgress, Options,
    Place, Run, WaitingProcess,
};
pub use symbolic::{
    Branch, Concretize, Elsewhere, EnteredClause, Gap, GapKind, Recorder, RecorderLimits, SiteInfo, branch_site,
    is_closure_data, is_marked, maker_of_number, unmarked,
};
pub use world::{Code, CodeSource, RecordedRun, RunStopped, SampleStore, Stop, Vm, VmAnswer, VmCall, World};
