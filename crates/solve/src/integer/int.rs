//! Integers of any size that are a machine word as long as they fit one.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

/// Results with more bits than this are not computed: the solver gives up instead.
pub const MAX_BITS: u64 = 1 << 12;

/// An integer; `Big` holds only what does not fit `Small`, so that equal integers are equal values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Int {
    Small(i64),
    Big(Box<BigInt>),
}

use Int::{Big, Small};

impl Default for Int {
    fn default() -> Int {
        Int::ZERO
    }
}

impl Int {
    /// 0.
    pub const ZERO: Int = Small(0);
    /// 1.
    pub const ONE: Int = Small(1);

    /// The same integer.
    pub fn of(value: &BigInt) -> Int {
        value.to_i64().map_or_else(|| Big(Box::new(value.clone())), Small)
    }

    fn wide(value: i128) -> Int {
        i64::try_from(value).map_or_else(|_| Big(Box::new(value.into())), Small)
    }

    /// The same integer.
    pub fn to_big(&self) -> BigInt {
        match self {
            Small(value) => BigInt::from(*value),
            Big(value) => (**value).clone(),
        }
    }

    /// The same integer, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Small(value) => Some(*value),
            Big(_) => None,
        }
    }

    /// Returns true for 0.
    pub fn is_zero(&self) -> bool {
        matches!(self, Small(0))
    }

    /// Returns true for 1.
    pub fn is_one(&self) -> bool {
        matches!(self, Small(1))
    }

    /// -1, 0 or 1.
    pub fn sign(&self) -> i64 {
        match self {
            Small(value) => value.signum(),
            Big(value) => {
                if value.is_negative() {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// Returns true below 0.
    pub fn is_negative(&self) -> bool {
        self.sign() < 0
    }

    /// Returns true above 0.
    pub fn is_positive(&self) -> bool {
        self.sign() > 0
    }

    /// The length of the absolute value in bits.
    pub fn bits(&self) -> u64 {
        match self {
            Small(value) => u64::from(64 - value.unsigned_abs().leading_zeros()),
            Big(value) => value.bits(),
        }
    }

    /// A result that is computed in machine words where both fit one.
    #[inline]
    fn both(&self, other: &Int, small: fn(i128, i128) -> i128, big: fn(BigInt, BigInt) -> BigInt) -> Int {
        match (self, other) {
            (Small(a), Small(b)) => Int::wide(small(i128::from(*a), i128::from(*b))),
            _ => Int::of(&big(self.to_big(), other.to_big())),
        }
    }

    /// `self + other`.
    pub fn add(&self, other: &Int) -> Int {
        self.both(other, |a, b| a + b, |a, b| a + b)
    }

    /// `self - other`.
    pub fn sub(&self, other: &Int) -> Int {
        self.both(other, |a, b| a - b, |a, b| a - b)
    }

    /// `self · other`.
    pub fn mul(&self, other: &Int) -> Int {
        self.both(other, |a, b| a * b, |a, b| a * b)
    }

    /// The product, unless it would be too large.
    pub fn mul_bounded(&self, other: &Int) -> Option<Int> {
        (self.bits() + other.bits() <= MAX_BITS).then(|| self.mul(other))
    }

    /// `-self`.
    pub fn neg(&self) -> Int {
        match self {
            Small(value) => Int::wide(-i128::from(*value)),
            Big(value) => Int::of(&-&**value),
        }
    }

    /// The absolute value.
    pub fn abs(&self) -> Int {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// `self + 1`.
    pub fn succ(&self) -> Int {
        self.add(&Int::ONE)
    }

    /// `self - 1`.
    pub fn pred(&self) -> Int {
        self.sub(&Int::ONE)
    }

    /// Towards zero; the divisor is not 0.
    pub fn div(&self, other: &Int) -> Int {
        self.both(other, |a, b| a / b, |a, b| a / b)
    }

    /// With the sign of `self`; the divisor is not 0.
    pub fn rem(&self, other: &Int) -> Int {
        match (self, other) {
            (Small(a), Small(b)) => Small(a.wrapping_rem(*b)),
            _ => Int::of(&(self.to_big() % other.to_big())),
        }
    }

    /// Towards minus infinity; the divisor is not 0.
    pub fn floor_div(&self, other: &Int) -> Int {
        self.both(other, |a, b| Integer::div_floor(&a, &b), |a, b| a.div_floor(&b))
    }

    /// Towards plus infinity; the divisor is not 0.
    pub fn ceil_div(&self, other: &Int) -> Int {
        self.neg().floor_div(other).neg()
    }

    /// The remainder of [`Int::floor_div`].
    pub fn floor_mod(&self, other: &Int) -> Int {
        self.sub(&self.floor_div(other).mul(other))
    }

    /// Returns true if `other` is a multiple of `self`.
    pub fn divides(&self, other: &Int) -> bool {
        if self.is_zero() { other.is_zero() } else { other.rem(self).is_zero() }
    }

    /// The greatest common divisor.
    pub fn gcd(&self, other: &Int) -> Int {
        self.both(other, |a, b| a.gcd(&b), |a, b| a.gcd(&b))
    }

    /// `self band other`.
    pub fn band(&self, other: &Int) -> Int {
        self.both(other, |a, b| a & b, |a, b| a & b)
    }

    /// `self bor other`.
    pub fn bor(&self, other: &Int) -> Int {
        self.both(other, |a, b| a | b, |a, b| a | b)
    }

    /// `self bxor other`.
    pub fn bxor(&self, other: &Int) -> Int {
        self.both(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// `bnot self`.
    pub fn bnot(&self) -> Int {
        self.neg().pred()
    }

    /// The number of bits below the lowest that is set; `None` for 0.
    pub fn trailing_zeros(&self) -> Option<u64> {
        match self {
            Small(0) => None,
            Small(value) => Some(u64::from(value.trailing_zeros())),
            Big(value) => value.trailing_zeros(),
        }
    }

    /// 2 to that power.
    pub fn power_of_two(exponent: u64) -> Int {
        Int::of(&(BigInt::from(1) << exponent))
    }

    /// To the left, or to the right if negative; `None` where the result would be too large.
    pub fn shift(&self, by: &Int) -> Option<Int> {
        let Small(by) = by else { return self.shift_far(by.is_negative()) };
        if *by < 0 {
            return Some(self.shift_right(by.unsigned_abs()));
        }
        if self.is_zero() || *by == 0 {
            return Some(self.clone());
        }
        let fits = self.bits().saturating_add(*by as u64) <= MAX_BITS;
        fits.then(|| Int::of(&(self.to_big() << *by as u64)))
    }

    fn shift_right(&self, by: u64) -> Int {
        match self {
            Small(value) => Small(value >> by.min(63)),
            Big(value) if by < value.bits() => Int::of(&(&**value >> by)),
            Big(_) => Small(if self.is_negative() { -1 } else { 0 }),
        }
    }

    fn shift_far(&self, right: bool) -> Option<Int> {
        if right { Some(self.shift_right(u64::MAX)) } else { self.is_zero().then_some(Int::ZERO) }
    }

    /// The largest integer whose square is not larger; of one that is not negative.
    pub fn sqrt(&self) -> Int {
        match self {
            Small(value) => Small(value.isqrt()),
            Big(value) => Int::of(&value.sqrt()),
        }
    }
}

impl From<i64> for Int {
    fn from(value: i64) -> Int {
        Small(value)
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (self, other) {
            (Small(a), Small(b)) => a.cmp(b),
            (Small(_), Big(b)) => BigInt::zero().cmp(b),
            (Big(a), Small(_)) => (**a).cmp(&BigInt::zero()),
            (Big(a), Big(b)) => a.cmp(b),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Masks of more runs of ones than this are not taken apart.
const MOST_RUNS: usize = 8;

/// The runs of ones in a mask, each from a bit to the one after its last; `None` if there are many.
pub fn runs(mask: &BigInt) -> Option<Vec<(u64, u64)>> {
    let starts = (0..mask.bits()).filter(|at| mask.bit(*at) && (*at == 0 || !mask.bit(at - 1)));
    let ends = (1..=mask.bits()).filter(|at| mask.bit(at - 1) && !mask.bit(*at));
    let runs: Vec<(u64, u64)> = starts.zip(ends).collect();
    (runs.len() <= MOST_RUNS).then_some(runs)
}
