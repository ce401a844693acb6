//! The walk on conditions of our own: how many it solves, and that it repeats itself.

use std::path::{Path, PathBuf};

use constraint::Text;
use solve::structural::smallest;
use solve::walk::{self, WalkSettings};
use solve::{Answer, Query};
use term::Term;

/// Less than a second.
const EVALUATIONS: u64 = 1_000_000;

fn conditions(set: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conditions").join(set);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 50, "{set} has only {} files", files.len());
    files
}

/// The inputs and what was looked at.
fn walked(file: &Path, evaluations: u64) -> (Option<Vec<Term>>, u64) {
    let text = Text::read(&std::fs::read_to_string(file).unwrap());
    let text = text.unwrap_or_else(|fault| panic!("{}:{fault}", file.display()));
    let near: Vec<Term> = text.inputs.iter().map(|rule| smallest(&text.grammar, *rule).unwrap()).collect();
    let mut spent = 0;
    for conditions in &text.alternatives {
        let Text { arena, grammar, inputs, .. } = &text;
        let query = Query { arena, grammar, inputs, conditions, near: &near };
        let (answer, walked) = walk::solve(&query, &near, &WalkSettings::new(evaluations));
        spent += walked.map_or(0, |walked| walked.evaluations);
        if let Answer::Sat(inputs) = answer {
            assert!(query.is_met_by(&inputs));
            return (Some(inputs), spent);
        }
    }
    (None, spent)
}

fn unsolved(set: &str, evaluations: u64) -> (usize, Vec<PathBuf>) {
    let files = conditions(set);
    let left = files.iter().filter(|file| walked(file, evaluations).0.is_none()).cloned().collect();
    (files.len(), left)
}

#[test]
fn most_conditions_are_solved() {
    for set in ["develop", "measure"] {
        let (all, left) = unsolved(set, EVALUATIONS);
        assert!(all >= 50 && left.len() * 20 <= all, "{set}: {left:?} of {all}");
    }
}

/// Random expressions with a solution, not made easy.
#[test]
fn many_random_conditions_are_solved() {
    let (all, left) = unsolved("generated", EVALUATIONS / 5);
    assert!(all >= 100 && left.len() * 5 <= all, "{left:?} of {all}");
}

#[test]
fn a_walk_repeats_itself() {
    for file in conditions("measure").iter().step_by(7) {
        assert_eq!(walked(file, 20_000), walked(file, 20_000), "{}", file.display());
    }
}
