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
use super::outcome::{Coverage, Limits, Options, Run};
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
        self.program.code.lines_seen.fill(false);
        let (ending, steps) = Engine::new(&mut self.program, world, self.limits).run(call);
        let coverage = self.program.options.coverage.then(|| self.coverage());
        Run { ending, steps, coverage }
    }

    pub(super) fn program_mut(&mut self) -> &mut Program {
        &mut self.program
    }

    fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::default();
        let lines = self.program.code.lines.iter().zip(&self.program.code.lines_seen);
        for ((module, line), _) in lines.filter(|(_, seen)| **seen) {
            coverage.modules.entry(module.name().to_string()).or_default().insert(*line);
        }
        coverage
    }
}
