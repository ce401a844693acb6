//! Line marks against the VM's own `cover`: the same lines, in many modules of the standard library and elsewhere.

mod cover;
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use cover::cover_lines;
use host::{CallLimits, CallResult, ErlOptions, Host, Options, Source};
use support::{call, host};
use term::{Atom, Outcome, Term};

/// Compares the lines that cover counts with the lines that are marked.
fn compare(host: &mut Host, truth: &mut Host, name: &str) {
    let extracted = host.extract(Source::Module(name.to_string())).unwrap_or_else(|error| panic!("{error}"));
    let covered = cover_lines(truth, &[Atom::new(name)], &call("erlang:abs(1)"));
    let covered = covered.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(extracted.executable_lines, covered[0].executable, "{name}");
}

#[test]
fn the_same_lines_are_executable() {
    // What the compiler itself uses comes last: instrumented, it slows everything down that follows.
    let names = "Elixir.Keyword erl_eval sofs digraph uri_string calendar io_lib_pretty gen_server \
                 erl_expand_records rand base64 array queue filename string io_lib erl_scan proplists dict sets gb_sets \
                 gb_trees orddict ordsets maps lists";
    let (mut host, mut truth) = (host(), host());
    names.split_whitespace().for_each(|name| compare(&mut host, &mut truth, name));
}

/// A host with the directory on its code path.
fn odd_host(directory: &Path) -> Host {
    support::start(Options {
        paths: vec![directory.to_path_buf()],
        cache_dir: Some(support::shared_cache()),
        // A call compiles a module first, which takes its time on a busy machine.
        limits: CallLimits { millis: 120_000, ..CallLimits::default() },
        ..Options::default()
    })
}

fn odd_directory(name: &str) -> PathBuf {
    let directory = support::empty_directory(name);
    let mut host = host();
    for (module, text) in
        [("odd_marks", include_str!("data/odd_marks.erl")), ("marked_run", include_str!("data/marked_run.erl"))]
    {
        let path = directory.join(format!("{module}.erl"));
        fs::write(&path, text).expect("the module can be written");
        let source = Source::ErlFile { path, options: ErlOptions::default() };
        let extracted = host.extract(source).unwrap_or_else(|error| panic!("{error}"));
        fs::write(directory.join(format!("{module}.beam")), extracted.beam.expect("it was compiled"))
            .expect("the compiled module can be written");
    }
    directory
}

#[test]
fn odd_layouts_are_marked_as_cover_marks_them() {
    let directory = odd_directory("odd-marks");
    compare(&mut odd_host(&directory), &mut odd_host(&directory), "odd_marks");
}

#[test]
fn a_call_runs_over_the_marks_that_cover_counts() {
    let directory = odd_directory("odd-runs");
    let (mut marked, mut truth) = (odd_host(&directory), odd_host(&directory));
    let calls: Vec<&str> = include_str!("data/odd_calls.txt").lines().filter(|line| !line.trim().is_empty()).collect();
    assert!(calls.len() > 20, "{} calls are too few", calls.len());
    for text in calls {
        let run = call(text);
        let covered = cover_lines(&mut truth, &[run.module], &run).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut ask = call("marked_run:lines(m,f,a)");
        ask.args = vec![Term::atom(run.module), Term::atom(run.function), Term::list(run.args)];
        let CallResult::Ended(Outcome::Value(lines)) = marked.call(&ask) else { panic!("{text}") };
        let lines: Vec<u32> = lines.cells().filter_map(|line| u32::try_from(line.as_i64()?).ok()).collect();
        assert_eq!(lines, covered[0].covered, "{text}");
    }
}

#[test]
fn cover_reports_which_lines_a_call_ran() {
    let mut truth = host();
    let covered = cover_lines(&mut truth, &[Atom::new("lists")], &call("lists:sum([1,2])"));
    let covered = covered.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(covered[0].covered, [317, 319, 320]);
    let failed = cover_lines(&mut truth, &[Atom::new("no_such_module")], &call("lists:sum([])"));
    assert!(failed.is_err());
}
