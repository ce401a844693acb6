//! Observation of instructions on marked values: the tests that each records, and the expression of its result.

use constraint::{Expr, Op};
use ir::Primitive;
use term::{Mark, Term};

use super::build::bit_syntax;
use super::recorder::EnteredClause;
use super::watch::Watch;
use crate::forward::code::{Address, Instr, NOWHERE, Slot, Src};
use crate::forward::machine::{Cursor, Engine, Fault, View};
use crate::forward::program::LinkedNative;

/// The part of an instruction that is left to the concrete machine.
enum Plan {
    /// Everything.
    Execute,
    /// Everything, but the result carries this mark.
    Mark(Slot, Mark),
}

impl Engine<'_> {
    /// Observes the instruction at the cursor. Gives the place to go on where it has been executed already.
    pub fn observe(&mut self, at: Cursor) -> Option<Cursor> {
        let instr = *at.instr();
        self.observed = self.address(at);
        match instr {
            Instr::Native { window, native, .. } => return self.observe_native(at, window, native, false),
            Instr::CallFun { window, arity } => return self.observe_fun(at, window, arity, false),
            Instr::TailFun { arity } => return self.observe_fun(at, 0, arity, true),
            Instr::CallNamed { window, arity } => self.observe_names(at, window + Slot::from(arity), arity),
            Instr::TailNamed { arity } => self.observe_names(at, Slot::from(arity), arity),
            Instr::IfCons { value, head, tail, no } => return self.observe_cons(at, value, head, tail, no),
            Instr::IfMapKey { to, map, key, no } => return self.observe_map_key(at, to, map, key, no),
            Instr::IfSegment { form, bits, no } | Instr::IfBytes { form, bits, no, .. } => {
                return self.observe_segment(at, form, bits, no);
            }
            // Going back in a bitstring is the only primitive that sees a mark.
            Instr::Primitive { window, arity, op: Primitive::StepBack } => {
                return self.observe_step_back(at, window, arity);
            }
            Instr::IfTuple { size, value, outs, no } => return self.observe_tuple(at, size, value, outs, no),
            _ => {
                if let Plan::Mark(slot, mark) = self.plan(at, instr) {
                    return Some(self.execute_marked(at, instr, slot, mark));
                }
            }
        }
        None
    }

    fn plan(&mut self, at: Cursor, instr: Instr) -> Plan {
        let view = self.view(at);
        let Some(mut watch) = self.watch(at) else { return Plan::Execute };
        let result = |to: Slot, expr: Option<Expr>| match expr {
            Some(expr) if to != NOWHERE => Plan::Mark(to, expr.mark()),
            _ => Plan::Execute,
        };
        match instr {
            Instr::Add { to, a, b } => result(to, watch.two(view, Op::Add, a, b)),
            Instr::Sub { to, a, b } => result(to, watch.two(view, Op::Sub, a, b)),
            Instr::Mul { to, a, b } => result(to, watch.two(view, Op::Mul, a, b)),
            Instr::Arith { op, to, a, b } => result(to, watch.two(view, op, a, b)),
            Instr::AddInt { to, a, b } => result(to, watch.with_int(view, Op::Add, a, b)),
            Instr::SubInt { to, a, b } => result(to, watch.with_int(view, Op::Sub, a, b)),
            Instr::Head { to, list } => result(to, watch.part_of_list(view.look(list), true)),
            Instr::Tail { to, list } => result(to, watch.part_of_list(view.look(list), false)),
            Instr::Element { to, at, tuple } => result(to, watch.element_at(view.look(at), view.look(tuple))),
            Instr::Bits { to, form } => result(to, watch.build(view, form)),
            Instr::TupleSize { to, tuple } => result(to, watch.tuple_size(view.look(tuple))),
            Instr::Map { to, form } => result(to, watch.build_map(view, &watch.program.code.maps[form as usize])),
            Instr::MapGet { to, key, map } => result(to, watch.map_get(view.look(key), view.look(map))),
            other => {
                watch.test(view, other);
                Plan::Execute
            }
        }
    }

    /// Executes an instruction that gives one value, and marks it.
    fn execute_marked(&mut self, mut at: Cursor, instr: Instr, slot: Slot, mark: Mark) -> Cursor {
        let view = self.view(at);
        let done = match instr {
            Instr::Add { to, a, b } => view.add(to, a, b),
            Instr::Sub { to, a, b } => view.sub(to, a, b),
            Instr::Mul { to, a, b } => view.mul(to, a, b),
            Instr::Arith { op, to, a, b } => view.arith(op, to, a, b),
            Instr::AddInt { to, a, b } => view.add_int(to, a, b),
            Instr::SubInt { to, a, b } => view.sub_int(to, a, b),
            Instr::Head { to, list } => view.head(to, list),
            Instr::Tail { to, list } => view.tail(to, list),
            Instr::Element { to, at, tuple } => view.element(to, at, tuple),
            Instr::TupleSize { to, tuple } => view.tuple_size(to, tuple),
            Instr::Map { to, form } => view.map(to, &self.program.code.maps[form as usize]),
            Instr::MapGet { to, key, map } => view.map_get(to, key, map),
            Instr::Bits { to, form } => view.bits(to, &self.program.code.bits[form as usize]),
            _ => return at,
        };
        let done = match done {
            Err(fault) if matches!(*fault, Fault::Due) => self.check_heap(),
            done => done.and_then(|()| self.check_heap()),
        };
        match done {
            Ok(()) => {
                at.mark(slot, mark);
                at.advance();
                at
            }
            Err(fault) => self.fail(at, fault),
        }
    }

    fn observe_cons(&mut self, at: Cursor, value: Src, head: Slot, tail: Slot, no: Address) -> Option<Cursor> {
        let view = self.view(at);
        view.look(value).mark().is_some().then_some(())?;
        let mut watch = self.watch(at)?;
        let expr = watch.expr_of(view.look(value))?;
        watch.is_cons(view.look(value));
        let holds = view.if_cons(value, head, tail);
        if holds && head != NOWHERE {
            at.put(head, watch.head(expr, at.take(head)));
        }
        if holds && tail != NOWHERE {
            at.put(tail, watch.tail(expr, at.take(tail)));
        }
        Some(self.branched(at, holds, no))
    }

    fn observe_tuple(&mut self, at: Cursor, size: u16, value: Src, outs: u32, no: Address) -> Option<Cursor> {
        let view = self.view(at);
        view.look(value).mark().is_some().then_some(())?;
        let mut watch = self.watch(at)?;
        let expr = watch.expr_of(view.look(value))?;
        watch.is_tuple_of(view.look(value), usize::from(size));
        let outs = watch.program.code.outs_at(outs);
        let holds = view.if_tuple(size, value, outs);
        for out in outs.iter().filter(|_| holds) {
            at.put(out.slot, watch.element(expr, usize::from(out.element), at.take(out.slot)));
        }
        Some(self.branched(at, holds, no))
    }

    fn observe_map_key(&mut self, at: Cursor, to: Slot, map: Src, key: Src, no: Address) -> Option<Cursor> {
        let view = self.view(at);
        let value = self.watch(at)?.map_get(view.look(key), view.look(map))?;
        let holds = view.if_map_key(to, map, key);
        if holds && to != NOWHERE {
            at.mark(to, value.mark());
        }
        Some(self.branched(at, holds, no))
    }

    fn observe_segment(&mut self, at: Cursor, number: u32, bits: Src, no: Address) -> Option<Cursor> {
        let view = self.view(at);
        let size = self.program.code.segments[number as usize].size;
        if !view.look(bits).mark().is_some() && !view.look(size).mark().is_some() {
            return None;
        }
        let mut watch = self.watch(at)?;
        let form = &watch.program.code.segments[number as usize];
        let taken = watch.segment(form.test, view.look(bits), view.look(form.size), form.value != NOWHERE);
        let holds = view.if_segment(bits, form);
        match taken {
            Some(taken) if holds => {
                let arena = &watch.recorder.arena;
                let mark = |expr: Expr| if arena.as_literal(expr).is_some() { Mark::NONE } else { expr.mark() };
                if form.value != NOWHERE {
                    at.mark(form.value, taken.value.map_or(Mark::NONE, mark));
                }
                if form.rest != NOWHERE {
                    at.mark(form.rest, mark(taken.rest));
                }
            }
            taken => debug_assert!(taken.is_none() && !holds, "a segment matched in one way only at {}", watch.place()),
        }
        Some(self.branched(at, holds, no))
    }

    /// Goes on after a test that was executed here.
    fn branched(&mut self, mut at: Cursor, holds: bool, no: Address) -> Cursor {
        self.took(self.address(at), holds);
        if holds {
            at.advance();
        } else {
            at.ip = self.code_at(no);
        }
        at
    }

    fn observe_step_back(&mut self, at: Cursor, window: Slot, arity: u8) -> Option<Cursor> {
        let [rest, bits, ..] = at.window(window, arity) else { return None };
        if !rest.mark().is_some() {
            return None;
        }
        let by = bits.as_i64()?;
        let mut watch = self.watch(at)?;
        let expr = watch.expr_of(rest)?;
        let Some(before) = watch.before(expr, by) else {
            watch.pin_all(bit_syntax(), [&*rest]);
            return None;
        };
        let next = self.primitive(at, Primitive::StepBack, window, arity);
        next.mark(window, before.mark());
        Some(next)
    }

    /// Notes the side that a branch took.
    #[inline]
    pub fn took(&mut self, address: Address, holds: bool) {
        let Some(recorder) = self.recorder.as_deref_mut() else { return };
        let at = address as usize;
        if at >= recorder.taken.len() {
            recorder.taken.resize(self.program.code.instructions.len(), 0);
        }
        let bit = if holds { 1 } else { 2 };
        if recorder.taken[at] & bit == 0 {
            recorder.taken[at] |= bit;
            let site = recorder.site_at(self.program, address, 0).site;
            recorder.branches.push((site, holds));
        }
    }

    /// A switch stands for a chain of tests.
    pub fn observe_switch(&mut self, at: Cursor, value: Src, table: u32) {
        let view = self.view(at);
        let value = view.look(value);
        let address = self.address(at);
        let Some(recorder) = self.recorder.as_deref_mut() else { return };
        for (literal, block) in &self.program.code.switches[table as usize].chain {
            let holds = value == literal;
            if recorder.taken_switches.insert((address, *block, holds)) {
                let site = recorder.site_of_block(self.program, address, *block).site;
                recorder.branches.push((site, holds));
            }
            if !recorder.truncated {
                let mut watch = Watch::new(recorder, self.program, &self.process.frames, address);
                watch.block = Some(*block);
                watch.is_literal(value, literal);
            }
            if holds {
                return;
            }
        }
    }

    /// Notes that a clause was entered.
    #[cold]
    pub fn entered(&mut self, at: Cursor, case: u32, clause: u32) {
        let address = self.address(at);
        let Some(recorder) = self.recorder.as_deref_mut() else { return };
        if recorder.events.len() >= recorder.limits.events {
            return;
        }
        let Some(function) = self.program.owner(address) else { return };
        let graph = function.graph.as_ref().map(|(unit, at)| &unit.functions[*at]);
        let Some(of) = graph.and_then(|graph| graph.cases.get(case as usize)) else { return };
        let location = of.clauses.get(clause as usize).copied().unwrap_or_default();
        let file = function.file(location).to_string();
        recorder.events.push(EnteredClause { function: function.name, case, clause, kind: of.kind, file, location });
    }
}

impl Watch<'_> {
    fn two(&mut self, view: View, op: Op, a: Src, b: Src) -> Option<Expr> {
        let (a, b) = (view.look(a), view.look(b));
        if !a.mark().is_some() && !b.mark().is_some() {
            return None;
        }
        self.arith(op, a, b)
    }

    fn with_int(&mut self, view: View, op: Op, a: Src, b: i32) -> Option<Expr> {
        let a = view.look(a);
        if !a.mark().is_some() {
            return None;
        }
        self.arith(op, a, &Term::int(i64::from(b)))
    }

    /// Instructions whose results carry no mark of their own.
    fn test(&mut self, view: View, instr: Instr) {
        let int = |value: i32| Term::int(i64::from(value));
        match instr {
            Instr::IfNil { value, .. } => self.is_literal(view.look(value), &Term::nil()),
            Instr::IfAtom { value, atom, .. } => self.is_literal(view.look(value), &Term::atom(atom)),
            Instr::IfInt { value, int: literal, .. } => self.is_literal(view.look(value), &int(literal)),
            Instr::IfConstant { value, index, .. } => self.same(view.look(value), view.constant(index)),
            Instr::IfSame { a, b, .. } => self.same(view.look(a), view.look(b)),
            Instr::IfEqual { a, b, .. } => self.equal(view.look(a), view.look(b)),
            Instr::IfLess { a, b, .. } | Instr::IfNotLess { a, b, .. } => self.less(view.look(a), view.look(b)),
            Instr::IfLessInt { a, b, .. } | Instr::IfNotLessInt { a, b, .. } => self.less(view.look(a), &int(b)),
            Instr::IfMoreInt { a, b, .. } | Instr::IfNotMoreInt { a, b, .. } => self.less(&int(b), view.look(a)),
            Instr::IfType { kind, value, .. } => self.of_type(kind, view.look(value)),
            Instr::Relation { op, a, b, .. } => self.relation(op, view.look(a), view.look(b)),
            Instr::TypeTest { kind, a, .. } => self.of_type(kind, view.look(a)),
            Instr::IfBitsEnd { value, .. } => self.bits_end(view.look(value)),
            Instr::IfNative { form, .. } => self.native_test(view, form),
            _ => {}
        }
    }

    fn native_test(&mut self, view: View, form: u32) {
        let program = self.program;
        let form = &program.code.tests[form as usize];
        let mut args: Vec<Term> = form.args.iter().map(|src| view.look(*src).clone()).collect();
        let LinkedNative { function, operation, .. } = program.natives[form.native as usize];
        self.native(function, operation.rule, &mut args);
    }
}
