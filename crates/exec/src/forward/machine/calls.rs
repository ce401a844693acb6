//! Calls, returns, and everything a call can lead to.

use ops::{ArrayOp, Detour, EtsOp, Native, PersistentOp, Rule};
use term::{Mfa, Term, cut, heap};

use super::arith::attempt;
use super::cursor::Cursor;
use super::engine::{Engine, Frame};
use super::fault::Fault;
use super::node::{Resume, Visible};
use crate::forward::code::{Address, Instr, Slot, UNLINKED};
use crate::forward::outcome::Ending;
use crate::forward::program::{Callee, LinkedNative};
use crate::forward::symbolic::Expected;
use crate::forward::world::VmCall;

/// Steps that a process makes before others get their turn.
const TURN: u64 = 4_000;

/// Steps between two looks at what is left, where every step is looked at for loops.
const LOOKS: u64 = 256;

impl Engine<'_> {
    /// Calls linked code.
    #[inline(always)]
    pub fn call_code(&mut self, at: Cursor, window: Slot, frame: u32, entry: Address) -> Cursor {
        let next = at.above(u32::from(window));
        let frames = &mut self.process.frames;
        if self.fuel == 0 || !fits(next, frame, self.process.limit) || frames.len() == frames.capacity() {
            return self.call_code_slowly(at, window, frame, entry);
        }
        self.fuel -= 1;
        let back = self.address(at) + 1;
        self.process.frames.push(Frame { back, window: u32::from(window) });
        self.enter(next, entry)
    }

    /// Calls linked code in the place of the current function.
    #[inline(always)]
    pub fn tail_code(&mut self, at: Cursor, frame: u32, entry: Address) -> Cursor {
        if self.fuel == 0 || !fits(at, frame, self.process.limit) {
            return self.tail_code_slowly(at, frame, entry);
        }
        self.fuel -= 1;
        self.enter(at, entry)
    }

    #[inline(always)]
    fn enter(&self, mut at: Cursor, entry: Address) -> Cursor {
        at.ip = self.code_at(entry);
        at
    }

    /// Gives what stands in slot 0 to the caller.
    #[inline(always)]
    pub fn leave(&mut self, at: Cursor) -> Cursor {
        let Some(frame) = self.process.frames.pop() else { return self.end_of_frames(at) };
        debug_assert!(frame.window as usize <= self.base(at), "a frame begins below its caller's");
        self.enter(at.below(frame.window), frame.back)
    }

    #[cold]
    fn end_of_frames(&mut self, at: Cursor) -> Cursor {
        self.refreshed(0, at)
    }

    /// A jump backwards.
    #[inline(always)]
    pub fn repeat(&mut self, at: Cursor, to: Address) -> Cursor {
        if self.fuel == 0
            && let Err(end) = self.refuel(at, self.here(at))
        {
            return end;
        }
        self.fuel -= 1;
        self.enter(at, to)
    }

    /// Takes steps from the reserve, or ends the run, or lets another process go on while this one waits for its turn.
    #[cold]
    #[inline(never)]
    fn refuel(&mut self, at: Cursor, resume: Resume) -> Result<(), Cursor> {
        if self.reserve == 0 {
            let place = self.place(at);
            return Err(self.end(at, Ending::OutOfSteps { at: place }));
        }
        let made = self.limits.steps - self.reserve;
        if let Some(ending) = self.look_for_loop(at, &resume, made) {
            return Err(self.end(at, ending));
        }
        let is_looked_at = !self.loops.is_open() || made.is_multiple_of(LOOKS);
        // The first look is free: a run that has just begun was wanted a moment ago.
        if is_looked_at && made > 0 && self.state.world.wants_stop() {
            let place = self.place(at);
            return Err(self.end(at, Ending::Stopped { at: place }));
        }
        if is_looked_at && self.holds_too_much() {
            return Err(self.out_of_memory(at));
        }
        let steps = self.limits.steps_at_once(cut::headroom(), self.recorder.is_some());
        self.fuel = self.reserve.min(steps).min(if self.keeps_rounds() { 1 } else { self.loops.allowance(made) });
        if self.node.is_lone() || self.schedule.is_some() {
            self.reserve -= self.fuel;
            return Ok(());
        }
        self.fuel = self.fuel.min(TURN);
        self.reserve -= self.fuel;
        if self.node.ready.is_empty() { Ok(()) } else { Err(self.take_turns(resume)) }
    }

    #[cold]
    #[inline(never)]
    fn call_code_slowly(&mut self, at: Cursor, window: Slot, frame: u32, entry: Address) -> Cursor {
        let (ip, base) = (self.address(at), self.base(at));
        let resume = Resume::Code { window, frame, entry, tail: false, ip, base };
        match self.ready_for(at, u32::from(window) + frame, resume) {
            Ok(at) => self.call_code(at, window, frame, entry),
            Err(end) => end,
        }
    }

    #[cold]
    #[inline(never)]
    fn tail_code_slowly(&mut self, at: Cursor, frame: u32, entry: Address) -> Cursor {
        let (ip, base) = (self.address(at), self.base(at));
        let resume = Resume::Code { window: 0, frame, entry, tail: true, ip, base };
        match self.ready_for(at, frame, resume) {
            Ok(at) => self.tail_code(at, frame, entry),
            Err(end) => end,
        }
    }

    /// Makes sure of a step and of room for `slots` slots, or ends the run.
    fn ready_for(&mut self, at: Cursor, slots: u32, resume: Resume) -> Result<Cursor, Cursor> {
        if self.fuel == 0 {
            self.refuel(at, resume)?;
        }
        self.room_for(at, slots)
    }

    /// Makes room for `slots` slots of the current frame, or ends the run.
    pub fn room_for(&mut self, at: Cursor, slots: u32) -> Result<Cursor, Cursor> {
        match self.make_room(at, slots) {
            Some(at) => Ok(at),
            None => Err(self.out_of_memory(at)),
        }
    }

    /// Ends the run, which holds more than its limit.
    pub fn out_of_memory(&mut self, at: Cursor) -> Cursor {
        let place = self.place(at);
        self.end(at, Ending::OutOfMemory { at: place })
    }

    /// Makes room for `slots` slots from the current frame on and for one more frame, if the limit allows it.
    pub fn make_room(&mut self, at: Cursor, slots: u32) -> Option<Cursor> {
        let (base, ip) = (self.base(at), self.address(at));
        let process = &mut self.process;
        let needed = base + slots as usize;
        let stack =
            if needed > process.stack.len() { needed.max(process.stack.len() * 2) } else { process.stack.len() };
        let full = process.frames.len() == process.frames.capacity();
        let frames = if full { process.frames.len() * 2 } else { process.frames.capacity() };
        let (bytes, moved) = (stack * size_of::<Term>() + frames * size_of::<Frame>(), stack > process.stack.len());
        if bytes > self.limits.memory || moved && stack * size_of::<Term>() > cut::headroom() {
            return None;
        }
        heap::charge((stack - process.stack.len()) * size_of::<Term>());
        process.stack.resize_with(stack, Term::nil);
        process.limit = process.stack.as_mut_ptr_range().end;
        if full {
            heap::charge((frames - process.frames.len()) * size_of::<Frame>());
            process.frames.reserve_exact(frames - process.frames.len());
        }
        Some(self.cursor(ip, base))
    }

    /// Runs an operation on the arguments in the window and puts its value there.
    #[inline(always)]
    pub fn native(&mut self, at: Cursor, window: Slot, arity: u8, native: u32) -> Result<(), Box<Fault>> {
        debug_assert!(fits(at, u32::from(window) + u32::from(arity), self.process.limit));
        let args = at.window(window, arity);
        let LinkedNative { function, native, .. } = self.program.natives[native as usize];
        let result = match native {
            Native::Pure(rule) => attempt(|| rule(args))?,
            Native::Running(rule) => {
                let result = attempt(|| rule(&mut self.state, args))?;
                self.check_failure(at)?;
                result
            }
        };
        match result {
            Ok(value) => {
                at.give(window, arity, value);
                self.check_heap()
            }
            Err(_) if heap::was_refused() => Err(Box::new(Fault::Memory)),
            Err(exception) => Err(Fault::of_operation(function, args, *exception)),
        }
    }

    /// The end of the run, if the VM did not answer.
    fn check_failure(&mut self, at: Cursor) -> Result<(), Box<Fault>> {
        match self.state.failure.take() {
            Some(failure) => Err(Box::new(Fault::End(failure.ending(self.place(at))))),
            None => Ok(()),
        }
    }

    /// A call that is made for the first time, or that leads to something rare.
    #[inline(never)]
    pub fn first_call(&mut self, at: Cursor, window: Slot, callee: u32) -> Cursor {
        let address = self.address(at) as usize;
        let found = self.program.resolve(self.state.world, callee);
        let patch = match &found {
            Callee::Code(function) => match self.program.linked(*function) {
                Ok((entry, frame)) => Some(Instr::CallCode { window, frame, entry }),
                Err(_) => None,
            },
            Callee::Native(native) => {
                let arity = self.program.callees[callee as usize].0.arity;
                Some(Instr::Native { window, arity, native: *native })
            }
            _ => None,
        };
        if let Some(patch) = patch {
            self.program.code.instructions[address] = patch;
            return self.refreshed(address as Address, at);
        }
        self.call_by_number(at, callee, window, false)
    }

    /// Links the callee of a tail call that was never made, and makes it.
    #[inline(never)]
    pub fn first_tail_call(&mut self, at: Cursor, callee: u32) -> Cursor {
        let address = self.address(at) as usize;
        if let Callee::Code(function) = self.program.resolve(self.state.world, callee)
            && let Ok((entry, frame)) = self.program.linked(function)
        {
            self.program.code.instructions[address] = Instr::TailCode { frame, entry };
            return self.refreshed(address as Address, at);
        }
        self.call_by_number(at, callee, 0, true)
    }

    /// Calls what a number of the callee table stands for.
    pub fn call_by_number(&mut self, at: Cursor, callee: u32, window: Slot, tail: bool) -> Cursor {
        let found = self.program.resolve(self.state.world, callee);
        let function = self.program.callees[callee as usize].0;
        self.call_found(at, &found, function, window, tail)
    }

    fn call_found(&mut self, at: Cursor, found: &Callee, function: Mfa, window: Slot, tail: bool) -> Cursor {
        let address = self.address(at);
        match found {
            Callee::Detour(detour, otherwise) => self.detour(at, *detour, otherwise, function, window, tail),
            Callee::Code(index) => self.call_function(at, *index, window, tail),
            Callee::Opaque(index) => match self.samples(at.window(window, function.arity)) {
                true => self.call_apart(at, function, window, tail),
                false => self.call_function(at, *index, window, tail),
            },
            Callee::Native(native) => self.call_native(at, window, *native, tail),
            Callee::Control(control) => {
                let at = self.refreshed(address, at);
                self.observe_control(at, window, function, *control);
                self.control(at, *control, function, window, tail)
            }
            Callee::Vm(kind) => self.vm_call(at, *kind, function, window, tail),
            Callee::Undefined => {
                let fault = Fault::undefined(function, at.window(window, function.arity), tail);
                self.fail(at, fault)
            }
            Callee::Unresolved { .. } => self.broken(at, function, "a call that leads nowhere".into()),
            Callee::Broken(why) => self.broken(at, function, why.clone()),
            Callee::Refused(effect) => {
                let place = self.place(at);
                self.end(at, Ending::Refused { function, effect: effect.to_string(), at: place })
            }
            Callee::Process(op) => {
                let at = self.refreshed(address, at);
                self.process_operation(at, *op, function, window, tail)
            }
            Callee::Elsewhere => self.unsupported(at, function, "processes need the VM"),
        }
    }

    fn call_native(&mut self, at: Cursor, window: Slot, native: u32, tail: bool) -> Cursor {
        if let Some(next) = self.observe_native(at, window, native, tail) {
            return next;
        }
        let arity = self.program.natives[native as usize].function.arity;
        match self.native(at, window, arity, native) {
            Ok(()) => self.go_on(at, window, tail),
            Err(fault) => self.fail(at, fault),
        }
    }

    /// A function of the VM that may hand the call over to code.
    fn detour(
        &mut self,
        at: Cursor,
        detour: Detour,
        otherwise: &Callee,
        function: Mfa,
        window: Slot,
        tail: bool,
    ) -> Cursor {
        if let Some(callee) = self.prelude_on(at, window, function) {
            return self.call_by_number(at, callee, window, tail);
        }
        let settled = self.observe_detour(at, window, function.arity, detour.subject);
        let handed = (detour.rule)(&mut self.state, at.window(window, function.arity));
        if let Err(fault) = self.check_failure(at) {
            return self.fail(at, fault);
        }
        let Some((other, args)) = handed else { return self.call_found(at, otherwise, function, window, tail) };
        if !settled {
            // That it is handed over depends on the arguments by rules that are not recorded.
            self.observe_vm_call(at, VmCall::Pure, window, function);
        }
        let at = match self.room_for(at, u32::from(window) + args.len() as u32) {
            Ok(at) => at,
            Err(at) => return at,
        };
        at.window(window, function.arity).iter_mut().for_each(|arg| drop(std::mem::take(arg)));
        (window..).zip(args).for_each(|(slot, arg)| at.put(slot, arg));
        let callee = self.program.callee(other, false);
        self.call_by_number(at, callee, window, tail)
    }

    /// Ends the run at something that the machine cannot execute.
    pub fn unsupported(&mut self, at: Cursor, function: Mfa, what: &str) -> Cursor {
        let place = self.place(at);
        self.end(at, Ending::Unsupported { function, what: what.to_string(), at: place })
    }

    /// Ends the run at a function whose code cannot be read.
    pub fn broken(&mut self, at: Cursor, function: Mfa, why: String) -> Cursor {
        let place = self.place(at);
        self.end(at, Ending::Broken { module: function.module.name().to_string(), why, at: place })
    }

    /// Calls a function that has a graph.
    pub fn call_function(&mut self, at: Cursor, index: u32, window: Slot, tail: bool) -> Cursor {
        let function = &self.program.functions[index as usize];
        let (entry, frame, at) = if function.linked.entry == UNLINKED {
            let address = self.address(at);
            let name = function.name;
            match self.program.linked(index) {
                Ok((entry, frame)) => (entry, frame, self.refreshed(address, at)),
                Err(why) => {
                    let at = self.refreshed(address, at);
                    return self.broken(at, name, why);
                }
            }
        } else {
            (function.linked.entry, function.linked.frame, at)
        };
        if tail { self.tail_code(at, frame, entry) } else { self.call_code(at, window, frame, entry) }
    }

    /// A call has put its value into its window.
    #[inline(always)]
    pub fn go_on(&mut self, mut at: Cursor, window: Slot, tail: bool) -> Cursor {
        debug_assert!(!tail || window == 0);
        if tail {
            return self.leave(at);
        }
        at.advance();
        at
    }

    /// Goes on with the result of an operation on the arguments in a window.
    pub fn finish(
        &mut self,
        at: Cursor,
        window: Slot,
        arity: u8,
        result: Result<Term, Box<Fault>>,
        tail: bool,
    ) -> Cursor {
        match result {
            Ok(value) => {
                at.give(window, arity, value);
                self.go_on(at, window, tail)
            }
            Err(fault) => self.fail(at, fault),
        }
    }

    /// Lets the VM execute a call, and goes on with its answer.
    pub fn vm_call(&mut self, at: Cursor, kind: VmCall, function: Mfa, window: Slot, tail: bool) -> Cursor {
        debug_assert!(fits(at, u32::from(window) + u32::from(function.arity), self.process.limit));
        self.state.outside += u64::from(kind == VmCall::Stateful && !reads_tables(function));
        if let Some(next) = self.print_to_process(at, function, window, tail) {
            return next;
        }
        if kind == VmCall::Stateful
            && self.is_seen(at, function)
            && let Some(elsewhere) =
                self.yields_before(self.before_operation(at, Visible::Vm(kind), function, window, tail))
        {
            return elsewhere;
        }
        if kind == VmCall::Stateful && self.node.scheduled {
            self.touch_state(function, at.window(window, function.arity));
        }
        if let Some(fault) = self.table_fault(function, at.window(window, function.arity)) {
            return self.fail(at, fault);
        }
        if let Some(callee) = self.prelude_on(at, window, function) {
            return self.call_by_number(at, callee, window, tail);
        }
        let args = at.window(window, function.arity);
        let seen = (kind != VmCall::Stateful && self.samples(args)).then(|| args.to_vec());
        let is_closed = kind == VmCall::Closed;
        if is_closed {
            self.observe_closed(at, function);
        }
        let expected =
            if seen.is_none() { self.observe_vm_call(at, kind, window, function) } else { Expected::Decided };
        let result = match &expected {
            Expected::Known(value) => Ok(value.clone()),
            _ => match self.stored_operation(function, args, expected.mark()) {
                Some(result) => result,
                None => self.state.vm_call(kind, function, args),
            },
        };
        if let Err(fault) = self.check_failure(at) {
            return self.fail(at, fault);
        }
        if let Ok(found) = &result {
            self.observe_row_order(at, function, args, found);
        }
        match self.answered(at, function, args, expected, result) {
            Ok(value) => {
                at.give(window, function.arity, value);
                match seen {
                    Some(args) => self.opaque_value(at, window, function, &args, tail, is_closed),
                    None => self.go_on(at, window, tail),
                }
            }
            Err(exception) => {
                let mut fault = Fault::of_vm(function, args, *exception);
                if let Some(args) = seen {
                    fault = self.opaque_fault(at, function, &args, fault, is_closed);
                }
                self.fail(at, fault)
            }
        }
    }
}

/// True if a function gives what a table, an array or a persistent term has, and changes nothing.
fn reads_tables(function: Mfa) -> bool {
    match ops::rule(function) {
        Rule::Ets(op) => matches!(op, EtsOp::Lookup | EtsOp::LookupElement | EtsOp::Member | EtsOp::List),
        Rule::Array(op, _) => op == ArrayOp::Get,
        Rule::Persistent(op) => op == PersistentOp::Get,
        _ => false,
    }
}

/// True if a frame that begins at the cursor lies within the stack.
#[inline(always)]
pub fn fits(at: Cursor, frame: u32, limit: *mut Term) -> bool {
    at.slots.0.wrapping_add(frame as usize) <= limit
}
