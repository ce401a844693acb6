//! Reading terms and calls from Erlang source text.

mod binary;
mod cursor;
mod lex;
mod table;

pub use self::cursor::{Cursor, ReadError};
use self::lex::Token;
use crate::{Call, Fun, Map, Mfa, Term, number};

type Result<T> = std::result::Result<T, ReadError>;

impl Term {
    /// Reads one term; a full stop may follow it, and nothing else.
    pub fn read(text: &str) -> Result<Term> {
        let mut reader = Reader::new(text)?;
        let term = reader.term()?;
        reader.end()?;
        Ok(term)
    }
}

impl Call {
    /// Reads `m:f(Args)` where the arguments are plain terms.
    pub fn read(text: &str) -> Result<Call> {
        let mut reader = Reader::new(text)?;
        let module = reader.atom("a module name")?;
        reader.expect(":")?;
        let function = reader.atom("a function name")?;
        reader.expect("(")?;
        let args = reader.sequence(")")?;
        reader.end()?;
        Ok(Call { module, function, args })
    }
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    /// The next token and where it begins.
    token: Token,
    at: usize,
    /// The bits that sizes may still ask for: what is written out is bounded by the text, a size is not.
    room: usize,
}

/// The most bits that all sizes of a text together may ask for.
const MAX_BITS: usize = 1 << 30;

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Result<Self> {
        let mut reader = Reader { cursor: Cursor::new(text, 1), token: Token::End, at: 0, room: MAX_BITS };
        reader.advance()?;
        Ok(reader)
    }

    /// Takes the next token and looks at the one after it.
    fn advance(&mut self) -> Result<Token> {
        let (next, at) = self.cursor.token()?;
        self.at = at;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn error<T>(&self, problem: impl Into<String>) -> Result<T> {
        Err(self.cursor.error_at(self.at, problem))
    }

    fn unexpected<T>(&self, wanted: &str) -> Result<T> {
        self.error(format!("{wanted} expected, {} found", self.token))
    }

    fn is(&self, sign: &str) -> bool {
        matches!(&self.token, Token::Sign(found) if *found == sign)
    }

    /// Takes the sign if it is next.
    fn accept(&mut self, sign: &str) -> Result<bool> {
        let found = self.is(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, sign: &str) -> Result<()> {
        if self.accept(sign)? { Ok(()) } else { self.unexpected(&format!("'{sign}'")) }
    }

    fn end(&mut self) -> Result<()> {
        self.accept(".")?;
        if self.token == Token::End { Ok(()) } else { self.unexpected("the end of the text") }
    }

    fn atom(&mut self, wanted: &str) -> Result<crate::Atom> {
        match self.token {
            Token::Atom(atom) => {
                self.advance()?;
                Ok(atom)
            }
            _ => self.unexpected(wanted),
        }
    }

    fn nested(&mut self) -> Result<Term> {
        crate::depth::deeper(|| self.term())
    }

    fn term(&mut self) -> Result<Term> {
        match &self.token {
            Token::Number(_) | Token::Atom(_) => self.literal(),
            Token::String(_) => Ok(Term::string(&self.strings()?)),
            Token::Sign("-" | "+") => self.signed(),
            Token::Sign("[") => self.list(),
            Token::Sign("{") => self.tuple(),
            Token::Sign("#") => self.map(),
            Token::Sign("<<") => self.binary(),
            Token::Sign("(") => self.parenthesis(),
            Token::Sign("fun") => self.fun(),
            Token::Variable(name) => {
                self.error(format!("no term begins with {:?}", name.chars().next().unwrap_or('_')))
            }
            _ => self.unexpected("a term"),
        }
    }

    fn literal(&mut self) -> Result<Term> {
        match self.advance()? {
            Token::Number(value) => Ok(value),
            Token::Atom(atom) => Ok(Term::atom(atom)),
            _ => self.unexpected("a literal"),
        }
    }

    /// Neighbouring strings are one.
    fn strings(&mut self) -> Result<String> {
        let mut text = String::new();
        while let Token::String(part) = &self.token {
            text.push_str(part);
            self.advance()?;
        }
        Ok(text)
    }

    fn signed(&mut self) -> Result<Term> {
        let minus = self.is("-");
        self.advance()?;
        if !matches!(self.token, Token::Number(_)) {
            return self.unexpected("a number");
        }
        let value = self.literal()?;
        Ok(if minus { number::neg(&value).unwrap_or(value) } else { value })
    }

    fn parenthesis(&mut self) -> Result<Term> {
        self.expect("(")?;
        let term = self.nested()?;
        self.expect(")")?;
        Ok(term)
    }

    /// Items with commas between them up to the closing sign.
    fn separated(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        if self.accept(close)? {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.accept(close)? {
                return Ok(());
            }
            if !self.accept(",")? {
                return self.unexpected(&format!("',' or '{close}'"));
            }
        }
    }

    /// Terms with commas between them up to the closing sign.
    fn sequence(&mut self, close: &str) -> Result<Vec<Term>> {
        let mut items = Vec::new();
        self.separated(close, |reader| {
            items.push(reader.nested()?);
            Ok(())
        })?;
        Ok(items)
    }

    fn tuple(&mut self) -> Result<Term> {
        self.expect("{")?;
        Ok(Term::tuple(self.sequence("}")?))
    }

    fn list(&mut self) -> Result<Term> {
        self.expect("[")?;
        if self.accept("]")? {
            return Ok(Term::nil());
        }
        let mut items = vec![self.nested()?];
        while self.accept(",")? {
            items.push(self.nested()?);
        }
        let tail = if self.accept("|")? { self.nested()? } else { Term::nil() };
        if !self.accept("]")? {
            return self.unexpected("',', '|' or ']'");
        }
        Ok(Term::list_with_tail(items, tail))
    }

    fn map(&mut self) -> Result<Term> {
        self.expect("#")?;
        self.expect("{")?;
        let mut map = Map::new();
        self.separated("}", |reader| {
            let key = reader.nested()?;
            reader.expect("=>")?;
            map.insert_mut(key, reader.nested()?);
            Ok(())
        })?;
        Ok(Term::map(map))
    }

    fn fun(&mut self) -> Result<Term> {
        self.expect("fun")?;
        if self.is("(") {
            return self.table();
        }
        let module = self.atom("a module name")?;
        self.expect(":")?;
        let function = self.atom("a function name")?;
        self.expect("/")?;
        let Token::Number(Term::Int(_, arity @ 0..=255)) = self.token else {
            return self.unexpected("an arity up to 255");
        };
        self.advance()?;
        Ok(Term::fun(Fun::External(Mfa { module, function, arity: arity as u8 })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Term::read(text).expect_err(text).to_string()
    }

    #[test]
    fn errors_say_where_and_what() {
        assert_eq!(error(""), "1:1: a term expected, the end of the text found");
        assert_eq!(error("[1,\n 2"), "2:3: ',', '|' or ']' expected, the end of the text found");
        assert_eq!(error("{a,}"), "1:4: a term expected, '}' found");
        assert_eq!(error("{é, X}"), "1:5: no term begins with 'X'");
        assert_eq!(error("\"abc"), "1:1: no closing \"");
        assert_eq!(error("1 2"), "1:3: the end of the text expected, 2 found");
        assert_eq!(error("#{a => 1, b}"), "1:12: '=>' expected, '}' found");
        assert_eq!(error("37#1"), "1:1: the base of a number must be from 2 to 36");
        assert_eq!(error("<<1:99999999999999>>"), "1:19: 99999999999999 is no size up to 1073741824");
        assert_eq!(error("<<a>>"), "1:4: a does not fit its segment");
        assert_eq!(error("1.0e999"), "1:1: the float 1.0e999 is too large");
        assert_eq!(error("fun m:f/256"), "1:9: an arity up to 255 expected, 256 found");
        assert_eq!(error(&format!("'{}'", "a".repeat(256))), "1:1: an atom longer than 255 characters");
    }

    #[test]
    fn calls() {
        let call = Call::read("lists:'my fun'( 1, [a] ).").expect("a call");
        assert_eq!(call.to_string(), "lists:'my fun'(1, [a])");
        assert_eq!(Call::read("m:f()").map(|call| call.args.len()), Ok(0));
        assert_eq!(
            Call::read("m:f(").expect_err("open").to_string(),
            "1:5: a term expected, the end of the text found"
        );
        assert_eq!(Call::read("f(1)").expect_err("no module").to_string(), "1:2: ':' expected, '(' found");
    }
}
