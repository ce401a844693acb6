//! Inputs close to those that almost meet the conditions of a claim: the cheapest way to refute it.

use constraint::Node;
use fastrand::Rng;
use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use term::{Map, Term};

use crate::Claim;

/// Changes of the inputs at most for one try.
const CHANGES: usize = 3;

/// Tries so many inputs that differ little from those that meet all conditions but the last. Returns the first that
/// `is_met` accepts.
pub fn nearby(claim: Claim<'_>, tries: usize, is_met: &dyn Fn(&[Term]) -> bool) -> Option<Vec<Term>> {
    if claim.near.is_empty() || claim.near.len() != claim.inputs.len() {
        return None;
    }
    let pool = pool(&claim);
    let mut random = Rng::with_seed(tries as u64);
    for _ in 0..tries {
        let mut inputs = claim.near.to_vec();
        for _ in 0..random.usize(1..=CHANGES) {
            let at = random.usize(..inputs.len());
            inputs[at] = changed(&inputs[at], &pool, &mut random);
        }
        if is_met(&inputs) {
            return Some(inputs);
        }
    }
    None
}

/// Values that the conditions name, their neighbours, and one of each kind.
fn pool(claim: &Claim<'_>) -> Vec<Term> {
    let mut pool: Vec<Term> = [0, 1, -1].map(Term::int).to_vec();
    pool.extend([Term::nil(), Term::float(0.0), Term::float(0.5), Term::atom_named("a"), Term::tuple([])]);
    pool.extend([Term::binary(Vec::new()), Term::binary(vec![0]), Term::map(Map::new())]);
    let mut todo: Vec<_> = claim.conditions.iter().rev().flat_map(|condition| condition.test.exprs()).collect();
    let mut seen = FxHashSet::default();
    while let Some(expr) = todo.pop() {
        let node = claim.arena.original(expr);
        if !seen.insert(expr.original()) {
            continue;
        }
        if let Node::Literal(term) = node {
            if let Some(value) = term.as_bigint() {
                pool.extend([-1, 1].map(|by| Term::big(&value + BigInt::from(by))));
            }
            pool.push(term.clone());
        }
        node.each_part(|part| todo.push(part));
    }
    pool
}

/// A term with one part of it changed.
fn changed(term: &Term, pool: &[Term], random: &mut Rng) -> Term {
    let inside = random.u32(..4) > 0;
    match term {
        Term::Cons(_, cell) if inside => term::deeper(|| match random.u32(..5) {
            0 => cell.tail.clone(),
            1 => Term::cons(cell.head.clone(), term.clone()),
            2 => Term::cons(changed(&cell.head, pool, random), cell.tail.clone()),
            _ => Term::cons(cell.head.clone(), changed(&cell.tail, pool, random)),
        }),
        Term::Tuple(_, items) if inside && !items.is_empty() => {
            let mut items = items.to_vec();
            let at = random.usize(..items.len());
            items[at] = term::deeper(|| changed(&items[at], pool, random));
            Term::tuple(items)
        }
        Term::Map(_, map) if inside && !map.is_empty() => {
            let at = random.usize(..map.len());
            let Some((key, value)) = map.iter().nth(at) else { return term.clone() };
            Term::map(map.insert(key.clone(), term::deeper(|| changed(value, pool, random))))
        }
        Term::Nil(_) if inside => Term::cons(pool[random.usize(..pool.len())].clone(), Term::nil()),
        Term::Int(..) | Term::Big(..) if inside => {
            let by = BigInt::from(random.i64(-3..=3));
            term.as_bigint().map_or_else(|| term.clone(), |value| Term::big(value + by))
        }
        _ => pool[random.usize(..pool.len())].clone(),
    }
}
