//! Baselines: what is found today is written down, and later runs say what is new, known and gone.

mod support;

use std::path::Path;

use serde_json::Value;
use support::{Ran, file, folder, hound};

/// A crash in `f`, one in what `f` and `g` call, and one on purpose; `OTHER` makes room for more.
const PROGRAM: &str = "-module(kept).\n-export([f/1, g/1]).\n\n-spec f(0..99) -> integer().\nf(7) -> exit(seven);\n\
    f(X) when X > 90 -> 10 div (X - 95);\nOTHERf(X) -> half(X).\n\n-spec g(0..99) -> integer().\ng(X) -> half(X).\n\n\
    half(4) -> hd([]);\nhalf(X) -> X div 2.\n";

fn write(folder: &Path, text: &str) -> String {
    file(folder, "kept.erl", text)
}

fn explored(source: &str, baseline: &str, options: &[&str]) -> Ran {
    let words = [&["explore", "--format", "json", "--baseline", baseline], options, &[source]].concat();
    let ran = hound(&words);
    assert_ne!(ran.code, 2, "{}{}", ran.out, ran.err);
    ran
}

/// `f/1 badarith new` for every finding, in order.
fn standing(ran: &Ran) -> Vec<String> {
    let functions = ran.functions();
    let findings = functions.iter().flat_map(|(name, line)| {
        let name = name.trim_start_matches("kept:").to_owned();
        line["findings"].as_array().cloned().unwrap_or_default().into_iter().map(move |it| (name.clone(), it))
    });
    let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    findings.map(|(name, it)| format!("{name} {} {}", text(&it["reason"]), text(&it["baseline"]))).collect()
}

fn summary(ran: &Ran) -> Value {
    let mut lines = ran.out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.find(|line| line["kind"] == "baseline").unwrap_or_else(|| panic!("no comparison in {}", ran.out))
}

#[test]
fn later_runs_show_what_is_new_known_and_gone() {
    let folder = folder("baseline_compared");
    let source = write(&folder, &PROGRAM.replace("OTHER", ""));
    let baseline = folder.join("b.toml").display().to_string();
    let recorded = hound(&["baseline", &baseline, &source]);
    assert_eq!(recorded.code, 0, "{}{}", recorded.out, recorded.err);
    assert!(recorded.out.ends_with("b.toml: 4 findings\n"), "{}", recorded.out);

    let same = explored(&source, &baseline, &[]);
    assert_eq!(standing(&same), ["f/1 seven known", "f/1 badarg known", "f/1 badarith known", "g/1 badarg known"]);
    assert_eq!((same.code, &summary(&same)["new"], &summary(&same)["known"]), (0, &0.into(), &4.into()));

    // Lines before a function and comments in it move nothing; only the function's own lines count.
    let moved = PROGRAM.replace("OTHER", "").replace("-spec", "%% More.\n%% Of it.\n-spec");
    let moved = explored(&write(&folder, &moved), &baseline, &[]);
    assert_eq!(
        (moved.code, &summary(&moved)["known"], &summary(&moved)["gone"]),
        (0, &4.into(), &Value::Array(vec![]))
    );

    let more = PROGRAM.replace("OTHER", "f(50) -> element(3, {});\n").replace("half(4) -> hd([]);\n", "");
    let more = explored(&write(&folder, &more), &baseline, &[]);
    assert_eq!(more.code, 1, "{}", more.out);
    assert_eq!(standing(&more), ["f/1 seven known", "f/1 badarg new", "f/1 badarith known"], "{}", more.out);
    let gone = summary(&more)["gone"].clone();
    let gone: Vec<&str> = gone.as_array().expect("a list").iter().filter_map(|it| it["function"].as_str()).collect();
    assert_eq!(gone, ["kept:f/1", "kept:g/1"]);
    let text = hound(&["explore", "--baseline", &baseline, &source]);
    assert!(text.out.contains("element(3,{})") && !text.out.contains("exit: seven"), "{}", text.out);
    assert!(text.out.contains("gone: kept:g/1: error:badarg at kept:half/1 line 1: kept:g(4)\n"), "{}", text.out);
    assert!(text.out.ends_with("baseline: 1 new finding, 2 known, 2 gone\n"), "{}", text.out);
}

#[test]
fn the_exit_code_is_for_new_findings_of_the_rank() {
    let folder = folder("baseline_rank");
    let source = write(&folder, &PROGRAM.replace("OTHER", ""));
    let baseline = folder.join("b.toml").display().to_string();
    assert_eq!(hound(&["baseline", &baseline, &source, "g/1"]).code, 0);
    // What both call is known through g already; on purpose is no bug.
    let others = explored(&source, &baseline, &["--ignore", "error:badarith"]);
    assert_eq!(standing(&others), ["f/1 seven new", "f/1 badarg known", "g/1 badarg known"]);
    assert_eq!(others.code, 0, "{}", others.out);
    assert_eq!(explored(&source, &baseline, &["--ignore", "error:badarith", "--fail-on", "any"]).code, 1);
    assert_eq!(explored(&source, &baseline, &[]).code, 1);
}

#[test]
fn a_baseline_is_the_same_every_time_and_replaces_only_its_like() {
    let folder = folder("baseline_written");
    let source = write(&folder, &PROGRAM.replace("OTHER", ""));
    let baseline = folder.join("b.toml");
    let path = baseline.display().to_string();
    let text = || std::fs::read_to_string(&baseline).expect("a file");
    assert_eq!(hound(&["baseline", &path, &source]).code, 0);
    let first = text();
    assert_eq!(hound(&["baseline", "--workers", "2", &path, &source]).code, 0);
    assert_eq!(text(), first);
    assert!(first.contains("place = \"kept:f/1 line 2\"\nkind = \"error:badarith\"\n"), "{first}");
    let other = file(&folder, "other.txt", "precious\n");
    let ran = hound(&["baseline", &other, &source]);
    assert_eq!((ran.code, ran.err.contains("was not written by hound baseline")), (2, true), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(other).expect("a file"), "precious\n");
}

#[test]
fn mistakes_in_a_baseline_are_placed_and_exit_code_2() {
    let folder = folder("baseline_mistakes");
    let source = write(&folder, &PROGRAM.replace("OTHER", ""));
    for (name, text, message) in [
        ("version", "version = 7\n", "version.toml:1:11: this is version 7, and hound reads 1"),
        ("none", "[[finding]]\n", "none.toml:1:"),
        ("key", "version = 1\n\n[[finding]]\nfunktion = \"f\"\n", "key.toml:4:1: unknown field `funktion`"),
        ("missing", "version = 1\n\n[[finding]]\nfunction = \"f\"\n", "missing.toml:3:1: missing field"),
        ("syntax", "version = 1\n[[finding]\n", "syntax.toml:2:"),
    ] {
        let baseline = file(&folder, &format!("{name}.toml"), text);
        let ran = hound(&["explore", "--format", "json", "--baseline", &baseline, &source]);
        assert_eq!(ran.code, 2, "{name}: {}", ran.out);
        assert!(ran.out.contains("\"code\":\"bad_config\"") && ran.out.contains(message), "{name}: {}", ran.out);
    }
    let ran = hound(&["explore", "--baseline", "nowhere.toml", &source]);
    assert_eq!((ran.code, ran.err.contains("nowhere.toml: ")), (2, true), "{}", ran.err);
}
