//! The search on programs whose paths are known, with a solver that tries every input.

mod bounds;
mod directions;
mod fake;
mod findings;
mod machine;
mod paths;
mod pins;
mod proofs;
mod schedules;
