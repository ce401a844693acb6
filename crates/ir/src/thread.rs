//! Leads control past tests whose answer is known: a literal was just put into the register that is tested.

use crate::{BasicBlock, BlockId, Function, Literal, Op, Operand, Reg, Terminator, Test};

/// Shortens jumps to blocks that do nothing but test a register for a literal.
pub fn thread(function: &mut Function) {
    let blocks = &mut function.blocks;
    for at in 0..blocks.len() {
        // Every round passes one test; more rounds than blocks would be an empty loop.
        for _ in 0..blocks.len() {
            match next(blocks, at) {
                Some(to) => blocks[at].end = Terminator::Jump(to),
                None => break,
            }
        }
    }
}

/// The block to which control is sure to go behind the block that this one jumps to.
fn next(blocks: &[BasicBlock], at: usize) -> Option<BlockId> {
    let Terminator::Jump(to) = blocks[at].end else { return None };
    let BasicBlock { body, end: Terminator::Branch { test: Test::Literal(wanted), args, yes, no, .. }, .. } =
        &blocks[to.0 as usize]
    else {
        return None;
    };
    let [Operand::Reg(reg)] = args[..] else { return None };
    let value = known(&blocks[at], reg).filter(|_| body.is_empty())?;
    Some(if value == wanted { *yes } else { *no })
}

/// The literal that a register holds at the end of a block, as far as the block itself says.
fn known(block: &BasicBlock, reg: Reg) -> Option<&Literal> {
    let last = block.body.iter().rev().find(|instruction| instruction.op.written() == Some(reg))?;
    match &last.op {
        Op::Copy { from: Operand::Literal(literal), .. } => Some(literal),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Unit, verify};

    fn threaded(blocks: &str) -> String {
        let text = format!("function m:f/1 (%0) captured 0 registers 3\n{blocks}");
        let mut unit = Unit::read(&text).unwrap();
        assert_eq!(verify(&unit), []);
        thread(&mut unit.functions[0]);
        assert_eq!(verify(&unit), []);
        let text = unit.to_string();
        text.trim_start().split_once('\n').unwrap().1.to_string()
    }

    const TESTS: &str = "b1:\n  branch literal true (%1) yes b3 no b2\nb2:\n  branch literal false (%1) yes b4 no b3\n\
                         b3:\n  return %1\nb4:\n  return 4\n";

    #[test]
    fn several_tests_of_a_known_value_are_passed() {
        let found = threaded(&format!("b0:\n  %1 = copy false\n  jump b1\n{TESTS}"));
        assert_eq!(found, format!("b0:\n  %1 = copy false\n  jump b4\n{TESTS}"));
    }

    #[test]
    fn a_value_that_was_written_again_is_not_known() {
        let text = format!("b0:\n  %1 = copy false\n  %1 = cons(%0, [])\n  jump b1\n{TESTS}");
        assert_eq!(threaded(&text), text);
    }

    #[test]
    fn a_test_behind_other_work_is_made() {
        let text = "b0:\n  %1 = copy a\n  jump b1\nb1:\n  line 3\n  branch literal a (%1) yes b1 no b1\n";
        assert_eq!(threaded(text), text);
    }
}
