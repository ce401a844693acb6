//! Runs linked code: one loop, registers in one stack, frames on the heap.

mod arith;
mod bits;
mod build;
mod calls;
mod checks;
mod control;
mod cursor;
mod data;
mod engine;
mod exceptions;
mod fault;
mod maps;
mod run;
mod surroundings;
mod trace;

use term::Call;

pub use control::Control;

use self::engine::Engine;
use super::code::Event;
use super::outcome::{Clause, Coverage, Limits, Options, Run};
use super::program::Program;
use super::world::World;

/// Runs calls one after another and keeps what it has linked in between.
pub struct Machine {
    program: Program,
    limits: Limits,
}

impl Machine {
    pub fn new(limits: Limits, options: Options) -> Machine {
        Machine { program: Program::new(options), limits }
    }

    /// Runs one call to its end.
    pub fn run(&mut self, world: &mut dyn World, call: &Call) -> Run {
        self.program.code.seen.fill(false);
        let (ending, steps) = Engine::new(&mut self.program, world, self.limits).run(call);
        let options = self.program.options;
        let coverage = (options.coverage || options.clauses).then(|| self.coverage());
        Run { ending, steps, coverage }
    }

    pub(super) fn program_mut(&mut self) -> &mut Program {
        &mut self.program
    }

    fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::default();
        let events = self.program.code.events.iter().zip(&self.program.code.seen);
        for (event, _) in events.filter(|(_, seen)| **seen) {
            match *event {
                Event::Line(module, line) => {
                    coverage.modules.entry(module.name().to_string()).or_default().insert(line);
                }
                Event::Clause(function, case, clause) => {
                    coverage.clauses.insert(Clause { function, case, clause });
                }
            }
        }
        coverage
    }
}
