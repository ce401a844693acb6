//! Numbers as the walk computes them: integers of any size, doubles, and what has no value.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};
use term::Term;

use crate::integer::int::Int;

/// The type of a variable or constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    Integer,
    Float,
}

/// The value of an expression under an assignment. A float is always finite.
#[derive(Clone, PartialEq, Debug)]
pub enum Num {
    Int(Int),
    Float(f64),
    /// Something in it is applied where it is not defined, or became too large.
    Undefined,
}

use Num::{Float, Undefined};

impl Hash for Num {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Num::Int(value) => value.hash(state),
            // Both zeros are equal.
            Float(value) => (value + 0.0).to_bits().hash(state),
            Undefined => {}
        }
        self.kind().hash(state);
    }
}

impl Num {
    /// The integer 0.
    pub const ZERO: Num = Num::Int(Int::ZERO);

    /// The number that a term is.
    pub fn of_term(term: &Term) -> Option<Num> {
        match term {
            Term::Float(_, value) => Some(Float(*value)),
            term => term.as_bigint().map(|value| Num::Int(Int::of(&value))),
        }
    }

    /// The term of a number that is defined and finite.
    pub fn term(&self) -> Option<Term> {
        match self {
            Num::Int(Int::Small(value)) => Some(Term::int(*value)),
            Num::Int(value) => Some(Term::big(value.to_big())),
            // A step may go beyond all doubles: there is no such term.
            Float(value) => value.is_finite().then(|| Term::float(*value)),
            Undefined => None,
        }
    }

    /// Integer or float, if it is defined.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Num::Int(_) => Some(Kind::Integer),
            Float(_) => Some(Kind::Float),
            Undefined => None,
        }
    }

    /// A float, unless it is none that Erlang has.
    pub fn finite(value: f64) -> Num {
        if value.is_finite() { Float(value) } else { Undefined }
    }

    /// The nearest double, for guiding only: not a number where there is no value.
    pub fn approx(&self) -> f64 {
        match self {
            Num::Int(value) => approx(value),
            Float(value) => *value,
            Undefined => f64::NAN,
        }
    }

    /// A number of that kind close to a double, if it is a number at all.
    pub fn near(kind: Kind, value: f64) -> Option<Num> {
        match kind {
            _ if value.is_nan() => None,
            Kind::Float => Some(Float(value.clamp(f64::MIN, f64::MAX))),
            Kind::Integer => integer(value.round()).map(Num::Int),
        }
    }

    /// In the order of numbers, where both are some.
    pub fn compare(&self, other: &Num) -> Option<Ordering> {
        match (self, other) {
            (Num::Int(a), Num::Int(b)) => Some(a.cmp(b)),
            (Float(a), Float(b)) => a.partial_cmp(b),
            _ => Some(self.term()?.compare(&other.term()?)),
        }
    }
}

/// The nearest double; infinite where there is none.
pub fn approx(value: &Int) -> f64 {
    match value {
        Int::Small(value) => *value as f64,
        Int::Big(value) => value.to_f64().unwrap_or(f64::INFINITY),
    }
}

/// The integer that a double is once it has been rounded.
pub fn integer(value: f64) -> Option<Int> {
    const SMALL: f64 = (1u64 << 63) as f64;
    if (-SMALL..SMALL).contains(&value) {
        return Some(Int::Small(value as i64));
    }
    BigInt::from_f64(value).map(|value| Int::of(&value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::{further, rank, unrank};

    #[test]
    fn neighbours_have_neighbouring_ranks() {
        for value in [0.0, 1.0, -1.0, 5e-324, -5e-324, 1e300, f64::MAX] {
            assert_eq!(unrank(rank(value)), value);
        }
        assert_eq!(further(0.0, 1), 5e-324);
        assert_eq!(further(0.0, -1), -5e-324);
        assert_eq!(further(1.0, 1), 1.0 + f64::EPSILON);
        assert_eq!(further(5e-324, -2), -5e-324);
        assert_eq!(further(f64::MAX, 3), f64::MAX);
        assert_eq!(rank(-0.0), rank(0.0));
    }

    #[test]
    fn integers_are_rounded_doubles() {
        assert_eq!(Num::near(Kind::Integer, 2.5), Some(Num::Int(Int::from(3))));
        assert_eq!(Num::near(Kind::Integer, 1e30).and_then(|num| num.kind()), Some(Kind::Integer));
        assert_eq!(Num::near(Kind::Float, f64::NAN), None);
    }

    #[test]
    fn numbers_compare_as_terms_do() {
        let (a, b) = (Num::Int(Int::from((1 << 53) + 1)), Float((1u64 << 53) as f64));
        assert_eq!(a.compare(&b), Some(Ordering::Greater));
        assert_eq!(Undefined.compare(&b), None);
    }
}
