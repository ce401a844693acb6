//! Schedules per second on one core, and their number on programs where the least number that covers all is known.

use crate::explored::{AT_END, run};

const RUNS: &str = "200000";

/// A function, and the least number of schedules: of the literature, or counted.
const PROGRAMS: [(&str, u64); 17] = [
    ("readers_2/0", 4),
    ("readers_8/0", 256),
    ("readers_10/0", 1024),
    ("writers_4/0", 24),
    ("writers_6/0", 720),
    ("writers_7/0", 5040),
    ("last_zero_5/0", 64),
    ("last_zero_10/0", 3328),
    ("indexer_12/0", 8),
    ("indexer_13/0", 64),
    ("philosophers_2/0", 0),
    ("philosophers_3/0", 0),
    ("philosophers_4/0", 0),
    ("senders_5/0", 120),
    ("senders_6/0", 720),
    ("call_2/0", 2),
    ("call_3/0", 6),
];

pub fn print() -> Result<(), String> {
    let source = super::repository().join("examples/schedules.erl");
    let file = source.to_str().ok_or("a path that is no text")?;
    println!("{:<24} {:>10} {:>10} {:>12} {:>12}", "schedules, one core", "least", "run", "ms", "schedules/s");
    for (function, least) in PROGRAMS {
        let measured = run(AT_END, &["--runs", RUNS, file, function])?;
        let one = &measured["functions"][0];
        let (runs, seconds) = (one["runs"].as_u64().unwrap_or(0), one["seconds"].as_f64().unwrap_or(0.0));
        let rate = runs as f64 / seconds.max(1e-9);
        let least = if least == 0 { "?".to_owned() } else { least.to_string() };
        println!("{function:<24} {least:>10} {runs:>10} {:>12.1} {rate:>12.0}", seconds * 1e3);
    }
    Ok(())
}
