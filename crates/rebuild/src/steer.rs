//! Steering: inputs for runs that choose as an earlier one did up to some place, and there something else.
//!
//! Unification sees patterns of lists, tuples, maps and literals. What else decides which clause is selected (guards,
//! bitstrings, what operations give) the machine sees: it makes the run once more from its events, as for `explore`, and
//! records every elementary question of its path. One answer is turned, the solvers are asked for inputs that the spec
//! allows, and those are run; they may select the same clause for another reason, so that this is repeated until the
//! wanted choice is found or nothing is left to ask. Questions within the case itself come first, then earlier ones: an
//! earlier case can select the same clause for another reason too.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

use constraint::{Condition, Decision, Site, Stimulus};
use frontend::instrument::EventTable;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use solve::{Answer, Budget, Executor, Query};
use term::Term;

use crate::choices::{Choice, choices};
use crate::depth;
use search::{MachineSubject, TestSubject};

/// Questions for one place of a run, and altogether.
const QUESTIONS: usize = 100;
const ALL_QUESTIONS: usize = 6_000;

/// The choice that is wanted of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    This(u32),
    /// Anything but that, or nothing any more.
    Not(u32),
}

impl Wanted {
    /// True if a run with this choice is wanted.
    pub fn is_met_by(self, choice: Option<u32>) -> bool {
        match self {
            Wanted::This(wanted) => choice == Some(wanted),
            Wanted::Not(other) => choice != Some(other),
        }
    }
}

/// Runs that were made, and all that was asked about them.
pub struct Steering<'a, 'w> {
    tested: &'a mut MachineSubject<'w>,
    solver: &'a mut dyn Executor,
    table: &'a EventTable,
    budget: Budget,
    /// The deepest inputs that are run.
    depth: usize,
    runs: Vec<Steered>,
    known: FxHashMap<Vec<Term>, usize>,
    /// Beginnings of paths that were asked for or run.
    asked: FxHashSet<u64>,
    /// The answers that any run had, by place in the program.
    had: FxHashSet<(Site, bool)>,
    left: usize,
}

/// A run, as the machine saw it.
struct Steered {
    inputs: Vec<Term>,
    path: Vec<(Site, Condition)>,
    /// The length of the path at each event.
    lengths: Vec<usize>,
    choices: Vec<Choice>,
    /// For each step a number for it and all before it, its own answer turned.
    turned: Vec<u64>,
}

impl Steered {
    fn starts_with(&self, before: &[u32]) -> bool {
        self.choices.len() >= before.len() && self.choices.iter().zip(before).all(|(mine, it)| mine.what == *it)
    }

    /// The steps between a choice and the one before it; all that are left if there is no such choice.
    fn steps_to(&self, choice: usize) -> std::ops::Range<usize> {
        let at = |choice: &Choice| self.lengths[choice.event];
        let start = choice.checked_sub(1).and_then(|before| self.choices.get(before)).map_or(0, at);
        start..self.choices.get(choice).map_or(self.path.len(), at).max(start)
    }
}

impl<'a, 'w> Steering<'a, 'w> {
    /// The subject must run on the VM, in a module that emits the events of the table.
    pub fn new(
        tested: &'a mut MachineSubject<'w>,
        solver: &'a mut dyn Executor,
        table: &'a EventTable,
        budget: Budget,
        depth: usize,
    ) -> Steering<'a, 'w> {
        tested.recorder.emitted = Some(Vec::new());
        let (known, asked, had) = (FxHashMap::default(), FxHashSet::default(), FxHashSet::default());
        Steering { tested, solver, table, budget, depth, runs: Vec::new(), known, asked, had, left: ALL_QUESTIONS }
    }

    /// True if what these inputs choose between two events depends on the inputs.
    pub fn asks(&mut self, inputs: &[Term], event: usize) -> bool {
        let Some(run) = self.run(inputs) else { return false };
        let lengths = &self.runs[run].lengths;
        let before = event.checked_sub(1).map_or(0, |before| lengths.get(before).copied().unwrap_or(usize::MAX));
        let after = lengths.get(event).copied().unwrap_or(self.runs[run].path.len());
        before < after
    }

    /// Inputs of runs that choose as `before` says and then what is wanted, for as much of that as is found.
    pub fn find(&mut self, inputs: &[Term], before: &[u32], wanted: &[Wanted]) -> Vec<(Wanted, Vec<Term>)> {
        self.run(inputs);
        let (mut found, mut open) = (Vec::new(), wanted.to_vec());
        let (mut near, mut far) = (VecDeque::new(), VecDeque::new());
        let (mut seen, end) = (0, self.left.saturating_sub(QUESTIONS));
        loop {
            while seen < self.runs.len() {
                self.look(seen, before, &mut open, &mut found);
                self.plan(seen, before, &mut near, &mut far);
                seen += 1;
            }
            if open.is_empty() || self.left <= end {
                break;
            }
            let Some((run, step)) = self.next(&mut near).or_else(|| self.next(&mut far)) else { break };
            self.turn(run, step);
        }
        found
    }

    fn look(&self, run: usize, before: &[u32], open: &mut Vec<Wanted>, found: &mut Vec<(Wanted, Vec<Term>)>) {
        let run = &self.runs[run];
        if run.starts_with(before) {
            let choice = run.choices.get(before.len()).map(|choice| choice.what);
            let met = open.iter().position(|wanted| wanted.is_met_by(choice));
            found.extend(met.map(|at| (open.remove(at), run.inputs.clone())));
        }
    }

    /// The flips of a run: near the place, then before it, the latest first.
    fn plan(&self, at: usize, before: &[u32], near: &mut VecDeque<(usize, usize)>, far: &mut VecDeque<(usize, usize)>) {
        let run = &self.runs[at];
        if run.starts_with(before) {
            let steps = run.steps_to(before.len());
            far.extend((0..steps.start).rev().map(|step| (at, step)));
            near.extend(steps.map(|step| (at, step)));
        }
    }

    /// The next question: first one whose answer would be the first of its kind at its place in the program.
    fn next(&self, open: &mut VecDeque<(usize, usize)>) -> Option<(usize, usize)> {
        open.retain(|(run, step)| !self.asked.contains(&self.runs[*run].turned[*step]));
        let is_new = |(run, step): &(usize, usize)| {
            let (site, condition) = &self.runs[*run].path[*step];
            !self.had.contains(&(*site, !condition.holds))
        };
        let at = open.iter().position(is_new).unwrap_or(0);
        open.remove(at)
    }

    /// Asks for inputs with the other answer at a step, unless they were asked for before, and runs them.
    fn turn(&mut self, run: usize, step: usize) {
        let run = &self.runs[run];
        if !self.asked.insert(run.turned[step]) {
            return;
        }
        self.left -= 1;
        let mut conditions: Vec<Condition> = run.path[..step].iter().map(|(_, it)| it.clone()).collect();
        conditions.push(run.path[step].1.negated());
        let near = run.inputs.clone();
        for signature in self.tested.entry_point().signatures.clone() {
            let query = Query {
                arena: self.tested.arena(),
                grammar: self.tested.grammar(),
                inputs: &signature.inputs,
                conditions: &conditions,
                near: &near,
            };
            if let Answer::Sat(inputs) = self.solver.solve(&query, &self.budget) {
                self.run(&inputs);
                return;
            }
        }
    }

    /// The run of these inputs, unless they are too deep.
    fn run(&mut self, inputs: &[Term]) -> Option<usize> {
        if let Some(known) = self.known.get(inputs) {
            return Some(*known);
        }
        if inputs.iter().any(|input| depth(input) > self.depth) {
            return None;
        }
        let branch = |it: Decision| Some((it.site, it.condition));
        let decisions = self.tested.run(&Stimulus::from(inputs.to_vec())).path;
        let path: Vec<(Site, Condition)> = decisions.into_iter().filter_map(branch).collect();
        let emitted = self.tested.recorder.emitted.clone().unwrap_or_default();
        let choices = choices(self.table, emitted.iter().map(|(number, _)| *number));
        let lengths = emitted.into_iter().map(|(_, length)| length.min(path.len())).collect();
        let turned = self.turned(&path);
        self.known.insert(inputs.to_vec(), self.runs.len());
        self.runs.push(Steered { inputs: inputs.to_vec(), path, lengths, choices, turned });
        Some(self.runs.len() - 1)
    }

    /// Notes the beginnings of a path, and gives numbers for those with the last answer turned.
    fn turned(&mut self, path: &[(Site, Condition)]) -> Vec<u64> {
        let mut before = FxHasher::default();
        let mut turned = Vec::with_capacity(path.len());
        for (site, condition) in path {
            let mut other = before.clone();
            condition.negated().hash(&mut other);
            turned.push(other.finish());
            condition.hash(&mut before);
            self.asked.insert(before.finish());
            self.had.insert((*site, condition.holds));
        }
        turned
    }
}
