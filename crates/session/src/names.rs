//! Functions and atoms as they are typed.

use term::{Atom, Mfa, Term};

/// `lists:sort/1`, with quoted atoms where names need it.
pub fn function_name(text: &str) -> Result<Mfa, String> {
    let wanted = || format!("{text:?} is not a function's name; write module:function/arity, such as lists:sort/1");
    let (path, arity) = text.rsplit_once('/').ok_or_else(wanted)?;
    let (module, function) = split_path(path).ok_or_else(wanted)?;
    let arity = arity.parse().map_err(|_| wanted())?;
    Ok(Mfa { module: atom(module).ok_or_else(wanted)?, function: atom(function).ok_or_else(wanted)?, arity })
}

/// `f/1` as a function of that module.
pub fn local(module: Atom, text: &str) -> Result<Mfa, String> {
    function_name(&format!("{module}:{text}"))
}

/// The colon that is not inside quotes.
fn split_path(path: &str) -> Option<(&str, &str)> {
    let (mut quoted, mut escaped) = (false, false);
    let colon = path.char_indices().find(|&(_, c)| {
        quoted ^= c == '\'' && !escaped;
        escaped = c == '\\' && !escaped;
        c == ':' && !quoted
    })?;
    Some((&path[..colon.0], &path[colon.0 + 1..]))
}

/// An atom as source text, quotes optional.
pub fn atom(text: &str) -> Option<Atom> {
    if text.starts_with('\'') {
        let quoted = Term::read(text).ok()?.as_atom();
        return quoted.filter(|atom| !atom.name().is_empty());
    }
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '@' || c == '.';
    let fits = !text.is_empty() && (text.chars().all(plain) || is_operator(text));
    fits.then(|| Atom::new(text))
}

/// Operators are functions too: `erlang:+/2`.
fn is_operator(text: &str) -> bool {
    text.chars().all(|c| "+-*/=<>:!".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_named_as_erlang_names_them() {
        assert_eq!(function_name("lists:sort/1").unwrap().to_string(), "lists:sort/1");
        assert_eq!(function_name("'Elixir.Enum':map/2").unwrap().to_string(), "'Elixir.Enum':map/2");
        assert_eq!(function_name("Elixir.Enum:map/2").unwrap().to_string(), "'Elixir.Enum':map/2");
        assert_eq!(function_name("'a:b':c/0").unwrap().to_string(), "'a:b':c/0");
        assert_eq!(function_name("erlang:+/2").unwrap().to_string(), "erlang:'+'/2");
        assert_eq!(function_name("'it\\'s:':f/1").unwrap().module.name(), "it's:");
        assert_eq!(local(Atom::new("it's"), "f/1").unwrap().module.name(), "it's");
    }

    #[test]
    fn other_text_is_not_a_function() {
        for text in ["", "lists", "lists:sort", "lists/1", "lists:sort/x", "lists:sort/256", ":f/1", "m:/1", "m:f g/1"]
        {
            assert!(function_name(text).is_err(), "{text}");
        }
    }

    #[test]
    fn no_text_makes_it_panic() {
        let pieces = ["a", "'", ":", "/", "1", "é", "\\", " ", "256", "x:y/1", "\u{0}", "//", "''"];
        let mut numbers = fastrand::Rng::with_seed(7);
        for _ in 0..20_000 {
            let text: String = (0..numbers.usize(0..8)).map(|_| pieces[numbers.usize(0..pieces.len())]).collect();
            if let Ok(function) = function_name(&text) {
                assert_eq!(function_name(&function.to_string()), Ok(function), "{text}");
            }
        }
    }
}
