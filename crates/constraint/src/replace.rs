//! Substitution of expressions for others.

use rustc_hash::FxHashMap;

use crate::{Arena, Condition, Expr};

/// A substitution; it grows by every expression that was replaced with its help.
pub type Replacements = FxHashMap<Expr, Expr>;

impl Arena {
    /// The condition with the substitution applied.
    pub fn replaced_condition(&mut self, condition: &Condition, with: &mut Replacements) -> Condition {
        let test = condition.test.moved(|expr| Some(self.replaced(expr, with)));
        Condition { test: test.unwrap_or(condition.test), holds: condition.holds }
    }

    /// The expression with the substitution applied to its parts.
    pub fn replaced(&mut self, expr: Expr, with: &mut Replacements) -> Expr {
        if let Some(known) = with.get(&expr) {
            return *known;
        }
        let made = term::deeper(|| self.rebuilt(expr, with));
        with.insert(expr, made);
        made
    }

    fn rebuilt(&mut self, expr: Expr, with: &mut Replacements) -> Expr {
        let node = self.node(expr).clone();
        let mut changed = false;
        node.each_part(|part| changed |= self.replaced(part, with) != part);
        let moved = if changed { node.with_parts(|part| with.get(&part).copied().unwrap_or(part)) } else { None };
        moved.map_or(expr, |node| self.make(node))
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
