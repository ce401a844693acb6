//! Answers with a model claimed to have none: the second opinion never confirms that, and often finds inputs.

use std::cell::RefCell;
use std::rc::Rc;

use clap::Parser;
use cli::options::{Command, CommandLine};
use search::reach::{Goal, GoalResult};
use search::{ConfirmAll, ExplorationOptions, Go, MachineSubject};
use session::reach::reach;
use session::{Monitor, SessionOptions, explore};
use solve::{Answer, Budget, Executor, Portfolio, Query, RecheckCounts, Rechecker, Response, Solvers};

use crate::answers::programs;
use crate::{number, z3};

/// Runs of each function; HOUND_RUNS says how many.
const RUNS: u64 = 20;

/// A solver whose models are forgotten for the second one.
struct Audit {
    solver: Portfolio,
    second: Rechecker,
    counts: Rc<RefCell<Vec<String>>>,
}

impl Executor for Audit {
    fn execute(
        &mut self,
        queries: &[Query<'_>],
        budget: &Budget,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Option<Response>> {
        let responses = self.solver.execute(queries, budget, go_on);
        for (query, response) in queries.iter().zip(&responses) {
            if let Some(Response { answer: Answer::Sat(inputs), .. }) = response {
                let before = self.second.counts.confirmed;
                self.second.refutes(query, query.conditions);
                if self.second.counts.confirmed > before {
                    let conditions: Vec<String> =
                        query.conditions.iter().map(|it| query.arena.show_condition(it)).collect();
                    self.counts.borrow_mut().push(format!("{inputs:?} meets {}", conditions.join(" and ")));
                }
            }
        }
        responses
    }
}

/// The counts of all claims.
#[derive(Default)]
struct Audits {
    undecided: u64,
    refuted: usize,
    confirmed: Vec<String>,
}

impl Monitor for Audits {
    fn searched(&mut self, subjects: &mut [MachineSubject<'_>], _: &[Goal], _: &[GoalResult]) {
        for subject in subjects {
            let counts = Rc::new(RefCell::new(Vec::new()));
            let second = Rechecker::new(Box::new(z3()), 1);
            let solver = Portfolio::with(Box::new(Solvers::new(Some(Box::new(z3())))));
            let mut audit = Audit { solver, second, counts: Rc::clone(&counts) };
            let options = ExplorationOptions {
                max_runs: number("HOUND_RUNS", RUNS),
                max_shrink: 0,
                ..ExplorationOptions::default()
            };
            search::explore(subject, &mut audit, &mut ConfirmAll, &options, &mut |_: &_| Go::On);
            let RecheckCounts { undecided, refuted, .. } = &audit.second.counts;
            self.undecided += undecided;
            self.refuted += refuted.len();
            self.confirmed.extend(counts.borrow().iter().cloned());
        }
    }
}

#[test]
fn no_claim_is_confirmed_that_inputs_refute() {
    let mut audits = Audits::default();
    for file in programs() {
        let file = file.to_str().expect("UTF-8");
        // Where the target is makes no difference: all exported functions are entries.
        let (_, functions) = explore::open(&[file.to_owned()], &SessionOptions::default()).expect(file);
        let target = functions.first().expect("functions").to_string();
        let words = ["hound", "reach", "--runs", "1", "--workers", "1", file, &target];
        let request = match CommandLine::try_parse_from(words).expect("good words").command {
            Command::Reach(options) => options.request(),
            _ => unreachable!("the word says reach"),
        };
        reach(&request, &mut audits).unwrap_or_else(|failure| panic!("{file}: {failure}"));
    }
    let Audits { undecided, refuted, confirmed } = audits;
    println!(
        "claims that inputs refute: {refuted} refuted, {undecided} undecided, {} confirmed against them",
        confirmed.len()
    );
    assert!(confirmed.is_empty(), "{}", confirmed.join("\n"));
    assert!(refuted as u64 > undecided, "{refuted} refuted, {undecided} undecided");
}
