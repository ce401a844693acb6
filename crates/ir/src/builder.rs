//! Making a function block by block: fresh registers and blocks, a place to append to.

use term::Mfa;

use crate::{
    BasicBlock, BlockId, Case, CaseKind, Catch, Function, Instruction, Location, Op, Raise, Reg, Terminator, propagate,
    thread, tidy,
};

/// A function under construction. Appending goes to the current block; after a terminator there is none until
/// [`Builder::start`] names one, and what is appended in between is dead and dropped.
pub struct Builder {
    blocks: Vec<Draft>,
    registers: u32,
    cases: Vec<Case>,
    current: Option<BlockId>,
}

/// A block that may not have its terminator yet.
struct Draft {
    handler: Option<BlockId>,
    catch: Option<Catch>,
    body: Vec<Instruction>,
    end: Option<(Terminator, Location)>,
}

impl Default for Builder {
    fn default() -> Self {
        Builder::new()
    }
}

impl Builder {
    /// The entry block exists and is the current one.
    pub fn new() -> Builder {
        let mut builder = Builder { blocks: Vec::new(), registers: 0, cases: Vec::new(), current: None };
        builder.current = Some(builder.block(None));
        builder
    }

    /// Returns a register that nothing uses yet.
    pub fn register(&mut self) -> Reg {
        self.registers += 1;
        Reg(self.registers - 1)
    }

    /// Makes an empty block; what is appended still goes to the current one.
    pub fn block(&mut self, handler: Option<BlockId>) -> BlockId {
        self.blocks.push(Draft { handler, catch: None, body: Vec::new(), end: None });
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// A block for exceptions to go to.
    pub fn catch_block(&mut self, handler: Option<BlockId>, catch: Catch) -> BlockId {
        let block = self.block(handler);
        self.blocks[block.0 as usize].catch = Some(catch);
        block
    }

    /// Appends a case to the table that [`Op::Enter`] refers to.
    pub fn case(&mut self, kind: CaseKind, location: Location, clauses: Vec<Location>) -> u32 {
        self.cases.push(Case { kind, location, clauses });
        self.cases.len() as u32 - 1
    }

    /// True if what is appended now can ever run.
    pub fn is_live(&self) -> bool {
        self.current.is_some()
    }

    /// Makes a block the current one.
    pub fn start(&mut self, block: BlockId) {
        self.current = Some(block);
    }

    /// Appends an instruction to the current block; drops it if there is none.
    pub fn push(&mut self, op: Op, location: Location) {
        if let Some(current) = self.current {
            self.blocks[current.0 as usize].body.push(Instruction { op, location });
        }
    }

    /// Ends the current block; until the next [`Builder::start`] there is none.
    pub fn end(&mut self, end: Terminator, location: Location) {
        if let Some(current) = self.current.take() {
            self.blocks[current.0 as usize].end = Some((end, location));
        }
    }

    /// Ends the current block with a jump.
    pub fn jump(&mut self, to: BlockId, location: Location) {
        self.end(Terminator::Jump(to), location);
    }

    /// The function, tidied. A block that was never ended returns nothing sensible, so it must be dead.
    pub fn finish(self, name: Mfa, params: Vec<Reg>, captured: u32, location: Location) -> Function {
        let blocks = self.blocks.into_iter().map(Draft::finish).collect();
        let mut function =
            Function { name, params, captured, blocks, registers: self.registers, cases: self.cases, location };
        tidy(&mut function);
        thread(&mut function);
        propagate(&mut function);
        tidy(&mut function);
        function
    }
}

impl Draft {
    fn finish(self) -> BasicBlock {
        let unended = || (Terminator::Raise(Raise::FunctionClause(Vec::new())), Location::NONE);
        let (end, end_location) = self.end.unwrap_or_else(unended);
        BasicBlock { handler: self.handler, catch: self.catch, body: self.body, end, end_location }
    }
}
