//! Terms, names and calls in the language of the program that they belong to.
//!
//! Everything that is written here can be pasted where that language is typed: Erlang into `erl`, Elixir into `iex`. Gleam
//! and LFE have names of their own, and Erlang's terms: their shells take Erlang.

mod elixir;
mod language;
mod structs;

pub use language::Language;
pub use structs::Structs;

use crate::{Atom, Call, Mfa, Style, Term};
use elixir::ElixirWriter;

/// The way in which the terms and names of a program are written.
#[derive(Clone, Copy, Debug)]
pub struct Notation<'a> {
    pub language: Language,
    /// The structs that are written as such; others are maps.
    pub structs: &'a Structs,
}

impl Notation<'_> {
    /// The notation of Erlang.
    pub const ERLANG: Notation<'static> = Notation { language: Language::Erlang, structs: Structs::NONE };

    /// Returns true if terms are Elixir.
    pub fn is_elixir(self) -> bool {
        self.language == Language::Elixir
    }

    /// Returns a term as source to paste: names of processes, ports and references are made by calls.
    pub fn term(self, term: &Term) -> String {
        self.written(term, Style::Paste)
    }

    /// Returns a term as text for people.
    pub fn shown(self, term: &Term) -> String {
        self.written(term, Style::Source)
    }

    /// Returns a term as source to paste, in which large parts are expressions that make them.
    pub fn folded(self, term: &Term) -> String {
        self.written(term, Style::Folded)
    }

    fn written(self, term: &Term, style: Style) -> String {
        match self.language {
            Language::Elixir => ElixirWriter::text(term, self.structs, style),
            Language::Erlang | Language::Gleam | Language::Lfe => term.write(style),
        }
    }

    /// Returns an atom: in Elixir `:ok`, and modules by their names.
    pub fn atom(self, atom: Atom) -> String {
        match self.language {
            Language::Elixir => elixir::atom(atom.name()),
            Language::Erlang | Language::Gleam | Language::Lfe => atom.to_string(),
        }
    }

    /// Returns the name of a function, as a manual has it: `shop:total/1`, `Shop.total/1`, `shop/cart.total/1`.
    pub fn function(self, function: Mfa) -> String {
        format!("{}/{}", self.path(function.module, function.function), function.arity)
    }

    /// Returns the name of a function among those of its module: `total/1`.
    pub fn local(self, function: Atom, arity: u8) -> String {
        let name = match self.language {
            Language::Elixir => elixir::function(function.name()),
            Language::Lfe => function.name().to_owned(),
            Language::Erlang | Language::Gleam => function.to_string(),
        };
        format!("{name}/{arity}")
    }

    /// Returns the name of a module as people write it.
    pub fn module(self, module: Atom) -> String {
        match self.language {
            Language::Gleam => module.name().replace('@', "/"),
            Language::Lfe => module.name().to_owned(),
            Language::Erlang | Language::Elixir => self.atom(module),
        }
    }

    fn path(self, module: Atom, function: Atom) -> String {
        let module = self.module(module);
        match self.language {
            Language::Erlang => format!("{module}:{function}"),
            Language::Elixir => format!("{module}.{}", elixir::function(function.name())),
            Language::Gleam => format!("{module}.{}", function.name()),
            Language::Lfe => format!("{module}:{}", function.name()),
        }
    }

    /// Returns a call to paste.
    pub fn call(self, call: &Call) -> String {
        match self.language {
            Language::Elixir => {
                let args: Vec<String> = call.args.iter().map(|arg| self.term(arg)).collect();
                self.applied(call.module, call.function, &args)
            }
            Language::Erlang | Language::Gleam | Language::Lfe => call.to_string(),
        }
    }

    /// Returns a call to paste, in which large parts of its arguments are expressions that make them.
    pub fn folded_call(self, call: &Call) -> String {
        let args: Vec<String> = call.args.iter().map(|arg| self.folded(arg)).collect();
        self.applied(call.module, call.function, &args)
    }

    /// Returns a call of arguments that are source.
    pub fn applied(self, module: Atom, function: Atom, args: &[String]) -> String {
        match self.language {
            Language::Elixir => elixir::call(&self.module(module), function.name(), args),
            Language::Erlang | Language::Gleam | Language::Lfe => format!("{module}:{function}({})", args.join(", ")),
        }
    }

    /// Returns the name of a variable, which begins with a capital.
    pub fn variable(self, name: &str) -> String {
        if self.is_elixir() { name.to_lowercase() } else { name.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mfa(module: &str, function: &str) -> Mfa {
        Mfa { module: Atom::new(module), function: Atom::new(function), arity: 1 }
    }

    #[test]
    fn functions_have_the_names_of_their_language() {
        let name = |language, module: &str, function: &str| {
            Notation { language, ..Notation::ERLANG }.function(mfa(module, function))
        };
        assert_eq!(name(Language::Erlang, "Elixir.Shop", "f"), "'Elixir.Shop':f/1");
        assert_eq!(name(Language::Elixir, "Elixir.Shop.Item", "valid?"), "Shop.Item.valid?/1");
        assert_eq!(name(Language::Elixir, "lists", "a b"), ":lists.\"a b\"/1");
        assert_eq!(name(Language::Elixir, "erlang", "+"), ":erlang.+/1");
        assert_eq!(name(Language::Gleam, "shop@item", "parse"), "shop/item.parse/1");
        assert_eq!(name(Language::Lfe, "my-shop", "parse-item"), "my-shop:parse-item/1");
    }

    #[test]
    fn calls_can_be_pasted() {
        let call = |module: &str| Call {
            module: Atom::new(module),
            function: Atom::new("f"),
            args: vec![Term::string("a"), Term::atom_named("nil")],
        };
        let written = |language, module| Notation { language, ..Notation::ERLANG }.call(&call(module));
        assert_eq!(written(Language::Elixir, "Elixir.Shop"), "Shop.f(~c\"a\", nil)");
        assert_eq!(written(Language::Gleam, "shop@item"), "shop@item:f(\"a\", nil)");
        assert_eq!(written(Language::Lfe, "my-shop"), "'my-shop':f(\"a\", nil)");
    }
}
