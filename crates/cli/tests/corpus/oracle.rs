//! Reads the oracles of the corpus: comments that state what `hound explore` must find in a program.
//!
//! `%! f/1 crash error:badarith@here complete paths=3 pre=valid/1` names a function, its verdict, and what must hold: a
//! crash of that class and reason on the line marked `%@here`, a complete search, a number of paths, a precondition. A
//! call without an end is of the class `loop`, with the reason `_`. A reason is a tag (`badmatch`: the atom itself, or a tuple that begins with it) or a pattern (`{badmatch,_}`).
//! `%? maps` names a topic. Any other word, and a label that no oracle uses, is an error.

use std::collections::{BTreeMap, BTreeSet};

/// Parts of the language, each with programs of its own.
pub const TOPICS: [&str; 8] = ["binaries", "floats", "maps", "text", "funs", "exceptions", "order", "calls"];

const VERDICTS: [&str; 4] = ["crash", "safe", "incomplete", SAFE_OR_INCOMPLETE];

/// The verdict of a function without crashes whose search may stop early.
pub const SAFE_OR_INCOMPLETE: &str = "safe_or_incomplete";

/// One line of an oracle.
#[derive(Debug)]
pub struct Oracle {
    pub function: String,
    pub verdict: String,
    pub pre: Option<String>,
    pub crashes: Vec<Crash>,
    pub complete: bool,
    pub paths: Option<u64>,
}

/// A crash that some input causes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Crash {
    pub class: String,
    pub reason: String,
    pub line: u64,
}

/// The oracles of one program.
#[derive(Debug, Default)]
pub struct Oracles {
    pub all: Vec<Oracle>,
    pub topics: Vec<String>,
}

impl Crash {
    /// Returns true if this class, reason and line are the expected ones.
    pub fn fits(&self, class: &str, reason: &str, line: u64) -> bool {
        let is_reason = self.reason == "_" || reason_fits(&self.reason, reason);
        self.class == class && self.line == line && is_reason
    }
}

/// Reads all oracles of a program's text.
pub fn read(text: &str) -> Result<Oracles, String> {
    let labels = labels(text)?;
    let mut unused: BTreeSet<&str> = labels.keys().copied().collect();
    let mut oracles = Oracles::default();
    for (line, number) in text.lines().zip(1..) {
        let at = |problem: String| format!("line {number}: {problem}");
        if let Some(words) = line.strip_prefix("%!") {
            oracles.all.push(oracle(words, &labels, &mut unused).map_err(at)?);
        } else if let Some(topic) = line.strip_prefix("%?").map(str::trim) {
            if !TOPICS.contains(&topic) {
                return Err(at(format!("`{topic}` is no topic")));
            }
            oracles.topics.push(topic.to_owned());
        } else if line.starts_with('%') && !line.starts_with("%%") {
            return Err(at("neither a comment nor an oracle".to_owned()));
        }
    }
    if !unused.is_empty() {
        return Err(format!("labels that no oracle uses: {unused:?}"));
    }
    Ok(oracles)
}

/// The line of each `%@label`.
fn labels(text: &str) -> Result<BTreeMap<&str, u64>, String> {
    let mut labels = BTreeMap::new();
    for (line, number) in text.lines().zip(1..) {
        let Some((_, label)) = line.split_once("%@") else { continue };
        if labels.insert(label.trim(), number).is_some() {
            return Err(format!("line {number}: a second label {label}"));
        }
    }
    Ok(labels)
}

fn oracle(text: &str, labels: &BTreeMap<&str, u64>, unused: &mut BTreeSet<&str>) -> Result<Oracle, String> {
    let mut words = text.split_whitespace();
    let function = words.next().filter(|name| is_function(name)).ok_or(format!("no function in `{text}`"))?.to_owned();
    let verdict = words.next().filter(|word| VERDICTS.contains(word)).ok_or(format!("no verdict in `{text}`"))?;
    let verdict = verdict.to_owned();
    let mut oracle = Oracle { function, verdict, pre: None, crashes: Vec::new(), complete: false, paths: None };
    for word in words {
        if word == "complete" {
            oracle.complete = true;
        } else if let Some(paths) = word.strip_prefix("paths=") {
            oracle.paths = Some(paths.parse().map_err(|error| format!("`{word}`: {error}"))?);
        } else if let Some(pre) = word.strip_prefix("pre=").filter(|pre| is_function(pre)) {
            oracle.pre = Some(pre.to_owned());
        } else {
            oracle.crashes.push(crash(word, labels, unused)?);
        }
    }
    if (oracle.verdict == "crash") == oracle.crashes.is_empty() {
        return Err(format!("the verdict and the crashes of `{text}` differ"));
    }
    Ok(oracle)
}

fn is_function(word: &str) -> bool {
    word.rsplit_once('/').is_some_and(|(name, arity)| !name.is_empty() && arity.parse::<u8>().is_ok())
}

fn crash(word: &str, labels: &BTreeMap<&str, u64>, unused: &mut BTreeSet<&str>) -> Result<Crash, String> {
    let parts = word.split_once(':').and_then(|(class, rest)| Some((class, rest.rsplit_once('@')?)));
    let Some((class @ ("error" | "exit" | "throw" | "loop"), (reason, label))) = parts else {
        return Err(format!("`{word}` is no demand"));
    };
    let line = *labels.get(label).ok_or(format!("no line is marked {label}"))?;
    unused.remove(label);
    Ok(Crash { class: class.to_owned(), reason: reason.to_owned(), line })
}

/// Returns true if a reason as printed is the expected one: a tag, or a pattern with `_` for any term.
fn reason_fits(expected: &str, reason: &str) -> bool {
    if is_tag(expected) {
        let tagged = reason.strip_prefix('{').unwrap_or(reason).strip_prefix(expected);
        return tagged.is_some_and(|rest| rest.is_empty() || reason.starts_with('{') && rest.starts_with([',', '}']));
    }
    pattern_fits(expected, reason)
}

fn is_tag(expected: &str) -> bool {
    expected.starts_with(|c: char| c.is_ascii_lowercase()) && expected.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn pattern_fits(mut pattern: &str, mut text: &str) -> bool {
    let mut inside_word = false;
    while let Some(next) = pattern.chars().next() {
        pattern = &pattern[next.len_utf8()..];
        let any = next == '_' && !inside_word;
        if any {
            text = &text[term_length(text)..];
        } else if let Some(rest) = text.strip_prefix(next) {
            text = rest;
        } else {
            return false;
        }
        inside_word = next.is_alphanumeric() || next == '_';
    }
    text.is_empty()
}

/// The length of the one term that a text begins with: up to a delimiter outside of brackets and quotes.
fn term_length(text: &str) -> usize {
    let (mut depth, mut quote, mut escaped) = (0, None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{' | '[' | '(') => depth += 1,
            (None, '}' | ']' | ')' | ',' | '|') if depth == 0 => return at,
            (None, '}' | ']' | ')') => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_fit_as_far_as_they_are_written() {
        for (expected, reason, fits) in [
            ("badarith", "badarith", true),
            ("badmatch", "{badmatch,{1,[2]}}", true),
            ("bad", "{badmatch,1}", false),
            ("bad", "badarith", false),
            ("badmatch", "{other,badmatch}", false),
            ("{badmatch,_}", "{badmatch,{1,\"}\"}}", true),
            ("{badmatch,_}", "badmatch", false),
            ("{badmatch,_}", "{badmatch,1,2}", false),
            ("{badmatch,{error,_}}", "{badmatch,{error,x}}", true),
            ("{badmatch,{error,_}}", "{badmatch,{ok,x}}", false),
            ("{no_value,_}", "{no_value,#{a => 1}}", true),
            ("_", "[1,{2}|x]", true),
        ] {
            assert_eq!(reason_fits(expected, reason), fits, "{expected} {reason}");
        }
    }

    #[test]
    fn words_that_are_no_oracle_are_refused() {
        let program = |oracle: &str| format!("{oracle}\nf(X) -> 1 / X. %@f\n");
        let good =
            read(&program("%! f/1 crash error:badarith@f complete paths=2 pre=g/1\n%? floats")).expect("an oracle");
        assert_eq!(good.topics, ["floats"]);
        assert!(good.all[0].crashes[0].fits("error", "badarith", 3));
        assert!(!good.all[0].crashes[0].fits("exit", "badarith", 3));
        assert!(!good.all[0].crashes[0].fits("error", "badarith", 2));
        for wrong in [
            "%! f crash error:badarith@f",
            "%! f/1 crashes error:badarith@f",
            "%! f/1 crash error:badarith@g",
            "%! f/1 crash badarith@f",
            "%! f/1 crash fault:badarith@f",
            "%! f/1 crash error:badarith@f completely",
            "%! f/1 crash error:badarith@f path=2",
            "%! f/1 crash error:badarith@f paths=two",
            "%! f/1 crash error:badarith@f pre=valid",
            "%! f/1 crash",
            "%! f/1 safe error:badarith@f",
            "%! f/1 safe",
            "%! f/1 crash error:badarith@f\n%? numbers",
            "%! f/1 crash error:badarith@f\n% a comment",
            "%! f/1 crash error:badarith@f\n%@f",
        ] {
            assert!(read(&program(wrong)).is_err(), "{wrong}");
        }
    }
}
