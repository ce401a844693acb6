//! Funs without code on the VM in the external format: tables and closures of the machine.

use super::{EncodeError, encode_with, tag};
use crate::{Atom, Fun, Handle, HandleKind, Term};

/// Writes any term. A table reads back as a table, a closure as a fun of the VM that prints and compares like it and
/// cannot be called.
pub fn encode_any(term: &Term) -> Result<Vec<u8>, EncodeError> {
    let mut out = vec![tag::VERSION];
    add(&mut out, term)?;
    Ok(out)
}

fn add(out: &mut Vec<u8>, term: &Term) -> Result<(), EncodeError> {
    encode_with(out, term, &mut |fun, out| {
        let (index, uniq, captured) = match fun {
            Fun::Table(table) => (table.index(), 0, vec![table.data()]),
            Fun::Closure(closure) => (closure.index, closure.uniq, closure.captured.to_vec()),
            fun => return Err(EncodeError::Closure(format!("{fun:?}"))),
        };
        add_fun(out, fun, [0; 16], [index, uniq], &captured, &mut add)
    })
}

/// Writes a term behind others.
type Add<'a> = dyn FnMut(&mut Vec<u8>, &Term) -> Result<(), EncodeError> + 'a;

/// Adds a fun with this checksum of its module, with its index and hash, and with captured values that `add` writes.
pub(super) fn add_fun(
    out: &mut Vec<u8>,
    fun: &Fun,
    checksum: [u8; 16],
    [index, uniq]: [u32; 2],
    captured: &[Term],
    add: &mut Add<'_>,
) -> Result<(), EncodeError> {
    out.push(tag::NEW_FUN);
    let size_at = out.len();
    out.extend([0; 4]);
    out.push(fun.arity());
    out.extend(checksum);
    out.extend(index.to_be_bytes());
    out.extend((captured.len() as u32).to_be_bytes());
    let [index, uniq] = [index, uniq].map(|number| Term::int(i64::from(number)));
    for part in [Term::atom(fun.module()), index, uniq, creator()].iter().chain(captured) {
        crate::depth::deeper(|| add(out, part))?;
    }
    let size = u32::try_from(out.len() - size_at).map_err(|_| EncodeError::TooLarge("fun"))?;
    out[size_at..size_at + 4].copy_from_slice(&size.to_be_bytes());
    Ok(())
}

/// The process that made the fun: the VM wants one and does nothing with it.
fn creator() -> Term {
    Term::handle(Handle { kind: HandleKind::Pid, node: Atom::new("nonode@nohost"), creation: 0, words: [0, 0].into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::etf::decode;

    #[test]
    fn tables_come_back_wherever_they_stood() {
        let text = "[fun(1, a) -> {fun() -> x end}; (_, _) -> #{} end,#{k => fun(_) -> 0 end}|{}]";
        let term = Term::read(text).expect("a term");
        let bytes = encode_any(&term).expect("it has a form");
        assert_eq!(decode(&bytes).expect("it reads back").to_string(), text);
    }
}
