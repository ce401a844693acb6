//! Runs without an end: where only time can let anything happen, and the state is one that the run was in before, all that
//! follows was seen already.
//!
//! Time passes only when nothing else can come to pass, so no event before such a moment can be swapped with one after it:
//! the orders of what follows are those of what followed the first time. Looks at the clock and questions to the VM show
//! more than the state; a run that has them between the two moments goes on.

use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::node::Snapshot;
use crate::forward::outcome::Ending;

/// The moments that are all kept; of later ones the last whose number is a power of two is.
const KEPT: usize = 32;

/// The states of earlier moments.
#[derive(Default)]
pub struct Recurrence {
    /// The number of moments so far.
    count: usize,
    kept: Vec<Moment>,
}

/// A moment at which a run waits for time to pass.
struct Moment {
    state: Snapshot,
    /// The looks outside the state so far.
    looks: u64,
}

impl Recurrence {
    /// Adds a moment; returns true if it is like an earlier one.
    fn add(&mut self, moment: Moment) -> bool {
        let is_like = |earlier: &Moment| earlier.looks == moment.looks && earlier.state.recurs(&moment.state);
        if self.kept.iter().rev().any(is_like) {
            return true;
        }
        self.count += 1;
        // Each is kept twice as long as the one before: a cycle of any length is found.
        if self.count.is_power_of_two() || self.kept.len() < KEPT {
            self.kept.truncate(KEPT);
            self.kept.push(moment);
        }
        false
    }
}

impl Engine<'_> {
    /// True if the run waits for time to pass in a state in which it was before, and is free to end there.
    pub fn state_recurs(&mut self) -> bool {
        if self.program.options.any_clock {
            return false;
        }
        let looks = self.node.looks_at_clock + self.state.stateful_calls;
        self.exchange();
        let program = &self.program;
        let state = self.node.snapshot(|ip| program.owner(ip).map_or(0, |function| function.linked.frame as usize));
        self.exchange();
        let (Some(state), Some(schedule)) = (state, self.schedule.as_deref_mut()) else { return false };
        let is_free = schedule.seed.is_none() && schedule.at >= schedule.steps.len();
        schedule.recurrence.add(Moment { state, looks }) && is_free
    }

    /// The end of a run that recurs: that of its call, if it has one.
    pub fn end_recurring(&mut self) -> Cursor {
        self.current_event().into_iter().for_each(|event| event.recurs = true);
        let over = self.schedule.as_deref_mut().and_then(|schedule| schedule.end());
        self.ending = Some(over.unwrap_or_else(|| Ending::OutOfSteps { at: self.place_of(0) }));
        self.cursor(0, 0)
    }
}
