//! Terms with unknowns, and their unification.

use std::rc::Rc;

use frontend::flat::{Pattern, Value, Var};
use ir::{SegmentFormat, SegmentKind};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Map, Term};

use crate::eval::Env;
use crate::partial_term::PartialTerm;

/// A term of a store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Id(u32);

/// A term with unknowns.
#[derive(Clone)]
pub enum StoredTerm {
    /// An unknown; another term once it is bound.
    Unknown(Option<Id>),
    /// A term without unknowns.
    Literal(Term),
    /// Head and tail of a list.
    Cons(Id, Id),
    /// The elements of a tuple.
    Tuple(Vec<Id>),
    /// Keys and their values; if it is open there may be other keys.
    Map { pairs: Vec<(Id, Id)>, open: bool },
    /// Segments: value, size if it has one of its own, and the rest of its text. Unification does not look into them.
    Bits(Vec<(Id, Option<Id>, String)>),
    /// A fun, and the variables around it.
    Fun(Rc<Env>),
    /// The result of an operation: its text and its arguments.
    Applied(String, Vec<Id>),
    /// Something that unification does not look into.
    Other(&'static str),
}

/// The terms of one run and the values of their unknowns.
#[derive(Default)]
pub struct Store {
    nodes: Vec<StoredTerm>,
    /// Places of terms that were forgotten.
    free: Vec<Id>,
    /// The number of terms that remained when some were forgotten last.
    kept: usize,
}

/// Terms that may be added before it is looked which of them are still referred to.
const UNSEEN: usize = 1 << 16;

/// Parts of an answer that are shown.
const SHOWN: usize = 10_000;

impl Store {
    /// Adds a term.
    pub fn add(&mut self, node: StoredTerm) -> Id {
        if let Some(id) = self.free.pop() {
            self.nodes[id.0 as usize] = node;
            return id;
        }
        self.nodes.push(node);
        Id(self.nodes.len() as u32 - 1)
    }

    /// True if many terms were added since some were forgotten.
    pub fn is_large(&self) -> bool {
        self.nodes.len() - self.free.len() > 2 * self.kept + UNSEEN
    }

    /// Forgets all terms but these, the variables of these calls, and what both refer to.
    pub fn keep_only(&mut self, mut open: Vec<Id>, mut envs: Vec<Rc<Env>>) {
        let mut kept = vec![false; self.nodes.len()];
        let mut seen: FxHashSet<*const Env> = FxHashSet::default();
        loop {
            while let Some(env) = envs.pop() {
                if seen.insert(Rc::as_ptr(&env)) {
                    open.extend(env.vars.borrow().iter().map(|(_, id)| *id));
                    envs.extend(env.outer.clone());
                }
            }
            let Some(id) = open.pop() else { break };
            if std::mem::replace(&mut kept[id.0 as usize], true) {
                continue;
            }
            match &self.nodes[id.0 as usize] {
                StoredTerm::Unknown(bound) => open.extend(bound),
                StoredTerm::Fun(env) => envs.push(Rc::clone(env)),
                _ => open.extend(self.parts(id)),
            }
        }
        let gone = |(at, _): &(usize, &bool)| !kept[*at];
        self.free = kept.iter().enumerate().filter(gone).map(|(at, _)| Id(at as u32)).collect();
        self.free.iter().for_each(|id| self.nodes[id.0 as usize] = StoredTerm::Unknown(None));
        self.kept = self.nodes.len() - self.free.len();
    }

    /// Adds an unknown.
    pub fn unknown(&mut self) -> Id {
        self.add(StoredTerm::Unknown(None))
    }

    /// The end of a chain of bindings.
    pub fn walk(&self, mut id: Id) -> Id {
        while let StoredTerm::Unknown(Some(bound)) = self.nodes[id.0 as usize] {
            id = bound;
        }
        id
    }

    /// The term, followed through unknowns that have a value.
    pub fn node(&self, id: Id) -> &StoredTerm {
        &self.nodes[self.walk(id).0 as usize]
    }

    /// A node with the parts of a literal list or tuple made visible.
    fn open(&mut self, id: Id) -> StoredTerm {
        match self.node(id).clone() {
            StoredTerm::Literal(Term::Cons(_, cell)) => {
                let (head, tail) = (cell.head.clone(), cell.tail.clone());
                StoredTerm::Cons(self.add(StoredTerm::Literal(head)), self.add(StoredTerm::Literal(tail)))
            }
            StoredTerm::Literal(Term::Tuple(_, items)) => {
                StoredTerm::Tuple(items.iter().map(|item| self.add(StoredTerm::Literal(item.clone()))).collect())
            }
            StoredTerm::Literal(Term::Map(_, map)) => {
                let mut literal = |term: &Term| self.add(StoredTerm::Literal(term.clone()));
                StoredTerm::Map {
                    pairs: map.iter().map(|(key, value)| (literal(key), literal(value))).collect(),
                    open: false,
                }
            }
            other => other,
        }
    }

    /// The term, if nothing in it is unknown.
    pub fn ground(&self, id: Id) -> Option<Term> {
        term::deeper(|| match self.node(id) {
            StoredTerm::Literal(term) => Some(term.clone()),
            StoredTerm::Cons(head, tail) => Some(Term::cons(self.ground(*head)?, self.ground(*tail)?)),
            StoredTerm::Tuple(items) => {
                Some(Term::tuple(items.iter().map(|item| self.ground(*item)).collect::<Option<Vec<Term>>>()?))
            }
            StoredTerm::Map { pairs, open: false } => {
                let pair = |(key, value): &(Id, Id)| Some((self.ground(*key)?, self.ground(*value)?));
                Some(Term::map(Map::from_pairs(pairs.iter().map(pair).collect::<Option<Vec<_>>>()?)))
            }
            _ => None,
        })
    }

    /// The keys and values of a map, if that is what it is.
    pub fn map(&mut self, id: Id) -> Option<(Vec<(Id, Id)>, bool)> {
        match self.open(id) {
            StoredTerm::Map { pairs, open } => Some((pairs, open)),
            _ => None,
        }
    }

    /// The value of a key: `Err` if it is not known whether it is there.
    pub fn value_of_key(&self, pairs: &[(Id, Id)], key: Id) -> Result<Option<Id>, ()> {
        let wanted = self.ground(key).ok_or(())?;
        let mut unsure = false;
        for (key, value) in pairs {
            match self.ground(*key) {
                Some(key) if key == wanted => return Ok(Some(*value)),
                Some(_) => {}
                None => unsure = true,
            }
        }
        if unsure { Err(()) } else { Ok(None) }
    }

    /// Two maps are one: what values are now equal, or nothing if a key of one cannot be in the other.
    fn unify_maps(&mut self, ids: [Id; 2], maps: [(Vec<(Id, Id)>, bool); 2]) -> Option<Vec<(Id, Id)>> {
        let [(mut pairs, a_open), (more, b_open)] = maps;
        let mut equal = Vec::new();
        let first = pairs.len();
        for (key, value) in &more {
            match self.value_of_key(&pairs[..first], *key) {
                Ok(Some(other)) => equal.push((other, *value)),
                Ok(None) if a_open => pairs.push((*key, *value)),
                Ok(None) => return None,
                Err(()) => {}
            }
        }
        let missing = |(key, _): &(Id, Id)| !b_open && self.value_of_key(&more, *key) == Ok(None);
        if pairs[..first].iter().any(missing) {
            return None;
        }
        let one = self.add(StoredTerm::Map { pairs, open: a_open && b_open });
        ids.into_iter().for_each(|id| self.nodes[id.0 as usize] = StoredTerm::Unknown(Some(one)));
        Some(equal)
    }

    /// Makes two terms equal; false if they cannot be. Nothing is learned of what unification does not look into.
    pub fn unify(&mut self, a: Id, b: Id) -> bool {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.walk(a), self.walk(b));
            if a == b {
                continue;
            }
            match (self.node(a).clone(), self.node(b).clone()) {
                (StoredTerm::Unknown(_), _) => self.nodes[a.0 as usize] = StoredTerm::Unknown(Some(b)),
                (_, StoredTerm::Unknown(_)) => self.nodes[b.0 as usize] = StoredTerm::Unknown(Some(a)),
                (StoredTerm::Literal(x), StoredTerm::Literal(y)) => {
                    if x != y {
                        return false;
                    }
                }
                _ => match (self.open(a), self.open(b)) {
                    (StoredTerm::Cons(h, t), StoredTerm::Cons(i, u)) => {
                        self.nodes[a.0 as usize] = StoredTerm::Unknown(Some(b));
                        open.extend([(t, u), (h, i)]);
                    }
                    (StoredTerm::Tuple(x), StoredTerm::Tuple(y)) if x.len() == y.len() => {
                        self.nodes[a.0 as usize] = StoredTerm::Unknown(Some(b));
                        open.extend(x.into_iter().zip(y));
                    }
                    (StoredTerm::Map { pairs, open: o }, StoredTerm::Map { pairs: more, open: p }) => {
                        let Some(equal) = self.unify_maps([a, b], [(pairs, o), (more, p)]) else { return false };
                        open.extend(equal);
                    }
                    (x, y) if x.is_opaque() || y.is_opaque() => {}
                    _ => return false,
                },
            }
        }
        true
    }

    /// True if a term is a part of itself: unification makes such terms, and there are none.
    pub fn is_endless(&self, id: Id) -> bool {
        let mut state: FxHashMap<Id, bool> = FxHashMap::default();
        let mut open = vec![(self.walk(id), false)];
        while let Some((id, left)) = open.pop() {
            if left {
                state.insert(id, true);
                continue;
            }
            match state.get(&id) {
                Some(true) => continue,
                Some(false) => return true,
                None => {}
            }
            state.insert(id, false);
            open.push((id, true));
            open.extend(self.parts(id).into_iter().map(|part| (self.walk(part), false)));
        }
        false
    }

    fn parts(&self, id: Id) -> Vec<Id> {
        match self.node(id) {
            StoredTerm::Cons(head, tail) => vec![*tail, *head],
            StoredTerm::Tuple(items) | StoredTerm::Applied(_, items) => items.clone(),
            StoredTerm::Map { pairs, .. } => pairs.iter().flat_map(|(key, value)| [*key, *value]).collect(),
            StoredTerm::Bits(segments) => {
                segments.iter().flat_map(|(value, size, _)| [Some(*value), *size]).flatten().collect()
            }
            StoredTerm::Unknown(_) | StoredTerm::Literal(_) | StoredTerm::Fun(_) | StoredTerm::Other(_) => Vec::new(),
        }
    }

    /// A value under the variables of a context.
    pub fn value(&mut self, value: &Value, env: &Rc<Env>) -> Id {
        term::deeper(|| match value {
            Value::Var(var) => self.variable(*var, env),
            Value::Literal(term) => self.add(StoredTerm::Literal(term.clone())),
            Value::Cons(parts) => {
                let (head, tail) = (self.value(&parts.0, env), self.value(&parts.1, env));
                self.add(StoredTerm::Cons(head, tail))
            }
            Value::Tuple(items) => {
                let items = items.iter().map(|item| self.value(item, env)).collect();
                self.add(StoredTerm::Tuple(items))
            }
            Value::Function(_) => self.add(StoredTerm::Other("fun")),
        })
    }

    /// A variable of a context, or of one around it; new if none has it.
    pub fn variable(&mut self, var: Var, env: &Rc<Env>) -> Id {
        let mut at = Some(env);
        while let Some(here) = at {
            if let Some((_, id)) = here.vars.borrow().iter().find(|(known, _)| *known == var) {
                return *id;
            }
            at = here.outer.as_ref();
        }
        let id = self.unknown();
        env.vars.borrow_mut().push((var, id));
        id
    }

    /// The term that a pattern stands for.
    pub fn pattern(&mut self, pattern: &Pattern, env: &Rc<Env>) -> Id {
        term::deeper(|| match pattern {
            Pattern::Var(var) => self.variable(*var, env),
            Pattern::Literal(term) => self.add(StoredTerm::Literal(term.clone())),
            Pattern::Cons(parts) => {
                let (head, tail) = (self.pattern(&parts.0, env), self.pattern(&parts.1, env));
                self.add(StoredTerm::Cons(head, tail))
            }
            Pattern::Tuple(items) => {
                let items = items.iter().map(|item| self.pattern(item, env)).collect();
                self.add(StoredTerm::Tuple(items))
            }
            Pattern::Map(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| (self.value(key, env), self.pattern(value, env))).collect();
                self.add(StoredTerm::Map { pairs, open: true })
            }
            Pattern::Bits(segments) => {
                let segments = segments.iter().map(|segment| {
                    let value = self.pattern(&segment.pattern, env);
                    self.segment(value, &segment.size, segment.format, env)
                });
                let segments = segments.collect();
                self.add(StoredTerm::Bits(segments))
            }
            Pattern::Alias(var, inner) => {
                let (name, inner) = (self.variable(*var, env), self.pattern(inner, env));
                self.unify(name, inner);
                inner
            }
        })
    }

    /// A segment of a bitstring: sizes and formats are shown where they are not the usual ones.
    pub fn segment(
        &mut self,
        value: Id,
        size: &Value,
        format: SegmentFormat,
        env: &Rc<Env>,
    ) -> (Id, Option<Id>, String) {
        let SegmentFormat { kind, unit, signed, little } = format;
        let (name, usual) = match kind {
            SegmentKind::Integer => ("", Some(8)),
            SegmentKind::Float => ("float", Some(64)),
            SegmentKind::Bits if unit == 1 => ("bits", None),
            SegmentKind::Bits => ("binary", None),
            SegmentKind::Utf8 => ("utf8", None),
            SegmentKind::Utf16 => ("utf16", None),
            SegmentKind::Utf32 => ("utf32", None),
        };
        let plain = match size {
            Value::Literal(size) => size.as_atom().is_some() || size.as_i64() == usual,
            _ => false,
        };
        let size = (!plain && !name.starts_with("utf")).then(|| self.value(size, env));
        let unit = (kind != SegmentKind::Bits && unit != 1 && !name.starts_with("utf")).then(|| format!("unit:{unit}"));
        let flags = [(signed, "signed"), (little, "little")].map(|(set, flag)| if set { flag } else { "" });
        let words = [&[name], &flags[..], &[unit.as_deref().unwrap_or("")]].concat();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        (value, size, if words.is_empty() { String::new() } else { format!("/{}", words.join("-")) })
    }

    /// Terms with their unknowns numbered in the order in which they are met.
    pub fn answers(&self, ids: &[Id]) -> Vec<PartialTerm> {
        let mut answering = Answering { store: self, numbers: FxHashMap::default(), left: SHOWN };
        ids.iter().map(|id| answering.answer(*id)).collect()
    }
}

/// Terms that are read off a store.
struct Answering<'a> {
    store: &'a Store,
    numbers: FxHashMap<Id, u32>,
    /// Parts that may still be shown.
    left: usize,
}

impl Answering<'_> {
    fn answer(&mut self, id: Id) -> PartialTerm {
        let Some(left) = self.left.checked_sub(1) else { return PartialTerm::Cut };
        self.left = left;
        let store = self.store;
        term::deeper(|| match store.node(id) {
            StoredTerm::Unknown(_) => {
                let next = self.numbers.len() as u32;
                PartialTerm::Unknown(*self.numbers.entry(store.walk(id)).or_insert(next))
            }
            StoredTerm::Literal(term) => PartialTerm::Literal(term.clone()),
            StoredTerm::Cons(head, tail) => {
                let head = self.answer(*head);
                PartialTerm::Cons(Box::new((head, self.answer(*tail))))
            }
            StoredTerm::Tuple(items) => PartialTerm::Tuple(items.iter().map(|item| self.answer(*item)).collect()),
            StoredTerm::Map { pairs, open } => {
                let mut pairs: Vec<(PartialTerm, PartialTerm)> =
                    pairs.iter().map(|(key, value)| (self.answer(*key), self.answer(*value))).collect();
                pairs.sort_by_cached_key(|(key, _)| format!("{key:?}"));
                PartialTerm::Map { pairs, open: *open }
            }
            StoredTerm::Bits(segments) => {
                let segments = segments.iter().map(|(value, size, rest)| {
                    let value = self.answer(*value);
                    (value, size.map(|size| self.answer(size)), rest.clone())
                });
                PartialTerm::Bits(segments.collect())
            }
            StoredTerm::Applied(name, args) => {
                PartialTerm::Applied(name.clone(), args.iter().map(|arg| self.answer(*arg)).collect())
            }
            StoredTerm::Fun(..) => PartialTerm::Applied("fun".to_owned(), Vec::new()),
            StoredTerm::Other(what) => PartialTerm::Applied((*what).to_owned(), Vec::new()),
        })
    }
}

impl StoredTerm {
    fn is_opaque(&self) -> bool {
        matches!(self, StoredTerm::Applied(..) | StoredTerm::Bits(_) | StoredTerm::Other(_) | StoredTerm::Fun(..))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partial_term::texts;

    fn atom(store: &mut Store, name: &str) -> Id {
        store.add(StoredTerm::Literal(Term::atom_named(name)))
    }

    fn text(store: &Store, id: Id) -> String {
        texts(&store.answers(&[id]))[0].clone()
    }

    #[test]
    fn maps_join_the_keys_that_both_must_have() {
        let mut store = Store::default();
        let (a, b, x, one) = (atom(&mut store, "a"), atom(&mut store, "b"), store.unknown(), atom(&mut store, "one"));
        let first = store.add(StoredTerm::Map { pairs: vec![(a, x)], open: true });
        let unknown = store.unknown();
        let second = store.add(StoredTerm::Map { pairs: vec![(b, unknown), (a, one)], open: true });
        assert!(store.unify(first, second));
        assert_eq!(text(&store, first), "#{a := one,b := X}");
        assert_eq!(text(&store, second), text(&store, first));
        assert_eq!(text(&store, x), "one");
    }

    #[test]
    fn a_part_of_itself_is_no_term() {
        let mut store = Store::default();
        let (x, y) = (store.unknown(), store.unknown());
        let pair = store.add(StoredTerm::Tuple(vec![y, y]));
        let list = store.add(StoredTerm::Cons(x, pair));
        assert!(store.unify(x, pair) && !store.is_endless(list), "what is there twice is no circle");
        assert!(store.unify(y, list) && store.is_endless(list));
        let (a, b) = (store.add(StoredTerm::Cons(x, list)), store.add(StoredTerm::Cons(x, y)));
        assert!(store.unify(a, b), "and comes to an end");
    }

    #[test]
    fn a_whole_map_lacks_other_keys() {
        let mut store = Store::default();
        let literal = store.add(StoredTerm::Literal(Term::map(Map::from_pairs([(Term::int(1), Term::int(2))]))));
        let (a, x) = (atom(&mut store, "a"), store.unknown());
        let pattern = store.add(StoredTerm::Map { pairs: vec![(a, x)], open: true });
        assert!(!store.unify(literal, pattern));
        let one = store.add(StoredTerm::Literal(Term::int(1)));
        let pattern = store.add(StoredTerm::Map { pairs: vec![(one, x)], open: true });
        assert!(store.unify(literal, pattern));
        assert_eq!(text(&store, x), "2");
    }
}
