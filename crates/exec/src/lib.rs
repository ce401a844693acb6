//! Running programs: `forward` runs graphs with values and, where asked to, with the expressions they stand for;
//! `backward` follows ways to a place back to where they begin.

pub mod backward;
pub mod forward;
mod stub;
