//! Elixir's `Task`, `Agent` and `GenServer`: runs give what the VM gives.

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
