//! Pinning: marked values are held to their concrete values where there is no symbolic rule.

use constraint::{Expr, Test};
use term::{Closure, Fun, Mark, Mfa, Term};

use super::watch::Watch;

/// True if a part of a compound term is wanted: an element of a list or tuple, a key or value, a captured value; or the
/// end of a list, which is its first tail that is no cell or carries a mark.
pub fn any_part(term: &Term, wanted: &mut dyn FnMut(&Term) -> bool) -> bool {
    match term {
        Term::Cons(_, first) => term::deeper(|| {
            let mut cell = first;
            loop {
                if wanted(&cell.head) {
                    return true;
                }
                match &cell.tail {
                    Term::Cons(Mark::NONE, next) => cell = next,
                    end => return wanted(end),
                }
            }
        }),
        Term::Tuple(_, items) => term::deeper(|| items.iter().any(wanted)),
        Term::Map(_, map) => term::deeper(|| map.iter().any(|(key, value)| wanted(key) || wanted(value))),
        Term::Fun(_, fun) => match &**fun {
            Fun::Closure(closure) => term::deeper(|| closure.captured.iter().any(wanted)),
            _ => false,
        },
        _ => false,
    }
}

/// True if a term is a process, port or reference, or has one in it.
pub fn has_handle(term: &Term) -> bool {
    matches!(term, Term::Handle(..)) || any_part(term, &mut has_handle)
}

/// True if a term or something in it carries a mark.
pub fn is_marked(term: &Term) -> bool {
    term.mark().is_some() || any_part(term, &mut is_marked)
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
        Term::Fun(_, fun) if let Fun::Closure(closure) = &**fun => {
            Term::fun(Fun::Closure(Closure { captured: closure.captured.iter().map(unmarked).collect(), ..*closure }))
        }
        other => other.clone().with_mark(Mark::NONE),
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

    /// Holds the marked parts of a term to their values; returns true if there were any.
    pub fn pin(&mut self, term: &Term) -> bool {
        if let Some(expr) = self.expr_of(term) {
            self.pin_expr(expr, term);
            return true;
        }
        let mut found = false;
        any_part(term, &mut |part| {
            found |= self.pin(part);
            false
        });
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
        if let Term::Fun(..) = term {
            self.pin(term);
            return;
        }
        any_part(term, &mut |part| {
            self.pin_opaque(part);
            false
        });
    }
}
