//! Linear contradictions, circles and integers alone: held to systems that have a solution, and what must be refuted.

use constraint::{FloatOp, Op};
use num_bigint::BigInt;
use term::Term;
use term::math::Math;

use super::super::narrow::{initial, narrow};
use super::super::{linear, whole};
use super::{Case, special};
use crate::float::{MixedProblem, Number, solve};
use crate::integer::Variable;
use crate::problem::{Constraint, Expression};
use crate::query::{Answer, Budget};

/// A number that sums of others round, cancel or swallow.
fn number(random: &mut fastrand::Rng) -> f64 {
    let size = [1.0, 1.0, 0.1, 1e-3, 1e8, 1e16, 1e-16, 1e150, 1e-300, 1e300][random.usize(0..10)];
    match random.u32(0..4) {
        0 => special(random),
        1 => f64::from(random.i32(-9..10)) * size,
        _ => (random.f64() - 0.5) * size,
    }
}

fn push(problem: &mut MixedProblem, all: &mut Vec<Term>, op: Op, args: Vec<usize>) -> bool {
    let terms: Vec<Term> = args.iter().map(|at| all[*at].clone()).collect();
    let Some(value) = op.compute(&terms) else { return false };
    problem.exprs.push(Expression::Apply(op, args));
    all.push(value);
    true
}

/// A problem of sums, multiples, waves and integers that these values solve.
fn made(random: &mut fastrand::Rng) -> (MixedProblem, Vec<Term>) {
    let (mut problem, mut all) = (MixedProblem::default(), Vec::new());
    for at in 0..random.usize(1..5) {
        if random.u32(0..4) > 0 {
            all.push(Term::float(number(random)));
            problem.variables.push(Number::Float(None));
        } else {
            all.push(Term::big(BigInt::from(random.i64(-1000..1000)) << (random.u32(0..3) * random.u32(0..40))));
            problem.variables.push(Number::Integer(Variable::default()));
        }
        problem.exprs.push(Expression::Variable(at));
    }
    let values = all.clone();
    for _ in 0..random.usize(2..10) {
        let pick = |random: &mut fastrand::Rng, all: &Vec<Term>, float: bool| {
            let fitting = (0..all.len()).filter(|at| matches!(all[*at], Term::Float(..)) == float);
            let fitting: Vec<usize> = fitting.collect();
            (!fitting.is_empty()).then(|| fitting[random.usize(0..fitting.len())])
        };
        let float = random.u32(0..4) > 0;
        let Some(a) = pick(random, &all, float) else { continue };
        let b = match random.u32(0..3) {
            0 => {
                let value = if float { Term::float(number(random)) } else { Term::int(random.i64(-9..10)) };
                problem.exprs.push(Expression::Constant(value.clone()));
                all.push(value);
                all.len() - 1
            }
            _ => pick(random, &all, float).unwrap_or(a),
        };
        let kind = random.u32(0..9);
        match (float, kind) {
            (true, 0) => {
                push(&mut problem, &mut all, Op::Float(FloatOp::Math(Math::Sin)), vec![a]);
                push(&mut problem, &mut all, Op::Float(FloatOp::Math(Math::Cos)), vec![a]);
            }
            (true, 1) => {
                push(&mut problem, &mut all, Op::Float(FloatOp::Mul), vec![a, a]);
            }
            (true, kind) => {
                let op =
                    [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div, FloatOp::Add, FloatOp::Sub, FloatOp::Neg]
                        [kind as usize - 2];
                let args = if op == FloatOp::Neg { vec![a] } else { vec![a, b] };
                push(&mut problem, &mut all, Op::Float(op), args);
            }
            (false, 0 | 1) => {
                push(&mut problem, &mut all, Op::Float(FloatOp::Of), vec![a]);
            }
            (false, kind) => {
                let op = [Op::Add, Op::Sub, Op::Mul, Op::Rem, Op::Band, Op::Mul, Op::Add][kind as usize - 2];
                push(&mut problem, &mut all, op, vec![a, b]);
            }
        }
    }
    for _ in 0..random.usize(1..8) {
        let (a, b) = (random.usize(0..all.len()), random.usize(0..all.len()));
        let order = all[a].compare(&all[b]);
        problem.relations.push(match order {
            order if order.is_eq() => Constraint::Equal(a, b),
            order if order.is_lt() => Constraint::Less(a, b),
            _ => Constraint::Less(b, a),
        });
    }
    (problem, values)
}

#[test]
fn systems_with_a_solution_are_never_refuted() {
    let mut random = fastrand::Rng::with_seed(23);
    let budget = Budget { choices: 60, rlimit: 0, walk: 0 };
    for round in 0..4_000 {
        let (problem, values) = made(&mut random);
        let mut doms = initial(&problem).expect("constants are numbers");
        assert!(narrow(&problem, &mut doms).is_ok(), "round {round}: {problem:?} {values:?}");
        assert!(!linear::is_contradictory(&problem, &doms), "round {round}: {problem:?} {values:?}");
        assert!(!whole::is_contradictory(&problem, &doms), "round {round}: {problem:?} {values:?}");
        if round % 16 == 0 {
            let answer = solve(&problem, &budget);
            assert!(!matches!(answer, Answer::Unsat), "round {round}: {problem:?} {values:?}");
        }
    }
}

/// What the library gives for a sine and a cosine lies as close to a circle as the rows say, whatever the angle.
#[test]
fn sines_and_cosines_lie_on_a_circle() {
    let mut random = fastrand::Rng::with_seed(29);
    for _ in 0..400_000 {
        let angle = if random.bool() { special(&mut random) } else { (random.f64() - 0.5) * 100.0 };
        let (sine, cosine) = (angle.sin(), angle.cos());
        assert!((sine * sine + cosine * cosine - 1.0).abs() < 2f64.powi(-49), "{angle}");
        assert!(
            (sine * cosine).abs() <= 0.5 + 2f64.powi(-49) && (sine + cosine).abs() < 2f64.sqrt() + 1e-12,
            "{angle}"
        );
    }
}

impl Case {
    fn op(&mut self, op: Op, args: &[usize]) -> usize {
        self.0.exprs.push(Expression::Apply(op, args.to_vec()));
        self.0.exprs.len() - 1
    }

    fn wave(&mut self, math: Math, of: usize) -> usize {
        self.apply(FloatOp::Math(math), &[of])
    }
}

#[test]
fn sums_that_contradict_each_other_are_refuted() {
    // X - Y > 1, Y - Z > 1, Z - X > 1
    let mut case = Case::new(3);
    let one = case.float(1.0);
    let differences = [(0, 1), (1, 2), (2, 0)].map(|(a, b)| case.apply(FloatOp::Sub, &[a, b]));
    for difference in differences {
        case = case.is(Constraint::Less(one, difference));
    }
    case.none();
    // X + 2Y > 10, 2X + 4Y < 19
    let mut case = Case::new(2);
    let [two, four, ten, most] = [2.0, 4.0, 10.0, 19.0].map(|value| case.float(value));
    let double = case.apply(FloatOp::Mul, &[1, two]);
    let sum = case.apply(FloatOp::Add, &[0, double]);
    let [left, right] = [(0, two), (1, four)].map(|(a, by)| case.apply(FloatOp::Mul, &[a, by]));
    let other = case.apply(FloatOp::Add, &[left, right]);
    let bound = case.float(1e6);
    let least = case.float(-1e6);
    for at in 0..2 {
        case = case.is(Constraint::Less(at, bound)).is(Constraint::Less(least, at));
    }
    case.is(Constraint::Less(ten, sum)).is(Constraint::Less(other, most)).none();
}

/// Rounding makes room: `(X + 1.0) - X` is not 1 for a large `X`.
#[test]
fn what_only_rounding_meets_is_not_refuted() {
    let mut case = Case::new(1);
    let one = case.float(1.0);
    let sum = case.apply(FloatOp::Add, &[0, one]);
    let rest = case.apply(FloatOp::Sub, &[sum, 0]);
    case.is(Constraint::Less(rest, one)).found();
}

#[test]
fn circles_are_known() {
    for (most, is_above) in [(1.0001, true), (0.9, false), (2.0, true)] {
        let mut case = Case::new(1);
        let [sine, cosine] = [Math::Sin, Math::Cos].map(|math| case.wave(math, 0));
        let two = case.float(2.0);
        let squares = [case.apply(FloatOp::Mul, &[sine, sine]), case.apply(FloatOp::Math(Math::Pow), &[cosine, two])];
        let (sum, bound) = (case.apply(FloatOp::Add, &squares), case.float(most));
        case.is(if is_above { Constraint::Less(bound, sum) } else { Constraint::Less(sum, bound) }).none();
    }
    for (op, bound) in [(FloatOp::Add, 1.5), (FloatOp::Sub, 1.42), (FloatOp::Mul, 0.51)] {
        let mut case = Case::new(1);
        let [sine, cosine] = [Math::Sin, Math::Cos].map(|math| case.wave(math, 0));
        let (sum, bound) = (case.apply(op, &[sine, cosine]), case.float(bound));
        case.is(Constraint::Less(bound, sum)).none();
    }
}

#[test]
fn angles_have_their_quadrant() {
    let pi = std::f64::consts::PI;
    for bound in [pi, 3.2] {
        let mut case = Case::new(2);
        let (angle, most) = (case.apply(FloatOp::Math(Math::Atan2), &[0, 1]), case.float(bound));
        case.is(Constraint::Less(most, angle)).none();
    }
    let mut case = Case::new(2);
    let (angle, zero) = (case.apply(FloatOp::Math(Math::Atan2), &[0, 1]), case.float(0.0));
    case.is(Constraint::Less(angle, zero)).is(Constraint::Less(zero, 0)).none();
    // The sign of a zero chooses between the ends.
    let mut case = Case::new(2);
    let angle = case.apply(FloatOp::Math(Math::Atan2), &[0, 1]);
    let (zero, minus) = (case.float(0.0), case.float(-pi));
    let case = case.is(Constraint::Equal(angle, minus)).is(Constraint::Equal(0, zero));
    assert!(!matches!(solve(&case.0, &super::BUDGET), Answer::Unsat));
}

#[test]
fn integers_beside_floats_are_refuted_alone() {
    let variables = vec![Number::Integer(Variable::default()), Number::Float(None)];
    let exprs = vec![Expression::Variable(0), Expression::Variable(1)];
    let mut case = Case(MixedProblem { variables, exprs, ..MixedProblem::default() });
    let float = case.apply(FloatOp::Of, &[0]);
    let wave = case.wave(Math::Sin, float);
    let sum = case.apply(FloatOp::Add, &[wave, 1]);
    let half = case.float(0.5);
    let square = case.op(Op::Mul, &[0, 0]);
    let [four, two] = [4, 2].map(|value| case.constant(Term::int(value)));
    let rest = case.op(Op::Rem, &[square, four]);
    case.is(Constraint::Less(half, sum)).is(Constraint::Equal(rest, two)).none();
}
