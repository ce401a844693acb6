//! Sets of kinds of terms, in the order that terms of different kinds have.

use std::ops::{BitAnd, BitOr, Sub};

use term::{HandleKind, Term};

use crate::{Arena, Expr, Node, Op, Type};

/// A set of kinds; the bits stand in the order of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds(u16);

impl Kinds {
    /// The empty set.
    pub const NONE: Kinds = Kinds(0);
    /// Integers of any size.
    pub const INTEGER: Kinds = Kinds(1);
    /// Floats.
    pub const FLOAT: Kinds = Kinds(1 << 1);
    /// Atoms, booleans among them.
    pub const ATOM: Kinds = Kinds(1 << 2);
    /// References.
    pub const REFERENCE: Kinds = Kinds(1 << 3);
    /// Funs of any arity.
    pub const FUN: Kinds = Kinds(1 << 4);
    /// Ports.
    pub const PORT: Kinds = Kinds(1 << 5);
    /// Process identifiers.
    pub const PID: Kinds = Kinds(1 << 6);
    /// Tuples of any size.
    pub const TUPLE: Kinds = Kinds(1 << 7);
    /// Maps.
    pub const MAP: Kinds = Kinds(1 << 8);
    /// The empty list.
    pub const NIL: Kinds = Kinds(1 << 9);
    /// List cells.
    pub const CONS: Kinds = Kinds(1 << 10);
    /// Bitstrings, binaries among them.
    pub const BITS: Kinds = Kinds(1 << 11);
    /// Every kind.
    pub const ALL: Kinds = Kinds((1 << 12) - 1);
    /// Integers and floats.
    pub const NUMBER: Kinds = Kinds(0b11);
    /// The empty list and list cells.
    pub const LIST: Kinds = Kinds(0b11 << 9);
    /// Tuples and list cells, whose parts have places of their own.
    pub const COMPOUND: Kinds = Kinds(1 << 7 | 1 << 10);
    /// Kinds in which no number can be.
    pub const PLAIN: Kinds = Kinds(1 << 2 | 1 << 3 | 1 << 5 | 1 << 6 | 1 << 9 | 1 << 11);

    /// Returns the kind of a term.
    pub fn of(term: &Term) -> Kinds {
        match term {
            Term::Int(..) | Term::Big(..) => Kinds::INTEGER,
            Term::Float(..) => Kinds::FLOAT,
            Term::Atom(..) => Kinds::ATOM,
            Term::Handle(_, handle) => Kinds::of_handle(handle.kind),
            Term::Fun(..) => Kinds::FUN,
            Term::Tuple(..) => Kinds::TUPLE,
            Term::Map(..) => Kinds::MAP,
            Term::Nil(..) => Kinds::NIL,
            Term::Cons(..) => Kinds::CONS,
            Term::Bits(..) => Kinds::BITS,
        }
    }

    /// Returns the kind of a pid, port or reference.
    pub fn of_handle(kind: HandleKind) -> Kinds {
        match kind {
            HandleKind::Reference => Kinds::REFERENCE,
            HandleKind::Port => Kinds::PORT,
            HandleKind::Pid => Kinds::PID,
        }
    }

    /// Returns the kinds that can be of a type.
    pub fn possible(of: Type) -> Kinds {
        match of {
            Type::Atom | Type::Boolean => Kinds::ATOM,
            Type::Integer => Kinds::INTEGER,
            Type::Float => Kinds::FLOAT,
            Type::Number => Kinds::NUMBER,
            Type::List | Type::ProperList | Type::Text => Kinds::LIST,
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

    /// Returns the kinds that always are of a type.
    pub fn certain(of: Type) -> Kinds {
        match of {
            Type::Boolean | Type::Binary | Type::LongText(_) => Kinds::NONE,
            Type::ProperList | Type::Text => Kinds::NIL,
            other => Kinds::possible(other),
        }
    }

    /// Returns the kinds whose terms can be equal to these as `==` has it: an integer may equal a float.
    pub fn equals(self) -> Kinds {
        if self.meets(Kinds::NUMBER) { self | Kinds::NUMBER } else { self }
    }

    /// Returns true if every term of these kinds stands before every one of those, false if after; nothing if that
    /// depends.
    pub fn before(self, other: Kinds) -> Option<bool> {
        if self.is_empty() || other.is_empty() || self.equals().meets(other.equals()) {
            return None;
        }
        let ((first, last), (other_first, other_last)) = (self.ranks(), other.ranks());
        (last < other_first).then_some(true).or((other_last < first).then_some(false))
    }

    /// Returns true if no kind is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if one kind is in the set.
    pub fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }

    /// Returns true if all kinds of another set are in this one.
    pub fn has(self, other: Kinds) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns true if the sets have a kind in common.
    pub fn meets(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    /// Each kind of the set, in the order of types.
    pub fn each(self) -> impl Iterator<Item = Kinds> {
        (0..12).map(|at| Kinds(1 << at)).filter(move |kind| self.has(*kind))
    }

    /// The places of the first and the last kind in the order of types, where integers and floats share one.
    pub fn ranks(self) -> (u32, u32) {
        (rank(self.0.trailing_zeros()), rank(15 - self.0.leading_zeros().min(15)))
    }

    /// The kinds that do not come after that place.
    pub fn up_to(self, last: u32) -> Kinds {
        Kinds(self.0 & ((1u32 << (last + 2)) - 1) as u16)
    }

    /// The kinds that do not come before that place.
    pub fn from(self, first: u32) -> Kinds {
        if first == 0 { self } else { Kinds(self.0 & !(((1u32 << (first + 1)) - 1) as u16)) }
    }
}

impl Arena {
    /// Returns the kinds that an expression can be of by its own form.
    pub fn kinds(&self, expr: Expr) -> Kinds {
        match self.node(expr) {
            Node::Literal(term) => Kinds::of(term),
            Node::Cons(..) => Kinds::CONS,
            Node::Tuple(_) | Node::Opaque(..) => Kinds::TUPLE,
            Node::Apply(Op::Float(op), _) if op.gives_float() => Kinds::FLOAT,
            Node::Apply(..) | Node::Bits { .. } => Kinds::INTEGER,
            Node::Atom(_) => Kinds::ATOM,
            Node::Name(_) => Kinds::LIST,
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
}

fn rank(bit: u32) -> u32 {
    bit.saturating_sub(1)
}

impl BitAnd for Kinds {
    type Output = Kinds;
    fn bitand(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }
}

impl BitOr for Kinds {
    type Output = Kinds;
    fn bitor(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }
}

impl Sub for Kinds {
    type Output = Kinds;
    fn sub(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_share_a_place_in_the_order() {
        assert_eq!(Kinds::NUMBER.ranks(), (0, 0));
        assert_eq!((Kinds::FLOAT | Kinds::TUPLE).ranks(), (0, 6));
        assert_eq!(Kinds::ALL.up_to(0), Kinds::NUMBER);
        assert_eq!(Kinds::ALL.from(1), Kinds::ALL - Kinds::NUMBER);
        assert_eq!(Kinds::ALL.from(0), Kinds::ALL);
        assert_eq!(Kinds::ALL.up_to(1), Kinds::NUMBER | Kinds::ATOM);
        assert_eq!(Kinds::ALL.from(10), Kinds::BITS);
        assert_eq!(Kinds::FLOAT.before(Kinds::ATOM | Kinds::BITS), Some(true));
        assert_eq!(Kinds::CONS.before(Kinds::NIL), Some(false));
        assert_eq!(Kinds::FLOAT.before(Kinds::INTEGER), None);
        assert_eq!(Kinds::TUPLE.before(Kinds::INTEGER | Kinds::BITS), None);
    }
}
