//! The help texts, letter by letter.

mod support;

use support::hound;

#[test]
fn help() {
    insta::assert_snapshot!(hound(&["--help"]).out);
}

#[test]
fn help_of_run() {
    insta::assert_snapshot!(hound(&["run", "--help"]).out);
}

#[test]
fn help_of_baseline() {
    insta::assert_snapshot!(hound(&["baseline", "--help"]).out);
}

#[test]
fn help_of_diff() {
    insta::assert_snapshot!(hound(&["diff", "--help"]).out);
}

#[test]
fn help_of_watch() {
    insta::assert_snapshot!(hound(&["watch", "--help"]).out);
}

#[test]
fn help_of_explore() {
    insta::assert_snapshot!(hound(&["explore", "--help"]).out);
}

#[test]
fn help_of_reach() {
    insta::assert_snapshot!(hound(&["reach", "--help"]).out);
}

#[test]
fn help_of_instrument() {
    insta::assert_snapshot!(hound(&["instrument", "--help"]).out);
}

#[test]
fn help_of_doctor() {
    insta::assert_snapshot!(hound(&["doctor", "--help"]).out);
}

#[test]
fn help_of_solve() {
    insta::assert_snapshot!(hound(&["solve", "--help"]).out);
}

#[test]
fn no_command() {
    let ran = hound::<&str>(&[]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.err);
}
