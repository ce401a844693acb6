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
    /// Moves the value of a slot to a dead one.
    Move { to: Slot, from: Slot },
    /// Copies the value of a slot.
    Copy { to: Slot, from: Slot },
    /// Copies constant `index` of [`Code::constants`].
    Constant { to: Slot, index: u32 },
    /// Exchanges the values of two slots.
    Swap { a: Slot, b: Slot },
    /// Ends the life of a value.
    Drop { slot: Slot },
    /// Ends the lives of two values.
    Drop2 { a: Slot, b: Slot },

    /// Makes a list cell.
    Cons { to: Slot, head: Src, tail: Src },
    /// Makes a tuple of `len` sources from `first` on in [`Code::sources`].
    Tuple { to: Slot, len: u16, first: u32 },
    /// Builds the map of entry `form` of [`Code::maps`].
    Map { to: Slot, form: u32 },
    /// Builds the bitstring of entry `form` of [`Code::bits`].
    Bits { to: Slot, form: u32 },
    /// Makes the fun of entry `form` of [`Code::closures`].
    Closure { to: Slot, form: u32 },

    /// `a + b`.
    Add { to: Slot, a: Src, b: Src },
    /// `a + b` for a constant.
    AddInt { to: Slot, a: Src, b: i32 },
    /// `a - b`.
    Sub { to: Slot, a: Src, b: Src },
    /// `a - b` for a constant.
    SubInt { to: Slot, a: Src, b: i32 },
    /// `a * b`.
    Mul { to: Slot, a: Src, b: Src },
    /// Arithmetic on integers that has no instruction of its own.
    Arith { op: Op, to: Slot, a: Src, b: Src },
    /// A comparison as a boolean.
    Relation { op: Relation, to: Slot, a: Src, b: Src },
    /// A type test as a boolean.
    TypeTest { kind: Type, to: Slot, a: Src },
    /// `hd(list)`.
    Head { to: Slot, list: Src },
    /// `tl(list)`.
    Tail { to: Slot, list: Src },
    /// `element(at, tuple)`.
    Element { to: Slot, at: Src, tuple: Src },
    /// `tuple_size(tuple)`.
    TupleSize { to: Slot, tuple: Src },
    /// `map_get(key, map)`.
    MapGet { to: Slot, key: Src, map: Src },

    /// Is it `[]`?
    IfNil { value: Src, no: Address },
    /// Is it this atom?
    IfAtom { value: Src, atom: Atom, no: Address },
    /// Is it this integer?
    IfInt { value: Src, int: i32, no: Address },
    /// Is it exactly constant `index`?
    IfConstant { value: Src, index: u32, no: Address },
    /// `a =:= b`.
    IfSame { a: Src, b: Src, no: Address },
    /// `a == b`.
    IfEqual { a: Src, b: Src, no: Address },
    /// `a < b`.
    IfLess { a: Src, b: Src, no: Address },
    /// `a < b` for a constant.
    IfLessInt { a: Src, b: i32, no: Address },
    /// `a > b` for a constant.
    IfMoreInt { a: Src, b: i32, no: Address },
    /// `not (a < b)`.
    IfNotLess { a: Src, b: Src, no: Address },
    /// `not (a < b)` for a constant.
    IfNotLessInt { a: Src, b: i32, no: Address },
    /// `not (a > b)` for a constant.
    IfNotMoreInt { a: Src, b: i32, no: Address },
    /// Is it a list cell? A source that is read for the last time is taken apart.
    IfCons { value: Src, head: Slot, tail: Slot, no: Address },
    /// Is it a tuple of this size? `outs` counts from there on in [`Code::outs`].
    IfTuple { size: u16, value: Src, outs: u32, no: Address },
    /// Is it of this type? Here the source is never last.
    IfType { kind: Type, value: Src, no: Address },
    /// Is it a map with that key? Its value goes to `to`.
    IfMapKey { to: Slot, map: Src, key: Src, no: Address },
    /// Does the segment of entry `form` of [`Code::segments`] stand at the front?
    IfSegment { form: u32, bits: Src, no: Address },
    /// An unsigned big-endian integer of 8, 16 or 32 bits at a byte boundary; `form` as in `IfSegment`.
    IfBytes { count: u8, form: u32, bits: Src, no: Address },
    /// Is it the empty bitstring?
    IfBitsEnd { value: Src, no: Address },
    /// Is the operation of entry `form` of [`Code::tests`] true?
    IfNative { form: u32, no: Address },
    /// Goes where entry `table` of [`Code::switches`] says.
    Switch { value: Src, table: u32 },
    /// Goes to another place.
    Jump { to: Address },
    /// A jump backwards, which counts as a step.
    Loop { to: Address },

    /// A call that was never made: `callee` in [`super::program::Program::callees`].
    Call { window: Slot, callee: u32 },
    /// The same for a tail call.
    TailCall { callee: u32 },
    /// A call of linked code with a frame of `frame` slots.
    CallCode { window: Slot, frame: u32, entry: Address },
    /// The same for a tail call.
    TailCode { frame: u32, entry: Address },
    /// An operation written in Rust that needs only its arguments.
    Native { window: Slot, arity: u8, native: u32 },
    /// Calls the fun that stands behind its arguments.
    CallFun { window: Slot, arity: u8 },
    /// The same for a tail call.
    TailFun { arity: u8 },
    /// Calls the function whose module and name stand behind its arguments.
    CallNamed { window: Slot, arity: u8 },
    /// The same for a tail call.
    TailNamed { arity: u8 },
    /// Does a primitive of the language.
    Primitive { window: Slot, arity: u8, op: Primitive },
    /// Ends the function with a value.
    Return { value: Src },
    /// The value stands in slot 0 already.
    ReturnFirst,

    /// Raises `error:reason`.
    RaiseError { reason: Src },
    /// Raises `function_clause`, with `len` sources from `first` on in [`Code::sources`] as arguments.
    RaiseClause { len: u16, first: u32 },
    /// Raises what a handler caught once more.
    RaiseAgain { reason: Src, raw: Src },

    /// An event: entry `index` of [`Code::seen`].
    Seen { index: u32 },
    /// An event: clause `clause` of the running function's case `case` was entered.
    Enter { case: u32, clause: u32 },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_takes_sixteen_bytes() {
        assert_eq!(size_of::<Instr>(), 16);
    }
}
