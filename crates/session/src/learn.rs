//! Files of calls to learn from.

use std::path::Path;

use term::{Call, Term};

use crate::Failure;
use crate::names::function_name;

/// Returns the calls in a file, each ended by a full stop at the end of a line.
pub fn calls(file: &Path) -> Result<Vec<Call>, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| unusable(file, None, &error.to_string()))?;
    let (mut calls, mut form, mut first) = (Vec::new(), String::new(), 0);
    for (line, at) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('%') {
            continue;
        }
        first = if form.is_empty() { at } else { first };
        form.push_str(line);
        form.push('\n');
        if let Some(whole) = form.trim_end().strip_suffix('.') {
            calls.push(call(whole).map_err(|why| unusable(file, Some(first), &why))?);
            form.clear();
        }
    }
    match form.is_empty() {
        true => Ok(calls),
        false => Err(unusable(file, Some(first), "this call has no full stop at its end")),
    }
}

fn unusable(file: &Path, line: Option<u32>, why: &str) -> Failure {
    let line = line.map_or(String::new(), |line| format!(":{line}"));
    Failure::Unusable(format!("{}{line}: {why}", file.display()))
}

/// `m:f(1, [a])`.
fn call(text: &str) -> Result<Call, String> {
    let wanted = || format!("{text:?} is not a call; write module:function(Arguments)");
    let (path, rest) = text.split_once('(').ok_or_else(wanted)?;
    let args = rest.trim_end().strip_suffix(')').ok_or_else(wanted)?;
    let args = Term::read(&format!("[{args}]")).map_err(|error| format!("the arguments cannot be read: {error}"))?;
    let args = args.proper_list().ok_or_else(wanted)?;
    let function = function_name(&format!("{}/{}", path.trim(), args.len())).map_err(|_| wanted())?;
    Ok(Call { module: function.module, function: function.function, args })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        call(text).map_or_else(|why| why, |call| call.to_string())
    }

    #[test]
    fn calls_are_read_as_they_are_written() {
        assert_eq!(shown("lexer:parse(\"while x\", [1.5, {a}])"), "lexer:parse(\"while x\", [1.5,{a}])");
        assert_eq!(shown("'A b':f()"), "'A b':f()");
        for wrong in ["", "f(1)", "m:f", "m:f(1", "m:f(X)", "m:f(1,)"] {
            assert!(call(wrong).is_err(), "{wrong}");
        }
    }
}
