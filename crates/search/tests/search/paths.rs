//! Path counts: every path once, whatever the strategy, and the order that each strategy has.

use constraint::{Op, Test};
use exec::forward::Ending;
use search::{ExplorationOptions, Strategy, Verdict};
use term::Term;

use crate::fake::{Fake, Probe, calls, crash, search, value, with};

/// Three paths: not 1; 1 and not 2; 1 and 2, where it crashes.
fn toy(probe: &mut Probe<'_>) -> Ending {
    if probe.is(1, 0, 1) && probe.is(2, 1, 2) { crash("bug", 9) } else { value() }
}

/// Asks whether each bit of the input is set: all answers are possible.
fn bits(count: u32) -> impl FnMut(&mut Probe<'_>) -> Ending {
    move |probe| {
        for bit in 0..count {
            let (input, mask) = (probe.input(0), probe.arena.integer(1 << bit));
            let (masked, zero) = (probe.arena.apply(Op::Band, &[input, mask]), probe.arena.integer(0));
            probe.ask(u64::from(bit), Test::Same(masked, zero));
        }
        value()
    }
}

/// A loop that ends after as many turns as the input says.
fn turns(probe: &mut Probe<'_>) -> Ending {
    let mut turn = 0;
    while !probe.is(7, 0, turn) {
        turn += 1;
    }
    value()
}

#[test]
fn the_toy_has_three_paths_and_a_crash_and_is_complete() {
    for strategy in Strategy::ALL {
        let found = search(&mut Fake::new(2, toy), 4, &with(strategy));
        assert_eq!((found.verdict, found.complete), (Verdict::Crash, true));
        assert_eq!((found.statistics.paths, found.statistics.runs, found.statistics.queries), (3, 3, 2));
        assert_eq!(calls(&found), ["1, 2"]);
    }
}

#[test]
fn all_combinations_of_answers_are_run_once() {
    for strategy in Strategy::ALL {
        let mut subject = Fake::new(1, bits(6));
        let found = search(&mut subject, 64, &with(strategy));
        assert_eq!((found.verdict, found.statistics.paths, found.statistics.runs), (Verdict::Safe, 64, 64));
        assert_eq!((found.statistics.queries, found.statistics.infeasible), (63, 0));
        let mut inputs: Vec<i64> = subject.log.iter().filter_map(|it| it.inputs[0].as_i64()).collect();
        inputs.sort_unstable();
        assert_eq!(inputs, (0..64).collect::<Vec<_>>(), "{strategy:?}");
    }
}

#[test]
fn infeasible_answers_are_proved_and_not_run() {
    // 40 inputs, 40 turns: the flip after the last turn has no input.
    let found = search(&mut Fake::new(1, turns), 40, &ExplorationOptions::default());
    assert_eq!((found.verdict, found.statistics.paths, found.statistics.infeasible), (Verdict::Safe, 40, 1));
    assert_eq!((found.statistics.sites, found.statistics.answers, found.statistics.longest_path), (1, 2, 40));
}

/// What each strategy ran, with one flip at a time.
fn order(strategy: Strategy) -> Vec<i64> {
    let mut subject = Fake::new(1, bits(3));
    search(&mut subject, 8, &ExplorationOptions { round: 1, ..with(strategy) });
    subject.log.iter().filter_map(|it| it.inputs[0].as_i64()).collect()
}

#[test]
fn strategies_differ_in_order_alone() {
    assert_eq!(order(Strategy::Breadth), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(order(Strategy::Depth), [0, 4, 2, 6, 1, 5, 3, 7]);
    assert_eq!(order(Strategy::Generational), [0, 1, 2, 4, 3, 5, 6, 7]);
    assert_eq!(order(Strategy::Uncovered), [0, 1, 2, 4, 3, 5, 6, 7]);
    assert_eq!(order(Strategy::Latest), [0, 1, 3, 7, 5, 2, 4, 6]);
    assert_eq!(order(Strategy::Turns), [0, 1, 3, 4, 2, 5, 6, 7]);
}

/// One site is a loop that never ends by itself; behind a rare value of the other input lies a crash.
fn starving(probe: &mut Probe<'_>) -> Ending {
    let mut turn = 0;
    while !probe.is(7, 0, turn) {
        turn += 1;
    }
    for value in 0..6 {
        if probe.is(20 + value, 1, 30 + value as i64) {
            return crash("deep", value as u32);
        }
    }
    value()
}

#[test]
fn a_loop_does_not_starve_the_rest() {
    let options = ExplorationOptions { max_runs: 24, ..ExplorationOptions::default() };
    let found = search(&mut Fake::new(2, starving), 60, &options);
    assert_eq!(found.findings.len(), 6);
}

#[test]
fn rounds_of_any_size_find_the_same_paths() {
    for round in [1, 2, 16, 1000] {
        let options = ExplorationOptions { round, ..ExplorationOptions::default() };
        let found = search(&mut Fake::new(1, bits(5)), 32, &options);
        assert_eq!((found.statistics.paths, found.statistics.runs), (32, 32));
    }
}

#[test]
fn two_explorations_are_alike() {
    let once = || {
        let mut subject = Fake::new(2, starving);
        let found =
            search(&mut subject, 40, &ExplorationOptions { max_runs: 200, keep: 50, ..ExplorationOptions::default() });
        let cases: Vec<String> =
            found.cases.iter().map(|case| format!("{:?} {:?}", texts(&case.stimulus.inputs), case.ending)).collect();
        (subject.log.iter().map(|it| texts(&it.inputs)).collect::<Vec<_>>(), cases, calls(&found), found.statistics)
    };
    assert_eq!(once(), once());
}

fn texts(inputs: &[Term]) -> Vec<String> {
    inputs.iter().map(Term::to_string).collect()
}

#[test]
fn seeds_are_run_too_but_no_path_is_counted_twice() {
    let seeds = vec![vec![Term::int(5)], vec![Term::int(5)], vec![Term::int(-1)]];
    let mut subject = Fake::new(1, bits(3));
    let found = search(&mut subject, 8, &ExplorationOptions { seeds, ..ExplorationOptions::default() });
    // The second seed is the first again, and the third is no input of the grammar.
    assert_eq!((found.statistics.paths, found.statistics.runs, found.statistics.unfit_seeds), (8, 9, 1));
    assert_eq!(subject.log[1].inputs[0].as_i64(), Some(5));
    assert_eq!(found.verdict, Verdict::Safe);
}

#[test]
fn paths_outside_the_precondition_are_explored_but_are_no_findings() {
    let program = |probe: &mut Probe<'_>| {
        probe.run.in_domain = !probe.less(1, 0, 5);
        if probe.is(2, 0, 3) || probe.is(3, 0, 7) { crash("bug", 4) } else { value() }
    };
    let found = search(&mut Fake::new(1, program), 10, &ExplorationOptions::default());
    assert_eq!(calls(&found), ["7"]);
    // 3; other below 5; 7; other from 5 on.
    assert_eq!((found.complete, found.statistics.paths, found.statistics.outside), (true, 4, 2));
}

#[test]
fn a_function_whose_input_type_is_empty_is_safe() {
    let mut subject = Fake::new(2, toy);
    let none = subject.grammar.reserve();
    subject.entry_point.signatures[0].inputs[1] = none;
    let found = search(&mut subject, 4, &ExplorationOptions::default());
    assert_eq!((found.verdict, found.statistics.runs), (Verdict::Safe, 0));
}
