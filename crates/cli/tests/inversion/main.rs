//! For each operation with a symbolic rule: inputs that give an output which the operation gave before.

mod suite;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

#[test]
fn small_outputs_of_every_operation_are_had_again() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inversion");
    let rows = suite::run(&folder, &[0], 2, explore).expect("the suite runs");
    assert!(rows.len() > 60, "{} operations are too few", rows.len());
    let short = rows.iter().filter(|row| {
        let (solved, all) = row.solved[0];
        solved * 100 < row.least * all
    });
    let short: Vec<String> = short.map(|row| format!("{} {}: {:?}", row.group, row.operation, row.solved[0])).collect();
    assert!(short.is_empty(), "{} operations\n{}", short.len(), short.join("\n"));
}

#[test]
fn the_support_map_names_every_operation() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/SUPPORT.md");
    let page = std::fs::read_to_string(page).expect("the support map");
    let rows = std::fs::read_to_string(suite::rows()).expect("the rows");
    let named: Vec<&str> = rows.lines().filter_map(|line| line.split('"').nth(1)).collect();
    assert!(named.len() > 60, "{} operations are too few", named.len());
    let missing: Vec<&str> =
        named.into_iter().filter(|operation| !page.contains(&operation.replace('|', "\\|"))).collect();
    assert!(missing.is_empty(), "not in docs/SUPPORT.md: {missing:?}");
}

/// The functions of a module that fail.
fn explore(file: &Path) -> Result<BTreeSet<String>, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    let output = command.args(["explore", "--format", "json", "--runs", "150"]).arg(file).output();
    let output = output.map_err(|error| error.to_string())?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
    let lines = lines.map_err(|error| format!("{error}: {text}"))?;
    let found = lines.into_iter().filter(|line| {
        let findings = line["findings"].as_array().into_iter().flatten();
        findings.into_iter().any(|finding| finding["reason"] == "found")
    });
    Ok(found.filter_map(|line| Some(line["function"].as_str()?.split_once(':')?.1.to_owned())).collect())
}
