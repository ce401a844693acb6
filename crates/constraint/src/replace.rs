//! Expressions with others in the place of some: what is made of constants becomes one.

use rustc_hash::FxHashMap;

use crate::{Arena, Condition, Expr, Node, Part};

/// What stands for what; it grows by everything that was replaced with its help.
pub type Replacements = FxHashMap<Expr, Expr>;

impl Arena {
    /// The same condition on other expressions.
    pub fn replaced_condition(&mut self, condition: &Condition, with: &mut Replacements) -> Condition {
        let test = condition.test.moved(|expr| Some(self.replaced(expr, with)));
        Condition { test: test.unwrap_or(condition.test), holds: condition.holds }
    }

    pub fn replaced(&mut self, expr: Expr, with: &mut Replacements) -> Expr {
        if let Some(known) = with.get(&expr) {
            return *known;
        }
        let made = stacker::maybe_grow(64 << 10, 4 << 20, || self.rebuilt(expr, with));
        with.insert(expr, made);
        made
    }

    fn rebuilt(&mut self, expr: Expr, with: &mut Replacements) -> Expr {
        let node = self.node(expr).clone();
        let mut changed = false;
        node.each_part(|part| changed |= self.replaced(part, with) != part);
        if !changed {
            return expr;
        }
        let mut to = |arena: &mut Arena, part: Expr| arena.replaced(part, with);
        match node {
            Node::Head(list) => {
                let list = to(self, list);
                self.head(list)
            }
            Node::Tail(list) => {
                let list = to(self, list);
                self.tail(list)
            }
            Node::Element(tuple, at) => {
                let tuple = to(self, tuple);
                self.element(tuple, at)
            }
            Node::Cons(head, tail) => {
                let (head, tail) = (to(self, head), to(self, tail));
                self.cons(head, tail)
            }
            Node::Tuple(items) => {
                let items = items.iter().map(|item| to(self, *item)).collect();
                self.tuple(items)
            }
            Node::Opaque(function, args) => {
                let args = args.iter().map(|arg| to(self, *arg)).collect();
                self.opaque(function, args)
            }
            Node::Result(fun, args) => {
                let (fun, args) = (to(self, fun), args.iter().map(|arg| to(self, *arg)).collect());
                self.result(fun, args)
            }
            Node::MapValue(map, key) => {
                let (map, key) = (to(self, map), to(self, key));
                self.map_value(map, key)
            }
            Node::MapKey(map, at) => {
                let map = to(self, map);
                self.map_key(map, at)
            }
            Node::MapPut(map, key, value) => {
                let (map, key, value) = (to(self, map), to(self, key), to(self, value));
                self.map_put(map, key, value)
            }
            Node::MapRemove(map, key) => {
                let (map, key) = (to(self, map), to(self, key));
                self.map_remove(map, key)
            }
            Node::MapMerge(first, second) => {
                let (first, second) = (to(self, first), to(self, second));
                self.map_merge(first, second)
            }
            Node::Bits { of, at, size } => {
                let of = to(self, of);
                self.bits(of, at, size)
            }
            Node::Slice { of, at, size } => {
                let (of, at, size) = (to(self, of), to(self, at), to(self, size));
                self.slice(of, at, size)
            }
            Node::Build { parts, .. } => {
                let part = |part: &Part| match *part {
                    Part::Integer { value, from, size } => Part::Integer { value: to(self, value), from, size },
                    Part::Bits(bits) => Part::Bits(to(self, bits)),
                };
                let parts = parts.iter().map(part).collect();
                self.build(parts)
            }
            Node::Apply(op, args) => {
                let args: Vec<Expr> = args.iter().map(|arg| to(self, *arg)).collect();
                self.apply(op, &args)
            }
            // All parts were replaced above.
            other => match other.moved(|part| with.get(&part).copied()) {
                Some(node) => self.intern(node),
                None => expr,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Op;
    use term::{Atom, Mfa, Term};

    #[test]
    fn what_is_made_of_constants_is_one() {
        let mut arena = Arena::new();
        let hash = Mfa { module: Atom::new("m"), function: Atom::new("hash"), arity: 1 };
        let (x, one) = (arena.input(0), arena.integer(1));
        let call = arena.opaque(hash, vec![x]);
        let result = arena.element(call, 0);
        let sum = arena.apply(Op::Add, &[result, one]);
        let pair = arena.tuple(vec![sum, x]);
        let outcome = arena.literal(Term::tuple([Term::int(66)]));
        let made = arena.replaced(pair, &mut Replacements::from_iter([(call, outcome)]));
        assert_eq!(arena.show(made), "{67, X1}");
        assert_eq!(arena.replaced(x, &mut Replacements::default()), x);
    }
}
