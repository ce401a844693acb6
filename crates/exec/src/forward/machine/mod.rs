//! Runs linked code: one loop, registers in one stack, frames on the heap.

mod arith;
mod bits;
mod build;
mod calls;
mod checks;
mod control;
mod counts;
mod cursor;
mod data;
mod engine;
mod events;
mod exceptions;
mod fault;
mod funs;
mod heap;
mod loops;
mod mailbox;
mod maps;
mod node;
mod processes;
mod replay;
mod rounds;
mod run;
mod run_state;
mod trace;

use std::rc::Rc;

use ir::Unit;
use term::{Call, Mfa, Outcome, Term};

pub use bits::take_segment;
pub use build::MOST_BITS;
pub use counts::BranchCounts;
pub use cursor::{Cursor, View};
pub use engine::{Engine, Frame};
pub use events::{EventLog, Observed, Observer};
pub use fault::{Fault, Trace};
pub use loops::{CalledFunction, KnownLoop, LoopVisit};
pub use node::tables::{EtsTable, Key, TableType};
pub use node::{
    Access, CLOCK, Crash, EventKind, HandleName, MessageId, NameOrder, Object, Patterns, PidTable, ProcessEvent, Sent,
    Stopped, TIMER, channel, channel_ends, number_of,
};
pub use node::{ArrayPlace, Instant, Pending, is_increment, is_made_here};
pub use processes::{BEGINNING, EARLIEST, FARTHEST, LATEST, LONGEST, MILLISECONDS, Schedule, UPTIME};
pub use replay::{Numbers, Script};
pub use rounds::{RoundVisit, RoundWatch};

use super::code::CoveragePoint;
use super::outcome::{ClauseId, Coverage, Ending, Limits, Options, Place, Run};
use super::program::{Program, SCHEDULERS};
use super::symbolic::{Branch, Recorder};
use super::world::{Code, World};

/// The script or schedule that a run follows.
#[derive(Default)]
pub struct Directions<'a> {
    /// A call that another run has made and recorded.
    pub script: Option<&'a mut Script>,
    /// The turns of processes.
    pub schedule: Option<&'a mut Schedule>,
    /// True if the function need not be exported.
    pub local: bool,
}

/// Runs calls one after another and keeps what it has linked in between.
pub struct Machine {
    program: Program,
    limits: Limits,
}

impl Machine {
    /// A machine without code.
    pub fn new(limits: Limits, options: Options) -> Machine {
        Machine { program: Program::new(options), limits }
    }

    /// The steps that a run may make.
    pub fn steps(&self) -> u64 {
        self.limits.steps
    }

    /// Lets runs make so many steps from now on.
    pub fn allow_steps(&mut self, steps: u64) {
        self.limits.steps = steps;
    }

    /// Numbers processes by these from now on; gives the numbers so far.
    pub fn number_by(&mut self, pids: PidTable) -> PidTable {
        std::mem::replace(&mut self.program.pids, pids)
    }

    /// From now on the names of processes and references have this order.
    pub fn order_names(&mut self, order: NameOrder) {
        self.program.name_order = order.into();
    }

    /// From now on so many schedulers are online in runs under a schedule.
    pub fn assume_schedulers(&mut self, number: Option<i64>) {
        self.program.schedulers = number.unwrap_or(SCHEDULERS);
    }

    /// Symbolic runs do not look into these functions.
    pub fn set_opaque(&mut self, functions: impl IntoIterator<Item = Mfa>) {
        self.program.opaque = functions.into_iter().collect();
    }

    /// A machine with the same limits that has not run anything, whose symbolic runs do not look into these functions.
    pub fn renewed(&self, opaque: impl IntoIterator<Item = Mfa>) -> Machine {
        let mut machine = Machine::new(self.limits, self.program.options);
        machine.set_opaque(opaque);
        machine
    }

    /// Symbolic runs do not look into these.
    pub fn opaque(&self) -> Vec<Mfa> {
        self.program.opaque.iter().copied().collect()
    }

    /// Runs one call to its end.
    pub fn run(&mut self, world: &mut dyn World, call: &Call) -> Run {
        let options = self.program.options;
        self.covering(options.coverage || options.clauses, |program, limits| {
            Engine::new(program, world, limits).run(call, false)
        })
    }

    /// The same, where the processes take their turns as a schedule says.
    pub fn run_scheduled(&mut self, world: &mut dyn World, call: &Call, schedule: &mut Schedule) -> Run {
        let options = self.program.options;
        self.covering(options.coverage || options.clauses, |program, limits| {
            let mut engine = Engine::new(program, world, limits);
            engine.schedule = Some(schedule);
            engine.number_root();
            engine.run(call, false)
        })
    }

    /// The same for a function that need not be exported, within so many steps; counts its branches.
    pub fn run_counted(
        &mut self,
        world: &mut dyn World,
        (call, local): (&Call, bool),
        schedule: &mut Schedule,
        counts: &mut BranchCounts,
        steps: u64,
    ) -> Run {
        counts.clear();
        let mut engine = Engine::new(&mut self.program, world, Limits { steps, ..self.limits });
        (engine.schedule, engine.counts) = (Some(schedule), Some(&mut *counts));
        engine.number_root();
        let run = engine.run_to_end(call, local);
        let vm_calls = engine.state.vm_calls;
        counts.vm_calls = vm_calls;
        run
    }

    /// Runs one call to its end and shows the observer the events that the graphs emit.
    pub fn run_observed(&mut self, world: &mut dyn World, call: &Call, observer: &mut dyn Observer) -> Run {
        let mut engine = Engine::new(&mut self.program, world, self.limits);
        engine.observer = Some(observer);
        engine.run(call, false)
    }

    /// Runs one call to its end, its arguments being the inputs 0, 1, … of the recorder's arena, and records what the
    /// run asks about them.
    pub fn run_symbolic(&mut self, world: &mut dyn World, call: &Call, recorder: &mut Recorder) -> Run {
        recorder.begin();
        self.symbolic(world, call, recorder, Directions::default(), false)
    }

    /// The same for a function that its module need not export.
    pub fn run_local_symbolic(&mut self, world: &mut dyn World, call: &Call, recorder: &mut Recorder) -> Run {
        recorder.begin();
        self.symbolic(world, call, recorder, Directions::default(), true)
    }

    /// The same, but the path goes on from that of the run before: first a precondition, then what it is about.
    pub fn go_on_symbolic(
        &mut self,
        world: &mut dyn World,
        call: &Call,
        recorder: &mut Recorder,
        directions: Directions<'_>,
    ) -> Run {
        let local = directions.local;
        self.symbolic(world, call, recorder, directions, local)
    }

    fn symbolic(
        &mut self,
        world: &mut dyn World,
        call: &Call,
        recorder: &mut Recorder,
        directions: Directions<'_>,
        local: bool,
    ) -> Run {
        recorder.belong_to(&self.program);
        let call = recorder.marked(call);
        self.covering(self.program.options.coverage, |program, limits| {
            let mut engine = Engine::new(program, world, limits);
            engine.recorder = Some(recorder);
            (engine.script, engine.schedule) = (directions.script, directions.schedule);
            engine.number_root();
            engine.run(&call, local)
        })
    }

    /// True if the patterns of a `receive` take a message.
    pub fn takes(&mut self, world: &mut dyn World, patterns: &Patterns, message: &Term) -> bool {
        let mut engine = Engine::new(&mut self.program, world, self.limits);
        engine.reserve = self.limits.steps;
        engine.takes(patterns, message)
    }

    /// The same for a message or patterns with marks, in the recorder's arena; nothing if what the marks stand for
    /// decides it.
    pub fn always_takes(
        &mut self,
        world: &mut dyn World,
        patterns: &Patterns,
        message: &Term,
        recorder: &mut Recorder,
    ) -> Option<bool> {
        recorder.begin();
        recorder.belong_to(&self.program);
        // The first question ends the recording.
        recorder.limits.steps = 0;
        let mut engine = Engine::new(&mut self.program, world, self.limits);
        engine.reserve = self.limits.steps;
        engine.recorder = Some(recorder);
        let takes = engine.takes(patterns, message);
        (!recorder.truncated && recorder.gaps.is_empty()).then_some(takes)
    }

    /// Makes a run, with what it covered if that is wanted.
    fn covering(&mut self, wanted: bool, run: impl FnOnce(&mut Program, Limits) -> Run) -> Run {
        self.program.code.seen.fill(false);
        let run = run(&mut self.program, self.limits);
        Run { coverage: wanted.then(|| self.coverage()), ..run }
    }

    /// The outcome of a call of a function that need not be exported; nothing if that depends on more than its arguments, or
    /// if it does not end by itself.
    pub fn sample(&mut self, world: &mut dyn World, call: &Call) -> Option<Outcome> {
        let call = self.program.with_closures(call)?;
        let mut engine = Engine::new(&mut self.program, world, self.limits);
        let run = engine.run_to_end(&call, true);
        let touched = engine.state.touched;
        world.end_run();
        match run.ending {
            _ if touched => None,
            Ending::Value(value) => Some(Outcome::Value(value)),
            Ending::Raised(exception) => Some(Outcome::Raised(exception)),
            _ => None,
        }
    }

    /// True if the code of a function that was called cannot be had, so that the VM was asked for its values.
    pub fn is_closed(&self, function: Mfa) -> bool {
        self.program.is_closed(function)
    }

    /// Links a function and those lifted out of it, without a run; or says why that cannot be done.
    pub fn link(&mut self, world: &mut dyn World, function: Mfa) -> Result<(), String> {
        let Code::Graph(unit) = world.code(function, true) else { return Err(format!("{function} has no graph")) };
        self.program.adopt(world, function, &unit);
        let link = |graph: &ir::Function| {
            let index = self.program.mention(graph.name);
            self.program.linked(index).map(drop)
        };
        unit.functions.iter().try_for_each(link)
    }

    /// The branches of a function's graph, each with two outcomes; none until it is called.
    pub fn branches(&self, function: Mfa) -> Option<Vec<Branch>> {
        self.program.branches(function)
    }

    /// The place where a function begins, if it was called.
    pub fn place_of(&self, function: Mfa) -> Option<Place> {
        let (unit, at) = self.program.graph(function)?;
        let location = unit.functions[*at].location;
        let file = unit.file(location.file).to_owned();
        Some(Place { function, file, line: location.line, column: location.column })
    }

    /// The graph of a function that was called: a unit and the function's index in it.
    pub(super) fn graph(&self, function: Mfa) -> Option<&(Rc<Unit>, usize)> {
        self.program.graph(function)
    }

    fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::default();
        let events = self.program.code.events.iter().zip(&self.program.code.seen);
        for (event, _) in events.filter(|(_, seen)| **seen) {
            match *event {
                CoveragePoint::Line(module, _) if ops::prelude::is_prelude(module) => {}
                CoveragePoint::Line(module, line) => {
                    coverage.modules.entry(module.name().to_string()).or_default().insert(line);
                }
                CoveragePoint::Clause(function, ..) if ops::prelude::is_prelude(function.module) => {}
                CoveragePoint::Clause(function, case, clause) => {
                    coverage.clauses.insert(ClauseId { function, case, clause });
                }
            }
        }
        coverage
    }
}
