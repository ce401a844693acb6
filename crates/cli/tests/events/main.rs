//! The events of runs: our machine, which runs the program and emits them, and the real VM, which runs the
//! instrumented program, emit the same; and that program gives what the original gives.
//!
//! `HOUND_SEED` chooses the calls and the programs.

mod constructs;
mod core;
mod corpus;
mod covered;
mod flat;
mod invented;
mod rebuilt;
mod receiving;
mod rig;
mod text;

#[path = "../../../frontend/tests/check/mod.rs"]
mod check;

#[allow(dead_code, reason = "the other suites use more of it")]
#[path = "../differential/calls.rs"]
mod calls;
#[allow(dead_code, reason = "the other suites use more of it")]
#[path = "../differential/compare.rs"]
mod compare;
#[allow(dead_code, reason = "the other suites use more of it")]
#[path = "../invented/expressions.rs"]
mod expressions;
#[allow(dead_code, reason = "the other suites use more of it")]
#[path = "../differential/generate.rs"]
mod generate;
#[path = "../invented/guards.rs"]
mod guards;
#[path = "../invented/kinds.rs"]
mod kinds;
#[path = "../invented/patterns.rs"]
mod patterns;
#[path = "../invented/program.rs"]
mod program;
#[allow(dead_code, reason = "the other suites use more of it")]
#[path = "../differential/subjects.rs"]
mod subjects;

fn seed() -> u64 {
    std::env::var("HOUND_SEED").ok().map_or(1, |text| text.parse().expect("a number"))
}
