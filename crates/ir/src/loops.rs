//! Loops: the blocks of a function from which control can come back to where it was.

use crate::{BasicBlock, BlockId, Function};

/// Blocks that all reach each other, in the function's order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    pub blocks: Vec<BlockId>,
    /// Those that can be entered from outside the loop.
    pub entries: Vec<BlockId>,
}

/// The outermost loops of a function, by first block; exceptions count as edges. A loop within a loop is part of it.
pub fn loops(function: &Function) -> Vec<Loop> {
    let blocks = &function.blocks;
    let component = Components::of(blocks);
    let mut loops: Vec<Loop> = component.members().into_iter().filter(|members| is_loop(blocks, members)).collect();
    for (at, block) in blocks.iter().enumerate() {
        for target in block.targets() {
            loops.iter_mut().for_each(|found| found.enter_from(BlockId(at as u32), target));
        }
    }
    loops.iter_mut().for_each(|found| found.close());
    loops.sort_by_key(|found| found.blocks.first().copied());
    loops
}

fn is_loop(blocks: &[BasicBlock], members: &Loop) -> bool {
    members.blocks.len() > 1 || members.blocks.iter().any(|at| blocks[at.0 as usize].targets().any(|to| to == *at))
}

impl Loop {
    fn has(&self, block: BlockId) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }

    fn enter_from(&mut self, from: BlockId, to: BlockId) {
        if self.has(to) && !self.has(from) {
            self.entries.push(to);
        }
    }

    /// The function's first block is entered by the call.
    fn close(&mut self) {
        if self.has(BlockId(0)) {
            self.entries.push(BlockId(0));
        }
        self.entries.sort();
        self.entries.dedup();
    }
}

/// Strongly connected components, found in one walk that keeps its own stack (Tarjan's algorithm).
struct Components<'a> {
    blocks: &'a [BasicBlock],
    /// When a block was first seen, counted from one; zero while it was not.
    seen: Vec<u32>,
    /// The earliest block that is known to be reachable and still open.
    low: Vec<u32>,
    open: Vec<usize>,
    is_open: Vec<bool>,
    count: u32,
    found: Vec<Vec<usize>>,
}

impl<'a> Components<'a> {
    fn of(blocks: &'a [BasicBlock]) -> Self {
        let size = blocks.len();
        let mut components = Components {
            blocks,
            seen: vec![0; size],
            low: vec![0; size],
            open: Vec::new(),
            is_open: vec![false; size],
            count: 0,
            found: Vec::new(),
        };
        for start in 0..size {
            if components.seen[start] == 0 {
                components.walk(start);
            }
        }
        components
    }

    fn members(self) -> Vec<Loop> {
        let member = |mut blocks: Vec<usize>| {
            blocks.sort_unstable();
            Loop { blocks: blocks.into_iter().map(|at| BlockId(at as u32)).collect(), entries: Vec::new() }
        };
        self.found.into_iter().map(member).collect()
    }

    fn targets(&self, at: usize) -> Vec<usize> {
        let inside = |to: &usize| *to < self.blocks.len();
        self.blocks[at].targets().map(|to| to.0 as usize).filter(inside).collect()
    }

    fn visit(&mut self, at: usize) -> (usize, Vec<usize>) {
        self.count += 1;
        self.seen[at] = self.count;
        self.low[at] = self.count;
        self.open.push(at);
        self.is_open[at] = true;
        (at, self.targets(at))
    }

    fn walk(&mut self, start: usize) {
        let mut path = vec![self.visit(start)];
        while let Some((at, rest)) = path.last_mut() {
            let at = *at;
            match rest.pop() {
                Some(to) if self.seen[to] == 0 => path.push(self.visit(to)),
                Some(to) if self.is_open[to] => self.low[at] = self.low[at].min(self.seen[to]),
                Some(_) => {}
                None => {
                    path.pop();
                    self.leave(at, path.last().map(|(parent, _)| *parent));
                }
            }
        }
    }

    fn leave(&mut self, at: usize, parent: Option<usize>) {
        if let Some(parent) = parent {
            self.low[parent] = self.low[parent].min(self.low[at]);
        }
        if self.low[at] != self.seen[at] {
            return;
        }
        let start = self.open.iter().rposition(|open| *open == at).unwrap_or(0);
        let members = self.open.split_off(start);
        members.iter().for_each(|member| self.is_open[*member] = false);
        self.found.push(members);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unit;

    fn of(blocks: &str) -> Vec<Loop> {
        let text = format!("function m:f/1 (%0) captured 0 registers 3\n{blocks}");
        loops(&Unit::read(&text).unwrap().functions[0])
    }

    fn ids(numbers: &[u32]) -> Vec<BlockId> {
        numbers.iter().copied().map(BlockId).collect()
    }

    #[test]
    fn straight_code_has_no_loop() {
        assert_eq!(of("b0:\n  branch cons(%0) -> (_, _) yes b1 no b1\nb1:\n  return %0\n"), []);
    }

    #[test]
    fn a_block_that_jumps_to_itself_is_a_loop() {
        let found = of("b0:\n  jump b1\nb1:\n  jump b1\n");
        assert_eq!(found, [Loop { blocks: ids(&[1]), entries: ids(&[1]) }]);
    }

    #[test]
    fn loops_by_jumps_and_by_exceptions_are_found_apart() {
        let found = of("b0:
  branch cons(%0) -> (_, %0) yes b0 no b1
b1: handler b2
  %0 = call local m:f/1(%0)
  return %0
b2: catch(_, _, _)
  branch cons(%0) -> (_, _) yes b1 no b3
b3:
  return %0
");
        let first = Loop { blocks: ids(&[0]), entries: ids(&[0]) };
        assert_eq!(found, [first, Loop { blocks: ids(&[1, 2]), entries: ids(&[1]) }]);
    }
}
