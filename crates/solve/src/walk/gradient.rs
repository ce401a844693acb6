//! Slopes: how a test's difference changes with each variable, by going back through the instructions.

use constraint::{FloatOp, Op};
use term::math::Math;

use super::assignment::Assignment;
use super::value::Num;

/// The derivatives of a sum of registers, each taken as often as it says, by the variables. Where there are none, as of
/// bit operations, they count as 0.
pub fn gradient(point: &Assignment<'_>, of: &[(usize, f64)]) -> Vec<f64> {
    let program = point.program;
    let mut weight = vec![0.0; point.registers.len()];
    of.iter().for_each(|(register, times)| weight[*register] += times);
    for instruction in program.code.iter().rev() {
        let out = weight[instruction.out as usize];
        if out == 0.0 {
            continue;
        }
        let (left, right) = (instruction.left as usize, instruction.right as usize);
        let value = |register: usize| match &point.registers[register] {
            Num::Undefined => 0.0,
            value => value.approx(),
        };
        let (by_left, by_right) = derivatives(instruction.op, value(left), value(right));
        weight[left] += finite(out * by_left);
        weight[right] += finite(out * by_right);
    }
    weight.truncate(program.variables());
    weight
}

fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

/// By the left and the right operand; all of it by the left one if there is only that.
fn derivatives(op: Op, x: f64, y: f64) -> (f64, f64) {
    match op {
        Op::Add | Op::Float(FloatOp::Add) => (1.0, 1.0),
        Op::Sub | Op::Float(FloatOp::Sub) => (1.0, -1.0),
        Op::Mul | Op::Float(FloatOp::Mul) => (y, x),
        Op::Div | Op::Float(FloatOp::Div) => (1.0 / y, -x / (y * y)),
        Op::Rem => (1.0, -(x / y).trunc()),
        Op::Neg | Op::Float(FloatOp::Neg) => (-1.0, 0.0),
        Op::Abs | Op::Float(FloatOp::Abs) => (if x < 0.0 { -1.0 } else { 1.0 }, 0.0),
        Op::Bnot => (-1.0, 0.0),
        Op::Bsl => (y.exp2(), 0.0),
        Op::Bsr => ((-y).exp2(), 0.0),
        Op::Bor | Op::Bxor => (1.0, 1.0),
        Op::Float(FloatOp::Of | FloatOp::Trunc | FloatOp::Round | FloatOp::Floor | FloatOp::Ceil) => (1.0, 0.0),
        Op::Float(FloatOp::Decimal) => (10f64.powf(y), 0.0),
        Op::Float(FloatOp::Scaled(power)) => (10f64.powi(i32::from(power)), 0.0),
        Op::Float(FloatOp::Math(math)) => of_math(math, x, y),
        _ => (0.0, 0.0),
    }
}

fn of_math(math: Math, x: f64, y: f64) -> (f64, f64) {
    let by_one = match math {
        Math::Sin => x.cos(),
        Math::Cos => -x.sin(),
        Math::Tan => 1.0 + x.tan() * x.tan(),
        Math::Asin => 1.0 / (1.0 - x * x).sqrt(),
        Math::Acos => -1.0 / (1.0 - x * x).sqrt(),
        Math::Atan => 1.0 / (1.0 + x * x),
        Math::Sinh => x.cosh(),
        Math::Cosh => x.sinh(),
        Math::Tanh => 1.0 - x.tanh() * x.tanh(),
        Math::Asinh => 1.0 / (x * x + 1.0).sqrt(),
        Math::Acosh => 1.0 / (x * x - 1.0).sqrt(),
        Math::Atanh => 1.0 / (1.0 - x * x),
        Math::Exp => x.exp(),
        Math::Log => 1.0 / x,
        Math::Log2 => std::f64::consts::LOG2_E / x,
        Math::Log10 => std::f64::consts::LOG10_E / x,
        Math::Sqrt => 0.5 / x.sqrt(),
        Math::Erf => std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp(),
        Math::Erfc => -std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp(),
        Math::Floor | Math::Ceil => 1.0,
        Math::Pow => return (y * x.powf(y - 1.0), x.powf(y) * x.ln()),
        Math::Atan2 => {
            let square = x * x + y * y;
            return (y / square, -x / square);
        }
        Math::Fmod => return (1.0, -(x / y).trunc()),
    };
    (by_one, 0.0)
}
