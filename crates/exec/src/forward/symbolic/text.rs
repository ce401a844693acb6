//! Code points in bitstrings: what makes them valid is asked of their bits.

use constraint::{Expr, Op, Part, Test};
use ir::{SegmentFormat, SegmentKind};
use term::{Bits, Term};

use super::bits::Taken;
use super::watch::Watch;

const ROOM: u32 = 0;
const LEAD: u32 = 16;
const FOLLOWS: u32 = 17;
const POINT: u32 = 18;

/// A number of the bits, and what it is.
type Field = (Expr, u32);

impl Watch<'_> {
    /// A code point at the front of a bitstring; nothing if there is none.
    pub fn text_segment(&mut self, test: SegmentFormat, whole: Expr, found: &Bits) -> Option<Taken> {
        let whole = self.placed(whole);
        let (value, size) = match test.kind {
            SegmentKind::Utf8 => self.utf8(whole, found)?,
            SegmentKind::Utf16 => self.utf16(whole, found, test.little)?,
            _ => self.utf32(whole, found, test.little)?,
        };
        let size = self.recorder.integer(i64::from(size));
        Some(Taken { value: Some(value), rest: self.recorder.arena.rest(whole, size) })
    }

    /// Records whether there are so many bits.
    fn room(&mut self, whole: Expr, found: &Bits, size: u32) -> Option<()> {
        let (all, wanted) = (self.recorder.arena.bit_size(whole), self.recorder.integer(i64::from(size)));
        let short = found.bit_len() < size as usize;
        self.ask(ROOM, Test::Less(all, wanted), short);
        (!short).then_some(())
    }

    fn field(&mut self, whole: Expr, found: &Bits, at: u32, size: u32, little: bool) -> Option<Field> {
        self.room(whole, found, at + size)?;
        let from = self.readable(whole, at + size);
        let expr = self.recorder.arena.segment(from, at, size, false, little);
        let value = found.read_int(at as usize, size as usize, false, little);
        Some((expr, u32::try_from(value.as_i64()?).ok()?))
    }

    fn below(&mut self, ordinal: u32, (expr, value): Field, bound: u32) -> bool {
        let literal = self.recorder.integer(i64::from(bound));
        self.ask(ordinal, Test::Less(expr, literal), value < bound);
        value < bound
    }

    fn utf8(&mut self, whole: Expr, found: &Bits) -> Option<(Expr, u32)> {
        let first = self.field(whole, found, 0, 8, false)?;
        if self.below(LEAD, first, 0x80) {
            return Some((first.0, 8));
        }
        if self.below(LEAD, first, 0xc2) {
            return None;
        }
        let more = [0xe0, 0xf0, 0xf5].iter().position(|bound| self.below(LEAD, first, *bound))? as u32 + 1;
        let two = self.recorder.integer(2);
        let front = self.readable(whole, 8);
        let mut point = self.recorder.arena.bits(front, more + 2, 6 - more);
        let mut value = found.read_u64(more as usize + 2, 6 - more as usize) as u32;
        for next in 1..=more {
            self.room(whole, found, next * 8 + 8)?;
            let at = next * 8;
            let from = self.readable(whole, at + 8);
            let lead = self.recorder.arena.bits(from, at, 2);
            let follows = found.read_u64(at as usize, 2) == 2;
            self.ask(FOLLOWS, Test::Same(lead, two), follows);
            if !follows {
                return None;
            }
            let (digit, base) = (self.recorder.arena.bits(from, at + 2, 6), self.recorder.integer(64));
            let above = self.recorder.apply(Op::Mul, point, base);
            point = self.recorder.apply(Op::Add, above, digit);
            value = value << 6 | found.read_u64(at as usize + 2, 6) as u32;
        }
        let least = [0x80, 0x800, 0x1_0000][more as usize - 1];
        let long = more > 1 && self.below(POINT, (point, value), least);
        (!long && (more == 1 || self.is_scalar((point, value), more == 3))).then_some((point, more * 8 + 8))
    }

    /// True if a number is a code point that text can hold; one that is `high` is no surrogate.
    fn is_scalar(&mut self, point: Field, high: bool) -> bool {
        if !high {
            if self.below(POINT, point, 0xd800) {
                return true;
            }
            if self.below(POINT, point, 0xe000) {
                return false;
            }
        }
        self.below(POINT, point, 0x11_0000)
    }

    fn utf16(&mut self, whole: Expr, found: &Bits, little: bool) -> Option<(Expr, u32)> {
        let first = self.field(whole, found, 0, 16, little)?;
        if self.below(LEAD, first, 0xd800) {
            return Some((first.0, 16));
        }
        if !self.below(LEAD, first, 0xdc00) {
            return (!self.below(LEAD, first, 0xe000)).then_some((first.0, 16));
        }
        let second = self.field(whole, found, 16, 16, little)?;
        if self.below(FOLLOWS, second, 0xdc00) || !self.below(FOLLOWS, second, 0xe000) {
            return None;
        }
        // 0x10000 + (first - 0xd800) * 0x400 + second - 0xdc00
        let [base, offset] = [0x400, 0x1_0000 - 0xd800 * 0x400 - 0xdc00].map(|number| self.recorder.integer(number));
        let high = self.recorder.apply(Op::Mul, first.0, base);
        let both = self.recorder.apply(Op::Add, high, second.0);
        Some((self.recorder.apply(Op::Add, both, offset), 32))
    }

    fn utf32(&mut self, whole: Expr, found: &Bits, little: bool) -> Option<(Expr, u32)> {
        let point = self.field(whole, found, 0, 32, little)?;
        self.is_scalar(point, false).then_some((point.0, 32))
    }

    /// The parts of a code point under construction; nothing if it is none. The value is an integer.
    pub fn text_parts(&mut self, kind: SegmentKind, little: bool, ordinal: u32, value: &Term) -> Option<Vec<Part>> {
        let expr = self.expr(value);
        let below = |watch: &mut Self, bound: i64| watch.is_below(ordinal, expr, value, bound);
        if below(self, 0) {
            return None;
        }
        let size = match kind {
            SegmentKind::Utf8 if below(self, 0x80) => 1,
            SegmentKind::Utf8 if below(self, 0x800) => 2,
            _ if below(self, 0xd800) => 3,
            _ if below(self, 0xe000) => return None,
            _ if below(self, 0x1_0000) => 3,
            _ if below(self, 0x11_0000) => 4,
            _ => return None,
        };
        let digits = |from: u32, size: u32| Part::Integer { value: expr, from, size };
        Some(match (kind, size) {
            (SegmentKind::Utf8, 1) => vec![digits(0, 8)],
            (SegmentKind::Utf8, size) => self.utf8_parts(expr, size),
            (SegmentKind::Utf16, 4) => self.pair_parts(expr, little),
            (SegmentKind::Utf16, _) if little => vec![digits(0, 8), digits(8, 8)],
            (SegmentKind::Utf16, _) => vec![digits(0, 16)],
            _ if little => (0..4).map(|byte| digits(byte * 8, 8)).collect(),
            _ => vec![digits(0, 32)],
        })
    }

    fn constant(&mut self, value: i64, size: u32) -> Part {
        Part::Integer { value: self.recorder.integer(value), from: 0, size }
    }

    fn utf8_parts(&mut self, value: Expr, size: u32) -> Vec<Part> {
        let lead = [0b110, 0b1110, 0b11110][size as usize - 2];
        let mut parts =
            vec![self.constant(lead, size + 1), Part::Integer { value, from: 6 * (size - 1), size: 7 - size }];
        for byte in (0..size - 1).rev() {
            parts.extend([self.constant(0b10, 2), Part::Integer { value, from: 6 * byte, size: 6 }]);
        }
        parts
    }

    /// Two words of UTF-16.
    fn pair_parts(&mut self, point: Expr, little: bool) -> Vec<Part> {
        let offset = self.recorder.integer(-0x1_0000);
        let value = self.recorder.apply(Op::Add, point, offset);
        let digits = |from: u32, size: u32| Part::Integer { value, from, size };
        let [high, low] = [0b11_0110, 0b11_0111].map(|lead| self.constant(lead, 6));
        if little {
            vec![digits(10, 8), high, digits(18, 2), digits(0, 8), low, digits(8, 2)]
        } else {
            vec![high, digits(10, 10), low, digits(0, 10)]
        }
    }
}
