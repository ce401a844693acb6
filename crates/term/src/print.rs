//! Terms as text: as source that can be pasted into the shell, and exactly as the VM's `~w` writes them.

mod float;
pub(crate) mod fold;
mod name;
mod other;
mod table;

use std::fmt::{self, Write};
use std::rc::Rc;

pub use float::float_text;
pub(crate) use name::RESERVED;

use crate::etf::{FunParts, fun_parts};
use crate::{Atom, Bits, Closure, Fun, Handle, HandleKind, Map, Term, large};

/// A style of writing terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Text for people: lists and binaries of printable characters as strings.
    Source,
    /// The same, to paste: names of processes, ports and references are made by calls.
    Paste,
    /// The same, with large values as expressions that make them.
    Folded,
    /// The VM's `~w`: no strings, atoms beyond Latin-1 escaped.
    Plain,
    /// The VM's `~tw`: no strings, atoms as they are.
    PlainUnicode,
}

impl Style {
    /// The style of patterns and guards, where no call may stand.
    pub(crate) fn of_patterns(self) -> Style {
        if self == Style::Folded { Style::Paste } else { self }
    }
}

impl Term {
    /// The term as text.
    pub fn write(&self, style: Style) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_to(&mut out, style);
        out
    }

    /// Writes the term as text.
    pub fn write_to(&self, out: &mut dyn Write, style: Style) -> fmt::Result {
        Printer { out, style }.term(self)
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f, Style::Source)
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f, Style::Source)
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer { out: f, style: Style::Source }.bits(self)
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer { out: f, style: Style::Source }.map(self)
    }
}

impl fmt::Debug for Fun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer { out: f, style: Style::Source }.fun(self)
    }
}

struct Printer<'a> {
    out: &'a mut dyn Write,
    style: Style,
}

impl Printer<'_> {
    fn term(&mut self, term: &Term) -> fmt::Result {
        match term {
            Term::Nil(_) => self.out.write_str("[]"),
            Term::Int(_, value) => write!(self.out, "{value}"),
            Term::Big(_, value) => self.out.write_str(&large::digits(value, 10)),
            Term::Float(_, value) => self.out.write_str(&float_text(*value)),
            Term::Atom(_, atom) => self.atom(*atom),
            Term::Cons(..) => self.list(term),
            Term::Tuple(_, items) => self.tuple(items),
            Term::Map(_, map) => self.map(map),
            Term::Bits(_, bits) => self.bits(bits),
            Term::Fun(_, fun) => self.fun(fun),
            Term::Handle(_, handle) => self.handle(handle),
        }
    }

    fn is_source(&self) -> bool {
        matches!(self.style, Style::Source | Style::Paste | Style::Folded)
    }

    fn handle(&mut self, handle: &Handle) -> fmt::Result {
        let maker = match handle.kind {
            HandleKind::Pid => "list_to_pid",
            HandleKind::Port => "list_to_port",
            HandleKind::Reference => "list_to_ref",
        };
        match self.style {
            Style::Paste | Style::Folded => write!(self.out, "{maker}(\"{handle}\")"),
            _ => write!(self.out, "{handle}"),
        }
    }

    fn nested(&mut self, term: &Term) -> fmt::Result {
        crate::depth::deeper(|| self.term(term))
    }

    fn atom(&mut self, atom: Atom) -> fmt::Result {
        name::write_atom(self.out, atom.name(), self.style == Style::Plain)
    }

    /// The VM quotes names inside funs by other rules, which do not read back.
    fn fun_name(&mut self, atom: Atom) -> fmt::Result {
        if self.is_source() { self.atom(atom) } else { name::write_native_atom(self.out, atom.name()) }
    }

    fn list(&mut self, list: &Term) -> fmt::Result {
        if self.style == Style::Folded && self.folded_list(list)? {
            return Ok(());
        }
        if self.is_source()
            && let Some(text) = printable_list(list)
        {
            return name::write_quoted(self.out, &text, '"', false);
        }
        self.out.write_char('[')?;
        let mut cells = list.cells();
        self.separated(cells.by_ref())?;
        if !matches!(cells.rest(), Term::Nil(_)) {
            self.out.write_char('|')?;
            self.nested(cells.rest())?;
        }
        self.out.write_char(']')
    }

    fn tuple(&mut self, items: &[Term]) -> fmt::Result {
        self.out.write_char('{')?;
        self.separated(items)?;
        self.out.write_char('}')
    }

    fn separated<'t>(&mut self, items: impl IntoIterator<Item = &'t Term>) -> fmt::Result {
        for (at, item) in items.into_iter().enumerate() {
            self.out.write_str(if at > 0 { "," } else { "" })?;
            self.nested(item)?;
        }
        Ok(())
    }

    fn map(&mut self, map: &Map) -> fmt::Result {
        let order: Option<Rc<[Term]>> = if map.len() > Map::SMALL { map.iteration_order() } else { None };
        self.out.write_str("#{")?;
        match order {
            None => map.iter().enumerate().try_for_each(|(at, (key, value))| self.entry(at, key, value))?,
            // Printing walks with an iterator, and iterators walk large maps backwards.
            Some(keys) => keys
                .iter()
                .rev()
                .filter_map(|key| Some((key, map.get(key)?)))
                .enumerate()
                .try_for_each(|(at, (key, value))| self.entry(at, key, value))?,
        }
        self.out.write_char('}')
    }

    fn entry(&mut self, at: usize, key: &Term, value: &Term) -> fmt::Result {
        if at > 0 {
            self.out.write_char(',')?;
        }
        self.nested(key)?;
        self.out.write_str(" => ")?;
        self.nested(value)
    }

    fn bits(&mut self, bits: &Bits) -> fmt::Result {
        if self.style == Style::Folded && self.folded_bits(bits)? {
            return Ok(());
        }
        self.out.write_str("<<")?;
        match printable_binary(bits).filter(|_| self.is_source()) {
            Some((text, suffix)) => {
                name::write_quoted(self.out, &text, '"', false)?;
                self.out.write_str(suffix)?;
            }
            None => self.segments(bits)?,
        }
        self.out.write_str(">>")
    }

    fn segments(&mut self, bits: &Bits) -> fmt::Result {
        let (whole, over) = (bits.bit_len() / 8, bits.bit_len() % 8);
        for at in 0..whole {
            let comma = if at > 0 { "," } else { "" };
            write!(self.out, "{comma}{}", bits.read_u64(at * 8, 8))?;
        }
        if over > 0 {
            let comma = if whole > 0 { "," } else { "" };
            write!(self.out, "{comma}{}:{over}", bits.read_u64(whole * 8, over))?;
        }
        Ok(())
    }

    fn fun(&mut self, fun: &Fun) -> fmt::Result {
        match fun {
            Fun::External(mfa) => {
                self.out.write_str("fun ")?;
                self.fun_name(mfa.module)?;
                self.out.write_char(':')?;
                self.fun_name(mfa.function)?;
                write!(self.out, "/{}", mfa.arity)
            }
            Fun::Closure(closure) => write!(self.out, "{closure}"),
            Fun::Foreign { module, etf, .. } => {
                let FunParts { index, uniq, .. } = fun_parts(etf);
                write_closure(self.out, *module, index, uniq)
            }
            Fun::Table(table) if self.is_source() => self.table(table),
            Fun::Table(table) => write_closure(self.out, fun.module(), table.index(), 0),
        }
    }
}

/// Closures cannot be pasted, so they look in every style as the VM prints them.
fn write_closure(out: &mut dyn Write, module: Atom, index: u32, uniq: u32) -> fmt::Result {
    out.write_str("#Fun<")?;
    name::write_native_atom(out, module.name())?;
    write!(out, ".{index}.{uniq}>")
}

impl fmt::Display for Closure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_closure(f, self.module, self.index, self.uniq)
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |at: usize| self.words.get(at).copied().unwrap_or(0);
        match self.kind {
            HandleKind::Pid => write!(f, "<0.{}.{}>", word(0), word(1)),
            HandleKind::Port => write!(f, "#Port<0.{}>", u64::from(word(1)) << 32 | u64::from(word(0))),
            HandleKind::Reference => {
                f.write_str("#Ref<0")?;
                self.words.iter().rev().try_for_each(|word| write!(f, ".{word}"))?;
                f.write_char('>')
            }
        }
    }
}

/// True for characters that the shell shows as text: printable Latin-1 and control characters with an escape.
fn is_printable(point: u32) -> bool {
    matches!(point, 32..=126 | 160..=255 | 8..=13 | 27)
}

/// A proper, not empty list of printable characters, as text.
fn printable_list(list: &Term) -> Option<String> {
    let mut cells = list.cells();
    let text = cells
        .by_ref()
        .map(|head| head.as_i64().and_then(|point| u32::try_from(point).ok()).filter(|&point| is_printable(point)))
        .map(|point| point.and_then(char::from_u32))
        .collect::<Option<String>>()?;
    matches!(cells.rest(), Term::Nil(_)).then_some(text)
}

/// The text a binary shows as, and the type that stands behind it.
fn printable_binary(bits: &Bits) -> Option<(String, &'static str)> {
    if bits.is_empty() || !bits.is_binary() {
        return None;
    }
    let bytes = bits.to_bytes();
    let printable = |&byte: &u8| is_printable(u32::from(byte)).then_some(char::from(byte));
    let latin = || bytes.iter().map(printable).collect::<Option<String>>();
    match std::str::from_utf8(&bytes) {
        Ok(text) if text.is_ascii() => latin().map(|text| (text, "")),
        Ok(text) => text.chars().all(|c| is_printable(u32::from(c))).then(|| (text.to_owned(), "/utf8")),
        Err(_) => latin().map(|text| (text, "")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Call;

    fn source(text: &str) -> String {
        Term::read(text).expect(text).to_string()
    }

    #[test]
    fn text_where_the_shell_shows_text() {
        assert_eq!(source("[104,105]"), "\"hi\"");
        assert_eq!(source("[104,955]"), "[104,955]");
        assert_eq!(source("<<104,105>>"), "<<\"hi\">>");
        assert_eq!(source("<<195,169>>"), "<<\"é\"/utf8>>");
        assert_eq!(source("<<233>>"), "<<\"é\">>");
        assert_eq!(source("<<0,1:3>>"), "<<0,1:3>>");
        assert_eq!(source("'hello world'"), "'hello world'");
        assert_eq!(source("[a|b]"), "[a|b]");
    }

    #[test]
    fn plain_style_shows_none() {
        let term = Term::read("{\"hi\", <<\"hi\">>, 'λ'}").expect("a term");
        assert_eq!(term.write(Style::Plain), "{[104,105],<<104,105>>,'\\x{3BB}'}");
        assert_eq!(term.write(Style::PlainUnicode), "{[104,105],<<104,105>>,'λ'}");
    }

    #[test]
    fn calls_and_names() {
        let call = Call::read("m:'F'(1)").expect("a call");
        assert_eq!(format!("{call} {call:?} {}", crate::Class::Throw), "m:'F'(1) m:'F'(1) throw");
    }
}
