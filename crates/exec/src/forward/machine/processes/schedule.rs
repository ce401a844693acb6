//! Runs under a schedule: the processes take their turns as it says, and every operation that others can see is an event.
//!
//! A process stops before each such operation. So it is known of every process what it will do next, and whether it can.

use rustc_hash::FxHashMap;
use term::{Class, Exception, HandleKind, Term};

use super::recurrence::Recurrence;
use super::switch::{exit_reason, is_stack, raised_by_signal};
use super::turns::NextEvent;
use crate::forward::code::Address;
use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::{Engine, Registers};
use crate::forward::machine::node::{
    CLOCK, Crash, EventKind, Index, NodeProcess, Patterns, ProcessEvent, ProcessState, ROOT, Resume, Stopped, Wait,
};
use crate::forward::machine::run::{PLAIN, SYMBOLIC};
use crate::forward::outcome::{Ending, WaitingProcess};
use crate::forward::symbolic::Recorder;

/// The turns of the processes of a run, and what came to pass.
#[derive(Default)]
pub struct Schedule {
    /// The processes that go on at the first steps, by number; those that cannot are passed over.
    pub steps: Vec<u32>,
    pub at: usize,
    granted: bool,
    /// The process that had the last turn.
    pub last: Index,
    /// True once no process can go on.
    over: bool,
    /// The end of the run's own process.
    result: Option<Ending>,
    /// The events in order.
    pub events: Vec<ProcessEvent>,
    /// The crashes of processes in order.
    pub crashes: Vec<Crash>,
    /// Processes that wait when the call has its value, and that nothing can reach.
    pub leaks: Vec<WaitingProcess>,
    /// The seed of the numbers that decide which process goes on after the first steps, if chance does.
    pub seed: Option<u64>,
    /// By number of a process: its events so far, if chance decides.
    pub counts: FxHashMap<u32, u32>,
    /// The state in which it was before, where it waits for time to pass.
    pub recurrence: Recurrence,
    /// True if arguments are kept.
    is_shown: bool,
}

impl Schedule {
    /// A schedule that begins with these steps; then each process goes on as long as it can.
    pub fn new(steps: Vec<u32>) -> Schedule {
        Schedule { steps, ..Schedule::default() }
    }

    /// A schedule in which the next event is always the one with the highest number drawn for it.
    pub fn sampled(seed: u64) -> Schedule {
        Schedule { seed: Some(seed), ..Schedule::default() }
    }

    /// The same steps and chances before anything has come to pass.
    pub fn anew(&self) -> Schedule {
        Schedule { steps: self.steps.clone(), seed: self.seed, is_shown: self.is_shown, ..Schedule::default() }
    }

    /// The same, with all that is needed to show it.
    pub fn shown(steps: Vec<u32>) -> Schedule {
        Schedule { steps, is_shown: true, ..Schedule::default() }
    }

    fn is_too_long(&self) -> bool {
        let most = if self.steps.is_empty() { EVENTS } else { EVENTS.min(self.steps.len() + MORE_EVENTS) };
        self.events.len() > most
    }

    /// No process goes on any more; gives the end of the run, if it is a crash or the call has ended.
    pub fn end(&mut self) -> Option<Ending> {
        self.over = true;
        let crashed = self.crashes.first().map(|crash| Ending::Raised(crash.exception.clone()));
        crashed.or_else(|| self.result.take())
    }
}

/// Events of a run; one with more is ended.
const EVENTS: usize = 20_000;

/// Events of a run after the turns that were prescribed for it: one that does not come to rest is no reason to do without
/// the other orders of its beginning.
const MORE_EVENTS: usize = 2_000;

/// The outcome of trying the patterns of a `receive` on a message.
pub enum TrialResult {
    Matches,
    /// It is passed over.
    Passes,
    /// There was no message: the time to wait.
    Waits(Term),
}

/// A message that patterns are tried on.
pub struct Trial {
    pub message: Option<Term>,
    pub result: Option<TrialResult>,
}

impl Engine<'_> {
    /// Stops a process before an operation, unless it is its turn; gives the place where another goes on.
    pub fn yields_before(&mut self, resume: Resume) -> Option<Cursor> {
        if self.schedule.is_none() {
            return self.is_turn_over().then(|| self.take_turns(resume));
        }
        if self.take_grant() {
            return None;
        }
        self.node.current().status = ProcessState::Ready(resume);
        Some(self.pick())
    }

    /// True if it is the turn of the process that runs.
    pub fn take_grant(&mut self) -> bool {
        self.schedule.as_deref_mut().is_some_and(|schedule| std::mem::take(&mut schedule.granted))
    }

    /// Goes on with the process whose turn it is.
    pub fn pick(&mut self) -> Cursor {
        self.settle();
        loop {
            self.finish_event();
            self.try_waiting();
            if self.ending.is_some() {
                return self.cursor(0, 0);
            }
            if self.schedule.as_deref().is_some_and(Schedule::is_too_long) {
                self.ending = Some(Ending::OutOfSteps { at: self.place_of(0) });
                return self.cursor(0, 0);
            }
            // A process that has just been started comes to its first operation at once.
            if let Some(index) = self.first_to_start() {
                return self.switch_to(index);
            }
            match self.next_turn() {
                None => return self.quiet(),
                Some(NextEvent::Process(index)) => {
                    self.begin_event(index);
                    return self.switch_to(index);
                }
                Some(NextEvent::Signal(pair)) => self.signal_arrives(pair),
                Some(NextEvent::Timer(number, stamp)) => self.strike(number, stamp),
                Some(NextEvent::Clock) if self.state_recurs() => return self.end_recurring(),
                Some(NextEvent::Clock) => self.advance_clock(),
            }
        }
    }

    /// Notes if the process that has run is ready, or what it waits for.
    fn settle(&mut self) {
        let index = self.node.current;
        match self.node.processes[index].status {
            ProcessState::Ready(_) => self.node.turns.becomes_ready(index),
            ref status => {
                let waits = matches!(status, ProcessState::Waiting(_));
                self.node.turns.rests(index);
                if waits {
                    self.node.turns.gets_message(index);
                }
            }
        }
    }

    /// A timer strikes.
    fn strike(&mut self, number: u32, stamp: (u64, u64)) {
        let is_free = self.program.options.any_clock;
        let early = is_free && self.is_early(stamp);
        let (by, is_immediate) = self.node.started_by(stamp);
        let by = by.filter(|_| !is_free);
        self.add_event(number, EventKind::Strike { by, is_immediate }, 0, None);
        self.current_event().into_iter().for_each(|event| event.early = early);
        if is_free {
            self.node.note_strike();
        }
        self.node.strike(stamp);
    }

    /// Time passes.
    fn advance_clock(&mut self) {
        self.add_event(CLOCK, EventKind::Clock { now: 0 }, 0, None);
        let mark = self.observe_first_time();
        self.node.advance(mark);
        self.observe_near_strikes();
        let passed = self.node.now().milliseconds;
        if let Some(ProcessEvent { kind: EventKind::Clock { now }, .. }) = self.current_event() {
            *now = passed;
        }
    }

    fn first_to_start(&mut self) -> Option<Index> {
        let starts = |process: &NodeProcess| {
            matches!(process.status, ProcessState::Ready(Resume::Start(_))) && !process.has_begun
        };
        let processes = &self.node.processes;
        self.node.turns.first_new(|index| starts(&processes[index]))
    }

    fn begin_event(&mut self, index: Index) {
        let ProcessState::Ready(resume) = self.node.processes[index].status else { return };
        let number = self.node.processes[index].number;
        let (kind, ip, after) = self.event_kind(index, resume);
        let early = self.node.processes[index].mailbox.free_wait().is_some_and(|stamp| self.is_early(stamp));
        let waited_for = self.asked(index, resume).and_then(|of| self.node.processes[of].ended_at);
        self.add_event(number, kind, ip, after);
        if let Some(event) = self.current_event() {
            (event.waited_for, event.early) = (waited_for, early);
        }
        self.show_args(index, resume);
        if let Some(schedule) = self.schedule.as_deref_mut() {
            schedule.last = index;
            self.node.turns.takes_turn(index, schedule.events.len());
            schedule.granted = !matches!(resume, Resume::Start(_) | Resume::Exit | Resume::Return);
        }
    }

    /// The operation with which a process goes on, its place, and an event that it comes after.
    fn event_kind(&mut self, index: Index, resume: Resume) -> (EventKind, Address, Option<u32>) {
        let process = &self.node.processes[index];
        match resume {
            Resume::Start(_) => (EventKind::Wake, 0, None),
            Resume::Return => (EventKind::Return, 0, None),
            Resume::Exit if self.releases(index) => (EventKind::Release, 0, process.stopped_by),
            Resume::Exit => {
                (EventKind::Exit { reason: process.exit.clone().unwrap_or_default() }, 0, process.stopped_by)
            }
            Resume::Operation { function, ip, .. } => {
                let after = self.asked(index, resume).and_then(|of| self.node.last_arrival((index, of)));
                (EventKind::Operation { function }, ip, after)
            }
            Resume::At { ip, base } => {
                let patterns = self.patterns(index, ip, base);
                let wait = *self.node.processes[index].mailbox.wait();
                let (looks_once, timed) = (wait.is_some_and(Wait::is_over), wait != Some(Wait::Forever));
                let is_up = matches!(wait, Some(Wait::Due | Wait::Any(..)));
                (EventKind::Receive { taken: None, patterns, looks_once, timed, is_up }, ip, None)
            }
            Resume::Code { ip, .. } => (EventKind::Wake, ip, None),
        }
    }

    /// An event begins; `after` is one without which it could not have come to pass.
    pub fn add_event(&mut self, process: u32, kind: EventKind, ip: Address, after: Option<u32>) {
        let decisions = self.recorder.as_deref().map_or(0, |recorder: &Recorder| recorder.path.len()) as u32;
        let at = self.program.shared_place(ip);
        let Some(schedule) = self.schedule.as_deref_mut() else { return };
        self.node.event = schedule.events.len() as u32;
        schedule.events.push(ProcessEvent { after, ..ProcessEvent::new(process, kind, decisions, at) });
    }

    /// Keeps the arguments of an operation, if the schedule is to be shown.
    fn show_args(&mut self, index: Index, resume: Resume) {
        let Resume::Operation { function, window, base, .. } = resume else { return };
        if !self.schedule.as_deref().is_some_and(|schedule| schedule.is_shown) {
            return;
        }
        let registers = if index == self.node.current { &self.process } else { &self.node.processes[index].registers };
        let first = base + window as usize;
        let slots = &registers.stack[first..first + usize::from(function.arity)];
        let args = slots.to_vec();
        if let Some(event) = self.current_event() {
            event.args = args;
        }
    }

    /// The event that came to pass last has everything that it did.
    fn finish_event(&mut self) {
        self.forget_gone_tables();
        let (sent, accesses) = (std::mem::take(&mut self.node.sent), std::mem::take(&mut self.node.accesses));
        let ended = std::mem::take(&mut self.node.ended);
        let killed = ended.iter().find(|ended| ended.index == ROOT).map(|ended| ended.reason.clone());
        let (released, stopped) = (std::mem::take(&mut self.node.released), std::mem::take(&mut self.node.stopped));
        let stopped: Vec<Stopped> = stopped.iter().map(|(index, state)| self.stopped(*index, state)).collect();
        let Some(schedule) = self.schedule.as_deref_mut() else { return };
        if let (Some(reason), None) = (killed, &schedule.result) {
            schedule.result = Some(Ending::Raised(raised_by_signal(reason)));
        }
        for id in &released {
            let message = schedule.events.get_mut(id.event as usize).and_then(|it| it.sent.get_mut(id.place as usize));
            message.into_iter().for_each(|message| (message.behind, message.waits) = (Some(self.node.event), false));
        }
        if let Some(event) = schedule.events.last_mut() {
            event.sent.extend(sent);
            event.accesses.extend(accesses);
            event.released.extend(released);
            event.stopped.extend(stopped);
        }
    }

    /// The event that comes to pass.
    pub fn current_event(&mut self) -> Option<&mut ProcessEvent> {
        self.schedule.as_deref_mut()?.events.last_mut()
    }

    /// Lets those go on for which a message has come that they take.
    fn try_waiting(&mut self) {
        for index in self.node.turns.take_unread() {
            while let ProcessState::Waiting(resume) = self.node.processes[index].status {
                let mailbox = &mut self.node.processes[index].mailbox;
                let Some(message) = mailbox.get(mailbox.tried).cloned() else { break };
                mailbox.tried += 1;
                let takes = match resume {
                    Resume::At { ip, base } => {
                        let patterns = self.patterns(index, ip, base);
                        matches!(self.attempt_match(&patterns, Some(message)), Some(TrialResult::Matches))
                    }
                    _ => true,
                };
                if takes {
                    self.node.wake(index);
                }
            }
        }
    }

    /// The patterns of a `receive`, with the values that they may mention.
    pub fn patterns(&self, index: Index, ip: u32, base: usize) -> Patterns {
        let own = index == self.node.current;
        let registers = if own { &self.process } else { &self.node.processes[index].registers };
        let frame = self.program.owner(ip).map_or(0, |function| function.linked.frame as usize);
        let end = (base + frame).min(registers.stack.len());
        Patterns { ip, slots: registers.stack[base..end].iter().cloned().collect() }
    }

    /// Tries the patterns of a `receive` on a message, or finds out how long it waits.
    pub fn attempt_match(&mut self, patterns: &Patterns, message: Option<Term>) -> Option<TrialResult> {
        let outer: Registers = std::mem::replace(&mut self.process, patterns.registers());
        let outer_trial = self.trial.replace(Trial { message, result: None });
        let cursor = self.cursor(patterns.ip, 0);
        match self.recorder {
            None => self.execute::<PLAIN>(cursor),
            Some(_) => self.execute::<SYMBOLIC>(cursor),
        }
        let trial = std::mem::replace(&mut self.trial, outer_trial);
        self.process = outer;
        trial.and_then(|trial| trial.result)
    }

    /// True if the patterns of a `receive` take a message.
    pub fn takes(&mut self, patterns: &Patterns, message: &Term) -> bool {
        matches!(self.attempt_match(patterns, Some(message.clone())), Some(TrialResult::Matches))
    }

    /// A `receive` begins: the process waits until it is its turn to take a message, or until time is up.
    pub fn begin_receive(&mut self, at: Cursor) -> Cursor {
        let (ip, base) = (self.address(at), self.base(at));
        let patterns = self.patterns(self.node.current, ip, base);
        let time = match self.attempt_match(&patterns, None) {
            Some(TrialResult::Waits(time)) => time,
            _ => Term::atom_named("infinity"),
        };
        let wait = match time.as_i64() {
            Some(1..) => self.timed_wait(at, &time),
            None if time.as_atom().is_some_and(|atom| atom.name() == "infinity") => Wait::Forever,
            // There is no time to wait, or what there is makes no sense.
            _ => Wait::Over,
        };
        let resume = Resume::At { ip, base };
        let process = self.node.current();
        process.mailbox.tried = 0;
        *process.mailbox.wait() = Some(wait);
        process.status = if wait.is_over() { ProcessState::Ready(resume) } else { ProcessState::Waiting(resume) };
        self.pick()
    }

    /// A process has come to its end, which is an event of its own.
    pub fn ends(&mut self, reason: Term) -> Cursor {
        let process = self.node.current();
        process.exit = Some(reason);
        process.status = ProcessState::Ready(Resume::Exit);
        self.pick()
    }

    /// As [`Engine::after_end`], under a schedule.
    pub fn after_scheduled_end(&mut self) -> Option<Cursor> {
        if self.schedule.as_deref().is_none_or(|schedule| schedule.over) {
            return None;
        }
        let is_root = self.node.current == ROOT;
        match self.ending.take() {
            // Until it has its value a signal can end it.
            None if is_root && self.node.processes.len() > 1 => {
                self.node.current().status = ProcessState::Ready(Resume::Return);
                Some(self.pick())
            }
            None if is_root => Some(self.returns()),
            None => Some(self.ends(Term::atom_named("normal"))),
            Some(Ending::Raised(exception)) => {
                self.observe_end(&exception);
                self.node.current().crash = self.crash_of(&exception);
                if is_root {
                    self.schedule.as_deref_mut()?.result = Some(Ending::Raised(exception.clone()));
                }
                Some(self.ends(exit_reason(exception)))
            }
            Some(other) => {
                self.ending = Some(other);
                None
            }
        }
    }

    /// The run's call gives its value.
    pub fn returns(&mut self) -> Cursor {
        let value = std::mem::take(&mut self.process.stack[0]);
        if let Some(schedule) = self.schedule.as_deref_mut() {
            schedule.result = Some(Ending::Value(value));
        }
        self.node.current().status = ProcessState::Returned;
        self.pick()
    }

    /// The crash of the process that runs, if an end with this exception is one.
    pub fn crash_of(&self, exception: &Exception) -> Option<Crash> {
        let trace = self.raised_through.iter().map(|at| self.place_of(*at)).collect();
        // The call ends as its caller sees it.
        let exception = if self.node.current == ROOT { exception.clone() } else { unwrapped(exception) };
        let process = self.node.processes[self.node.current].number;
        (!is_expected(&exception)).then_some(Crash { process, exception, trace })
    }

    /// Keeps the crash of a process that ends, unless it is an exit that another process gets as a message, or knows. That of
    /// the call is seen by its caller.
    pub fn note_crash(&mut self) {
        let Some(crash) = self.node.current().crash.take() else { return };
        let may_be_meant = crash.exception.class == Class::Exit && self.node.current != ROOT;
        if may_be_meant && (self.is_announced(&crash) || self.node.is_awaited(self.node.current)) {
            return;
        }
        let kept = self.schedule.as_deref_mut().map_or(&mut self.crashes, |schedule| &mut schedule.crashes);
        kept.push(crash);
    }

    /// True if a process has sent `{error, Reason}` to another with the reason of its end, as one does that cannot start.
    fn is_announced(&self, crash: &Crash) -> bool {
        let own = |event: &&ProcessEvent| event.process == crash.process;
        let events = self.schedule.iter().flat_map(|schedule| &schedule.events).filter(own);
        let mut sent = events.flat_map(|event| &event.sent).filter(|sent| sent.to != crash.process);
        sent.any(|sent| has_error(&sent.message, &crash.exception.reason))
    }

    /// The end of a run in which no process can go on.
    fn quiet(&mut self) -> Cursor {
        let Some(ending) = self.schedule.as_deref_mut().and_then(Schedule::end) else { return self.deadlock() };
        if let Ending::Value(value) = &ending {
            let leaks = self.leaked(value);
            self.schedule.iter_mut().for_each(|schedule| schedule.leaks.clone_from(&leaks));
        }
        self.ending = Some(ending);
        self.cursor(0, 0)
    }
}

/// The exception that a process of OTP's libraries has ended with after it has caught it: the reason has its stack.
fn unwrapped(exception: &Exception) -> Exception {
    match (exception.class, exception.reason.as_tuple()) {
        (Class::Exit, Some([reason, stack])) if is_stack(stack) => {
            Exception { class: Class::Error, reason: reason.clone(), stack: stack.clone() }
        }
        _ => exception.clone(),
    }
}

/// True if a process that ends so has done what it should.
fn is_expected(exception: &Exception) -> bool {
    let is = |term: &Term, name: &str| term.as_atom().is_some_and(|atom| atom.name() == name);
    let reason = &exception.reason;
    // With a reference comes the answer of a request, for the process that waits for it or has given it up.
    let is_answer =
        |parts: &[Term]| matches!(parts, [Term::Handle(_, handle), _, ..] if handle.kind == HandleKind::Reference);
    exception.class == Class::Exit
        && (is(reason, "normal")
            || is(reason, "shutdown")
            || reason.as_tuple().is_some_and(is_answer)
            || matches!(reason.as_tuple(), Some([tag, _]) if is(tag, "shutdown")))
}

/// True if a term is `{error, Reason}`, or has it as an element. An input counts as itself alone, whatever its value.
fn has_error(term: &Term, reason: &Term) -> bool {
    match term.as_tuple() {
        Some([tag, sent]) if tag.as_atom().is_some_and(|tag| tag.name() == "error") => {
            sent == reason && sent.mark() == reason.mark()
        }
        Some(items) => items.iter().any(|item| has_error(item, reason)),
        None => false,
    }
}
