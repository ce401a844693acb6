//! Bitstrings: a shared buffer, and which of its bits belong to this value.

mod build;
mod number;
mod unicode;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

pub use build::BitsBuilder;

use crate::heap::{self, Measure};

/// A bitstring. Slices share their buffer; bits are counted from the most significant one of the first byte.
#[derive(Clone)]
pub struct Bits {
    data: Rc<Vec<u8>>,
    start: usize,
    len: usize,
}

impl Bits {
    /// No bits.
    pub fn empty() -> Bits {
        Bits::from_bytes(Vec::new())
    }

    /// All bits of these bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Bits {
        let len = bytes.len() * 8;
        Bits::from_bits(bytes, len)
    }

    /// The first `bit_len` bits of the bytes, or all of them if there are fewer.
    pub fn from_bits(bytes: Vec<u8>, bit_len: usize) -> Bits {
        let len = bit_len.min(bytes.len() * 8);
        heap::charge(heap::block(bytes.capacity()));
        Bits { data: Rc::new(bytes), start: 0, len }
    }

    /// Counts the buffer.
    pub(crate) fn measure(&self, measure: &mut Measure<'_>) {
        measure.enter_rc(&self.data, heap::block(self.data.capacity()));
    }

    /// The number of bits.
    #[inline]
    pub fn bit_len(&self) -> usize {
        self.len
    }

    /// The number of bytes these bits need.
    #[inline]
    pub fn byte_len(&self) -> usize {
        self.len.div_ceil(8)
    }

    /// True if there are no bits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// True if this is a whole number of bytes.
    #[inline]
    pub fn is_binary(&self) -> bool {
        self.len.is_multiple_of(8)
    }

    /// The bytes, if they are whole and lie at byte boundaries of the buffer.
    #[inline]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        if self.len == 0 {
            return Some(&[]);
        }
        (self.start | self.len).is_multiple_of(8).then(|| &self.data[self.start / 8..(self.start + self.len) / 8])
    }

    /// The bits moved to a byte boundary, the last byte filled up with zeros.
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        if let Some(bytes) = self.as_bytes() {
            return Cow::Borrowed(bytes);
        }
        let mut bytes = Vec::with_capacity(self.byte_len());
        let mut at = 0;
        while at < self.len {
            let size = (self.len - at).min(64);
            let word = self.read_u64(at, size) << (64 - size);
            bytes.extend_from_slice(&word.to_be_bytes()[..size.div_ceil(8)]);
            at += size;
        }
        Cow::Owned(bytes)
    }

    /// `len` bits from bit `start` on, cut off at the end of this value.
    pub fn slice(&self, start: usize, len: usize) -> Bits {
        let start = start.min(self.len);
        Bits { data: Rc::clone(&self.data), start: self.start + start, len: len.min(self.len - start) }
    }

    /// The same bits with those that stand before them in their buffer, as far as there are any.
    pub fn before(&self, bits: usize) -> Bits {
        let bits = bits.min(self.start);
        Bits { data: Rc::clone(&self.data), start: self.start - bits, len: self.len + bits }
    }

    /// Drops bits at the front.
    #[inline]
    pub fn advance(&mut self, bits: usize) {
        let bits = bits.min(self.len);
        self.start += bits;
        self.len -= bits;
    }

    /// `size` bits (at most 64) from bit `at` on as a big-endian number. The caller has checked that they exist.
    #[inline]
    pub fn read_u64(&self, at: usize, size: usize) -> u64 {
        debug_assert!(size <= 64 && at + size <= self.len);
        if size == 0 {
            return 0;
        }
        let first = self.start + at;
        let (byte, shift) = (first / 8, first % 8);
        if size == 8 && shift == 0 {
            return u64::from(self.data[byte]);
        }
        match self.data.get(byte..byte + 8) {
            Some(eight) if shift + size <= 64 => {
                let word = u64::from_be_bytes(eight.try_into().expect("eight bytes"));
                (word << shift) >> (64 - size)
            }
            _ => self.read_u64_slowly(byte, shift, size),
        }
    }

    /// Near the end of the buffer, or over nine bytes.
    fn read_u64_slowly(&self, byte: usize, shift: usize, size: usize) -> u64 {
        let end = (byte * 8 + shift + size).div_ceil(8);
        let word = self.data[byte..end].iter().fold(0u128, |word, &next| word << 8 | u128::from(next));
        let word = word >> ((end - byte) * 8 - shift - size);
        (word & ((1u128 << size) - 1)) as u64
    }

    /// True if both are the same bits of the same buffer.
    fn same(&self, other: &Bits) -> bool {
        Rc::ptr_eq(&self.data, &other.data) && self.start == other.start && self.len == other.len
    }

    /// The order of the first `len` bits of both.
    fn compare_front(&self, other: &Bits, len: usize) -> Ordering {
        if (self.start | other.start).is_multiple_of(8) {
            let whole = len / 8;
            let (mine, theirs) = (&self.data[self.start / 8..][..whole], &other.data[other.start / 8..][..whole]);
            return mine.cmp(theirs).then_with(|| self.compare_words(other, whole * 8, len));
        }
        self.compare_words(other, 0, len)
    }

    fn compare_words(&self, other: &Bits, from: usize, to: usize) -> Ordering {
        let mut at = from;
        while at < to {
            let size = (to - at).min(64);
            match self.read_u64(at, size).cmp(&other.read_u64(at, size)) {
                Ordering::Equal => at += size,
                order => return order,
            }
        }
        Ordering::Equal
    }
}

impl PartialEq for Bits {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && (self.same(other) || self.compare_front(other, self.len).is_eq())
    }
}

impl Eq for Bits {}

/// Bit by bit; of two where one is the beginning of the other, the shorter is less.
impl Ord for Bits {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.same(other) {
            return Ordering::Equal;
        }
        self.compare_front(other, self.len.min(other.len)).then(self.len.cmp(&other.len))
    }
}

impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Bits {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len.hash(state);
        state.write(&self.to_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_share_and_advance() {
        let mut bits = Bits::from_bytes(vec![0b1010_0101, 0xff, 0x12]);
        let slice = bits.slice(4, 9);
        assert_eq!((slice.bit_len(), slice.byte_len(), slice.is_binary()), (9, 2, false));
        assert_eq!(slice.to_bytes().as_ref(), [0b0101_1111, 0b1000_0000]);
        bits.advance(8);
        assert_eq!(bits.as_bytes(), Some(&[0xff, 0x12][..]));
        assert_eq!(bits.slice(100, 5), Bits::empty());
        bits.advance(100);
        assert!(bits.is_empty());
    }

    #[test]
    fn appending_to_the_only_owner_does_not_copy() {
        let mut builder = BitsBuilder::with_capacity(64);
        builder.push_bytes(&[1]);
        let mut value = Rc::new(builder.finish());
        let buffer = value.data.as_ptr();
        for byte in 2..50 {
            let mut builder = value.builder_from();
            builder.push_u64(byte, 8);
            value = Rc::new(builder.finish());
        }
        assert_eq!(value.data.as_ptr(), buffer);
        assert_eq!(value.byte_len(), 49);
    }

    #[test]
    fn appending_in_the_middle_of_a_byte_clears_what_was_behind() {
        let slice = Bits::from_bytes(vec![0xff, 0xff]).slice(0, 3);
        let mut builder = Rc::new(slice).builder_from();
        builder.push_u64(0, 5);
        assert_eq!(builder.finish().as_bytes(), Some(&[0b1110_0000][..]));
    }
}
