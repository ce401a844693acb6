//! The ground of all chases: the program, what its registers can hold, and what is learnt from goal to goal.

use std::cell::RefCell;

use constraint::{Arena, RuleId};
use exec::backward::{FunctionId, Graphs, Program, Values};
use rustc_hash::{FxHashMap, FxHashSet};
use solve::{Budget, Executor};
use term::{Mfa, Term};

use super::chase::{Caught, Chase, Try};
use super::entry::{Entry, doors};
use super::{Goal, Statistics};
use crate::reason::Causes;
use crate::tested::Tested;

pub struct Ground<'g> {
    program: Program<'g>,
    /// Functions that somebody may call whom nobody knows.
    open: FxHashSet<FunctionId>,
    entries: Vec<Entry>,
    values: Values,
    arena: Arena,
    smallest: FxHashMap<RuleId, Term>,
}

/// What came of a chase, what it took, and why it is not the end.
pub struct Chased {
    pub caught: Caught,
    pub statistics: Statistics,
    pub causes: Causes,
}

impl<'g> Ground<'g> {
    pub fn new(graphs: &'g mut dyn Graphs, functions: &[Mfa], subjects: &[Tested<'_>]) -> Ground<'g> {
        let mut program = Program::new(graphs, functions);
        let open: FxHashSet<FunctionId> = program.callable_by_name().into_iter().collect();
        let (entries, values) = doors(&mut program, subjects, &open);
        Ground { program, open, entries, values, arena: Arena::new(), smallest: FxHashMap::default() }
    }

    pub fn chase(
        &mut self,
        goal: &Goal,
        solver: &mut dyn Executor,
        budget: Budget,
        go_on: &RefCell<dyn FnMut() -> bool + '_>,
        attempt: &mut Try<'_>,
    ) -> Chased {
        let spots = goal.spots(&self.program);
        let (mut statistics, mut causes) = (Statistics::default(), Causes::default());
        let mut chase = Chase {
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
        };
        let caught = chase.run(&spots, attempt);
        Chased { caught, statistics, causes }
    }

    /// For each entry point whether it can lead to the goal, as far as calls by name and funs tell; they tell nothing
    /// where somebody unknown may call.
    pub fn leads(&self, goal: &Goal) -> Option<Vec<bool>> {
        let leading = self.program.leading(&self.functions(goal));
        let leads = |entry: &Entry| self.program.number(entry.function).is_none_or(|id| leading.contains(&id));
        self.open.is_empty().then(|| self.entries.iter().map(leads).collect())
    }

    /// Functions that go round and round, and lead to no goal.
    pub fn loops(&self, goals: &[&Goal]) -> Vec<Mfa> {
        let ends: Vec<FunctionId> = goals.iter().flat_map(|goal| self.functions(goal)).collect();
        self.program.loops(&ends)
    }

    fn functions(&self, goal: &Goal) -> Vec<FunctionId> {
        goal.spots(&self.program).iter().map(|(spot, _)| spot.function).collect()
    }
}
