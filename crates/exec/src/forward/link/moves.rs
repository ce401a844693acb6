//! Brings the arguments of a call to their slots, all at once in effect, one by one in fact.

use crate::forward::code::{Instr, Slot, Src, SrcKind};

/// One move of a value from a slot to a slot.
struct Pending {
    to: Slot,
    from: Slot,
    /// Nothing else reads the slot it comes from after this call.
    last: bool,
}

/// The moves that bring `sources` to the slots from `first` on. Every such slot is free or among the sources that
/// are read for the last time.
pub fn arrange(first: Slot, sources: &[Src], emit: &mut dyn FnMut(Instr)) {
    let mut pending = Vec::new();
    let mut constants = Vec::new();
    let mut placed = Vec::new();
    for (to, source) in (first..).zip(sources) {
        match source.kind() {
            SrcKind::Constant(index) => constants.push(Instr::Constant { to, index }),
            SrcKind::Last(from) | SrcKind::Keep(from) if from == to => placed.push(from),
            SrcKind::Last(from) => pending.push(Pending { to, from, last: true }),
            SrcKind::Keep(from) => pending.push(Pending { to, from, last: false }),
        }
    }
    // Of several readers of a dying slot any may come last: what counts is that it dies at all.
    let dying: Vec<Slot> = pending.iter().filter(|it| it.last).map(|it| it.from).collect();
    for it in &mut pending {
        it.last = dying.contains(&it.from) && !placed.contains(&it.from);
    }
    while !pending.is_empty() {
        match pending.iter().position(|it| !pending.iter().any(|other| other.from == it.to)) {
            Some(at) => settle(&mut pending, at, emit),
            None => swap(&mut pending, emit),
        }
    }
    // Constants come from outside, so they may wait until their slots are free.
    constants.into_iter().for_each(emit);
}

fn settle(pending: &mut Vec<Pending>, at: usize, emit: &mut dyn FnMut(Instr)) {
    let Pending { to, from, last } = pending.swap_remove(at);
    let others = pending.iter().any(|other| other.from == from);
    emit(if last && !others { Instr::Move { to, from } } else { Instr::Copy { to, from } });
}

/// Only cycles are left: exchange two slots, which settles one value.
fn swap(pending: &mut Vec<Pending>, emit: &mut dyn FnMut(Instr)) {
    let Some(Pending { to, from, .. }) = pending.pop() else { return };
    emit(Instr::Swap { a: to, b: from });
    for it in pending.iter_mut() {
        if it.from == from {
            // It reads the value that has just been settled.
            (it.from, it.last) = (to, false);
        } else if it.from == to {
            it.from = from;
        }
    }
    pending.retain(|it| it.from != it.to);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs moves on numbered slots and gives what stands in the first ones.
    fn run(first: Slot, sources: &[Src], len: usize) -> Vec<u32> {
        let mut slots: Vec<u32> = (0..8).collect();
        let mut moves = Vec::new();
        arrange(first, sources, &mut |instr| moves.push(instr));
        for instr in moves {
            match instr {
                Instr::Move { to, from } => {
                    slots[to as usize] = slots[from as usize];
                    slots[from as usize] = 99;
                }
                Instr::Copy { to, from } => slots[to as usize] = slots[from as usize],
                Instr::Swap { a, b } => slots.swap(a as usize, b as usize),
                Instr::Constant { to, index } => slots[to as usize] = 100 + index,
                other => panic!("{other:?}"),
            }
        }
        slots[first as usize..][..len].to_vec()
    }

    #[test]
    fn cycles_copies_and_constants_arrive() {
        let (last, keep) = (Src::last, Src::keep);
        assert_eq!(run(0, &[last(1), last(0)], 2), [1, 0]);
        assert_eq!(run(0, &[last(1), last(2), last(0)], 3), [1, 2, 0]);
        assert_eq!(run(0, &[last(1), last(1), last(0)], 3), [1, 1, 0]);
        assert_eq!(run(2, &[keep(0), last(2), last(3), keep(1)], 4), [0, 2, 3, 1]);
        assert_eq!(run(0, &[last(0), last(0)], 2), [0, 0]);
        assert_eq!(run(0, &[Src::constant(7), last(0), last(1)], 3), [107, 0, 1]);
        assert_eq!(run(0, &[last(2), last(0), last(0), last(1)], 4), [2, 0, 0, 1]);
    }
}
