//! The calls of a symbolic run that may be rounds of a loop, with their arguments and the conditions before them.

use term::{Atom, Mfa, Term};

use super::engine::Engine;
use super::loops::CalledFunction;

/// Calls that are kept at most.
const MOST: usize = 400;

/// The calls that a recorder keeps.
#[derive(Clone, Debug)]
pub struct RoundWatch {
    wanted: Wanted,
    /// The calls so far.
    pub visits: Vec<RoundVisit>,
    /// The functions that were called, wanted or not.
    pub called: Vec<CalledFunction>,
    /// The fewest frames of a caller since the last of them.
    least: usize,
}

#[derive(Clone, Debug)]
enum Wanted {
    /// The first calls of a function.
    Function(Mfa, usize),
    /// The first calls of the functions of some modules.
    Modules(Vec<Atom>),
}

/// A call of a symbolic run.
#[derive(Clone, Debug)]
pub struct RoundVisit {
    /// The function.
    pub function: Mfa,
    /// Its arguments with their marks.
    pub args: Vec<Term>,
    /// The decisions before it.
    pub decisions: usize,
    /// The frames while it runs: as long as no later call has a caller with fewer, it is under way.
    pub frames: usize,
    /// The fewest frames of a caller since the visit before.
    pub least: usize,
    /// True if the run has looked at something besides its arguments.
    pub is_touched: bool,
}

impl RoundWatch {
    /// Keeps the first calls of a function, and ends the run then.
    pub fn of_function(function: Mfa, count: usize) -> RoundWatch {
        RoundWatch {
            wanted: Wanted::Function(function, count),
            visits: Vec::new(),
            called: Vec::new(),
            least: usize::MAX,
        }
    }

    /// Keeps the first calls of the functions of some modules.
    pub fn of_modules(modules: Vec<Atom>) -> RoundWatch {
        RoundWatch { wanted: Wanted::Modules(modules), visits: Vec::new(), called: Vec::new(), least: usize::MAX }
    }

    /// True if no other call is kept.
    pub fn is_full(&self) -> bool {
        match &self.wanted {
            Wanted::Function(_, count) => self.visits.len() >= *count,
            Wanted::Modules(_) => self.visits.len() >= MOST,
        }
    }

    /// True if the run is over with the last call that is kept.
    fn ends_run(&self) -> bool {
        matches!(self.wanted, Wanted::Function(..)) && self.is_full()
    }

    fn note(&mut self, function: Mfa, depth: usize) {
        let is_known = self.called.iter().any(|known| known.function == function);
        if matches!(self.wanted, Wanted::Function(..)) && !is_known && self.called.len() < MOST {
            self.called.push(CalledFunction { function, depth, args: Vec::new() });
        }
    }

    fn wants(&self, function: Mfa) -> bool {
        match &self.wanted {
            Wanted::Function(wanted, _) => *wanted == function,
            Wanted::Modules(modules) => modules.contains(&function.module),
        }
    }
}

impl Engine<'_> {
    /// True if the recorder wants to know of every call.
    pub(super) fn keeps_rounds(&self) -> bool {
        let rounds = self.recorder.as_ref().and_then(|recorder| recorder.rounds.as_ref());
        rounds.is_some_and(|rounds| !rounds.is_full())
    }

    /// Keeps a call for the recorder; returns true if that was the last one that is wanted.
    pub(super) fn keep_round(&mut self, function: Mfa, args: &[Term], is_tail: bool) -> bool {
        let callers = self.process.frames.len();
        let is_touched = self.state.touched || self.state.outside > 0;
        let Some(recorder) = self.recorder.as_deref_mut() else { return false };
        let decisions = recorder.path.len();
        let Some(rounds) = recorder.rounds.as_mut() else { return false };
        rounds.least = rounds.least.min(callers);
        let depth = callers + usize::from(!is_tail);
        rounds.note(function, depth);
        if !rounds.wants(function) {
            return false;
        }
        let (frames, least) = (depth, std::mem::replace(&mut rounds.least, usize::MAX));
        rounds.visits.push(RoundVisit { function, args: args.to_vec(), decisions, frames, least, is_touched });
        rounds.ends_run()
    }
}
