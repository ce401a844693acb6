//! Every input that was run is one of the spec: all that the explorer keeps is judged by a checker of types on the VM,
//! which knows nothing of the explorer's grammar.

mod support;

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use support::{file, folder, hound, side_by_side, succeed, top};

/// How many calls of these modules, explored under a precondition or none, were judged; panics if one is wrong.
fn judged(name: &str, modules: &[(&str, Option<&str>)]) -> usize {
    let place = folder(name);
    let jobs = side_by_side(modules, |(module, pre)| {
        let source = top().join(format!("crates/cli/tests/corpus/{module}.erl"));
        let options: Vec<String> = pre.iter().flat_map(|pre| ["--pre".to_owned(), (*pre).to_owned()]).collect();
        let function = options.last().map(|_| "solve/4".to_owned());
        let [source, out] = [&source, &place].map(|path| path.to_str().expect("UTF-8").to_owned());
        let traces = format!("{out}/{module}");
        let fixed = ["explore", "--runs", "60", "--trace"].map(str::to_owned);
        let args: Vec<String> =
            fixed.into_iter().chain([traces.clone(), source.clone()]).chain(function).chain(options).collect();
        let ran = hound(&args);
        assert!(matches!(ran.code, 0 | 1), "{module}: {}", ran.err);
        let pre = pre.map_or("none", |pre| pre.split('/').next().unwrap_or(pre));
        let calls = file(&place, &format!("{module}_calls.erl"), &written(Path::new(&traces)));
        format!("{{\"{source}\", \"{calls}\", {pre}}}")
    });
    let text = judge(&place, &jobs);
    assert!(!text.contains("wrong\t"), "{text}");
    let count = text.lines().last().and_then(|last| last.strip_prefix("judged\t")?.parse().ok());
    count.unwrap_or_else(|| panic!("{text}"))
}

/// The calls of all executions in a folder, as a module.
fn written(traces: &Path) -> String {
    let files = std::fs::read_dir(traces).expect("a folder").map(|file| file.expect("a file").path());
    let texts: Vec<String> = files.map(|file| std::fs::read_to_string(file).expect("it reads")).collect();
    let lines = texts.iter().flat_map(|text| text.lines());
    let lines = lines.map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let ended = lines.filter(|line| matches!(line["outcome"].as_str(), Some("value" | "exception")));
    let calls = ended.map(|line| format!("begin {} end", line["call"].as_str().unwrap_or_default()));
    let calls: Vec<String> = calls.collect();
    format!("-module(calls).\n-export([all/0]).\nall() -> [{}].\n", calls.join(",\n"))
}

fn judge(place: &Path, jobs: &[String]) -> String {
    let checker = top().join("crates/cli/tests/inputs/types.erl");
    succeed("erlc", &["-W0", checker.to_str().expect("UTF-8")], place);
    let main = format!("types:main([{}]), halt().", jobs.join(", "));
    let output = Command::new("erl").args(["-noshell", "-eval", &main]).current_dir(place).output().expect("erl runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_checker_refuses_what_a_spec_does_not_say() {
    let place = folder("inputs_wrong");
    let calls = ["valid(9, {1,1}, {1,1}, [])", "valid(1, {1,1}, {1,1}, [{0,1}])", "valid(1, {1,1}, {1,2}, [])"];
    let bodies: Vec<String> = calls.iter().map(|call| format!("robot:{call}")).collect();
    let tests = format!("-module(tests).\n-export([all/0]).\nall() -> [{}].\n", bodies.join(", "));
    let source = top().join("crates/cli/tests/corpus/robot.erl");
    let job = format!("{{\"{}\", \"{}\", valid}}", source.display(), file(&place, "tests.erl", &tests));
    assert_eq!(judge(&place, &[job]).matches("wrong\t").count(), 3);
}

#[test]
fn every_input_of_the_corpus_is_of_its_spec() {
    let mut modules: Vec<String> = std::fs::read_dir(top().join("crates/cli/tests/corpus"))
        .expect("the corpus")
        .filter_map(|file| Some(file.ok()?.file_name().to_str()?.strip_suffix(".erl")?.to_owned()))
        .collect();
    modules.sort();
    let modules: Vec<(&str, Option<&str>)> = modules.iter().map(|module| (module.as_str(), None)).collect();
    assert!(judged("inputs_corpus", &modules) > 3000);
}

#[test]
fn every_input_under_a_precondition_meets_it() {
    assert!(judged("inputs_pre", &[("robot", Some("valid/4"))]) > 30);
}
