//! Properties of all terms: round trips, a total order, and bad input that is only ever an error.

mod generate;

use std::cmp::Ordering;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use generate::Source;
use proptest::prelude::*;
use term::{Bits, BitsBuilder, Call, Map, Term, etf};

fn hash(term: &Term) -> u64 {
    let mut hasher = DefaultHasher::new();
    term.hash(&mut hasher);
    hasher.finish()
}

/// Reads text that may be anything; what it gives must print and read back to itself.
fn read_anything(text: &str) {
    if let Ok(term) = Term::read(text) {
        assert_eq!(Term::read(&term.to_string()).as_ref(), Ok(&term), "{text}");
    }
    if let Ok(call) = Call::read(text) {
        assert_eq!(Call::read(&call.to_string()).map(|call| call.to_string()), Ok(call.to_string()));
    }
}

fn decode_anything(bytes: &[u8]) {
    if let Ok(term) = etf::decode(bytes) {
        let again = etf::encode(&term).expect("nothing decoded is a closure of ours");
        assert_eq!(etf::decode(&again).as_ref(), Ok(&term));
    }
}

fn bools(bits: &Bits) -> Vec<bool> {
    (0..bits.bit_len()).map(|at| bits.read_u64(at, 1) == 1).collect()
}

fn word(bools: &[bool]) -> u64 {
    bools.iter().fold(0, |word, bit| word << 1 | u64::from(*bit))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn text_reads_back(seed: u64, depth in 0usize..4) {
        let term = Source::readable(seed).term(depth);
        let text = term.to_string();
        let back = Term::read(&text).map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
        prop_assert_eq!(&back, &term);
        prop_assert_eq!(back.to_string(), text);
    }

    #[test]
    fn calls_read_back(seed: u64) {
        let mut source = Source::readable(seed);
        let (module, function) = (source.atom().as_atom().unwrap(), source.atom().as_atom().unwrap());
        let call = Call { module, function, args: vec![source.term(2), source.term(1)] };
        let back = Call::read(&call.to_string()).unwrap();
        prop_assert_eq!((back.module, back.function, back.args), (call.module, call.function, call.args));
    }

    #[test]
    fn external_form_reads_back(seed: u64, depth in 0usize..4) {
        let term = Source::new(seed).term(depth);
        let form = etf::encode(&term).unwrap();
        let back = etf::decode(&form).unwrap();
        prop_assert_eq!(&back, &term);
        prop_assert_eq!(etf::encode(&back).unwrap(), form);
    }

    #[test]
    fn order_is_total(seed: u64, depth in 0usize..3) {
        let mut source = Source::new(seed);
        let a = source.term(depth);
        let (b, c) = (source.neighbour(&a), source.neighbour(&a));
        for compare in [Term::compare, Term::compare_exact] {
            let mut sorted = [&a, &b, &c];
            sorted.sort_by(|a, b| compare(a, b));
            prop_assert_ne!(compare(sorted[0], sorted[1]), Ordering::Greater);
            prop_assert_ne!(compare(sorted[1], sorted[2]), Ordering::Greater);
            prop_assert_ne!(compare(sorted[0], sorted[2]), Ordering::Greater);
            prop_assert_eq!(compare(&a, &b), compare(&b, &a).reverse());
            prop_assert_eq!(compare(&a, &a.clone()), Ordering::Equal);
        }
        prop_assert_eq!(a == b, a.compare_exact(&b).is_eq());
        prop_assert_eq!(a.num_eq(&b), a.compare(&b).is_eq());
        prop_assert!(a != b || hash(&a) == hash(&b));
    }

    #[test]
    fn bad_bytes_are_errors(seed: u64, noise: Vec<u8>) {
        decode_anything(&noise);
        decode_anything(&[vec![131], noise].concat());
        let mut source = Source::new(seed);
        let mut form = etf::encode(&source.term(3)).unwrap();
        source.damage(&mut form, 4);
        decode_anything(&form);
    }

    #[test]
    fn bad_text_is_an_error(seed: u64, noise: String) {
        read_anything(&noise);
        let mut source = Source::readable(seed);
        let mut text = source.term(3).to_string().into_bytes();
        source.damage(&mut text, 4);
        read_anything(&String::from_utf8_lossy(&text));
    }

    #[test]
    fn text_of_source_signs_is_an_error_or_a_term(text in "[-+\\[\\]{}()<>|,.:;/#$'\"\\\\ %=a-fx0-9_e\n]{0,40}") {
        read_anything(&text);
    }

    #[test]
    fn bits_are_a_row_of_booleans(seed: u64) {
        let mut source = Source::new(seed);
        let (a, b) = (source.bits(), source.bits());
        let model = [bools(&a), bools(&b)].concat();
        let mut builder = Rc::new(a.clone()).builder_from();
        builder.push_bits(&b);
        let joined = builder.finish();
        prop_assert_eq!(bools(&joined), model.clone());
        let start = source.below(model.len() + 1);
        let len = source.below(model.len() - start + 1);
        let slice = joined.slice(start, len);
        prop_assert_eq!(bools(&slice), &model[start..start + len]);
        let size = len.min(64);
        prop_assert_eq!(slice.read_u64(0, size), word(&model[start..start + size]));
        let mut copy = BitsBuilder::new();
        copy.push_bits(&slice);
        let copy = copy.finish();
        prop_assert_eq!(&copy, &slice);
        prop_assert_eq!(copy.cmp(&a), bools(&copy).cmp(&bools(&a)));
        prop_assert_eq!(hash(&Term::bits(copy)), hash(&Term::bits(slice)));
    }

    #[test]
    fn appending_leaves_others_alone(seed: u64) {
        let mut source = Source::new(seed);
        let whole = Rc::new(source.bits());
        let before = bools(&whole);
        let part = whole.slice(0, source.below(before.len() + 1));
        let mut builder = Rc::new(part).builder_from();
        builder.push_u64(source.next(), source.below(65));
        builder.finish();
        prop_assert_eq!(bools(&whole), before);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_map_is_a_list_of_pairs(seed: u64, steps in 1usize..400) {
        let mut source = Source::new(seed);
        let (mut map, mut model): (Map, Vec<(Term, Term)>) = (Map::new(), Vec::new());
        for step in 0..steps {
            let key = if source.below(3) == 0 { source.term(1) } else { Term::int(source.below(90) as i64) };
            let at = model.iter().position(|(other, _)| *other == key);
            prop_assert_eq!(map.get(&key), at.map(|at| &model[at].1));
            let before = map.clone();
            // More taken out than put in now and then, so that it shrinks again.
            if source.below(200) < step {
                prop_assert_eq!(map.remove_mut(&key), at.map(|at| model.remove(at).1));
            } else {
                let value = Term::int(step as i64);
                map.insert_mut(key.clone(), value.clone());
                at.map(|at| model.remove(at));
                model.push((key.clone(), value));
            }
            prop_assert_eq!(before.get(&key).is_some(), at.is_some());
            prop_assert_eq!(map.len(), model.len());
        }
        model.sort_by(|(a, _), (b, _)| a.compare_exact(b));
        let pairs: Vec<(Term, Term)> = map.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        prop_assert_eq!(&pairs, &model);
        prop_assert_eq!(Term::map(Map::from_pairs(pairs)), Term::map(map));
    }
}
