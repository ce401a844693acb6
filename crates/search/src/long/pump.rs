//! Changes of inputs that were run: a part that is repeated, a structure that is put into itself, a number that grows.
//!
//! As in the pumping lemma: what a program did with a part once, it does again with each copy of it. A change is made at
//! one place by chance, and may leave the grammar: the caller looks.

use num_bigint::BigInt;
use term::{Bits, Map, Term};

use super::magnitude;
use super::random::Random;
use crate::parts::{count, elements, part, replaced, ways};

/// Parts of a value that are looked at for a place to change.
const MOST_PLACES: usize = 4_000;

/// Parts of an input that a change may make.
pub const MOST_PARTS: usize = 120_000;

/// Bytes that a change may make.
const MOST_MADE: usize = 100_000;

/// Elements of a list that a change may make.
const MOST_ELEMENTS: usize = 10_000;

/// The nodes of a structure that is put into itself, all together.
const MOST_NESTED: usize = 20_000;

/// Changes inputs at one place; `others` has values to take parts from.
pub fn change(inputs: &mut [Term], others: &[Term], random: &mut Random) {
    if inputs.is_empty() {
        return;
    }
    let at = random.below(inputs.len());
    let ways = ways(&inputs[at], MOST_PLACES);
    let way = ways[random.below(ways.len())].clone();
    let part = part(&inputs[at], &way).clone();
    let changed = match random.below(8) {
        0 | 1 => nested(&part, random),
        2 => other_part(others, random),
        _ => None,
    };
    let Some(changed) = changed.or_else(|| grown(&part, others, random)) else { return };
    let whole = match random.below(2) {
        // Every copy of it, too.
        0 if !way.is_empty() => substituted(&inputs[at], &part, &changed),
        _ => replaced(&inputs[at], &way, changed),
    };
    // What is repeated shares its parts: without a bound it doubles and doubles.
    if count(std::slice::from_ref(&whole), MOST_PARTS).is_some() {
        inputs[at] = whole;
    }
}

/// The value with another part in place of all those that are equal to one.
fn substituted(term: &Term, old: &Term, new: &Term) -> Term {
    if term == old {
        return new.clone();
    }
    term::deeper(|| match term {
        Term::Cons(..) => {
            let (items, tail) = elements(term);
            Term::list_with_tail(items.iter().map(|item| substituted(item, old, new)), tail)
        }
        Term::Tuple(_, items) => Term::tuple(items.iter().map(|item| substituted(item, old, new)).collect::<Vec<_>>()),
        Term::Map(_, map) => {
            let pairs = map.iter().map(|(key, value)| (key.clone(), substituted(value, old, new)));
            Term::map(Map::from_pairs(pairs))
        }
        other => other.clone(),
    })
}

/// A part of another value.
fn other_part(others: &[Term], random: &mut Random) -> Option<Term> {
    let other = random.pick(others)?;
    let ways = ways(other, MOST_PLACES);
    Some(part(other, random.pick(&ways)?).clone())
}

/// The value put into itself, again and again, at one place inside.
fn nested(term: &Term, random: &mut Random) -> Option<Term> {
    let ways = ways(term, MOST_PLACES);
    let way = random.pick(&ways).filter(|way| !way.is_empty())?;
    let size = count(std::slice::from_ref(term), MOST_NESTED)?;
    let times = magnitude::length(random, (MOST_NESTED / size).max(2));
    Some((0..times).fold(term.clone(), |inner, _| replaced(term, way, inner)))
}

/// The value with more of what it has.
fn grown(term: &Term, others: &[Term], random: &mut Random) -> Option<Term> {
    match term {
        Term::Cons(..) => {
            let (items, tail) = elements(term);
            let items = match random.below(6) {
                0 => with_other(items, others, random),
                1 => one_changed(items, random),
                _ => repeated(&items, MOST_ELEMENTS, random),
            };
            Some(Term::list_with_tail(items, tail))
        }
        Term::Bits(_, bits) => {
            let bytes = bits.to_bytes();
            let (whole, odd) = (bits.bit_len() / 8, bits.bit_len() % 8);
            let mut made = repeated(&bytes[..whole], MOST_MADE, random);
            made.extend(&bytes[whole..]);
            let length = made.len() * 8 - if odd == 0 { 0 } else { 8 - odd };
            Some(Term::bits(Bits::from_bits(made, length)))
        }
        Term::Map(_, map) => more_keys(map, random),
        term => term.as_bigint().map(|value| Term::big(larger(value, random))),
    }
}

/// A segment repeated, or two segments as many times each, or all of it.
pub fn repeated<T: Clone>(items: &[T], most: usize, random: &mut Random) -> Vec<T> {
    if items.is_empty() {
        return Vec::new();
    }
    let cut = |random: &mut Random, from: usize| from + random.below(items.len() + 1 - from);
    let start = if random.one_in(3) { 0 } else { random.below(items.len()) };
    let end = if random.one_in(3) { items.len() } else { cut(random, start).max(start + 1) };
    let times = magnitude::length(random, (most / (end - start)).max(2)).max(magnitude::factor(random));
    let times = times.min((most / (end - start)).max(1));
    let mut made = items[..start].to_vec();
    (0..times).for_each(|_| made.extend_from_slice(&items[start..end]));
    if end < items.len() && random.one_in(3) {
        let (second, third) = (end, cut(random, end).max(end + 1));
        let times = times.min((most / (third - second)).max(1));
        (0..times).for_each(|_| made.extend_from_slice(&items[second..third]));
        made.extend_from_slice(&items[third..]);
    } else {
        made.extend_from_slice(&items[end..]);
    }
    made.truncate(most.max(items.len()));
    made
}

/// A list with a segment of another one, or with one element of another one here and there.
fn with_other(mut items: Vec<Term>, others: &[Term], random: &mut Random) -> Vec<Term> {
    let Some(other) = random.pick(others).filter(|other| matches!(other, Term::Cons(..))) else { return items };
    let (other, _) = elements(other);
    let start = random.below(other.len());
    let segment = other[start..(start + magnitude::length(random, 64)).min(other.len())].to_vec();
    let at = random.below(items.len() + 1);
    items.splice(at..at, segment);
    items
}

/// A list with one element in another place, too, or without one.
pub fn one_changed<T: Clone>(mut items: Vec<T>, random: &mut Random) -> Vec<T> {
    let (from, to) = (random.below(items.len()), random.below(items.len()));
    match random.below(3) {
        0 => items[to] = items[from].clone(),
        1 => items.swap(from, to),
        _ => drop(items.remove(to)),
    }
    items
}

/// A map with keys like one that it has.
fn more_keys(map: &Map, random: &mut Random) -> Option<Term> {
    let at = random.below(map.len());
    let (key, value) = map.iter().nth(at)?;
    let count = magnitude::length(random, 2_000) as i64;
    let numbered = |number: i64| match key {
        Term::Atom(..) => Term::atom_named(&format!("a{number}")),
        Term::Bits(..) => Term::binary(format!("{number}").into_bytes()),
        Term::Float(..) => Term::float(number as f64),
        Term::Tuple(_, items) => {
            let mut items = items.to_vec();
            if let Some(last) = items.last_mut() {
                *last = Term::int(number);
            }
            Term::tuple(items)
        }
        _ => Term::int(number),
    };
    let mut more = map.clone();
    (0..count).for_each(|number| more.insert_mut(numbered(number), value.clone()));
    Some(Term::map(more))
}

/// A number that is farther from 0, or a landmark.
fn larger(value: BigInt, random: &mut Random) -> BigInt {
    match random.below(6) {
        0 => magnitude::integer(random, None, None),
        1 => value + 1,
        2 => value - 1,
        3 => value * 10,
        _ => value * magnitude::factor(random),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Term {
        Term::read(text).unwrap_or_else(|e| panic!("{e}"))
    }

    fn changes(text: &str) -> Vec<Term> {
        let mut random = Random::new(7);
        (0..3_000)
            .map(|_| {
                let mut inputs = [read(text)];
                change(&mut inputs, &[], &mut random);
                inputs[0].clone()
            })
            .collect()
    }

    #[test]
    fn segments_are_repeated() {
        let runs = changes("[open, close]");
        let longest = runs.iter().map(|term| term.cells().count()).max();
        assert!(longest > Some(1_000), "{longest:?}");
        let both = runs.iter().filter(|term| {
            let text = term.to_string();
            text.starts_with("[open,open,open") && text.ends_with("close,close,close]")
        });
        assert!(both.count() > 3);
    }

    #[test]
    fn a_structure_is_put_into_itself() {
        let deep = |term: &Term| {
            let (mut depth, mut rest) = (0, term);
            while let Some([_, next]) = rest.as_tuple() {
                (depth, rest) = (depth + 1, next);
            }
            depth
        };
        let deepest = changes("{link, {link, stop}}").iter().map(deep).max();
        assert!(deepest > Some(500), "{deepest:?}");
    }

    #[test]
    fn numbers_and_texts_grow() {
        assert!(changes("7").iter().any(|term| term.as_bigint().is_some_and(|value| value > BigInt::from(1_000_000))));
        let bytes = |term: &Term| term.as_bits().map_or(0, Bits::byte_len);
        assert!(changes("<<\"ab\">>").iter().any(|term| bytes(term) > 10_000));
        assert!(changes("#{a => 1}").iter().any(|term| term.as_map().is_some_and(|map| map.len() > 100)));
    }
}
