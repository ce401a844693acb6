//! What the user says about opaque functions: which ones there are, and calls to learn from.

use std::path::Path;

use frontend::core::Name;
use term::{Call, Mfa, Term};

use crate::Failure;
use crate::functions::{local, modules};
use crate::names::function_name;
use crate::session::{Outside, Shared};

/// The functions that are to be opaque, by the options and the configuration.
pub fn opaque(given: &[String], outside: &Shared, functions: &[Mfa]) -> Result<Vec<Mfa>, Failure> {
    let read = |text: &String| named(outside, functions, text).map_err(|why| unusable_option("--opaque", text, &why));
    given.iter().map(read).collect()
}

/// The failure of an option whose value cannot be used.
pub fn unusable_option(option: &str, text: &str, why: &str) -> Failure {
    Failure::Unusable(format!("{option} {text}: {why}"))
}

/// How many arguments a precondition takes, by its name.
pub fn arity(text: Option<&str>) -> Option<u8> {
    text?.rsplit_once('/')?.1.parse().ok()
}

/// `valid/2` of the function's own module, exported or not, or `m:valid/2`.
pub fn precondition(outside: &Shared, function: Mfa, text: &str) -> Result<Mfa, String> {
    let pre = local(function.module, text).or_else(|_| function_name(text))?;
    let mut outside = outside.borrow_mut();
    let Outside { host, library, .. } = &mut *outside;
    let module = library.module(host, pre.module).map_err(|error| Failure::from(error).to_string())?;
    let name = Name { function: pre.function, arity: pre.arity };
    let own = pre.module == function.module && module.names().any(|other| other == name);
    match (own || module.exports(pre.function, pre.arity), pre.arity == function.arity) {
        (true, true) => Ok(pre),
        (true, false) => Err(format!("{function} has another number of arguments")),
        (false, _) if pre.module == function.module => Err(module.missing_anywhere(pre).to_string()),
        (false, _) => Err(module.missing(pre).to_string()),
    }
}

/// Returns why a function cannot be explored: one of an explored module must be exported; of others nothing is known.
pub fn check(outside: &Shared, functions: &[Mfa], function: Mfa) -> Result<(), String> {
    if !functions.iter().any(|explored| explored.module == function.module) {
        return Ok(());
    }
    let mut outside = outside.borrow_mut();
    let Outside { host, library, .. } = &mut *outside;
    let module = library.module(host, function.module).map_err(|error| error.to_string())?;
    if module.exports(function.function, function.arity) { Ok(()) } else { Err(module.missing(function).to_string()) }
}

/// `f/1` of the one module that is explored, exported or not, or `m:f/1`.
pub fn named(outside: &Shared, functions: &[Mfa], text: &str) -> Result<Mfa, String> {
    let function = match (function_name(text), &modules(functions)[..]) {
        (Ok(function), _) => function,
        (Err(_), [module]) => local(*module, text)?,
        (Err(why), _) => return Err(why),
    };
    let mut outside = outside.borrow_mut();
    let Outside { host, library, .. } = &mut *outside;
    let module = library.module(host, function.module).map_err(|error| Failure::from(error).to_string())?;
    let name = Name { function: function.function, arity: function.arity };
    match module.names().any(|other| other == name) {
        true => Ok(function),
        false => Err(format!("there is no {function}")),
    }
}

/// The calls in a file, each ended by a full stop at the end of a line.
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

    fn told(text: &str) -> String {
        call(text).map_or_else(|why| why, |call| call.to_string())
    }

    #[test]
    fn calls_are_read_as_they_are_written() {
        assert_eq!(told("lexer:parse(\"while x\", [1.5, {a}])"), "lexer:parse(\"while x\", [1.5,{a}])");
        assert_eq!(told("'A b':f()"), "'A b':f()");
        for wrong in ["", "f(1)", "m:f", "m:f(1", "m:f(X)", "m:f(1,)"] {
            assert!(call(wrong).is_err(), "{wrong}");
        }
    }
}
