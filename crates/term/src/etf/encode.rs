//! Writing the external format, byte for byte as OTP 25 does.

use std::rc::Rc;

use num_bigint::{BigInt, Sign};

use super::tag;
use crate::{Atom, Bits, Fun, Handle, HandleKind, Map, Term, heap};

/// A term that cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EncodeError {
    /// A closure of the machine or a table means nothing to the VM; this is how it prints.
    #[error("the closure {0} has no external form")]
    Closure(String),
    /// A part is larger than the format's length fields can say.
    #[error("a {0} too large for the external format")]
    TooLarge(&'static str),
}

type Hook<'a> = dyn FnMut(&Fun, &mut Vec<u8>) -> Result<(), EncodeError> + 'a;

/// The term as `term_to_binary` gives it, version byte included.
pub fn encode(term: &Term) -> Result<Vec<u8>, EncodeError> {
    let mut out = vec![tag::VERSION];
    encode_into(&mut out, term)?;
    Ok(out)
}

/// Adds the term without a version byte, so that it can be part of another.
pub fn encode_into(out: &mut Vec<u8>, term: &Term) -> Result<(), EncodeError> {
    encode_with(out, term, &mut refuse)
}

/// The same with a hook that writes closures and tables in a form of its own.
pub fn encode_with(out: &mut Vec<u8>, term: &Term, hook: &mut Hook<'_>) -> Result<(), EncodeError> {
    Encoder { out, hook }.term(term)
}

fn refuse(fun: &Fun, _: &mut Vec<u8>) -> Result<(), EncodeError> {
    Err(EncodeError::Closure(format!("{fun:?}")))
}

struct Encoder<'a, 'h> {
    out: &'a mut Vec<u8>,
    hook: &'a mut Hook<'h>,
}

impl Encoder<'_, '_> {
    fn term(&mut self, term: &Term) -> Result<(), EncodeError> {
        match term {
            Term::Nil(_) => self.out.push(tag::NIL),
            Term::Int(_, value) => self.integer(*value),
            Term::Atom(_, atom) => self.atom(*atom),
            Term::Float(_, value) => self.head_u64(tag::NEW_FLOAT, value.to_bits()),
            Term::Bits(_, bits) => return self.bits(bits),
            Term::Big(_, value) => return self.big(value),
            Term::Handle(_, handle) => self.handle(handle),
            Term::Cons(..) => return self.list(term),
            Term::Tuple(_, items) => return self.tuple(items),
            Term::Map(_, map) => return self.map(map),
            Term::Fun(_, fun) => return self.fun(fun),
        }
        Ok(())
    }

    fn nested(&mut self, term: &Term) -> Result<(), EncodeError> {
        heap::grow(self.out, 64);
        match term {
            Term::Int(_, value) => self.integer(*value),
            Term::Atom(_, atom) => self.atom(*atom),
            // A term that holds the same part again and again is smaller than its bytes.
            _ if !heap::allows(self.out.len()) => return Err(EncodeError::TooLarge("term")),
            _ => return crate::depth::deeper(|| self.term(term)),
        }
        Ok(())
    }

    fn u16(&mut self, value: u16) {
        self.out.extend_from_slice(&value.to_be_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.out.extend_from_slice(&value.to_be_bytes());
    }

    fn head_u64(&mut self, tag: u8, value: u64) {
        self.out.push(tag);
        self.out.extend_from_slice(&value.to_be_bytes());
    }

    fn head_len(&mut self, tag: u8, len: usize, part: &'static str) -> Result<(), EncodeError> {
        let len = u32::try_from(len).map_err(|_| EncodeError::TooLarge(part))?;
        self.out.push(tag);
        self.u32(len);
        Ok(())
    }

    fn integer(&mut self, value: i64) {
        if let Ok(byte) = u8::try_from(value) {
            self.out.extend_from_slice(&[tag::SMALL_INTEGER, byte]);
        } else if let Ok(word) = i32::try_from(value) {
            self.out.push(tag::INTEGER);
            self.u32(word as u32);
        } else {
            let size = value.unsigned_abs().to_le_bytes();
            let len = 8 - value.unsigned_abs().leading_zeros() as usize / 8;
            self.out.extend_from_slice(&[tag::SMALL_BIG, len as u8, u8::from(value < 0)]);
            self.out.extend_from_slice(&size[..len]);
        }
    }

    fn big(&mut self, value: &BigInt) -> Result<(), EncodeError> {
        let (sign, bytes) = value.to_bytes_le();
        match u8::try_from(bytes.len()) {
            Ok(len) => self.out.extend_from_slice(&[tag::SMALL_BIG, len]),
            Err(_) => self.head_len(tag::LARGE_BIG, bytes.len(), "integer")?,
        }
        self.out.push(u8::from(sign == Sign::Minus));
        self.out.extend_from_slice(&bytes);
        Ok(())
    }

    /// Latin-1 where it suffices, as OTP 25 does; UTF-8 otherwise.
    fn atom(&mut self, atom: Atom) {
        let name = atom.name();
        if name.is_ascii() {
            self.out.push(tag::ATOM);
            self.u16(name.len() as u16);
            self.out.extend_from_slice(name.as_bytes());
        } else if name.chars().all(|c| u32::from(c) < 256) {
            self.out.push(tag::ATOM);
            self.u16(name.chars().count() as u16);
            self.out.extend(name.chars().map(|c| c as u8));
        } else if let Ok(len) = u8::try_from(name.len()) {
            self.out.extend_from_slice(&[tag::SMALL_ATOM_UTF8, len]);
            self.out.extend_from_slice(name.as_bytes());
        } else {
            self.out.push(tag::ATOM_UTF8);
            self.u16(name.len() as u16);
            self.out.extend_from_slice(name.as_bytes());
        }
    }

    fn bits(&mut self, bits: &Bits) -> Result<(), EncodeError> {
        if bits.is_binary() {
            self.head_len(tag::BINARY, bits.byte_len(), "binary")?;
        } else {
            self.head_len(tag::BIT_BINARY, bits.byte_len(), "bitstring")?;
            self.out.push((bits.bit_len() % 8) as u8);
        }
        heap::grow(self.out, bits.byte_len());
        self.out.extend_from_slice(&bits.to_bytes());
        Ok(())
    }

    /// A proper list of bytes that is not too long goes as a string.
    fn list(&mut self, list: &Term) -> Result<(), EncodeError> {
        let mut cells = list.cells();
        let mut bytes = true;
        let mut len = 0;
        for head in cells.by_ref() {
            bytes &= matches!(head, Term::Int(_, 0..=255));
            len += 1;
        }
        let tail = cells.rest();
        if bytes && len <= usize::from(u16::MAX) && matches!(tail, Term::Nil(_)) {
            self.out.push(tag::STRING);
            self.u16(len as u16);
            self.out.extend(list.cells().filter_map(Term::as_i64).map(|byte| byte as u8));
            return Ok(());
        }
        self.head_len(tag::LIST, len, "list")?;
        list.cells().try_for_each(|head| self.nested(head))?;
        self.nested(tail)
    }

    fn tuple(&mut self, items: &[Term]) -> Result<(), EncodeError> {
        match u8::try_from(items.len()) {
            Ok(len) => self.out.extend_from_slice(&[tag::SMALL_TUPLE, len]),
            Err(_) => self.head_len(tag::LARGE_TUPLE, items.len(), "tuple")?,
        }
        items.iter().try_for_each(|item| self.nested(item))
    }

    /// In the VM's own order where it is known.
    fn map(&mut self, map: &Map) -> Result<(), EncodeError> {
        self.head_len(tag::MAP, map.len(), "map")?;
        let order: Option<Rc<[Term]>> = if map.len() > Map::SMALL { map.iteration_order() } else { None };
        let Some(order) = order else {
            return map.iter().try_for_each(|(key, value)| self.entry(key, value));
        };
        order.iter().filter_map(|key| Some((key, map.get(key)?))).try_for_each(|(key, value)| self.entry(key, value))
    }

    fn entry(&mut self, key: &Term, value: &Term) -> Result<(), EncodeError> {
        self.nested(key)?;
        self.nested(value)
    }

    fn fun(&mut self, fun: &Fun) -> Result<(), EncodeError> {
        match fun {
            Fun::External(mfa) => {
                self.out.push(tag::EXPORT);
                self.atom(mfa.module);
                self.atom(mfa.function);
                self.integer(i64::from(mfa.arity));
                Ok(())
            }
            Fun::Closure(_) | Fun::Table(_) => (self.hook)(fun, self.out),
            Fun::Foreign { etf, .. } => {
                self.out.extend_from_slice(etf);
                Ok(())
            }
        }
    }

    fn handle(&mut self, handle: &Handle) {
        let word = |at: usize| handle.words.get(at).copied().unwrap_or(0);
        match handle.kind {
            HandleKind::Pid => {
                self.out.push(tag::NEW_PID);
                self.atom(handle.node);
                self.u32(word(0));
                self.u32(word(1));
                self.u32(handle.creation);
            }
            HandleKind::Port => {
                let short = word(1) == 0 && word(0) < 1 << 28;
                self.out.push(if short { tag::NEW_PORT } else { tag::V4_PORT });
                self.atom(handle.node);
                if !short {
                    self.u32(word(1));
                }
                self.u32(word(0));
                self.u32(handle.creation);
            }
            HandleKind::Reference => {
                self.out.push(tag::NEWER_REFERENCE);
                self.u16(handle.words.len() as u16);
                self.atom(handle.node);
                self.u32(handle.creation);
                handle.words.iter().for_each(|word| self.u32(*word));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Closure, known};

    fn closure() -> Term {
        let (module, name) = (known::LISTS, known::OK);
        Term::fun(Fun::Closure(Closure { module, name, arity: 1, code: 0, index: 3, uniq: 99, captured: [].into() }))
    }

    #[test]
    fn a_closure_is_named_in_the_error() {
        let error = encode(&Term::tuple([Term::nil(), closure()])).expect_err("closures have no form");
        assert_eq!(error.to_string(), "the closure #Fun<lists.3.99> has no external form");
    }

    #[test]
    fn a_hook_may_write_closures() {
        let mut out = vec![tag::VERSION];
        let mut hook = |fun: &Fun, out: &mut Vec<u8>| encode_into(out, &Term::int(i64::from(fun.arity())));
        encode_with(&mut out, &Term::list([closure()]), &mut hook).expect("the hook writes it");
        assert_eq!(super::super::decode(&out), Ok(Term::list([Term::int(1)])));
    }
}
