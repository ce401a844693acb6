//! File headers, crate order, the architecture page, crates without input and output, machine paths.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::assert_none;
use crate::source::{files_below, members, product, root, shown, text, with_ending};

/// The crates that may do input and output; all others are functions of their input.
const OUTER: [&str; 3] = ["host", "session", "cli"];

/// The names of a crate's manifest under `[dependencies]`, `[dev-dependencies]` and `[build-dependencies]`.
fn dependencies(member: &str) -> BTreeSet<String> {
    let manifest = text(&root().join("crates").join(member).join("Cargo.toml"));
    let mut inside = false;
    let mut names = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.trim_end_matches(']').ends_with("dependencies");
        } else if inside {
            names.extend(line.split(['.', ' ', '=']).next().filter(|name| !name.is_empty()).map(str::to_owned));
        }
    }
    names
}

/// Returns true if a text opens, on its first line, with a paragraph after this mark that is a sentence.
fn opens_with_sentence(text: &str, mark: &str) -> bool {
    let lines = text.lines().map_while(|line| line.strip_prefix(mark)).take_while(|line| !line.trim().is_empty());
    let paragraph = lines.collect::<Vec<_>>().join("");
    paragraph.starts_with(' ') && paragraph.trim_end().ends_with(['.', ':', ')'])
}

#[test]
fn every_file_opens_with_a_sentence() {
    let lacks = |path: &PathBuf, mark: &str| !opens_with_sentence(&text(path), mark);
    let rust = with_ending("rs", 500).into_iter().filter(|path| lacks(path, "//!"));
    let erlang = with_ending("erl", 100).into_iter().filter(|path| lacks(path, "%%"));
    let offenders: Vec<String> = rust.chain(erlang).map(|path| shown(&path)).collect();
    assert_none("line 1 must be a sentence saying what lives in the file (`//! …` or `%% …`)", &offenders);
}

#[test]
fn members_stand_in_dependency_order() {
    let members = members();
    let folders: BTreeSet<String> = fs::read_dir(root().join("crates"))
        .expect("crates")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(folders, members.iter().cloned().collect(), "the member list and the folders differ");
    let mut offenders = Vec::new();
    for (place, member) in members.iter().enumerate() {
        let below: BTreeSet<&String> = members[place..].iter().collect();
        let wrong = dependencies(member).into_iter().filter(|name| below.contains(name));
        offenders.extend(wrong.map(|name| format!("{member} uses {name}, which stands below it")));
    }
    assert_none("a crate uses only crates above it in the member list", &offenders);
}

/// The crates that the page's headings of the form ``### `name` `` name.
fn crates_of_the_page(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter_map(|line| line.strip_prefix("### `"));
    headings.filter_map(|rest| rest.split('`').next()).map(str::to_owned).collect()
}

#[test]
fn the_architecture_page_names_every_crate_and_no_other() {
    let page = text(&root().join("ARCHITECTURE.md"));
    assert!(page.lines().count() <= 200, "ARCHITECTURE.md is longer than 200 lines");
    assert_eq!(crates_of_the_page(&page), members().into_iter().collect());
    let invariants = page.lines().filter(|line| line.starts_with("*Invariant:*")).count();
    assert_eq!(invariants, members().len(), "one `*Invariant:*` line per crate");
}

#[test]
fn pure_crates_do_no_io() {
    const IO: [&str; 12] = [
        "std::fs",
        "std::net",
        "std::process",
        "std::env",
        "std::thread",
        "std::time",
        "println!",
        "eprintln!",
        "print!(",
        "dbg!(",
        "io::stdout",
        "io::stdin",
    ];
    let mut offenders = Vec::new();
    let pure = product().iter().filter(|source| !OUTER.contains(&source.member.as_str()));
    for source in pure {
        for (number, line) in source.lines().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            let found = IO.iter().find(|word| line.contains(**word));
            offenders.extend(found.map(|word| format!("{}:{number}: {word}", shown(&source.path))));
        }
    }
    assert_none(&format!("only {OUTER:?} may read, write or start anything"), &offenders);
}

/// Words that would tie the project to one machine. Spelled apart so that this file does not contain them.
fn forbidden() -> Vec<String> {
    let folders = ["tmp", "work", "root", "home"].map(|name| format!("{}{name}/", '/'));
    let hosts = [["static.crates", ".io"], ["index.crates", ".io"], ["deb.debian", ".org"]].map(|word| word.concat());
    folders.into_iter().chain(hosts).collect()
}

#[test]
fn nothing_names_one_machine() {
    let words = forbidden();
    let mut offenders = Vec::new();
    let mut looked_at = 0;
    for path in files_below(&root()) {
        let Ok(source) = fs::read_to_string(&path) else { continue };
        if path.ends_with("Cargo.lock") || path.ends_with("LICENSE") {
            continue;
        }
        looked_at += 1;
        for (number, line) in source.lines().enumerate() {
            let found = words.iter().find(|word| line.contains(word.as_str()));
            offenders.extend(found.map(|word| format!("{}:{}: {word}", shown(&path), number + 1)));
        }
    }
    assert!(looked_at > 600, "only {looked_at} files");
    assert_none("machine paths and registry hosts", &offenders);
}
