//! The external term format: what the VM's `term_to_binary` writes and `binary_to_term` reads.

mod decode;
mod encode;
mod fun;
mod tag;
mod visit;

pub use decode::{DecodeError, decode, decode_prefix};
pub(crate) use decode::{FunParts, fun_parts};
pub use encode::{EncodeError, encode, encode_into, encode_with};
pub use fun::encode_any;
pub use visit::Visits;
