//! Several crashes in one run: each root is a finding, and what follows from it is none.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::rig::sources;
use crate::support::hound;

/// A function, and the reasons of its findings in order.
const ROWS: [(&str, &[&str]); 13] = [
    ("no_server/1", &["badarith"]),
    ("no_table/1", &["seven"]),
    ("no_named_table/1", &["seven"]),
    ("no_name/1", &["badarith"]),
    ("no_child/2", &[NO_CHILD, NO_CHILD]),
    ("down/1", &["badarith"]),
    ("reply/1", &["badarith"]),
    ("chain/1", &["badarith"]),
    ("apart/1", &["a", "{b,a}"]),
    ("same_reason/1", &["a", "a"]),
    ("by_chance/1", &["a", "{b,a}"]),
    ("after_restart/1", &["badarith", "none"]),
    ("new_name/1", &["badarith", "other"]),
];

/// The reason of a call of a child that was not started.
const NO_CHILD: &str = "{noproc,{gen_server,call,[undefined,get]}}";

/// By function: its verdict, and the reasons of its findings in order.
fn explored(options: &[&str]) -> BTreeMap<String, (String, Vec<String>)> {
    let path = sources().join("roots.erl").display().to_string();
    let functions = hound(&[&["explore", "--format", "json", &path], options].concat()).functions();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let row = |(function, line): (String, Value)| {
        let mut reasons: Vec<String> =
            line["findings"].as_array().into_iter().flatten().map(|it| text(&it["reason"])).collect();
        reasons.sort();
        (function.replace("roots:", ""), (text(&line["verdict"]), reasons))
    };
    functions.into_iter().map(row).collect()
}

#[test]
fn a_crash_is_reported_once_at_its_root() {
    let names: Vec<&str> = ROWS.iter().map(|row| row.0).collect();
    let found = explored(&names);
    let crash = |reasons: &[&str]| ("crash".to_owned(), reasons.iter().map(|it| (*it).to_owned()).collect());
    let expected = ROWS.iter().map(|(function, reasons)| ((*function).to_owned(), crash(reasons))).collect();
    assert_eq!(found, expected);
}

#[test]
fn what_follows_from_an_ignored_crash_is_reported() {
    let found = explored(&["--ignore", "error:badarith", "down/1", "reply/1"]);
    assert_eq!(found["down/1"], ("crash".to_owned(), vec!["worker_died".to_owned()]));
    assert_eq!(found["reply/1"], ("ignored".to_owned(), Vec::new()));
}
