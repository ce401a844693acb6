//! Maps: a sorted array while small, a persistent tree beyond.

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::mem;
use std::rc::Rc;

use rpds::RedBlackTreeMap;

use crate::Term;
use crate::cons::{RED_ZONE, STACK_STEP};

/// A map. Keys are equal only if they are exactly equal; entries come in the order of their keys.
#[derive(Clone, Default)]
pub struct Map {
    entries: Entries,
    /// The keys in the order in which the real VM walks a large map, once somebody has asked it.
    order: OnceCell<Rc<[Term]>>,
}

#[derive(Clone)]
enum Entries {
    Small(Vec<(Term, Term)>),
    Large(RedBlackTreeMap<Key, Term>),
}

impl Default for Entries {
    fn default() -> Self {
        Entries::Small(Vec::new())
    }
}

/// A term in the order of map keys.
#[derive(Clone)]
#[repr(transparent)]
struct Key(Term);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Key {}

impl Ord for Key {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.compare_exact(&other.0)
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Where a key is in a small map, or where it belongs.
fn place(entries: &[(Term, Term)], key: &Term) -> Result<usize, usize> {
    find(entries, key).ok_or_else(|| entries.partition_point(|(other, _)| other.compare_exact(key).is_lt()))
}

#[inline]
fn find(entries: &[(Term, Term)], key: &Term) -> Option<usize> {
    match key {
        // For keys that compare at a glance a walk is faster than a search.
        Term::Atom(_, key) => entries.iter().position(|(other, _)| matches!(other, Term::Atom(_, it) if it == key)),
        Term::Int(_, key) => entries.iter().position(|(other, _)| matches!(other, Term::Int(_, it) if it == key)),
        _ => entries.binary_search_by(|(other, _)| other.compare_exact(key)).ok(),
    }
}

impl Map {
    /// The largest map that the VM keeps as a sorted array.
    pub const SMALL: usize = 32;

    pub fn new() -> Map {
        Map::default()
    }

    /// Later pairs win.
    pub fn from_pairs<I: IntoIterator<Item = (Term, Term)>>(pairs: I) -> Map {
        let mut map = Map::new();
        for (key, value) in pairs {
            map.insert_mut(key, value);
        }
        map
    }

    #[inline]
    pub fn len(&self) -> usize {
        match &self.entries {
            Entries::Small(entries) => entries.len(),
            Entries::Large(tree) => tree.size(),
        }
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub fn get(&self, key: &Term) -> Option<&Term> {
        match &self.entries {
            Entries::Small(entries) => find(entries, key).map(|at| &entries[at].1),
            Entries::Large(tree) => tree.get(Key::of(key)),
        }
    }

    pub fn contains(&self, key: &Term) -> bool {
        self.get(key).is_some()
    }

    #[must_use]
    pub fn insert(&self, key: Term, value: Term) -> Map {
        let mut map = self.clone();
        map.insert_mut(key, value);
        map
    }

    pub fn insert_mut(&mut self, key: Term, value: Term) {
        match &mut self.entries {
            Entries::Small(entries) => match place(entries, &key) {
                Ok(at) => entries[at].1 = value,
                Err(at) => {
                    entries.insert(at, (key, value));
                    self.order.take();
                    self.grow();
                }
            },
            Entries::Large(tree) => {
                let size = tree.size();
                // Unlike a small map, which keeps the key it has, a large one takes the new key with the value.
                tree.insert_mut(Key(key), value);
                if tree.size() != size {
                    self.order.take();
                }
            }
        }
    }

    fn grow(&mut self) {
        match &mut self.entries {
            Entries::Small(entries) if entries.len() > Map::SMALL => {
                let tree = mem::take(entries).into_iter().map(|(key, value)| (Key(key), value)).collect();
                self.entries = Entries::Large(tree);
            }
            _ => {}
        }
    }

    /// The map without the key, or nothing if it has no such key.
    pub fn remove(&self, key: &Term) -> Option<Map> {
        let mut map = self.clone();
        map.remove_mut(key).map(|_| map)
    }

    /// Takes an entry out and gives its value.
    pub fn remove_mut(&mut self, key: &Term) -> Option<Term> {
        let removed = match &mut self.entries {
            Entries::Small(entries) => find(entries, key).map(|at| entries.remove(at).1),
            Entries::Large(tree) => {
                let value = tree.get(Key::of(key)).cloned()?;
                tree.remove_mut(Key::of(key));
                Some(value)
            }
        }?;
        self.order.take();
        self.shrink();
        Some(removed)
    }

    fn shrink(&mut self) {
        match &self.entries {
            Entries::Large(tree) if tree.size() <= Map::SMALL => {
                let entries = tree.iter().map(|(key, value)| (key.0.clone(), value.clone())).collect();
                self.entries = Entries::Small(entries);
            }
            _ => {}
        }
    }

    /// The entries in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&Term, &Term)> {
        let (small, large) = match &self.entries {
            Entries::Small(entries) => (Some(entries.iter()), None),
            Entries::Large(tree) => (None, Some(tree.iter())),
        };
        let small = small.into_iter().flatten().map(|(key, value)| (key, value));
        small.chain(large.into_iter().flatten().map(|(key, value)| (&key.0, value)))
    }

    pub fn keys(&self) -> impl Iterator<Item = &Term> {
        self.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl Iterator<Item = &Term> {
        self.iter().map(|(_, value)| value)
    }

    /// The keys as the real VM lists them with `maps:keys/1`, if that is known: always for small maps, for large ones once
    /// [`Map::set_iteration_order`] has told it.
    pub fn iteration_order(&self) -> Option<Rc<[Term]>> {
        match &self.entries {
            Entries::Small(entries) => Some(entries.iter().map(|(key, _)| key.clone()).collect()),
            Entries::Large(_) => self.order.get().cloned(),
        }
    }

    /// Remembers the real VM's order; ignored unless it names exactly as many keys as the map has.
    pub fn set_iteration_order(&self, keys: Vec<Term>) {
        if keys.len() == self.len() {
            // A second answer cannot differ from the first.
            let _ = self.order.set(keys.into());
        }
    }
}

impl Key {
    fn of(term: &Term) -> &Key {
        // SAFETY: `Key` is a transparent wrapper of `Term`.
        unsafe { &*(term as *const Term).cast::<Key>() }
    }
}

/// Maps nest as deep as lists do.
impl Drop for Map {
    fn drop(&mut self) {
        let entries = mem::take(&mut self.entries);
        stacker::maybe_grow(RED_ZONE, STACK_STEP, || drop(entries));
    }
}
