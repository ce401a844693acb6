//! The control-flow graph: functions made of blocks, one elementary test per branch, a source location on everything.
//!
//! The graph knows no surface syntax. A value is whatever [`Literal`] says; an operation is a qualified name whose
//! meaning lives elsewhere. It prints, reads back and verifies.

mod access;
mod builder;
mod callgraph;
mod graph;
mod location;
mod loops;
mod print;
mod propagate;
mod read;
mod thread;
mod tidy;
mod verify;

pub use builder::Builder;
pub use callgraph::{CallGraph, Callee};
pub use graph::{
    BasicBlock, BlockId, Case, CaseKind, Catch, EVENT, EVENT_BACK, EVENT_CALL, Function, GIVEN, Instruction, LATE,
    Literal, Op, Operand, PairKind, RECEIVED, Raise, Reg, SegmentKind, SegmentTest, SegmentValue, Target, Terminator,
    Test, Unit,
};
pub use location::Location;
pub use loops::{Loop, loops};
pub use propagate::propagate;
pub use thread::thread;
pub use tidy::tidy;
pub use verify::{Rule, Violation, verify};
