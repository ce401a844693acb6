//! The end of a call on the VM, under the schedule of a run on our machine.

use exec::forward::{Crash, Ending, EventKind, ProcessEvent};
use host::{CallResult, NotPerformed, Performed};
use term::{Call, Exception, Outcome, Term};

use super::MachineRun;
use crate::confirm::{got, is_same_exception, passages, uncaught};
use crate::{Failure, Session};

/// Makes the call of a run on our machine on the VM as well, whose processes take the same turns, and gives the run its end
/// there. Where no schedule was asked for, and that one cannot be followed, the VM's own does.
pub(super) fn repeat(session: &Session, call: &Call, ours: &mut MachineRun, is_given: bool) -> Result<(), Failure> {
    session.guard()?;
    let is_scheduled = |event: &ProcessEvent| matches!(event.kind, EventKind::Spawn { .. } | EventKind::Clock { .. });
    if !is_given && !ours.events.iter().any(is_scheduled) {
        return unscheduled(session, call, ours);
    }
    match session.perform(call, &passages(&ours.events)) {
        Ok(performed) => {
            ours.run.ending = scheduled(&performed, ours, is_given)?;
            let has = |crash: &Crash| {
                performed.crashes.iter().any(|reason| is_same_exception(&uncaught(reason), &crash.exception))
            };
            ours.crashes.retain(has);
            Ok(())
        }
        Err(_) if !is_given => unscheduled(session, call, ours),
        Err(NotPerformed::Strayed(why)) => Err(Failure::Host(format!("the VM does not follow the schedule: {why}"))),
        Err(NotPerformed::Ended(result)) => Err(ended(*result)),
    }
}

/// Has the VM's own scheduler run a call.
fn unscheduled(session: &Session, call: &Call, ours: &mut MachineRun) -> Result<(), Failure> {
    ours.crashes.clear();
    match session.host().confirm(call).signal_raised() {
        CallResult::Ended(Outcome::Value(value)) => ours.run.ending = Ending::Value(value),
        CallResult::Ended(Outcome::Raised(raised)) => ours.run.ending = Ending::Raised(raised),
        CallResult::Waited if matches!(ours.run.ending, Ending::Deadlock { .. }) => {}
        other => return Err(ended(other)),
    }
    Ok(())
}

fn ended(result: CallResult) -> Failure {
    let what = result.limit().map_or_else(|| got(result.clone(), &[]), |limit| format!("a limit: {limit}"));
    Failure::Host(format!("the VM ended the call: {what}"))
}

/// The end of a run under a schedule. One that was asked for is to show a defect: then it is the crash that the machine's
/// run has, if the VM's has it too, or else the call's.
fn scheduled(performed: &Performed, ours: &MachineRun, is_given: bool) -> Result<Ending, Failure> {
    let of_call = performed.outcome.as_ref().and_then(|outcome| outcome.as_ref().err()).cloned();
    if let (Some(Ok(value)), false) = (&performed.outcome, is_given) {
        return Ok(Ending::Value(value.clone()));
    }
    let others = performed.crashes.iter().filter(|reason| !is_expected(reason, ours)).map(uncaught);
    let raised: Vec<Exception> = of_call.into_iter().chain(others).collect();
    let is_root = |raised: &&Exception| match &ours.run.ending {
        Ending::Raised(expected) => is_given && is_same_exception(raised, expected),
        _ => false,
    };
    if let Some(root) = raised.iter().find(is_root) {
        // The VM does not say where another process has called `exit`.
        let is_placed = matches!(root.stack, Term::Cons(..));
        return Ok(if is_placed { Ending::Raised(root.clone()) } else { ours.run.ending.clone() });
    }
    if let Some(raised) = raised.first() {
        return Ok(Ending::Raised(raised.clone()));
    }
    match (&performed.outcome, &ours.run.ending) {
        (Some(Ok(value)), _) => Ok(Ending::Value(value.clone())),
        (_, deadlock @ Ending::Deadlock { .. }) => Ok(deadlock.clone()),
        _ => Err(Failure::Host("the VM does not come to an end".to_owned())),
    }
}

/// True if a process has ended with the same reason in the machine's run, where that was no crash.
fn is_expected(reason: &Term, ours: &MachineRun) -> bool {
    let raised = uncaught(reason);
    let ends = ours.events.iter().filter_map(|event| match &event.kind {
        EventKind::Exit { reason } => Some(uncaught(reason)),
        _ => None,
    });
    let is_crash = ours.crashes.iter().any(|crash| is_same_exception(&crash.exception, &raised));
    !is_crash && ends.into_iter().any(|end| is_same_exception(&end, &raised))
}
