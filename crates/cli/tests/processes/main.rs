//! Programs with processes: runs agree with the VM, and explorations go through every order that makes a difference.

mod basics;
mod brute_force;
mod clocks;
mod elixir;
mod ends;
mod generated;
mod litmus;
mod logging;
mod model;
mod orders;
mod programs;
mod replays;
mod rig;
mod roots;
#[path = "../support/mod.rs"]
mod support;
mod ticks;
mod times;
