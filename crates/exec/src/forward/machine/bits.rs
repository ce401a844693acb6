//! Building and matching bitstrings.

use std::rc::Rc;

use ir::{SegmentKind, SegmentTest};
use term::{Bits, BitsBuilder, Exception, Mark, Term, known, number};

use super::cursor::View;
use super::fault::Fault;
use crate::forward::code::{BitsForm, NOWHERE, Segment, SegmentForm, Slot, Src};

type Done = Result<(), Box<Fault>>;

/// The VM's bitstrings are shorter than this many bits.
const MOST_BITS: usize = 1 << 36;

impl View {
    pub fn bits(self, to: Slot, form: &BitsForm) -> Done {
        let builder = self.build(form).map_err(|fault| self.bad_size(form).unwrap_or(fault))?;
        for segment in &form.segments {
            self.release(segment.value);
            self.release(segment.size);
        }
        self.put(to, Term::bits(builder.finish()));
        Ok(())
    }

    /// The VM looks at all sizes before it looks at a value: a bad size wins over a bad value before it.
    #[cold]
    fn bad_size(self, form: &BitsForm) -> Option<Box<Fault>> {
        let sized = |segment: &&Segment| match segment.kind {
            SegmentKind::Integer | SegmentKind::Float => true,
            SegmentKind::Bits => self.look(segment.size).as_atom() != Some(known::ALL),
            SegmentKind::Utf8 | SegmentKind::Utf16 | SegmentKind::Utf32 => false,
        };
        form.segments.iter().filter(sized).find_map(|segment| self.size(segment).err())
    }

    fn build(self, form: &BitsForm) -> Result<BitsBuilder, Box<Fault>> {
        let (mut builder, rest) = self.begin(form);
        for segment in rest {
            self.append(&mut builder, segment)?;
        }
        Ok(builder)
    }

    /// A bitstring that begins with one that dies here goes on in its buffer.
    fn begin(self, form: &BitsForm) -> (BitsBuilder, &[Segment]) {
        if let [first, rest @ ..] = form.segments.as_slice() {
            let whole = first.kind == SegmentKind::Bits && self.look(first.size).as_atom() == Some(known::ALL);
            let sound = rest.iter().all(|segment| self.fits(segment));
            if whole
                && first.value.is_last()
                && sound
                && let Term::Bits(_, bits) = self.look(first.value)
                && bits.bit_len().is_multiple_of(usize::from(first.unit.max(1)))
            {
                let Term::Bits(_, bits) = self.take(first.value.index() as Slot) else {
                    return (BitsBuilder::new(), rest);
                };
                return (bits.builder_from(), rest);
            }
        }
        (BitsBuilder::new(), &form.segments)
    }

    /// Whether a segment surely raises nothing, so that the buffer before it may be used up.
    fn fits(self, segment: &Segment) -> bool {
        match (segment.kind, self.look(segment.value), self.look(segment.size)) {
            (SegmentKind::Integer, Term::Int(..), Term::Int(_, 0..=4096)) => true,
            (SegmentKind::Bits, Term::Bits(_, bits), Term::Atom(_, known::ALL)) => {
                bits.bit_len().is_multiple_of(usize::from(segment.unit.max(1)))
            }
            (SegmentKind::Utf8, Term::Int(_, point), _) => u32::try_from(*point).is_ok_and(is_scalar),
            _ => false,
        }
    }

    fn append(self, builder: &mut BitsBuilder, segment: &Segment) -> Done {
        let value = self.look(segment.value);
        let done = match segment.kind {
            SegmentKind::Integer => {
                let size = self.size(segment)?;
                push_integer(builder, value, size, segment.little)
            }
            SegmentKind::Float => {
                let size = self.size(segment)?;
                number::to_f64(value).is_some_and(|value| builder.push_f64(value, size, segment.little))
            }
            SegmentKind::Bits => self.append_bits(builder, value, segment)?,
            SegmentKind::Utf8 => code_point(value).is_some_and(|point| builder.push_utf8(point)),
            SegmentKind::Utf16 => code_point(value).is_some_and(|point| builder.push_utf16(point, segment.little)),
            SegmentKind::Utf32 => code_point(value).is_some_and(|point| builder.push_utf32(point, segment.little)),
        };
        if done { Ok(()) } else { Err(badarg()) }
    }

    fn append_bits(self, builder: &mut BitsBuilder, value: &Term, segment: &Segment) -> Result<bool, Box<Fault>> {
        let Term::Bits(_, bits) = value else { return Ok(false) };
        if self.look(segment.size).as_atom() == Some(known::ALL) {
            builder.push_bits(bits);
            return Ok(bits.bit_len().is_multiple_of(usize::from(segment.unit.max(1))));
        }
        let size = self.size(segment)?;
        if size > bits.bit_len() {
            return Ok(false);
        }
        builder.push_bits(&bits.slice(0, size));
        Ok(true)
    }

    /// The size of a segment in bits.
    fn size(self, segment: &Segment) -> Result<usize, Box<Fault>> {
        match self.look(segment.size) {
            Term::Int(_, size) if *size >= 0 => {
                let bits = usize::try_from(*size).ok().and_then(|size| size.checked_mul(usize::from(segment.unit)));
                bits.filter(|bits| *bits < MOST_BITS).ok_or_else(|| Fault::here(Exception::system_limit()))
            }
            big @ Term::Big(..) if number::sign(big).is_some_and(|sign| sign.is_gt()) => {
                Err(Fault::here(Exception::system_limit()))
            }
            _ => Err(badarg()),
        }
    }

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

#[inline(always)]
fn advance(bits: &mut Rc<Bits>, size: usize) {
    match Rc::get_mut(bits) {
        Some(bits) => bits.advance(size),
        None => *bits = Rc::new(bits.slice(size, usize::MAX)),
    }
}

/// The size in bits of a segment in a pattern; nothing if it cannot match.
fn pattern_size(test: SegmentTest, size: &Term, bits: &Bits) -> Option<usize> {
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
fn read(test: SegmentTest, bits: &Bits, size: usize) -> Option<(Term, usize)> {
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

fn push_integer(builder: &mut BitsBuilder, value: &Term, size: usize, little: bool) -> bool {
    match value {
        Term::Int(_, value) => builder.push_int(*value, size, little),
        Term::Big(_, value) => builder.push_bigint(value, size, little),
        _ => return false,
    }
    true
}

fn code_point(value: &Term) -> Option<u32> {
    u32::try_from(value.as_i64()?).ok()
}

fn is_scalar(point: u32) -> bool {
    char::from_u32(point).is_some()
}

#[cold]
fn badarg() -> Box<Fault> {
    Fault::here(Exception::badarg())
}
