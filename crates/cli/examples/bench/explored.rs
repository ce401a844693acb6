//! An exploration in a process of its own, as the command does it, with its measurements on one line.

use std::process::Command;
use std::time::Instant;

use clap::Parser;
use cli::explore::explore_functions;
use cli::options;
use search::{ExplorationProgress, Go};
use serde_json::{Value, json};
use session::JobResult;
use session::Monitor;
use term::Mfa;

/// The word that makes a child of this program; then how it is to stop, then the words of `hound explore`.
pub const WORD: &str = "explore";
/// Stop at the first confirmed finding.
pub const AT_FIRST: &str = "at-first";
pub const AT_END: &str = "at-end";
/// Numbers of paths at which the time is taken.
pub const MARKS: [u64; 5] = [1_000, 3_000, 10_000, 30_000, 100_000];

/// Runs this program as a child and reads what it measured.
pub fn run(stop: &str, words: &[&str]) -> Result<Value, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let ran = Command::new(program).args([WORD, stop]).args(words).output().map_err(|error| error.to_string())?;
    match ran.status.success() {
        true => serde_json::from_slice(&ran.stdout).map_err(|error| format!("{}: {error}", words.join(" "))),
        false => Err(String::from_utf8_lossy(&ran.stderr).into_owned()),
    }
}

/// What the child does.
pub fn child(words: &[String]) -> Result<(), String> {
    let [stop, words @ ..] = words else { return Err("no words".to_owned()) };
    let line = ["hound", "explore"].into_iter().chain(words.iter().map(String::as_str));
    let parsed = options::CommandLine::try_parse_from(line).map_err(|error| error.to_string())?;
    let options::Command::Explore(options) = parsed.command else { return Err("not an exploration".to_owned()) };
    let (opened, functions) =
        session::explore::open(&options.words, &options.code.session()).map_err(|failure| failure.to_string())?;
    let mut clock = Clock { stop_at_first: stop == AT_FIRST, marks: Marks::new(), all: Vec::new() };
    explore_functions(&options, &opened.session, &functions, &mut clock).map_err(|failure| failure.to_string())?;
    println!("{}", json!({ "functions": clock.all, "peak_kib": peak() }));
    Ok(())
}

/// Takes the time of explorations.
struct Clock {
    stop_at_first: bool,
    marks: Marks,
    all: Vec<Value>,
}

impl Monitor for Clock {
    fn exploring(&mut self, _: Mfa, progress: &ExplorationProgress) -> Go {
        self.marks.see(&progress.statistics);
        if self.stop_at_first && progress.findings > 0 { Go::Interrupt } else { Go::On }
    }

    fn explored(&mut self, explored: &JobResult) -> bool {
        self.marks.see(&explored.exploration.statistics);
        self.all.push(measured(explored, &self.marks));
        self.marks = Marks::new();
        true
    }
}

/// When the paths were as many as the marks say.
struct Marks {
    began: Instant,
    seen: Vec<Value>,
    last: f64,
}

impl Marks {
    fn new() -> Marks {
        Marks { began: Instant::now(), seen: Vec::new(), last: 0.0 }
    }

    fn see(&mut self, now: &search::ExplorationStatistics) {
        self.last = self.began.elapsed().as_secs_f64();
        if MARKS.get(self.seen.len()).is_some_and(|mark| now.paths >= *mark) {
            self.seen.push(json!({ "paths": now.paths, "seconds": self.last, "steps": now.steps }));
        }
    }
}

fn measured(explored: &JobResult, marks: &Marks) -> Value {
    let JobResult { exploration, solver: stats, .. } = explored;
    let findings = exploration.findings.iter().zip(&explored.details).map(|(finding, detail)| {
        let reason = finding.defect.exception().map_or_else(String::new, |it| it.reason.to_string());
        let class = finding.defect.name();
        json!({ "class": class, "reason": reason, "line": detail.line })
    });
    json!({
        "function": explored.function.to_string(),
        "verdict": exploration.verdict.name(),
        "runs": exploration.statistics.runs,
        "divergences": exploration.statistics.divergences,
        "samples": exploration.statistics.samples,
        "paths": exploration.statistics.paths,
        "queries": exploration.statistics.queries,
        "longest": exploration.statistics.longest_path,
        "seconds": marks.last,
        "marks": marks.seen,
        "findings": findings.collect::<Vec<_>>(),
        "known": stats.known,
        "inside": stats.internal.answered,
        "outside": stats.external.answered,
        "undecided": stats.external.unknown,
    })
}

/// The most memory this process has had, where the system reports it.
pub fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
