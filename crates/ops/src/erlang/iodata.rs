//! Lists of bytes, binaries and such lists, made into one binary.

use term::{Bits, BitsBuilder, Term, cut, heap};

use crate::raise::{OrBadarg, badarg};
use crate::{Eval, Operation};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::pure("iolist_to_binary", 1, |args| join(&args[0])).prelude("erlang", "from_iolist"),
    Operation::pure("iolist_size", 1, size).prelude("erlang", "size_of_iolist"),
    Operation::pure("list_to_binary", 1, |args| if is_list(&args[0]) { join(&args[0]) } else { badarg() })
        .prelude("erlang", "from_bytes"),
    Operation::pure("list_to_bitstring", 1, list_to_bitstring).prelude("erlang", "from_bits"),
];

fn is_list(value: &Term) -> bool {
    matches!(value, Term::Cons(..) | Term::Nil(_))
}

/// Calls back for every leaf, left to right; says no at the first one that is none.
pub(crate) fn walk<'a>(data: &'a Term, mut leaf: impl FnMut(Leaf<'a>) -> Option<()>) -> Option<()> {
    let mut later: Vec<&Term> = Vec::new();
    let mut next = Some(data);
    while let Some(item) = next {
        cut::tick();
        match item {
            Term::Cons(_, cell) => {
                // A tail, unlike an element, may not be a number.
                if matches!(cell.tail, Term::Int(..)) {
                    return None;
                }
                if let Term::Int(_, number) = cell.head {
                    leaf(Leaf::Int(number))?;
                    next = Some(&cell.tail);
                } else {
                    later.push(&cell.tail);
                    next = Some(&cell.head);
                }
                continue;
            }
            Term::Nil(_) => {}
            Term::Bits(_, bits) => leaf(Leaf::Bits(bits))?,
            _ => return None,
        }
        next = later.pop();
    }
    Some(())
}

/// A leaf of nested lists: a byte or character, or a bitstring.
pub(crate) enum Leaf<'a> {
    Int(i64),
    Bits(&'a Bits),
}

/// The bytes of an iolist or binary; nothing if it is neither.
pub(crate) fn bytes(data: &Term) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    walk(data, |leaf| {
        match leaf {
            Leaf::Int(byte) => {
                heap::grow(&mut out, 1);
                out.push(u8::try_from(byte).ok()?);
            }
            Leaf::Bits(bits) if bits.is_binary() => {
                heap::grow(&mut out, bits.byte_len());
                out.extend_from_slice(&bits.to_bytes());
            }
            Leaf::Bits(_) => return None,
        }
        // A list that holds the same binary again and again is shorter than its bytes.
        heap::allows(out.len()).then_some(())
    })?;
    Some(out)
}

/// True if there is any byte or binary in it, be it empty.
pub(super) fn has_leaf(data: &Term) -> bool {
    walk(data, |_| None).is_none()
}

fn join(data: &Term) -> Eval {
    match data {
        Term::Bits(_, bits) if bits.is_binary() => Ok(data.clone()),
        _ => Ok(Term::binary(bytes(data).or_badarg()?)),
    }
}

fn size(args: &mut [Term]) -> Eval {
    let mut total = 0;
    let known = walk(&args[0], |leaf| {
        total += match leaf {
            Leaf::Int(byte) => u8::try_from(byte).map(|_| 1).ok()?,
            Leaf::Bits(bits) if bits.is_binary() => bits.byte_len(),
            Leaf::Bits(_) => return None,
        };
        Some(())
    });
    known.or_badarg()?;
    Ok(Term::int(total as i64))
}

fn list_to_bitstring(args: &mut [Term]) -> Eval {
    if !is_list(&args[0]) {
        return badarg();
    }
    let mut out = BitsBuilder::new();
    let done = walk(&args[0], |leaf| {
        match leaf {
            Leaf::Int(byte) => out.push_bytes(&[u8::try_from(byte).ok()?]),
            Leaf::Bits(bits) => out.push_bits(bits),
        }
        heap::allows(out.bit_len() / 8).then_some(())
    });
    done.or_badarg()?;
    Ok(Term::bits(out.finish()))
}
