//! The `hound` command.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: cli::allocator::Allocator = cli::allocator::Allocator;

fn main() -> ExitCode {
    cli::main()
}
