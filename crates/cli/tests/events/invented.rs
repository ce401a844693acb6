//! Programs invented at random: every part of the language in unusual places.

use term::{Atom, Call};

use crate::program::Program;
use crate::rig::{Rig, Tally, compiled};
use crate::seed;

const PROGRAMS: u64 = 7;

/// Of them, calls that both must run to an end.
const CALLS: usize = 1_200;

#[test]
fn both_emit_the_same_events_of_invented_programs() {
    let programs: Vec<Program> = (0..PROGRAMS).map(|at| Program::new(seed().wrapping_mul(1000) + 500 + at)).collect();
    let source = |program: &Program| (format!("{}.erl", program.name), program.text.clone());
    let folder = compiled("events_invented", &programs.iter().map(source).collect::<Vec<_>>());
    let mut tally = Tally::default();
    for program in programs.iter().filter(|program| folder.join(&program.name).with_extension("beam").exists()) {
        let calls: Vec<Call> = program.calls.iter().map(|text| Call::read(text).expect("a call")).collect();
        Rig::new(folder.clone()).compare(Atom::new(&program.name), &calls, &mut tally);
    }
    tally.assert_agreement(CALLS);
}
