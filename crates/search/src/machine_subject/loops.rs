//! Loops of the function: a run that comes to the head of one which was not looked at waits until that is done.

use exec::forward::{Code, Directions, LoopVisit, RoundWatch, Schedule};
use ir::{CallEdge, CallGraph};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Call, Mfa};

use super::{MachineSubject, call};
use crate::endless::{InductionCheck, LONGEST_ROUND, LoopLearner};
use crate::subject::LoopRounds;

impl MachineSubject<'_> {
    /// Runs the function on the machine. A run that comes to the head of a loop which was not looked at begins anew when it
    /// is known if there is a way out of it.
    pub(super) fn go_on_machine(&mut self, entry: &Call, schedule: Schedule) -> (exec::forward::Run, Schedule) {
        let local = self.entry_point.facts.is_private;
        loop {
            let mut turns = schedule.anew();
            self.recorder.known_heads = Some(self.loops.known_heads());
            let directions = Directions { script: None, schedule: Some(&mut turns), local };
            let run = self.machine.go_on_symbolic(self.world, entry, &mut self.recorder, directions);
            let known = self.recorder.known_heads.take().unwrap_or_default();
            match run.turning.clone().filter(|visit| !known.contains(&visit.function)) {
                Some(visit) => self.learn_loop(&visit),
                None => return (run, turns),
            }
            self.begin_again(&entry.args);
        }
    }

    /// Finds out if the calls of a loop's head have no end.
    fn learn_loop(&mut self, visit: &LoopVisit) {
        self.loops.try_head(visit.function);
        let rounds = |length: usize| {
            self.recorder.rounds = Some(RoundWatch::of_function(visit.function, 2 * length + 1));
            self.machine.run_local_symbolic(self.world, &call(visit.function, &visit.args), &mut self.recorder);
            self.world.end_run();
            let RoundWatch { visits, called, .. } = self.recorder.rounds.take()?;
            let is_plain = self.recorder.gaps.is_empty() && !self.recorder.truncated && visits.len() == 2 * length + 1;
            let rounds = LoopRounds { visits, called, path: std::mem::take(&mut self.recorder.path) };
            let solver = &mut self.loops.solver;
            let check = InductionCheck { arena: &self.recorder.arena, grammar: &self.grammar, any: self.any, solver };
            if is_plain { check.known_loop(visit, rounds, length) } else { None }
        };
        if LoopLearner::is_small(visit) {
            let known = (1..=LONGEST_ROUND).find_map(rounds);
            self.recorder.known_loops.extend(known);
        }
    }

    /// The calls between functions of the tested modules that the entry point can reach.
    pub(super) fn calls(&mut self) -> FxHashMap<Mfa, Vec<Mfa>> {
        let mut calls: FxHashMap<Mfa, Vec<Mfa>> = FxHashMap::default();
        let mut open = vec![self.entry_point.function];
        while let Some(function) = open.pop() {
            if calls.contains_key(&function) || !self.is_tested(function) {
                continue;
            }
            calls.insert(function, Vec::new());
            let Code::Graph(unit) = self.world.code(function, true) else { continue };
            let graph = CallGraph::new(&unit);
            for within in &unit.functions {
                let callees: Vec<Mfa> = graph.callees(within.name).filter_map(CallEdge::name).collect();
                open.extend(&callees);
                calls.insert(within.name, callees);
            }
        }
        calls
    }
}

/// True if calls lead from a function to itself.
pub(super) fn reaches(calls: &FxHashMap<Mfa, Vec<Mfa>>, function: Mfa) -> bool {
    let mut seen = FxHashSet::default();
    let mut open: Vec<Mfa> = calls.get(&function).cloned().unwrap_or_default();
    while let Some(next) = open.pop() {
        if next == function {
            return true;
        }
        if seen.insert(next) {
            open.extend(calls.get(&next).into_iter().flatten());
        }
    }
    false
}
