//! Chains of literal tests on one register become one jump through a table.

use ir::{BasicBlock, Function, Operand, Reg, Terminator, Test};
use rustc_hash::FxHashMap;
use term::Term;

use super::emit::{Emitter, Label};
use super::liveness::LiveSet;
use super::order::Order;
use crate::forward::code::{Address, Instr, Src, SwitchTable};
use crate::forward::outcome::Options;

/// Fewer tests than this are as fast one by one.
const WORTH_IT: usize = 4;

/// A block in the middle of a chain that others lead to as well starts a table of its own this often.
const RESTART: usize = 32;

/// The blocks that become switches.
pub struct Plan {
    /// For the first block of a chain: all its blocks.
    pub chains: FxHashMap<u32, Vec<u32>>,
    /// Blocks that only a table leads to, so that no code is made for them.
    pub absorbed: Vec<bool>,
}

/// Finds the chains. Edges that a table adds are counted in `order`.
pub fn plan(function: &Function, order: &mut Order, options: Options) -> Plan {
    let count = function.blocks.len();
    let mut plan = Plan { chains: FxHashMap::default(), absorbed: vec![false; count] };
    // How many blocks of the same chain stand before this one.
    let mut depth = vec![0usize; count];
    for place in 0..order.blocks.len() {
        let block = order.blocks[place];
        if plan.absorbed[block as usize] || !depth[block as usize].is_multiple_of(RESTART) {
            continue;
        }
        let chain = chain_from(function, block, options);
        if chain.len() >= WORTH_IT {
            plan.adopt(function, order, &mut depth, chain);
        }
    }
    plan
}

impl Plan {
    fn adopt(&mut self, function: &Function, order: &mut Order, depth: &mut [usize], chain: Vec<u32>) {
        let mut skipped = false;
        for (at, &member) in chain.iter().enumerate() {
            depth[member as usize] = at;
            // Once a block keeps its own code, so do those behind it: it leads to them.
            skipped |= at > 0 && order.entries[member as usize] > 1;
            if at > 0 && !skipped {
                self.absorbed[member as usize] = true;
            }
            if let (true, Some((_, yes, no))) = (skipped, literal_test(&function.blocks[member as usize])) {
                order.entries[yes as usize] += 1;
                order.entries[no as usize] += 1;
            }
        }
        self.chains.insert(chain[0], chain);
    }
}

/// The blocks from here on that do nothing but test the same register against a simple literal.
fn chain_from(function: &Function, first: u32, options: Options) -> Vec<u32> {
    let mut chain = Vec::new();
    let Some((register, _, _)) = literal_test(&function.blocks[first as usize]) else { return chain };
    let mut block = first;
    while let Some((reg, _, no)) = literal_test(&function.blocks[block as usize]) {
        let silent = block == first || options.is_silent(&function.blocks[block as usize]);
        if reg != register || !silent {
            break;
        }
        chain.push(block);
        if no == first || chain.len() > function.blocks.len() {
            break;
        }
        block = no;
    }
    chain
}

/// The register, and where the test leads, if the block ends with a test against an integer, an atom or `[]`.
fn literal_test(block: &BasicBlock) -> Option<(Reg, u32, u32)> {
    let Terminator::Branch { test: Test::Literal(literal), args, yes, no, .. } = &block.end else { return None };
    let simple = matches!(literal, Term::Int(..) | Term::Atom(..) | Term::Nil(_));
    match args.as_slice() {
        [Operand::Reg(reg)] if simple => Some((*reg, yes.0, no.0)),
        _ => None,
    }
}

impl Emitter<'_> {
    /// Emits the table of a chain that begins with the current block.
    pub fn emit_switch(&mut self, chain: &[u32], before: &LiveSet) {
        let mut table = SwitchTable::new();
        let mut value = None;
        for &member in chain {
            let block = &self.function.blocks[member as usize];
            let Terminator::Branch { test: Test::Literal(literal), yes, no, .. } = &block.end else { continue };
            let Some((reg, _, _)) = literal_test(block) else { continue };
            value = Some(reg);
            let drops = self.dying(before, *yes, &[reg]);
            let label = self.edge(drops, *yes);
            table.add(literal, label);
            table.chain.push((literal.clone(), member));
            if chain.last() == Some(&member) {
                let drops = self.dying(before, *no, &[]);
                table.otherwise = self.edge(drops, *no).0;
            }
        }
        let Some(value) = value else { return };
        let index = self.program.code.switches.len() as u32;
        self.program.code.switches.push(table);
        self.tables.push(index);
        self.push(Instr::Switch { value: Src::keep(self.slot(value)), table: index });
    }
}

/// A label that stands for "no such entry".
const NONE: u32 = u32::MAX;

impl SwitchTable {
    fn new() -> SwitchTable {
        let (integers, atoms) = (FxHashMap::default(), FxHashMap::default());
        SwitchTable { integers, dense: Vec::new(), first: 0, atoms, nil: NONE, otherwise: NONE, chain: Vec::new() }
    }

    /// The first test of a literal wins, as it does in the chain.
    fn add(&mut self, literal: &Term, label: Label) {
        match literal {
            Term::Int(_, value) => *self.integers.entry(*value).or_insert(label.0),
            Term::Atom(_, atom) => *self.atoms.entry(*atom).or_insert(label.0),
            _ if self.nil == NONE => {
                self.nil = label.0;
                label.0
            }
            _ => self.nil,
        };
    }

    /// Turns labels into addresses, and integers that lie close together into an array.
    pub fn resolve(&mut self, address: &dyn Fn(u32) -> Result<Address, String>) -> Result<(), String> {
        self.otherwise = address(self.otherwise)?;
        self.nil = if self.nil == NONE { self.otherwise } else { address(self.nil)? };
        for target in self.integers.values_mut().chain(self.atoms.values_mut()) {
            *target = address(*target)?;
        }
        let (Some(&least), Some(&most)) = (self.integers.keys().min(), self.integers.keys().max()) else {
            return Ok(());
        };
        let span = most.abs_diff(least);
        if span < 4 * self.integers.len() as u64 + 16 {
            self.first = least;
            self.dense = vec![self.otherwise; span as usize + 1];
            for (value, target) in self.integers.drain() {
                self.dense[value.abs_diff(least) as usize] = target;
            }
        }
        Ok(())
    }

    /// The target of a value.
    #[inline]
    pub fn target(&self, value: &Term) -> Address {
        match value {
            Term::Int(_, int) => self.integer(*int),
            Term::Atom(_, atom) => self.atoms.get(atom).copied().unwrap_or(self.otherwise),
            Term::Nil(_) => self.nil,
            _ => self.otherwise,
        }
    }

    #[inline]
    fn integer(&self, value: i64) -> Address {
        match usize::try_from(value.wrapping_sub(self.first)) {
            Ok(at) if at < self.dense.len() => self.dense[at],
            _ if self.integers.is_empty() => self.otherwise,
            _ => self.integers.get(&value).copied().unwrap_or(self.otherwise),
        }
    }
}
