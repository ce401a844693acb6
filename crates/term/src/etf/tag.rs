//! The numbers that open each kind of term in the external format.

/// Opens a whole encoding.
pub const VERSION: u8 = 131;
/// The size of the inflated term, four bytes, then zlib data.
pub const COMPRESSED: u8 = 80;
/// Eight bytes: IEEE 754, big-endian.
pub const NEW_FLOAT: u8 = 70;
/// The length in four bytes, the bits of the last byte in one, the bytes.
pub const BIT_BINARY: u8 = 77;
/// The node, then id, serial and creation in four bytes each.
pub const NEW_PID: u8 = 88;
/// The node, then id and creation in four bytes each.
pub const NEW_PORT: u8 = 89;
/// The count of words in two bytes, node, creation in four bytes, the words.
pub const NEWER_REFERENCE: u8 = 90;
/// One byte, unsigned.
pub const SMALL_INTEGER: u8 = 97;
/// Four bytes, signed.
pub const INTEGER: u8 = 98;
/// Thirty-one bytes of decimal text.
pub const FLOAT: u8 = 99;
/// The length in two bytes, the name in Latin-1.
pub const ATOM: u8 = 100;
/// Node, id in four bytes, creation in one.
pub const REFERENCE: u8 = 101;
/// Node, id in four bytes, creation in one.
pub const PORT: u8 = 102;
/// Node, id and serial in four bytes each, creation in one.
pub const PID: u8 = 103;
/// The size in one byte, the elements.
pub const SMALL_TUPLE: u8 = 104;
/// The size in four bytes, the elements.
pub const LARGE_TUPLE: u8 = 105;
/// The empty list; nothing follows.
pub const NIL: u8 = 106;
/// The length in two bytes, one byte per element: a list of bytes.
pub const STRING: u8 = 107;
/// The length in four bytes, the elements, the tail.
pub const LIST: u8 = 108;
/// The length in four bytes, the bytes.
pub const BINARY: u8 = 109;
/// The count of digits in one byte, the sign, the digits in base 256, least significant first.
pub const SMALL_BIG: u8 = 110;
/// The count of digits in four bytes, else as [`SMALL_BIG`].
pub const LARGE_BIG: u8 = 111;
/// A closure: its size, arity, code identity, creator and captured values.
pub const NEW_FUN: u8 = 112;
/// An external fun: module, function, arity.
pub const EXPORT: u8 = 113;
/// The count of words in two bytes, node, creation in one byte, the words.
pub const NEW_REFERENCE: u8 = 114;
/// The length in one byte, the name in Latin-1.
pub const SMALL_ATOM: u8 = 115;
/// The count of pairs in four bytes, keys and values in turn.
pub const MAP: u8 = 116;
/// The length in two bytes, the name in UTF-8.
pub const ATOM_UTF8: u8 = 118;
/// The length in one byte, the name in UTF-8.
pub const SMALL_ATOM_UTF8: u8 = 119;
/// Node, id in eight bytes, creation in four.
pub const V4_PORT: u8 = 120;
