//! Reading patterns, and the formats of bitstring segments.

use ir::SegmentKind;
use term::Term;

use super::expr::Reader;
use super::node::{list, literal, literal_atom, name, record, unexpected, variable};
use super::{CoreError, Format, Pattern, SegmentPattern};

type Read<T> = Result<T, CoreError>;

/// Patterns are trees of boxes, freed by recursion; no source nests them as deep as this.
const MAX_DEPTH: usize = 5_000;

impl Reader<'_> {
    /// Reads a pattern.
    pub fn pattern(&mut self, term: &Term) -> Read<Pattern> {
        self.pattern_at(term, 0)
    }

    fn pattern_at(&mut self, term: &Term, depth: usize) -> Read<Pattern> {
        if depth > MAX_DEPTH {
            return Err(CoreError::new(format!("a pattern is nested more than {MAX_DEPTH} deep")));
        }
        term::deeper(|| self.pattern_node(term, depth + 1))
    }

    fn pattern_node(&mut self, term: &Term, depth: usize) -> Read<Pattern> {
        match name(term) {
            "c_var" => variable(term).map(Pattern::Variable),
            "c_literal" => literal(term).map(|value| Pattern::Literal(value.clone())),
            "c_cons" => self.cons_pattern(term, depth),
            "c_tuple" => self.tuple_pattern(term, depth),
            "c_map" => self.map_pattern(term, depth),
            "c_binary" => self.binary_pattern(term, depth),
            "c_alias" => self.alias(term, depth),
            _ => Err(unexpected("a pattern", term)),
        }
    }

    fn cons_pattern(&mut self, term: &Term, depth: usize) -> Read<Pattern> {
        let [_, head, tail] = record(term, "c_cons")?;
        let parts = (self.pattern_at(head, depth)?, self.pattern_at(tail, depth)?);
        Ok(Pattern::Cons(Box::new(parts)))
    }

    fn tuple_pattern(&mut self, term: &Term, depth: usize) -> Read<Pattern> {
        let [_, items] = record(term, "c_tuple")?;
        let items = list(items, "patterns")?;
        items.into_iter().map(|item| self.pattern_at(item, depth)).collect::<Read<_>>().map(Pattern::Tuple)
    }

    fn map_pattern(&mut self, term: &Term, depth: usize) -> Read<Pattern> {
        let [_, _, pairs, _] = record(term, "c_map")?;
        let mut read = Vec::new();
        for pair in list(pairs, "map pairs")? {
            let [_, _, key, value] = record(pair, "c_map_pair")?;
            read.push((self.expr(key)?, self.pattern_at(value, depth)?));
        }
        Ok(Pattern::Map(read))
    }

    fn binary_pattern(&mut self, term: &Term, depth: usize) -> Read<Pattern> {
        let [_, segments] = record(term, "c_binary")?;
        let mut read = Vec::new();
        for segment in list(segments, "segments")? {
            let [_, value, size, unit, kind, flags] = record(segment, "c_bitstr")?;
            let format = format(unit, kind, flags)?;
            let pattern = self.pattern_at(value, depth)?;
            read.push(SegmentPattern { pattern, size: self.expr(size)?, format });
        }
        Ok(Pattern::Binary(read))
    }

    fn alias(&mut self, term: &Term, depth: usize) -> Read<Pattern> {
        let [_, var, pattern] = record(term, "c_alias")?;
        Ok(Pattern::Alias(variable(var)?, Box::new(self.pattern_at(pattern, depth)?)))
    }
}

/// Reads the format of a segment.
pub fn format(unit: &Term, kind: &Term, flags: &Term) -> Read<Format> {
    let (kind, unit) = (kind_of(kind)?, unit_of(literal(unit)?)?);
    let mut format = Format { kind, unit, signed: false, little: false };
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

fn kind_of(kind: &Term) -> Read<SegmentKind> {
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

fn unit_of(unit: &Term) -> Read<u16> {
    match unit {
        Term::Atom(_, name) if name.name() == "undefined" => Ok(1),
        Term::Int(_, unit) if (1..=256).contains(unit) => Ok(*unit as u16),
        _ => Err(CoreError::new("a segment's unit is not a number from 1 to 256")),
    }
}
