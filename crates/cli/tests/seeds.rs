//! The tables of `docs/SEEDS.md` stay true: every command prints what stands beside it.

mod support;

use std::path::Path;

use support::{hound, side_by_side, succeed, top};

/// A row of a table.
#[derive(Clone, Debug)]
struct Row {
    /// The words behind `hound`.
    words: Vec<String>,
    shown: String,
}

/// Rows at least.
const ROWS: usize = 89;

#[test]
fn the_commands_show_what_the_texts_describe() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/SEEDS.md");
    let text = std::fs::read_to_string(path).expect("the tables");
    let lines = text.lines().filter(|line| line.starts_with("| ") && line.contains("`hound "));
    let rows: Vec<Row> = lines.map(row).collect();
    assert!(rows.len() >= ROWS, "only {} rows", rows.len());
    // The module whose code cannot be looked into.
    let folder = top().join("target/seeds");
    std::fs::create_dir_all(&folder).expect("a folder");
    let vendor = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds/vendor.erl");
    succeed("erlc", &["+no_debug_info", &vendor.display().to_string()], &folder);
    let wrong = side_by_side(rows, |row| {
        let words: Vec<&str> = row.words.iter().map(String::as_str).collect();
        let ran = hound(&words);
        let is_shown = ran.out.contains(&row.shown) || ran.err.contains(&row.shown);
        (!is_shown).then(|| format!("hound {}: no {:?} in\n{}{}", row.words.join(" "), row.shown, ran.out, ran.err))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// What stands between marks of code in a row: the command, and what it shows.
fn row(line: &str) -> Row {
    let parts: Vec<&str> = line.split('`').collect();
    let at = parts.iter().position(|part| part.starts_with("hound ")).expect("a command");
    let shown = parts.get(at + 2).unwrap_or_else(|| panic!("nothing is shown: {line}"));
    Row { words: words(&parts[at]["hound ".len()..]), shown: (*shown).to_owned() }
}

/// The words of a command, some between single quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().expect("a word").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
