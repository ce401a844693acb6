//! The rule that every register is written before it is read, on every path.

use rustc_hash::FxHashMap;

use super::{Check, VerifierRule};
use crate::{BasicBlock, BlockId, Operand, Reg};

/// How many registers are followed at once: all of them in all blocks would need too much room in large functions.
const WIDTH: usize = 256;

/// Registers that are written for certain, one bit each.
#[derive(Clone, Copy, PartialEq, Default)]
struct Written([u64; WIDTH / 64]);

impl Written {
    fn add(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    fn has(&self, bit: usize) -> bool {
        self.0[bit / 64] & (1 << (bit % 64)) != 0
    }

    /// Keeps what both have; whether something was lost.
    fn meet(&mut self, other: &Written) -> bool {
        let mut lost = false;
        for (mine, other) in self.0.iter_mut().zip(&other.0) {
            lost |= *mine & !other != 0;
            *mine &= other;
        }
        lost
    }
}

struct Flow<'a> {
    blocks: &'a [BasicBlock],
    numbers: &'a FxHashMap<Reg, usize>,
    /// The number of the first register that is followed now.
    first: usize,
    /// The registers that are written where a block begins; `None` while no path to it is known.
    entries: Vec<Option<Written>>,
    work: Vec<BlockId>,
}

impl Check<'_> {
    pub(super) fn written(&mut self) {
        let function = self.function;
        if function.blocks.is_empty() {
            return;
        }
        let numbers = numbering(&function.params, &function.blocks);
        for first in (0..numbers.len()).step_by(WIDTH) {
            let entries = vec![None; function.blocks.len()];
            let mut flow = Flow { blocks: &function.blocks, numbers: &numbers, first, entries, work: Vec::new() };
            let mut start = Written::default();
            function.params.iter().for_each(|reg| flow.write(&mut start, *reg));
            flow.enter(BlockId(0), &start);
            while let Some(block) = flow.work.pop() {
                flow.pass(block);
            }
            self.reads(&flow);
        }
    }

    /// Reports every read of what may be unwritten.
    fn reads(&mut self, flow: &Flow<'_>) {
        for (at, (block, entry)) in flow.blocks.iter().zip(&flow.entries).enumerate() {
            let Some(mut written) = *entry else { continue };
            self.block = Some(BlockId(at as u32));
            flow.catch(block, &mut written);
            for instruction in &block.body {
                instruction.op.each_operand(&mut |operand| self.read(flow, &written, operand));
                instruction.op.written().into_iter().for_each(|reg| flow.write(&mut written, reg));
            }
            block.end.each_operand(&mut |operand| self.read(flow, &written, operand));
        }
        self.block = None;
    }

    fn read(&mut self, flow: &Flow<'_>, written: &Written, operand: &Operand) {
        let Some(reg) = operand.register() else { return };
        if flow.bit(reg).is_some_and(|bit| !written.has(bit)) {
            self.report(VerifierRule::Written, format!("{reg} may be read before it is written"));
        }
    }
}

/// Registers by their numbers in the text may be sparse: count only those that occur.
fn numbering(params: &[Reg], blocks: &[BasicBlock]) -> FxHashMap<Reg, usize> {
    let mut numbers = FxHashMap::default();
    let mut add = |reg: Reg| {
        let number = numbers.len();
        numbers.entry(reg).or_insert(number);
    };
    params.iter().copied().for_each(&mut add);
    for block in blocks {
        block.catch.iter().flat_map(|catch| catch.registers()).for_each(&mut add);
        for instruction in &block.body {
            instruction.op.written().into_iter().for_each(&mut add);
            instruction.op.each_operand(&mut |operand| operand.register().into_iter().for_each(&mut add));
        }
        block.end.outs().for_each(&mut add);
        block.end.each_operand(&mut |operand| operand.register().into_iter().for_each(&mut add));
    }
    numbers
}

impl Flow<'_> {
    /// The bit of a register that is followed now.
    fn bit(&self, reg: Reg) -> Option<usize> {
        self.numbers[&reg].checked_sub(self.first).filter(|bit| *bit < WIDTH)
    }

    fn write(&self, written: &mut Written, reg: Reg) {
        self.bit(reg).into_iter().for_each(|bit| written.add(bit));
    }

    fn enter(&mut self, block: BlockId, written: &Written) {
        let entry = &mut self.entries[block.0 as usize];
        let changed = match entry {
            Some(known) => known.meet(written),
            None => {
                *entry = Some(*written);
                true
            }
        };
        if changed {
            self.work.push(block);
        }
    }

    fn catch(&self, block: &BasicBlock, written: &mut Written) {
        block.catch.iter().flat_map(|catch| catch.registers()).for_each(|reg| self.write(written, reg));
    }

    /// Carries what a block writes to the blocks after it.
    fn pass(&mut self, id: BlockId) {
        let block = &self.blocks[id.0 as usize];
        let Some(mut written) = self.entries[id.0 as usize] else { return };
        self.catch(block, &mut written);
        let mut handler = block.handler;
        for instruction in &block.body {
            if instruction.op.can_raise() {
                handler.take().into_iter().for_each(|handler| self.enter(handler, &written));
            }
            instruction.op.written().into_iter().for_each(|reg| self.write(&mut written, reg));
        }
        if block.end.can_raise() {
            handler.into_iter().for_each(|handler| self.enter(handler, &written));
        }
        self.leave(block, written);
    }

    fn leave(&mut self, block: &BasicBlock, mut written: Written) {
        let mut successors = block.end.successors();
        let first = successors.next();
        // `no` is the second of two: it sees no outs.
        successors.for_each(|no| self.enter(no, &written));
        block.end.outs().for_each(|reg| self.write(&mut written, reg));
        first.into_iter().for_each(|next| self.enter(next, &written));
    }
}
