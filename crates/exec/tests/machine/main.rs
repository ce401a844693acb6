//! Runs hand-written graphs and holds their outcomes against what the real VM gives for the same code.

mod binaries;
mod calls;
mod data;
mod exceptions;
mod fixture;
mod flips;
mod limits;
mod memory;
mod operations;
mod switches;
mod symbolic;
mod world;
