//! Conditions and grammars without pointers, as they travel from one thread to another.
//!
//! Terms are counted by the thread that made them and cannot leave it: they travel in the external format. Conditions
//! travel with the expressions they are about and no others. These get new numbers, in the order of the old ones, so
//! that whoever goes by the order of expressions does the same at both ends.

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, etf};

use crate::grammar::{Rule, Shape};
use crate::{Arena, Condition, Expr, Grammar, Node, Part};

/// Parts of one term at most: what shares its parts can be far larger without its sharing, which does not travel.
const MOST_PARTS: usize = 1 << 16;

/// A term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PlainTerm(Box<[u8]>);

impl PlainTerm {
    /// `None` for what is too large, and for closures, which have no such form.
    pub fn of(term: &Term) -> Option<PlainTerm> {
        let bytes = is_small(term).then(|| etf::encode_tables(term).ok()).flatten()?;
        Some(PlainTerm(bytes.into()))
    }

    pub fn term(&self) -> Option<Term> {
        etf::decode(&self.0).ok()
    }
}

fn is_small(term: &Term) -> bool {
    let mut todo = vec![term];
    let mut left = MOST_PARTS;
    while let Some(term) = todo.pop() {
        match term {
            Term::Cons(_, cell) => todo.extend([&cell.head, &cell.tail]),
            Term::Tuple(_, items) => todo.extend(items.iter()),
            Term::Map(_, map) => todo.extend(map.iter().flat_map(|(key, value)| [key, value])),
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

/// Conditions, and the expressions they are about.
#[derive(Clone, PartialEq, Debug)]
pub struct PlainConditions {
    nodes: Vec<Node<PlainTerm>>,
    conditions: Vec<Condition>,
}

impl PlainConditions {
    /// `None` if one of their constants cannot travel.
    pub fn of(arena: &Arena, conditions: &[Condition]) -> Option<PlainConditions> {
        let exprs = needed(arena, conditions);
        let numbers: FxHashMap<Expr, Expr> =
            exprs.iter().enumerate().map(|(at, expr)| Some((*expr, Expr::after(at)?))).collect::<Option<_>>()?;
        let moved = |expr: Expr| numbers.get(&expr).copied();
        let nodes = exprs.iter().map(|expr| arena.node(*expr).rebuilt(moved, PlainTerm::of)).collect::<Option<_>>()?;
        let conditions = conditions.iter().map(|condition| {
            let test = condition.test.moved(moved)?;
            Some(Condition { test, holds: condition.holds })
        });
        Some(PlainConditions { nodes, conditions: conditions.collect::<Option<_>>()? })
    }

    /// The conditions, over an arena of their own.
    pub fn unpacked(&self) -> Option<(Arena, Vec<Condition>)> {
        let nodes = self.nodes.iter().map(|node| node.rebuilt(Some, PlainTerm::term)).collect::<Option<_>>()?;
        Some((Arena::of_nodes(nodes), self.conditions.clone()))
    }
}

/// Everything that conditions are about, in the order it was made.
fn needed(arena: &Arena, conditions: &[Condition]) -> Vec<Expr> {
    let mut todo: Vec<Expr> = conditions.iter().flat_map(|condition| condition.test.exprs()).collect();
    let mut seen: FxHashSet<Expr> = todo.iter().copied().collect();
    while let Some(expr) = todo.pop() {
        arena.node(expr).each_part(|part| {
            if seen.insert(part) {
                todo.push(part);
            }
        });
    }
    let mut all: Vec<Expr> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

impl<L> Node<L> {
    /// What it is made of.
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

    /// The same of other expressions and other literals.
    pub(crate) fn rebuilt<M>(
        &self,
        expr: impl Fn(Expr) -> Option<Expr>,
        literal: impl FnOnce(&L) -> Option<M>,
    ) -> Option<Node<M>> {
        let all = |items: &[Expr]| items.iter().map(|item| expr(*item)).collect::<Option<Box<[Expr]>>>();
        Some(match self {
            Node::Input(at) => Node::Input(*at),
            Node::Literal(value) => Node::Literal(literal(value)?),
            Node::Head(inner) => Node::Head(expr(*inner)?),
            Node::Tail(inner) => Node::Tail(expr(*inner)?),
            Node::Element(inner, at) => Node::Element(expr(*inner)?, *at),
            Node::Cons(head, tail) => Node::Cons(expr(*head)?, expr(*tail)?),
            Node::Tuple(items) => Node::Tuple(all(items)?),
            Node::Result(fun, args) => Node::Result(expr(*fun)?, all(args)?),
            Node::MapValue(map, key) => Node::MapValue(expr(*map)?, expr(*key)?),
            Node::MapKey(map, at) => Node::MapKey(expr(*map)?, *at),
            Node::MapPut(map, key, value) => Node::MapPut(expr(*map)?, expr(*key)?, expr(*value)?),
            Node::MapRemove(map, key) => Node::MapRemove(expr(*map)?, expr(*key)?),
            Node::MapMerge(one, other) => Node::MapMerge(expr(*one)?, expr(*other)?),
            Node::Bits { of, at, size } => Node::Bits { of: expr(*of)?, at: *at, size: *size },
            Node::Slice { of, at, size } => Node::Slice { of: expr(*of)?, at: expr(*at)?, size: expr(*size)? },
            Node::Build { parts, size } => {
                let part = |part: &Part| match *part {
                    Part::Integer { value, from, size } => Some(Part::Integer { value: expr(value)?, from, size }),
                    Part::Bits(bits) => expr(bits).map(Part::Bits),
                };
                Node::Build { parts: parts.iter().map(part).collect::<Option<_>>()?, size: expr(*size)? }
            }
            Node::Opaque(function, args) => Node::Opaque(*function, all(args)?),
            Node::Name(inner) => Node::Name(expr(*inner)?),
            Node::Atom(inner) => Node::Atom(expr(*inner)?),
            Node::Apply(op, args) => Node::Apply(*op, all(args)?),
        })
    }
}

/// A grammar.
#[derive(Clone, PartialEq, Debug)]
pub struct PlainGrammar(Vec<Rule<PlainTerm>>);

impl PlainGrammar {
    pub fn of(grammar: &Grammar) -> Option<PlainGrammar> {
        let rules = grammar.rules().iter().map(|rule| rule.rebuilt(PlainTerm::of));
        Some(PlainGrammar(rules.collect::<Option<_>>()?))
    }

    pub fn grammar(&self) -> Option<Grammar> {
        let rules = self.0.iter().map(|rule| rule.rebuilt(PlainTerm::term));
        Some(Grammar::of_rules(rules.collect::<Option<_>>()?))
    }
}

impl<L> Rule<L> {
    fn rebuilt<M>(&self, literal: impl Fn(&L) -> Option<M>) -> Option<Rule<M>> {
        let shapes = self.shapes.iter().map(|shape| shape.rebuilt(&literal));
        Some(Rule { name: self.name, shapes: shapes.collect::<Option<_>>()? })
    }
}

impl<L> Shape<L> {
    /// The same with another literal.
    fn rebuilt<M>(&self, literal: impl FnOnce(&L) -> Option<M>) -> Option<Shape<M>> {
        Some(match self {
            Shape::Any => Shape::Any,
            Shape::Literal(value) => Shape::Literal(literal(value)?),
            Shape::Atom => Shape::Atom,
            Shape::Integer { low, high } => Shape::Integer { low: low.clone(), high: high.clone() },
            Shape::Float => Shape::Float,
            Shape::Cons(head, tail) => Shape::Cons(*head, *tail),
            Shape::AnyTuple => Shape::AnyTuple,
            Shape::Tuple(items) => Shape::Tuple(items.clone()),
            Shape::Map(fields) => Shape::Map(fields.clone()),
            Shape::Bits { base, unit } => Shape::Bits { base: *base, unit: *unit },
            Shape::Fun { params, result } => Shape::Fun { params: params.clone(), result: *result },
            Shape::Pid => Shape::Pid,
            Shape::Port => Shape::Port,
            Shape::Reference => Shape::Reference,
            Shape::Rule(rule) => Shape::Rule(*rule),
        })
    }
}

#[cfg(test)]
mod tests {
    use term::{Atom, Closure, Fun};

    use super::*;
    use crate::{MapField, Op, RuleId, Test, Type};

    fn travels<T: Send + Sync>() {}

    #[test]
    fn plain_things_travel() {
        travels::<PlainConditions>();
        travels::<PlainGrammar>();
    }

    fn conditions(arena: &mut Arena) -> Vec<Condition> {
        let (x, y) = (arena.input(0), arena.input(1));
        let unused = arena.literal(Term::string("nobody asks about this"));
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
        let plain = PlainConditions::of(&arena, &conditions).expect("they travel");
        let (there, arrived) = plain.unpacked().expect("they arrive");
        let text = |arena: &Arena, all: &[Condition]| -> Vec<String> {
            all.iter().map(|condition| arena.show_condition(condition)).collect()
        };
        assert_eq!(text(&there, &arrived), text(&arena, &conditions));
        assert!(there.len() < arena.len(), "only what is needed travels");
        assert_eq!(PlainConditions::of(&there, &arrived), Some(plain));
    }

    #[test]
    fn the_order_of_expressions_stays() {
        let mut arena = Arena::new();
        let conditions = conditions(&mut arena);
        let (_, arrived) =
            PlainConditions::of(&arena, &conditions).and_then(|plain| plain.unpacked()).expect("they travel");
        let exprs = |all: &[Condition]| -> Vec<Expr> { all.iter().flat_map(|one| one.test.exprs()).collect() };
        let (here, there) = (exprs(&conditions), exprs(&arrived));
        for a in 0..here.len() {
            for b in 0..here.len() {
                assert_eq!(here[a].cmp(&here[b]), there[a].cmp(&there[b]));
            }
        }
    }

    #[test]
    fn a_closure_and_what_is_far_too_large_stay_at_home() {
        let module = Atom::new("m");
        let closure = Closure { module, name: module, arity: 0, code: 1, index: 0, uniq: 0, captured: [].into() };
        let fun = Term::list([Term::fun(Fun::Closure(closure))]);
        let doubled = (0..17).fold(Term::nil(), |term, _| Term::tuple([term.clone(), term]));
        for term in [fun, doubled] {
            let mut arena = Arena::new();
            let (x, value) = (arena.input(0), arena.literal(term));
            let condition = Condition { test: Test::Same(x, value), holds: true };
            assert_eq!(PlainConditions::of(&arena, &[condition]), None);
        }
    }

    #[test]
    fn a_grammar_arrives_as_it_left() {
        let mut grammar = Grammar::default();
        let any = grammar.intern(vec![Shape::Any]);
        let name = grammar.reserve_named(Atom::new("m"), Atom::new("t"));
        let field = MapField { key: any, value: name, mandatory: true };
        let shapes = vec![
            Shape::Literal(Term::atom_named("a")),
            Shape::Integer { low: Some(3.into()), high: None },
            Shape::Cons(any, name),
            Shape::Tuple(vec![name, any]),
            Shape::Map(vec![field]),
            Shape::Bits { base: 3, unit: 8 },
            Shape::Fun { params: Some(vec![any]), result: RuleId(0) },
            Shape::Rule(any),
        ];
        grammar.fill(name, [shapes, vec![Shape::Atom, Shape::Float, Shape::AnyTuple, Shape::Pid]].concat());
        let arrived = PlainGrammar::of(&grammar).and_then(|plain| plain.grammar()).expect("it travels");
        assert_eq!(arrived.rules(), grammar.rules());
        assert_ne!(arrived.stamp(), grammar.stamp());
    }
}
