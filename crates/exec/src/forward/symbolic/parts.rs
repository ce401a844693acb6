//! Taking marked values apart: what is found inside is an expression of the whole.

use constraint::{Expr, Op, Test, Type};
use term::Term;

use super::watch::{Watch, part};

const IS_TUPLE: u32 = 1;
const SIZE: u32 = 2;
const IS_INTEGER: u32 = 3;
const FIRST_PLACE: u32 = 4;

/// Tuples of so many elements cannot be made.
const LARGEST_TUPLE: usize = 1 << 24;

impl Watch<'_> {
    /// Asks whether a marked value is a list cell.
    pub fn is_cons(&mut self, value: &Term) {
        if let Some(expr) = self.expr_of(value) {
            self.ask(0, Test::Cons(expr), matches!(value, Term::Cons(..)));
        }
    }

    /// Asks whether a marked value is a tuple of that size.
    pub fn is_tuple_of(&mut self, value: &Term, size: usize) {
        if let (Some(expr), Ok(wanted)) = (self.expr_of(value), u32::try_from(size)) {
            let holds = value.as_tuple().is_some_and(|items| items.len() == size);
            self.ask(0, Test::Tuple(expr, wanted), holds);
        }
    }

    /// The head of a list, marked as such.
    pub fn head(&mut self, whole: Expr, head: Term) -> Term {
        part(head, || self.recorder.arena.head(whole).mark())
    }

    /// The tail of a list, marked as such.
    pub fn tail(&mut self, whole: Expr, tail: Term) -> Term {
        part(tail, || self.recorder.arena.tail(whole).mark())
    }

    /// The element of a tuple, marked as such.
    pub fn element(&mut self, whole: Expr, at: usize, item: Term) -> Term {
        part(item, || self.recorder.arena.element(whole, at as u32).mark())
    }

    /// Asks how large a tuple is: its elements are in reach afterwards.
    pub fn spread_tuple(&mut self, value: &Term) {
        self.is(IS_TUPLE, value, Type::Tuple);
        if let (Some(expr), Some(items)) = (self.expr_of(value), value.as_tuple()) {
            self.ask(SIZE, Test::Tuple(expr, items.len() as u32), true);
        }
    }

    /// A tuple whose elements carry their own marks, if it is one.
    pub fn open_tuple(&mut self, value: &Term) -> Term {
        self.spread_tuple(value);
        match (self.expr_of(value), value.as_tuple()) {
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
            self.position(place, tuple.as_tuple()?.len());
        }
        let expr = self.expr_of(tuple)?;
        // A place that no tuple has fails for every tuple.
        let at = u32::try_from(place.as_i64()?.checked_sub(1)?).ok()?;
        self.has_element(expr, tuple, at);
        let item = tuple.as_tuple()?.get(at as usize)?;
        if item.mark().is_some() { None } else { Some(self.recorder.arena.element(expr, at)) }
    }

    /// Asks whether something is a tuple with an element there; how large it is does not matter.
    pub fn has_element(&mut self, expr: Expr, tuple: &Term, at: u32) {
        self.is(IS_TUPLE, tuple, Type::Tuple);
        let Some(items) = tuple.as_tuple() else { return };
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

    /// Asks which place from 1 to `last` a value is, if any: they are halved until one is left, so that the questions
    /// and their order depend on the answers alone.
    pub fn position(&mut self, place: &Term, last: usize) {
        let Some(expr) = self.expr_of(place) else { return };
        if !self.is(IS_INTEGER, place, Type::Integer)
            || self.is_place_below(expr, place, 1)
            || !self.is_place_below(expr, place, last + 1)
        {
            return;
        }
        let (mut low, mut above) = (1, last + 1);
        while above - low > 1 {
            let middle = low + (above - low) / 2;
            if self.is_place_below(expr, place, middle) { above = middle } else { low = middle }
        }
    }

    fn is_place_below(&mut self, expr: Expr, place: &Term, bound: usize) -> bool {
        // Each place is a branch of its own, as a clause for it would be.
        self.is_below(FIRST_PLACE.saturating_add(bound as u32), expr, place, bound as i64)
    }

    /// Asks how large something is to be made: an integer, not negative, and which one.
    pub fn size_wanted(&mut self, size: &Term) {
        let Some(expr) = self.expr_of(size) else { return };
        if self.is(IS_INTEGER, size, Type::Integer)
            && !self.is_place_below(expr, size, 0)
            && self.is_place_below(expr, size, LARGEST_TUPLE)
        {
            self.steer(expr);
        }
    }

    /// The expression of `tuple_size/1`.
    pub fn tuple_size(&mut self, tuple: &Term) -> Option<Expr> {
        let expr = self.expr_of(tuple)?;
        self.is(IS_TUPLE, tuple, Type::Tuple).then(|| self.recorder.arena.apply(Op::TupleSize, &[expr]))
    }
}
