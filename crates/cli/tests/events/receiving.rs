//! Functions that receive: the instrumented program gives what the original gives, and the events that it emits fit
//! together. Our machine cannot run them alone.

use frontend::core::Name;
use rebuild::symbolic;
use term::{Atom, Call, Term};

use crate::rig::{Rig, answer, compiled};

const PROGRAM: &str = include_str!("../instrument/receivers.erl");

#[test]
fn functions_that_receive_give_what_they_gave() {
    let calls: Vec<Call> = texts().iter().map(|text| Call::read(text).expect("a call")).collect();
    let mut rig = Rig::new(compiled("events_receiving", &[("receivers.erl".to_owned(), PROGRAM.to_owned())]));
    let originals: Vec<_> = calls.iter().map(|call| answer(rig.session.host().call(call)).expect("an end")).collect();
    let table = rig.instrument(Atom::new("receivers"));
    let mut received = 0;
    for (call, original) in calls.iter().zip(originals) {
        let (result, events) = rig.session.host().call_observed(call, 1 << 20);
        let instrumented = answer(result).expect("an end");
        assert!(instrumented.agrees(&original), "{call}\n  original:     {original}\n  instrumented: {instrumented}");
        let events = events.expect("events");
        let function = Name { function: call.function, arity: call.args.len() as u8 };
        assert!(table.emits(function), "{call} emits nothing");
        let events: Vec<(u32, Option<&Term>)> = events.iter().map(|it| (it.number, it.value.as_ref())).collect();
        let text = |(number, value): &(u32, Option<&Term>)| {
            let (function, event) = table.event(*number).expect("an event");
            frontend::instrument::note(function, event, *value)
        };
        let notes: Vec<String> = events.iter().map(text).collect();
        received += notes.iter().filter(|note| note.ends_with("primop timeout())") || note.contains(",{item,")).count();
        let raised = matches!(instrumented, crate::compare::Answer::Raised(..));
        assert!(raised || symbolic(&table, function, &events).is_some(), "{call}\n{}", notes.join("\n"));
    }
    assert!(received > 60, "{received} messages and timeouts are too few");
}

fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    for n in 0..12 {
        let items: Vec<String> = (0..n).map(|item| (item * n % 10).to_string()).collect();
        texts.push(format!("receivers:sum({},[{}])", n * 3, items.join(",")));
        texts.push(format!(
            "receivers:kept([{}])",
            items.iter().map(|it| format!("9{it}")).collect::<Vec<_>>().join(",")
        ));
        texts.push(format!("receivers:kept([{},102,101])", 100 + n));
        texts.push(format!("receivers:asked({})", n + 8));
        texts.push(format!("receivers:own({})", 1230 + n));
        texts.push(format!("receivers:late({n},{})", n % 7));
        texts.push(format!("receivers:caught({{{},{}}})", n * 10, 50 + n));
    }
    for word in ["a", "b", "c"] {
        texts.push(format!("receivers:nested({word})"));
    }
    texts.extend(["0", "1", "word"].map(|time| format!("receivers:time({time})")));
    texts
}
