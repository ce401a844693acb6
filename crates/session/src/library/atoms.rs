//! The atoms that a module mentions: those it asks for first, then those it only passes on.

use host::Host;
use ir::{Operand, Terminator, Test};
use term::{Atom, Term};

use super::Library;

impl Library {
    /// The atoms in a module's code, each once, in the order of the source.
    pub fn atoms(&mut self, host: &mut Host, module: Atom) -> Vec<Atom> {
        let Ok(found) = self.module(host, module) else { return Vec::new() };
        let names: Vec<term::Mfa> = found
            .names()
            .filter(|name| name.function.name() != "module_info")
            .map(|name| term::Mfa { module, function: name.function, arity: name.arity })
            .collect();
        let (mut asked, mut passed) = (Vec::new(), Vec::new());
        for name in names {
            if let Ok(unit) = self.unit(host, name, true) {
                unit.functions.iter().for_each(|function| collect(function, &mut asked, &mut passed));
            }
        }
        asked.extend(passed);
        let mut seen = rustc_hash::FxHashSet::default();
        asked.retain(|atom| seen.insert(*atom));
        asked
    }
}

fn collect(function: &ir::Function, asked: &mut Vec<Atom>, passed: &mut Vec<Atom>) {
    for block in &function.blocks {
        let mut pass = |operand: &Operand| {
            if let Operand::Literal(term) = operand {
                add(term, passed);
            }
        };
        block.body.iter().for_each(|instruction| instruction.op.each_operand(&mut pass));
        block.end.each_operand(&mut pass);
        if let Terminator::Branch { test: Test::Literal(term), .. } = &block.end {
            add(term, asked);
        }
    }
}

fn add(term: &Term, atoms: &mut Vec<Atom>) {
    match term {
        Term::Atom(_, atom) => atoms.push(*atom),
        Term::Tuple(_, items) => items.iter().for_each(|item| add(item, atoms)),
        Term::Cons(..) => term.cells().for_each(|item| add(item, atoms)),
        Term::Map(_, map) => map.iter().for_each(|(key, value)| {
            add(key, atoms);
            add(value, atoms);
        }),
        _ => {}
    }
}
