//! The compact code that the machine runs: sixteen bytes an instruction, with tables beside it for what is larger.

mod form;
mod instruction;
mod operand;

use term::{Atom, Mfa, Term};

pub use form::{BitsForm, ClosureForm, MapForm, NativeForm, Out, Segment, SegmentForm, SwitchTable};
pub use instruction::Instr;
pub use operand::{NOWHERE, Slot, Src, SrcKind};

/// An index into [`Code::instructions`].
pub type Address = u32;

/// The address of code that is not linked yet.
pub const UNLINKED: Address = Address::MAX;

/// A place of the program whose coverage a run is asked to record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CoveragePoint {
    /// A line of a module.
    Line(Atom, u32),
    /// A clause of a choice of a function.
    Clause(Mfa, u32, u32),
}

/// Everything that was linked so far. It only grows.
#[derive(Default)]
pub struct Code {
    /// The instructions of all functions.
    pub instructions: Vec<Instr>,
    /// The constants that operands name.
    pub constants: Vec<Term>,
    /// The operands of instructions with many.
    pub sources: Vec<Src>,
    /// The elements that tuple matches take.
    pub outs: Vec<Out>,
    /// The map expressions.
    pub maps: Vec<MapForm>,
    /// The bitstring expressions.
    pub bits: Vec<BitsForm>,
    /// The closures.
    pub closures: Vec<ClosureForm>,
    /// The segments to match.
    pub segments: Vec<SegmentForm>,
    /// The operations used as tests.
    pub tests: Vec<NativeForm>,
    /// The switches.
    pub switches: Vec<SwitchTable>,
    /// The places whose coverage is recorded.
    pub events: Vec<CoveragePoint>,
    /// The places that the run has come to.
    pub seen: Vec<bool>,
}

impl Code {
    /// The group of outs that begins there.
    #[inline(always)]
    pub fn outs_at(&self, first: u32) -> &[Out] {
        let outs = &self.outs[first as usize..];
        &outs[1..][..usize::from(outs[0].element)]
    }

    /// Keeps sources in a row and gives the index of the first.
    pub fn add_sources(&mut self, sources: &[Src]) -> u32 {
        self.sources.extend_from_slice(sources);
        (self.sources.len() - sources.len()) as u32
    }
}
