//! The programs that people write, with calls that their specs allow and some that they do not.

use std::path::Path;

use fastrand::Rng;
use term::{Atom, Call};

use crate::calls::Calls;
use crate::generate::Pool;
use crate::rig::{Rig, Tally, compiled};
use crate::seed;
use crate::subjects::Library;

/// Calls of each function, and of all of them.
const EACH: usize = 6;
const CALLS: usize = 1_200;

#[test]
fn both_emit_the_same_events_of_the_corpus() {
    let (names, folder) = programs();
    let mut tally = Tally::default();
    let mut rng = Rng::with_seed(seed());
    for name in &names {
        let mut rig = Rig::new(folder.clone());
        let calls = calls(&mut rig, name, &mut rng);
        rig.compare(Atom::new(name), &calls, &mut tally);
    }
    tally.assert_agreement(CALLS);
}

/// Calls of all that a module exports.
fn calls(rig: &mut Rig, module: &str, rng: &mut Rng) -> Vec<Call> {
    let subjects = Library::new(&mut rig.session.host()).subjects(module);
    let pool = Pool::default();
    let mut made = Vec::new();
    // What a module says of itself is another module's once it was compiled again.
    for subject in subjects.iter().filter(|subject| subject.function.function.name() != "module_info") {
        let mut calls = Calls { subject, rng: rng.fork() };
        made.extend((0..EACH).map(|_| calls.next(&pool)));
    }
    made
}

/// The corpus and our own programs about the language, compiled.
fn programs() -> (Vec<String>, std::path::PathBuf) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut sources = Vec::new();
    for folder in ["corpus", "differential"] {
        for file in std::fs::read_dir(tests.join(folder)).expect("programs") {
            let path = file.expect("a file").path();
            if path.extension().is_some_and(|ending| ending == "erl") {
                let name = path.file_stem().expect("a name").to_str().expect("UTF-8").to_owned();
                sources.push((name, std::fs::read_to_string(&path).expect("a program")));
            }
        }
    }
    sources.sort();
    let files: Vec<(String, String)> =
        sources.iter().map(|(name, text)| (format!("{name}.erl"), text.clone())).collect();
    let folder = compiled("events_corpus", &files);
    let names = sources.into_iter().map(|(name, _)| name);
    (names.filter(|name| folder.join(name).with_extension("beam").exists()).collect(), folder)
}
