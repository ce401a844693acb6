//! Measures the structural member on queries as they come up: `cargo run --release -p solve --example structural`.
#![allow(clippy::disallowed_macros, clippy::disallowed_types)]

use std::time::Instant;

use constraint::{Arena, Condition, Expr, Grammar, Op, RuleId, Shape, Test, Type};
use solve::integer::Arithmetic;
use solve::structural::Structural;
use solve::{Answer, Budget, Query};
use term::Term;

struct Case {
    name: &'static str,
    arena: Arena,
    grammar: Grammar,
    inputs: Vec<RuleId>,
    conditions: Vec<Condition>,
    near: Vec<Term>,
}

fn main() {
    let cases = [first_flip(), list_walk(10), list_walk(100), sorted(8), evaluator(), membership(20)];
    for case in &cases {
        measure(case);
    }
}

fn measure(case: &Case) {
    let query = Query {
        arena: &case.arena,
        grammar: &case.grammar,
        inputs: &case.inputs,
        conditions: &case.conditions,
        near: &case.near,
    };
    let budget = Budget { choices: 10_000, rlimit: 100_000, walk: 0 };
    let mut solver = Structural::new(Arithmetic);
    let mut answer = solver.solve(&query, &budget);
    let rounds = 2_000;
    let start = Instant::now();
    for _ in 0..rounds {
        answer = solver.solve(&query, &budget);
    }
    let each = start.elapsed().as_secs_f64() * 1e6 / f64::from(rounds);
    let answer = match answer {
        Answer::Sat(inputs) => Term::list(inputs).to_string(),
        Answer::Unsat => "none".to_owned(),
        Answer::Unknown(why) => format!("{why:?}"),
    };
    let answer: String = answer.chars().take(60).collect();
    println!("{:<16} {:>4} conditions {each:>9.1} us  {answer}", case.name, case.conditions.len());
}

fn case(name: &'static str, arena: Arena, grammar: Grammar, inputs: &[RuleId], near: &[&str]) -> Case {
    let near = near.iter().map(|text| Term::read(text).expect("a term")).collect();
    Case { name, arena, grammar, inputs: inputs.to_vec(), conditions: Vec::new(), near }
}

impl Case {
    fn is(&mut self, test: Test, holds: bool) {
        self.conditions.push(Condition { test, holds });
    }

    fn literal(&mut self, text: &str) -> Expr {
        self.arena.literal(Term::read(text).expect("a term"))
    }
}

fn integers() -> (Grammar, RuleId) {
    let mut grammar = Grammar::default();
    let item = grammar.intern(vec![Shape::Integer { low: None, high: None }]);
    let list = grammar.reserve();
    grammar.fill(list, vec![Shape::Literal(Term::nil()), Shape::Cons(item, list)]);
    grammar.close();
    (grammar, list)
}

/// The first test of a run, turned.
fn first_flip() -> Case {
    let (grammar, list) = integers();
    let mut case = case("first flip", Arena::new(), grammar, &[list], &["[]"]);
    let x = case.arena.input(0);
    case.is(Test::Cons(x), true);
    case
}

/// A list of integers looked through to its end, and one cell further.
fn list_walk(cells: usize) -> Case {
    let (grammar, list) = integers();
    let near = format!("[{}]", vec!["1"; cells].join(","));
    let mut case = case("list walk", Arena::new(), grammar, &[list], &[&near]);
    let mut rest = case.arena.input(0);
    for _ in 0..=cells {
        case.is(Test::Cons(rest), true);
        rest = case.arena.tail(rest);
    }
    case
}

/// Neighbours in order but the last two.
fn sorted(cells: usize) -> Case {
    let (grammar, list) = integers();
    let near = format!("[{}]", (0..cells).map(|at| at.to_string()).collect::<Vec<_>>().join(","));
    let mut case = case("sorted", Arena::new(), grammar, &[list], &[&near]);
    let mut rest = case.arena.input(0);
    for at in 1..cells {
        let head = case.arena.head(rest);
        rest = case.arena.tail(rest);
        let next = case.arena.head(rest);
        case.is(Test::Cons(rest), true);
        case.is(Test::Less(next, head), at + 1 == cells);
    }
    case
}

/// A path through an evaluator of expressions, its last tag turned.
fn evaluator() -> Case {
    let mut grammar = Grammar::default();
    let number = grammar.intern(vec![Shape::Integer { low: None, high: None }]);
    let tags = ["lit", "add", "mul", "neg"].map(|tag| grammar.intern(vec![Shape::Literal(Term::atom_named(tag))]));
    let e = grammar.reserve();
    let shapes = vec![
        Shape::Tuple(vec![tags[0], number]),
        Shape::Tuple(vec![tags[1], e, e]),
        Shape::Tuple(vec![tags[2], e, e]),
        Shape::Tuple(vec![tags[3], e]),
    ];
    grammar.fill(e, shapes);
    grammar.close();
    let near = ["{add,{mul,{lit,1},{lit,2}},{neg,{lit,0}}}"];
    let mut case = case("evaluator", Arena::new(), grammar, &[e], &near);
    let x = case.arena.input(0);
    let left = case.arena.element(x, 1);
    let right = case.arena.element(x, 2);
    let deep = case.arena.element(left, 2);
    for (node, size, tag) in [(x, 3, "add"), (left, 3, "mul"), (right, 2, "neg"), (deep, 2, "lit")] {
        let first = case.arena.element(node, 0);
        let tag = case.literal(tag);
        case.is(Test::Tuple(node, size), true);
        case.is(Test::Same(first, tag), node != deep);
    }
    case
}

/// A key that is none of a list of pairs, all of another length.
fn membership(cells: usize) -> Case {
    let mut grammar = Grammar::default();
    let any = grammar.intern(vec![Shape::Any]);
    let near = format!("[{}]", (0..cells).map(|at| format!("{{k{at},1}}")).collect::<Vec<_>>().join(","));
    let mut case = case("key list", Arena::new(), grammar, &[any, any], &["none", &near]);
    let (key, mut rest) = (case.arena.input(0), case.arena.input(1));
    let length = case.arena.apply(Op::Length, &[rest]);
    let least = case.arena.integer(cells as i64 + 2);
    case.is(Test::Type(rest, Type::List), true);
    for _ in 0..cells {
        let pair = case.arena.head(rest);
        let first = case.arena.element(pair, 0);
        case.is(Test::Tuple(pair, 2), true);
        case.is(Test::Same(first, key), false);
        rest = case.arena.tail(rest);
    }
    case.is(Test::Less(length, least), false);
    case
}
