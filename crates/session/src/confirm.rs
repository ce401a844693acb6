//! Replays a witness on the real VM.

use constraint::Stimulus;
use host::CallResult;
use search::{Confirm, Confirmation};
use term::{Call, Exception, Mfa, Naming, Outcome, Term};

use crate::alike::is_same_exception;
use crate::session::Shared;

pub struct Replay {
    pub outside: Shared,
    pub function: Mfa,
    /// How often a call that ends otherwise is made again.
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
            answer = self.once(inputs, expected);
        }
        answer
    }
}

impl Replay {
    fn once(&mut self, inputs: &[Term], expected: &Exception) -> Confirmation {
        let Mfa { module, function, .. } = self.function;
        let call = Call { module, function, args: inputs.to_vec() };
        let host = &mut self.outside.borrow_mut().host;
        let answer = match host.confirm(&call).signal_raised() {
            // Somebody may have ended it; whether the call itself does so the second time shows.
            CallResult::HostDied(_) => host.confirm(&call).signal_raised(),
            answer => answer,
        };
        match answer {
            CallResult::Ended(Outcome::Raised(raised)) if is_same_exception(&raised, expected) => {
                let raised = raised.named(inputs);
                let text = host.format_exception(&raised);
                Confirmation::Same { text: text.unwrap_or_else(|_| format!("** {}:{}", raised.class, raised.reason)) }
            }
            CallResult::Ended(Outcome::Raised(raised)) => {
                let raised = raised.named(inputs);
                Confirmation::Different { got: format!("{}:{}", raised.class, raised.reason) }
            }
            CallResult::Ended(Outcome::Value(value)) => {
                let value = Naming::keeping(inputs).name(&value);
                Confirmation::Different { got: format!("the value {value}") }
            }
            CallResult::TimedOut => Confirmation::Limit { what: "time".to_owned() },
            CallResult::OutOfReductions => Confirmation::Limit { what: "reductions".to_owned() },
            CallResult::OutOfMemory => Confirmation::Limit { what: "memory".to_owned() },
            CallResult::Waited => Confirmation::Limit { what: "patience".to_owned() },
            CallResult::Refused(function) => Confirmation::Different { got: format!("a refusal of {function}") },
            CallResult::Killed(reason) => Confirmation::Different { got: format!("an exit signal: {reason}") },
            CallResult::HostDied(what) => Confirmation::Dead { what },
            CallResult::NotSent(what) => Confirmation::Different { got: format!("nothing: {what}") },
        }
    }
}
