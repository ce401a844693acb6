//! Makes a graph compact without changing what it does: jumps through empty blocks, straight rows of blocks, handlers
//! of blocks that cannot raise, dead blocks.

use crate::{BasicBlock, BlockId, Function, Location, Raise, Terminator};

/// Tidies a function whose edges all lead to blocks.
pub fn tidy(function: &mut Function) {
    let blocks = &mut function.blocks;
    blocks.iter_mut().filter(|block| !block.can_raise()).for_each(|block| block.handler = None);
    shorten(blocks);
    remove_dead(blocks);
    join_rows(blocks);
    remove_dead(blocks);
}

/// Leads edges past blocks that only jump, and branches that lead nowhere else straight on.
fn shorten(blocks: &mut [BasicBlock]) {
    let ends: Vec<BlockId> = (0..blocks.len()).map(|at| final_target(blocks, at)).collect();
    for block in blocks {
        block.end.each_successor_mut(&mut |target| *target = ends[target.0 as usize]);
        if let Terminator::Branch { yes, no, .. } = block.end
            && yes == no
        {
            block.end = Terminator::Jump(yes);
        }
    }
}

/// The block where control ends up from here before anything happens; a block of an empty loop stays where it is.
fn final_target(blocks: &[BasicBlock], start: usize) -> BlockId {
    let mut at = start;
    for _ in 0..blocks.len() {
        match &blocks[at] {
            BasicBlock { end: Terminator::Jump(to), body, catch: None, .. } if body.is_empty() => at = to.0 as usize,
            _ => return BlockId(at as u32),
        }
    }
    BlockId(start as u32)
}

/// Joins each block with the one it jumps to where no other block leads there.
fn join_rows(blocks: &mut [BasicBlock]) {
    let mut entries = vec![0u32; blocks.len()];
    entries[0] = 1;
    blocks.iter().flat_map(BasicBlock::targets).for_each(|target| entries[target.0 as usize] += 1);
    for at in 0..blocks.len() {
        while let Terminator::Jump(next) = blocks[at].end {
            let next = next.0 as usize;
            if next == at || entries[next] != 1 || !can_join(&blocks[at], &blocks[next]) {
                break;
            }
            // The emptied block keeps no edge, so that it cannot hold others alive.
            let rest = std::mem::replace(&mut blocks[next], dead_block());
            join(&mut blocks[at], rest);
        }
    }
}

fn can_join(first: &BasicBlock, second: &BasicBlock) -> bool {
    let tail = matches!(second.end, Terminator::TailCall { .. });
    second.catch.is_none()
        && match (first.can_raise(), second.can_raise()) {
            (true, true) => first.handler == second.handler && !(tail && first.handler.is_some()),
            (true, false) => !(tail && first.handler.is_some()),
            (false, _) => true,
        }
}

fn join(first: &mut BasicBlock, second: BasicBlock) {
    if !first.can_raise() {
        first.handler = second.handler;
    }
    first.body.extend(second.body);
    first.end = second.end;
    first.end_location = second.end_location;
}

fn dead_block() -> BasicBlock {
    let end = Terminator::Raise(Raise::FunctionClause(Vec::new()));
    BasicBlock { handler: None, catch: None, body: Vec::new(), end, end_location: Location::NONE }
}

/// Keeps the blocks that control can reach, in the order in which a reader meets them.
fn remove_dead(blocks: &mut Vec<BasicBlock>) {
    let order = order(blocks);
    let mut numbers = vec![BlockId(0); blocks.len()];
    order.iter().enumerate().for_each(|(new, old)| numbers[*old] = BlockId(new as u32));
    let mut kept: Vec<Option<BasicBlock>> = blocks.drain(..).map(Some).collect();
    blocks.extend(order.iter().filter_map(|old| kept[*old].take()));
    for block in blocks {
        block.end.each_successor_mut(&mut |target| *target = numbers[target.0 as usize]);
        block.handler = block.handler.map(|handler| numbers[handler.0 as usize]);
    }
}

/// Depth first, `yes` before `no` before the handler.
fn order(blocks: &[BasicBlock]) -> Vec<usize> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::new();
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        order.push(at);
        let targets: Vec<usize> = blocks[at].targets().map(|target| target.0 as usize).collect();
        open.extend(targets.into_iter().rev());
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Unit, verify};

    fn tidied(blocks: &str) -> String {
        let text = format!("function m:f/1 (%0) captured 0 registers 3\n{blocks}");
        let mut unit = Unit::read(&text).unwrap();
        assert_eq!(verify(&unit), []);
        tidy(&mut unit.functions[0]);
        assert_eq!(verify(&unit), []);
        let text = unit.to_string();
        text.trim_start().split_once('\n').unwrap().1.to_string()
    }

    #[test]
    fn rows_join_and_dead_blocks_go() {
        let found = tidied("b0:\n  jump b2\nb1:\n  return 1\nb2:\n  %1 = copy 2\n  jump b3\nb3:\n  return %1\n");
        assert_eq!(found, "b0:\n  %1 = copy 2\n  return %1\n");
    }

    #[test]
    fn a_block_with_two_entries_stays() {
        let text = "b0:\n  branch cons(%0) -> (_, _) yes b1 no b2\nb1:\n  %1 = copy 1\n  jump b3\n\
                    b2:\n  %1 = copy 2\n  jump b3\nb3:\n  return %1\n";
        let wanted = "b0:\n  branch cons(%0) -> (_, _) yes b1 no b3\nb1:\n  %1 = copy 1\n  jump b2\n\
                      b2:\n  return %1\nb3:\n  %1 = copy 2\n  jump b2\n";
        assert_eq!(tidied(text), wanted);
    }

    #[test]
    fn a_handler_of_code_that_cannot_raise_goes() {
        let found = tidied("b0: handler b1\n  %1 = cons(%0, [])\n  return %1\nb1: catch(_, _, _)\n  return 1\n");
        assert_eq!(found, "b0:\n  %1 = cons(%0, [])\n  return %1\n");
    }

    #[test]
    fn a_tail_call_stays_outside_a_handler() {
        let text = "b0: handler b2\n  %1 = call local m:f/1(%0)\n  jump b1\nb1:\n  tailcall local m:f/1(%1)\n\
                    b2: catch(_, _, _)\n  return 1\n";
        assert_eq!(tidied(text), text);
    }

    #[test]
    fn code_under_different_handlers_stays_apart() {
        let text = "b0: handler b2\n  %1 = call local m:f/1(%0)\n  jump b1\nb1:\n  %1 = call local m:f/1(%1)\n\
                    \x20 return %1\nb2: catch(_, _, _)\n  return 1\n";
        assert_eq!(tidied(text), text);
    }

    #[test]
    fn an_empty_loop_stays_a_loop() {
        assert_eq!(tidied("b0:\n  jump b1\nb1:\n  jump b2\nb2:\n  jump b1\n"), "b0:\n  jump b1\nb1:\n  jump b1\n");
    }
}
