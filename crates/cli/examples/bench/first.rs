//! From the start of the command to the first confirmed finding, Erlang's start included.

use std::time::{Duration, Instant};

use crate::corpus::oracles;
use crate::explored::{AT_FIRST, run};
use crate::median;

pub fn print() -> Result<(), String> {
    let mut times: Vec<(Duration, String)> = Vec::new();
    let mut missed = Vec::new();
    for oracle in oracles()?.iter().filter(|oracle| !oracle.crashes.is_empty()) {
        let began = Instant::now();
        let measured = run(AT_FIRST, &oracle.words())?;
        let found = measured["functions"][0]["findings"].as_array().is_some_and(|findings| !findings.is_empty());
        match found {
            true => times.push((began.elapsed(), oracle.name())),
            false => missed.push(oracle.name()),
        }
    }
    let all: Vec<Duration> = times.iter().map(|(time, _)| *time).collect();
    let (worst, name) = times.iter().max().cloned().unwrap_or_default();
    println!("first confirmed finding, whole command, {} functions that crash", times.len() + missed.len());
    println!("  median {:.2} s, worst {:.2} s ({name})", median(&all).as_secs_f64(), worst.as_secs_f64());
    match missed.is_empty() {
        true => println!("  none missed"),
        false => println!("  missed: {}", missed.join(", ")),
    }
    Ok(())
}
