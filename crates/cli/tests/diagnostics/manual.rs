//! What the command says about itself: pages on codes, scripts for shells, manual pages, versions.

use std::collections::BTreeSet;
use std::process::Command;

use crate::support::{ended, folder, hound, succeed};

/// The output in a terminal of 80 columns.
fn narrow(words: &[&str]) -> String {
    ended(Command::new(env!("CARGO_BIN_EXE_hound")).env("COLUMNS", "80").args(words)).out
}

#[test]
fn codes_are_listed_and_explained() {
    insta::assert_snapshot!("explain", narrow(&["explain"]));
    insta::assert_snapshot!("explain_badmatch", narrow(&["explain", "badmatch"]));
    insta::assert_snapshot!("explain_bound_runs", narrow(&["explain", "bound-runs"]));
}

#[test]
fn a_word_that_is_no_code_offers_near_ones() {
    let ran = hound(&["explain", "badmacth"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.starts_with("hound: \"badmacth\" is no code; did you mean badmatch"), "{}", ran.err);
    assert_eq!(hound(&["explain", "x"]).err, "hound: \"x\" is no code; hound explain lists all\n");
}

/// The script completes the names of commands in a real shell.
#[test]
fn bash_completes_commands() {
    let folder = folder("completions");
    std::fs::write(folder.join("hound.bash"), hound(&["completions", "bash"]).out).expect("a file");
    let typed =
        "source ./hound.bash; COMP_WORDS=(hound exp); COMP_CWORD=1; _hound hound exp hound; echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash").args(["-c", typed]).current_dir(&folder).output().expect("bash");
    let offered = String::from_utf8_lossy(&output.stdout);
    assert_eq!(offered.split_whitespace().collect::<BTreeSet<_>>(), ["explain", "explore"].into());
    for shell in ["zsh", "fish", "elvish", "powershell"] {
        assert!(hound(&["completions", shell]).out.contains("explore"), "{shell}");
    }
}

/// A page for each command, which the formatter of manual pages reads without a warning.
#[test]
fn manual_pages_are_read() {
    let folder = folder("man");
    let ran = hound(&["man", &folder.display().to_string()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for page in ["hound.1", "hound-explore.1", "hound-explain.1"] {
        assert!(ran.out.contains(&format!("/{page}\n")), "{}", ran.out);
        succeed("grep", &["-q", "^.SH NAME", page], &folder);
    }
    assert!(hound(&["man"]).out.starts_with(".ie"), "the page of hound");
}

#[test]
fn versions_name_the_commit_and_what_it_runs_on() {
    let short = hound(&["-V"]).out;
    assert!(short.starts_with("hound 0.") && short.contains(" (") && short.lines().count() == 1, "{short}");
    let long = hound(&["--version"]).out;
    assert!(long.starts_with(short.trim_end()) && long.contains("\nerlang: ") && long.contains("\nz3: "), "{long}");
}
