//! The sites in a flat function where events are emitted.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::flat::{Body, Case, Lambda, LetStep, Letrec, Var};

/// The events of a step. Numbers are events of the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventSite {
    /// Before: the call of a function that emits its own exit.
    Own { call: u32 },
    /// Before: `first` for a fun of the module, `first + 1` for another; then, after that other, `first + 2` with the
    /// value.
    Fun { first: u32 },
    /// The same for a function whose module or name only the run knows.
    Named { first: u32 },
    /// A function outside: before, and after with the value.
    Outside { call: u32, bind: u32 },
    /// After: what was bound.
    Bind(u32),
    /// Before: the parameters of a label.
    Jump(u32),
    /// A case's clauses begin with `first`, `first + 2`, … and end with the numbers in between.
    Case { first: u32 },
    /// At the end of the body of a `letrec` and of its labels.
    Closing(u32),
    /// At the end of the body, then `first + 1` at the end of what follows it; or `first + 2` with class and reason and
    /// then `first + 3` at the end of the handler.
    Try { first: u32 },
    /// At the end of the body, or `first + 1` with class and reason.
    Catch { first: u32 },
    /// A `receive` looks for a message: nothing; `received` or the next number is emitted when it has one, or time is up.
    Peek { received: u32 },
    /// A `receive` waits: nothing; `late` is emitted when time is up.
    Wait { late: u32 },
    /// A `receive` decides how to go on: nothing.
    Choice,
    /// A `receive` begins again: nothing.
    Again,
}

/// An added event: after a step, or where a body begins; with the value of a variable, if there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Aside {
    /// The number of the event.
    pub event: u32,
    /// The variable whose value goes with it.
    pub value: Option<Var>,
}

/// The event of a function's end: an exit, or that an exception has ended it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LambdaSite {
    Function { exit: u32, raised: u32 },
    Label { closing: u32 },
}

/// The sites of one flat function, by the addresses of its parts.
#[derive(Default)]
pub struct Sites {
    pub(super) steps: FxHashMap<usize, EventSite>,
    pub(super) cases: FxHashMap<usize, u32>,
    pub(super) letrecs: FxHashMap<usize, u32>,
    pub(super) lambdas: FxHashMap<usize, LambdaSite>,
    /// By step or by body.
    pub(super) asides: FxHashMap<usize, Vec<Aside>>,
    /// Cases whose selection is recorded later.
    pub(super) quiet: FxHashSet<usize>,
}

impl Sites {
    /// The event of a step.
    pub fn step(&self, step: &LetStep) -> Option<EventSite> {
        self.steps.get(&address(step)).copied()
    }

    /// The first event of a case.
    pub fn case(&self, case: &Case) -> Option<u32> {
        self.cases.get(&address(case)).copied()
    }

    /// True if the clause that a case selects is recorded where it is entered.
    pub fn is_loud(&self, case: &Case) -> bool {
        !self.quiet.contains(&address(case))
    }

    /// The event after a step.
    pub fn after(&self, step: &LetStep) -> &[Aside] {
        self.asides.get(&address(step)).map_or(&[], Vec::as_slice)
    }

    /// The event where a body begins.
    pub fn before(&self, body: &Body) -> &[Aside] {
        self.asides.get(&address(body)).map_or(&[], Vec::as_slice)
    }

    /// The event that closes the body of a `letrec`.
    pub fn letrec(&self, letrec: &Letrec) -> Option<u32> {
        self.letrecs.get(&address(letrec)).copied()
    }

    /// The events of a function body.
    pub fn lambda(&self, lambda: &Lambda) -> Option<LambdaSite> {
        self.lambdas.get(&address(lambda)).copied()
    }
}

pub(super) fn address<T>(part: &T) -> usize {
    std::ptr::from_ref(part).addr()
}
