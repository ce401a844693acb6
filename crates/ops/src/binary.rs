//! The natives of the `binary` module.

mod pattern;
pub(crate) use pattern::compile_pattern;
pub use pattern::needles;
mod search;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{ToPrimitive, Zero};
use term::{Atom, Bits, Mfa, Term, cut, heap};

use crate::erlang::iodata::bytes;
use crate::policy::Policy;
use crate::raise::{OrBadarg, Raised, badarg, system_limit};
use crate::{Eval, Operation};

pub(crate) const OPERATIONS: &[Operation] = &[
    Operation::pure("at", 2, at).prelude("binary", "at"),
    // The compiled pattern is a reference that only the process which made it keeps alive.
    Operation::pure(COMPILER, 1, compile_pattern).prelude("binary", "compile").policy(Policy::State),
    Operation::pure("copy", 1, copy).prelude("binary", "copy"),
    Operation::pure("copy", 2, copy_times).prelude("binary", "copy"),
    Operation::pure("decode_unsigned", 1, decode_unsigned).prelude("binary", "decode"),
    Operation::pure("decode_unsigned", 2, decode_unsigned).prelude("binary", "decode"),
    Operation::pure("encode_unsigned", 1, encode_unsigned).prelude("binary", "encode"),
    Operation::pure("encode_unsigned", 2, encode_unsigned).prelude("binary", "encode"),
    Operation::pure("first", 1, first).prelude("binary", "first"),
    Operation::pure("last", 1, last).prelude("binary", "last"),
    Operation::pure("list_to_bin", 1, list_to_bin).prelude("binary", "list_to_bin"),
    Operation::pure("longest_common_prefix", 1, longest_common_prefix).prelude("binary", "common_prefix"),
    Operation::pure("longest_common_suffix", 1, longest_common_suffix).prelude("binary", "common_suffix"),
    Operation::pure("match", 2, search::match_first).prelude("binary", "match"),
    Operation::pure("match", 3, search::match_first).prelude("binary", "match"),
    Operation::pure("matches", 2, search::matches).prelude("binary", "matches"),
    Operation::pure("matches", 3, search::matches).prelude("binary", "matches"),
    Operation::pure("part", 2, part).prelude("binary", "part"),
    Operation::pure("part", 3, part).prelude("binary", "part"),
    Operation::pure("split", 2, search::split).prelude("binary", "split"),
    Operation::pure("split", 3, search::split).prelude("binary", "split"),
];

const COMPILER: &str = "compile_pattern";

/// Returns the function that compiles patterns.
pub fn pattern_compiler() -> Mfa {
    Mfa { module: Atom::new("binary"), function: Atom::new(COMPILER), arity: 1 }
}

/// The most bytes one operation may make: far more than a run can use, and far less than would take the machine down.
const MOST_BYTES: usize = 1 << 32;

/// A whole number of bytes, or `badarg`.
pub(crate) fn binary(term: &Term) -> Raised<&Bits> {
    term.as_bits().filter(|bits| bits.is_binary()).or_badarg()
}

fn byte_at(bits: &Bits, at: usize) -> Eval {
    if at >= bits.bit_len() / 8 {
        return badarg();
    }
    Ok(Term::int(bits.read_u64(at * 8, 8) as i64))
}

fn at(args: &mut [Term]) -> Eval {
    let position = args[1].as_i64().and_then(|position| usize::try_from(position).ok()).or_badarg()?;
    byte_at(binary(&args[0])?, position)
}

fn first(args: &mut [Term]) -> Eval {
    byte_at(binary(&args[0])?, 0)
}

fn last(args: &mut [Term]) -> Eval {
    let bits = binary(&args[0])?;
    byte_at(bits, (bits.bit_len() / 8).checked_sub(1).or_badarg()?)
}

fn list_to_bin(args: &mut [Term]) -> Eval {
    match &args[0] {
        list @ (Term::Nil(_) | Term::Cons(..)) => Ok(Term::binary(bytes(list).or_badarg()?)),
        _ => badarg(),
    }
}

fn copy(args: &mut [Term]) -> Eval {
    Ok(Term::binary(binary(&args[0])?.to_bytes().into_owned()))
}

fn copy_times(args: &mut [Term]) -> Eval {
    let bits = args[0].as_bits().or_badarg()?;
    let times = args[1].as_bigint().and_then(|times| times.to_usize()).or_badarg()?;
    // The VM looks at the bits only if it has to copy them.
    if times == 0 || bits.is_empty() {
        return Ok(Term::binary([]));
    }
    let bytes = binary(&args[0])?.to_bytes();
    match bytes.len().checked_mul(times) {
        Some(size) if size <= MOST_BYTES && heap::allows(size) => {
            cut::reserve(size);
            Ok(Term::binary(bytes.repeat(times)))
        }
        _ => system_limit(),
    }
}

/// True if the least significant byte comes first; big is the default.
fn is_little(endianness: Option<&Term>) -> Raised<bool> {
    match endianness.map(|term| term.as_atom().map(|atom| atom.name())) {
        None | Some(Some("big")) => Ok(false),
        Some(Some("little")) => Ok(true),
        _ => badarg(),
    }
}

fn decode_unsigned(args: &mut [Term]) -> Eval {
    let bytes = binary(&args[0])?.to_bytes();
    let number = if is_little(args.get(1))? { BigUint::from_bytes_le(&bytes) } else { BigUint::from_bytes_be(&bytes) };
    Ok(Term::big(BigInt::from_biguint(if number.is_zero() { Sign::NoSign } else { Sign::Plus }, number)))
}

fn encode_unsigned(args: &mut [Term]) -> Eval {
    let number = args[0].as_bigint().and_then(|number| number.to_biguint()).or_badarg()?;
    Ok(Term::binary(if is_little(args.get(1))? { number.to_bytes_le() } else { number.to_bytes_be() }))
}

fn longest_common_prefix(args: &mut [Term]) -> Eval {
    longest_common(&args[0], |a, b| a.iter().zip(b).take_while(|(x, y)| x == y).count())
}

fn longest_common_suffix(args: &mut [Term]) -> Eval {
    longest_common(&args[0], |a, b| a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count())
}

/// The length that all binaries of a list, which must not be empty, have in common with the first.
fn longest_common(list: &Term, common: impl Fn(&[u8], &[u8]) -> usize) -> Eval {
    let items = list.proper_list().or_badarg()?;
    let first = binary(items.first().or_badarg()?)?.to_bytes();
    let mut least = first.len();
    for item in &items {
        least = least.min(common(&first, &binary(item)?.to_bytes()));
    }
    Ok(Term::int(least as i64))
}

/// `{Start, Length}` or the two as arguments; a negative length counts backwards. The bits after the last whole byte of a
/// bitstring cannot be had.
pub(crate) fn part(args: &mut [Term]) -> Eval {
    let bits = args[0].as_bits().or_badarg()?;
    let place = if args.len() == 2 { args[1].as_tuple().or_badarg()? } else { &args[1..] };
    let [start, len] = place else { return badarg() };
    let (start, len) = range(start, len, bits.bit_len() / 8)?;
    Ok(Term::bits(bits.slice(start * 8, len * 8)))
}

/// Start and length within so many bytes, the length made positive.
fn range(start: &Term, len: &Term, size: usize) -> Raised<(usize, usize)> {
    let (start, len) = (start.as_i64().or_badarg()?, len.as_i64().or_badarg()?);
    let end = start.checked_add(len).or_badarg()?;
    let (from, to) = (start.min(end), start.max(end));
    if from < 0 || usize::try_from(to).map_or(true, |to| to > size) {
        return badarg();
    }
    Ok((from as usize, (to - from) as usize))
}
