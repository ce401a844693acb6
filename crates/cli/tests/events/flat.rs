//! Flat programs made at random, in Core Erlang itself.

use host::Source;
use term::{Atom, Call};

use crate::constructs::ALL;
use crate::core::Program;
use crate::rig::{Rig, Tally};
use crate::seed;

const PROGRAMS: u64 = 40;
/// Programs of one VM.
const TOGETHER: u64 = 20;

/// Calls that both must run to an end, of which so many have a value.
const CALLS: usize = 2_000;
const VALUES: usize = 800;

#[test]
fn both_emit_the_same_events_of_flat_programs() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("events_flat");
    std::fs::create_dir_all(&folder).expect("a folder for programs");
    let (mut tally, mut rig, mut left_out) = (Tally::default(), None, Vec::new());
    for at in 0..PROGRAMS {
        if at % TOGETHER == 0 {
            rig = Some(Rig::new(std::env::temp_dir()));
        }
        let rig = rig.as_mut().expect("it was just made");
        let program = Program::new(seed().wrapping_mul(10_000) + at);
        let path = folder.join(&program.name).with_extension("core");
        std::fs::write(&path, &program.text).expect("a file");
        let added = rig.session.add(Source::CoreFile(path));
        if let Err(error) = added {
            // The compiler itself fails on some.
            assert!(error.to_string().contains("internal error"), "{}: {error}", program.name);
            left_out.push(program.name);
            continue;
        }
        let calls: Vec<Call> = program.calls.iter().map(|text| Call::read(text).expect("a call")).collect();
        rig.compare(Atom::new(&program.name), &calls, &mut tally);
    }
    println!("{:?}; left out: {left_out:?}", tally.constructs);
    tally.assert_agreement(CALLS);
    assert!(tally.values >= VALUES, "{} calls with a value are too few", tally.values);
    let missing: Vec<&str> = ALL.into_iter().filter(|it| !tally.constructs.contains_key(it)).collect();
    assert!(missing.is_empty(), "never run: {missing:?}");
}
