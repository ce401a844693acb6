//! Programs whose outcome no schedule changes: runs give what the VM gives.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use term::Term;

use crate::rig::{compile, sources};
use crate::support::{folder, hound};

const MODULES: [&str; 5] = ["basics", "basics_server", "basics_machine", "basics_event", "basics_supervisor"];

/// The outcome of every function of a module on the VM, as text.
fn on_vm(folder: &Path) -> Vec<String> {
    let print = "logger:set_primary_config(level, none), [io:format(\"~0p~n\", [X]) || X <- basics:all()], halt().";
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-boot", "start_clean", "-eval", print]).arg("-pa").arg(folder);
    // On a busy machine a process of the VM may get no turn for long.
    let outcomes = (0..3).map(|_| String::from_utf8(erl.output().expect("erl runs").stdout).expect("UTF-8"));
    let text = outcomes.into_iter().find(|text| !text.contains("hangs")).expect("a run without a hang");
    text.lines().map(str::to_owned).collect()
}

/// The same on our machine.
fn ours(paths: &[String]) -> Vec<String> {
    let mut words = vec!["run", "--format", "json"];
    words.extend(paths.iter().map(String::as_str));
    words.push("lists:flatten([io_lib:format(\"~0p~n\", [X]) || X <- basics:all()])");
    let ran = hound(&words);
    let line: Value = serde_json::from_str(ran.out.lines().last().unwrap_or_default()).expect("JSON");
    assert_eq!(line["outcome"], "value", "{}{}", ran.out, ran.err);
    let value = Term::read(line["value"].as_str().unwrap_or_default()).expect("a term");
    let bytes = value.cells().map(|byte| u8::try_from(byte.as_i64().unwrap_or(0)).expect("a byte"));
    String::from_utf8(bytes.collect()).expect("UTF-8").lines().map(str::to_owned).collect()
}

#[test]
fn runs_give_what_the_vm_gives() {
    let folder = folder("processes_vm");
    let paths: Vec<_> = MODULES.iter().map(|module| sources().join(module).with_extension("erl")).collect();
    compile(&folder, &paths);
    let theirs = on_vm(&folder);
    assert!(theirs.len() > 40, "{theirs:?}");
    let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let ours = ours(&paths);
    let differ = theirs.iter().zip(&ours).filter(|(theirs, ours)| theirs != ours);
    let wrong: Vec<String> = differ.map(|(theirs, ours)| format!("VM   {theirs}\nours {ours}")).collect();
    assert!(wrong.is_empty() && ours.len() == theirs.len(), "{}", wrong.join("\n"));
}
