//! The options of `hound doctor`.

use std::path::PathBuf;

use clap::Args;

use super::OutputFormat;

/// Shows what hound runs on: versions, places, and the walls around programs
///
/// Programs under test run in an Erlang VM that the operating system keeps from files, the network and other processes,
/// whatever the program does. Shown is which of these walls this system has.
#[derive(Args, Debug)]
pub struct DoctorOptions {
    /// Fail where the operating system lacks a wall around programs
    #[arg(long)]
    pub require_sandbox: bool,

    /// The Erlang to look at: a path of an `erl`, or a name in the path of commands
    #[arg(long, value_name = "PATH", env = "HOUND_ERL", hide_env_values = true)]
    pub erl: Option<PathBuf>,

    /// The format of what is shown
    #[arg(long, value_enum, default_value = "text")]
    pub format: OutputFormat,
}
