//! The symbolic run of a recorded call, rebuilt from its events: as text, with its alternatives and test cases.

use std::num::NonZeroUsize;

use constraint::RuleId;
use exec::forward::{Concretize, Limits, Machine, Options as Recording, Recorder};
use frontend::core::Name;
use frontend::instrument::EventTable;
use host::RecordedEvent;
use rebuild::{Inputs, Steering, answers, symbolic, tests, texts, trace};
use search::MachineSubject;
use term::{Call, Term};

use super::MOST_EVENTS;
use crate::domain::{Domain, domain};
use crate::solver::solver;
use crate::{SearchBounds, Session, interrupt};

/// The greatest number of test cases.
const CASES: usize = 300;

/// The limits of a replayed run.
const LIMITS: Limits = Limits { steps: 1_000_000, memory: 512 << 20 };

/// A recorded call to rebuild.
pub struct Rebuilding<'a> {
    /// The meaning of the events.
    pub table: &'a EventTable,
    /// The call.
    pub call: &'a Call,
    /// Its events.
    pub events: &'a [RecordedEvent],
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
        let events: Vec<(u32, Option<&Term>)> = self.events.iter().map(|it| (it.number, it.value.as_ref())).collect();
        let _stop = interrupt::stop_at(session.end());
        let mut text = String::from("\n%% The symbolic run.\n");
        match symbolic(self.table, function, &events) {
            Some(run) => {
                let all = texts(&[&[run.result], &run.params[..]].concat());
                text.push_str(&format!("Res = {}, Vars = {}\n", all[0], all[1..].join(", ")));
            }
            None => text.push_str("the events do not fit together\n"),
        }
        let row = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let own = trace(self.table, &events);
        text.push_str(&format!("trace {}\n\n%% All alternatives, this run among them.\n", row(&own)));
        for (params, trace) in answers(self.table, function, &events) {
            text.push_str(&format!("Vars = {}, trace {}\n", texts(&params).join(", "), row(&trace)));
        }
        if let Some(depth) = self.depth {
            let Ok(table) = session.instrument(self.call.module) else { return text };
            let cases = cases(session, &table, self.call, depth);
            let more = if cases.len() < CASES { String::new() } else { format!("%% No more than {CASES} are made.\n") };
            let lines = cases.into_iter().map(|args| format!("{}\n", Call { args, ..self.call.clone() }));
            text.push_str(&format!("\n%% Test cases.\n{}{more}", lines.collect::<String>()));
            if session.is_over() {
                text.push_str("%% The time limit was reached.\n");
            }
        }
        text
    }
}

/// Returns the test cases that follow from a call of a function whose module was instrumented, with that table.
pub fn cases(session: &Session, table: &EventTable, first: &Call, depth: usize) -> Vec<Vec<Term>> {
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
    tests(&inputs, first.args.clone(), CASES, Some(&mut steering), &mut |args| {
        if session.is_over() {
            return None;
        }
        let call = Call { args: args.to_vec(), ..first.clone() };
        let (_, events) = session.host().call_observed(&call, MOST_EVENTS);
        Some(events.ok()?.into_iter().map(|event| (event.number, event.value)).collect())
    })
}
