//! Floats as text: in scientific, decimal and shortest notation, and back.

use term::{Term, float_text};

use super::text::{binary_bytes, byte_list, list_bytes, word};
use crate::raise::{OrBadarg, badarg};
use crate::{Eval, Gives, Operation};

pub(super) const OPERATIONS: &[Operation] = &[
    text("float_to_list", 1, to_list).gives(Gives::List),
    text("float_to_list", 2, to_list).gives(Gives::List),
    text("float_to_binary", 1, to_binary).gives(Gives::Binary),
    text("float_to_binary", 2, to_binary).gives(Gives::Binary),
    text("list_to_float", 1, |args| read(&list_bytes(&args[0]).or_badarg()?)),
    text("binary_to_float", 1, |args| read(&binary_bytes(&args[0]).or_badarg()?)),
];

const fn text(name: &'static str, arity: u8, rule: fn(&mut [Term]) -> Eval) -> Operation {
    Operation::pure(name, arity, rule).prelude("float", name)
}

fn to_list(args: &mut [Term]) -> Eval {
    Ok(byte_list(write_as(args).or_badarg()?.as_bytes()))
}

fn to_binary(args: &mut [Term]) -> Eval {
    Ok(Term::binary(write_as(args).or_badarg()?))
}

/// The longest text the VM makes of a float.
const MAX_TEXT: usize = 255;

#[derive(Clone, Copy)]
enum Notation {
    Scientific(i32),
    Decimal { digits: i32, compact: bool },
    Shortest,
}

impl Notation {
    const DEFAULT: Notation = Notation::Scientific(20);
}

fn write_as(args: &[Term]) -> Option<String> {
    let notation = args.get(1).map_or(Some(Notation::DEFAULT), notation)?;
    write(&args[0], notation)
}

/// The last option that names a notation decides.
fn notation(options: &Term) -> Option<Notation> {
    let (mut notation, mut compact) = (Notation::DEFAULT, false);
    for option in options.proper_list()? {
        match &option {
            Term::Atom(_, atom) if atom.name() == "compact" => compact = true,
            Term::Atom(_, atom) if atom.name() == "short" => notation = Notation::Shortest,
            _ => notation = with_digits(&option)?,
        }
    }
    if let Notation::Decimal { compact: strip, .. } = &mut notation {
        *strip = compact;
    }
    Some(notation)
}

/// `{decimals, N}` or `{scientific, N}`. The VM takes the low 32 bits of a word, with their sign.
fn with_digits(option: &Term) -> Option<Notation> {
    let [name, digits] = option.as_tuple()? else { return None };
    let digits = word(digits)? as i32;
    match name.as_atom()?.name() {
        "decimals" => Some(Notation::Decimal { digits, compact: false }),
        "scientific" => Some(Notation::Scientific(digits)),
        _ => None,
    }
}

fn write(value: &Term, notation: Notation) -> Option<String> {
    let Term::Float(_, value) = value else { return None };
    let text = match notation {
        // The C library's own default stands in for a negative precision.
        Notation::Scientific(..0) => scientific(*value, 6),
        Notation::Scientific(digits) => scientific(*value, room(digits)?),
        Notation::Decimal { digits, compact } => decimal(*value, room(digits)?, compact),
        Notation::Shortest => float_text(*value),
    };
    (text.len() <= MAX_TEXT).then_some(text)
}

/// A number of digits for which there can be room.
fn room(digits: i32) -> Option<usize> {
    usize::try_from(digits).ok().filter(|digits| *digits < MAX_TEXT)
}

/// With an exponent of a sign and two digits at least.
fn scientific(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    match exponent.strip_prefix('-') {
        Some(exponent) => format!("{mantissa}e-{exponent:0>2}"),
        None => format!("{mantissa}e+{exponent:0>2}"),
    }
}

/// A text that is too long stays so, even if it were not without its zeros. Those of a large whole number the VM takes
/// away as well, though they are not behind a point.
fn decimal(value: f64, digits: usize, compact: bool) -> String {
    let quick = quick_decimal(value, digits);
    let strip = compact && (digits > 0 || quick.is_none());
    let text = quick.unwrap_or_else(|| format!("{value:.digits$}"));
    if text.len() > MAX_TEXT || !strip {
        return text;
    }
    let stripped = text.trim_end_matches('0');
    if stripped.ends_with('.') { format!("{stripped}0") } else { stripped.to_owned() }
}

/// For values and precisions that are not large the VM scales the fraction, in floating point, and rounds it half up.
/// What scaling loses shows, so it is done the same way here.
fn quick_decimal(value: f64, digits: usize) -> Option<String> {
    const MAX_DIGITS: usize = 18;
    const MAX_VALUE: f64 = (1u64 << 53) as f64;
    let size = value.abs();
    if digits > MAX_DIGITS || size > MAX_VALUE {
        return None;
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if digits == 0 {
        return Some(format!("{sign}{}", size.round() as u64));
    }
    let unit = 10u64.pow(digits as u32) as f64;
    let (mut whole, mut fraction) = (size.floor(), ((size - size.floor()) * unit).round());
    if fraction >= unit {
        (whole, fraction) = (whole + 1.0, 0.0);
    }
    Some(format!("{sign}{}.{:0digits$}", whole as u64, fraction as u64))
}

/// Sign, digits, point, digits, and an exponent if any. The VM takes a comma for a point, and a zero byte for the end.
pub(crate) fn read(text: &[u8]) -> Eval {
    let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
    let normal = normal(&text[..end]).or_badarg()?;
    match normal.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Term::float(value)),
        _ => badarg(),
    }
}

/// The text as Rust reads it, if it is a float's.
fn normal(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once(['.', ','])?;
    let exponent_digits = exponent.map_or("0", |text| text.strip_prefix(['+', '-']).unwrap_or(text));
    let numeric = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let valid = numeric(whole) && numeric(fraction) && numeric(exponent_digits);
    valid.then(|| text.replace(',', "."))
}
