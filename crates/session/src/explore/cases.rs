//! The calls of an exploration that tests are written from: each is repeated on the real VM first.

use rustc_hash::FxHashSet;
use search::{TakenBranch, TestCase};
use term::{Call, Mfa};

use crate::Session;
use crate::confirm::is_same_ending;
use crate::job::JobResult;

/// Returns a call for each finding, and as few others as take every branch that calls of the exploration take, those with
/// the smallest inputs first. All end on the VM as they did on our machine.
pub fn covering_cases(session: &Session, result: &JobResult) -> Vec<TestCase> {
    let is_repeated = |case: &TestCase| is_repeated(session, result.driver.unwrap_or(result.function), case);
    let mut chosen: Vec<TestCase> = result.finding_tests().filter(&is_repeated).collect();
    let mut covered: FxHashSet<TakenBranch> = FxHashSet::default();
    let mut open: Vec<TestCase> = Vec::new();
    for case in result.path_tests() {
        match chosen.iter().any(|other| other.stimulus.inputs == case.stimulus.inputs) {
            true => covered.extend(&case.branches),
            false => open.push(case),
        }
    }
    open.sort_by_cached_key(|case| case.stimulus.inputs.iter().map(|input| input.to_string().len()).sum::<usize>());
    while let Some(at) = most_useful(&open, &covered) {
        let case = open.remove(at);
        // A function without branches has one case.
        if is_repeated(&case) {
            covered.extend(&case.branches);
            chosen.push(case);
        }
    }
    if chosen.is_empty() {
        chosen.extend(open.into_iter().find(is_repeated));
    }
    chosen
}

/// The first of those that take the most branches which none takes yet.
fn most_useful(open: &[TestCase], covered: &FxHashSet<TakenBranch>) -> Option<usize> {
    let new = |case: &TestCase| case.branches.iter().filter(|branch| !covered.contains(*branch)).count();
    let counts = open.iter().map(new).enumerate().filter(|(_, count)| *count > 0);
    counts.max_by_key(|(at, count)| (*count, std::cmp::Reverse(*at))).map(|(at, _)| at)
}

/// True if the VM gives what our machine gave. Inputs that need their process's state, for one, may not.
fn is_repeated(session: &Session, function: Mfa, case: &TestCase) -> bool {
    let call = Call { module: function.module, function: function.function, args: case.stimulus.inputs.clone() };
    is_same_ending(&case.ending, &session.host().confirm(&call))
}
