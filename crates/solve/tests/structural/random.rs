//! Random queries over small grammars, compared with a look at all inputs.

use constraint::{Arena, Condition, Expr, Grammar, Op, RuleId, Shape, Test, Type, holds};
use fastrand::Rng;
use num_bigint::BigInt;
use solve::integer::Arithmetic;
use solve::structural::{Structural, accepts, smallest};
use solve::{Answer, Budget, Query, Shapes, UnknownReason};
use term::Term;

const BUDGET: Budget = Budget { choices: 20_000, rlimit: 1_000_000, walk: 0 };

/// Terms of a rule that are looked at, at most.
const MANY: usize = 24;

pub struct World {
    pub grammar: Grammar,
    pub inputs: Vec<RuleId>,
    /// Some values of each input; all of them, if `complete`.
    pub values: Vec<Vec<Term>>,
    pub complete: bool,
}

/// Makes a test of some expressions.
pub type MakeTest = fn(&mut Rng, &mut Arena, &World) -> Test;

/// Rules refer only to later ones unless they may be recursive.
fn grammar(random: &mut Rng, recursive: bool) -> Grammar {
    let mut grammar = Grammar::default();
    let count = random.u32(3..9);
    let rules: Vec<RuleId> = (0..count).map(|_| grammar.reserve()).collect();
    for at in 0..count {
        let first = if recursive && random.bool() { 0 } else { at + 1 };
        let shapes =
            (0..random.u32(1..6)).map(|_| shape(random, &rules[first.min(count) as usize..], recursive)).collect();
        grammar.fill(rules[at as usize], shapes);
    }
    grammar.close();
    grammar
}

fn shape(random: &mut Rng, rules: &[RuleId], recursive: bool) -> Shape {
    let rule = |random: &mut Rng| rules[random.usize(..rules.len())];
    match random.u32(0..12) {
        0..=1 => Shape::Literal(Term::atom_named(random.choice(["a", "b", "c", "true"]).unwrap_or("a"))),
        2 => Shape::Literal(Term::nil()),
        3 => {
            let low = random.i64(-2..3);
            Shape::Integer { low: Some(BigInt::from(low)), high: Some(BigInt::from(low + random.i64(0..3))) }
        }
        4 => Shape::Literal(Term::int(random.i64(0..3))),
        5 if recursive => random.choice([Shape::Any, Shape::Atom, Shape::Float, Shape::AnyTuple]).unwrap_or(Shape::Any),
        6 if recursive => Shape::Integer { low: Some(BigInt::from(0)), high: None },
        7..=8 if !rules.is_empty() => Shape::Cons(rule(random), rule(random)),
        _ if !rules.is_empty() => Shape::Tuple((0..random.u32(0..3)).map(|_| rule(random)).collect()),
        _ => Shape::Literal(Term::int(1)),
    }
}

/// Values of a rule up to a height, and whether these are all.
fn values(grammar: &Grammar, rule: RuleId, height: u32) -> (Vec<Term>, bool) {
    let mut all: Vec<Term> = Vec::new();
    let mut complete = true;
    for shape in &grammar.rule(rule).shapes {
        let (some, whole) = shape_values(grammar, shape, height);
        complete &= whole;
        for term in some {
            if !all.contains(&term) {
                all.push(term);
            }
        }
    }
    complete &= all.len() <= MANY;
    all.truncate(MANY);
    (all, complete)
}

fn shape_values(grammar: &Grammar, shape: &Shape, height: u32) -> (Vec<Term>, bool) {
    let samples = |texts: &[&str]| texts.iter().map(|text| Term::read(text).expect("a term")).collect();
    match shape {
        Shape::Literal(term) => (vec![term.clone()], true),
        Shape::Integer { low, high } => {
            let bound =
                |bound: &Option<BigInt>, other: i64| bound.as_ref().map_or(other, |b| b.try_into().expect("small"));
            let range = bound(low, -3)..=bound(high, 3);
            (range.map(Term::int).collect(), low.is_some() && high.is_some())
        }
        Shape::Any => {
            (samples(&["0", "1", "1.0", "a", "b", "[]", "[a]", "{}", "{a}", "[1|b]", "{1,[]}", "<<1>>"]), false)
        }
        Shape::Atom => (samples(&["a", "b", "d", "''"]), false),
        Shape::Float => (samples(&["0.0", "1.0", "2.5"]), false),
        Shape::AnyTuple => (samples(&["{}", "{a}", "{1}", "{a,b}", "{1,2,3}"]), false),
        Shape::Cons(_, _) | Shape::Tuple(_) if height == 0 => (Vec::new(), false),
        Shape::Cons(head, tail) => {
            let ((heads, all), (tails, whole)) =
                (values(grammar, *head, height - 1), values(grammar, *tail, height - 1));
            let cells = heads.iter().flat_map(|head| tails.iter().map(|tail| Term::cons(head.clone(), tail.clone())));
            (cells.take(MANY + 1).collect(), all && whole)
        }
        Shape::Tuple(items) => {
            let mut rows: Vec<Vec<Term>> = vec![Vec::new()];
            let mut complete = true;
            for item in items {
                let (some, whole) = values(grammar, *item, height - 1);
                complete &= whole;
                rows = rows
                    .iter()
                    .flat_map(|row| some.iter().map(|next| [&row[..], std::slice::from_ref(next)].concat()))
                    .collect();
                rows.truncate(MANY + 1);
            }
            (rows.into_iter().map(Term::tuple).collect(), complete)
        }
        other => panic!("not made here: {other:?}"),
    }
}

fn world(random: &mut Rng, recursive: bool) -> World {
    let grammar = grammar(random, recursive);
    let inputs: Vec<RuleId> = (0..random.u32(1..4)).map(|_| RuleId(random.u32(0..3))).collect();
    let height = if recursive { 3 } else { 8 };
    let (values, complete): (Vec<_>, Vec<bool>) = inputs.iter().map(|rule| values(&grammar, *rule, height)).unzip();
    World { grammar, inputs, values, complete: complete.into_iter().all(|all| all) }
}

fn expression(random: &mut Rng, arena: &mut Arena, inputs: usize) -> Expr {
    let mut expr = arena.input(random.u32(0..inputs as u32));
    for _ in 0..random.u32(0..4) {
        expr = match random.u32(0..4) {
            0 => arena.head(expr),
            1 => arena.tail(expr),
            at => arena.element(expr, at - 2),
        };
    }
    match random.u32(0..14) {
        0 => arena.apply(Op::Length, &[expr]),
        1 => arena.apply(Op::TupleSize, &[expr]),
        2..=4 => {
            let other = if random.bool() {
                arena.integer(random.i64(-2..4))
            } else {
                arena.input(random.u32(0..inputs as u32))
            };
            let op = random.choice([Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem, Op::Band]).unwrap_or(Op::Add);
            arena.apply(op, &[expr, other])
        }
        5 => {
            let tail = arena.input(random.u32(0..inputs as u32));
            arena.cons(expr, tail)
        }
        6 => {
            let other = arena.input(random.u32(0..inputs as u32));
            arena.tuple(vec![other, expr])
        }
        _ => expr,
    }
}

fn test(random: &mut Rng, arena: &mut Arena, world: &World) -> Test {
    let x = expression(random, arena, world.inputs.len());
    let other = |random: &mut Rng, arena: &mut Arena| {
        if random.bool() {
            return expression(random, arena, world.inputs.len());
        }
        let values = &world.values[random.usize(..world.values.len())];
        let plain = ["a", "b", "[]", "0", "1", "1.0", "1.5", "{}", "[a]", "{a,1}", "true", "[1|a]"];
        let term = match random.u32(0..3) {
            0 if !values.is_empty() => values[random.usize(..values.len())].clone(),
            _ => Term::read(plain[random.usize(..plain.len())]).expect("a term"),
        };
        arena.literal(term)
    };
    match random.u32(0..9) {
        0 => Test::Cons(x),
        1 => Test::Tuple(x, random.u32(0..3)),
        2 => {
            let types = [
                Type::Atom,
                Type::Boolean,
                Type::Integer,
                Type::Float,
                Type::Number,
                Type::List,
                Type::ProperList,
                Type::Tuple,
                Type::Binary,
                Type::Function,
            ];
            Test::Type(x, types[random.usize(..types.len())])
        }
        3..=5 => Test::Same(x, other(random, arena)),
        6 => Test::Equal(x, other(random, arena)),
        7 => Test::Less(x, other(random, arena)),
        _ => Test::Less(other(random, arena), x),
    }
}

/// The conditions that a run on these inputs could have met, the last one turned.
fn conditions(random: &mut Rng, arena: &mut Arena, world: &World, near: &[Term], test: MakeTest) -> Vec<Condition> {
    let mut all = Vec::new();
    let wanted = random.usize(1..5);
    for _ in 0..60 {
        let condition = Condition { test: test(random, arena, world), holds: true };
        match holds(arena, &condition, near) {
            Ok(true) => all.push(condition),
            Ok(false) => all.push(condition.negated()),
            Err(_) => {}
        }
        if all.len() == wanted {
            break;
        }
    }
    if let Some(last) = all.last_mut() {
        *last = last.negated();
    }
    all
}

/// Some inputs that meet the query, among all that the world has.
fn by_force(query: &Query<'_>, world: &World) -> Option<Vec<Term>> {
    let mut rows: Vec<Vec<Term>> = vec![Vec::new()];
    for values in &world.values {
        rows = rows
            .iter()
            .flat_map(|row| values.iter().map(|next| [&row[..], std::slice::from_ref(next)].concat()))
            .collect();
    }
    rows.into_iter().find(|row| query.is_met_simplified_by(row))
}

#[derive(Default, Debug)]
pub struct Tally {
    pub found: u32,
    pub none: u32,
    /// Those that the grammar alone refutes.
    refuted: u32,
    pub unknown: u32,
    /// The queries without an answer.
    pub shown: Vec<String>,
}

fn compare(seed: u64, count: u32, recursive: bool) -> Tally {
    let mut random = Rng::with_seed(seed);
    let mut tally = Tally::default();
    let mut solver = Structural::new(Arithmetic);
    while tally.found + tally.none + tally.unknown < count {
        let world = world(&mut random, recursive);
        for (rule, values) in world.inputs.iter().zip(&world.values) {
            assert!(values.iter().all(|value| accepts(&world.grammar, *rule, value)));
            let small = smallest(&world.grammar, *rule);
            assert!(small.as_ref().is_some_and(|small| accepts(&world.grammar, *rule, small)) || values.is_empty());
        }
        if world.values.iter().any(Vec::is_empty) {
            continue;
        }
        for _ in 0..10 {
            ask(&mut random, &world, &mut solver, &mut tally, test);
        }
    }
    tally
}

pub fn ask(random: &mut Rng, world: &World, solver: &mut Structural<Arithmetic>, tally: &mut Tally, test: MakeTest) {
    let mut arena = Arena::new();
    let near: Vec<Term> = world.values.iter().map(|values| values[random.usize(..values.len())].clone()).collect();
    let conditions = conditions(random, &mut arena, world, &near, test);
    let query =
        Query { arena: &arena, grammar: &world.grammar, inputs: &world.inputs, conditions: &conditions, near: &near };
    let show = || {
        let conditions = conditions.iter().map(|condition| arena.show_condition(condition)).collect::<Vec<_>>();
        let rules =
            (0..world.grammar.len()).map(|at| format!("{at}: {:?}", world.grammar.rule(RuleId(at as u32)).shapes));
        format!("{}\n{}\nnear {near:?}", conditions.join("\n"), rules.collect::<Vec<_>>().join("\n"))
    };
    let truth = by_force(&query, world);
    if let Some((last, before)) = conditions.split_last()
        && Shapes::new(world.inputs.clone()).refute(&arena, &world.grammar, last, before)
    {
        assert!(truth.is_none(), "there is {truth:?}\n{}", show());
        tally.refuted += 1;
    }
    match solver.solve(&query, &BUDGET) {
        Answer::Sat(inputs) => {
            assert!(query.is_met_simplified_by(&inputs), "{}", show());
            let rules = world.inputs.iter().zip(&inputs);
            assert!(rules.into_iter().all(|(rule, input)| accepts(&world.grammar, *rule, input)), "{}", show());
            assert!(truth.is_some() || !world.complete, "not among all: {inputs:?}\n{}", show());
            tally.found += 1;
        }
        Answer::Unsat => {
            assert!(truth.is_none(), "there is {truth:?}\n{}", show());
            tally.none += 1;
        }
        Answer::Unknown(UnknownReason::Wrong) => panic!("wrong\n{}", show()),
        Answer::Unknown(why) => {
            tally.unknown += 1;
            tally.shown.push(format!(
                "{why:?}, truth {truth:?}
{}",
                show()
            ));
        }
    }
}

#[test]
fn finite_grammars() {
    let tally = compare(1, 5_000, false);
    assert_eq!(tally.unknown, 0, "{}", tally.shown.join("\n\n"));
    assert!(tally.found > 500 && tally.none > 500, "{} found, {} none", tally.found, tally.none);
    assert!(tally.refuted > 200, "{} refuted by the grammar", tally.refuted);
}

#[test]
fn endless_grammars() {
    let tally = compare(2, 5_000, true);
    // Order between floats or bitstrings, and terms that would have to be endless.
    assert!(tally.unknown <= 25, "{}: {}", tally.unknown, tally.shown.join("\n\n"));
    assert!(tally.found > 500 && tally.none > 500, "{} found, {} none", tally.found, tally.none);
    assert!(tally.refuted > 200, "{} refuted by the grammar", tally.refuted);
}
