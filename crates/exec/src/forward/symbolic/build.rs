//! Building bitstrings from marked values: the parts stay expressions; what can fail is asked.

use constraint::{Expr, Part, Test, Type};
use ir::SegmentKind;
use term::{Atom, Mfa, Term, known};

use super::watch::Watch;
use crate::forward::code::Segment;
use crate::forward::machine::{MOST_BITS, View};

/// The questions of one segment, after those of the segments before it.
const QUESTIONS: u32 = 8;
const SIZE_IS_INTEGER: u32 = 1;
const SIZE_IS_NEGATIVE: u32 = 2;
const SIZE_IS_LARGE: u32 = 3;
const IS_TYPE: u32 = 4;
const IS_WHOLE: u32 = 5;
/// Of a number that becomes a float.
const IS_INTEGER: u32 = 0;
const FITS: u32 = 5;
const IS_SHORT: u32 = 6;
const POINT: u32 = 7;

/// Longer integers are not followed.
const LONGEST: i64 = 1 << 16;

/// Returns the name under which the construction of bitstrings is reported.
pub fn bit_syntax() -> Mfa {
    Mfa { module: known::ERLANG, function: Atom::new("<<>>"), arity: 1 }
}

impl Watch<'_> {
    /// A bitstring under construction; nothing if it fails or depends on nothing.
    pub fn build(&mut self, view: View, form: u32) -> Option<Expr> {
        let program = self.program;
        let segments = &program.code.bits[form as usize].segments;
        let marked =
            |segment: &Segment| view.look(segment.value).mark().is_some() || view.look(segment.size).mark().is_some();
        if !segments.iter().any(marked) {
            return None;
        }
        let mut parts = Vec::new();
        // The VM looks at all sizes before it looks at a value.
        let mut sizes = Vec::with_capacity(segments.len());
        for (at, segment) in segments.iter().enumerate() {
            sizes.push(self.size_in(view, segment, first_of(at))?);
        }
        for (at, (segment, size)) in segments.iter().zip(sizes).enumerate() {
            parts.extend(self.parts_in(view, segment, size, first_of(at))?);
        }
        Some(self.recorder.arena.build(parts))
    }

    /// The size of a segment in bits where it has one, as an expression and a number.
    fn size_in(&mut self, view: View, segment: &Segment, first: u32) -> Option<Option<(Expr, u64)>> {
        let size = view.look(segment.size);
        match segment.kind {
            SegmentKind::Utf8 | SegmentKind::Utf16 | SegmentKind::Utf32 => return Some(None),
            SegmentKind::Bits if size.as_atom() == Some(known::ALL) => return Some(None),
            _ => {}
        }
        let unit = i64::from(segment.unit);
        let is_size = self.is_natural(size, first + SIZE_IS_INTEGER, first + SIZE_IS_NEGATIVE);
        let length = is_size.then(|| self.expr(size))?;
        if segment.kind != SegmentKind::Bits && self.expr_of(size).is_some() {
            self.limit(size, length, unit, first)?;
        }
        let bits = size.as_i64()?.checked_mul(unit).and_then(|bits| u64::try_from(bits).ok())?;
        if bits >= MOST_BITS as u64 {
            return None;
        }
        let by = self.recorder.integer(unit);
        Some(Some((self.recorder.apply(constraint::Op::Mul, length, by), bits)))
    }

    /// A size that the number of bits of an integer depends on: asked for up to a bound, and held to its value above.
    fn limit(&mut self, size: &Term, length: Expr, unit: i64, first: u32) -> Option<()> {
        if self.is_below(first + SIZE_IS_LARGE, length, size, LONGEST) {
            return self.steer(length).map(|_| ());
        }
        if !self.is_below(first + SIZE_IS_LARGE, length, size, (MOST_BITS as i64 + unit - 1) / unit) {
            return None;
        }
        self.pin_expr(length, size);
        self.gap(bit_syntax());
        Some(())
    }

    fn parts_in(&mut self, view: View, segment: &Segment, size: Option<(Expr, u64)>, first: u32) -> Option<Vec<Part>> {
        let value = view.look(segment.value);
        match (segment.kind, size) {
            (SegmentKind::Integer, Some((_, bits))) => {
                self.is(first + IS_TYPE, value, Type::Integer).then_some(())?;
                let (value, size) = (self.expr(value), u32::try_from(bits).ok()?);
                Some(digits(value, size, segment.little))
            }
            (SegmentKind::Float, Some((_, bits))) => {
                let questions = [first + IS_TYPE, first + IS_INTEGER, first + FITS];
                let (word, size) = self.float_bits(value, bits, questions)?;
                Some(digits(word, size, segment.little))
            }
            (SegmentKind::Bits, size) => self.bits_in(value, size, segment, first),
            _ => {
                self.is(first + IS_TYPE, value, Type::Integer).then_some(())?;
                self.text_parts(segment.kind, segment.little, first + POINT, value)
            }
        }
    }

    fn bits_in(&mut self, value: &Term, size: Option<(Expr, u64)>, segment: &Segment, first: u32) -> Option<Vec<Part>> {
        let expr = self.expr(value);
        self.is(first + IS_TYPE, value, Type::Bitstring);
        let found = value.as_bits()?;
        let Some((size, bits)) = size else {
            let whole = self.is_whole(first + IS_WHOLE, expr, found.bit_len(), u64::from(segment.unit));
            return whole.then(|| vec![Part::Bits(expr)]);
        };
        let all = self.recorder.arena.bit_size(expr);
        let short = (found.bit_len() as u64) < bits;
        self.ask(first + IS_SHORT, Test::Less(all, size), short);
        let start = self.recorder.integer(0);
        (!short).then(|| vec![Part::Bits(self.recorder.arena.slice(expr, start, size))])
    }
}

fn first_of(segment: usize) -> u32 {
    segment as u32 * QUESTIONS
}

/// The digits of an integer in their order.
fn digits(value: Expr, size: u32, little: bool) -> Vec<Part> {
    if !little {
        return vec![Part::Integer { value, from: 0, size }];
    }
    let bytes = (0..size).step_by(8);
    bytes.map(|from| Part::Integer { value, from, size: (size - from).min(8) }).collect()
}
