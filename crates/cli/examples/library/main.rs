//! Explores all functions of thirty library modules and prints the page about it: `docs/LIBRARY.md`.
//!
//! `cargo run --package cli --example library > docs/LIBRARY.md`, with other modules or seconds if wanted:
//! `-- --time 5 lists string`. Progress goes to standard error; the exit code is 2 if anything is not as it must be.

mod module;
mod page;

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use module::Module;

/// Ordinary Erlang code: data structures, texts, numbers, the parts of a compiler.
const MODULES: &[&str] = &[
    "array",
    "base64",
    "binary",
    "calendar",
    "dict",
    "erl_anno",
    "erl_eval",
    "erl_internal",
    "erl_lint",
    "erl_parse",
    "erl_pp",
    "erl_scan",
    "filename",
    "gb_sets",
    "gb_trees",
    "io_lib",
    "io_lib_format",
    "io_lib_pretty",
    "lists",
    "maps",
    "orddict",
    "ordsets",
    "proplists",
    "queue",
    "rand",
    "sets",
    "sofs",
    "string",
    "unicode",
    "uri_string",
];

/// Seconds for each function.
const SECONDS: u64 = 3;

/// Modules that are explored at the same time.
const SIDE_BY_SIDE: usize = 2;

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let mut seconds = SECONDS;
    if words.first().is_some_and(|word| word == "--time") && words.len() > 1 {
        seconds = words[1].parse().unwrap_or(SECONDS);
        words.drain(..2);
    }
    let names = if words.is_empty() { MODULES.iter().map(|name| name.to_string()).collect() } else { words };
    let modules = explore_all(&names, seconds);
    print!("{}", page::page(&modules, seconds));
    let sound = modules.iter().all(|module| module.problems.is_empty() && module.unconfirmed() == 0);
    if sound { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

/// The modules in the order of their names.
fn explore_all(names: &[String], seconds: u64) -> Vec<Module> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let module = Module::explore(name, seconds);
                    eprintln!("{name}: {} functions in {:.1} s", module.functions.len(), module.seconds);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push(module);
                }
            });
        }
    });
    let mut modules = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    modules.sort_by(|a, b| a.name.cmp(&b.name));
    modules
}
