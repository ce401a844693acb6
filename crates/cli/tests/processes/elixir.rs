//! Elixir's `Task`, `Agent`, `GenServer` and `Logger`: runs give what the VM gives, and defects are found.

use std::process::Command;

use crate::rig::sources;
use crate::support::{folder, hound, succeed};

#[test]
fn tasks_agents_and_servers_of_elixir_run() {
    let folder = folder("processes_elixir");
    succeed("elixirc", &[&sources().join("tasks.ex").display().to_string()], &folder);
    let mut elixir = Command::new("elixir");
    let print = ":io.format(\"~0p~n\", [Tasks.all()])";
    let theirs = elixir.current_dir(&folder).args(["-e", print]).output().expect("elixir runs").stdout;
    let ran = hound(&["run", &folder.display().to_string(), "'Elixir.Tasks':all()"]);
    let ours: Vec<&str> = ran.out.split_whitespace().collect();
    assert_eq!(ours.concat(), String::from_utf8_lossy(&theirs).trim(), "{}", ran.err);
}

/// The functions of a source and the verdict in the comment before the spec of each.
fn expected(source: &str) -> Vec<(&str, &str)> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let pairs = lines.windows(2).filter_map(|pair| {
        let (verdict, spec) = (pair[0].strip_prefix("# ")?, pair[1].strip_prefix("@spec ")?);
        Some((spec.split('(').next()?, verdict))
    });
    pairs.collect()
}

#[test]
fn defects_in_elixir_are_found_and_their_absence_is_proved() {
    let folder = folder("processes_verdicts");
    succeed("elixirc", &[&sources().join("verdicts.ex").display().to_string()], &folder);
    let functions = hound(&["explore", "--format", "json", &folder.display().to_string()]).functions();
    let expected = expected(include_str!("verdicts.ex"));
    assert!(expected.len() > 40, "{expected:?}");
    let mut wrong = Vec::new();
    for (function, verdict) in expected {
        let prefix = format!("'Elixir.Verdicts':{function}/");
        let line = functions.iter().find(|(name, _)| name.starts_with(&prefix)).map(|(_, line)| line);
        let is_confirmed = line.is_some_and(|line| line["unconfirmed"].as_array().is_some_and(Vec::is_empty));
        if line.is_none_or(|line| line["verdict"] != verdict) || !is_confirmed {
            wrong.push(format!("{function} {verdict}: {line:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
