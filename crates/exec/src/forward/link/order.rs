//! The reachable blocks, laid out so that a test that holds usually goes on with the next block.

use ir::{BasicBlock, BlockId, Function, Terminator};

/// A layout of a function's blocks.
pub struct Order {
    /// The reachable blocks, each after those that lead to it, but for loops.
    pub blocks: Vec<u32>,
    /// The place of a block in `blocks`; `None` if nothing leads to it.
    pub place: Vec<Option<u32>>,
    /// The number of edges to each block.
    pub entries: Vec<u32>,
    /// True if some block leads back to itself or to one before it.
    pub has_loop: bool,
}

/// The successors of a block, the likely one last.
pub fn successors(block: &BasicBlock) -> impl DoubleEndedIterator<Item = BlockId> {
    let (first, second) = match &block.end {
        Terminator::Jump(to) => (None, Some(*to)),
        Terminator::Branch { yes, no, .. } => (Some(*no), Some(*yes)),
        _ => (None, None),
    };
    [block.handler, first, second].into_iter().flatten()
}

impl Order {
    /// Reverse postorder; fails on a graph that names blocks it does not have.
    pub fn of(function: &Function) -> Result<Order, String> {
        let count = function.blocks.len();
        if count == 0 {
            return Err("a function without blocks".into());
        }
        let mut order =
            Order { blocks: Vec::new(), place: vec![None; count], entries: vec![0; count], has_loop: false };
        let mut seen = vec![false; count];
        seen[0] = true;
        let mut path = vec![(0u32, successors(&function.blocks[0]))];
        while let Some((block, next)) = path.last_mut() {
            let Some(to) = next.next() else {
                order.blocks.push(*block);
                path.pop();
                continue;
            };
            let to = to.0 as usize;
            let target = function.blocks.get(to).ok_or_else(|| format!("no block {to}"))?;
            order.entries[to] += 1;
            if !seen[to] {
                seen[to] = true;
                path.push((to as u32, successors(target)));
            }
        }
        order.blocks.reverse();
        for (place, &block) in order.blocks.iter().enumerate() {
            order.place[block as usize] = Some(place as u32);
        }
        order.has_loop = order.blocks.iter().any(|&from| {
            let place = order.place[from as usize];
            successors(&function.blocks[from as usize]).any(|to| order.place[to.0 as usize] <= place)
        });
        Ok(order)
    }
}
