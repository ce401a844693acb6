//! Floats and the decimal numbers that they are the nearest to.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

/// Powers of ten beyond this are far from all floats.
const FAR: i64 = 400;

/// The float nearest to `mantissa · 10^exponent`; `None` where that is too large for a float.
pub fn of_decimal(mantissa: &BigInt, exponent: &BigInt) -> Option<f64> {
    if mantissa.is_zero() {
        return Some(0.0);
    }
    // Decimal digits are at least so many and at most one more, and a thousandth.
    let digits = (mantissa.bits() - 1) as f64 * std::f64::consts::LOG10_2;
    let exponent = exponent.to_i64().unwrap_or(if exponent.sign() == Sign::Minus { i64::MIN } else { i64::MAX });
    let first = exponent as f64 + digits;
    if first > FAR as f64 {
        return None;
    }
    if first < -FAR as f64 {
        return Some(if mantissa.sign() == Sign::Minus { -0.0 } else { 0.0 });
    }
    let value: f64 = format!("{mantissa}e{exponent}").parse().ok()?;
    value.is_finite().then_some(value)
}

/// A float as `number · 2^power`.
fn exact(value: f64) -> (BigInt, i64) {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
    let number = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let sign = if value.is_sign_negative() { Sign::Minus } else { Sign::Plus };
    (BigInt::from_biguint(sign, BigUint::from(number)), exponent.max(1) - 1075)
}

/// A quotient of integers, the second of them above zero.
pub type Ratio = (BigInt, BigInt);

/// `number · 2^twos · 10^tens`
fn ratio(number: BigInt, twos: i64, tens: i64) -> Ratio {
    let power = |base: u32, of: i64| BigInt::from(base).pow(u32::try_from(of.max(0)).unwrap_or(0));
    let above = (number * power(10, tens)) << twos.max(0);
    (above, power(10, -tens) << (-twos).max(0))
}

/// The integer nearest to `value · 10^power`, of two the even one.
pub fn scaled(value: f64, power: i64) -> BigInt {
    let (number, twos) = exact(value);
    let (above, below) = ratio(number, twos, power);
    let (whole, rest) = above.div_mod_floor(&below);
    match (rest * 2u32).cmp(&below) {
        std::cmp::Ordering::Less => whole,
        std::cmp::Ordering::Equal if whole.is_even() => whole,
        _ => whole + 1,
    }
}

/// The middle between two neighbours, times a power of ten; an infinity is the float that would follow all others.
pub fn middle(a: f64, b: f64, power: i64) -> Ratio {
    let of = |value: f64| match value {
        value if value.is_finite() => exact(value),
        value => (BigInt::from(value.signum() as i64), 1024),
    };
    let ((a, first), (b, second)) = (of(a), of(b));
    let least = first.min(second);
    ratio((a << (first - least)) + (b << (second - least)), least - 1, power)
}

/// The shortest decimal that is read as the float, and of these the nearest: a number that is no multiple of ten unless
/// it is zero, and a power of ten.
pub fn shortest(value: f64) -> (BigInt, i64) {
    if value == 0.0 {
        return (BigInt::zero(), 0);
    }
    let mut buffer = ryu::Buffer::new();
    // Not the standard library's formatting: where two shortest texts are equally near, it chooses the other one.
    let text = buffer.format_finite(value);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    let zeros = (digits.len() - significant.len()) as i64;
    let power = exponent.parse::<i64>().unwrap_or(0) - fraction.len() as i64 + zeros;
    (significant.parse().unwrap_or_default(), power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(mantissa: i64, exponent: i64) -> Option<f64> {
        of_decimal(&BigInt::from(mantissa), &BigInt::from(exponent))
    }

    #[test]
    fn decimals_are_the_nearest_floats() {
        assert_eq!(decimal(1, -1), Some(0.1));
        assert_eq!(decimal(17_976_931_348_623_157, 292), Some(f64::MAX));
        assert_eq!(decimal(18, 307), None);
        assert_eq!(decimal(-1, i64::MIN), Some(0.0));
        assert_eq!(decimal(0, i64::MAX), Some(0.0));
        assert_eq!(decimal(5, -324), Some(f64::from_bits(1)));
        assert_eq!(of_decimal(&(BigInt::from(10).pow(500)), &BigInt::from(-500)), Some(1.0));
    }

    #[test]
    fn scaling_is_exact() {
        assert_eq!(scaled(0.1, 20), BigInt::from(10_000_000_000_000_000_555i128));
        assert_eq!(scaled(2.5, 0), BigInt::from(2));
        assert_eq!(scaled(-3.5, 0), BigInt::from(-4));
        assert_eq!(scaled(1.0e22, -22), BigInt::from(1));
        assert_eq!(scaled(f64::from_bits(1), 324), BigInt::from(5));
    }

    #[test]
    fn the_shortest_decimal_is_read_as_the_float() {
        for value in
            [0.1, -1.5, 1.0e22, 123_456.0, f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), -0.0, 9.5367431640625e-7]
        {
            let (mantissa, exponent) = shortest(value);
            assert_eq!(of_decimal(&mantissa, &BigInt::from(exponent)), Some(value));
        }
        assert_eq!(shortest(1200.0), (BigInt::from(12), 2));
        assert_eq!(shortest(-0.025), (BigInt::from(-25), -3));
    }

    #[test]
    fn between_the_largest_and_none_lies_the_bound() {
        let (above, below) = middle(f64::MAX, f64::INFINITY, 0);
        assert_eq!(above / below, (BigInt::from(1) << 1024) - (BigInt::from(1) << 970));
    }
}
