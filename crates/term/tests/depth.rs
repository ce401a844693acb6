//! Terms nested a hundred thousand deep: nothing may use a stack frame per level without asking for more stack.

use term::{Closure, Fun, Map, Style, Term, etf, known};

const DEPTH: usize = 100_000;

fn nest(wrap: impl Fn(Term) -> Term) -> Term {
    (0..DEPTH).fold(Term::int(1), |inner, _| wrap(inner))
}

fn survives(wrap: impl Fn(Term) -> Term) {
    let (a, b) = (nest(&wrap), nest(&wrap));
    assert!(a == b && a.num_eq(&b) && a.compare(&b).is_eq() && a.compare_exact(&b).is_eq());
    let form = etf::encode(&a).expect("no closures");
    assert!(etf::decode(&form).expect("our own form") == a);
    assert!(Term::read(&a.to_string()).expect("our own text") == a);
    assert!(a.write(Style::Plain).len() >= DEPTH);
}

#[test]
fn tuples() {
    survives(|inner| Term::tuple([inner]));
}

#[test]
fn lists_in_heads() {
    survives(|inner| Term::list([inner]));
}

#[test]
fn long_lists() {
    survives(|inner| Term::cons(Term::nil(), inner));
}

#[test]
fn maps() {
    survives(|inner| Term::map(Map::from_pairs([(Term::nil(), inner)])));
}

#[test]
fn maps_in_keys() {
    survives(|inner| Term::map(Map::from_pairs([(inner, Term::nil())])));
}

#[test]
fn closures() {
    let wrap = |inner| {
        let names = (known::LISTS, known::OK);
        let (module, name) = names;
        Term::fun(Fun::Closure(Closure {
            module,
            name,
            arity: 0,
            code: 0,
            index: 0,
            uniq: 0,
            captured: [inner].into(),
        }))
    };
    assert!(nest(wrap) == nest(wrap));
}

#[test]
fn unbalanced_text_and_bytes() {
    for open in ["[", "{", "#{a=>", "<<(", "("] {
        assert!(Term::read(&open.repeat(DEPTH)).is_err());
    }
    let form: Vec<u8> = std::iter::once(131).chain([108, 0, 0, 0, 1].repeat(DEPTH)).collect();
    assert!(etf::decode(&form).is_err());
}
