//! The control-flow graph: functions made of blocks, one elementary test per branch, a source location on everything.
//!
//! The graph knows no surface syntax. A value is whatever [`Literal`] says; an operation is a qualified name whose
//! meaning lives elsewhere. It prints; in tests it reads back, in debug builds it is verified.

mod access;
mod builder;
mod callgraph;
mod graph;
mod location;
mod primitive;
mod print;
mod propagate;
// For tests and examples, which write graphs as text.
#[cfg(any(test, feature = "reader"))]
#[path = "../tests/reader/mod.rs"]
mod reader;
mod thread;
mod tidy;
// For tests, and for the assertions of debug builds.
#[cfg(any(test, debug_assertions, feature = "reader"))]
#[path = "../tests/verify/mod.rs"]
mod verify;

pub use builder::Builder;
pub use callgraph::{CallEdge, CallGraph};
pub use graph::{
    BasicBlock, BlockId, Callee, Case, CaseKind, Catch, Function, Instruction, Literal, Op, Operand, PairKind, Raise,
    Reg, SegmentFormat, SegmentKind, SegmentValue, Terminator, Test, Unit,
};
pub use location::Location;
pub use primitive::{Event, Primitive, ProcessOp, Receive, Replay};
pub use propagate::propagate;
pub use thread::thread;
pub use tidy::tidy;
#[cfg(any(test, debug_assertions, feature = "reader"))]
pub use verify::{VerifierRule, Violation, verify};
