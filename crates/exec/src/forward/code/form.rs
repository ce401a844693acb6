//! What is too large for an instruction: it stands in a table, and the instruction has its index.

use ir::{PairKind, SegmentKind, SegmentTest};
use rustc_hash::FxHashMap;
use term::{Atom, Mfa, Term};

use super::Address;
use super::operand::{Slot, Src};

/// A map under construction.
#[derive(Debug)]
pub struct MapForm {
    pub base: Src,
    pub pairs: Vec<(PairKind, Src, Src)>,
}

/// A bitstring under construction.
#[derive(Debug)]
pub struct BitsForm {
    pub segments: Vec<Segment>,
}

#[derive(Debug)]
pub struct Segment {
    pub kind: SegmentKind,
    pub unit: u16,
    pub little: bool,
    pub value: Src,
    pub size: Src,
}

#[derive(Debug)]
pub struct ClosureForm {
    /// An index into the program's functions.
    pub function: u32,
    pub name: Mfa,
    /// The VM's index and hash of the fun.
    pub identity: (u32, u32),
    pub captured: Vec<Src>,
}

#[derive(Debug)]
pub struct SegmentForm {
    pub test: SegmentTest,
    pub size: Src,
    pub value: Slot,
    pub rest: Slot,
}

/// A test by an operation that has no instruction of its own.
#[derive(Debug)]
pub struct NativeForm {
    pub native: u32,
    pub args: Vec<Src>,
}

/// Where each literal of a chain of tests leads.
pub struct SwitchTable {
    pub integers: FxHashMap<i64, Address>,
    /// For integers that lie close together: the addresses from `first` on.
    pub dense: Vec<Address>,
    pub first: i64,
    pub atoms: FxHashMap<Atom, Address>,
    pub nil: Address,
    pub otherwise: Address,
    /// The chain itself: the literals in order, each with the block that tests it.
    pub chain: Vec<(Term, u32)>,
}

/// An element of a tuple and the slot it goes to. The first of a group only counts those that follow.
#[derive(Clone, Copy, Debug)]
pub struct Out {
    pub element: u16,
    pub slot: Slot,
}
