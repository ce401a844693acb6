//! Generated programs: the search finds exactly the outcomes that all interleavings give, and no order twice.
//!
//! `HOUND_SEED` chooses the programs, `HOUND_PROGRAMS` their number.

use std::collections::BTreeSet;

use exec::forward::{Access, EventKind, Object, ProcessEvent};

use crate::model::{Program, outcomes};
use crate::programs::{call, explorer, program};
use crate::support::{folder, number};

/// Programs with more states or orders than this are left out.
const STATES: usize = 60_000;
const ORDERS: u64 = 1_500;

#[test]
fn the_search_has_the_outcomes_of_all_interleavings_and_no_order_twice() {
    let seed = number("HOUND_SEED", 1);
    let mut rng = fastrand::Rng::with_seed(seed);
    let programs: Vec<Program> = (0..number("HOUND_PROGRAMS", 400)).map(|_| program(&mut rng)).collect();
    let mut explorer = explorer(&folder(&format!("processes_brute_force_{seed}")), &programs);
    let (mut wrong, mut repeated) = (Vec::new(), Vec::new());
    let (mut compared, mut orders) = (0, 0);
    for (at, program) in programs.iter().enumerate() {
        let Some(all) = outcomes(program, STATES) else { continue };
        let explored = explorer.explore("generated", &format!("p{at}"), ORDERS);
        if explored.exploration.statistics.runs >= ORDERS {
            continue;
        }
        compared += 1;
        // Those besides make witnesses smaller.
        let runs = explored.exploration.statistics.runs as usize;
        orders += runs;
        let distinct: BTreeSet<String> = explored.runs.iter().map(|events| order(events)).collect();
        if distinct.len() < runs {
            repeated.push(format!("{}\n  {} of {runs}", call(program), runs - distinct.len()));
        }
        let causes: Vec<_> = explored.exploration.causes.iter().map(|cause| cause.reason.code()).collect();
        if explored.outcomes != all || !causes.is_empty() {
            let missing: Vec<_> = all.difference(&explored.outcomes).collect();
            let invented: Vec<_> = explored.outcomes.difference(&all).collect();
            wrong.push(format!("{}\n  missing {missing:?}\n  invented {invented:?}\n  {causes:?}", call(program)));
        }
    }
    println!("{compared} programs, {orders} orders");
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared * 4 > programs.len() * 3, "only {compared} programs were small enough");
    assert!(repeated.is_empty(), "orders came again:\n{}", repeated.join("\n"));
}

/// What distinguishes a run from others: what each process did, and which of two events that depend on each other came first.
fn order(events: &[ProcessEvent]) -> String {
    let index = |at: usize| events[..at].iter().filter(|event| event.process == events[at].process).count();
    let name = |at: usize| (events[at].process, index(at));
    let mut found = BTreeSet::new();
    for (at, event) in events.iter().enumerate() {
        let taken = match &event.kind {
            EventKind::Receive { taken, .. } => taken.map(|message| (name(message.event as usize), message.place)),
            _ => None,
        };
        found.insert(format!("{:?} {taken:?}", name(at)));
        for (earlier, before) in events[..at].iter().enumerate() {
            if before.process != event.process && depend(events, before, event) {
                found.insert(format!("{:?} < {:?}", name(earlier), name(at)));
            }
        }
    }
    found.into_iter().collect::<Vec<_>>().join("\n")
}

/// True if two events touch the same thing and one of them changes it.
fn depend(events: &[ProcessEvent], one: &ProcessEvent, other: &ProcessEvent) -> bool {
    let steps = |access: &Access, of: &ProcessEvent| access.writes && access.object == Object::Steps(of.process);
    let mailbox = |access: &Access, of: &ProcessEvent| {
        let released = of.released.iter().map(|id| &events[id.event as usize].sent[id.place as usize]);
        of.sent.iter().chain(released).any(|sent| access.object == Object::Mailbox(sent.to))
    };
    one.accesses.iter().any(|first| {
        steps(first, other)
            || mailbox(first, other)
            || other.accesses.iter().any(|second| first.object == second.object && (first.writes || second.writes))
    }) || other.accesses.iter().any(|second| steps(second, one) || mailbox(second, one))
}
