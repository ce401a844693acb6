//! Running programs: `forward` runs graphs with values and, where asked to, with the expressions they stand for;
//! `backward` follows paths to a place back to where they begin.

/// The backward engine: partial paths and their conditions.
pub mod backward;
/// The forward engine: concrete and symbolic runs.
pub mod forward;
mod stub;
