//! Atomics, counters and persistent terms in a symbolic run: what is stored keeps its marks.

use constraint::{Op, Test, Type};
use ops::{ArrayKind, ArrayOp, PersistentOp};
use term::{Mfa, Term, number};

use super::ets::Expected;
use super::watch::Watch;
use crate::forward::code::Slot;
use crate::forward::machine::{ArrayPlace, Cursor, Engine, is_increment};

const IS_INTEGER: u32 = 40;
const IS_BELOW: u32 = 42;
const IS_ABOVE: u32 = 44;
const SUM_IS_BELOW: u32 = 46;
const SUM_IS_ABOVE: u32 = 47;

impl Engine<'_> {
    /// Records the conditions of an operation on an array, whose place is held to its value.
    pub fn observe_array(&mut self, at: Cursor, window: Slot, function: Mfa, op: ArrayOp, kind: ArrayKind) -> Expected {
        let args = at.window(window, function.arity).to_vec();
        let held = if matches!(op, ArrayOp::New | ArrayOp::Info) { args.len() } else { 2 };
        let place = (held == 2 && args.len() >= 2).then(|| self.node.arrays.place(kind, &args[0], &args[1])).flatten();
        let old = place.map(|place| self.node.arrays.get(place));
        let Some(mut watch) = self.watch(at) else { return Expected::Decided };
        watch.pin_all(function, &args[..held]);
        let (Some(place), Some(old)) = (place, old) else { return Expected::Decided };
        match (op, &args[2..]) {
            (ArrayOp::Put | ArrayOp::Exchange, [value]) => _ = watch.is_value(0, value, place),
            (ArrayOp::CompareExchange, [expected, value])
                if watch.is_value(0, expected, place) && watch.is_value(1, value, place) =>
            {
                watch.same(&old, expected);
            }
            (ArrayOp::Add | ArrayOp::AddGet, [by]) => return watch.array_sum(function, &old, by, place),
            _ => {}
        }
        Expected::Decided
    }

    /// Holds the key of a persistent term to its value.
    pub fn observe_persistent(&mut self, at: Cursor, window: Slot, function: Mfa, op: PersistentOp) {
        let args = at.window(window, function.arity);
        let Some(mut watch) = self.watch(at) else { return };
        watch.pin_all(function, args.first());
        if op == PersistentOp::All {
            // The VM has terms of its own.
            watch.varying(function);
        }
    }
}

impl Watch<'_> {
    /// Records whether a term is an integer that can stand in an array; `at` distinguishes arguments.
    fn is_value(&mut self, at: u32, value: &Term, place: ArrayPlace) -> bool {
        if !self.is(IS_INTEGER + at, value, Type::Integer) {
            return false;
        }
        let (min, max) = place.bounds();
        self.is_between((IS_BELOW + at, IS_ABOVE + at), value, &min, &max)
    }

    fn is_between(&mut self, (below, above): (u32, u32), value: &Term, min: &Term, max: &Term) -> bool {
        let (is_below, is_above) = (value.compare(min).is_lt(), value.compare(max).is_gt());
        if let Some(expr) = self.expr_of(value) {
            let [min, max] = [min, max].map(|bound| self.recorder.arena.literal(bound.clone()));
            self.ask(below, Test::Less(expr, min), is_below);
            if !is_below {
                self.ask(above, Test::Less(max, expr), is_above);
            }
        }
        !is_below && !is_above
    }

    /// Records the conditions of a sum; one that wraps is held to its value.
    fn array_sum(&mut self, function: Mfa, old: &Term, by: &Term, place: ArrayPlace) -> Expected {
        let (min, max) =
            (ArrayPlace { signed: true, ..place }.bounds().0, ArrayPlace { signed: false, ..place }.bounds().1);
        let is_good = self.is(IS_INTEGER, by, Type::Integer)
            && self.is_between((IS_BELOW, IS_ABOVE), by, &min, &max)
            && is_increment(by);
        let sum = number::add(old, by).filter(|_| is_good);
        let (Some(expr), Some(sum)) = (is_good.then(|| self.arith(Op::Add, old, by)).flatten(), sum) else {
            return Expected::Decided;
        };
        let (min, max) = place.bounds();
        if self.is_between((SUM_IS_BELOW, SUM_IS_ABOVE), &sum.with_mark(expr.mark()), &min, &max) {
            return Expected::Sum(expr.mark());
        }
        self.pin_all(function, [old, by]);
        Expected::Decided
    }
}
