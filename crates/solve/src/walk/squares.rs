//! Sums that are nothing only where each of their parts is.

use constraint::{FloatOp, Op};
use term::math::Math;

use super::program::CompiledProblem;
use super::value::Num;
use crate::problem::Constraint;

/// For a test that asks of a sum of squares (or absolute values, even powers) to be nothing: the registers that all
/// must be 0. A sum of squares has a slope of 0 where it is 0, its parts have not.
pub fn parts(program: &CompiledProblem, test: &Constraint) -> Option<Vec<usize>> {
    let sum = match *test {
        Constraint::Equal(a, b) if is_zero(program, b) => a,
        Constraint::Equal(a, b) if is_zero(program, a) => b,
        Constraint::AtMost(a, b) | Constraint::Less(a, b) if is_little(program, b) => a,
        _ => return None,
    };
    let mut found = Vec::new();
    let whole = collect(program, sum, &mut found);
    (whole && found != [sum]).then_some(found)
}

fn constant(program: &CompiledProblem, register: usize) -> Option<f64> {
    match &program.registers[register] {
        Num::Undefined => None,
        value => Some(value.approx()),
    }
}

/// Hardly more than nothing: what is less is best looked for where it is nothing.
fn is_little(program: &CompiledProblem, register: usize) -> bool {
    constant(program, register).is_some_and(|value| (0.0..1e-3).contains(&value))
}

fn is_zero(program: &CompiledProblem, register: usize) -> bool {
    constant(program, register) == Some(0.0)
}

/// Returns true if the register is never negative, with the registers that are 0 where it is.
fn collect(program: &CompiledProblem, register: usize, found: &mut Vec<usize>) -> bool {
    let mut todo = vec![register];
    while let Some(register) = todo.pop() {
        if constant(program, register).is_some_and(|value| value >= 0.0) {
            continue;
        }
        let Some(made) = program.made_by[register] else { return false };
        let instruction = program.code[made as usize];
        let (left, right) = (instruction.left as usize, instruction.right as usize);
        let positive = |register| constant(program, register).is_some_and(|value| value > 0.0);
        match instruction.op {
            Op::Add | Op::Float(FloatOp::Add) => todo.extend([left, right]),
            Op::Mul | Op::Float(FloatOp::Mul) => match square(program, register) {
                Some(root) => found.extend(root),
                None => return false,
            },
            Op::Float(FloatOp::Div) if positive(right) => todo.push(left),
            Op::Abs | Op::Float(FloatOp::Abs) => found.push(left),
            Op::Float(FloatOp::Math(Math::Sqrt)) => found.push(left),
            Op::Float(FloatOp::Math(Math::Pow)) if is_even(constant(program, right)) => found.push(left),
            _ => return false,
        }
    }
    true
}

fn is_even(exponent: Option<f64>) -> bool {
    exponent.is_some_and(|exponent| exponent > 0.0 && exponent % 2.0 == 0.0)
}

/// The factors of a product each of which stands in it an even number of times, constants aside. One of them is 0 where
/// the product is; where there are several it is not said which.
fn square(program: &CompiledProblem, product: usize) -> Option<Option<usize>> {
    let (mut todo, mut factors, mut sign) = (vec![product], Vec::new(), 1.0);
    while let Some(register) = todo.pop() {
        if let Some(value) = constant(program, register) {
            sign *= value.signum();
            continue;
        }
        let instruction = program.made_by[register].map(|made| program.code[made as usize]);
        match instruction.map(|instruction| (instruction.op, instruction)) {
            Some((Op::Mul | Op::Float(FloatOp::Mul), it)) => todo.extend([it.left as usize, it.right as usize]),
            Some((Op::Float(FloatOp::Math(Math::Pow)), it)) if is_even(constant(program, it.right as usize)) => {
                factors.extend([it.left as usize; 2]);
            }
            _ => factors.push(register),
        }
        if factors.len() > MOST_FACTORS {
            return None;
        }
    }
    factors.sort_unstable();
    let paired = factors.chunks(2).all(|pair| matches!(pair, [a, b] if a == b));
    let single = factors.first().filter(|first| factors.iter().all(|factor| factor == *first));
    (paired && sign > 0.0).then_some(single.copied())
}

/// Larger products are not taken apart.
const MOST_FACTORS: usize = 16;
