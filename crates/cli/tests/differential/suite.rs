//! Runs all subjects on both sides and counts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::thread;

use fastrand::Rng;
use term::{Call, Mfa};

use crate::calls::Calls;
use crate::compare::Answer;
use crate::gaps::Gap;
use crate::generate::Pool;
use crate::rig::Rig;
use crate::subjects::{ELIXIR, LIBRARY, Library, OWN, Subject};

/// Which calls to make.
#[derive(Clone)]
pub struct Plan {
    pub seed: u64,
    pub calls: usize,
    pub only: Option<String>,
}

impl Plan {
    const SEED: u64 = 1;
    const CALLS: usize = 32;

    pub fn from_environment() -> Plan {
        let given = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
        let number = |name: &str| given(name).map(|text| text.parse().expect("a number"));
        Plan {
            seed: number("HOUND_SEED").unwrap_or(Plan::SEED),
            calls: number("HOUND_CALLS").map_or(Plan::CALLS, |calls| calls as usize),
            only: given("HOUND_ONLY"),
        }
    }

    pub fn is_default(&self) -> bool {
        self.seed == Plan::SEED && self.calls == Plan::CALLS && self.only.is_none()
    }

    pub fn wants(&self, function: Mfa) -> bool {
        self.only.as_ref().is_none_or(|only| *only == function.module.name() || *only == function.to_string())
    }

    pub fn wants_module(&self, module: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.split(':').next() == Some(module))
    }

    /// What is listed and wanted; a wanted module that is not listed too.
    fn modules(&self) -> Vec<&str> {
        let listed = LIBRARY.iter().chain(OWN).chain(ELIXIR).copied();
        let asked = self.only.as_ref().and_then(|only| only.split(':').next());
        let modules: BTreeSet<&str> = listed.filter(|module| self.wants_module(module)).chain(asked).collect();
        modules.into_iter().collect()
    }

    /// The same calls for a function whatever else is run.
    pub fn rng(&self, function: Mfa) -> Rng {
        let mut hasher = rustc_hash::FxHasher::default();
        (self.seed, function.to_string()).hash(&mut hasher);
        Rng::with_seed(hasher.finish())
    }
}

/// What happened to one function.
#[derive(Default)]
pub struct Count {
    pub agreed: usize,
    /// Calls that the VM itself did not finish, or finishes differently each time.
    pub skipped: usize,
    /// Calls that need processes, which are to come.
    pub waiting: usize,
    pub disagreements: Vec<String>,
}

#[derive(Default)]
pub struct Tally {
    counts: BTreeMap<String, Count>,
}

/// How many threads, each with its own VM and machine.
const LANES: usize = 2;

pub fn run(plan: &Plan) -> Tally {
    let modules = plan.modules();
    let lanes: Vec<_> = (0..LANES)
        .map(|lane| {
            let modules: Vec<String> = modules.iter().skip(lane).step_by(LANES).map(|m| m.to_string()).collect();
            let plan = plan.clone();
            let lane = thread::Builder::new().stack_size(256 << 20);
            lane.spawn(move || run_modules(&plan, &modules)).expect("a thread")
        })
        .collect();
    let mut tally = Tally::default();
    for lane in lanes {
        tally.counts.extend(lane.join().expect("a lane that ends").counts);
    }
    tally
}

fn run_modules(plan: &Plan, modules: &[String]) -> Tally {
    let mut rig = Rig::new();
    let mut tally = Tally::default();
    for module in modules {
        let subjects = Library::new(&mut rig.vm()).subjects(module);
        let mut pool = Pool::default();
        for subject in subjects.iter().filter(|subject| plan.wants(subject.function)) {
            let count = run_subject(plan, &mut rig, subject, &mut pool);
            tally.counts.insert(subject.function.to_string(), count);
        }
    }
    tally
}

fn run_subject(plan: &Plan, rig: &mut Rig, subject: &Subject, pool: &mut Pool) -> Count {
    let mut count = Count::default();
    let mut calls = Calls { subject, rng: plan.rng(subject.function) };
    let wanted = if subject.function.arity == 0 { 1 } else { plan.calls };
    for _ in 0..wanted {
        let call = calls.next(pool);
        let Some(theirs) = rig.theirs(&call) else {
            count.skipped += 1;
            continue;
        };
        if let Answer::Value(value) = &theirs {
            calls.remember(pool, value);
        }
        let ours = rig.ours(&call);
        match judge(rig, &call, &ours, &theirs) {
            Judgement::Agree => count.agreed += 1,
            Judgement::Unsteady => count.skipped += 1,
            Judgement::Later => count.waiting += 1,
            Judgement::Disagree => count.disagreements.push(format!("{call}\n     vm {theirs}\n   ours {ours}")),
        }
    }
    count
}

/// Whether both sides bring a call to an end, and to the same one.
pub fn finishes(rig: &mut Rig, call: &Call) -> bool {
    rig.theirs(call).is_some_and(|theirs| rig.ours(call).agrees(&theirs))
}

enum Judgement {
    Agree,
    Disagree,
    /// The VM does not agree with itself.
    Unsteady,
    /// Nothing to compare before there are processes.
    Later,
}

/// How often the VM must repeat an answer before it counts against us: it draws random numbers, too.
const STEADY: usize = 40;

fn judge(rig: &mut Rig, call: &Call, ours: &Answer, theirs: &Answer) -> Judgement {
    if ours.agrees(theirs) {
        return Judgement::Agree;
    }
    if matches!(ours, Answer::Processes) {
        return Judgement::Later;
    }
    let steady = (0..STEADY).all(|_| rig.theirs(call).is_some_and(|again| again.agrees(theirs)));
    if steady { Judgement::Disagree } else { Judgement::Unsteady }
}

impl Tally {
    pub fn modules(&self) -> usize {
        let modules: BTreeSet<&str> = self.counts.keys().filter_map(|name| name.split(':').next()).collect();
        modules.len()
    }

    /// Functions for which at least one call could be compared.
    pub fn functions(&self) -> usize {
        self.counts.values().filter(|count| count.agreed + count.disagreements.len() > 0).count()
    }

    pub fn calls(&self) -> usize {
        self.counts.values().map(|count| count.agreed + count.disagreements.len()).sum()
    }

    /// Disagreements that are not listed, and, when all calls were made, listed gaps that are none.
    pub fn problems(&self, known: &[Gap], complete: bool) -> Vec<String> {
        let listed: BTreeMap<String, &str> = known.iter().map(|gap| (gap.function.to_string(), &*gap.reason)).collect();
        let unknown = listed.keys().filter(|function| complete && !self.counts.contains_key(*function));
        let mut problems: Vec<String> = unknown.map(|it| format!("{it} is listed as a gap but not called")).collect();
        for (function, count) in &self.counts {
            match listed.get(function) {
                Some(reason) if complete && count.disagreements.is_empty() => {
                    problems.push(format!("{function} is listed as a gap ({reason}) but works: shorten the list"));
                }
                Some(_) => {}
                None if count.disagreements.is_empty() => {}
                None => problems.push(describe(function, count)),
            }
        }
        problems
    }
}

fn describe(function: &str, count: &Count) -> String {
    let (bad, all) = (count.disagreements.len(), count.agreed + count.disagreements.len());
    let shown: Vec<String> = count.disagreements.iter().take(3).map(|text| shorten(text)).collect();
    format!("{function}: {bad} of {all} calls differ\n  {}", shown.join("\n  "))
}

fn shorten(text: &str) -> String {
    let line = |line: &str| match line.char_indices().nth(600) {
        Some((at, _)) => format!("{} …", &line[..at]),
        None => line.to_string(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let skipped: usize = self.counts.values().map(|count| count.skipped).sum();
        let differ: usize = self.counts.values().map(|count| count.disagreements.len()).sum();
        let waiting: usize = self.counts.values().map(|count| count.waiting).sum();
        let (modules, functions, calls) = (self.modules(), self.functions(), self.calls());
        write!(f, "{modules} modules, {functions} functions, {calls} calls: {differ} differ; ")?;
        write!(f, "{skipped} not comparable, {waiting} need processes")
    }
}
