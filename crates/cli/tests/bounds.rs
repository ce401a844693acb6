//! Programs that want more memory than they may have: `--memory` holds.

mod support;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use support::{folder, top};

/// Data that doubles, in every way.
const LARGE: &str = "crates/cli/tests/bounds/large.erl";

/// The same, from symbolic inputs.
const GROWING: &str = "crates/cli/tests/bounds/growing.erl";

/// The bound of the tests, in MiB.
const MEMORY: u64 = 128;

/// A command that has ended: the most memory it had, in MiB, and its standard streams.
struct Ended {
    peak: u64,
    text: String,
}

fn hound(words: &[&str], out: PathBuf) -> Ended {
    let streams = std::fs::File::create(&out).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    command
        .args(words)
        .current_dir(top())
        .stdin(Stdio::null())
        .stderr(streams.try_clone().expect("a file"))
        .stdout(streams);
    let mut child = command.spawn().expect("it starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("a status").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let most = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(most.unwrap_or(0) / 1024);
        std::thread::sleep(Duration::from_millis(2));
    }
    Ended { peak, text: std::fs::read_to_string(out).expect("text") }
}

#[test]
fn memory_stays_within_its_bound() {
    let folder = folder("bounds_memory");
    let base = hound(&["run", "1 + 1"], folder.join("out")).peak;
    let most = base + MEMORY + MEMORY / 10;
    let memory = MEMORY.to_string();
    let calls = [
        "append([1])",
        "build(<<1>>)",
        "duplicate(1 bsl 28)",
        "seq(1 bsl 28)",
        "copy(<<1, 2, 3>>)",
        "bytes([1, 2, 3])",
        "join([<<1>>])",
        "tuple({a, b})",
        "dictionary(1)",
        "stack(1)",
        "digits(7)",
    ];
    let mut wrong = Vec::new();
    for call in calls {
        let expression = format!("large:{call}");
        let words = ["run", "--steps", "100000000000", "--memory", &memory, LARGE, &expression];
        let Ended { peak, text } = hound(&words, folder.join("out"));
        if peak > most || !text.contains("memory limit") {
            wrong.push(format!("{call}: {peak} MiB of {most}: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn explorations_stay_within_their_memory() {
    let folder = folder("bounds_explored");
    let (memory, out) = (MEMORY.to_string(), folder.join("out"));
    let explore = |function: &str, memory: &str| {
        let words = ["explore", "--all", "--steps", "1000000000", "--runs", "4", "--memory", memory, GROWING, function];
        hound(&words, out.clone())
    };
    let base = explore("nothing/1", "512").peak;
    // The search itself keeps a few MiB of the runs before.
    let most = base + MEMORY + MEMORY / 6;
    let functions = [
        "append/1",
        "build/1",
        "copy/1",
        "maps/1",
        "recurse/1",
        "rows/1",
        "dictionary/1",
        "tuple/1",
        "digits/1",
        "sum/2",
    ];
    let mut wrong = Vec::new();
    for function in functions {
        let Ended { peak, text } = explore(function, &memory);
        if peak > most || !text.contains("bound on memory") {
            wrong.push(format!("{function}: {peak} MiB of {most}: {text}"));
        }
    }
    // The paths of many runs are kept.
    let words = ["explore", "--all", "--runs", "1000000", "--time", "60", "--memory", "32", GROWING, "count/1"];
    let Ended { peak, text } = hound(&words, out.clone());
    if peak > base + 35 || !text.contains("the memory limit was reached") {
        wrong.push(format!("count/1: {peak} MiB: {text}"));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
