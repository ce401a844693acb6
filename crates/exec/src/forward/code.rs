//! The compact code that the machine runs: sixteen bytes an instruction, with tables beside it for what is larger.

use std::fmt;

use ir::{PairKind, SegmentKind, SegmentTest};
use rustc_hash::FxHashMap;
use term::{Atom, Mfa, Term};

/// A place in the current frame.
pub type Slot = u16;

/// The slot of a result that nobody wants.
pub const NOWHERE: Slot = Slot::MAX;

/// The primitive that gives the bitstring which begins some bits before another of the same buffer; the linker makes
/// calls of it where it knows that these bits are there.
pub const STEP_BACK: &str = "$step_back";

/// An index into [`Code::instructions`].
pub type Address = u32;

/// The address of code that is not linked yet.
pub const UNLINKED: Address = Address::MAX;

/// An operand: a slot that is read for the last time, a slot that stays alive, or a constant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Src(u32);

/// What a [`Src`] says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SrcKind {
    Last(Slot),
    Keep(Slot),
    Constant(u32),
}

impl Src {
    const CONSTANT: u32 = 1 << 31;
    const LAST: u32 = 1 << 30;

    pub fn last(slot: Slot) -> Src {
        Src(u32::from(slot) | Src::LAST)
    }

    pub fn keep(slot: Slot) -> Src {
        Src(u32::from(slot))
    }

    pub fn constant(index: u32) -> Src {
        debug_assert!(index < Src::LAST);
        Src(index | Src::CONSTANT)
    }

    #[inline(always)]
    pub fn is_constant(self) -> bool {
        self.0 & Src::CONSTANT != 0
    }

    /// Whether the slot dies with this reading.
    #[inline(always)]
    pub fn is_last(self) -> bool {
        self.0 & Src::LAST != 0
    }

    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 & !(Src::CONSTANT | Src::LAST)) as usize
    }

    #[inline(always)]
    pub fn kind(self) -> SrcKind {
        if self.is_constant() {
            SrcKind::Constant(self.index() as u32)
        } else if self.is_last() {
            SrcKind::Last(self.index() as Slot)
        } else {
            SrcKind::Keep(self.index() as Slot)
        }
    }
}

impl fmt::Debug for Src {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            SrcKind::Last(slot) => write!(f, "r{slot}!"),
            SrcKind::Keep(slot) => write!(f, "r{slot}"),
            SrcKind::Constant(index) => write!(f, "#{index}"),
        }
    }
}

/// Arithmetic that has no instruction of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arith {
    Div,
    Rem,
    Band,
    Bor,
    Bxor,
    Bsl,
    Bsr,
}

/// The comparisons that give a boolean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    Same,
    NotSame,
}

/// The type tests of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Atom,
    Boolean,
    Integer,
    Float,
    Number,
    List,
    Tuple,
    Map,
    Binary,
    Bitstring,
    Function,
    Pid,
    Port,
    Reference,
}

/// One step of the machine. Tests go on with the next instruction when they hold, and to `no` otherwise.
///
/// Calls find their arguments in the slots from `window` on, which become the first slots of the called function; its
/// value comes back in the slot `window`. Tail calls find them from slot 0 on.
#[derive(Clone, Copy, Debug)]
pub enum Instr {
    /// The end of the run; what the first function returned stands in slot 0.
    Halt,
    Move {
        to: Slot,
        from: Slot,
    },
    Copy {
        to: Slot,
        from: Slot,
    },
    Constant {
        to: Slot,
        index: u32,
    },
    Swap {
        a: Slot,
        b: Slot,
    },
    Drop {
        slot: Slot,
    },
    Drop2 {
        a: Slot,
        b: Slot,
    },

    Cons {
        to: Slot,
        head: Src,
        tail: Src,
    },
    /// `len` sources from `first` on in [`Code::sources`].
    Tuple {
        to: Slot,
        len: u16,
        first: u32,
    },
    Map {
        to: Slot,
        form: u32,
    },
    Bits {
        to: Slot,
        form: u32,
    },
    Closure {
        to: Slot,
        form: u32,
    },

    Add {
        to: Slot,
        a: Src,
        b: Src,
    },
    AddInt {
        to: Slot,
        a: Src,
        b: i32,
    },
    Sub {
        to: Slot,
        a: Src,
        b: Src,
    },
    SubInt {
        to: Slot,
        a: Src,
        b: i32,
    },
    Mul {
        to: Slot,
        a: Src,
        b: Src,
    },
    Arith {
        op: Arith,
        to: Slot,
        a: Src,
        b: Src,
    },
    Relation {
        op: Relation,
        to: Slot,
        a: Src,
        b: Src,
    },
    TypeTest {
        kind: Type,
        to: Slot,
        a: Src,
    },
    Head {
        to: Slot,
        list: Src,
    },
    Tail {
        to: Slot,
        list: Src,
    },
    Element {
        to: Slot,
        at: Src,
        tuple: Src,
    },
    TupleSize {
        to: Slot,
        tuple: Src,
    },
    MapGet {
        to: Slot,
        key: Src,
        map: Src,
    },

    IfNil {
        value: Src,
        no: Address,
    },
    IfAtom {
        value: Src,
        atom: Atom,
        no: Address,
    },
    IfInt {
        value: Src,
        int: i32,
        no: Address,
    },
    IfConstant {
        value: Src,
        index: u32,
        no: Address,
    },
    IfSame {
        a: Src,
        b: Src,
        no: Address,
    },
    IfEqual {
        a: Src,
        b: Src,
        no: Address,
    },
    IfLess {
        a: Src,
        b: Src,
        no: Address,
    },
    IfLessInt {
        a: Src,
        b: i32,
        no: Address,
    },
    IfMoreInt {
        a: Src,
        b: i32,
        no: Address,
    },
    IfNotLess {
        a: Src,
        b: Src,
        no: Address,
    },
    IfNotLessInt {
        a: Src,
        b: i32,
        no: Address,
    },
    IfNotMoreInt {
        a: Src,
        b: i32,
        no: Address,
    },
    /// A source that is read for the last time is taken apart.
    IfCons {
        value: Src,
        head: Slot,
        tail: Slot,
        no: Address,
    },
    /// `outs` counts from there on in [`Code::outs`].
    IfTuple {
        size: u16,
        value: Src,
        outs: u32,
        no: Address,
    },
    /// Here the sources are never last.
    IfType {
        kind: Type,
        value: Src,
        no: Address,
    },
    IfMapKey {
        to: Slot,
        map: Src,
        key: Src,
        no: Address,
    },
    IfSegment {
        form: u32,
        bits: Src,
        no: Address,
    },
    /// An unsigned big-endian integer of 8, 16 or 32 bits at a byte boundary; `form` as in `IfSegment`.
    IfBytes {
        count: u8,
        form: u32,
        bits: Src,
        no: Address,
    },
    IfBitsEnd {
        value: Src,
        no: Address,
    },
    IfNative {
        form: u32,
        no: Address,
    },
    Switch {
        value: Src,
        table: u32,
    },
    Jump {
        to: Address,
    },
    /// A jump backwards, which counts as a step.
    Loop {
        to: Address,
    },

    /// A call that was never made: `callee` in [`super::program::Program::callees`].
    Call {
        window: Slot,
        callee: u32,
    },
    TailCall {
        callee: u32,
    },
    /// A call of linked code with a frame of `frame` slots.
    CallCode {
        window: Slot,
        frame: u32,
        entry: Address,
    },
    TailCode {
        frame: u32,
        entry: Address,
    },
    /// An operation written in Rust that needs only its arguments.
    Native {
        window: Slot,
        arity: u8,
        native: u32,
    },
    /// Calls the fun that stands behind its arguments.
    CallFun {
        window: Slot,
        arity: u8,
    },
    TailFun {
        arity: u8,
    },
    /// Calls the function whose module and name stand behind its arguments.
    CallNamed {
        window: Slot,
        arity: u8,
    },
    TailNamed {
        arity: u8,
    },
    Primitive {
        window: Slot,
        arity: u8,
        name: Atom,
    },
    Return {
        value: Src,
    },
    /// The value stands in slot 0 already.
    ReturnFirst,

    RaiseError {
        reason: Src,
    },
    /// `len` sources from `first` on in [`Code::sources`].
    RaiseClause {
        len: u16,
        first: u32,
    },
    RaiseAgain {
        reason: Src,
        raw: Src,
    },

    /// An event: entry `index` of [`Code::seen`].
    Seen {
        index: u32,
    },
    /// An event: clause `clause` of the running function's case `case` was entered.
    Enter {
        case: u32,
        clause: u32,
    },
}

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

/// Something that a run is asked to record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// A line of a module.
    Line(Atom, u32),
    /// A clause of a choice of a function.
    Clause(Mfa, u32, u32),
}

/// An element of a tuple and the slot it goes to. The first of a group only counts those that follow.
#[derive(Clone, Copy, Debug)]
pub struct Out {
    pub element: u16,
    pub slot: Slot,
}

/// Everything that was linked so far. It only grows.
#[derive(Default)]
pub struct Code {
    pub instructions: Vec<Instr>,
    pub constants: Vec<Term>,
    pub sources: Vec<Src>,
    pub outs: Vec<Out>,
    pub maps: Vec<MapForm>,
    pub bits: Vec<BitsForm>,
    pub closures: Vec<ClosureForm>,
    pub segments: Vec<SegmentForm>,
    pub tests: Vec<NativeForm>,
    pub switches: Vec<SwitchTable>,
    /// Events that are recorded, and whether they have come to pass.
    pub events: Vec<Event>,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_takes_sixteen_bytes() {
        assert_eq!(size_of::<Instr>(), 16);
    }
}
