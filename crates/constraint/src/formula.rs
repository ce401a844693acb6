//! Conditions as data: with the expressions they are about, apart from the arena they were made in.
//!
//! The expressions get new numbers in the order of the old ones, so that a solver which goes by the order of expressions
//! gives the same answer for the formula as for the conditions in their arena.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use term::{Fun, Term};

use crate::{Arena, Condition, Expr, Node, Part};

/// Parts of one term at most: a term that shares its parts can be far larger in its external format.
const MOST_PARTS: usize = 1 << 16;

/// Conditions, and the expressions they are about.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Formula {
    nodes: Vec<Node>,
    conditions: Vec<Condition>,
}

impl Formula {
    /// The formula of these conditions; `None` if one of their constants is not [portable](is_portable).
    pub fn new(arena: &Arena, conditions: &[Condition]) -> Option<Formula> {
        let exprs = needed(arena, conditions);
        let numbers: FxHashMap<Expr, Expr> =
            exprs.iter().enumerate().map(|(at, expr)| Some((*expr, Expr::after(at)?))).collect::<Option<_>>()?;
        let moved = |expr: Expr| numbers.get(&expr).copied();
        let portable = |node: &&Node| !matches!(node, Node::Literal(term) if !is_portable(term));
        let node = |expr: &Expr| Some(arena.node(*expr)).filter(portable)?.moved(moved);
        let nodes = exprs.iter().map(node).collect::<Option<_>>()?;
        let conditions = conditions.iter().map(|condition| {
            let test = condition.test.moved(moved)?;
            Some(Condition { test, holds: condition.holds })
        });
        Some(Formula { nodes, conditions: conditions.collect::<Option<_>>()? })
    }

    /// The conditions, and an arena of their own; `None` if an expression is made of one that does not come before it.
    pub fn open(self) -> Option<(Arena, Vec<Condition>)> {
        let Formula { nodes, conditions } = self;
        let before = |at: usize| move |expr: Expr| Expr::after(at).filter(|end| expr < *end).map(|_| expr);
        let ordered = nodes.iter().enumerate().all(|(at, node)| node.moved(before(at)).is_some());
        let known = conditions.iter().all(|condition| condition.test.moved(before(nodes.len())).is_some());
        (ordered && known).then(|| (Arena::of_nodes(nodes), conditions))
    }
}

/// True if a term reads back as itself from its external format, and is small enough to be written: one that holds a
/// closure does not, since a closure belongs to its machine.
pub fn is_portable(term: &Term) -> bool {
    let mut todo = vec![term];
    let mut left = MOST_PARTS;
    while let Some(term) = todo.pop() {
        match term {
            Term::Cons(_, cell) => todo.extend([&cell.head, &cell.tail]),
            Term::Tuple(_, items) => todo.extend(items.iter()),
            Term::Map(_, map) => todo.extend(map.iter().flat_map(|(key, value)| [key, value])),
            Term::Fun(_, fun) if matches!(**fun, Fun::Closure(_)) => return false,
            Term::Fun(..) => todo.extend(term.as_table().into_iter().flat_map(term::Table::parts)),
            _ => {}
        }
        left = left.saturating_sub(1);
        if left < todo.len() {
            return false;
        }
    }
    true
}

/// Everything that conditions are about, in the order it was made.
fn needed(arena: &Arena, conditions: &[Condition]) -> Vec<Expr> {
    let mut all = Vec::new();
    arena.visit(conditions.iter().flat_map(|condition| condition.test.exprs()), |expr, _| {
        all.push(expr);
        true
    });
    all.sort_unstable();
    all
}

impl Arena {
    /// Visits expressions, and the parts of those for which `enter` returns true; each expression once.
    pub fn visit(&self, exprs: impl IntoIterator<Item = Expr>, mut enter: impl FnMut(Expr, &Node) -> bool) {
        let mut todo: Vec<Expr> = exprs.into_iter().collect();
        let mut seen: FxHashSet<Expr> = FxHashSet::default();
        while let Some(expr) = todo.pop() {
            let node = self.node(expr);
            if seen.insert(expr) && enter(expr, node) {
                node.each_part(|part| todo.push(part));
            }
        }
    }
}

impl Node {
    /// Visits the expressions it is made of.
    pub fn each_part(&self, mut visit: impl FnMut(Expr)) {
        match self {
            Node::Input(_) | Node::Literal(_) => {}
            Node::Head(inner) | Node::Tail(inner) | Node::Element(inner, _) | Node::MapKey(inner, _) => visit(*inner),
            Node::Name(inner) | Node::Atom(inner) => visit(*inner),
            Node::Cons(one, other)
            | Node::MapValue(one, other)
            | Node::MapRemove(one, other)
            | Node::MapMerge(one, other) => [*one, *other].into_iter().for_each(visit),
            Node::MapPut(map, key, value) => [*map, *key, *value].into_iter().for_each(visit),
            Node::Bits { of, .. } => visit(*of),
            Node::Slice { of, at, size } => [*of, *at, *size].into_iter().for_each(visit),
            Node::Build { parts, size } => parts.iter().map(Part::expr).chain([*size]).for_each(visit),
            Node::Result(fun, args) => [*fun].iter().chain(args).copied().for_each(visit),
            Node::Tuple(items) | Node::Opaque(_, items) | Node::Apply(_, items) => {
                items.iter().copied().for_each(visit)
            }
        }
    }

    /// The same of other parts.
    pub(crate) fn with_parts(&self, part: impl Fn(Expr) -> Expr) -> Option<Node> {
        self.moved(|expr| Some(part(expr)))
    }

    /// The same node of other expressions; `None` if one of them has none.
    pub(crate) fn moved(&self, to: impl Fn(Expr) -> Option<Expr>) -> Option<Node> {
        let (mut node, mut all) = (self.clone(), true);
        node.each_part_mut(|part| match to(*part) {
            Some(moved) => *part = moved,
            None => all = false,
        });
        all.then_some(node)
    }

    fn each_part_mut(&mut self, mut visit: impl FnMut(&mut Expr)) {
        match self {
            Node::Input(_) | Node::Literal(_) => {}
            Node::Head(inner) | Node::Tail(inner) | Node::Element(inner, _) | Node::MapKey(inner, _) => visit(inner),
            Node::Name(inner) | Node::Atom(inner) | Node::Bits { of: inner, .. } => visit(inner),
            Node::Cons(one, other)
            | Node::MapValue(one, other)
            | Node::MapRemove(one, other)
            | Node::MapMerge(one, other) => [one, other].into_iter().for_each(visit),
            Node::MapPut(one, two, three) | Node::Slice { of: one, at: two, size: three } => {
                [one, two, three].into_iter().for_each(visit);
            }
            Node::Build { parts, size } => parts.iter_mut().map(Part::expr_mut).chain([size]).for_each(visit),
            Node::Result(fun, args) => [fun].into_iter().chain(args).for_each(visit),
            Node::Tuple(items) | Node::Opaque(_, items) | Node::Apply(_, items) => items.iter_mut().for_each(visit),
        }
    }
}

#[cfg(test)]
mod tests {
    use term::{Atom, Closure};

    use super::*;
    use crate::{Op, Test, Type};

    fn conditions(arena: &mut Arena) -> Vec<Condition> {
        let (x, y) = (arena.input(0), arena.input(1));
        let unused = arena.literal(Term::string("no condition is about this"));
        let (head, tail, item) = (arena.head(x), arena.tail(x), arena.element(y, 2));
        let _ = arena.cons(unused, x);
        let big = arena.literal(Term::read("{[1.5, <<3:2>>], 100000000000000000000, #{a => 'b c'}}").unwrap());
        let given = arena.result(y, vec![item]);
        let sum = arena.apply(Op::Add, &[head, given]);
        let (cell, pair) = (arena.cons(sum, tail), arena.tuple(vec![big, x]));
        let tests = [
            Test::Cons(x),
            Test::Tuple(y, 3),
            Test::Type(item, Type::Integer),
            Test::Arity(y, 2),
            Test::Same(cell, x),
            Test::Equal(pair, y),
            Test::Less(sum, head),
        ];
        tests
            .iter()
            .zip([true, false].iter().cycle())
            .map(|(test, holds)| Condition { test: *test, holds: *holds })
            .collect()
    }

    #[test]
    fn conditions_arrive_as_they_left() {
        let mut arena = Arena::new();
        let conditions = conditions(&mut arena);
        let formula = Formula::new(&arena, &conditions).expect("they are portable");
        let (there, arrived) = formula.clone().open().expect("a formula");
        let text = |arena: &Arena, all: &[Condition]| -> Vec<String> {
            all.iter().map(|condition| arena.show_condition(condition)).collect()
        };
        assert_eq!(text(&there, &arrived), text(&arena, &conditions));
        assert!(there.len() < arena.len(), "only what is needed is there");
        assert_eq!(Formula::new(&there, &arrived), Some(formula));
    }

    #[test]
    fn the_order_of_expressions_stays() {
        let mut arena = Arena::new();
        let conditions = conditions(&mut arena);
        let (_, arrived) = Formula::new(&arena, &conditions).and_then(Formula::open).expect("they are portable");
        let exprs = |all: &[Condition]| -> Vec<Expr> { all.iter().flat_map(|one| one.test.exprs()).collect() };
        let (here, there) = (exprs(&conditions), exprs(&arrived));
        for a in 0..here.len() {
            for b in 0..here.len() {
                assert_eq!(here[a].cmp(&here[b]), there[a].cmp(&there[b]));
            }
        }
    }

    #[test]
    fn a_closure_and_what_is_far_too_large_are_not_portable() {
        let module = Atom::new("m");
        let closure = Closure { module, name: module, arity: 0, code: 1, index: 0, uniq: 0, captured: [].into() };
        let fun = Term::list([Term::fun(Fun::Closure(closure))]);
        let doubled = (0..17).fold(Term::nil(), |term, _| Term::tuple([term.clone(), term]));
        for term in [fun, doubled] {
            let mut arena = Arena::new();
            let (x, value) = (arena.input(0), arena.literal(term));
            let condition = Condition { test: Test::Same(x, value), holds: true };
            assert_eq!(Formula::new(&arena, &[condition]), None);
        }
    }

    #[test]
    fn a_formula_whose_expressions_are_out_of_order_is_none() {
        let mut arena = Arena::new();
        let conditions = conditions(&mut arena);
        let mut formula = Formula::new(&arena, &conditions).expect("they are portable");
        formula.nodes.reverse();
        assert!(formula.clone().open().is_none());
        formula.nodes.clear();
        assert!(formula.open().is_none());
    }
}
