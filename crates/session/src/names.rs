//! Functions, modules and atoms as they are typed, in Erlang's way or in Elixir's.

use term::{Atom, Mfa, Term};

/// `lists:sort/1`, with quoted atoms where names need it, or `Shop.Cart.total/1`.
pub fn function_name(text: &str) -> Result<Mfa, String> {
    let wanted = || format!("{text:?} is not a function's name; write module:function/arity, such as lists:sort/1");
    let (path, arity) = text.rsplit_once('/').ok_or_else(wanted)?;
    let (module, function) = qualified(path).ok_or_else(wanted)?;
    let arity = arity.parse().map_err(|_| wanted())?;
    Ok(Mfa { module, function, arity })
}

/// `f/1` as a function of that module.
pub fn local(module: Atom, text: &str) -> Result<Mfa, String> {
    let wanted = || format!("{text:?} is not a function's name; write function/arity, such as sort/1");
    let (name, arity) = text.rsplit_once('/').ok_or_else(wanted)?;
    let function = function_atom(name).filter(|_| elixir_path(name).is_none()).ok_or_else(wanted)?;
    Ok(Mfa { module, function, arity: arity.parse().map_err(|_| wanted())? })
}

/// The module and the function of `lists:sort`, `Shop.total` or `:lists.sort`.
pub fn qualified(path: &str) -> Option<(Atom, Atom)> {
    if let Some((module, function)) = elixir_path(path) {
        return Some((module_name(module)?, function_atom(function)?));
    }
    let (module, function) = split_path(path)?;
    Some((module_name(module)?, function_atom(function)?))
}

/// A module as it is typed: `lists`, `Shop.Cart`, `:lists`.
pub fn module_name(text: &str) -> Option<Atom> {
    if is_alias(text) {
        let whole =
            if text == "Elixir" || text.starts_with("Elixir.") { text.to_owned() } else { format!("Elixir.{text}") };
        return Some(Atom::new(&whole));
    }
    atom(text.strip_prefix(':').unwrap_or(text))
}

/// True for the name of an Elixir module: `Shop.Cart`.
fn is_alias(text: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|char: char| char.is_ascii_uppercase())
            && part.chars().all(|char| char.is_alphanumeric() || char == '_')
    };
    text.split('.').all(is_part)
}

/// Splits what Elixir calls a function: `Shop.Cart.total`, `:lists.sort`.
fn elixir_path(path: &str) -> Option<(&str, &str)> {
    let at = path.find('.')?;
    match path.strip_prefix(':') {
        Some(_) => Some((&path[..at], &path[at + 1..])),
        None => path.match_indices('.').map(|(at, _)| (&path[..at], &path[at + 1..])).rfind(|(module, function)| {
            is_alias(module) && !function.starts_with(|char: char| char.is_ascii_uppercase())
        }),
    }
}

/// A function's name, which in Elixir may end in a question or an exclamation mark.
fn function_atom(text: &str) -> Option<Atom> {
    let stem = text.strip_suffix(['?', '!']).unwrap_or(text);
    match stem != text && !stem.is_empty() && stem.chars().all(|char| char.is_alphanumeric() || char == '_') {
        true => Some(Atom::new(text)),
        false => atom(text),
    }
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
        for text in ["Shop.Cart.total/2", "Elixir.Shop.Cart.total/2", "Shop.Cart:total/2", "'Elixir.Shop.Cart':total/2"]
        {
            assert_eq!(function_name(text).unwrap().to_string(), "'Elixir.Shop.Cart':total/2", "{text}");
        }
        assert_eq!(function_name("Shop.valid?/1").unwrap().to_string(), "'Elixir.Shop':'valid?'/1");
        assert_eq!(function_name(":lists.sort/1").unwrap().to_string(), "lists:sort/1");
        assert!(local(Atom::new("m"), "Shop.f/1").is_err());
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
