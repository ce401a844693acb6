//! Checks on the repository itself: layout, sizes, documentation, words and names.

mod docs;
mod layout;
mod names;
mod operations;
mod sizes;
mod source;
mod words;

fn assert_none(problem: &str, offenders: &[String]) {
    assert!(offenders.is_empty(), "{problem}:\n  {}", offenders.join("\n  "));
}
