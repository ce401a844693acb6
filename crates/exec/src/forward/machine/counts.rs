//! The counts of a concrete run: how often each branch went each way.

use super::engine::Engine;
use crate::forward::code::Address;

/// Places of an instruction that are counted: a test that fails, a test that holds, the target of a switch.
const PLACES: usize = 3;

/// Counts of the branches of one run, and of its calls on the VM.
#[derive(Default)]
pub struct BranchCounts {
    /// By instruction and place.
    counts: Vec<u32>,
    /// The places that are not 0, in the order in which they were met.
    met: Vec<u32>,
    /// Calls that the VM has answered.
    pub vm_calls: u64,
}

impl BranchCounts {
    /// Forgets the last run.
    pub fn clear(&mut self) {
        self.met.drain(..).for_each(|place| self.counts[place as usize] = 0);
        self.vm_calls = 0;
    }

    /// Each place that the run came to, with the number of times.
    pub fn places(&self) -> impl Iterator<Item = (u32, u32)> {
        self.met.iter().map(|place| (*place, self.counts[*place as usize]))
    }

    #[inline]
    fn add(&mut self, place: usize, instructions: usize) {
        if place >= self.counts.len() {
            self.counts.resize(PLACES * instructions, 0);
        }
        let count = &mut self.counts[place];
        if *count == 0 {
            self.met.push(place as u32);
        }
        *count = count.saturating_add(1);
    }
}

impl Engine<'_> {
    /// Counts the side that a branch took.
    #[inline]
    pub fn count_branch(&mut self, address: Address, holds: bool) {
        self.count(PLACES * address as usize + usize::from(holds));
    }

    /// Counts the target of a switch.
    #[inline]
    pub fn count_target(&mut self, target: Address) {
        self.count(PLACES * target as usize + 2);
    }

    #[inline]
    fn count(&mut self, place: usize) {
        if let Some(counts) = self.counts.as_deref_mut() {
            counts.add(place, self.program.code.instructions.len());
        }
    }
}
