//! Questions about equality, order and types.
//!
//! Compound terms that the program built are compared part by part, as the comparison itself goes: the parts before the
//! first difference are equal, and the first difference decides.

use constraint::{Expr, Test, Type};
use term::Term;

use super::kinds::Kinds;
use super::watch::{Watch, mark_of};
use crate::forward::code::{Relation, Type as Kind};

/// How much stack a recursive step may need, and how much more to take when less is left.
const RED_ZONE: usize = 64 << 10;
const STACK_STEP: usize = 4 << 20;

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    Same,
    Equal,
    Less,
}

impl Question {
    /// Whether the answer on the first parts leaves the others to be asked.
    fn goes_on(self, a: &Term, b: &Term) -> bool {
        match self {
            Question::Same => a == b,
            Question::Equal | Question::Less => a.num_eq(b),
        }
    }
}

impl Watch<'_> {
    pub fn relation(&mut self, relation: Relation, a: &Term, b: &Term) {
        match relation {
            Relation::Less | Relation::GreaterOrEqual => self.less(a, b),
            Relation::Greater | Relation::LessOrEqual => self.less(b, a),
            Relation::Equal | Relation::NotEqual => self.equal(a, b),
            Relation::Same | Relation::NotSame => self.same(a, b),
        }
    }

    pub fn same(&mut self, a: &Term, b: &Term) {
        self.compare(Question::Same, a, b);
    }

    pub fn equal(&mut self, a: &Term, b: &Term) {
        self.compare(Question::Equal, a, b);
    }

    pub fn less(&mut self, a: &Term, b: &Term) {
        self.compare(Question::Less, a, b);
    }

    fn compare(&mut self, question: Question, a: &Term, b: &Term) {
        if a.mark().is_some() || b.mark().is_some() {
            return self.compare_marked(question, a, b);
        }
        match (a, b) {
            (Term::Cons(..), Term::Cons(..)) => {
                stacker::maybe_grow(RED_ZONE, STACK_STEP, || self.compare_lists(question, a, b));
            }
            (Term::Tuple(_, x), Term::Tuple(_, y)) if x.len() == y.len() && !x.same(y) => {
                stacker::maybe_grow(RED_ZONE, STACK_STEP, || self.compare_rows(question, x, y));
            }
            (Term::Map(..), Term::Map(..)) | (Term::Fun(..), Term::Fun(..)) => {
                self.pin_all(super::natives::operation("=:=", 2), [a, b]);
            }
            _ => {}
        }
    }

    fn compare_marked(&mut self, question: Question, a: &Term, b: &Term) {
        let (x, y) = (self.expr(a), self.expr(b));
        match question {
            Question::Same => self.ask(0, Test::Same(x, y), a == b),
            Question::Equal if self.is_exact(x, y) => self.ask(0, Test::Same(x, y), a == b),
            Question::Equal => self.ask(0, Test::Equal(x, y), a.num_eq(b)),
            Question::Less => self.ask(0, Test::Less(x, y), a.compare(b).is_lt()),
        }
    }

    /// Whether `==` of these is the same as `=:=`: both are integers, or one has no numbers in it.
    fn is_exact(&self, x: Expr, y: Expr) -> bool {
        let kinds = |expr| self.recorder.facts.kinds(&self.recorder.arena, expr);
        let plain = |kinds: Kinds| kinds.is_within(Kinds::PLAIN);
        let (x, y) = (kinds(x), kinds(y));
        plain(x) || plain(y) || x == Kinds::INTEGER && y == Kinds::INTEGER
    }

    /// Asks about parts that are not the last ones: equal parts decide nothing.
    fn compare_part(&mut self, question: Question, a: &Term, b: &Term) {
        if question != Question::Less {
            return self.compare(question, a, b);
        }
        self.compare(Question::Equal, a, b);
        if !a.num_eq(b) {
            self.compare(Question::Less, a, b);
        }
    }

    fn compare_rows(&mut self, question: Question, a: &[Term], b: &[Term]) {
        for (x, y) in a.iter().zip(b) {
            self.compare_part(question, x, y);
            if !question.goes_on(x, y) {
                return;
            }
        }
    }

    fn compare_lists(&mut self, question: Question, a: &Term, b: &Term) {
        let (mut a, mut b) = (a, b);
        while let (Term::Cons(_, x), Term::Cons(_, y)) = (a, b)
            && !a.mark().is_some()
            && !b.mark().is_some()
            && !std::rc::Rc::ptr_eq(x, y)
        {
            self.compare_part(question, &x.head, &y.head);
            if !question.goes_on(&x.head, &y.head) {
                return;
            }
            (a, b) = (&x.tail, &y.tail);
        }
        let shared = matches!((a, b), (Term::Cons(_, x), Term::Cons(_, y)) if std::rc::Rc::ptr_eq(x, y));
        if !shared || a.mark() != b.mark() {
            self.compare(question, a, b);
        }
    }

    /// A type test.
    pub fn of_type(&mut self, kind: Kind, value: &Term) {
        if let Some(expr) = mark_of(value) {
            let wanted = type_of(kind);
            self.ask(0, Test::Type(expr, wanted), constraint::is_of(value, wanted));
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

pub fn type_of(kind: Kind) -> Type {
    match kind {
        Kind::Atom => Type::Atom,
        Kind::Boolean => Type::Boolean,
        Kind::Integer => Type::Integer,
        Kind::Float => Type::Float,
        Kind::Number => Type::Number,
        Kind::List => Type::List,
        Kind::Tuple => Type::Tuple,
        Kind::Map => Type::Map,
        Kind::Binary => Type::Binary,
        Kind::Bitstring => Type::Bitstring,
        Kind::Function => Type::Function,
        Kind::Pid => Type::Pid,
        Kind::Port => Type::Port,
        Kind::Reference => Type::Reference,
    }
}
