//! Verdicts: whatever was left out is named, and then nothing is called safe.

use exec::forward::Ending;
use search::{ExplorationOptions, Go, Verdict, explore};
use solve::UnknownReason;
use term::Term;

use crate::fake::{Every, Fake, Probe, Vm, causes, crash, mfa, place, search, value};

/// A path per value of the input.
fn turns(probe: &mut Probe<'_>) -> Ending {
    let mut turn = 0;
    while !probe.is(7, 0, turn) {
        turn += 1;
    }
    value()
}

#[test]
fn the_bound_on_runs_is_named_with_what_waits() {
    let found =
        search(&mut Fake::new(1, turns), 40, &ExplorationOptions { max_runs: 10, ..ExplorationOptions::default() });
    assert_eq!((found.verdict, found.statistics.runs), (Verdict::Incomplete, 10));
    assert_eq!(causes(&found), [("bound-runs", 1)]);
}

#[test]
fn a_bound_that_is_met_exactly_does_not_count() {
    let found =
        search(&mut Fake::new(1, turns), 10, &ExplorationOptions { max_runs: 11, ..ExplorationOptions::default() });
    assert_eq!((found.verdict, found.statistics.runs), (Verdict::Safe, 10));
}

#[test]
fn the_bound_on_queries_is_named() {
    let found =
        search(&mut Fake::new(1, turns), 40, &ExplorationOptions { max_queries: 5, ..ExplorationOptions::default() });
    assert_eq!(causes(&found), [("bound-queries", 1)]);
}

#[test]
fn the_bound_on_depth_is_named() {
    let found =
        search(&mut Fake::new(1, turns), 40, &ExplorationOptions { max_depth: 8, ..ExplorationOptions::default() });
    assert_eq!((found.verdict, found.statistics.paths), (Verdict::Incomplete, 9));
    assert_eq!(causes(&found), [("bound-depth", 1)]);
}

#[test]
fn the_bound_on_the_tree_is_named() {
    let found =
        search(&mut Fake::new(1, turns), 40, &ExplorationOptions { max_nodes: 12, ..ExplorationOptions::default() });
    assert_eq!((found.verdict, causes(&found)), (Verdict::Incomplete, vec![("bound-nodes", 1)]));
}

#[test]
fn inputs_that_are_too_large_are_not_run() {
    let mut subject = Fake::new(3, |probe: &mut Probe<'_>| {
        probe.is(1, 0, 1);
        value()
    });
    let found = search(&mut subject, 4, &ExplorationOptions { max_input_size: 2, ..ExplorationOptions::default() });
    assert_eq!((subject.log.len(), found.verdict, causes(&found)), (1, Verdict::Incomplete, vec![("bound-size", 1)]));
}

/// A run that was stopped on its way is no path, and what it was for stays open.
#[test]
fn half_a_run_is_no_proof() {
    let stopped = || Ending::Stopped { at: place("g", 3) };
    let mut fake = Fake::new(1, |probe: &mut Probe<'_>| if probe.is(1, 0, 2) { stopped() } else { value() });
    let mut questions = 0;
    let mut stop_later = |_: &search::ExplorationProgress| {
        questions += 1;
        if questions > 2 { Go::Interrupt } else { Go::On }
    };
    let mut solver = Every { below: 4, refuses: None };
    let found = explore(&mut fake, &mut solver, &mut Vm::default(), &ExplorationOptions::default(), &mut stop_later);
    assert_eq!((found.verdict, causes(&found)), (Verdict::Incomplete, vec![("interrupted", 1)]));
    assert_eq!(found.statistics.paths, 1);
}

#[test]
fn endings_that_are_no_result_are_named_with_their_place() {
    let at = || place("g", 3);
    let function = mfa("file", "delete", 1);
    let endings = [
        (Ending::Refused { function, effect: "files".into(), at: at() }, "refused"),
        (Ending::Unsupported { function, what: "ports".into(), at: at() }, "unsupported"),
        (Ending::OutOfSteps { at: at() }, "bound-steps"),
        (Ending::OutOfMemory { at: at() }, "bound-memory"),
        (Ending::Broken { module: "x".into(), why: "no code".into(), at: at() }, "broken"),
        (Ending::Vm { function, what: "gone".into(), at: at() }, "vm"),
    ];
    for (ending, code) in endings {
        let program = move |probe: &mut Probe<'_>| if probe.is(1, 0, 2) { ending.clone() } else { value() };
        let found = search(&mut Fake::new(1, program), 4, &ExplorationOptions::default());
        assert_eq!((found.verdict, causes(&found)), (Verdict::Incomplete, vec![(code, 1)]));
        assert_eq!(found.causes[0].at, Some(at()));
        assert!(found.findings.is_empty());
    }
}

#[test]
fn a_path_cut_short_is_no_proof() {
    let program = |probe: &mut Probe<'_>| {
        probe.run.truncated = probe.is(1, 0, 2);
        value()
    };
    let found = search(&mut Fake::new(1, program), 4, &ExplorationOptions::default());
    assert_eq!((found.verdict, causes(&found)), (Verdict::Incomplete, vec![("truncated", 1)]));
}

#[test]
fn what_the_solver_does_not_know_is_named_by_kind() {
    let kinds = [
        (UnknownReason::Unsupported, "solver-unsupported"),
        (UnknownReason::Budget, "solver-budget"),
        (UnknownReason::Wrong, "solver-wrong"),
        (UnknownReason::Absent, "solver-absent"),
        (UnknownReason::Broken, "solver-broken"),
        (UnknownReason::Disputed, "solver-disputed"),
    ];
    for (unknown, code) in kinds {
        let mut solver = Every { below: 4, refuses: Some(unknown) };
        let mut subject = Fake::new(1, turns);
        let found =
            explore(&mut subject, &mut solver, &mut Vm::default(), &ExplorationOptions::default(), &mut |_| Go::On);
        assert_eq!((found.verdict, found.statistics.unknown), (Verdict::Incomplete, 1));
        assert_eq!((causes(&found), found.causes[0].at.clone()), (vec![(code, 1)], Some(place("f", 7))));
    }
}

#[test]
fn an_interrupt_keeps_what_was_found() {
    let program = |probe: &mut Probe<'_>| if probe.is(1, 0, 1) { crash("bug", 2) } else { turns(probe) };
    for (go, code) in [(Go::Interrupt, "interrupted"), (Go::Time, "time"), (Go::Memory, "memory")] {
        let mut subject = Fake::new(1, program);
        let mut solver = Every { below: 100, refuses: None };
        let mut progress = |seen: &search::ExplorationProgress| if seen.statistics.runs >= 20 { go } else { Go::On };
        let found =
            explore(&mut subject, &mut solver, &mut Vm::default(), &ExplorationOptions::default(), &mut progress);
        assert_eq!((found.verdict, found.complete, found.findings.len()), (Verdict::Crash, false, 1));
        assert_eq!(causes(&found)[0].0, code);
        assert!(found.statistics.runs < 40);
    }
}

#[test]
fn an_interrupt_before_the_first_run_is_not_safe() {
    let mut subject = Fake::new(1, turns);
    let mut solver = Every { below: 4, refuses: None };
    let options = ExplorationOptions { seeds: vec![vec![Term::int(1)]], ..ExplorationOptions::default() };
    let found = explore(&mut subject, &mut solver, &mut Vm::default(), &options, &mut |_| Go::Interrupt);
    assert_eq!((found.verdict, found.statistics.runs), (Verdict::Incomplete, 0));
}
