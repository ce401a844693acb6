//! The external term format: what the VM's `term_to_binary` writes and `binary_to_term` reads.

mod decode;
mod encode;
mod table;
mod tag;
mod visit;

pub use decode::{DecodeError, decode, decode_prefix};
pub(crate) use decode::{FunParts, fun_parts};
pub use encode::{EncodeError, encode, encode_into, encode_with};
pub use table::encode_tables;
pub use visit::Visits;
