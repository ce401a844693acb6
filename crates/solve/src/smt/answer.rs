//! Reading what the process prints.

use num_bigint::BigInt;
use num_traits::Num;

/// The answer to a `check-sat`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Sat,
    Unsat,
    Unknown,
    /// Something else: nothing can be concluded.
    Error,
}

/// The verdict in the output of the process.
pub fn verdict(text: &str) -> Verdict {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    match (lines.next(), lines.next()) {
        (Some("sat"), None) => Verdict::Sat,
        (Some("unsat"), None) => Verdict::Unsat,
        (Some("unknown" | "timeout"), None) => Verdict::Unknown,
        _ => Verdict::Error,
    }
}

/// The values of these names, from the answer to a `get-value`.
pub fn values(text: &str, names: &[String]) -> Option<Vec<BigInt>> {
    let mut tokens = tokens(text).into_iter();
    expect(&mut tokens, "(")?;
    let mut values = Vec::with_capacity(names.len());
    for name in names {
        expect(&mut tokens, "(")?;
        expect(&mut tokens, name)?;
        values.push(value(&mut tokens)?);
        expect(&mut tokens, ")")?;
    }
    expect(&mut tokens, ")")?;
    tokens.next().is_none().then_some(values)
}

fn expect<'a>(tokens: &mut impl Iterator<Item = &'a str>, wanted: &str) -> Option<()> {
    (tokens.next()? == wanted).then_some(())
}

/// A numeral, `(- numeral)`, `#x…`, `#b…` or `(_ bvN w)`.
fn value<'a>(tokens: &mut impl Iterator<Item = &'a str>) -> Option<BigInt> {
    let first = tokens.next()?;
    if first != "(" {
        return literal(first);
    }
    let value = match tokens.next()? {
        "-" => -literal(tokens.next()?)?,
        "_" => {
            let bits = tokens.next()?.strip_prefix("bv")?.parse().ok()?;
            signed(bits, tokens.next()?.parse().ok()?)
        }
        _ => return None,
    };
    expect(tokens, ")")?;
    Some(value)
}

fn literal(text: &str) -> Option<BigInt> {
    if let Some(digits) = text.strip_prefix("#x") {
        return Some(signed(BigInt::from_str_radix(digits, 16).ok()?, 4 * digits.len() as u64));
    }
    if let Some(digits) = text.strip_prefix("#b") {
        return Some(signed(BigInt::from_str_radix(digits, 2).ok()?, digits.len() as u64));
    }
    if text.starts_with(|first: char| first.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// The number that so many bits stand for.
fn signed(bits: BigInt, width: u64) -> BigInt {
    if width > 0 && bits.bit(width - 1) { bits - (BigInt::from(1) << width) } else { bits }
}

fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    for word in text.split_ascii_whitespace() {
        let mut rest = word;
        while let Some(at) = rest.find(['(', ')']) {
            tokens.extend((at > 0).then(|| &rest[..at]));
            tokens.push(&rest[at..=at]);
            rest = &rest[at + 1..];
        }
        tokens.extend((!rest.is_empty()).then_some(rest));
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Vec<i64>> {
        let names = [String::from("x0"), String::from("x1")];
        Some(values(text, &names)?.iter().map(|value| i64::try_from(value).unwrap()).collect())
    }

    #[test]
    fn values_are_read_in_every_notation() {
        assert_eq!(read("((x0 5)\n (x1 (- 7)))\n"), Some(vec![5, -7]));
        assert_eq!(read("((x0 #xff) (x1 #b011))"), Some(vec![-1, 3]));
        assert_eq!(read("((x0 (_ bv200 8)) (x1 (_ bv3 8)))"), Some(vec![-56, 3]));
    }

    #[test]
    fn garbage_is_no_value() {
        for text in ["", "(", "((x0 5))", "((x0 5) (x1 abc))", "((x1 5) (x0 7))", "(error \"x\")", "((x0 5) (x1 7)) 8"]
        {
            assert_eq!(read(text), None, "{text}");
        }
        let many = format!("((x0 {}) (x1 1))", "9".repeat(60));
        assert_eq!(values(&many, &["x0".into(), "x1".into()]).unwrap()[0].to_string(), "9".repeat(60));
    }

    #[test]
    fn a_verdict_stands_alone() {
        assert_eq!(verdict("sat\n"), Verdict::Sat);
        assert_eq!(verdict("unsat"), Verdict::Unsat);
        assert_eq!(verdict("unknown\n"), Verdict::Unknown);
        assert_eq!(verdict("(error \"line 1\")\nsat\n"), Verdict::Error);
        assert_eq!(verdict(""), Verdict::Error);
    }
}
