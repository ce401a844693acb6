//! The rules that one block can break by itself.

use term::{Mfa, known};

use super::{Check, VerifierRule, repeated};
use crate::{BasicBlock, BlockId, Callee, Op, Operand, Primitive, SegmentKind, Terminator, Test};

impl Check<'_> {
    pub(super) fn block(&mut self, block: &BasicBlock) {
        self.edges(block);
        if let Some(catch) = &block.catch {
            catch.registers().for_each(|reg| self.register(reg));
            if let Some(reg) = repeated(catch.registers()) {
                self.report(VerifierRule::Catches, format!("{reg} receives two things"));
            }
        }
        for instruction in &block.body {
            self.location(instruction.location);
            self.operation(&instruction.op);
        }
        self.location(block.end_location);
        self.end(block);
    }

    fn edges(&mut self, block: &BasicBlock) {
        for target in block.end.successors() {
            if self.target(target).is_some_and(|block| block.catch.is_some()) {
                self.report(VerifierRule::Catches, format!("{target} catches, so it cannot be jumped to"));
            }
        }
        let Some(handler) = block.handler else { return };
        if self.target(handler).is_some_and(|block| block.catch.is_none()) {
            self.report(VerifierRule::Handlers, format!("the handler {handler} does not catch"));
        }
    }

    fn target(&mut self, target: BlockId) -> Option<&BasicBlock> {
        let function = self.function;
        let block = function.blocks.get(target.0 as usize);
        if block.is_none() {
            self.report(VerifierRule::Targets, format!("there is no block {target}"));
        }
        block
    }

    fn operation(&mut self, op: &Op) {
        op.written().into_iter().for_each(|reg| self.register(reg));
        op.each_operand(&mut |operand| operand.register().into_iter().for_each(|reg| self.register(reg)));
        match op {
            Op::Call { callee, args, .. } => self.call(callee, args),
            Op::Primitive { op, args, .. } => self.primitive(*op, args),
            Op::Closure { function, captured, .. } => self.closure(*function, captured.len()),
            Op::Enter { case, clause } => self.enter(*case, *clause),
            Op::Bits { segments, .. } => {
                segments
                    .iter()
                    .for_each(|segment| self.segment(segment.format.kind, segment.format.unit, Some(&segment.size)));
            }
            _ => {}
        }
    }

    fn enter(&mut self, case: u32, clause: u32) {
        let clauses = self.function.cases.get(case as usize).map_or(0, |case| case.clauses.len());
        if clause as usize >= clauses {
            self.report(VerifierRule::Cases, format!("there is no clause {clause} of case {case}"));
        }
    }

    fn primitive(&mut self, op: Primitive, args: &[Operand]) {
        let (least, most) = op.arity();
        if !(least..=most).contains(&args.len()) {
            self.report(
                VerifierRule::Primitives,
                format!("{} takes {least} to {most} arguments, not {}", op.name(), args.len()),
            );
        }
        let is_number = |arg: &Operand| matches!(arg, Operand::Literal(number) if number.as_i64().is_some());
        if op.has_number() && !args.first().is_some_and(is_number) {
            self.report(VerifierRule::Primitives, format!("{} has no number of an event", op.name()));
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Operand]) {
        let function = match callee {
            Callee::Local(function) => function,
            Callee::Process { function, .. } => function,
            Callee::Remote { .. } | Callee::Fun(_) => return,
        };
        if matches!(callee, Callee::Local(_)) && function.module != self.function.name.module {
            self.report(VerifierRule::Calls, format!("{function} is of another module"));
        }
        if usize::from(function.arity) != args.len() {
            self.report(VerifierRule::Calls, format!("{function} is called with {} arguments", args.len()));
        }
    }

    fn closure(&mut self, function: Mfa, captured: usize) {
        match self.captures.get(&function) {
            None => self.report(VerifierRule::Closures, format!("{function} is not in the unit")),
            Some(&wanted) if wanted as usize != captured => {
                self.report(VerifierRule::Closures, format!("{function} captures {wanted} values, not {captured}"));
            }
            Some(_) => {}
        }
    }

    fn segment(&mut self, kind: SegmentKind, unit: u16, size: Option<&Operand>) {
        let plain = matches!(kind, SegmentKind::Integer | SegmentKind::Float | SegmentKind::Bits);
        if plain && !(1..=256).contains(&unit) {
            self.report(VerifierRule::Segments, format!("{unit} is no unit"));
        }
        let all = matches!(size, Some(Operand::Literal(size)) if size.as_atom() == Some(known::ALL));
        if all && kind != SegmentKind::Bits {
            self.report(VerifierRule::Segments, format!("{} cannot have the size all", kind.name()));
        }
    }

    fn end(&mut self, block: &BasicBlock) {
        let end = &block.end;
        end.outs().for_each(|reg| self.register(reg));
        end.each_operand(&mut |operand| operand.register().into_iter().for_each(|reg| self.register(reg)));
        match end {
            Terminator::TailCall { callee, args } => {
                self.call(callee, args);
                if block.handler.is_some() {
                    self.report(VerifierRule::TailCalls, "a tail call under a handler");
                }
            }
            Terminator::Branch { test, args, outs, .. } => {
                if let Test::Segment(segment) = test {
                    self.segment(segment.kind, segment.unit, args.get(1));
                }
                self.counts(test, args.len(), outs.len());
                if let Some(reg) = repeated(end.outs()) {
                    self.report(VerifierRule::Tests, format!("{reg} receives two things"));
                }
            }
            Terminator::Jump(_) | Terminator::Return(_) | Terminator::Raise(_) => {}
        }
    }

    fn counts(&mut self, test: &Test, args: usize, outs: usize) {
        let wanted = test.counts();
        if wanted != (args, outs) {
            let (wanted_args, wanted_outs) = wanted;
            let counts = format!("{wanted_args} arguments and {wanted_outs} outs, not {args} and {outs}");
            self.report(VerifierRule::Tests, format!("{} takes {counts}", test.to_string().trim_end()));
        }
    }
}

impl Test {
    /// How many arguments the test takes and how many outs it has.
    pub fn counts(&self) -> (usize, usize) {
        match self {
            Test::Literal(_) | Test::BitsEnd => (1, 0),
            Test::Same => (2, 0),
            Test::Cons => (1, 2),
            Test::Tuple(size) => (1, *size as usize),
            Test::Predicate(function) => (usize::from(function.arity), 0),
            Test::MapKey => (2, 1),
            Test::Segment(_) => (2, 2),
        }
    }
}
