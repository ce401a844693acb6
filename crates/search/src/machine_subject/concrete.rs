//! Runs on values alone: no expressions, only how often each branch was taken.

use std::rc::Rc;

use constraint::Stimulus;
use exec::forward::{Ending, Schedule};
use term::{Call, known};

use super::{MachineSubject, call};
use crate::contract::ContractCheck;
use crate::finding::unmatched_args;
use crate::schedules::is_overtaken;
use crate::subject::{ConcolicRun, ConcreteRun, TestSubject};

/// The steps that are as much work as a call on the VM.
const VM_CALL: u64 = 5_000;

/// The steps that are as much work as an event of a process.
const EVENT: u64 = 100;

impl MachineSubject<'_> {
    /// Runs the precondition, and if it allows the inputs, the function.
    pub(super) fn run_on_values(&mut self, stimulus: &Stimulus, steps: u64) -> ConcreteRun {
        let mut before = 0;
        if let Some(precondition) = self.precondition {
            let run = self.call_concretely(&call(precondition, &stimulus.inputs), true, Schedule::default(), steps);
            let is_allowed = matches!(&run.ending, Ending::Value(value) if value.as_atom() == Some(known::TRUE));
            if !is_allowed {
                return self.concrete_result(run, 0, false);
            }
            before = run.steps + VM_CALL * self.counts.vm_calls;
        }
        let entry = self.entry(&stimulus.inputs);
        let local = self.entry_point.facts.is_private;
        let run = self.call_concretely(&entry, local, Schedule::new(stimulus.schedule.clone()), steps);
        let is_asked = match &run.ending {
            Ending::Value(_) => self.entry_point.facts.is_property,
            ending => matches!(ending, Ending::Raised(_) | Ending::Endless(_) | Ending::Deadlock { .. }),
        };
        let is_outside = self.is_outside(&run.ending) || is_asked && self.is_undeclared(&stimulus.inputs, &run.ending);
        self.concrete_result(run, before, !is_outside)
    }

    /// Makes a call on values alone.
    fn call_concretely(&mut self, entry: &Call, local: bool, schedule: Schedule, steps: u64) -> exec::forward::Run {
        let mut schedule = schedule;
        let run = self.machine.run_counted(self.world, (entry, local), &mut schedule, &mut self.counts, steps);
        self.end(&run, schedule);
        run
    }

    /// The result of a run on values alone, after a precondition that took some work.
    fn concrete_result(&mut self, run: exec::forward::Run, before: u64, in_domain: bool) -> ConcreteRun {
        let events = std::mem::take(&mut self.events);
        let of_events = EVENT * events.len() as u64;
        let is_possible = !is_overtaken(&events, &mut |patterns, message| self.takes(patterns, message));
        let entry = self.entry_point.function;
        let raised = if let Ending::Raised(exception) = &run.ending { Some(exception) } else { None };
        let contract = self.concrete_check(&run.ending, in_domain);
        let steps = run.steps;
        let run = ConcolicRun {
            unmatched: raised.is_some_and(|exception| unmatched_args(exception, entry).is_some()),
            ending: run.ending,
            trace: run.trace,
            events,
            others: std::mem::take(&mut self.others),
            consequences: std::mem::take(&mut self.consequences),
            leaks: std::mem::take(&mut self.leaks),
            path: constraint::Path::default(),
            gaps: Vec::new(),
            steps,
            fresh: 0,
            branches: Rc::default(),
            truncated: true,
            contract,
            in_domain,
            is_possible,
        };
        let cost = before + steps + of_events + VM_CALL * self.counts.vm_calls;
        ConcreteRun { run, places: self.counts.places().collect(), cost }
    }

    /// The value of a property on values alone; of others nothing is asked.
    fn concrete_check(&self, ending: &Ending, in_domain: bool) -> ContractCheck {
        match ending {
            Ending::Value(value) if in_domain && self.entry_point.facts.is_property => {
                ContractCheck::of_property(value)
            }
            _ => ContractCheck::default(),
        }
    }
}
