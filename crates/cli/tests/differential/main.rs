//! Our machine against the real VM: generated calls of library functions must come to the same end on both.
//!
//! `HOUND_SEED` chooses the calls, `HOUND_CALLS` how many there are per function, `HOUND_ONLY` one module or function.

mod calls;
#[path = "../../../frontend/tests/check/mod.rs"]
mod check;
mod compare;
#[path = "../../../host/tests/cover/mod.rs"]
mod cover;
mod coverage;
mod flat;
mod float_text;
mod gaps;
mod generate;
mod instrumented;
mod prelude;
mod printing;
mod rig;
mod rules;
mod subjects;
mod suite;
mod symbolic;

use suite::{Plan, Tally};

/// The suite must be at least this large to mean something.
const MODULES: usize = 25;
const FUNCTIONS: usize = 400;
const CALLS: usize = 20_000;

#[test]
fn the_machine_agrees_with_the_vm() {
    let plan = Plan::from_environment();
    let tally = suite::run(&plan);
    println!("{tally}");
    let known = gaps::read(include_str!("gaps.txt"));
    let problems = tally.problems(&known, plan.is_default());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    if plan.only.is_none() {
        assert_size(&tally);
        assert!(known.len() * 100 < tally.functions(), "the list of gaps is longer than 1 % of the functions");
    }
}

fn assert_size(tally: &Tally) {
    assert!(tally.modules() >= MODULES, "{} modules are too few", tally.modules());
    assert!(tally.functions() >= FUNCTIONS, "{} functions are too few", tally.functions());
    assert!(tally.calls() >= CALLS, "{} calls are too few", tally.calls());
}
