//! Taking marked values apart: what is found inside is an expression of the whole.

use std::cmp::Ordering;

use constraint::{Expr, Op, Test, Type};
use term::{Mfa, Term, number};

use super::natives::operation;
use super::watch::{Watch, mark_of, part};

const IS_TUPLE: u32 = 1;
const SIZE: u32 = 2;
const IS_INTEGER: u32 = 3;
const BEFORE_FIRST: u32 = 4;
/// The places follow.
const AFTER_LAST: u32 = 5;

/// The last place that is asked for.
const MOST_PLACES: i64 = 64;

impl Watch<'_> {
    /// Asks whether a marked value is a list cell.
    pub fn is_cons(&mut self, value: &Term) {
        if let Some(expr) = mark_of(value) {
            self.ask(0, Test::Cons(expr), matches!(value, Term::Cons(..)));
        }
    }

    /// Asks whether a marked value is a tuple of that size.
    pub fn is_tuple_of(&mut self, value: &Term, size: usize) {
        if let (Some(expr), Ok(wanted)) = (mark_of(value), u32::try_from(size)) {
            let holds = value.as_tuple().is_some_and(|items| items.len() == size);
            self.ask(0, Test::Tuple(expr, wanted), holds);
        }
    }

    pub fn head(&mut self, whole: Expr, head: Term) -> Term {
        part(head, || self.recorder.arena.head(whole).mark())
    }

    pub fn tail(&mut self, whole: Expr, tail: Term) -> Term {
        part(tail, || self.recorder.arena.tail(whole).mark())
    }

    pub fn element(&mut self, whole: Expr, at: usize, item: Term) -> Term {
        part(item, || self.recorder.arena.element(whole, at as u32).mark())
    }

    /// Asks how large a tuple is: its elements are in reach afterwards.
    pub fn spread_tuple(&mut self, value: &Term) {
        let Some(expr) = mark_of(value) else { return };
        let items = value.as_tuple();
        self.ask(IS_TUPLE, Test::Type(expr, Type::Tuple), items.is_some());
        if let Some(items) = items {
            self.ask(SIZE, Test::Tuple(expr, items.len() as u32), true);
        }
    }

    /// A tuple whose elements carry their own marks, if it is one.
    pub fn open_tuple(&mut self, value: &Term) -> Term {
        self.spread_tuple(value);
        match (mark_of(value), value.as_tuple()) {
            (Some(expr), Some(items)) => {
                let items = items.iter().enumerate().map(|(at, item)| self.element(expr, at, item.clone()));
                Term::tuple(items.collect::<Vec<_>>())
            }
            _ => value.clone(),
        }
    }

    /// `element(I, T)`: what the result stands for by its place.
    pub fn element_at(&mut self, place: &Term, tuple: &Term) -> Option<Expr> {
        if place.mark().is_some() {
            self.spread_tuple(tuple);
            self.position(operation("element", 2), place, tuple.as_tuple()?.len());
        }
        let expr = mark_of(tuple)?;
        // A place that no tuple has fails whatever the tuple is.
        let at = u32::try_from(place.as_i64()?.checked_sub(1)?).ok()?;
        self.has_element(expr, tuple, at);
        let item = tuple.as_tuple()?.get(at as usize)?;
        if item.mark().is_some() { None } else { Some(self.recorder.arena.element(expr, at)) }
    }

    /// Asks whether something is a tuple with an element there; how large it is does not matter.
    fn has_element(&mut self, expr: Expr, tuple: &Term, at: u32) {
        let items = tuple.as_tuple();
        self.ask(IS_TUPLE, Test::Type(expr, Type::Tuple), items.is_some());
        let Some(items) = items else { return };
        let count = at.saturating_add(1);
        if self.recorder.facts.has_elements(&self.recorder.arena, expr, count).is_some() {
            return;
        }
        let size = self.recorder.arena.apply(Op::TupleSize, &[expr]);
        let least = self.recorder.integer(i64::from(count));
        let has = items.len() >= count as usize;
        self.ask(SIZE, Test::Less(size, least), !has);
        if has {
            self.recorder.facts.learn_elements(&self.recorder.arena, expr, count);
        }
    }

    /// Asks which place of `size` a value is, one after the other, so that the next question depends on the answers
    /// alone. A place far behind is held to its value.
    pub fn position(&mut self, function: Mfa, place: &Term, size: usize) {
        let Some(expr) = mark_of(place) else { return };
        self.ask(IS_INTEGER, Test::Type(expr, Type::Integer), place.is_integer());
        if !place.is_integer() {
            return;
        }
        let most = size as i64;
        let found = place.as_i64().filter(|at| (1..=most).contains(at));
        let (first, last) = (self.recorder.integer(1), self.recorder.integer(most));
        self.ask(BEFORE_FIRST, Test::Less(expr, first), number::sign(place).is_none_or(|sign| !sign.is_gt()));
        if number::sign(place).is_some_and(Ordering::is_gt) {
            self.ask(AFTER_LAST, Test::Less(last, expr), found.is_none());
        }
        for at in 1..=found.unwrap_or(0).min(MOST_PLACES) {
            let literal = self.recorder.integer(at);
            self.ask(AFTER_LAST + at as u32, Test::Same(expr, literal), found == Some(at));
        }
        if found.is_some_and(|at| at > MOST_PLACES) {
            self.pin_all(function, [place]);
        }
    }

    pub fn tuple_size(&mut self, tuple: &Term) -> Option<Expr> {
        let expr = mark_of(tuple)?;
        let is_tuple = tuple.as_tuple().is_some();
        self.ask(IS_TUPLE, Test::Type(expr, Type::Tuple), is_tuple);
        is_tuple.then(|| self.recorder.arena.apply(Op::TupleSize, &[expr]))
    }
}
