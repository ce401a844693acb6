//! Leads control past tests whose outcome is known on the path there.
//!
//! Clauses are lowered one after another, so that the second tests again what the first has tested. Here the path from
//! the first to the second is led to where the repeated tests would end, with copies for what they would reveal. Then
//! the value itself is often dead once it was taken apart, and can be taken apart in place. An exception that shows
//! the value builds it anew from its parts.

use ir::{BasicBlock, BlockId, Function, Instruction, Location, Op, Operand, Primitive, Reg, Terminator};
use term::Term;

use super::facts::{Arena, Asked, Facts, NOTHING, Parts, Verdict};
use super::order::{Order, successors};
use crate::forward::outcome::Options;

/// The edges of a graph as they will be.
struct Threading<'a> {
    function: &'a Function,
    order: &'a Order,
    options: Options,
    arena: Arena<'a>,
    /// The facts at the start of a block, as far as was seen; `None` if nothing leads there yet.
    arrivals: Vec<Option<Facts>>,
    /// Blocks that are entered by edges that are not followed.
    opaque: Vec<bool>,
    /// New ends, by block.
    ends: Vec<Option<Terminator>>,
    stubs: Vec<BasicBlock>,
}

/// The same function with fewer tests.
pub fn thread(function: &Function, options: Options) -> Result<Function, String> {
    let order = Order::of(function)?;
    let count = function.blocks.len();
    let mut threading = Threading {
        function,
        order: &order,
        options,
        arena: Arena::default(),
        arrivals: vec![None; count],
        opaque: opaque_blocks(function, &order),
        ends: (0..count).map(|_| None).collect(),
        stubs: Vec::new(),
    };
    threading.arrivals[0] = Some(NOTHING);
    order.blocks.iter().for_each(|&block| threading.visit(block));
    let Threading { ends, stubs, .. } = threading;
    let mut threaded = function.clone();
    for (block, end) in threaded.blocks.iter_mut().zip(ends) {
        if let Some(end) = end {
            block.end = end;
        }
    }
    threaded.blocks.extend(stubs);
    Ok(threaded)
}

/// The blocks whose test is really asked: on some path to them its outcome is not known yet.
pub fn asked(function: &Function, options: Options) -> Vec<u32> {
    let threaded = thread(function, options);
    let graph = threaded.as_ref().unwrap_or(function);
    let Ok(order) = Order::of(graph) else { return Vec::new() };
    let is_test = |block: &u32| matches!(graph.blocks[*block as usize].end, Terminator::Branch { .. });
    let mut blocks: Vec<u32> = order.blocks.into_iter().filter(is_test).collect();
    blocks.retain(|block| (*block as usize) < function.blocks.len());
    blocks.sort_unstable();
    blocks
}

/// The entry, handlers, and where loops begin.
fn opaque_blocks(function: &Function, order: &Order) -> Vec<bool> {
    let mut opaque: Vec<bool> = function.blocks.iter().map(|block| block.catch.is_some()).collect();
    opaque[0] = true;
    for &from in &order.blocks {
        let block = &function.blocks[from as usize];
        let back = successors(block).filter(|to| order.place[to.0 as usize] <= order.place[from as usize]);
        back.chain(block.handler).for_each(|to| opaque[to.0 as usize] = true);
    }
    opaque
}

impl<'a> Threading<'a> {
    fn visit(&mut self, at: u32) {
        let opaque = self.opaque[at as usize];
        let facts = match self.arrivals[at as usize] {
            _ if opaque => NOTHING,
            Some(facts) => facts,
            // Every edge to here was led elsewhere.
            None => return,
        };
        let block = &self.function.blocks[at as usize];
        let written = block.body.iter().filter_map(|it| it.op.written());
        let facts = written.fold(facts, |facts, reg| self.arena.written(facts, reg));
        let calls = block.body.iter().any(|it| it.op.can_raise());
        let facts = if calls { self.arena.called(facts) } else { facts };
        self.ends[at as usize] = match &block.end {
            Terminator::Jump(to) => Some(Terminator::Jump(self.lead(facts, *to))),
            Terminator::Branch { test, args, outs, yes, no } => {
                let asked = Asked { test, args, outs };
                Some(self.branch(facts, asked, *yes, *no))
            }
            _ => None,
        };
    }

    fn branch(&mut self, facts: Facts, asked: Asked<'a>, yes: BlockId, no: BlockId) -> Terminator {
        if let Some(Verdict::No) = self.arena.decide(facts, &asked) {
            return Terminator::Jump(self.lead(facts, no));
        }
        let held = self.arena.tested(facts, &asked, true);
        let yes = self.lead(held, yes);
        let failed = self.arena.tested(facts, &asked, false);
        let no = self.lead(failed, no);
        let (test, args, outs) = (asked.test.clone(), asked.args.to_vec(), asked.outs.to_vec());
        Terminator::Branch { test, args, outs, yes, no }
    }

    /// The block that control comes to from an edge with that knowledge, past all tests that are decided.
    fn lead(&mut self, mut facts: Facts, mut target: BlockId) -> BlockId {
        let mut body = Vec::new();
        for _ in 0..self.function.blocks.len() {
            let block = &self.function.blocks[target.0 as usize];
            if self.opaque[target.0 as usize] || !self.options.is_silent(block) {
                break;
            }
            target = match &block.end {
                Terminator::Jump(to) => *to,
                Terminator::Branch { test, args, outs, yes, no } => {
                    match self.arena.decide(facts, &Asked { test, args, outs }) {
                        Some(Verdict::No) => *no,
                        Some(Verdict::Yes(copies)) => {
                            for (from, to) in copies {
                                body.push(Op::Copy { to, from: Operand::Reg(from) });
                                facts = self.arena.copied(facts, from, to);
                            }
                            *yes
                        }
                        None => break,
                    }
                }
                _ => break,
            };
        }
        self.rebuild_for(facts, target, &mut body);
        self.arrive(facts, target);
        self.stub(body, target)
    }

    fn arrive(&mut self, facts: Facts, target: BlockId) {
        let known = match self.arrivals[target.0 as usize] {
            Some(known) => self.arena.meet(known, facts),
            None => facts,
        };
        self.arrivals[target.0 as usize] = Some(known);
        debug_assert!(self.order.place[target.0 as usize].is_some());
    }

    /// A block for what must be done on an edge, if anything must.
    fn stub(&mut self, body: Vec<Op>, target: BlockId) -> BlockId {
        if body.is_empty() {
            return target;
        }
        let body = body.into_iter().map(|op| Instruction { op, location: Location::NONE }).collect();
        let end = Terminator::Jump(target);
        self.stubs.push(BasicBlock { handler: None, catch: None, body, end, end_location: Location::NONE });
        BlockId((self.function.blocks.len() + self.stubs.len()) as u32 - 1)
    }

    /// Values that only an exception still shows are built anew there, so that they need not live until then.
    fn rebuild_for(&self, facts: Facts, target: BlockId, body: &mut Vec<Op>) {
        let block = &self.function.blocks[target.0 as usize];
        if !matches!(block.end, Terminator::Raise(_)) || block.catch.is_some() {
            return;
        }
        let mut read = Vec::new();
        let mut see = |operand: &Operand| read.extend(operand.register());
        block.body.iter().for_each(|it| it.op.each_operand(&mut see));
        block.end.each_operand(&mut see);
        let mut done = Vec::new();
        read.into_iter().for_each(|reg| self.rebuild(facts, reg, body, &mut done));
    }

    fn rebuild(&self, facts: Facts, reg: Reg, body: &mut Vec<Op>, done: &mut Vec<Reg>) {
        if done.contains(&reg) {
            return;
        }
        done.push(reg);
        let op = match self.arena.parts(facts, reg) {
            None => return,
            Some(Parts::Cell(head, tail)) => {
                [head, tail].into_iter().for_each(|part| self.rebuild(facts, part, body, done));
                Op::Cons { to: reg, head: Operand::Reg(head), tail: Operand::Reg(tail) }
            }
            Some(Parts::Tuple(parts)) => {
                parts.iter().for_each(|part| self.rebuild(facts, *part, body, done));
                Op::Tuple { to: reg, items: parts.into_iter().map(Operand::Reg).collect() }
            }
            Some(Parts::Behind { rest, bits }) => {
                self.rebuild(facts, rest, body, done);
                let args = vec![Operand::Reg(rest), Operand::Literal(Term::int(bits))];
                Op::Primitive { to: reg, op: Primitive::StepBack, args }
            }
        };
        body.push(op);
    }
}
