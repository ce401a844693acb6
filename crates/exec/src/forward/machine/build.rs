//! Building bitstrings.

use ir::SegmentKind;
use term::{Atom, BitsBuilder, Exception, Term, heap, known, number};

use super::arith::attempt;
use super::cursor::View;
use super::fault::Fault;
use crate::forward::code::{BitsForm, Segment, Slot};

/// Bitstrings are shorter than this many bits: the VM may have the memory for longer ones.
pub const MOST_BITS: usize = 1 << 36;

/// Integers from here on are not small to the VM.
const SMALL: i64 = 1 << 59;

impl View {
    /// Builds a bitstring of segments.
    pub fn bits(self, to: Slot, form: &BitsForm) -> Result<(), Box<Fault>> {
        let Some(builder) = attempt(|| self.build(form))? else {
            let complaint = self.complaint(form);
            heap::was_refused();
            return Err(complaint);
        };
        for segment in &form.segments {
            self.release(segment.value);
            self.release(segment.size);
        }
        self.put(to, Term::bits(builder.finish()));
        Ok(())
    }

    /// The bits, unless a segment does not fit; then no operand was touched.
    fn build(self, form: &BitsForm) -> Option<BitsBuilder> {
        let (mut builder, rest) = self.begin(form);
        rest.iter().all(|segment| self.append(&mut builder, segment)).then_some(builder)
    }

    /// A bitstring that begins with one that dies here goes on in its buffer.
    fn begin(self, form: &BitsForm) -> (BitsBuilder, &[Segment]) {
        if let [first, rest @ ..] = form.segments.as_slice()
            && first.kind == SegmentKind::Bits
            && first.value.is_last()
            && self.takes_all(first)
            && rest.iter().all(|segment| self.fits(segment))
            && let Term::Bits(_, bits) = self.look(first.value)
            && bits.bit_len().is_multiple_of(usize::from(first.unit.max(1)))
            && let Term::Bits(_, bits) = self.take(first.value.index() as Slot)
        {
            return (bits.builder_from(), rest);
        }
        (BitsBuilder::new(), &form.segments)
    }

    /// True if a segment surely fits, so that the buffer before it may be used up.
    fn fits(self, segment: &Segment) -> bool {
        match (segment.kind, self.look(segment.value), self.look(segment.size)) {
            (SegmentKind::Integer, Term::Int(..), Term::Int(_, 0..=4096)) => true,
            (SegmentKind::Bits, Term::Bits(_, bits), Term::Atom(_, known::ALL)) => {
                bits.bit_len().is_multiple_of(usize::from(segment.unit.max(1)))
            }
            (SegmentKind::Utf8, Term::Int(_, point), _) => {
                u32::try_from(*point).is_ok_and(|point| char::from_u32(point).is_some())
            }
            _ => false,
        }
    }

    fn takes_all(self, segment: &Segment) -> bool {
        self.look(segment.size).as_atom() == Some(known::ALL)
    }

    /// Appends a segment; says no if it does not fit.
    fn append(self, builder: &mut BitsBuilder, segment: &Segment) -> bool {
        let (value, little) = (self.look(segment.value), segment.little);
        match segment.kind {
            SegmentKind::Integer => self.size(segment).is_ok_and(|size| push_integer(builder, value, size, little)),
            SegmentKind::Float => self
                .size(segment)
                .is_ok_and(|size| number::to_f64(value).is_some_and(|value| builder.push_f64(value, size, little))),
            SegmentKind::Bits => self.append_bits(builder, value, segment),
            SegmentKind::Utf8 => code_point(value).is_some_and(|point| builder.push_utf8(point)),
            SegmentKind::Utf16 => code_point(value).is_some_and(|point| builder.push_utf16(point, little)),
            SegmentKind::Utf32 => code_point(value).is_some_and(|point| builder.push_utf32(point, little)),
        }
    }

    fn append_bits(self, builder: &mut BitsBuilder, value: &Term, segment: &Segment) -> bool {
        let Term::Bits(_, bits) = value else { return false };
        if self.takes_all(segment) {
            builder.push_bits(bits);
            return bits.bit_len().is_multiple_of(usize::from(segment.unit.max(1)));
        }
        match self.size(segment) {
            Ok(size) if size <= bits.bit_len() => builder.push_bits(&bits.slice(0, size)),
            _ => return false,
        }
        true
    }

    /// The size of a segment in bits, or what is wrong with it.
    fn size(self, segment: &Segment) -> Result<usize, Exception> {
        match self.look(segment.size) {
            Term::Int(_, size) if *size >= 0 => {
                let bits = usize::try_from(*size).ok().and_then(|size| size.checked_mul(usize::from(segment.unit)));
                bits.filter(|bits| is_held(*bits)).ok_or_else(Exception::system_limit)
            }
            big @ Term::Big(..) if number::sign(big).is_some_and(|sign| sign.is_gt()) => Err(Exception::system_limit()),
            _ => Err(Exception::badarg()),
        }
    }

    /// Which segment does not fit and why. The VM looks at all sizes before it looks at a value.
    #[cold]
    fn complaint(self, form: &BitsForm) -> Box<Fault> {
        let numbered = || form.segments.iter().zip(1..);
        let sized = || numbered().filter(|(segment, _)| self.is_sized(segment));
        let wrong = || sized().filter_map(|(segment, number)| Some((self.size(segment).err()?, segment, number)));
        let first = wrong().find(|(_, segment, _)| !self.is_large(segment)).or_else(|| wrong().next());
        if first.as_ref().is_some_and(|(_, segment, _)| self.takes_memory(segment)) {
            return Box::new(Fault::Memory);
        }
        if let Some((exception, segment, number)) = first {
            return explained(exception, number, segment, "size", self.look(segment.size));
        }
        for (segment, number) in numbered() {
            if !self.append(&mut BitsBuilder::new(), segment) {
                let (problem, value) = self.problem(segment);
                return explained(Exception::badarg(), number, segment, problem, value);
            }
        }
        Fault::here(Exception::badarg())
    }

    /// True if so many bits are no number too large for the VM.
    fn takes_memory(self, segment: &Segment) -> bool {
        let bits = self.look(segment.size).as_i64().and_then(|size| size.checked_mul(i64::from(segment.unit)));
        bits.is_some_and(|bits| (0..SMALL).contains(&bits) && !is_held(bits as usize))
    }

    /// True if a size is sound by itself and only too much for the memory, which the VM finds out last.
    fn is_large(self, segment: &Segment) -> bool {
        matches!(self.look(segment.size), Term::Int(_, 0..SMALL))
    }

    fn is_sized(self, segment: &Segment) -> bool {
        match segment.kind {
            SegmentKind::Integer | SegmentKind::Float => true,
            SegmentKind::Bits => !self.takes_all(segment),
            SegmentKind::Utf8 | SegmentKind::Utf16 | SegmentKind::Utf32 => false,
        }
    }

    /// The VM's word for what is wrong with a segment whose size is sound, and the term to blame.
    fn problem(&self, segment: &Segment) -> (&'static str, &Term) {
        let value = self.look(segment.value);
        match (segment.kind, value) {
            (SegmentKind::Bits, Term::Bits(..)) if self.takes_all(segment) => ("unit", value),
            (SegmentKind::Bits, Term::Bits(..)) => ("short", value),
            (SegmentKind::Float, Term::Int(..) | Term::Float(..) | Term::Big(..)) => match self.size(segment) {
                Ok(16 | 32 | 64) => ("no_float", value),
                _ => ("invalid", self.look(segment.size)),
            },
            _ => ("type", value),
        }
    }
}

/// The fault of a segment, with what the VM says about it in the trace.
fn explained(exception: Exception, number: i64, segment: &Segment, problem: &str, value: &Term) -> Box<Fault> {
    let kind = match segment.kind {
        SegmentKind::Integer => "integer",
        SegmentKind::Float => "float",
        SegmentKind::Bits => "binary",
        SegmentKind::Utf8 => "utf8",
        SegmentKind::Utf16 => "utf16",
        SegmentKind::Utf32 => "utf32",
    };
    let atom = |name: &str| Term::atom(Atom::new(name));
    let cause = Term::tuple([Term::int(number), atom(kind), atom(problem), value.clone()]);
    let pairs =
        [(atom("cause"), cause), (atom("function"), atom("format_bs_fail")), (atom("module"), atom("erl_erts_errors"))];
    let info = Term::tuple([atom("error_info"), Term::map(term::Map::from_pairs(pairs))]);
    Box::new(Fault::Explained { exception, info })
}

fn push_integer(builder: &mut BitsBuilder, value: &Term, size: usize, little: bool) -> bool {
    match value {
        Term::Int(_, value) => builder.push_int(*value, size, little),
        Term::Big(_, value) => builder.push_bigint(value, size, little),
        _ => return false,
    }
    true
}

/// True if the run may hold so many bits.
fn is_held(bits: usize) -> bool {
    bits < MOST_BITS && heap::allows(bits / 8)
}

fn code_point(value: &Term) -> Option<u32> {
    u32::try_from(value.as_i64()?).ok()
}
