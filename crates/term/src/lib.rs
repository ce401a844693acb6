//! Erlang values: their order, equality, external format, and their form as Erlang source text.
//!
//! A [`Term`] is sixteen bytes. Every node has room for a [`Mark`], a number that means nothing here and that an
//! engine may use to say which symbolic expression the node stands for; it lies in what would be padding.

mod atom;
mod bits;
mod call;
mod cons;
pub mod cut;
mod data;
pub mod decimal;
mod depth;
pub mod etf;
mod fun;
mod handle;
pub mod heap;
pub mod large;
mod map;
pub mod math;
mod naming;
mod notation;
pub mod number;
mod order;
mod print;
mod read;
mod table;
mod term;
mod tuple;

pub use atom::{Atom, known};
pub use bits::{Bits, BitsBuilder};
pub use call::{Call, Class, Exception, Mfa, Outcome};
pub use cons::{Cons, ListIter};
pub use depth::deeper;
pub use fun::{Closure, Fun};
pub use handle::{Handle, HandleKind};
pub use map::Map;
pub use naming::Naming;
pub use notation::{Language, Notation, Structs};
pub use print::{Style, float_text};
pub use read::{Cursor, ReadError};
pub use table::{Row, Table, holds_fun};
pub use term::{Mark, Term};
pub use tuple::Tuple;
