//! Lists whose cells an operation walks.

use constraint::{Expr, Op, Test, Type};
use term::{Term, cut};

use super::watch::Watch;

const IS_CELL: u32 = 1;
const IS_END: u32 = 2;
const IS_PROPER: u32 = 3;

impl Watch<'_> {
    /// A list of the same elements whose cells carry no marks: each was asked for, and each element has its mark.
    /// The list must turn out to be proper or not: its end is asked for, too.
    pub fn open_list(&mut self, list: &Term) -> Term {
        let mut items = Vec::new();
        let mut rest = list.clone();
        let mut touched = false;
        while let Term::Cons(_, cell) = &rest {
            let (mut head, mut tail) = (cell.head.clone(), cell.tail.clone());
            if let Some(expr) = self.expr_of(&rest) {
                touched = true;
                self.ask(IS_CELL, Test::Cons(expr), true);
                head = self.head(expr, head);
                tail = self.tail(expr, tail);
            }
            cut::tick();
            if items.len() == items.capacity() {
                cut::reserve(items.len() * size_of::<Term>());
            }
            items.push(head);
            rest = tail;
        }
        if let Some(expr) = self.expr_of(&rest) {
            touched = true;
            self.ask_end(expr, &rest);
        }
        if !touched {
            return list.clone();
        }
        let end = if matches!(rest, Term::Nil(_)) { Term::nil() } else { rest };
        Term::list_with_tail(items, end)
    }

    fn ask_end(&mut self, expr: Expr, rest: &Term) {
        self.ask(IS_CELL, Test::Cons(expr), false);
        let nil = self.recorder.arena.literal(Term::nil());
        self.ask(IS_END, Test::Same(expr, nil), matches!(rest, Term::Nil(_)));
    }

    /// `length(L)`: one question, however long the list is.
    pub fn length(&mut self, list: &Term) -> Option<Expr> {
        let mut rest = list;
        let mut cells: i64 = 0;
        while let (Term::Cons(_, cell), false) = (rest, rest.mark().is_some()) {
            cells += 1;
            rest = &cell.tail;
        }
        let expr = self.expr_of(rest)?;
        let proper = constraint::is_of(rest, Type::ProperList);
        self.ask(IS_PROPER, Test::Type(expr, Type::ProperList), proper);
        let arena = &mut self.recorder.arena;
        proper.then(|| {
            let length = arena.apply(Op::Length, &[expr]);
            let before = arena.integer(cells);
            arena.apply(Op::Add, &[length, before])
        })
    }
}
