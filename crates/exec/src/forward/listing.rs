//! Linked code as text, for people.

use std::fmt::Write;

use term::Mfa;

use super::machine::Machine;
use super::program::{Callee, Program};
use super::world::World;

impl Machine {
    /// The linked code of a function and of those lifted out of it, one instruction a line; nothing if there is none.
    pub fn listing(&mut self, world: &mut dyn World, function: Mfa) -> Option<String> {
        let program = self.program_mut();
        let callee = program.callee(function, true);
        let Callee::Code(index) = program.resolve(world, callee) else { return None };
        let (unit, _) = program.functions[index as usize].graph.clone()?;
        let mut text = String::new();
        for graph in &unit.functions {
            let index = program.mention(graph.name);
            list(program, index, &mut text);
        }
        Some(text)
    }
}

fn list(program: &mut Program, index: u32, text: &mut String) {
    let name = program.functions[index as usize].name;
    let linked = match program.linked(index) {
        Ok((entry, frame)) => Ok((entry as usize, frame)),
        Err(why) => Err(why),
    };
    let end = program.end_of(index) as usize;
    // Writing to a string cannot fail.
    let _ = match linked {
        Err(why) => writeln!(text, "{name}: {why}"),
        Ok((entry, frame)) => {
            let _ = writeln!(text, "{name} at {entry}, frame {frame}");
            let code = &program.code.instructions[entry..end];
            code.iter().enumerate().try_for_each(|(at, instr)| writeln!(text, "  {} {instr:?}", entry + at))
        }
    };
}
