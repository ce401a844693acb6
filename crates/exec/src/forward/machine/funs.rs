//! Calls of funs, and of functions whose names are data.

use ops::{Control, Rule};
use term::{Exception, Fun, Mark, Mfa, Table, Term, known};

use super::arith::bad;
use super::calls::fits;
use super::cursor::Cursor;
use super::engine::Engine;
use super::fault::Fault;
use crate::forward::code::{Slot, UNLINKED};
use crate::forward::program::Linked;
use crate::forward::world::VmCall;

impl Engine<'_> {
    /// Calls the fun that stands behind its arguments.
    #[inline(always)]
    pub fn call_fun(&mut self, at: Cursor, window: Slot, arity: u8, tail: bool) -> Cursor {
        if let Term::Fun(_, fun) = at.slot(window + Slot::from(arity))
            && let Fun::Closure(closure) = &**fun
        {
            let Linked { entry, frame, .. } = self.program.functions[closure.code as usize].linked;
            let ready = entry != UNLINKED && fits(at.above(u32::from(window)), frame, self.process.limit);
            if closure.arity == arity && ready && self.program.opaque.is_empty() {
                spread(at, window + Slot::from(arity));
                return if tail { self.tail_code(at, frame, entry) } else { self.call_code(at, window, frame, entry) };
            }
        }
        self.call_fun_slowly(at, window, arity, tail)
    }

    /// Calls a fun of any kind, or raises `badfun` or `badarity`.
    #[inline(never)]
    pub fn call_fun_slowly(&mut self, at: Cursor, window: Slot, arity: u8, tail: bool) -> Cursor {
        let behind = window + Slot::from(arity);
        let Term::Fun(_, fun) = at.slot(behind).clone() else {
            let fault = Fault::here(Exception::tagged(known::BADFUN, at.take(behind)));
            return self.fail(at, fault);
        };
        if fun.arity() != arity {
            let args = Term::list(at.window(window, arity).to_vec());
            let pair = Term::tuple([at.take(behind), args]);
            let fault = Fault::here(Exception::tagged(known::BADARITY, pair));
            return self.fail(at, fault);
        }
        match &*fun {
            Fun::Closure(closure) => self.call_closure(at, closure.code, window, arity, tail),
            Fun::External(function) => {
                drop(at.take(behind));
                let callee = self.program.callee(*function, false);
                self.call_by_number(at, callee, window, tail)
            }
            Fun::Foreign { .. } => {
                let args = Term::list(at.window(window, arity).iter_mut().map(std::mem::take).collect::<Vec<_>>());
                let fun = at.take(behind);
                at.put(window, fun);
                // The fun stood behind the arguments, so that there is room for two even where there were none.
                at.put(window + 1, args);
                let apply = Rule::Control(Control::ApplyFun).function(2);
                self.vm_call(at, VmCall::Stateful, apply, window, tail)
            }
            Fun::Table(table) => self.call_table(at, table, window, Mark::NONE, tail),
        }
    }

    /// A function without code answers at once; the answer carries the mark.
    pub fn call_table(&mut self, at: Cursor, table: &Table, window: Slot, mark: Mark, tail: bool) -> Cursor {
        let result = table.result(at.window(window, table.arity())).clone().with_mark(mark);
        drop(at.take(window + Slot::from(table.arity())));
        at.give(window, table.arity(), result);
        self.go_on(at, window, tail)
    }

    fn call_closure(&mut self, at: Cursor, code: u32, window: Slot, arity: u8, tail: bool) -> Cursor {
        if code as usize >= self.program.functions.len() {
            let function = Mfa { module: known::NONE, function: known::NONE, arity };
            return self.broken(at, function, "a closure of another machine".into());
        }
        let function = &self.program.functions[code as usize];
        let name = function.name;
        if function.graph.is_none() || self.program.opaque.contains(&name) {
            // `fun name/1` of a function that was not called yet, or that is looked at from outside; it captures
            // nothing.
            drop(at.take(window + Slot::from(arity)));
            let callee = self.program.callee(name, true);
            return self.call_by_number(at, callee, window, tail);
        }
        let address = self.address(at);
        let linked = self.program.linked(code);
        let at = self.refreshed(address, at);
        match linked {
            Ok((_, frame)) => match self.make_room(at, u32::from(window) + frame) {
                Some(at) => {
                    spread(at, window + Slot::from(arity));
                    self.call_function(at, code, window, tail)
                }
                None => self.out_of_memory(at),
            },
            Err(why) => self.broken(at, name, why),
        }
    }

    /// Calls the function whose module and name stand behind its arguments.
    #[inline(never)]
    pub fn call_named(&mut self, at: Cursor, window: Slot, arity: u8, tail: bool) -> Cursor {
        let behind = window + Slot::from(arity);
        let names = (at.slot(behind).as_atom(), at.slot(behind + 1).as_atom());
        let (Some(module), Some(function)) = names else {
            let args = Term::list(at.window(window, arity).to_vec());
            let args = [at.slot(behind).clone(), at.slot(behind + 1).clone(), args];
            let fault = bad(Rule::Control(Control::ApplyNamed), &args, Exception::badarg());
            return self.fail(at, fault);
        };
        let callee = self.program.callee(Mfa { module, function, arity }, false);
        self.call_by_number(at, callee, window, tail)
    }
}

/// Replaces the fun in a slot by its captured values, in that slot and those behind it.
#[inline(always)]
fn spread(at: Cursor, slot: Slot) {
    if let Term::Fun(_, fun) = at.take(slot)
        && let Fun::Closure(closure) = &*fun
    {
        for (place, value) in (slot..).zip(closure.captured.iter()) {
            at.put(place, value.clone());
        }
    }
}
