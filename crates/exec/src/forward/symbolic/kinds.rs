//! Sets of kinds of terms: what an expression can still be.

use constraint::{Arena, Expr, Node, Op, Type};
use term::{HandleKind, Term};

/// A set of kinds, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds(pub u16);

impl Kinds {
    pub const INTEGER: Kinds = Kinds(1);
    pub const FLOAT: Kinds = Kinds(1 << 1);
    pub const ATOM: Kinds = Kinds(1 << 2);
    pub const REFERENCE: Kinds = Kinds(1 << 3);
    pub const FUN: Kinds = Kinds(1 << 4);
    pub const PORT: Kinds = Kinds(1 << 5);
    pub const PID: Kinds = Kinds(1 << 6);
    pub const TUPLE: Kinds = Kinds(1 << 7);
    pub const MAP: Kinds = Kinds(1 << 8);
    pub const NIL: Kinds = Kinds(1 << 9);
    pub const CONS: Kinds = Kinds(1 << 10);
    pub const BITS: Kinds = Kinds(1 << 11);
    pub const ALL: Kinds = Kinds((1 << 12) - 1);
    /// Kinds in which no number can be.
    pub const PLAIN: Kinds = Kinds(1 << 2 | 1 << 3 | 1 << 5 | 1 << 6 | 1 << 9 | 1 << 11);
    const NUMBER: Kinds = Kinds(3);

    pub fn of(term: &Term) -> Kinds {
        match term {
            Term::Nil(_) => Kinds::NIL,
            Term::Int(..) | Term::Big(..) => Kinds::INTEGER,
            Term::Atom(..) => Kinds::ATOM,
            Term::Float(..) => Kinds::FLOAT,
            Term::Cons(..) => Kinds::CONS,
            Term::Tuple(..) => Kinds::TUPLE,
            Term::Bits(..) => Kinds::BITS,
            Term::Map(..) => Kinds::MAP,
            Term::Fun(..) => Kinds::FUN,
            Term::Handle(_, handle) => match handle.kind {
                HandleKind::Reference => Kinds::REFERENCE,
                HandleKind::Port => Kinds::PORT,
                HandleKind::Pid => Kinds::PID,
            },
        }
    }

    /// What an expression is by its own form.
    pub fn of_expr(arena: &Arena, expr: Expr) -> Kinds {
        match arena.node(expr) {
            Node::Literal(term) => Kinds::of(term),
            Node::Cons(..) => Kinds::CONS,
            Node::Tuple(_) | Node::Opaque(..) => Kinds::TUPLE,
            Node::Apply(Op::Float(op), _) if op.gives_float() => Kinds::FLOAT,
            Node::Apply(..) | Node::Bits { .. } => Kinds::INTEGER,
            Node::Atom(_) => Kinds::ATOM,
            Node::Name(_) => Kinds::NIL.or(Kinds::CONS),
            Node::Slice { .. } | Node::Build { .. } => Kinds::BITS,
            Node::MapPut(..) | Node::MapRemove(..) | Node::MapMerge(..) => Kinds::MAP,
            Node::Input(_)
            | Node::Head(_)
            | Node::Tail(_)
            | Node::Element(..)
            | Node::Result(..)
            | Node::MapValue(..)
            | Node::MapKey(..) => Kinds::ALL,
        }
    }

    /// The kinds that can be of a type.
    pub fn possible(kind: Type) -> Kinds {
        match kind {
            Type::Atom | Type::Boolean => Kinds::ATOM,
            Type::Integer => Kinds::INTEGER,
            Type::Float => Kinds::FLOAT,
            Type::Number => Kinds::NUMBER,
            Type::List | Type::ProperList | Type::Text => Kinds::NIL.or(Kinds::CONS),
            Type::LongText(_) => Kinds::CONS,
            Type::Tuple => Kinds::TUPLE,
            Type::Map => Kinds::MAP,
            Type::Binary | Type::Bitstring => Kinds::BITS,
            Type::Function => Kinds::FUN,
            Type::Pid => Kinds::PID,
            Type::Port => Kinds::PORT,
            Type::Reference => Kinds::REFERENCE,
        }
    }

    /// The kinds that always are of a type.
    pub fn certain(kind: Type) -> Kinds {
        match kind {
            Type::Boolean | Type::Binary | Type::LongText(_) => Kinds(0),
            Type::ProperList | Type::Text => Kinds::NIL,
            other => Kinds::possible(other),
        }
    }

    pub fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    pub fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    pub fn without(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn is_within(self, other: Kinds) -> bool {
        self.without(other).is_empty()
    }

    /// The kinds whose terms can be equal to these as `==` has it: an integer may equal a float.
    pub fn equals(self) -> Kinds {
        if self.and(Kinds::NUMBER).is_empty() { self } else { self.or(Kinds::NUMBER) }
    }

    /// Whether every term of these kinds stands before every one of those, or after; nothing if that depends.
    pub fn before(self, other: Kinds) -> Option<bool> {
        let (a, b) = (self.equals(), other.equals());
        if a.is_empty() || b.is_empty() || !a.and(b).is_empty() {
            return None;
        }
        let last = |kinds: Kinds| u16::BITS - kinds.0.leading_zeros();
        if last(a) <= b.0.trailing_zeros() {
            Some(true)
        } else if last(b) <= a.0.trailing_zeros() {
            Some(false)
        } else {
            None
        }
    }
}
