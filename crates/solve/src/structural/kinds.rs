//! Sets of kinds of terms, in the order that terms of different kinds have.

use std::ops::{BitAnd, BitOr, Sub};

use term::{HandleKind, Term};

/// A set of kinds; the bits stand in the order of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds(u16);

impl Kinds {
    pub const NONE: Kinds = Kinds(0);
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
    pub const NUMBER: Kinds = Kinds(0b11);
    pub const LIST: Kinds = Kinds(0b11 << 9);
    pub const COMPOUND: Kinds = Kinds(1 << 7 | 1 << 10);

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

    pub fn of_handle(kind: HandleKind) -> Kinds {
        match kind {
            HandleKind::Reference => Kinds::REFERENCE,
            HandleKind::Port => Kinds::PORT,
            HandleKind::Pid => Kinds::PID,
        }
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }

    pub fn has(self, other: Kinds) -> bool {
        self.0 & other.0 == other.0
    }

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
    }
}
