//! The name of an operation stands only in the crate of the records.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

use crate::assert_none;
use crate::source::product;

/// Files that read or write a notation, whose words are no operations. A folder stands for its files.
const NOTATIONS: &[(&str, &str)] = &[
    ("crates/term/src/read", "Erlang's terms"),
    ("crates/term/src/print", "Erlang's terms"),
    ("crates/term/src/notation", "Elixir's terms, and names of functions"),
    ("crates/term/src/math.rs", "functions on floats, whose records take their names from here"),
    ("crates/constraint/src/op.rs", "operators on expressions; their records take their names from here"),
    ("crates/constraint/src/print.rs", "expressions"),
    ("crates/constraint/src/floats.rs", "expressions on floats; their records take their names from here"),
    ("crates/constraint/src/text", "preconditions"),
    ("crates/ir/src/print.rs", "the graph's text form"),
    ("crates/ir/src/primitive.rs", "the graph's text form"),
    ("crates/exec/src/forward/machine/processes/options.rs", "options of operations on processes"),
    ("crates/frontend/src/core", "Core Erlang"),
    ("crates/frontend/src/flat/print", "Core Erlang"),
    ("crates/frontend/src/grammar", "types"),
    ("crates/frontend/src/wanted/guard.rs", "the kinds that guards of the source ask for"),
    ("crates/frontend/src/wanted/operator.rs", "the kinds that operators of the source take"),
    ("crates/recheck/src", "SMT-LIB"),
    ("crates/report/src/exchange", "formats of other tools"),
    ("crates/search/src/failure_cause/words.rs", "causes of findings, in Erlang's notation"),
    ("crates/solve/src/smt", "SMT-LIB"),
];

/// Words that mean something else outside `ops`.
const WORDS: &[(&str, &str)] = &[
    ("-", "a sign or a dash"),
    ("all", "an atom, and a word of options"),
    ("error", "a class of exceptions"),
    ("exit", "a class of exceptions"),
    ("float", "a kind of terms and of segments"),
    ("format", "a request to the VM"),
    ("max", "a bound of atomics"),
    ("min", "a bound of atomics"),
    ("node", "an item of `ets:info/2`"),
    ("lowercase", "a word of the command line's syntax"),
    ("match", "a word for a choice in the source"),
    ("md5", "a field of the protocol with the VM"),
    ("new", "a suffix of files that are being written"),
    ("raise", "a primitive of Core Erlang"),
    ("run", "a kind of JSON line"),
    ("same", "a verdict on two versions"),
    ("size", "a part of a segment, and an item of information about tables"),
    ("throw", "a class of exceptions"),
    ("warning", "the severity of a finding"),
];

/// The texts of string literals with their lines, those in macros and attributes included.
fn literals(tokens: TokenStream, found: &mut Vec<(String, usize)>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => literals(group.stream(), found),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                found.push((text.trim_matches('"').to_owned(), literal.span().start().line));
            }
            _ => {}
        }
    }
}

/// Within `ops` library modules may have functions of one name; that each has one record is a test there.
#[test]
fn no_file_outside_ops_names_an_operation() {
    let names: BTreeSet<&str> = ops::all().map(|operation| operation.name).collect();
    assert!(names.len() > 200, "only {} names", names.len());
    let (mut offenders, mut used) = (Vec::new(), BTreeSet::new());
    for source in product().iter().filter(|source| source.member != "ops") {
        let mut found = Vec::new();
        literals(source.text.parse().expect("Rust"), &mut found);
        let lines: BTreeSet<usize> = source.lines().map(|(line, _)| line).collect();
        found.retain(|(name, line)| names.contains(&**name) && lines.contains(line));
        for (name, line) in found {
            let place = source.at(line);
            let notation = NOTATIONS.iter().find(|(folder, _)| place.starts_with(folder));
            match notation.or_else(|| WORDS.iter().find(|(word, _)| *word == name)) {
                Some((known, _)) => _ = used.insert(*known),
                None => offenders.push(format!("{place}: {name:?}")),
            }
        }
    }
    assert_none("names of operations: resolve them with `ops::find` and match on the record", &offenders);
    let idle = NOTATIONS.iter().chain(WORDS).filter(|(known, _)| !used.contains(known));
    let idle: Vec<String> = idle.map(|(known, reason)| format!("{known}: {reason}")).collect();
    assert_none("nothing is left of these", &idle);
}
