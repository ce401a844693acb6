//! Replays of schedules on the real VM: a witness counts if the VM shows the same every time.

use exec::forward::{EventKind, ProcessEvent};
use host::{Gate, NotPerformed, Passage, Performed};
use ir::ProcessOp;
use ops::Rule;
use search::{Confirmation, Defect, Evidence};
use term::{Call, Exception};

use super::{Replay, got, is_same_exception, uncaught};

/// The number of replays, all of which must show the defect.
const REPLAYS: u32 = 3;

impl Replay {
    /// Replays the schedule of a witness.
    pub(super) fn conducted(&mut self, evidence: Evidence<'_>) -> Confirmation {
        let function = self.function;
        let call = Call { module: function.module, function: function.function, args: evidence.inputs.to_vec() };
        let turns = match end_of(evidence) {
            Some(end) => {
                let mut turns = passages(&evidence.events[..=end]);
                turns.push(Passage { process: ROOT, gate: Gate::Stop, ended: Vec::new() });
                turns
            }
            None => passages(evidence.events),
        };
        let mut shown = Confirmation::Different { got: String::new() };
        for _ in 0..REPLAYS {
            shown = match self.session.perform(&call, &turns) {
                Ok(performed) => self.compared(evidence, performed),
                Err(NotPerformed::Strayed(why)) => Confirmation::Different { got: format!("another schedule: {why}") },
                Err(NotPerformed::Ended(result)) => match result.limit() {
                    Some(limit) => Confirmation::Limit { what: limit.to_owned() },
                    None => Confirmation::Different { got: got(*result, evidence.inputs) },
                },
            };
            if !matches!(shown, Confirmation::Same { .. }) {
                break;
            }
        }
        shown
    }

    fn compared(&mut self, evidence: Evidence<'_>, performed: Performed) -> Confirmation {
        let Performed { outcome, crashes, left } = performed;
        match evidence.defect {
            Defect::Crash(expected) => {
                let of_call = outcome.as_ref().and_then(|outcome| outcome.as_ref().err()).cloned();
                let mut raised = of_call.into_iter().chain(crashes.iter().map(uncaught));
                match raised.find(|raised| is_same_exception(raised, expected)) {
                    Some(raised) => Confirmation::Same { text: self.text(&raised.named(evidence.inputs)) },
                    None => Confirmation::Different { got: described(outcome, &crashes) },
                }
            }
            Defect::Deadlock(_) if outcome.is_none() && left.contains(&ROOT) => {
                Confirmation::Same { text: String::new() }
            }
            Defect::Leak(_) if matches!(outcome, Some(Ok(_))) && left.iter().any(|process| *process != ROOT) => {
                Confirmation::Same { text: String::new() }
            }
            Defect::Deadlock(_) | Defect::Leak(_) => Confirmation::Different { got: described(outcome, &crashes) },
        }
    }

    fn text(&self, raised: &Exception) -> String {
        let text = self.session.host().format_exception(raised);
        text.unwrap_or_else(|_| format!("** {}:{}", raised.class, raised.reason))
    }
}

/// The end of the process that crashes, where much comes after it: a run that does not end by itself is replayed up to
/// there.
fn end_of(evidence: Evidence<'_>) -> Option<usize> {
    let reason = &evidence.defect.exception()?.reason;
    let is_it = |event: &ProcessEvent| match &event.kind {
        EventKind::Exit { reason: end } => {
            end == reason || matches!(end.as_tuple(), Some([first, _]) if first == reason)
        }
        _ => false,
    };
    evidence.events.iter().position(is_it).filter(|end| evidence.events.len() - end > MANY)
}

/// Events after a crash that are not replayed.
const MANY: usize = 500;

/// The process of the call.
const ROOT: u32 = 0;

fn described(outcome: Option<Result<term::Term, Exception>>, crashes: &[term::Term]) -> String {
    match outcome {
        Some(Ok(value)) if crashes.is_empty() => format!("the value {value}"),
        Some(Err(raised)) => format!("{}:{}", raised.class, raised.reason),
        _ if !crashes.is_empty() => format!("crashes of other processes: {}", term::Term::list(crashes.to_vec())),
        _ => "no end".to_owned(),
    }
}

/// The gates that events pass on the VM. Signals have none: the VM delivers them at once, and what they end ends with the
/// event before. An exit signal that comes late, or ends its receiver late, is sent then.
pub(crate) fn passages(events: &[ProcessEvent]) -> Vec<Passage> {
    let (mut passages, mut stopped): (Vec<Passage>, Vec<u32>) = (Vec::new(), Vec::new());
    let late: Vec<LateExit> = (0..events.len()).filter_map(|at| LateExit::of(events, at)).collect();
    for (at, event) in events.iter().enumerate() {
        let mut passed = passage(event);
        if let (EventKind::Operation { function }, Some(passed)) = (&event.kind, &mut passed)
            && late.iter().any(|exit| exit.sent == at)
        {
            passed.gate = Gate::Later(*function);
        }
        passages.extend(passed.filter(|passage| !stopped.contains(&passage.process)));
        for ended in &event.stopped {
            stopped.push(ended.process);
            if !late.iter().any(|exit| exit.arrives == at && exit.ends > at) {
                passages.iter_mut().last().into_iter().for_each(|last| last.ended.push(ended.process));
            }
        }
        passages.extend(late.iter().filter(|exit| exit.ends == at).map(LateExit::passage));
    }
    passages
}

/// An exit signal that comes, or ends its receiver, after other events.
struct LateExit {
    from: u32,
    to: u32,
    /// The event that sent it, that of its arrival, and that with which its receiver begins to end.
    sent: usize,
    arrives: usize,
    ends: usize,
    is_end: bool,
}

impl LateExit {
    /// The signal that arrives with an event, if it is one.
    fn of(events: &[ProcessEvent], arrives: usize) -> Option<LateExit> {
        let EventKind::Signal { from, to } = events[arrives].kind else { return None };
        let sent = events[arrives].after? as usize;
        let EventKind::Operation { function } = events[sent].kind else { return None };
        let is_end = events[arrives].stopped.iter().any(|it| it.process == to);
        let own = |at: &usize| events[*at].process == to;
        let ends = (arrives + 1..events.len()).find(own).filter(|_| is_end).unwrap_or(arrives);
        let between = events.get(sent + 1..ends).unwrap_or_default();
        let is_late = between.iter().any(|event| !matches!(event.kind, EventKind::Signal { .. }));
        let is_exit = ops::rule(function) == Rule::Process(ProcessOp::Exit);
        (is_exit && is_late).then_some(LateExit { from, to, sent, arrives, ends, is_end })
    }

    fn passage(&self) -> Passage {
        let ended = if self.is_end { vec![self.to] } else { Vec::new() };
        Passage { process: self.from, gate: Gate::Arrive(self.to), ended }
    }
}

/// The gate that an event passes, if it does.
fn passage(event: &ProcessEvent) -> Option<Passage> {
    let gate = match &event.kind {
        EventKind::Wake => Gate::Wake,
        EventKind::Spawn { child } => Gate::Spawn(*child),
        EventKind::Receive { looks_once: true, any_time: false, .. } => Gate::Look,
        EventKind::Receive { taken: None, .. } => Gate::TimeUp,
        EventKind::Receive { timed: true, .. } => Gate::TimedTake,
        EventKind::Receive { .. } => Gate::Take,
        EventKind::Exit { .. } => Gate::Exit,
        EventKind::Signal { .. } | EventKind::Release => return None,
        EventKind::Clock { now } => Gate::Clock(*now),
        EventKind::Operation { function } => Gate::Operation(*function),
        EventKind::StartTimer { timer, function, .. } => Gate::StartTimer(*timer, *function),
        EventKind::Strike => Gate::Strike,
    };
    let ended = if gate == Gate::Exit { vec![event.process] } else { Vec::new() };
    Some(Passage { process: event.process, gate, ended })
}
