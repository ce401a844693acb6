//! Verdicts as proofs: functions over small finite domains are explored, and all their inputs are run on the real VM.
//!
//! `HOUND_SEED` chooses the functions, `HOUND_PROGRAMS` how many there are, `HOUND_BEAM` how many of them are explored by
//! runs on the VM too, `HOUND_DEPTH` how deep they nest, `HOUND_TABLES` how many keep their arguments in a table,
//! `HOUND_VARIED` how many have no specs, look at funs, at zeros, or call other modules. A function is `safe` exactly if no input crashes it; otherwise
//! every crash that some input causes is found, and nothing else. Both searches are complete.

mod finite;
mod lines;
mod tables;
mod varied;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use term::Term;

use fastrand::Rng;
use finite::domain;
use tables::tables;

/// Class, what the reason begins with, and line.
type Crash = (String, String, u64);

/// What the VM says of a function: how many inputs it has, and the arguments that cause each crash.
#[derive(Default)]
struct Truth {
    inputs: u64,
    crashes: BTreeMap<Crash, BTreeSet<String>>,
}

#[test]
fn verdicts_on_finite_domains_are_what_enumeration_says() {
    judge("auto", number("HOUND_PROGRAMS", 100));
}

#[test]
fn verdicts_of_runs_on_the_vm_are_what_enumeration_says() {
    judge("beam", number("HOUND_BEAM", 15));
}

#[test]
fn verdicts_on_tables_are_what_enumeration_says() {
    let count = number("HOUND_TABLES", 100);
    let folder = Folder::new("tables");
    tables(&mut Rng::with_seed(number("HOUND_SEED", 1)), count as usize, false).write(&folder.0);
    compare(&folder, "auto", "tables", count, false);
}

#[test]
fn verdicts_on_tables_whose_rows_the_vm_lists_are_never_more_than_enumeration_says() {
    let count = number("HOUND_TABLES", 100);
    let folder = Folder::new("listed");
    tables(&mut Rng::with_seed(number("HOUND_SEED", 1) + 1), count as usize, true).write(&folder.0);
    compare(&folder, "auto", "listed", count, true);
}

#[test]
fn verdicts_on_tables_of_runs_on_the_vm_are_what_enumeration_says() {
    let count = number("HOUND_BEAM", 15);
    let folder = Folder::new("beam-tables");
    tables(&mut Rng::with_seed(number("HOUND_SEED", 1) + 2), count as usize, false).write(&folder.0);
    compare(&folder, "beam", "tables", count, false);
}

/// Without a spec, inputs and parts of them that no clause takes are no crashes; whatever the program makes up is.
#[test]
fn verdicts_without_specs_are_what_enumeration_says() {
    let count = number("HOUND_VARIED", 60);
    let (truth, explored) = (Folder::new("unspecified-truth"), Folder::new("unspecified"));
    let module = varied::unspecified(&mut Rng::with_seed(number("HOUND_SEED", 1)), count as usize);
    module.write(&truth.0);
    let text = std::fs::read_to_string(truth.0.join("finite.erl")).expect("a program");
    for name in ["made", "passed"] {
        let copy = text.replace("-module(finite)", &format!("-module({name})"));
        std::fs::write(truth.0.join(format!("{name}.erl")), copy).expect("a copy");
    }
    let plain = text.replace("made:", "").replace("passed:", "");
    std::fs::write(explored.0.join("finite.erl"), plain).expect("a program");
    let judged = unequal(&truth.0, &explored.0, &[], true);
    judged.check("unspecified", count, &explored.0);
    assert!(judged.safe > 2 && judged.complete as u64 == count, "{judged:?}");
}

/// Callers may give any fun: external ones too.
#[test]
fn verdicts_about_funs_are_never_more_than_enumeration_says() {
    let (count, folder) = (number("HOUND_VARIED", 60), Folder::new("funs"));
    varied::funs(&mut Rng::with_seed(number("HOUND_SEED", 1)), count as usize).write(&folder.0);
    let judged = unequal(&folder.0, &folder.0, &[], false);
    judged.check("funs", count, &folder.0);
    assert!(judged.safe > 2, "{judged:?}");
}

/// Both zeros, as constants and as values, in modules that the compiler changes and in others.
#[test]
fn verdicts_about_zeros_are_never_more_than_enumeration_says() {
    let (mut complete, mut incomplete) = (0, 0);
    for at in 0..number("HOUND_VARIED", 60) / 10 {
        let folder = Folder::new(&format!("zeros{at}"));
        let mut rng = Rng::with_seed(number("HOUND_SEED", 1) + at);
        varied::zeros(&mut rng, 10, at % 2 == 0).write(&folder.0);
        let judged = unequal(&folder.0, &folder.0, &[], false);
        judged.check("zeros", 10, &folder.0);
        complete += judged.complete;
        incomplete += 10 - judged.complete;
    }
    assert!(complete > 2 && incomplete > 2, "{complete} complete, {incomplete} incomplete");
}

#[test]
fn verdicts_on_several_modules_are_what_enumeration_says() {
    let (count, folder) = (number("HOUND_VARIED", 60), Folder::new("modules"));
    let (module, other) = varied::modules(&mut Rng::with_seed(number("HOUND_SEED", 1)), count as usize);
    module.write(&folder.0);
    std::fs::write(folder.0.join("other.erl"), other).expect("a program");
    let judged = unequal(&folder.0, &folder.0, &["other.erl"], true);
    judged.check("modules", count, &folder.0);
    assert!(judged.safe > 2 && judged.complete as u64 == count, "{judged:?}");
}

/// The counts of verdicts on functions, and what is wrong about them.
#[derive(Default, Debug)]
struct Judged {
    functions: usize,
    crashing: usize,
    safe: usize,
    complete: usize,
    problems: Vec<String>,
}

impl Judged {
    /// Fails if any verdict is wrong, and keeps the program; and if there was nothing to be wrong about.
    fn check(&self, what: &str, count: u64, folder: &Path) {
        if !self.problems.is_empty() {
            let kept = std::env::temp_dir().join(format!("{what}.erl"));
            std::fs::copy(folder.join("finite.erl"), &kept).expect("the program can be kept");
            panic!("{} problems, see {}\n{}", self.problems.len(), kept.display(), self.problems.join("\n"));
        }
        assert!(self.functions as u64 == count && self.crashing * 10 > self.functions, "{self:?}");
    }
}

/// Compares verdicts with what the VM says of a finite part of the inputs: a complete search has found all of its
/// crashes, and a safe function has none. `exact`: the part stands for all inputs, so that there are no others.
fn unequal(truth: &Path, explored: &Path, others: &[&str], exact: bool) -> Judged {
    let truths = enumerate(truth);
    let files: Vec<PathBuf> = ["finite.erl"].iter().chain(others).map(|name| explored.join(name)).collect();
    let explored = explore_all(&files, "machine");
    let mut judged = Judged { functions: truths.len(), ..Judged::default() };
    for (function, truth) in &truths {
        let Some(found) = explored.get(function) else {
            judged.problems.push(format!("{function}: not explored"));
            continue;
        };
        let findings: BTreeSet<Crash> = found["findings"].as_array().expect("findings").iter().map(crash).collect();
        let missed: Vec<&Crash> = truth.crashes.keys().filter(|crash| !findings.contains(crash)).collect();
        let complete = found["complete"] == true;
        if complete && !missed.is_empty() {
            judged.problems.push(format!("{function}: {} and complete without {missed:?}", found["verdict"]));
        }
        let unknown: Vec<&Crash> = findings.iter().filter(|crash| !truth.crashes.contains_key(crash)).collect();
        if exact && !unknown.is_empty() {
            judged.problems.push(format!("{function}: no such crash: {unknown:?}"));
        }
        judged.crashing += usize::from(!truth.crashes.is_empty());
        judged.safe += usize::from(found["verdict"] == "safe");
        judged.complete += usize::from(complete);
    }
    judged
}

fn judge(engine: &str, count: u64) {
    let folder = Folder::new(&format!("exhaustive-{engine}"));
    finite::write(&folder.0, number("HOUND_SEED", 1), count as usize, number("HOUND_DEPTH", 2) as u32);
    compare(&folder, engine, "finite", count, false);
}

/// `partial`: a search may be incomplete if it says so. One that went through what the compiler has changed always may.
fn compare(folder: &Folder, engine: &str, what: &str, count: u64, partial: bool) {
    let truths = enumerate(&folder.0);
    let explored = explore(&folder.0.join("finite.erl"), engine);
    let mut problems = Vec::new();
    for (function, truth) in &truths {
        let wrong =
            explored.get(function).map_or(vec!["not explored".to_owned()], |found| wrong(truth, found, partial));
        problems.extend(wrong.iter().map(|wrong| format!("{function}: {wrong}")));
    }
    if !problems.is_empty() {
        let kept = std::env::temp_dir().join(format!("{what}-{engine}.erl"));
        std::fs::copy(folder.0.join("finite.erl"), &kept).expect("the program can be kept");
        panic!("{} problems, see {}\n{}", problems.len(), kept.display(), problems.join("\n"));
    }
    let crashing = truths.values().filter(|truth| !truth.crashes.is_empty()).count();
    assert!(truths.len() as u64 == count && crashing * 10 > truths.len(), "{crashing} of {} crash", truths.len());
    assert!((truths.len() - crashing) * 10 > truths.len(), "{crashing} of {} crash", truths.len());
}

fn number(name: &str, otherwise: u64) -> u64 {
    let given = std::env::var(name).ok().filter(|text| !text.is_empty());
    given.map_or(otherwise, |text| text.parse().expect("a number"))
}

/// A folder that is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("hound-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// Every input of every function on the real VM.
fn enumerate(folder: &Path) -> BTreeMap<String, Truth> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exhaustive/enumerate.erl");
    let written = std::fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").path());
    let sources = written.filter(|path| path.extension().is_some_and(|it| it == "erl")).chain([script]);
    // Its types make the compiler forget the lines of operations that always fail.
    let compiled =
        Command::new("erlc").args(["-W0", "+no_type_opt", "-o"]).arg(folder).args(sources).output().expect("erlc runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stdout));
    let main = ["-noshell", "-eval", "enumerate:main()", "-s", "init", "stop"];
    let output = Command::new("erl").arg("-pa").arg(folder).args(main).output().expect("erl runs");
    let mut truths: BTreeMap<String, Truth> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).expect("text").lines() {
        let words: Vec<&str> = line.split('\t').collect();
        match words[..] {
            ["inputs", function, count] => {
                truths.entry(function.to_owned()).or_default().inputs = count.parse().expect("a number");
            }
            ["crash", function, class, tag, line, args] => {
                let crash = (class.to_owned(), kind_of(tag), line.parse().expect("a line"));
                let crashes = &mut truths.entry(function.to_owned()).or_default().crashes;
                crashes.entry(crash).or_default().insert(args.to_owned());
            }
            _ => panic!("{line}"),
        }
    }
    truths
}

fn explore(file: &Path, engine: &str) -> BTreeMap<String, Value> {
    explore_all(&[file.to_owned()], engine)
}

fn explore_all(files: &[PathBuf], engine: &str) -> BTreeMap<String, Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    let words = ["explore", "--fail-on", "any", "--engine", engine, "--format", "json", "--runs", "20000"];
    let output = command.args(words).args(files).output();
    let output = output.expect("hound runs");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{text} {}", String::from_utf8_lossy(&output.stderr));
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let named = lines.filter_map(|line| Some((line["function"].as_str()?.split_once(':')?.1.to_owned(), line.clone())));
    named.collect()
}

fn wrong(truth: &Truth, found: &Value, partial: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    let reasons = found["reasons"].as_array().expect("reasons");
    let changed = !reasons.is_empty() && reasons.iter().all(|reason| reason["code"] == "compiler-change");
    let partial = (partial || changed) && found["complete"] == false && found["verdict"] != "safe";
    let expected = if truth.crashes.is_empty() { "safe" } else { "crash" };
    if !partial && (found["verdict"] != expected || found["complete"] != true) {
        wrong.push(format!("{} instead of {expected}: {}", found["verdict"], found["reasons"]));
    }
    if found["paths"].as_u64().is_none_or(|paths| paths > truth.inputs) {
        wrong.push(format!("{} paths for {} inputs", found["paths"], truth.inputs));
    }
    if found["unconfirmed"].as_array().is_some_and(|list| !list.is_empty()) || found["stats"]["divergences"] != 0 {
        wrong.push(format!("unconfirmed {}, statistics {}", found["unconfirmed"], found["stats"]));
    }
    let mut missing = truth.crashes.clone();
    for finding in found["findings"].as_array().expect("findings") {
        let args = finding["args"].as_array().expect("arguments").iter().filter_map(Value::as_str);
        let args: Vec<String> = args.map(shown).collect();
        // The VM gives some operations no line, and forgets those of some exceptions that are raised again.
        let (class, tag, _) = crash(finding);
        let known: Vec<Crash> =
            [crash(finding), (class, tag, 0)].into_iter().filter(|it| truth.crashes.contains_key(it)).collect();
        if known.is_empty() {
            wrong.push(format!("no such crash: {finding}"));
        } else if !known.iter().any(|crash| truth.crashes[crash].contains(&args.join(";"))) {
            wrong.push(format!("no such input: {finding}"));
        }
        known.iter().for_each(|crash| _ = missing.remove(crash));
    }
    wrong.extend(
        missing.iter().filter(|_| !partial).map(|(crash, inputs)| format!("missed {crash:?} by {:?}", inputs.first())),
    );
    wrong
}

/// An argument as the enumeration shows it: a fun by its results.
fn shown(arg: &str) -> String {
    let term = Term::read(arg).expect("a term");
    let Some(table) = term.as_table() else { return arg.to_owned() };
    let result = |args: Vec<i64>| table.result(&args.into_iter().map(Term::int).collect::<Vec<_>>()).to_string();
    let results: Vec<String> = domain::calls(table.arity()).into_iter().map(result).collect();
    format!("fun [{}]", results.join(","))
}

fn crash(finding: &Value) -> Crash {
    let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
    let reason = text("reason");
    let tag = reason.trim_start_matches('{').split([',', '}']).next().unwrap_or_default();
    (text("class"), kind_of(tag), finding["line"].as_u64().unwrap_or_default())
}

/// What an input can hold is no kind of reason: one path, and one finding, stands for all such values.
fn kind_of(tag: &str) -> String {
    let word = tag.starts_with(|first: char| first.is_ascii_lowercase());
    let input = domain::ATOMS.contains(&tag) || matches!(tag, "true" | "false");
    if word && !input { tag } else { "a value" }.to_owned()
}
