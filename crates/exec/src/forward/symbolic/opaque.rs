//! Calls of functions that no rule describes. What such a call gives is an application of the function to what its
//! arguments stand for, and every call that was observed is a sample of the function.

use constraint::{Condition, Expr, Learned, Node, Replacements, Test, Type};
use ops::Returns;
use serde::{Deserialize, Serialize};
use term::{Call, Exception, Fun, Mfa, Outcome, Term};

use super::closures::closure_data;
use super::pin::{any_part, is_marked, unmarked};
use super::recorder::Recorder;
use super::watch::Watch;
use crate::forward::code::Slot;
use crate::forward::machine::{Cursor, Engine, Fault, Trace};
use crate::forward::outcome::{Ending, Limits};

/// The treatment of results of opaque functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Concretize {
    /// They are the values that were just observed, for all inputs: other inputs may go elsewhere.
    Unsound,
    /// They are applications; as soon as one is tested, its arguments are held to the values they have.
    Sound,
    /// They are applications, and tests of them are questions like all others.
    #[default]
    HigherOrder,
}

const RETURNS: u32 = 8;
const CLASS: u32 = 9;
const BINARY: u32 = 10;

/// Samples of calls without marks that one run may leave.
const MOST_PLAIN: u32 = 2_000;

/// A call that was made: the function, the arguments as they stood in the window, and how it ended.
pub struct Observed<'t> {
    /// The opaque function.
    pub function: Mfa,
    /// Its arguments, with marks.
    pub args: &'t [Term],
    /// Its outcome.
    pub outcome: Outcome,
    /// It is the user who calls it opaque, so that nothing is known of it.
    pub named: bool,
}

impl Engine<'_> {
    /// True if calls of opaque functions are to be observed, with these arguments.
    pub fn samples(&self, args: &[Term]) -> bool {
        let Some(recorder) = self.recorder.as_deref().filter(|recorder| !recorder.truncated) else { return false };
        recorder.plain_samples < MOST_PLAIN || args.iter().any(is_marked)
    }

    /// Calls an operation that has no rule.
    pub fn call_opaque_native(&mut self, at: Cursor, window: Slot, native: u32, tail: bool) -> Cursor {
        let function = self.program.natives[native as usize].function;
        let args = at.window(window, function.arity).to_vec();
        match self.native(at, window, function.arity, native) {
            Ok(()) => self.opaque_value(at, window, function, &args, tail, false),
            Err(fault) => {
                let fault = self.opaque_fault(at, function, &args, fault, false);
                self.fail(at, fault)
            }
        }
    }

    /// Calls a function that the user calls opaque: inside nothing is observed.
    pub fn call_apart(&mut self, at: Cursor, function: Mfa, window: Slot, tail: bool) -> Cursor {
        let address = self.address(at);
        let args: Vec<Term> = at.window(window, function.arity).iter_mut().map(std::mem::take).collect();
        let (ending, touched) = self.apart(function, args.iter().map(unmarked).collect());
        let at = self.refreshed(address, at);
        if touched {
            self.observe_state(at, function);
        }
        match ending {
            Ending::Value(value) => {
                at.put(window, unmarked(&value));
                self.opaque_value(at, window, function, &args, tail, true)
            }
            Ending::Raised(exception) => {
                let trace = if tail { Trace::Callers } else { Trace::Here };
                let fault = self.opaque_fault(at, function, &args, Box::new(Fault::Raise { exception, trace }), true);
                self.fail(at, fault)
            }
            other => self.end(at, other),
        }
    }

    /// Makes a call on a stack of its own; how it ends, and whether it depends on more than its arguments.
    fn apart(&mut self, function: Mfa, args: Vec<Term>) -> (Ending, bool) {
        let limits = Limits { steps: self.fuel + self.reserve, ..self.limits };
        let call = Call { module: function.module, function: function.function, args };
        let stored = self.node.lend();
        let mut inner = Engine::within(self.program, self.state.lend(), limits);
        inner.apart = true;
        inner.node.take_back(stored);
        let ending = inner.run_to_end(&call, true).ending;
        (self.fuel, self.reserve) = (0, inner.reserve + inner.fuel);
        let (touched, state) = (inner.state.touched, inner.state.into_parts());
        self.node.take_back(inner.node.lend());
        self.state.take_back(state);
        (ending, touched)
    }

    /// A function whose code cannot be had is called: it may depend on anything.
    pub fn observe_closed(&mut self, at: Cursor, function: Mfa) {
        if let Some(mut watch) = self.watch(at) {
            watch.loose(function);
        }
    }

    fn observe_state(&mut self, at: Cursor, function: Mfa) {
        let address = self.address(at);
        let Some(recorder) = self.recorder.as_deref_mut() else { return };
        recorder.arena.samples.learn_state(function);
        Watch::new(recorder, self.program, &self.process.frames, address).loose(function);
        self.release_tables(at, function);
    }

    /// The call has put its value into its window.
    pub fn opaque_value(
        &mut self,
        at: Cursor,
        window: Slot,
        function: Mfa,
        args: &[Term],
        tail: bool,
        named: bool,
    ) -> Cursor {
        let outcome = Outcome::Value(unmarked(at.slot(window)));
        if let Some(call) = self.observe_opaque(at, Observed { function, args, outcome, named })
            && let Some(recorder) = self.recorder.as_deref_mut()
        {
            at.mark(window, recorder.arena.element(call, 0).mark());
        }
        self.go_on(at, window, tail)
    }

    /// The call has raised an exception, or ended the run.
    pub fn opaque_fault(
        &mut self,
        at: Cursor,
        function: Mfa,
        args: &[Term],
        mut fault: Box<Fault>,
        named: bool,
    ) -> Box<Fault> {
        if let Fault::Raise { exception, .. } = &mut *fault {
            let plain = Exception { reason: unmarked(&exception.reason), ..exception.clone() };
            let observed = Observed { function, args, outcome: Outcome::Raised(plain), named };
            if let Some(call) = self.observe_opaque(at, observed)
                && let Some(recorder) = self.recorder.as_deref_mut()
            {
                let mark = recorder.arena.element(call, 1).mark();
                exception.reason = std::mem::take(&mut exception.reason).with_mark(mark);
            }
        }
        fault
    }

    /// The expression of how the call ended, if its outcome stands for one.
    fn observe_opaque(&mut self, at: Cursor, observed: Observed<'_>) -> Option<Expr> {
        self.watch(at)?.opaque(&observed)
    }
}

impl Watch<'_> {
    fn opaque(&mut self, observed: &Observed<'_>) -> Option<Expr> {
        let Observed { function, outcome, named, .. } = observed;
        let args: Vec<Term> = match named {
            // The machine itself makes these calls, so that it can make the closures again.
            true => observed.args.iter().map(closure_data).collect(),
            false => observed.args.to_vec(),
        };
        let args = &args[..];
        let marked = args.iter().any(is_marked);
        let plain: Vec<Term> = args.iter().map(unmarked).collect();
        let whole = constraint::outcome_term(outcome);
        if plain.iter().chain([&whole]).any(holds_closure) {
            // A value that only lives in this run is nothing to compare others with.
            self.pin_all(*function, args);
            return None;
        }
        self.recorder.plain_samples += u32::from(!marked);
        let learned = self.recorder.arena.samples.learn(*function, &plain, whole);
        if learned == Learned::Unsteady {
            self.varying(*function);
            return None;
        }
        if !marked {
            return None;
        }
        if self.recorder.concretize == Concretize::Unsound {
            self.gap(*function);
            return None;
        }
        let exprs = args.iter().map(|arg| self.expr(arg)).collect();
        let call = self.recorder.arena.opaque(*function, exprs);
        self.ask_outcome(call, observed);
        Some(call)
    }

    /// Records whether it returns, unless that is certain.
    fn ask_outcome(&mut self, call: Expr, observed: &Observed<'_>) {
        let Observed { function, args, outcome, named } = observed;
        let known = ops::find(*function);
        let certain = match (known.map_or(Returns::Perhaps, |known| known.returns), *args) {
            (Returns::Always, _) => true,
            (Returns::OfBinary, [arg]) => self.is(BINARY, arg, Type::Binary),
            _ => false,
        };
        let returned = matches!(outcome, Outcome::Value(_));
        if self.recorder.concretize == Concretize::Sound && returned && !certain {
            // To ask would be to hold the arguments before anything is tested.
            return self.loose(*function);
        }
        if !certain {
            self.ask(RETURNS, Test::Tuple(call, 1), returned);
        }
        match outcome {
            Outcome::Value(_) => {
                let result = self.recorder.arena.element(call, 0);
                if let Some(kind) = known.and_then(|known| known.gives.kind()) {
                    self.recorder.facts.learn(&self.recorder.arena, Test::Type(result, kind), true);
                }
            }
            // The VM's own functions raise nothing but errors.
            Outcome::Raised(exception) if *named => {
                let class = self.recorder.arena.element(call, 0);
                let literal = self.recorder.arena.literal(Term::atom(exception.class.atom()));
                self.ask(CLASS, Test::Same(class, literal), true);
            }
            Outcome::Raised(_) => {}
        }
    }

    /// With sound concretization: holds the arguments of all applications in a question to their values, and gives the
    /// question about what is left. `None` if nothing is left to ask.
    pub fn concretized(&mut self, test: Test) -> Option<Test> {
        let mut calls = Vec::new();
        test.exprs().for_each(|expr| self.recorder.applications(expr, &mut calls));
        if calls.is_empty() {
            return Some(test);
        }
        // A value that was made earlier cannot depend on what was made later.
        calls.sort_unstable();
        let mut known = Replacements::default();
        for call in calls {
            let Node::Opaque(function, args) = self.recorder.arena.node(call).clone() else { continue };
            for arg in &args {
                let free = self.recorder.arena.replaced(*arg, &mut known);
                if let Some(value) =
                    self.recorder.value(*arg).filter(|_| self.recorder.arena.as_literal(free).is_none())
                {
                    self.pin_expr(free, &value);
                }
            }
            self.gap(function);
            let outcome = self.recorder.value(call)?;
            let outcome = self.recorder.arena.literal(outcome);
            known.insert(call, outcome);
        }
        let asked = Condition { test, holds: true };
        let test = self.recorder.arena.replaced_condition(&asked, &mut known).test;
        test.exprs().any(|expr| self.recorder.arena.as_literal(expr).is_none()).then_some(test)
    }
}

impl Recorder {
    /// The applications in an expression, each once.
    fn applications(&self, expr: Expr, found: &mut Vec<Expr>) {
        self.arena.visit([expr], |expr, node| {
            if matches!(node, Node::Opaque(..)) && !found.contains(&expr) {
                found.push(expr);
            }
            true
        });
    }
}

/// True if there is a fun in the term whose code only this machine knows.
pub fn holds_closure(term: &Term) -> bool {
    match term {
        Term::Fun(_, fun) => matches!(&**fun, Fun::Closure(_)),
        _ => any_part(term, &mut holds_closure),
    }
}
