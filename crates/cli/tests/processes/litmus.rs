//! Questions about the order of signals: an exploration has exactly the outcomes that may be, and the VM no other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::rig::{Explorer, compile, session, sources};
use crate::support::folder;

const SOURCE: &str = include_str!("litmus.erl");

/// The most orders of one program.
const ORDERS: u64 = 5_000;

/// The programs with their outcomes, as the source has them.
pub fn expected(source: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut found = BTreeMap::new();
    let lines: Vec<&str> = source.lines().collect();
    for pair in lines.windows(2) {
        if let Some(outcomes) = pair[0].strip_prefix("%= ") {
            let name = pair[1].split('(').next().unwrap_or_default().to_owned();
            found.insert(name, outcomes.split(" | ").map(str::to_owned).collect());
        }
    }
    found
}

/// The outcomes that the VM has had, after many runs of each program.
fn on_vm<'n>(folder: &Path, names: impl Iterator<Item = &'n String>) -> BTreeMap<String, BTreeSet<String>> {
    let mut erl = Command::new("erl");
    erl.current_dir(folder).args(["+S", "4", "-noinput", "-run", "litmus", "main"]).args(names);
    let ran = erl.output().expect("erl runs");
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&ran.stdout).lines() {
        let (name, outcome) = line.split_once(' ').unwrap_or((line, ""));
        seen.entry(name.to_owned()).or_default().insert(outcome.to_owned());
    }
    seen
}

#[test]
fn signals_come_in_the_orders_that_may_be() {
    let folder = folder("processes_litmus");
    compile(&folder, &[sources().join("litmus.erl")]);
    let expected = expected(SOURCE);
    let seen = on_vm(&folder, expected.keys());
    assert!(expected.len() >= 80, "{} programs", expected.len());
    let mut explorer = Explorer::new(session(&folder));
    let mut wrong = Vec::new();
    for (name, outcomes) in &expected {
        let explored = explorer.explore("litmus", name, ORDERS);
        let causes: Vec<_> = explored.exploration.causes.iter().map(|cause| cause.reason.to_string()).collect();
        if explored.outcomes != *outcomes || !causes.is_empty() {
            wrong.push(format!("{name}: {:?} instead of {outcomes:?} {causes:?}", explored.outcomes));
        }
        match seen.get(name) {
            None => wrong.push(format!("{name}: no outcome on the VM")),
            Some(seen) if !seen.is_subset(outcomes) => wrong.push(format!("{name}: {seen:?} on the VM")),
            Some(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
