//! Exit reasons: some have a meaning of their own, so that which one it is decides what becomes of processes.

use term::{Exception, Term};

use super::watch::Watch;
use crate::forward::machine::Engine;

const SIGNAL: u32 = 1;
const END: u32 = 2;
const TAG: u32 = 3;

impl Engine<'_> {
    /// Observes the reason with which the process that runs comes to its end.
    pub fn observe_end(&mut self, exception: &Exception) {
        let at = self.raised_through.first().copied().unwrap_or(self.observed);
        if let Some(recorder) = self.recorder.as_deref_mut().filter(|recorder| !recorder.truncated) {
            Watch::new(recorder, self.program, &self.process.frames, at).process_end(&exception.reason);
        }
    }
}

impl Watch<'_> {
    /// Asks whether the reason of an exit signal kills, or is that of a normal end.
    pub fn exit_signal(&mut self, reason: &Term) {
        self.is_name(SIGNAL, reason, &["kill", "normal"]);
    }

    /// Asks whether the reason of a process's end is one of those of a process that has done its work.
    fn process_end(&mut self, reason: &Term) {
        if self.is_name(END, reason, &["normal", "shutdown"]) {
            return;
        }
        self.is_tuple_of(reason, 2);
        if let Some([tag, _]) = reason.as_tuple() {
            let whole = self.expr_of(reason);
            let tag = whole.map_or_else(|| tag.clone(), |whole| self.element(whole, 0, tag.clone()));
            self.is_name(TAG, &tag, &["shutdown"]);
        }
    }

    /// Asks whether a value is one of these atoms; returns true if it is.
    fn is_name(&mut self, ordinal: u32, value: &Term, names: &[&str]) -> bool {
        let Some(expr) = self.expr_of(value) else { return false };
        self.is_one_of(ordinal, expr, value, names.iter().map(|name| Term::atom_named(name)))
    }
}
