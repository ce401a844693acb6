//! Schedules: threads of toy programs under every order that makes a difference, together with inputs.

use std::cell::RefCell;
use std::collections::BTreeSet;

use search::{ExplorationOptions, Strategy, Verdict};

use crate::fake::{Fake, Probe, WHOLE, causes, crash, search, value, with};

/// What a thread does, one after the other: a shared thing that it reads or writes.
type Thread = &'static [(u32, bool)];

const R: bool = false;
const W: bool = true;

/// Runs threads; gives the order in which they had their turns.
fn threads(probe: &mut Probe<'_>, threads: &[Thread]) -> Vec<usize> {
    let (mut done, mut order) = (vec![0; threads.len()], Vec::new());
    loop {
        let ready: Vec<u32> =
            (0..threads.len()).filter(|it| done[*it] < threads[*it].len()).map(|it| it as u32).collect();
        if ready.is_empty() {
            return order;
        }
        let thread = probe.turn(&ready) as usize;
        let (object, writes) = threads[thread][done[thread]];
        probe.event(thread as u32, object, writes);
        done[thread] += 1;
        order.push(thread);
    }
}

/// Every order of turns.
fn orders(threads: &[Thread]) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for _ in 0..threads.iter().map(|thread| thread.len()).sum() {
        found = found
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                let left = |it: &usize| order.iter().filter(|turn| *turn == it).count() < threads[*it].len();
                let next: Vec<usize> = (0..threads.len()).filter(left).collect();
                next.into_iter().map(move |thread| order.iter().copied().chain([thread]).collect()).collect::<Vec<_>>()
            })
            .collect();
    }
    found
}

/// What distinguishes an order from others: which of two accesses that depend on each other comes first.
fn dependences(threads: &[Thread], order: &[usize]) -> BTreeSet<((usize, usize), (usize, usize))> {
    let mut done = vec![0; threads.len()];
    let events: Vec<(usize, usize)> = order
        .iter()
        .map(|thread| {
            done[*thread] += 1;
            (*thread, done[*thread] - 1)
        })
        .collect();
    let access = |(thread, at): (usize, usize)| threads[thread][at];
    let mut found = BTreeSet::new();
    for (at, first) in events.iter().enumerate() {
        for second in &events[at + 1..] {
            let ((a, first_writes), (b, second_writes)) = (access(*first), access(*second));
            let meet = a == b || a == WHOLE || b == WHOLE;
            if first.0 != second.0 && meet && (first_writes || second_writes) {
                found.insert((*first, *second));
            }
        }
    }
    found
}

const PROGRAMS: [&[Thread]; 13] = [
    &[&[(1, R), (1, W)], &[(1, R), (1, W)]],
    &[&[(1, W)], &[(1, W)], &[(1, W)]],
    &[&[(1, R)], &[(1, R)], &[(1, R)], &[(1, W)]],
    &[&[(1, W), (2, R)], &[(2, W), (1, R)]],
    &[&[(1, W), (2, W), (1, R)], &[(2, R), (1, W)], &[(2, W)]],
    &[&[(1, W)], &[(2, W)], &[(3, W)]],
    &[&[(1, R), (2, W)], &[(2, R), (3, W)], &[(3, R), (1, W)]],
    &[&[(1, W), (1, W)], &[(1, R), (1, R)], &[(1, R)]],
    &[&[(1, R), (1, W)], &[(1, R), (1, W)], &[(1, R), (1, W)]],
    &[&[(1, W)], &[(2, W)], &[(WHOLE, R)]],
    &[&[(1, W), (2, W)], &[(2, W), (1, R)], &[(WHOLE, W)]],
    &[&[(WHOLE, R), (1, W)], &[(WHOLE, R), (2, W)]],
    &[&[(1, W), (WHOLE, R)], &[(2, W)], &[(1, R), (3, W)]],
];

#[test]
fn every_order_that_makes_a_difference_is_run_once() {
    for program in PROGRAMS {
        let all: BTreeSet<_> = orders(program).iter().map(|order| dependences(program, order)).collect();
        for strategy in Strategy::ALL {
            let made = RefCell::new(Vec::new());
            let mut subject = Fake::new(1, |probe: &mut Probe<'_>| {
                let order = threads(probe, program);
                made.borrow_mut().push(dependences(program, &order));
                value()
            });
            let found = search(&mut subject, 2, &with(strategy));
            assert_eq!((found.verdict, causes(&found)), (Verdict::Safe, vec![]), "{strategy:?}");
            assert_eq!((found.statistics.queries, found.statistics.divergences), (0, 0));
            let made = made.into_inner();
            assert_eq!(
                (made.len(), made.into_iter().collect::<BTreeSet<_>>()),
                (all.len(), all.clone()),
                "{program:?}"
            );
        }
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
fn a_crash_that_needs_a_schedule_and_an_input_is_found_and_shrunk_to_both() {
    let mut subject = Fake::new(1, |probe: &mut Probe<'_>| {
        let small = probe.less(100, 0, 20);
        let lost = counter(&threads(probe, PROGRAMS[0])) < 2;
        if small && lost && probe.is(101, 0, 7) { crash("lost", 3) } else { value() }
    });
    let found = search(&mut subject, 40, &ExplorationOptions::default());
    assert_eq!((found.verdict, found.complete, found.findings.len()), (Verdict::Crash, true, 1));
    let witness = &found.findings[0].stimulus;
    assert_eq!((witness.inputs[0].as_i64(), &witness.schedule[..]), (Some(7), &[0, 1][..]));
    assert_eq!(found.statistics.divergences, 0);
}

#[test]
fn inputs_decide_how_many_threads_there_are() {
    let mut subject = Fake::new(1, |probe: &mut Probe<'_>| {
        let count = if probe.less(100, 0, 5) { 2 } else { 3 };
        if threads(probe, &PROGRAMS[1][..count]) == [2, 1, 0] { crash("reversed", 3) } else { value() }
    });
    let found = search(&mut subject, 10, &ExplorationOptions::default());
    assert_eq!((found.statistics.paths, found.complete), (8, true));
    let witness = &found.findings[0].stimulus;
    assert_eq!((witness.inputs[0].as_i64(), &witness.schedule[..]), (Some(5), &[2, 1][..]));
}
