//! Integers as text in any base.

use num_bigint::BigInt;
use term::{Term, large, number};

use super::text::{binary_bytes, byte_list, word};
use crate::raise::{OrBadarg, badarg, system_limit};
use crate::{Eval, Gives, Operation};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::pure("integer_to_list", 1, |args| Ok(byte_list(write(&args[0], 10).or_badarg()?.as_bytes())))
        .prelude("convert", "integer_to_list"),
    Operation::pure("integer_to_list", 2, |args| Ok(byte_list(write_in(args)?.as_bytes())))
        .prelude("convert", "integer_to_list"),
    Operation::pure("integer_to_binary", 1, |args| Ok(Term::binary(write(&args[0], 10).or_badarg()?)))
        .prelude("convert", "integer_to_binary"),
    Operation::pure("integer_to_binary", 2, |args| Ok(Term::binary(write_in(args)?)))
        .prelude("convert", "integer_to_binary"),
    reading("list_to_integer", 1, |args| read(&digits(&args[0]).or_badarg()?, 10)),
    reading("list_to_integer", 2, |args| read(&digits(&args[0]).or_badarg()?, reading_base(&args[1]).or_badarg()?)),
    reading("binary_to_integer", 1, |args| read(&binary_bytes(&args[0]).or_badarg()?, 10)),
    reading("binary_to_integer", 2, |args| {
        read(&binary_bytes(&args[0]).or_badarg()?, reading_base(&args[1]).or_badarg()?)
    }),
];

const fn reading(name: &'static str, arity: u8, rule: fn(&mut [Term]) -> Eval) -> Operation {
    Operation::pure(name, arity, rule).gives(Gives::Integer).prelude("convert", name)
}

fn base(value: &Term) -> Option<u32> {
    u32::try_from(value.as_i64()?).ok().filter(|base| (2..=36).contains(base))
}

/// When it reads a number, the VM looks at no more than the low 32 bits of a base that is one word.
fn reading_base(value: &Term) -> Option<u32> {
    let low = word(value)? as i32;
    u32::try_from(low).ok().filter(|base| (2..=36).contains(base))
}

/// The elements of a proper list as the VM sees digits: of each integer that is one word, its low byte. A sign is one
/// byte and nothing else.
fn digits(list: &Term) -> Option<Vec<u8>> {
    let byte = |cell: &Term| {
        let value = word(cell)?;
        let low = value as u8;
        (i64::from(low) == value || low.is_ascii_alphanumeric()).then_some(low)
    };
    list.proper_list()?.iter().map(byte).collect()
}

fn write_in(args: &[Term]) -> Result<String, Box<term::Exception>> {
    let base = base(&args[1]).or_badarg()?;
    write(&args[0], base).or_badarg()
}

/// The digits in that base, letters in upper case.
fn write(value: &Term, base: u32) -> Option<String> {
    match value {
        Term::Int(_, value) if base == 10 => Some(value.to_string()),
        Term::Int(_, value) => Some(BigInt::from(*value).to_str_radix(base).to_uppercase()),
        Term::Big(_, value) => Some(large::digits(value, base).to_uppercase()),
        _ => None,
    }
}

/// A sign or none, then digits and nothing else.
pub(crate) fn read(text: &[u8], base: u32) -> Eval {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.iter().all(|digit| char::from(*digit).is_digit(base)) {
        return badarg();
    }
    let digits = std::str::from_utf8(digits).ok().or_badarg()?.trim_start_matches('0');
    let value = if digits.is_empty() { Some(Term::int(0)) } else { number::from_digits(digits, base) };
    match value {
        Some(value) if negative => number::neg(&value).or_badarg(),
        Some(value) => Ok(value),
        None => system_limit(),
    }
}
