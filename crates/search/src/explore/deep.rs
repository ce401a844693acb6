//! Paths beyond the bound on depth: when no other branch is left, loops are taken as opaque calls, and the bound is
//! raised.

use constraint::{Site, Stimulus};

use super::Explorer;
use super::merge::{RunRequest, is_stopped};
use crate::ExplorationOptions;
use crate::reason::Reason;
use crate::subject::{Around, ConcolicRun, ConfirmAll};

/// Runs that are merged again when the bound is raised.
const MOST_AGAIN: usize = 48;
/// The bound is raised to so many times what it was.
const RAISED: usize = 4;
/// Of the runs of a search one part in so many may take loops as opaque calls.
const AROUND: u64 = 16;
/// The round after which that is done even if other branches are left, where a path has so many decisions.
const LATE: u64 = 24;
const LONG: u64 = 200;
/// Inputs of these runs that join the search.
const MOST_CASES: usize = 48;

/// The bound on depth, and the runs that went beyond it.
pub struct DeepRuns {
    /// Decisions of a path beyond this one are not flipped.
    pub depth: usize,
    beyond: Vec<(usize, u32, Stimulus)>,
    /// The decision of each run at the bound.
    sites: Vec<Site>,
    is_around: bool,
    is_undone: bool,
}

impl DeepRuns {
    /// None yet.
    pub fn new(depth: usize) -> DeepRuns {
        DeepRuns { depth, beyond: Vec::new(), sites: Vec::new(), is_around: false, is_undone: false }
    }

    /// Remembers a run that goes beyond the bound.
    pub fn note(&mut self, request: &RunRequest, stimulus: &Stimulus, run: &ConcolicRun) {
        let Some(decision) = run.path.get(self.depth) else { return };
        self.sites.push(decision.site);
        if self.beyond.len() < MOST_AGAIN {
            self.beyond.push((request.root, request.generation, stimulus.clone()));
        }
    }
}

impl Explorer<'_> {
    /// With nothing else to do, looks at what lies beyond the bound on depth; returns true if there is more to do.
    pub(super) fn go_deeper(&mut self) -> bool {
        let is_bounded = self.options.most_depth <= self.deep.depth;
        if is_bounded || self.deep.sites.is_empty() || self.stop.reason.is_some() || self.allowance().0 == 0 {
            return false;
        }
        if !std::mem::replace(&mut self.deep.is_around, true) && self.go_around(Around::Loops) {
            return true;
        }
        self.raise_depth()
    }

    /// Looks around loops before the branches of their rounds take all the time, and around calls that other functions undo.
    pub(super) fn look_around_loops(&mut self) {
        if self.rounds < LATE || self.options.most_depth == 0 {
            return;
        }
        if !std::mem::replace(&mut self.deep.is_undone, true) {
            self.go_around(Around::Undone);
        }
        let is_due = self.statistics.longest_path >= LONG;
        if is_due && !std::mem::replace(&mut self.deep.is_around, true) {
            self.go_around(Around::Loops);
        }
    }

    /// A search of its own in which loops, or calls that others undo, are opaque: their rounds are no branches, and what they
    /// give is found by observing them. Its inputs join this one.
    fn go_around(&mut self, calls: Around) -> bool {
        if !self.subject.go_around(Some(calls)) {
            return false;
        }
        let options = ExplorationOptions {
            max_runs: (self.options.max_runs / AROUND).min(self.allowance().0),
            more_runs: 0,
            most_depth: 0,
            max_shrink: 0,
            keep: MOST_CASES,
            seeds: Vec::new(),
            ignore: self.options.ignore.clone(),
            ..*self.options
        };
        let found = crate::explore(self.subject, self.solver, &mut ConfirmAll, &options, self.stop.progress);
        self.subject.go_around(None);
        let before = self.tree.len();
        let inputs: Vec<Vec<_>> = found.cases.into_iter().map(|case| case.stimulus.inputs).collect();
        for inputs in inputs {
            if let Some(signature) = self.signature_of(&inputs) {
                self.run_first(signature, inputs);
            }
        }
        self.tree.len() > before
    }

    /// Raises the bound, and merges what went beyond it once more.
    fn raise_depth(&mut self) -> bool {
        let depth = (self.deep.depth * RAISED).min(self.options.most_depth);
        if depth <= self.deep.depth {
            return false;
        }
        let is_all = self.deep.sites.len() == self.deep.beyond.len();
        self.deep.depth = depth;
        if is_all {
            self.deep.sites.clear();
        }
        for (root, generation, stimulus) in std::mem::take(&mut self.deep.beyond) {
            if !self.may_go_on() || self.allowance().0 == 0 {
                self.causes.add(Reason::Depth, None);
                break;
            }
            let run = self.subject.run(&stimulus);
            if is_stopped(&run) {
                self.may_go_on();
                break;
            }
            self.merge_run(RunRequest { root, generation, flip: None }, stimulus, &run);
        }
        true
    }

    /// Counts the paths that stay beyond the bound.
    pub(super) fn note_depth(&mut self) {
        for site in std::mem::take(&mut self.deep.sites) {
            self.causes.add(Reason::Depth, self.subject.place(site));
        }
    }
}
