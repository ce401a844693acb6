//! Chooses instructions for the ends of blocks.

use constraint::Type;
use ir::{BlockId, Operand, Raise, Reg, SegmentFormat, SegmentKind, Terminator, Test};
use ops::{Comparison, Relation, Rule};
use term::{Mfa, Term};

use super::allocate::extra;
use super::emit::Emitter;
use super::liveness::LiveSet;
use super::moves::arrange;
use crate::forward::code::{Address, Instr, NativeForm, Out, SegmentForm, Src};

/// A branch with what is known about its state.
struct Branch<'a> {
    args: &'a [Operand],
    outs: &'a [Option<Reg>],
    yes: BlockId,
    no: BlockId,
    before: &'a LiveSet,
}

impl Emitter<'_> {
    /// Selects instructions for the end of a block.
    pub fn select_end(&mut self, end: &Terminator, before: &LiveSet) -> Result<(), String> {
        match end {
            Terminator::Jump(to) => {
                let drops = self.dying(before, *to, &[]);
                self.go_on(drops, *to);
            }
            Terminator::Branch { test, args, outs, yes, no } => {
                if let Some(chain) = self.plan.chains.remove(&self.current) {
                    self.emit_switch(&chain, before);
                    return Ok(());
                }
                self.select_branch(test, &Branch { args, outs, yes: *yes, no: *no, before })?;
            }
            Terminator::Return(value) => self.select_return(value),
            Terminator::TailCall { callee, args } => self.select_tail_call(callee, args)?,
            Terminator::Raise(raise) => self.select_raise(raise)?,
        }
        Ok(())
    }

    fn select_return(&mut self, value: &Operand) {
        match value {
            Operand::Reg(reg) if self.slot(*reg) == 0 => self.push(Instr::ReturnFirst),
            Operand::Reg(reg) => self.push(Instr::Return { value: Src::last(self.slot(*reg)) }),
            Operand::Literal(literal) => {
                let value = self.constant(literal);
                self.push(Instr::Return { value });
            }
        }
    }

    fn select_tail_call(&mut self, callee: &ir::Callee, args: &[Operand]) -> Result<(), String> {
        let all: Vec<&Operand> = args.iter().chain(extra(callee).into_iter().flatten()).collect();
        let dies: Vec<Reg> = all.iter().filter_map(|operand| operand.register()).collect();
        let sources = self.sources(&all, &dies);
        arrange(0, &sources, &mut |instr| self.push(instr));
        self.frame = self.frame.max(all.len() as u32);
        let call = match self.dispatch(callee, args.len())? {
            Dispatch::Known { function, local } if local && function == self.function.name => {
                Instr::Loop { to: self.beginning().0 }
            }
            Dispatch::Known { function, local } => match self.program.native(function) {
                Some(native) => {
                    self.push(Instr::Native { window: 0, arity: function.arity, native });
                    Instr::ReturnFirst
                }
                None => Instr::TailCall { callee: self.program.callee(function, local) },
            },
            Dispatch::Fun { arity } => Instr::TailFun { arity },
            Dispatch::Named { arity } => Instr::TailNamed { arity },
        };
        self.push(call);
        Ok(())
    }

    fn select_raise(&mut self, raise: &Raise) -> Result<(), String> {
        let used: Vec<&Operand> = match raise {
            Raise::Error(reason) => vec![reason],
            Raise::FunctionClause(args) => args.iter().collect(),
            Raise::Again { reason, raw } => vec![reason, raw],
        };
        // The unwinding clears the frame, so nothing needs to be taken here.
        let sources = self.sources(&used, &[]);
        let instr = match (raise, sources.as_slice()) {
            (Raise::Error(_), &[reason]) => Instr::RaiseError { reason },
            (Raise::Again { .. }, &[reason, raw]) => Instr::RaiseAgain { reason, raw },
            (_, args) => Instr::RaiseClause { len: count(args.len())?, first: self.program.code.add_sources(args) },
        };
        self.push(instr);
        Ok(())
    }

    fn select_branch(&mut self, test: &Test, branch: &Branch) -> Result<(), String> {
        match (test, branch.args) {
            (Test::Literal(literal), [value]) => self.select_literal(literal, value, branch),
            (Test::Same, [value, Operand::Literal(literal)] | [Operand::Literal(literal), value]) => {
                self.select_literal(literal, value, branch);
            }
            (Test::Same, [_, _]) => self.by_view(branch, |s, no| Instr::IfSame { a: s[0], b: s[1], no }),
            (Test::BitsEnd, [_]) => self.by_view(branch, |s, no| Instr::IfBitsEnd { value: s[0], no }),
            (Test::Cons, [value]) => self.select_cons(value, branch),
            (Test::Tuple(size), [value]) => self.select_tuple(*size, value, branch)?,
            (Test::MapKey, [_, _]) => {
                let to = self.slot_in(branch.outs.first().copied().flatten(), branch.yes);
                self.by_view(branch, |s, no| Instr::IfMapKey { to, map: s[0], key: s[1], no });
            }
            (Test::Segment(test), [bits, size]) => self.select_segment(*test, bits, size, branch),
            (Test::Predicate(function), _) => self.select_predicate(*function, branch)?,
            _ => return Err("a test with the wrong number of operands".into()),
        }
        Ok(())
    }

    /// A test that only looks at its operands. Those that die on both sides are dropped by the test itself.
    fn by_view(&mut self, branch: &Branch, make: impl FnOnce(&[Src], Address) -> Instr) {
        let all: Vec<&Operand> = branch.args.iter().collect();
        let mut dies: Vec<Reg> = all.iter().filter_map(|operand| operand.register()).collect();
        dies.retain(|reg| !self.liveness.alive(branch.yes.0, *reg) && !self.liveness.alive(branch.no.0, *reg));
        // A slot that the test writes must not be mistaken for what it drops.
        dies.retain(|reg| !branch.outs.contains(&Some(*reg)));
        let sources = self.sources(&all, &dies);
        self.finish_branch(branch, &dies, &dies, |no| make(&sources, no));
    }

    /// A test that leaves its operands alone; where it holds, the value has nothing to drop.
    fn by_glance(&mut self, value: &Operand, branch: &Branch, make: impl FnOnce(Src, Address) -> Instr) {
        let source = self.sources(&[value], &[])[0];
        let known: Vec<Reg> = value.register().into_iter().collect();
        self.finish_branch(branch, &known, &[], |no| make(source, no));
    }

    fn finish_branch(
        &mut self,
        branch: &Branch,
        consumed_yes: &[Reg],
        consumed_no: &[Reg],
        make: impl FnOnce(Address) -> Instr,
    ) {
        let drops = self.dying(branch.before, branch.no, consumed_no);
        let no = self.edge(drops, branch.no);
        self.push(make(no.0));
        let drops = self.dying(branch.before, branch.yes, consumed_yes);
        self.go_on(drops, branch.yes);
    }

    fn select_literal(&mut self, literal: &Term, value: &Operand, branch: &Branch) {
        let args = [value.clone()];
        let branch = &Branch { args: &args, ..*branch };
        match *literal {
            Term::Nil(_) => self.by_glance(value, branch, |value, no| Instr::IfNil { value, no }),
            Term::Atom(_, atom) => self.by_glance(value, branch, |value, no| Instr::IfAtom { value, atom, no }),
            Term::Int(_, int) if i32::try_from(int).is_ok() => {
                self.by_glance(value, branch, |value, no| Instr::IfInt { value, int: int as i32, no });
            }
            _ => {
                let index = self.constant_index(literal);
                self.by_view(branch, |s, no| Instr::IfConstant { value: s[0], index, no });
            }
        }
    }

    /// The value of a test that takes it apart where it holds, if it is not read there.
    fn taken(&mut self, value: &Operand, branch: &Branch) -> (Src, Vec<Reg>) {
        let dies: Vec<Reg> =
            value.register().into_iter().filter(|reg| !self.liveness.alive(branch.yes.0, *reg)).collect();
        (self.sources(&[value], &dies)[0], dies)
    }

    fn select_cons(&mut self, value: &Operand, branch: &Branch) {
        let (value, dies) = self.taken(value, branch);
        let [head, tail] = [0, 1].map(|at| self.slot_in(branch.outs.get(at).copied().flatten(), branch.yes));
        self.finish_branch(branch, &dies, &[], |no| Instr::IfCons { value, head, tail, no });
    }

    fn select_tuple(&mut self, size: u32, value: &Operand, branch: &Branch) -> Result<(), String> {
        let (value, dies) = self.taken(value, branch);
        let mut wanted: Vec<Out> = Vec::new();
        for (at, out) in branch.outs.iter().enumerate() {
            let slot = self.slot_in(*out, branch.yes);
            if slot != crate::forward::code::NOWHERE {
                wanted.push(Out { element: count(at)?, slot });
            }
        }
        let outs = self.program.code.outs.len() as u32;
        let size = count(size as usize)?;
        self.program.code.outs.push(Out { element: wanted.len() as u16, slot: 0 });
        self.program.code.outs.extend(wanted);
        self.finish_branch(branch, &dies, &[], |no| Instr::IfTuple { size, value, outs, no });
        Ok(())
    }

    fn select_segment(&mut self, test: SegmentFormat, bits: &Operand, size: &Operand, branch: &Branch) {
        let (bits, dies) = self.taken(bits, branch);
        let width = whole_bytes(test, size);
        let size = self.sources(&[size], &[])[0];
        let [value, rest] = [0, 1].map(|at| self.slot_in(branch.outs.get(at).copied().flatten(), branch.yes));
        let form = self.program.code.segments.len() as u32;
        self.program.code.segments.push(SegmentForm { test, size, value, rest });
        self.finish_branch(branch, &dies, &[], |no| match width {
            Some(count) => Instr::IfBytes { count, form, bits, no },
            None => Instr::IfSegment { form, bits, no },
        });
    }

    fn select_predicate(&mut self, function: Mfa, branch: &Branch) -> Result<(), String> {
        match (ops::rule(function), branch.args) {
            (Rule::Type(kind), [_]) => {
                self.select_type(kind, branch);
                return Ok(());
            }
            (Rule::Relation(relation), [a, b]) => return self.select_relation(relation, a, b, branch),
            _ => {}
        }
        let native = self.program.native(function).ok_or_else(|| format!("no operation {function:?}"))?;
        let all: Vec<&Operand> = branch.args.iter().collect();
        let args = self.sources(&all, &[]);
        let form = self.program.code.tests.len() as u32;
        self.program.code.tests.push(NativeForm { native, args });
        self.finish_branch(branch, &[], &[], |no| Instr::IfNative { form, no });
        Ok(())
    }

    fn select_relation(&mut self, relation: Relation, a: &Operand, b: &Operand, branch: &Branch) -> Result<(), String> {
        let (comparison, exchanged, wanted) = relation.parts();
        let turned = Branch { yes: branch.no, no: branch.yes, ..*branch };
        let branch_if = if wanted { branch } else { &turned };
        match comparison {
            Comparison::Same => self.select_branch(&Test::Same, branch_if)?,
            Comparison::Equal => self.select_equal(a, b, branch_if)?,
            Comparison::Less if exchanged => self.select_less(b, a, wanted, branch),
            Comparison::Less => self.select_less(a, b, wanted, branch),
        }
        Ok(())
    }

    fn select_type(&mut self, kind: Type, branch: &Branch) {
        let value = &branch.args[0];
        if matches!(kind, Type::Atom | Type::Boolean | Type::Float) {
            self.by_glance(value, branch, |value, no| Instr::IfType { kind, value, no });
        } else {
            let source = self.sources(&[value], &[])[0];
            self.finish_branch(branch, &[], &[], |no| Instr::IfType { kind, value: source, no });
        }
    }

    fn select_equal(&mut self, a: &Operand, b: &Operand, branch: &Branch) -> Result<(), String> {
        // A term without a number in it is equal only to itself.
        if let (_, Operand::Literal(Term::Atom(..) | Term::Nil(_)))
        | (Operand::Literal(Term::Atom(..) | Term::Nil(_)), _) = (a, b)
        {
            return self.select_branch(&Test::Same, branch);
        }
        self.by_view(branch, |s, no| Instr::IfEqual { a: s[0], b: s[1], no });
        Ok(())
    }

    /// True if `a < b` is what `wanted` says.
    fn select_less(&mut self, a: &Operand, b: &Operand, wanted: bool, branch: &Branch) {
        let small = |operand: &Operand| match operand {
            Operand::Literal(Term::Int(_, int)) => i32::try_from(*int).ok(),
            _ => None,
        };
        let args = match (small(a), small(b)) {
            (None, Some(_)) => vec![a.clone()],
            (Some(_), None) => vec![b.clone()],
            _ => vec![a.clone(), b.clone()],
        };
        let branch = &Branch { args: &args, ..*branch };
        match (small(a), small(b)) {
            (None, Some(b)) if wanted => self.by_view(branch, |s, no| Instr::IfLessInt { a: s[0], b, no }),
            (None, Some(b)) => self.by_view(branch, |s, no| Instr::IfNotLessInt { a: s[0], b, no }),
            (Some(b), None) if wanted => self.by_view(branch, |s, no| Instr::IfMoreInt { a: s[0], b, no }),
            (Some(b), None) => self.by_view(branch, |s, no| Instr::IfNotMoreInt { a: s[0], b, no }),
            _ if wanted => self.by_view(branch, |s, no| Instr::IfLess { a: s[0], b: s[1], no }),
            _ => self.by_view(branch, |s, no| Instr::IfNotLess { a: s[0], b: s[1], no }),
        }
    }

    /// The prelude's version of a function, where it is wanted; the prelude itself calls the function.
    fn mirrored(&self, function: Mfa) -> Mfa {
        let wanted = self.program.options.mirrors && !ops::prelude::is_prelude(self.function.name.module);
        wanted.then(|| ops::prelude::mirror(function)).flatten().unwrap_or(function)
    }

    /// Decides how the machine makes a call.
    pub fn dispatch(&mut self, callee: &ir::Callee, args: usize) -> Result<Dispatch, String> {
        let arity = u8::try_from(args).map_err(|_| "a call with more than 255 arguments".to_string())?;
        Ok(match (callee, callee.named(args)) {
            (ir::Callee::Local(function), _) => Dispatch::Known { function: *function, local: true },
            (ir::Callee::Fun(_), _) => Dispatch::Fun { arity },
            (_, Some(function)) => Dispatch::Known { function: self.mirrored(function), local: false },
            (_, None) => Dispatch::Named { arity },
        })
    }
}

/// The machine's form of a call.
pub enum Dispatch {
    Known { function: Mfa, local: bool },
    Fun { arity: u8 },
    Named { arity: u8 },
}

fn count(len: usize) -> Result<u16, String> {
    u16::try_from(len).map_err(|_| "a tuple of more than 65535 elements".into())
}

/// The bytes of a segment, if it is an unsigned big-endian integer of 1, 2 or 4 bytes.
fn whole_bytes(test: SegmentFormat, size: &Operand) -> Option<u8> {
    let Operand::Literal(Term::Int(_, size)) = size else { return None };
    let plain = test.kind == SegmentKind::Integer && !test.signed && (!test.little || size * i64::from(test.unit) == 8);
    match size * i64::from(test.unit) {
        8 if plain => Some(1),
        16 if plain => Some(2),
        32 if plain => Some(4),
        _ => None,
    }
}
