//! Functions given by a table, as Elixir: `fn 3 -> 42; _ -> 0 end`.

use super::ElixirWriter;
use crate::{Row, Table, Term};

impl ElixirWriter<'_> {
    pub(super) fn table(&mut self, table: &Table) {
        self.put("fn ");
        for row in table.rows() {
            self.row(row);
            self.put("; ");
        }
        let rest = vec!["_"; usize::from(table.arity())].join(", ");
        self.put(&if rest.is_empty() { "-> ".to_owned() } else { format!("{rest} -> ") });
        self.term(table.default());
        self.put(" end");
    }

    /// A map in a pattern would match larger ones, too: those arguments are compared in a guard.
    fn row(&mut self, row: &Row) {
        let is_guarded = |term: &Term| term.any(|part| matches!(part, Term::Map(..) | Term::Handle(..)));
        let patterns = self.style.of_patterns();
        let style = std::mem::replace(&mut self.style, patterns);
        for (at, arg) in row.args.iter().enumerate() {
            self.put(if at == 0 { "" } else { ", " });
            if is_guarded(arg) {
                self.put(&format!("x{}", at + 1));
            } else {
                self.term(arg);
            }
        }
        let guarded = row.args.iter().enumerate().filter(|(_, arg)| is_guarded(arg));
        for (count, (at, arg)) in guarded.enumerate() {
            self.put(if count == 0 { " when " } else { " and " });
            self.put(&format!("x{} === ", at + 1));
            self.term(arg);
        }
        self.style = style;
        self.put(" -> ");
        self.term(&row.result);
    }
}
