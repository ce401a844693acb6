//! Terms as Elixir, as `iex` takes them.

mod fold;
mod fun;
mod text;

use crate::etf::{FunParts, fun_parts};
use crate::{Atom, Bits, Fun, Handle, HandleKind, Map, Structs, Style, Term, float_text, large};

use super::language::ELIXIR;
use text::{is_operator, is_plain, quoted};

/// Writes terms as Elixir.
pub(super) struct ElixirWriter<'a> {
    out: String,
    structs: &'a Structs,
    style: Style,
}

impl<'a> ElixirWriter<'a> {
    /// Returns the text of a term.
    pub fn text(term: &Term, structs: &'a Structs, style: Style) -> String {
        let mut writer = ElixirWriter { out: String::new(), structs, style };
        writer.term(term);
        writer.out
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn term(&mut self, term: &Term) {
        crate::deeper(|| match term {
            Term::Nil(_) => self.put("[]"),
            Term::Int(_, value) => self.put(&value.to_string()),
            Term::Big(_, value) => self.put(&large::digits(value, 10)),
            Term::Float(_, value) => self.put(&float_text(*value)),
            Term::Atom(_, name) => self.put(&atom(name.name())),
            Term::Cons(..) => self.list(term),
            Term::Tuple(_, items) => {
                self.put("{");
                self.separated(items.iter());
                self.put("}");
            }
            Term::Map(_, map) => self.map(map),
            Term::Bits(_, bits) => self.bits(bits),
            Term::Fun(_, fun) => self.fun(fun),
            Term::Handle(_, handle) => self.handle(handle),
        });
    }

    fn separated<'t>(&mut self, items: impl IntoIterator<Item = &'t Term>) {
        for (at, item) in items.into_iter().enumerate() {
            self.put(if at > 0 { ", " } else { "" });
            self.term(item);
        }
    }

    fn list(&mut self, list: &Term) {
        if self.style == Style::Folded && self.folded_list(list) {
            return;
        }
        if let Some(text) = text::charlist(list) {
            self.put("~c");
            return self.put(&quoted(&text));
        }
        self.put("[");
        match keywords(list) {
            Some(pairs) => self.pairs(pairs.into_iter()),
            None => {
                let mut cells = list.cells();
                self.separated(cells.by_ref());
                if !matches!(cells.rest(), Term::Nil(_)) {
                    self.put(" | ");
                    self.term(cells.rest());
                }
            }
        }
        self.put("]");
    }

    /// `a: 1, b: 2`.
    fn pairs<'t>(&mut self, pairs: impl Iterator<Item = (Atom, &'t Term)>) {
        for (at, (key, value)) in pairs.enumerate() {
            self.put(if at > 0 { ", " } else { "" });
            let key = key.name();
            self.put(&if is_plain(key) { format!("{key}: ") } else { format!("{}: ", quoted(key)) });
            self.term(value);
        }
    }

    fn map(&mut self, map: &Map) {
        let made = self.structs.module_of(map);
        let entries: Vec<(&Term, &Term)> =
            map.iter().filter(|(key, value)| made.is_none() || !is_implied(key, value)).collect();
        self.put(&made.map_or("%{".to_owned(), |module| format!("%{}{{", atom(module.name()))));
        let keys: Option<Vec<Atom>> = entries.iter().map(|(key, _)| keyword(key)).collect();
        match keys {
            Some(keys) => self.pairs(keys.into_iter().zip(entries.into_iter().map(|(_, value)| value))),
            None => {
                for (at, (key, value)) in entries.into_iter().enumerate() {
                    self.put(if at > 0 { ", " } else { "" });
                    self.term(key);
                    self.put(" => ");
                    self.term(value);
                }
            }
        }
        self.put("}");
    }

    fn bits(&mut self, bits: &Bits) {
        if self.style == Style::Folded && self.folded_bits(bits) {
            return;
        }
        if let Some(text) = text::string(bits) {
            return self.put(&quoted(&text));
        }
        let (whole, over) = (bits.bit_len() / 8, bits.bit_len() % 8);
        let mut segments: Vec<String> = (0..whole).map(|at| bits.read_u64(at * 8, 8).to_string()).collect();
        segments.extend((over > 0).then(|| format!("{}::{over}", bits.read_u64(whole * 8, over))));
        self.put(&format!("<<{}>>", segments.join(", ")));
    }

    fn handle(&mut self, handle: &Handle) {
        let (maker, shown) = match handle.kind {
            HandleKind::Pid => ("list_to_pid", "#PID"),
            HandleKind::Port => ("list_to_port", ""),
            HandleKind::Reference => ("list_to_ref", ""),
        };
        let text = match self.style {
            Style::Paste | Style::Folded => {
                format!(":erlang.{maker}(~c\"{}\")", handle.to_string().replace('#', "\\#"))
            }
            _ => format!("{shown}{}", handle.to_string().replace("#Ref<", "#Reference<")),
        };
        self.put(&text);
    }

    fn fun(&mut self, fun: &Fun) {
        match fun {
            Fun::External(mfa) => {
                self.put(&capture(&atom(mfa.module.name()), mfa.function.name(), mfa.arity));
            }
            Fun::Closure(closure) => self.closure(closure.module, (closure.index, closure.uniq), closure.arity),
            Fun::Foreign { module, etf, arity } => {
                let FunParts { index, uniq, .. } = fun_parts(etf);
                self.closure(*module, (index, uniq), *arity);
            }
            Fun::Table(table) => self.table(table),
        }
    }

    /// Closures cannot be pasted: they look as Elixir shows them.
    fn closure(&mut self, module: Atom, (index, uniq): (u32, u32), arity: u8) {
        self.put(&format!("#Function<{index}.{uniq}/{arity} in {}>", atom(module.name())));
    }
}

/// True for the fields of a struct that its literal does not have: all exceptions are exceptions.
fn is_implied(key: &Term, value: &Term) -> bool {
    match key.as_atom().map(Atom::name) {
        Some("__struct__") => true,
        Some("__exception__") => value.as_bool() == Some(true),
        _ => false,
    }
}

/// The pairs of a list of pairs whose keys are plain names.
fn keywords(list: &Term) -> Option<Vec<(Atom, &Term)>> {
    let mut cells = list.cells();
    let pair = |item: &'_ Term| match item {
        Term::Tuple(_, items) => match &items[..] {
            [key, _] => keyword(key),
            _ => None,
        },
        _ => None,
    };
    let keys: Vec<Atom> = cells.by_ref().map(pair).collect::<Option<_>>()?;
    if !matches!(cells.rest(), Term::Nil(_)) {
        return None;
    }
    let values = list.cells().filter_map(|item| item.as_tuple()?.get(1));
    Some(keys.into_iter().zip(values).collect())
}

/// An atom that may stand before a colon. Names of modules are not written so, nor are operators.
fn keyword(key: &Term) -> Option<Atom> {
    key.as_atom().filter(|atom| alias(atom.name()).is_none() && !is_operator(atom.name()))
}

/// An atom: `:ok`, `nil`, `Shop.Item`.
pub(super) fn atom(name: &str) -> String {
    match name {
        "nil" | "true" | "false" => name.to_owned(),
        _ if is_plain(name) || is_operator(name) => format!(":{name}"),
        _ => alias(name).map_or_else(|| format!(":{}", quoted(name)), str::to_owned),
    }
}

/// The name of a function behind a dot.
pub(super) fn function(name: &str) -> String {
    let is_bare =
        is_plain(name) && name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_') && !name.contains('@');
    if is_bare || is_operator(name) { name.to_owned() } else { quoted(name) }
}

/// A call, with the arguments as source. Behind a dot, not all versions of Elixir know escapes in a name.
pub(super) fn call(module: &str, name: &str, args: &[String]) -> String {
    let (function, args) = (function(name), args.join(", "));
    match function.contains('\\') {
        true => format!("apply({module}, {}, [{args}])", atom(name)),
        false => format!("{module}.{function}({args})"),
    }
}

/// A function as a value.
fn capture(module: &str, name: &str, arity: u8) -> String {
    let function = function(name);
    match function.contains('\\') {
        true => format!("Function.capture({module}, {}, {arity})", atom(name)),
        false => format!("&{module}.{function}/{arity}"),
    }
}

/// The name of a module of Elixir.
fn alias(name: &str) -> Option<&str> {
    let path = name.strip_prefix(ELIXIR)?;
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_uppercase())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    (path.split('.').all(is_part) && !path.starts_with(ELIXIR) && path != "Elixir").then_some(path)
}

#[cfg(test)]
mod tests {
    use crate::{Atom, Language, Map, Notation, Structs, Term};

    fn written(term: &str) -> String {
        let notation = Notation { language: Language::Elixir, ..Notation::ERLANG };
        notation.term(&Term::read(term).expect(term))
    }

    #[test]
    fn atoms_strings_and_lists() {
        assert_eq!(
            written("[a, nil, true, 'Elixir.Shop.Item', 'a b', '+', 'A', 'Elixir.shop']"),
            "[:a, nil, true, Shop.Item, :\"a b\", :+, :A, :\"Elixir.shop\"]"
        );
        assert_eq!(written("[{a, 1}, {'b c', 2}]"), "[a: 1, \"b c\": 2]");
        assert_eq!(written("[{'Elixir.Shop', 1}]"), "[{Shop, 1}]");
        assert_eq!(written("[{a, 1}|b]"), "[{:a, 1} | :b]");
        assert_eq!(written("<<\"a#{b}\\\"\\n\">>"), "\"a\\#{b}\\\"\\n\"");
        assert_eq!(written("{\"text\", <<1, 1:3>>, <<>>, [], {}}"), "{~c\"text\", <<1, 1::3>>, \"\", [], {}}");
        assert_eq!(written("#{a => 1, <<\"b\">> => 2.0}"), "%{:a => 1, \"b\" => 2.0}");
        assert_eq!(
            written("fun(3) -> a; (#{}) -> b; (_) -> nil end"),
            "fn 3 -> :a; x1 when x1 === %{} -> :b; _ -> nil end"
        );
        assert_eq!(written("fun lists:sort/1"), "&:lists.sort/1");
    }

    #[test]
    fn a_struct_is_one_only_with_all_its_fields() {
        let term = |text: &str| Term::read(text).expect(text);
        let mut structs = Structs::default();
        structs.add(Atom::new("Elixir.Shop"), &term("#{'__struct__' => 'Elixir.Shop', price => nil}"));
        let notation = Notation { language: Language::Elixir, structs: &structs };
        let shop = "#{'__struct__' => 'Elixir.Shop', price => 0}";
        assert_eq!(notation.term(&term(shop)), "%Shop{price: 0}");
        let without = Map::from_pairs([(Term::atom_named("__struct__"), Term::atom_named("Elixir.Shop"))]);
        assert_eq!(notation.term(&Term::map(without)), "%{__struct__: Shop}");
        assert_eq!(written(shop), "%{__struct__: Shop, price: 0}");
    }
}
