//! Maps: a sorted array while small, a persistent tree beyond.

mod tree;

use std::cell::OnceCell;
use std::mem;
use std::rc::Rc;

use self::tree::{Iter, Tree};
use crate::Term;
use crate::heap::{self, Measure};

/// A map. Keys are equal only if they are exactly equal; entries come in the order of their keys.
#[derive(Clone, Default)]
pub struct Map {
    entries: Entries,
    /// The keys in the order in which the real VM walks a large map, once it was asked.
    order: OnceCell<Rc<[Term]>>,
}

enum Entries {
    Small(Vec<Entry>),
    Large(Tree),
}

type Entry = (Term, Term);

impl Clone for Entries {
    fn clone(&self) -> Self {
        heap::charge(heap::block(0));
        match self {
            Entries::Small(entries) => Entries::Small(copied(entries)),
            Entries::Large(tree) => Entries::Large(tree.clone()),
        }
    }
}

/// A copy of what a node holds, which is counted.
fn copied<T: Clone>(items: &Vec<T>) -> Vec<T> {
    heap::charge(heap::block(size_of_val(items.as_slice())));
    items.clone()
}

impl Default for Entries {
    fn default() -> Self {
        Entries::Small(Vec::new())
    }
}

/// The place of a key among sorted entries, or the one where it belongs.
fn place(entries: &[Entry], key: &Term) -> Result<usize, usize> {
    find(entries, key).ok_or_else(|| entries.partition_point(|(other, _)| other.compare_exact(key).is_lt()))
}

#[inline]
fn find(entries: &[Entry], key: &Term) -> Option<usize> {
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

    /// The empty map.
    pub fn new() -> Map {
        Map::default()
    }

    /// Later pairs win.
    pub fn from_pairs<I: IntoIterator<Item = (Term, Term)>>(pairs: I) -> Map {
        let mut entries: Vec<Entry> = pairs.into_iter().collect();
        entries.sort_by(|(a, _), (b, _)| a.compare_exact(b));
        entries.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                mem::swap(later, kept);
            }
            same
        });
        heap::charge(heap::block(size_of_val(entries.as_slice())));
        let mut map = Map { entries: Entries::Small(entries), order: OnceCell::new() };
        map.grow();
        map
    }

    /// The number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.entries {
            Entries::Small(entries) => entries.len(),
            Entries::Large(tree) => tree.len(),
        }
    }

    /// True if there are no entries.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a key.
    #[inline]
    pub fn get(&self, key: &Term) -> Option<&Term> {
        match &self.entries {
            Entries::Small(entries) => find(entries, key).map(|at| &entries[at].1),
            Entries::Large(tree) => tree.get(key),
        }
    }

    /// True if the key is there.
    pub fn contains(&self, key: &Term) -> bool {
        self.get(key).is_some()
    }

    /// The map with this entry put in.
    #[must_use]
    pub fn insert(&self, key: Term, value: Term) -> Map {
        let mut map = self.clone();
        map.insert_mut(key, value);
        map
    }

    /// Puts an entry in, in place.
    pub fn insert_mut(&mut self, key: Term, value: Term) {
        heap::charge(size_of::<Entry>());
        match &mut self.entries {
            Entries::Small(entries) => match place(entries, &key) {
                Ok(at) => entries[at].1 = value,
                Err(at) => {
                    entries.insert(at, (key, value));
                    self.grow();
                }
            },
            Entries::Large(tree) => {
                if tree.insert(key, value) {
                    self.order.take();
                }
            }
        }
    }

    fn grow(&mut self) {
        match &mut self.entries {
            Entries::Small(entries) if entries.len() > Map::SMALL => {
                heap::charge(2 * size_of_val(entries.as_slice()));
                let tree = Tree::from_sorted(mem::take(entries));
                self.entries = Entries::Large(tree);
            }
            _ => {}
        }
    }

    /// The map without the key, or nothing if it has no such key.
    pub fn remove(&self, key: &Term) -> Option<Map> {
        self.get(key)?;
        let mut map = self.clone();
        map.remove_mut(key).map(|_| map)
    }

    /// Takes an entry out and gives its value.
    pub fn remove_mut(&mut self, key: &Term) -> Option<Term> {
        let removed = match &mut self.entries {
            Entries::Small(entries) => find(entries, key).map(|at| entries.remove(at).1),
            Entries::Large(tree) => tree.remove(key),
        }?;
        self.order.take();
        self.shrink();
        Some(removed)
    }

    fn shrink(&mut self) {
        match &self.entries {
            Entries::Large(tree) if tree.len() <= Map::SMALL => {
                let entries = tree.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
                self.entries = Entries::Small(entries);
                heap::charge(heap::block(Map::SMALL * size_of::<Entry>()));
            }
            _ => {}
        }
    }

    /// Counts the entries, and goes on with what they hold.
    pub(crate) fn measure<'a>(&'a self, measure: &mut Measure<'a>) {
        match &self.entries {
            Entries::Small(entries) => {
                measure.enter(entries.as_ptr().cast(), 1, heap::block(size_of_val(entries.as_slice())));
                entries.iter().for_each(|(key, value)| measure.later([key, value]));
            }
            Entries::Large(tree) => tree.measure(measure),
        }
    }

    /// The entries in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&Term, &Term)> {
        match &self.entries {
            Entries::Small(entries) => Iter::flat(entries),
            Entries::Large(tree) => tree.iter(),
        }
    }

    /// The keys in their order.
    pub fn keys(&self) -> impl Iterator<Item = &Term> {
        self.iter().map(|(key, _)| key)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl Iterator<Item = &Term> {
        self.iter().map(|(_, value)| value)
    }

    /// The keys as the real VM lists them with `maps:keys/1`, if that is known: always for small maps, for large ones
    /// once [`Map::set_iteration_order`] has set it.
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

/// Maps nest as deep as lists do.
impl Drop for Map {
    fn drop(&mut self) {
        let entries = mem::take(&mut self.entries);
        crate::depth::dropping(move || drop(entries));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(count: i64) -> Map {
        Map::from_pairs((0..count).map(|key| (Term::int(key), Term::int(key))))
    }

    #[test]
    fn later_pairs_win() {
        let map = Map::from_pairs([(1, 10), (2, 20), (1, 11)].map(|(key, value)| (Term::int(key), Term::int(value))));
        assert_eq!(map.len(), 2);
        assert_eq!(map.get(&Term::int(1)), Some(&Term::int(11)));
    }

    #[test]
    fn integers_and_floats_are_different_keys_and_integers_come_first() {
        let map = Map::from_pairs([Term::float(1.0), Term::int(5), Term::int(1)].map(|key| (key, Term::nil())));
        assert_eq!(format!("{map:?}"), "#{1 => [],5 => [],1.0 => []}");
    }

    /// As the VM does it: a small map keeps the key it has, a large one takes the new one.
    #[test]
    fn which_zero_stays() {
        let zeros = |map: &Map| map.keys().any(|key| matches!(key, Term::Float(_, zero) if zero.is_sign_negative()));
        let small = numbered(3).insert(Term::float(0.0), Term::nil()).insert(Term::float(-0.0), Term::nil());
        let large = numbered(40).insert(Term::float(0.0), Term::nil()).insert(Term::float(-0.0), Term::nil());
        let listed = Map::from_pairs([Term::float(0.0), Term::float(-0.0)].map(|key| (key, Term::nil())));
        assert_eq!((zeros(&small), zeros(&large), zeros(&listed)), (false, true, true));
        assert_eq!((small.len(), large.len(), listed.len()), (4, 41, 1));
    }

    #[test]
    fn the_order_of_the_vm_is_kept_while_the_keys_stay() {
        let map = numbered(40);
        assert!(map.iteration_order().is_none());
        map.set_iteration_order((0..40).rev().map(Term::int).collect());
        let updated = map.insert(Term::int(3), Term::nil());
        assert_eq!(updated.iteration_order().map(|order| order[0].clone()), Some(Term::int(39)));
        assert!(map.insert(Term::int(40), Term::nil()).iteration_order().is_none());
        assert!(map.remove(&Term::int(3)).is_some_and(|less| less.iteration_order().is_none()));
        assert_eq!(numbered(2).iteration_order().as_deref(), Some(&[Term::int(0), Term::int(1)][..]));
    }

    #[test]
    fn removing_what_is_not_there() {
        assert!(numbered(3).remove(&Term::nil()).is_none());
        assert!(numbered(300).remove(&Term::nil()).is_none());
    }
}
