//! The function under test as the search sees it: a call on the machine with everything recorded.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use constraint::{Arena, Grammar, Site};
use exec::forward::{Ending, Event, Limits, Machine, Options as Recording, Place, Recorder, RecorderLimits};
use rustc_hash::FxHashSet;
use search::{Gap, Run, Subject, Target};
use term::{Call, Mfa, Term};

use crate::world::Outside;

/// What a wrapped call returns for inputs that the precondition does not allow.
pub const OUTSIDE_DOMAIN: &str = "$hound_outside_domain";

pub struct Program {
    pub outside: Rc<RefCell<Outside>>,
    machine: Machine,
    recorder: Recorder,
    grammar: Grammar,
    target: Target,
    /// What is called: the function itself, or its wrapper with the precondition.
    called: Mfa,
    /// The branches that any run has taken.
    pub branches: FxHashSet<(Site, bool)>,
    /// The lines of the tested modules that any run has gone through.
    pub lines: BTreeSet<(String, u32)>,
}

impl Program {
    pub fn new(
        outside: Rc<RefCell<Outside>>,
        target: Target,
        grammar: Grammar,
        called: Mfa,
        limits: Limits,
    ) -> Program {
        Program {
            outside,
            machine: Machine::new(limits, Recording { coverage: true, events: true, ..Recording::default() }),
            recorder: Recorder::new(RecorderLimits::default()),
            grammar,
            target,
            called,
            branches: FxHashSet::default(),
            lines: BTreeSet::new(),
        }
    }

    /// The clauses that a run with these inputs enters, in the tested modules.
    pub fn clauses(&mut self, inputs: &[Term]) -> Vec<Event> {
        self.execute(inputs);
        let tested = |event: &&Event| self.target.modules.contains(&event.function.module);
        self.recorder.events.iter().filter(tested).cloned().collect()
    }

    fn execute(&mut self, inputs: &[Term]) -> exec::forward::Run {
        let Mfa { module, function, .. } = self.called;
        let call = Call { module, function, args: inputs.to_vec() };
        let mut outside = self.outside.borrow_mut();
        let run = self.machine.run_symbolic(&mut *outside, &call, &mut self.recorder);
        // What a run prints is of no interest here.
        let _ = outside.end_run();
        run
    }

    /// Outcomes of branches in a function's graph: covered, and all.
    pub fn branch_coverage(&self, functions: &[Mfa]) -> (usize, usize) {
        let branches = functions.iter().filter_map(|function| self.machine.branches(*function)).flatten();
        let (mut covered, mut total) = (0, 0);
        for branch in branches {
            total += 2;
            covered += [true, false].iter().filter(|answer| self.branches.contains(&(branch.site, **answer))).count();
        }
        (covered, total)
    }
}

impl Subject for Program {
    fn run(&mut self, inputs: &[Term]) -> Run {
        let run = self.execute(inputs);
        let fresh = self.recorder.branches.iter().filter(|branch| self.branches.insert(**branch)).count();
        for (module, lines) in run.coverage.iter().flat_map(|coverage| &coverage.modules) {
            if self.target.modules.iter().any(|tested| tested.name() == module) {
                self.lines.extend(lines.iter().map(|line| (module.clone(), *line)));
            }
        }
        let gaps = &self.recorder.gaps;
        Run {
            in_domain: !is_outside(&run.ending),
            ending: run.ending,
            path: self.recorder.path.clone(),
            gaps: gaps.iter().map(|gap| Gap { function: gap.function, at: gap.at.clone(), pinned: true }).collect(),
            steps: run.steps,
            fresh: u32::try_from(fresh).unwrap_or(u32::MAX),
            truncated: self.recorder.truncated,
        }
    }

    fn arena(&self) -> &Arena {
        &self.recorder.arena
    }

    fn arena_mut(&mut self) -> &mut Arena {
        &mut self.recorder.arena
    }

    fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn target(&self) -> &Target {
        &self.target
    }

    fn place(&self, site: Site) -> Option<Place> {
        let info = self.recorder.site(site)?;
        Some(Place { function: info.function, file: info.file.clone(), line: info.location.line })
    }
}

fn is_outside(ending: &Ending) -> bool {
    matches!(ending, Ending::Value(value) if value.as_atom().is_some_and(|atom| atom.name() == OUTSIDE_DOMAIN))
}
