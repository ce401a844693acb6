//! Matching bitstrings.

use std::rc::Rc;

use ir::{SegmentFormat, SegmentKind};
use term::{Bits, Mark, Term, known};

use super::cursor::View;
use crate::forward::code::{NOWHERE, SegmentForm, Slot, Src};

impl View {
    /// An unsigned big-endian integer of whole bytes at the front.
    #[inline(always)]
    pub fn if_bytes(self, count: u8, bits: Src, form: &SegmentForm) -> bool {
        let size = usize::from(count) * 8;
        let value = match self.look(bits) {
            Term::Bits(_, it) if it.bit_len() >= size => it.read_u64(0, size) as i64,
            _ => return false,
        };
        self.go_behind(bits, size, form.rest);
        if form.value != NOWHERE {
            self.put(form.value, Term::int(value));
        }
        true
    }

    /// Takes a segment off the front of a bitstring; false if it has none that fits.
    pub fn if_segment(self, bits: Src, form: &SegmentForm) -> bool {
        let Term::Bits(_, it) = self.look(bits) else { return false };
        let size = match pattern_size(form.test, self.look(form.size), it) {
            Some(size) => size,
            None => return false,
        };
        if form.test.kind == SegmentKind::Bits && size == it.bit_len() {
            return self.take_all(bits, form);
        }
        let Some((value, size)) = read(form.test, it, size) else { return false };
        self.go_behind(bits, size, form.rest);
        self.put_if_wanted(form.value, value);
        true
    }

    /// A segment that takes everything there is: the same term again.
    #[inline(always)]
    fn take_all(self, bits: Src, form: &SegmentForm) -> bool {
        let whole = self.fetch(bits);
        self.put_if_wanted(form.rest, Term::bits(Bits::empty()));
        self.put_if_wanted(form.value, whole);
        true
    }

    /// Gives what follows a segment of that size: the same term moved on if it dies here.
    #[inline(always)]
    fn go_behind(self, bits: Src, size: usize, to: Slot) {
        if bits.is_last() {
            let Term::Bits(_, mut rest) = self.take(bits.index() as Slot) else { return };
            if to != NOWHERE {
                advance(&mut rest, size);
                self.put(to, Term::Bits(Mark::NONE, rest));
            }
        } else if to != NOWHERE
            && let Term::Bits(_, it) = self.look(bits)
        {
            let rest = Term::bits(it.slice(size, usize::MAX));
            self.put(to, rest);
        }
    }
}

/// The value and the rest of a segment at the front of a bitstring; nothing if it has none that fits.
pub fn take_segment(format: SegmentFormat, bits: &Bits, size: &Term) -> Option<(Term, Term)> {
    let size = pattern_size(format, size, bits)?;
    let (value, size) = read(format, bits, size)?;
    Some((value, Term::bits(bits.slice(size, usize::MAX))))
}

#[inline(always)]
fn advance(bits: &mut Rc<Bits>, size: usize) {
    match Rc::get_mut(bits) {
        Some(bits) => bits.advance(size),
        None => *bits = Rc::new(bits.slice(size, usize::MAX)),
    }
}

/// The size in bits of a segment in a pattern; nothing if it cannot match.
fn pattern_size(test: SegmentFormat, size: &Term, bits: &Bits) -> Option<usize> {
    match size {
        _ if matches!(test.kind, SegmentKind::Utf8 | SegmentKind::Utf16 | SegmentKind::Utf32) => Some(0),
        Term::Atom(_, known::ALL) => {
            bits.bit_len().is_multiple_of(usize::from(test.unit.max(1))).then(|| bits.bit_len())
        }
        Term::Int(_, size) => {
            let size = usize::try_from(*size).ok()?.checked_mul(usize::from(test.unit))?;
            (size <= bits.bit_len()).then_some(size)
        }
        _ => None,
    }
}

/// The value of a segment and the bits it takes.
fn read(test: SegmentFormat, bits: &Bits, size: usize) -> Option<(Term, usize)> {
    let point = |found: Option<(u32, usize)>| found.map(|(point, size)| (Term::int(i64::from(point)), size));
    match test.kind {
        SegmentKind::Integer => Some((bits.read_int(0, size, test.signed, test.little), size)),
        SegmentKind::Float => Some((Term::float(bits.read_float(0, size, test.little)?), size)),
        SegmentKind::Bits => Some((Term::bits(bits.slice(0, size)), size)),
        SegmentKind::Utf8 => point(bits.read_utf8(0)),
        SegmentKind::Utf16 => point(bits.read_utf16(0, test.little)),
        SegmentKind::Utf32 => point(bits.read_utf32(0, test.little)),
    }
}
