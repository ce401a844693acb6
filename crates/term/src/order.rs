//! The order of terms, and the two equalities.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed};

use crate::etf::{FunParts, fun_parts};
use crate::{Atom, Closure, Cons, Fun, Handle, HandleKind, Map, Term};

/// The comparison of integers with floats.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// By value: `1` and `1.0` are equal.
    Numeric,
    /// By type first: every integer is less than every float.
    Exact,
}

impl Term {
    /// Erlang's `<`, `==` and `>`.
    #[inline]
    pub fn compare(&self, other: &Term) -> Ordering {
        match (self, other) {
            (Term::Int(_, a), Term::Int(_, b)) => a.cmp(b),
            (Term::Atom(_, a), Term::Atom(_, b)) => a.cmp(b),
            _ => compare(self, other, Mode::Numeric),
        }
    }

    /// The order of map keys: as [`Term::compare`], but integers are less than floats at every depth.
    #[inline]
    pub fn compare_exact(&self, other: &Term) -> Ordering {
        match (self, other) {
            (Term::Int(_, a), Term::Int(_, b)) => a.cmp(b),
            (Term::Atom(_, a), Term::Atom(_, b)) => a.cmp(b),
            _ => compare(self, other, Mode::Exact),
        }
    }

    /// Erlang's `==`.
    #[inline]
    pub fn num_eq(&self, other: &Term) -> bool {
        match (self, other) {
            (Term::Int(_, a), Term::Int(_, b)) => a == b,
            (Term::Atom(_, a), Term::Atom(_, b)) => a == b,
            _ => equal(self, other, Mode::Numeric),
        }
    }

    /// The place of the type in the order of types.
    #[inline]
    fn rank(&self) -> u8 {
        match self {
            Term::Int(..) | Term::Big(..) | Term::Float(..) => 0,
            Term::Atom(..) => 1,
            Term::Handle(_, handle) => match handle.kind {
                HandleKind::Reference => 2,
                HandleKind::Port => 4,
                HandleKind::Pid => 5,
            },
            Term::Fun(..) => 3,
            Term::Tuple(..) => 6,
            Term::Map(..) => 7,
            Term::Nil(..) => 8,
            Term::Cons(..) => 9,
            Term::Bits(..) => 10,
        }
    }
}

/// Exact equality, Erlang's `=:=`.
impl PartialEq for Term {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Term::Int(_, a), Term::Int(_, b)) => a == b,
            (Term::Atom(_, a), Term::Atom(_, b)) => a == b,
            (Term::Nil(_), Term::Nil(_)) => true,
            _ => equal(self, other, Mode::Exact),
        }
    }
}

impl Eq for Term {}

fn compare(a: &Term, b: &Term, mode: Mode) -> Ordering {
    match (a, b) {
        (Term::Int(_, a), Term::Int(_, b)) => a.cmp(b),
        (Term::Atom(_, a), Term::Atom(_, b)) => a.cmp(b),
        (Term::Cons(_, a), Term::Cons(_, b)) => compare_lists(a, b, mode),
        (Term::Tuple(_, a), Term::Tuple(_, b)) if a.same(b) => Ordering::Equal,
        (Term::Tuple(_, a), Term::Tuple(_, b)) => a.len().cmp(&b.len()).then_with(|| compare_slices(a, b, mode)),
        (Term::Bits(_, a), Term::Bits(_, b)) => a.cmp(b),
        (Term::Map(_, a), Term::Map(_, b)) if Rc::ptr_eq(a, b) => Ordering::Equal,
        (Term::Map(_, a), Term::Map(_, b)) => compare_maps(a, b, mode),
        (Term::Fun(_, a), Term::Fun(_, b)) => compare_funs(a, b, mode),
        (Term::Handle(_, a), Term::Handle(_, b)) => a.kind.cmp(&b.kind).then_with(|| compare_handles(a, b)),
        _ if a.is_number() && b.is_number() => compare_numbers(a, b, mode),
        _ => a.rank().cmp(&b.rank()),
    }
}

fn equal(a: &Term, b: &Term, mode: Mode) -> bool {
    match (a, b) {
        (Term::Int(_, a), Term::Int(_, b)) => a == b,
        (Term::Atom(_, a), Term::Atom(_, b)) => a == b,
        (Term::Float(_, a), Term::Float(_, b)) => a == b,
        (Term::Big(_, a), Term::Big(_, b)) => a == b,
        (Term::Bits(_, a), Term::Bits(_, b)) => a == b,
        (Term::Cons(_, a), Term::Cons(_, b)) => equal_lists(a, b, mode),
        (Term::Tuple(_, a), Term::Tuple(_, b)) => a.same(b) || equal_slices(a, b, mode),
        (Term::Map(_, a), Term::Map(_, b)) => Rc::ptr_eq(a, b) || equal_maps(a, b, mode),
        (Term::Float(..), Term::Int(..) | Term::Big(..)) | (Term::Int(..) | Term::Big(..), Term::Float(..)) => {
            mode == Mode::Numeric && compare_numbers(a, b, mode).is_eq()
        }
        (Term::Fun(_, a), Term::Fun(_, b)) => compare_funs(a, b, mode).is_eq(),
        (Term::Handle(_, a), Term::Handle(_, b)) => a == b,
        (Term::Nil(_), Term::Nil(_)) => true,
        _ => false,
    }
}

fn compare_lists(mut a: &Rc<Cons>, mut b: &Rc<Cons>, mode: Mode) -> Ordering {
    loop {
        if Rc::ptr_eq(a, b) {
            return Ordering::Equal;
        }
        let heads = compare_inner(&a.head, &b.head, mode);
        if heads.is_ne() {
            return heads;
        }
        match (&a.tail, &b.tail) {
            (Term::Cons(_, rest_a), Term::Cons(_, rest_b)) => (a, b) = (rest_a, rest_b),
            (tail_a, tail_b) => return compare_inner(tail_a, tail_b, mode),
        }
    }
}

fn equal_lists(mut a: &Rc<Cons>, mut b: &Rc<Cons>, mode: Mode) -> bool {
    loop {
        if Rc::ptr_eq(a, b) {
            return true;
        }
        if !equal_inner(&a.head, &b.head, mode) {
            return false;
        }
        match (&a.tail, &b.tail) {
            (Term::Cons(_, rest_a), Term::Cons(_, rest_b)) => (a, b) = (rest_a, rest_b),
            (tail_a, tail_b) => return equal_inner(tail_a, tail_b, mode),
        }
    }
}

/// A part of a compound term: only these can nest.
#[inline]
fn compare_inner(a: &Term, b: &Term, mode: Mode) -> Ordering {
    match (a, b) {
        (Term::Int(_, a), Term::Int(_, b)) => a.cmp(b),
        (Term::Atom(_, a), Term::Atom(_, b)) => a.cmp(b),
        _ => crate::depth::deeper(|| compare(a, b, mode)),
    }
}

#[inline]
fn equal_inner(a: &Term, b: &Term, mode: Mode) -> bool {
    match (a, b) {
        (Term::Int(_, a), Term::Int(_, b)) => a == b,
        (Term::Atom(_, a), Term::Atom(_, b)) => a == b,
        _ => crate::depth::deeper(|| equal(a, b, mode)),
    }
}

fn compare_slices(a: &[Term], b: &[Term], mode: Mode) -> Ordering {
    a.iter().zip(b).map(|(a, b)| compare_inner(a, b, mode)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn equal_slices(a: &[Term], b: &[Term], mode: Mode) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal_inner(a, b, mode))
}

/// By size, then all keys, then all values; keys are always compared exactly.
fn compare_maps(a: &Map, b: &Map, mode: Mode) -> Ordering {
    let keys = || a.keys().zip(b.keys()).map(|(a, b)| compare_inner(a, b, Mode::Exact)).find(|order| order.is_ne());
    let values =
        || a.iter().zip(b.iter()).map(|((_, a), (_, b))| compare_inner(a, b, mode)).find(|order| order.is_ne());
    a.len().cmp(&b.len()).then_with(|| keys().or_else(values).unwrap_or(Ordering::Equal))
}

fn equal_maps(a: &Map, b: &Map, mode: Mode) -> bool {
    a.len() == b.len()
        && a.iter().zip(b.iter()).all(|((key_a, value_a), (key_b, value_b))| {
            equal_inner(key_a, key_b, Mode::Exact) && equal_inner(value_a, value_b, mode)
        })
}

fn compare_numbers(a: &Term, b: &Term, mode: Mode) -> Ordering {
    match (a, b) {
        (Term::Float(_, a), Term::Float(_, b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
        (Term::Float(..), _) if mode == Mode::Exact => Ordering::Greater,
        (_, Term::Float(..)) if mode == Mode::Exact => Ordering::Less,
        (Term::Float(_, a), b) => compare_with_float(b, *a).reverse(),
        (a, Term::Float(_, b)) => compare_with_float(a, *b),
        (Term::Big(_, a), Term::Big(_, b)) => a.cmp(b),
        (Term::Big(_, a), _) => sign_order(a),
        (_, Term::Big(_, b)) => sign_order(b).reverse(),
        (Term::Int(_, a), Term::Int(_, b)) => a.cmp(b),
        _ => Ordering::Equal,
    }
}

/// A big integer lies beyond every small one, on the side of its sign.
fn sign_order(big: &BigInt) -> Ordering {
    if big.is_negative() { Ordering::Less } else { Ordering::Greater }
}

/// An integer against a float, by their exact values.
fn compare_with_float(integer: &Term, float: f64) -> Ordering {
    const LOSSLESS: f64 = (1i64 << 53) as f64;
    const SMALL: f64 = (1u64 << 63) as f64;
    match integer {
        Term::Int(_, value) if float.abs() < LOSSLESS => (*value as f64).total_cmp(&(float + 0.0)),
        Term::Int(..) if float >= SMALL => Ordering::Less,
        Term::Int(..) if float < -SMALL => Ordering::Greater,
        // A float this large has no fraction.
        Term::Int(_, value) => value.cmp(&(float as i64)),
        Term::Big(_, value) if float.abs() < SMALL => sign_order(value),
        Term::Big(_, value) => BigInt::from_f64(float).map_or(Ordering::Equal, |float| (**value).cmp(&float)),
        _ => Ordering::Equal,
    }
}

/// Functions named by module come after all closures.
fn compare_funs(a: &Rc<Fun>, b: &Rc<Fun>, mode: Mode) -> Ordering {
    if Rc::ptr_eq(a, b) {
        return Ordering::Equal;
    }
    match (&**a, &**b) {
        (Fun::External(a), Fun::External(b)) => a.cmp(b),
        (Fun::External(_), _) => Ordering::Greater,
        (_, Fun::External(_)) => Ordering::Less,
        (a, b) => compare_closures(&Identity::of(a), &Identity::of(b), mode),
    }
}

/// The parts by which closures differ.
struct Identity<'a> {
    module: Atom,
    index: u32,
    uniq: u32,
    /// Known for closures of the machine, where the numbers may not be.
    name: Option<Atom>,
    captured: Cow<'a, [Term]>,
}

impl Identity<'_> {
    fn of(fun: &Fun) -> Identity<'_> {
        let module = fun.module();
        match fun {
            Fun::External(_) => Identity { module, index: 0, uniq: 0, name: None, captured: Cow::Borrowed(&[]) },
            Fun::Closure(Closure { index, uniq, name, captured, .. }) => {
                Identity { module, index: *index, uniq: *uniq, name: Some(*name), captured: Cow::Borrowed(captured) }
            }
            Fun::Foreign { etf, .. } => {
                let FunParts { index, uniq, captured } = fun_parts(etf);
                Identity { module, index, uniq, name: None, captured: Cow::Owned(captured) }
            }
            // As the VM has it: one fun for each arity, which closes over the data.
            Fun::Table(table) => {
                let captured = Cow::Owned(vec![table.data()]);
                Identity { module, index: table.index(), uniq: 0, name: None, captured }
            }
        }
    }
}

fn compare_closures(a: &Identity, b: &Identity, mode: Mode) -> Ordering {
    let names = a.name.zip(b.name).map_or(Ordering::Equal, |(a, b)| a.cmp(&b));
    (a.module, a.index, a.uniq)
        .cmp(&(b.module, b.index, b.uniq))
        .then(names)
        .then_with(|| a.captured.len().cmp(&b.captured.len()))
        .then_with(|| compare_slices(&a.captured, &b.captured, mode))
}

/// Pids by number first, then node; references and ports by node first.
fn compare_handles(a: &Handle, b: &Handle) -> Ordering {
    let numbers = || compare_words(significant(a), significant(b));
    let nodes = || compare_nodes(a, b);
    match a.kind {
        HandleKind::Reference | HandleKind::Port => nodes().then_with(numbers),
        HandleKind::Pid => numbers().then_with(nodes),
    }
}

/// The words without the zeros at the top.
fn significant(handle: &Handle) -> &[u32] {
    let len = handle.words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
    &handle.words[..len]
}

fn compare_words(a: &[u32], b: &[u32]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn compare_nodes(a: &Handle, b: &Handle) -> Ordering {
    (a.node, a.creation).cmp(&(b.node, b.creation))
}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
        match self {
            Term::Nil(_) => {}
            Term::Int(_, value) => value.hash(state),
            Term::Atom(_, atom) => atom.hash(state),
            // Adding zero makes the two zeros one.
            Term::Float(_, value) => (value + 0.0).to_bits().hash(state),
            Term::Big(_, value) => value.hash(state),
            Term::Bits(_, bits) => bits.hash(state),
            Term::Handle(_, handle) => handle.hash(state),
            Term::Fun(_, fun) => hash_fun(fun, state),
            Term::Cons(..) => hash_list(self, state),
            Term::Tuple(_, items) => crate::depth::deeper(|| items.hash(state)),
            Term::Map(_, map) => crate::depth::deeper(|| map.iter().for_each(|entry| entry.hash(state))),
        }
    }
}

fn hash_list<H: Hasher>(list: &Term, state: &mut H) {
    let mut cells = list.cells();
    for head in cells.by_ref() {
        crate::depth::deeper(|| head.hash(state));
    }
    crate::depth::deeper(|| cells.rest().hash(state));
}

fn hash_fun<H: Hasher>(fun: &Fun, state: &mut H) {
    match fun {
        Fun::External(mfa) => mfa.hash(state),
        _ => {
            let Identity { module, index, uniq, captured, .. } = Identity::of(fun);
            (module, index, uniq).hash(state);
            crate::depth::deeper(|| captured.hash(state));
        }
    }
}
