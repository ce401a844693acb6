//! Integer problems as SMT-LIB, for a solver that runs as a process of its own.
//!
//! Linear and non-linear arithmetic goes into the theory of integers, together with all bit operations by constants. A
//! bit operation on two unknowns takes the problem into bit-vectors: wide enough for everything where bounds are known,
//! else of growing width, and then "unsatisfiable" means nothing.
//!
//! Every question starts from a clean slate, though flips of one path share a prefix. With assertions kept from earlier
//! questions, the model, and within a budget even the verdict, would depend on what was asked before, and so on which
//! worker was asked: explorations would not repeat. It costs little: a reset and a trivial question take about 15 ms
//! together, most of it to set up the solver's tactics, and of the corpus' queries fewer than one in a hundred come
//! here.

mod answer;
mod bits;
mod integers;
mod script;
#[cfg(test)]
mod tests;

use num_bigint::BigInt;

use crate::integer::bounds::{Bounds, bounds};
use crate::integer::{IntegerAnswer, IntegerProblem, IntegerSolver, is_met_by};
use crate::query::{Answer, Budget, UnknownReason};
use answer::Verdict;
use script::Script;

/// A process that understands SMT-LIB.
pub trait Smt {
    /// Runs commands; the answer is all that they print.
    fn exchange(&mut self, script: &str) -> Result<String, SmtError>;
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, serde::Serialize, serde::Deserialize)]
pub enum SmtError {
    /// It cannot be started, or not again.
    #[error("the solver cannot be started: {0}")]
    Missing(String),
    /// It ended, or had to be ended, in the middle of a query.
    #[error("the solver gave no answer: {0}")]
    Ended(String),
}

/// Widths to try where bounds do not say how wide is enough.
const WIDTHS: [u64; 3] = [64, 128, 256];
/// Beyond this width bit-vectors are hopeless.
const MOST_WIDTH: u64 = 256;
/// The distance from the preferred values that is asked for first.
const NEARBY: i64 = 64;
/// Variables that are brought closer one by one.
const MOST_CLOSER: usize = 8;

/// An integer solver that asks the process.
pub struct SmtSolver {
    process: Box<dyn Smt>,
    /// The first error.
    pub error: Option<SmtError>,
}

impl SmtSolver {
    /// A solver that writes its queries to a process.
    pub fn new(process: Box<dyn Smt>) -> SmtSolver {
        SmtSolver { process, error: None }
    }
}

impl IntegerSolver for SmtSolver {
    fn solve(&mut self, problem: &IntegerProblem, budget: &Budget) -> IntegerAnswer {
        let bounds = match bounds(problem) {
            None => return Answer::Unknown(UnknownReason::Unsupported),
            Some(Err(_)) => return Answer::Unsat,
            Some(Ok(bounds)) => bounds,
        };
        match integers::script(problem, &bounds) {
            Some(script) => self.ask(problem, &script, budget),
            None => self.ask_bits(problem, &bounds, budget),
        }
    }
}

impl SmtSolver {
    fn ask_bits(&mut self, problem: &IntegerProblem, bounds: &Bounds, budget: &Budget) -> IntegerAnswer {
        if let Some(width) = bits::exact_width(problem, bounds).filter(|width| *width <= MOST_WIDTH) {
            return self.ask(problem, &bits::script(problem, bounds, width), budget);
        }
        for width in WIDTHS {
            match self.ask(problem, &bits::script(problem, bounds, width), budget) {
                // Only of this width, or only because something was cut off: a wider one may know better.
                Answer::Unsat | Answer::Unknown(UnknownReason::Wrong) => {}
                answer => return answer,
            }
        }
        Answer::Unknown(UnknownReason::Budget)
    }

    fn ask(&mut self, problem: &IntegerProblem, script: &Script, budget: &Budget) -> IntegerAnswer {
        match self.converse(problem, script, budget) {
            Ok(answer) => answer,
            Err(error) => {
                self.error.get_or_insert(error);
                Answer::Unknown(UnknownReason::Absent)
            }
        }
    }

    fn converse(
        &mut self,
        problem: &IntegerProblem,
        script: &Script,
        budget: &Budget,
    ) -> Result<IntegerAnswer, SmtError> {
        let verdict = answer::verdict(&self.process.exchange(&script.question(budget.rlimit))?);
        match verdict {
            Verdict::Sat => {}
            Verdict::Unsat => return Ok(Answer::Unsat),
            Verdict::Unknown => return Ok(Answer::Unknown(UnknownReason::Budget)),
            Verdict::Error => return Ok(Answer::Unknown(UnknownReason::Unsupported)),
        }
        let Some(values) = self.values(problem, script)? else { return Ok(Answer::Unknown(UnknownReason::Wrong)) };
        self.closer(problem, script, values).map(Answer::Sat)
    }

    /// The process has no taste: asks for values close to the preferred ones, for all variables, else for one after the
    /// other as far as that goes.
    fn closer(
        &mut self,
        problem: &IntegerProblem,
        script: &Script,
        values: Vec<BigInt>,
    ) -> Result<Vec<BigInt>, SmtError> {
        let far = script.far(&values, NEARBY);
        if far.is_empty() {
            return Ok(values);
        }
        if let Some(nearer) = self.model(problem, script, &script.closer(0..values.len(), NEARBY))? {
            return Ok(nearer);
        }
        self.process.exchange("(pop 1)\n")?;
        let mut best = values;
        for at in far.into_iter().take(MOST_CLOSER) {
            match self.model(problem, script, &script.closer([at], NEARBY))? {
                Some(nearer) => best = nearer,
                None => drop(self.process.exchange("(pop 1)\n")?),
            }
        }
        Ok(best)
    }

    /// The values of what a question has for an answer, if it is satisfiable.
    fn model(
        &mut self,
        problem: &IntegerProblem,
        script: &Script,
        text: &str,
    ) -> Result<Option<Vec<BigInt>>, SmtError> {
        match answer::verdict(&self.process.exchange(text)?) {
            Verdict::Sat => self.values(problem, script),
            _ => Ok(None),
        }
    }

    /// The values of a model, if they are what they should be.
    fn values(&mut self, problem: &IntegerProblem, script: &Script) -> Result<Option<Vec<BigInt>>, SmtError> {
        if script.names.is_empty() {
            return Ok(is_met_by(problem, &[]).then(Vec::new));
        }
        let text = self.process.exchange(&script.values())?;
        let values = answer::values(&text, &script.names);
        Ok(values.filter(|values| is_met_by(problem, values)))
    }
}
