//! The lines that calls run, as the VM counts them.

mod support;

use std::path::PathBuf;

use host::{CallLimits, CallResult, Counter, ErlOptions, Gate, Host, LineWatch, Passage, Source};
use support::{call, empty_directory, host_with, show};
use term::Atom;

fn limits() -> CallLimits {
    CallLimits { millis: 2_000, reductions: 20_000_000, heap_words: 4 << 20 }
}

fn source() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/counted.erl")
}

fn given(source: Source) -> Host {
    let mut host = host_with(limits());
    host.extract(source).unwrap_or_else(|error| panic!("{error}"));
    host
}

fn from_source() -> Host {
    given(Source::ErlFile { path: source(), options: ErlOptions::default() })
}

fn lines(watch: &mut LineWatch, host: &Host, text: &str) -> (String, Vec<u32>) {
    let done = watch.call(host, &call(text), Atom::new("counted")).unwrap_or_else(|error| panic!("{text}: {error}"));
    (show(&done.result), done.lines)
}

#[test]
fn cover_and_marks_count_the_same_lines_of_values_and_exceptions() {
    let host = from_source();
    for counter in [Counter::Cover, Counter::Marks] {
        let mut watch = LineWatch::with(&host, vec![counter]).expect("a VM");
        let mut seen = |text: &str| lines(&mut watch, &host, text);
        assert_eq!(seen("counted:f(0)"), ("zero".to_owned(), vec![6]), "{counter:?}");
        assert_eq!(seen("counted:f(1)"), ("two".to_owned(), vec![8, 9, 10, 22, 23]), "{counter:?}");
        assert_eq!(seen("counted:f(2)"), ("error:{other,4}".to_owned(), vec![8, 9, 11, 22, 23]), "{counter:?}");
        assert_eq!(seen("counted:f(x)"), ("error:function_clause".to_owned(), vec![]), "{counter:?}");
        assert_eq!(seen("counted:local([1])"), ("[2]".to_owned(), vec![26, 27, 28]), "{counter:?}");
        assert_eq!(seen("counted:local([a])"), ("[]".to_owned(), vec![26, 28]), "{counter:?}");
    }
}

#[test]
fn lines_of_other_processes_are_counted_under_a_schedule() {
    let host = from_source();
    let mut watch = LineWatch::conducting(&host).expect("a VM");
    let passage = |process, gate| Passage { process, gate, ended: Vec::new() };
    let (start, exit) = (passage(0, Gate::Spawn(1)), passage(1, Gate::Exit));
    let mut seen = |turns: &[Passage]| {
        let done = watch.perform(&host, &call("counted:child(1)"), turns, Atom::new("counted")).expect("an answer");
        (done.result.is_ok(), done.lines, done.counter)
    };
    let (performed, lines, counter) = seen(&[start.clone(), exit]);
    assert_eq!((performed, lines, counter), (true, vec![31, 32, 35], Counter::Marks));
    // A process that does not come to its gate.
    assert!(!seen(&[start, passage(1, Gate::Look)]).0);
}

#[test]
fn what_ends_a_call_or_the_vm_is_reported_and_the_next_call_is_counted() {
    let host = from_source();
    let mut watch = LineWatch::beside(&host).expect("a VM");
    assert_eq!(lines(&mut watch, &host, "counted:f(loop)"), ("out of reductions".to_owned(), vec![14]));
    assert_eq!(lines(&mut watch, &host, "counted:f(killed)"), ("killed: killed".to_owned(), vec![18]));
    let done = watch.call(&host, &call("counted:f(halt)"), Atom::new("counted")).expect("an answer");
    assert!(matches!(done.result, CallResult::HostDied(_)), "{}", show(&done.result));
    assert!(done.lines.is_empty());
    assert_eq!(lines(&mut watch, &host, "counted:f(0)"), ("zero".to_owned(), vec![6]));
}

#[test]
fn compiled_files_are_counted_wherever_they_are() {
    let directory = empty_directory("counted-beam");
    let erlc = std::process::Command::new("erlc").arg("+debug_info").arg("-o").arg(&directory).arg(source()).status();
    assert!(erlc.expect("erlc runs").success());
    let host = given(Source::BeamFile(directory.join("counted.beam")));
    let mut watch = LineWatch::beside(&host).expect("a VM");
    assert_eq!(lines(&mut watch, &host, "counted:f(0)"), ("zero".to_owned(), vec![6]));
}

#[test]
fn modules_of_the_library_are_counted_too() {
    let host = host_with(limits());
    let mut watch = LineWatch::beside(&host).expect("a VM");
    let done = watch.call(&host, &call("lists:nth(2, [a, b])"), Atom::new("lists")).expect("an answer");
    assert_eq!((show(&done.result), done.counter), ("b".to_owned(), Counter::Cover));
    assert!(!done.lines.is_empty());
    let done = watch.call(&host, &call("lists:nth(2, [a])"), Atom::new("lists")).expect("an answer");
    assert_eq!(show(&done.result), "error:function_clause");
}

#[test]
fn a_module_that_cannot_be_counted_is_an_error() {
    let host = host_with(limits());
    let mut watch = LineWatch::beside(&host).expect("a VM");
    let Err(error) = watch.call(&host, &call("erlang:abs(1)"), Atom::new("no_such_module")) else { panic!("counted") };
    assert!(error.to_string().contains("no_such_module"), "{error}");
}
