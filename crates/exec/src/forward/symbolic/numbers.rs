//! Numbers that no input decides, and that are others in every run: unique integers, sizes of the system. They may be sent,
//! kept and given back. What is asked of them is settled by the few facts that hold of all such numbers, or else it is a
//! question that another run may answer otherwise. Of the schedulers that are online the questions are kept, so that numbers
//! with other answers can be explored as well.

use constraint::{Arena, Condition, Evaluator, Expr, Node, Test, Type, ValueCache};
use ops::{Number, Rule};
use term::{Mfa, Term};

use super::ets::Expected;
use super::pin::is_marked;
use super::recorder::{Elsewhere, Recorder};
use super::watch::Watch;
use crate::forward::code::Slot;
use crate::forward::machine::{Cursor, Engine};

/// The items of `system_info` that are a positive integer, the same for as long as the VM runs.
const SIZES: [&str; 10] = [
    "schedulers",
    "schedulers_online",
    "dirty_cpu_schedulers",
    "dirty_cpu_schedulers_online",
    "dirty_io_schedulers",
    "process_limit",
    "port_limit",
    "atom_limit",
    "ets_limit",
    "wordsize",
];

/// The item that has the number of schedulers that are online.
const SCHEDULERS: &str = "schedulers_online";

/// Questions about it that are kept.
const QUESTIONS: usize = 64;

/// A number that a call has given: the call, and which of the run it was.
struct Given<'a> {
    function: Mfa,
    /// The modifiers of a unique integer, or the item of the system.
    of: &'a Term,
    /// The process that asked for a unique integer, and the count of such numbers in the run.
    by: Option<(i64, i64)>,
}

impl Given<'_> {
    fn has(&self, modifier: &str) -> bool {
        self.of.cells().any(|it| it.as_atom().is_some_and(|it| it.name() == modifier))
    }

    fn is_positive(&self) -> bool {
        self.by.is_none() || self.has("positive")
    }
}

/// The function that has given a number in one of the expressions.
pub fn maker_of_number(arena: &Arena, exprs: impl IntoIterator<Item = Expr>) -> Option<Mfa> {
    let mut maker = None;
    arena.visit(exprs, |_, node| {
        if let Node::Opaque(function, _) = node
            && matches!(ops::rule(*function), Rule::Number(_))
        {
            maker = Some(*function);
        }
        maker.is_none()
    });
    maker
}

impl Engine<'_> {
    /// Returns the answer of a call that asks for a number, if it is one of which facts are known.
    pub fn observe_number(&mut self, at: Cursor, window: Slot, function: Mfa, number: Number) -> Option<Expected> {
        let of = at.window(window, function.arity).first().cloned().unwrap_or(Term::nil());
        let is_size = || of.as_atom().is_some_and(|item| SIZES.contains(&item.name()));
        if is_marked(&of) || number == Number::OfSystem && !is_size() {
            return None;
        }
        let process = self.node.processes.get(self.node.current).map_or(0, |process| process.number);
        let by = (number == Number::Unique).then_some(process);
        let online = (is_schedulers(&of) && self.schedule.is_some()).then_some(self.program.schedulers);
        let mark = self.watch(at).map(|mut watch| watch.number(function, of, by).mark());
        match online {
            Some(online) => Some(Expected::Known(Term::int(online).with_mark(mark.unwrap_or_default()))),
            None => mark.map(Expected::Number),
        }
    }
}

fn is_schedulers(item: &Term) -> bool {
    item.as_atom().is_some_and(|item| item.name() == SCHEDULERS)
}

impl Watch<'_> {
    /// Notes a question about numbers that no fact settles.
    pub(super) fn asks_of_number(&mut self, maker: Mfa, test: Test, holds: bool) {
        let asked = Condition { test, holds };
        let known = self.recorder.asked_of_schedulers.contains(&asked);
        let is_kept =
            known || self.recorder.asked_of_schedulers.len() < QUESTIONS && self.recorder.is_of_schedulers(test);
        if !is_kept {
            return self.varying(maker);
        }
        if !known {
            self.recorder.asked_of_schedulers.push(asked);
        }
        self.note_elsewhere(maker, Elsewhere::Schedulers);
    }

    fn number(&mut self, function: Mfa, of: Term, by: Option<u32>) -> Expr {
        let recorder = &mut *self.recorder;
        recorder.numbers += 1;
        let by = by.map(|process| [i64::from(process), i64::from(recorder.numbers)].map(Term::int));
        let args = std::iter::once(of).chain(by.into_iter().flatten());
        let args = args.map(|arg| recorder.arena.literal(arg)).collect();
        let number = recorder.arena.number(function, args);
        recorder.facts.learn(&recorder.arena, Test::Type(number, Type::Integer), true);
        number
    }
}

impl Recorder {
    /// True if everything that was asked of the number of schedulers online has the same answers for this one.
    pub fn answers_hold_for(&mut self, schedulers: i64) -> bool {
        let item = self.arena.literal(Term::atom_named(SCHEDULERS));
        let number = self.arena.number(Rule::Number(Number::OfSystem).function(1), vec![item]);
        let values = ValueCache::from_iter([(number, Ok(Term::int(schedulers)))]);
        let mut evaluator = Evaluator::resume(&self.arena, &[], values);
        self.asked_of_schedulers.iter().all(|asked| evaluator.holds(asked) == Ok(true))
    }

    /// True if a question is about nothing but the number of schedulers online.
    fn is_of_schedulers(&self, test: Test) -> bool {
        let mut is_all = true;
        self.arena.visit(test.exprs(), |_, node| {
            is_all &= match node {
                Node::Input(_) => false,
                Node::Opaque(function, args) => {
                    let item = args.first().and_then(|item| self.arena.as_literal(*item));
                    matches!(ops::rule(*function), Rule::Number(_)) && item.is_some_and(is_schedulers)
                }
                _ => true,
            };
            is_all
        });
        is_all
    }

    /// The function that has given a number which a question is about, if no fact about its kind settles it.
    pub(super) fn asks_number(&self, test: Test) -> Option<Mfa> {
        if self.numbers == 0 || self.facts.settled(&self.arena, test).is_some() {
            return None;
        }
        maker_of_number(&self.arena, test.exprs())
    }

    /// The answer of a question about numbers that it has in every run.
    pub(super) fn settled_number(&self, test: Test) -> Option<bool> {
        let (Test::Same(a, b) | Test::Equal(a, b) | Test::Less(a, b)) = test else { return None };
        let literal = |expr| self.arena.as_literal(expr).and_then(Term::as_i64);
        match (self.given(a), self.given(b)) {
            (Some(a), Some(b)) if a.function == b.function && a.of == b.of => {
                let ((by, first), (other, second)) = (a.by?, b.by?);
                match test {
                    Test::Less(..) => (by == other && a.has("monotonic")).then_some(first < second),
                    _ => Some(false),
                }
            }
            (Some(number), None) if number.is_positive() => match test {
                Test::Less(..) => literal(b).filter(|bound| *bound <= 1).map(|_| false),
                _ => literal(b).filter(|value| *value <= 0).map(|_| false),
            },
            (None, Some(number)) if number.is_positive() => match test {
                Test::Less(..) => literal(a).filter(|bound| *bound <= 0).map(|_| true),
                _ => literal(a).filter(|value| *value <= 0).map(|_| false),
            },
            _ => None,
        }
    }

    fn given(&self, expr: Expr) -> Option<Given<'_>> {
        let Node::Element(call, 0) = *self.arena.node(expr) else { return None };
        let Node::Opaque(function, args) = self.arena.node(call) else { return None };
        let value = |at: usize| self.arena.as_literal(*args.get(at)?);
        matches!(ops::rule(*function), Rule::Number(_)).then_some(())?;
        let by = value(1).and_then(Term::as_i64).zip(value(2).and_then(Term::as_i64));
        Some(Given { function: *function, of: value(0)?, by })
    }
}
