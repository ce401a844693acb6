//! One flip: the query for it, and the run of the answer.
//!
//! A round takes a fixed number of flips. All their queries go to the solver at once, which may share them among any number
//! of threads: an answer depends on its query alone. Running, merging and judging stay with the one explorer,
//! in the order the flips were taken. So the number of workers changes nothing but the time.

use constraint::{Condition, Stimulus, Test, count_calls};
use solve::{Answer, Query, UnknownReason};
use term::{Mfa, Term};

use crate::subject::{ConcolicRun, Signature, TestSubject};
use crate::{ExplorationOptions, TermSize};

/// A branch to be tried.
pub struct FlipQuery<'a> {
    /// The clause of the spec.
    pub signature: &'a Signature,
    /// The flipped one last.
    pub conditions: Vec<Condition>,
    /// Inputs that meet all conditions but the last.
    pub near: &'a [Term],
}

/// The result of trying it.
pub enum FlipResult {
    /// It was run.
    Ran { stimulus: Stimulus, run: Box<ConcolicRun> },
    /// No inputs take it.
    Infeasible,
    /// The solver did not know.
    Unknown(UnknownReason),
    /// It depends on the outcome of an opaque function where it was not observed.
    Undecided(Mfa),
    /// Its inputs are larger than the bound.
    TooLarge,
    /// Its inputs take more calls than the bound.
    TooManyCalls,
}

impl FlipQuery<'_> {
    /// The query for its inputs.
    pub fn query<'a>(&'a self, subject: &'a dyn TestSubject) -> Query<'a> {
        Query {
            arena: subject.arena(),
            grammar: subject.grammar(),
            inputs: &self.signature.inputs,
            conditions: &self.conditions,
            near: self.near,
        }
    }
}

/// The answer for a flip.
pub enum FlipAnswer {
    Answer(Answer),
    Undecided(Mfa),
}

/// Runs the inputs that were found, under the schedule of the flip.
pub fn attempt(
    subject: &mut dyn TestSubject,
    found: FlipAnswer,
    schedule: Vec<u32>,
    (options, max_calls): (&ExplorationOptions, usize),
) -> FlipResult {
    let inputs = match found {
        FlipAnswer::Answer(Answer::Sat(inputs)) => inputs,
        FlipAnswer::Answer(Answer::Unsat) => return FlipResult::Infeasible,
        FlipAnswer::Answer(Answer::Unknown(unknown)) => return FlipResult::Unknown(unknown),
        FlipAnswer::Undecided(function) => return FlipResult::Undecided(function),
    };
    if TermSize::of(&inputs).nodes > options.max_input_size as u64 {
        return FlipResult::TooLarge;
    }
    if count_calls(&inputs) > max_calls {
        return FlipResult::TooManyCalls;
    }
    let stimulus = Stimulus { inputs, schedule };
    let run = Box::new(subject.run(&stimulus));
    FlipResult::Ran { stimulus, run }
}

/// A condition that `near` meets and `except` does not: other inputs are wanted than those that went elsewhere.
pub fn exclusion(subject: &mut dyn TestSubject, near: &[Term], except: &[Term]) -> Option<Condition> {
    let at = near.iter().zip(except).position(|(near, except)| near != except)?;
    let arena = subject.arena_mut();
    let (input, value) = (arena.input(at as u32), arena.literal(except[at].clone()));
    Some(Condition { test: Test::Same(input, value), holds: false })
}
