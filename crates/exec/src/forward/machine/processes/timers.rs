//! Timers that send messages.

use ops::Environment;
use term::{Mfa, Term};

use super::options::{Waited, is_absolute};
use super::receivers::{Receiver, badarg};
use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::fault::Fault;
use crate::forward::machine::node::{Destination, EventKind, Instant, Object, RefKey, TIMER, Timer};

impl Engine<'_> {
    /// `send_after` and `start_timer`, whose message names the timer.
    pub fn start_timer(&mut self, at: Cursor, function: Mfa, args: &[Term], named: bool) -> Result<Term, Box<Fault>> {
        let absolute = match args.get(3).map(is_absolute) {
            Some(None) => return Err(badarg(function, args)),
            found => found.flatten().unwrap_or(false),
        };
        let mark = self.observe_timer(at, function, &args[0], absolute);
        let is_served = absolute && self.place(at).function.module.name() == "timer";
        // The server knows the point from its client, which has looked at the clock, or from the strike before.
        self.node.looks_at_clock += u64::from(absolute && !is_served);
        let Some((milliseconds, is_immediate)) = self.strike_time(&args[0], absolute) else {
            return Err(badarg(function, args));
        };
        let to = self.destination(at, function, args)?;
        let reference = self.state.fresh_reference();
        let message = match named {
            true => Term::tuple([Term::atom_named("timeout"), reference.clone(), args[2].clone()]),
            false => args[2].clone(),
        };
        let number = self.timer_number(function, &reference, to, milliseconds);
        let (when, at) = (Instant { milliseconds, mark }, self.address(at));
        if is_immediate || self.has_any_clock() {
            // It could strike before the end of its receiver.
            self.touch_receiver(to);
        }
        self.node.start_timer(Timer {
            reference: reference.clone(),
            number,
            to,
            message,
            when,
            absolute,
            is_served,
            is_immediate,
            at,
        });
        Ok(reference)
    }

    /// The point of the clock at which a timer of this time strikes, and true if no time has to pass until then; nothing if
    /// a timer cannot have it.
    fn strike_time(&self, time: &Term, absolute: bool) -> Option<(u64, bool)> {
        let (time, now) = (time.as_i64()?, self.node.now().milliseconds as i64);
        if absolute {
            let point = time.checked_sub(BEGINNING).filter(|point| (EARLIEST..=LATEST).contains(point))?;
            return Some((point.max(now).unsigned_abs(), point < now));
        }
        // Where timers strike at any time, the clock's time means nothing.
        let passed = if self.has_any_clock() { 0 } else { now };
        (0..FARTHEST - passed).contains(&time).then(|| (now.saturating_add(time).unsigned_abs(), time == 0))
    }

    /// The receiver of a timer's message.
    fn destination(&mut self, at: Cursor, function: Mfa, args: &[Term]) -> Result<Destination, Box<Fault>> {
        if let Term::Atom(_, name) = &args[1] {
            return Ok(Destination::Name(*name));
        }
        match self.process_of(&args[1]) {
            Receiver::Process(index) => Ok(Destination::Process(index)),
            Receiver::Foreign => Err(self.foreign(at, function)),
            _ => Err(badarg(function, args)),
        }
    }

    /// Notes a look at whether the receiver of a timer lives.
    fn touch_receiver(&mut self, to: Destination) {
        if let Destination::Process(index) = to {
            self.node.touch(Object::Life(self.node.processes[index].number), false);
        }
    }

    /// The number of a timer that takes its turn as a schedule says; the event is its start.
    fn timer_number(&mut self, function: Mfa, reference: &Term, to: Destination, milliseconds: u64) -> u32 {
        let Some(key) = RefKey::of(reference).filter(|_| self.schedule.is_some()) else { return 0 };
        let due = match to {
            Destination::Process(index) if !self.node.is_alive(index) => u64::MAX,
            _ if self.program.options.any_clock => 0,
            _ => milliseconds,
        };
        let process = self.node.current();
        process.timers += 1;
        let timer = TIMER | self.program.pids.child(process.number, TIMER | process.timers);
        if let Some(event) = self.current_event() {
            event.kind = EventKind::StartTimer { timer, key, function, due };
        }
        timer
    }

    /// `cancel_timer` and `read_timer`.
    pub fn timer(&mut self, at: Cursor, function: Mfa, args: &[Term], cancel: bool) -> Result<Term, Box<Fault>> {
        let reference = &args[0];
        let options = match args.get(1).map(Waited::of) {
            Some(None) => return Err(badarg(function, args)),
            found => found.flatten().unwrap_or_default(),
        };
        if !matches!(reference, Term::Handle(_, handle) if handle.kind == term::HandleKind::Reference) {
            return Err(badarg(function, args));
        }
        // It is stopped with the end of its receiver.
        self.node.timer_to(reference).into_iter().for_each(|to| self.touch_receiver(to));
        let when = if cancel { self.node.cancel_timer(reference) } else { self.node.timer_time(reference) };
        let left = when.map_or(Term::bool(false), |when| self.time_left(at, function, when));
        if options.later && options.info {
            self.node.deliver(
                self.node.current,
                Term::tuple([Term::atom(function.function), reference.clone(), left.clone()]),
            );
        }
        Ok(if options.later || !options.info { Term::atom_named("ok") } else { left })
    }
}

impl Engine<'_> {
    /// Milliseconds until a point of the clock.
    fn time_left(&mut self, at: Cursor, function: Mfa, when: Instant) -> Term {
        let mark = self.observe_time_left(at, function, when);
        let left = when.milliseconds.saturating_sub(self.node.now().milliseconds);
        Term::int(left as i64).with_mark(mark)
    }

    /// `monotonic_time`, by the clock of the run.
    pub fn clock(&mut self, at: Cursor, function: Mfa, args: &[Term]) -> Result<Term, Box<Fault>> {
        let Some(per_second) = args.first().map_or(Some(NANOSECONDS), parts_of_second) else {
            return Err(badarg(function, args));
        };
        let mark = self.observe_clock(at, function, per_second);
        self.node.looks_at_clock += 1;
        let milliseconds = i128::from(BEGINNING) + i128::from(self.node.now().milliseconds);
        let parts = (milliseconds * i128::from(per_second)).div_euclid(MILLISECONDS.into());
        Ok(Term::big(parts.into()).with_mark(mark))
    }
}

/// Nanoseconds in a second, the unit in which the clock counts.
const NANOSECONDS: u64 = 1_000_000_000;

/// Milliseconds in a second, the unit in which timers count.
pub const MILLISECONDS: i64 = 1_000;

/// The milliseconds of `monotonic_time` when a run begins: a second after those of a VM that starts.
pub const BEGINNING: i64 = -576_460_751 * MILLISECONDS;

/// The first point of the VM's clock, in milliseconds since the run began.
pub const EARLIEST: i64 = -MILLISECONDS;

/// The last point of the VM's clock.
pub const LATEST: i64 = 8_646_911_283 * MILLISECONDS - BEGINNING;

/// The least time beyond the VM's clock when it starts. It becomes less as time passes.
pub const FARTHEST: i64 = LATEST - EARLIEST;

/// Milliseconds that a VM may have been up: ten years.
pub const UPTIME: i64 = 10 * 365 * 86_400 * MILLISECONDS;

/// The number of a unit of time in a second.
fn parts_of_second(unit: &Term) -> Option<u64> {
    if let Some(parts) = unit.as_i64() {
        return u64::try_from(parts).ok().filter(|parts| *parts > 0);
    }
    Some(match unit.as_atom()?.name() {
        "second" | "seconds" => 1,
        "millisecond" | "milli_seconds" => 1_000,
        "microsecond" | "micro_seconds" => 1_000_000,
        "nanosecond" | "nano_seconds" | "native" | "perf_counter" => NANOSECONDS,
        _ => return None,
    })
}
