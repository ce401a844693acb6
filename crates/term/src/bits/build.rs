//! Building bitstrings front to back, and appending to one in place when it has one owner.

use std::rc::Rc;

use num_bigint::BigInt;

use super::Bits;
use crate::heap;

/// Collects bits. After the last bit, the last byte holds zeros.
#[derive(Default)]
pub struct BitsBuilder {
    data: Vec<u8>,
    /// The first bit of the value: an adopted buffer may hold other bits before it.
    start: usize,
    /// The end of the value, as a bit of the buffer.
    end: usize,
    /// The capacity of the adopted buffer, which was counted when it was made.
    counted: usize,
}

impl Bits {
    /// Goes on where an existing value ends: without copying it if this is its only owner, with one copy otherwise.
    pub fn builder_from(self: Rc<Bits>) -> BitsBuilder {
        let bits = match Rc::try_unwrap(self) {
            Ok(bits) => bits,
            Err(shared) => return BitsBuilder::copy_of(&shared),
        };
        let (start, len) = (bits.start, bits.len);
        match Rc::try_unwrap(bits.data) {
            // A small piece of a large buffer would keep all of it alive.
            Ok(data) if start <= len => BitsBuilder::adopt(data, start, start + len),
            Ok(data) => BitsBuilder::copy_of(&Bits { data: Rc::new(data), start, len }),
            Err(data) => BitsBuilder::copy_of(&Bits { data, start, len }),
        }
    }
}

impl BitsBuilder {
    /// No bits yet.
    pub fn new() -> Self {
        BitsBuilder::default()
    }

    /// No bits yet, with room for so many bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        crate::cut::reserve(bytes);
        BitsBuilder { data: Vec::with_capacity(bytes), ..BitsBuilder::default() }
    }

    fn copy_of(bits: &Bits) -> Self {
        // Code that appends once will append again.
        let mut builder = BitsBuilder::with_capacity(bits.byte_len() * 2 + 64);
        builder.push_bits(bits);
        builder
    }

    fn adopt(mut data: Vec<u8>, start: usize, end: usize) -> Self {
        let counted = data.capacity();
        data.truncate(end.div_ceil(8));
        if !end.is_multiple_of(8)
            && let Some(last) = data.last_mut()
        {
            *last &= 0xff << (8 - end % 8);
        }
        BitsBuilder { data, start, end, counted }
    }

    /// The number of bits so far.
    pub fn bit_len(&self) -> usize {
        self.end - self.start
    }

    /// Appends whole bytes.
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        let over = self.end % 8;
        heap::grow(&mut self.data, bytes.len() + 1);
        if over == 0 {
            self.data.extend_from_slice(bytes);
            self.end += bytes.len() * 8;
            return;
        }
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.push_word(u64::from_be_bytes(*word), 64));
        rest.iter().for_each(|&byte| self.push_word(u64::from(byte), 8));
    }

    /// Appends another bitstring.
    pub fn push_bits(&mut self, bits: &Bits) {
        if let Some(bytes) = bits.as_bytes() {
            return self.push_bytes(bytes);
        }
        heap::grow(&mut self.data, bits.byte_len() + 1);
        if self.end.is_multiple_of(8) {
            self.data.extend_from_slice(&bits.to_bytes());
            self.end += bits.bit_len();
            return;
        }
        let mut at = 0;
        while at < bits.bit_len() {
            let size = (bits.bit_len() - at).min(64);
            self.push_u64(bits.read_u64(at, size), size);
            at += size;
        }
    }

    /// The low `size` bits (at most 64) of a number, most significant first.
    #[inline]
    pub fn push_u64(&mut self, value: u64, size: usize) {
        debug_assert!(size <= 64);
        heap::grow(&mut self.data, 16);
        if size == 8 && self.end.is_multiple_of(8) {
            self.data.push(value as u8);
            self.end += 8;
            return;
        }
        self.push_word(value, size);
    }

    fn push_word(&mut self, value: u64, size: usize) {
        if size == 0 {
            return;
        }
        let over = self.end % 8;
        // The kept bits of the last byte, then the new ones, at the top of 128 bits.
        let mut word = (u128::from(value) << (128 - size)) >> over;
        if over != 0 {
            let last = self.data.pop().expect("a partial byte is in the buffer");
            word |= u128::from(last) << 120;
        }
        self.data.extend_from_slice(&word.to_be_bytes()[..(over + size).div_ceil(8)]);
        self.end += size;
    }

    /// The low `size` bits of an integer, of two's complement if it is negative.
    pub fn push_int(&mut self, value: i64, size: usize, little: bool) {
        if size <= 64 && !(little && size > 8) {
            return self.push_u64(value as u64, size);
        }
        let fill = if value < 0 { 0xff } else { 0 };
        self.push_little(&value.to_le_bytes(), fill, size, little);
    }

    /// The same for an integer of any size.
    pub fn push_bigint(&mut self, value: &BigInt, size: usize, little: bool) {
        let fill = if value.sign() == num_bigint::Sign::Minus { 0xff } else { 0 };
        self.push_little(&value.to_signed_bytes_le(), fill, size, little);
    }

    /// `size` bits of the number whose bytes these are, least significant first, and `fill` for ever after.
    fn push_little(&mut self, bytes: &[u8], fill: u8, size: usize, little: bool) {
        let byte = |at: usize| u64::from(bytes.get(at).copied().unwrap_or(fill));
        let (whole, over) = (size / 8, size % 8);
        heap::grow(&mut self.data, whole + 1);
        if little {
            (0..whole).for_each(|at| self.push_u64(byte(at), 8));
            self.push_u64(byte(whole), over);
        } else {
            self.push_u64(byte(whole), over);
            (0..whole).rev().for_each(|at| self.push_u64(byte(at), 8));
        }
    }

    /// A float in 16, 32 or 64 bits, one too large for them as infinity; says no, and adds nothing, for another size.
    #[must_use]
    pub fn push_f64(&mut self, value: f64, size: usize, little: bool) -> bool {
        let word = match size {
            16 => u64::from(f64_to_half(value)),
            32 => u64::from((value as f32).to_bits()),
            64 => value.to_bits(),
            _ => return false,
        };
        let word = if little { word.swap_bytes() >> (64 - size) } else { word };
        self.push_u64(word, size);
        true
    }

    /// A code point as UTF-8; says no, and adds nothing, when it is none.
    #[must_use]
    pub fn push_utf8(&mut self, point: u32) -> bool {
        let Some(point) = char::from_u32(point) else { return false };
        self.push_bytes(point.encode_utf8(&mut [0; 4]).as_bytes());
        true
    }

    /// The same as UTF-16.
    #[must_use]
    pub fn push_utf16(&mut self, point: u32, little: bool) -> bool {
        let Some(point) = char::from_u32(point) else { return false };
        for word in point.encode_utf16(&mut [0; 2]) {
            self.push_int(i64::from(*word), 16, little);
        }
        true
    }

    /// The same as UTF-32.
    #[must_use]
    pub fn push_utf32(&mut self, point: u32, little: bool) -> bool {
        let Some(point) = char::from_u32(point) else { return false };
        self.push_int(i64::from(u32::from(point)), 32, little);
        true
    }

    /// The bitstring of all bits so far.
    pub fn finish(self) -> Bits {
        heap::charge(heap::block(self.data.capacity().saturating_sub(self.counted)));
        Bits { len: self.end - self.start, start: self.start, data: Rc::new(self.data) }
    }
}

/// Rounded to nearest, ties to even; infinity if it is too large.
fn f64_to_half(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let size = value.abs();
    // Below 2^-14 the step is 2^-24; above, the step is the value's power of two divided by 1024.
    if size >= 65520.0 {
        return sign | 0x7c00;
    }
    let exponent = ((size.to_bits() >> 52) as i32 - 1023).max(-14);
    let steps = (size / 2f64.powi(exponent - 10)).round_ties_even() as u32;
    let half = ((exponent + 14) as u32) * 1024 + steps;
    sign | half as u16
}
