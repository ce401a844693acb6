//! Checksums and digests of iodata: CRC-32, Adler-32, MD5.

use md5::{Digest, Md5};
use term::Term;

use super::iodata;
use crate::opaque::guess;
use crate::raise::{OrBadarg, Raised, badarg};
use crate::result::WORD;
use crate::{Eval, Gives, Operation, Returns};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::pure("crc32", 1, |args| Ok(number(crc32(0, &data(&args[0])?))))
        .gives(WORD)
        .returns(Returns::OfBinary)
        .guess(guess::crc32),
    Operation::pure("crc32", 2, |args| Ok(number(crc32(word(&args[0])?, &data(&args[1])?))))
        .gives(WORD)
        .guess(guess::crc32),
    Operation::pure("crc32_combine", 3, |args| combine(args, crc32_combine)),
    Operation::pure("adler32", 1, |args| Ok(number(adler32(1, &data(&args[0])?))))
        .gives(WORD)
        .returns(Returns::OfBinary)
        .guess(guess::adler32),
    Operation::pure("adler32", 2, adler32_from).gives(WORD),
    Operation::pure("adler32_combine", 3, |args| combine(args, adler32_combine)),
    Operation::pure("md5", 1, |args| Ok(Term::binary(Md5::digest(data(&args[0])?).to_vec())))
        .gives(Gives::Bytes(16))
        .returns(Returns::OfBinary),
];

fn data(value: &Term) -> Raised<Vec<u8>> {
    iodata::bytes(value).or_badarg()
}

fn word(value: &Term) -> Raised<u32> {
    value.as_i64().and_then(|value| u32::try_from(value).ok()).or_badarg()
}

fn number(value: u32) -> Term {
    Term::int(i64::from(value))
}

fn combine(args: &mut [Term], rule: fn(u32, u32, u64) -> u32) -> Eval {
    let (first, second) = (word(&args[0])?, word(&args[1])?);
    match args[2].as_i64() {
        Some(len) if (0..1 << 32).contains(&len) => Ok(number(rule(first, second, len as u64))),
        _ => badarg(),
    }
}

fn crc32(start: u32, data: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(start);
    hasher.update(data);
    hasher.finalize()
}

/// Unlike the crate, the VM does not ignore the checksum of nothing.
fn crc32_combine(first: u32, second: u32, len: u64) -> u32 {
    if len == 0 {
        return first ^ second;
    }
    let mut hasher = crc32fast::Hasher::new_with_initial(first);
    hasher.combine(&crc32fast::Hasher::new_with_initial_len(second, len));
    hasher.finalize()
}

/// Adler-32 counts modulo the largest prime below 2^16.
const PRIME: u32 = 65521;

/// A start that is no checksum stays as it is when nothing follows, not even an empty binary.
fn adler32_from(args: &mut [Term]) -> Eval {
    let (start, data) = (word(&args[0])?, data(&args[1])?);
    Ok(number(if iodata::has_leaf(&args[1]) { adler32(start, &data) } else { start }))
}

fn adler32(start: u32, data: &[u8]) -> u32 {
    let (mut low, mut high) = ((start & 0xffff) % PRIME, (start >> 16) % PRIME);
    // So many bytes cannot overflow the sums.
    for chunk in data.chunks(5552) {
        for byte in chunk {
            low += u32::from(*byte);
            high += low;
        }
        low %= PRIME;
        high %= PRIME;
    }
    high << 16 | low
}

/// Nothing that follows changes nothing, whatever its checksum is said to be.
fn adler32_combine(first: u32, second: u32, len: u64) -> u32 {
    if len == 0 {
        return first;
    }
    let prime = u64::from(PRIME);
    let halves = |sum: u32| (u64::from(sum & 0xffff), u64::from(sum >> 16));
    let ((low1, high1), (low2, high2)) = (halves(first), halves(second));
    let low = (low1 + low2 + prime - 1) % prime;
    let high = (len % prime * low1 + high1 + high2 + prime - len % prime) % prime;
    (high << 16 | low) as u32
}
