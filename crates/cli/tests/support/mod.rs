//! What the tests of the command share: running `hound`, and asking the real Erlang shell.
#![allow(dead_code, reason = "every test file uses another part")]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock};

use serde_json::Value;

/// What one run of the command gave.
#[derive(Debug)]
pub struct Ran {
    pub out: String,
    pub err: String,
    pub code: i32,
}

impl Ran {
    /// The lines of a report about functions, as JSON, by function.
    pub fn functions(&self) -> BTreeMap<String, Value> {
        let lines = self.out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let functions = lines.filter(|line| line["kind"] == "function");
        functions.map(|line| (line["function"].as_str().unwrap_or_default().to_owned(), line)).collect()
    }
}

/// A number of the environment.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// One part in so many of what a test looks at, by `HOUND_SEED`; `HOUND_ALL` takes everything.
pub fn sample<T>(all: Vec<T>, part: u64) -> Vec<T> {
    let (whole, seed) = (std::env::var_os("HOUND_ALL").is_some(), number("HOUND_SEED", 0));
    all.into_iter().zip(seed..).filter(|(_, at)| whole || at % part == 0).map(|(one, _)| one).collect()
}

/// Runs the command in the repository's top folder.
pub fn hound<S: AsRef<str>>(args: &[S]) -> Ran {
    ran(Command::new(env!("CARGO_BIN_EXE_hound")).args(args.iter().map(AsRef::as_ref)))
}

/// Runs it as if for the first time, but with modules that another such run has extracted. What was observed of functions
/// changes what the next run does; here it cannot be kept, for a file stands where its folder would.
pub fn hound_anew<S: AsRef<str>>(args: &[S]) -> Ran {
    static CACHE: OnceLock<PathBuf> = OnceLock::new();
    let cache = CACHE.get_or_init(|| {
        let cache = folder(&format!("cache_{}", std::process::id()));
        std::fs::create_dir(cache.join("tracehound")).expect("a folder");
        file(&cache.join("tracehound"), "samples", "");
        cache
    });
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    ran(command.args(args.iter().map(AsRef::as_ref)).env("XDG_CACHE_HOME", cache))
}

/// Lines are not broken: tests look for sentences.
fn ran(command: &mut Command) -> Ran {
    ended(command.current_dir(top()).env("COLUMNS", "1000"))
}

/// Runs a command to its end.
pub fn ended(command: &mut Command) -> Ran {
    let output = command.output().expect("hound starts");
    Ran {
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
        code: output.status.code().expect("an exit code"),
    }
}

pub fn run(expression: &str) -> Ran {
    hound(&["run", expression])
}

pub fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// A folder for one test's files, empty at first.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Writes a file into a folder and gives its path as text.
pub fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

/// Runs another program that must succeed.
pub fn succeed(program: &str, args: &[&str], folder: &Path) {
    let output = Command::new(program).args(args).current_dir(folder).output().expect("it starts");
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Compiles the modules, whose paths begin at the crate, and has the VM run the expression: it must end well.
pub fn compared(name: &str, modules: &[&str], expression: &str) {
    let folder = folder(name);
    for module in modules {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(module);
        succeed("erlc", &["-W0", &source.display().to_string()], &folder);
    }
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-boot", "start_clean", "-eval", expression]);
    let output = erl.arg("-pa").arg(&folder).output().expect("erl runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

/// What the real shell prints for each expression.
pub fn shell(expressions: &[&str]) -> Vec<String> {
    let mut child = Command::new("erl")
        .args(["-kernel", "shell_history", "disabled"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .current_dir(top())
        .spawn()
        .expect("erl starts");
    let mut input = child.stdin.take().expect("a pipe");
    for expression in expressions {
        writeln!(input, "{expression}.").expect("erl reads");
    }
    drop(input);
    let output = child.wait_with_output().expect("erl ends");
    // Without a terminal the shell writes Latin-1.
    let text: String = output.stdout.iter().map(|&byte| char::from(byte)).collect();
    answers(&text, expressions.len())
}

/// Cuts the shell's output at its prompts.
fn answers(output: &str, count: usize) -> Vec<String> {
    let mut rest = output;
    let mut found = Vec::new();
    for number in 1..=count + 1 {
        let at = rest.find(&format!("\n{number}> ")).unwrap_or_else(|| panic!("prompt {number} in {output}"));
        found.push(rest[..at + 1].split_once("> ").map_or("", |answer| answer.1).to_owned());
        rest = &rest[at + 1..];
    }
    // What stands before the first prompt is a greeting.
    found.remove(0);
    found
}

/// Does something for each, two at a time: one alone leaves the other processor idle.
pub fn side_by_side<T: Send, R: Send>(all: impl IntoIterator<Item = T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let open = Mutex::new(all.into_iter().enumerate().collect::<Vec<_>>().into_iter());
    let done = Mutex::new(Vec::new());
    let lane = || {
        loop {
            let next = open.lock().expect("a lock").next();
            let Some((at, one)) = next else { return };
            let result = work(one);
            done.lock().expect("a lock").push((at, result));
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(lane))));
    let mut done = done.into_inner().expect("a lock");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}
