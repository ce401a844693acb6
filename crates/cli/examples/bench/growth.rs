//! What a path costs after so many paths of one exploration, and the memory of it.

use serde_json::Value;

use crate::explored::{AT_END, MARKS, run};

const PROGRAMS: [&str; 2] = ["run/1", "fold/1"];

pub fn print() -> Result<(), String> {
    let source = super::repository().join("examples/paths.erl");
    let file = source.to_str().ok_or("a path that is no text")?;
    let most = MARKS[MARKS.len() - 1].to_string();
    for function in PROGRAMS {
        let measured = run(AT_END, &["--runs", &most, "--time", "600", file, function])?;
        let one = &measured["functions"][0];
        println!("{:<38} {:>14} {:>14}", format!("growth: paths:{function}"), "µs per path", "steps per path");
        let mut before = (0, 0.0, 0);
        for mark in one["marks"].as_array().into_iter().flatten() {
            before = print_mark(before, mark);
        }
        if let Some(peak) = measured["peak_kib"].as_u64() {
            println!("  peak memory {} MiB", peak / 1024);
        }
    }
    Ok(())
}

/// The cost between two marks.
fn print_mark(before: (u64, f64, u64), mark: &Value) -> (u64, f64, u64) {
    let number = |key: &str| mark[key].as_u64().unwrap_or(0);
    let now = (number("paths"), mark["seconds"].as_f64().unwrap_or(0.0), number("steps"));
    let paths = (now.0 - before.0).max(1) as f64;
    let (micros, steps) = ((now.1 - before.1) * 1e6 / paths, (now.2 - before.2) as f64 / paths);
    println!("  {:<36} {micros:>14.0} {steps:>14.0}", format!("paths {} to {}", before.0, now.0));
    now
}
