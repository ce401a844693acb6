//! Who answers the queries of the corpus: memory, our own solvers, Z3.

use serde_json::Value;

use crate::corpus::oracles;
use crate::explored::{AT_END, run};

/// As many runs as the corpus is judged by.
const RUNS: &str = "600";
const MEMBERS: [(&str, &str); 4] = [
    ("known", "known from before"),
    ("inside", "structural and arithmetic"),
    ("outside", "Z3"),
    ("undecided", "undecided"),
];

pub fn print() -> Result<(), String> {
    let oracles = oracles()?;
    let mut counts = [0; MEMBERS.len()];
    for group in oracles.chunk_by(|a, b| a.file == b.file && a.pre == b.pre) {
        let mut words = vec!["--runs", RUNS];
        words.extend(group[0].words());
        words.extend(group[1..].iter().map(|oracle| oracle.function.as_str()));
        let measured = run(AT_END, &words)?;
        for function in measured["functions"].as_array().into_iter().flatten() {
            add(&mut counts, function);
        }
    }
    let total: u64 = counts.iter().sum();
    let percent = |count: u64| 100.0 * count as f64 / total.max(1) as f64;
    println!("queries of {} functions of the corpus, {RUNS} runs at most each: {total}", oracles.len());
    for ((_, name), count) in MEMBERS.iter().zip(counts) {
        println!("  {name:<28} {count:>8} {:>6.1} %", percent(count));
    }
    println!("  {:<28} {:>8} {:>6.1} %", "answered without Z3", counts[0] + counts[1], percent(counts[0] + counts[1]));
    Ok(())
}

fn add(counts: &mut [u64], function: &Value) {
    for (count, (key, _)) in counts.iter_mut().zip(MEMBERS) {
        *count += function[key].as_u64().unwrap_or(0);
    }
}
