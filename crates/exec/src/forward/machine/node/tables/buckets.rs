//! The rows of a table of type `set`, `bag` or `duplicate_bag`, in the places that the VM gives them: its order of rows
//! follows from the hashes of their keys and from the rows that came and went before.
//!
//! Slots are chains of rows. There are as many slots as rows, but never fewer than [`FIRST`]; one slot after the other is
//! split as rows come in, and joined again as many go.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use term::Term;

use super::key::TableType;

/// The slots of an empty table.
const FIRST: usize = 256;

/// Slots are allocated by so many.
const SEGMENT: usize = 2048;

/// The most slots that one operation splits or joins.
const STEPS: usize = 5;

/// A row in its chain.
struct ChainedRow {
    hash: u32,
    row: Term,
    /// Deleted while the table is fixed: it keeps its place.
    deleted: bool,
    /// The number of rows that were inserted before.
    serial: u64,
}

/// Chains of rows.
pub struct Buckets {
    kind: TableType,
    place: usize,
    /// The distance of slots that are visited one after the other.
    stride: usize,
    slots: Vec<Vec<ChainedRow>>,
    mask: usize,
    allocated: usize,
    live: usize,
    /// Live rows whose place depends on the VM at hand.
    strange: usize,
    serial: u64,
    /// Rows keep their places.
    pub fixed: bool,
}

impl Buckets {
    /// No rows.
    pub fn new(kind: TableType, place: usize, stride: usize) -> Buckets {
        let slots = std::iter::repeat_with(Vec::new).take(FIRST).collect();
        let (mask, allocated) = (FIRST - 1, FIRST);
        Buckets { kind, place, stride, slots, mask, allocated, live: 0, strange: 0, serial: 0, fixed: false }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.live
    }

    /// True if the VM decides the order of the rows by more than the program knows.
    pub fn is_strange(&self) -> bool {
        self.strange > 0 && self.live > 1
    }

    /// The rows of a slot as they stand in its chain.
    pub fn slot(&self, slot: usize) -> impl Iterator<Item = &Term> {
        self.slots[slot].iter().filter(|entry| !entry.deleted).map(|entry| &entry.row)
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// The slot that is visited after another.
    pub fn slot_after(&self, slot: usize) -> Option<usize> {
        let next = slot + self.stride;
        if next < self.slots.len() {
            return Some(next);
        }
        Some((next + 1) & (self.stride - 1)).filter(|next| *next != 0)
    }

    /// The slot of a key.
    pub fn slot_of(&self, key: &Term) -> usize {
        self.index(hash_of(key).0)
    }

    fn index(&self, hash: u32) -> usize {
        let slot = hash as usize & self.mask;
        if slot < self.slots.len() { slot } else { slot & (self.mask >> 1) }
    }

    fn key<'r>(&self, row: &'r Term) -> Option<&'r Term> {
        row.as_tuple().and_then(|items| items.get(self.place))
    }

    fn has_key(&self, entry: &ChainedRow, hash: u32, key: &Term) -> bool {
        entry.hash == hash && self.key(&entry.row) == Some(key)
    }

    /// All rows.
    pub fn all(&self) -> impl Iterator<Item = &Term> {
        self.slots.iter().flatten().filter(|entry| !entry.deleted).map(|entry| &entry.row)
    }

    /// All rows, in the order in which they came.
    pub fn in_order(&self) -> impl Iterator<Item = &Term> {
        let mut entries: Vec<&ChainedRow> = self.slots.iter().flatten().filter(|entry| !entry.deleted).collect();
        entries.sort_by_key(|entry| entry.serial);
        entries.into_iter().map(|entry| &entry.row)
    }

    /// The rows of a key, the oldest first.
    pub fn of_key<'r>(&'r self, key: &'r Term) -> impl DoubleEndedIterator<Item = &'r Term> + 'r {
        let (hash, _) = hash_of(key);
        let own = move |entry: &&ChainedRow| !entry.deleted && self.has_key(entry, hash, key);
        self.slots[self.index(hash)].iter().rev().filter(own).map(|entry| &entry.row)
    }

    /// Inserts a row; in a `set` it replaces the row of its key, and a `bag` has it once.
    pub fn put(&mut self, row: Term) {
        let Some(key) = self.key(&row).cloned() else { return };
        let (hash, strange) = hash_of(&key);
        let slot = self.index(hash);
        let first = self.slots[slot].iter().position(|entry| self.has_key(entry, hash, &key));
        if let Some(first) = first {
            let same = match self.kind {
                TableType::Set => Some(first),
                TableType::Bag => self.slots[slot][first..]
                    .iter()
                    .take_while(|entry| self.has_key(entry, hash, &key))
                    .position(|entry| entry.row == row)
                    .map(|at| first + at),
                _ => None,
            };
            if let Some(at) = same {
                let mut entry = self.slots[slot].remove(at);
                let was_deleted = std::mem::take(&mut entry.deleted);
                self.live += usize::from(was_deleted);
                self.strange += usize::from(was_deleted && strange);
                if self.kind == TableType::Set {
                    entry.row = row;
                }
                self.slots[slot].insert(if was_deleted { first } else { at }, entry);
                return;
            }
        }
        self.serial += 1;
        let entry = ChainedRow { hash, row, deleted: false, serial: self.serial };
        let at = first.unwrap_or(self.slots[slot].len());
        self.slots[slot].insert(at, entry);
        self.live += 1;
        self.strange += usize::from(strange);
        self.grow();
    }

    /// Deletes the rows of a key for which a condition holds, and returns them, the oldest first.
    pub fn remove(&mut self, key: &Term, mut goes: impl FnMut(&Term) -> bool) -> Vec<Term> {
        let (hash, _) = hash_of(key);
        let slot = self.index(hash);
        // A fixed table remembers the first row of a key alone.
        let (mut own, mut at, mut gone) = (0, 0, Vec::new());
        while at < self.slots[slot].len() {
            let entry = &self.slots[slot][at];
            if entry.deleted || !self.has_key(entry, hash, key) {
                at += 1;
                continue;
            }
            own += 1;
            let (is_gone, remembered) = (goes(&entry.row), self.fixed && own == 1);
            if is_gone {
                gone.push(self.take(slot, at, remembered));
            }
            at += usize::from(remembered || !is_gone);
        }
        if !gone.is_empty() {
            self.shrink();
        }
        gone.reverse();
        gone
    }

    /// Deletes the rows of a slot for which a condition holds, and returns how many there were.
    pub fn remove_from(&mut self, slot: usize, mut goes: impl FnMut(&Term) -> bool) -> usize {
        let (mut at, mut gone) = (0, 0);
        while at < self.slots[slot].len() {
            let entry = &self.slots[slot][at];
            if entry.deleted || !goes(&entry.row) {
                at += 1;
                continue;
            }
            self.take(slot, at, self.fixed);
            at += usize::from(self.fixed);
            gone += 1;
        }
        gone
    }

    /// Deletes a row.
    fn take(&mut self, slot: usize, at: usize, remembered: bool) -> Term {
        let row = match remembered {
            true => {
                self.slots[slot][at].deleted = true;
                self.slots[slot][at].row.clone()
            }
            false => self.slots[slot].remove(at).row,
        };
        self.live -= 1;
        if self.strange > 0 && self.key(&row).is_some_and(|key| hash_of(key).1) {
            self.strange -= 1;
        }
        row
    }

    /// Replaces the rows of a slot by what a function makes of them; the keys are the same.
    pub fn replace_in(&mut self, slot: usize, mut other: impl FnMut(&Term) -> Option<Term>) -> usize {
        let mut replaced = 0;
        for entry in self.slots[slot].iter_mut().filter(|entry| !entry.deleted) {
            if let Some(row) = other(&entry.row) {
                entry.row = row;
                replaced += 1;
            }
        }
        replaced
    }

    /// Deletes all rows.
    pub fn clear(&mut self) {
        if self.fixed {
            self.slots.iter_mut().flatten().for_each(|entry| entry.deleted = true);
            (self.live, self.strange) = (0, 0);
        } else {
            *self = Buckets::new(self.kind, self.place, self.stride);
        }
    }

    /// The table is fixed no longer.
    pub fn release(&mut self) {
        self.fixed = false;
        self.slots.iter_mut().for_each(|slot| slot.retain(|entry| !entry.deleted));
    }

    /// The slot and place of the row after that of a key, which need not be live itself; an error if there is none.
    pub fn after(&self, key: &Term) -> Result<Option<&Term>, ()> {
        let (hash, _) = hash_of(key);
        let slot = self.index(hash);
        let first = self.slots[slot].iter().position(|entry| self.has_key(entry, hash, key)).ok_or(())?;
        let rest = &self.slots[slot][first + 1..];
        let other = rest.iter().find(|entry| !entry.deleted && !self.has_key(entry, hash, key));
        Ok(other
            .map(|entry| &entry.row)
            .or_else(|| self.first_from(self.slot_after(slot)?))
            .and_then(|row| self.key(row)))
    }

    /// The key of the first row.
    pub fn first(&self) -> Option<&Term> {
        self.first_from(0).and_then(|row| self.key(row))
    }

    fn first_from(&self, slot: usize) -> Option<&Term> {
        let slots = std::iter::successors(Some(slot), |slot| self.slot_after(*slot));
        slots.filter_map(|slot| self.slot(slot).next()).next()
    }

    fn grow(&mut self) {
        for _ in 0..STEPS {
            if self.fixed || self.live <= self.slots.len() {
                return;
            }
            let to = self.slots.len();
            if to == self.allocated {
                self.allocated += SEGMENT;
            }
            let from = if to <= self.mask { to & (self.mask >> 1) } else { 0 };
            if to > self.mask {
                self.mask = self.mask << 1 | 1;
            }
            let mask = self.mask;
            let chain = std::mem::take(&mut self.slots[from]);
            let (stays, goes) = chain.into_iter().partition(|entry| entry.hash as usize & mask == from);
            self.slots[from] = stays;
            self.slots.push(goes);
        }
    }

    /// Joins slots when far fewer rows are left.
    pub fn shrink(&mut self) {
        for _ in 0..STEPS {
            let limit = match self.allocated {
                slots if slots >= (self.stride + SEGMENT).max(FIRST + 2 * SEGMENT) => (slots - SEGMENT) / 2,
                _ => 0,
            };
            if self.fixed || self.live >= limit {
                return;
            }
            let Some(mut chain) = self.slots.pop() else { return };
            let from = self.slots.len();
            let to = from & (self.mask >> 1);
            if to == 0 {
                self.mask >>= 1;
            }
            if self.allocated - from >= SEGMENT {
                self.allocated -= SEGMENT;
            }
            chain.append(&mut self.slots[to]);
            self.slots[to] = chain;
        }
    }
}

/// The hash of a key, and whether the VM has another.
fn hash_of(key: &Term) -> (u32, bool) {
    ops::key_hash(key).map_or_else(
        || {
            let mut hasher = FxHasher::default();
            key.hash(&mut hasher);
            ((hasher.finish() >> 33) as u32, true)
        },
        |hash| (hash, false),
    )
}
