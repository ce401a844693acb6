//! The control-flow graph: functions made of blocks, one elementary test per branch, a source location on everything.
//!
//! The graph knows no surface syntax. A value is whatever [`Literal`] says; an operation is a qualified name whose
//! meaning lives elsewhere. It prints, reads back and verifies.

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
mod verify;

pub use builder::Builder;
pub use callgraph::{CallEdge, CallGraph};
pub use graph::{
    BasicBlock, BlockId, Callee, Case, CaseKind, Catch, Function, Instruction, Literal, Op, Operand, PairKind, Raise,
    Reg, SegmentKind, SegmentTest, SegmentValue, Terminator, Test, Unit,
};
pub use location::Location;
pub use primitive::{Event, Primitive, ProcessOp, Receive, Replay};
pub use propagate::propagate;
pub use thread::thread;
pub use tidy::tidy;
pub use verify::{VerifierRule, Violation, verify};
