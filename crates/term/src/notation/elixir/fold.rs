//! Large values as expressions that make them: `List.duplicate(0, 121)`, `Enum.to_list(1..500)`, `<<0::2408>>`.

use super::ElixirWriter;
use crate::print::fold::{ListPart, RepeatedBits, letter, list_parts, repeated_bits};
use crate::{Bits, Term};

impl ElixirWriter<'_> {
    /// Writes a long list as an expression; false if nothing in it repeats.
    pub(super) fn folded_list(&mut self, list: &Term) -> bool {
        let mut cells = list.cells();
        let items: Vec<&Term> = cells.by_ref().collect();
        let Some(parts) = list_parts(&items).filter(|_| matches!(cells.rest(), Term::Nil(_))) else { return false };
        let is_joined = parts.len() > 1;
        self.put(if is_joined { "(" } else { "" });
        for (at, part) in parts.into_iter().enumerate() {
            self.put(if at > 0 { " ++ " } else { "" });
            self.list_part(&items, part);
        }
        self.put(if is_joined { ")" } else { "" });
        true
    }

    fn list_part(&mut self, items: &[&Term], part: ListPart) {
        match part {
            ListPart::Plain(from, to) => self.term(&Term::list(items[from..to].iter().copied().cloned())),
            ListPart::Repeated(at, count) => {
                self.put("List.duplicate(");
                match items[at].as_i64().and_then(letter) {
                    Some(letter) => self.put(&format!("?{letter}")),
                    None => self.term(items[at]),
                }
                self.put(&format!(", {count})"));
            }
            ListPart::Rising(at, count) => {
                self.put("Enum.to_list(");
                self.term(items[at]);
                self.put("..");
                self.term(items[at + count - 1]);
                self.put(")");
            }
        }
    }

    /// Writes a long bitstring as an expression; false if nothing in it repeats.
    pub(super) fn folded_bits(&mut self, bits: &Bits) -> bool {
        match repeated_bits(bits) {
            None => return false,
            Some(RepeatedBits::Zeros(length)) => self.put(&format!("<<0::{length}>>")),
            Some(RepeatedBits::Pattern(pattern, count)) => {
                self.put("String.duplicate(");
                self.bits(&pattern);
                self.put(&format!(", {count})"));
            }
        }
        true
    }
}
