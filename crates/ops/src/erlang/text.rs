//! Characters of a list or binary, for the conversions from text, and integers as the VM sees them.

use std::borrow::Cow;

use term::Term;

/// The meaning of the bytes of a binary.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Latin1,
    Utf8,
}

impl Encoding {
    /// The encoding of that name.
    pub(crate) fn of(name: &Term) -> Option<Encoding> {
        match name.as_atom()?.name() {
            "latin1" => Some(Encoding::Latin1),
            "unicode" | "utf8" => Some(Encoding::Utf8),
            _ => None,
        }
    }
}

/// An integer that takes the VM no more than one word.
pub(crate) fn word(value: &Term) -> Option<i64> {
    const WORD: i64 = 1 << 59;
    value.as_i64().filter(|value| (-WORD..WORD).contains(value))
}

/// The elements of a proper list of bytes.
pub(crate) fn list_bytes(list: &Term) -> Option<Vec<u8>> {
    list.proper_list()?.iter().map(|cell| u8::try_from(cell.as_i64()?).ok()).collect()
}

/// The bytes of a binary, wherever they lie.
pub(crate) fn binary_bytes(value: &Term) -> Option<Cow<'_, [u8]>> {
    value.as_bits().filter(|bits| bits.is_binary()).map(|bits| bits.to_bytes())
}

/// Bytes as a list of small integers.
pub(crate) fn byte_list(bytes: &[u8]) -> Term {
    Term::list(bytes.iter().map(|byte| Term::int(i64::from(*byte))))
}
