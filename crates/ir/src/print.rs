//! The graph as text: one instruction per line, literals as Erlang terms, locations behind `@`.
//!
//! ```text
//! file "m.erl"
//!
//! function m:f/1 (%0) captured 0 registers 3 @3:1
//! case 0 function @3:1 [@3:1, -]
//! b0:
//!   branch cons(%0) -> (%1, _) yes b1 no b2 @3:3
//! b1:
//!   enter 0.0 @3:1
//!   tailcall remote erlang:'+'(%1, 1) @3:15
//! b2:
//!   enter 0.1
//!   raise function_clause(%0)
//! ```
//!
//! `%n` is a register, `_` a value that is not used. A location is `@line:column` in the first file, `@file:line:column` in
//! another, and absent where the compiler made something up.

use std::fmt::{self, Display, Formatter};

use crate::{
    BasicBlock, BlockId, Callee, Case, CaseKind, Catch, Function, Instruction, Location, Op, Operand, PairKind, Raise,
    Reg, SegmentFormat, SegmentKind, SegmentValue, Terminator, Test, Unit,
};

impl Display for Reg {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl Display for BlockId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "b{}", self.0)
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Reg(reg) => reg.fmt(f),
            Operand::Literal(literal) => literal.fmt(f),
        }
    }
}

impl Display for Unit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.files.iter().try_for_each(|file| writeln!(f, "file \"{}\"", quoted(file)))?;
        self.functions.iter().try_for_each(|function| write!(f, "\n{function}"))
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "function {} ({})", self.name, Separated(&self.params))?;
        writeln!(f, " captured {} registers {}{}", self.captured, self.registers, At(self.location))?;
        for (number, case) in self.cases.iter().enumerate() {
            writeln!(f, "case {number} {case}")?;
        }
        for (number, block) in self.blocks.iter().enumerate() {
            write!(f, "b{number}:{block}")?;
        }
        Ok(())
    }
}

impl Display for Case {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            CaseKind::Function => "function",
            CaseKind::Case => "case",
        };
        let clauses: Vec<String> = self.clauses.iter().map(|clause| clause_text(*clause)).collect();
        write!(f, "{kind}{} [{}]", At(self.location), clauses.join(", "))
    }
}

fn clause_text(location: Location) -> String {
    match At(location).to_string() {
        text if text.is_empty() => "-".to_string(),
        text => text.trim_start().to_string(),
    }
}

impl Display for BasicBlock {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(Catch { class, reason, raw }) = self.catch {
            write!(f, " catch({}, {}, {})", Out(class), Out(reason), Out(raw))?;
        }
        if let Some(handler) = self.handler {
            write!(f, " handler {handler}")?;
        }
        writeln!(f)?;
        self.body.iter().try_for_each(|instruction| writeln!(f, "  {instruction}"))?;
        writeln!(f, "  {}{}", self.end, At(self.end_location))
    }
}

impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.op, At(self.location))
    }
}

impl Display for Op {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(to) = self.written() {
            write!(f, "{to} = ")?;
        }
        match self {
            Op::Copy { from, .. } => write!(f, "copy {from}"),
            Op::Cons { head, tail, .. } => write!(f, "cons({head}, {tail})"),
            Op::Tuple { items, .. } => write!(f, "tuple({})", Separated(items)),
            Op::Map { base, pairs, .. } => map_text(f, base, pairs),
            Op::Bits { segments, .. } => write!(f, "bits({})", Separated(segments)),
            Op::Closure { function, captured, .. } => write!(f, "closure {function}({})", Separated(captured)),
            Op::Call { callee, args, .. } => write!(f, "call {callee}({})", Separated(args)),
            Op::Primitive { op, args, .. } => write!(f, "primitive {}({})", op.name(), Separated(args)),
            Op::Enter { case, clause } => write!(f, "enter {case}.{clause}"),
            Op::Line(line) => write!(f, "line {line}"),
        }
    }
}

fn map_text(f: &mut Formatter<'_>, base: &Operand, pairs: &[(PairKind, Operand, Operand)]) -> fmt::Result {
    write!(f, "map({base}")?;
    for (kind, key, value) in pairs {
        let word = match kind {
            PairKind::Put => "put",
            PairKind::Update => "update",
        };
        write!(f, ", {word} {key} {value}")?;
    }
    write!(f, ")")
}

impl Display for Callee {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Callee::Local(function) => write!(f, "local {function}"),
            Callee::Remote { module, function } => write!(f, "remote {module}:{function}"),
            Callee::Process { op, function } => write!(f, "{} {function}", op.name()),
            Callee::Fun(fun) => write!(f, "fun {fun}"),
        }
    }
}

impl Display for Terminator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Terminator::Jump(to) => write!(f, "jump {to}"),
            Terminator::Branch { test, args, outs, yes, no } => {
                write!(f, "branch {test}({})", Separated(args))?;
                if !outs.is_empty() {
                    let outs: Vec<Out> = outs.iter().copied().map(Out).collect();
                    write!(f, " -> ({})", Separated(&outs))?;
                }
                write!(f, " yes {yes} no {no}")
            }
            Terminator::Return(value) => write!(f, "return {value}"),
            Terminator::TailCall { callee, args } => write!(f, "tailcall {callee}({})", Separated(args)),
            Terminator::Raise(raise) => write!(f, "raise {raise}"),
        }
    }
}

impl Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Test::Literal(literal) => write!(f, "literal {literal} "),
            Test::Same => write!(f, "same"),
            Test::Cons => write!(f, "cons"),
            Test::Tuple(size) => write!(f, "tuple {size} "),
            Test::Predicate(function) => write!(f, "predicate {function}"),
            Test::MapKey => write!(f, "map_key"),
            Test::Segment(format) => write!(f, "segment {format} "),
            Test::BitsEnd => write!(f, "bits_end"),
        }
    }
}

impl Display for SegmentValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.format, self.value, self.size)
    }
}

impl Display for SegmentFormat {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let sign = if self.signed { "signed" } else { "unsigned" };
        let order = if self.little { "little" } else { "big" };
        write!(f, "{}-{sign}-{order}-{}", self.kind.name(), self.unit)
    }
}

impl SegmentKind {
    /// Its name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            SegmentKind::Integer => "integer",
            SegmentKind::Float => "float",
            SegmentKind::Bits => "bits",
            SegmentKind::Utf8 => "utf8",
            SegmentKind::Utf16 => "utf16",
            SegmentKind::Utf32 => "utf32",
        }
    }
}

impl Display for Raise {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Raise::Error(reason) => write!(f, "error({reason})"),
            Raise::FunctionClause(args) => write!(f, "function_clause({})", Separated(args)),
            Raise::Again { reason, raw } => write!(f, "again({reason}, {raw})"),
        }
    }
}

/// A file's name so that it stays within its line and its quotes.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r")
}

/// Items with commas between them.
struct Separated<'a, T>(&'a [T]);

impl<T: Display> Display for Separated<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if at == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// A register that may be missing.
#[derive(Clone, Copy)]
struct Out(Option<Reg>);

impl Display for Out {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(reg) => reg.fmt(f),
            None => f.write_str("_"),
        }
    }
}

/// A location at the end of a line, with the space before it.
struct At(Location);

impl Display for At {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Location::NONE => Ok(()),
            Location { file: 0, line, column } => write!(f, " @{line}:{column}"),
            Location { file, line, column } => write!(f, " @{file}:{line}:{column}"),
        }
    }
}
