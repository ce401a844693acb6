//! Schedules of a page: the columns of a sequence chart, and its rows.

use serde::Serialize;
use session::{EventAction, FindingSchedule, ShownEvent};
use term::Notation;

use super::functions::PlaceData;
use super::{PageView, shortened};
use crate::explored::{process_head, replay_command, schedule_texts};

/// Characters of an event that are shown.
const EVENT: usize = 200;

#[derive(Serialize)]
pub(super) struct ScheduleData<'a> {
    /// The name of each process.
    processes: Vec<String>,
    events: Vec<EventData<'a>>,
    /// The command that replays it.
    replay: String,
    replayed: bool,
}

#[derive(Serialize)]
struct EventData<'a> {
    /// The process; nothing where time passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// The process at the other end: of a message, a signal or a new process.
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<usize>,
    kind: &'static str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<PlaceData<'a>>,
}

impl<'a> ScheduleData<'a> {
    pub(super) fn of(
        notation: Notation<'_>,
        schedule: &'a FindingSchedule,
        call: &str,
        view: &PageView,
    ) -> ScheduleData<'a> {
        let column = |process: u32| schedule.processes.iter().position(|(number, _)| *number == process);
        let event = |(event, text): (&'a ShownEvent, String)| {
            let (kind, other) = kind(&event.action);
            EventData {
                column: event.process.and_then(column),
                other: other.and_then(column),
                kind,
                text: shortened(text, EVENT),
                at: event.at.as_ref().filter(|at| at.line > 0).map(|at| PlaceData::of(at, view)),
            }
        };
        ScheduleData {
            processes: schedule.processes.iter().map(|process| process_head(notation, *process)).collect(),
            events: schedule.events.iter().zip(schedule_texts(notation, schedule)).map(event).collect(),
            replay: replay_command(schedule, &view.words, call),
            replayed: schedule.replayed,
        }
    }
}

/// The kind of an event, and the process at its other end.
fn kind(action: &EventAction) -> (&'static str, Option<u32>) {
    match action {
        EventAction::Start(child) => ("start", Some(*child)),
        EventAction::Send { to, .. } => ("message", Some(*to)),
        EventAction::Take { from, .. } => ("taken", *from),
        EventAction::Miss => ("miss", None),
        EventAction::TimeUp => ("time", None),
        EventAction::Arrive { from } => ("arrive", Some(*from)),
        EventAction::Call { .. } => ("call", None),
        EventAction::End { .. } => ("end", None),
        EventAction::Time(_) => ("time", None),
        EventAction::Strike { to, .. } => ("strike", Some(*to)),
    }
}
