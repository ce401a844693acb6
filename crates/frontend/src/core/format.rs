//! The formats of bitstring segments.

use ir::{SegmentFormat, SegmentKind};
use term::Term;

use super::CoreError;
use super::node::{list, literal, literal_atom, unexpected};

/// Reads the format of a segment.
pub fn format(unit: &Term, kind: &Term, flags: &Term) -> Result<SegmentFormat, CoreError> {
    let (kind, unit) = (kind_of(kind)?, unit_of(literal(unit)?)?);
    let mut format = SegmentFormat { kind, unit, signed: false, little: false };
    for flag in list(literal(flags)?, "flags")? {
        match flag.as_atom().map_or("", |flag| flag.name()) {
            "signed" => format.signed = true,
            "little" => format.little = true,
            "native" => format.little = cfg!(target_endian = "little"),
            "unsigned" | "big" => {}
            _ => return Err(unexpected("a segment's flag", flag)),
        }
    }
    Ok(format)
}

fn kind_of(kind: &Term) -> Result<SegmentKind, CoreError> {
    match literal_atom(kind)?.name() {
        "integer" => Ok(SegmentKind::Integer),
        "float" => Ok(SegmentKind::Float),
        "binary" => Ok(SegmentKind::Bits),
        "utf8" => Ok(SegmentKind::Utf8),
        "utf16" => Ok(SegmentKind::Utf16),
        "utf32" => Ok(SegmentKind::Utf32),
        other => Err(CoreError::new(format!("`{other}` is no kind of segment"))),
    }
}

fn unit_of(unit: &Term) -> Result<u16, CoreError> {
    match unit {
        Term::Atom(_, name) if name.name() == "undefined" => Ok(1),
        Term::Int(_, unit) if (1..=256).contains(unit) => Ok(*unit as u16),
        _ => Err(CoreError::new("a segment's unit is not a number from 1 to 256")),
    }
}
