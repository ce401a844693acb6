//! Three ways to deal with functions that no solver can see: who finds the bug, who goes astray, who gives up.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::explored::{AT_END, AT_FIRST, run};

const MODES: [&str; 3] = ["unsound", "sound", "higher-order"];
const RUNS: &str = "400";
/// Seconds at most for one program: a mode that needs more has given up.
const SECONDS: &str = "30";

/// A program, the functions that are opaque, the functions to explore, and the calls to begin with.
type Row = (&'static str, &'static [&'static str], &'static [&'static str], &'static str);

const PAPER: &str = "paper:obscure(33, 42).\npaper:foo(33, 42).\npaper:foo_bis(33, 42).\npaper:bar(33, 42).\n\
    paper:pub(1, 2).\npaper:delayed(33, 42).\npaper:equal(33, 42).\npaper:next(33, 42).\n";
const GOOD: &str =
    "lexer:parse_coded([\"begin\", \"end\"]).\nlexer:parse_coded([\"if\", \"while\", \"do\", \"fi\"]).\n";

const ROWS: [Row; 4] = [
    (
        "paper",
        &["hash/1", "small/1"],
        &["obscure/2", "foo/2", "foo_bis/2", "bar/2", "pub/2", "delayed/2", "equal/2", "next/2"],
        PAPER,
    ),
    ("chains", &["hash/1"], &["two/2", "three/3", "four/4", "five/5", "six/6", "listed/1"], ""),
    ("lexer", &["hash/1"], &["parse/1"], ""),
    ("lexer", &["hash/1"], &["parse_coded/1"], GOOD),
];

pub fn print() -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("hound-bench-opaque-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    println!("opaque functions: the bug found or not; runs until then, and how many of them went elsewhere");
    println!("| program | {} | samples of the last |\n|---|--:|--:|--:|--:|", MODES.join(" | "));
    let printed = ROWS.iter().try_for_each(|row| rows(&folder, row));
    // Only generated files.
    let _ = std::fs::remove_dir_all(&folder);
    printed
}

fn rows(folder: &Path, (program, opaque, functions, calls): &Row) -> Result<(), String> {
    let learn = folder.join("learn.calls");
    std::fs::write(&learn, calls).map_err(|error| error.to_string())?;
    for function in *functions {
        let all = MODES.iter().map(|mode| explore(program, opaque, function, &learn, mode));
        let all = all.collect::<Result<Vec<Value>, String>>()?;
        let cells: Vec<String> = all.iter().map(cell).collect();
        println!("| `{program}:{function}` | {} | {} |", cells.join(" | "), all[2]["samples"]);
    }
    Ok(())
}

/// The exploration up to its first finding, or to its end.
fn explore(program: &str, opaque: &[&str], function: &str, learn: &Path, mode: &str) -> Result<Value, String> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/opaque/{program}.erl"));
    let (file, learn) = (file.to_string_lossy().into_owned(), learn.to_string_lossy().into_owned());
    let mut words = vec!["--concretize", mode, "--runs", RUNS, "--time", SECONDS, "--learn", &learn, &file, function];
    opaque.iter().for_each(|name| words.extend(["--opaque", name]));
    let first = run(AT_FIRST, &words)?;
    let found = first["functions"][0].clone();
    match found["verdict"] == "crash" {
        true => Ok(found),
        false => run(AT_END, &words).map(|all| all["functions"][0].clone()),
    }
}

fn cell(function: &Value) -> String {
    let found = if function["verdict"] == "crash" { "found" } else { "not found" };
    match function["divergences"].as_u64() {
        Some(0) | None => format!("{found}, {} runs", function["runs"]),
        Some(astray) => format!("{found}, {} runs, {astray} astray", function["runs"]),
    }
}
