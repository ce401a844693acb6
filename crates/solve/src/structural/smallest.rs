//! Plain values: the smallest tree of a domain, and simple values that avoid some others.

use std::rc::Rc;

use constraint::{Grammar, Kinds, MapField, RuleId};
use num_bigint::BigInt;
use num_traits::Zero;
use rustc_hash::FxHashSet;
use term::{Atom, Bits, Handle, HandleKind, Map, Term};

use super::domains::{DomId, Domains};
use super::production::Prod;
use crate::integer::interval::Range;

/// Values to avoid that are compared one by one.
const FEW: usize = 16;

/// The smallest value of a rule: the least height, then the shape that stands first, integers near 0, plain atoms.
/// `None` if the rule has no value or only values that we cannot make (some funs).
pub fn smallest(grammar: &Grammar, rule: RuleId) -> Option<Term> {
    let mut domains = Domains::new(grammar);
    let dom = domains.of_rule(rule);
    domains.smallest(dom)
}

impl Domains {
    /// The smallest term of a domain, if it has one.
    pub fn smallest(&mut self, dom: DomId) -> Option<Term> {
        let prods = self.prods(dom);
        self.pick(&prods, Kinds::ALL, &[])
    }

    /// The smallest value of these productions that is of these kinds and none of those values.
    pub fn pick(&mut self, prods: &[Prod], kinds: Kinds, avoid: &[Term]) -> Option<Term> {
        let mut order: Vec<(u32, usize)> = Vec::with_capacity(prods.len());
        for (at, prod) in prods.iter().enumerate().filter(|(_, prod)| kinds.has(prod.kind())) {
            order.extend(self.prod_height(prod).map(|height| (height, at)));
        }
        order.sort_unstable();
        order.into_iter().find_map(|(_, at)| self.value(&prods[at], avoid))
    }

    /// The smallest value of a production that is none of those.
    #[expect(clippy::mutable_key_type, reason = "what a map caches of itself counts for nothing in a key")]
    pub fn value(&mut self, prod: &Prod, avoid: &[Term]) -> Option<Term> {
        let many: FxHashSet<&Term> = avoid.iter().filter(|_| avoid.len() > FEW).collect();
        let free = |term: &Term| if many.is_empty() { !avoid.contains(term) } else { !many.contains(term) };
        match prod {
            Prod::Integer(range) => integers(range).map(Term::big).take(avoid.len() + 1).find(free),
            Prod::Float => (0..=avoid.len()).map(|at| Term::float(at as f64)).find(free),
            Prod::Atom(Some(atom)) => Some(Term::atom(*atom)).filter(free),
            Prod::Atom(None) => atoms().map(Term::atom).find(free),
            Prod::Nil => Some(Term::nil()).filter(free),
            Prod::Exact(term) => Some(term.clone()).filter(free),
            Prod::Cons(head, tail) => self.smallest_cell(*head, *tail).filter(free),
            Prod::Tuple(None) => Some(Term::tuple([])).filter(free),
            Prod::Tuple(Some(items)) => {
                let items: Option<Vec<Term>> = items.iter().map(|item| term::deeper(|| self.smallest(*item))).collect();
                items.map(Term::tuple).filter(free)
            }
            Prod::Map(rows) => self.smallest_map(rows, prod, avoid),
            Prod::Bits { base, unit } => bits(*base, *unit, avoid.len() + 1).find(free),
            Prod::Fun(arity, result) => self.some_fun(*arity, *result, avoid),
            Prod::Handle(kind) => (0..=avoid.len() as u32).map(|at| handle(*kind, at)).find(free),
        }
    }

    fn smallest_cell(&mut self, head: DomId, tail: DomId) -> Option<Term> {
        let head = term::deeper(|| self.smallest(head))?;
        let tail = term::deeper(|| self.smallest(tail))?;
        Some(Term::cons(head, tail))
    }

    /// A map of the mandatory fields and as few others as it takes to be none of those.
    fn smallest_map(&mut self, rows: &[Rc<[MapField]>], prod: &Prod, avoid: &[Term]) -> Option<Term> {
        let least = term::deeper(|| self.completed(rows, Map::new(), &[], None, None))?.len();
        let free = |term: &Term| !avoid.contains(term);
        for size in least..=least + avoid.len() {
            let map = term::deeper(|| self.completed(rows, Map::new(), &[], None, Some(size)))?;
            if let Some(map) = Some(Term::map(map)).filter(free).filter(|map| self.prod_accepts(prod, map)) {
                return Some(map);
            }
        }
        None
    }
}

/// The integers of a range, from the one nearest to 0 outwards.
pub fn integers(range: &Range) -> impl Iterator<Item = BigInt> {
    let zero = BigInt::zero();
    let start = match (&range.low, &range.high) {
        (Some(low), _) if *low > zero => low.clone(),
        (_, Some(high)) if *high < zero => high.clone(),
        _ => zero,
    };
    let range = range.clone();
    let alternating = (0u64..).flat_map(|at| if at == 0 { [0, 0] } else { [at as i64, -(at as i64)] }).skip(1);
    // Past the farther bound nothing follows.
    let span = match (&range.low, &range.high) {
        (Some(low), Some(high)) => Some((high - &start).max(&start - low)),
        _ => None,
    };
    alternating
        .take_while(move |by| span.as_ref().is_none_or(|span| BigInt::from(by.unsigned_abs()) <= *span))
        .map(move |by| &start + by)
        .filter(move |value| range.contains(value))
}

/// Atoms without a meaning of their own: a, b, …, z, a1, b1, …
pub fn atoms() -> impl Iterator<Item = Atom> {
    let letters = || (b'a'..=b'z').map(char::from);
    let plain = letters().map(|letter| Atom::new(&letter.to_string()));
    plain.chain((1u64..).flat_map(move |round| letters().map(move |letter| Atom::new(&format!("{letter}{round}")))))
}

/// Some bitstrings of those lengths, all zeros first.
fn bits(base: u64, unit: u64, count: usize) -> impl Iterator<Item = Term> {
    let fill = move |len: u64, value: u64| {
        let len = usize::try_from(len).ok().filter(|len| *len < 1 << 32)?;
        let mut bytes = vec![0u8; len.div_ceil(8)];
        (0..len.min(64)).filter(|at| value >> at & 1 == 1).for_each(|at| bytes[at / 8] |= 128 >> (at % 8));
        Some(Term::bits(Bits::from_bits(bytes, len)))
    };
    let contents = if base == 0 { 1 } else { 1u64.checked_shl(base as u32).unwrap_or(u64::MAX) };
    let same_length = (0..contents.min(count as u64)).filter_map(move |value| fill(base, value));
    let lengths = if unit == 0 { 0 } else { count as u64 };
    same_length.chain((1..=lengths).filter_map(move |times| fill(base.saturating_add(unit.saturating_mul(times)), 0)))
}

fn handle(kind: HandleKind, number: u32) -> Term {
    let words: Box<[u32]> = match kind {
        HandleKind::Reference => Box::new([number, 0, 0]),
        HandleKind::Port | HandleKind::Pid => Box::new([number, 0]),
    };
    Term::handle(Handle { kind, node: Atom::new("nonode@nohost"), creation: 0, words })
}
