//! The size of a value, and its distance from the plainest of its kind.

use term::{Table, Term};

/// The size of a value: first its nodes, then the weight of what stands in its leaves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct TermSize {
    pub nodes: u64,
    pub weight: u64,
}

impl TermSize {
    /// The size of several values together.
    pub fn of(terms: &[Term]) -> TermSize {
        let mut measure = TermSize::default();
        let mut todo: Vec<&Term> = terms.iter().collect();
        while let Some(term) = todo.pop() {
            measure.nodes += 1;
            measure.weight = measure.weight.saturating_add(weight(term));
            match term {
                Term::Cons(_, cell) => {
                    // `[0]` is plainer than `[0 | 0]`.
                    let is_improper = !matches!(cell.tail, Term::Cons(..) | Term::Nil(_));
                    measure.weight = measure.weight.saturating_add(u64::from(is_improper));
                    todo.extend([&cell.head, &cell.tail]);
                }
                Term::Tuple(_, items) => todo.extend(items.iter()),
                Term::Map(_, map) => todo.extend(map.iter().flat_map(|(key, value)| [key, value])),
                Term::Fun(..) => todo.extend(term.as_table().into_iter().flat_map(Table::parts)),
                Term::Bits(_, bits) => measure.nodes += bits.bit_len() as u64,
                _ => {}
            }
        }
        measure
    }
}

/// The distance of a leaf from the plainest of its kind.
fn weight(term: &Term) -> u64 {
    match term {
        Term::Atom(_, atom) => atom.name().len() as u64,
        Term::Float(_, value) => float_weight(*value),
        Term::Bits(_, bits) => bits.to_bytes().iter().map(|byte| u64::from(*byte)).sum(),
        term if term.is_integer() => match term.as_i64() {
            Some(value) => value.unsigned_abs().saturating_mul(2).saturating_add(u64::from(value < 0)),
            None => u64::MAX / 2 + term.as_bigint().map_or(0, |big| big.bits()),
        },
        _ => 0,
    }
}

/// First how many digits it takes to write a float, then how far its exponent is from none, then its first digit.
fn float_weight(value: f64) -> u64 {
    let sign = u64::from(value.is_sign_negative());
    if value == 0.0 {
        return sign;
    }
    let text = format!("{:e}", value.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = mantissa.len().saturating_sub(1) as u64;
    let far = exponent.parse::<i64>().unwrap_or(0).unsigned_abs();
    let first = mantissa.bytes().next().map_or(0, |digit| u64::from(digit.saturating_sub(b'0')));
    digits << 24 | far << 12 | first << 1 | sign
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> TermSize {
        TermSize::of(&[Term::read(text).unwrap_or_else(|e| panic!("{e}"))])
    }

    #[test]
    fn fewer_nodes_come_first_then_plainer_leaves() {
        let rising = ["0", "1", "-1", "2", "1000000000000000000000", "[]", "[0]", "[1]", "{0, 0, 0}"];
        let measures: Vec<TermSize> = rising.iter().filter(|text| **text != "[]").map(|text| of(text)).collect();
        assert!(measures.windows(2).all(|pair| pair[0] < pair[1]), "{measures:?}");
        assert_eq!(of("[]").nodes, 1);
        assert!(of("[0]") < of("[0 | 0]"));
        let floats = ["0.0", "1.0", "-1.0", "2.0", "20.0", "0.02", "1.0e300", "1.5", "15.0", "1.7976931348623157e308"];
        let measures: Vec<TermSize> = floats.iter().map(|text| of(text)).collect();
        assert!(measures.windows(2).all(|pair| pair[0] <= pair[1]), "{measures:?}");
    }
}
