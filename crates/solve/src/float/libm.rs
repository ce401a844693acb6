//! The functions of the C library: they keep the order of their arguments but for a few last digits.

use std::f64::consts::{FRAC_PI_2, PI};

use term::math::Math;

use super::interval::FloatInterval;
use crate::integer::interval::Empty;

/// Results of the C library are this many steps from the truth at most.
const STEPS: u32 = 16;
/// Beyond this a multiple of pi is not known well enough.
const FAR: f64 = 1e6;
/// Far more than what multiples of pi are off by.
const ROOM: f64 = 1e-9;

/// The interval of results of a function of one argument.
pub fn of_one(math: Math, a: FloatInterval) -> Result<FloatInterval, Empty> {
    let rule = |x: f64| raw(math, x);
    let rising = |a: FloatInterval| FloatInterval::new(rule(a.low), rule(a.high));
    let falling = |a: FloatInterval| FloatInterval::new(rule(a.high), rule(a.low));
    let within = |low: f64, high: f64| a.meet(FloatInterval::new(low, high));
    Ok(match math {
        Math::Sqrt => rising(within(0.0, f64::MAX)?),
        Math::Floor | Math::Ceil => rising(a),
        Math::Log | Math::Log2 | Math::Log10 => loose(rising(a.above().ok_or(Empty)?), -f64::MAX, f64::MAX)?,
        Math::Exp => loose(rising(a), 0.0, f64::MAX)?,
        Math::Atan => loose(rising(a), -FRAC_PI_2, FRAC_PI_2)?,
        Math::Tanh | Math::Erf => loose(rising(a), -1.0, 1.0)?,
        Math::Asinh | Math::Sinh => loose(rising(a), -f64::MAX, f64::MAX)?,
        Math::Asin => loose(rising(within(-1.0, 1.0)?), -FRAC_PI_2, FRAC_PI_2)?,
        Math::Acos => loose(falling(within(-1.0, 1.0)?), 0.0, PI)?,
        Math::Erfc => loose(falling(a), 0.0, 2.0)?,
        Math::Acosh => loose(rising(within(1.0, f64::MAX)?), 0.0, f64::MAX)?,
        Math::Atanh => loose(rising(within(-1.0, 1.0)?), -f64::MAX, f64::MAX)?,
        Math::Cosh => {
            let (low, high) = (a.low.abs(), a.high.abs());
            let least = if a.has_zero() { 0.0 } else { low.min(high) };
            loose(rising(FloatInterval::new(least, low.max(high))), 1.0, f64::MAX)?
        }
        Math::Sin => wave(math, a, FRAC_PI_2),
        Math::Cos => wave(math, a, 0.0),
        Math::Tan | Math::Atan2 | Math::Fmod | Math::Pow => FloatInterval::ALL,
    })
}

/// The function itself; what is beyond all finite numbers is an infinity.
fn raw(math: Math, x: f64) -> f64 {
    math.compute(&[x]).unwrap_or(match math {
        Math::Exp | Math::Cosh => f64::INFINITY,
        Math::Sinh | Math::Atanh => f64::INFINITY.copysign(x),
        _ => f64::NAN,
    })
}

/// With room for the last digits, and not outside of what there can be; what is no number says nothing.
fn loose(span: FloatInterval, low: f64, high: f64) -> Result<FloatInterval, Empty> {
    let span = if span.low.is_nan() || span.high.is_nan() { FloatInterval::ALL } else { span };
    span.loose(STEPS).meet(FloatInterval::new(low, high))
}

/// A wave has its highest and lowest points where pi divides the distance from `peak`.
fn wave(math: Math, a: FloatInterval, peak: f64) -> FloatInterval {
    let all = FloatInterval::new(-1.0, 1.0);
    if a.low < -FAR || a.high > FAR || a.high - a.low > 1.0 {
        return all;
    }
    let first = ((a.low - ROOM - peak) / PI).ceil();
    if first * PI + peak <= a.high + ROOM {
        return all;
    }
    let (low, high) = (raw(math, a.low), raw(math, a.high));
    FloatInterval::new(low.min(high), low.max(high)).loose(STEPS).meet(all).unwrap_or(all)
}

/// The interval of results of a function of two arguments.
pub fn of_two(math: Math, a: FloatInterval, b: FloatInterval) -> FloatInterval {
    match math {
        Math::Pow => power(a, b),
        Math::Fmod => remainder(a, b),
        Math::Atan2 => angle(a, b),
        _ => FloatInterval::ALL,
    }
}

/// The angle of a point at height `a`, right of the axis by `b`. The signs of zeros choose between both ends.
fn angle(a: FloatInterval, b: FloatInterval) -> FloatInterval {
    let (right, left) = (b.low > 0.0, b.high < 0.0);
    let half = FloatInterval::point(FRAC_PI_2).loose(STEPS);
    let (low, high) = match (a.low > 0.0, a.high < 0.0) {
        (true, _) if right => (0.0, half.high),
        (true, _) if left => (half.low, PI),
        (true, _) => (0.0, PI),
        (_, true) if right => (-half.high, 0.0),
        (_, true) if left => (-PI, -half.low),
        (_, true) => (-PI, 0.0),
        _ if right => (-half.high, half.high),
        _ => (-PI, PI),
    };
    FloatInterval::new(low, high)
}

fn power(a: FloatInterval, b: FloatInterval) -> FloatInterval {
    let even = b.is_point() && b.low > 0.0 && b.low < 1e9 && b.low % 2.0 == 0.0;
    let odd = b.is_point() && b.low > 0.0 && b.low < 1e9 && b.low % 2.0 == 1.0;
    if even && a.low <= 0.0 {
        let most = a.low.abs().max(a.high.abs()).powf(b.low);
        let least = if a.has_zero() { 0.0 } else { a.high.abs().powf(b.low) };
        return FloatInterval::new(least, most).loose(STEPS);
    }
    if odd && a.low <= 0.0 {
        return FloatInterval::new(a.low.powf(b.low), a.high.powf(b.low)).loose(STEPS);
    }
    if a.low <= 0.0 {
        return FloatInterval::ALL;
    }
    let ends = [a.low.powf(b.low), a.low.powf(b.high), a.high.powf(b.low), a.high.powf(b.high)];
    FloatInterval::around(&ends).map_or(FloatInterval::ALL, |span| span.loose(STEPS))
}

/// Exact: the sign of the dividend, and smaller than both in size.
fn remainder(a: FloatInterval, b: FloatInterval) -> FloatInterval {
    let most = b.high.abs().max(b.low.abs());
    let least = if b.has_zero() { 0.0 } else { b.high.abs().min(b.low.abs()) };
    if a.high < least && -a.low < least {
        return a;
    }
    let low = if a.low < 0.0 { a.low.max(-most) } else { 0.0 };
    let high = if a.high > 0.0 { a.high.min(most) } else { 0.0 };
    FloatInterval::new(low, high)
}
