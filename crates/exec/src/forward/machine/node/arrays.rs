//! Arrays of 64-bit integers: atomics and counters.

use std::collections::BTreeMap;

use ops::{ArrayKind, ArrayOp, Environment, Eval};
use term::{Exception, Map, Mark, Term, number};

use super::RefKey;

/// The arrays of a run.
#[derive(Default)]
pub struct Arrays(BTreeMap<RefKey, IntegerArray>);

/// An array; integers that were never set are zero.
struct IntegerArray {
    kind: ArrayKind,
    size: u64,
    signed: bool,
    values: BTreeMap<u64, Term>,
}

/// An integer in an array.
#[derive(Clone, Copy)]
pub struct ArrayPlace {
    pub array: RefKey,
    pub index: u64,
    /// True if it may be negative.
    pub signed: bool,
}

/// The bytes of an array of atomics besides its integers.
const HEADER: u64 = 40;

/// The bytes of an integer.
const WORD: u64 = 8;

impl Arrays {
    /// The place that a reference and an index name.
    pub fn place(&self, kind: ArrayKind, array: &Term, index: &Term) -> Option<ArrayPlace> {
        let key = RefKey::of(array)?;
        let array = self.0.get(&key).filter(|array| array.kind == kind)?;
        let index = u64::try_from(index.as_i64()?).ok()?;
        (1..=array.size).contains(&index).then_some(ArrayPlace { array: key, index, signed: array.signed })
    }

    /// The integer at a place.
    pub fn get(&self, place: ArrayPlace) -> Term {
        let value = self.0.get(&place.array).and_then(|array| array.values.get(&place.index));
        value.cloned().unwrap_or(Term::int(0))
    }

    fn set(&mut self, place: ArrayPlace, value: Term) {
        if let Some(array) = self.0.get_mut(&place.array) {
            array.values.insert(place.index, value);
        }
    }

    /// The terms that arrays hold.
    pub fn held(&self) -> impl Iterator<Item = &Term> {
        self.0.values().flat_map(|array| array.values.values())
    }

    /// The arrays, each with its integers and their places.
    pub fn all(&self) -> impl ExactSizeIterator<Item = (&RefKey, Vec<Term>)> {
        let values = |array: &IntegerArray| {
            array.values.iter().flat_map(|(at, value)| [Term::int(*at as i64), value.clone()]).collect()
        };
        self.0.iter().map(move |(key, array)| (key, values(array)))
    }

    /// Does an operation. A sum gets a mark.
    pub fn operate(
        &mut self,
        run: &mut dyn Environment,
        (op, kind): (ArrayOp, ArrayKind),
        args: &[Term],
        mark: Mark,
    ) -> Eval {
        match op {
            ArrayOp::New => return self.create(run, kind, args),
            ArrayOp::Info => return self.info(kind, &args[0]),
            _ => {}
        }
        let Some(place) = self.place(kind, &args[0], &args[1]) else { return badarg() };
        let old = self.get(place);
        let ok = Term::atom_named("ok");
        let is_value = |value: &Term| place.is_value(value);
        match (op, &args[2..]) {
            (ArrayOp::Get, []) => Ok(old),
            (ArrayOp::Put, [value]) if is_value(value) => {
                self.set(place, value.clone());
                Ok(ok)
            }
            (ArrayOp::Exchange, [value]) if is_value(value) => {
                self.set(place, value.clone());
                Ok(old)
            }
            (ArrayOp::CompareExchange, [expected, value]) if is_value(expected) && is_value(value) => {
                if old != *expected {
                    return Ok(old);
                }
                self.set(place, value.clone());
                Ok(ok)
            }
            (ArrayOp::Add | ArrayOp::AddGet, [by]) if is_increment(by) => {
                let Some(sum) = number::add(&old, by) else { return badarg() };
                let sum = place.wrapped(sum).with_mark(mark);
                self.set(place, sum.clone());
                Ok(if op == ArrayOp::Add { ok } else { sum })
            }
            _ => badarg(),
        }
    }

    fn create(&mut self, run: &mut dyn Environment, kind: ArrayKind, args: &[Term]) -> Eval {
        let size = match &args[0] {
            Term::Int(_, size @ 1..) if *size as u64 <= u64::MAX / WORD => *size as u64,
            size @ (Term::Int(..) | Term::Big(..)) if size.compare(&Term::int(0)).is_gt() => {
                return Err(Box::new(Exception::system_limit()));
            }
            _ => return badarg(),
        };
        let signed = match args.get(1) {
            None => true,
            Some(Term::Int(_, options @ 0..)) => options & 1 == 1,
            Some(_) => return badarg(),
        };
        let reference = run.fresh_reference();
        let array = IntegerArray { kind, size, signed, values: BTreeMap::new() };
        self.0.extend(RefKey::of(&reference).map(|key| (key, array)));
        Ok(reference)
    }

    /// Size, memory and bounds.
    fn info(&self, kind: ArrayKind, array: &Term) -> Eval {
        let array = RefKey::of(array).and_then(|key| self.0.get(&key)).filter(|array| array.kind == kind);
        let Some(array) = array else { return badarg() };
        let entry = |name: &str, value: i128| (Term::atom_named(name), Term::big(value.into()));
        let size = i128::from(array.size);
        let mut entries = vec![entry("size", size), entry("memory", i128::from(HEADER) + i128::from(WORD) * size)];
        if kind == ArrayKind::Atomics {
            let (min, max) = bounds(array.signed);
            entries.extend([entry("min", min), entry("max", max)]);
        }
        Ok(Term::map(Map::from_pairs(entries)))
    }
}

impl ArrayPlace {
    /// True if an integer can stand here.
    pub fn is_value(self, value: &Term) -> bool {
        let (min, max) = bounds(self.signed);
        integer(value).is_some_and(|value| (min..=max).contains(&value))
    }

    /// The smallest and the largest integer that can stand here.
    pub fn bounds(self) -> (Term, Term) {
        let (min, max) = bounds(self.signed);
        (Term::big(min.into()), Term::big(max.into()))
    }

    /// The integer of the same 64 bits.
    fn wrapped(self, value: Term) -> Term {
        match integer(&value) {
            Some(value) if self.signed => Term::int(value as i64),
            Some(value) => Term::big((value as u64).into()),
            None => value,
        }
    }
}

/// True if an integer can be added.
pub fn is_increment(by: &Term) -> bool {
    let ((min, _), (_, max)) = (bounds(true), bounds(false));
    integer(by).is_some_and(|by| (min..=max).contains(&by))
}

fn integer(term: &Term) -> Option<i128> {
    match term {
        Term::Int(_, value) => Some(i128::from(*value)),
        Term::Big(_, value) => i128::try_from(&**value).ok(),
        _ => None,
    }
}

fn bounds(signed: bool) -> (i128, i128) {
    match signed {
        true => (i64::MIN.into(), i64::MAX.into()),
        false => (0, u64::MAX.into()),
    }
}

fn badarg() -> Eval {
    Err(Box::new(Exception::badarg()))
}
