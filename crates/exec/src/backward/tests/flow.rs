//! Predecessors, dominators and the regions between, held to plain definitions on random graphs.

use ir::Function;

use super::*;
use crate::backward::{Edge, Flow};

fn flow_of(text: &str) -> (Function, Flow) {
    let function = Unit::read(text).expect("a unit").functions[0].clone();
    let flow = Flow::of(&function);
    (function, flow)
}

/// The blocks that can be reached from one without coming through another.
fn reachable(function: &Function, from: u32, without: Option<u32>) -> Vec<bool> {
    let mut seen = vec![false; function.blocks.len()];
    let mut todo = vec![from];
    while let Some(block) = todo.pop() {
        if Some(block) != without && !std::mem::replace(&mut seen[block as usize], true) {
            todo.extend(function.blocks[block as usize].targets().map(|to| to.0));
        }
    }
    seen
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// A function of blocks that each write a register of their own.
fn random_graph(random: &mut Random) -> String {
    let size = 3 + random.below(8);
    let mut text = format!("function m:f/1 (%0) captured 0 registers {}\n", size + 1);
    for block in 0..size {
        let (yes, no) = (1 + random.below(size - 1), 1 + random.below(size - 1));
        let end = match random.below(8) {
            0 => "return %0".to_string(),
            1..=3 => format!("jump b{yes}"),
            _ => format!("branch literal {block} (%0) yes b{yes} no b{no}"),
        };
        text += &format!("b{block}:\n  %{} = copy 1\n  {end}\n", block + 1);
    }
    text
}

#[test]
fn every_edge_has_its_predecessor() {
    let text = "
function m:f/1 (%0) captured 0 registers 3
b0: handler b4
  %1 = copy 1
  branch literal a (%0) yes b1 no b1
b1: handler b4
  %2 = call remote erlang:hd(%0)
  jump b2
b2:
  return %2
b3:
  jump b2
b4: catch(_, _, _)
  jump b2
";
    let (_, flow) = flow_of(text);
    let before = |block| flow.before(block).iter().map(|it| (it.block, it.edge)).collect::<Vec<_>>();
    assert_eq!(before(0), []);
    assert_eq!(before(1), [(0, Edge::Test(true)), (0, Edge::Test(false))]);
    assert_eq!(before(2), [(1, Edge::Jump), (4, Edge::Jump)], "b3 is not reached");
    assert_eq!(before(4), [(1, Edge::Raised)], "nothing in b0 raises");
    assert_eq!([0, 1, 2, 3, 4].map(|block| flow.is_reached(block)), [true, true, true, false, true]);
}

#[test]
fn dominators_are_the_nearest_blocks_on_all_paths() {
    let (mut random, mut found) = (Random(7), 0);
    for _ in 0..400 {
        let text = random_graph(&mut random);
        let (function, flow) = flow_of(&text);
        let reached = reachable(&function, 0, None);
        for block in (0..function.blocks.len() as u32).filter(|block| reached[*block as usize]) {
            let all = |other: &u32| *other != block && !reachable(&function, 0, Some(*other))[block as usize];
            let dominators: Vec<u32> = (0..function.blocks.len() as u32).filter(all).collect();
            // The nearest is behind all others.
            let nearest = dominators.iter().find(|it| {
                dominators.iter().all(|other| other == *it || !reachable(&function, 0, Some(*other))[**it as usize])
            });
            let wanted = nearest.filter(|_| flow.before(block).len() > 1).copied();
            assert_eq!(flow.dominator(block).map(|it| it.block), wanted, "of b{block} in\n{text}");
            found += usize::from(wanted.is_some());
        }
        assert!(reached.iter().enumerate().all(|(at, reached)| flow.is_reached(at as u32) == *reached));
    }
    assert!(found > 400, "{found}");
}

#[test]
fn walks_from_a_dominator_write_only_its_registers() {
    let (mut random, mut arrived, mut left) = (Random(8), 0, 0);
    for _ in 0..200 {
        let text = random_graph(&mut random);
        let (function, flow) = flow_of(&text);
        for block in 1..function.blocks.len() as u32 {
            let Some(dominator) = flow.dominator(block) else { continue };
            for _ in 0..20 {
                let mut at = dominator.block;
                for _ in 0..30 {
                    let next: Vec<u32> = function.blocks[at as usize].targets().map(|to| to.0).collect();
                    if next.is_empty() {
                        assert!(!dominator.closed, "b{at} returns before b{block} in\n{text}");
                        left += 1;
                        break;
                    }
                    at = next[random.below(next.len() as u64) as usize];
                    if at == block {
                        arrived += 1;
                        break;
                    }
                    assert!(dominator.written.contains(&Reg(at + 1)), "b{at} before b{block} in\n{text}");
                }
            }
        }
    }
    assert!(arrived > 1_000 && left > 100, "{arrived} walks arrived, {left} left");
}
