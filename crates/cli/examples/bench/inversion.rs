//! How many outputs of each operation with a symbolic rule are had again, by the size of its arguments.

#[path = "../../tests/inversion/suite.rs"]
mod suite;

use std::collections::BTreeSet;
use std::path::Path;

use crate::explored::{AT_END, run};
use suite::{GRADES, Row};

const CASES: usize = 2;
const RUNS: &str = "400";
/// Per output; what takes longer counts as not had.
const SECONDS: &str = "1";

pub fn print() -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("hound-bench-inversion-{}", std::process::id()));
    let rows = suite::run(&folder, &[0, 1, 2], CASES, explore);
    // Only generated files.
    let _ = std::fs::remove_dir_all(&folder);
    let rows = rows?;
    println!("inversion: outputs of each operation had again, of {CASES} each, within {SECONDS} s");
    println!("| group | operation | {} | tests demand |\n|---|---|--:|--:|--:|--:|", GRADES.join(" | "));
    rows.iter().for_each(|row| println!("{}", line(row)));
    let total = |grade: usize| {
        let sum = rows.iter().fold((0, 0), |sum, row| (sum.0 + row.solved[grade].0, sum.1 + row.solved[grade].1));
        share(sum)
    };
    println!("| all | | {} | {} | {} | |", total(0), total(1), total(2));
    Ok(())
}

fn line(row: &Row) -> String {
    let shares = row.solved.map(share).join(" | ");
    format!("| {} | `{}` | {shares} | {} % of small |", row.group, row.operation.replace('|', "\\|"), row.least)
}

fn share((solved, all): (usize, usize)) -> String {
    format!("{} %", (solved * 100).checked_div(all).unwrap_or(0))
}

/// The functions of a module that fail.
fn explore(file: &Path) -> Result<BTreeSet<String>, String> {
    let file = file.to_str().ok_or("a file name that is no text")?;
    let measured = run(AT_END, &["--runs", RUNS, "--time", SECONDS, file])?;
    let functions = measured["functions"].as_array().cloned().unwrap_or_default();
    let failed = functions.iter().filter(|function| {
        function["findings"].as_array().into_iter().flatten().any(|finding| finding["reason"] == "found")
    });
    let name = |text: &str| text.rsplit_once(':').map_or(text, |(_, name)| name).to_owned();
    Ok(failed.filter_map(|function| function["function"].as_str().map(name)).collect())
}
