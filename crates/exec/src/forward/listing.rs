//! Linked code as text, for people.

use std::fmt::Write;

use term::Mfa;

use super::machine::Machine;
use super::program::{Callee, Program};
use super::world::{Code, World};

impl Machine {
    /// The linked code of a function and of those lifted out of it, one instruction a line; or why there is none.
    pub fn listing(&mut self, world: &mut dyn World, function: Mfa) -> Result<String, String> {
        let unit = match world.code(function, true) {
            Code::Graph(unit) => unit,
            Code::Undefined => return Err(format!("{function} is not defined")),
            Code::Broken(why) => return Err(why),
        };
        let program = self.program_mut();
        if let Callee::Broken(why) = program.adopt(world, function, &unit) {
            return Err(why);
        }
        let mut text = String::new();
        for graph in &unit.functions {
            let index = program.mention(graph.name);
            list(program, index, &mut text)?;
        }
        Ok(text)
    }
}

fn list(program: &mut Program, index: u32, text: &mut String) -> Result<(), String> {
    let name = program.functions[index as usize].name;
    let (entry, frame) = program.linked(index)?;
    let code = &program.code.instructions[entry as usize..program.end_of(index) as usize];
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{name} at {entry}, frame {frame}");
    for (at, instr) in (entry..).zip(code) {
        let _ = writeln!(text, "  {at} {instr:?}");
    }
    Ok(())
}
