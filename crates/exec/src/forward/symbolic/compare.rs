//! Questions about equality, order and types.
//!
//! Of compound terms that the program built the order is asked part by part, as the comparison itself goes: the parts
//! before the first difference are equal, and the first difference decides. Equality is mostly one question.

use constraint::{Expr, Kinds, Test, Type};
use ops::{Comparison, Relation, Rule};
use term::{Map, Term};

use super::maps::Found;
use super::pin::is_marked;
use super::watch::Watch;
use crate::forward::machine::is_made_here;

/// Returns true if the answer on the first parts leaves the others to be asked.
pub fn goes_on(question: Comparison, a: &Term, b: &Term) -> bool {
    match question {
        Comparison::Same => a == b,
        Comparison::Equal | Comparison::Less => a.num_eq(b),
    }
}

impl Watch<'_> {
    /// Records the outcome of a relation.
    pub fn relation(&mut self, relation: Relation, a: &Term, b: &Term) {
        let (comparison, exchanged, _) = relation.parts();
        let (a, b) = if exchanged { (b, a) } else { (a, b) };
        self.compare(comparison, a, b);
    }

    /// Records whether two terms are exactly equal.
    pub fn same(&mut self, a: &Term, b: &Term) {
        self.compare(Comparison::Same, a, b);
    }

    /// Records whether two terms are equal as by `==`.
    pub fn equal(&mut self, a: &Term, b: &Term) {
        self.compare(Comparison::Equal, a, b);
    }

    /// Records whether one term is less than another.
    pub fn less(&mut self, a: &Term, b: &Term) {
        self.compare(Comparison::Less, a, b);
    }

    fn compare(&mut self, question: Comparison, a: &Term, b: &Term) {
        if a.mark().is_some() || b.mark().is_some() {
            return self.compare_marked(question, a, b);
        }
        match (a, b) {
            (Term::Cons(..), Term::Cons(..)) | (Term::Tuple(..), Term::Tuple(..))
                if question != Comparison::Less && self.equal_as_a_whole(question, a, b) => {}
            (Term::Cons(..), Term::Cons(..)) => {
                term::deeper(|| self.compare_lists(question, a, b));
            }
            (Term::Tuple(_, x), Term::Tuple(_, y)) if x.len() == y.len() && !x.same(y) => {
                term::deeper(|| self.compare_rows(question, x, y));
            }
            (Term::Map(_, x), Term::Map(_, y)) if is_marked(a) || is_marked(b) => {
                term::deeper(|| self.compare_entries(question, x, y));
            }
            // Of two of one kind another is the greater in the next run.
            (Term::Handle(_, x), Term::Handle(_, y))
                if question == Comparison::Less
                    && x.kind == y.kind
                    && x != y
                    && (is_made_here(a) || is_made_here(b)) =>
            {
                let less = Rule::Relation(Relation::Less).function(2);
                match is_made_here(a) && is_made_here(b) {
                    true => self.orders(less, vec![a.clone(), b.clone()]),
                    false => self.varying(less),
                }
            }
            (Term::Fun(..), Term::Fun(..)) => {
                self.pin_all(Rule::Relation(Relation::Same).function(2), [a, b]);
            }
            _ => {}
        }
    }

    fn compare_marked(&mut self, question: Comparison, a: &Term, b: &Term) {
        if (self.is_open(a) || self.is_open(b)) && self.is_map(a) && self.is_map(b)
            || question == Comparison::Less && self.is_certainly_map(a) && self.is_certainly_map(b)
        {
            return self.compare_maps(question, a, b);
        }
        let (x, y) = (self.expr(a), self.expr(b));
        match question {
            Comparison::Same => self.ask(0, Test::Same(x, y), a == b),
            Comparison::Equal if self.is_exact(x, y) => self.ask(0, Test::Same(x, y), a == b),
            Comparison::Equal => self.ask(0, Test::Equal(x, y), a.num_eq(b)),
            Comparison::Less => self.ask(0, Test::Less(x, y), a.compare(b).is_lt()),
        }
    }

    /// True if it is a map that the program made, so that its entries are compared.
    pub fn is_open(&self, term: &Term) -> bool {
        match self.expr_of(term) {
            Some(expr) => self.recorder.arena.is_made_map(expr),
            None => matches!(term, Term::Map(..)) && is_marked(term),
        }
    }

    fn is_certainly_map(&self, term: &Term) -> bool {
        match self.expr_of(term) {
            Some(expr) => self.recorder.facts.kinds(&self.recorder.arena, expr) == Kinds::MAP,
            None => matches!(term, Term::Map(..)),
        }
    }

    fn compare_maps(&mut self, question: Comparison, a: &Term, b: &Term) {
        if question != Comparison::Less {
            return self.compare_looked_up(question, a, b);
        }
        let entries = |watch: &mut Self, term: &Term| match watch.expr_of(term) {
            Some(expr) => watch.opened_as(expr, term),
            None => term.as_map().cloned(),
        };
        match (entries(self, a), entries(self, b)) {
            (Some(a), Some(b)) => term::deeper(|| self.compare_entries(question, &a, &b)),
            _ => self.pin_all(Rule::Relation(Relation::Same).function(2), [a, b]),
        }
    }

    /// Records whether the entries of one map, which are known or found out, are those of the other.
    fn compare_looked_up(&mut self, question: Comparison, a: &Term, b: &Term) {
        let (known, other) = if b.mark().is_some() { (a, b) } else { (b, a) };
        let entries = match self.expr_of(known) {
            Some(expr) => self.opened_as(expr, known),
            None => known.as_map().cloned(),
        };
        let (Some(entries), Some(map), Some(expr)) = (entries, other.as_map(), self.expr_of(other)) else {
            return self.pin_all(Rule::Relation(Relation::Same).function(2), [a, b]);
        };
        if !self.has_size(expr, map.len(), entries.len()) {
            return;
        }
        for (_, key) in self.known_keys(&entries) {
            let found = self.look_up(&key, other);
            let (Some(x), Some(y)) = (entries.get(&key), map.get(&key)) else { return };
            let y = match found {
                Found::Part(value) => y.clone().with_mark(value.mark()),
                _ => y.clone(),
            };
            self.compare_part(question, x, &y);
            if !goes_on(question, x, &y) {
                return;
            }
        }
    }

    /// Maps whose keys are known: their sizes, their keys, the values of these.
    fn compare_entries(&mut self, question: Comparison, a: &Map, b: &Map) {
        if a.len() != b.len() {
            return;
        }
        if question == Comparison::Less {
            return self.compare_sorted(a, b);
        }
        for (_, key) in self.known_keys(a) {
            if !self.find_among(&key, b) {
                return;
            }
            if let (Some(x), Some(y)) = (a.get(&key), b.get(&key)) {
                self.compare_part(question, x, y);
                if !goes_on(question, x, y) {
                    return;
                }
            }
        }
    }

    fn compare_sorted(&mut self, a: &Map, b: &Map) {
        self.in_order(a);
        self.in_order(b);
        for (x, y) in a.keys().zip(b.keys()) {
            self.compare(Comparison::Same, x, y);
            if x != y {
                if is_marked(x) || is_marked(y) {
                    self.is_before(x, y);
                }
                return;
            }
        }
        let values = |map: &Map| map.values().cloned().collect::<Vec<_>>();
        self.compare_rows(Comparison::Less, &values(a), &values(b));
    }

    /// True if `==` of these is the same as `=:=`: both are integers or floats, or one has no numbers in it.
    pub fn is_exact(&self, x: Expr, y: Expr) -> bool {
        let kinds = |expr| self.recorder.facts.kinds(&self.recorder.arena, expr);
        let plain = |kinds: Kinds| Kinds::PLAIN.has(kinds);
        let (x, y) = (kinds(x), kinds(y));
        plain(x) || plain(y) || x == y && (x == Kinds::INTEGER || x == Kinds::FLOAT)
    }

    /// Asks about parts that are not the last ones: equal parts decide nothing.
    fn compare_part(&mut self, question: Comparison, a: &Term, b: &Term) {
        if question != Comparison::Less {
            return self.compare(question, a, b);
        }
        self.compare(Comparison::Equal, a, b);
        if !a.num_eq(b) {
            self.compare(Comparison::Less, a, b);
        }
    }

    fn compare_rows(&mut self, question: Comparison, a: &[Term], b: &[Term]) {
        for (x, y) in a.iter().zip(b) {
            self.compare_part(question, x, y);
            if !goes_on(question, x, y) {
                return;
            }
        }
    }

    fn compare_lists(&mut self, question: Comparison, a: &Term, b: &Term) {
        let (mut a, mut b) = (a, b);
        while let (Term::Cons(_, x), Term::Cons(_, y)) = (a, b)
            && !a.mark().is_some()
            && !b.mark().is_some()
            && !std::rc::Rc::ptr_eq(x, y)
        {
            self.compare_part(question, &x.head, &y.head);
            if !goes_on(question, &x.head, &y.head) {
                return;
            }
            (a, b) = (&x.tail, &y.tail);
        }
        let shared = matches!((a, b), (Term::Cons(_, x), Term::Cons(_, y)) if std::rc::Rc::ptr_eq(x, y));
        if !shared || self.expr_of(a) != self.expr_of(b) {
            self.compare(question, a, b);
        }
    }

    /// A type test.
    pub fn of_type(&mut self, kind: Type, value: &Term) {
        if let Some(expr) = self.expr_of(value) {
            if let (Type::Binary, Some(bits), Kinds::BITS) = (kind, value.as_bits(), self.recorder.arena.kinds(expr)) {
                self.is_whole(0, expr, bits.bit_len(), 8);
                return;
            }
            self.ask(0, Test::Type(expr, kind), constraint::is_of(value, kind));
        }
    }

    /// A test against a constant that has no parts.
    #[inline]
    pub fn is_literal(&mut self, value: &Term, literal: &Term) {
        if value.mark().is_some() {
            self.same(value, literal);
        }
    }
}
