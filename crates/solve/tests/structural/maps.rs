//! Maps: random queries over small map types, compared with a look at all maps, and single features.

use constraint::{Arena, Expr, Grammar, MapField, Op, RuleId, Shape, Test, Type};
use fastrand::Rng;
use num_bigint::BigInt;
use solve::integer::Arithmetic;
use solve::structural::Structural;
use term::{Map, Term};

use crate::random::{Tally, World, ask};

fn atom(name: &str) -> Term {
    Term::atom_named(name)
}

/// Rules of keys: one, several, and of two kinds.
fn key_rules(grammar: &mut Grammar) -> Vec<(RuleId, Vec<Term>)> {
    let rules: Vec<Vec<Term>> = vec![
        vec![atom("a")],
        vec![atom("b")],
        vec![Term::int(1)],
        vec![atom("a"), atom("b")],
        vec![Term::int(1), Term::int(2)],
        vec![atom("b"), atom("c"), Term::int(2)],
    ];
    let intern = |terms: Vec<Term>| (grammar.intern(terms.iter().cloned().map(Shape::Literal).collect()), terms);
    rules.into_iter().map(intern).collect()
}

/// All maps of some fields, and the shape.
fn map_shape(random: &mut Rng, keys: &[(RuleId, Vec<Term>)], values: &[(RuleId, Vec<Term>)]) -> (Shape, Vec<Map>) {
    let mut fields = Vec::new();
    let mut taken: Vec<Term> = Vec::new();
    let mut maps = vec![Map::new()];
    for _ in 0..random.usize(1..4) {
        let (key, terms) = &keys[random.usize(..keys.len())];
        let (value, choices) = &values[random.usize(..values.len())];
        let mandatory = random.bool();
        fields.push(MapField { key: *key, value: *value, mandatory });
        let own: Vec<Term> = terms.iter().filter(|term| !taken.contains(term)).cloned().collect();
        taken.extend(own.iter().cloned());
        maps = maps.into_iter().flat_map(|map| with_field(&map, &own, choices, mandatory)).collect();
    }
    (Shape::Map(fields), maps)
}

fn with_field(map: &Map, keys: &[Term], values: &[Term], mandatory: bool) -> Vec<Map> {
    let mut all = vec![map.clone()];
    for key in keys {
        let more: Vec<Map> =
            all.iter().flat_map(|map| values.iter().map(|value| map.insert(key.clone(), value.clone()))).collect();
        all.extend(more);
    }
    all.retain(|with| !mandatory || with.len() > map.len());
    all
}

fn world(random: &mut Rng) -> World {
    let mut grammar = Grammar::default();
    let keys = key_rules(&mut grammar);
    let integers = grammar.intern(vec![Shape::Integer { low: Some(BigInt::from(1)), high: Some(BigInt::from(2)) }]);
    let atoms = grammar.intern(vec![Shape::Literal(atom("a"))]);
    let equal = [Term::int(1), Term::float(1.0)];
    let numbers = grammar.intern(equal.iter().cloned().map(Shape::Literal).collect());
    let mut values = vec![(integers, vec![Term::int(1), Term::int(2)]), (atoms, vec![atom("a")])];
    values.push((numbers, equal.to_vec()));
    let inner = map_shape(random, &keys[..2], &values);
    let inner_maps: Vec<Term> = inner.1.into_iter().map(Term::map).take(4).collect();
    let mut world = World { grammar, inputs: Vec::new(), values: Vec::new(), complete: true };
    if random.u32(0..4) == 0 && !inner_maps.is_empty() && inner_maps.len() < 4 {
        values.push((world.grammar.intern(vec![inner.0]), inner_maps));
    }
    for _ in 0..random.u32(1..3) {
        let mut all: Vec<Term> = Vec::new();
        let mut shapes = Vec::new();
        for _ in 0..random.u32(1..3) {
            let (shape, maps) = map_shape(random, &keys, &values);
            shapes.push(shape);
            all.extend(maps.into_iter().map(Term::map));
        }
        all.sort_by(Term::compare_exact);
        all.dedup();
        world.inputs.push(world.grammar.intern(shapes));
        world.values.push(all);
    }
    let (rule, terms) = keys[random.usize(3..keys.len())].clone();
    world.inputs.push(rule);
    world.values.push(terms);
    world
}

fn key(random: &mut Rng, arena: &mut Arena, world: &World) -> Expr {
    match random.u32(0..3) {
        0 => arena.input(world.inputs.len() as u32 - 1),
        1 => arena.literal(random.choice([atom("a"), atom("b"), Term::int(1), Term::int(2)]).unwrap_or_default()),
        _ => {
            let map = arena.input(random.u32(0..world.inputs.len() as u32 - 1));
            arena.map_key(map, random.u32(0..2))
        }
    }
}

fn map(random: &mut Rng, arena: &mut Arena, world: &World) -> Expr {
    let map = arena.input(random.u32(0..world.inputs.len() as u32 - 1));
    if random.u32(0..4) == 0 {
        let key = key(random, arena, world);
        return arena.map_value(map, key);
    }
    map
}

fn made(random: &mut Rng, arena: &mut Arena, world: &World) -> Expr {
    let base = if random.bool() { map(random, arena, world) } else { arena.literal(Term::map(Map::new())) };
    let (key, value) = (key(random, arena, world), value(random, arena, world));
    match random.u32(0..4) {
        0 => arena.map_remove(base, key),
        1 => {
            let other = map(random, arena, world);
            arena.map_merge(base, other)
        }
        _ => arena.map_put(base, key, value),
    }
}

fn value(random: &mut Rng, arena: &mut Arena, world: &World) -> Expr {
    match random.u32(0..4) {
        0 => arena.literal(random.choice([atom("a"), Term::int(1), Term::int(2), Term::int(3)]).unwrap_or_default()),
        1 => key(random, arena, world),
        _ => {
            let (map, key) = (map(random, arena, world), key(random, arena, world));
            arena.map_value(map, key)
        }
    }
}

fn test(random: &mut Rng, arena: &mut Arena, world: &World) -> Test {
    let x = map(random, arena, world);
    match random.u32(0..9) {
        0..=2 => Test::HasKey(x, key(random, arena, world)),
        3 => {
            let (size, number) = (arena.apply(Op::MapSize, &[x]), arena.integer(random.i64(0..4)));
            if random.bool() { Test::Same(size, number) } else { Test::Less(size, number) }
        }
        4 => Test::Same(value(random, arena, world), value(random, arena, world)),
        5 => {
            let values = &world.values[random.usize(..world.values.len())];
            let whole = values[random.usize(..values.len())].clone();
            Test::Same(x, arena.literal(whole))
        }
        6 => Test::Same(x, made(random, arena, world)),
        7 => Test::Type(value(random, arena, world), Type::Map),
        _ => {
            let other = map(random, arena, world);
            match random.u32(0..4) {
                0 => Test::Less(x, other),
                1 => Test::Equal(x, other),
                _ => Test::Same(x, other),
            }
        }
    }
}

#[test]
fn small_map_types() {
    let mut random = Rng::with_seed(3);
    let mut tally = Tally::default();
    let mut solver = Structural::new(Arithmetic);
    while tally.found + tally.none + tally.unknown < 4_000 {
        let world = world(&mut random);
        if world.values.iter().any(Vec::is_empty) || world.values.iter().map(Vec::len).product::<usize>() > 600 {
            continue;
        }
        for _ in 0..10 {
            ask(&mut random, &world, &mut solver, &mut tally, test);
        }
    }
    let Tally { found, none, unknown, shown, .. } = tally;
    // Order between maps, and what maps made of unknown ones say of those.
    assert!(unknown < 500, "{}", shown.join("\n\n"));
    assert!(found > 1_000 && none > 500, "{found} found, {none} none");
}
