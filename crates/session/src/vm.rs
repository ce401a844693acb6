//! The machine's door to a session: code from the library, answers from the real VM, permissions from the user.

use std::rc::Rc;

use exec::forward::{Code, CodeSource, EventLog, RecordedRun, RunStopped, SampleStore, Stop, Vm, VmAnswer, VmCall};
use host::CallResult;
use ops::policy::{Policy, may_call_funs, policy};
use term::{Atom, Call, Exception, Fun, Mfa, Outcome, Term, known};

use crate::library::NoCode;
use crate::{Session, guard, interrupt};

/// Bytes of events that a run may emit: some thirty million of them, which take four bytes each when they are kept.
const EVENTS: u64 = 64 << 20;

/// The reason why a run ended all of whose processes wait.
pub(crate) const WAITED: &str = "all its processes wait for messages";

impl CodeSource for Session {
    fn code(&mut self, function: Mfa, local: bool) -> Code {
        match self.unit(function, local) {
            Ok(unit) => {
                self.note_change(function);
                Code::Graph(unit)
            }
            Err(NoCode::NoModule | NoCode::NoFunction) => Code::Undefined,
            Err(NoCode::Closed) => Code::Closed,
            Err(NoCode::Broken(error)) => Code::Broken(error.to_string()),
        }
    }

    fn exports(&mut self, module: Atom, arity: u8) -> Option<Vec<Atom>> {
        (**self).exports(module, arity)
    }

    fn modules(&mut self) -> Vec<Atom> {
        self.given()
    }

    fn atoms(&mut self, module: Atom) -> Vec<Atom> {
        (**self).atoms(module)
    }

    fn fun_identity(&self, lifted: Mfa) -> Option<(u32, u32)> {
        (**self).fun_identity(lifted)
    }
}

impl Vm for Session {
    fn vm_call(&mut self, kind: VmCall, function: Mfa, args: &[Term]) -> VmAnswer {
        if may_call_funs(function)
            && let Some(refusal) = args.iter().find_map(|arg| self.fun_within(arg))
        {
            return refusal;
        }
        let call = Call { module: function.module, function: function.function, args: args.to_vec() };
        let mut host = self.host();
        answer(match kind {
            VmCall::Pure => host.call(&call),
            VmCall::Closed => match host.confirm(&call) {
                CallResult::Refused(function) => {
                    return VmAnswer::Refused { function, effect: guard::effect(function) };
                }
                other => other,
            },
            VmCall::Stateful => {
                let process = self.state().process.get().unwrap_or_else(|| host.open_process());
                self.state().process.set(Some(process));
                host.process_call(process, &call)
            }
        })
    }

    fn record(&mut self, call: &Call) -> Option<RecordedRun> {
        let mut events = EventLog::default();
        let (result, whole) =
            self.host().call_observed_by(call, EVENTS, &mut |event| events.push(event.number, event.value));
        let outcome = match (result.signal_raised(), &whole) {
            (CallResult::NotSent(_), _) => return None,
            (_, Err(error)) => Err(RunStopped::Other(error.to_string())),
            (CallResult::Ended(outcome), _) => Ok(outcome),
            (CallResult::Refused(function), _) => {
                Err(RunStopped::Refused { function, effect: guard::effect(function) })
            }
            (other, _) => Err(RunStopped::Other(limit(other))),
        };
        Some(RecordedRun { outcome, events: Rc::new(events), numbers: Rc::clone(&self.state().numbers.borrow()) })
    }

    fn allowed(&self, function: Mfa) -> bool {
        self.state().allowed.contains(&function) || guard::is_off()
    }

    /// The output of a run is of no interest to those who run many.
    fn end_run(&mut self) {
        let _ = Session::end_run(self);
    }
}

impl SampleStore for Session {
    fn points(&mut self, function: Mfa) -> Vec<Vec<Term>> {
        let content = self.content(function.module);
        content.map_or(Vec::new(), |content| self.host().points(function, &content))
    }

    fn keep_points(&mut self, function: Mfa, points: &[Vec<Term>]) {
        if let Some(content) = self.content(function.module) {
            self.host().keep_points(function, &content, points);
        }
    }
}

impl Stop for Session {
    fn wants_stop(&self) -> bool {
        interrupt::is_wanted() || self.is_over()
    }
}

impl Session {
    /// Returns the answer to a call with a fun inside an argument, if the VM could call that fun: what it does there our
    /// machine does not see.
    fn fun_within(&self, term: &Term) -> Option<VmAnswer> {
        match term {
            Term::Fun(_, fun) => Some(match &**fun {
                Fun::External(function) => self.refusal(*function),
                _ => VmAnswer::Unsendable,
            }),
            Term::Tuple(_, items) => term::deeper(|| items.iter().find_map(|item| self.fun_within(item))),
            Term::Map(_, map) => term::deeper(|| {
                map.iter().find_map(|(key, value)| self.fun_within(key).or_else(|| self.fun_within(value)))
            }),
            Term::Cons(..) => {
                let mut cells = term.cells();
                let within = cells.by_ref().find_map(|item| term::deeper(|| self.fun_within(item)));
                within.or_else(|| self.fun_within(cells.rest()))
            }
            _ => None,
        }
    }

    fn refusal(&self, function: Mfa) -> VmAnswer {
        match policy(function, true) {
            Policy::Effect(effect) if !Vm::allowed(self, function) => VmAnswer::Refused { function, effect },
            _ => VmAnswer::Unsendable,
        }
    }
}

/// The phrase for the end of a run on the VM that did not end by itself.
fn limit(result: CallResult) -> String {
    match answer(result) {
        VmAnswer::Limit(what) => format!("a limit of {what}"),
        VmAnswer::Failed(how) => how,
        _ => "no answer".to_owned(),
    }
}

fn answer(result: CallResult) -> VmAnswer {
    match (result.limit(), result) {
        (_, CallResult::Ended(Outcome::Value(value))) => VmAnswer::Value(value),
        (_, CallResult::Ended(Outcome::Raised(raised))) if is_foreign_closure(&raised) => VmAnswer::Unsendable,
        (_, CallResult::Ended(Outcome::Raised(raised))) => VmAnswer::Raised(raised),
        (_, CallResult::Waited) => VmAnswer::Failed(WAITED.to_owned()),
        (_, CallResult::Refused(function)) => VmAnswer::Failed(format!("{function} was refused")),
        (_, CallResult::Killed(reason)) => VmAnswer::Failed(format!("its process was ended with {reason}")),
        (_, CallResult::HostDied(how)) => VmAnswer::Failed(how),
        (_, CallResult::NotSent(_)) => VmAnswer::Unsendable,
        (limit, _) => VmAnswer::Limit(limit.unwrap_or_default().to_owned()),
    }
}

/// True if the VM tried to call a closure of our machine, for which it has no code.
fn is_foreign_closure(raised: &Exception) -> bool {
    let is_closure = |term: &Term| matches!(term, Term::Fun(_, fun) if matches!(**fun, Fun::Closure(_)));
    match raised.reason.as_tuple() {
        Some([tag, fun]) => tag.as_atom() == Some(known::BADFUN) && is_closure(fun),
        _ => false,
    }
}
