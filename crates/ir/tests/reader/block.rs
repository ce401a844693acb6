//! Reading blocks: instructions and terminators.

use super::Result;
use super::cursor::{Line, Lines};
use crate::{
    BasicBlock, Callee, Catch, Instruction, Op, Operand, PairKind, Primitive, ProcessOp, Raise, Reg, SegmentFormat,
    SegmentKind, SegmentValue, Terminator, Test,
};

/// Reads the blocks of a function, which are numbered in order.
pub fn blocks(lines: &mut Lines<'_>) -> Result<Vec<BasicBlock>> {
    let mut blocks = Vec::new();
    while let Some(mut line) = lines.take_if(&format!("b{}:", blocks.len())) {
        let catch = if line.accept(" catch(") { Some(catch(&mut line)?) } else { None };
        let handler = if line.accept(" handler ") { Some(line.block()?) } else { None };
        line.end()?;
        let mut body = Vec::new();
        let (end, end_location) = loop {
            let Some(mut line) = lines.next() else { return Err(lines.end()) };
            match row(&mut line)? {
                BlockLine::Op(op) => body.push(Instruction { op, location: line.last_location()? }),
                BlockLine::End(end) => break (end, line.last_location()?),
            }
        };
        blocks.push(BasicBlock { handler, catch, body, end, end_location });
    }
    Ok(blocks)
}

fn catch(line: &mut Line<'_>) -> Result<Catch> {
    let class = line.out()?;
    line.expect(", ")?;
    let reason = line.out()?;
    line.expect(", ")?;
    let raw = line.out()?;
    line.expect(")")?;
    Ok(Catch { class, reason, raw })
}

enum BlockLine {
    Op(Op),
    End(Terminator),
}

fn row(line: &mut Line<'_>) -> Result<BlockLine> {
    line.expect("  ")?;
    if line.rest().starts_with('%') {
        let to = line.register()?;
        line.expect(" = ")?;
        return operation(line, to).map(BlockLine::Op);
    }
    match line.word() {
        "enter" => enter(line).map(BlockLine::Op),
        "line" => {
            line.expect(" ")?;
            Ok(BlockLine::Op(Op::Line(line.number()?)))
        }
        word => terminator(line, word).map(BlockLine::End),
    }
}

fn enter(line: &mut Line<'_>) -> Result<Op> {
    line.expect(" ")?;
    let case = line.number()?;
    line.expect(".")?;
    Ok(Op::Enter { case, clause: line.number()? })
}

fn operation(line: &mut Line<'_>, to: Reg) -> Result<Op> {
    match line.word() {
        "copy" => {
            line.expect(" ")?;
            Ok(Op::Copy { to, from: line.operand()? })
        }
        "cons" => {
            let (head, tail) = pair(line)?;
            Ok(Op::Cons { to, head, tail })
        }
        "tuple" => Ok(Op::Tuple { to, items: operands(line)? }),
        "map" => map(line, to),
        "bits" => {
            line.expect("(")?;
            Ok(Op::Bits { to, segments: line.row(segment_value)? })
        }
        "closure" => {
            line.expect(" ")?;
            Ok(Op::Closure { to, function: line.mfa()?, captured: operands(line)? })
        }
        "call" => Ok(Op::Call { to, callee: callee(line)?, args: operands(line)? }),
        "primitive" => {
            line.expect(" ")?;
            let (name, args) = (line.atom()?, operands(line)?);
            Ok(Op::Primitive { to, op: Primitive::named(name, args.len()), args })
        }
        _ => line.error("an operation expected"),
    }
}

fn operands(line: &mut Line<'_>) -> Result<Vec<Operand>> {
    line.expect("(")?;
    line.row(Line::operand)
}

fn pair(line: &mut Line<'_>) -> Result<(Operand, Operand)> {
    line.expect("(")?;
    let first = line.operand()?;
    line.expect(", ")?;
    let second = line.operand()?;
    line.expect(")")?;
    Ok((first, second))
}

fn map(line: &mut Line<'_>, to: Reg) -> Result<Op> {
    line.expect("(")?;
    let base = line.operand()?;
    let mut pairs = Vec::new();
    while !line.accept(")") {
        line.expect(", ")?;
        let kind = match line.word() {
            "put" => PairKind::Put,
            "update" => PairKind::Update,
            _ => return line.error("'put' or 'update' expected"),
        };
        line.expect(" ")?;
        let key = line.operand()?;
        line.expect(" ")?;
        pairs.push((kind, key, line.operand()?));
    }
    Ok(Op::Map { to, base, pairs })
}

fn segment_value(line: &mut Line<'_>) -> Result<SegmentValue> {
    let format = segment(line)?;
    line.expect(" ")?;
    let value = line.operand()?;
    line.expect(" ")?;
    Ok(SegmentValue { format, value, size: line.operand()? })
}

/// Every kind that a segment can name.
const SEGMENT_KINDS: [SegmentKind; 6] = [
    SegmentKind::Integer,
    SegmentKind::Float,
    SegmentKind::Bits,
    SegmentKind::Utf8,
    SegmentKind::Utf16,
    SegmentKind::Utf32,
];

fn segment(line: &mut Line<'_>) -> Result<SegmentFormat> {
    let name = line.word();
    let Some(kind) = SEGMENT_KINDS.into_iter().find(|kind| kind.name() == name) else {
        return line.error("a segment's kind expected");
    };
    let signed = line.accept("-signed");
    if !signed {
        line.expect("-unsigned")?;
    }
    let little = line.accept("-little");
    if !little {
        line.expect("-big")?;
    }
    line.expect("-")?;
    Ok(SegmentFormat { kind, unit: line.number()?, signed, little })
}

fn callee(line: &mut Line<'_>) -> Result<Callee> {
    line.expect(" ")?;
    let word = line.word();
    line.expect(" ")?;
    match word {
        "local" => Ok(Callee::Local(line.mfa()?)),
        "remote" => {
            let module = line.operand()?;
            line.expect(":")?;
            Ok(Callee::Remote { module, function: line.operand()? })
        }
        "fun" => Ok(Callee::Fun(line.operand()?)),
        _ => match ProcessOp::named(word) {
            Some(op) => Ok(Callee::Process { op, function: line.mfa()? }),
            None => line.error("'local', 'remote', 'fun' or an operation on processes expected"),
        },
    }
}

fn terminator(line: &mut Line<'_>, word: &str) -> Result<Terminator> {
    match word {
        "jump" => {
            line.expect(" ")?;
            Ok(Terminator::Jump(line.block()?))
        }
        "branch" => branch(line),
        "return" => {
            line.expect(" ")?;
            Ok(Terminator::Return(line.operand()?))
        }
        "tailcall" => Ok(Terminator::TailCall { callee: callee(line)?, args: operands(line)? }),
        "raise" => raise(line).map(Terminator::Raise),
        _ => line.error("an instruction expected"),
    }
}

fn branch(line: &mut Line<'_>) -> Result<Terminator> {
    line.expect(" ")?;
    let test = test(line)?;
    let args = operands(line)?;
    let outs = if line.accept(" -> (") { line.row(Line::out)? } else { Vec::new() };
    line.expect(" yes ")?;
    let yes = line.block()?;
    line.expect(" no ")?;
    Ok(Terminator::Branch { test, args, outs, yes, no: line.block()? })
}

fn test(line: &mut Line<'_>) -> Result<Test> {
    let word = line.word();
    match word {
        "same" => return Ok(Test::Same),
        "cons" => return Ok(Test::Cons),
        "map_key" => return Ok(Test::MapKey),
        "bits_end" => return Ok(Test::BitsEnd),
        _ => line.expect(" ")?,
    }
    let test = match word {
        "predicate" => return Ok(Test::Predicate(line.mfa()?)),
        "literal" => Test::Literal(line.term()?),
        "tuple" => Test::Tuple(line.number()?),
        "segment" => Test::Segment(segment(line)?),
        _ => return line.error("a test expected"),
    };
    line.expect(" ")?;
    Ok(test)
}

fn raise(line: &mut Line<'_>) -> Result<Raise> {
    line.expect(" ")?;
    match line.word() {
        "error" => {
            line.expect("(")?;
            let reason = line.operand()?;
            line.expect(")")?;
            Ok(Raise::Error(reason))
        }
        "function_clause" => Ok(Raise::FunctionClause(operands(line)?)),
        "again" => {
            let (reason, raw) = pair(line)?;
            Ok(Raise::Again { reason, raw })
        }
        _ => line.error("'error', 'function_clause' or 'again' expected"),
    }
}
