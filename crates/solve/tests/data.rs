//! Queries and responses as data: they read back as they were written, and a task has the answer of its query.

mod float_ops;

use std::collections::HashSet;
use std::fmt::Debug;
use std::mem::discriminant;

use constraint::{Arena, Condition, Expr, Formula, Grammar, Node, Op, Part, RuleId, Shape, Test, Type};
use float_ops::FLOAT_OPS;
use serde::Serialize;
use serde::de::DeserializeOwned;
use solve::{Answer, Budget, Query, Response, SmtError, Solvers, Task, UnknownReason, WalkStats};
use term::{Atom, Map, Mfa, Term};

/// Through both forms; the text of a value stands for it.
fn round_trip<T: Serialize + DeserializeOwned + Debug>(value: &T) -> T {
    let bytes = postcard::to_stdvec(value).expect("it is written");
    let read: T = postcard::from_bytes(&bytes).expect("it is read");
    let json = serde_json::to_string(value).expect("it is written as JSON");
    let from_json: T = serde_json::from_str(&json).expect("it is read from JSON");
    assert_eq!(format!("{read:?}"), format!("{value:?}"));
    assert_eq!(format!("{from_json:?}"), format!("{value:?}"));
    assert_eq!(postcard::to_stdvec(&read), Ok(bytes));
    read
}

struct Generator {
    random: fastrand::Rng,
    arena: Arena,
    exprs: Vec<Expr>,
}

const TERMS: [&str; 14] = [
    "a",
    "'an Atom ✓'",
    "0",
    "-17",
    "100000000000000000000000000000000",
    "-9223372036854775809",
    "1.0e-300",
    "-0.0",
    "<<1,2,3:3>>",
    "<<>>",
    "[]",
    "fun lists:map/2",
    "fun(1, a) -> {fun() -> x end}; (_, _) -> #{} end",
    "#{a => 1, 2.0 => [b|c], {} => <<5:4>>}",
];

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut arena = Arena::new();
        let exprs = (0..3).map(|at| arena.input(at)).collect();
        Generator { random: fastrand::Rng::with_seed(seed), arena, exprs }
    }

    fn term(&mut self, depth: u32) -> Term {
        let parts: Vec<Term> = match depth {
            0 => Vec::new(),
            _ => (0..self.random.usize(0..4)).map(|_| self.term(depth - 1)).collect(),
        };
        match self.random.u32(0..8) {
            0 => Term::tuple(parts),
            1 => Term::list(parts),
            2 if !parts.is_empty() => Term::list_with_tail(parts, Term::int(1)),
            3 => Term::map(Map::from_pairs(parts.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())))),
            _ => Term::read(self.random.choice(TERMS).expect("a term")).expect("it reads"),
        }
    }

    fn old(&mut self) -> Expr {
        self.exprs[self.random.usize(0..self.exprs.len())]
    }

    /// A new expression of some kind, made of older ones.
    fn expr(&mut self) {
        let [a, b, c] = [self.old(), self.old(), self.old()];
        let number = self.random.u32(0..20);
        let arena = &mut self.arena;
        let made = match self.random.u32(0..20) {
            0 => arena.head(a),
            1 => arena.tail(a),
            2 => arena.element(a, number),
            3 => arena.cons(a, b),
            4 => arena.tuple(vec![a, b, c]),
            5 => arena.result(a, vec![b, c]),
            6 => arena.opaque(Mfa { module: Atom::new("m"), function: Atom::new("h"), arity: 2 }, vec![a, b]),
            7 => arena.map_value(a, b),
            8 => arena.map_key(a, number),
            9 => arena.map_put(a, b, c),
            10 => arena.map_remove(a, b),
            11 => arena.map_merge(a, b),
            12 => arena.bits(a, number, 1 + number),
            13 => arena.slice(a, b, c),
            14 => arena.build(vec![Part::Bits(a), Part::Integer { value: b, from: 3, size: number }]),
            15 => arena.name(a),
            16 => arena.atom(a),
            17 => arena.apply([Op::Add, Op::Rem, Op::Bsl, Op::Band][number as usize % 4], &[a, b]),
            18 => {
                let op = FLOAT_OPS[number as usize];
                arena.apply(Op::Float(op), &[a, b])
            }
            _ => {
                let term = self.term(3);
                self.arena.literal(term)
            }
        };
        self.exprs.push(made);
    }

    fn condition(&mut self) -> Condition {
        let (a, b) = (self.old(), self.old());
        let test = match self.random.u32(0..9) {
            0 => Test::Cons(a),
            1 => Test::Tuple(a, 3),
            2 => Test::Type(a, [Type::Boolean, Type::LongText(7), Type::Map][self.random.usize(0..3)]),
            3 => Test::Arity(a, 2),
            4 => Test::HasKey(a, b),
            5 => Test::Same(a, b),
            6 => Test::Equal(a, b),
            7 => Test::Less(a, b),
            _ => Test::Defined(a),
        };
        Condition { test, holds: self.random.bool() }
    }
}

#[test]
fn formulas_of_every_kind_of_expression_read_back() {
    let (mut nodes, mut tests) = (HashSet::new(), HashSet::new());
    for seed in 0..200 {
        let mut generator = Generator::new(seed);
        (0..60).for_each(|_| generator.expr());
        let conditions: Vec<Condition> = (0..8).map(|_| generator.condition()).collect();
        let formula = Formula::new(&generator.arena, &conditions).expect("it is portable");
        let (arena, read) = round_trip(&formula).open().expect("it is a formula");
        for (condition, read) in conditions.iter().zip(&read) {
            assert_eq!(arena.show_condition(read), generator.arena.show_condition(condition));
            tests.insert(discriminant(&read.test));
        }
        nodes.extend(generator.exprs.iter().map(|expr| discriminant(generator.arena.node(*expr))));
    }
    assert_eq!((nodes.len(), tests.len()), (20, 9), "not every kind was met");
}

#[test]
fn deep_terms_and_deep_expressions_read_back() {
    let deep = (0..60_000).fold(Term::nil(), |inner, _| Term::tuple([inner]));
    let mut arena = Arena::new();
    let input = arena.input(0);
    let far = (0..200_000).fold(input, |at, _| arena.tail(at));
    let literal = arena.literal(deep.clone());
    let conditions = [Condition { test: Test::Same(far, literal), holds: true }];
    let formula = Formula::new(&arena, &conditions).expect("it is portable");
    let bytes = postcard::to_stdvec(&formula).expect("it is written");
    let read: Formula = postcard::from_bytes(&bytes).expect("it is read");
    assert!(read == formula);
    let (read, _) = read.open().expect("it is a formula");
    let end = read.of_mark(term::Mark(read.len() as u32)).expect("an expression");
    assert!(matches!(read.node(end), Node::Literal(term) if *term == deep));
}

#[test]
fn a_task_has_the_answer_of_its_query() {
    let mut grammar = Grammar::default();
    let any = grammar.intern(vec![Shape::Any]);
    let integer = grammar.intern(vec![Shape::Integer { low: None, high: Some(Term::int(99).as_bigint().unwrap()) }]);
    let grammar_read: Grammar = postcard::from_bytes(&postcard::to_stdvec(&grammar).unwrap()).unwrap();
    let budget = Budget { choices: 500, rlimit: 0, walk: 100 };
    let inputs = [any, integer, any];
    let mut kinds = HashSet::new();
    for seed in 0..150 {
        let mut generator = Generator::new(seed);
        (0..12).for_each(|_| generator.expr());
        let conditions: Vec<Condition> = (0..2).map(|_| generator.condition()).collect();
        let near = [generator.term(2), Term::int(3), generator.term(2)];
        let arena = &generator.arena;
        let query = Query { arena, grammar: &grammar, inputs: &inputs, conditions: &conditions, near: &near };
        let response = Solvers::new(None).respond(&query, &budget);
        let task = round_trip(&Task::new(&query, &budget).expect("it is portable"));
        let solved = task.solve(&grammar_read, &mut Solvers::new(None)).expect("a task");
        assert_eq!(format!("{:?}", round_trip(&solved)), format!("{response:?}"));
        kinds.insert(discriminant(&solved.answer));
    }
    assert_eq!(kinds.len(), 3, "sat, unsat and unknown");
}

#[test]
fn a_task_over_another_grammar_is_refused() {
    let mut grammar = Grammar::default();
    let any = grammar.intern(vec![Shape::Any]);
    let (arena, budget) = (Arena::new(), Budget { choices: 1, rlimit: 0, walk: 0 });
    let query =
        |inputs| Task::new(&Query { arena: &arena, grammar: &grammar, inputs, conditions: &[], near: &[] }, &budget);
    assert!(query(&[RuleId(9)]).expect("a task").solve(&grammar, &mut Solvers::new(None)).is_none());
    let task = query(&[any]).expect("a task");
    assert!(task.clone().solve(&Grammar::default(), &mut Solvers::new(None)).is_none());
    assert!(task.solve(&grammar, &mut Solvers::new(None)).is_some());
}

#[test]
fn responses_read_back() {
    let walk = Some(WalkStats { found: true, evaluations: 3, steps: 2, starts: u64::MAX });
    let error = Some(SmtError::Ended("it took too long".into()));
    let terms = TERMS.iter().map(|text| Term::read(text).expect("it reads")).collect();
    for answer in [Answer::Sat(terms), Answer::Unsat, Answer::Unknown(UnknownReason::Absent)] {
        round_trip(&Response { walk, error: error.clone(), external: true, ..Response::from(answer) });
    }
}
