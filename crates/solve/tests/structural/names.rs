//! Atoms as names: random conditions on names and texts, compared with a look at all terms or at many; and edges.

use constraint::{Arena, Condition, Expr, Grammar, Op, RuleId, Shape, Test, Type};
use fastrand::Rng;
use num_bigint::BigInt;
use solve::integer::Arithmetic;
use solve::structural::Structural;
use solve::{Answer, Budget, Query};
use term::Term;

use crate::random::{Tally, World, ask};

const NAMES: [&str; 9] = ["", "a", "b", "ab", "ba", "aa", "abc", "é", "get_a"];

fn atoms() -> Vec<Term> {
    NAMES.iter().map(|name| Term::atom_named(name)).collect()
}

fn texts() -> Vec<Term> {
    let odd = ["[97|b]", "[-1]", "[55296,97]", "[97,c]", "[1114112]"];
    let plain = NAMES.iter().map(|name| Term::string(name));
    plain.chain(odd.iter().map(|text| Term::read(text).expect("a term"))).collect()
}

/// Some of these terms, and the rule that has no others.
fn some_of(random: &mut Rng, grammar: &mut Grammar, mut terms: Vec<Term>) -> (RuleId, Vec<Term>) {
    random.shuffle(&mut terms);
    terms.truncate(random.usize(1..5));
    (grammar.intern(terms.iter().cloned().map(Shape::Literal).collect()), terms)
}

fn text_rule(grammar: &mut Grammar) -> RuleId {
    let character =
        grammar.intern(vec![Shape::Integer { low: Some(BigInt::from(0)), high: Some(BigInt::from(0x10_ffff)) }]);
    let text = grammar.reserve();
    grammar.fill(text, vec![Shape::Literal(Term::nil()), Shape::Cons(character, text)]);
    text
}

/// Inputs that are atoms first, then inputs that may be text.
fn world(random: &mut Rng, complete: bool) -> World {
    let mut grammar = Grammar::default();
    let (mut inputs, mut values) = (Vec::new(), Vec::new());
    for at in 0..4 {
        let (rule, terms) = match (complete, at < 2) {
            (true, true) => some_of(random, &mut grammar, atoms()),
            (true, false) => some_of(random, &mut grammar, texts()),
            (false, true) => (grammar.intern(vec![Shape::Atom]), atoms()),
            (false, false) if random.bool() => (grammar.intern(vec![Shape::Any]), texts()),
            (false, false) => {
                let texts = texts().into_iter().filter(|text| constraint::is_of(text, Type::Text)).collect();
                (text_rule(&mut grammar), texts)
            }
        };
        inputs.push(rule);
        values.push(terms);
    }
    World { grammar, inputs, values, complete }
}

fn atom(random: &mut Rng, arena: &mut Arena) -> Expr {
    match random.u32(0..8) {
        0 => {
            let literal = Term::atom_named(NAMES[random.usize(..NAMES.len())]);
            arena.literal(literal)
        }
        1..=2 => {
            let text = arena.input(random.u32(2..4));
            arena.atom(text)
        }
        3 => {
            let (first, rest) = (arena.integer(i64::from(random.u32(97..100))), text(random, arena));
            let text = arena.cons(first, rest);
            arena.atom(text)
        }
        _ => arena.input(random.u32(0..2)),
    }
}

fn text(random: &mut Rng, arena: &mut Arena) -> Expr {
    match random.u32(0..8) {
        0 => {
            let literal = Term::string(NAMES[random.usize(..NAMES.len())]);
            arena.literal(literal)
        }
        1..=2 => arena.input(random.u32(2..4)),
        3 => {
            let text = arena.input(random.u32(2..4));
            arena.tail(text)
        }
        4 => {
            let name = arena.input(random.u32(0..2));
            let name = arena.name(name);
            arena.tail(name)
        }
        _ => {
            let name = arena.input(random.u32(0..2));
            arena.name(name)
        }
    }
}

fn test(random: &mut Rng, arena: &mut Arena, _: &World) -> Test {
    match random.u32(0..10) {
        0..=1 => Test::Same(atom(random, arena), atom(random, arena)),
        2 => Test::Less(atom(random, arena), atom(random, arena)),
        3..=4 => Test::Same(text(random, arena), text(random, arena)),
        5 => Test::Less(text(random, arena), text(random, arena)),
        6 => Test::Type(text(random, arena), Type::Text),
        7 => Test::Cons(text(random, arena)),
        8 => {
            let text = text(random, arena);
            let (head, letter) = (arena.head(text), arena.integer(i64::from(random.u32(96..104))));
            if random.bool() { Test::Less(head, letter) } else { Test::Same(head, letter) }
        }
        _ => {
            let text = text(random, arena);
            let (length, bound) = (arena.apply(Op::Length, &[text]), arena.integer(random.i64(0..4)));
            Test::Less(length, bound)
        }
    }
}

fn compare(seed: u64, count: u32, complete: bool) -> Tally {
    let mut random = Rng::with_seed(seed);
    let mut tally = Tally::default();
    let mut solver = Structural::new(Arithmetic);
    while tally.found + tally.none + tally.unknown < count {
        let world = world(&mut random, complete);
        for _ in 0..10 {
            ask(&mut random, &world, &mut solver, &mut tally, test);
        }
    }
    tally
}

#[test]
fn names_that_are_all_known() {
    let Tally { found, none, unknown, shown, .. } = compare(6, 1_500, true);
    // Lengths of lists that a rule spells out have no bounds yet.
    assert!(unknown < 20, "{unknown} of {}\n{}", found + none + unknown, shown.join("\n\n"));
    assert!(found > 200 && none > 200, "{found} found, {none} none");
}

#[test]
fn names_of_any_kind() {
    let Tally { found, none, unknown, shown, .. } = compare(7, 1_500, false);
    assert!(unknown < 20, "{unknown} of {}\n{}", found + none + unknown, shown.join("\n\n"));
    assert!(found > 200 && none > 200, "{found} found, {none} none");
}

fn answer(shape: Option<Shape>, conditions: impl FnOnce(&mut Arena) -> Vec<(Test, bool)>) -> Answer {
    let (mut grammar, mut arena) = (Grammar::default(), Arena::new());
    let rule = match shape {
        Some(shape) => grammar.intern(vec![shape]),
        None => text_rule(&mut grammar),
    };
    let inputs = [rule];
    let conditions: Vec<Condition> =
        conditions(&mut arena).into_iter().map(|(test, holds)| Condition { test, holds }).collect();
    let query = Query { arena: &arena, grammar: &grammar, inputs: &inputs, conditions: &conditions, near: &[] };
    Structural::new(Arithmetic).solve(&query, &Budget { choices: 2_000, rlimit: 1_000_000, walk: 0 })
}

#[test]
fn a_name_has_at_most_255_characters() {
    let longer = |bound: i64| {
        answer(Some(Shape::Atom), |arena| {
            let atom = arena.input(0);
            let name = arena.name(atom);
            let (length, bound) = (arena.apply(Op::Length, &[name]), arena.integer(bound));
            vec![(Test::Less(bound, length), true)]
        })
    };
    assert!(matches!(longer(255), Answer::Unsat));
    let Answer::Sat(inputs) = longer(254) else { panic!("there is a name of 255 characters") };
    assert_eq!(inputs[0].as_atom().map(|atom| atom.name().chars().count()), Some(255));
}

#[test]
fn a_text_that_is_too_long_need_not_be_text_to_its_end() {
    let long = |shape: Option<Shape>, text: bool| {
        answer(shape, |arena| {
            let list = arena.input(0);
            vec![(Test::Type(list, Type::Text), text), (Test::Type(list, Type::LongText(255)), true)]
        })
    };
    for (shape, text) in [(Some(Shape::Any), true), (Some(Shape::Any), false), (None, true), (None, false)] {
        let Answer::Sat(inputs) = long(shape, text) else { panic!("there is one, text: {text}") };
        assert_eq!(constraint::is_of(&inputs[0], Type::Text), text);
        assert!(inputs[0].cells().count() > 255);
    }
}
