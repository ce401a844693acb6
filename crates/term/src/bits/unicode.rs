//! Reading code points out of bitstrings: UTF-8, UTF-16 and UTF-32, refusing what the VM refuses.

use super::Bits;

/// True if a number is a code point that text can hold.
fn is_scalar(point: u32) -> bool {
    char::from_u32(point).is_some()
}

impl Bits {
    fn byte_at(&self, at: usize) -> Option<u32> {
        (at + 8 <= self.len).then(|| self.read_u64(at, 8) as u32)
    }

    /// The code point at bit `at` and the number of bits it takes.
    pub fn read_utf8(&self, at: usize) -> Option<(u32, usize)> {
        let first = self.byte_at(at)?;
        let (more, least, start) = match first {
            0x00..=0x7f => return Some((first, 8)),
            0xc2..=0xdf => (1, 0x80, first & 0x1f),
            0xe0..=0xef => (2, 0x800, first & 0x0f),
            0xf0..=0xf4 => (3, 0x1_0000, first & 0x07),
            _ => return None,
        };
        let mut point = start;
        for next in 1..=more {
            let byte = self.byte_at(at + next * 8)?;
            if byte & 0xc0 != 0x80 {
                return None;
            }
            point = point << 6 | byte & 0x3f;
        }
        (point >= least && is_scalar(point)).then_some((point, (more + 1) * 8))
    }

    fn word_at(&self, at: usize, little: bool) -> Option<u32> {
        if at + 16 > self.len {
            return None;
        }
        let word = self.read_u64(at, 16) as u16;
        Some(u32::from(if little { word.swap_bytes() } else { word }))
    }

    /// The code point at bit `at` and the number of bits it takes.
    pub fn read_utf16(&self, at: usize, little: bool) -> Option<(u32, usize)> {
        let high = self.word_at(at, little)?;
        match high {
            0xd800..=0xdbff => {
                let low = self.word_at(at + 16, little)?;
                let point = 0x1_0000 + ((high & 0x3ff) << 10 | low & 0x3ff);
                (0xdc00..=0xdfff).contains(&low).then_some((point, 32))
            }
            0xdc00..=0xdfff => None,
            _ => Some((high, 16)),
        }
    }

    /// The code point at bit `at` and the number of bits it takes.
    pub fn read_utf32(&self, at: usize, little: bool) -> Option<(u32, usize)> {
        if at + 32 > self.len {
            return None;
        }
        let word = self.read_u64(at, 32) as u32;
        let point = if little { word.swap_bytes() } else { word };
        is_scalar(point).then_some((point, 32))
    }
}
