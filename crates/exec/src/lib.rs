//! Running programs: `forward` runs graphs with values.

pub mod forward;
