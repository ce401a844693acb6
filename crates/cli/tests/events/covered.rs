//! Test cases that follow from one call select every clause that can be selected: seen by running them on the VM.

use std::collections::BTreeSet;
use std::path::Path;

use frontend::core::Name;
use frontend::flat::value_text;
use frontend::instrument::{Called, EventEntry, EventTable};
use host::{Host, Options};
use session::Session;
use session::instrument::{EndedCase, cases};
use term::{Atom, Call};

/// Calls to begin with, each with the depth that its clauses need.
const GATES: [(&str, usize); 16] = [
    ("gates:n(1)", 3),
    ("gates:both(a, b)", 3),
    ("gates:shape(a)", 3),
    ("gates:conf(a)", 3),
    ("gates:packet(a)", 3),
    ("gates:parse([])", 5),
    ("gates:rec(a)", 3),
    ("gates:total([])", 2),
    ("gates:safe(a)", 3),
    ("gates:twice(1, 1)", 3),
    ("gates:look(a, [])", 3),
    ("gates:nested(1, 2)", 3),
    ("gates:str([])", 3),
    ("gates:calc(1)", 3),
    ("gates:either(1)", 3),
    ("gates:state(a)", 3),
];
const LEDGERS: [(&str, usize); 13] = [
    ("ledgers:bank([], 0)", 2),
    ("ledgers:tok([])", 2),
    ("ledgers:tree(1, leaf)", 2),
    ("ledgers:bin(a)", 3),
    ("ledgers:fsm([])", 3),
    ("ledgers:sorted([])", 3),
    ("ledgers:opt(nothing)", 3),
    ("ledgers:key(a, b)", 3),
    ("ledgers:fl(1)", 3),
    ("ledgers:ut(a)", 3),
    ("ledgers:word(a)", 3),
    ("ledgers:app(a, b)", 3),
    ("ledgers:filt([])", 2),
];

const ORDERS: [(&str, usize); 17] = [
    ("orders:json(a)", 3),
    ("orders:route(a, b)", 7),
    ("orders:price(a)", 3),
    ("orders:inv(a, [])", 3),
    ("orders:cmd(a)", 3),
    ("orders:ip(a)", 3),
    ("orders:rle([])", 2),
    ("orders:bal([])", 2),
    ("orders:vis(a, b)", 3),
    ("orders:merge([], [])", 1),
    ("orders:mat(a)", 4),
    ("orders:cfg([])", 3),
    ("orders:calls({r, []})", 3),
    ("orders:dispatch(a, b)", 3),
    ("orders:after_(error)", 3),
    ("orders:reraise(1)", 3),
    ("orders:big(1)", 3),
];

/// For each call how many cases follow from it, and the clauses of the functions that they lead to which none selects.
/// What is shown must be impossible: the compiler's last clause after one that takes everything, mostly.
fn uncovered(program: &str, calls: &[(&str, usize)]) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/instrument").join(program);
    let host = Host::start(Options::default()).expect("Erlang is installed");
    let session = Session::from(host);
    let module = session.add_file(&path).expect("a program");
    let table = session.instrument(module).expect("it can emit events");
    let mut text = String::new();
    for (call, depth) in calls {
        let call = Call::read(call).expect("a call");
        let cases = cases(&session, &table, &call, *depth);
        let seen = seen(&session, &call, &cases);
        text.push_str(&format!("{call}: {} cases\n", cases.len()));
        let entry = Name { function: call.function, arity: call.args.len() as u8 };
        for (number, clause, function) in clauses(&table, entry) {
            if !seen.contains(&number) {
                text.push_str(&format!("    {function}: {clause}\n"));
            }
        }
    }
    text
}

/// The events of all the cases.
fn seen(session: &Session, call: &Call, cases: &[EndedCase]) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    for EndedCase { args, .. } in cases {
        let call = Call { args: args.clone(), ..call.clone() };
        let (_, events) = session.host().call_observed(&call, 1 << 24);
        seen.extend(events.expect("events").iter().map(|event| event.number));
    }
    seen
}

/// The events of clauses, in a function and all that it calls: each clause with how many there are.
fn clauses(table: &EventTable, entry: Name) -> Vec<(u32, String, Atom)> {
    let (mut open, mut known, mut found) = (vec![entry], vec![entry], Vec::new());
    while let Some(name) = open.pop() {
        let function = table.function(name).expect("a function");
        for (number, event) in (function.first..).zip(&function.events) {
            match event {
                EventEntry::Case { clause, case, .. } => {
                    let args: Vec<String> = case.args.iter().map(|arg| value_text(arg, &function.names)).collect();
                    let text = format!("{} of {} of {}", clause + 1, case.alternatives.len(), args.join(","));
                    found.push((number, text, name.function));
                }
                EventEntry::Call { called: Called::Own(other), .. } if !known.contains(other) => {
                    known.push(*other);
                    open.push(*other);
                }
                _ => {}
            }
        }
    }
    found
}

#[test]
fn every_clause_behind_guards_and_patterns_is_selected() {
    insta::assert_snapshot!(uncovered("gates.erl", &GATES));
}

#[test]
fn every_clause_behind_recursion_and_libraries_is_selected() {
    insta::assert_snapshot!(uncovered("ledgers.erl", &LEDGERS));
}

#[test]
fn every_clause_of_programs_as_people_write_them_is_selected() {
    insta::assert_snapshot!(uncovered("orders.erl", &ORDERS));
}
