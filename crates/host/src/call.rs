//! Calls of functions on the VM, and their ends.

use term::{Call, Class, Exception, Mfa, Outcome, Term, etf};

use crate::error::HostError;
use crate::host::{Host, Role};
use crate::options::CallLimits;
use crate::wire::{Frame, operation, tag};

/// The end of a call on the real VM.
#[derive(Clone)]
pub enum CallResult {
    /// With a value or an exception.
    Ended(Outcome),
    /// The time limit struck, or the VM hung and was killed.
    TimedOut,
    /// The reduction limit struck in these functions, the innermost first.
    OutOfReductions(Vec<Mfa>),
    /// The heap limit struck, or the value was too large to be sent.
    OutOfMemory,
    /// All its processes waited for messages for too long.
    Waited,
    /// The guard refused this function.
    Refused(Mfa),
    /// Its process was ended by an exit signal with this reason.
    Killed(Term),
    /// The VM ended with it, or before it; how.
    HostDied(String),
    /// It holds something that has no form for the VM.
    NotSent(String),
}

impl CallResult {
    /// Returns the name of the limit that ended the call, if one did.
    pub fn limit(&self) -> Option<&'static str> {
        match self {
            CallResult::TimedOut => Some("time"),
            CallResult::OutOfReductions(_) => Some("reductions"),
            CallResult::OutOfMemory => Some("memory"),
            CallResult::Waited => Some("patience"),
            _ => None,
        }
    }

    /// Returns an exit signal as the exception that the shell shows for it: a stack trace in the reason is the
    /// exception's.
    pub fn signal_raised(self) -> CallResult {
        let CallResult::Killed(reason) = self else { return self };
        let (reason, stack) = match reason.as_tuple() {
            Some([reason, stack]) if is_trace(stack) => (reason.clone(), stack.clone()),
            _ => (reason, Term::nil()),
        };
        CallResult::Ended(Outcome::Raised(Exception { class: Class::Exit, reason, stack }))
    }
}

/// True if this is what the shell takes for a stack trace: at least one entry, and nothing else.
fn is_trace(stack: &Term) -> bool {
    let entry = |entry: &Term| match entry.as_tuple() {
        Some([module, function, args, place]) => {
            let args = args.as_i64().is_some() || args.proper_list().is_some();
            module.as_atom().is_some() && function.as_atom().is_some() && args && place.proper_list().is_some()
        }
        _ => false,
    };
    stack.proper_list().is_some_and(|entries| !entries.is_empty() && entries.iter().all(entry))
}

impl Host {
    /// Runs a call in a fresh process of the VM, under the limits the host was started with.
    pub fn call(&mut self, call: &Call) -> CallResult {
        self.call_as(Role::Replacement, operation::CALL, &[], call, &mut |_| {})
    }

    /// As [`Host::call`], but never in a module that [`Host::load`] put in another's place, and past the guard if there
    /// is one.
    pub fn confirm(&mut self, call: &Call) -> CallResult {
        let operation = if self.is_guarded() { operation::GUARDED_CALL } else { operation::CALL };
        self.call_as(Role::Original, operation, &[], call, &mut |_| {})
    }

    /// As [`Host::confirm`], with limits that are no larger than these on time and reductions.
    pub fn confirm_within(&mut self, call: &Call, millis: u64, reductions: u64) -> CallResult {
        let limits = self.options.limits;
        let millis = millis.min(limits.millis);
        self.options.limits = CallLimits { millis, reductions, ..limits };
        let answer = self.confirm(call);
        self.options.limits = limits;
        answer
    }

    /// Runs a call in one version of the modules; `extra` follows the limits in the request.
    pub(crate) fn call_as(
        &mut self,
        role: Role,
        operation: u8,
        extra: &[u8],
        call: &Call,
        events: &mut dyn FnMut(&[u8]),
    ) -> CallResult {
        let data = match self.encode_call(call) {
            Ok(data) => data,
            Err(error) => return CallResult::NotSent(error),
        };
        if let Err(error) = self.switch(role) {
            return failed(error);
        }
        let (limits, millis) = self.limits();
        let parts = [&limits.to_bytes()[..], extra, &data];
        let answer = self.exchange_events(operation, &parts, millis, events);
        self.result(answer)
    }

    /// Returns the external form of a call.
    pub(crate) fn encode_call(&mut self, call: &Call) -> Result<Vec<u8>, String> {
        let args = Term::list(call.args.iter().cloned());
        let term = Term::tuple([Term::atom(call.module), Term::atom(call.function), args]);
        self.visits.encode(&term).map_err(|error| error.to_string())
    }

    /// Closures that were sent are closures again when they come back.
    fn home(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Value(value) => Outcome::Value(self.visits.home(value)),
            Outcome::Raised(raised) => Outcome::Raised(Exception {
                class: raised.class,
                reason: self.visits.home(raised.reason),
                stack: self.visits.home(raised.stack),
            }),
        }
    }

    pub(crate) fn result(&mut self, answer: Result<Frame, HostError>) -> CallResult {
        let frame = match answer {
            Ok(frame) => frame,
            Err(error) => return failed(error),
        };
        match read(&frame) {
            Ok(CallResult::Ended(outcome)) => CallResult::Ended(self.home(outcome)),
            Ok(result) => result,
            Err(problem) => failed(self.discard_garbage(problem)),
        }
    }
}

pub(crate) fn failed(error: HostError) -> CallResult {
    match error {
        HostError::Hung { .. } => CallResult::TimedOut,
        HostError::NotSent { detail } => CallResult::NotSent(detail),
        HostError::Died { detail } => CallResult::HostDied(detail),
        other => CallResult::HostDied(other.to_string()),
    }
}

fn read(frame: &Frame) -> Result<CallResult, String> {
    let term = || etf::decode(&frame.data).map_err(|error| error.to_string());
    Ok(match frame.tag {
        tag::VALUE => CallResult::Ended(Outcome::Value(term()?)),
        tag::RAISED => CallResult::Ended(Outcome::Raised(exception(&term()?)?)),
        tag::TIMED_OUT => CallResult::TimedOut,
        tag::OUT_OF_REDUCTIONS => CallResult::OutOfReductions(term()?.cells().filter_map(function).collect()),
        tag::OUT_OF_MEMORY | tag::TOO_LARGE => CallResult::OutOfMemory,
        tag::WAITED => CallResult::Waited,
        tag::REFUSED => CallResult::Refused(function(&term()?).ok_or("a refusal of nothing")?),
        tag::KILLED => CallResult::Killed(term()?),
        tag::NO_PROCESS => CallResult::HostDied("the session has ended".to_string()),
        tag::FAILED => CallResult::NotSent("the VM could not read the call".to_string()),
        other => return Err(format!("an answer of kind {other}")),
    })
}

fn function(term: &Term) -> Option<Mfa> {
    let [module, function, arity] = term.as_tuple()? else { return None };
    let arity = u8::try_from(arity.as_i64()?).ok()?;
    Some(Mfa { module: module.as_atom()?, function: function.as_atom()?, arity })
}

fn exception(term: &Term) -> Result<Exception, String> {
    let malformed = || "an exception that is none".to_string();
    let Some([class, reason, stack]) = term.as_tuple() else { return Err(malformed()) };
    let class = class.as_atom().and_then(Class::from_atom).ok_or_else(malformed)?;
    Ok(Exception { class, reason: reason.clone(), stack: stack.clone() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_answer_is_read_or_refused(id in any::<u64>(), tag in 0u8..15, data in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = read(&Frame { id, tag, data: [vec![131], data].concat() });
        }
    }

    #[test]
    fn an_exit_signal_is_told_as_the_shell_tells_it() {
        let raised = |reason: &str| {
            let reason = Term::read(reason).unwrap_or_else(|e| panic!("{e}"));
            match CallResult::Killed(reason).signal_raised() {
                CallResult::Ended(Outcome::Raised(raised)) => {
                    format!("{} {} {}", raised.class, raised.reason, raised.stack)
                }
                _ => panic!("no exception"),
            }
        };
        assert_eq!(raised("killed"), "exit killed []");
        assert_eq!(raised("{badarith,[{m,f,1,[]}]}"), "exit badarith [{m,f,1,[]}]");
        assert_eq!(raised("{why,[]}"), "exit {why,[]} []");
        assert_eq!(raised("{why,[1]}"), "exit {why,[1]} []");
        assert!(matches!(CallResult::Waited.signal_raised(), CallResult::Waited));
    }

    #[test]
    fn an_exception_needs_its_three_parts() {
        let good = Term::tuple(["error", "why", "x"].map(Term::atom_named));
        assert!(exception(&good).is_ok());
        let unknown_class = Term::tuple(["warning", "why", "x"].map(Term::atom_named));
        for bad in [unknown_class, Term::nil(), Term::tuple([Term::int(1)])] {
            assert!(exception(&bad).is_err());
        }
    }
}
