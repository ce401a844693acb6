//! Removes registers that only repeat others: copies of values that never change, and values that are not read.
//!
//! A register with one write that is a copy of a literal, or of a register with one write, can be replaced by what it
//! copies: were the source written again between the copy and a read, there would be a path to that read which
//! never passes the copy, and the graph reads no register before it is written.

use crate::{BasicBlock, BlockId, Function, Op, Operand, Reg, Terminator, Test};

/// Propagates copies within a well formed function, decides tests of literals, drops what is never read, and numbers
/// the registers that are left in the order in which they occur.
pub fn propagate(function: &mut Function) {
    let sources = Sources::of(function);
    for block in &mut function.blocks {
        block.body.retain(|instruction| !sources.replaces(instruction.op.written()));
        block.body.iter_mut().for_each(|i| i.op.each_operand_mut(&mut |operand| sources.apply(operand)));
        block.end.each_operand_mut(&mut |operand| sources.apply(operand));
        decide(block);
    }
    while drop_unread(function) {}
    renumber(function);
}

/// The operand that each register is a copy of, if it only is that.
struct Sources(Vec<Option<Operand>>);

impl Sources {
    fn of(function: &Function) -> Sources {
        let writes = writes(function);
        let once = |reg: Reg| writes.get(reg.0 as usize) == Some(&1);
        let mut sources = vec![None; function.registers as usize];
        for instruction in function.blocks.iter().flat_map(|block| &block.body) {
            if let Op::Copy { to, from } = &instruction.op
                && once(*to)
                && from.register().is_none_or(once)
            {
                sources[to.0 as usize] = Some(from.clone());
            }
        }
        Sources(sources)
    }

    fn source(&self, reg: Reg) -> Option<&Operand> {
        self.0.get(reg.0 as usize)?.as_ref()
    }

    fn replaces(&self, reg: Option<Reg>) -> bool {
        reg.is_some_and(|reg| self.source(reg).is_some())
    }

    /// Follows copies of copies; a well formed graph has no circle of them.
    fn apply(&self, operand: &mut Operand) {
        for _ in 0..self.0.len() {
            match operand.register().and_then(|reg| self.source(reg)) {
                Some(source) => *operand = source.clone(),
                None => return,
            }
        }
    }
}

fn writes(function: &Function) -> Vec<u32> {
    let mut writes = vec![0; function.registers as usize];
    let mut count = |reg: Reg| writes[reg.0 as usize] += 1;
    function.params.iter().copied().for_each(&mut count);
    for block in &function.blocks {
        block.catch.iter().flat_map(|catch| catch.registers()).for_each(&mut count);
        block.body.iter().filter_map(|instruction| instruction.op.written()).for_each(&mut count);
        block.end.outs().for_each(&mut count);
    }
    writes
}

/// A test of a literal against a literal has one answer.
fn decide(block: &mut BasicBlock) {
    let Terminator::Branch { test: Test::Literal(wanted), args, yes, no, .. } = &block.end else { return };
    if let [Operand::Literal(literal)] = &args[..] {
        let to: BlockId = if literal == wanted { *yes } else { *no };
        block.end = Terminator::Jump(to);
    }
}

/// Drops writes that no read follows anywhere; whether there were any.
fn drop_unread(function: &mut Function) -> bool {
    let reads = reads(function);
    let unread = |reg: Reg| !reads[reg.0 as usize];
    let mut dropped = false;
    for block in &mut function.blocks {
        let before = block.body.len();
        block
            .body
            .retain(|instruction| instruction.op.can_raise() || instruction.op.written().is_none_or(|to| !unread(to)));
        dropped |= block.body.len() != before;
        if let Terminator::Branch { outs, .. } = &mut block.end {
            outs.iter_mut().for_each(|out| *out = out.filter(|reg| !unread(*reg)));
        }
        if let Some(catch) = &mut block.catch {
            let wanted = |out: Option<Reg>| out.filter(|reg| !unread(*reg));
            (catch.class, catch.reason, catch.raw) = (wanted(catch.class), wanted(catch.reason), wanted(catch.raw));
        }
    }
    dropped
}

fn reads(function: &Function) -> Vec<bool> {
    let mut reads = vec![false; function.registers as usize];
    let mut note = |operand: &Operand| operand.register().into_iter().for_each(|reg| reads[reg.0 as usize] = true);
    for block in &function.blocks {
        block.body.iter().for_each(|instruction| instruction.op.each_operand(&mut note));
        block.end.each_operand(&mut note);
    }
    reads
}

fn renumber(function: &mut Function) {
    let mut numbers: Vec<Option<Reg>> = vec![None; function.registers as usize];
    let mut count = 0;
    let mut number = |reg: &mut Reg| {
        *reg = *numbers[reg.0 as usize].get_or_insert_with(|| {
            count += 1;
            Reg(count - 1)
        });
    };
    function.params.iter_mut().for_each(&mut number);
    for block in &mut function.blocks {
        each_register_mut(block, &mut number);
    }
    function.registers = count;
}

fn each_register_mut(block: &mut BasicBlock, change: &mut dyn FnMut(&mut Reg)) {
    if let Some(catch) = &mut block.catch {
        [&mut catch.class, &mut catch.reason, &mut catch.raw].into_iter().flatten().for_each(&mut *change);
    }
    for instruction in &mut block.body {
        instruction.op.each_operand_mut(&mut |operand| in_operand(operand, change));
        instruction.op.written_mut().into_iter().for_each(&mut *change);
    }
    block.end.each_operand_mut(&mut |operand| in_operand(operand, change));
    if let Terminator::Branch { outs, .. } = &mut block.end {
        outs.iter_mut().flatten().for_each(change);
    }
}

fn in_operand(operand: &mut Operand, change: &mut dyn FnMut(&mut Reg)) {
    if let Operand::Reg(reg) = operand {
        change(reg);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Unit, verify};

    fn propagated(blocks: &str) -> String {
        let text = format!("function m:f/2 (%0, %1) captured 0 registers 9\n{blocks}");
        let mut unit = Unit::read(&text).unwrap();
        assert_eq!(verify(&unit), []);
        propagate(&mut unit.functions[0]);
        assert_eq!(verify(&unit), []);
        let text = unit.to_string();
        text.trim_start().split_once('\n').unwrap().1.to_string()
    }

    #[test]
    fn copies_of_copies_are_replaced() {
        let found =
            propagated("b0:\n  %5 = copy %1\n  %4 = copy %5\n  %3 = copy a\n  %7 = cons(%4, %3)\n  return %7\n");
        assert_eq!(found, "b0:\n  %2 = cons(%1, a)\n  return %2\n");
    }

    #[test]
    fn registers_with_two_writes_stay() {
        let text = "b0:\n  branch cons(%0) -> (%2, _) yes b1 no b2\nb1:\n  %3 = copy %2\n  jump b3\n\
                    b2:\n  %3 = copy 1\n  jump b3\nb3:\n  return %3\n";
        assert_eq!(propagated(text), text);
        let written_again = "b0:\n  %2 = copy %0\n  %0 = copy %1\n  %3 = cons(%2, %0)\n  return %3\n";
        assert_eq!(propagated(written_again), written_again);
    }

    #[test]
    fn tests_of_literals_are_decided() {
        let found =
            propagated("b0:\n  %2 = copy b\n  branch literal a (%2) yes b1 no b2\nb1:\n  return 1\nb2:\n  return 2\n");
        assert_eq!(found, "b0:\n  jump b2\nb1:\n  return 1\nb2:\n  return 2\n");
    }

    #[test]
    fn what_is_not_read_goes_unless_it_can_raise() {
        let found = propagated(
            "b0: handler b1\n  %2 = cons(%0, [])\n  %3 = tuple(%2)\n  %4 = call local m:f/2(%0, %1)\n  return 1\n\
             b1: catch(%5, %6, %7)\n  return %6\n",
        );
        let wanted = "b0: handler b1\n  %2 = call local m:f/2(%0, %1)\n  return 1\nb1: catch(_, %3, _)\n  return %3\n";
        assert_eq!(found, wanted);
    }
}
