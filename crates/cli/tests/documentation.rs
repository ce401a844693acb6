//! What the pages show is what the command prints: every transcript of `README.md` and `docs` is run.
//!
//! A block whose first line begins with `$ ` is a transcript: commands, each with what it prints. A line `…` stands for any
//! number of lines, `…` within a line for any text; times differ from run to run. `$ cat FILE` writes the file that it
//! shows. `HOUND_WRITE_DOCS=1` writes what commands print now into the pages, where nothing is left out.

mod support;

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::{ended, folder, side_by_side, top};

/// Transcripts at least, so that a change of their form does not leave them all out.
const STEPS: usize = 20;

/// A command, and what it prints.
struct Step {
    command: String,
    /// The lines of the page that show it.
    lines: std::ops::Range<usize>,
    shown: Vec<String>,
}

#[test]
fn transcripts_show_what_is_printed() {
    let docs = std::fs::read_dir(top().join("docs")).expect("the folder");
    let docs = docs.map(|entry| entry.expect("an entry").path());
    let mut pages: Vec<PathBuf> = docs.filter(|path| path.extension().is_some_and(|it| it == "md")).collect();
    pages.push(top().join("README.md"));
    pages.sort();
    let checked = side_by_side(pages, |page| check(&page));
    let steps: usize = checked.iter().map(|(steps, _)| steps).sum();
    assert!(steps >= STEPS, "only {steps} commands");
    let wrong: Vec<&str> = checked.iter().flat_map(|(_, wrong)| wrong.iter().map(String::as_str)).collect();
    assert!(wrong.is_empty(), "{} of {steps} commands:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn links_lead_to_files() {
    let folders = [top(), top().join("docs")];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("the folder"));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut links = 0;
    for page in paths.filter(|path| path.extension().is_some_and(|it| it == "md")) {
        let text = std::fs::read_to_string(&page).expect("a page");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            let file = page.parent().expect("a folder").join(link);
            assert!(link.contains("://") || link.is_empty() || file.exists(), "{}: {link}", page.display());
            links += 1;
        }
    }
    assert!(links >= 20, "only {links} links");
}

/// Runs the commands of a page in order, in a folder that has the programs; returns how many, and those that differ.
fn check(page: &Path) -> (usize, Vec<String>) {
    let name = page.file_stem().expect("a name").to_string_lossy().into_owned();
    let folder = folder(&format!("documentation_{name}"));
    for programs in ["examples", "crates"] {
        symlink(top().join(programs), folder.join(programs)).expect("a link");
    }
    let text = std::fs::read_to_string(page).expect("a page");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let steps = steps(&lines);
    let count = steps.len();
    let mut wrong = Vec::new();
    // From the end, so that what is written moves no lines that are still to be read.
    let printed: Vec<Option<Vec<String>>> = steps.iter().map(|step| run(step, &folder)).collect();
    for (step, printed) in steps.into_iter().zip(printed).rev() {
        let Some(printed) = printed else { continue };
        if matches(&masked(&step.shown), &masked(&printed)) {
            continue;
        }
        let is_whole = !step.shown.iter().any(|line| line.contains('…'));
        if std::env::var_os("HOUND_WRITE_DOCS").is_some() && is_whole {
            lines.splice(step.lines, printed);
        } else {
            wrong.push(format!(
                "{name}: $ {}\nshown:\n{}\nprinted:\n{}\n",
                step.command,
                step.shown.join("\n"),
                printed.join("\n")
            ));
        }
    }
    if std::env::var_os("HOUND_WRITE_DOCS").is_some() {
        std::fs::write(page, lines.join("\n") + "\n").expect("the page is written");
    }
    (count, wrong)
}

/// The commands of all transcripts.
fn steps(lines: &[String]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let (mut in_block, mut in_transcript) = (false, false);
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("```") {
            in_block = !in_block;
            in_transcript = in_block && lines.get(at + 1).is_some_and(|next| next.starts_with("$ "));
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| in_transcript) {
            steps.push(Step { command: command.to_owned(), lines: at + 1..at + 1, shown: Vec::new() });
        } else if in_transcript {
            let step = steps.last_mut().expect("a command");
            step.shown.push(line.clone());
            step.lines.end = at + 1;
        }
    }
    // A blank line before the next command only sets it apart.
    for step in &mut steps {
        while step.shown.last().is_some_and(String::is_empty) {
            step.shown.pop();
            step.lines.end -= 1;
        }
    }
    steps
}

/// Runs a command as a person types it; returns its lines, or none for a file that is written.
fn run(step: &Step, folder: &Path) -> Option<Vec<String>> {
    if let Some(file) = step.command.strip_prefix("cat ") {
        std::fs::write(folder.join(file), step.shown.join("\n") + "\n").expect("a file");
        return None;
    }
    let binary = Path::new(env!("CARGO_BIN_EXE_hound")).parent().expect("a folder");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").expect("a path"));
    let mut shell = Command::new("sh");
    shell.args(["-c", step.command.as_str()]).env("PATH", path).env("COLUMNS", "100").current_dir(folder);
    let ran = ended(&mut shell);
    // Progress goes to standard error; what failed stands there alone.
    let text = if ran.out.is_empty() { ran.err } else { ran.out };
    let mut lines: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    Some(lines)
}

/// The lines without what differs from run to run: times, and the width of columns.
fn masked(lines: &[String]) -> Vec<String> {
    let mut in_table = false;
    let mut all = Vec::new();
    for line in lines {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        in_table = words.last() == Some(&"ms") || in_table && !words.is_empty();
        for at in 0..words.len() {
            let is_time = words.get(at + 1).is_some_and(|unit| matches!(unit.trim_end_matches([',', ')']), "ms" | "s"));
            if is_number(words[at]) && (is_time || in_table && at + 1 == words.len()) {
                words[at] = "#";
            }
        }
        all.push(words.join(" "));
    }
    all
}

fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok()
}

/// Compares lines with those of a page.
fn matches(shown: &[String], printed: &[String]) -> bool {
    match (shown, printed) {
        ([], _) => printed.is_empty(),
        ([first, rest @ ..], _) if first == "…" => (0..=printed.len()).any(|at| matches(rest, &printed[at..])),
        ([first, rest @ ..], [line, others @ ..]) => is_line(first, line) && matches(rest, others),
        ([_, ..], []) => false,
    }
}

/// Compares a line with one of a page, whose `…` stands for any text.
fn is_line(shown: &str, printed: &str) -> bool {
    match shown.split_once('…') {
        None => shown == printed,
        Some((before, after)) => printed.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| is_line(after, &rest[at..]))
        }),
    }
}
