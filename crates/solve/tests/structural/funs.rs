//! Queries about funs, compared with a look at all tables, and examples.

use constraint::{Arena, Condition, Expr, Grammar, Op, RuleId, Shape, Test, Type, holds};
use fastrand::Rng;
use num_bigint::BigInt;
use solve::integer::Arithmetic;
use solve::structural::{Structural, accepts, smallest};
use solve::{Answer, Budget, Query};
use term::{Row, Table, Term};

const BUDGET: Budget = Budget { choices: 20_000, rlimit: 1_000_000, walk: 0 };

fn read(text: &str) -> Term {
    Term::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn bits(grammar: &mut Grammar) -> RuleId {
    grammar.intern(vec![Shape::Integer { low: Some(BigInt::from(0)), high: Some(BigInt::from(1)) }])
}

fn fun(grammar: &mut Grammar, params: usize, result: RuleId) -> RuleId {
    let any = grammar.intern(vec![Shape::Any]);
    grammar.intern(vec![Shape::Fun { params: Some(vec![any; params]), result }])
}

/// All tables from these rows of arguments to these results.
fn tables(arity: u8, args: &[Vec<i64>], results: &[Term]) -> Vec<Term> {
    let mut all: Vec<Vec<Row>> = vec![Vec::new()];
    for args in args {
        let args: Box<[Term]> = args.iter().map(|arg| Term::int(*arg)).collect();
        let row = |rows: &Vec<Row>, result: &Term| {
            let next = Row { args: args.clone(), result: result.clone() };
            [&rows[..], &[next]].concat()
        };
        all = all.iter().flat_map(|rows| results.iter().map(|result| row(rows, result)).collect::<Vec<_>>()).collect();
    }
    all.into_iter().filter_map(|rows| Table::new(arity, rows, results[0].clone())).map(Term::table).collect()
}

/// Two bits and funs over them: of one argument up to 2, of two, and one that gives funs.
struct World {
    grammar: Grammar,
    inputs: Vec<RuleId>,
    values: Vec<Vec<Term>>,
    kind: u32,
}

fn world(kind: u32) -> World {
    let mut grammar = Grammar::default();
    let bit = bits(&mut grammar);
    let one = fun(&mut grammar, 1, bit);
    let zero_one: Vec<Term> = [0, 1].map(Term::int).to_vec();
    let of_one = tables(1, &[vec![0], vec![1], vec![2]], &zero_one);
    let (rule, values) = match kind {
        0 => (one, of_one.clone()),
        1 => {
            let args: Vec<Vec<i64>> = (0..4).map(|at| vec![at / 2, at % 2]).collect();
            (fun(&mut grammar, 2, bit), tables(2, &args, &zero_one))
        }
        _ => {
            let inner = tables(1, &[vec![0], vec![1]], &zero_one);
            (fun(&mut grammar, 1, one), tables(1, &[vec![0], vec![1]], &inner))
        }
    };
    grammar.close();
    let (inputs, values) = match kind {
        0 => (vec![bit, bit, rule], vec![zero_one.clone(), zero_one, values]),
        _ => (vec![bit, bit, one, rule], vec![zero_one.clone(), zero_one, of_one, values]),
    };
    World { grammar, inputs, values, kind }
}

/// An expression that is 0 or 1.
fn bit(random: &mut Rng, arena: &mut Arena, world: &World, depth: u32) -> Expr {
    let fun = arena.input(2);
    match random.u32(0..if depth == 0 { 3 } else { 7 }) {
        0 => arena.input(0),
        1 => arena.input(1),
        2 => arena.integer(random.i64(0..2)),
        3..=4 => {
            let arg = bit(random, arena, world, depth - 1);
            arena.result(fun, vec![arg])
        }
        5 if world.kind != 0 => {
            let (fun, a, b) =
                (arena.input(3), bit(random, arena, world, depth - 1), bit(random, arena, world, depth - 1));
            match world.kind {
                1 => arena.result(fun, vec![a, b]),
                _ => {
                    let inner = arena.result(fun, vec![a]);
                    arena.result(inner, vec![b])
                }
            }
        }
        _ => {
            let (arg, one) = (bit(random, arena, world, depth - 1), arena.integer(1));
            let more = arena.apply(Op::Add, &[arg, one]);
            arena.result(fun, vec![more])
        }
    }
}

fn condition(random: &mut Rng, arena: &mut Arena, world: &World) -> Condition {
    let (a, b) = (bit(random, arena, world, 3), bit(random, arena, world, 3));
    let test = match random.u32(0..4) {
        0 => Test::Less(a, b),
        1 => Test::Equal(a, b),
        2 if world.kind == 2 => {
            let outer = arena.input(3);
            let (inner, other) = (arena.result(outer, vec![a]), arena.result(outer, vec![b]));
            Test::Same(inner, if random.bool() { other } else { arena.input(2) })
        }
        _ => Test::Same(a, b),
    };
    Condition { test, holds: true }
}

fn rows(world: &World) -> Vec<Vec<Term>> {
    world.values.iter().fold(vec![Vec::new()], |rows, values| {
        rows.iter()
            .flat_map(|row| {
                values.iter().map(|next| [&row[..], std::slice::from_ref(next)].concat()).collect::<Vec<_>>()
            })
            .collect()
    })
}

#[test]
fn answers_agree_with_a_look_at_all_tables() {
    let mut random = Rng::with_seed(5);
    let mut solver = Structural::new(Arithmetic);
    let (mut found, mut none, mut unknown) = (0, 0, 0);
    for kind in 0..3 {
        let world = world(kind);
        let rows = rows(&world);
        for _ in 0..500 {
            let mut arena = Arena::new();
            let near = &rows[random.usize(..rows.len())];
            let count = random.usize(1..7);
            let mut conditions: Vec<Condition> =
                (0..count).map(|_| condition(&mut random, &mut arena, &world)).collect();
            for it in conditions.iter_mut().filter(|it| holds(&arena, it, near) != Ok(true)) {
                *it = it.negated();
            }
            if let Some(last) = conditions.last_mut() {
                *last = last.negated();
            }
            let query =
                Query { arena: &arena, grammar: &world.grammar, inputs: &world.inputs, conditions: &conditions, near };
            let show = || conditions.iter().map(|it| arena.show_condition(it)).collect::<Vec<_>>().join("\n");
            let truth = rows.iter().find(|row| query.is_met_simplified_by(row));
            match solver.solve(&query, &BUDGET) {
                Answer::Sat(inputs) => {
                    assert!(query.is_met_simplified_by(&inputs), "{}", show());
                    let rules = world.inputs.iter().zip(&inputs);
                    assert!(rules.into_iter().all(|(rule, it)| accepts(&world.grammar, *rule, it)), "{}", show());
                    // Tables that differ where no condition looks are not among all.
                    assert!(truth.is_some() || kind == 2, "not among all: {inputs:?}\n{}", show());
                    found += 1;
                }
                Answer::Unsat => {
                    assert!(truth.is_none(), "there is {truth:?}\n{}", show());
                    none += 1;
                }
                Answer::Unknown(why) => {
                    assert!(why != solve::UnknownReason::Wrong, "{why:?}\n{}", show());
                    unknown += 1;
                }
            }
        }
    }
    assert!(found > 400 && none > 150 && unknown <= 20, "{found} found, {none} none, {unknown} unknown");
}

struct Case {
    grammar: Grammar,
    arena: Arena,
    inputs: Vec<RuleId>,
    conditions: Vec<Condition>,
}

impl Case {
    fn is(&mut self, test: Test) {
        self.conditions.push(Condition { test, holds: true });
    }

    fn answer(&self, near: &[&str]) -> Answer {
        let near: Vec<Term> = near.iter().map(|text| read(text)).collect();
        let Case { grammar, arena, inputs, conditions } = self;
        Structural::new(Arithmetic).solve(&Query { arena, grammar, inputs, conditions, near: &near }, &BUDGET)
    }

    #[track_caller]
    fn found(&self, near: &[&str]) -> String {
        match self.answer(near) {
            Answer::Sat(inputs) => format!("{inputs:?}"),
            Answer::Unsat => panic!("none"),
            Answer::Unknown(why) => panic!("{why:?}"),
        }
    }
}

/// A fun from integers to integers, and an integer.
fn case() -> Case {
    let mut grammar = Grammar::default();
    let integer = grammar.intern(vec![Shape::Integer { low: None, high: None }]);
    let fun = fun(&mut grammar, 1, integer);
    Case { grammar, arena: Arena::new(), inputs: vec![fun, integer], conditions: Vec::new() }
}

#[test]
fn a_row_is_added_and_the_others_stay() {
    let mut case = case();
    let (f, x) = (case.arena.input(0), case.arena.input(1));
    let (result, wanted) = (case.arena.result(f, vec![x]), case.arena.integer(42));
    case.is(Test::Same(result, wanted));
    assert_eq!(case.found(&[]), "[fun(0) -> 42; (_) -> 0 end, 0]");
    assert_eq!(case.found(&["fun(1) -> 5; (_) -> 7 end", "3"]), "[fun(1) -> 5; (3) -> 42; (_) -> 7 end, 3]");
}

#[test]
fn the_same_arguments_give_the_same() {
    let mut case = case();
    let (f, x) = (case.arena.input(0), case.arena.input(1));
    let four = case.arena.integer(4);
    let (of_x, of_four) = (case.arena.result(f, vec![x]), case.arena.result(f, vec![four]));
    case.is(Test::Less(of_x, of_four));
    case.is(Test::Same(x, four));
    assert!(matches!(case.answer(&[]), Answer::Unsat));
    case.conditions.pop();
    case.found(&["fun(_) -> 0 end", "4"]);
}

#[test]
fn a_literal_table_is_looked_up() {
    let mut case = case();
    let x = case.arena.input(1);
    let fun = case.arena.literal(read("fun(3) -> 30; (4) -> 40; (_) -> 0 end"));
    let (result, ten) = (case.arena.result(fun, vec![x]), case.arena.integer(35));
    case.is(Test::Less(ten, result));
    assert_eq!(case.found(&["fun(_) -> 0 end", "0"]), "[fun(_) -> 0 end, 4]");
    let fifty = case.arena.integer(50);
    case.is(Test::Less(fifty, result));
    assert!(matches!(case.answer(&["fun(_) -> 0 end", "0"]), Answer::Unsat));
}

#[test]
fn arities_are_what_calls_need() {
    let mut grammar = Grammar::default();
    let any = grammar.intern(vec![Shape::Any]);
    let mut case = Case { grammar, arena: Arena::new(), inputs: vec![any], conditions: Vec::new() };
    let (f, one) = (case.arena.input(0), case.arena.integer(1));
    let result = case.arena.result(f, vec![one, one, one]);
    case.is(Test::Type(result, Type::Atom));
    assert_eq!(case.found(&[]), "[fun(1, 1, 1) -> a; (_, _, _) -> 0 end]");
    case.is(Test::Arity(f, 2));
    assert!(matches!(case.answer(&[]), Answer::Unsat));
}

#[test]
fn funs_differ_where_no_condition_looks() {
    let mut case = case();
    case.inputs[1] = case.inputs[0];
    let (f, g, three) = (case.arena.input(0), case.arena.input(1), case.arena.integer(3));
    let (of_f, of_g) = (case.arena.result(f, vec![three]), case.arena.result(g, vec![three]));
    case.is(Test::Same(of_f, three));
    case.is(Test::Same(of_f, of_g));
    case.conditions.push(Condition { test: Test::Same(f, g), holds: false });
    assert_eq!(case.found(&["fun(_) -> 3 end", "fun(_) -> 3 end"]), "[fun(0) -> 4; (_) -> 3 end, fun(_) -> 3 end]",);
}

#[test]
fn what_no_table_is_is_not_denied() {
    let mut case = case();
    let f = case.arena.input(0);
    // F(1) =:= F: there is such a fun, but no finite table.
    let one = case.arena.integer(1);
    case.grammar = Grammar::default();
    let any = case.grammar.intern(vec![Shape::Any]);
    case.inputs = vec![any];
    let result = case.arena.result(f, vec![one]);
    case.is(Test::Same(result, f));
    assert!(matches!(case.answer(&[]), Answer::Unknown(_)));
}

#[test]
fn small_funs_of_each_type() {
    let mut grammar = Grammar::default();
    let none = grammar.reserve();
    let boolean =
        grammar.intern(vec![Shape::Literal(Term::atom_named("true")), Shape::Literal(Term::atom_named("false"))]);
    let (predicate, nested) = (fun(&mut grammar, 2, boolean), fun(&mut grammar, 0, boolean));
    let curried = fun(&mut grammar, 1, nested);
    let failing = fun(&mut grammar, 1, none);
    let endless = grammar.reserve();
    grammar.fill(endless, vec![Shape::Fun { params: Some(Vec::new()), result: endless }]);
    let shown = |rule| smallest(&grammar, rule).map(|fun| fun.to_string());
    assert_eq!(shown(predicate).as_deref(), Some("fun(_, _) -> true end"));
    assert_eq!(shown(curried).as_deref(), Some("fun(_) -> fun() -> true end end"));
    assert_eq!(shown(failing).as_deref(), Some("fun erlang:throw/1"));
    assert_eq!(shown(endless), None);
}
