//! Replays of schedules: the VM has the outcomes that our machine has, those included that need a late signal.

use std::collections::{BTreeMap, BTreeSet};

use exec::forward::Limits;
use session::Session;
use session::run::{RunSettings, execute};
use term::{Atom, Mfa};

use crate::model::{Op, Program};
use crate::programs::{call, explorer, program};
use crate::rig::{Explored, Explorer, compile, outcome, session, sources};
use crate::support::{folder, number};

/// The most orders of one program.
const ORDERS: u64 = 1_500;

/// The end of a function under a schedule, on our machine or on the VM.
fn replayed(session: &Session, module: &str, function: &str, turns: &[u32], on_vm: bool) -> String {
    let main = Mfa { module: Atom::new(module), function: Atom::new(function), arity: 0 };
    let schedule = Some(turns.to_vec());
    let settings = RunSettings { limits: Limits::default(), coverage: false, schedule, any_clock: false, on_vm };
    match execute(session, main, function, settings) {
        Ok(evaluation) => outcome(&evaluation.ending),
        Err(failure) => format!("{failure}"),
    }
}

/// Schedules of an exploration, some for each outcome.
fn chosen(explored: &Explored, most: usize) -> Vec<Vec<u32>> {
    let mut by_outcome: BTreeMap<&str, Vec<&Vec<u32>>> = BTreeMap::new();
    for (turns, outcome) in &explored.schedules {
        by_outcome.entry(outcome).or_default().push(turns);
    }
    let spread = |all: Vec<&Vec<u32>>| {
        let step = all.len().div_ceil(most).max(1);
        all.into_iter().step_by(step).cloned().collect::<Vec<_>>()
    };
    by_outcome.into_values().flat_map(spread).collect()
}

/// Replays schedules of functions, whose outcomes may be known; adds what went wrong, and returns the number of replays.
fn replay_all<'n>(
    explorer: &mut Explorer,
    module: &str,
    functions: impl Iterator<Item = (&'n String, Option<&'n BTreeSet<String>>)>,
    wrong: &mut Vec<String>,
) -> usize {
    let most = number("HOUND_REPLAYS", 1) as usize;
    let mut count = 0;
    for (name, outcomes) in functions {
        let explored = explorer.explore(module, name, ORDERS);
        let causes: Vec<_> = explored.exploration.causes.iter().map(|cause| cause.reason.to_string()).collect();
        if outcomes.is_some() && !causes.is_empty() {
            wrong.push(format!("{name}: {causes:?}"));
        }
        if outcomes.is_some_and(|outcomes| explored.outcomes != *outcomes) {
            wrong.push(format!("{name}: {:?} instead of {outcomes:?}", explored.outcomes));
        }
        for turns in chosen(&explored, most) {
            count += 1;
            let [expected, got] = [false, true].map(|on_vm| replayed(explorer.session(), module, name, &turns, on_vm));
            if got != expected {
                wrong.push(format!("{name} {turns:?}: {got} instead of {expected}"));
            }
        }
    }
    count
}

#[test]
fn the_vm_follows_every_schedule_of_signals() {
    let folder = folder("processes_replays");
    compile(&folder, &[sources().join("litmus.erl"), sources().join("late.erl")]);
    let mut explorer = Explorer::new(session(&folder));
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (module, source) in [("litmus", include_str!("litmus.erl")), ("late", include_str!("late.erl"))] {
        let functions = crate::litmus::expected(source);
        let functions = functions.iter().map(|(name, outcomes)| (name, Some(outcomes)));
        count += replay_all(&mut explorer, module, functions, &mut wrong);
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

/// `HOUND_SEED` chooses the programs, `HOUND_REPLAYED` their number.
#[test]
fn the_vm_follows_schedules_of_generated_programs() {
    let mut rng = fastrand::Rng::with_seed(number("HOUND_SEED", 7));
    // A `receive` that waits forever takes its message without a gate: one that counts messages may see one less.
    let counts = |program: &Program| program.processes.iter().flatten().any(|op| matches!(op, Op::Queue(_)));
    let all = std::iter::repeat_with(|| program(&mut rng)).filter(|program| !counts(program));
    let programs: Vec<Program> = all.take(number("HOUND_REPLAYED", 40) as usize).collect();
    let mut explorer = explorer(&folder("processes_generated_replays"), &programs);
    let functions: Vec<String> = (0..programs.len()).map(|at| format!("p{at}")).collect();
    let mut wrong = Vec::new();
    let functions = functions.iter().map(|name| (name, None));
    let count = replay_all(&mut explorer, "generated", functions, &mut wrong);
    let shown = |wrong: &String| {
        let at = wrong[1..].split(' ').next().and_then(|at| at.parse::<usize>().ok()).unwrap_or_default();
        format!("{wrong}\n  {}", call(&programs[at]))
    };
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.iter().map(shown).collect::<Vec<_>>().join("\n")
    );
}
