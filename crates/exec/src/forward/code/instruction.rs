//! The instructions of the machine.

use constraint::{Op, Type};
use ir::Primitive;
use ops::Relation;
use term::Atom;

use super::Address;
use super::operand::{Slot, Src};

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
    /// Arithmetic on integers that has no instruction of its own.
    Arith {
        op: Op,
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
        op: Primitive,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_takes_sixteen_bytes() {
        assert_eq!(size_of::<Instr>(), 16);
    }
}
