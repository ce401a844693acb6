//! The flow of control in one function, seen from behind: predecessors of a block, and the dominator of all paths to it.

use ir::{Function, Reg, Terminator};

/// An edge from one block to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    Jump,
    /// The test at the end had this answer.
    Test(bool),
    /// Something in the block raised an exception.
    Raised,
}

/// A block before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Predecessor {
    pub block: u32,
    pub edge: Edge,
}

/// The last block on all paths to a block, and what may happen in between.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dominator {
    pub block: u32,
    /// Every path from there comes here, unless an exception leaves the function.
    pub closed: bool,
    /// The registers that may be written on the paths in between.
    pub written: Vec<Reg>,
}

/// Predecessors and dominators of a function's blocks.
pub struct Flow {
    before: Vec<Vec<Predecessor>>,
    dominator: Vec<Option<Dominator>>,
    reached: Vec<bool>,
}

impl Flow {
    /// Computes predecessors, dominators and reachable blocks.
    pub fn of(function: &Function) -> Flow {
        let order = order(function);
        let mut reached = vec![false; function.blocks.len()];
        order.iter().for_each(|block| reached[*block as usize] = true);
        let before = before(function, &reached);
        let dominators = dominators(&order, &before);
        let dominator = |block: usize| {
            let shared = dominators[block].filter(|_| before[block].len() > 1)?;
            // Paths may part in the middle of a block that raises: it need not have run to its end.
            let parts = &function.blocks[shared as usize];
            if parts.handler.is_some() && parts.can_raise() {
                return None;
            }
            Some(region(function, shared, block as u32))
        };
        let dominator = (0..function.blocks.len()).map(dominator).collect();
        Flow { before, dominator, reached }
    }

    /// The blocks right before one, in the order of the function.
    pub fn before(&self, block: u32) -> &[Predecessor] {
        &self.before[block as usize]
    }

    /// The dominator of a block with several before it.
    pub fn dominator(&self, block: u32) -> Option<&Dominator> {
        self.dominator[block as usize].as_ref()
    }

    /// True if some path from the entry comes to a block.
    pub fn is_reached(&self, block: u32) -> bool {
        self.reached[block as usize]
    }
}

/// The blocks that control can come to, each after one that is before it.
fn order(function: &Function) -> Vec<u32> {
    let mut seen = vec![false; function.blocks.len()];
    let mut finished = Vec::new();
    let mut open: Vec<(u32, Vec<u32>)> = Vec::new();
    let next = |block: u32| function.blocks[block as usize].targets().map(|to| to.0).collect::<Vec<u32>>();
    if !seen.is_empty() {
        seen[0] = true;
        open.push((0, next(0)));
    }
    while let Some((block, targets)) = open.last_mut() {
        match targets.pop() {
            Some(to) if !seen[to as usize] => {
                seen[to as usize] = true;
                open.push((to, next(to)));
            }
            Some(_) => {}
            None => {
                finished.push(*block);
                open.pop();
            }
        }
    }
    finished.reverse();
    finished
}

fn before(function: &Function, reached: &[bool]) -> Vec<Vec<Predecessor>> {
    let mut before = vec![Vec::new(); function.blocks.len()];
    for (at, block) in function.blocks.iter().enumerate().filter(|(at, _)| reached[*at]) {
        let mut add = |to: u32, edge| before[to as usize].push(Predecessor { block: at as u32, edge });
        match &block.end {
            Terminator::Jump(to) => add(to.0, Edge::Jump),
            Terminator::Branch { yes, no, .. } => {
                add(yes.0, Edge::Test(true));
                add(no.0, Edge::Test(false));
            }
            Terminator::Return(_) | Terminator::TailCall { .. } | Terminator::Raise(_) => {}
        }
        if let Some(handler) = block.handler.filter(|_| block.can_raise()) {
            add(handler.0, Edge::Raised);
        }
    }
    before
}

/// The nearest block on all paths to each block, by the usual iteration to a fixed point.
fn dominators(order: &[u32], before: &[Vec<Predecessor>]) -> Vec<Option<u32>> {
    let mut place = vec![usize::MAX; before.len()];
    order.iter().enumerate().for_each(|(at, block)| place[*block as usize] = at);
    let mut found: Vec<Option<u32>> = vec![None; before.len()];
    let Some(first) = order.first() else { return found };
    found[*first as usize] = Some(*first);
    let mut changed = true;
    while changed {
        changed = false;
        for block in &order[1..] {
            let known = before[*block as usize].iter().map(|it| it.block).filter(|it| found[*it as usize].is_some());
            let shared = known.reduce(|mut a, mut b| {
                while a != b {
                    let later = if place[a as usize] > place[b as usize] { &mut a } else { &mut b };
                    *later = found[*later as usize].unwrap_or(*first);
                }
                a
            });
            if shared.is_some() && found[*block as usize] != shared {
                found[*block as usize] = shared;
                changed = true;
            }
        }
    }
    found[*first as usize] = None;
    found
}

/// The region between a block and one that every path to it goes through.
fn region(function: &Function, from: u32, to: u32) -> Dominator {
    let mut seen = vec![false; function.blocks.len()];
    seen[to as usize] = true;
    let mut written: Vec<Reg> = function.blocks[from as usize].end.outs().collect();
    let mut closed = !matches!(function.blocks[from as usize].end, Terminator::Return(_) | Terminator::TailCall { .. });
    let mut todo: Vec<u32> = function.blocks[from as usize].targets().map(|to| to.0).collect();
    while let Some(block) = todo.pop() {
        if std::mem::replace(&mut seen[block as usize], true) {
            continue;
        }
        let body = &function.blocks[block as usize];
        written.extend(body.catch.iter().flat_map(|catch| catch.registers()));
        written.extend(body.body.iter().filter_map(|it| it.op.written()).chain(body.end.outs()));
        closed &= !matches!(body.end, Terminator::Return(_) | Terminator::TailCall { .. });
        todo.extend(body.targets().map(|to| to.0));
    }
    let catch = function.blocks[to as usize].catch.iter().flat_map(|catch| catch.registers());
    written.extend(catch);
    written.sort();
    written.dedup();
    Dominator { block: from, closed, written }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::Unit;

    const DIAMOND: &str = "
function m:f/2 (%0, %1) captured 0 registers 4
b0:
  branch predicate erlang:'>'/2(%0, 3) yes b1 no b5
b1:
  branch predicate erlang:'>'/2(%1, 3) yes b2 no b3
b2:
  %2 = copy 1
  jump b4
b3:
  %2 = copy 2
  jump b4
b4:
  return %2
b5:
  return none
";

    #[test]
    fn paths_meet_where_they_parted() {
        let unit = Unit::read(DIAMOND).unwrap();
        let flow = Flow::of(&unit.functions[0]);
        let dominator = flow.dominator(4).unwrap();
        assert_eq!((dominator.block, dominator.closed, &dominator.written[..]), (1, true, &[Reg(2)][..]));
        assert_eq!(flow.dominator(2), None);
        let edges: Vec<(u32, Edge)> = flow.before(4).iter().map(|it| (it.block, it.edge)).collect();
        assert_eq!(edges, [(2, Edge::Jump), (3, Edge::Jump)]);
        assert_eq!(flow.before(5), [Predecessor { block: 0, edge: Edge::Test(false) }]);
    }

    #[test]
    fn nothing_is_leapt_over_where_paths_part_by_an_exception() {
        let text = "
function m:f/1 (%0) captured 0 registers 2
b0: handler b1
  %1 = call remote erlang:hd(%0)
  jump b2
b1: catch(_, _, _)
  %1 = copy 0
  jump b2
b2:
  return %1
";
        let unit = Unit::read(text).unwrap();
        let flow = Flow::of(&unit.functions[0]);
        assert_eq!(flow.dominator(2), None);
        assert_eq!(flow.before(2).len(), 2);
    }

    #[test]
    fn an_exit_leaves_a_region_open() {
        let text = DIAMOND.replace("jump b4\nb3", "branch literal 1 (%1) yes b4 no b5\nb3");
        let unit = Unit::read(&text).unwrap();
        let flow = Flow::of(&unit.functions[0]);
        assert!(!flow.dominator(4).unwrap().closed);
        assert_eq!(flow.dominator(5).unwrap().block, 0);
    }
}
