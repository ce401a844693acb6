//! Chooses instructions for operations.

use ir::{Callee, Op, Operand, Reg};
use term::{Mfa, Term, known};

use super::allocate::extra;
use super::branch::Dispatch;
use super::emit::{Emitter, Point};
use super::moves::arrange;
use crate::forward::code::{
    Arith, BitsForm, ClosureForm, Event, Instr, MapForm, Relation, Segment, Slot, Src, SrcKind,
};
use crate::types::type_named;

impl Emitter<'_> {
    /// Selects instructions for an operation.
    pub fn select_op(&mut self, op: &Op, point: &Point) -> Result<(), String> {
        match op {
            Op::Copy { to, from } => self.select_copy(*to, from, point),
            Op::Cons { to, head, tail } => {
                let sources = self.sources(&[head, tail], &point.dies);
                self.give(*to, point, Instr::Cons { to: self.slot(*to), head: sources[0], tail: sources[1] });
            }
            Op::Tuple { to, items } => self.select_tuple_of(*to, items, point)?,
            Op::Map { to, base, pairs } => self.select_map(*to, base, pairs, point),
            Op::Bits { to, segments } => self.select_bits(*to, segments, point),
            Op::Closure { to, function, captured } => self.select_closure(*to, *function, captured, point),
            Op::Call { to, callee, args } => self.select_call(*to, callee, args, point)?,
            Op::Primitive { to, op, args } => {
                let arity = u8::try_from(args.len()).map_err(|_| "a primitive with too many arguments")?;
                self.bring(args, [None, None], point);
                self.push(Instr::Primitive { window: point.window, arity, op: *op });
                self.fetch_value(*to, point);
            }
            Op::Enter { case, clause } => {
                self.record(op, Event::Clause(self.function.name, *case, *clause));
                if self.program.options.events {
                    self.push(Instr::Enter { case: *case, clause: *clause });
                }
            }
            Op::Line(line) => self.record(op, Event::Line(self.function.name.module, *line)),
        }
        Ok(())
    }

    fn record(&mut self, op: &Op, event: Event) {
        if self.program.options.records(op) {
            let index = self.program.event(event);
            self.push(Instr::Seen { index });
        }
    }

    /// Emits what writes a register, and drops the result if it is not read.
    fn give(&mut self, to: Reg, point: &Point, instr: Instr) {
        self.push(instr);
        if point.unread {
            self.push(Instr::Drop { slot: self.slot(to) });
        }
    }

    fn select_copy(&mut self, to: Reg, from: &Operand, point: &Point) {
        let slot = self.slot(to);
        match self.sources(&[from], &point.dies)[0].kind() {
            SrcKind::Constant(index) => self.give(to, point, Instr::Constant { to: slot, index }),
            SrcKind::Last(from) if from == slot => {
                if point.unread {
                    self.push(Instr::Drop { slot });
                }
            }
            SrcKind::Last(from) => self.give(to, point, Instr::Move { to: slot, from }),
            SrcKind::Keep(from) => self.give(to, point, Instr::Copy { to: slot, from }),
        }
    }

    fn select_tuple_of(&mut self, to: Reg, items: &[Operand], point: &Point) -> Result<(), String> {
        let len = u16::try_from(items.len()).map_err(|_| "a tuple of more than 65535 elements")?;
        let items: Vec<&Operand> = items.iter().collect();
        let sources = self.sources(&items, &point.dies);
        let first = self.program.code.add_sources(&sources);
        self.give(to, point, Instr::Tuple { to: self.slot(to), len, first });
        Ok(())
    }

    fn select_map(&mut self, to: Reg, base: &Operand, pairs: &[(ir::PairKind, Operand, Operand)], point: &Point) {
        let mut all = vec![base];
        all.extend(pairs.iter().flat_map(|(_, key, value)| [key, value]));
        let sources = self.sources(&all, &point.dies);
        let two = sources[1..].chunks_exact(2);
        let pairs = pairs.iter().zip(two).map(|((kind, _, _), it)| (*kind, it[0], it[1])).collect();
        let form = self.program.code.maps.len() as u32;
        self.program.code.maps.push(MapForm { base: sources[0], pairs });
        self.give(to, point, Instr::Map { to: self.slot(to), form });
    }

    fn select_bits(&mut self, to: Reg, segments: &[ir::SegmentValue], point: &Point) {
        let all: Vec<&Operand> = segments.iter().flat_map(|it| [&it.value, &it.size]).collect();
        let sources = self.sources(&all, &point.dies);
        let segment = |(it, two): (&ir::SegmentValue, &[Src])| Segment {
            kind: it.kind,
            unit: it.unit,
            little: it.little,
            value: two[0],
            size: two[1],
        };
        let segments = segments.iter().zip(sources.chunks_exact(2)).map(segment).collect();
        let form = self.program.code.bits.len() as u32;
        self.program.code.bits.push(BitsForm { segments });
        self.give(to, point, Instr::Bits { to: self.slot(to), form });
    }

    fn select_closure(&mut self, to: Reg, name: Mfa, captured: &[Operand], point: &Point) {
        let all: Vec<&Operand> = captured.iter().collect();
        let captured = self.sources(&all, &point.dies);
        let function = self.program.mention(name);
        let form = self.program.code.closures.len() as u32;
        let identity = self.program.functions[function as usize].identity;
        self.program.code.closures.push(ClosureForm { function, name, identity, captured });
        self.give(to, point, Instr::Closure { to: self.slot(to), form });
    }

    fn select_call(&mut self, to: Reg, callee: &Callee, args: &[Operand], point: &Point) -> Result<(), String> {
        let dispatch = self.dispatch(callee, args.len())?;
        if let Dispatch::Known { function, .. } = dispatch
            && let Some(instr) = self.select_operation(to, function, args, point)
        {
            self.give(to, point, instr);
            return Ok(());
        }
        self.bring(args, extra(callee), point);
        let window = point.window;
        let call = match dispatch {
            Dispatch::Known { function, local } => match self.program.native(function) {
                Some(native) => Instr::Native { window, arity: function.arity, native },
                None => Instr::Call { window, callee: self.program.callee(function, local) },
            },
            Dispatch::Fun { arity } => Instr::CallFun { window, arity },
            Dispatch::Named { arity } => Instr::CallNamed { window, arity },
        };
        self.push(call);
        self.fetch_value(to, point);
        Ok(())
    }

    /// Brings the arguments of a call into its window.
    fn bring(&mut self, args: &[Operand], extra: [Option<&Operand>; 2], point: &Point) {
        let all: Vec<&Operand> = args.iter().chain(extra.into_iter().flatten()).collect();
        let sources = self.sources(&all, &point.dies);
        arrange(point.window, &sources, &mut |instr| self.push(instr));
        self.frame = self.frame.max(u32::from(point.window) + 1 + all.len() as u32);
    }

    /// The value of a call comes back at the beginning of its window.
    fn fetch_value(&mut self, to: Reg, point: &Point) {
        let (slot, from) = (self.slot(to), point.window);
        if point.unread {
            self.push(Instr::Drop { slot: from });
        } else if slot != from {
            self.push(Instr::Move { to: slot, from });
        }
    }

    /// Operations of the language that have instructions of their own.
    fn select_operation(&mut self, to: Reg, function: Mfa, args: &[Operand], point: &Point) -> Option<Instr> {
        if function.module != known::ERLANG || !has_instruction(function) {
            return None;
        }
        let all: Vec<&Operand> = args.iter().collect();
        let sources = self.sources(&all, &point.dies);
        let to = self.slot(to);
        match (sources.as_slice(), args) {
            (&[a], _) => unary(function.function.name(), to, a),
            (&[a, b], [_, second]) => Some(binary(function.function.name(), to, a, b, second)),
            _ => None,
        }
    }
}

fn has_instruction(function: Mfa) -> bool {
    let name = function.function.name();
    match function.arity {
        1 => matches!(name, "hd" | "tl" | "tuple_size") || type_named(name).is_some(),
        2 => {
            matches!(name, "+" | "-" | "*" | "element" | "map_get") || arith(name).is_some() || relation(name).is_some()
        }
        _ => false,
    }
}

fn unary(name: &str, to: Slot, a: Src) -> Option<Instr> {
    Some(match name {
        "hd" => Instr::Head { to, list: a },
        "tl" => Instr::Tail { to, list: a },
        "tuple_size" => Instr::TupleSize { to, tuple: a },
        _ => Instr::TypeTest { kind: type_named(name)?, to, a },
    })
}

fn binary(name: &str, to: Slot, a: Src, b: Src, second: &Operand) -> Instr {
    let small = match second {
        Operand::Literal(Term::Int(_, int)) => i32::try_from(*int).ok(),
        _ => None,
    };
    match (name, small) {
        ("+", Some(b)) => Instr::AddInt { to, a, b },
        ("-", Some(b)) => Instr::SubInt { to, a, b },
        ("+", None) => Instr::Add { to, a, b },
        ("-", None) => Instr::Sub { to, a, b },
        ("*", _) => Instr::Mul { to, a, b },
        ("element", _) => Instr::Element { to, at: a, tuple: b },
        ("map_get", _) => Instr::MapGet { to, key: a, map: b },
        _ => match (arith(name), relation(name)) {
            (Some(op), _) => Instr::Arith { op, to, a, b },
            (_, op) => Instr::Relation { op: op.unwrap_or(Relation::Same), to, a, b },
        },
    }
}

fn arith(name: &str) -> Option<Arith> {
    Some(match name {
        "div" => Arith::Div,
        "rem" => Arith::Rem,
        "band" => Arith::Band,
        "bor" => Arith::Bor,
        "bxor" => Arith::Bxor,
        "bsl" => Arith::Bsl,
        "bsr" => Arith::Bsr,
        _ => return None,
    })
}

/// The relation of that name.
pub fn relation(name: &str) -> Option<Relation> {
    Some(match name {
        "<" => Relation::Less,
        "=<" => Relation::LessOrEqual,
        ">" => Relation::Greater,
        ">=" => Relation::GreaterOrEqual,
        "==" => Relation::Equal,
        "/=" => Relation::NotEqual,
        "=:=" => Relation::Same,
        "=/=" => Relation::NotSame,
        _ => return None,
    })
}
