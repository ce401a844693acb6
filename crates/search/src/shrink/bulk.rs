//! Large witnesses made small in few tries: long sequences lose halves, then smaller parts; deep structures lose levels;
//! large integers are halved.
//!
//! A sequence keeps losing parts of one size before the next smaller size has its turn, so that a list of thousands takes
//! tens of tries. What is left is for the finer edits.

use constraint::Stimulus;
use num_bigint::BigInt;
use num_traits::Signed;
use rustc_hash::FxHashSet;
use term::{Bits, Map, Term};

use super::smaller;
use crate::parts::{children, deepest, elements, part, replaced, ways};
use crate::size::TermSize;

/// Sequences and depths up to this, and integers of so many bits, are for the finer edits.
const SMALL: usize = 12;
const SMALL_BITS: u64 = 8;

/// Parts of one input that are looked at, and of those the ones that are made smaller.
const LOOKED_AT: usize = 2_000;
const PARTS: usize = 24;

/// Elements that are taken away or made smaller wherever they are.
const KINDS: usize = 6;

/// Tries with parts of one size.
const TRIES: usize = 40;

/// Times that all parts have their turn.
const ROUNDS: usize = 3;

/// A witness that becomes smaller.
pub struct Bulk<'a> {
    best: Stimulus,
    keeps: &'a mut dyn FnMut(&Stimulus) -> Option<bool>,
    /// The inputs that were tried: deletions from a run of one value are all the same.
    tried: FxHashSet<Vec<Term>>,
}

/// Makes a stimulus smaller; `keeps` gives nothing when the bounds are met.
pub fn bulk(stimulus: Stimulus, keeps: &mut dyn FnMut(&Stimulus) -> Option<bool>) -> Stimulus {
    let mut bulk = Bulk { best: stimulus, keeps, tried: FxHashSet::default() };
    for _ in 0..ROUNDS {
        let before = TermSize::of(&bulk.best.inputs);
        let done = (0..bulk.best.inputs.len()).try_for_each(|input| bulk.reduce_input(input));
        if done.is_none() || TermSize::of(&bulk.best.inputs) == before {
            break;
        }
    }
    bulk.best
}

impl Bulk<'_> {
    /// Makes the large parts of an input smaller.
    fn reduce_input(&mut self, input: usize) -> Option<()> {
        self.reduce_depth(input)?;
        for number in 0..PARTS {
            let term = &self.best.inputs[input];
            let is_large = |way: &Vec<usize>| is_large(part(term, way));
            let Some(way) = ways(term, LOOKED_AT).into_iter().filter(is_large).nth(number) else { break };
            match part(term, &way).clone() {
                list @ Term::Cons(..) => {
                    let (items, tail) = elements(&list);
                    let made = |items: &[Term]| Term::list_with_tail(items.iter().cloned(), tail.clone());
                    let items = self.drop_kinds(input, &way, items, &made)?;
                    let items = self.shorten(input, &way, items, &made)?;
                    let items = self.unify(input, &way, items, &made)?;
                    self.reduce_kinds(input, &way, items, &made)?;
                }
                Term::Bits(_, bits) => {
                    let (whole, rest) = (bits.bit_len() / 8 * 8, bits.bit_len() % 8);
                    let bytes = bits.slice(0, whole).to_bytes().into_owned();
                    let last = bits.slice(whole, rest).to_bytes().into_owned();
                    let made =
                        |bytes: &[u8]| Term::bits(Bits::from_bits([bytes, &last].concat(), bytes.len() * 8 + rest));
                    let bytes = self.shorten(input, &way, bytes, &made)?;
                    self.unify(input, &way, bytes, &made)?;
                }
                Term::Map(_, map) => {
                    let pairs = map.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
                    let made = |pairs: &[(Term, Term)]| Term::map(Map::from_pairs(pairs.iter().cloned()));
                    self.shorten(input, &way, pairs, &made)?;
                }
                other => self.reduce_integer(input, &way, other.as_bigint()?)?,
            }
        }
        Some(())
    }

    /// Tries a part in place of another; nothing when the bounds are met.
    fn put(&mut self, input: usize, way: &[usize], new: Term) -> Option<bool> {
        let mut inputs = self.best.inputs.clone();
        inputs[input] = replaced(&inputs[input], way, new);
        if !self.tried.insert(inputs.clone()) || TermSize::of(&inputs) >= TermSize::of(&self.best.inputs) {
            return Some(false);
        }
        let candidate = Stimulus { inputs, schedule: self.best.schedule.clone() };
        let is_kept = (self.keeps)(&candidate)?;
        if is_kept {
            self.best = candidate;
        }
        Some(is_kept)
    }

    /// Takes parts of a sequence away.
    fn shorten<T: Clone>(
        &mut self,
        input: usize,
        way: &[usize],
        mut items: Vec<T>,
        made: &dyn Fn(&[T]) -> Term,
    ) -> Option<Vec<T>> {
        let mut chunk = items.len();
        while chunk > 0 {
            let (mut at, mut tries) = (0, 0);
            while at < items.len() && tries < TRIES {
                let end = (at + chunk).min(items.len());
                let fewer = [&items[..at], &items[end..]].concat();
                tries += 1;
                if self.put(input, way, made(&fewer))? {
                    items = fewer;
                } else {
                    at = end;
                }
            }
            chunk /= 2;
        }
        Some(items)
    }

    /// Makes elements of a sequence the same.
    fn unify<T: Clone + PartialEq>(
        &mut self,
        input: usize,
        way: &[usize],
        mut items: Vec<T>,
        made: &dyn Fn(&[T]) -> Term,
    ) -> Option<Vec<T>> {
        let size = |item: &T| TermSize::of(&[made(std::slice::from_ref(item))]);
        let Some(plain) = items.iter().min_by_key(|item| size(item)).cloned() else { return Some(items) };
        let mut chunk = items.len();
        while chunk > 0 {
            let mut tries = 0;
            for at in (0..items.len()).step_by(chunk) {
                let end = (at + chunk).min(items.len());
                if tries == TRIES || items[at..end].iter().all(|item| *item == plain) {
                    continue;
                }
                let mut same = items.clone();
                same[at..end].fill(plain.clone());
                tries += 1;
                if self.put(input, way, made(&same))? {
                    items = same;
                }
            }
            chunk /= 2;
        }
        Some(items)
    }

    /// Takes all elements that are equal to one away.
    fn drop_kinds(
        &mut self,
        input: usize,
        way: &[usize],
        mut items: Vec<Term>,
        made: &dyn Fn(&[Term]) -> Term,
    ) -> Option<Vec<Term>> {
        for kind in kinds(&items) {
            let fewer: Vec<Term> = items.iter().filter(|item| **item != kind).cloned().collect();
            if self.put(input, way, made(&fewer))? {
                items = fewer;
            }
        }
        Some(items)
    }

    /// Makes all elements that are equal to one smaller, in the same way.
    fn reduce_kinds(
        &mut self,
        input: usize,
        way: &[usize],
        mut items: Vec<Term>,
        made: &dyn Fn(&[Term]) -> Term,
    ) -> Option<()> {
        for mut kind in kinds(&items) {
            let mut edits = smaller(&kind, &mut TRIES.clone()).into_iter().take(TRIES);
            while let Some(edit) = edits.next() {
                let other = |item: &Term| if *item == kind { edit.clone() } else { item.clone() };
                let changed: Vec<Term> = items.iter().map(other).collect();
                if self.put(input, way, made(&changed))? {
                    (items, kind) = (changed, edit);
                    edits = smaller(&kind, &mut TRIES.clone()).into_iter().take(TRIES);
                }
            }
        }
        Some(())
    }

    /// Tries 0 and the next round numbers, then goes from what is too small towards an integer in halves.
    fn reduce_integer(&mut self, input: usize, way: &[usize], value: BigInt) -> Option<()> {
        if self.put(input, way, Term::int(0))? {
            return Some(());
        }
        let (mut lost, mut kept) = (BigInt::ZERO, value);
        for round in round_numbers(&kept) {
            if !self.put(input, way, Term::big(round.clone()))? {
                lost = round;
                break;
            }
            let next = &round - round.signum();
            kept = round;
            if !self.put(input, way, Term::big(next))? {
                return Some(());
            }
        }
        loop {
            let middle: BigInt = (&lost + &kept) / 2;
            if middle == lost || middle == kept {
                return Some(());
            }
            if self.put(input, way, Term::big(middle.clone()))? { kept = middle } else { lost = middle }
        }
    }

    /// Takes levels of a deep structure away: a part stands in place of what it is inside of.
    fn reduce_depth(&mut self, input: usize) -> Option<()> {
        let mut way = deepest(&self.best.inputs[input]);
        let mut chunk = way.len() / 2;
        while way.len() > SMALL && chunk > 0 {
            let (mut at, mut tries) = (0, 0);
            while at + chunk <= way.len() && tries < TRIES {
                let term = &self.best.inputs[input];
                let inner = part(term, &way[..at + chunk]).clone();
                tries += 1;
                if self.put(input, &way[..at], inner)? {
                    way.drain(at..at + chunk);
                } else {
                    at += chunk;
                }
            }
            chunk /= 2;
        }
        Some(())
    }
}

/// The next power of ten and of two towards 0, the farther one last.
fn round_numbers(value: &BigInt) -> Vec<BigInt> {
    let digits = value.magnitude().to_string().len() as u32 - 1;
    let powers = [BigInt::from(10).pow(digits), BigInt::from(2).pow(value.bits() as u32 - 1)];
    let mut powers: Vec<BigInt> = powers.into_iter().map(|power| power * value.signum()).collect();
    powers.sort_by_key(|power| std::cmp::Reverse(power.magnitude().clone()));
    powers
}

/// Some of the elements, each once.
fn kinds(items: &[Term]) -> Vec<Term> {
    let mut kinds: Vec<Term> = Vec::new();
    for item in items {
        if kinds.len() < KINDS && !kinds.contains(item) {
            kinds.push(item.clone());
        }
    }
    kinds
}

fn is_large(term: &Term) -> bool {
    match term {
        Term::Cons(..) | Term::Map(..) => children(term).len() > SMALL,
        Term::Bits(_, bits) => bits.bit_len() > 8 * SMALL,
        term => term.as_bigint().is_some_and(|value| value.bits() > SMALL_BITS),
    }
}
