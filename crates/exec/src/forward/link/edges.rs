//! The edges from block to block: what dies on an edge is dropped there.

use ir::{BlockId, Reg};

use super::emit::{Emitter, Label};
use super::liveness::LiveSet;
use crate::forward::code::{Instr, Slot};

/// An edge that needs instructions of its own, placed behind the function.
pub struct Stub {
    /// The label of the stub.
    pub label: Label,
    /// The slots that die on the edge.
    pub drops: Vec<Slot>,
    /// The block that it leads to.
    pub target: BlockId,
    /// The block it comes from, which makes it a forward or backward edge.
    pub from: u32,
}

impl Emitter<'_> {
    /// The slots of registers that are alive before the terminator but not in the target; `consumed` are those that
    /// the terminator itself has used up or that need no dropping.
    pub fn dying(&self, before: &LiveSet, target: BlockId, consumed: &[Reg]) -> Vec<Slot> {
        let dead = before.iter().filter(|reg| !self.liveness.alive(target.0, *reg) && !consumed.contains(reg));
        let mut slots: Vec<Slot> = dead.map(|reg| self.slot(reg)).collect();
        slots.sort_unstable();
        slots
    }

    /// A label for an edge that a jump takes.
    pub fn edge(&mut self, drops: Vec<Slot>, target: BlockId) -> Label {
        let backward = self.is_backward(target);
        if drops.is_empty() && !backward {
            return Label::block(target);
        }
        if self.order.entries[target.0 as usize] == 1 && !backward {
            self.prologues[target.0 as usize] = drops;
            return Label::block(target);
        }
        if let Some(stub) = self.stubs.iter().rev().take(8).find(|it| it.target == target && it.drops == drops) {
            return stub.label;
        }
        let label = self.new_label();
        self.stubs.push(Stub { label, drops, target, from: self.current });
        label
    }

    /// Goes on with a block: by falling into it if it comes next, by a jump otherwise.
    pub fn go_on(&mut self, drops: Vec<Slot>, target: BlockId) {
        self.drop_slots(&drops);
        if self.is_backward(target) {
            self.push(Instr::Loop { to: Label::block(target).0 });
        } else if self.next_block() != Some(target) {
            self.push(Instr::Jump { to: Label::block(target).0 });
        }
    }

    /// Emits drops of slots.
    pub fn drop_slots(&mut self, slots: &[Slot]) {
        for pair in slots.chunks(2) {
            match *pair {
                [a, b] => self.push(Instr::Drop2 { a, b }),
                [slot] => self.push(Instr::Drop { slot }),
                _ => {}
            }
        }
    }

    /// Emits the stubs of all edges that need one.
    pub fn emit_stubs(&mut self) {
        for stub in std::mem::take(&mut self.stubs) {
            self.place_label(stub.label);
            self.drop_slots(&stub.drops);
            let to = Label::block(stub.target).0;
            let backward = self.order.place[stub.target.0 as usize] <= self.order.place[stub.from as usize];
            self.push(if backward { Instr::Loop { to } } else { Instr::Jump { to } });
        }
    }

    fn is_backward(&self, target: BlockId) -> bool {
        self.order.place[target.0 as usize] <= self.order.place[self.current as usize]
    }
}
