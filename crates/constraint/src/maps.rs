//! Maps as expressions: what is in one, and maps made of others.

use term::{Map, Term};

use crate::{Arena, Evaluator, Expr, Node, Undefined};

impl Arena {
    /// The value of a key, by what the expressions say where that is enough.
    pub fn map_value(&mut self, map: Expr, key: Expr) -> Expr {
        match (self.found(map, key), self.literal_entry(map, key)) {
            (Found::At(value), _) => value,
            (_, Some(value)) => self.literal(value),
            (Found::In(rest), None) if rest != map => self.map_value(rest, key),
            _ => self.intern(Node::MapValue(map, key)),
        }
    }

    /// The key at a place, from 0, in the order of keys.
    pub fn map_key(&mut self, map: Expr, at: u32) -> Expr {
        let known = self.as_literal(map).and_then(Term::as_map).and_then(|map| map.keys().nth(at as usize).cloned());
        match known {
            Some(key) => self.literal(key),
            None => self.intern(Node::MapKey(map, at)),
        }
    }

    /// The map with a key put into it.
    pub fn map_put(&mut self, map: Expr, key: Expr, value: Expr) -> Expr {
        let literals = self.as_literal(key).zip(self.as_literal(value));
        if let (Some(Term::Map(_, map)), Some((key, value))) = (self.as_literal(map), literals) {
            let map = map.insert(key.clone(), value.clone());
            return self.literal(Term::map(map));
        }
        let base = match *self.node(map) {
            Node::MapPut(base, known, _) | Node::MapRemove(base, known) if known == key => base,
            _ => map,
        };
        self.intern(Node::MapPut(base, key, value))
    }

    /// The map without a key, whether it has it or not.
    pub fn map_remove(&mut self, map: Expr, key: Expr) -> Expr {
        if let (Some(Term::Map(_, map)), Some(key)) = (self.as_literal(map), self.as_literal(key)) {
            let map = map.remove(key).unwrap_or_else(|| (**map).clone());
            return self.literal(Term::map(map));
        }
        let base = match *self.node(map) {
            Node::MapPut(base, known, _) | Node::MapRemove(base, known) if known == key => base,
            _ => map,
        };
        self.intern(Node::MapRemove(base, key))
    }

    /// Both maps in one; the second wins.
    pub fn map_merge(&mut self, first: Expr, second: Expr) -> Expr {
        let is_empty = |expr| self.as_literal(expr).and_then(Term::as_map).is_some_and(Map::is_empty);
        match () {
            () if is_empty(first) || first == second => second,
            () if is_empty(second) => first,
            () => self.intern(Node::MapMerge(first, second)),
        }
    }

    /// Whether the expression is a map that the program made of others.
    pub fn is_made_map(&self, expr: Expr) -> bool {
        matches!(self.node(expr), Node::MapPut(..) | Node::MapRemove(..) | Node::MapMerge(..))
    }

    /// Whether two keys are certainly the same or certainly different.
    pub fn same_key(&self, a: Expr, b: Expr) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        Some(self.as_literal(a)? == self.as_literal(b)?)
    }

    fn literal_entry(&self, map: Expr, key: Expr) -> Option<Term> {
        self.as_literal(map)?.as_map()?.get(self.as_literal(key)?).cloned()
    }

    fn found(&self, map: Expr, key: Expr) -> Found {
        let same = |known| self.same_key(known, key);
        match *self.node(map) {
            Node::MapPut(_, known, value) if same(known) == Some(true) => Found::At(value),
            Node::MapPut(base, known, _) | Node::MapRemove(base, known) if same(known) == Some(false) => {
                Found::In(base)
            }
            _ => Found::In(map),
        }
    }

    /// The expression of a map whose entries may carry marks.
    pub(crate) fn of_map(&mut self, map: &Map) -> Expr {
        let mut plain = Map::new();
        let mut others = Vec::new();
        for (key, value) in map.iter() {
            let (key, value) = (self.of_term(key), self.of_term(value));
            match (self.as_literal(key), self.as_literal(value)) {
                (Some(key), Some(value)) => plain.insert_mut(key.clone(), value.clone()),
                _ => others.push((key, value)),
            }
        }
        // Which of two unknown keys comes first says nothing about the map.
        others.sort_unstable();
        let plain = self.literal(Term::map(plain));
        others.into_iter().fold(plain, |map, (key, value)| self.map_put(map, key, value))
    }
}

enum Found {
    At(Expr),
    In(Expr),
}

impl Evaluator<'_> {
    pub(crate) fn map_of(&mut self, expr: Expr) -> Result<Term, Undefined> {
        self.value(expr).and_then(|term| if term.as_map().is_some() { Ok(term) } else { Err(Undefined) })
    }

    pub(crate) fn compute_map(&mut self, node: &Node) -> Result<Term, Undefined> {
        let entries = |term: &Term| term.as_map().cloned().ok_or(Undefined);
        match *node {
            Node::MapValue(map, key) => {
                let (map, key) = (self.map_of(map)?, self.value(key)?);
                map.as_map().and_then(|map| map.get(&key)).cloned().ok_or(Undefined)
            }
            Node::MapKey(map, at) => {
                let map = self.map_of(map)?;
                map.as_map().and_then(|map| map.keys().nth(at as usize)).cloned().ok_or(Undefined)
            }
            Node::MapPut(map, key, value) => {
                let map = entries(&self.map_of(map)?)?;
                Ok(Term::map(map.insert(self.value(key)?, self.value(value)?)))
            }
            Node::MapRemove(map, key) => {
                let mut map = entries(&self.map_of(map)?)?;
                map.remove_mut(&self.value(key)?);
                Ok(Term::map(map))
            }
            Node::MapMerge(first, second) => {
                let mut map = entries(&self.map_of(first)?)?;
                let second = entries(&self.map_of(second)?)?;
                second.iter().for_each(|(key, value)| map.insert_mut(key.clone(), value.clone()));
                Ok(Term::map(map))
            }
            _ => Err(Undefined),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate;

    #[test]
    fn the_last_put_wins() {
        let mut arena = Arena::new();
        let [map, value] = [0, 1].map(|at| arena.input(at));
        let [a, b] = ["a", "b"].map(|name| arena.literal(Term::atom_named(name)));
        let put = arena.map_put(map, a, value);
        assert_eq!(arena.map_value(put, a), value);
        assert_eq!(arena.map_value(put, b), arena.map_value(map, b));
        assert_eq!(arena.map_remove(put, a), arena.map_remove(map, a));
        let again = arena.map_put(put, a, b);
        assert_eq!(again, arena.map_put(map, a, b));
    }

    #[test]
    fn unknown_keys_stay_as_they_are() {
        let mut arena = Arena::new();
        let [map, key] = [0, 1].map(|at| arena.input(at));
        let [a, one] = [Term::atom_named("a"), Term::int(1)].map(|term| arena.literal(term));
        let put = arena.map_put(map, key, one);
        let value = arena.map_value(put, a);
        let inputs = |key: &str| {
            let two = Term::map(Map::from_pairs([(Term::atom_named("a"), Term::int(2))]));
            [two, Term::atom_named(key)]
        };
        assert_eq!(evaluate(&arena, value, &inputs("a")), Ok(Term::int(1)));
        assert_eq!(evaluate(&arena, value, &inputs("b")), Ok(Term::int(2)));
        assert_eq!(evaluate(&arena, value, &[Term::nil(), Term::nil()]), Err(Undefined));
    }

    #[test]
    fn maps_with_marked_entries_are_what_they_were_built_of() {
        let mut arena = Arena::new();
        let x = arena.input(0);
        let entries = [(Term::int(1), Term::int(5).with_mark(x.mark())), (Term::int(2), Term::nil())];
        let expr = arena.of_term(&Term::map(Map::from_pairs(entries)));
        let [one, two] = [1, 2].map(|key| arena.integer(key));
        assert_eq!(arena.map_value(expr, one), x);
        let nil = arena.map_value(expr, two);
        assert_eq!(arena.as_literal(nil), Some(&Term::nil()));
    }
}
