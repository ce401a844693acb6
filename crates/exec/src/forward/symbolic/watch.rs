//! Asking: every question whose answer depends on the inputs becomes a step of the path, once.

use constraint::{Condition, Decision, Expr, Test, Type, is_of};
use term::{Mark, Mfa, Term};

use super::opaque::Concretize;
use super::recorder::{Elsewhere, Gap, GapKind, Recorder};
use super::sites::Known;
use crate::forward::code::Address;
use crate::forward::machine::{Cursor, Engine, Frame};
use crate::forward::outcome::Place;
use crate::forward::program::Program;

/// One instruction under observation.
pub struct Watch<'a> {
    /// The recorder.
    pub recorder: &'a mut Recorder,
    /// The linked program.
    pub program: &'a Program,
    /// The calls that wait.
    pub frames: &'a [Frame],
    /// The instruction that runs.
    pub at: Address,
    /// The block of the chain member that a switch tests, if it is not the instruction's own.
    pub block: Option<u32>,
}

/// A part of a marked whole: its own mark wins.
pub fn part(term: Term, mark: impl FnOnce() -> Mark) -> Term {
    if term.mark().is_some() { term } else { term.with_mark(mark()) }
}

impl Engine<'_> {
    /// Observes the instruction at the cursor, unless the recording has ended.
    #[inline]
    pub fn watch(&mut self, at: Cursor) -> Option<Watch<'_>> {
        let address = self.address(at);
        let recorder = self.recorder.as_deref_mut().filter(|recorder| !recorder.truncated)?;
        Some(Watch::new(recorder, self.program, &self.process.frames, address))
    }
}

impl<'a> Watch<'a> {
    /// Observes one instruction.
    pub fn new(recorder: &'a mut Recorder, program: &'a Program, frames: &'a [Frame], at: Address) -> Watch<'a> {
        Watch { recorder, program, frames, at, block: None }
    }

    /// The expression that a term stands for by its own mark.
    #[inline(always)]
    pub fn expr_of(&self, term: &Term) -> Option<Expr> {
        self.recorder.arena.of_mark(term.mark())
    }

    /// Writes down a question and its answer, unless the answer was settled before. `ordinal` distinguishes the questions of
    /// one operation apart.
    pub fn ask(&mut self, ordinal: u32, test: Test, holds: bool) {
        self.step(ordinal, test, holds, false);
    }

    /// Records the type of a value that carries a mark; returns true if the value has that type.
    pub fn is(&mut self, ordinal: u32, value: &Term, kind: Type) -> bool {
        let holds = is_of(value, kind);
        if let Some(expr) = self.expr_of(value) {
            self.ask(ordinal, Test::Type(expr, kind), holds);
        }
        holds
    }

    /// Records if an integer lies below a bound; returns true if it does.
    pub fn is_below(&mut self, ordinal: u32, expr: Expr, value: &Term, bound: i64) -> bool {
        let (literal, holds) = (self.recorder.integer(bound), value.compare(&Term::int(bound)).is_lt());
        self.ask(ordinal, Test::Less(expr, literal), holds);
        holds
    }

    /// Records which of some constants a value is, one after the other; returns true if it is one of them.
    pub fn is_one_of(&mut self, ordinal: u32, expr: Expr, value: &Term, literals: impl Iterator<Item = Term>) -> bool {
        literals.into_iter().any(|literal| {
            let holds = *value == literal;
            let literal = self.recorder.arena.literal(literal);
            self.ask(ordinal, Test::Same(expr, literal), holds);
            holds
        })
    }

    /// Records a decision.
    pub fn step(&mut self, ordinal: u32, test: Test, holds: bool, pinned: bool) {
        if let Some(maker) = self.recorder.asks_number(test) {
            if self.recorder.settled_number(test) != Some(holds) {
                self.asks_of_number(maker, test, holds);
            }
            return;
        }
        let test = match self.recorder.concretize {
            Concretize::Sound if self.recorder.arena.has_opaque() => match self.concretized(test) {
                Some(test) => test,
                None => return,
            },
            _ => test,
        };
        let test = ordered(&self.recorder.arena, test);
        let test = of_size(&mut self.recorder.arena, test);
        match self.recorder.facts.settled(&self.recorder.arena, test) {
            Some(known) => debug_assert!(known == holds, "{}", self.show(test, holds)),
            None if !holds && !self.is_full() && self.is_never(test) => {}
            None => self.record(ordinal, test, holds, pinned),
        }
    }

    fn record(&mut self, ordinal: u32, test: Test, holds: bool, pinned: bool) {
        if self.is_full() {
            self.recorder.truncated = true;
            return;
        }
        let Known { site, minor } = match self.block {
            Some(block) => self.recorder.site_of_block(self.program, self.at, block),
            None => self.recorder.site_at(self.program, self.at, ordinal),
        };
        if self.recorder.wanted == Some(self.recorder.path.len()) {
            self.recorder.found = Some(self.place());
        }
        self.recorder.facts.learn(&self.recorder.arena, test, holds);
        let condition = Condition { test, holds };
        debug_assert!(
            self.recorder.is_true(&condition),
            "{} at {}",
            self.recorder.arena.show_condition(&condition),
            self.place()
        );
        self.recorder.path.push(Decision { site, condition, pinned, minor });
    }

    fn is_full(&self) -> bool {
        let Recorder { path, limits, arena, truncated, .. } = &*self.recorder;
        *truncated || path.len() >= limits.steps || arena.len() >= limits.expressions
    }

    fn show(&self, test: Test, holds: bool) -> String {
        let shown = self.recorder.arena.show_condition(&Condition { test, holds });
        format!("settled the other way before: {shown} at {}", self.place())
    }

    /// Notes that an operation without a rule met marked values.
    pub fn gap(&mut self, function: Mfa) {
        if self.recorder.known_gaps.insert((function, self.at)) {
            let kind = match self.recorder.concretize {
                Concretize::Unsound => GapKind::Loose,
                Concretize::Sound | Concretize::HigherOrder => GapKind::Held,
            };
            self.recorder.gaps.push(Gap { function, at: self.place(), kind });
        }
    }

    /// Notes that an answer is taken for what an operation gives always, although it looked at more than its arguments.
    pub fn loose(&mut self, function: Mfa) {
        self.note(function, GapKind::Loose);
    }

    /// Notes that an operation gave an answer that it need not give again.
    pub fn varying(&mut self, function: Mfa) {
        self.note(function, GapKind::Varying);
    }

    /// Notes that an operation gave an answer that depends on the environment.
    pub(super) fn note_elsewhere(&mut self, function: Mfa, elsewhere: Elsewhere) {
        self.note(function, GapKind::Elsewhere(elsewhere));
    }

    /// Notes an operation whose answer the path does not say, once.
    pub fn note(&mut self, function: Mfa, kind: GapKind) {
        let gap = Gap { function, at: self.place(), kind };
        if !self.recorder.gaps.contains(&gap) {
            self.recorder.gaps.push(gap);
        }
    }

    /// The place of the program: in the prelude, the one it was called from.
    pub fn place(&self) -> Place {
        let own = |address: &Address| {
            let owner = self.program.owner(*address);
            !owner.is_some_and(|function| ops::prelude::is_prelude(function.name.module))
        };
        let callers = self.frames.iter().rev().map(|frame| frame.back.saturating_sub(1));
        let found = std::iter::once(self.at).chain(callers).find(own);
        self.program.place_of(found.unwrap_or(self.at))
    }
}

/// A test for an empty part of a bitstring is a test of its size.
fn of_size(arena: &mut constraint::Arena, test: Test) -> Test {
    let (Test::Same(bits, literal) | Test::Equal(bits, literal)) = test else { return test };
    let is_empty = matches!(arena.as_literal(literal), Some(Term::Bits(_, literal)) if literal.is_empty());
    match arena.known_size(bits).filter(|_| is_empty) {
        Some(size) => Test::Same(size, arena.integer(0)),
        None => test,
    }
}

/// A constant stands on the right.
fn ordered(arena: &constraint::Arena, test: Test) -> Test {
    let swap = |a: Expr, b: Expr| arena.as_literal(a).is_some() && arena.as_literal(b).is_none();
    match test {
        Test::Same(a, b) if swap(a, b) => Test::Same(b, a),
        Test::Equal(a, b) if swap(a, b) => Test::Equal(b, a),
        other => other,
    }
}
