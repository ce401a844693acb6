//! Replays of schedules on the real VM: a witness counts if the VM shows the same every time.

use exec::forward::{EventKind, ProcessEvent};
use host::{NotPerformed, Performed};
use search::{Confirmation, Defect, Evidence};
use term::{Call, Exception};

use super::passages::{STOP, passages};
use super::{Replay, got, is_same_exception, is_same_term, uncaught};

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
                turns.push(STOP);
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
            Defect::Contract(expected) | Defect::Property(expected) if matches!(&outcome, Some(Ok(value)) if is_same_term(expected, value)) => {
                Confirmation::Same { text: String::new() }
            }
            Defect::Deadlock(_) | Defect::Leak(_) | Defect::Contract(_) | Defect::Property(_) | Defect::Loop(_) => {
                Confirmation::Different { got: described(outcome, &crashes) }
            }
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
