//! Reading bitstrings: segments with values, sizes and types.

use super::lex::Token;
use super::{MAX_BITS, Reader, Result};
use crate::{BitsBuilder, Term, number};

/// The type specifiers after the slash.
#[derive(Default)]
struct Spec {
    kind: Option<&'static str>,
    little: bool,
    unit: Option<usize>,
}

const KINDS: &[&str] = &["integer", "float", "binary", "bytes", "bitstring", "bits", "utf8", "utf16", "utf32"];

impl Reader<'_> {
    pub(super) fn binary(&mut self) -> Result<Term> {
        self.expect("<<")?;
        let mut out = BitsBuilder::new();
        self.separated(">>", |reader| reader.segment(&mut out))?;
        Ok(Term::bits(out.finish()))
    }

    fn segment(&mut self, out: &mut BitsBuilder) -> Result<()> {
        let value = match &self.token {
            Token::String(_) => Err(self.strings()?),
            _ => Ok(self.nested()?),
        };
        let size = if self.accept(":")? { Some(self.size()?) } else { None };
        let spec = if self.accept("/")? { self.spec()? } else { Spec::default() };
        match value {
            // A string stands for a segment per character.
            Err(text) => {
                text.chars().try_for_each(|c| self.push(out, &Term::int(i64::from(u32::from(c))), size, &spec))
            }
            Ok(value) => self.push(out, &value, size, &spec),
        }
    }

    fn size(&mut self) -> Result<usize> {
        let size = match &self.token {
            Token::Number(_) => self.literal()?,
            _ => self.parenthesis()?,
        };
        match number::to_usize(&size) {
            Some(size) if size <= MAX_BITS => Ok(size),
            _ => self.error(format!("{size} is no size up to {MAX_BITS}")),
        }
    }

    fn spec(&mut self) -> Result<Spec> {
        let mut spec = Spec::default();
        loop {
            let word = self.atom("a segment type")?;
            match word.name() {
                "little" => spec.little = true,
                "native" => spec.little = cfg!(target_endian = "little"),
                "big" | "signed" | "unsigned" => {}
                "unit" => spec.unit = Some(self.unit()?),
                name => match KINDS.iter().find(|kind| **kind == name) {
                    Some(kind) => spec.kind = Some(kind),
                    None => return self.error(format!("{name} is no segment type")),
                },
            }
            if !self.accept("-")? {
                return Ok(spec);
            }
        }
    }

    fn unit(&mut self) -> Result<usize> {
        self.expect(":")?;
        match self.literal()? {
            Term::Int(_, unit @ 1..=256) => Ok(unit as usize),
            other => self.error(format!("{other} is no unit from 1 to 256")),
        }
    }

    fn push(&mut self, out: &mut BitsBuilder, value: &Term, size: Option<usize>, spec: &Spec) -> Result<()> {
        let bits = size.unwrap_or(0).saturating_mul(spec.unit.unwrap_or(1));
        match self.room.checked_sub(bits) {
            Some(room) => self.room = room,
            None => return self.error(format!("sizes that ask for more than {MAX_BITS} bits together")),
        }
        let done = match spec.kind.unwrap_or("integer") {
            "integer" => push_integer(out, value, size.map_or(8, |_| bits), spec.little),
            "float" => push_float(out, value, size.map_or(64, |_| bits), spec.little),
            "utf8" => point(value).is_some_and(|point| size.is_none() && out.push_utf8(point)),
            "utf16" => point(value).is_some_and(|point| size.is_none() && out.push_utf16(point, spec.little)),
            "utf32" => point(value).is_some_and(|point| size.is_none() && out.push_utf32(point, spec.little)),
            kind => push_part(out, value, size, spec.unit.unwrap_or(if kind.starts_with("bit") { 1 } else { 8 })),
        };
        if done { Ok(()) } else { self.error(format!("{value} does not fit its segment")) }
    }
}

fn point(value: &Term) -> Option<u32> {
    u32::try_from(value.as_i64()?).ok()
}

fn push_integer(out: &mut BitsBuilder, value: &Term, size: usize, little: bool) -> bool {
    match value {
        Term::Int(_, value) => out.push_int(*value, size, little),
        Term::Big(_, value) => out.push_bigint(value, size, little),
        _ => return false,
    }
    true
}

fn push_float(out: &mut BitsBuilder, value: &Term, size: usize, little: bool) -> bool {
    number::to_f64(value).is_some_and(|value| out.push_f64(value, size, little))
}

/// All of a bitstring, which must then be whole units, or its first `size` units.
fn push_part(out: &mut BitsBuilder, value: &Term, size: Option<usize>, unit: usize) -> bool {
    let Some(bits) = value.as_bits() else { return false };
    let len = size.map_or(bits.bit_len(), |size| size.saturating_mul(unit));
    let fits = len <= bits.bit_len() && len.is_multiple_of(unit);
    if fits {
        out.push_bits(&bits.slice(0, len));
    }
    fits
}
