//! Running programs: `forward` runs graphs with values and, where asked to, with the expressions they stand for.

pub mod forward;
