//! Events of instrumented programs: in order, with values, bounded, and of one process alone.

use host::{CallResult, EventError, Host, Observed, Options};
use term::{Atom, Call, Outcome, Term};

const TELLER: &str = "module 'teller' ['many'/0,'some'/0,'apart'/0]
    attributes []
'many'/0 =
    fun () ->
        do call 'hound_events':'out' (1)
        apply 'many'/0 ()
'some'/0 =
    fun () ->
        do call 'hound_events':'out' (300,{'a',7})
        do call 'hound_events':'out' (2)
        call 'hound_events':'get' ()
'apart'/0 =
    fun () ->
        let <_P> = call 'erlang':'spawn' ('teller','some',[]) in
        do call 'erlang':'yield' ()
        do call 'hound_events':'out' (5)
        call 'hound_events':'erase' ()
end
";

fn teller() -> Host {
    let mut host = Host::start(Options::default()).expect("Erlang is installed");
    let beam = host.compile_core(TELLER, &[]).expect("a module");
    host.load(Atom::new("teller"), &beam).expect("it loads");
    host
}

fn call(function: &str) -> Call {
    Call { module: Atom::new("teller"), function: Atom::new(function), args: Vec::new() }
}

fn event(number: u32, value: Option<Term>) -> Observed {
    Observed { number, value }
}

#[test]
fn events_come_in_order_with_their_values_and_the_program_sees_none_of_it() {
    let (result, events) = teller().call_observed(&call("some"), 1 << 20);
    let value = Term::tuple([Term::atom_named("a"), Term::int(7)]);
    assert_eq!(events, Ok(vec![event(300, Some(value)), event(2, None)]));
    assert!(matches!(result, CallResult::Ended(Outcome::Value(Term::Nil(_)))));
}

#[test]
fn other_processes_tell_nothing() {
    let (_, events) = teller().call_observed(&call("apart"), 1 << 20);
    assert_eq!(events, Ok(vec![event(5, None)]));
}

#[test]
fn a_program_that_tells_without_end_is_ended() {
    let mut host = teller();
    let (result, events) = host.call_observed(&call("many"), 1 << 20);
    assert_eq!(events, Err(EventError::TooMany));
    assert!(matches!(result, CallResult::Killed(_)));
    let (_, events) = host.call_observed(&call("some"), 1 << 20);
    assert_eq!(events.map(|events| events.len()), Ok(2));
}

#[test]
fn nobody_listens_to_a_plain_call() {
    assert!(matches!(teller().call(&call("some")), CallResult::Ended(Outcome::Value(Term::Nil(_)))));
}
