//! Explorations to which something happens: what was found is reported, and no more is claimed than is known.

mod support;

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{file, folder};

const PROGRAM: &str = "%% A crash, a proof, a search without end, and one that is not reached.\n-module(endings).\n\
    -export([crash/1, proof/1, long/1, last/1]).\n\
    -spec crash(0..9) -> ok.\ncrash(3) -> error(three);\ncrash(_) -> ok.\n\
    -spec proof(0..9) -> ok.\nproof(X) when X < 10 -> ok.\n\
    -spec long(integer()) -> ok.\nlong(7) -> error(seven);\nlong(X) when X > 100 -> forever(X);\nlong(_) -> ok.\n\
    forever(X) -> put(last, X), forever(X + 1).\n\
    -spec last(integer()) -> ok.\nlast(1) -> error(one);\nlast(_) -> ok.\n";

/// A command with a cache of its own, in which what the tool itself needs is there already.
struct Rig {
    folder: PathBuf,
    source: String,
}

impl Rig {
    fn new(name: &str) -> Rig {
        let folder = folder(&format!("endings_{name}"));
        let source = file(&folder, "endings.erl", PROGRAM);
        std::fs::create_dir_all(folder.join("bin")).expect("a folder");
        Rig { folder, source }
    }

    fn hound(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
        self.prepare(&mut command);
        command.args(["explore", "--fail-on", "any", "--format", "json"]).args(words);
        command
    }

    fn prepare(&self, command: &mut Command) {
        let path = std::env::var("PATH").expect("a path");
        command.env("PATH", format!("{}:{path}", self.folder.join("bin").display()));
        command.env("XDG_CACHE_HOME", self.folder.join("cache"));
        command.env("TMPDIR", self.folder.join("bin"));
    }

    /// Runs a command whose first VMs are killed as soon as they are there.
    fn killing(&self, words: &[&str], vms: usize) -> (Output, usize) {
        let mut child = self.hound(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut killed = 0;
        while killed < vms && child.try_wait().expect("a status").is_none() {
            for pid in children(child.id()) {
                killed += usize::from(killed < vms && signal("KILL", pid));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        (child.wait_with_output().expect("it ends"), killed)
    }

    fn note(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// Verdict and codes of reasons.
fn outcome(line: &Value) -> (String, Vec<String>) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let reasons = line["reasons"].as_array().cloned().unwrap_or_default();
    (text(&line["verdict"]), reasons.iter().map(|reason| text(&reason["code"])).collect())
}

#[test]
fn a_vm_that_always_dies_confirms_nothing() {
    let rig = Rig::new("dead");
    assert_eq!(rig.hound(&[&rig.source, "crash/1", "proof/1"]).output().expect("it runs").status.code(), Some(1));
    let (output, killed) = rig.killing(&[&rig.source, "crash/1", "proof/1"], usize::MAX);
    assert!(killed > 0, "no VM was started");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let lines = lines(&output);
    assert_eq!(outcome(&lines[0]), ("incomplete".into(), vec!["vm".into(), "unconfirmed".into()]), "{lines:?}");
    assert_eq!(outcome(&lines[1]), ("safe".into(), vec![]), "{lines:?}");
}

#[test]
fn a_vm_that_dies_once_is_replaced() {
    let rig = Rig::new("once");
    let words = [rig.source.as_str(), "crash/1"];
    assert_eq!(rig.hound(&words).output().expect("it runs").status.code(), Some(1));
    let (output, killed) = rig.killing(&words, 1);
    assert_eq!(killed, 1, "no VM was started");
    assert_eq!((output.status.code(), outcome(&lines(&output)[0]).0.as_str()), (Some(1), "crash"), "{output:?}");
}

/// A VM that keeps ending gives fewer findings, but no untruth and no hanging command.
#[test]
fn a_vm_that_is_killed_at_any_time_makes_nothing_wrong() {
    let rig = Rig::new("killed");
    let words = [rig.source.as_str(), "crash/1", "proof/1", "last/1"];
    assert_eq!(rig.hound(&words).output().expect("it runs").status.code(), Some(1));
    let mut child = rig.hound(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut killed = 0;
    while killed < 4 && child.try_wait().expect("a status").is_none() {
        for pid in children(child.id()) {
            killed += usize::from(signal("KILL", pid));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().expect("it ends");
    for line in lines(&output).iter().filter(|line| line["kind"] == "function") {
        let (verdict, reasons) = outcome(line);
        let fits = match line["function"].as_str().unwrap_or_default() {
            "endings:proof/1" => verdict == "safe",
            _ => verdict == "crash" || verdict == "incomplete" && reasons.contains(&"vm".to_owned()),
        };
        assert!(fits, "{line}");
    }
}

#[test]
fn without_erlang_it_says_how_to_get_it() {
    let rig = Rig::new("none");
    let output = rig.hound(&[&rig.source]).env("PATH", rig.folder.join("bin")).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let lines = lines(&output);
    assert_eq!((lines.len(), lines[0]["code"].as_str()), (1, Some("host_failed")), "{lines:?}");
    assert!(lines[0]["message"].as_str().unwrap_or_default().contains("install Erlang"), "{lines:?}");
}

/// A file where the cache should be: as with a folder that may not be written, another place must do.
#[test]
fn a_cache_that_cannot_be_is_done_without() {
    let rig = Rig::new("nowhere");
    let place = file(&rig.folder, "taken", "no folder");
    let output = rig.hound(&[&rig.source, "crash/1"]).env("XDG_CACHE_HOME", place).output().expect("it runs");
    assert_eq!((output.status.code(), outcome(&lines(&output)[0]).0.as_str()), (Some(1), "crash"), "{output:?}");
}

/// No file may grow, which is how a full disk looks to those who write.
fn full(rig: &Rig, words: &str) -> Output {
    let hound = env!("CARGO_BIN_EXE_hound");
    let script = format!("trap '' XFSZ; ulimit -f 0; exec '{hound}' explore --fail-on any --format json {words}");
    let mut command = Command::new("sh");
    rig.prepare(&mut command);
    command.args(["-c", &script]).output().expect("a shell")
}

#[test]
fn a_full_disk_costs_the_cache_only() {
    let rig = Rig::new("full");
    assert_eq!(rig.hound(&["examples/none.erl"]).output().expect("it runs").status.code(), Some(2));
    rig.hound(&["lists", "last/1"]).output().expect("it runs");
    let entries = files(&rig.folder.join("cache"));
    let output = full(&rig, &format!("'{}' crash/1 proof/1", rig.source));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let functions = lines(&output).into_iter().filter(|line| line["kind"] == "function");
    let verdicts: Vec<String> = functions.map(|line| outcome(&line).0).collect();
    assert_eq!(verdicts, ["crash", "safe"]);
    assert_eq!(files(&rig.folder.join("cache")), entries, "something half done was left");
}

#[test]
fn tests_that_cannot_be_written_do_not_hide_the_findings() {
    let rig = Rig::new("unwritten");
    rig.hound(&[&rig.source, "crash/1"]).output().expect("it runs");
    let tests = rig.note("tests");
    let output = full(&rig, &format!("--tests eunit '{}' '{}' crash/1", tests.display(), rig.source));
    assert_eq!((output.status.code(), outcome(&lines(&output)[0]).0.as_str()), (Some(1), "crash"), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("endings_hound_tests.erl: "), "{output:?}");
}

#[test]
fn an_interrupt_ends_a_long_run_and_reports_what_was_found() {
    ended_by("INT", "interrupt");
}

#[test]
fn a_request_to_terminate_ends_a_long_run_as_an_interrupt_does() {
    ended_by("TERM", "terminate");
    ended_by("HUP", "hang_up");
}

fn ended_by(name: &str, folder: &str) {
    let rig = Rig::new(folder);
    let far = ["--steps", "1000000000000", "--time", "100000"];
    let words = [&far[..], &[&rig.source, "crash/1", "long/1", "last/1"]].concat();
    let mut child = rig.hound(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut first = String::new();
    out.read_line(&mut first).expect("a line");
    // The second function is at work now, or soon is; whenever the interrupt comes it must do.
    let before = children(child.id());
    assert!(signal(name, child.id()), "it ended too early");
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "a finding was made: {output:?}");
    let first: Value = serde_json::from_str(&first).expect("a line of JSON");
    assert_eq!(outcome(&first).0, "crash");
    let (second, summary) = rest.trim().split_once('\n').expect("two more lines");
    let second: Value = serde_json::from_str(second).expect("one more line of JSON");
    let summary: Value = serde_json::from_str(summary).expect("a summary in JSON");
    assert_eq!(summary["kind"], "summary");
    assert!(second["function"] == "endings:long/1" && second["complete"] == false, "{second}");
    assert!(outcome(&second).1.contains(&"interrupted".to_owned()), "{second}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said, "hound: interrupted; functions that were not explored: 1\n");
    assert_gone(&before);
}

/// `timeout` sends its signal to the command, and a moment later to the command's group.
#[test]
fn timeout_leaves_what_was_found() {
    let rig = Rig::new("timeout");
    rig.hound(&[&rig.source, "proof/1"]).output().expect("it runs");
    let far = ["explore", "--steps", "1000000000000", "--time", "100000", "--memory", "20000"];
    for words in [&["--format", "json"][..], &[]] {
        let mut command = Command::new("timeout");
        rig.prepare(&mut command);
        command.args(["8", env!("CARGO_BIN_EXE_hound")]).args(far).args(words).args([&rig.source, "crash/1", "long/1"]);
        let output = command.output().expect("timeout runs");
        assert_eq!(output.status.code(), Some(124), "{output:?}");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains("endings:crash/1") && said.contains("endings:long/1"), "{said}");
        assert!(words.len() == 2 || said.contains("2 findings ("), "{said}");
    }
}

#[test]
fn output_that_cannot_be_written_is_a_failure() {
    let rig = Rig::new("unprinted");
    let commands: [&[&str]; 6] = [
        &["explore", "--format", "json", &rig.source, "crash/1"],
        &["explore", &rig.source, "proof/1"],
        &["reach", &rig.source, "endings:6"],
        &["run", "1 + 1"],
        &["run", "--ir", &rig.source],
        &["explore", "--help"],
    ];
    for words in commands {
        let out = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
        rig.prepare(&mut command);
        let output = command.args(words).stdout(out).stderr(Stdio::piped()).spawn().expect("it starts");
        let output = output.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert_eq!(said.matches("hound: standard output: ").count(), 1, "{words:?}: {said}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let rig = Rig::new("unread");
    let mut child = rig.hound(&[&rig.source, "crash/1", "proof/1"]).stdout(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn an_interrupt_before_any_finding_has_its_own_code() {
    let rig = Rig::new("early");
    let words = ["--steps", "1000000000000", "--time", "100000", "--ignore", "error", &rig.source, "proof/1", "long/1"];
    let mut child = rig.hound(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    out.read_line(&mut String::new()).expect("a line");
    assert!(signal("INT", child.id()));
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{rest}");
    // It may come before the second function has begun.
    let begun = rest.contains("\"verdict\":\"incomplete\"");
    assert!(begun || said.contains("functions that were not explored: 1"), "{rest}{said}");
}

/// The bound on time holds for what one run takes, too.
#[test]
fn a_long_run_ends_when_the_time_is_over() {
    let rig = Rig::new("time");
    let words = ["--steps", "1000000000000", "--time", "1", &rig.source, "long/1", "last/1"];
    let output = rig.hound(&words).output().expect("it runs");
    let lines = lines(&output);
    assert!(outcome(&lines[0]).1.contains(&"time".to_owned()), "{lines:?}");
    assert_eq!((lines[0]["complete"].as_bool(), outcome(&lines[1]).0.as_str()), (Some(false), "crash"), "{lines:?}");
}

/// A run that fills the memory ends alone; the search goes on.
#[test]
fn data_without_end_is_a_reason() {
    let rig = Rig::new("memory");
    let text = "%% Data without end.\n-module(large).\n-export([f/1]).\n-spec f(integer()) -> ok.\n\
                f(7) -> grow([]);\nf(9) -> error(nine);\nf(_) -> ok.\ngrow(L) -> grow([L | L]).\n";
    let source = file(&rig.folder, "large.erl", text);
    let output = rig.hound(&["--steps", "1000000000", "--memory", "64", &source]).output().expect("it runs");
    let lines = lines(&output);
    assert_eq!(outcome(&lines[0]), ("crash".into(), vec!["bound-memory".into()]), "{lines:?}");
}

/// The processes that another one has started.
fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| parent_of(*id) == Some(parent)).collect()
}

fn parent_of(id: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

fn signal(name: &str, id: u32) -> bool {
    let kill = Command::new("kill").args([&format!("-{name}"), &id.to_string()]).stderr(Stdio::null()).status();
    kill.expect("kill runs").success()
}

fn assert_gone(processes: &[u32]) {
    let late = Instant::now() + Duration::from_secs(20);
    while processes.iter().any(|id| Path::new(&format!("/proc/{id}")).exists()) {
        assert!(Instant::now() < late, "{processes:?} were left behind");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() { found.extend(files(&entry.path())) } else { found.push(entry.path()) }
    }
    found.sort();
    found
}
