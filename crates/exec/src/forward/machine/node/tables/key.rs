//! The types of tables and the equality of their keys.

use std::cmp::Ordering;

use term::Term;

/// The type of a table, as in `ets:new/2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableType {
    Set,
    OrderedSet,
    Bag,
    DuplicateBag,
}

impl TableType {
    /// The type of this name.
    pub fn named(name: &str) -> Option<TableType> {
        [TableType::Set, TableType::OrderedSet, TableType::Bag, TableType::DuplicateBag]
            .into_iter()
            .find(|kind| kind.name() == name)
    }

    /// True if the table has at most one row of a key.
    pub fn is_unique(self) -> bool {
        matches!(self, TableType::Set | TableType::OrderedSet)
    }

    /// Its name in the options of `ets:new/2`.
    pub fn name(self) -> &'static str {
        match self {
            TableType::Set => "set",
            TableType::OrderedSet => "ordered_set",
            TableType::Bag => "bag",
            TableType::DuplicateBag => "duplicate_bag",
        }
    }

    /// True if two keys are equal in such a table.
    pub fn is_one(self, a: &Term, b: &Term) -> bool {
        if self == TableType::OrderedSet { a.num_eq(b) } else { a == b }
    }
}

/// A key, ordered so that keys are equal if the table takes them for one.
#[derive(Clone)]
pub struct Key {
    /// The key itself.
    pub term: Term,
    /// The type of its table.
    pub kind: TableType,
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        match self.kind {
            TableType::OrderedSet => self.term.compare(&other.term),
            _ => self.term.compare_exact(&other.term),
        }
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}
