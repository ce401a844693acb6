//! The context that the backward searches of all goals share: the program, the values of its registers, expressions.

use std::cell::RefCell;

use constraint::{Arena, RuleId};
use exec::backward::{FunctionId, Graphs, Program, Values};
use rustc_hash::{FxHashMap, FxHashSet};
use solve::{Budget, Executor};
use term::{Mfa, Term};

use super::backward::{Attempt, BackwardResult, BackwardSearch};
use super::entry::{Entry, entry_points};
use super::explain::BackwardExplanation;
use super::{Goal, ReachStatistics};
use crate::machine_subject::MachineSubject;
use crate::reason::Causes;

/// The program and all that is computed once for it.
pub struct BackwardContext<'g> {
    program: Program<'g>,
    /// Functions that unknown code may call.
    open: FxHashSet<FunctionId>,
    entries: Vec<Entry>,
    values: Values,
    arena: Arena,
    smallest: FxHashMap<RuleId, Term>,
}

/// A result, its cost, and the bounds that were met.
pub struct BackwardOutcome {
    /// The result.
    pub result: BackwardResult,
    /// Counts of segments and queries.
    pub statistics: ReachStatistics,
    /// Reasons for which it is no proof.
    pub causes: Causes,
    /// The last path whose inputs were run, if it was to be explained.
    pub explained: Option<BackwardExplanation>,
}

impl<'g> BackwardContext<'g> {
    /// Reads the graphs and computes the values of registers.
    pub fn new(graphs: &'g mut dyn Graphs, functions: &[Mfa], subjects: &[MachineSubject<'_>]) -> BackwardContext<'g> {
        let mut program = Program::new(graphs, functions);
        let mut open = FxHashSet::default();
        if program.calls_by_name() {
            open.extend(program.callable_by_name());
        }
        let (mut entries, mut values) = entry_points(&mut program, subjects, &open);
        if open.is_empty() && values.calls_by_name() {
            open.extend(program.callable_by_name());
            (entries, values) = entry_points(&mut program, subjects, &open);
        }
        BackwardContext { program, open, entries, values, arena: Arena::new(), smallest: FxHashMap::default() }
    }

    /// Searches backward from one goal.
    pub fn search(
        &mut self,
        goal: &Goal,
        solver: &mut dyn Executor,
        (budget, explain): (Budget, bool),
        go_on: &RefCell<dyn FnMut() -> bool + '_>,
        attempt: &mut Attempt<'_>,
    ) -> BackwardOutcome {
        let points = goal.points(&self.program);
        let (mut statistics, mut causes, mut explained) = (ReachStatistics::default(), Causes::default(), None);
        let mut search = BackwardSearch {
            program: &mut self.program,
            arena: &mut self.arena,
            entries: &self.entries,
            values: &self.values,
            smallest: &mut self.smallest,
            solver,
            budget,
            open: &self.open,
            go_on,
            statistics: &mut statistics,
            causes: &mut causes,
            explained: explain.then_some(&mut explained),
        };
        let result = search.run(&points, attempt);
        BackwardOutcome { result, statistics, causes, explained }
    }

    /// For each entry point true if it can lead to the goal, by the callers of functions and funs; nothing if unknown
    /// code may call.
    pub fn leads(&self, goal: &Goal) -> Option<Vec<bool>> {
        let leading = self.program.leading(&self.functions(goal));
        let leads = |entry: &Entry| self.program.number(entry.function).is_none_or(|id| leading.contains(&id));
        self.open.is_empty().then(|| self.entries.iter().map(leads).collect())
    }

    /// Recursive functions that lead to no goal.
    pub fn loops(&self, goals: &[&Goal]) -> Vec<Mfa> {
        let ends: Vec<FunctionId> = goals.iter().flat_map(|goal| self.functions(goal)).collect();
        self.program.loops(&ends)
    }

    /// The functions from which calls and funs lead to one of the goals.
    pub fn leading(&self, goals: &[&Goal]) -> FxHashSet<Mfa> {
        let ends: Vec<FunctionId> = goals.iter().flat_map(|goal| self.functions(goal)).collect();
        self.program.leading(&ends).into_iter().map(|id| self.program.function(id).name).collect()
    }

    fn functions(&self, goal: &Goal) -> Vec<FunctionId> {
        goal.points(&self.program).iter().map(|(point, _)| point.function).collect()
    }
}
