//! The `hound` command.

use std::process::ExitCode;

/// The machine makes and drops small values all the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::main()
}
