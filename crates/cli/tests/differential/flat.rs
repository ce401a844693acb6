//! The flat form of library modules, recompiled and put in their place, against the library itself on generated calls.
//!
//! That the flat form of every module compiles and loads is the front end's own test.

use std::path::PathBuf;

use frontend::{core, flat};
use host::{Host, Source};
use term::{Atom, Call, Mfa};

use crate::calls::Calls;
use crate::compare::Answer;
use crate::generate::Pool;
use crate::rig::{answer_of, start};
use crate::subjects::{LIBRARY, Library};
use crate::suite::Plan;

/// Calls per function.
const CALLS: usize = 6;

pub const LIMITS: host::CallLimits = host::CallLimits { millis: 500, reductions: 1_000_000, heap_words: 4 << 20 };

/// One VM gives both answers, first as it is, then with its library replaced: another VM walks large maps differently.
#[test]
fn the_flat_library_answers_as_the_original() {
    let plan = Plan::from_environment();
    let mut host = start(LIMITS);
    let library = stdlib(&mut host);
    let is_compared = |module: &&&str| plan.wants_module(module) && library.iter().any(|name| name == *module);
    let modules: Vec<&&str> = LIBRARY.iter().filter(is_compared).collect();
    let calls: Vec<(Call, Answer)> =
        modules.iter().flat_map(|module| answered_calls(&plan, &mut host, module)).collect();
    for module in &modules {
        let beam = recompiled(&mut host, module);
        host.load(Atom::new(module), &beam).unwrap_or_else(|error| panic!("{module} does not load: {error}"));
    }
    let problems: Vec<String> =
        calls.iter().filter_map(|(call, expected)| differs(&mut host, call, expected)).collect();
    println!("{} modules recompiled, {} calls compared", modules.len(), calls.len());
    let shown: Vec<String> = problems.iter().take(20).map(|text| text.chars().take(800).collect()).collect();
    assert!(problems.is_empty(), "{} calls differ\n{}", problems.len(), shown.join("\n"));
    assert!(plan.only.is_some() || calls.len() > 3_000, "{} calls are too few", calls.len());
}

/// Calls of a module's functions with what the VM says to them, if it says the same twice.
pub fn answered_calls(plan: &Plan, host: &mut Host, module: &str) -> Vec<(Call, Answer)> {
    let subjects = Library::new(host).subjects(module);
    let mut pool = Pool::default();
    let mut answered = Vec::new();
    for subject in subjects.iter().filter(|subject| !is_unsteady(subject.function)) {
        let mut calls = Calls { subject, rng: plan.rng(subject.function) };
        for _ in 0..CALLS {
            let call = calls.next(&pool);
            let Some(answer) = answer_of(host.call(&call)) else { continue };
            if let Answer::Value(value) = &answer {
                calls.remember(&mut pool, value);
            }
            if answer_of(host.call(&call)).is_some_and(|again| again.agrees(&answer)) {
                answered.push((call, answer));
            }
        }
    }
    answered
}

/// Between the two answers a minute may pass, and random numbers without a seed of their own are drawn anew.
fn is_unsteady(function: Mfa) -> bool {
    let name = function.function.name();
    match function.module.name() {
        "calendar" => matches!(name, "local_time" | "universal_time"),
        "rand" => !name.ends_with("_s"),
        _ => false,
    }
}

fn differs(host: &mut Host, call: &Call, expected: &Answer) -> Option<String> {
    let found = answer_of(host.call(call)).unwrap_or(Answer::Other("a limit".to_string()));
    (!found.agrees(expected)).then(|| format!("{call}\n  original {expected}\n      flat {found}"))
}

/// All modules of the standard library.
pub fn stdlib(host: &mut Host) -> Vec<String> {
    let lists = host.locate("lists").expect("lists is there");
    let folder = PathBuf::from(&lists).parent().expect("a folder").to_path_buf();
    let files = std::fs::read_dir(folder).expect("stdlib's folder");
    let paths = files.map(|file| file.expect("a file").path());
    let beams = paths.filter(|path| path.extension().is_some_and(|extension| extension == "beam"));
    let mut names: Vec<String> = beams.filter_map(|path| Some(path.file_stem()?.to_str()?.to_string())).collect();
    names.sort();
    names
}

fn recompiled(host: &mut Host, module: &str) -> Vec<u8> {
    let extracted = host.extract_unmarked(Source::Module(module.to_string()));
    let extracted = extracted.unwrap_or_else(|error| panic!("{module}: {error}"));
    let read = core::read(&extracted.core).unwrap_or_else(|error| panic!("{module}: {error}"));
    let (flat, errors) = flat::flatten_module(&read, extracted.file.as_deref().unwrap_or(module));
    assert!(errors.is_empty(), "{module}: {}", errors[0]);
    let text = flat::print(&flat, flat::Style::default());
    host.compile_core(&text, &[]).unwrap_or_else(|error| panic!("{module}, flat, does not compile: {error}"))
}
