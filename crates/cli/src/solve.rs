//! `hound solve`: the portfolio on a condition written as text.

mod asked;

use std::path::Path;
use std::time::Duration;

use constraint::{Condition, Text};
use report::{Solved, Verdict, WalkCounts};
use solve::structural::smallest;
use solve::{Answer, Budget, Members, Query, Reply};
use term::Term;

use crate::Printed;
use crate::failure::Failure;
use crate::options::{Format, SolveOptions};
use crate::z3::Z3;

/// The last resort: Z3 ends by the resources it may use.
const Z3_PATIENCE: Duration = Duration::from_secs(30);
/// Choices of the structural member.
const CHOICES: u64 = 10_000;
/// Two rounds through the alternatives: what Z3 may use, and how much of its evaluations the walk.
const ROUNDS: [(u64, u64); 2] = [(300_000, 20), (3_000_000, 1)];

pub(crate) fn solve(options: &SolveOptions) -> Result<(Printed, u8), Failure> {
    let text = read(&options.file)?;
    let solved = match text.asked.is_empty() {
        true => Solving::new(&text, options.evaluations).run(),
        false => asked::solve(text, members(), options)?,
    };
    let out = match options.format() {
        Format::Json => report::solved_line(&solved),
        Format::Text => report::solved_text(&solved),
    };
    Ok((Printed { out, err: String::new() }, solved.verdict.exit_code()))
}

fn read(path: &Path) -> Result<Text, Failure> {
    let shown = path.display();
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::NoFile(path.to_owned()),
        _ => Failure::Unusable(format!("{shown}: {error}")),
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        Failure::BadCondition(format!("{shown}:{line}:{column}: this is no UTF-8 text"))
    })?;
    Text::read(&text).map_err(|fault| Failure::BadCondition(format!("{shown}:{fault}")))
}

fn members() -> Members {
    Members::new(Some(Box::new(Z3::new("z3", Z3_PATIENCE))))
}

struct Solving<'a> {
    text: &'a Text,
    near: Vec<Term>,
    members: Members,
    evaluations: u64,
    walk: Option<WalkCounts>,
    error: Option<String>,
}

impl<'a> Solving<'a> {
    fn new(text: &'a Text, evaluations: u64) -> Solving<'a> {
        let simplest = |rule| smallest(&text.grammar, rule).unwrap_or(Term::int(0));
        Solving {
            near: text.inputs.iter().map(|rule| simplest(*rule)).collect(),
            members: members(),
            text,
            evaluations,
            walk: None,
            error: None,
        }
    }

    /// All alternatives with little effort, then those that are left with all of it.
    fn run(mut self) -> Solved {
        let mut left: Vec<&'a Vec<Condition>> = self.text.alternatives.iter().collect();
        let (mut tried, mut proved_by) = (0, "structural");
        for (round, (rlimit, share)) in ROUNDS.into_iter().enumerate() {
            for conditions in std::mem::take(&mut left) {
                tried += usize::from(round == 0);
                let budget = Budget { choices: CHOICES, rlimit, walk: self.evaluations.div_ceil(share) };
                let reply = self.ask(conditions, &budget);
                match &reply.answer {
                    Answer::Sat(inputs) => return self.found(inputs, &reply, tried),
                    Answer::Unsat if reply.outside => proved_by = "z3",
                    Answer::Unsat => {}
                    Answer::Unknown(_) => left.push(conditions),
                }
            }
        }
        let (verdict, member) =
            if left.is_empty() { (Verdict::None, Some(proved_by)) } else { (Verdict::Unknown, None) };
        self.solved(verdict, member, tried)
    }

    fn ask(&mut self, conditions: &[Condition], budget: &Budget) -> Reply {
        let Text { arena, grammar, inputs, .. } = self.text;
        let query = Query { arena, grammar, inputs, conditions, near: &self.near };
        let reply = self.members.reply(&query, budget);
        if let Some(walk) = &reply.walk {
            let sum = self.walk.get_or_insert_default();
            sum.evaluations += walk.evaluations;
            sum.steps += walk.steps;
            sum.starts += walk.starts;
        }
        if let Some(error) = &reply.error {
            self.error.get_or_insert(error.to_string());
        }
        reply
    }

    fn found(self, inputs: &[Term], reply: &Reply, tried: usize) -> Solved {
        let values = self.text.names.iter().cloned().zip(inputs.iter().map(Term::to_string)).collect();
        let member = match reply.walk {
            Some(walk) if walk.found => "walk",
            _ if reply.outside => "z3",
            _ => "structural",
        };
        self.solved(Verdict::Found(values), Some(member), tried)
    }

    fn solved(self, verdict: Verdict, member: Option<&'static str>, tried: usize) -> Solved {
        let alternatives = self.text.alternatives.len();
        Solved { verdict, member, walk: self.walk, alternatives, tried, error: self.error }
    }
}
