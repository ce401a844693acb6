//! OTP's compiler as a test program: every pass, run on our machine, gives what it gives on the real VM.

use std::path::Path;

use exec::forward::{Ending, Limits, Machine, Options};
use host::{CallResult, Host};
use session::Session;
use term::{Atom, Call, Outcome, Term};

/// The modules to compile: between them they have funs, guards, comprehensions, binaries and maps.
const SUBJECTS: [&str; 3] = ["orddict", "base64", "erl_anno"];

fn call(function: &str, arg: Term) -> Call {
    Call { module: Atom::new("hound_passes"), function: Atom::new(function), args: vec![arg] }
}

fn on_vm(host: &mut Host, call: &Call) -> Term {
    match host.call(call) {
        CallResult::Ended(Outcome::Value(value)) => value,
        CallResult::Ended(Outcome::Raised(raised)) => panic!("{raised:?}"),
        _ => panic!("no answer from the VM"),
    }
}

#[test]
fn the_compiler_compiles_the_same_on_both_machines() {
    let limits = host::CallLimits { millis: 120_000, ..host::CallLimits::default() };
    let host = Host::start(host::Options { limits, ..host::Options::default() }).expect("Erlang");
    let mut session = Session::from(host);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/hound_passes.erl");
    session.add_file(&path).expect("it compiles");
    let mut machine = Machine::new(Limits::default(), Options::default());
    for subject in SUBJECTS {
        let forms = on_vm(&mut session.host(), &call("forms", Term::atom_named(subject)));
        let passes = call("passes", forms);
        let theirs = on_vm(&mut session.host(), &passes);
        match machine.run(&mut session, &passes).ending {
            Ending::Value(value) => assert_eq!(value.to_string(), theirs.to_string(), "{subject}"),
            other => panic!("{subject}: {other:?}"),
        }
    }
}
