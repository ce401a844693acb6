//! Schedules to be shown: the turns of processes, and the events that lead to a defect.

use exec::forward::{Crash, EventKind, MessageId, Place, ProcessEvent, TIMER};
use ir::ProcessOp;
use ops::{EtsOp, Rule};
use search::{Defect, Finding, TracedRun, causal_past};
use serde::{Deserialize, Serialize};
use term::{Atom, Mfa, Term};

/// A schedule as it is shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FindingSchedule {
    /// The numbers of the processes that take the first turns, and of the clock and timers. Then each goes on as long as
    /// it can.
    pub turns: Vec<u32>,
    /// The numbers of the processes, that of the call first, with their registered names.
    pub processes: Vec<(u32, Option<Atom>)>,
    /// The events that lead to the defect.
    pub events: Vec<ShownEvent>,
    /// True if the process of the call has the defect.
    pub in_call: bool,
    /// True if timeouts and timers could strike at any time.
    pub any_clock: bool,
    /// True unless the VM has shown the defect in a run that did not follow the schedule.
    pub replayed: bool,
}

/// An event as it is shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShownEvent {
    /// The number of the process; nothing where time passes.
    pub process: Option<u32>,
    /// The event itself.
    pub action: EventAction,
    /// The place in the program.
    pub at: Option<Place>,
    /// True if time is up, or a timer strikes, although other processes could go on.
    pub early: bool,
}

/// The deed of a process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum EventAction {
    /// It starts a process.
    Start(u32),
    /// It sends a message.
    Send { to: u32, message: Term },
    /// It takes a message; nothing is known of the sender where a signal or the clock has sent it.
    Take { from: Option<u32>, message: Term },
    /// It looks at its messages and takes none.
    Miss,
    /// It has waited for a message in vain.
    TimeUp,
    /// A signal of another process comes, later than it was sent.
    Arrive { from: u32 },
    /// It calls a function.
    Call { function: Mfa, args: Vec<Term> },
    /// It ends.
    End { reason: Term },
    /// Time passes, up to so many milliseconds since the beginning.
    Time(u64),
    /// A timer sends its message.
    Strike { to: u32, message: Term },
}

impl FindingSchedule {
    /// Returns the schedule of a finding; nothing if it has one process only.
    pub(crate) fn of_finding(finding: &Finding, run: &TracedRun, modules: &[Atom]) -> Option<FindingSchedule> {
        let crash = finding.defect.exception().and_then(|expected| {
            let is_it = |crash: &&Crash| crash.exception.reason == expected.reason;
            let is_there = |crash: &&Crash| is_it(crash) && crash.exception.stack == expected.stack;
            let alike = run.crashes.iter().find(is_there).or_else(|| run.crashes.iter().find(is_it));
            alike.or(run.crashes.first())
        });
        let culprit = match &finding.defect {
            Defect::Crash(_) => crash.map(|crash| crash.process),
            Defect::Leak(process) => Some(process.number),
            Defect::Contract(_) | Defect::Property(_) | Defect::Loop(_) => Some(0),
            Defect::Deadlock(_) => None,
        };
        let schedule = FindingSchedule::new(&run.turns, &run.events, culprit, modules)?;
        Some(FindingSchedule { replayed: finding.replayed, ..schedule })
    }

    /// Returns the schedule that begins with these turns and has these events, as far as one of them needs the others: the
    /// last of a process, or all. Of libraries only what concerns others is shown. Nothing if there is one process only.
    pub(crate) fn new(
        turns: &[u32],
        events: &[ProcessEvent],
        culprit: Option<u32>,
        modules: &[Atom],
    ) -> Option<FindingSchedule> {
        if !events.iter().any(ProcessEvent::is_spawn) {
            return None;
        }
        let last = culprit.and_then(|culprit| events.iter().rposition(|event| event.process == culprit));
        let matters = last.map_or_else(|| vec![true; events.len()], |last| causal_past(events, last));
        let matters = events.iter().zip(matters).filter_map(|(event, matters)| matters.then_some(event));
        let shows = |event: &&ProcessEvent| modules.contains(&event.at.function.module) || !is_bookkeeping(event);
        let shown: Vec<ShownEvent> = matters.filter(shows).filter_map(|event| show(event, events)).collect();
        let turns = turns.to_vec();
        let in_call = culprit.is_none_or(|culprit| culprit == 0);
        // Where time passes, nothing strikes before it has.
        let mut timed = events.iter().map(|event| &event.kind).filter(|kind| {
            matches!(kind, EventKind::Clock { .. } | EventKind::Strike { .. } | EventKind::Receive { is_up: true, .. })
        });
        let any_clock = timed.next().is_some_and(|first| !matches!(first, EventKind::Clock { .. }));
        let processes = processes(&shown, events);
        Some(FindingSchedule { turns, processes, events: shown, in_call, any_clock, replayed: true })
    }
}

/// The processes of the events shown, with the names that they were given.
fn processes(shown: &[ShownEvent], events: &[ProcessEvent]) -> Vec<(u32, Option<Atom>)> {
    let mut numbers: Vec<u32> = shown.iter().filter_map(|event| event.process).collect();
    numbers.push(0);
    numbers.sort_unstable();
    numbers.dedup();
    let name = |number: u32| {
        events.iter().find_map(|event| match (&event.kind, &event.args[..]) {
            (EventKind::Operation { function }, [name, pid]) => {
                let registers = ops::rule(*function) == Rule::Process(ProcessOp::Register);
                name.as_atom().filter(|_| registers && exec::forward::number_of(pid) == Some(number))
            }
            _ => None,
        })
    };
    numbers.into_iter().map(|number| (number, name(number))).collect()
}

/// True for operations by which a library finds its way.
fn is_bookkeeping(event: &ProcessEvent) -> bool {
    use ProcessOp::{Demonitor, Info, IsAlive, Link, Monitor, Unalias, Unlink, Whereis};
    let EventKind::Operation { function } = &event.kind else { return false };
    matches!(
        ops::rule(*function),
        Rule::Process(Demonitor | Info | IsAlive | Link | Monitor | Unalias | Unlink | Whereis)
    )
}

/// True if events of processes came between the sending of a signal and its coming.
fn is_late(signal: &ProcessEvent, events: &[ProcessEvent]) -> bool {
    let (Some(sent), Some(at)) = (signal.after, events.iter().position(|event| std::ptr::eq(event, signal))) else {
        return false;
    };
    let between = events.get(sent as usize + 1..at).unwrap_or_default();
    between.iter().any(|event| !matches!(event.kind, EventKind::Signal { .. }))
}

fn taken_from(taken: MessageId, events: &[ProcessEvent]) -> Option<EventAction> {
    let sender = &events[taken.event as usize];
    let message = sender.sent.get(taken.place as usize)?.message.clone();
    let sends = matches!(sender.kind, EventKind::Operation { .. });
    Some(EventAction::Take { from: Some(sender.process).filter(|_| sends), message })
}

fn operation(event: &ProcessEvent, function: Mfa) -> Option<EventAction> {
    Some(match (ops::rule(function), &event.sent[..]) {
        (Rule::Process(ProcessOp::Flag | ProcessOp::Clock | ProcessOp::Yield | ProcessOp::Alias), _) => return None,
        (Rule::Process(ProcessOp::Send), [sent]) => EventAction::Send { to: sent.to, message: sent.message.clone() },
        _ => call(function, event.args.clone()),
    })
}

/// A call as a program writes it: functions of libraries come to internal ones.
fn call(function: Mfa, mut args: Vec<Term>) -> EventAction {
    let (module, name) = (function.module.name(), function.function.name());
    let clears = ops::rule(function) == Rule::Ets(EtsOp::DeleteAll);
    let (module, name) = match (module, name.split_once('_')) {
        ("erts_internal", Some((module @ ("atomics" | "counters"), name))) => (module, name),
        ("erts_internal", _) => ("erlang", name),
        ("ets", Some(("internal", _))) if clears => {
            args.truncate(1);
            ("ets", "delete_all_objects")
        }
        ("ets", Some(("internal", name))) => ("ets", name),
        _ => return EventAction::Call { function, args },
    };
    let arity = u8::try_from(args.len()).unwrap_or(function.arity);
    EventAction::Call { function: Mfa { module: Atom::new(module), function: Atom::new(name), arity }, args }
}

/// The event, unless a reader learns nothing from it.
fn show(event: &ProcessEvent, events: &[ProcessEvent]) -> Option<ShownEvent> {
    let action = match &event.kind {
        EventKind::Wake | EventKind::Return => return None,
        EventKind::Spawn { child } => EventAction::Start(*child),
        EventKind::Receive { taken: Some(taken), .. } => taken_from(*taken, events)?,
        EventKind::Receive { looks_once: true, is_up: false, .. } => EventAction::Miss,
        EventKind::Receive { .. } => EventAction::TimeUp,
        EventKind::Signal { from, .. } if is_late(event, events) => EventAction::Arrive { from: *from },
        EventKind::Signal { .. } | EventKind::Release => return None,
        EventKind::Exit { reason } => EventAction::End { reason: reason.clone() },
        EventKind::Clock { now } => EventAction::Time(*now),
        EventKind::Strike { .. } => {
            let sent = event.sent.first()?;
            EventAction::Strike { to: sent.to, message: sent.message.clone() }
        }
        EventKind::StartTimer { function, .. } => call(*function, event.args.clone()),
        EventKind::Operation { function } => operation(event, *function)?,
    };
    let at = Some((*event.at).clone()).filter(Place::is_known);
    let process = match &event.kind {
        EventKind::Signal { to, .. } => Some(*to),
        _ => Some(event.process).filter(|process| process & TIMER == 0),
    };
    Some(ShownEvent { process, action, at, early: event.early })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(module: &str, name: &str, arity: u8) -> String {
        let function = Mfa { module: Atom::new(module), function: Atom::new(name), arity };
        match call(function, vec![Term::nil(); usize::from(arity)]) {
            EventAction::Call { function, .. } => function.to_string(),
            _ => String::new(),
        }
    }

    #[test]
    fn internal_functions_have_the_names_of_the_documented_ones() {
        assert_eq!(shown("erts_internal", "group_leader", 2), "erlang:group_leader/2");
        assert_eq!(shown("erts_internal", "counters_add", 3), "counters:add/3");
        assert_eq!(shown("erts_internal", "atomics_new", 2), "atomics:new/2");
        assert_eq!(shown("ets", "internal_delete_all", 2), "ets:delete_all_objects/1");
        assert_eq!(shown("ets", "internal_select_delete", 2), "ets:select_delete/2");
        assert_eq!(shown("ets", "insert_new", 2), "ets:insert_new/2");
    }
}
