//! Reading the external format: every tag that OTP 25 writes, and the older ones it still reads.

use num_bigint::{BigInt, Sign};

use super::tag;
use crate::{Atom, Bits, Fun, Handle, HandleKind, Map, Mfa, Table, Term, Tuple};

/// Bytes that are no external term: the first byte that is wrong, and the problem with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("bad external term at byte {offset}: {problem}")]
pub struct DecodeError {
    /// The first byte that is wrong.
    pub offset: usize,
    /// The problem, in words.
    pub problem: String,
}

type Result<T> = std::result::Result<T, DecodeError>;

/// Reads one term with its version byte; nothing may follow it.
pub fn decode(bytes: &[u8]) -> Result<Term> {
    let (term, used) = decode_prefix(bytes)?;
    ended(bytes, used).map(|()| term)
}

/// Nothing may follow so many bytes.
fn ended(bytes: &[u8], used: usize) -> Result<()> {
    match bytes.len() - used {
        0 => Ok(()),
        more => Err(DecodeError { offset: used, problem: format!("{more} bytes after the term") }),
    }
}

/// Reads one term with its version byte and says how many bytes it takes; anything may follow it, as in the VM's
/// `binary_to_term`.
pub fn decode_prefix(bytes: &[u8]) -> Result<(Term, usize)> {
    let mut input = Decoder::new(bytes);
    if input.u8()? != tag::VERSION {
        return Err(input.error_at(0, format!("not version {}", tag::VERSION)));
    }
    if bytes.get(1) == Some(&tag::COMPRESSED) {
        let (term, used) =
            decode_compressed(&bytes[2..]).map_err(|error| DecodeError { offset: error.offset + 2, ..error })?;
        return Ok((term, used + 2));
    }
    let term = input.term()?;
    Ok((term, input.at))
}

/// The most that deflate can gain; a size beyond it is a lie.
const MAX_RATIO: usize = 1032;

fn decode_compressed(bytes: &[u8]) -> Result<(Term, usize)> {
    let mut input = Decoder::new(bytes);
    let size = input.u32()? as usize;
    let packed = &bytes[input.at..];
    if size > packed.len().saturating_mul(MAX_RATIO) {
        return Err(input.error_at(0, format!("{} compressed bytes cannot hold {size}", packed.len())));
    }
    let (plain, used) = inflate(packed, size).ok_or_else(|| input.error_at(4, "bad compressed data"))?;
    let term = Decoder::new(&plain).whole().map_err(|error| DecodeError {
        offset: 4,
        problem: format!("{} at byte {} of the uncompressed data", error.problem, error.offset),
    })?;
    Ok((term, 4 + used))
}

/// Exactly `size` bytes out of a zlib stream, and how many bytes the stream has.
fn inflate(packed: &[u8], size: usize) -> Option<(Vec<u8>, usize)> {
    use miniz_oxide::inflate::TINFLStatus;
    use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags as flags};
    let mut plain = vec![0; size];
    let options = flags::TINFL_FLAG_PARSE_ZLIB_HEADER
        | flags::TINFL_FLAG_COMPUTE_ADLER32
        | flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let mut state = Box::<DecompressorOxide>::default();
    let (status, used, written) = decompress(&mut state, packed, &mut plain, 0, options);
    (status == TINFLStatus::Done && written == size).then_some((plain, used))
}

/// The parts of a fun that its external form names, for printing and comparing.
#[derive(Default)]
pub(crate) struct FunParts {
    pub index: u32,
    pub uniq: u32,
    pub captured: Vec<Term>,
}

/// The parts of a form that [`decode`] has accepted.
pub(crate) fn fun_parts(etf: &[u8]) -> FunParts {
    read_fun_parts(etf).unwrap_or_default()
}

fn read_fun_parts(etf: &[u8]) -> Option<FunParts> {
    let mut input = Decoder::new(etf);
    input.take(1 + 4 + 1 + 16 + 4).ok()?;
    let count = input.u32().ok()?;
    input.atom().ok()?;
    let index = input.term().ok()?.as_i64()? as u32;
    let uniq = input.term().ok()?.as_i64()? as u32;
    input.term().ok()?;
    let captured = (0..count).map(|_| input.term()).collect::<Result<Vec<_>>>().ok()?;
    Some(FunParts { index, uniq, captured })
}

struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
    /// List elements that are to become cells: one growing buffer for all lists that are open.
    scratch: Vec<Term>,
}

impl<'a> Decoder<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Decoder { bytes, at: 0, scratch: Vec::new() }
    }

    #[cold]
    fn error_at(&self, offset: usize, problem: impl Into<String>) -> DecodeError {
        DecodeError { offset, problem: problem.into() }
    }

    fn whole(&mut self) -> Result<Term> {
        let term = self.term()?;
        ended(self.bytes, self.at).map(|()| term)
    }

    #[inline]
    fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        match self.bytes.get(self.at..).and_then(|rest| rest.get(..len)) {
            Some(taken) => {
                self.at += len;
                Ok(taken)
            }
            None => Err(self.error_at(self.at, format!("{len} bytes expected, {} left", self.bytes.len() - self.at))),
        }
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        Ok(self.take(N)?.try_into().expect("as many bytes as taken"))
    }

    #[inline]
    fn u8(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    #[inline]
    fn u16(&mut self) -> Result<u16> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    #[inline]
    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// A number of parts, each of which takes at least `least` bytes, so that it bounds what is allocated.
    fn count(&mut self, least: usize) -> Result<usize> {
        let start = self.at;
        let count = self.u32()? as usize;
        let left = self.bytes.len() - self.at;
        if count.saturating_mul(least) > left {
            return Err(self.error_at(start, format!("{count} parts cannot stand in {left} bytes")));
        }
        Ok(count)
    }

    fn nested(&mut self) -> Result<Term> {
        match self.bytes.get(self.at) {
            Some(&(tag::LIST | tag::SMALL_TUPLE | tag::LARGE_TUPLE | tag::MAP)) => crate::depth::deeper(|| self.term()),
            _ => self.term(),
        }
    }

    fn term(&mut self) -> Result<Term> {
        let start = self.at;
        match self.u8()? {
            tag::SMALL_INTEGER => Ok(Term::int(i64::from(self.u8()?))),
            tag::INTEGER => Ok(Term::int(i64::from(self.u32()? as i32))),
            tag::ATOM | tag::SMALL_ATOM | tag::ATOM_UTF8 | tag::SMALL_ATOM_UTF8 => {
                self.at = start;
                self.atom().map(Term::atom)
            }
            tag::SMALL_TUPLE => {
                let len = usize::from(self.u8()?);
                self.tuple(len)
            }
            tag::LARGE_TUPLE => {
                let len = self.count(1)?;
                self.tuple(len)
            }
            tag::NIL => Ok(Term::nil()),
            tag::STRING => self.string(),
            tag::LIST => self.list(),
            tag::BINARY => self.binary(),
            tag::BIT_BINARY => self.bitstring(),
            tag::MAP => self.map(),
            tag::NEW_FLOAT => self.float(),
            tag::FLOAT => self.old_float(),
            tag::SMALL_BIG => {
                let len = usize::from(self.u8()?);
                self.big(len)
            }
            tag::LARGE_BIG => {
                let len = self.count(1)?;
                self.big(len)
            }
            tag::EXPORT => self.export(),
            tag::NEW_FUN => self.fun(start),
            tag @ (tag::NEW_PID | tag::PID) => self.pid(tag),
            tag @ (tag::V4_PORT | tag::NEW_PORT | tag::PORT) => self.port(tag),
            tag @ (tag::NEWER_REFERENCE | tag::NEW_REFERENCE) => self.reference(tag),
            tag::REFERENCE => self.old_reference(),
            tag => Err(self.error_at(start, format!("unknown tag {tag}"))),
        }
    }

    fn atom(&mut self) -> Result<Atom> {
        let start = self.at;
        let tag = self.u8()?;
        let len = match tag {
            tag::ATOM | tag::ATOM_UTF8 => usize::from(self.u16()?),
            tag::SMALL_ATOM | tag::SMALL_ATOM_UTF8 => usize::from(self.u8()?),
            _ => return Err(self.error_at(start, format!("an atom expected, tag {tag} found"))),
        };
        let bytes = self.take(len)?;
        if bytes.is_ascii() && len <= Atom::MAX_CHARS {
            return std::str::from_utf8(bytes).map(Atom::new).map_err(|_| self.error_at(start, "not ASCII"));
        }
        let name: String = match tag {
            tag::ATOM | tag::SMALL_ATOM => bytes.iter().map(|&byte| char::from(byte)).collect(),
            _ => String::from_utf8(bytes.to_vec()).map_err(|_| self.error_at(start, "an atom that is not UTF-8"))?,
        };
        if name.chars().count() > Atom::MAX_CHARS {
            return Err(self.error_at(start, format!("an atom longer than {} characters", Atom::MAX_CHARS)));
        }
        Ok(Atom::new(&name))
    }

    /// Reads terms onto the scratch buffer and says where they begin there.
    fn terms(&mut self, count: usize) -> Result<usize> {
        let base = self.scratch.len();
        for _ in 0..count {
            let term = self.nested()?;
            self.scratch.push(term);
        }
        Ok(base)
    }

    fn tuple(&mut self, len: usize) -> Result<Term> {
        let base = self.terms(len)?;
        Ok(Term::Tuple(crate::Mark::NONE, Tuple::new(self.scratch.drain(base..))))
    }

    fn list(&mut self) -> Result<Term> {
        let len = self.count(1)?;
        let base = self.terms(len)?;
        let tail = self.nested()?;
        Ok(Term::list_with_tail(self.scratch.drain(base..), tail))
    }

    fn string(&mut self) -> Result<Term> {
        let len = usize::from(self.u16()?);
        let bytes = self.take(len)?;
        Ok(Term::list(bytes.iter().map(|&byte| Term::int(i64::from(byte)))))
    }

    fn binary(&mut self) -> Result<Term> {
        let len = self.u32()? as usize;
        Ok(Term::binary(self.take(len)?))
    }

    fn bitstring(&mut self) -> Result<Term> {
        let start = self.at;
        let len = self.u32()? as usize;
        let last = usize::from(self.u8()?);
        let bytes = self.take(len)?;
        if last > 8 || last == 0 && len != 0 || last != 0 && len == 0 {
            return Err(self.error_at(start, format!("{last} bits in the last of {len} bytes")));
        }
        let unused = if len == 0 { 0 } else { 8 - last };
        Ok(Term::bits(Bits::from_bits(bytes.to_vec(), len * 8 - unused)))
    }

    fn map(&mut self) -> Result<Term> {
        let start = self.at;
        let count = self.count(2)?;
        let base = self.terms(count * 2)?;
        let mut parts = self.scratch.drain(base..);
        let mut map = Map::new();
        while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
            map.insert_mut(key, value);
        }
        drop(parts);
        if map.len() != count {
            return Err(self.error_at(start, "a map with the same key twice"));
        }
        Ok(Term::map(map))
    }

    fn float(&mut self) -> Result<Term> {
        let start = self.at;
        let value = f64::from_bits(u64::from_be_bytes(self.array()?));
        crate::number::finite(value).ok_or_else(|| self.error_at(start, "a float that is not finite"))
    }

    /// Decimal text in 31 bytes, filled up with zeros.
    fn old_float(&mut self) -> Result<Term> {
        let start = self.at;
        let text: String = self.take(31)?.iter().take_while(|&&byte| byte != 0).map(|&b| char::from(b)).collect();
        let value = text.trim().parse::<f64>().ok().and_then(crate::number::finite);
        value.ok_or_else(|| self.error_at(start, "a float whose text is no number"))
    }

    fn big(&mut self, len: usize) -> Result<Term> {
        let sign = if self.u8()? == 0 { Sign::Plus } else { Sign::Minus };
        let bytes = self.take(len)?;
        if len <= 8 {
            let mut word = [0; 8];
            word[..len].copy_from_slice(bytes);
            if let Ok(size) = i64::try_from(u64::from_le_bytes(word)) {
                return Ok(Term::int(if sign == Sign::Minus { -size } else { size }));
            }
        }
        Ok(Term::big(BigInt::from_bytes_le(sign, bytes)))
    }

    /// The VM lets larger numbers pass, but no function has such an arity.
    fn arity(&mut self) -> Result<u8> {
        let start = self.at;
        match self.term()? {
            Term::Int(_, arity @ 0..=255) => Ok(arity as u8),
            _ => Err(self.error_at(start, "an arity that is no number up to 255")),
        }
    }

    fn export(&mut self) -> Result<Term> {
        let (module, function) = (self.atom()?, self.atom()?);
        let arity = self.arity()?;
        Ok(Term::fun(Fun::External(Mfa { module, function, arity })))
    }

    /// A closure of the VM: checked from end to end, kept as it is.
    fn fun(&mut self, start: usize) -> Result<Term> {
        let size = self.u32()? as usize;
        let arity = self.u8()?;
        self.take(16 + 4)?;
        let count = self.count(1)?;
        let module = self.atom()?;
        for _ in 0..3 {
            self.nested()?;
        }
        let mut only = None;
        for _ in 0..count {
            only = Some(crate::depth::deeper(|| self.term())?);
        }
        if self.at != start + 1 + size {
            return Err(self.error_at(start, "a fun whose size is not what it says"));
        }
        if module.name() == Fun::TABLES
            && let Some(table) = only.and_then(|data| Table::of_data(arity, &data))
        {
            return Ok(Term::table(table));
        }
        Ok(Term::fun(Fun::Foreign { module, arity, etf: self.bytes[start..self.at].into() }))
    }

    /// In the old forms one byte that counts from zero to three.
    fn creation(&mut self, wide: bool) -> Result<u32> {
        if wide {
            return self.u32();
        }
        let start = self.at;
        match self.u8()? {
            creation @ 0..=3 => Ok(u32::from(creation)),
            other => Err(self.error_at(start, format!("{other} is no creation of an old form"))),
        }
    }

    fn pid(&mut self, tag: u8) -> Result<Term> {
        let node = self.atom()?;
        let words = [self.u32()?, self.u32()?];
        let creation = self.creation(tag == tag::NEW_PID)?;
        Ok(Term::handle(Handle { kind: HandleKind::Pid, node, creation, words: words.into() }))
    }

    fn port(&mut self, tag: u8) -> Result<Term> {
        let node = self.atom()?;
        let high = if tag == tag::V4_PORT { self.u32()? } else { 0 };
        let words = [self.u32()?, high];
        let creation = self.creation(tag != tag::PORT)?;
        Ok(Term::handle(Handle { kind: HandleKind::Port, node, creation, words: words.into() }))
    }

    fn reference(&mut self, tag: u8) -> Result<Term> {
        let start = self.at;
        let len = self.u16()?;
        if len == 0 || len > 5 {
            return Err(self.error_at(start, format!("a reference of {len} words")));
        }
        let node = self.atom()?;
        let creation = self.creation(tag == tag::NEWER_REFERENCE)?;
        let words = (0..len).map(|_| self.u32()).collect::<Result<Box<[u32]>>>()?;
        if tag == tag::NEW_REFERENCE {
            self.check_old_reference(start, words.first().copied())?;
        }
        Ok(Term::handle(Handle { kind: HandleKind::Reference, node, creation, words }))
    }

    /// In the old forms the first word has eighteen bits.
    fn check_old_reference(&self, start: usize, first: Option<u32>) -> Result<()> {
        match first {
            Some(word) if word >= 1 << 18 => Err(self.error_at(start, format!("{word} is no old reference"))),
            _ => Ok(()),
        }
    }

    fn old_reference(&mut self) -> Result<Term> {
        let start = self.at;
        let node = self.atom()?;
        let words = [self.u32()?];
        let creation = self.creation(false)?;
        self.check_old_reference(start, Some(words[0]))?;
        Ok(Term::handle(Handle { kind: HandleKind::Reference, node, creation, words: words.into() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(bytes: &[u8]) -> String {
        decode(bytes).expect_err("bad bytes").to_string()
    }

    #[test]
    fn errors_say_where_and_what() {
        assert_eq!(error(&[]), "bad external term at byte 0: 1 bytes expected, 0 left");
        assert_eq!(error(&[130, 106]), "bad external term at byte 0: not version 131");
        assert_eq!(error(&[131, 104, 1]), "bad external term at byte 3: 1 bytes expected, 0 left");
        assert_eq!(error(&[131, 104, 2, 106, 7]), "bad external term at byte 4: unknown tag 7");
        assert_eq!(error(&[131, 106, 0]), "bad external term at byte 2: 1 bytes after the term");
        assert_eq!(
            error(&[131, 105, 255, 255, 255, 255]),
            "bad external term at byte 2: 4294967295 parts cannot stand in 0 bytes"
        );
        assert_eq!(
            error(&[131, 70, 255, 240, 0, 0, 0, 0, 0, 0]),
            "bad external term at byte 2: a float that is not finite"
        );
    }

    #[test]
    fn compressed_terms_are_read_and_bounded() {
        let plain = [&[107, 3, 232][..], &[b'a'; 1000]].concat();
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(&plain, 6);
        let form = [&[131, 80][..], &(plain.len() as u32).to_be_bytes(), &packed].concat();
        assert_eq!(decode(&form), Ok(Term::string(&"a".repeat(1000))));
        let more = [&form[..], &[1, 2, 3]].concat();
        assert_eq!(decode_prefix(&more).map(|(_, used)| used), Ok(form.len()));
        let mut lie = form.clone();
        lie[2] = 255;
        assert!(error(&lie).contains("cannot hold"));
        lie = form.clone();
        lie[5] ^= 1;
        assert!(error(&lie).contains("bad compressed data"));
    }
}
