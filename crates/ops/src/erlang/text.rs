//! Reading the characters of a list or binary, for the conversions from text.

use std::borrow::Cow;

use term::Term;

/// The elements of a proper list of bytes.
pub(crate) fn list_bytes(list: &Term) -> Option<Vec<u8>> {
    let mut cells = list.cells();
    let bytes: Option<Vec<u8>> = cells.by_ref().map(|cell| u8::try_from(cell.as_i64()?).ok()).collect();
    bytes.filter(|_| matches!(cells.rest(), Term::Nil(_)))
}

/// The bytes of a binary, wherever they lie.
pub(crate) fn binary_bytes(value: &Term) -> Option<Cow<'_, [u8]>> {
    value.as_bits().filter(|bits| bits.is_binary()).map(|bits| bits.to_bytes())
}

/// Bytes as a list of small integers.
pub(crate) fn byte_list(bytes: &[u8]) -> Term {
    Term::list(bytes.iter().map(|byte| Term::int(i64::from(*byte))))
}
