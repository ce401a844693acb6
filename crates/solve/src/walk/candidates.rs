//! Candidates: other values for one variable, near and far.

use fastrand::Rng;

use crate::integer::int::Int;

use super::problem::{NumberProblem, Variable};
use super::program::CompiledProblem;
use super::value::{Kind, Num, integer};
use crate::float::further;

/// The source of values for variables.
pub struct Candidates {
    variables: Vec<Variable>,
    /// Numbers of the problem, as what a variable of either kind could be.
    integers: Vec<Int>,
    floats: Vec<f64>,
    /// Steps are normally distributed, and nothing else.
    plain: bool,
}

/// The spread of the text's steps, which it leaves open.
const SPREAD: f64 = 100.0;
/// Numbers kept of those in the problem.
const MOST_CONSTANTS: usize = 64;

impl Candidates {
    /// The candidates of a problem's variables.
    pub fn new(problem: &NumberProblem, program: &CompiledProblem, plain: bool) -> Candidates {
        let mut integers: Vec<Int> = Vec::new();
        let mut floats = Vec::new();
        for constant in program.registers.iter().take(1 << 12) {
            match constant {
                Num::Int(value) => integers.push(value.clone()),
                Num::Float(value) => floats.push(*value),
                Num::Undefined => {}
            }
        }
        let whole: Vec<Int> = floats.iter().filter_map(|value| integer(value.round())).collect();
        floats.extend(integers.iter().map(super::value::approx).filter(|value| value.is_finite()));
        floats.extend(floats.clone().iter().map(|value| -value));
        integers.extend(whole);
        integers.extend(integers.clone().iter().map(Int::neg));
        integers.sort_unstable();
        integers.dedup();
        floats.sort_unstable_by(f64::total_cmp);
        floats.dedup();
        integers.truncate(MOST_CONSTANTS);
        floats.truncate(MOST_CONSTANTS);
        Candidates { variables: problem.variables.clone(), integers, floats, plain }
    }

    /// A value for a variable that is now something else.
    pub fn random(&self, variable: usize, now: &Num, rng: &mut Rng) -> Num {
        let value = match now {
            _ if self.plain => Num::near(self.variables[variable].kind, now.approx() + SPREAD * normal(rng)),
            Num::Int(now) => Some(Num::Int(self.integer(variable, now, rng))),
            now => Some(Num::Float(self.float(variable, now.approx(), rng))),
        };
        self.inside(variable, value.unwrap_or_else(|| now.clone()))
    }

    /// The closest value within the bounds of the variable.
    pub fn inside(&self, variable: usize, value: Num) -> Num {
        let Variable { low, high, .. } = &self.variables[variable];
        match (low, high) {
            (Some(low), _) if value.compare(low).is_some_and(std::cmp::Ordering::is_lt) => low.clone(),
            (_, Some(high)) if value.compare(high).is_some_and(std::cmp::Ordering::is_gt) => high.clone(),
            _ => value,
        }
    }

    /// A value from nowhere.
    pub fn fresh(&self, variable: usize, rng: &mut Rng) -> Num {
        let known = &self.variables[variable];
        let bounds = known.low.as_ref().map(Num::approx).zip(known.high.as_ref().map(Num::approx));
        let value = match (bounds, rng.u8(..8)) {
            (Some((low, high)), 0..=4) => low + (high - low) * rng.f64(),
            (_, 0) => return self.inside(variable, self.constant(known.kind, rng)),
            (_, 1) => f64::from(rng.i8(-3..=3)),
            (_, 2..=5) => sign(rng) * (rng.f64() * 14.0 - 6.0).exp2(),
            _ => sign(rng) * (rng.f64() * 60.0 - 20.0).exp2(),
        };
        self.inside(variable, Num::near(known.kind, value).unwrap_or(Num::ZERO))
    }

    fn constant(&self, kind: Kind, rng: &mut Rng) -> Num {
        match kind {
            Kind::Integer => Num::Int(rng.choice(&self.integers).cloned().unwrap_or(Int::ZERO)),
            Kind::Float => Num::Float(rng.choice(&self.floats).copied().unwrap_or(0.0)),
        }
    }

    fn float(&self, variable: usize, now: f64, rng: &mut Rng) -> f64 {
        match rng.u8(..16) {
            // Doubles differ by their exponent first.
            0..=3 => now + sign(rng) * now.abs().max(1e-3) * (-rng.f64() * 40.0).exp2(),
            4..=6 => now + sign(rng) * (rng.f64() * 30.0 - 15.0).exp2(),
            7 => now * (rng.f64() * 4.0 - 2.0).exp2(),
            8 => -now,
            9 => 1.0 / if now == 0.0 { 1.0 } else { now },
            10 => further(now, i64::from(rng.i32(-16..=16))),
            11 => rounded(now, rng.i32(0..=6)),
            12 => now.round() + f64::from(rng.i8(-1..=1)),
            13 => self.constant(Kind::Float, rng).approx(),
            _ => self.fresh(variable, rng).approx(),
        }
    }

    fn integer(&self, variable: usize, now: &Int, rng: &mut Rng) -> Int {
        let power = |rng: &mut Rng, most: u64| Int::power_of_two(rng.u64(0..=most));
        match rng.u8(..14) {
            0..=1 => now.add(&Int::from(i64::from(rng.i8(-3..=3)))),
            2..=4 => {
                let size = super::value::approx(&power(rng, now.bits() + 4));
                let by = integer((size * rng.f64()).ceil()).unwrap_or(Int::ONE);
                if rng.bool() { now.add(&by) } else { now.sub(&by) }
            }
            5..=6 => now.bxor(&power(rng, now.bits() + 2)),
            7 => now.neg(),
            8 => {
                if rng.bool() {
                    now.add(now)
                } else {
                    now.div(&Int::from(2))
                }
            }
            9 => power(rng, 64).add(&Int::from(i64::from(rng.i8(-1..=1)))),
            10 => {
                let times = integer((rng.f64() * 20.0).exp2().floor()).unwrap_or(Int::ONE);
                let by = self.constant_integer(rng).mul_bounded(&times).unwrap_or(Int::ONE);
                now.add(&by)
            }
            11 => self.constant_integer(rng).add(&Int::from(i64::from(rng.i8(-1..=1)))),
            _ => match self.fresh(variable, rng) {
                Num::Int(value) => value,
                _ => Int::ZERO,
            },
        }
    }

    fn constant_integer(&self, rng: &mut Rng) -> &Int {
        rng.choice(&self.integers).unwrap_or(&Int::ONE)
    }
}

/// To so many digits after the point.
pub fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    let scaled = (value * scale).round() / scale;
    if scaled.is_finite() { scaled } else { value }
}

/// 1 or -1.
pub fn sign(rng: &mut Rng) -> f64 {
    if rng.bool() { 1.0 } else { -1.0 }
}

/// Normally distributed around 0 with a spread of 1.
pub fn normal(rng: &mut Rng) -> f64 {
    let (a, b) = (1.0 - rng.f64(), rng.f64());
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}
