//! The configuration file as a person uses it.

mod support;

use std::path::Path;
use std::process::Command;

use support::{Ran, file, folder, hound};

const PROGRAM: &str = "%% Crashes of several kinds.\n-module(several).\n-export([f/1, g/1]).\n\
    -spec f(0..9) -> ok.\nf(1) -> throw(one);\nf(2) -> error(two);\nf(3) -> exit({three, 3});\nf(_) -> ok.\n\
    -spec g(0..9) -> ok.\ng(1) -> throw(one);\ng(_) -> ok.\n\
    small(X) -> X < 2.\n";

fn reasons(ran: &Ran) -> Vec<String> {
    let lines = ran.out.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let findings = lines.flat_map(|line| line["findings"].as_array().cloned().unwrap_or_default());
    let mut reasons: Vec<String> = findings.map(|it| it["reason"].as_str().unwrap_or_default().to_owned()).collect();
    reasons.sort();
    reasons
}

/// Explores the program with a configuration.
fn explored(name: &str, config: &str) -> Ran {
    let folder = folder(&format!("config_{name}"));
    let source = file(&folder, "several.erl", PROGRAM);
    let config = file(&folder, "other.toml", config);
    hound(&["explore", "--format", "json", "--config", &config, &source])
}

#[test]
fn the_exit_code_stands_for_what_the_file_says() {
    for (config, code) in [("", 0), ("fail-on = \"doubtful\"", 0), ("fail-on = \"any\"", 1)] {
        assert_eq!(explored("fail_on", config).code, code, "{config}");
    }
}

#[test]
fn lists_hold_for_everything_a_module_or_a_function() {
    let all = explored("none", "");
    assert_eq!(reasons(&all), ["one", "one", "two", "{three,3}"], "{}{}", all.out, all.err);
    assert_eq!(reasons(&explored("all", "ignore = [\"throw\", \"exit:{three,_}\"]")), ["two"]);
    assert_eq!(reasons(&explored("module", "[module.several]\nignore = [\"throw\"]")), ["two", "{three,3}"]);
    let one = "[function.\"several:f/1\"]\nignore = [\"throw\", \"error:two\"]\n[module.other]\nignore = [\"exit\"]";
    assert_eq!(reasons(&explored("function", one)), ["one", "{three,3}"]);
}

#[test]
fn preconditions_belong_to_functions() {
    let pre = "[function.\"several:f/1\"]\npre = \"small/1\"\n";
    assert_eq!(reasons(&explored("pre", pre)), ["one", "one"]);
}

#[test]
fn mistakes_are_placed_and_exit_code_2() {
    for (name, config, message) in [
        ("key", "[function.\"several:f/1\"]\nignored = []\n", ":2:1: unknown field `ignored`"),
        ("missing", "\n[function.\"several:ff/1\"]\n", ":2:11: no function several:ff/1: several exports no ff"),
        ("hidden", "[function.\"several:small/1\"]\n", ":1:11: no function several:small/1: several has it but does"),
        ("pre", "[function.\"several:f/1\"]\npre = \"small/2\"\n", ":2:7: no function several:small/2"),
        ("class", "ignore = [ \"panic\" ]\n", ":1:12: `panic` is no class of exception"),
        ("rank", "fail-on = \"bugs\"\n", ":1:11: unknown variant `bugs`"),
        ("syntax", "ignore = [\n\n[x]\n", ":"),
    ] {
        let ran = explored(&format!("mistake_{name}"), config);
        assert_eq!(ran.code, 2, "{config}: {}", ran.out);
        assert!(ran.out.contains("\"code\":\"bad_config\"") && ran.out.contains(message), "{config}: {}", ran.out);
        assert!(ran.out.contains("other.toml:"), "{}", ran.out);
    }
}

#[test]
fn a_function_of_a_module_that_is_not_explored_is_not_looked_for() {
    assert_eq!(explored("elsewhere", "[function.\"elsewhere:f/1\"]\npre = \"g/1\"\n").code, 0);
}

#[test]
fn a_file_that_was_named_must_be_there() {
    let ran = hound(&["explore", "--config", "nowhere.toml", "examples/till.erl"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("hound: nowhere.toml: "), "{}", ran.err);
}

/// The file in the current folder is taken, and the command line goes before it.
#[test]
fn the_current_folder_is_looked_at() {
    let folder = folder("config_here");
    file(&folder, "several.erl", PROGRAM);
    file(
        &folder,
        "hound.toml",
        "ignore = [\"throw\", \"error\", \"exit\"]\n[search]\nruns = 1\nstrategy = \"depth\"\n",
    );
    assert!(here(&folder, &[]).contains("\"runs\":1,"));
    assert!(here(&folder, &["--runs", "50"]).contains("\"complete\":true"));
}

fn here(folder: &Path, options: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    command.args(["explore", "--format", "json"]).args(options).args(["several.erl", "f/1"]).current_dir(folder);
    let output = command.output().expect("hound runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}
