//! Templates of calls, which are Erlang, filled in as Elixir.

use term::{Atom, Notation, Term};

use super::Value;

/// Fills a template; nothing if it is of another form than those that domains make.
pub(super) fn fill(template: &str, args: &[Value], result: &str, notation: Notation<'_>) -> Option<String> {
    let mut reader = TemplateReader { rest: template, args, result, notation };
    let text = reader.expression()?;
    reader.rest.is_empty().then_some(text)
}

/// Reads calls, elements of tuples, arguments and the result.
struct TemplateReader<'a> {
    rest: &'a str,
    args: &'a [Value],
    result: &'a str,
    notation: Notation<'a>,
}

impl TemplateReader<'_> {
    fn take(&mut self, wanted: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(wanted)?;
        Some(())
    }

    fn expression(&mut self) -> Option<String> {
        if self.rest.starts_with('#') {
            return self.argument();
        }
        if !self.result.is_empty() && self.take("R").is_some() {
            return Some(self.result.to_owned());
        }
        if self.take("element(").is_some() {
            let at = self.number()?.checked_sub(1)?;
            self.take(", ")?;
            let tuple = self.expression()?;
            self.take(")")?;
            return Some(format!("elem({tuple}, {at})"));
        }
        let module = self.atom()?;
        self.take(":")?;
        if self.take("(").is_some() {
            let function = self.expression()?;
            self.take(")")?;
            let args = self.arguments()?;
            return Some(format!("apply({}, {function}, [{}])", self.notation.module(module), args.join(", ")));
        }
        let function = self.atom()?;
        let args = self.arguments()?;
        Some(self.notation.applied(module, function, &args))
    }

    fn arguments(&mut self) -> Option<Vec<String>> {
        self.take("(")?;
        let mut args = Vec::new();
        while self.take(")").is_none() {
            if !args.is_empty() {
                self.take(", ")?;
            }
            args.push(self.expression()?);
        }
        Some(args)
    }

    fn argument(&mut self) -> Option<String> {
        self.take("#")?;
        let arg = self.args.get(self.number()?.checked_sub(1)?)?;
        let is_first = self.rest.starts_with('s');
        self.rest = self.rest.strip_prefix(['s', 'd']).unwrap_or(self.rest);
        Some(arg.part(is_first).to_owned())
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.chars().take_while(char::is_ascii_digit).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        number.parse().ok()
    }

    /// A name, in quotes or not.
    fn atom(&mut self) -> Option<Atom> {
        let end = match self.rest.strip_prefix('\'') {
            None => self.rest.find([':', '(']),
            Some(quoted) => {
                let mut is_escaped = false;
                let end = quoted.char_indices().find(|(_, c)| {
                    let is_end = *c == '\'' && !is_escaped;
                    is_escaped = *c == '\\' && !is_escaped;
                    is_end
                });
                end.map(|(end, _)| end + 2)
            }
        };
        let (name, rest) = self.rest.split_at(end?);
        self.rest = rest;
        Term::read(name).ok()?.as_atom()
    }
}
