//! The symbolic run of a recorded call, rebuilt from its events: as text, with its alternatives and test cases.

use std::num::NonZeroUsize;

use constraint::RuleId;
use exec::forward::{Concretize, Ending, Limits, Machine, Options as Recording, Recorder};
use frontend::core::Name;
use frontend::instrument::{EventEntry, EventTable};
use rebuild::{Events, Inputs, PartialTerm, Steering, alternatives, answers, tests, texts, trace};
use search::MachineSubject;
use term::{Call, Term};

use super::{FirstEvents, MOST_BYTES, RecordedCall, ending};
use crate::domain::{Domain, domain};
use crate::solver::solver;
use crate::{SearchBounds, Session, interrupt};

/// The greatest number of test cases.
const CASES: usize = 300;

/// The clauses of a run that others could have been selected for.
const CLAUSES: usize = 300;

/// Characters of a value behind a test case.
const SHOWN: usize = 200;

/// The limits of a replayed run.
const LIMITS: Limits = Limits { steps: 1_000_000, memory: 512 << 20 };

/// A recorded call to rebuild.
pub struct Rebuilding<'a> {
    /// The meaning of the events.
    pub table: &'a EventTable,
    /// The call.
    pub call: &'a Call,
    /// Its events and its symbolic run.
    pub recorded: &'a RecordedCall,
    /// The greatest depth of terms in test cases, if these are wanted.
    pub depth: Option<usize>,
}

impl Rebuilding<'_> {
    /// Returns the text; it is empty if the call is not of a function that emits events.
    pub fn text(&self, session: &Session) -> String {
        let Ok(arity) = u8::try_from(self.call.args.len()) else { return String::new() };
        let function = Name { function: self.call.function, arity };
        if self.table.function(function).is_none() {
            return String::new();
        }
        let _stop = interrupt::stop_at(session.end());
        let mut text = self.symbolic_run(function);
        if let Some(depth) = self.depth {
            let Ok(table) = session.instrument(self.call.module) else { return text };
            text.push_str(&self.test_cases(session, &table, depth));
        }
        text
    }

    /// Result and parameters as patterns, the clauses that were selected, and the parameters of runs that select others.
    fn symbolic_run(&self, function: Name) -> String {
        let RecordedCall { events, symbolic, .. } = self.recorded;
        let recorded: Vec<(u32, Option<&Term>)> =
            events.first.iter().map(|it| (it.number, it.value.as_ref())).collect();
        let mut text = String::from("\n%% The symbolic run.\n");
        match symbolic {
            Some(run) => {
                let all = texts(&[std::slice::from_ref(&run.result), &run.params[..]].concat());
                text.push_str(&format!("Res = {}, Vars = {}\n", all[0], all[1..].join(", ")));
            }
            None => text.push_str("the events do not fit together\n"),
        }
        let clauses = self.first_clauses(events);
        text.push_str(&match clauses == recorded.len() && events.are_all() {
            true => self.all_alternatives(function, &recorded),
            false => self.first_alternatives(function, &recorded, clauses),
        });
        text
    }

    fn all_alternatives(&self, function: Name, recorded: &[(u32, Option<&Term>)]) -> String {
        let own = row(&trace(self.table, recorded));
        let all = answers(self.table, function, recorded);
        let lines = all.iter().map(|(params, trace)| alternative(params, trace));
        format!("trace {own}\n\n%% All alternatives, this run among them.\n{}", lines.collect::<String>())
    }

    fn first_alternatives(&self, function: Name, recorded: &[(u32, Option<&Term>)], clauses: usize) -> String {
        let own = trace(self.table, recorded);
        let own = row(&own[..own.len().min(CLAUSES)]);
        let all = alternatives(self.table, function, &recorded[..clauses]);
        let lines = all.iter().map(|other| alternative(&other.params, &other.trace));
        format!("trace {own},…\n\n%% The alternatives to the first {CLAUSES} clauses.\n{}", lines.collect::<String>())
    }

    /// The number of events up to the last clause whose alternatives are shown.
    fn first_clauses(&self, events: &FirstEvents) -> usize {
        let is_clause = |number: u32| matches!(self.table.event(number), Some((_, EventEntry::Case { .. })));
        let clauses = events.first.iter().enumerate().filter(|(_, event)| is_clause(event.number));
        clauses.map(|(at, _)| at).nth(CLAUSES).unwrap_or(events.first.len())
    }

    fn test_cases(&self, session: &Session, table: &EventTable, depth: usize) -> String {
        let cases = cases(session, table, self.call, depth);
        let mut text = String::from("\n%% Test cases.\n");
        for EndedCase { args, ending } in &cases {
            let call = Call { args: args.clone(), ..self.call.clone() };
            text.push_str(&format!("{call}  % {}\n", phrase(ending.as_ref())));
        }
        if cases.len() >= CASES {
            text.push_str(&format!("%% No more than {CASES} are made.\n"));
        }
        if session.is_over() {
            text.push_str("%% The time limit was reached.\n");
        }
        text
    }
}

fn row(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

fn alternative(params: &[PartialTerm], trace: &[u32]) -> String {
    format!("Vars = {}, trace {}\n", texts(params).join(", "), row(trace))
}

/// The end of a test case in a few words; crashes are marked.
fn phrase(ending: Option<&Ending>) -> String {
    let text = match ending {
        Some(Ending::Value(value)) => format!("gives {value}"),
        Some(Ending::Raised(raised)) => format!("crash: {}:{}", raised.class, raised.reason),
        Some(Ending::Refused { function, .. }) => format!("is refused {function}"),
        Some(Ending::Vm { what, .. }) => format!("has no end: {what}"),
        _ => "has no end that is known".to_owned(),
    };
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// Inputs that were found, and how the call ended with them on the VM.
pub struct EndedCase {
    /// The arguments.
    pub args: Vec<Term>,
    /// The end, if the VM had one.
    pub ending: Option<Ending>,
}

/// Returns the test cases that follow from a call of a function whose module was instrumented, with that table.
pub fn cases(session: &Session, table: &EventTable, first: &Call, depth: usize) -> Vec<EndedCase> {
    let entry = first.mfa();
    let function = Name { function: entry.function, arity: entry.arity };
    let Domain { target, grammar, .. } = domain(session, entry, vec![entry.module]);
    let signatures: Vec<Vec<RuleId>> = target.signatures.iter().map(|it| it.inputs.clone()).collect();
    let inputs = Inputs { table, function, grammar: &grammar.clone(), signatures: &signatures, depth };
    let bounds = SearchBounds { workers: NonZeroUsize::new(1), ..SearchBounds::EXPLORE };
    let (mut world, mut solver) = (session.clone(), solver(&bounds, session.end()));
    let mut recorder = Recorder::default();
    recorder.concretize = Concretize::Sound;
    let machine = Machine::new(LIMITS, Recording { mirrors: true, ..Recording::default() });
    let mut tested = MachineSubject::new(machine, recorder, &mut world, grammar, target, None);
    tested.run_on_vm();
    let budget = search::ExplorationOptions::default().budget;
    let mut steering = Steering::new(&mut tested, &mut solver, table, budget, depth);
    let mut endings: Vec<(Vec<Term>, Ending)> = Vec::new();
    let found = tests(&inputs, first.args.clone(), CASES, Some(&mut steering), &mut |args| {
        let (events, ending) = observe(session, &Call { args: args.to_vec(), ..first.clone() })?;
        endings.extend(ending.map(|ending| (args.to_vec(), ending)));
        events
    });
    let end_of = |args: &Vec<Term>| endings.iter().find(|(known, _)| known == args).map(|(_, ending)| ending.clone());
    found.into_iter().map(|args| EndedCase { ending: end_of(&args), args }).collect()
}

/// The first events of a call on the VM, if they can be had, and its end; nothing if there is no time left.
fn observe(session: &Session, call: &Call) -> Option<(Option<Events>, Option<Ending>)> {
    if session.is_over() {
        return None;
    }
    let mut events = FirstEvents::default();
    let (result, whole) = session.host().call_observed_by(call, MOST_BYTES, &mut |event| events.add(event));
    let recorded = events.first.into_iter().map(|event| (event.number, event.value));
    Some((whole.ok().map(|()| recorded.collect()), ending(result, call.mfa()).ok()))
}
