//! Confirmation of findings: a witness is replayed on the real VM.

mod endless;
mod passages;
mod same;
mod schedule;

use exec::forward::ProcessEvent;
use host::CallResult;
use search::{Confirm, Confirmation, Defect, Evidence, Finding};
use term::{Call, Class, Exception, Mfa, Naming, Outcome, Term};

use crate::Session;

pub(crate) use passages::passages;

pub(crate) use same::{is_same_ending, is_same_exception, is_same_term};

/// Calls that are made where a schedule cannot be replayed.
const TRIES: u32 = 5;

/// Replays calls of a function on the VM.
pub(crate) struct Replay {
    pub session: Session,
    pub function: Mfa,
}

impl Confirm for Replay {
    fn confirm(&mut self, evidence: Evidence<'_>) -> Confirmation {
        // One process alone has one schedule; that it need not wait is worth another VM.
        let is_alone = !evidence.events.iter().any(ProcessEvent::needs_schedule);
        match evidence.defect {
            Defect::Crash(expected) if is_alone => self.once(evidence.inputs, expected),
            Defect::Crash(expected) => self.conducted_or_not(evidence, expected),
            Defect::Contract(expected) | Defect::Property(expected) if is_alone => {
                self.value(evidence.inputs, expected)
            }
            Defect::Deadlock(_) | Defect::Leak(_) | Defect::Contract(_) | Defect::Property(_) => {
                self.conducted(evidence)
            }
            Defect::Loop(endless) => self.endless(evidence.inputs, endless),
        }
    }

    fn accepted(&mut self, finding: &Finding) {
        self.session.note_found(self.function, finding);
    }
}

impl Replay {
    /// Replays a schedule, and where the VM does not follow, tries what it does by itself.
    fn conducted_or_not(&mut self, evidence: Evidence<'_>, expected: &Exception) -> Confirmation {
        let conducted = self.conducted(evidence);
        if !matches!(conducted, Confirmation::Different { .. }) {
            return conducted;
        }
        let mut tries = (0..TRIES).map(|_| self.once(evidence.inputs, expected));
        let shown = tries.find_map(|answer| match answer {
            Confirmation::Same { text } => Some(Confirmation::Unscheduled { text }),
            _ => None,
        });
        shown.unwrap_or(conducted)
    }

    /// Makes a call that raises an exception, without other processes.
    fn once(&mut self, inputs: &[Term], expected: &Exception) -> Confirmation {
        match self.answer(inputs) {
            CallResult::Ended(Outcome::Raised(raised)) if is_same_exception(&raised, expected) => {
                let raised = raised.named(inputs);
                let text = self.session.host().format_exception(&raised);
                Confirmation::Same { text: text.unwrap_or_else(|_| format!("** {}:{}", raised.class, raised.reason)) }
            }
            other => unlike(other, inputs),
        }
    }

    /// Makes a call that gives a value, without other processes.
    fn value(&mut self, inputs: &[Term], expected: &Term) -> Confirmation {
        match self.answer(inputs) {
            CallResult::Ended(Outcome::Value(value)) if is_same_term(&value, expected) => {
                Confirmation::Same { text: String::new() }
            }
            other => unlike(other, inputs),
        }
    }

    fn answer(&mut self, inputs: &[Term]) -> CallResult {
        let Mfa { module, function, .. } = self.function;
        let call = Call { module, function, args: inputs.to_vec() };
        let mut host = self.session.host();
        match host.confirm(&call).signal_raised() {
            // Another call may have ended the VM; a second try shows whether this one does.
            CallResult::HostDied(_) => host.confirm(&call).signal_raised(),
            answer => answer,
        }
    }
}

/// The verdict on an answer that is not the one expected.
fn unlike(answer: CallResult, inputs: &[Term]) -> Confirmation {
    match answer {
        CallResult::HostDied(what) => Confirmation::Dead { what },
        other => match other.limit() {
            Some(limit) => Confirmation::Limit { what: limit.to_owned() },
            None => Confirmation::Different { got: got(other, inputs) },
        },
    }
}

/// The exception that a process did not handle which ends with this reason.
pub(crate) fn uncaught(reason: &Term) -> Exception {
    let is_stack = |term: &Term| matches!(term, Term::Cons(..)) && term.proper_list().is_some();
    let (class, reason, stack) = match reason.as_tuple() {
        Some([inner, stack]) if is_stack(stack) => match inner.as_tuple() {
            Some([tag, value]) if tag.as_atom().is_some_and(|tag| tag.name() == "nocatch") => {
                (Class::Throw, value.clone(), stack.clone())
            }
            _ => (Class::Error, inner.clone(), stack.clone()),
        },
        _ => (Class::Exit, reason.clone(), Term::nil()),
    };
    Exception { class, reason, stack }
}

/// The phrase for an answer that is not the one expected.
pub(crate) fn got(answer: CallResult, inputs: &[Term]) -> String {
    match answer {
        CallResult::Ended(Outcome::Raised(raised)) => {
            let raised = raised.named(inputs);
            format!("{}:{}", raised.class, raised.reason)
        }
        CallResult::Ended(Outcome::Value(value)) => format!("the value {}", Naming::keeping(inputs).name(&value)),
        CallResult::Refused(function) => format!("a refusal of {function}"),
        CallResult::Killed(reason) => format!("an exit signal: {reason}"),
        CallResult::NotSent(what) => format!("nothing: {what}"),
        _ => "no answer".to_owned(),
    }
}
