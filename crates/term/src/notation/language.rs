//! Languages that compile to modules of the VM.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Atom;

/// A language that compiles to modules of the VM.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    Erlang,
    Elixir,
    Gleam,
    Lfe,
}

/// What the names of Elixir's modules begin with.
pub(super) const ELIXIR: &str = "Elixir.";

impl Language {
    /// Returns the language of a module with this source file, which may be empty.
    pub fn of(module: Atom, file: &str) -> Language {
        let by_file = match Path::new(file).extension().and_then(|suffix| suffix.to_str()) {
            Some("ex" | "exs") => Some(Language::Elixir),
            Some("gleam") => Some(Language::Gleam),
            Some("lfe") => Some(Language::Lfe),
            // Gleam compiles to Erlang, in a folder of its own.
            _ if file.contains("_gleam_artefacts/") => Some(Language::Gleam),
            _ => None,
        };
        by_file.unwrap_or_else(|| Language::of_name(module))
    }

    /// Returns the language of a module of which only the name is known.
    pub fn of_name(module: Atom) -> Language {
        let name = module.name();
        let is_path = || name.split('@').all(|part| part.starts_with(|c: char| c.is_ascii_lowercase()));
        match name {
            "Elixir" => Language::Elixir,
            _ if name.starts_with(ELIXIR) => Language::Elixir,
            _ if name.contains('@') && is_path() => Language::Gleam,
            _ => Language::Erlang,
        }
    }

    /// Returns its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Language::Erlang => "erlang",
            Language::Elixir => "elixir",
            Language::Gleam => "gleam",
            Language::Lfe => "lfe",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_decide_before_names() {
        let of = |module: &str, file: &str| Language::of(Atom::new(module), file);
        assert_eq!(of("Elixir.Shop", ""), Language::Elixir);
        assert_eq!(of("shop", "lib/shop.ex"), Language::Elixir);
        assert_eq!(of("shop", "test/shop_test.exs"), Language::Elixir);
        assert_eq!(of("shop@item", ""), Language::Gleam);
        assert_eq!(of("shop", "src/shop.gleam"), Language::Gleam);
        assert_eq!(of("shop", "build/dev/erlang/shop/_gleam_artefacts/shop.erl"), Language::Gleam);
        assert_eq!(of("shop", "src/shop.lfe"), Language::Lfe);
        assert_eq!(of("shop", "src/shop.erl"), Language::Erlang);
        assert_eq!(of("@x", ""), Language::Erlang);
    }
}
