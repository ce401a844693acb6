//! Findings: one per kind of crash, small, confirmed; and what is none.

use exec::forward::Ending;
use search::{Confirmation, ExplorationOptions, Go, Ignore, Signature, Verdict, explore};

use crate::fake::{Every, Fake, Probe, Vm, calls, causes, crash, raise, search, value};

/// Every value from 50 on crashes on a path of its own, all at the same place; from 90 on the reason has another shape.
fn many(probe: &mut Probe<'_>) -> Ending {
    if probe.less(1, 0, 50) {
        return value();
    }
    for limit in 51..99 {
        if probe.less(2, 0, limit) {
            break;
        }
    }
    if probe.less(3, 0, 90) { crash(&format!("{{badmatch, {}}}", probe.value(0)), 4) } else { crash("badarg", 4) }
}

#[test]
fn crashes_of_one_kind_are_one_finding_with_a_small_witness() {
    let found = search(&mut Fake::new(1, many), 100, &ExplorationOptions::default());
    assert_eq!(calls(&found), ["50", "90"]);
    assert_eq!(found.findings.iter().map(|finding| finding.paths).collect::<Vec<_>>(), [40, 9]);
    assert!(found.complete && found.statistics.shrink_runs > 0);
    assert_eq!(found.findings[0].text, "{badmatch,50}");
}

#[test]
fn a_witness_shrinks_within_its_budget_and_the_grammar() {
    let program = |probe: &mut Probe<'_>| if probe.less(1, 0, 77) { value() } else { crash("big", 3) };
    let seeds = vec![vec![term::Term::int(99)]];
    let options = ExplorationOptions { seeds, max_shrink: 0, max_runs: 2, ..ExplorationOptions::default() };
    assert_eq!(calls(&search(&mut Fake::new(1, program), 100, &options)), ["99"]);
    let options = ExplorationOptions { max_shrink: 100, ..options };
    assert_eq!(calls(&search(&mut Fake::new(1, program), 100, &options)), ["77"]);
}

fn one(probe: &mut Probe<'_>) -> Ending {
    if probe.less(1, 0, 3) { value() } else { crash("bug", 2) }
}

#[test]
fn what_the_vm_does_not_confirm_is_no_finding() {
    let answers = [
        (Confirmation::Different { got: "ok".into() }, vec![("unconfirmed", 1)]),
        (Confirmation::Limit { what: "time".into() }, vec![("replay", 1)]),
        (Confirmation::Dead { what: "killed".into() }, vec![("vm", 1), ("unconfirmed", 1)]),
    ];
    for (answer, expected) in answers {
        let mut vm = Vm { answer: Some(answer), asked: 0 };
        let mut solver = Every { below: 9, refuses: None };
        let found =
            explore(&mut Fake::new(1, one), &mut solver, &mut vm, &ExplorationOptions::default(), &mut |_| Go::On);
        // A limit refutes nothing.
        let refuted = usize::from(expected[0].0 != "replay");
        assert_eq!((found.verdict, found.findings.len(), found.unconfirmed.len()), (Verdict::Incomplete, 0, refuted));
        assert_eq!(causes(&found), expected);
    }
}

#[test]
fn a_finding_knows_if_the_vm_followed_its_schedule() {
    let text = || "** bug".to_owned();
    for (answer, replayed) in
        [(Confirmation::Same { text: text() }, true), (Confirmation::Unscheduled { text: text() }, false)]
    {
        let mut vm = Vm { answer: Some(answer), asked: 0 };
        let mut solver = Every { below: 9, refuses: None };
        let found =
            explore(&mut Fake::new(1, one), &mut solver, &mut vm, &ExplorationOptions::default(), &mut |_| Go::On);
        assert_eq!((found.verdict, found.findings.len()), (Verdict::Crash, 1));
        assert_eq!(found.findings[0].replayed, replayed);
    }
}

#[test]
fn the_vm_is_not_asked_for_ever_about_one_kind() {
    let mut vm = Vm { answer: Some(Confirmation::Different { got: "ok".into() }), asked: 0 };
    let mut solver = Every { below: 100, refuses: None };
    let found = explore(&mut Fake::new(1, many), &mut solver, &mut vm, &ExplorationOptions::default(), &mut |_| Go::On);
    assert_eq!(found.unconfirmed.iter().map(|doubt| doubt.paths).collect::<Vec<_>>(), [40, 9]);
    assert!(vm.asked <= 12, "{}", vm.asked);
}

#[test]
fn ignored_exceptions_are_counted_and_the_function_is_not_safe() {
    let rule = |text| Ignore::parse(text).unwrap_or_else(|error| panic!("{error}"));
    for (text, verdict) in [("error", Verdict::Ignored), ("error:bug", Verdict::Ignored), ("throw", Verdict::Crash)] {
        let found = search(
            &mut Fake::new(1, one),
            9,
            &ExplorationOptions { ignore: vec![rule(text)], ..ExplorationOptions::default() },
        );
        assert_eq!(found.verdict, verdict, "{text}");
        let ignored: Vec<_> = found.ignored.iter().map(|it| (it.rule.as_str(), it.crashes, it.paths)).collect();
        let expected = if verdict == Verdict::Crash { vec![] } else { vec![(text, 1, 1)] };
        assert_eq!(ignored, expected);
    }
}

#[test]
fn what_the_spec_promises_is_no_finding() {
    let mut subject = Fake::new(1, one);
    subject.entry_point.signatures[0].no_return = true;
    let found = search(&mut subject, 9, &ExplorationOptions::default());
    assert_eq!((found.verdict, found.statistics.promised), (Verdict::Safe, 1));
    // Another clause of the spec takes the same inputs and promises a value.
    let rule = subject.entry_point.signatures[0].inputs[0];
    subject.entry_point.signatures.push(Signature { inputs: vec![rule], result: None, no_return: false });
    assert_eq!(search(&mut subject, 9, &ExplorationOptions::default()).verdict, Verdict::Crash);
}

#[test]
fn clauses_of_a_spec_are_explored_each_and_findings_are_joined() {
    let mut subject = Fake::new(1, many);
    let signature = subject.entry_point.signatures[0].clone();
    subject.entry_point.signatures.push(signature);
    let found = search(&mut subject, 100, &ExplorationOptions::default());
    assert_eq!((calls(&found), found.statistics.paths), (vec!["50".into(), "90".into()], 2 * 50));
}

#[test]
fn without_a_spec_missing_clauses_of_the_entry_show_its_domain() {
    let program = |probe: &mut Probe<'_>| {
        if probe.less(1, 0, 3) {
            probe.run.unmatched = true;
            raise("function_clause", "[{m, f, [0], [{file, \"m.erl\"}, {line, 2}]}]")
        } else {
            raise("function_clause", "[{m, g, [0], [{file, \"m.erl\"}, {line, 5}]}, {m, f, 1, []}]")
        }
    };
    let mut subject = Fake::new(1, program);
    subject.entry_point.specified = false;
    let found = search(&mut subject, 9, &ExplorationOptions::default());
    assert_eq!((calls(&found), found.outside.map(|outside| outside.paths)), (vec!["3".into()], Some(1)));
    subject.entry_point.specified = true;
    assert_eq!(search(&mut subject, 9, &ExplorationOptions::default()).findings.len(), 2);
}

#[test]
fn kept_cases_are_results_of_the_domain() {
    let program = |probe: &mut Probe<'_>| {
        probe.run.in_domain = !probe.is(1, 0, 1);
        if probe.is(2, 0, 2) { Ending::OutOfSteps { at: crate::fake::place("f", 1) } } else { one(probe) }
    };
    let found =
        search(&mut Fake::new(1, program), 9, &ExplorationOptions { keep: 10, ..ExplorationOptions::default() });
    assert_eq!(found.cases.len(), 2);
    assert_eq!(
        search(&mut Fake::new(1, program), 9, &ExplorationOptions { keep: 1, ..ExplorationOptions::default() })
            .cases
            .len(),
        1
    );
}
