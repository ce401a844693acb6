//! Binaries and bitstrings: sizes, parts, and conversions to lists.

use constraint::{Op, Type};
use term::Term;

use super::text::byte_list;
use crate::binary::{binary, part};
use crate::operation::size;
use crate::raise::{OrBadarg, badarg};
use crate::{Eval, Gives, Operation, Rule};

pub(super) const OPERATIONS: &[Operation] = &[
    size(Op::ByteSize, Type::Bitstring, |args| number(args[0].as_bits().or_badarg()?.byte_len())),
    size(Op::BitSize, Type::Bitstring, |args| number(args[0].as_bits().or_badarg()?.bit_len())),
    Operation::pure("size", 1, of_either).rule(Rule::SizeOfEither).gives(Gives::Integer).guard(),
    Operation::pure("binary_to_list", 1, |args| Ok(byte_list(&binary(&args[0])?.to_bytes())))
        .prelude("erlang", "to_list"),
    Operation::pure("binary_to_list", 3, range_to_list).prelude("erlang", "to_list"),
    Operation::pure("bitstring_to_list", 1, bitstring_to_list).prelude("erlang", "bits_to_list"),
    Operation::pure("binary_part", 2, part).prelude("erlang", "part_of_binary").guard(),
    Operation::pure("binary_part", 3, part).prelude("erlang", "part_of_binary").guard(),
    Operation::pure("split_binary", 2, split).prelude("erlang", "split_at"),
];

fn number(size: usize) -> Eval {
    Ok(Term::int(size as i64))
}

/// Of a tuple, or the whole bytes of a bitstring.
fn of_either(args: &mut [Term]) -> Eval {
    match &args[0] {
        Term::Tuple(_, elements) => number(elements.len()),
        Term::Bits(_, bits) => number(bits.bit_len() / 8),
        _ => badarg(),
    }
}

/// Both ends belong to the range, the first byte has number 1.
fn range_to_list(args: &mut [Term]) -> Eval {
    let bytes = binary(&args[0])?.to_bytes();
    let position = |at: &Term| at.as_i64().and_then(|at| usize::try_from(at).ok()).or_badarg();
    let (first, last) = (position(&args[1])?, position(&args[2])?);
    if first < 1 || first > last {
        return badarg();
    }
    Ok(byte_list(bytes.get(first - 1..last).or_badarg()?))
}

/// The bits that do not fill a byte come last, as a bitstring.
fn bitstring_to_list(args: &mut [Term]) -> Eval {
    let bits = args[0].as_bits().or_badarg()?;
    let whole = bits.bit_len() / 8 * 8;
    let rest = (whole < bits.bit_len()).then(|| Term::bits(bits.slice(whole, bits.bit_len() - whole)));
    let bytes = bits.slice(0, whole);
    Ok(Term::list_with_tail(bytes.to_bytes().iter().map(|byte| Term::int(i64::from(*byte))), Term::list(rest)))
}

/// At a byte; what is left of a bitstring goes with the second part.
fn split(args: &mut [Term]) -> Eval {
    let bits = args[0].as_bits().or_badarg()?;
    let at = args[1].as_i64().and_then(|at| usize::try_from(at).ok()).or_badarg()?;
    if at > bits.bit_len() / 8 {
        return badarg();
    }
    let (front, back) = (bits.slice(0, at * 8), bits.slice(at * 8, bits.bit_len() - at * 8));
    Ok(Term::tuple([Term::bits(front), Term::bits(back)]))
}
