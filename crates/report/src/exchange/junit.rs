//! The XML of JUnit: a suite per module, a test per function. What was not settled counts as skipped.

use std::collections::BTreeMap;

use session::job::JobResult;

use super::{ExchangeView, Shown, open, shown};
use crate::phrases::{counted, place};

/// The tests of a module.
#[derive(Default)]
struct Suite {
    tests: u64,
    failures: u64,
    skipped: u64,
    millis: u64,
    cases: String,
}

/// A document with all modules.
pub(super) fn report(all: &[JobResult], view: &ExchangeView) -> String {
    let mut suites: BTreeMap<&str, Suite> = BTreeMap::new();
    for (explored, findings) in all.iter().zip(shown(all)) {
        suites.entry(explored.function.module.name()).or_default().add(explored, &findings, view);
    }
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let sum = |part: fn(&Suite) -> u64| suites.values().map(part).sum::<u64>();
    let counts = counts(sum(|it| it.tests), sum(|it| it.failures), sum(|it| it.skipped), sum(|it| it.millis));
    out.push_str(&format!("<testsuites name=\"hound\" {counts}>\n"));
    for (module, Suite { tests, failures, skipped, millis, cases }) in &suites {
        let counts = self::counts(*tests, *failures, *skipped, *millis);
        out.push_str(&format!("  <testsuite name=\"{}\" {counts}>\n{cases}  </testsuite>\n", attribute(module)));
    }
    out + "</testsuites>\n"
}

impl Suite {
    fn add(&mut self, explored: &JobResult, findings: &[Shown<'_>], view: &ExchangeView) {
        let (failed, others): (Vec<&Shown<'_>>, Vec<&Shown<'_>>) = findings.iter().partition(|one| one.fails(view));
        let open = open(explored);
        let mut body = String::new();
        let failure = match (failed.first(), &open) {
            (Some(first), _) => {
                let more = match failed.len() - 1 {
                    0 => String::new(),
                    more => format!(", and {}", counted(more as u64, "other finding")),
                };
                Some((first.finding.defect.kind_name(), first.title() + &more, texts(&failed, view)))
            }
            (None, Some(why)) if view.is_incomplete_failed => Some(("incomplete", why.clone(), String::new())),
            (None, _) => None,
        };
        if let Some((kind, message, text)) = &failure {
            self.failures += 1;
            let message = attribute(message);
            body.push_str(&format!(
                "      <failure type=\"{kind}\" message=\"{message}\">{}</failure>\n",
                escaped(text)
            ));
        } else if let Some(why) = &open {
            self.skipped += 1;
            body.push_str(&format!("      <skipped message=\"{}\"/>\n", attribute(&format!("incomplete: {why}"))));
        }
        if !others.is_empty() {
            body.push_str(&format!("      <system-out>{}</system-out>\n", escaped(&texts(&others, view))));
        }
        let (module, function) = (explored.function.module.name(), explored.function);
        let name = format!("{}/{}", function.function.name(), function.arity);
        self.tests += 1;
        self.millis += explored.millis;
        self.cases.push_str(&format!(
            "    <testcase classname=\"{}\" name=\"{}\" time=\"{}\">\n{body}    </testcase>\n",
            attribute(module),
            attribute(&name),
            seconds(explored.millis)
        ));
    }
}

fn texts(findings: &[&Shown<'_>], view: &ExchangeView) -> String {
    let text = |one: &&Shown<'_>| {
        let place = place(one.file(view), one.detail.line, one.detail.column);
        format!("{place}: {}\n{}", one.title(), one.text())
    };
    findings.iter().map(text).collect::<Vec<String>>().join("\n")
}

fn counts(tests: u64, failures: u64, skipped: u64, millis: u64) -> String {
    let time = seconds(millis);
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" time=\"{time}\"")
}

fn seconds(millis: u64) -> String {
    format!("{}.{:03}", millis / 1000, millis % 1000)
}

/// Text of an attribute, where a line break would become a space.
fn attribute(text: &str) -> String {
    escaped(text).replace('\t', "&#9;").replace('\n', "&#10;")
}

/// Text of an element. What XML cannot hold becomes a replacement character.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for it in text.chars() {
        match it {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\r' => out.push_str("&#13;"),
            '\n' | '\t' => out.push(it),
            '\u{0}'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            it => out.push(it),
        }
    }
    out
}
