//! Arithmetic on terms, with the VM's rules for what is an error.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_traits::{FromPrimitive, Num, Signed, ToPrimitive, Zero};

use crate::{Exception, Term, large};

/// Why an operation on numbers has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberError {
    /// `badarith`: a wrong type, a division by zero, or a float that is too large.
    Arith,
    /// `system_limit`: an integer larger than the VM allows.
    Limit,
}

/// The largest integers of the VM have one word of 64 bits less than 2^19.
pub const MAX_BITS: u64 = 64 * ((1 << 19) - 1);

impl From<NumberError> for Exception {
    fn from(error: NumberError) -> Exception {
        match error {
            NumberError::Arith => Exception::badarith(),
            NumberError::Limit => Exception::system_limit(),
        }
    }
}

/// Why [`add`], [`sub`] or [`mul`] of these gave nothing: of integers, only a result beyond all bounds.
pub fn fault(a: &Term, b: &Term) -> NumberError {
    if a.is_integer() && b.is_integer() { NumberError::Limit } else { NumberError::Arith }
}

/// An integer result, if the VM allows one as large.
fn bounded(value: BigInt) -> Option<Term> {
    (value.bits() <= MAX_BITS).then(|| Term::big(value))
}

/// An integer that may be borrowed from a term.
enum Int<'a> {
    Small(i64),
    Big(&'a BigInt),
}

impl Int<'_> {
    fn of(term: &Term) -> Option<Int<'_>> {
        match term {
            Term::Int(_, value) => Some(Int::Small(*value)),
            Term::Big(_, value) => Some(Int::Big(value)),
            _ => None,
        }
    }

    fn to_big(&self) -> BigInt {
        match self {
            Int::Small(value) => BigInt::from(*value),
            Int::Big(value) => (*value).clone(),
        }
    }

    fn is_zero(&self) -> bool {
        matches!(self, Int::Small(0))
    }
}

/// A float result, if it is one.
#[inline]
pub fn finite(value: f64) -> Option<Term> {
    value.is_finite().then(|| Term::float(value))
}

/// A number as a float, rounded as the VM rounds; nothing if it is no number or too large.
pub fn to_f64(term: &Term) -> Option<f64> {
    match term {
        Term::Int(_, value) => Some(*value as f64),
        Term::Float(_, value) => Some(*value),
        Term::Big(_, value) => big_to_f64(value),
        _ => None,
    }
}

/// Word by word from the top, rounding at each step.
fn big_to_f64(value: &BigInt) -> Option<f64> {
    const BASE: f64 = 18_446_744_073_709_551_616.0;
    let size = value.iter_u64_digits().rev().fold(0.0, |sum, digit| sum * BASE + digit as f64);
    let signed = if value.sign() == Sign::Minus { -size } else { size };
    signed.is_finite().then_some(signed)
}

/// The integer part of a float.
pub fn truncate(value: f64) -> Term {
    const SMALL: f64 = (1u64 << 63) as f64;
    let whole = value.trunc();
    if (-SMALL..SMALL).contains(&whole) {
        return Term::int(whole as i64);
    }
    BigInt::from_f64(whole).map_or(Term::int(0), Term::big)
}

#[inline]
fn arith(
    a: &Term,
    b: &Term,
    small: fn(i64, i64) -> Option<i64>,
    big: fn(&BigInt, &BigInt) -> BigInt,
    float: fn(f64, f64) -> f64,
) -> Option<Term> {
    if let (Term::Int(_, a), Term::Int(_, b)) = (a, b)
        && let Some(value) = small(*a, *b)
    {
        return Some(Term::int(value));
    }
    arith_slowly(a, b, big, float)
}

#[inline(never)]
fn arith_slowly(a: &Term, b: &Term, big: fn(&BigInt, &BigInt) -> BigInt, float: fn(f64, f64) -> f64) -> Option<Term> {
    match (Int::of(a), Int::of(b)) {
        (Some(Int::Big(a)), Some(Int::Big(b))) => bounded(big(a, b)),
        (Some(a), Some(b)) => bounded(big(&a.to_big(), &b.to_big())),
        _ => finite(float(to_f64(a)?, to_f64(b)?)),
    }
}

/// `+`; none if an operand is no number or the result no float.
#[inline]
pub fn add(a: &Term, b: &Term) -> Option<Term> {
    arith(a, b, i64::checked_add, |a, b| a + b, |a, b| a + b)
}

/// `-`, as [`add`].
#[inline]
pub fn sub(a: &Term, b: &Term) -> Option<Term> {
    arith(a, b, i64::checked_sub, |a, b| a - b, |a, b| a - b)
}

/// `*`, as [`add`].
#[inline]
pub fn mul(a: &Term, b: &Term) -> Option<Term> {
    let is_large = |a: &BigInt, b: &BigInt| (a.bits() + b.bits()).saturating_sub(2) >= MAX_BITS;
    if let (Term::Big(_, a), Term::Big(_, b)) = (a, b)
        && is_large(a, b)
    {
        return None;
    }
    arith(a, b, i64::checked_mul, large::product, |a, b| a * b)
}

/// Erlang's `/`.
pub fn divide(a: &Term, b: &Term) -> Option<Term> {
    let (a, b) = (to_f64(a)?, to_f64(b)?);
    if b == 0.0 { None } else { finite(a / b) }
}

/// Erlang's `div`: towards zero.
#[inline]
pub fn div(a: &Term, b: &Term) -> Option<Term> {
    whole(a, b, i64::checked_div, |a, b| large::div_rem(a, b).0)
}

/// Erlang's `rem`: the sign of the left side.
#[inline]
pub fn rem(a: &Term, b: &Term) -> Option<Term> {
    whole(a, b, |a, b| Some(a.wrapping_rem(b)), |a, b| large::div_rem(a, b).1)
}

#[inline]
fn whole(a: &Term, b: &Term, small: fn(i64, i64) -> Option<i64>, big: fn(&BigInt, &BigInt) -> BigInt) -> Option<Term> {
    let (a, b) = (Int::of(a)?, Int::of(b)?);
    if b.is_zero() {
        return None;
    }
    if let (Int::Small(a), Int::Small(b)) = (&a, &b)
        && let Some(value) = small(*a, *b)
    {
        return Some(Term::int(value));
    }
    Some(Term::big(big(&a.to_big(), &b.to_big())))
}

/// Unary minus.
pub fn neg(a: &Term) -> Option<Term> {
    match a {
        Term::Int(_, value) => Some(value.checked_neg().map_or_else(|| Term::big(-BigInt::from(*value)), Term::int)),
        Term::Big(_, value) => Some(Term::big(-&**value)),
        Term::Float(_, value) => Some(Term::float(-value)),
        _ => None,
    }
}

/// `abs/1`; none for what is no number.
pub fn abs(a: &Term) -> Option<Term> {
    match a {
        Term::Int(_, value) if *value < 0 => neg(a),
        Term::Big(_, value) if value.is_negative() => neg(a),
        // Not so for the negative zero: the VM leaves it as it is.
        Term::Float(_, value) if *value < 0.0 => neg(a),
        _ if a.is_number() => Some(a.clone()),
        _ => None,
    }
}

#[inline]
fn bitwise(a: &Term, b: &Term, small: fn(i64, i64) -> i64, big: fn(&BigInt, &BigInt) -> BigInt) -> Option<Term> {
    match (Int::of(a)?, Int::of(b)?) {
        (Int::Small(a), Int::Small(b)) => Some(Term::int(small(a, b))),
        (a, b) => Some(Term::big(big(&a.to_big(), &b.to_big()))),
    }
}

/// `band`; none unless both are integers.
pub fn band(a: &Term, b: &Term) -> Option<Term> {
    bitwise(a, b, |a, b| a & b, |a, b| a & b)
}

/// `bor`; none unless both are integers.
pub fn bor(a: &Term, b: &Term) -> Option<Term> {
    bitwise(a, b, |a, b| a | b, |a, b| a | b)
}

/// `bxor`; none unless both are integers.
pub fn bxor(a: &Term, b: &Term) -> Option<Term> {
    bitwise(a, b, |a, b| a ^ b, |a, b| a ^ b)
}

/// `bnot`; none for what is no integer.
pub fn bnot(a: &Term) -> Option<Term> {
    match Int::of(a)? {
        Int::Small(value) => Some(Term::int(!value)),
        Int::Big(value) => Some(Term::big(-value - 1)),
    }
}

/// `bsl`, by a negative number to the right.
pub fn bsl(a: &Term, by: &Term) -> Result<Term, NumberError> {
    shift(a, by, false)
}

/// `bsr`, by a negative number to the left.
pub fn bsr(a: &Term, by: &Term) -> Result<Term, NumberError> {
    shift(a, by, true)
}

fn shift(a: &Term, by: &Term, right: bool) -> Result<Term, NumberError> {
    let (Some(value), Some(by)) = (Int::of(a), Int::of(by)) else { return Err(NumberError::Arith) };
    let (right, by) = match by {
        Int::Small(by) => (right != (by < 0), by.unsigned_abs()),
        Int::Big(by) => (right != by.is_negative(), u64::MAX),
    };
    if right { Ok(shift_right(&value, by)) } else { shift_left(&value, by) }
}

fn shift_right(value: &Int, by: u64) -> Term {
    match value {
        Int::Small(value) => Term::int(value >> by.min(63)),
        Int::Big(value) if by < value.bits() => Term::big(*value >> by),
        Int::Big(value) => Term::int(if value.is_negative() { -1 } else { 0 }),
    }
}

fn shift_left(value: &Int, by: u64) -> Result<Term, NumberError> {
    match value {
        Int::Small(0) => return Ok(Term::int(0)),
        Int::Small(value) if by < 63 && (value << by) >> by == *value => return Ok(Term::int(value << by)),
        _ => {}
    }
    let value = value.to_big();
    if value.bits().saturating_add(by) > MAX_BITS {
        return Err(NumberError::Limit);
    }
    Ok(Term::big(value << by))
}

/// The integer that digits of a base (2 to 36) spell, without sign; nothing if they are no such digits, or if it is
/// larger than the VM allows.
pub fn from_digits(digits: &str, base: u32) -> Option<Term> {
    if let Ok(small) = i64::from_str_radix(digits, base) {
        return digits.starts_with(|c: char| c.is_digit(base)).then(|| Term::int(small));
    }
    let digit_bits = u64::from(base.ilog2());
    if digits.len() as u64 > MAX_BITS / digit_bits + 1 || !digits.bytes().all(|c| char::from(c).is_digit(base)) {
        return None;
    }
    bounded(big_from_digits(digits, base)?)
}

/// In halves, so that the time does not grow with the square of the length.
fn big_from_digits(digits: &str, base: u32) -> Option<BigInt> {
    const DIRECT: usize = 5000;
    if digits.len() <= DIRECT {
        return BigInt::from_str_radix(digits, base).ok();
    }
    let (high, low) = digits.split_at(digits.len() / 2);
    let shift = BigInt::from(base).pow(low.len() as u32);
    Some(large::product(&big_from_digits(high, base)?, &shift) + big_from_digits(low, base)?)
}

/// The sign of a number.
pub fn sign(a: &Term) -> Option<Ordering> {
    match a {
        Term::Int(_, value) => Some(value.cmp(&0)),
        Term::Big(_, value) => Some((**value).cmp(&BigInt::zero())),
        Term::Float(_, value) => value.partial_cmp(&0.0),
        _ => None,
    }
}

/// A size or count: an integer that fits `usize`.
pub fn to_usize(a: &Term) -> Option<usize> {
    a.as_i64()?.to_usize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn power(bits: u64) -> Term {
        bsl(&Term::int(1), &Term::int(bits as i64)).expect("within the limit")
    }

    #[test]
    fn small_results_are_small_and_others_big() {
        assert!(matches!(add(&Term::int(i64::MAX), &Term::int(1)), Some(Term::Big(..))));
        let back = add(&Term::int(i64::MAX), &Term::int(1)).and_then(|big| sub(&big, &Term::int(1)));
        assert!(matches!(back, Some(Term::Int(_, i64::MAX))));
        assert_eq!(div(&Term::int(i64::MIN), &Term::int(-1)), Some(power(63)));
        assert_eq!(rem(&Term::int(i64::MIN), &Term::int(-1)), Some(Term::int(0)));
        assert!(matches!(neg(&power(63)), Some(Term::Int(_, i64::MIN))));
    }

    #[test]
    fn shifts_and_products_stop_at_the_limit_of_the_vm() {
        let largest = power(MAX_BITS - 1);
        assert_eq!(bsl(&largest, &Term::int(1)), Err(NumberError::Limit));
        assert_eq!(bsl(&Term::int(1), &Term::int(1 << 40)), Err(NumberError::Limit));
        assert_eq!(bsl(&Term::int(1), &power(80)), Err(NumberError::Limit));
        assert_eq!(bsl(&Term::int(0), &power(80)), Ok(Term::int(0)));
        assert_eq!(bsr(&Term::int(-5), &power(80)), Ok(Term::int(-1)));
        assert_eq!(add(&largest, &largest), None);
        assert_eq!(fault(&largest, &largest), NumberError::Limit);
        assert_eq!(fault(&largest, &Term::nil()), NumberError::Arith);
    }

    #[test]
    fn digits_of_any_length() {
        assert_eq!(from_digits("zz", 36), Some(Term::int(35 * 36 + 35)));
        assert_eq!(from_digits("-1", 10), None);
        assert_eq!(from_digits("", 10), None);
        assert_eq!(from_digits("12a45678901234567890", 10), None);
        let long = "1234567890".repeat(2000);
        assert_eq!(from_digits(&long, 10).map(|value| value.to_string()), Some(long));
        assert_eq!(from_digits(&"0".repeat(6000), 10), Some(Term::int(0)));
        assert_eq!(from_digits(&"1".repeat(MAX_BITS as usize + 2), 2), None);
    }

    #[test]
    fn what_is_no_number_has_no_result() {
        let (one, atom) = (Term::int(1), Term::bool(true));
        assert_eq!(add(&one, &atom), None);
        assert_eq!(band(&one, &Term::float(1.0)), None);
        assert_eq!(bsl(&one, &Term::float(1.0)), Err(NumberError::Arith));
        assert_eq!(div(&one, &Term::int(0)), None);
        assert_eq!(divide(&one, &Term::float(-0.0)), None);
        assert_eq!(mul(&Term::float(1e300), &Term::float(1e300)), None);
        assert_eq!(to_f64(&power(1024)), None);
    }
}
