//! Terms whose external format begins like a given binary, as far as that makes sense.

use num_bigint::{BigInt, Sign};
use term::{Map, Term, etf};

/// Elements of one tuple, list or map that are made.
const MOST: usize = 256;
const DEEPEST: u32 = 64;

/// Terms that are encoded like these bytes as far as possible, with something small where they make no sense; then terms
/// of that size.
pub fn resembling(bytes: &[u8]) -> Vec<Term> {
    let like = match (etf::decode(bytes), bytes.split_first()) {
        (Ok(term), _) => Some(term),
        (_, Some((131, rest))) => Some(Reader { rest, depth: 0 }.term()),
        _ => None,
    };
    let size = |more: usize| bytes.len().checked_sub(more).filter(|size| *size > 0 && *size <= 1 << 12);
    let binary = size(6).map(|size| Term::binary(vec![0; size]));
    let text = size(4).map(|size| Term::list(vec![Term::int(97); size]));
    let atom = size(4).filter(|size| *size <= 255).map(|size| Term::atom_named(&"a".repeat(size)));
    let integer = size(3).filter(|size| *size <= 3).map(|size| Term::int(1 << (8 * size)));
    like.into_iter().chain(binary).chain(text).chain(atom).chain(integer).collect()
}

struct Reader<'a> {
    rest: &'a [u8],
    depth: u32,
}

impl Reader<'_> {
    /// Takes so many bytes, as if zeros followed the end.
    fn take(&mut self, count: usize) -> Vec<u8> {
        let there = count.min(self.rest.len());
        let (taken, rest) = self.rest.split_at(there);
        self.rest = rest;
        let mut taken = taken.to_vec();
        taken.resize(count.min(1 << 16), 0);
        taken
    }

    fn number(&mut self, bytes: usize) -> usize {
        self.take(bytes).iter().fold(0, |number, byte| number << 8 | usize::from(*byte))
    }

    fn terms(&mut self, count: usize) -> Vec<Term> {
        (0..count.min(MOST)).map(|_| self.term()).collect()
    }

    fn term(&mut self) -> Term {
        self.depth += 1;
        let tag = if self.depth > DEEPEST { 0 } else { self.take(1)[0] };
        let term = match tag {
            97 => Term::int(self.number(1) as i64),
            98 => Term::int(i64::from(self.number(4) as u32 as i32)),
            110 => self.big(),
            70 => {
                let bytes = self.take(8);
                let value = f64::from_be_bytes(bytes.try_into().unwrap_or_default());
                if value.is_finite() { Term::float(value) } else { Term::int(0) }
            }
            100 | 118 => self.atom(2),
            115 | 119 => self.atom(1),
            104 => {
                let count = self.number(1);
                Term::tuple(self.terms(count))
            }
            105 => {
                let count = self.number(4);
                Term::tuple(self.terms(count))
            }
            106 => Term::nil(),
            107 => {
                let count = self.number(2).min(MOST);
                Term::list(self.take(count).into_iter().map(|byte| Term::int(i64::from(byte))).collect::<Vec<_>>())
            }
            108 => {
                let count = self.number(4);
                let items = self.terms(count);
                let tail = if self.rest.is_empty() { Term::nil() } else { self.term() };
                // Anything is a tail, but few lists have one.
                Term::list_with_tail(items, if tail.as_i64() == Some(0) { Term::nil() } else { tail })
            }
            109 => {
                let count = self.number(4).min(1 << 12);
                Term::binary(self.take(count))
            }
            116 => {
                let count = self.number(4).min(MOST);
                let pairs: Vec<(Term, Term)> = (0..count).map(|_| (self.term(), self.term())).collect();
                Term::map(Map::from_pairs(pairs))
            }
            _ => Term::int(0),
        };
        self.depth -= 1;
        term
    }

    fn atom(&mut self, size: usize) -> Term {
        let count = self.number(size).min(255);
        let name = self.take(count);
        Term::atom_named(&String::from_utf8_lossy(&name))
    }

    fn big(&mut self) -> Term {
        let (count, sign) = (self.number(1), self.number(1));
        let sign = if sign == 0 { Sign::Plus } else { Sign::Minus };
        Term::big(BigInt::from_bytes_le(sign, &self.take(count)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_term_is_made_whole() {
        let shown = |bytes: &[u8]| resembling(bytes).first().map(|term| term.to_string());
        assert_eq!(shown(&[131, 104, 2, 97, 5]).as_deref(), Some("{5,0}"));
        assert_eq!(shown(&[131, 104, 2, 0, 0, 0]).as_deref(), Some("{0,0}"));
        assert_eq!(shown(&[131, 108, 0, 0, 0, 2, 106]).as_deref(), Some("[[],0]"));
        assert_eq!(shown(&[131, 100, 0, 2, 111, 107]).as_deref(), Some("ok"));
        assert_eq!(shown(&[5]), None);
        let sizes: Vec<usize> =
            resembling(&[0; 9]).iter().map(|term| etf::encode(term).map_or(0, |it| it.len())).collect();
        assert!(sizes.len() == 3 && sizes.contains(&9), "{sizes:?}");
        assert_eq!(shown(&etf::encode(&Term::string("abc")).expect("encodes")).as_deref(), Some("\"abc\""));
    }
}
