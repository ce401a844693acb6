//! Goals: places to be reached, and the check if a run was there.

use exec::backward::{Program, ProgramPoint};
use exec::forward::{ClauseId, Coverage};
use ir::Op;
use term::{Atom, Mfa};

/// A place to be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// A line of a module's own file.
    Line { module: Atom, line: u32 },
    /// A clause of a choice.
    Clause(ClauseId),
    /// An outcome of the test at the end of a block.
    Branch { function: Mfa, block: u32, holds: bool },
}

impl Goal {
    /// The module it is in.
    pub fn module(&self) -> Atom {
        match self {
            Goal::Line { module, .. } => *module,
            Goal::Clause(ClauseId { function, .. }) | Goal::Branch { function, .. } => function.module,
        }
    }

    /// Its points in the graphs, with the outcome that the test at the block's end must have there.
    pub fn points(&self, program: &Program<'_>) -> Vec<(ProgramPoint, Option<bool>)> {
        let mut found = Vec::new();
        for id in program.functions() {
            let function = program.function(id);
            for (block, body) in function.blocks.iter().enumerate() {
                let block = block as u32;
                if !program.flow(id).is_reached(block) {
                    continue;
                }
                if let Goal::Branch { function: wanted, block: at, holds } = self {
                    let here = *wanted == function.name && *at == block;
                    found.extend(here.then(|| (program.end(id, block), Some(*holds))));
                    continue;
                }
                let here = body.body.iter().position(|it| self.is_at(function.name, &it.op));
                found.extend(here.map(|at| (ProgramPoint { function: id, block, at: at as u32 }, None)));
            }
        }
        found
    }

    fn is_at(&self, function: Mfa, op: &Op) -> bool {
        match (self, op) {
            (Goal::Line { module, line }, Op::Line(here)) => *module == function.module && line == here,
            (Goal::Clause(wanted), Op::Enter { case, clause }) => {
                *wanted == ClauseId { function, case: *case, clause: *clause }
            }
            _ => false,
        }
    }

    /// True if what a run covered has it; `took` says which outcomes of tests it had.
    pub fn is_in(&self, coverage: &Coverage, took: impl Fn(Mfa, u32, bool) -> bool) -> bool {
        match self {
            Goal::Line { module, line } => coverage.modules.get(module.name()).is_some_and(|run| run.contains(line)),
            Goal::Clause(clause) => coverage.clauses.contains(clause),
            Goal::Branch { function, block, holds } => took(*function, *block, *holds),
        }
    }
}
