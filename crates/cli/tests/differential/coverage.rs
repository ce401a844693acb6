//! The lines our machine reports for a call against the lines the VM's own `cover` reports.

use std::collections::BTreeSet;

use exec::forward::Options as Recording;
use host::Host;
use term::Call;

use crate::calls::Calls;
use crate::cover::cover_lines;
use crate::generate::Pool;
use crate::rig::{Rig, start};
use crate::subjects::{LIBRARY, Library, OWN, Subject};
use crate::suite::{Plan, finishes};

/// Calls per function; `cover` makes the VM's side slow.
const CALLS: usize = 3;

#[test]
fn line_coverage_is_what_cover_reports() {
    let plan = Plan::from_environment();
    let mut rig = Rig::recording(Recording { coverage: true, ..Recording::default() });
    let mut problems = Vec::new();
    let mut compared = 0;
    for module in LIBRARY.iter().chain(OWN).filter(|module| plan.wants_module(module) && can_be_covered(module)) {
        // Instrumented modules stay instrumented, and slow down everything that calls them.
        let mut instrumented = start(host::CallLimits::default());
        let subjects = Library::new(&mut rig.vm()).subjects(module);
        for subject in subjects {
            for call in finishing_calls(&plan, &mut rig, &subject) {
                compared += 1;
                problems.extend(difference(&mut rig, &mut instrumented, &call));
            }
        }
    }
    println!("{compared} calls compared line by line");
    let shown: Vec<String> = problems.iter().take(20).map(|text| text.chars().take(400).collect()).collect();
    assert!(problems.is_empty(), "{} of {compared} calls cover other lines\n{}", problems.len(), shown.join("\n"));
    assert!(plan.only.is_some() || compared > 1_000, "{compared} calls are too few");
}

/// What only one side has covered, as far as each repeats itself: the VM's own processes run library code too, and some
/// functions draw random numbers.
fn difference(rig: &mut Rig, instrumented: &mut Host, call: &Call) -> Option<String> {
    let mut ours = Sightings::of(covered(rig, call));
    let mut theirs = Sightings::of(covered_by_vm(instrumented, call));
    for _ in 0..REPEATS {
        if ours.always == theirs.always {
            return None;
        }
        ours.add(&covered(rig, call));
        theirs.add(&covered_by_vm(instrumented, call));
    }
    let (only_ours, only_theirs) = (&ours.always - &theirs.ever, &theirs.always - &ours.ever);
    let agree = only_ours.is_empty() && only_theirs.is_empty();
    (!agree).then(|| format!("{call}: only ours {only_ours:?}, only cover's {only_theirs:?}"))
}

const REPEATS: usize = 6;

/// The lines that several runs of one call covered.
struct Sightings {
    always: BTreeSet<u32>,
    ever: BTreeSet<u32>,
}

impl Sightings {
    fn of(lines: BTreeSet<u32>) -> Sightings {
        Sightings { always: lines.clone(), ever: lines }
    }

    fn add(&mut self, lines: &BTreeSet<u32>) {
        self.always = &self.always & lines;
        self.ever = &self.ever | lines;
    }
}

fn covered_by_vm(instrumented: &mut Host, call: &Call) -> BTreeSet<u32> {
    let lines = cover_lines(instrumented, &[call.module], call).expect("cover answers");
    lines[0].covered.iter().copied().collect()
}

fn covered(rig: &mut Rig, call: &Call) -> BTreeSet<u32> {
    let (_, coverage) = rig.ours_covered(call);
    coverage.and_then(|coverage| coverage.modules.get(call.module.name()).cloned()).unwrap_or_default()
}

/// The VM cannot instrument the module that its own measuring runs on.
fn can_be_covered(module: &str) -> bool {
    !matches!(module, "erlang")
}

fn finishing_calls(plan: &Plan, rig: &mut Rig, subject: &Subject) -> Vec<Call> {
    let mut calls = Calls { subject, rng: plan.rng(subject.function) };
    let pool = Pool::default();
    let wanted = if subject.function.arity == 0 { 1 } else { CALLS };
    (0..wanted).map(|_| calls.next(&pool)).filter(|call| finishes(rig, call)).collect()
}
