//! Choices in the tree: threads of a toy program under every schedule, together with inputs.

use std::cell::RefCell;
use std::collections::BTreeSet;

use search::{ExplorationOptions, Strategy, Verdict};

use crate::fake::{Fake, Probe, causes, crash, search, value, with};

/// Runs threads of so many operations each; gives the order in which they had their turns.
fn threads(probe: &mut Probe<'_>, mut left: Vec<u32>) -> Vec<usize> {
    let mut order = Vec::new();
    loop {
        let ready: Vec<usize> = (0..left.len()).filter(|thread| left[*thread] > 0).collect();
        let thread = match ready[..] {
            [] => return order,
            [only] => only,
            _ => ready[probe.choose(order.len() as u64, ready.len() as u32) as usize],
        };
        left[thread] -= 1;
        order.push(thread);
    }
}

/// Two threads read a shared counter and write it back, one more; gives its value at the end.
fn counter(order: &[usize]) -> u32 {
    let (mut shared, mut read) = (0, [None; 2]);
    for thread in order {
        match read[*thread].take() {
            None => read[*thread] = Some(shared),
            Some(before) => shared = before + 1,
        }
    }
    shared
}

#[test]
fn all_schedules_are_run_once_without_a_query() {
    for (left, count) in [(vec![2, 2], 6), (vec![1, 1, 1], 6), (vec![2, 2, 2], 90), (vec![3, 4], 35)] {
        for strategy in Strategy::ALL {
            let orders = RefCell::new(Vec::new());
            let mut subject = Fake::new(1, |probe: &mut Probe<'_>| {
                orders.borrow_mut().push(threads(probe, left.clone()));
                value()
            });
            let found = search(&mut subject, 2, &with(strategy));
            assert_eq!((found.verdict, causes(&found)), (Verdict::Safe, vec![]), "{strategy:?}");
            assert_eq!((found.statistics.paths, found.statistics.queries, found.statistics.divergences), (count, 0, 0));
            let orders = orders.into_inner();
            assert_eq!((orders.len() as u64, orders.iter().collect::<BTreeSet<_>>().len() as u64), (count, count));
        }
    }
}

#[test]
fn a_crash_that_needs_a_schedule_and_an_input_is_found_and_shrunk_to_both() {
    let mut subject = Fake::new(1, |probe: &mut Probe<'_>| {
        let small = probe.less(100, 0, 20);
        let lost = counter(&threads(probe, vec![2, 2])) < 2;
        if small && lost && probe.is(101, 0, 7) { crash("lost", 3) } else { value() }
    });
    let found = search(&mut subject, 40, &ExplorationOptions::default());
    assert_eq!((found.verdict, found.complete, found.findings.len()), (Verdict::Crash, true, 1));
    let witness = &found.findings[0].stimulus;
    assert_eq!((witness.inputs[0].as_i64(), &witness.choices[..]), (Some(7), &[1][..]));
    // Six schedules for large inputs, six for small ones, of which four lose an update and ask once more.
    assert_eq!((found.statistics.paths, found.statistics.divergences), (16, 0));
}

#[test]
fn inputs_decide_how_many_alternatives_there_are() {
    let mut subject = Fake::new(1, |probe: &mut Probe<'_>| {
        let count = if probe.less(100, 0, 5) { 2 } else { 3 };
        if threads(probe, vec![1; count]) == [2, 1, 0] { crash("reversed", 3) } else { value() }
    });
    let found = search(&mut subject, 10, &ExplorationOptions::default());
    assert_eq!((found.statistics.paths, found.complete), (8, true));
    let witness = &found.findings[0].stimulus;
    assert_eq!((witness.inputs[0].as_i64(), &witness.choices[..]), (Some(5), &[2, 1][..]));
}
