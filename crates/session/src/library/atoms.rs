//! The atoms that a module mentions: those it tests for first, then those it only passes on.

use ir::{Operand, Terminator, Test};
use term::{Atom, Term};

use super::Library;

impl Library {
    /// Returns the atoms in a module's code, each once, in the order of the source.
    pub fn atoms(&self, module: Atom) -> Vec<Atom> {
        let Ok(found) = self.module(module) else { return Vec::new() };
        let names: Vec<term::Mfa> = found
            .names()
            .filter(|name| name.function.name() != "module_info")
            .map(|name| term::Mfa { module, function: name.function, arity: name.arity })
            .collect();
        let (mut tested, mut passed) = (Vec::new(), Vec::new());
        for name in names {
            if let Ok(unit) = self.unit(name, true) {
                unit.functions.iter().for_each(|function| collect(function, &mut tested, &mut passed));
            }
        }
        tested.extend(passed);
        let mut seen = rustc_hash::FxHashSet::default();
        tested.retain(|atom| seen.insert(*atom));
        tested
    }
}

fn collect(function: &ir::Function, tested: &mut Vec<Atom>, passed: &mut Vec<Atom>) {
    for block in &function.blocks {
        let mut pass = |operand: &Operand| {
            if let Operand::Literal(term) = operand {
                add(term, passed);
            }
        };
        block.body.iter().for_each(|instruction| instruction.op.each_operand(&mut pass));
        block.end.each_operand(&mut pass);
        if let Terminator::Branch { test: Test::Literal(term), .. } = &block.end {
            add(term, tested);
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
