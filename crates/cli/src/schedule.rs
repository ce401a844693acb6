//! The argument of `--schedule`: turns, or a file that has them.

use std::fs;

use exec::forward::{CLOCK, TIMER, channel};
use serde_json::Value;
use session::Failure;

/// Reads turns such as `0,1,t,0`, or a file with such a line, or with a finding as `hound explore --format json` prints it.
pub fn turns(text: &str) -> Result<Vec<u32>, Failure> {
    if let Some(turns) = listed(text) {
        return Ok(turns);
    }
    let bad = |why: &str| Failure::Unusable(format!("--schedule {text}: {why}"));
    let read =
        fs::read_to_string(text).map_err(|error| bad(&format!("neither turns (0,1,t,0) nor a file: {error}")))?;
    if let Some(turns) = listed(read.trim()) {
        return Ok(turns);
    }
    let mut found = read.lines().filter_map(|line| first(&serde_json::from_str(line).ok()?));
    let first = found.next().ok_or_else(|| bad("no schedule in this file"))?;
    listed(&first).ok_or_else(|| bad(&format!("{first} is no list of turns")))
}

/// The first schedule in a line of JSON.
fn first(value: &Value) -> Option<String> {
    match value {
        Value::Object(fields) => match fields.get("turns") {
            Some(Value::String(turns)) => Some(turns.clone()),
            _ => fields.values().find_map(first),
        },
        Value::Array(items) => items.iter().find_map(first),
        _ => None,
    }
}

fn listed(text: &str) -> Option<Vec<u32>> {
    let signal = |from: &str, to: &str| Some(channel(from.parse().ok()?, to.parse().ok()?));
    let turn = |turn: &str| match turn.strip_prefix('t') {
        Some("") => Some(CLOCK),
        Some(timer) => timer.parse::<u32>().ok().map(|timer| timer | TIMER),
        None if turn.contains('>') => turn.split_once('>').and_then(|(from, to)| signal(from, to)),
        None => turn.parse().ok(),
    };
    text.split(',').map(|part| turn(part.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_numbers_and_time() {
        assert_eq!(listed("0,1,t, 2"), Some(vec![0, 1, CLOCK, 2]));
        assert_eq!(listed("t3"), Some(vec![TIMER | 3]));
        assert_eq!(listed("0,x"), None);
        assert_eq!(listed(""), None);
    }

    #[test]
    fn a_finding_has_its_turns() {
        let line = r#"{"kind":"function","findings":[{"args":[]},{"schedule":{"turns":"0,2"}}]}"#;
        assert_eq!(first(&serde_json::from_str(line).expect("JSON")).as_deref(), Some("0,2"));
    }
}
