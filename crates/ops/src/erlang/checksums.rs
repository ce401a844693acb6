//! Checksums and digests of iodata: CRC-32, Adler-32, MD5.

use term::{Exception, Term};

use super::iodata;
use super::md5::md5;
use crate::raise::{OrBadarg, badarg};
use crate::{Entry, Eval};

pub(super) const NATIVES: &[Entry] = &[
    Entry::pure("crc32", 1, |args| Ok(number(crc32(0, &data(&args[0])?)))),
    Entry::pure("crc32", 2, |args| Ok(number(crc32(word(&args[0])?, &data(&args[1])?)))),
    Entry::pure("crc32_combine", 3, |args| combine(args, crc32_combine)),
    Entry::pure("adler32", 1, |args| Ok(number(adler32(1, &data(&args[0])?)))),
    Entry::pure("adler32", 2, adler32_from),
    Entry::pure("adler32_combine", 3, |args| combine(args, adler32_combine)),
    Entry::pure("md5", 1, |args| Ok(Term::binary(md5(&data(&args[0])?)))),
];

type Raised<T> = Result<T, Box<Exception>>;

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

/// The polynomial of CRC-32, lowest power in the highest bit.
const POLYNOMIAL: u32 = 0xedb8_8320;

/// What eight more zero bits make of each byte.
const BYTES: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut value = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            value = times_x(value);
            bit += 1;
        }
        table[byte] = value;
        byte += 1;
    }
    table
};

const fn times_x(value: u32) -> u32 {
    if value & 1 == 1 { value >> 1 ^ POLYNOMIAL } else { value >> 1 }
}

fn crc32(start: u32, data: &[u8]) -> u32 {
    !data.iter().fold(!start, |sum, byte| sum >> 8 ^ BYTES[usize::from(sum as u8 ^ byte)])
}

/// The product of two polynomials, modulo the polynomial of CRC-32.
fn multiply(mut a: u32, b: u32) -> u32 {
    let mut product = 0;
    let mut term = b;
    while a != 0 {
        if a & 1 << 31 != 0 {
            product ^= term;
        }
        a <<= 1;
        term = times_x(term);
    }
    product
}

/// The checksum of two parts: the first is moved up by as many bytes as the second has.
fn crc32_combine(first: u32, second: u32, len: u64) -> u32 {
    const ONE: u32 = 1 << 31;
    const X_TO_THE_8: u32 = ONE >> 8;
    let (mut power, mut square, mut len) = (ONE, X_TO_THE_8, len);
    while len != 0 {
        if len & 1 == 1 {
            power = multiply(power, square);
        }
        square = multiply(square, square);
        len >>= 1;
    }
    multiply(power, first) ^ second
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
