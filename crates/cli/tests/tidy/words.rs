//! The field's words: those of a private language are counted, and the count only falls.
//!
//! `words.txt` has a line `word count` for each. `told 12`: the word stands so often in Rust and Erlang files of product,
//! tests and examples, be it in a comment, a name or a message. `type step 1`: so many public types have it as a word of
//! their name. `doc what 3`: so many doc comments of public items open with it. `types repeated 9`: so many names of
//! public types are defined more than once, those that no crate exports included.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::docs::Public;
use crate::names::repeated_types;
use crate::source::{product, shown, text, with_ending};

const CEILINGS: &str = include_str!("words.txt");

#[test]
fn private_words_become_fewer() {
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    let ceilings: Vec<(&str, usize)> = CEILINGS.lines().filter(|line| !line.starts_with('#')).map(ceiling).collect();
    assert!(ceilings.len() > 30, "only {} words", ceilings.len());
    let repeated = repeated_types();
    let [texts, types, docs] = [words_of_files(), words_of_types(), openings()];
    for (entry, _) in &ceilings {
        let count = match entry.split_once(' ') {
            Some(("type", word)) => types.get(word),
            Some(("doc", word)) => docs.get(word),
            Some(("types", "repeated")) => Some(&repeated),
            Some(_) => panic!("neither a word nor `type word` nor `doc word`: {entry}"),
            None => texts.get(*entry),
        };
        found.insert(entry, count.copied().unwrap_or_default());
    }
    let changed: Vec<String> = ceilings
        .iter()
        .filter(|(entry, ceiling)| found[entry] != *ceiling)
        .map(|(entry, ceiling)| {
            let advice = if found[entry] > *ceiling { "use the field's word" } else { "the list must be shortened" };
            format!("{entry}: {ceiling} -> {} ({advice})", found[entry])
        })
        .collect();
    let list: Vec<String> = ceilings.iter().map(|(entry, _)| format!("{entry} {}", found[entry])).collect();
    assert!(changed.is_empty(), "{}\nthe list would be:\n{}", changed.join("\n"), list.join("\n"));
}

fn ceiling(line: &str) -> (&str, usize) {
    let (entry, count) = line.rsplit_once(' ').unwrap_or_else(|| panic!("not `word count`: {line}"));
    (entry, count.parse().unwrap_or_else(|error| panic!("{line}: {error}")))
}

/// How often each word stands in the files, and in their names; `bench` is the benchmark's own.
fn words_of_files() -> BTreeMap<String, usize> {
    let files: Vec<PathBuf> = with_ending("rs", 500).into_iter().chain(with_ending("erl", 100)).collect();
    let mut counts = BTreeMap::new();
    for path in files {
        let (name, text) = (shown(&path), text(&path));
        let of_the_benchmark = name.contains("bench");
        let words = words(&name).into_iter().chain(words(&text));
        words
            .filter(|word| !(of_the_benchmark && word == "bench"))
            .for_each(|word| *counts.entry(word).or_default() += 1);
    }
    counts
}

fn items() -> impl Iterator<Item = &'static Public> {
    product().iter().flat_map(|source| &source.items)
}

fn words_of_types() -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for item in items().filter(|item| item.is_type) {
        words(&item.name).into_iter().for_each(|word| *counts.entry(word).or_default() += 1);
    }
    counts
}

/// The words that doc comments of public items open with.
fn openings() -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for doc in items().filter_map(|item| item.doc.as_deref()) {
        words(doc).into_iter().take(1).for_each(|word| *counts.entry(word).or_default() += 1);
    }
    counts
}

/// The words of a text in small letters; `CamelCase` and `snake_case` are two each.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_small = false;
    for c in text.chars() {
        if !word.is_empty() && (!c.is_alphabetic() || was_small && c.is_uppercase()) {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
        was_small = c.is_lowercase();
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

#[test]
fn names_are_cut_into_words() {
    assert_eq!(words("a ToldTable, told_at(x2)"), ["a", "told", "table", "told", "at", "x"]);
}
