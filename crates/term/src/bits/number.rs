//! Reading integers and floats out of bitstrings.

use num_bigint::{BigInt, BigUint, Sign};

use super::Bits;
use crate::Term;

impl Bits {
    /// `size` bits from bit `at` on as a big-endian number. The caller has checked that they exist.
    pub fn read_uint(&self, at: usize, size: usize) -> BigUint {
        if size <= 64 {
            return BigUint::from(self.read_u64(at, size));
        }
        let unused = size.div_ceil(8) * 8 - size;
        BigUint::from_bytes_be(&self.slice(at, size).to_bytes()) >> unused
    }

    /// The integer in `size` bits from bit `at` on. The caller has checked that they exist.
    #[inline]
    pub fn read_int(&self, at: usize, size: usize, signed: bool, little: bool) -> Term {
        if size > 64 {
            return self.read_wide(at, size, signed, little);
        }
        let mut word = self.read_u64(at, size);
        if little && size > 8 {
            word = swap_bytes(word, size);
        }
        if signed {
            Term::int(extend_sign(word, size))
        } else {
            i64::try_from(word).map_or_else(|_| Term::big(BigInt::from(word)), Term::int)
        }
    }

    fn read_wide(&self, at: usize, size: usize, signed: bool, little: bool) -> Term {
        let value = if little { self.read_little(at, size) } else { self.read_uint(at, size) };
        let negative = signed && value.bit(size as u64 - 1);
        let value = BigInt::from_biguint(Sign::Plus, value);
        Term::big(if negative { value - (BigInt::from(1) << size) } else { value })
    }

    /// Whole bytes come least significant first; left-over bits at the end are the most significant ones.
    fn read_little(&self, at: usize, size: usize) -> BigUint {
        let mut bytes = self.slice(at, size).to_bytes().into_owned();
        let over = size % 8;
        if over != 0 {
            let last = bytes.len() - 1;
            bytes[last] >>= 8 - over;
        }
        BigUint::from_bytes_le(&bytes)
    }

    /// The float in 16, 32 or 64 bits, or zero in none; nothing for another size, infinities and what is no number.
    pub fn read_float(&self, at: usize, size: usize, little: bool) -> Option<f64> {
        match size {
            0 => return Some(0.0),
            16 | 32 | 64 => {}
            _ => return None,
        }
        let mut word = self.read_u64(at, size);
        if little {
            word = swap_bytes(word, size);
        }
        let value = match size {
            16 => half_to_f64(word as u16),
            32 => f64::from(f32::from_bits(word as u32)),
            _ => f64::from_bits(word),
        };
        value.is_finite().then_some(value)
    }
}

/// The number whose little-endian form of `size` bits is the big-endian form of `word`.
#[inline]
fn swap_bytes(word: u64, size: usize) -> u64 {
    let over = size % 8;
    if over == 0 {
        return word.swap_bytes() >> (64 - size);
    }
    let top = word & ((1 << over) - 1);
    let rest = size - over;
    let low = if rest == 0 { 0 } else { (word >> over).swap_bytes() >> (64 - rest) };
    top << rest | low
}

#[inline]
fn extend_sign(word: u64, size: usize) -> i64 {
    if size == 0 {
        return 0;
    }
    let unused = 64 - size;
    ((word << unused) as i64) >> unused
}

fn half_to_f64(half: u16) -> f64 {
    let sign = if half >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(half >> 10 & 0x1f), f64::from(half & 0x3ff));
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    }
}
