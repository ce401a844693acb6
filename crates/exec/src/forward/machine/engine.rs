//! The state of a run: one process with its stack of registers and its frames.

use std::ptr;
use std::rc::Rc;

use term::cut::{self, Cut, MemoryLimit};
use term::heap::Bounds;
use term::{Call, Mfa, Term};

use super::counts::BranchCounts;
use super::cursor::{Cursor, Slots, is_plain};
use super::events::Observer;
use super::loops::LoopWatch;
use super::node::{Crash, Node};
use super::processes::{Schedule, Trial};
use super::replay::Script;
use super::run::{COUNTING, PLAIN, SYMBOLIC};
use super::run_state::RunState;
use crate::forward::code::{Address, Instr, Slot};
use crate::forward::outcome::{Ending, Limits, Place, Run};
use crate::forward::program::Program;
use crate::forward::symbolic::Recorder;
use crate::forward::world::World;

/// A call that waits for its value.
#[derive(Clone, Copy)]
pub struct Frame {
    /// The instruction after the call.
    pub back: Address,
    /// The distance from its caller's first slot to that of the called function.
    pub window: u32,
}

/// Registers and frames of one process.
pub struct Registers {
    /// The slots of all frames, one after the other. Everything above the current frame is dead.
    pub stack: Vec<Term>,
    pub frames: Vec<Frame>,
    /// The end of `stack`.
    pub limit: *mut Term,
}

/// A run: its process, its limits, and all that it uses.
pub struct Engine<'a> {
    pub program: &'a mut Program,
    pub state: RunState<'a>,
    /// Those of the process that runs.
    pub process: Registers,
    /// The processes of the run.
    pub node: Node,
    /// Operations on processes that the one that runs has done in its turn.
    pub turn: u32,
    /// Steps that may be made before the next look at what is left.
    pub fuel: u64,
    /// Steps that may be made after those.
    pub reserve: u64,
    pub limits: Limits,
    /// The beginnings of the program's code and constants, which move when more is linked: every return from there
    /// to the loop makes a new cursor, which looks them up again.
    pub code: *const Instr,
    pub constants: *const Term,
    /// The recorder of a symbolic run.
    pub recorder: Option<&'a mut Recorder>,
    /// The counts of a run whose branches are counted.
    pub counts: Option<&'a mut BranchCounts>,
    /// The observer of the events that graphs emit.
    pub observer: Option<&'a mut dyn Observer>,
    /// The run that this one replays.
    pub script: Option<&'a mut Script>,
    /// The turns of processes, where they are prescribed or of interest.
    pub schedule: Option<&'a mut Schedule>,
    /// True for a call that is made apart, whose processes nothing outside it would see.
    pub apart: bool,
    /// The message that the patterns of a `receive` are tried on.
    pub trial: Option<Trial>,
    /// The instructions that the last stack trace is made of.
    pub raised_through: Vec<Address>,
    /// The crashes of other processes than that of the call, where no schedule has them.
    pub crashes: Vec<Crash>,
    /// While no more than this is made, the run cannot hold more than it may; see [`term::heap::made`].
    pub safe_until: u64,
    /// The instruction that a symbolic run observed last.
    pub observed: Address,
    /// The watch over calls that lead to themselves.
    pub loops: LoopWatch,
    /// The ending of the run, if it is not a value in slot 0.
    pub ending: Option<Ending>,
}

/// Room for the slots of the first few frames.
const FIRST_SLOTS: usize = 512;

impl Default for Registers {
    fn default() -> Registers {
        Registers { stack: Vec::new(), frames: Vec::new(), limit: ptr::null_mut() }
    }
}

impl Registers {
    /// Room for the first frames of a call with these arguments, which stand in the first slots.
    pub fn of(args: impl ExactSizeIterator<Item = Term>, room: usize) -> Registers {
        let slots = room.max(args.len() + 2);
        let mut stack = Vec::with_capacity(slots);
        stack.extend(args);
        stack.resize_with(slots, Term::nil);
        let mut frames = Vec::with_capacity(8);
        frames.push(Frame { back: 0, window: 0 });
        let limit = stack.as_mut_ptr_range().end;
        Registers { stack, frames, limit }
    }
}

impl<'a> Engine<'a> {
    /// An engine for a run with a state of its own.
    pub fn new(program: &'a mut Program, world: &'a mut dyn World, limits: Limits) -> Engine<'a> {
        let mut state = RunState::new(world);
        state.name_order = Rc::clone(&program.name_order);
        Engine::within(program, state, limits)
    }

    /// An engine for a run that begins in this state.
    pub fn within(program: &'a mut Program, state: RunState<'a>, limits: Limits) -> Engine<'a> {
        let process = Registers { frames: Vec::with_capacity(64), ..Registers::default() };
        Engine {
            program,
            state,
            process,
            node: Node::default(),
            turn: 0,
            fuel: 0,
            reserve: limits.steps,
            limits,
            code: ptr::null(),
            constants: ptr::null(),
            recorder: None,
            counts: None,
            observer: None,
            script: None,
            schedule: None,
            apart: false,
            trial: None,
            raised_through: Vec::new(),
            crashes: Vec::new(),
            safe_until: 0,
            observed: 0,
            loops: LoopWatch::new(false),
            ending: None,
        }
    }

    /// Runs a call to its end. With `local`, the function need not be exported.
    pub fn run(mut self, call: &Call, local: bool) -> Run {
        self.run_to_end(call, local)
    }

    /// As [`Engine::run`], but the engine with its state remains.
    pub fn run_to_end(&mut self, call: &Call, local: bool) -> Run {
        let _bounds = (Bounds::new(self.limits.memory as u64), MemoryLimit::new(self.limits.memory));
        self.begin_to_measure();
        self.loops = LoopWatch::new(self.recorder.is_some());
        // What a symbolic run records is not asked for step by step: it may end in the middle of one.
        let done = match self.recorder {
            Some(_) => cut::attempt(|| self.begin_and_execute::<SYMBOLIC>(call, local)),
            None if self.counts.is_some() => {
                cut::attempt_until_stop(|| self.begin_and_execute::<COUNTING>(call, local))
            }
            None => cut::attempt_until_stop(|| self.begin_and_execute::<PLAIN>(call, local)),
        };
        if let Err(cut) = done {
            self.recorder.iter_mut().for_each(|recorder| recorder.arena.after_cut());
            self.ending = Some(self.cut(cut));
        }
        let ending = match self.ending.take() {
            Some(ending) => ending,
            None => {
                debug_assert!(self.process.frames.is_empty(), "calls of {:?} wait for a value", call.function);
                let value = std::mem::take(&mut self.process.stack[0]);
                debug_assert!(
                    self.left_over().is_none(),
                    "{:?} outlived its last use in {:?}",
                    self.left_over(),
                    call.function
                );
                Ending::Value(value)
            }
        };
        debug_assert!(self.reserve + self.fuel <= self.limits.steps);
        let raised = matches!(ending, Ending::Raised(_));
        let crash = self.schedule.as_deref().and_then(|schedule| schedule.crashes.first());
        let trace = match crash {
            Some(crash) if raised => crash.trace.clone(),
            _ if raised => self.raised_through.iter().map(|at| self.place_of(*at)).collect(),
            _ => Vec::new(),
        };
        let crashes = std::mem::take(&mut self.crashes);
        let is_cut = matches!(ending, Ending::OutOfSteps { .. } | Ending::OutOfMemory { .. });
        let turning = self.loops.turning.take().filter(|_| is_cut);
        Run { ending, steps: self.limits.steps - self.reserve - self.fuel, coverage: None, trace, crashes, turning }
    }

    fn begin_and_execute<const MODE: u8>(&mut self, call: &Call, local: bool) {
        let mut next = Some(self.begin(call, local));
        while let Some(cursor) = next {
            self.execute::<MODE>(cursor);
            next = self.after_end();
        }
    }

    /// The ending of a run that was cut outside of an operation, where only the caller is known, or what was observed last.
    fn cut(&self, cut: Cut) -> Ending {
        let caller = self.process.frames.last().map_or(0, |frame| frame.back.saturating_sub(1));
        let at = self.place_of(if self.recorder.is_some() { self.observed } else { caller });
        match cut {
            Cut::Memory => Ending::OutOfMemory { at },
            Cut::Stop => Ending::Stopped { at },
        }
    }

    /// A value in a slot that should be dead.
    fn left_over(&self) -> Option<String> {
        let mut slots = self.process.stack.iter().enumerate();
        slots.find(|(_, value)| !is_plain(value)).map(|(slot, value)| format!("{value} in slot {slot}"))
    }

    fn begin(&mut self, call: &Call, local: bool) -> Cursor {
        let slots = FIRST_SLOTS.max(call.args.len() + 2);
        self.process.stack.resize_with(slots, Term::nil);
        self.process.limit = self.process.stack.as_mut_ptr_range().end;
        self.process.frames.push(Frame { back: 0, window: 0 });
        let at = self.cursor(0, 0);
        let Ok(arity) = u8::try_from(call.args.len()) else {
            let place = self.place(at);
            let function = Mfa { module: call.module, function: call.function, arity: u8::MAX };
            let what = "a call with more than 255 arguments".to_string();
            return self.end(at, Ending::Unsupported { function, what, at: place });
        };
        for (slot, arg) in call.args.iter().enumerate() {
            at.put(slot as Slot, arg.clone());
        }
        let function = Mfa { module: call.module, function: call.function, arity };
        let callee = self.program.callee(function, local);
        self.call_by_number(at, callee, 0, true)
    }

    /// A cursor at an instruction, with the frame that begins at slot `base` of the stack.
    pub fn cursor(&mut self, ip: Address, base: usize) -> Cursor {
        let code = &self.program.code;
        debug_assert!((ip as usize) < code.instructions.len() && base <= self.process.stack.len());
        (self.code, self.constants) = (code.instructions.as_ptr(), code.constants.as_ptr());
        // SAFETY: addresses come from the linker and lie within the code; bases come from cursors.
        let (ip, slots) = unsafe { (self.code.add(ip as usize), self.process.stack.as_mut_ptr().add(base)) };
        Cursor { ip, slots: Slots(slots) }
    }

    /// The same place after code or constants may have moved.
    pub fn refreshed(&mut self, ip: Address, at: Cursor) -> Cursor {
        let base = self.base(at);
        self.cursor(ip, base)
    }

    /// The address of a cursor.
    #[inline(always)]
    pub fn address(&self, at: Cursor) -> Address {
        // SAFETY: the cursor points into the code.
        unsafe { at.ip.offset_from(self.code) as Address }
    }

    /// The place in the stack at which the current frame begins.
    pub fn base(&self, at: Cursor) -> usize {
        // SAFETY: the cursor points into the stack.
        unsafe { at.slots.0.offset_from(self.process.stack.as_ptr()) as usize }
    }

    /// Ends the run.
    pub fn end(&mut self, at: Cursor, ending: Ending) -> Cursor {
        self.ending = Some(ending);
        self.refreshed(0, at)
    }

    /// The function and line that run.
    pub fn place(&self, at: Cursor) -> Place {
        self.place_of(self.address(at))
    }

    /// The function and line of an instruction.
    pub fn place_of(&self, address: Address) -> Place {
        self.program.place_of(address)
    }
}
