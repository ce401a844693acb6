//! Operands too large for an instruction: they stand in tables, and the instruction has the index.

use ir::{PairKind, SegmentFormat, SegmentKind};
use rustc_hash::FxHashMap;
use term::{Atom, Mfa, Term};

use super::Address;
use super::operand::{Slot, Src};

/// A map under construction.
#[derive(Debug)]
pub struct MapForm {
    /// The map to start from.
    pub base: Src,
    /// The pairs in order.
    pub pairs: Vec<(PairKind, Src, Src)>,
}

/// A bitstring under construction.
#[derive(Debug)]
pub struct BitsForm {
    /// The segments in order.
    pub segments: Vec<Segment>,
}

/// A segment of a bitstring expression.
#[derive(Debug)]
pub struct Segment {
    /// The type of the value.
    pub kind: SegmentKind,
    /// Bits of one unit of its size.
    pub unit: u16,
    /// The least significant byte comes first.
    pub little: bool,
    /// The value.
    pub value: Src,
    /// Its size in units.
    pub size: Src,
}

/// A closure to make.
#[derive(Debug)]
pub struct ClosureForm {
    /// An index into the program's functions.
    pub function: u32,
    /// The lifted function.
    pub name: Mfa,
    /// The VM's index and hash of the fun.
    pub identity: (u32, u32),
    /// The captured values.
    pub captured: Vec<Src>,
}

/// A segment to match.
#[derive(Debug)]
pub struct SegmentForm {
    /// The test of the graph.
    pub test: SegmentFormat,
    /// Its size in units.
    pub size: Src,
    /// The slot of the value.
    pub value: Slot,
    /// The slot of the rest.
    pub rest: Slot,
}

/// A test by an operation that has no instruction of its own.
#[derive(Debug)]
pub struct NativeForm {
    /// The operation.
    pub native: u32,
    /// Its arguments.
    pub args: Vec<Src>,
}

/// The targets of the literals of a chain of tests.
pub struct SwitchTable {
    /// Targets by integer.
    pub integers: FxHashMap<i64, Address>,
    /// For integers that lie close together: the addresses from `first` on.
    pub dense: Vec<Address>,
    /// The integer of the first target.
    pub first: i64,
    /// Targets by atom.
    pub atoms: FxHashMap<Atom, Address>,
    /// The target for the empty list.
    pub nil: Address,
    /// The target for everything else.
    pub otherwise: Address,
    /// The chain itself: the literals in order, each with the block that tests it.
    pub chain: Vec<(Term, u32)>,
}

/// An element of a tuple and the slot it goes to. The first of a group only counts those that follow.
#[derive(Clone, Copy, Debug)]
pub struct Out {
    /// The element of the tuple, from 0.
    pub element: u16,
    /// The slot that gets it.
    pub slot: Slot,
}
