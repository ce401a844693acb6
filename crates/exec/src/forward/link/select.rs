//! Chooses instructions for operations.

use constraint::Op;
use ir::{Callee, Operand, Reg};
use ops::Rule;
use term::{Mfa, Term, known};

use super::allocate::extra;
use super::branch::Dispatch;
use super::emit::{Emitter, Point};
use super::moves::arrange;
use crate::forward::code::{BitsForm, ClosureForm, CoveragePoint, Instr, MapForm, Segment, Slot, Src, SrcKind};

impl Emitter<'_> {
    /// Selects instructions for an operation.
    pub fn select_op(&mut self, op: &ir::Op, point: &Point) -> Result<(), String> {
        match op {
            ir::Op::Copy { to, from } => self.select_copy(*to, from, point),
            ir::Op::Cons { to, head, tail } => {
                let sources = self.sources(&[head, tail], &point.dies);
                self.give(*to, point, Instr::Cons { to: self.slot(*to), head: sources[0], tail: sources[1] });
            }
            ir::Op::Tuple { to, items } => self.select_tuple_of(*to, items, point)?,
            ir::Op::Map { to, base, pairs } => self.select_map(*to, base, pairs, point),
            ir::Op::Bits { to, segments } => self.select_bits(*to, segments, point),
            ir::Op::Closure { to, function, captured } => self.select_closure(*to, *function, captured, point),
            ir::Op::Call { to, callee, args } => self.select_call(*to, callee, args, point)?,
            ir::Op::Primitive { to, op, args } => {
                let arity = u8::try_from(args.len()).map_err(|_| "a primitive with too many arguments")?;
                self.bring(args, [None, None], point);
                self.push(Instr::Primitive { window: point.window, arity, op: *op });
                self.fetch_value(*to, point);
            }
            ir::Op::Enter { case, clause } => {
                self.record(op, CoveragePoint::Clause(self.function.name, *case, *clause));
                if self.program.options.events {
                    self.push(Instr::Enter { case: *case, clause: *clause });
                }
            }
            ir::Op::Line(line) => self.record(op, CoveragePoint::Line(self.function.name.module, *line)),
        }
        Ok(())
    }

    fn record(&mut self, op: &ir::Op, event: CoveragePoint) {
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
            kind: it.format.kind,
            unit: it.format.unit,
            little: it.format.little,
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

    /// Operations that have instructions of their own.
    fn select_operation(&mut self, to: Reg, function: Mfa, args: &[Operand], point: &Point) -> Option<Instr> {
        let rule = ops::rule(function);
        if function.module != known::ERLANG || !rule.has_instruction() {
            return None;
        }
        let all: Vec<&Operand> = args.iter().collect();
        let sources = self.sources(&all, &point.dies);
        let to = self.slot(to);
        match (sources.as_slice(), args) {
            (&[a], _) => unary(rule, to, a),
            (&[a, b], [_, second]) => binary(rule, to, a, b, second),
            _ => None,
        }
    }
}

fn unary(rule: Rule, to: Slot, a: Src) -> Option<Instr> {
    Some(match rule {
        Rule::Head => Instr::Head { to, list: a },
        Rule::Tail => Instr::Tail { to, list: a },
        Rule::Size(..) => Instr::TupleSize { to, tuple: a },
        Rule::Type(kind) => Instr::TypeTest { kind, to, a },
        _ => return None,
    })
}

fn binary(rule: Rule, to: Slot, a: Src, b: Src, second: &Operand) -> Option<Instr> {
    let small = match second {
        Operand::Literal(Term::Int(_, int)) => i32::try_from(*int).ok(),
        _ => None,
    };
    Some(match (rule, small) {
        (Rule::Arith(Op::Add), Some(b)) => Instr::AddInt { to, a, b },
        (Rule::Arith(Op::Sub), Some(b)) => Instr::SubInt { to, a, b },
        (Rule::Arith(Op::Add), None) => Instr::Add { to, a, b },
        (Rule::Arith(Op::Sub), None) => Instr::Sub { to, a, b },
        (Rule::Arith(Op::Mul), _) => Instr::Mul { to, a, b },
        (Rule::Arith(op), _) => Instr::Arith { op, to, a, b },
        (Rule::Relation(op), _) => Instr::Relation { op, to, a, b },
        (Rule::Element, _) => Instr::Element { to, at: a, tuple: b },
        (Rule::Map(_), _) => Instr::MapGet { to, key: a, map: b },
        _ => return None,
    })
}
