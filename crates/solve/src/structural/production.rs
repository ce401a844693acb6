//! Productions: one form that a term of a domain can have, with a domain for each of its parts.

use std::rc::Rc;

use constraint::{Kinds, MapField, Shape};
use num_integer::Integer;
use term::{Atom, HandleKind, Term};

use super::accept::bits_accept;
use super::domains::{DomId, Domains};
use crate::integer::interval::Range;

/// A shape whose parts are domains.
#[derive(Clone, PartialEq, Debug)]
pub enum Prod {
    Integer(Rc<Range>),
    Float,
    /// That atom, or any.
    Atom(Option<Atom>),
    Nil,
    Cons(DomId, DomId),
    /// A tuple of those, or any tuple.
    Tuple(Option<Rc<[DomId]>>),
    /// A map that each of these rows of fields allows.
    Map(Rc<[Rc<[MapField]>]>),
    Bits {
        base: u64,
        unit: u64,
    },
    /// Of that arity, or any.
    Fun(Option<u8>, DomId),
    Handle(HandleKind),
    /// A literal that none of the others describes.
    Exact(Term),
}

impl Prod {
    /// The production of a shape; `None` where the shape is every shape, or stands for a whole rule.
    pub fn of_shape(shape: &Shape, domains: &mut Domains) -> Option<Prod> {
        Some(match shape {
            Shape::Any | Shape::Rule(_) => return None,
            Shape::Literal(term) => Prod::of_literal(term),
            Shape::Atom => Prod::Atom(None),
            Shape::Integer { low, high } => Prod::Integer(Rc::new(Range { low: low.clone(), high: high.clone() })),
            Shape::Float => Prod::Float,
            Shape::Cons(head, tail) => Prod::Cons(domains.of_rule(*head), domains.of_rule(*tail)),
            Shape::AnyTuple => Prod::Tuple(None),
            Shape::Tuple(items) => Prod::Tuple(Some(items.iter().map(|item| domains.of_rule(*item)).collect())),
            Shape::Map(fields) => Prod::Map(Rc::new([fields.as_slice().into()])),
            Shape::Bits { base, unit } => Prod::Bits { base: *base, unit: *unit },
            Shape::Fun { params, result } => {
                let arity = params.as_ref().map(|params| u8::try_from(params.len()).unwrap_or(u8::MAX));
                Prod::Fun(arity, domains.of_rule(*result))
            }
            Shape::Pid => Prod::Handle(HandleKind::Pid),
            Shape::Port => Prod::Handle(HandleKind::Port),
            Shape::Reference => Prod::Handle(HandleKind::Reference),
        })
    }

    fn of_literal(term: &Term) -> Prod {
        match term {
            Term::Nil(_) => Prod::Nil,
            Term::Atom(_, atom) => Prod::Atom(Some(*atom)),
            term => term
                .as_bigint()
                .map_or_else(|| Prod::Exact(term.clone()), |value| Prod::Integer(Rc::new(Range::point(value)))),
        }
    }

    /// The size of the tuples it allows, if all are of one.
    pub fn size(&self) -> Option<usize> {
        match self {
            Prod::Tuple(Some(items)) => Some(items.len()),
            Prod::Exact(term) => term.as_tuple().map(<[Term]>::len),
            _ => None,
        }
    }

    /// The kind of term it produces.
    pub fn kind(&self) -> Kinds {
        match self {
            Prod::Integer(_) => Kinds::INTEGER,
            Prod::Float => Kinds::FLOAT,
            Prod::Atom(_) => Kinds::ATOM,
            Prod::Nil => Kinds::NIL,
            Prod::Cons(..) => Kinds::CONS,
            Prod::Tuple(_) => Kinds::TUPLE,
            Prod::Map(_) => Kinds::MAP,
            Prod::Bits { .. } => Kinds::BITS,
            Prod::Fun(..) => Kinds::FUN,
            Prod::Handle(kind) => Kinds::of_handle(*kind),
            Prod::Exact(term) => Kinds::of(term),
        }
    }

    /// The production that allows what both do; the caller checks that its parts have values.
    pub fn meet(&self, other: &Prod, domains: &mut Domains) -> Option<Prod> {
        match (self, other) {
            (Prod::Integer(a), Prod::Integer(b)) => Some(Prod::Integer(Rc::new(a.meet(b).ok()?))),
            (Prod::Atom(a), Prod::Atom(b)) => match (a, b) {
                (Some(a), Some(b)) if a != b => None,
                (a, b) => Some(Prod::Atom(a.or(*b))),
            },
            (Prod::Cons(a, b), Prod::Cons(c, d)) => Some(Prod::Cons(domains.meet(*a, *c), domains.meet(*b, *d))),
            (Prod::Tuple(None), Prod::Tuple(_)) => Some(other.clone()),
            (Prod::Tuple(_), Prod::Tuple(None)) => Some(self.clone()),
            (Prod::Tuple(Some(a)), Prod::Tuple(Some(b))) => {
                let items = || a.iter().zip(b.iter()).map(|(a, b)| domains.meet(*a, *b)).collect();
                (a.len() == b.len()).then(items).map(|items| Prod::Tuple(Some(items)))
            }
            (Prod::Map(a), Prod::Map(b)) => {
                let fresh = b.iter().filter(|row| !a.contains(row));
                Some(Prod::Map(a.iter().chain(fresh).cloned().collect()))
            }
            (Prod::Bits { base: a, unit: u }, Prod::Bits { base: b, unit: v }) => meet_bits((*a, *u), (*b, *v)),
            (Prod::Fun(a, r), Prod::Fun(b, s)) => match (a, b) {
                (Some(a), Some(b)) if a != b => None,
                (a, b) => Some(Prod::Fun(a.or(*b), domains.meet(*r, *s))),
            },
            (Prod::Exact(term), prod) | (prod, Prod::Exact(term)) => {
                domains.prod_accepts(prod, term).then(|| Prod::Exact(term.clone()))
            }
            (a, b) => (a == b).then(|| a.clone()),
        }
    }
}

/// Lengths that are `base + n * unit` for both.
fn meet_bits((a, u): (u64, u64), (b, v): (u64, u64)) -> Option<Prod> {
    match (u, v) {
        (0, _) => bits_accept(b, v, a).then_some(Prod::Bits { base: a, unit: 0 }),
        (_, 0) => bits_accept(a, u, b).then_some(Prod::Bits { base: b, unit: 0 }),
        _ => {
            let unit = u.lcm(&v);
            // One of every `unit` lengths can do; the units of types are small numbers.
            let start = a.max(b);
            let base = (start..start.saturating_add(unit.min(1 << 20)))
                .find(|len| bits_accept(a, u, *len) && bits_accept(b, v, *len))?;
            Some(Prod::Bits { base, unit })
        }
    }
}

/// The kinds of terms that productions produce.
pub fn kinds_of(prods: &[Prod]) -> Kinds {
    prods.iter().fold(Kinds::NONE, |kinds, prod| kinds | prod.kind())
}

/// Returns true if the excluded values leave nothing of a production.
pub fn exhausted(prod: &Prod, not: &[Term]) -> bool {
    match prod {
        _ if not.is_empty() => false,
        Prod::Atom(Some(atom)) => not.contains(&Term::atom(*atom)),
        Prod::Nil => not.contains(&Term::nil()),
        Prod::Exact(term) => not.contains(term),
        Prod::Integer(range) => {
            super::smallest::integers(range).take(not.len() + 1).all(|at| not.contains(&Term::big(at)))
        }
        _ => false,
    }
}

/// The domains of heads and tails.
pub fn cell_doms(prods: &[Prod]) -> (Vec<DomId>, Vec<DomId>) {
    let (mut heads, mut tails) = (Vec::new(), Vec::new());
    for prod in prods {
        if let Prod::Cons(head, tail) = prod {
            insert(&mut heads, *head);
            insert(&mut tails, *tail);
        } else if let Prod::Exact(Term::Cons(..)) = prod {
            // The literal itself is looked at when the production is chosen.
            insert(&mut heads, DomId::ANY);
            insert(&mut tails, DomId::ANY);
        }
    }
    (heads, tails)
}

/// The domains of an element, by the productions of tuples.
pub fn item_doms(prods: &[Prod], at: usize) -> Vec<DomId> {
    let mut doms = Vec::new();
    for prod in prods {
        match prod {
            Prod::Tuple(Some(items)) => items.get(at).into_iter().for_each(|dom| insert(&mut doms, *dom)),
            Prod::Tuple(None) | Prod::Exact(_) => insert(&mut doms, DomId::ANY),
            _ => {}
        }
    }
    doms
}

/// Adds an item, unless it is there.
pub fn insert<T: PartialEq>(items: &mut Vec<T>, item: T) {
    if !items.contains(&item) {
        items.push(item);
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;

    #[test]
    fn lengths_of_bitstrings_meet() {
        assert_eq!(meet_bits((0, 8), (0, 1)), Some(Prod::Bits { base: 0, unit: 8 }));
        assert_eq!(meet_bits((1, 8), (0, 8)), None);
        assert_eq!(meet_bits((3, 4), (1, 6)), Some(Prod::Bits { base: 7, unit: 12 }));
        assert_eq!(meet_bits((16, 0), (0, 8)), Some(Prod::Bits { base: 16, unit: 0 }));
    }

    #[test]
    fn ranges_meet() {
        let range =
            |low: Option<i64>, high: Option<i64>| Range { low: low.map(BigInt::from), high: high.map(BigInt::from) };
        assert_eq!(range(None, Some(5)).meet(&range(Some(2), None)), Ok(range(Some(2), Some(5))));
        assert_eq!(range(None, Some(1)).meet(&range(Some(2), None)).ok(), None);
    }
}
