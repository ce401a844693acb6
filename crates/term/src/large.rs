//! Arithmetic on large integers in pieces of some milliseconds, between which it may be cut.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::Zero;

use crate::cut;

/// Numbers of fewer bits are multiplied, and written, at once.
const PIECE: u64 = 1 << 18;

/// Products of two words, at most, of one piece of a division.
const WORDS: usize = 1 << 22;

/// `a * b`.
pub fn product(a: &BigInt, b: &BigInt) -> BigInt {
    if a.bits().min(b.bits()) < PIECE {
        return a * b;
    }
    let sign = if a.sign() == b.sign() { Sign::Plus } else { Sign::Minus };
    BigInt::from_biguint(sign, karatsuba(a.magnitude(), b.magnitude()))
}

fn karatsuba(a: &BigUint, b: &BigUint) -> BigUint {
    cut::reserve(CHECKED);
    if a.bits().min(b.bits()) < PIECE {
        return a * b;
    }
    let half = a.bits().max(b.bits()).div_ceil(128) * 64;
    let ((high_a, low_a), (high_b, low_b)) = (halves(a, half), halves(b, half));
    let (high, low) = (karatsuba(&high_a, &high_b), karatsuba(&low_a, &low_b));
    let middle = karatsuba(&(high_a + low_a), &(high_b + low_b)) - &high - &low;
    (((high << half) + middle) << half) + low
}

/// A reservation that is looked at: the clock is asked at every piece.
const CHECKED: usize = 1 << 16;

fn halves(a: &BigUint, bits: u64) -> (BigUint, BigUint) {
    let high = a >> bits;
    let low = a - (&high << bits);
    (high, low)
}

/// Quotient and remainder, towards zero.
pub fn div_rem(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let (quotient, remainder) = divide(a.magnitude(), b.magnitude());
    let sign = if a.sign() == b.sign() { Sign::Plus } else { Sign::Minus };
    (BigInt::from_biguint(sign, quotient), BigInt::from_biguint(a.sign(), remainder))
}

/// Long division: so many words of the dividend at a time that a piece takes its time and no more.
fn divide(a: &BigUint, b: &BigUint) -> (BigUint, BigUint) {
    let words = b.bits().div_ceil(64) as usize;
    let at_once = (WORDS / words).max(1);
    if a.bits().div_ceil(64) as usize <= words + at_once {
        return a.div_rem(b);
    }
    let digits = a.to_u64_digits();
    let mut quotient = vec![0; digits.len()];
    let mut rest = BigUint::zero();
    let first = digits.len().div_ceil(at_once) - 1;
    for from in (0..=first).rev().map(|piece| piece * at_once) {
        cut::reserve(CHECKED);
        let piece = &digits[from..digits.len().min(from + at_once)];
        rest = (rest << (64 * piece.len())) + of_words(piece);
        let (part, left) = rest.div_rem(b);
        quotient.iter_mut().skip(from).zip(part.iter_u64_digits()).for_each(|(to, word)| *to = word);
        rest = left;
    }
    (of_words(&quotient), rest)
}

fn of_words(words: &[u64]) -> BigUint {
    BigUint::new(words.iter().flat_map(|word| [*word as u32, (word >> 32) as u32]).collect())
}

/// The digits of a number in a base from 2 to 36, in lower case.
pub fn digits(value: &BigInt, base: u32) -> String {
    let mut text = String::new();
    if value.sign() == Sign::Minus {
        text.push('-');
    }
    write_digits(value.magnitude(), base, 0, &mut text);
    text
}

/// Writes digits, with zeros before them up to a width.
fn write_digits(value: &BigUint, base: u32, width: usize, text: &mut String) {
    if value.bits() < PIECE {
        cut::reserve(CHECKED);
        let digits = value.to_str_radix(base);
        text.extend(std::iter::repeat_n('0', width.saturating_sub(digits.len())));
        text.push_str(&digits);
        return;
    }
    // Less than half of the digits, so that both parts are smaller.
    let low = (value.bits() as f64 / f64::from(base).log2() / 2.0) as usize;
    let (high, rest) = divide(value, &BigUint::from(base).pow(low as u32));
    write_digits(&high, base, width.saturating_sub(low), text);
    write_digits(&rest, base, low, text);
}

#[cfg(test)]
mod tests {
    use num_traits::Signed;

    use super::*;

    fn number(bits: u64, seed: u64) -> BigInt {
        let mut word = seed;
        let words = (0..bits / 32).map(|_| {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (word >> 32) as u32
        });
        BigInt::from(BigUint::new(words.collect()))
    }

    #[test]
    fn pieces_give_the_same_as_the_whole() {
        for (bits_a, bits_b) in [(1 << 20, 1 << 20), (1 << 20, 1 << 19), (3 << 18, 1 << 10), (1 << 20, 64)] {
            let (a, b) = (number(bits_a, 1), -number(bits_b, 2));
            assert!(product(&a, &b) == &a * &b, "{bits_a} {bits_b}");
            assert!(div_rem(&a, &b) == a.div_rem(&b), "{bits_a} {bits_b}");
            assert!(div_rem(&b, &a) == b.div_rem(&a) || b.is_negative(), "{bits_a} {bits_b}");
        }
        let a = -number(1 << 19, 3);
        assert!(digits(&a, 10) == a.to_string());
        assert!(digits(&a, 36) == a.to_str_radix(36));
        let zeros: BigInt = BigInt::from(10).pow(200_000);
        assert!(digits(&zeros, 10) == zeros.to_string());
    }
}
