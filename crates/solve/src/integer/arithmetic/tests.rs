//! The arithmetic member against the whole truth on small problems.

#[path = "../../../tests/random_problems/mod.rs"]
mod random_problems;

use constraint::Op;
use num_bigint::BigInt;
use term::Term;

use self::random_problems::{BINARY, RandomProblems, UNARY};
use super::super::components::Components;
use super::super::evaluate::{compute, is_met_by};
use super::super::int::Int;
use super::super::interval::Range;
use super::super::problem::{IntegerAnswer, IntegerProblem, IntegerSolver, Variable};
use super::Arithmetic;
use crate::problem::{Constraint, Expression};
use crate::query::{Answer, Budget};

const BUDGET: Budget = Budget { choices: 1000, rlimit: 0, walk: 0 };

fn solve(problem: &IntegerProblem) -> IntegerAnswer {
    Arithmetic.solve(problem, &BUDGET)
}

/// All values of bounded variables.
fn enumerate(problem: &IntegerProblem, values: &mut Vec<BigInt>) -> bool {
    let Some(variable) = problem.variables.get(values.len()) else { return is_met_by(problem, values) };
    let (mut value, high) = (variable.range.low.clone().unwrap(), variable.range.high.clone().unwrap());
    while value <= high {
        values.push(value.clone());
        if enumerate(problem, values) {
            return true;
        }
        values.pop();
        value += 1;
    }
    false
}

fn compare(sample: &RandomProblems, count: usize, seed: u64) -> f64 {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut undecided = 0;
    for _ in 0..count {
        let problem = sample.problem(&mut |below| random.u64(0..below));
        let truth = enumerate(&problem, &mut Vec::new());
        for answer in [solve(&problem), Components(Arithmetic).solve(&problem, &BUDGET)] {
            match answer {
                Answer::Sat(values) => assert!(is_met_by(&problem, &values), "{problem:?} {values:?}"),
                Answer::Unsat => assert!(!truth, "{problem:?}"),
                Answer::Unknown(_) => undecided += 1,
            }
        }
    }
    undecided as f64 / (2 * count) as f64
}

#[test]
fn small_problems_are_decided_as_enumeration_does() {
    let sample = RandomProblems { variables: 3, most: 9, operations: 5, relations: 4, bounded: true, all: true };
    assert!(compare(&sample, 8000, 1) < 0.02);
    let longer = RandomProblems { operations: 9, relations: 3, most: 12, ..sample };
    assert!(compare(&longer, 4000, 2) < 0.05);
}

#[test]
fn small_linear_problems_are_decided_as_enumeration_does() {
    let sample = RandomProblems { variables: 3, most: 9, operations: 6, relations: 5, bounded: true, all: false };
    assert!(compare(&sample, 6000, 3) < 0.001);
}

#[test]
fn unbounded_problems_have_no_small_values_where_none_are_claimed() {
    let sample = RandomProblems { variables: 2, most: 9, operations: 5, relations: 4, bounded: false, all: true };
    let mut random = fastrand::Rng::with_seed(4);
    let mut undecided = 0;
    for _ in 0..6000 {
        let problem = sample.problem(&mut |below| random.u64(0..below));
        match solve(&problem) {
            Answer::Sat(values) => assert!(is_met_by(&problem, &values), "{problem:?} {values:?}"),
            Answer::Unsat => assert!(!enumerate(&within(&problem, 15), &mut Vec::new()), "{problem:?}"),
            Answer::Unknown(_) => undecided += 1,
        }
    }
    assert!(undecided < 120, "{undecided}");
}

fn within(problem: &IntegerProblem, most: i64) -> IntegerProblem {
    let mut problem = problem.clone();
    for variable in &mut problem.variables {
        variable.range.low.get_or_insert_with(|| BigInt::from(-most));
        variable.range.high.get_or_insert_with(|| BigInt::from(most));
    }
    problem
}

#[test]
fn operations_are_those_of_terms() {
    let mut values: Vec<BigInt> = (-20..=20).map(BigInt::from).collect();
    for power in [62u32, 63, 64, 127] {
        let value = BigInt::from(1) << power;
        values.extend([&value - 1, value.clone(), &value + 1, -&value - 1, -&value, -value + 1]);
    }
    let both = |op: Op, args: &[&BigInt]| {
        let terms: Vec<Term> = args.iter().map(|value| Term::big((*value).clone())).collect();
        let ints: Vec<Int> = args.iter().map(|value| Int::of(value)).collect();
        let ours = compute(op, &ints.iter().collect::<Vec<_>>()).map(|value| Term::big(value.to_big()));
        let truth = op.compute(&terms);
        let large = ours.is_none() && matches!(op, Op::Bsl | Op::Bsr);
        assert!(ours == truth || large, "{op:?} {args:?}: {ours:?}");
    };
    for a in &values {
        UNARY.iter().for_each(|op| both(*op, &[a]));
        for b in &values {
            BINARY.iter().for_each(|op| both(*op, &[a, b]));
        }
    }
}

/// A problem over unbounded variables, written as a program would.
#[derive(Default)]
struct Draft(IntegerProblem);

impl Draft {
    fn variable(&mut self, low: Option<i64>, high: Option<i64>, near: i64) -> usize {
        let variable = Variable {
            range: Range { low: low.map(BigInt::from), high: high.map(BigInt::from) },
            near: Some(BigInt::from(near)),
        };
        self.0.variables.push(variable);
        self.put(Expression::Variable(self.0.variables.len() - 1))
    }

    fn free(&mut self) -> usize {
        self.variable(None, None, 0)
    }

    fn put(&mut self, expr: Expression<BigInt>) -> usize {
        self.0.exprs.push(expr);
        self.0.exprs.len() - 1
    }

    fn constant(&mut self, value: i64) -> usize {
        self.put(Expression::Constant(BigInt::from(value)))
    }

    fn apply(&mut self, op: Op, args: &[usize]) -> usize {
        self.put(Expression::Apply(op, args.to_vec()))
    }

    fn with(&mut self, op: Op, a: usize, constant: i64) -> usize {
        let constant = self.constant(constant);
        self.apply(op, &[a, constant])
    }

    fn is(&mut self, a: usize, value: i64) {
        let value = self.constant(value);
        self.0.relations.push(Constraint::Equal(a, value));
    }

    fn values(&self) -> Vec<i64> {
        match solve(&self.0) {
            Answer::Sat(values) => {
                assert!(is_met_by(&self.0, &values));
                values.iter().map(|value| i64::try_from(value).unwrap()).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    fn none(&self) {
        assert_eq!(solve(&self.0), Answer::Unsat);
    }
}

#[test]
fn what_can_stay_stays() {
    let mut draft = Draft::default();
    let (x, y) = (draft.variable(None, None, 7), draft.variable(None, None, 1));
    let sum = draft.apply(Op::Add, &[x, y]);
    let ten = draft.constant(10);
    draft.0.relations.push(Constraint::Less(ten, sum));
    assert_eq!(draft.values(), [7, 4]);
}

#[test]
fn congruences_are_decided() {
    let mut draft = Draft::default();
    let x = draft.free();
    let (by4, by6) = (draft.with(Op::Rem, x, 4), draft.with(Op::Rem, x, 6));
    draft.is(by4, 1);
    draft.is(by6, 2);
    draft.none();
}

#[test]
fn squares_have_few_residues() {
    for (modulus, rest) in [(4, 2), (4, 3), (8, 5), (16, 12), (3, 2), (5, 3), (10, 7), (17, 3), (101, 2), (12, 5)] {
        let mut draft = Draft::default();
        let x = draft.free();
        let square = draft.apply(Op::Mul, &[x, x]);
        let by = draft.with(Op::Rem, square, modulus);
        draft.is(by, rest);
        draft.none();
    }
    let mut draft = Draft::default();
    let (x, y) = (draft.free(), draft.free());
    let squares = [x, y].map(|at| draft.apply(Op::Mul, &[at, at]));
    let sum = draft.apply(Op::Add, &squares);
    draft.is(sum, 4_000_003);
    draft.none();
}

#[test]
fn cubes_have_few_residues_modulo_nine() {
    let mut draft = Draft::default();
    let x = draft.free();
    let square = draft.apply(Op::Mul, &[x, x]);
    let cube = draft.apply(Op::Mul, &[square, x]);
    let by = draft.with(Op::Rem, cube, 9);
    draft.is(by, 4);
    draft.none();
}

#[test]
fn products_keep_the_parity_of_their_factors() {
    let parity = |first: i64, second: i64, product: i64| {
        let mut draft = Draft::default();
        let (x, y) = (draft.free(), draft.free());
        let whole = draft.apply(Op::Mul, &[x, y]);
        for (at, bit) in [(x, first), (y, second), (whole, product)] {
            let low = draft.with(Op::Band, at, 1);
            draft.is(low, bit);
        }
        draft
    };
    parity(0, 1, 1).none();
    parity(1, 1, 0).none();
    assert_eq!(parity(1, 1, 1).values().len(), 2);
    let mut draft = Draft::default();
    let x = draft.free();
    let next = draft.with(Op::Add, x, 1);
    let both = draft.apply(Op::Mul, &[x, next]);
    let by = draft.with(Op::Rem, both, 2);
    let zero = draft.constant(0);
    draft.0.relations.push(Constraint::Differ(by, zero));
    draft.none();
}

#[test]
fn remainders_of_large_moduli_are_found() {
    let mut draft = Draft::default();
    let x = draft.free();
    let (a, b) = (draft.with(Op::Rem, x, 10_007), draft.with(Op::Rem, x, 65_537));
    draft.is(a, 1234);
    draft.is(b, 43_210);
    assert_eq!(draft.values()[0].rem_euclid(10_007), 1234);
}

#[test]
fn masks_and_shifts_are_found() {
    let mut draft = Draft::default();
    let x = draft.free();
    let (low, high) = (draft.with(Op::Band, x, 0xF0), draft.with(Op::Bsr, x, 8));
    let flipped = draft.with(Op::Bxor, x, 0x5A);
    let odd = draft.with(Op::Band, flipped, 1);
    draft.is(low, 0xA0);
    draft.is(high, 77);
    draft.is(odd, 1);
    let x = draft.values()[0];
    assert_eq!((x & 0xF0, x >> 8, x & 1), (0xA0, 77, 1));
}

#[test]
fn cycles_of_differences_are_contradictions() {
    let mut draft = Draft::default();
    let all: Vec<usize> = (0..6).map(|_| draft.free()).collect();
    for at in 0..6 {
        draft.0.relations.push(Constraint::AtMost(all[at], all[(at + 1) % 6]));
    }
    assert_eq!(draft.values(), [0; 6]);
    draft.0.relations.push(Constraint::Differ(all[0], all[3]));
    draft.none();
}

#[test]
fn sums_are_contradictions_without_bounds() {
    let mut draft = Draft::default();
    let (x, y, z) = (draft.free(), draft.variable(Some(1), None, 1), draft.free());
    let sum = draft.apply(Op::Add, &[x, y]);
    draft.0.relations.extend([Constraint::Less(sum, z), Constraint::Less(z, x)]);
    draft.none();
}

#[test]
fn equations_in_two_unknowns_are_solved() {
    let mut draft = Draft::default();
    let (x, y) = (draft.free(), draft.free());
    let (a, b) = (draft.with(Op::Mul, x, 21), draft.with(Op::Mul, y, 34));
    let sum = draft.apply(Op::Add, &[a, b]);
    draft.is(sum, 1);
    let values = draft.values();
    assert_eq!(21 * values[0] + 34 * values[1], 1);
}

#[test]
fn products_are_factored() {
    let mut draft = Draft::default();
    let (x, y) = (draft.variable(Some(2), None, 2), draft.variable(Some(2), None, 2));
    let product = draft.apply(Op::Mul, &[x, y]);
    draft.is(product, 7 * 13);
    let values = draft.values();
    assert_eq!(values[0] * values[1], 91);
}

#[test]
fn primes_are_not_products() {
    let mut draft = Draft::default();
    let (x, y) = (draft.variable(Some(2), None, 2), draft.variable(Some(2), None, 2));
    let product = draft.apply(Op::Mul, &[x, y]);
    draft.is(product, 101);
    draft.none();
}

#[test]
fn huge_numbers_are_found() {
    let mut draft = Draft::default();
    let x = draft.free();
    let shifted = draft.with(Op::Bsl, x, 200);
    let huge = draft.put(Expression::Constant(BigInt::from(3) << 300));
    draft.0.relations.push(Constraint::AtMost(huge, shifted));
    assert!(matches!(solve(&draft.0), Answer::Sat(values) if values[0] >= BigInt::from(3) << 100));
}

#[test]
fn a_division_by_zero_is_no_answer() {
    let mut draft = Draft::default();
    let (x, y) = (draft.free(), draft.free());
    let quotient = draft.apply(Op::Div, &[x, y]);
    draft.0.relations.push(Constraint::AtMost(quotient, quotient));
    assert_ne!(draft.values()[1], 0);
    draft.is(y, 0);
    draft.none();
}

/// The value of a variable-length integer: seven bits of each byte, shifted together.
#[test]
fn fields_shifted_together_are_a_sum() {
    for count in [2, 5, 30] {
        let mut draft = Draft::default();
        let fields: Vec<usize> = (0..count).map(|_| draft.variable(Some(0), Some(127), 0)).collect();
        let mut whole = fields[0];
        for (at, field) in (0i64..).zip(&fields).skip(1) {
            let shifted = draft.with(Op::Bsl, *field, 7 * at);
            whole = draft.apply(Op::Bor, &[whole, shifted]);
        }
        draft.is(whole, 300);
        assert_eq!(draft.values()[..2], [44, 2]);
    }
}
