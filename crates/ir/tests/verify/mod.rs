//! Checks that a graph is well formed. The rules, each with its name in [`VerifierRule`]:
//!
//! Of a unit
//! - `Names`: functions have different names, all of one module, and there is at least one.
//! - `Files`: a known location names a file of the unit.
//!
//! Of a function
//! - `Params`: as many parameters as the arity says, all different, no more of them captured than there are.
//! - `Entry`: there is a first block, and it catches nothing.
//! - `Registers`: every register is below the function's count.
//! - `Written`: every register is written before it is read, on every path; a handler can rely only on what was written
//!   before the first operation of the block that can raise, a branch's outs only on its `yes` side.
//! - `Targets`: every block that is jumped to, branched to or named as a handler exists.
//! - `Handlers`: a handler has `catch`.
//! - `Catches`: a block with `catch` is entered by exceptions only, and its registers differ from each other.
//! - `Tests`: a branch gives its test as many arguments and outs as the test takes, outs differ from each other.
//! - `Segments`: units lie between 1 and 256 (sizes of `utf*` have none), and only bitstrings have the size `all`.
//! - `TailCalls`: a tail call is never in a block with a handler.
//! - `Calls`: a local call names a function of the same module, a send or spawn one that does that; both give as many
//!   arguments as the arity says.
//! - `Primitives`: a primitive has as many arguments as it takes, an event its number first.
//! - `Closures`: a closure is of a function of the unit and captures as many values as that function takes.
//! - `Cases`: an entered clause stands in the table of cases.

mod block;
mod written;

use std::collections::BTreeMap;
use std::fmt;

use term::Mfa;

use crate::{BasicBlock, BlockId, Function, Location, Reg, Unit};

/// A rule that a graph can break; the file's head says what each demands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum VerifierRule {
    Names,
    Files,
    Params,
    Entry,
    Registers,
    Written,
    Targets,
    Handlers,
    Catches,
    Tests,
    Segments,
    TailCalls,
    Calls,
    Primitives,
    Closures,
    Cases,
}

/// A broken rule, where it is broken, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub rule: VerifierRule,
    pub function: Option<Mfa>,
    pub block: Option<BlockId>,
    pub detail: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: ", self.rule)?;
        if let Some(function) = self.function {
            write!(f, "{function}: ")?;
        }
        if let Some(block) = self.block {
            write!(f, "{block}: ")?;
        }
        f.write_str(&self.detail)
    }
}

/// All violations of the rules; none for a well formed unit.
pub fn verify(unit: &Unit) -> Vec<Violation> {
    let mut found = Vec::new();
    names(unit, &mut found);
    let captures: BTreeMap<Mfa, u32> = unit.functions.iter().map(|f| (f.name, f.captured)).collect();
    for function in &unit.functions {
        let mut check =
            Check { function, captures: &captures, files: unit.files.len(), block: None, found: &mut found };
        check.function();
    }
    found
}

fn names(unit: &Unit, found: &mut Vec<Violation>) {
    let mut report = |function: Option<Mfa>, detail: &str| {
        found.push(Violation { rule: VerifierRule::Names, function, block: None, detail: detail.into() });
    };
    let Some(first) = unit.functions.first() else { return report(None, "the unit has no function") };
    let mut seen = std::collections::BTreeSet::new();
    for function in &unit.functions {
        if !seen.insert(function.name) {
            report(Some(function.name), "the name is taken twice");
        }
        if function.name.module != first.name.module {
            report(Some(function.name), "the unit's first function is of another module");
        }
    }
}

struct Check<'a> {
    function: &'a Function,
    captures: &'a BTreeMap<Mfa, u32>,
    files: usize,
    block: Option<BlockId>,
    found: &'a mut Vec<Violation>,
}

impl Check<'_> {
    fn report(&mut self, rule: VerifierRule, detail: impl Into<String>) {
        let (function, block) = (Some(self.function.name), self.block);
        self.found.push(Violation { rule, function, block, detail: detail.into() });
    }

    fn function(&mut self) {
        let function = self.function;
        self.params();
        self.location(function.location);
        for case in &function.cases {
            self.location(case.location);
            case.clauses.iter().for_each(|clause| self.location(*clause));
        }
        self.entry();
        for (number, block) in function.blocks.iter().enumerate() {
            self.block = Some(BlockId(number as u32));
            self.block(block);
        }
        self.block = None;
        // The paths can only be followed where every edge leads somewhere.
        if !self.found.iter().any(|v| v.rule == VerifierRule::Targets && v.function == Some(function.name)) {
            self.written();
        }
    }

    fn params(&mut self) {
        let function = self.function;
        let count = function.params.len();
        if count != usize::from(function.name.arity) {
            self.report(
                VerifierRule::Params,
                format!("the arity is {}, but there are {count} parameters", function.name.arity),
            );
        }
        if function.captured as usize > count {
            self.report(VerifierRule::Params, format!("{} of {count} parameters are captured", function.captured));
        }
        function.params.iter().for_each(|reg| self.register(*reg));
        if let Some(reg) = repeated(function.params.iter().copied()) {
            self.report(VerifierRule::Params, format!("{reg} is two parameters"));
        }
    }

    fn entry(&mut self) {
        match self.function.blocks.first() {
            None => self.report(VerifierRule::Entry, "there is no block"),
            Some(BasicBlock { catch: Some(_), .. }) => self.report(VerifierRule::Entry, "the first block catches"),
            Some(_) => {}
        }
    }

    fn location(&mut self, location: Location) {
        if location != Location::NONE && usize::from(location.file) >= self.files {
            self.report(VerifierRule::Files, format!("there is no file {}", location.file));
        }
    }

    fn register(&mut self, reg: Reg) {
        if reg.0 >= self.function.registers {
            self.report(VerifierRule::Registers, format!("{reg} is beyond {} registers", self.function.registers));
        }
    }
}

/// A register that comes twice.
fn repeated(registers: impl Iterator<Item = Reg>) -> Option<Reg> {
    let mut sorted: Vec<Reg> = registers.collect();
    sorted.sort();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

#[cfg(test)]
mod tests;
