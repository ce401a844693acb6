//! What a session keeps to itself: persistent terms, output to the VM's devices, things that references stand for.

use host::{CallResult, Host, Options, StatefulProcess};
use term::{Atom, Call, Outcome, Term};

/// A host with one session.
struct Run {
    host: Host,
    session: StatefulProcess,
}

impl Run {
    fn start() -> Run {
        let mut host = Host::start(Options::default()).unwrap_or_else(|error| panic!("{error}"));
        let session = host.open_process();
        Run { host, session }
    }

    fn call(&mut self, name: &str, args: &[Term]) -> Result<Term, Term> {
        let (module, function) = name.split_once(':').expect("m:f");
        let call = Call { module: Atom::new(module), function: Atom::new(function), args: args.to_vec() };
        match self.host.process_call(self.session, &call) {
            CallResult::Ended(Outcome::Value(value)) => Ok(value),
            CallResult::Ended(Outcome::Raised(raised)) => Err(raised.reason),
            _ => panic!("{name} did not end"),
        }
    }
}

fn atom(name: &str) -> Term {
    Term::atom_named(name)
}

#[test]
fn persistent_terms_of_a_session_are_not_seen_by_others() {
    let mut run = Run::start();
    let key = [atom("hound_test_key")];
    let entry = [key[0].clone(), Term::int(1)];
    assert_eq!(run.call("persistent_term:get", &key), Err(atom("badarg")));
    assert_eq!(run.call("persistent_term:put", &entry), Ok(atom("ok")));
    assert_eq!(run.call("persistent_term:get", &key), Ok(Term::int(1)));
    run.session = run.host.open_process();
    assert_eq!(run.call("persistent_term:get", &[key[0].clone(), atom("none")]), Ok(atom("none")));
    assert_eq!(run.call("persistent_term:erase", &key), Ok(atom("false")));
}

#[test]
fn a_session_erases_only_for_itself() {
    let mut run = Run::start();
    let all = run.call("persistent_term:get", &[]).expect("a list");
    let Some([key, value]) = all.cells().next().and_then(Term::as_tuple) else { panic!("the VM has none") };
    assert_eq!(run.call("persistent_term:erase", std::slice::from_ref(key)), Ok(atom("true")));
    assert_eq!(run.call("persistent_term:get", std::slice::from_ref(key)), Err(atom("badarg")));
    run.session = run.host.open_process();
    assert_eq!(run.call("persistent_term:get", std::slice::from_ref(key)).as_ref(), Ok(value));
}

#[test]
fn what_a_reference_stands_for_outlives_a_collection() {
    let mut run = Run::start();
    let counter = run.call("counters:new", &[Term::int(2), Term::nil()]).expect("a counter");
    for _ in 0..3 {
        assert_eq!(run.call("erlang:garbage_collect", &[]), Ok(atom("true")));
    }
    assert_eq!(run.call("counters:add", &[counter.clone(), Term::int(1), Term::int(5)]), Ok(atom("ok")));
    assert_eq!(run.call("counters:get", &[counter, Term::int(1)]), Ok(Term::int(5)));
}

#[test]
fn output_to_the_devices_of_the_vm_is_captured() {
    let mut run = Run::start();
    for device in ["user", "standard_error", "standard_io"] {
        assert_eq!(run.call("io:put_chars", &[atom(device), Term::string(device)]), Ok(atom("ok")));
        assert_eq!(run.call("io:nl", &[atom(device)]), Ok(atom("ok")));
    }
    // Without a device the atom is what is to be written.
    assert_eq!(run.call("io:write", &[atom("user")]), Ok(atom("ok")));
    assert_eq!(run.call("erlang:display", &[Term::tuple([atom("a"), Term::int(1)])]), Ok(atom("true")));
    let output = run.host.process_output(run.session).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(String::from_utf8_lossy(&output), "user\nstandard_error\nstandard_io\nuser{a,1}\n");
}
