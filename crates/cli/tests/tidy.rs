//! Checks on the repository itself: headers, crate order, the architecture page, purity, sizes, forbidden words.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that may touch the outside; all others are functions of their input.
const OUTER: [&str; 3] = ["host", "session", "cli"];

/// Above this a file is two files.
const LINES: usize = 800;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every file below `folder`, sorted, build products and hidden folders left out.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name == "target" || (name.starts_with('.') && name != ".ci") {
                continue;
            }
            if entry.is_dir() {
                open.push(entry);
            } else {
                found.push(entry);
            }
        }
    }
    found.sort();
    found
}

fn with_ending(ending: &str) -> Vec<PathBuf> {
    files_below(&root()).into_iter().filter(|path| path.extension().is_some_and(|found| found == ending)).collect()
}

/// The path as the repository names it.
fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn assert_none(what: &str, offenders: &[String]) {
    assert!(offenders.is_empty(), "{what}:\n  {}", offenders.join("\n  "));
}

/// The workspace's crates, in the order of the member list.
fn members() -> Vec<String> {
    let manifest = text(&root().join("Cargo.toml"));
    let list = manifest.split("members = [").nth(1).and_then(|rest| rest.split(']').next()).expect("a member list");
    list.split('"').filter_map(|piece| piece.strip_prefix("crates/")).map(str::to_owned).collect()
}

/// What a crate's manifest names under `[dependencies]`, `[dev-dependencies]` and `[build-dependencies]`.
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

/// Whether a text opens, on its first line, with a paragraph after this mark that is a sentence.
fn opens_with_sentence(text: &str, mark: &str) -> bool {
    let lines = text.lines().map_while(|line| line.strip_prefix(mark)).take_while(|line| !line.trim().is_empty());
    let paragraph = lines.collect::<Vec<_>>().join("");
    paragraph.starts_with(' ') && paragraph.trim_end().ends_with(['.', ':', ')'])
}

#[test]
fn every_file_opens_with_a_sentence() {
    let lacks = |path: &PathBuf, mark: &str| !opens_with_sentence(&text(path), mark);
    let rust = with_ending("rs").into_iter().filter(|path| lacks(path, "//!"));
    let erlang = with_ending("erl").into_iter().filter(|path| lacks(path, "%%"));
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

/// The crates that the page's headings of the form ``### `name` `` speak of.
fn crates_of_the_page(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter_map(|line| line.strip_prefix("### `"));
    headings.filter_map(|rest| rest.split('`').next()).map(str::to_owned).collect()
}

#[test]
fn the_architecture_page_tells_of_every_crate_and_of_no_other() {
    let page = text(&root().join("ARCHITECTURE.md"));
    assert!(page.lines().count() <= 200, "ARCHITECTURE.md is longer than 200 lines");
    assert_eq!(crates_of_the_page(&page), members().into_iter().collect());
    let invariants = page.lines().filter(|line| line.starts_with("*Invariant:*")).count();
    assert_eq!(invariants, members().len(), "one `*Invariant:*` line per crate");
}

/// Product code of a file: what stands before its test module, comments left out.
fn product(path: &Path) -> Vec<(usize, String)> {
    let source = text(path);
    let lines = source.lines().enumerate().take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
    lines
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
        .map(|(number, line)| (number + 1, line.to_owned()))
        .collect()
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
    for member in members().into_iter().filter(|member| !OUTER.contains(&member.as_str())) {
        for path in files_below(&root().join("crates").join(&member).join("src")) {
            if path.extension().is_none_or(|ending| ending != "rs") || path.ends_with("tests.rs") {
                continue;
            }
            for (number, line) in product(&path) {
                let found = IO.iter().find(|word| line.contains(**word));
                offenders.extend(found.map(|word| format!("{}:{number}: {word}", shown(&path))));
            }
        }
    }
    assert_none("only `host`, `session` and `cli` may touch the outside", &offenders);
}

#[test]
fn no_file_is_very_long() {
    let long = with_ending("rs").into_iter().chain(with_ending("erl")).filter_map(|path| {
        let lines = text(&path).lines().count();
        (lines > LINES).then(|| format!("{}: {lines} lines", shown(&path)))
    });
    assert_none(&format!("files over {LINES} lines"), &long.collect::<Vec<_>>());
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
    for path in files_below(&root()) {
        let Ok(source) = fs::read_to_string(&path) else { continue };
        if path.ends_with("Cargo.lock") || path.ends_with("LICENSE") {
            continue;
        }
        for (number, line) in source.lines().enumerate() {
            let found = words.iter().find(|word| line.contains(word.as_str()));
            offenders.extend(found.map(|word| format!("{}:{}: {word}", shown(&path), number + 1)));
        }
    }
    assert_none("machine paths and registry hosts", &offenders);
}
