//! The processes that can go on where a schedule decides which does, found without a look at all others.

use std::collections::BTreeSet;

use super::Index;

/// The processes of a run that have something to do.
#[derive(Default)]
pub struct Turns {
    /// Those that are ready.
    ready: BTreeSet<Index>,
    /// The same, after the number of events before the last turn of each.
    by_turn: BTreeSet<(usize, Index)>,
    /// By process: that number.
    last: Vec<usize>,
    /// Those that have not begun.
    new: BTreeSet<Index>,
    /// Those that wait and may have messages that no patterns were tried on.
    unread: BTreeSet<Index>,
    /// Those whose time to wait is over.
    due: BTreeSet<Index>,
}

impl Turns {
    /// Adds a process that has not begun.
    pub fn add(&mut self, index: Index) {
        self.last.resize(self.last.len().max(index + 1), 0);
        self.new.insert(index);
        self.becomes_ready(index);
    }

    /// A process becomes ready.
    pub fn becomes_ready(&mut self, index: Index) {
        self.ready.insert(index);
        self.by_turn.insert((self.last[index], index));
    }

    /// A process is not ready any more.
    pub fn rests(&mut self, index: Index) {
        self.ready.remove(&index);
        self.by_turn.remove(&(self.last[index], index));
    }

    /// A process takes its turn after so many events.
    pub fn takes_turn(&mut self, index: Index, events: usize) {
        self.rests(index);
        self.last[index] = events;
        self.becomes_ready(index);
    }

    /// The processes that are ready, and perhaps others.
    pub fn ready(&self) -> impl Iterator<Item = Index> {
        self.ready.iter().copied()
    }

    /// Those of them that had their last turn at most so many events after the first, longest ago first.
    pub fn ready_since(&self, latest: usize) -> impl Iterator<Item = Index> {
        self.by_turn.range(..=(latest, Index::MAX)).map(|(_, index)| *index)
    }

    /// The first process that has not begun, if it is to.
    pub fn first_new(&mut self, is_to_begin: impl Fn(Index) -> bool) -> Option<Index> {
        first(&mut self.new, is_to_begin)
    }

    /// The time to wait of a process is over.
    pub fn comes_due(&mut self, index: Index) {
        self.due.insert(index);
    }

    /// The first process whose time to wait is over, if it has not gone on.
    pub fn first_due(&mut self, is_due: impl Fn(Index) -> bool) -> Option<Index> {
        first(&mut self.due, is_due)
    }

    /// A process gets a message to try.
    pub fn gets_message(&mut self, index: Index) {
        self.unread.insert(index);
    }

    /// Takes the processes that may have messages to try.
    pub fn take_unread(&mut self) -> BTreeSet<Index> {
        std::mem::take(&mut self.unread)
    }
}

/// The first of a set that is what it says; those before it are taken out.
fn first(set: &mut BTreeSet<Index>, is_so: impl Fn(Index) -> bool) -> Option<Index> {
    while let Some(index) = set.first().copied() {
        if is_so(index) {
            return Some(index);
        }
        set.remove(&index);
    }
    None
}
