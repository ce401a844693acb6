//! Random queries about bitstrings, compared with a look at all inputs.

use constraint::{Arena, Condition, Expr, Grammar, Op, Part, RuleId, Shape, Test, Type, holds};
use fastrand::Rng;
use num_bigint::BigInt;
use solve::integer::Arithmetic;
use solve::structural::{Structural, accepts};
use solve::{Answer, Budget, Query, UnknownReason};
use term::{Bits, Term};

const BUDGET: Budget = Budget { choices: 300, rlimit: 1_000_000, walk: 0 };

/// The lengths that the first two inputs can have; the third is a small integer.
const LENGTHS: [&[u64]; 3] = [&[0, 3, 4], &[0, 2, 5], &[4]];
const MOST: i64 = 5;

struct World {
    grammar: Grammar,
    inputs: Vec<RuleId>,
    values: Vec<Vec<Term>>,
}

fn world(random: &mut Rng) -> World {
    let mut grammar = Grammar::default();
    let mut inputs = Vec::new();
    let mut values = Vec::new();
    for _ in 0..2 {
        let lengths = LENGTHS[random.usize(..LENGTHS.len())];
        inputs.push(grammar.intern(lengths.iter().map(|base| Shape::Bits { base: *base, unit: 0 }).collect()));
        values.push(lengths.iter().flat_map(|len| all_bits(*len as usize)).collect());
    }
    let integers = Shape::Integer { low: Some(BigInt::from(-1)), high: Some(BigInt::from(MOST)) };
    inputs.push(grammar.intern(vec![integers]));
    values.push((-1..=MOST).map(Term::int).collect());
    grammar.close();
    World { grammar, inputs, values }
}

fn all_bits(len: usize) -> impl Iterator<Item = Term> {
    (0..1u16 << len).map(move |value| {
        let word = if len == 0 { 0 } else { value << (16 - len) };
        Term::bits(Bits::from_bits(word.to_be_bytes()[..len.div_ceil(8)].to_vec(), len))
    })
}

fn place(random: &mut Rng, arena: &mut Arena) -> Expr {
    match random.u32(0..4) {
        0 => arena.input(2),
        1 => {
            let bits = arena.input(random.u32(0..2));
            arena.bits(bits, 0, 2)
        }
        _ => arena.integer(random.i64(0..MOST)),
    }
}

fn bitstring(random: &mut Rng, arena: &mut Arena, depth: u32) -> Expr {
    let input = arena.input(random.u32(0..2));
    match random.u32(0..if depth == 0 { 1 } else { 5 }) {
        1 => {
            let of = bitstring(random, arena, depth - 1);
            let at = place(random, arena);
            arena.rest(of, at)
        }
        2 => {
            let of = bitstring(random, arena, depth - 1);
            let (at, size) = (place(random, arena), place(random, arena));
            arena.slice(of, at, size)
        }
        3 => {
            let first = bitstring(random, arena, depth - 1);
            let value = arena.input(2);
            let number = Part::Integer { value, from: random.u32(0..2), size: random.u32(0..4) };
            let parts = if random.bool() { vec![Part::Bits(first), number] } else { vec![number, Part::Bits(first)] };
            arena.build(parts)
        }
        _ => input,
    }
}

fn number(random: &mut Rng, arena: &mut Arena) -> Expr {
    let bits = bitstring(random, arena, 2);
    match random.u32(0..6) {
        0 => arena.bit_size(bits),
        1 => arena.apply(Op::ByteSize, &[bits]),
        2 => arena.segment(bits, random.u32(0..3), random.u32(1..4), true, false),
        3 => {
            let (a, b) = (arena.bits(bits, 0, 2), arena.bits(bits, 1, 3));
            arena.apply(Op::Add, &[a, b])
        }
        _ => arena.bits(bits, random.u32(0..4), random.u32(1..5)),
    }
}

fn test(random: &mut Rng, arena: &mut Arena) -> Test {
    if random.bool() {
        let (a, b) = (number(random, arena), random.i64(0..9));
        let b = if random.u32(0..3) == 0 { number(random, arena) } else { arena.integer(b) };
        return if random.bool() { Test::Same(a, b) } else { Test::Less(a, b) };
    }
    let a = bitstring(random, arena, 2);
    let b = if random.bool() {
        bitstring(random, arena, 1)
    } else {
        let len = random.usize(0..6);
        let literal = all_bits(len).nth(random.usize(..1 << len)).expect("one of all");
        arena.literal(literal)
    };
    match random.u32(0..5) {
        0 => Test::Type(a, Type::Binary),
        1 => Test::Less(a, b),
        2 => Test::Equal(a, b),
        _ => Test::Same(a, b),
    }
}

fn conditions(random: &mut Rng, arena: &mut Arena, near: &[Term]) -> Vec<Condition> {
    let mut all = Vec::new();
    let wanted = random.usize(1..5);
    while all.len() < wanted {
        let condition = Condition { test: test(random, arena), holds: true };
        match holds(arena, &condition, near) {
            Ok(true) => all.push(condition),
            Ok(false) => all.push(condition.negated()),
            Err(_) => {}
        }
    }
    if let Some(last) = all.last_mut() {
        *last = last.negated();
    }
    all
}

fn by_force(query: &Query<'_>, world: &World) -> Option<Vec<Term>> {
    let [a, b, c] = &world.values[..] else { return None };
    for x in a {
        for y in b {
            for z in c {
                let row = vec![x.clone(), y.clone(), z.clone()];
                if query.is_met_simplified_by(&row) {
                    return Some(row);
                }
            }
        }
    }
    None
}

#[test]
fn answers_about_bitstrings_are_those_of_a_look_at_all() {
    let mut random = Rng::with_seed(5);
    let mut solver = Structural::new(Arithmetic);
    let (mut found, mut none, mut unknown) = (0, 0, Vec::new());
    for _ in 0..1_000 {
        let world = world(&mut random);
        let mut arena = Arena::new();
        let near: Vec<Term> = world.values.iter().map(|values| values[random.usize(..values.len())].clone()).collect();
        let conditions = conditions(&mut random, &mut arena, &near);
        let query = Query {
            arena: &arena,
            grammar: &world.grammar,
            inputs: &world.inputs,
            conditions: &conditions,
            near: &near,
        };
        let show = || {
            let shown: Vec<String> = conditions.iter().map(|condition| arena.show_condition(condition)).collect();
            format!("{}\nnear {near:?} {:?}", shown.join("\n"), world.inputs)
        };
        match solver.solve(&query, &BUDGET) {
            Answer::Sat(inputs) => {
                assert!(query.is_met_simplified_by(&inputs), "{}", show());
                let mut fit = world.inputs.iter().zip(&inputs);
                assert!(fit.all(|(rule, input)| accepts(&world.grammar, *rule, input)), "{}", show());
                found += 1;
            }
            Answer::Unsat => {
                let truth = by_force(&query, &world);
                assert!(truth.is_none(), "there is {truth:?}\n{}", show());
                none += 1;
            }
            Answer::Unknown(UnknownReason::Wrong) => panic!("wrong\n{}", show()),
            Answer::Unknown(why) => unknown.push(format!("{why:?} {:?}\n{}", by_force(&query, &world), show())),
        }
    }
    assert!(unknown.len() < 10, "{}:\n{}", unknown.len(), unknown.join("\n\n"));
    assert!(found > 300 && none > 300, "{found} found, {none} none");
}

/// A part without bits is the empty one, however long the whole is.
#[test]
fn a_part_of_no_bits_is_empty() {
    let mut grammar = Grammar::default();
    let rule = grammar.intern(vec![Shape::Bits { base: 0, unit: 8 }]);
    grammar.close();
    let mut arena = Arena::new();
    let (bits, at) = (arena.input(0), arena.integer(16));
    let (size, empty) = (arena.bits(bits, 0, 8), arena.literal(Term::bits(Bits::empty())));
    let (three, zero, part) = (arena.integer(3), arena.integer(0), arena.slice(bits, at, size));
    let byte = arena.bits(bits, 8, 8);
    let conditions = [
        Condition { test: Test::Less(byte, three), holds: false },
        Condition { test: Test::Same(size, zero), holds: true },
        Condition { test: Test::Same(part, empty), holds: false },
    ];
    let near = [Term::bits(Bits::from_bits(vec![0, 5, 1], 24))];
    let query = Query { arena: &arena, grammar: &grammar, inputs: &[rule], conditions: &conditions, near: &near };
    assert!(matches!(Structural::new(Arithmetic).solve(&query, &BUDGET), Answer::Unsat));
}
