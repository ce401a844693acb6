//! The programs of the text's table of targets: `reach` beside `explore`, each in a process of its own.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use clap::Parser;
use cli::options;
use search::reach::GoalVerdict;
use serde_json::{Value, json};
use session::reach::{Results, Tally, reach};

use crate::explored;

/// The word that makes a child of this program; then the words of `hound reach`.
pub const WORD: &str = "reach-child";

/// The table's programs, each with its function.
const PROGRAMS: [(&str, &str); 10] = [
    ("dart", "dart/2"),
    ("easy_loop", "easy_loop/2"),
    ("hard_loop", "challenges/2"),
    ("narrow", "narrow/1"),
    ("sine", "sine/1"),
    ("slicing", "slicing/10"),
    ("tcas", "advise/12"),
    ("trityp", "classify/3"),
    ("tsafe", "conflict/7"),
    ("unreach", "unreachable/10"),
];

/// Programs of the corpus whose uncovered places are searched for.
const UNCOVERED: [&str; 6] = ["bank", "checks", "elevator", "hashes", "numbers", "safe"];

pub fn print() -> Result<(), String> {
    println!("reach: targets of the table's programs; segments of the ways to them and of all ways, per program");
    println!(
        "{:<10} {:>7} {:>8} {:>7} {:>9} {:>9} {:>8} {:>6} {:>9} {:>8} | {:>13} {:>8} {:>8}",
        "program",
        "targets",
        "reached",
        "proved",
        "to target",
        "explored",
        "queries",
        "runs",
        "seconds",
        "MiB",
        "explore paths",
        "queries",
        "seconds"
    );
    for (program, function) in PROGRAMS {
        row(program, function)?;
    }
    println!("\nreach --uncovered: clauses and outcomes of tests of the corpus that a short exploration leaves");
    println!(
        "{:<10} {:>7} {:>8} {:>8} {:>7} {:>9} {:>9} {:>8}",
        "program", "all", "covered", "reached", "proved", "left", "seconds", "MiB"
    );
    UNCOVERED.iter().try_for_each(|program| uncovered(program))
}

fn file(folder: &str, program: &str) -> String {
    crate::repository().join("crates/cli/tests").join(folder).join(format!("{program}.erl")).display().to_string()
}

fn row(program: &str, function: &str) -> Result<(), String> {
    let path = file("reach", program);
    let done = run(&[&path])?;
    let explored = explored::run(explored::AT_END, &["--workers", "1", &path, function])?;
    let forward = &explored["functions"][0];
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    println!(
        "{program:<10} {:>7} {:>8} {:>7} {:>9} {:>9} {:>8} {:>6} {:>9.2} {:>8} | {:>13} {:>8} {:>8.2}",
        number(&done["targets"]),
        number(&done["reached"]),
        number(&done["unreachable"]),
        number(&done["segments"]),
        number(&done["explored"]),
        number(&done["queries"]),
        number(&done["runs"]),
        done["seconds"].as_f64().unwrap_or(0.0),
        number(&done["peak_kib"]) >> 10,
        number(&forward["paths"]),
        number(&forward["queries"]),
        forward["seconds"].as_f64().unwrap_or(0.0),
    );
    Ok(())
}

fn uncovered(program: &str) -> Result<(), String> {
    let done = run(&["--uncovered", "--runs", "200", &file("corpus", program)])?;
    let number = |name: &str| done[name].as_u64().unwrap_or(0);
    println!(
        "{program:<10} {:>7} {:>8} {:>8} {:>7} {:>9} {:>9.2} {:>8}",
        number("total"),
        number("covered"),
        number("reached"),
        number("unreachable"),
        number("targets") - number("reached") - number("unreachable"),
        done["seconds"].as_f64().unwrap_or(0.0),
        number("peak_kib") >> 10,
    );
    Ok(())
}

/// Runs this program as a child and reads what it measured.
fn run(words: &[&str]) -> Result<Value, String> {
    let program: PathBuf = std::env::current_exe().map_err(|error| error.to_string())?;
    let ran = Command::new(program).arg(WORD).args(words).output().map_err(|error| error.to_string())?;
    match ran.status.success() {
        true => serde_json::from_slice(&ran.stdout).map_err(|error| format!("{}: {error}", words.join(" "))),
        false => Err(String::from_utf8_lossy(&ran.stderr).into_owned()),
    }
}

/// What the child does.
pub fn child(words: &[String]) -> Result<(), String> {
    let line = ["hound", "reach", "--workers", "1"].into_iter().chain(words.iter().map(String::as_str));
    let parsed = options::CommandLine::try_parse_from(line).map_err(|error| error.to_string())?;
    let options::Command::Reach(options) = parsed.command else { return Err("not a search for targets".to_owned()) };
    let began = Instant::now();
    let done = reach(&options.request(), &mut ()).map_err(|failure| failure.to_string())?;
    println!("{}", measured(&done, began.elapsed().as_secs_f64()));
    Ok(())
}

fn measured(done: &Results, seconds: f64) -> Value {
    let count =
        |wanted: fn(&GoalVerdict) -> bool| done.reached.iter().filter(|one| wanted(&one.result.verdict)).count();
    let sum = |part: fn(&search::reach::ReachStatistics) -> u64| -> u64 {
        done.reached.iter().map(|one| part(&one.result.statistics)).sum()
    };
    let Tally { covered, total } = done.tally.unwrap_or_default();
    json!({
        "targets": done.reached.len(),
        "reached": count(|verdict| matches!(verdict, GoalVerdict::Reached { .. })),
        "unreachable": count(|verdict| matches!(verdict, GoalVerdict::Unreachable)),
        "segments": sum(|it| it.segments),
        "explored": sum(|it| it.explored),
        "queries": sum(|it| it.queries),
        "runs": sum(|it| it.runs),
        "covered": covered,
        "total": total,
        "seconds": seconds,
        "peak_kib": explored::peak(),
    })
}
