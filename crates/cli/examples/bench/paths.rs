//! Completed paths per second on one core, on programs about structure.

use crate::explored::{AT_END, run};

const RUNS: &str = "20000";
pub const PROGRAMS: [(&str, &str); 7] = [
    ("sorted/1", "a sorted list, one path for each length"),
    ("groups/1", "a list in groups of equal neighbours"),
    ("run/1", "a list of commands, a stack"),
    ("fold/1", "a tree with operators"),
    ("route/1", "atoms through a state machine"),
    ("price/1", "a list of records"),
    ("match/2", "nested tuples against a pattern"),
];

pub fn print() -> Result<(), String> {
    let source = super::repository().join("examples/paths.erl");
    let file = source.to_str().ok_or("a path that is no text")?;
    println!("{:<52} {:>10} {:>10} {:>10}", "exploration, one core", "paths", "longest", "paths/s");
    for (function, what) in PROGRAMS {
        let measured = run(AT_END, &["--runs", RUNS, file, function])?;
        let one = &measured["functions"][0];
        let (paths, seconds) = (one["paths"].as_u64().unwrap_or(0), one["seconds"].as_f64().unwrap_or(0.0));
        let rate = paths as f64 / seconds.max(1e-9);
        println!("{what:<52} {paths:>10} {:>10} {rate:>10.0}", one["longest"].as_u64().unwrap_or(0));
    }
    Ok(())
}
