//! The walk claims nothing, keeps its budget, and finds numbers inside of terms.

use constraint::{Arena, Condition, Expr, FloatOp, Grammar, Op, RuleId, Shape, Test, Text};
use solve::structural::smallest;
use solve::walk::{self, WalkSettings};
use solve::{Answer, Budget, Query, Solvers};
use term::Term;
use term::math::Math;

fn read(text: &str) -> Text {
    Text::read(text).unwrap_or_else(|fault| panic!("{fault}: {text}"))
}

/// The inputs and what was looked at.
fn walked(text: &Text, evaluations: u64) -> (Option<Vec<Term>>, u64) {
    let near: Vec<Term> = text.inputs.iter().map(|rule| smallest(&text.grammar, *rule).unwrap()).collect();
    let mut spent = 0;
    for conditions in &text.alternatives {
        let Text { arena, grammar, inputs, .. } = text;
        let query = Query { arena, grammar, inputs, conditions, near: &near };
        let (answer, walked) = walk::solve(&query, &near, &WalkSettings::new(evaluations));
        spent += walked.map_or(0, |walked| walked.evaluations);
        if let Answer::Sat(inputs) = answer {
            assert!(query.is_met_by(&inputs));
            return (Some(inputs), spent);
        }
    }
    (None, spent)
}

#[test]
fn what_has_no_solution_stays_open() {
    let texts = [
        "x: float\nx*x < 0.0",
        "x: float in 0..1\nsin(x) > 2.0",
        "x: float\nlog(x) == log(x) and x < 0.0",
        "x: float\nx*x == 2.0 and x*x /= 2.0",
        "n: integer\nn*n == 2",
        "x: float\nsqrt(x) < 0.0",
        // Undefined on one side of a disequality is no difference.
        "x: float in -5..-1\nlog(x) /= 0.0",
        "x: float\nx/(x - x) /= 1.0",
    ];
    for text in texts {
        assert_eq!(walked(&read(text), 20_000).0, None, "{text}");
    }
}

#[test]
fn a_budget_is_kept() {
    let text = read("x, y: float\nsin(x)*y == cos(y)*x + 3.0 and x*x + y*y < 0.0");
    let (found, spent) = walked(&text, 5_000);
    assert!(found.is_none() && (5_000..6_000).contains(&spent), "{spent}");
}

/// Numbers inside of terms: the shapes are there, the walk finds the numbers.
struct Inside {
    arena: Arena,
    grammar: Grammar,
    rule: RuleId,
    conditions: Vec<Condition>,
}

impl Inside {
    fn new() -> Inside {
        let mut grammar = Grammar::default();
        let rule = grammar.intern(vec![Shape::Any]);
        Inside { arena: Arena::new(), grammar, rule, conditions: Vec::new() }
    }

    fn float(&mut self, value: f64) -> Expr {
        self.arena.literal(Term::float(value))
    }

    fn hold(&mut self, test: Test) {
        self.conditions.push(Condition { test, holds: true });
    }

    fn answer(&self, near: Term) -> Option<Term> {
        let near = [near];
        let query = Query {
            arena: &self.arena,
            grammar: &self.grammar,
            inputs: &[self.rule],
            conditions: &self.conditions,
            near: &near,
        };
        let budget = Budget { choices: 1000, rlimit: 0, walk: 20_000 };
        match Solvers::new(None).respond(&query, &budget).answer {
            Answer::Sat(inputs) => Some(inputs[0].clone()),
            _ => None,
        }
    }
}

#[test]
fn numbers_in_lists_and_tuples() {
    let mut asked = Inside::new();
    let input = asked.arena.input(0);
    let tail = asked.arena.tail(input);
    let (first, second) = (asked.arena.head(input), asked.arena.head(tail));
    let second = asked.arena.element(second, 1);
    let sine = asked.arena.apply(Op::Float(FloatOp::Math(Math::Sin)), &[first]);
    let product = asked.arena.apply(Op::Float(FloatOp::Mul), &[sine, second]);
    let wanted = asked.float(0.75);
    asked.hold(Test::Same(product, wanted));
    let float = Term::float;
    let pair = Term::tuple([Term::atom_named("a"), float(2.0)]);
    let found = asked.answer(Term::list([float(1.0), pair])).expect("numbers");
    let items = found.proper_list().expect("a list");
    let (Term::Float(_, x), Term::Float(_, y)) = (&items[0], &items[1].as_tuple().expect("a pair")[1]) else {
        panic!("{found}")
    };
    assert_eq!(x.sin() * y, 0.75);
    assert_eq!(items[1].as_tuple().map(|items| items[0].clone()), Some(Term::atom_named("a")));
}

#[test]
fn numbers_in_maps_and_bits() {
    let mut asked = Inside::new();
    let input = asked.arena.input(0);
    let (x, y) = (asked.arena.literal(Term::atom_named("x")), asked.arena.literal(Term::atom_named("y")));
    let (root, bytes) = (asked.arena.map_value(input, x), asked.arena.map_value(input, y));
    let byte = asked.arena.bits(bytes, 8, 8);
    let byte = asked.arena.apply(Op::Float(FloatOp::Of), &[byte]);
    let square = asked.arena.apply(Op::Float(FloatOp::Mul), &[root, root]);
    asked.hold(Test::Equal(square, byte));
    let (four, two) = (asked.float(4.0), asked.float(200.0));
    asked.hold(Test::Less(four, root));
    asked.hold(Test::Less(two, byte));
    let map = [(Term::atom_named("x"), Term::float(1.0)), (Term::atom_named("y"), Term::binary(vec![1, 2, 3]))];
    let found = asked.answer(Term::map(term::Map::from_pairs(map))).expect("numbers");
    let bits = found.as_map().and_then(|map| map.get(&Term::atom_named("y")).cloned()).expect("bytes");
    assert_eq!(bits.as_bits().map(|bits| bits.bit_len()), Some(24));
}
