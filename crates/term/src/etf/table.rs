//! Tables in the external format: as a fun of the module that has them on the VM, closing over the data.

use super::visit::nobody;
use super::{EncodeError, encode_with, tag};
use crate::{Atom, Fun, Table, Term};

/// The term as `term_to_binary` gives it, tables included; what reads it back makes tables of them. The VM could not
/// call them: it knows the funs of that module only under the module's checksum.
pub fn encode_tables(term: &Term) -> Result<Vec<u8>, EncodeError> {
    let mut out = vec![tag::VERSION];
    add(&mut out, term)?;
    Ok(out)
}

fn add(out: &mut Vec<u8>, term: &Term) -> Result<(), EncodeError> {
    encode_with(out, term, &mut |fun, out| match fun {
        Fun::Table(table) => add_table(out, table),
        fun => Err(EncodeError::Closure(format!("{fun:?}"))),
    })
}

fn add_table(out: &mut Vec<u8>, table: &Table) -> Result<(), EncodeError> {
    out.push(tag::NEW_FUN);
    let size_at = out.len();
    out.extend([0; 4]);
    out.push(table.arity());
    out.extend([0; 16]);
    out.extend(table.index().to_be_bytes());
    out.extend(1u32.to_be_bytes());
    let index = Term::int(i64::from(table.index()));
    for part in [Term::atom(Atom::new(Fun::TABLES)), index, Term::int(0), nobody(), table.data()] {
        add(out, &part)?;
    }
    let size = u32::try_from(out.len() - size_at).map_err(|_| EncodeError::TooLarge("fun"))?;
    out[size_at..size_at + 4].copy_from_slice(&size.to_be_bytes());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::etf::decode;

    #[test]
    fn tables_come_back_wherever_they_stood() {
        let text = "[fun(1, a) -> {fun() -> x end}; (_, _) -> #{} end,#{k => fun(_) -> 0 end}|{}]";
        let term = Term::read(text).expect("a term");
        let bytes = encode_tables(&term).expect("it has a form");
        assert_eq!(decode(&bytes).expect("it reads back").to_string(), text);
    }
}
