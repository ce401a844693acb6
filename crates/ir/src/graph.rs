//! The graph's own types: registers, operands, operations, tests, blocks and functions.

use term::{Mfa, Term};

use crate::{Location, Primitive, ProcessOp};

/// A constant of the graph.
pub type Literal = Term;

/// A local of one function. Registers may be written in several blocks, but never read before they are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Reg(pub u32);

/// The index of a block in its function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

/// A value that an operation reads.
#[derive(Clone, Debug)]
pub enum Operand {
    Reg(Reg),
    Literal(Literal),
}

/// One source function together with the closures and local functions that were lifted out of it.
#[derive(Clone)]
pub struct Unit {
    /// The source function first, then what was lifted out of it, in source order.
    pub functions: Vec<Function>,
    /// The names of files in stack traces.
    pub files: Vec<String>,
    /// The names by which people find the same files from where they are; none where these are the same.
    pub shown: Vec<String>,
}

impl Unit {
    /// Returns the name of a file as people find it.
    pub fn file(&self, index: u16) -> &str {
        let index = usize::from(index);
        self.shown.get(index).or_else(|| self.files.get(index)).map_or("", String::as_str)
    }
}

/// The control-flow graph of one function.
#[derive(Clone)]
pub struct Function {
    /// The name in stack traces; lifted functions are named as the VM names them (`'-main/1-fun-0-'`).
    /// `arity` counts all parameters, captured ones included.
    pub name: Mfa,
    /// Parameters, then captured values.
    pub params: Vec<Reg>,
    /// The number of `params`, at their end, that are captured.
    pub captured: u32,
    /// The entry is the first block.
    pub blocks: Vec<BasicBlock>,
    /// The number of registers that the function uses: all are below this number.
    pub registers: u32,
    /// The choices that [`Op::Enter`] refers to.
    pub cases: Vec<Case>,
    pub location: Location,
}

/// A choice between clauses in the source.
#[derive(Clone)]
pub struct Case {
    pub kind: CaseKind,
    pub location: Location,
    /// The places of the clauses, in source order; compiler-made clauses have no line.
    pub clauses: Vec<Location>,
}

/// The source form of a choice between clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaseKind {
    /// The clauses of a function or fun.
    Function,
    /// Any other choice.
    Case,
}

/// Instructions that run one after the other, and where control goes then.
#[derive(Clone)]
pub struct BasicBlock {
    /// The handler of an exception raised in this block; out of the function if `None`.
    pub handler: Option<BlockId>,
    /// For the target of a `handler`: the registers that receive the exception.
    pub catch: Option<Catch>,
    pub body: Vec<Instruction>,
    pub end: Terminator,
    pub end_location: Location,
}

/// Registers written when a block is entered by an exception; `None` where they are not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Catch {
    pub class: Option<Reg>,
    pub reason: Option<Reg>,
    /// Class and stack in one opaque value, for [`Raise::Again`] and the stack trace operation.
    pub raw: Option<Reg>,
}

/// An operation with its place in the source.
#[derive(Clone)]
pub struct Instruction {
    pub op: Op,
    pub location: Location,
}

/// An instruction of a block.
#[derive(Clone)]
pub enum Op {
    /// Copies a value.
    Copy { to: Reg, from: Operand },
    /// Makes a list cell.
    Cons { to: Reg, head: Operand, tail: Operand },
    /// Makes a tuple.
    Tuple { to: Reg, items: Vec<Operand> },
    /// Builds or updates a map; `base` is the empty map literal for a new one. Raises `{badmap, B}` or `{badkey, K}`.
    Map { to: Reg, base: Operand, pairs: Vec<(PairKind, Operand, Operand)> },
    /// Builds a bitstring; raises `badarg` where a value does not fit its segment.
    Bits { to: Reg, segments: Vec<SegmentValue> },
    /// A closure of a lifted function of the same unit over captured values.
    Closure { to: Reg, function: Mfa, captured: Vec<Operand> },
    /// Calls a function.
    Call { to: Reg, callee: Callee, args: Vec<Operand> },
    /// An operation of the language itself that has no module. One with several values gives a tuple of them.
    Primitive { to: Reg, op: Primitive, args: Vec<Operand> },
    /// Control has entered clause `clause` (from 0) of `cases[case]`.
    Enter { case: u32, clause: u32 },
    /// An expression that line coverage counts is about to be evaluated.
    Line(u32),
}

/// The two forms of a pair in a map expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PairKind {
    /// `K => V`.
    Put,
    /// `K := V`: the key must be there.
    Update,
}

/// The function that a call calls.
#[derive(Clone)]
pub enum Callee {
    /// A function of the same module, exported or not; a lifted one too, captured values given as last arguments.
    Local(Mfa),
    /// A function named by module and name, which may be values known only at run time.
    Remote { module: Operand, function: Operand },
    /// A built-in function by which a process acts on others.
    Process { op: ProcessOp, function: Mfa },
    /// A fun value.
    Fun(Operand),
}

/// The end of a block: where control goes.
#[derive(Clone)]
pub enum Terminator {
    /// Goes on with a block.
    Jump(BlockId),
    /// One elementary test. `outs` receive what a successful test reveals and are written only on `yes`.
    Branch { test: Test, args: Vec<Operand>, outs: Vec<Option<Reg>>, yes: BlockId, no: BlockId },
    /// Ends the function with a value.
    Return(Operand),
    /// A call whose value is the function's; never in a block with a handler.
    TailCall { callee: Callee, args: Vec<Operand> },
    /// Raises an exception.
    Raise(Raise),
}

/// Elementary tests; none of them raises.
#[derive(Clone)]
pub enum Test {
    /// `(V)`: is `V` exactly this literal?
    Literal(Literal),
    /// `(A, B)`: exactly equal?
    Same,
    /// `(V) -> (Head, Tail)`.
    Cons,
    /// `(V) -> (E1, …, En)`: a tuple of this size?
    Tuple(u32),
    /// `(Args…)`: a boolean operation that cannot fail, such as `erlang:is_atom/1` or `erlang:'<'/2`.
    Predicate(Mfa),
    /// `(Map, Key) -> (Value)`: is it a map with that key?
    MapKey,
    /// `(Bits, Size) -> (Value, Rest)`: does a segment of this kind stand at the front? `Bits` is a bitstring, `Size` the
    /// atom `all` for "the rest", and ignored for `utf*`.
    Segment(SegmentFormat),
    /// `(Bits)`: is it the empty bitstring?
    BitsEnd,
}

/// The type of a segment of a bitstring.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum SegmentKind {
    Integer,
    Float,
    /// A bitstring: `binary`, `bytes`, `bitstring`, `bits` with their units.
    Bits,
    Utf8,
    Utf16,
    Utf32,
}

/// The format of a segment. `unit` is 1 for the `utf*` kinds, which have none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SegmentFormat {
    /// The type of the value.
    pub kind: SegmentKind,
    /// Bits of one unit of its size.
    pub unit: u16,
    /// Integers are signed.
    pub signed: bool,
    /// The least significant byte comes first.
    pub little: bool,
}

/// A segment under construction; `size` is the atom `all` for a whole bitstring, `undefined` where there is none.
#[derive(Clone)]
pub struct SegmentValue {
    /// Its format.
    pub format: SegmentFormat,
    /// The value of the segment.
    pub value: Operand,
    /// Its size in units.
    pub size: Operand,
}

/// The exceptions that a terminator raises.
#[derive(Clone)]
pub enum Raise {
    /// `error:Reason`.
    Error(Operand),
    /// `error:function_clause` of this function, with the arguments in the stack trace.
    FunctionClause(Vec<Operand>),
    /// The exception that a handler caught, unchanged: reason and the raw value of [`Catch`].
    Again { reason: Operand, raw: Operand },
}
