//! The memory of a run: what its frames, registers and terms take, and what happens when that is too much.
//!
//! Terms are counted as they are made ([`term::heap`]), and most of them are soon gone. What is left is measured only where
//! the count says that it may exceed the limit: what was left at the last measure and all that was made since. So a run
//! ends by what it holds itself, at the same step every time. Large terms are compared with the limit before they are
//! made. Where the allocator counts, all that the run's thread has allocated since it began is compared instead
//! ([`term::cut`]).

use term::heap::{self, Measure};
use term::{Term, cut};

use super::engine::{Engine, Frame};
use super::fault::Fault;
use crate::forward::outcome::Limits;

/// Between two looks at the steps, a run may make this fraction of its memory before it is looked at.
const FRACTION: u64 = 4;

/// The most and the fewest steps between two looks: a few milliseconds, and less where there is little memory. A symbolic
/// step is as much work as many others.
const MOST_STEPS: usize = 100_000;
const MOST_SYMBOLIC_STEPS: usize = 5_000;
const FEWEST_STEPS: usize = 100;

/// Bytes that one step is thought to make.
const STEP: usize = 1 << 10;

impl Limits {
    /// Steps between two looks at memory, and two questions whether to stop, while so many bytes may be allocated.
    pub(super) fn steps_at_once(&self, headroom: usize, is_symbolic: bool) -> u64 {
        let most = if is_symbolic { MOST_SYMBOLIC_STEPS } else { MOST_STEPS };
        (self.memory.min(headroom) / STEP).clamp(FEWEST_STEPS, most) as u64
    }
}

impl Engine<'_> {
    /// A run begins with next to nothing: it is measured when it has made a part of what it may hold.
    pub(super) fn begin_to_measure(&mut self) {
        self.safe_until = heap::made().saturating_add(self.limits.memory as u64 / FRACTION);
    }

    /// Ends the run if the operation that was just done has made too much.
    #[inline(always)]
    pub fn check_heap(&mut self) -> Result<(), Box<Fault>> {
        if heap::is_due() { self.look_at_heap() } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn look_at_heap(&mut self) -> Result<(), Box<Fault>> {
        if self.holds_too_much() { Err(Box::new(Fault::Memory)) } else { Ok(()) }
    }

    /// True if the run holds more than it may.
    pub fn holds_too_much(&mut self) -> bool {
        heap::set_due(self.limits.memory as u64 / FRACTION);
        if cut::is_exceeded() {
            return true;
        }
        // What the allocator counts is all that a run holds and more: measuring takes time and memory of its own.
        if heap::made() <= self.safe_until || cut::is_counted() {
            return false;
        }
        let held = self.held();
        self.safe_until = heap::made().saturating_add(self.limits.memory.saturating_sub(held) as u64);
        held > self.limits.memory
    }

    /// Bytes of frames, registers and all that they, the dictionary and the mailbox reach.
    fn held(&self) -> usize {
        let (process, limit) = (&self.process, self.limits.memory);
        let mut measure = Measure::default();
        measure.add(&process.stack, limit);
        measure.add(self.state.held(), limit);
        measure.add(self.node.held(), limit);
        measure.add(self.script.iter().flat_map(|script| script.messages()), limit);
        measure.add(self.recorder.iter().flat_map(|recorder| recorder.rows_of_tables()), limit);
        process.stack.len() * size_of::<Term>() + process.frames.capacity() * size_of::<Frame>() + measure.bytes()
    }
}
