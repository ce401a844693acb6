//! Proofs held to what is known to be a solution, and what must be found or refuted.

#[path = "../../tests/float_ops/mod.rs"]
mod float_ops;
mod linear;

use constraint::{FloatOp, Op};
use num_bigint::BigInt;
use term::Term;
use term::math::Math;

pub use self::float_ops::FLOAT_OPS;
use super::narrow::{initial, narrow};
use super::problem::is_met_by;
use super::{MixedProblem, Number, solve};
use crate::integer::{Range, Variable};
use crate::problem::{Constraint, Expression};
use crate::query::{Answer, Budget};

const BUDGET: Budget = Budget { choices: 10_000, rlimit: 0, walk: 0 };

fn special(random: &mut fastrand::Rng) -> f64 {
    let all = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        1.5,
        -2.5,
        3.0,
        36.6,
        100.0,
        1e16,
        9_007_199_254_740_992.0,
        9_007_199_254_740_993.0,
        1e300,
        -1e308,
        f64::MAX,
        -f64::MAX,
        f64::MIN_POSITIVE,
        f64::from_bits(1),
        -f64::from_bits(3),
        1e-320,
        65504.0,
        65520.0,
    ];
    match random.u32(0..4) {
        0 => f64::from(random.i32(-40..40)) / 4.0,
        1 => loop {
            let value = f64::from_bits(random.u64(..));
            if value.is_finite() {
                return value;
            }
        },
        _ => all[random.usize(0..all.len())],
    }
}

fn integer(random: &mut fastrand::Rng) -> BigInt {
    match random.u32(0..6) {
        0 => BigInt::from(random.i64(-20..20)),
        5 => BigInt::from(random.i64(-330..330)),
        1 => (BigInt::from(1) << 53) + random.i64(-3..4),
        2 => (BigInt::from(random.i64(..)) << random.u32(0..80)) + random.i64(-3..4),
        3 => (BigInt::from(1) << 1024) - (BigInt::from(1) << 970) + random.i64(-3..4),
        _ => BigInt::from(random.u64(..)),
    }
}

/// A problem that these values solve, whatever else does.
fn made(random: &mut fastrand::Rng) -> (MixedProblem, Vec<Term>) {
    let mut problem = MixedProblem::default();
    let mut values: Vec<Term> = Vec::new();
    for _ in 0..random.usize(1..4) {
        if random.u32(0..3) > 0 {
            values.push(Term::float(special(random)));
            problem.variables.push(Number::Float(random.bool().then(|| special(random))));
        } else {
            values.push(Term::big(integer(random)));
            problem.variables.push(Number::Integer(Variable::default()));
        }
        problem.exprs.push(Expression::Variable(values.len() - 1));
    }
    let mut all = values.clone();
    for _ in 0..random.usize(0..12) {
        add(random, &mut problem, &mut all);
    }
    for _ in 0..random.usize(1..7) {
        let (a, b) = (random.usize(0..all.len()), random.usize(0..all.len()));
        let order = all[a].compare(&all[b]);
        problem.relations.push(match random.u32(0..2) {
            0 if order.is_eq() => Constraint::Equal(a, b),
            _ if order.is_eq() => Constraint::AtMost(a, b),
            0 => Constraint::Differ(a, b),
            _ if order.is_lt() => Constraint::Less(a, b),
            _ => Constraint::AtMost(b, a),
        });
    }
    (problem, values)
}

fn add(random: &mut fastrand::Rng, problem: &mut MixedProblem, all: &mut Vec<Term>) {
    if random.u32(0..4) == 0 {
        let value = if random.bool() { Term::float(special(random)) } else { Term::big(integer(random)) };
        // A constant that one of the others is, or one beside it.
        let known = all[random.usize(0..all.len())].clone();
        let value = if random.bool() { known } else { value };
        problem.exprs.push(Expression::Constant(value.clone()));
        return all.push(value);
    }
    let math = Math::ALL;
    let op = match random.u32(0..8) {
        0 | 1 => Op::Float(FloatOp::Math(math[random.usize(0..math.len())])),
        2 => [Op::Add, Op::Sub, Op::Mul, Op::Neg, Op::Abs, Op::Div, Op::Rem, Op::Band][random.usize(0..8)],
        _ => Op::Float(FLOAT_OPS[random.usize(0..FLOAT_OPS.len())]),
    };
    for _ in 0..8 {
        for count in [1, 2] {
            let args: Vec<usize> = (0..count).map(|_| random.usize(0..all.len())).collect();
            let terms: Vec<Term> = args.iter().map(|at| all[*at].clone()).collect();
            if let Some(value) = op.compute(&terms) {
                problem.exprs.push(Expression::Apply(op, args));
                return all.push(value);
            }
            let floats = terms.iter().all(|term| matches!(term, Term::Float(..)));
            let two = matches!(op, Op::Float(FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div));
            let (is_of, one_integer) = (op == Op::Float(FloatOp::Of), terms.len() == 1 && terms[0].is_integer());
            if let Op::Float(op) = op
                && (floats && two && count == 2
                    || op == FloatOp::Decimal && count == 2 && terms.iter().all(Term::is_integer)
                    || is_of && one_integer
                    || floats && count == 1 && matches!(op, FloatOp::Math(math) if math.arity() == 1))
            {
                problem.failing.push((op, args));
            }
        }
    }
}

#[test]
fn what_has_a_solution_is_never_refuted() {
    let mut random = fastrand::Rng::with_seed(11);
    let (mut solved, mut rounds) = (0, 0);
    for round in 0..8_000 {
        let (problem, values) = made(&mut random);
        assert!(is_met_by(&problem, &values), "{problem:?} {values:?}");
        let all = problem.evaluated(&values).expect("they were computed");
        let mut doms = initial(&problem).expect("constants are numbers");
        assert!(narrow(&problem, &mut doms).is_ok(), "round {round}: {problem:?} {values:?}");
        for (at, (dom, value)) in doms.iter().zip(&all).enumerate() {
            assert!(dom.contains(value), "round {round}: {at}: {dom:?} {value} {problem:?} {values:?}");
        }
        if round % 4 > 0 {
            continue;
        }
        rounds += 1;
        match solve(&problem, &BUDGET) {
            Answer::Sat(found) => {
                assert!(is_met_by(&problem, &found), "{problem:?} {found:?}");
                solved += 1;
            }
            Answer::Unsat => panic!("round {round}: {problem:?} {values:?}"),
            Answer::Unknown(_) => {}
        }
    }
    assert!(solved * 10 > rounds * 8, "{solved} of {rounds}");
}

/// One float, what is computed from it, and relations.
struct Case(MixedProblem);

impl Case {
    fn new(floats: usize) -> Case {
        let variables = vec![Number::Float(None); floats];
        let exprs = (0..floats).map(Expression::Variable).collect();
        Case(MixedProblem { variables, exprs, ..MixedProblem::default() })
    }

    fn constant(&mut self, value: Term) -> usize {
        self.0.exprs.push(Expression::Constant(value));
        self.0.exprs.len() - 1
    }

    fn float(&mut self, value: f64) -> usize {
        self.constant(Term::float(value))
    }

    fn apply(&mut self, op: FloatOp, args: &[usize]) -> usize {
        self.0.exprs.push(Expression::Apply(Op::Float(op), args.to_vec()));
        self.0.exprs.len() - 1
    }

    fn is(mut self, relation: Constraint) -> Case {
        self.0.relations.push(relation);
        self
    }

    fn found(&self) -> Vec<Term> {
        match solve(&self.0, &BUDGET) {
            Answer::Sat(values) => values,
            other => panic!("{other:?}"),
        }
    }

    fn none(&self) {
        let answer = solve(&self.0, &BUDGET);
        assert!(matches!(answer, Answer::Unsat), "{answer:?}");
    }
}

#[test]
fn bounds_give_short_floats() {
    let mut case = Case::new(1);
    let (low, high) = (case.float(36.6), case.float(37.2));
    let case = case.is(Constraint::Less(low, 0)).is(Constraint::Less(0, high));
    assert_eq!(case.found(), [Term::float(37.0)]);
    let mut case = case.is(Constraint::Less(0, low));
    case.none();
    case.0.relations.clear();
    let big = case.constant(Term::int((1 << 53) + 1));
    assert_eq!(case.is(Constraint::Less(big, 0)).found(), [Term::float(1e16)]);
}

#[test]
fn a_square_is_found_or_there_is_none() {
    for (square, found) in [(2.25, true), (2.0, false), (-1.0, false)] {
        let mut case = Case::new(1);
        let wanted = case.float(square);
        let product = case.apply(FloatOp::Mul, &[0, 0]);
        let case = case.is(Constraint::Equal(product, wanted));
        if found { assert!(!case.found().is_empty()) } else { case.none() }
    }
}

#[test]
fn temperatures_and_roundings_are_had_back() {
    let mut case = Case::new(1);
    let (factor, offset, wanted) = (case.float(1.8), case.float(32.0), case.float(50.0));
    let product = case.apply(FloatOp::Mul, &[0, factor]);
    let sum = case.apply(FloatOp::Add, &[product, offset]);
    assert_eq!(case.is(Constraint::Equal(sum, wanted)).found(), [Term::float(10.0)]);
    let mut case = Case::new(1);
    let hundred = case.float(100.0);
    let cents = case.apply(FloatOp::Mul, &[0, hundred]);
    let round = case.apply(FloatOp::Round, &[cents]);
    let wanted = case.constant(Term::int(1999));
    assert_eq!(case.is(Constraint::Equal(round, wanted)).found(), [Term::float(19.99)]);
}

#[test]
fn nothing_comes_before_itself() {
    // Low =< X =< High, and yet not Low =< High.
    let case = Case::new(3).is(Constraint::AtMost(0, 1)).is(Constraint::AtMost(1, 2));
    case.found();
    case.is(Constraint::Less(2, 0)).none();
    let case = Case::new(2).is(Constraint::AtMost(0, 1)).is(Constraint::AtMost(1, 0));
    case.found();
    case.is(Constraint::Differ(0, 1)).none();
}

#[test]
fn an_overflow_is_found_where_there_is_one() {
    let mut case = Case::new(2);
    case.0.failing.push((FloatOp::Add, vec![0, 1]));
    case.found();
    let large = case.float(1e307);
    let case = case.is(Constraint::AtMost(0, large)).is(Constraint::AtMost(1, large));
    assert!(case.found().iter().all(|value| value.compare(&Term::float(-1e300)).is_lt()));
    let mut case = case;
    let small = case.float(-1e307);
    case.is(Constraint::AtMost(small, 0)).is(Constraint::AtMost(small, 1)).none();
}

#[test]
fn integers_and_floats_meet() {
    let variables = vec![Number::Integer(Variable::default()), Number::Float(None)];
    let exprs = vec![Expression::Variable(0), Expression::Variable(1)];
    let mut case = Case(MixedProblem { variables, exprs, ..MixedProblem::default() });
    let float = case.apply(FloatOp::Of, &[0]);
    let limit = case.constant(Term::int(1 << 53));
    // float(X) == 2^53, and yet X is larger.
    let case = case.is(Constraint::Equal(float, limit)).is(Constraint::Less(limit, 0)).is(Constraint::Equal(1, limit));
    assert_eq!(case.found()[0], Term::int((1 << 53) + 1));
}

/// A float above zero whose shortest decimal has these digits and that power of ten.
fn shortest(low: BigInt, high: BigInt, power: i64) -> Case {
    let mut case = Case::new(1);
    let [digits, ten] = [FloatOp::Digits, FloatOp::Power].map(|op| case.apply(op, &[0]));
    let [low, high] = [low, high].map(|bound| case.constant(Term::big(bound)));
    let [below, at, zero] = [Term::int(power - 1), Term::int(power), Term::float(0.0)].map(|it| case.constant(it));
    let case =
        case.is(Constraint::Less(zero, 0)).is(Constraint::AtMost(low, digits)).is(Constraint::Less(digits, high));
    case.is(Constraint::Less(below, ten)).is(Constraint::AtMost(ten, at))
}

#[test]
fn shortest_decimals_are_chosen_by_their_digits() {
    for (count, power) in [(0, 0), (1, -1), (2, 5), (9, 200), (14, -320), (14, -310), (16, 3)] {
        let [low, high] = [count, count + 1].map(|count| BigInt::from(10).pow(count));
        let case = shortest(low, high, power);
        assert!(is_met_by(&case.0, &case.found()));
    }
    // A multiple of ten is written with another power.
    shortest(BigInt::from(40), BigInt::from(41), 5).none();
}

#[test]
fn a_text_of_so_many_places_is_had_back_or_there_is_none() {
    let digits =
        |low: i64, high: i64| Number::Integer(Variable { range: Range::between(low.into(), high.into()), near: None });
    let read = |wanted: f64, places: i64| {
        let mut case = Case(MixedProblem {
            variables: vec![digits(0, 99_999)],
            exprs: vec![Expression::Variable(0)],
            ..MixedProblem::default()
        });
        let (power, wanted) = (case.constant(Term::int(-places)), case.float(wanted));
        let value = case.apply(FloatOp::Decimal, &[0, power]);
        case.is(Constraint::Equal(value, wanted))
    };
    assert_eq!(read(36.6, 1).found(), [Term::int(366)]);
    assert_eq!(read(36.6, 3).found(), [Term::int(36_600)]);
    read(36.65, 1).none();
    read(36.6, 4).none();
    let written = |places: i16, wanted: i64| {
        let mut case = Case::new(1);
        let wanted = case.constant(Term::int(wanted));
        let scaled = case.apply(FloatOp::Scaled(places), &[0]);
        case.is(Constraint::Equal(scaled, wanted))
    };
    assert_eq!(written(2, 1999).found(), [Term::float(19.99)]);
    let digits = 10_000_000_000_000_000;
    assert_eq!(written(17, digits + 1).found(), [Term::float(0.1)]);
    // So many digits of a float are not any digits.
    written(17, digits).none();
}

#[test]
fn the_sign_of_a_zero_is_chosen_or_cannot_be() {
    let sign_bit = |case: &mut Case, of: usize| {
        let word = case.apply(FloatOp::Write(constraint::Width::Double), &[of]);
        let least = case.constant(Term::big(BigInt::from(1) << 63));
        (least, word)
    };
    let mut case = Case::new(1);
    let zero = case.float(0.0);
    let (least, word) = sign_bit(&mut case, 0);
    let found = case.is(Constraint::Equal(0, zero)).is(Constraint::AtMost(least, word)).found();
    assert!(matches!(found[..], [Term::Float(_, value)] if value == 0.0 && value.is_sign_negative()));
    let variables = vec![Number::Integer(Variable::default())];
    let mut case = Case(MixedProblem { variables, exprs: vec![Expression::Variable(0)], ..MixedProblem::default() });
    let (zero, float) = (case.constant(Term::int(0)), case.apply(FloatOp::Of, &[0]));
    let (least, word) = sign_bit(&mut case, float);
    case.is(Constraint::AtMost(zero, 0)).is(Constraint::AtMost(least, word)).none();
}
