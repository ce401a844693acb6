//! Times of timers and timeouts in a symbolic run: the conditions of their use, and which of them comes first.
//!
//! A point of the clock is a sum: the time at which the clock stood, and the time that the program gave. Where time passes,
//! the pending points are compared; these conditions belong to the event in which it does. Where timeouts strike at any
//! time nothing is compared, and a look at the clock holds the times that it depends on to their values.

use constraint::{Expr, Op, Test, Type};
use ir::ProcessOp;
use ops::Rule;
use term::{Atom, Mark, Mfa, Term, known};

use super::recorder::GapKind;
use super::watch::Watch;
use crate::forward::code::Address;
use crate::forward::machine::{
    BEGINNING, Cursor, EARLIEST, Engine, FARTHEST, Instant, LATEST, LONGEST, MILLISECONDS, Pending, UPTIME,
};

const IS_INTEGER: u32 = 0;
const IS_INFINITY: u32 = 1;
const IS_EARLY: u32 = 2;
const IS_LATE: u32 = 3;
const IS_ZERO: u32 = 4;
const HAS_PASSED: u32 = 5;
const COMES_FIRST: u32 = 6;
const COMES_LATER: u32 = 7;
const IS_FAR: u32 = 8;
const IS_NEAR: u32 = 9;

impl Engine<'_> {
    /// True if timeouts strike at any time.
    pub fn has_any_clock(&self) -> bool {
        self.schedule.is_some() && self.program.options.any_clock
    }

    /// Records the conditions that decide how long a `receive` waits. Without a schedule the time is held to its value.
    pub fn observe_wait(&mut self, at: Cursor, time: &Term) {
        let is_held = self.schedule.is_none();
        let receive = Mfa { module: known::ERLANG, function: Atom::new("receive"), arity: 0 };
        let Some(mut watch) = self.watch(at) else { return };
        if is_held { watch.pin_all(receive, [time]) } else { watch.wait(time) }
    }

    /// The mark of the point of the clock that lies a time ahead.
    pub fn observe_time_ahead(&mut self, at: Cursor, time: &Term) -> Mark {
        if self.schedule.is_none() {
            return Mark::NONE;
        }
        if self.has_any_clock() {
            self.node.open_time(time);
            return Mark::NONE;
        }
        let now = self.node.now();
        self.watch(at).map_or(Mark::NONE, |mut watch| watch.sum(Op::Add, time, &now.term()))
    }

    /// Records the conditions that decide whether a timer can have a time; returns the mark of the point of the clock at
    /// which it strikes. Without a schedule the time has been held to its value.
    pub fn observe_timer(&mut self, at: Cursor, function: Mfa, time: &Term, absolute: bool) -> Mark {
        let now = self.node.now();
        if self.schedule.is_none() {
            return Mark::NONE;
        }
        let is_any = self.has_any_clock();
        if is_any {
            self.node.open_time(time);
        }
        let Some(mut watch) = self.watch(at) else { return Mark::NONE };
        let now = (!is_any).then_some(now);
        let when = if absolute { watch.absolute_timer(time, now) } else { watch.timer(function, time, now) };
        if is_any { Mark::NONE } else { when }
    }

    /// The mark of the time until a point of the clock.
    pub fn observe_time_left(&mut self, at: Cursor, function: Mfa, when: Instant) -> Mark {
        if self.has_any_clock() {
            self.hold_open_times(at, function);
        }
        let now = self.node.now();
        self.watch(at).map_or(Mark::NONE, |mut watch| watch.sum(Op::Sub, &when.term(), &now.term()))
    }

    /// The mark of the time of the clock, in a unit of which a second has so many.
    pub fn observe_clock(&mut self, at: Cursor, function: Mfa, per_second: u64) -> Mark {
        if self.has_any_clock() {
            self.hold_open_times(at, function);
        }
        let now = self.node.now();
        self.watch(at).and_then(|mut watch| watch.clock(now, per_second)).map_or(Mark::NONE, Expr::mark)
    }

    /// A look at the clock where timeouts strike at any time: holds the times that it depends on to their values. Once one
    /// has struck, the clock could show other times.
    fn hold_open_times(&mut self, at: Cursor, function: Mfa) {
        let (open, has_struck) = (self.node.open_times().to_vec(), self.node.has_struck());
        if let Some(mut watch) = self.watch(at) {
            watch.pin_all(function, &open);
            if has_struck {
                watch.varying(function);
            }
        }
    }

    /// Time passes: records which of the pending times comes first, and which others are equal. Returns its mark.
    pub fn observe_first_time(&mut self) -> Mark {
        if self.recorder.is_none() {
            return Mark::NONE;
        }
        let (marked, known): (Vec<Pending>, Vec<Pending>) =
            self.node.pending().into_iter().partition(|pending| pending.when.mark.is_some());
        if marked.is_empty() {
            return Mark::NONE;
        }
        // Of times that are known only the first can come next.
        let known = known.into_iter().min_by_key(|pending| pending.when.milliseconds);
        let pending: Vec<Pending> = known.into_iter().chain(marked).collect();
        let mut first = 0;
        for (at, other) in pending.iter().enumerate().skip(1) {
            if self.comes_before(COMES_FIRST, other.at, other.when, pending[first].when) {
                first = at;
            }
        }
        let when = pending[first].when;
        for (_, other) in pending.iter().enumerate().filter(|(at, _)| *at != first) {
            self.comes_before(COMES_LATER, other.at, when, other.when);
        }
        when.mark
    }

    /// Time has passed: a timer that strikes at a point of `monotonic_time` may do so a moment before or after what ends in
    /// the millisecond before, since that clock and the one of waits are read at different moments. Whether it is within
    /// that millisecond is a condition on the times.
    pub fn observe_near_strikes(&mut self) {
        let now = self.node.now();
        let later = self.node.later_strikes();
        let Some(recorder) = self.recorder.as_deref_mut() else { return };
        let start = Rule::Process(ProcessOp::StartTimer).function(4);
        for Pending { when, at } in later {
            let mut watch = Watch::new(recorder, self.program, &self.process.frames, at);
            let far = watch.calculated(Op::Add, &now.term(), &Term::int(2));
            if watch.is_sooner(IS_NEAR, &when.term(), &far) {
                watch.note(start, GapKind::NearTimer);
            }
        }
    }

    /// Records whether one point of the clock comes before another; returns true if it does.
    fn comes_before(&mut self, ordinal: u32, at: Address, first: Instant, second: Instant) -> bool {
        if first.mark != second.mark
            && let Some(recorder) = self.recorder.as_deref_mut().filter(|recorder| !recorder.truncated)
        {
            Watch::new(recorder, self.program, &self.process.frames, at).is_sooner(
                ordinal,
                &first.term(),
                &second.term(),
            );
        }
        first.milliseconds < second.milliseconds
    }
}

impl Watch<'_> {
    /// Records whether a time is `infinity` or one that a `receive` can wait for, and whether it is none at all.
    fn wait(&mut self, time: &Term) {
        let Some(expr) = self.expr_of(time) else { return };
        if !self.is(IS_INTEGER, time, Type::Integer) {
            self.is_one_of(IS_INFINITY, expr, time, std::iter::once(Term::atom_named("infinity")));
        } else if !self.is_below(IS_EARLY, expr, time, 0) && self.is_below(IS_LATE, expr, time, LONGEST + 1) {
            self.is_one_of(IS_ZERO, expr, time, std::iter::once(Term::int(0)));
        }
    }

    /// Records whether a timer can have a time; returns the mark of the point at which it strikes. The clock's time is not
    /// known where timers strike at any time.
    fn timer(&mut self, function: Mfa, time: &Term, now: Option<Instant>) -> Mark {
        if !self.is(IS_INTEGER, time, Type::Integer) || self.is_sooner(IS_EARLY, time, &Term::int(0)) {
            return Mark::NONE;
        }
        if let Some(expr) = self.expr_of(time) {
            self.is_one_of(IS_ZERO, expr, time, std::iter::once(Term::int(0)));
        }
        let point = self.calculated(Op::Add, time, &now.unwrap_or_default().term());
        if !self.is_sooner(IS_LATE, &point, &Term::int(FARTHEST)) {
            return Mark::NONE;
        }
        if !self.is_sooner(IS_FAR, &point, &Term::int(FARTHEST - UPTIME)) {
            self.varying(function);
        }
        point.mark()
    }

    /// The same for a point of `monotonic_time`; one that has passed is now.
    fn absolute_timer(&mut self, time: &Term, now: Option<Instant>) -> Mark {
        if !self.is(IS_INTEGER, time, Type::Integer) {
            return Mark::NONE;
        }
        let point = self.calculated(Op::Sub, time, &Term::int(BEGINNING));
        let is_out = self.is_sooner(IS_EARLY, &point, &Term::int(EARLIEST))
            || self.is_sooner(IS_LATE, &Term::int(LATEST), &point);
        match now {
            Some(now) if !is_out && self.is_sooner(HAS_PASSED, &point, &now.term()) => now.mark,
            _ => point.mark(),
        }
    }

    /// The time of the clock in a unit of which a second has so many, if it is a new expression.
    fn clock(&mut self, now: Instant, per_second: u64) -> Option<Expr> {
        let now = self.expr_of(&now.term())?;
        let [parts, thousand, beginning] = [
            Term::big(per_second.into()),
            Term::int(MILLISECONDS),
            Term::big((i128::from(BEGINNING / MILLISECONDS) * i128::from(per_second)).into()),
        ]
        .map(|number| self.recorder.arena.literal(number));
        let product = self.recorder.apply(Op::Mul, now, parts);
        let passed = self.recorder.apply(Op::Div, product, thousand);
        Some(self.recorder.apply(Op::Add, passed, beginning))
    }

    /// Records whether one integer is less than another; returns true if it is.
    fn is_sooner(&mut self, ordinal: u32, a: &Term, b: &Term) -> bool {
        let holds = a.compare(b).is_lt();
        if a.mark().is_some() || b.mark().is_some() {
            let (x, y) = (self.expr(a), self.expr(b));
            self.ask(ordinal, Test::Less(x, y), holds);
        }
        holds
    }

    /// The sum or difference of two integers.
    fn calculated(&mut self, op: Op, a: &Term, b: &Term) -> Term {
        let value = if op == Op::Sub { term::number::sub(a, b) } else { term::number::add(a, b) };
        value.unwrap_or_default().with_mark(self.sum(op, a, b))
    }

    /// The mark of the sum or difference of two integers.
    fn sum(&mut self, op: Op, a: &Term, b: &Term) -> Mark {
        let sum = self.arith(op, a, b).filter(|sum| self.recorder.arena.as_literal(*sum).is_none());
        sum.map_or(Mark::NONE, Expr::mark)
    }
}
