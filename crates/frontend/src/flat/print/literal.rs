//! Printing literals as Core Erlang writes them.

use term::{Bits, Fun, Map, Term, float_text};

use super::Printer;

impl Printer<'_> {
    /// Prints an atom.
    pub fn atom(&mut self, name: &str) {
        self.text(&atom(name));
    }

    /// Prints a literal.
    pub fn literal(&mut self, term: &Term) {
        term::deeper(|| match term {
            Term::Nil(_) => self.text("[]"),
            Term::Int(_, value) => self.text(&value.to_string()),
            Term::Big(_, value) => self.text(&value.to_string()),
            Term::Float(_, value) => self.text(&float_text(*value)),
            Term::Atom(_, atom) => self.atom(atom.name()),
            Term::Cons(..) => self.list(term),
            Term::Tuple(_, items) => {
                self.text("{");
                self.separated(items.iter(), Printer::literal);
                self.text("}");
            }
            Term::Map(_, map) => self.map_literal(map),
            Term::Bits(_, bits) => self.bits_literal(bits),
            Term::Fun(_, fun) => self.fun_literal(fun),
            Term::Handle(..) => self.text("'a pid, port or reference'"),
        });
    }

    fn list(&mut self, list: &Term) {
        if let Some(text) = plain_text(list) {
            return self.text(&string(&text));
        }
        let mut cells = list.cells();
        self.text("[");
        self.separated(cells.by_ref(), Printer::literal);
        if !matches!(cells.rest(), Term::Nil(_)) {
            self.text("|");
            self.literal(cells.rest());
        }
        self.text("]");
    }

    fn map_literal(&mut self, map: &Map) {
        self.text("~{");
        self.separated(map.iter(), |printer, (key, value)| {
            printer.literal(key);
            printer.text("=>");
            printer.literal(value);
        });
        self.text("}~");
    }

    fn bits_literal(&mut self, bits: &Bits) {
        let mut sizes = vec![8; bits.bit_len() / 8];
        sizes.extend(Some(bits.bit_len() % 8).filter(|rest| *rest > 0));
        self.text("#{");
        self.separated(sizes.into_iter().enumerate(), |printer, (at, size)| {
            let value = bits.read_u64(at * 8, size);
            printer.text(&format!("#<{value}>({size},1,'integer',['unsigned'|['big']])"));
        });
        self.text("}#");
    }

    /// The text form has no literal for functions; this call is what the compiler itself begins with.
    fn fun_literal(&mut self, fun: &Fun) {
        match fun {
            Fun::External(mfa) => {
                let (module, function) = (atom(mfa.module.name()), atom(mfa.function.name()));
                self.text(&format!("call 'erlang':'make_fun' ({module},{function},{})", mfa.arity));
            }
            _ => self.text("'a closure'"),
        }
    }
}

/// The characters of a list that is best read as text.
fn plain_text(list: &Term) -> Option<String> {
    let mut cells = list.cells();
    let character = |item: &Term| match item {
        Term::Int(_, code @ 32..=126) => Some(*code as u8 as char),
        _ => None,
    };
    let text: String = cells.by_ref().map(character).collect::<Option<_>>()?;
    (matches!(cells.rest(), Term::Nil(_))).then_some(text)
}

/// An atom. The compiler's scanner takes the bytes between the quotes as UTF-8.
pub fn atom(name: &str) -> String {
    quoted(name, '\'')
}

/// A list of characters; the scanner takes every byte of a string for one, so others than ASCII are numbers.
pub fn string(text: &str) -> String {
    match text.is_ascii() {
        true => quoted(text, '"'),
        false => format!("[{}]", text.chars().map(|c| (c as u32).to_string()).collect::<Vec<_>>().join(",")),
    }
}

fn quoted(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            '\0'..='\x1f' | '\x7f' => out.push_str(&format!("\\{:03o}", c as u32)),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}
