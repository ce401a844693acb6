//! Timers that send messages.

use ops::Environment;
use term::{Mfa, Term};

use super::options::{Waited, is_absolute};
use super::receivers::{Receiver, badarg};
use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::fault::Fault;
use crate::forward::machine::node::{Destination, EventKind, RefKey, TIMER, Timer};

impl Engine<'_> {
    /// `send_after` and `start_timer`, whose message names the timer.
    pub fn start_timer(&mut self, at: Cursor, function: Mfa, args: &[Term], named: bool) -> Result<Term, Box<Fault>> {
        let absolute = match args.get(3).map(is_absolute) {
            Some(None) => return Err(badarg(function, args)),
            found => found.flatten().unwrap_or(false),
        };
        let Some(time) = args[0].as_i64().filter(|time| *time >= 0 || absolute) else {
            return Err(badarg(function, args));
        };
        let to = self.destination(at, function, args)?;
        let after = if absolute { Self::clock_time(time).saturating_sub(self.node.now() as i64).max(0) } else { time };
        let reference = self.state.fresh_reference();
        let message = match named {
            true => Term::tuple([Term::atom_named("timeout"), reference.clone(), args[2].clone()]),
            false => args[2].clone(),
        };
        let number = self.timer_number(function, &reference);
        self.node.start_timer(after.unsigned_abs(), Timer { reference: reference.clone(), number, to, message });
        Ok(reference)
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

    /// The number of a timer that can strike at any time; the event is its start.
    fn timer_number(&mut self, function: Mfa, reference: &Term) -> u32 {
        let key = RefKey::of(reference).filter(|_| self.program.options.any_clock && self.schedule.is_some());
        let Some(key) = key else { return 0 };
        let process = self.node.current();
        process.timers += 1;
        let timer = TIMER | self.program.pids.child(process.number, TIMER | process.timers);
        if let Some(event) = self.current_event() {
            event.kind = EventKind::StartTimer { timer, key, function };
        }
        timer
    }

    /// `cancel_timer` and `read_timer`.
    pub fn timer(&mut self, function: Mfa, args: &[Term], cancel: bool) -> Result<Term, Box<Fault>> {
        let reference = &args[0];
        let options = match args.get(1).map(Waited::of) {
            Some(None) => return Err(badarg(function, args)),
            found => found.flatten().unwrap_or_default(),
        };
        if !matches!(reference, Term::Handle(_, handle) if handle.kind == term::HandleKind::Reference) {
            return Err(badarg(function, args));
        }
        let left = if cancel { self.node.cancel_timer(reference) } else { self.node.time_left(reference) };
        let left = left.map_or(Term::bool(false), |left| Term::int(left as i64));
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
    /// `monotonic_time`, by the clock of the run.
    pub fn clock(&self, function: Mfa, args: &[Term]) -> Result<Term, Box<Fault>> {
        let Some(per_second) = args.first().map_or(Some(NANOSECONDS), parts_of_second) else {
            return Err(badarg(function, args));
        };
        let nanoseconds = BEGINNING + i128::from(self.node.now()) * 1_000_000;
        let parts = (nanoseconds * i128::from(per_second)).div_euclid(i128::from(NANOSECONDS));
        Ok(Term::big(parts.into()))
    }

    /// Milliseconds of the clock that timers count by, at a point of `monotonic_time`.
    fn clock_time(point: i64) -> i64 {
        point.saturating_sub((BEGINNING / 1_000_000) as i64)
    }
}

/// Nanoseconds in a second, the unit in which the clock counts.
const NANOSECONDS: u64 = 1_000_000_000;

/// The clock's time when a run begins: a moment after that of a VM that starts.
const BEGINNING: i128 = -576_460_751 * NANOSECONDS as i128;

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
