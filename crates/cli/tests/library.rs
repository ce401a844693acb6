//! Library modules explored with a small budget: nothing unconfirmed, no path that went elsewhere, no place unknown, and
//! few functions that met an operation without a rule.

use std::process::Command;

use serde_json::Value;

/// Lists and trees, records, tuples of any size, tables of the compiler, opaque types of their own and of others.
const MODULES: &[&str] = &[
    "orddict",
    "queue",
    "proplists",
    "gb_trees",
    "erl_anno",
    "unicode",
    "erl_internal",
    "ets",
    "digraph",
    "qlc",
    "string",
];

/// The share of functions, in percent, that may meet an operation without a rule. These modules have more of them than
/// others: tables of the run, normal forms of texts.
const MOST: usize = 10;

/// Reasons that say that an operation has no rule.
const UNSUPPORTED: [&str; 3] = ["gap", "pin", "solver-unsupported"];

#[test]
fn library_modules_are_explored_without_a_mistake_of_ours() {
    let (mut functions, mut unsupported) = (0, Vec::new());
    let mut problems = Vec::new();
    for module in MODULES {
        for line in explore(module) {
            functions += 1;
            unsupported.extend(met(&line).first().map(|reason| format!("{}: {reason}", line["function"])));
            problems.extend(wrong(&line).into_iter().map(|wrong| format!("{}: {wrong}", line["function"])));
        }
    }
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
    assert!(functions > 350, "{functions} functions are too few");
    let share = 100 * unsupported.len() / functions;
    assert!(share <= MOST, "{share} % of {functions} functions\n{}", unsupported.join("\n"));
}

/// What a function met that has no rule.
fn met(line: &Value) -> Vec<String> {
    let reasons = line["reasons"].as_array().into_iter().flatten();
    let unsupported = reasons.filter(|reason| UNSUPPORTED.iter().any(|code| reason["code"] == *code));
    unsupported.map(|reason| reason["message"].to_string()).collect()
}

fn explore(module: &str) -> Vec<Value> {
    let words = ["explore", "--format", "json", "--runs", "60", module];
    let output = Command::new(env!("CARGO_BIN_EXE_hound")).args(words).output().expect("hound runs");
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{module}: {problem}");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    lines.filter(|line| line["kind"] == "function").collect()
}

fn wrong(line: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    if line["unconfirmed"].as_array().is_none_or(|calls| !calls.is_empty()) {
        wrong.push(format!("not confirmed: {}", line["unconfirmed"]));
    }
    if line["stats"]["divergences"] != 0 {
        wrong.push(format!("{} divergences: {}", line["stats"]["divergences"], line["reasons"]));
    }
    for finding in line["findings"].as_array().into_iter().flatten() {
        if finding["file"] == "" || finding["line"] == 0 {
            wrong.push(format!("{} crashes nowhere", finding["call"]));
        }
    }
    wrong
}
