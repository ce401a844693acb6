//! Programs that log: calls give what the VM gives, and what is logged stays symbolic.

use std::process::Command;

use serde_json::Value;
use term::Term;

use crate::rig::{compile, sources};
use crate::support::{folder, hound};

/// The outcomes of all calls on the VM with its default level, as a term.
fn on_vm() -> Term {
    let folder = folder("processes_logging");
    compile(&folder, &[sources().join("logging.erl")]);
    let print = "logger:remove_handler(default), io:format(\"~0p\", [logging:all()]), halt().";
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-boot", "start_clean", "-eval", print]).arg("-pa").arg(&folder);
    let text = String::from_utf8(erl.output().expect("erl runs").stdout).expect("UTF-8");
    Term::read(&text).expect("a term")
}

#[test]
fn calls_give_what_the_vm_gives() {
    let theirs: Vec<Term> = on_vm().cells().cloned().collect();
    assert!(theirs.len() > 50, "{theirs:?}");
    let ran = hound(&["run", "--format", "json", &path(), "logging:all()"]);
    let line: Value = serde_json::from_str(ran.out.lines().last().unwrap_or_default()).expect("JSON");
    let ours = Term::read(line["value"].as_str().unwrap_or_default()).expect("a term");
    let ours: Vec<Term> = ours.cells().cloned().collect();
    assert_eq!(ours, theirs, "{}", ran.err);
}

/// A function, its verdict, and the call of its first finding.
const ROWS: [(&str, &str, &str); 15] = [
    ("argument/1", "crash", "logging:argument(31)"),
    ("argument_ok/1", "safe", ""),
    ("debugged/1", "safe", ""),
    ("message/1", "crash", "logging:message(31)"),
    ("message_ok/1", "safe", ""),
    ("report/1", "crash", "logging:report(31)"),
    ("report_ok/1", "safe", ""),
    ("lazy/1", "crash", "logging:lazy(31)"),
    ("lazy_ok/1", "safe", ""),
    ("caught_ok/1", "safe", ""),
    ("level/1", "crash", "logging:level(a)"),
    ("level_ok/1", "safe", ""),
    ("server/1", "crash", "logging:server(31)"),
    ("server_ok/1", "safe", ""),
    ("no_format/1", "crash", "logging:no_format(0)"),
];

#[test]
fn what_is_logged_stays_symbolic() {
    let functions = hound(&["explore", "--format", "json", &path()]).functions();
    for (function, verdict, call) in ROWS {
        let line = functions.get(&format!("logging:{function}")).cloned().unwrap_or_default();
        let found = line["findings"][0]["call"].as_str().unwrap_or_default();
        let confirmed = line["findings"][0]["confirmed"].as_bool().unwrap_or(true);
        assert_eq!((line["verdict"].as_str(), found, confirmed), (Some(verdict), call, true), "{line}");
    }
}

fn path() -> String {
    sources().join("logging.erl").display().to_string()
}
