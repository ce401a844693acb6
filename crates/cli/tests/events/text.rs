//! The example that the events were defined with: appending a list to itself.

use std::path::{Path, PathBuf};

use frontend::instrument::notes;
use host::Source;
use term::{Atom, Call};

use crate::rig::Rig;

/// The nine events of `main([a])`, as the text prints them.
const PRINTED: [&str; 9] = [
    "call([X], [W], W, [X, X])",
    "case([X, Y], [W_1, W_2], 2, X, [H|T], [(1, X, [ ]), (2, X, [H|T])])",
    "call([X, Y], [W_1, W_2], W_2, [T, Y])",
    "case([X, Y], [W_1, W_2], 1, X, [ ], [(1, X, [ ]), (2, X, [H|T])])",
    "exitcase([X, Y], [W_1, W_2], W_1, Y)",
    "exit([X, Y], [W_1, W_2], W_1)",
    "exitcase([X, Y], [W_1, W_2], W_1, [H|W_2])",
    "exit([X, Y], [W_1, W_2], W_1)",
    "exit([X], [W], W)",
];

/// Its variables, and what our program calls them.
const NAMES: [(&str, &str); 7] =
    [("X", "X"), ("Y", "Y"), ("W", "W"), ("W_1", "W1"), ("W_2", "W2"), ("H", "H"), ("T", "T")];

/// A printed event without its spaces and with our names; one for each of theirs.
fn ours(printed: &str) -> String {
    let (mut text, mut word) = (String::new(), String::new());
    for letter in printed.chars().filter(|letter| *letter != ' ').chain(['\n']) {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        let name = NAMES.iter().find(|(theirs, _)| *theirs == word).map(|(_, ours)| *ours);
        assert!(name.is_some() || !word.starts_with(char::is_uppercase), "{word} has no name");
        text.push_str(name.unwrap_or(&word));
        text.extend((letter != '\n').then_some(letter));
        word.clear();
    }
    text
}

pub fn append() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/instrument/append.core")
}

#[test]
fn the_example_emits_its_nine_events_on_both() {
    let mut rig = Rig::new(std::env::temp_dir());
    let module = rig.session.add(Source::CoreFile(append())).expect("a program");
    let table = rig.instrument(module);
    let call = Call { module: Atom::new("append"), ..Call::read("append:main([a])").expect("a call") };
    let printed = PRINTED.map(ours);
    assert_eq!(rig.events_on_vm(&call, &table), printed);
    assert_eq!(rig.observed(&call, &table), printed);
}

/// The instrumented program of the text has the variables of patterns too.
#[test]
fn the_instrumented_program_is_annotated_as_in_the_figure() {
    let mut rig = Rig::new(std::env::temp_dir());
    let module = rig.session.add(Source::CoreFile(append())).expect("a program");
    let table = rig.instrument(module);
    let alternatives = "[(1, X, [ ]), (2, X, [H|T])]";
    let printed = [
        "call([X], [W], W, [X, X])".to_owned(),
        "exit([X], [W], W)".to_owned(),
        format!("case([X, Y], [W_1, W_2, H, T], 1, X, [ ], {alternatives})"),
        "exitcase([X, Y], [W_1, W_2, H, T], W_1, Y)".to_owned(),
        format!("case([X, Y], [W_1, W_2, H, T], 2, X, [H|T], {alternatives})"),
        "call([X, Y], [W_1, W_2, H, T], W_2, [T, Y])".to_owned(),
        "exitcase([X, Y], [W_1, W_2, H, T], W_1, [H|W_2])".to_owned(),
        "exit([X, Y], [W_1, W_2, H, T], W_1)".to_owned(),
    ];
    let notes = notes(&table);
    for event in printed {
        assert!(notes.contains(&ours(&event)), "{event} is not among {notes:#?}");
    }
}
