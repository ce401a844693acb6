//! Maps as expressions: what is in one, and maps made of others.

use term::{Map, Term};

use crate::{Arena, Evaluator, Expr, Node, Undefined};

impl Arena {
    /// The value of a key.
    pub fn map_value(&mut self, map: Expr, key: Expr) -> Expr {
        self.make(Node::MapValue(map, key))
    }

    /// The key at a place, from 0, in the order of keys.
    pub fn map_key(&mut self, map: Expr, at: u32) -> Expr {
        self.make(Node::MapKey(map, at))
    }

    /// The map with a key put into it.
    pub fn map_put(&mut self, map: Expr, key: Expr, value: Expr) -> Expr {
        self.make(Node::MapPut(map, key, value))
    }

    /// The map without a key, whether it has it or not.
    pub fn map_remove(&mut self, map: Expr, key: Expr) -> Expr {
        self.make(Node::MapRemove(map, key))
    }

    /// Both maps in one; the second wins.
    pub fn map_merge(&mut self, first: Expr, second: Expr) -> Expr {
        self.make(Node::MapMerge(first, second))
    }

    pub(crate) fn simplify_map(&mut self, node: &Node) -> Option<Expr> {
        match *node {
            Node::MapValue(map, key) => self.simplify_map_value(map, key),
            Node::MapKey(map, at) => {
                let key = self.as_literal(map)?.as_map()?.keys().nth(at as usize)?.clone();
                Some(self.literal(key))
            }
            Node::MapPut(map, key, value) => {
                let literals = self.as_literal(key).zip(self.as_literal(value));
                if let (Some(Term::Map(_, map)), Some((key, value))) = (self.as_literal(map), literals) {
                    let map = map.insert(key.clone(), value.clone());
                    return Some(self.literal(Term::map(map)));
                }
                self.without_change(map, key).map(|base| self.intern(Node::MapPut(base, key, value)))
            }
            Node::MapRemove(map, key) => {
                if let (Some(Term::Map(_, map)), Some(key)) = (self.as_literal(map), self.as_literal(key)) {
                    let map = map.remove(key).unwrap_or_else(|| (**map).clone());
                    return Some(self.literal(Term::map(map)));
                }
                self.without_change(map, key).map(|base| self.intern(Node::MapRemove(base, key)))
            }
            Node::MapMerge(first, second) => {
                let is_empty = |expr| self.as_literal(expr).and_then(Term::as_map).is_some_and(Map::is_empty);
                if is_empty(first) || first == second { Some(second) } else { is_empty(second).then_some(first) }
            }
            _ => None,
        }
    }

    fn simplify_map_value(&mut self, map: Expr, key: Expr) -> Option<Expr> {
        let same = |known| self.same_key(known, key);
        match *self.node(map) {
            Node::MapPut(_, known, value) if same(known) == Some(true) => Some(value),
            Node::MapPut(base, known, _) | Node::MapRemove(base, known) if same(known) == Some(false) => {
                Some(self.map_value(base, key))
            }
            _ => {
                let value = self.as_literal(map)?.as_map()?.get(self.as_literal(key)?)?.clone();
                Some(self.literal(value))
            }
        }
    }

    /// The map before the last change of it, if that was of this key.
    fn without_change(&self, map: Expr, key: Expr) -> Option<Expr> {
        match *self.node(map) {
            Node::MapPut(base, known, _) | Node::MapRemove(base, known) if known == key => Some(base),
            _ => None,
        }
    }

    /// Returns true if the expression is a map that the program made of others.
    pub fn is_made_map(&self, expr: Expr) -> bool {
        matches!(self.node(expr), Node::MapPut(..) | Node::MapRemove(..) | Node::MapMerge(..))
    }

    /// True if two keys are certainly the same, false if they are certainly different.
    pub fn same_key(&self, a: Expr, b: Expr) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        Some(self.as_literal(a)? == self.as_literal(b)?)
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
