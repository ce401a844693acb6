//! Puts the commit into the program, so that `hound --version` can say it.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=HOUND_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    // While working, a new commit is no reason to build everything again.
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed=../../.git/logs/HEAD");
    }
    let given = std::env::var("HOUND_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = given.or_else(head).unwrap_or_else(|| "unknown commit".to_owned());
    println!("cargo::rustc-env=HOUND_COMMIT={commit}");
}

/// The commit of the sources, if Git knows it.
fn head() -> Option<String> {
    let output = Command::new("git").args(["rev-parse", "--short=10", "HEAD"]).output().ok()?;
    let commit = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !commit.is_empty()).then_some(commit)
}
