//! Going back: which value a variable would need for an expression to have a wanted one, all else as it is.

use std::f64::consts::{PI, TAU};

use constraint::{FloatOp, Op};
use fastrand::Rng;
use term::math::Math;

use crate::integer::int::Int;

use super::assignment::Assignment;
use super::operations::Instruction;
use super::value::{Kind, Num, approx, integer};

/// A variable of the register's expression, picked at random, and the value it would need. The expression is taken
/// apart as if nothing else in it depended on the variable.
pub fn needed(point: &Assignment<'_>, register: usize, wanted: Num, rng: &mut Rng) -> Option<(usize, Num)> {
    let program = point.program;
    let (mut register, mut wanted) = (register, wanted);
    while register >= program.variables() {
        let instruction = program.code[program.made_by[register]? as usize];
        let (left, right) = (instruction.left as usize, instruction.right as usize);
        let twice = left == right;
        let goes_left = match (program.varies[left], program.varies[right]) {
            (true, true) => twice || rng.bool(),
            (left, right) if left || right => left,
            _ => return None,
        };
        let next = if goes_left { left } else { right };
        let values = (&point.registers[left], &point.registers[right]);
        wanted = match program.kinds[next] {
            Kind::Float => {
                let side = Side { left: values.0.approx(), right: values.1.approx(), goes_left, twice };
                finite(side.float(instruction, &wanted, rng)?)?
            }
            Kind::Integer => Num::Int(integer_needed(instruction, values, goes_left, twice, &wanted, rng)?),
        };
        register = next;
    }
    // A value that is rounded before it comes to a variable may be of the other kind.
    (wanted.kind() == Some(program.kinds[register])).then_some((register, wanted))
}

fn finite(value: f64) -> Option<Num> {
    value.is_finite().then_some(Num::Float(value))
}

/// The operands of an operation on floats, and which of them is to change.
struct Side {
    left: f64,
    right: f64,
    goes_left: bool,
    twice: bool,
}

impl Side {
    fn float(&self, instruction: Instruction, wanted: &Num, rng: &mut Rng) -> Option<f64> {
        let Side { left, right, goes_left, twice } = *self;
        let to = wanted.approx();
        let Op::Float(op) = instruction.op else { return None };
        Some(match op {
            FloatOp::Add if twice => to / 2.0,
            FloatOp::Add => to - if goes_left { right } else { left },
            FloatOp::Sub if goes_left => to + right,
            FloatOp::Sub => left - to,
            FloatOp::Mul if twice => signed(to.sqrt(), left, rng),
            FloatOp::Mul => to / if goes_left { right } else { left },
            FloatOp::Div if goes_left => to * right,
            FloatOp::Div => left / to,
            FloatOp::Neg => -to,
            FloatOp::Abs => signed(to, left, rng),
            FloatOp::Math(Math::Pow) if goes_left => {
                signed(to.abs().powf(1.0 / right), if to < 0.0 { -1.0 } else { left }, rng)
            }
            FloatOp::Math(Math::Pow) => to.ln() / left.ln(),
            FloatOp::Math(Math::Atan2) if goes_left => right * to.tan(),
            FloatOp::Math(Math::Atan2) => left / to.tan(),
            FloatOp::Math(Math::Fmod) if goes_left => left - left % right + to,
            FloatOp::Math(Math::Fmod) => left - to,
            FloatOp::Math(math) => argument(math, to, left, rng),
            FloatOp::Scaled(power) => to / 10f64.powi(i32::from(power)),
            FloatOp::Trunc | FloatOp::Floor | FloatOp::Round | FloatOp::Ceil => to + inside(op, to, rng),
            _ => return None,
        })
    }
}

/// Something that rounding takes away.
fn inside(op: FloatOp, to: f64, rng: &mut Rng) -> f64 {
    let part = if rng.bool() { 0.0 } else { rng.f64() };
    match op {
        FloatOp::Trunc if to < 0.0 => -part,
        FloatOp::Ceil => -part,
        FloatOp::Round => part - 0.5,
        _ => part,
    }
}

/// With the sign of another number, most of the time.
fn signed(value: f64, like: f64, rng: &mut Rng) -> f64 {
    let flip = rng.u8(..) < 32;
    if (like < 0.0) != flip { -value } else { value }
}

/// An argument of a function of one argument for which it gives that, close to the present one.
fn argument(math: Math, to: f64, now: f64, rng: &mut Rng) -> f64 {
    match math {
        Math::Sin => {
            let first = to.asin();
            periodic(if rng.bool() { first } else { PI - first }, TAU, now, rng)
        }
        Math::Cos => periodic(if rng.bool() { to.acos() } else { -to.acos() }, TAU, now, rng),
        Math::Tan => periodic(to.atan(), PI, now, rng),
        Math::Asin => to.sin(),
        Math::Acos => to.cos(),
        Math::Atan => to.tan(),
        Math::Sinh => to.asinh(),
        Math::Cosh => signed(to.acosh(), now, rng),
        Math::Tanh => to.atanh(),
        Math::Asinh => to.sinh(),
        Math::Acosh => to.cosh(),
        Math::Atanh => to.tanh(),
        Math::Exp => to.ln(),
        Math::Log => to.exp(),
        Math::Log2 => to.exp2(),
        Math::Log10 => 10f64.powf(to),
        Math::Sqrt => to * to,
        Math::Erf | Math::Erfc | Math::Pow | Math::Atan2 | Math::Fmod => f64::NAN,
        Math::Floor => to + rng.f64(),
        Math::Ceil => to - rng.f64(),
    }
}

/// A solution that comes again and again: the one closest to the present value, or one of those around.
fn periodic(first: f64, period: f64, now: f64, rng: &mut Rng) -> f64 {
    let turns = if now.is_finite() { ((now - first) / period).round() } else { 0.0 };
    let more = if rng.u8(..) < 64 { f64::from(rng.i32(-3..=3)) } else { 0.0 };
    first + (turns + more) * period
}

fn integer_needed(
    instruction: Instruction,
    values: (&Num, &Num),
    goes_left: bool,
    twice: bool,
    wanted: &Num,
    rng: &mut Rng,
) -> Option<Int> {
    if instruction.op == Op::Float(FloatOp::Of) {
        return rounded(wanted.approx(), rng);
    }
    let Num::Int(to) = wanted else { return None };
    let (now, other) = if goes_left { values } else { (values.1, values.0) };
    let (Num::Int(now), Num::Int(other)) = (now, other) else { return None };
    match instruction.op {
        Op::Add if twice => Some(to.floor_div(&Int::from(2))),
        Op::Add => Some(to.sub(other)),
        Op::Sub if goes_left => Some(to.add(other)),
        Op::Sub => Some(other.sub(to)),
        Op::Mul if twice && to.is_negative() => None,
        Op::Mul if twice => Some(with_sign(to.sqrt(), now, rng)),
        Op::Mul | Op::Rem | Op::Div if other.is_zero() => None,
        Op::Mul => Some(nearest_quotient(to, other, rng)),
        Op::Neg => Some(to.neg()),
        Op::Abs => Some(with_sign(to.clone(), now, rng)),
        Op::Div if goes_left => Some(to.mul(other).add(&below(&other.abs(), rng))),
        Op::Div if to.is_zero() => Some(other.abs().succ()),
        Op::Div => Some(other.div(to)),
        Op::Rem if goes_left => Some(now.sub(&now.rem(other)).add(to)),
        Op::Rem => Some(other.sub(to)),
        Op::Band => Some(now.band(&other.bnot()).bor(&to.band(other))),
        Op::Bor => Some(now.band(other).bor(&to.band(&other.bnot()))),
        Op::Bxor => Some(to.bxor(other)),
        Op::Bnot => Some(to.bnot()),
        Op::Bsl if goes_left => to.shift(&other.neg()),
        Op::Bsr if goes_left => {
            let low = if other.is_positive() { below(&Int::ONE.shift(other)?, rng) } else { Int::ZERO };
            to.shift(other).map(|high| high.bor(&low))
        }
        Op::Bsl => Some(Int::from(to.bits() as i64 - other.bits() as i64)),
        Op::Bsr => Some(Int::from(other.bits() as i64 - to.bits() as i64)),
        _ => None,
    }
}

fn rounded(value: f64, rng: &mut Rng) -> Option<Int> {
    integer(match rng.u8(..3) {
        0 => value.floor(),
        1 => value.ceil(),
        _ => value.round(),
    })
}

fn with_sign(value: Int, like: &Int, rng: &mut Rng) -> Int {
    let flip = rng.u8(..) < 32;
    if like.is_negative() != flip { value.neg() } else { value }
}

fn nearest_quotient(to: &Int, by: &Int, rng: &mut Rng) -> Int {
    let down = to.floor_div(by);
    if by.divides(to) || rng.bool() { down } else { down.succ() }
}

/// Not negative and smaller than another, which is positive.
fn below(bound: &Int, rng: &mut Rng) -> Int {
    match bound {
        Int::Small(bound) if *bound > 0 => Int::from(rng.i64(0..*bound)),
        Int::Small(_) => Int::ZERO,
        big => integer((approx(big) * rng.f64()).floor()).filter(|value| value < big).unwrap_or(Int::ZERO),
    }
}
