//! Confirmation of findings: a witness is replayed on the real VM.

mod same;

use constraint::Stimulus;
use host::CallResult;
use search::{Confirm, Confirmation};
use term::{Call, Class, Exception, Mfa, Naming, Outcome, Term};

use crate::Session;

pub(crate) use same::{is_same_ending, is_same_exception};

/// Replays calls of a function on the VM.
pub(crate) struct Replay {
    pub session: Session,
    pub function: Mfa,
    /// The number of tries of a call that ends otherwise.
    pub tries: u32,
}

impl Confirm for Replay {
    fn confirm(&mut self, stimulus: &Stimulus, expected: &Exception) -> Confirmation {
        let inputs = &stimulus.inputs;
        let mut answer = self.once(inputs, expected);
        for _ in 1..self.tries {
            if !matches!(answer, Confirmation::Different { .. }) {
                break;
            }
            if let Some(crash) = self.watched(inputs, expected) {
                return crash;
            }
            answer = self.once(inputs, expected);
        }
        answer
    }
}

impl Replay {
    fn once(&mut self, inputs: &[Term], expected: &Exception) -> Confirmation {
        let Mfa { module, function, .. } = self.function;
        let call = Call { module, function, args: inputs.to_vec() };
        let mut host = self.session.host();
        let answer = match host.confirm(&call).signal_raised() {
            // Another call may have ended the VM; a second try shows whether this one does.
            CallResult::HostDied(_) => host.confirm(&call).signal_raised(),
            answer => answer,
        };
        match answer {
            CallResult::Ended(Outcome::Raised(raised)) if is_same_exception(&raised, expected) => {
                let raised = raised.named(inputs);
                let text = host.format_exception(&raised);
                Confirmation::Same { text: text.unwrap_or_else(|_| format!("** {}:{}", raised.class, raised.reason)) }
            }
            CallResult::HostDied(what) => Confirmation::Dead { what },
            other => match other.limit() {
                Some(limit) => Confirmation::Limit { what: limit.to_owned() },
                None => Confirmation::Different { got: got(other, inputs) },
            },
        }
    }
}

impl Replay {
    /// The crash of a process that the call starts, if it is the one expected.
    fn watched(&mut self, inputs: &[Term], expected: &Exception) -> Option<Confirmation> {
        let Mfa { module, function, .. } = self.function;
        let mut host = self.session.host();
        let answer = host.confirm_watched(&Call { module, function, args: inputs.to_vec() })?;
        let CallResult::Crashed(reasons) = answer else { return None };
        let raised = reasons.iter().map(uncaught).find(|raised| is_same_exception(raised, expected))?.named(inputs);
        let text = host.format_exception(&raised).unwrap_or_else(|_| format!("** {}:{}", raised.class, raised.reason));
        Some(Confirmation::Same { text })
    }
}

/// The exception that a process did not handle which ends with this reason.
fn uncaught(reason: &Term) -> Exception {
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
fn got(answer: CallResult, inputs: &[Term]) -> String {
    match answer {
        CallResult::Ended(Outcome::Raised(raised)) => {
            let raised = raised.named(inputs);
            format!("{}:{}", raised.class, raised.reason)
        }
        CallResult::Ended(Outcome::Value(value)) => format!("the value {}", Naming::keeping(inputs).name(&value)),
        CallResult::Refused(function) => format!("a refusal of {function}"),
        CallResult::Killed(reason) => format!("an exit signal: {reason}"),
        CallResult::Crashed(reasons) => format!("crashes of other processes: {}", Term::list(reasons)),
        CallResult::NotSent(what) => format!("nothing: {what}"),
        _ => "no answer".to_owned(),
    }
}
