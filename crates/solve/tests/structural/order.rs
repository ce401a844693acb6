//! Order and equality across kinds: random chains of comparisons, compared with a look at all terms or at many.

use constraint::{Arena, Expr, Grammar, MapField, RuleId, Shape, Test, Type};
use fastrand::Rng;
use num_bigint::BigInt;
use solve::integer::Arithmetic;
use solve::structural::Structural;
use term::Term;

use crate::random::{Tally, World, ask};

fn read(text: &str) -> Term {
    Term::read(text).expect("a term")
}

/// Terms of every kind, some of them equal without being the same.
const TERMS: [&str; 24] = [
    "0",
    "1",
    "2",
    "1.0",
    "2.5",
    "-0.5",
    "a",
    "b",
    "''",
    "true",
    "{}",
    "{1}",
    "{1.0}",
    "{a,0}",
    "#{}",
    "#{1 => a}",
    "#{1.0 => a}",
    "[]",
    "[1]",
    "[1.0]",
    "[1|a]",
    "\"ab\"",
    "<<>>",
    "<<1>>",
];

/// Rules whose terms are all known.
fn finite(random: &mut Rng, grammar: &mut Grammar) -> (RuleId, Vec<Term>) {
    let count = random.usize(2..6);
    let mut terms: Vec<Term> = (0..count).map(|_| read(TERMS[random.usize(..TERMS.len())])).collect();
    terms.sort_by(Term::compare_exact);
    terms.dedup();
    let mut shapes: Vec<Shape> = terms.iter().cloned().map(Shape::Literal).collect();
    if random.bool() {
        shapes.push(Shape::Integer { low: Some(BigInt::from(-1)), high: Some(BigInt::from(1)) });
        terms.extend((-1..2).map(Term::int).filter(|term| !terms.contains(term)).collect::<Vec<_>>());
    }
    if random.bool() {
        let items: Vec<Term> = (0..2).map(|_| read(TERMS[random.usize(..TERMS.len())])).collect();
        let item = grammar.intern(items.iter().cloned().map(Shape::Literal).collect());
        shapes.push(Shape::Tuple(vec![item, item]));
        let pairs = items.iter().flat_map(|x| items.iter().map(|y| Term::tuple([x.clone(), y.clone()])));
        terms.extend(pairs.filter(|pair| !terms.contains(pair)).collect::<Vec<_>>());
    }
    (grammar.intern(shapes), terms)
}

/// Rules without an end, and some of their terms.
fn endless(random: &mut Rng, grammar: &mut Grammar) -> (RuleId, Vec<Term>) {
    let any = grammar.intern(vec![Shape::Any]);
    let numbers = vec![Shape::Integer { low: None, high: None }, Shape::Float];
    let (shapes, fits): (Vec<Shape>, fn(&Term) -> bool) = match random.u32(0..6) {
        0 => (numbers, Term::is_number),
        1 => (vec![Shape::Atom, Shape::Literal(Term::nil()), Shape::Cons(any, any)], |term| {
            matches!(term, Term::Atom(..) | Term::Nil(_) | Term::Cons(..))
        }),
        2 => (vec![Shape::AnyTuple], |term| matches!(term, Term::Tuple(..))),
        3 => (vec![Shape::Map(vec![MapField { key: any, value: any, mandatory: false }]), Shape::Atom], |term| {
            matches!(term, Term::Map(..) | Term::Atom(..))
        }),
        _ => (vec![Shape::Any], |_| true),
    };
    let terms = TERMS.iter().map(|text| read(text)).filter(fits).collect();
    (grammar.intern(shapes), terms)
}

fn world(random: &mut Rng, complete: bool) -> World {
    let mut grammar = Grammar::default();
    let rule = if complete { finite } else { endless };
    let (inputs, values) = (0..random.u32(2..4)).map(|_| rule(random, &mut grammar)).unzip();
    World { grammar, inputs, values, complete }
}

fn expression(random: &mut Rng, arena: &mut Arena, world: &World) -> Expr {
    let input = arena.input(random.u32(0..world.inputs.len() as u32));
    match random.u32(0..16) {
        0 => arena.element(input, 0),
        1 => arena.head(input),
        2 => {
            let other = arena.input(random.u32(0..world.inputs.len() as u32));
            arena.tuple(vec![input, other])
        }
        3 => {
            let other = arena.input(random.u32(0..world.inputs.len() as u32));
            arena.cons(input, other)
        }
        4..=5 => arena.literal(read(TERMS[random.usize(..TERMS.len())])),
        _ => input,
    }
}

fn test(random: &mut Rng, arena: &mut Arena, world: &World) -> Test {
    let (x, y) = (expression(random, arena, world), expression(random, arena, world));
    match random.u32(0..12) {
        0 => Test::Same(x, y),
        1..=2 => Test::Equal(x, y),
        3 => Test::Type(
            x,
            *random.choice(&[Type::Integer, Type::Number, Type::Tuple, Type::List]).unwrap_or(&Type::Atom),
        ),
        4 => Test::Less(y, x),
        _ => Test::Less(x, y),
    }
}

fn compare(seed: u64, count: u32, complete: bool) -> Tally {
    let mut random = Rng::with_seed(seed);
    let mut tally = Tally::default();
    let mut solver = Structural::new(Arithmetic);
    while tally.found + tally.none + tally.unknown < count {
        let world = world(&mut random, complete);
        for _ in 0..10 {
            ask(&mut random, &world, &mut solver, &mut tally, test);
        }
    }
    tally
}

#[test]
fn terms_that_are_all_known() {
    let Tally { found, none, unknown, shown, .. } = compare(4, 4_000, true);
    assert_eq!(unknown, 0, "{}", shown.join("\n\n"));
    assert!(found > 500 && none > 500, "{found} found, {none} none");
}

#[test]
fn terms_of_any_kind() {
    let Tally { found, none, unknown, shown, .. } = compare(5, 4_000, false);
    assert!(unknown < 10, "{unknown} of {}\n{}", found + none + unknown, shown.join("\n\n"));
    assert!(found > 500 && none > 500, "{found} found, {none} none");
}
