//! The loop: fetch an instruction, do it, go on.

use super::cursor::{Cursor, View};
use super::engine::Engine;
use crate::forward::code::{Instr, Out, Src};

/// The modes of a run: nothing is recorded.
pub const PLAIN: u8 = 0;
/// The path is recorded.
pub const SYMBOLIC: u8 = 1;
/// Branches are counted.
pub const COUNTING: u8 = 2;

/// Does something that may fail, then goes on with the next instruction.
macro_rules! attempt {
    ($engine:ident, $at:ident, $done:expr) => {
        match $done {
            Ok(()) => $at.advance(),
            Err(fault) => $at = $engine.fail($at, fault),
        }
    };
}

/// Goes on with the next instruction if a test holds, elsewhere if not.
macro_rules! branch {
    ($engine:ident, $at:ident, $holds:expr, $no:expr) => {{
        let holds = $holds;
        match MODE {
            SYMBOLIC => $engine.took($engine.address($at), holds),
            COUNTING => $engine.count_branch($engine.address($at), holds),
            _ => {}
        }
        if holds { $at.advance() } else { $at.ip = $engine.code_at($no) }
    }};
}

/// Does something that cannot fail, then goes on with the next instruction.
macro_rules! perform {
    ($at:ident, $done:expr) => {{
        $done;
        $at.advance()
    }};
}

impl Engine<'_> {
    /// Runs until the end; a symbolic run observes every instruction first.
    pub fn execute<const MODE: u8>(&mut self, mut at: Cursor) {
        loop {
            if MODE == SYMBOLIC
                && let Some(next) = self.observe(at)
            {
                at = next;
                continue;
            }
            match *at.instr() {
                Instr::Halt => return,
                Instr::Move { to, from } => perform!(at, at.shift(to, from)),
                Instr::Copy { to, from } => perform!(at, at.put(to, at.slot(from).clone())),
                Instr::Constant { to, index } => perform!(at, at.put(to, self.view(at).constant(index).clone())),
                Instr::Swap { a, b } => perform!(at, at.swap(a, b)),
                Instr::Drop { slot } => perform!(at, at.clear(slot)),
                Instr::Drop2 { a, b } => perform!(at, {
                    at.clear(a);
                    at.clear(b)
                }),

                Instr::Cons { to, head, tail } => perform!(at, self.view(at).cons(to, head, tail)),
                Instr::Tuple { to, len, first } => perform!(at, self.view(at).tuple(to, self.sources(first, len))),
                Instr::Map { to, form } => {
                    let done = self.view(at).map(to, &self.program.code.maps[form as usize]);
                    attempt!(self, at, done.and_then(|()| self.check_heap()))
                }
                Instr::Bits { to, form } => {
                    let done = self.view(at).bits(to, &self.program.code.bits[form as usize]);
                    attempt!(self, at, done.and_then(|()| self.check_heap()))
                }
                Instr::Closure { to, form } => {
                    perform!(at, self.view(at).closure(to, &self.program.code.closures[form as usize]))
                }

                Instr::Add { to, a, b } => attempt!(self, at, self.view(at).add(to, a, b)),
                Instr::AddInt { to, a, b } => attempt!(self, at, self.view(at).add_int(to, a, b)),
                Instr::Sub { to, a, b } => attempt!(self, at, self.view(at).sub(to, a, b)),
                Instr::SubInt { to, a, b } => attempt!(self, at, self.view(at).sub_int(to, a, b)),
                Instr::Mul { to, a, b } => attempt!(self, at, self.view(at).mul(to, a, b)),
                Instr::Arith { op, to, a, b } => attempt!(self, at, self.view(at).arith(op, to, a, b)),
                Instr::Relation { op, to, a, b } => perform!(at, self.view(at).relation(op, to, a, b)),
                Instr::TypeTest { kind, to, a } => perform!(at, self.view(at).type_test(kind, to, a)),
                Instr::Head { to, list } => attempt!(self, at, self.view(at).head(to, list)),
                Instr::Tail { to, list } => attempt!(self, at, self.view(at).tail(to, list)),
                Instr::Element { to, at: place, tuple } => attempt!(self, at, self.view(at).element(to, place, tuple)),
                Instr::TupleSize { to, tuple } => attempt!(self, at, self.view(at).tuple_size(to, tuple)),
                Instr::MapGet { to, key, map } => attempt!(self, at, self.view(at).map_get(to, key, map)),

                Instr::IfNil { value, no } => branch!(self, at, self.view(at).if_nil(value), no),
                Instr::IfAtom { value, atom, no } => branch!(self, at, self.view(at).if_atom(value, atom), no),
                Instr::IfInt { value, int, no } => branch!(self, at, self.view(at).if_int(value, int), no),
                Instr::IfConstant { value, index, no } => {
                    branch!(self, at, self.view(at).if_constant(value, index), no)
                }
                Instr::IfSame { a, b, no } => branch!(self, at, self.view(at).if_same(a, b), no),
                Instr::IfEqual { a, b, no } => branch!(self, at, self.view(at).if_equal(a, b), no),
                Instr::IfLess { a, b, no } => branch!(self, at, self.view(at).if_less(a, b), no),
                Instr::IfLessInt { a, b, no } => branch!(self, at, self.view(at).if_less_int(a, b), no),
                Instr::IfMoreInt { a, b, no } => branch!(self, at, self.view(at).if_more_int(a, b), no),
                Instr::IfNotLess { a, b, no } => branch!(self, at, !self.view(at).if_less(a, b), no),
                Instr::IfNotLessInt { a, b, no } => branch!(self, at, !self.view(at).if_less_int(a, b), no),
                Instr::IfNotMoreInt { a, b, no } => branch!(self, at, !self.view(at).if_more_int(a, b), no),
                Instr::IfCons { value, head, tail, no } => {
                    branch!(self, at, self.view(at).if_cons(value, head, tail), no)
                }
                Instr::IfTuple { size, value, outs, no } => {
                    branch!(self, at, self.view(at).if_tuple(size, value, self.outs(outs)), no)
                }
                Instr::IfType { kind, value, no } => {
                    branch!(self, at, constraint::is_of(self.view(at).look(value), kind), no)
                }
                Instr::IfMapKey { to, map, key, no } => branch!(self, at, self.view(at).if_map_key(to, map, key), no),
                Instr::IfSegment { form, bits, no } => {
                    branch!(self, at, self.view(at).if_segment(bits, &self.program.code.segments[form as usize]), no)
                }
                Instr::IfBytes { count, form, bits, no } => {
                    branch!(
                        self,
                        at,
                        self.view(at).if_bytes(count, bits, &self.program.code.segments[form as usize]),
                        no
                    )
                }
                Instr::IfBitsEnd { value, no } => branch!(self, at, self.view(at).if_bits_end(value), no),
                Instr::IfNative { form, no } => branch!(self, at, self.if_native(at, form), no),
                Instr::Switch { value, table } => {
                    if MODE == SYMBOLIC {
                        self.observe_switch(at, value, table);
                    }
                    let target = self.program.code.switches[table as usize].target(self.view(at).look(value));
                    if MODE == COUNTING {
                        self.count_target(target);
                    }
                    at.ip = self.code_at(target);
                }
                Instr::Jump { to } => at.ip = self.code_at(to),
                Instr::Loop { to } => at = self.repeat(at, to),

                Instr::Call { window, callee } => at = self.first_call(at, window, callee),
                Instr::TailCall { callee } => at = self.first_tail_call(at, callee),
                Instr::CallCode { window, frame, entry } => at = self.call_code(at, window, frame, entry),
                Instr::TailCode { frame, entry } => at = self.tail_code(at, frame, entry),
                Instr::Native { window, arity, native } => attempt!(self, at, self.native(at, window, arity, native)),
                Instr::CallFun { window, arity } => at = self.call_fun(at, window, arity, false),
                Instr::TailFun { arity } => at = self.call_fun(at, 0, arity, true),
                Instr::CallNamed { window, arity } => at = self.call_named(at, window, arity, false),
                Instr::TailNamed { arity } => at = self.call_named(at, 0, arity, true),
                Instr::Primitive { window, arity, op } => at = self.primitive(at, op, window, arity),
                Instr::Return { value } => {
                    at.put(0, self.view(at).fetch(value));
                    at = self.leave(at);
                }
                Instr::ReturnFirst => at = self.leave(at),

                Instr::RaiseError { reason } => at = self.fail(at, self.raise_error(at, reason)),
                Instr::RaiseClause { len, first } => at = self.fail(at, self.raise_clause(at, len, first)),
                Instr::RaiseAgain { reason, raw } => at = self.fail(at, self.raise_again(at, reason, raw)),

                // To try the patterns of a `receive` on a message is not to take it.
                Instr::Seen { index } => perform!(at, self.program.code.seen[index as usize] |= self.trial.is_none()),
                Instr::Enter { case, clause } => perform!(at, self.entered(at, case, clause)),
            }
        }
    }

    /// The frame and the constants, for an instruction's operands.
    #[inline(always)]
    pub fn view(&self, at: Cursor) -> View {
        View { slots: at.slots, constants: self.constants }
    }

    /// The instruction at an address.
    #[inline(always)]
    pub fn code_at(&self, address: u32) -> *const Instr {
        debug_assert!((address as usize) < self.program.code.instructions.len());
        // SAFETY: the linker has resolved every address to a place within the code.
        unsafe { self.code.add(address as usize) }
    }

    #[inline(always)]
    fn sources(&self, first: u32, len: u16) -> &[Src] {
        &self.program.code.sources[first as usize..][..usize::from(len)]
    }

    #[inline(always)]
    fn outs(&self, first: u32) -> &[Out] {
        self.program.code.outs_at(first)
    }
}
