//! The characters and bytes of a long text.

use super::random::Random;

/// The characters that a text is made of.
#[derive(Clone, Debug)]
pub enum Alphabet {
    /// One alone.
    One(u8),
    /// These, by chance.
    Some(&'static [u8]),
    /// Any byte.
    Any,
}

const SETS: [&[u8]; 6] =
    [b"0123456789", b"abcdefghijklmnopqrstuvwxyz", b"()[]{}<>", b" \t\r\n", b"+-*/=.,:;", b"aA0 \"'\\_-()[]{}<>,;"];

/// Characters that tend to mean something where they are repeated.
const SIGNS: &[u8] = b"aA09 ()[]{}<>\"'\\/.,:;-+=*#&%\n\t\0\xff\x80\xc3";

impl Alphabet {
    /// An alphabet by chance.
    pub fn by_chance(random: &mut Random) -> Alphabet {
        match random.below(4) {
            0 | 1 => Alphabet::One(SIGNS[random.below(SIGNS.len())]),
            2 => Alphabet::Some(SETS[random.below(SETS.len())]),
            _ => Alphabet::Any,
        }
    }

    /// One of its bytes.
    pub fn byte(&self, random: &mut Random) -> u8 {
        match self {
            Alphabet::One(byte) => *byte,
            Alphabet::Some(bytes) => bytes[random.below(bytes.len())],
            Alphabet::Any => random.next() as u8,
        }
    }
}
