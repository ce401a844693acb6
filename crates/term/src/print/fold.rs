//! Large values as expressions that make them: `lists:duplicate(121,0)`, `lists:seq(1,500)`, `<<0:2408>>`.

use std::fmt;

use super::{Printer, is_printable};
use crate::{Bits, Term};

/// Elements, or bytes, that repeat at least so often are folded.
const FEWEST: usize = 24;
/// Bytes of a pattern that repeats in a binary.
const PATTERN: usize = 8;

/// A part of a list, with its elements by index.
#[derive(Clone, Copy)]
pub(crate) enum ListPart {
    /// As they are.
    Plain(usize, usize),
    /// One element so often.
    Repeated(usize, usize),
    /// Integers that rise by one.
    Rising(usize, usize),
}

/// The parts of a list, if one of them is folded.
pub(crate) fn list_parts(items: &[&Term]) -> Option<Vec<ListPart>> {
    let (mut parts, mut plain, mut at) = (Vec::new(), 0, 0);
    while at < items.len() {
        let same = items[at..].iter().take_while(|item| **item == items[at]).count();
        let rising = if same >= FEWEST { 0 } else { rising(&items[at..]) };
        let (part, length) = match same.max(rising) {
            length if length < FEWEST => {
                at += same;
                continue;
            }
            _ if same >= FEWEST => (ListPart::Repeated(at, same), same),
            _ => (ListPart::Rising(at, rising), rising),
        };
        parts.extend((plain < at).then_some(ListPart::Plain(plain, at)));
        parts.push(part);
        at += length;
        plain = at;
    }
    if parts.is_empty() {
        return None;
    }
    parts.extend((plain < items.len()).then_some(ListPart::Plain(plain, items.len())));
    Some(parts)
}

/// The number of integers at the beginning that rise by one.
fn rising(items: &[&Term]) -> usize {
    let Some(first) = items.first().and_then(|item| item.as_i64()) else { return 0 };
    let is_text = |item: &&Term| item.as_i64().and_then(letter).is_some();
    if items.first().is_some_and(is_text) {
        return 0;
    }
    let is_next = |(at, item): &(usize, &&Term)| item.as_i64() == first.checked_add_unsigned(*at as u64);
    items.iter().enumerate().take_while(is_next).count()
}

impl Printer<'_> {
    /// Writes a long list as an expression; false if nothing in it repeats.
    pub(super) fn folded_list(&mut self, list: &Term) -> Result<bool, fmt::Error> {
        let mut cells = list.cells();
        let items: Vec<&Term> = cells.by_ref().collect();
        let Some(parts) = list_parts(&items).filter(|_| matches!(cells.rest(), Term::Nil(_))) else {
            return Ok(false);
        };
        let is_joined = parts.len() > 1;
        if is_joined {
            self.out.write_char('(')?;
        }
        for (at, part) in parts.into_iter().enumerate() {
            self.out.write_str(if at > 0 { " ++ " } else { "" })?;
            self.list_part(&items, part)?;
        }
        if is_joined {
            self.out.write_char(')')?;
        }
        Ok(true)
    }

    fn list_part(&mut self, items: &[&Term], part: ListPart) -> fmt::Result {
        match part {
            ListPart::Plain(from, to) => self.nested(&Term::list(items[from..to].iter().copied().cloned())),
            ListPart::Repeated(at, count) => {
                write!(self.out, "lists:duplicate({count},")?;
                match items[at].as_i64().and_then(letter) {
                    Some(letter) => write!(self.out, "${letter}")?,
                    None => self.nested(items[at])?,
                }
                self.out.write_char(')')
            }
            ListPart::Rising(at, count) => {
                self.out.write_str("lists:seq(")?;
                self.nested(items[at])?;
                self.out.write_char(',')?;
                self.nested(items[at + count - 1])?;
                self.out.write_char(')')
            }
        }
    }

    /// Writes a long binary as an expression; false if nothing in it repeats.
    pub(super) fn folded_bits(&mut self, bits: &Bits) -> Result<bool, fmt::Error> {
        match repeated_bits(bits) {
            None => return Ok(false),
            Some(RepeatedBits::Zeros(length)) => write!(self.out, "<<0:{length}>>")?,
            Some(RepeatedBits::Pattern(pattern, count)) => {
                self.out.write_str("binary:copy(")?;
                self.bits(&pattern)?;
                write!(self.out, ",{count})")?;
            }
        }
        Ok(true)
    }
}

/// A long bitstring in which something repeats.
pub(crate) enum RepeatedBits {
    /// So many bits, none of them set.
    Zeros(usize),
    /// Bytes so often.
    Pattern(Bits, usize),
}

/// The repetition that a long bitstring is.
pub(crate) fn repeated_bits(bits: &Bits) -> Option<RepeatedBits> {
    let (length, bytes) = (bits.bit_len(), bits.to_bytes());
    if length / 8 < FEWEST {
        return None;
    }
    if bytes.iter().all(|byte| *byte == 0) {
        return Some(RepeatedBits::Zeros(length));
    }
    let is_period =
        |period: &usize| bytes.len() % period == 0 && bytes.chunks(*period).all(|it| *it == bytes[..*period]);
    let period = (1..=PATTERN).find(is_period).filter(|_| length % 8 == 0)?;
    Some(RepeatedBits::Pattern(Bits::from_bits(bytes[..period].to_vec(), period * 8), bytes.len() / period))
}

/// A character that stands after a `$` as it is.
pub(crate) fn letter(point: i64) -> Option<char> {
    let point = u32::try_from(point).ok().filter(|point| is_printable(*point))?;
    char::from_u32(point).filter(char::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Style;

    fn folded(term: &Term) -> String {
        term.write(Style::Folded)
    }

    fn numbers(values: impl IntoIterator<Item = i64>) -> Term {
        Term::list(values.into_iter().map(Term::int).collect::<Vec<_>>())
    }

    #[test]
    fn what_repeats_is_folded() {
        assert_eq!(folded(&numbers([0; 121])), "lists:duplicate(121,0)");
        assert_eq!(folded(&numbers([97; 30])), "lists:duplicate(30,$a)");
        assert_eq!(folded(&numbers(1..=500)), "lists:seq(1,500)");
        let mixed = numbers([7, 8].into_iter().chain([0; 40]).chain(3..=40).chain([9]));
        assert_eq!(folded(&mixed), "([7,8] ++ lists:duplicate(40,0) ++ lists:seq(3,40) ++ \"\\t\")");
        assert_eq!(folded(&Term::bits(Bits::from_bits(vec![0; 301], 2408))), "<<0:2408>>");
        assert_eq!(folded(&Term::bits(Bits::from_bits(b"ab".repeat(50), 800))), "binary:copy(<<\"ab\">>,50)");
        let inside = Term::tuple([Term::atom_named("a"), numbers([0; 30])]);
        assert_eq!(folded(&inside), "{a,lists:duplicate(30,0)}");
    }

    #[test]
    fn no_call_stands_in_a_pattern() {
        let zeros = format!("[{}0]", "0,".repeat(29));
        let fun = Term::read(&format!("fun({zeros}) -> {zeros}; (_) -> 0 end")).expect("a fun");
        assert_eq!(folded(&fun), format!("fun({zeros}) -> lists:duplicate(30,0); (_) -> 0 end"));
    }

    #[test]
    fn what_is_short_or_differs_stays() {
        for text in ["[0,0,0]", "\"abc\"", "<<0,0>>", "#{a => [1,2]}"] {
            assert_eq!(folded(&Term::read(text).expect(text)), text);
        }
        let squares = numbers((0..50).map(|it| it * it));
        assert_eq!(folded(&squares), squares.to_string());
        let improper = Term::list_with_tail(vec![Term::int(0); 40], Term::int(1));
        assert_eq!(folded(&improper), improper.to_string());
    }
}
