//! One flip, solved and run: the part of a round that can be done beside others.
//!
//! A round takes a fixed number of flips, tries each, and merges what came of them in the order they were taken. A
//! [`Trial`] reads only what was there when the round began and an [`Attempt`] depends on the trial alone, so several
//! workers can share a round and the result is that of one. A worker on a thread of its own has its own subject and
//! solver; it is sent conditions and inputs in a form without pointers (terms as external format, expressions as rows of
//! nodes) and sends back its run in that form, which the merge interns again in the order of the round. Numbers of
//! expressions are therefore given in the same order whatever the number of workers.

use constraint::{Condition, Test};
use solve::{Answer, Query, Unknown};
use term::Term;

use crate::subject::{Run, Signature, Solver, Subject};
use crate::{Measure, Options};

/// What is to be tried.
pub struct Trial<'a> {
    pub signature: &'a Signature,
    /// The flipped one last.
    pub conditions: Vec<Condition>,
    /// Inputs that meet all conditions but the last.
    pub near: &'a [Term],
    /// Inputs that met all conditions and went elsewhere: others are wanted.
    pub except: Option<&'a [Term]>,
}

/// What came of it.
pub enum Attempt {
    Ran { inputs: Vec<Term>, run: Box<Run> },
    Infeasible,
    Unknown(Unknown),
    TooLarge,
}

pub fn attempt(subject: &mut dyn Subject, solver: &mut dyn Solver, mut trial: Trial<'_>, options: &Options) -> Attempt {
    if let Some(condition) = trial.except.and_then(|except| exclusion(subject, trial.near, except)) {
        let last = trial.conditions.len().saturating_sub(1);
        trial.conditions.insert(last, condition);
    }
    let query = Query {
        arena: subject.arena(),
        grammar: subject.grammar(),
        inputs: &trial.signature.inputs,
        conditions: &trial.conditions,
        near: trial.near,
    };
    let inputs = match solver.solve(&query, &options.budget) {
        Answer::Inputs(inputs) => inputs,
        Answer::None => return Attempt::Infeasible,
        Answer::Unknown(unknown) => return Attempt::Unknown(unknown),
    };
    if Measure::of(&inputs).nodes > options.max_input_size as u64 {
        return Attempt::TooLarge;
    }
    let run = Box::new(subject.run(&inputs));
    Attempt::Ran { inputs, run }
}

/// A condition that `near` meets and `except` does not.
fn exclusion(subject: &mut dyn Subject, near: &[Term], except: &[Term]) -> Option<Condition> {
    let at = near.iter().zip(except).position(|(near, except)| near != except)?;
    let arena = subject.arena_mut();
    let (input, value) = (arena.input(at as u32), arena.literal(except[at].clone()));
    Some(Condition { test: Test::Same(input, value), holds: false })
}
