//! Pinning: marked values are held to their concrete values where there is no symbolic rule.

use constraint::{Expr, Test};
use term::{Fun, Mfa, Term};

use super::watch::Watch;

/// True if a term or something in it carries a mark.
pub fn is_marked(term: &Term) -> bool {
    if term.mark().is_some() {
        return true;
    }
    match term {
        Term::Cons(..) => term::deeper(|| list_is_marked(term)),
        Term::Tuple(_, items) => term::deeper(|| items.iter().any(is_marked)),
        Term::Map(_, map) => term::deeper(|| map.iter().any(|(key, value)| is_marked(key) || is_marked(value))),
        Term::Fun(_, fun) => match &**fun {
            Fun::Closure(closure) => term::deeper(|| closure.captured.iter().any(is_marked)),
            _ => false,
        },
        _ => false,
    }
}

fn list_is_marked(list: &Term) -> bool {
    let mut rest = list;
    while let Term::Cons(_, cell) = rest {
        if is_marked(&cell.head) || cell.tail.mark().is_some() {
            return true;
        }
        rest = &cell.tail;
    }
    is_marked(rest)
}

/// The same value without any mark, in it or on it.
pub fn unmarked(term: &Term) -> Term {
    if !is_marked(term) {
        return term.clone();
    }
    term::deeper(|| match term {
        Term::Cons(..) => {
            let mut cells = term.cells();
            let items: Vec<Term> = cells.by_ref().map(unmarked).collect();
            Term::list_with_tail(items, unmarked(cells.rest()))
        }
        Term::Tuple(_, items) => Term::tuple(items.iter().map(unmarked).collect::<Vec<_>>()),
        Term::Map(_, map) => {
            Term::map(term::Map::from_pairs(map.iter().map(|(key, value)| (unmarked(key), unmarked(value)))))
        }
        // Marks of captured values play no part when funs are compared or printed.
        other => other.clone().with_mark(term::Mark::NONE),
    })
}

impl Watch<'_> {
    /// Holds every marked part of the terms to its value; records the gap if there was one.
    pub fn pin_all<'t>(&mut self, function: Mfa, terms: impl IntoIterator<Item = &'t Term>) {
        let mut found = false;
        for term in terms {
            found |= self.pin(term);
        }
        if found {
            self.gap(function);
        }
    }

    /// Holds the marked parts of a term to their values; whether there were any.
    pub fn pin(&mut self, term: &Term) -> bool {
        if let Some(expr) = self.expr_of(term) {
            self.pin_expr(expr, term);
            return true;
        }
        match term {
            Term::Cons(..) | Term::Tuple(..) | Term::Map(..) | Term::Fun(..) => term::deeper(|| self.pin_parts(term)),
            _ => false,
        }
    }

    fn pin_parts(&mut self, term: &Term) -> bool {
        let mut found = false;
        match term {
            Term::Cons(..) => {
                let mut rest = term;
                while let (Term::Cons(_, cell), false) = (rest, rest.mark().is_some()) {
                    found |= self.pin(&cell.head);
                    rest = &cell.tail;
                }
                found |= !matches!(rest, Term::Cons(term::Mark::NONE, _)) && self.pin(rest);
            }
            Term::Tuple(_, items) => items.iter().for_each(|item| found |= self.pin(item)),
            Term::Map(_, map) => map.iter().for_each(|(key, value)| {
                found |= self.pin(key);
                found |= self.pin(value);
            }),
            Term::Fun(_, fun) => {
                if let Fun::Closure(closure) = &**fun {
                    closure.captured.iter().for_each(|item| found |= self.pin(item));
                }
            }
            _ => {}
        }
        found
    }

    /// Holds a marked value to what it is.
    pub fn pin_expr(&mut self, expr: Expr, value: &Term) {
        if self.recorder.arena.is_made_map(expr) {
            return self.pin_made(expr);
        }
        let literal = self.recorder.arena.literal(unmarked(value));
        self.step(u32::MAX, Test::Same(expr, literal), true, true);
    }

    /// The expression of a term. Marks inside funs have no place in an expression: they are held to their values.
    pub fn expr(&mut self, term: &Term) -> Expr {
        if let Some(expr) = self.expr_of(term) {
            return expr;
        }
        match term {
            Term::Cons(..) | Term::Tuple(..) | Term::Map(..) if is_marked(term) => {
                self.pin_opaque(term);
                return self.recorder.arena.of_term(term);
            }
            Term::Fun(..) => self.pin_opaque(term),
            Term::Int(_, value) => return self.recorder.integer(*value),
            _ => {}
        }
        self.recorder.arena.literal(unmarked(term))
    }

    /// Holds the marked parts of funs inside a term to their values.
    fn pin_opaque(&mut self, term: &Term) {
        if term.mark().is_some() {
            return;
        }
        match term {
            Term::Fun(..) => {
                self.pin(term);
            }
            Term::Map(_, map) => term::deeper(|| {
                map.iter().for_each(|(key, value)| {
                    self.pin_opaque(key);
                    self.pin_opaque(value);
                });
            }),
            Term::Tuple(_, items) => {
                term::deeper(|| items.iter().for_each(|item| self.pin_opaque(item)));
            }
            Term::Cons(..) => term::deeper(|| {
                let mut rest = term;
                while let (Term::Cons(_, cell), false) = (rest, rest.mark().is_some()) {
                    self.pin_opaque(&cell.head);
                    rest = &cell.tail;
                }
                if !matches!(rest, Term::Cons(..)) {
                    self.pin_opaque(rest);
                }
            }),
            _ => {}
        }
    }
}
