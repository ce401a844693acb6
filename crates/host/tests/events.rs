//! Events of instrumented programs: in order, with values, bounded, and of one process alone.

use host::{CallResult, EventError, Host, Options, RecordedEvent};
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
        let <_F> = call 'erlang':'make_fun' ('erlang','get',0) in
        let <_A> = apply _F () in
        let <_B> = call 'erlang':'apply' ('erlang','erase',[]) in
        let <_S> = call 'erlang':'self' () in
        let <_C> = call 'erlang':'process_info' (_S,'dictionary') in
        [_A|[_B|[_C|call 'erlang':'get' ()]]]
'apart'/0 =
    fun () ->
        let <_P> = call 'erlang':'spawn' ('teller','some',[]) in
        do call 'erlang':'yield' ()
        do call 'hound_events':'out' (5)
        call 'erlang':'erase' ()
end
";

/// What the dictionary shows, in all the ways in which a program can look at it.
const NOTHING: &str = "[[],[],{dictionary,[]}]";

fn teller() -> Host {
    let mut host = Host::start(Options::default()).expect("Erlang is installed");
    let beam = host.compile_core(TELLER, &[]).expect("a module");
    host.load(Atom::new("teller"), &beam).expect("it loads");
    host
}

fn call(function: &str) -> Call {
    Call { module: Atom::new("teller"), function: Atom::new(function), args: Vec::new() }
}

fn event(number: u32, value: Option<Term>) -> RecordedEvent {
    RecordedEvent { number, value }
}

#[test]
fn events_come_in_order_with_their_values_and_the_program_sees_none_of_it() {
    let (result, events) = teller().call_observed(&call("some"), 1 << 20);
    let value = Term::tuple([Term::atom_named("a"), Term::int(7)]);
    assert_eq!(events, Ok(vec![event(300, Some(value)), event(2, None)]));
    assert!(matches!(result, CallResult::Ended(Outcome::Value(value)) if value.to_string() == NOTHING));
}

#[test]
fn other_processes_emit_nothing() {
    let (_, events) = teller().call_observed(&call("apart"), 1 << 20);
    assert_eq!(events, Ok(vec![event(5, None)]));
}

#[test]
fn a_program_that_emits_without_end_is_ended() {
    let mut host = teller();
    let mut first = 0;
    let (result, whole) = host.call_observed_by(&call("many"), 1 << 20, &mut |_| first += 1);
    assert_eq!(whole, Err(EventError::TooMany));
    assert!(first > 1_000, "the first of them are given: {first}");
    assert!(matches!(result, CallResult::Killed(_)));
    let (_, events) = host.call_observed(&call("some"), 1 << 20);
    assert_eq!(events.map(|events| events.len()), Ok(2));
}

#[test]
fn a_plain_call_emits_no_events() {
    let result = teller().call(&call("some"));
    assert!(matches!(result, CallResult::Ended(Outcome::Value(value)) if value.to_string() == NOTHING));
}
