//! Explores all functions with a spec of all modules of `stdlib` and prints the page about it: `docs/LIBRARY.md`.
//!
//! `cargo run --package cli --example library > docs/LIBRARY.md`. A quick look: `-- --every 10` for every tenth function,
//! `-- lists string` for these modules, `--time 5` for more seconds each. Progress goes to standard error, the lines of
//! JSON to the file that `--lines FILE` names; the exit code is 2 if anything is not as it must be.

mod application;
mod module;
mod page;
mod unsupported;

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use application::Functions;
use module::{Budget, Module};

/// What each function gets: the runs are what ends most searches, the seconds are the last resort.
const BUDGET: Budget = Budget { seconds: 2, runs: 500 };

/// Calls of the command that run at the same time.
const SIDE_BY_SIDE: usize = 2;

/// Functions that one call of the command explores.
const AT_ONCE: usize = 12;

struct Wanted {
    budget: Budget,
    every: usize,
    lines: Option<String>,
    modules: Vec<String>,
}

fn main() -> ExitCode {
    match wanted(std::env::args().skip(1)).and_then(|wanted| made(&wanted)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(2),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn wanted(mut words: impl Iterator<Item = String>) -> Result<Wanted, String> {
    let mut wanted = Wanted { budget: BUDGET, every: 1, lines: None, modules: Vec::new() };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--time" => wanted.budget.seconds = number(&value()?)?,
            "--runs" => wanted.budget.runs = number(&value()?)?,
            "--every" => wanted.every = number(&value()?)?.max(1) as usize,
            "--lines" => wanted.lines = Some(value()?),
            _ => wanted.modules.push(word),
        }
    }
    Ok(wanted)
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("{text} is not a number"))
}

/// Prints the page; whether everything is as it must be.
fn made(wanted: &Wanted) -> Result<bool, String> {
    let mut all = application::functions()?;
    all.retain(|functions| wanted.modules.is_empty() || wanted.modules.contains(&functions.module));
    let modules = explore_all(&application::sample(all.clone(), wanted.every), wanted.budget);
    if let Some(path) = &wanted.lines {
        let lines: Vec<String> = modules.iter().flat_map(|it| &it.functions).map(|line| format!("{line}\n")).collect();
        std::fs::write(path, lines.concat()).map_err(|error| format!("{path}: {error}"))?;
    }
    print!("{}", page::page(&modules, &all, wanted.budget));
    Ok(modules
        .iter()
        .all(|module| module.problems.is_empty() && module.unconfirmed() == 0 && module.divergences() == 0))
}

/// The modules in the order of their names.
fn explore_all(modules: &[Functions], budget: Budget) -> Vec<Module> {
    let shares = modules.iter().flat_map(|it| it.names.chunks(AT_ONCE).map(|names| (it.module.as_str(), names)));
    let shares: Vec<(&str, &[String])> = shares.collect();
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some((name, functions)) = shares.get(at) else { break };
                    let module = Module::explore(name, functions, budget);
                    eprintln!("{name}: {} functions in {:.1} s", module.functions.len(), module.seconds);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((at, module));
                }
            });
        }
    });
    let mut parts = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    parts.sort_by_key(|(at, _)| *at);
    parts.into_iter().fold(Vec::new(), |modules, (_, part)| module::joined(modules, part))
}
