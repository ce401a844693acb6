//! The portfolio on a condition written as text.

mod observed;

use std::time::Duration;

use constraint::{Condition, Text};
use host::{Deadline, Stopwatch};
use serde::Serialize;
use solve::structural::smallest;
use solve::walk::WalkSettings;
use solve::{Answer, Budget, Query, Rechecker, Response, Solvers};
use term::Term;

use crate::z3::Z3;
use crate::{Failure, SessionOptions, interrupt};

/// The last resort: Z3 ends by the resources it may use.
const Z3_PATIENCE: Duration = Duration::from_secs(30);
/// Two rounds through the alternatives, with the budgets of a search, and how much of its evaluations the walk may use.
const ROUNDS: [(Budget, u64); 2] = [(Budget::FIRST, 20), (Budget::LAST, 1)];

/// A condition that was asked about.
pub struct Solved {
    /// The answer.
    pub verdict: Solution,
    /// The member that found it or proved that there is nothing to find.
    pub member: Option<&'static str>,
    /// The counts of the walk, in all.
    pub walk: Option<WalkCounts>,
    /// The choices between the sides of `or`.
    pub alternatives: usize,
    /// The number of them that were tried.
    pub tried: usize,
    /// The error of the external solver.
    pub error: Option<String>,
}

/// The answer to a condition.
pub enum Solution {
    /// Names and values, in the order of the text.
    Sat(Vec<(String, String)>),
    /// There is no assignment.
    Unsat,
    /// None was found, and no proof that there is none.
    Unknown,
}

/// The work of the walk.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
pub struct WalkCounts {
    /// Evaluations of the condition.
    pub evaluations: u64,
    /// Steps to neighbours.
    pub steps: u64,
    /// Starting points.
    pub starts: u64,
}

/// The bounds of a solution.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Evaluations of the walk for each alternative.
    pub evaluations: u64,
    /// The parameters of the walk, but for its evaluations.
    pub walk: WalkSettings,
    /// The time for everything.
    pub time: Duration,
}

/// The message where the time was not enough.
const TIME: &str = "the time limit was reached";

/// Solves a condition; `file` is named in mistakes.
pub fn solve(text: Text, file: &str, effort: Effort, code: &SessionOptions) -> Result<Solved, Failure> {
    let end = Stopwatch::start().deadline(effort.time);
    let _stop = interrupt::stop_at(Some(end));
    let mut solved = match text.asked.is_empty() {
        true => Solving::new(&text, effort, end).run(),
        false => observed::solve(text, file, effort.evaluations, end, code)?,
    };
    if matches!(solved.verdict, Solution::Unknown) && end.is_over() {
        solved.error = Some(TIME.to_owned());
    }
    Ok(solved)
}

fn z3(end: Deadline) -> Box<Z3> {
    Box::new(Z3::new("z3", Z3_PATIENCE).halted_by(move || interrupt::is_wanted() || end.is_over()))
}

/// The simplest value of every variable.
fn simplest(text: &Text) -> Vec<Term> {
    text.inputs.iter().map(|rule| smallest(&text.grammar, *rule).unwrap_or(Term::int(0))).collect()
}

/// The variables with their values.
fn assignment(text: &Text, inputs: &[Term]) -> Solution {
    Solution::Sat(text.names.iter().cloned().zip(inputs.iter().map(Term::to_string)).collect())
}

struct Solving<'a> {
    text: &'a Text,
    near: Vec<Term>,
    solvers: Solvers,
    /// Asked about every proof that there is no solution.
    second: Rechecker,
    evaluations: u64,
    end: Deadline,
    walk: Option<WalkCounts>,
    error: Option<String>,
}

impl<'a> Solving<'a> {
    fn new(text: &'a Text, effort: Effort, end: Deadline) -> Solving<'a> {
        let Effort { evaluations, walk, .. } = effort;
        let (solvers, second) = (Solvers::new(Some(z3(end))).walking(walk), Rechecker::new(z3(end), 1));
        Solving { near: simplest(text), solvers, second, text, evaluations, end, walk: None, error: None }
    }

    /// All alternatives with little effort, then those that are left with all of it.
    fn run(mut self) -> Solved {
        let mut left: Vec<&'a Vec<Condition>> = self.text.alternatives.iter().collect();
        let (mut tried, mut proved_by) = (0, "structural");
        for (round, (budget, share)) in ROUNDS.into_iter().enumerate() {
            for conditions in std::mem::take(&mut left) {
                if self.end.is_over() {
                    left.push(conditions);
                    continue;
                }
                tried += usize::from(round == 0);
                let budget = Budget { walk: self.evaluations.div_ceil(share), ..budget };
                let response = self.ask(conditions, &budget);
                match &response.answer {
                    Answer::Sat(inputs) => return self.found(inputs, &response, tried),
                    Answer::Unsat if self.is_refuted(conditions) => left.push(conditions),
                    Answer::Unsat if response.external => proved_by = "z3",
                    Answer::Unsat => {}
                    Answer::Unknown(_) => left.push(conditions),
                }
            }
        }
        let (verdict, member) =
            if left.is_empty() { (Solution::Unsat, Some(proved_by)) } else { (Solution::Unknown, None) };
        self.solved(verdict, member, tried)
    }

    fn is_refuted(&mut self, conditions: &[Condition]) -> bool {
        let Text { arena, grammar, inputs, .. } = self.text;
        let query = Query { arena, grammar, inputs, conditions, near: &self.near };
        let is_refuted = self.second.refutes(&query, conditions);
        if let Some(what) = self.second.counts.refuted.first() {
            self.error.get_or_insert(format!("two solvers disagree, please report it: {what}"));
        }
        is_refuted
    }

    fn ask(&mut self, conditions: &[Condition], budget: &Budget) -> Response {
        let Text { arena, grammar, inputs, .. } = self.text;
        let query = Query { arena, grammar, inputs, conditions, near: &self.near };
        let response = self.solvers.respond(&query, budget);
        if let Some(walk) = &response.walk {
            let sum = self.walk.get_or_insert_default();
            sum.evaluations += walk.evaluations;
            sum.steps += walk.steps;
            sum.starts += walk.starts;
        }
        if let Some(error) = &response.error {
            self.error.get_or_insert(error.to_string());
        }
        response
    }

    fn found(self, inputs: &[Term], response: &Response, tried: usize) -> Solved {
        let member = match response.walk {
            Some(walk) if walk.found => "walk",
            _ if response.external => "z3",
            _ => "structural",
        };
        let values = assignment(self.text, inputs);
        self.solved(values, Some(member), tried)
    }

    fn solved(self, verdict: Solution, member: Option<&'static str>, tried: usize) -> Solved {
        let alternatives = self.text.alternatives.len();
        Solved { verdict, member, walk: self.walk, alternatives, tried, error: self.error }
    }
}
