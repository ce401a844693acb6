//! Functions given by a table, as source: `fun(3) -> 42; (_) -> 0 end`.

use std::fmt;

use super::Printer;
use crate::{Row, Table, Term};

impl Printer<'_> {
    pub(super) fn table(&mut self, table: &Table) -> fmt::Result {
        self.out.write_str("fun")?;
        for row in table.rows() {
            self.row(row)?;
            self.out.write_str("; ")?;
        }
        let rest = vec!["_"; usize::from(table.arity())].join(", ");
        write!(self.out, "({rest}) -> ")?;
        self.nested(table.default())?;
        self.out.write_str(" end")
    }

    /// A map in a pattern would match larger ones, too: those arguments are compared in a guard.
    fn row(&mut self, row: &Row) -> fmt::Result {
        let patterns = self.style.of_patterns();
        let style = std::mem::replace(&mut self.style, patterns);
        self.out.write_char('(')?;
        for (at, arg) in row.args.iter().enumerate() {
            self.out.write_str(if at == 0 { "" } else { ", " })?;
            if holds_map(arg) {
                write!(self.out, "X{}", at + 1)?;
            } else {
                self.nested(arg)?;
            }
        }
        self.out.write_char(')')?;
        let guarded = row.args.iter().enumerate().filter(|(_, arg)| holds_map(arg));
        for (count, (at, arg)) in guarded.enumerate() {
            self.out.write_str(if count == 0 { " when " } else { ", " })?;
            write!(self.out, "X{} =:= ", at + 1)?;
            self.nested(arg)?;
        }
        self.style = style;
        self.out.write_str(" -> ")?;
        self.nested(&row.result)
    }
}

fn holds_map(term: &Term) -> bool {
    term.any(|part| matches!(part, Term::Map(..)))
}
