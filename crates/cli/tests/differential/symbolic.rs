//! The symbolic run against the concrete one: the same end, and every condition that it records is true of its inputs.

use std::thread;
use std::time::{Duration, Instant};

use constraint::{Decision, Evaluator};
use exec::forward::{Options as Recording, Recorder, RecorderLimits, maker_of_number};
use term::Call;

use crate::calls::Calls;
use crate::compare::{Answer, identical};
use crate::generate::Pool;
use crate::rig::Rig;
use crate::subjects::{LIBRARY, Library, OWN, Subject};
use crate::suite::Plan;

/// How many calls of each function are made.
const CALLS: usize = 8;

/// How many calls of each function that uses tables are made.
const TABLE_CALLS: usize = 300;

/// The longest path: every condition of it is evaluated from the inputs.
const MOST_STEPS: usize = 1_000;

/// How often an answer must repeat before it counts: some functions draw random numbers.
const STEADY: usize = 12;

/// How many threads, each with its own VM and machine.
const LANES: usize = 2;

#[derive(Default)]
pub struct Tally {
    pub calls: usize,
    pub steps: usize,
    pub pinned: usize,
    /// Calls whose end has an expression.
    pub marked: usize,
    gaps: usize,
    concrete: Duration,
    symbolic: Duration,
    pub problems: Vec<String>,
}

#[test]
fn a_symbolic_run_ends_as_the_concrete_one_and_its_path_is_true() {
    let plan = Plan::from_environment();
    let modules: Vec<&str> = LIBRARY.iter().chain(OWN).copied().filter(|module| plan.wants_module(module)).collect();
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
        tally.add(lane.join().expect("a lane that ends"));
    }
    let Tally { calls, steps, pinned, marked, gaps, concrete, symbolic, problems } = tally;
    println!(
        "{calls} calls: {steps} conditions, {pinned} of them pinned, {gaps} gaps, {marked} ends with an expression"
    );
    println!("concrete {concrete:?}, symbolic {symbolic:?}");
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems[..problems.len().min(40)].join("\n"));
    if plan.only.is_none() {
        assert!(calls > 5_000 && steps > 10 * calls, "too few calls or conditions to mean something");
    }
}

/// Were nothing marked there would be nothing to hold to the values.
#[test]
fn floats_that_come_back_stand_for_expressions() {
    let tally = run_modules(&Plan::from_environment(), &["hound_floats".to_owned()]);
    assert!(tally.problems.is_empty(), "{}", tally.problems.join("\n"));
    assert!(tally.calls > 100 && tally.marked * 2 > tally.calls, "{} of {} calls", tally.marked, tally.calls);
}

/// What goes through tables comes back as what it stood for, and as the VM gives it.
#[test]
fn rows_of_tables_stand_for_expressions() {
    let plan = Plan::from_environment();
    let mut rig = Rig::recording(Recording { mirrors: true, ..Recording::default() });
    let (mut pool, mut tally) = (Pool::default(), Tally::default());
    let subjects = Library::new(&mut rig.vm()).subjects("hound_tables");
    for subject in subjects {
        run_subject(&plan, &mut rig, &subject, &mut pool, &mut tally, TABLE_CALLS, true);
    }
    let Tally { calls, steps, marked, problems, .. } = tally;
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems[..problems.len().min(20)].join("\n"));
    assert!(calls > 1_000 && steps > calls && marked * 4 > calls, "{steps} steps, {marked} of {calls} calls");
}

fn run_modules(plan: &Plan, modules: &[String]) -> Tally {
    let mut rig = Rig::recording(Recording { mirrors: true, ..Recording::default() });
    let mut tally = Tally::default();
    for module in modules {
        let subjects = Library::new(&mut rig.vm()).subjects(module);
        let mut pool = Pool::default();
        for subject in subjects.iter().filter(|subject| plan.wants(subject.function)) {
            run_subject(plan, &mut rig, subject, &mut pool, &mut tally, CALLS, false);
        }
    }
    tally
}

/// Compares calls of a function; `strict` compares with the VM, too.
pub fn run_subject(
    plan: &Plan,
    rig: &mut Rig,
    subject: &Subject,
    pool: &mut Pool,
    tally: &mut Tally,
    count: usize,
    strict: bool,
) {
    let limits = RecorderLimits { steps: MOST_STEPS, ..RecorderLimits::default() };
    let mut recorder = Recorder::default();
    recorder.limits = limits;
    let mut calls = Calls { subject, rng: plan.rng(subject.function) };
    for _ in 0..if subject.function.arity == 0 { 1 } else { count } {
        let call = calls.next(pool);
        // What the VM does not finish need not be tried twice here.
        let Some(theirs) = rig.theirs(&call) else { continue };
        if let Answer::Value(value) = &theirs {
            calls.remember(pool, value);
        }
        let start = Instant::now();
        let concrete = rig.ours(&call);
        tally.concrete += start.elapsed();
        let start = Instant::now();
        let symbolic = rig.ours_recorded(&call, &mut recorder);
        tally.symbolic += start.elapsed();
        if !symbolic.agrees(&concrete) && (0..STEADY).all(|_| rig.ours(&call).agrees(&concrete)) {
            tally.problems.push(format!("{call}\n   concrete {concrete}\n   symbolic {symbolic}"));
        }
        if strict && !symbolic.agrees(&theirs) {
            tally.problems.push(format!("{call}\n   VM {theirs}\n   symbolic {symbolic}"));
        }
        tally.problems.extend(untrue(&recorder, &call));
        let end = expressed(&mut recorder, &call, &symbolic);
        tally.marked += usize::from(end.is_some());
        tally.problems.extend(end.flatten());
        tally.calls += 1;
        tally.steps += recorder.path.len();
        tally.pinned += recorder.path.iter().filter(|step| step.pinned).count();
        tally.gaps += recorder.gaps.len();
    }
}

/// The first condition that is not true of the inputs it was recorded for.
fn untrue(recorder: &Recorder, call: &Call) -> Option<String> {
    let mut evaluator = Evaluator::new(&recorder.arena, &call.args).of_originals();
    let refuted = |it: &&Decision| evaluator.holds(&it.condition) != Ok(true);
    let decision = recorder.path.iter().find(refuted)?;
    let shown = recorder.arena.show_condition(&decision.condition);
    Some(format!("{call}\n   {shown}\n   asked at {:?}", recorder.site(decision.site)))
}

/// What the expression of the value or reason that a call ended with gives for its inputs, where that is another one;
/// nothing if there is no such expression, or if it has a number that inputs do not decide.
fn expressed(recorder: &mut Recorder, call: &Call, end: &Answer) -> Option<Option<String>> {
    let (Answer::Value(end) | Answer::Raised(_, end)) = end else { return None };
    let expr = recorder.arena.of_term(end);
    let is_decided = maker_of_number(&recorder.arena, [expr]).is_none();
    (is_decided && recorder.arena.as_literal(expr).is_none()).then_some(())?;
    let value = Evaluator::new(&recorder.arena, &call.args).value(expr);
    let agrees = matches!(&value, Ok(value) if identical(value, end));
    let problem = || format!("{call}\n   ends with {end}, which stands for {}: {value:?}", recorder.arena.show(expr));
    Some((!agrees).then(problem))
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.calls += other.calls;
        self.steps += other.steps;
        self.pinned += other.pinned;
        self.gaps += other.gaps;
        self.marked += other.marked;
        self.concrete += other.concrete;
        self.symbolic += other.symbolic;
        self.problems.extend(other.problems);
    }
}
