//! Replays of schedules: a VM of its own whose modules have gates, which processes pass in the order of a schedule.

use term::{Atom, Call, Class, Exception, Mfa, Term, etf};

use crate::call::{CallResult, failed};
use crate::clock::preparing;
use crate::error::HostError;
use crate::host::{Host, Role};
use crate::wire::{Frame, operation, tag};

/// One turn of a schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passage {
    /// The number of the process: 0 is that of the call, another has that of its [`Gate::Spawn`].
    pub process: u32,
    /// The gate that it passes.
    pub gate: Gate,
    /// The processes that end with it.
    pub ended: Vec<u32>,
}

/// A gate before something that other processes can see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gate {
    /// A call of a function.
    Operation(Mfa),
    /// The start of a process, with its number.
    Spawn(u32),
    /// A `receive` that waits forever takes a message.
    Take,
    /// A `receive` that does not wait forever takes a message.
    TimedTake,
    /// A look at the messages, without waiting.
    Look,
    /// The time of a `receive` is up.
    TimeUp,
    /// A process goes on that has hibernated.
    Wake,
    /// A process that comes to its end gives up its tables.
    Release,
    /// The end of a process.
    Exit,
    /// The start of a timer, with its number and the function that does it.
    StartTimer(u32, Mfa),
    /// No gate: the timer that the passage has the number of strikes.
    Strike,
    /// No gate: every signal of the schedule arrives when an [`Arrive`](Self::Arrive) says so, else at once.
    HoldSignals,
    /// No gate: the first signal that a process has sent another, and that has not arrived, does.
    Arrive(u32),
    /// No gate: the process ends that a signal has stopped.
    Stopped,
    /// No gate: others get signals about the end of a process.
    Gone,
    /// No gate: whatever comes to one from now on stays there.
    Stop,
    /// No gate: time passes, up to so many milliseconds since the beginning.
    Clock(u64),
}

/// The end of a call under a schedule.
#[derive(Clone, Debug)]
pub struct Performed {
    /// The outcome of the call, if it came to one.
    pub outcome: Option<Result<Term, Exception>>,
    /// The reasons with which processes that the call has started have crashed, in order.
    pub crashes: Vec<Term>,
    /// The numbers of the processes that are left; they wait.
    pub left: Vec<u32>,
}

/// The reason why a schedule was not performed.
#[derive(Clone)]
pub enum NotPerformed {
    /// A process did something else; in words.
    Strayed(String),
    /// The call ended otherwise.
    Ended(Box<CallResult>),
}

/// A VM that replays schedules.
pub struct Conductor {
    host: Host,
}

impl Conductor {
    /// Starts a VM beside this one, with the same options.
    pub fn beside(host: &Host) -> Result<Conductor, HostError> {
        let mut own = Host::start(host.options.clone())?;
        own.conduct_like(host)?;
        Ok(Conductor { host: own })
    }

    /// Runs a call, with the modules that the other VM was given, under a schedule.
    pub fn perform(&mut self, beside: &Host, call: &Call, turns: &[Passage]) -> Result<Performed, NotPerformed> {
        beside.originals().for_each(|(name, beam)| self.host.give(Role::Original, name, beam));
        self.host.end = beside.end;
        self.host.perform(call, turns)
    }
}

impl Host {
    /// Runs a call under a schedule; the modules must have gates.
    pub(crate) fn perform(&mut self, call: &Call, turns: &[Passage]) -> Result<Performed, NotPerformed> {
        let ended = |result| NotPerformed::Ended(Box::new(result));
        preparing(|| self.ready()).map_err(|error| ended(failed(error)))?;
        let call = self.encode_call(call).map_err(|error| ended(CallResult::NotSent(error)))?;
        let steps = etf::encode(&Term::list(turns.iter().map(Passage::term)));
        let steps = steps.map_err(|error| ended(CallResult::NotSent(error.to_string())))?;
        let (limits, millis) = self.limits();
        let size = (steps.len() as u32).to_be_bytes();
        let parts = [&limits.to_bytes()[..], &size, &steps, &call];
        let frame = self.exchange(operation::CONDUCTED_CALL, &parts, millis);
        self.read_performed(frame)
    }

    fn read_performed(&mut self, frame: Result<Frame, HostError>) -> Result<Performed, NotPerformed> {
        let garbage = |it: &mut Host| {
            let error = it.discard_garbage("an answer that is none".to_owned());
            NotPerformed::Ended(Box::new(failed(error)))
        };
        match frame {
            Ok(Frame { tag: tag::CONDUCTED, data, .. }) => {
                etf::decode(&data).ok().and_then(|term| performed(&term)).ok_or_else(|| garbage(self))
            }
            Ok(Frame { tag: tag::STRAYED, data, .. }) => Err(match etf::decode(&data).ok().as_ref().and_then(text) {
                Some(text) => NotPerformed::Strayed(text),
                None => garbage(self),
            }),
            other => Err(NotPerformed::Ended(Box::new(self.result(other)))),
        }
    }
}

fn text(term: &Term) -> Option<String> {
    Some(String::from_utf8_lossy(&term.as_bits()?.to_bytes()).into_owned())
}

fn performed(term: &Term) -> Option<Performed> {
    let [outcome, crashes, left] = term.as_tuple()? else { return None };
    let outcome = match outcome.as_tuple() {
        None => None,
        Some([tag, value]) if tag.as_atom()?.name() == "value" => Some(Ok(value.clone())),
        Some([_, reason]) => {
            let CallResult::Ended(term::Outcome::Raised(raised)) = CallResult::Killed(reason.clone()).signal_raised()
            else {
                return None;
            };
            Some(Err(raised))
        }
        Some([class, reason, stack]) => {
            let class = Class::from_atom(class.as_atom()?)?;
            Some(Err(Exception { class, reason: reason.clone(), stack: stack.clone() }))
        }
        Some(_) => return None,
    };
    let number = |number: &Term| number.as_i64().and_then(|number| u32::try_from(number).ok());
    let left = left.proper_list()?.iter().map(number).collect::<Option<_>>()?;
    Some(Performed { outcome, crashes: crashes.proper_list()?, left })
}

impl Passage {
    fn term(&self) -> Term {
        let number = |number: u32| Term::int(i64::from(number));
        let tagged = |tag: &str, value: Term| Term::tuple([Term::atom_named(tag), value]);
        let call = |function: &Mfa| {
            let name = |atom: Atom| Term::atom(atom);
            [Term::atom_named("operation"), name(function.module), name(function.function)]
        };
        let gate = match &self.gate {
            Gate::Operation(function) => Term::tuple(call(function)),
            Gate::StartTimer(timer, function) => {
                Term::tuple(call(function).into_iter().chain([number(*timer)]).collect::<Vec<_>>())
            }
            Gate::Strike => Term::atom_named("strike"),
            Gate::Stop => Term::atom_named("stop"),
            Gate::Release => Term::atom_named("release"),
            Gate::HoldSignals => Term::atom_named("hold_signals"),
            Gate::Stopped => Term::atom_named("stopped"),
            Gate::Gone => Term::atom_named("gone"),
            Gate::Arrive(to) => tagged("arrive", number(*to)),
            Gate::Spawn(child) => tagged("start", number(*child)),
            Gate::Take => Term::atom_named("message"),
            Gate::TimedTake => Term::atom_named("timed"),
            Gate::Look => Term::atom_named("look"),
            Gate::TimeUp => Term::atom_named("up"),
            Gate::Wake => Term::atom_named("wake"),
            Gate::Exit => Term::atom_named("exit"),
            Gate::Clock(now) => tagged("clock", Term::int(*now as i64)),
        };
        Term::tuple([number(self.process), gate, Term::list(self.ended.iter().map(|it| number(*it)))])
    }
}
