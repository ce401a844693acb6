//! Reading functions given by a table: clauses of constants, and a last one that takes every argument.

use super::lex::Token;
use super::{Reader, Result};
use crate::{Row, Table, Term, holds_fun};

impl Reader<'_> {
    /// The rest of a term after `fun`.
    pub(super) fn table(&mut self) -> Result<Term> {
        let mut rows: Vec<Row> = Vec::new();
        loop {
            let (arity, args) = self.head()?;
            if rows.first().is_some_and(|row| row.args.len() != arity) {
                return self.error("clauses with different numbers of arguments");
            }
            self.expect("->")?;
            let result = self.nested()?;
            let Some(args) = args else { return self.last_clause(arity, rows, result) };
            rows.push(Row { args, result });
            if self.is("end") {
                return self.error("the last clause of a fun must take every argument");
            }
            self.expect(";")?;
        }
    }

    fn last_clause(&mut self, arity: usize, rows: Vec<Row>, default: Term) -> Result<Term> {
        self.expect("end")?;
        match u8::try_from(arity).ok().and_then(|arity| Table::new(arity, rows, default)) {
            Some(table) => Ok(Term::table(table)),
            None => self.error(format!("a fun of more than {} arguments", Table::MAX_ARITY)),
        }
    }

    /// Arguments and guard of a clause: how many, and which, unless it takes every argument.
    fn head(&mut self) -> Result<(usize, Option<Box<[Term]>>)> {
        self.expect("(")?;
        let mut args: Vec<std::result::Result<Term, String>> = Vec::new();
        while !self.is(")") {
            if !args.is_empty() {
                self.expect(",")?;
            }
            args.push(self.parameter()?);
        }
        self.expect(")")?;
        if self.accept("when")? {
            self.guard(&mut args)?;
        }
        let arity = args.len();
        let known: Vec<Term> = args.into_iter().filter_map(std::result::Result::ok).collect();
        match known.len() {
            0 => Ok((arity, None)),
            _ if known.iter().any(holds_fun) => self.error("no clause can be written for a function as argument"),
            known_count if known_count == arity => Ok((arity, Some(known.into()))),
            _ => self.error("a clause must name all its arguments or none"),
        }
    }

    /// A constant, or the name of a variable.
    fn parameter(&mut self) -> Result<std::result::Result<Term, String>> {
        if let Token::Variable(name) = &self.token {
            let name = name.clone();
            self.advance()?;
            return Ok(Err(name));
        }
        self.nested().map(Ok)
    }

    /// `X =:= Constant, Y =:= Constant`.
    fn guard(&mut self, args: &mut [std::result::Result<Term, String>]) -> Result<()> {
        loop {
            let Token::Variable(name) = self.token.clone() else { return self.unexpected("a variable") };
            let Some(arg) = args.iter_mut().find(|arg| arg.as_ref().is_err_and(|known| *known == name)) else {
                return self.error(format!("the variable {name} is no argument, or compared twice"));
            };
            self.advance()?;
            self.expect("=:=")?;
            *arg = Ok(self.nested()?);
            if !self.accept(",")? {
                return Ok(());
            }
        }
    }
}
