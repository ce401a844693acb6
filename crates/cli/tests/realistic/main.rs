//! Modules in the style of real libraries, with planted bugs, intended exceptions and wide specs: each finding has the rank
//! that the comments of its module say, every planted bug is found, and most of what is ranked `bug` is planted.
//!
//! `%! f/1 bug error:badarith@here` demands a finding of a function, with its rank, class and reason, on the line marked
//! `%@here`, or anywhere without a mark; `x2` demands so many with different witnesses. A reason is a term in which `_` stands
//! for anything. What is `declared` or `doubtful` must not be ranked otherwise. In Elixir `#!` and `#@` take the place of both.

#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{folder, hound, sample, side_by_side, succeed};

/// Runs of each function.
const RUNS: &str = "500";

/// A finding that a comment demands.
#[derive(Debug)]
struct Demand {
    function: String,
    rank: String,
    class: String,
    reason: String,
    /// 0 for any line.
    line: u64,
    count: usize,
}

/// A module, and the words that explore it.
struct Module {
    name: String,
    demands: Vec<Demand>,
    word: String,
}

impl Demand {
    fn read(words: &str, labels: &BTreeMap<String, u64>) -> Demand {
        let words: Vec<&str> = words.split_whitespace().collect();
        let (function, rank, what) = (words[0], words[1], words[2]);
        let (class, reason) = what.split_once(':').unwrap_or_else(|| panic!("no class in {what}"));
        let (reason, line) = match reason.rsplit_once('@') {
            Some((reason, label)) => {
                (reason, *labels.get(label).unwrap_or_else(|| panic!("no line is marked {label}")))
            }
            None => (reason, 0),
        };
        let count = words.get(3).and_then(|count| count.strip_prefix('x')?.parse().ok()).unwrap_or(1);
        assert!(["bug", "doubtful", "declared"].contains(&rank), "{rank}");
        let [function, rank, class, reason] = [function, rank, class, reason].map(str::to_owned);
        Demand { function, rank, class, reason, line, count }
    }

    /// True if a finding is at its place, whatever its rank.
    fn is_place(&self, function: &str, finding: &Value) -> bool {
        let is_line = self.line == 0 || finding["line"] == self.line;
        is_line
            && function == self.function
            && finding["class"] == self.class.as_str()
            && fits(&self.reason, finding["reason"].as_str().unwrap_or_default())
    }

    fn is_met(&self, function: &str, finding: &Value) -> bool {
        self.is_place(function, finding) && finding["rank"] == self.rank.as_str()
    }
}

/// True if a reason is of a pattern, whose `_` stand for anything.
fn fits(pattern: &str, reason: &str) -> bool {
    let mut rest = reason;
    let parts: Vec<&str> = pattern.split('_').collect();
    // The underlines of names are text like any other.
    let is_name = |at: usize| {
        let is_letter = |text: &str, last: bool| {
            let c = if last { text.chars().last() } else { text.chars().next() };
            c.is_some_and(char::is_alphanumeric)
        };
        at + 1 < parts.len() && is_letter(parts[at], true) && is_letter(parts[at + 1], false)
    };
    let mut wanted = String::new();
    for (at, part) in parts.iter().enumerate() {
        wanted.push_str(part);
        if is_name(at) {
            wanted.push('_');
            continue;
        }
        let Some(found) = rest.find(&wanted) else { return false };
        if at + 1 == parts.len() && !rest.ends_with(&wanted) {
            return false;
        }
        rest = &rest[found + wanted.len()..];
        wanted.clear();
    }
    true
}

#[test]
fn patterns_of_reasons() {
    assert!(
        fits("{badmatch,_}", "{badmatch,{a,b}}") && fits("_", "x") && fits("{not_a_number,_}", "{not_a_number,[]}")
    );
    assert!(!fits("{badmatch,_}", "{case_clause,1}") && !fits("badarg", "{badarg,1}"));
}

/// The demands in a text whose comments begin with a sign.
fn demands(text: &str, sign: char) -> Vec<Demand> {
    let mark = format!("{sign}@");
    let labels = text.lines().zip(1..).filter_map(|(line, number)| {
        let (_, label) = line.split_once(&mark)?;
        Some((label.trim().to_owned(), number))
    });
    let labels: BTreeMap<String, u64> = labels.collect();
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix(&format!("{sign}! ")));
    lines.map(|words| Demand::read(words, &labels)).collect()
}

/// The modules; those of Elixir are compiled for this test.
fn modules(test: &str) -> Vec<Module> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/realistic");
    let files = std::fs::read_dir(&here).expect("the modules").map(|file| file.expect("a file").path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|it| it == "erl" || it == "ex")).collect();
    files.sort();
    files.into_iter().map(|path| module(test, path)).collect()
}

fn module(test: &str, path: PathBuf) -> Module {
    let text = std::fs::read_to_string(&path).expect("a module");
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let path = path.display().to_string();
    if path.ends_with(".erl") {
        return Module { demands: demands(&text, '%'), name, word: path };
    }
    let folder = folder(&format!("realistic_{test}_{name}"));
    succeed("elixirc", &[&path], &folder);
    Module { demands: demands(&text, '#'), name, word: folder.display().to_string() }
}

/// The findings of a module, each with its function.
fn explored(module: &Module, options: &[&str]) -> Vec<(String, Value)> {
    let words = [&["explore", "--format", "json"], options, &[module.word.as_str()]].concat();
    let ran = hound(&words);
    assert!(matches!(ran.code, 0 | 1), "{}: {}", module.name, ran.err);
    let mut found = Vec::new();
    for line in ran.out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let function = line["function"].as_str().unwrap_or_default();
        let function = function.rsplit_once(':').map_or(function, |(_, name)| name).replace('\'', "");
        let unconfirmed = line["unconfirmed"].as_array().map_or(0, Vec::len);
        assert_eq!(unconfirmed, 0, "{}: {}", module.name, line["unconfirmed"]);
        found.extend(line["findings"].as_array().into_iter().flatten().map(|it| (function.clone(), it.clone())));
    }
    found
}

/// The demands that are not met, and the numbers of bugs: planted, and all.
fn judged(module: &Module) -> (Vec<String>, usize, usize) {
    let found = explored(module, &["--runs", RUNS, "--time", "600"]);
    let mut wrong = Vec::new();
    for demand in &module.demands {
        let met = found.iter().filter(|(function, finding)| demand.is_met(function, finding));
        let mut witnesses: Vec<String> = met.map(|(_, finding)| finding["args"].to_string()).collect();
        witnesses.sort();
        witnesses.dedup();
        if witnesses.len() < demand.count {
            wrong.push(format!("{}: {} of {demand:?}", module.name, witnesses.len()));
        }
    }
    let bugs: Vec<&(String, Value)> = found.iter().filter(|(_, finding)| finding["rank"] == "bug").collect();
    let is_planted = |(function, finding): &&&(String, Value)| {
        module.demands.iter().any(|demand| demand.rank == "bug" && demand.is_place(function, finding))
    };
    for (function, finding) in &bugs {
        let others = module.demands.iter().filter(|demand| demand.rank != "bug");
        for demand in others.filter(|demand| demand.rank == "declared" && demand.is_place(function, finding)) {
            wrong.push(format!("{}: {demand:?} is ranked bug: {}", module.name, finding["call"]));
        }
    }
    (wrong, bugs.iter().filter(is_planted).count(), bugs.len())
}

#[test]
fn planted_bugs_are_ranked_as_bugs_and_are_most_of_what_is() {
    let modules = modules("judged");
    assert!(modules.len() >= MODULES, "{} modules are too few", modules.len());
    let judged = side_by_side(sample(modules, SAMPLE), |module| judged(&module));
    let wrong: Vec<&String> = judged.iter().flat_map(|(wrong, ..)| wrong).collect();
    let [planted, bugs] = judged.iter().fold([0, 0], |[planted, bugs], one| [planted + one.1, bugs + one.2]);
    println!("{} modules, {planted} planted of {bugs} bugs", judged.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(planted * 2 >= bugs, "only {planted} of {bugs} bugs are planted");
}

/// Modules at least, and one in so many of them is looked at.
const MODULES: usize = 41;
const SAMPLE: u64 = 2;

/// Every few modules are explored with few and with many runs, and by one and by two workers.
const STEP: usize = 5;

/// Place, class and call of findings.
fn identities(found: &[(String, Value)]) -> Vec<String> {
    let identity =
        |(_, it): &(String, Value)| format!("{}:{}: {}: {}", it["line"], it["column"], it["class"], it["call"]);
    found.iter().map(identity).collect()
}

#[test]
fn findings_do_not_depend_on_workers_and_stay_with_more_runs() {
    let some: Vec<Module> = modules("runs").into_iter().step_by(STEP).collect();
    let wrong = side_by_side(some, |module| {
        let explore = |runs: &str, workers: &str| {
            identities(&explored(&module, &["--runs", runs, "--workers", workers, "--time", "600"]))
        };
        let (few, many, together) = (explore("200", "1"), explore("600", "1"), explore("200", "2"));
        assert!(!few.is_empty(), "{}", module.name);
        assert_eq!(few, together, "{}: two workers find something else", module.name);
        let gone: Vec<String> = few.into_iter().filter(|it| !many.contains(it)).collect();
        gone.iter().map(|it| format!("{}: {it} is gone", module.name)).collect::<Vec<_>>()
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
