//! One VM with an instrumented program, and one machine that emits the same events.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use exec::forward::{Ending, Limits, Machine, Observed, Options as Recording};
use frontend::instrument::{EventTable, note};
use host::{CallResult, Host, Options};
use session::Session;
use term::{Atom, Call, Outcome, Term};

use crate::check::check;
use crate::compare::{Answer, identical, without_stacks};
use crate::constructs;

const VM_LIMITS: host::CallLimits = host::CallLimits { millis: 2000, reductions: 4_000_000, heap_words: 4 << 20 };
const OUR_LIMITS: Limits = Limits { steps: 50_000_000, memory: 1 << 30 };

/// Bytes of events that a call may emit.
const MOST: u64 = 8 << 20;

pub struct Rig {
    pub session: Session,
    machine: Machine,
}

/// What calls came to.
#[derive(Default)]
pub struct Tally {
    pub compared: usize,
    pub values: usize,
    pub events: usize,
    /// Calls that one of the two could not run to an end.
    pub skipped: usize,
    pub different: Vec<String>,
    /// How often which construct was run.
    pub constructs: BTreeMap<&'static str, usize>,
}

impl Rig {
    pub fn new(folder: PathBuf) -> Rig {
        let options = Options { paths: vec![folder], limits: VM_LIMITS, ..Options::default() };
        let host = Host::start(options).expect("Erlang is installed");
        let session = Session::from(host);
        Rig { session, machine: Machine::new(OUR_LIMITS, Recording::default()) }
    }

    /// Compares calls of one module: first what it gives as it is, then what it gives and emits instrumented.
    pub fn compare(&mut self, module: Atom, calls: &[Call], tally: &mut Tally) {
        let originals: Vec<Option<Answer>> = calls.iter().map(|call| answer(self.session.host().call(call))).collect();
        let table = self.instrument(module);
        for (call, original) in calls.iter().zip(originals) {
            match original {
                Some(original) => self.compare_call(call, &original, &table, tally),
                None => tally.skipped += 1,
            }
        }
    }

    /// Makes both the machine and the VM emit the events of a module.
    pub fn instrument(&mut self, module: Atom) -> Rc<EventTable> {
        let known = self.session.module(module).unwrap_or_else(|error| panic!("{module}: {error}"));
        let (instrumented, table) = known.observe(0).unwrap_or_else(|errors| panic!("{module}: {}", errors[0]));
        let flaws = check(&instrumented);
        assert!(flaws.is_empty(), "{module}, instrumented: {}", flaws[0]);
        let beam = session::instrument::compile(&mut self.session.host(), &instrumented)
            .unwrap_or_else(|error| panic!("{module} does not compile: {error}"));
        self.session.host().load(module, &beam).unwrap_or_else(|error| panic!("{module} does not load: {error}"));
        table
    }

    fn compare_call(&mut self, call: &Call, original: &Answer, table: &EventTable, tally: &mut Tally) {
        let (result, theirs) = self.session.host().call_observed(call, MOST);
        let (Some(theirs_answer), Ok(theirs)) = (answer(result), theirs) else {
            tally.skipped += 1;
            return;
        };
        let mut ours: Vec<Observed> = Vec::new();
        let run = self.machine.run_observed(&mut self.session, call, &mut ours);
        let _ = self.session.end_run();
        if !theirs_answer.agrees(original) {
            tally.different.push(format!("{call}\n  original:     {original}\n  instrumented: {theirs_answer}"));
        }
        let ours_answer = match run.ending {
            Ending::Value(value) => Answer::Value(value),
            Ending::Raised(raised) => Answer::Raised(raised.class, raised.reason),
            _ => {
                tally.skipped += 1;
                return;
            }
        };
        tally.compared += 1;
        tally.events += theirs.len();
        for construct in theirs.iter().flat_map(|event| constructs::of(table, event.number)) {
            *tally.constructs.entry(construct).or_default() += 1;
        }
        tally.values += usize::from(matches!(theirs_answer, Answer::Value(_)));
        if !ours_answer.agrees(original) {
            tally.different.push(format!("{call}\n  VM:   {original}\n  ours: {ours_answer}"));
        }
        if let Some(difference) = difference(&ours, &theirs, table)
            && self.is_steady(call, &theirs)
        {
            tally.different.push(format!("{call}\n{difference}"));
        }
    }

    /// Returns true if the VM emits the same events once more: it does not where the call looks at a clock.
    fn is_steady(&mut self, call: &Call, theirs: &[host::RecordedEvent]) -> bool {
        let (_, again) = self.session.host().call_observed(call, MOST);
        again.is_ok_and(|again| again == theirs)
    }

    /// The events of a call on the VM, as text.
    pub fn events_on_vm(&mut self, call: &Call, table: &EventTable) -> Vec<String> {
        let (_, events) = self.session.host().call_observed(call, MOST);
        let events = events.expect("events");
        events.iter().map(|event| text(table, event.number, event.value.as_ref())).collect()
    }

    /// The events of a call on our machine, as text.
    pub fn observed(&mut self, call: &Call, table: &EventTable) -> Vec<String> {
        let mut events: Vec<Observed> = Vec::new();
        self.machine.run_observed(&mut self.session, call, &mut events);
        events.iter().map(|event| text(table, event.number, event.value.as_ref())).collect()
    }
}

impl Tally {
    pub fn assert_agreement(&self, at_least: usize) {
        println!(
            "{} calls compared, {} with a value, {} events, {} skipped",
            self.compared, self.values, self.events, self.skipped
        );
        let shown: Vec<String> = self.different.iter().take(12).map(|text| text.chars().take(900).collect()).collect();
        assert!(self.different.is_empty(), "{} differ:\n{}", self.different.len(), shown.join("\n"));
        assert!(self.compared >= at_least, "{} calls are too few, {} skipped", self.compared, self.skipped);
    }
}

/// Where two runs part, with what came just before.
fn difference(ours: &[Observed], theirs: &[host::RecordedEvent], table: &EventTable) -> Option<String> {
    let same = |(a, b): (&Observed, &host::RecordedEvent)| a.number == b.number && same_value(&a.value, &b.value);
    let at = ours.iter().zip(theirs).position(|pair| !same(pair));
    let at = at.or_else(|| (ours.len() != theirs.len()).then(|| ours.len().min(theirs.len())))?;
    let show = |event: Option<(u32, Option<&Term>)>| event.map_or("the end".to_owned(), |(n, v)| text(table, n, v));
    let before = at.checked_sub(1).and_then(|before| ours.get(before)).map(|it| (it.number, it.value.as_ref()));
    Some(format!(
        "  event {at}, after {}\n  VM:   {}\n  ours: {}",
        show(before),
        show(theirs.get(at).map(|it| (it.number, it.value.as_ref()))),
        show(ours.get(at).map(|it| (it.number, it.value.as_ref()))),
    ))
}

fn same_value(ours: &Option<Term>, theirs: &Option<Term>) -> bool {
    match (ours, theirs) {
        (Some(a), Some(b)) => {
            let [a, b] = [a, b].map(|term| without_places(&without_stacks(term)));
            identical(&a, &b)
        }
        (None, None) => true,
        _ => false,
    }
}

/// The iterator of a large map ends in a number and the map; what the number counts is the VM's own affair.
fn without_places(term: &Term) -> Term {
    match term {
        Term::Tuple(_, items) => Term::tuple(items.iter().map(without_places).collect::<Vec<_>>()),
        Term::Cons(_, cell) if cell.head.is_integer() && matches!(cell.tail, Term::Map(..)) => cell.tail.clone(),
        other => other.clone(),
    }
}

fn text(table: &EventTable, number: u32, value: Option<&Term>) -> String {
    table.event(number).map_or_else(|| format!("event {number}?"), |(function, event)| note(function, event, value))
}

/// What the VM says; nothing where it met a limit.
pub fn answer(result: CallResult) -> Option<Answer> {
    match result {
        CallResult::Ended(Outcome::Value(value)) => Some(Answer::Value(value)),
        CallResult::Ended(Outcome::Raised(raised)) => Some(Answer::Raised(raised.class, raised.reason)),
        _ => None,
    }
}

/// A folder with these sources compiled; those that the compiler itself fails on are left out.
pub fn compiled(name: &str, sources: &[(String, String)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for programs");
    for (file, text) in sources {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    let code = "[catch compile:file(File, [debug_info]) || File <- filelib:wildcard(\"*.erl\")], halt().";
    let done = std::process::Command::new("erl").current_dir(&folder).args(["-noshell", "-eval", code]).output();
    assert!(done.expect("erl runs").status.success());
    folder
}
