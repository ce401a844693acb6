//! Equality of compound terms that the program built: one question about all their marked parts together.
//!
//! Asked part by part, each part before the first difference would be a decision of its own; and where the parts that
//! carry no marks differ already, nothing needs to be asked at all.

use constraint::{Expr, Test};
use ops::Comparison;
use term::Term;

use super::compare::goes_on;
use super::pin::is_marked;
use super::watch::Watch;

/// Why a comparison is not one question.
enum Stop {
    /// Parts without marks differ.
    Apart,
    /// Maps and funs are compared by rules of their own.
    Special,
}

impl Watch<'_> {
    /// True if two terms that carry no marks themselves are equal; both are cells, or tuples of the same size. Whether
    /// that was one question or none.
    pub fn equal_as_a_whole(&mut self, question: Comparison, a: &Term, b: &Term) -> bool {
        let mut open = Vec::new();
        match self.open_parts(question, a, b, &mut open) {
            Err(Stop::Special) => return false,
            Err(Stop::Apart) => return true,
            Ok(()) => {}
        }
        let mut tests = Vec::with_capacity(open.len());
        for (x, y) in open {
            let test = self.part_test(question, x, y);
            match self.recorder.facts.settled(&self.recorder.arena, test) {
                Some(true) => {}
                Some(false) => return true,
                None => tests.push((test, x, y)),
            }
        }
        match &tests[..] {
            [] => true,
            [(test, x, y)] => {
                self.ask(0, *test, goes_on(question, x, y));
                true
            }
            _ => {
                self.ask_all(question, &tests);
                true
            }
        }
    }

    fn ask_all(&mut self, question: Comparison, tests: &[(Test, &Term, &Term)]) {
        let holds = tests.iter().all(|(_, x, y)| goes_on(question, x, y));
        let (left, right) = tests.iter().filter_map(|(test, ..)| sides(*test)).unzip();
        let arena = &mut self.recorder.arena;
        let (left, right) = (arena.tuple(left), arena.tuple(right));
        let exact = tests.iter().all(|(test, ..)| matches!(test, Test::Same(..)));
        self.ask(0, if exact { Test::Same(left, right) } else { Test::Equal(left, right) }, holds);
        if holds && !self.recorder.truncated {
            tests.iter().for_each(|(test, ..)| self.recorder.facts.learn(&self.recorder.arena, *test, true));
        }
    }

    fn part_test(&mut self, question: Comparison, x: &Term, y: &Term) -> Test {
        let (x, y) = (self.expr(x), self.expr(y));
        let (x, y) = if self.recorder.arena.as_literal(x).is_some() { (y, x) } else { (x, y) };
        if question == Comparison::Same || self.is_exact(x, y) { Test::Same(x, y) } else { Test::Equal(x, y) }
    }

    /// The pairs of parts of which one carries a mark.
    fn open_parts<'t>(
        &self,
        question: Comparison,
        a: &'t Term,
        b: &'t Term,
        open: &mut Vec<(&'t Term, &'t Term)>,
    ) -> Result<(), Stop> {
        if a.mark().is_some() || b.mark().is_some() {
            open.push((a, b));
            // The decision here must not depend on values: a turned answer has to meet the same question.
            return if self.is_open(a) || self.is_open(b) { Err(Stop::Special) } else { Ok(()) };
        }
        match (a, b) {
            (Term::Cons(..), Term::Cons(..)) => term::deeper(|| self.open_cells(question, a, b, open)),
            (Term::Tuple(_, x), Term::Tuple(_, y)) if x.len() == y.len() => {
                term::deeper(|| x.iter().zip(y.iter()).try_for_each(|(x, y)| self.open_parts(question, x, y, open)))
            }
            (Term::Map(..), Term::Map(..)) | (Term::Fun(..), Term::Fun(..)) if is_marked(a) || is_marked(b) => {
                Err(Stop::Special)
            }
            _ if goes_on(question, a, b) => Ok(()),
            _ => Err(Stop::Apart),
        }
    }

    fn open_cells<'t>(
        &self,
        question: Comparison,
        a: &'t Term,
        b: &'t Term,
        open: &mut Vec<(&'t Term, &'t Term)>,
    ) -> Result<(), Stop> {
        let (mut a, mut b) = (a, b);
        while let (Term::Cons(_, x), Term::Cons(_, y)) = (a, b)
            && !a.mark().is_some()
            && !b.mark().is_some()
        {
            if std::rc::Rc::ptr_eq(x, y) {
                return Ok(());
            }
            self.open_parts(question, &x.head, &y.head, open)?;
            (a, b) = (&x.tail, &y.tail);
        }
        self.open_parts(question, a, b, open)
    }
}

fn sides(test: Test) -> Option<(Expr, Expr)> {
    match test {
        Test::Same(x, y) | Test::Equal(x, y) => Some((x, y)),
        _ => None,
    }
}
