//! Reports in the formats of other tools: they hold what JSON holds, and their readers can read them.

mod support;

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use support::{Ran, ended, file, folder};

/// A bug, something doubtful, an exception on purpose, what stays open, what is safe; and characters that formats escape.
const SOURCE: &str = "\
-module('it\\'s <odd>').
-export([bug/1, doubtful/1, declared/1, open/1, safe/1]).

-spec bug(0..9) -> integer().
bug(N) -> 10 div (N - 7).

-spec doubtful(any()) -> number().
doubtful(X) -> X + 1.

-spec declared(binary()) -> ok.
declared(<<\"<&\\\"\", 0, \":,%\\n\\r\">>) -> error({'<&\"', \"%\\n,:\"});
declared(_) -> ok.

-spec open([integer()]) -> integer().
open(L) -> length([X || X <- L, X > 0]).

-spec safe(0..9) -> integer().
safe(N) -> N + 1.
";

/// The folder of a source whose name has characters that references escape.
fn project(name: &str) -> PathBuf {
    let folder = folder(&format!("exchange_{name}"));
    std::fs::create_dir(folder.join("my src")).expect("a folder");
    file(&folder, "my src/it's <odd>.erl", SOURCE);
    folder
}

fn explore(folder: &PathBuf, options: &[&str]) -> Ran {
    let bounds = ["--runs", "300", "--no-store"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    ended(command.current_dir(folder).args(["explore", "my src/it's <odd>.erl"]).args(bounds).args(options))
}

/// All findings of a report in JSON.
fn findings(json: &Ran) -> Vec<Value> {
    let functions = json.functions();
    functions.values().flat_map(|function| function["findings"].as_array().cloned().unwrap_or_default()).collect()
}

#[test]
fn sarif_has_every_finding_at_its_place() {
    let folder = project("sarif");
    let (sarif, json) = (explore(&folder, &["--format", "sarif"]), explore(&folder, &["--format", "json"]));
    assert_eq!((sarif.code, json.code), (1, 1), "{}", sarif.err);
    let log: Value = serde_json::from_str(&sarif.out).expect("JSON");
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("results");
    let findings = findings(&json);
    assert_eq!(results.len(), findings.len());
    for finding in &findings {
        let line = &finding["line"];
        let place = |result: &&Value| {
            let place = &result["locations"][0]["physicalLocation"];
            place["artifactLocation"]["uri"] == "my%20src/it%27s%20%3Codd%3E.erl"
                && place["region"]["startLine"] == *line
        };
        let result = results.iter().find(place).expect("a result at its place");
        let level = match finding["rank"].as_str() {
            Some("bug") => "error",
            Some("doubtful") => "warning",
            _ => "note",
        };
        assert_eq!(result["level"], level, "{result}");
        assert_eq!(result["properties"]["call"], finding["call"]);
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().expect("a number") as usize];
        assert_eq!((&rule["id"], &result["ruleId"]), (&finding["kind"], &finding["kind"]));
        assert!(
            result["message"]["text"].as_str().is_some_and(|text| text.contains(finding["call"].as_str().unwrap()))
        );
    }
    let ranks: Vec<&str> = results.iter().filter_map(|result| result["properties"]["rank"].as_str()).collect();
    assert!(["bug", "doubtful", "declared"].iter().all(|rank| ranks.contains(rank)), "{ranks:?}");
    let notes = run["invocations"][0]["toolExecutionNotifications"].to_string();
    assert!(notes.contains("open/1 is incomplete") && !notes.contains("safe/1"), "{notes}");
    assert_eq!(run["properties"]["safe"], 1);
}

#[test]
fn a_finding_keeps_its_fingerprint_when_lines_move() {
    let folder = project("moved");
    let prints = |ran: Ran| {
        let log: Value = serde_json::from_str(&ran.out).expect("JSON");
        let results = log["runs"][0]["results"].as_array().cloned().unwrap_or_default();
        results.iter().map(|result| result["partialFingerprints"]["finding/v1"].to_string()).collect::<Vec<String>>()
    };
    let before = prints(explore(&folder, &["--format", "sarif"]));
    file(&folder, "my src/it's <odd>.erl", &SOURCE.replacen("\n\n", "\n\n%% Another line.\n\n", 1));
    assert_eq!(before, prints(explore(&folder, &["--format", "sarif"])));
    assert!(before.len() >= 3, "{before:?}");
}

#[test]
fn junit_has_a_test_per_function() {
    let folder = project("junit");
    let by_rank = |fail_on: &str, failed: &[&str], skipped: &[&str]| {
        let ran = explore(&folder, &["--format", "junit", "--fail-on", fail_on]);
        assert_eq!(ran.code, 1, "{}", ran.err);
        let document = roxmltree::Document::parse(&ran.out).expect("XML");
        let cases: Vec<_> = document.descendants().filter(|node| node.has_tag_name("testcase")).collect();
        let with = |tag: &str| -> Vec<&str> {
            let has = |case: &&roxmltree::Node<'_, '_>| case.children().any(|child| child.has_tag_name(tag));
            cases.iter().filter(has).filter_map(|case| case.attribute("name")).collect()
        };
        assert_eq!((with("failure"), with("skipped")), (failed.to_vec(), skipped.to_vec()));
        assert!(cases.iter().all(|case| case.attribute("classname") == Some("it's <odd>")));
        let suite = document.descendants().find(|node| node.has_tag_name("testsuite")).expect("a suite");
        for counted in [document.root_element(), suite] {
            let counts =
                ["tests", "failures", "skipped"].map(|name| counted.attribute(name).unwrap_or("none").to_owned());
            assert_eq!(counts, [cases.len(), failed.len(), skipped.len()].map(|count| count.to_string()));
        }
        assert!(ran.out.contains("declared(&lt;&lt;60,38,34,0,58,44,37,10,13&gt;&gt;)"), "{}", ran.out);
    };
    by_rank("bug", &["bug/1"], &["open/1"]);
    by_rank("any", &["bug/1", "doubtful/1", "declared/1"], &["open/1"]);
    by_rank("incomplete", &["bug/1", "doubtful/1", "declared/1", "open/1"], &[]);
}

#[test]
fn github_gets_a_line_for_each_finding_that_counts() {
    let folder = project("github");
    let lines = |fail_on: &str| {
        let ran = explore(&folder, &["--format", "github", "--fail-on", fail_on]);
        assert_eq!(ran.code, 1, "{}", ran.err);
        let text = |line: &str| {
            let (head, _) = line.split_once(",title=").expect("a title");
            head.to_owned()
        };
        ran.out.lines().map(text).collect::<Vec<String>>()
    };
    let file = "file=my src/it's <odd>.erl";
    let (bug, doubtful) = (format!("::error {file},line=5,col=14"), format!("warning {file},line=8,col=18"));
    assert_eq!(lines("bug"), [bug.clone(), format!("::{doubtful}")]);
    let all = lines("any");
    assert_eq!(all.len(), 3, "{all:?}");
    assert!(all.iter().all(|line| line.starts_with("::error file=")), "{all:?}");
}

#[test]
fn reports_are_files_too_and_what_cannot_be_written_is_said_first() {
    let folder = project("files");
    let ran = explore(&folder, &["--report", "sarif", "a.sarif", "--report", "junit", "b.xml", "bug/1"]);
    assert!(ran.out.contains("badarith") && ran.code == 1, "{} {}", ran.out, ran.err);
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a report");
    assert!(
        serde_json::from_str::<Value>(&read("a.sarif")).is_ok() && roxmltree::Document::parse(&read("b.xml")).is_ok()
    );
    for (words, said) in [
        (["--report", "pdf", "a.pdf"], "--report pdf: only sarif, junit and github can be written"),
        (["--report", "text", "a.txt"], "--report text: only sarif, junit and github can be written"),
        (["--report", "sarif", "none/a.sarif"], "none/a.sarif: No such file or directory"),
    ] {
        let ran = explore(&folder, &words);
        assert_eq!(ran.code, 2, "{words:?}");
        assert!(ran.err.contains(said) && ran.out.is_empty(), "{}", ran.err);
    }
}
