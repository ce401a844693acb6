//! Names of modules and functions inside sentences, which are written in Erlang's notation where the search makes them.

use term::{Atom, Language, Mfa, Notation, Term};

/// A sentence about a program of this language, with the names that this language has.
pub(crate) fn prose(language: Language, sentence: &str) -> String {
    if language == Language::Erlang {
        return sentence.to_owned();
    }
    let (mut out, mut rest) = (String::new(), sentence);
    while let Some(found) = rest.find(|c: char| c == '\'' || is_name_part(c)) {
        out.push_str(&rest[..found]);
        rest = &rest[found..];
        match named(language, rest) {
            Some((name, length)) => {
                out.push_str(&name);
                rest = &rest[length..];
            }
            None => {
                // What follows inside of a word is no name.
                let end = rest.find(|c: char| !is_name_part(c) && c != '.').unwrap_or(rest.len()).max(1);
                out.push_str(&rest[..end]);
                rest = &rest[end..];
            }
        }
    }
    out + rest
}

/// The name that a text begins with, and its length in Erlang's notation: a function, or a module of the language.
fn named(language: Language, text: &str) -> Option<(String, usize)> {
    let (module, length) = atom(text)?;
    let own = match Language::of_name(module) {
        Language::Erlang => language,
        own => own,
    };
    let notation = Notation { language: own, ..Notation::ERLANG };
    let function = || {
        let (function, name) = atom(text[length..].strip_prefix(':')?)?;
        let digits = text[length + 1 + name..].strip_prefix('/')?;
        let count = digits.chars().take_while(char::is_ascii_digit).count();
        let arity = digits[..count].parse().ok()?;
        Some((notation.function(Mfa { module, function, arity }), length + name + count + 2))
    };
    let alone = || {
        let is_module = Language::of_name(module) == Language::Elixir && text.starts_with('\'');
        is_module.then(|| (notation.module(module), length))
    };
    function().or_else(alone)
}

/// The atom that a text begins with, and its length. Names of Elixir's modules may stand without quotes.
fn atom(text: &str) -> Option<(Atom, usize)> {
    let is_module = text.starts_with("Elixir.");
    let end = match text.strip_prefix('\'') {
        Some(quoted) => quoted.find('\'')? + 2,
        None => text.find(|c: char| !(is_name_part(c) || is_module && c == '.')).unwrap_or(text.len()),
    };
    match is_module {
        true => Some((Atom::new(&text[..end]), end)),
        false => Some((Term::read(&text[..end]).ok()?.as_atom()?, end)),
    }
}

fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '@')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_sentences_are_those_of_the_language() {
        let elixir = |text| prose(Language::Elixir, text);
        assert_eq!(elixir("lists:nth/2's spec wants pos_integer()"), ":lists.nth/2's spec wants pos_integer()");
        assert_eq!(elixir("in 'Elixir.Shop':'a b'/1 (lib/shop.ex:3)"), "in Shop.\"a b\"/1 (lib/shop.ex:3)");
        assert_eq!(elixir("the module 'Elixir.Shop.Item' is not there"), "the module Shop.Item is not there");
        assert_eq!(elixir("it's 1:2, a:b, x:y/z, Xa:f/1, e.g. a.b"), "it's 1:2, a:b, x:y/z, Xa:f/1, e.g. a.b");
        assert_eq!(elixir("Elixir.Shop:pick/1#1"), "Shop.pick/1#1");
        assert_eq!(elixir("f:1.5, (lists:map/2)"), "f:1.5, (:lists.map/2)");
        assert_eq!(prose(Language::Gleam, "in gleam@list:map/2"), "in gleam/list.map/2");
        assert_eq!(prose(Language::Gleam, "in lists:map/2"), "in lists.map/2");
        assert_eq!(prose(Language::Erlang, "in 'Elixir.A':b/1"), "in 'Elixir.A':b/1");
    }
}
