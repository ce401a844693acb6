//! The schedule of a run in JSON.

use serde::Serialize;
use session::{FindingSchedule, ShownEvent};
use term::Notation;

use super::chart::{texts, turns};
use crate::ending::process_name;

#[derive(Serialize)]
pub(crate) struct ScheduleField {
    turns: String,
    replayed: bool,
    events: Vec<EventField>,
}

#[derive(Serialize)]
struct EventField {
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<String>,
    event: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
}

impl ScheduleField {
    /// The fields of a schedule.
    pub(crate) fn of(schedule: &FindingSchedule) -> ScheduleField {
        let event = |(event, text): (&ShownEvent, String)| EventField {
            process: event.process.map(process_name),
            event: text,
            place: event.at.as_ref().map(|at| at.to_string()),
        };
        let events = schedule.events.iter().zip(texts(Notation::ERLANG, schedule)).map(event).collect();
        ScheduleField { turns: turns(schedule), replayed: schedule.replayed, events }
    }
}
