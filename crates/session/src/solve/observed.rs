//! Conditions on functions: these are called wherever a strategy or the walk needs their results.

use constraint::{Arena, Condition, Evaluator, Expr, Grammar, Node, RuleId, Text, outcome_term};
use exec::forward::{Limits as RunLimits, Machine, Options as Recording};
use host::Deadline;
use solve::opaque::{Limits, OpaqueAnswer, OpaqueQuery, Sampler, in_order};
use solve::structural::accepts;
use solve::{Answer, Budget, Query, Solvers, WalkStats, opaque};
use term::{Call, Mfa, Term, known};

use super::{Solution, Solved, WalkCounts, assignment, simplest};
use crate::{Failure, Opened, Session, SessionOptions};

/// A point that needs calls costs as much as so many others.
const CALLING: u64 = 100;
/// Steps that one call may take.
const STEPS: u64 = 1_000_000;
/// Bytes that one call may take.
const MEMORY: usize = 256 << 20;
/// Numbers that all variables are at first, one after the other, until the functions give integers.
const FIRST: [i64; 6] = [0, 1, 2, 10, -1, 100];

/// Solves a condition that calls functions.
pub fn solve(
    text: Text,
    file: &str,
    evaluations: u64,
    end: Deadline,
    code: &SessionOptions,
) -> Result<Solved, Failure> {
    let budget = Budget { choices: Budget::LAST.choices, ..Budget::FIRST };
    let walk = evaluations.div_ceil(CALLING);
    let session = Opened::new(code, &[])?.session.until(Some(end));
    session.host().end = Some(end);
    let solvers = Solvers::new(Some(super::z3(end)));
    let machine = Machine::new(RunLimits { steps: STEPS, memory: MEMORY }, Recording::default());
    let mut sampler = CallSampler { text, solvers, machine, session, budget };
    sampler.check(file)?;
    let (mut tried, mut unknown) = (0, false);
    let limits = Limits { walk, questions: 400, samples: 200, ..Limits::default() };
    for conditions in sampler.text.alternatives.clone() {
        if end.is_over() {
            unknown = true;
            break;
        }
        tried += 1;
        let near = sampler.near(&conditions);
        let (inputs, outcome) = (sampler.text.inputs.clone(), sampler.text.outcome);
        let query = OpaqueQuery { inputs: &inputs, outcome, conditions: &conditions, near: &near, limits };
        match opaque::solve(&mut sampler, query) {
            Some(OpaqueAnswer::Sat(inputs, strategy)) => {
                let member = if strategy.walk.is_some() { "walk" } else { "strategy" };
                return Ok(sampler.solved(assignment(&sampler.text, &inputs), Some(member), strategy.walk, tried));
            }
            Some(OpaqueAnswer::Unsat) => {}
            Some(_) => unknown = true,
            // This alternative calls no function.
            None => match sampler.solve(&inputs, &conditions, &near) {
                Some(Answer::Sat(inputs)) => {
                    return Ok(sampler.solved(assignment(&sampler.text, &inputs), Some("structural"), None, tried));
                }
                Some(Answer::Unsat) => {}
                _ => unknown = true,
            },
        }
    }
    let (verdict, member) = if unknown { (Solution::Unknown, None) } else { (Solution::Unsat, Some("strategy")) };
    Ok(sampler.solved(verdict, member, None, tried))
}

struct CallSampler {
    text: Text,
    solvers: Solvers,
    machine: Machine,
    session: Session,
    budget: Budget,
}

impl CallSampler {
    /// Every function gives an integer somewhere.
    fn check(&mut self, file: &str) -> Result<(), Failure> {
        for (function, line, column) in self.text.asked.clone() {
            let point = |first: i64| vec![Term::int(first); usize::from(function.arity)];
            let given: Vec<Term> =
                FIRST.iter().filter_map(|first| self.observe(function, &point(*first), &[])).collect();
            let wrong = match given.first() {
                _ if given.iter().any(is_integer) => continue,
                Some(outcome) if is_missing(outcome) => format!("there is no function {function}"),
                Some(outcome) => format!("{function} gives no integer for integers, but {outcome}"),
                None => format!("{function} cannot be asked: there is no such function, or it does more than compute"),
            };
            return Err(Failure::BadCondition(format!("{file}:{line}:{column}: {wrong}")));
        }
        Ok(())
    }

    /// Inputs for which all functions give integers, if there are such among the simplest.
    fn near(&mut self, conditions: &[Condition]) -> Vec<Term> {
        let rules = self.text.inputs.clone();
        let simplest = simplest(&self.text);
        let others = FIRST.iter().map(|first| {
            let fit = |(rule, simplest): (&RuleId, &Term)| {
                let values = [Term::int(*first), Term::float(*first as f64)];
                let fitting = values.into_iter().find(|value| accepts(&self.text.grammar, *rule, value));
                fitting.unwrap_or_else(|| simplest.clone())
            };
            rules.iter().zip(&simplest).map(fit).collect()
        });
        let candidates: Vec<Vec<Term>> = std::iter::once(simplest.clone()).chain(others).collect();
        candidates.into_iter().find(|inputs| self.is_defined(conditions, inputs)).unwrap_or(simplest)
    }

    fn is_defined(&mut self, conditions: &[Condition], inputs: &[Term]) -> bool {
        in_order(&self.text.arena, conditions).into_iter().all(|call| {
            let Node::Opaque(function, args) = self.text.arena.node(call).clone() else { return false };
            let mut evaluator = Evaluator::new(&self.text.arena, inputs);
            let args = args.iter().map(|arg| evaluator.value(*arg)).collect::<Result<Vec<Term>, _>>();
            args.is_ok_and(|args| self.observe(function, &args, inputs).is_some_and(|outcome| is_integer(&outcome)))
        })
    }

    fn solved(&self, verdict: Solution, member: Option<&'static str>, walk: Option<WalkStats>, tried: usize) -> Solved {
        let counts =
            |walk: WalkStats| WalkCounts { evaluations: walk.evaluations, steps: walk.steps, starts: walk.starts };
        let walk = walk.map(counts);
        Solved { verdict, member, walk, alternatives: self.text.alternatives.len(), tried, error: None }
    }
}

/// `{error, undef}`
fn is_missing(outcome: &Term) -> bool {
    matches!(outcome.as_tuple(), Some([_, reason]) if reason.as_atom() == Some(known::UNDEF))
}

fn is_integer(outcome: &Term) -> bool {
    matches!(outcome.as_tuple(), Some([value]) if value.is_integer())
}

impl Sampler for CallSampler {
    fn arena(&mut self) -> &mut Arena {
        &mut self.text.arena
    }

    fn terms(&self) -> (&Arena, &Grammar) {
        (&self.text.arena, &self.text.grammar)
    }

    fn solve(&mut self, inputs: &[RuleId], conditions: &[Condition], near: &[Term]) -> Option<Answer> {
        let Text { arena, grammar, .. } = &self.text;
        let query = Query { arena, grammar, inputs, conditions, near };
        Some(query.checked(self.solvers.respond(&query, &self.budget).answer))
    }

    fn observe(&mut self, function: Mfa, args: &[Term], _: &[Term]) -> Option<Term> {
        if let Some(known) = self.text.arena.samples.outcome(function, args) {
            return Some(known.clone());
        }
        let call = Call { module: function.module, function: function.function, args: args.to_vec() };
        let outcome = outcome_term(&self.machine.sample(&mut self.session, &call)?);
        self.text.arena.samples.learn(function, args, outcome);
        self.text.arena.samples.outcome(function, args).cloned()
    }

    fn call(&mut self, function: Mfa, args: &[Term]) -> Option<Term> {
        let call = Call { module: function.module, function: function.function, args: args.to_vec() };
        self.machine.sample(&mut self.session, &call).map(|outcome| outcome_term(&outcome))
    }

    fn certain(&mut self, _: Mfa, _: Expr, _: bool) -> Vec<Condition> {
        Vec::new()
    }
}
