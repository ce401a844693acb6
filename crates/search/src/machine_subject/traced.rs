//! Runs that are made once more, for what is to be shown of them.

use constraint::Stimulus;
use exec::forward::{Crash, Directions, EnteredClause, PidTable, ProcessEvent, Schedule};
use term::Term;

use super::MachineSubject;
use crate::schedules::Renumbering;

/// The parts of a run that a report shows besides its end.
pub struct TracedRun {
    /// The clauses of the tested modules that the run enters, if the machine records them.
    pub clauses: Vec<EnteredClause>,
    /// Its path condition, in words.
    pub conditions: Vec<String>,
    /// The turns that its processes were given.
    pub turns: Vec<u32>,
    /// The events of its processes, with the arguments of operations.
    pub events: Vec<ProcessEvent>,
    /// The crashes of its processes.
    pub crashes: Vec<Crash>,
    /// The numbers of its processes, by those of the exploration.
    pub numbers: Renumbering,
}

impl MachineSubject<'_> {
    /// Runs the function once more, for what is to be shown of the run. Its processes have the numbers that they get in a
    /// run of their own: those of an exploration are given in the order in which it comes to know them.
    pub fn trace(&mut self, stimulus: &Stimulus) -> TracedRun {
        let traced = self.trace_turns(&stimulus.inputs, &stimulus.schedule);
        let numbers = Renumbering::of(&traced.events);
        if numbers.is_identity() {
            return traced;
        }
        let turns: Vec<u32> = stimulus.schedule.iter().map(|turn| numbers.turn(*turn)).collect();
        let known = self.machine.number_by(PidTable::default());
        let traced = self.trace_turns(&stimulus.inputs, &turns);
        self.machine.number_by(known);
        TracedRun { numbers, ..traced }
    }

    fn trace_turns(&mut self, inputs: &[Term], turns: &[u32]) -> TracedRun {
        let entry = self.entry(inputs);
        let mut schedule = Schedule::shown(turns.to_vec());
        let local = self.entry_point.facts.is_private;
        let directions = Directions { script: None, schedule: Some(&mut schedule), local };
        self.recorder.begin();
        self.machine.go_on_symbolic(self.world, &entry, &mut self.recorder, directions);
        self.world.end_run();
        let tested = |event: &&EnteredClause| self.is_tested(event.function);
        let clauses = self.recorder.events.iter().filter(tested).cloned().collect();
        let (arena, path) = (&self.recorder.arena, &self.recorder.path);
        let conditions = path.iter().map(|decision| arena.show_condition(&decision.condition)).collect();
        let (events, crashes) = (schedule.events, schedule.crashes);
        TracedRun { clauses, conditions, turns: turns.to_vec(), events, crashes, numbers: Renumbering::default() }
    }
}
