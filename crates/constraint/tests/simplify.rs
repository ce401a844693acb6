//! Simplified expressions have the values of the forms they were asked for.

use constraint::{Arena, Evaluator, Expr, FloatOp, Node, Op, Part, Undefined, Width};
use proptest::prelude::*;
use term::{Map, Term};

/// Inputs: integers, a list, a tuple, a map, a bitstring, an atom, a float.
fn inputs() -> impl Strategy<Value = Vec<Term>> {
    let small = -3i64..4;
    let list = prop::collection::vec(small.clone(), 1..5);
    let bytes = prop::collection::vec(any::<u8>(), 4..7);
    (small.clone(), small.clone(), list, bytes, small, -2.0..2.0f64).prop_map(|(a, b, list, bytes, c, float)| {
        let list: Vec<Term> = list.into_iter().map(Term::int).collect();
        let map = Map::from_pairs([(Term::int(a), Term::int(b)), (Term::int(1), Term::int(c))]);
        let pair = Term::tuple([Term::int(c), Term::list(list.clone())]);
        let atom = Term::atom_named(if a < 0 { "né" } else { "ok" });
        let more = [Term::list(list), pair, Term::map(map), Term::binary(bytes), atom, Term::float(float)];
        [Term::int(a), Term::int(b)].into_iter().chain(more).collect()
    })
}

/// Expressions by their kinds, from which larger ones are made as random bytes say.
struct Pool {
    arena: Arena,
    numbers: Vec<Expr>,
    lists: Vec<Expr>,
    tuples: Vec<Expr>,
    maps: Vec<Expr>,
    bits: Vec<Expr>,
    atoms: Vec<Expr>,
    floats: Vec<Expr>,
}

/// One of the expressions, counted from the last: those made last are preferred, so that simplifications meet.
fn of(pool: &[Expr], at: u8) -> Expr {
    pool[pool.len() - 1 - usize::from(at) % pool.len()]
}

impl Pool {
    fn new() -> Pool {
        let mut arena = Arena::new();
        let [a, b, list, tuple, map, bits, atom, float] = [0, 1, 2, 3, 4, 5, 6, 7].map(|at| arena.input(at));
        let constants = [-1, 0, 1, 2, 5].map(|value| arena.integer(value));
        let known = [Map::new(), Map::from_pairs([(Term::int(1), Term::int(7))])].map(Term::map);
        Pool {
            numbers: [a, b].into_iter().chain(constants).collect(),
            lists: vec![list, arena.literal(Term::nil())],
            tuples: vec![tuple],
            maps: known.map(|map| arena.literal(map)).into_iter().chain([map]).collect(),
            bits: vec![bits, arena.literal(Term::binary(vec![0x5a, 0x3c]))],
            atoms: vec![atom],
            floats: vec![float, arena.literal(Term::float(-0.0))],
            arena,
        }
    }

    /// Adds a number that is made of numbers alone.
    fn calculate(&mut self, [what, x, y, _]: [u8; 4]) {
        const OPS: [Op; 10] =
            [Op::Add, Op::Sub, Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem, Op::Band, Op::Bxor, Op::Bsr];
        let args = [of(&self.numbers, x), of(&self.numbers, y)];
        self.numbers.push(self.arena.apply(OPS[usize::from(what) % OPS.len()], &args));
    }

    /// Adds an expression of any kind.
    fn grow(&mut self, step: [u8; 4]) {
        let [what, x, y, z] = step;
        let (n, m) = (of(&self.numbers, x), of(&self.numbers, y));
        let (list, tuple, map, bits) = (of(&self.lists, x), of(&self.tuples, x), of(&self.maps, x), of(&self.bits, x));
        let (start, size) = (u32::from(y % 9), u32::from(z % 9));
        let arena = &mut self.arena;
        match what % 20 {
            0 | 1 => self.calculate([y, z, x, 0]),
            2 => self.lists.push(arena.cons(n, list)),
            3 => self.lists.push(arena.tail(list)),
            4 => self.numbers.push(arena.head(list)),
            5 => self.tuples.push(arena.tuple(vec![n, list])),
            6 => self.numbers.push(arena.element(tuple, 0)),
            7 => self.lists.push(arena.element(tuple, 1)),
            8 => self.maps.push(arena.map_put(map, n, m)),
            9 => self.maps.push(arena.map_remove(map, n)),
            10 => self.maps.push(arena.map_merge(map, of(&self.maps, y))),
            11 => self.numbers.push(arena.map_value(map, m)),
            12 => self.numbers.push(arena.bits(bits, start, size)),
            13 => {
                let by = arena.integer(i64::from(start));
                self.bits.push(arena.rest(bits, by));
            }
            14 | 15 => {
                let number = Part::Integer { value: n, from: u32::from(y % 3), size: u32::from(z % 12) };
                self.bits.push(arena.build(vec![number, Part::Bits(bits)]));
            }
            16 => self.numbers.push(arena.segment(bits, start, size, y % 2 == 0, z % 2 == 0)),
            17 => self.numbers.push(arena.bit_size(bits)),
            18 => {
                let name = arena.name(of(&self.atoms, x));
                self.atoms.push(arena.atom(name));
            }
            _ => {
                let word = arena.float(FloatOp::Write(Width::Double), &[of(&self.floats, x)]);
                self.floats.push(arena.float(FloatOp::Read(Width::Double), &[word]));
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = Expr> {
        let Pool { numbers, lists, tuples, maps, bits, atoms, floats, .. } = self;
        [numbers, lists, tuples, maps, bits, atoms, floats].into_iter().flatten().copied()
    }
}

/// The values of an expression as it was asked for and as it was simplified.
fn both(arena: &Arena, expr: Expr, inputs: &[Term]) -> [Result<Term, Undefined>; 2] {
    let evaluator = || Evaluator::new(arena, inputs);
    [evaluator().of_originals(), evaluator()].map(|mut it| it.value(expr))
}

fn steps() -> impl Strategy<Value = Vec<[u8; 4]>> {
    prop::collection::vec(any::<[u8; 4]>(), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Where the original fails, the path condition excludes the inputs, and the simplified one may have a value.
    #[test]
    fn a_simplified_expression_has_the_value_of_its_original(steps in steps(), inputs in inputs()) {
        let mut pool = Pool::new();
        steps.into_iter().for_each(|step| pool.grow(step));
        for expr in pool.all() {
            if let [Ok(original), simplified] = both(&pool.arena, expr, &inputs) {
                prop_assert_eq!(Ok(original), simplified, "{}", pool.arena.show(expr));
            }
        }
    }

    #[test]
    fn a_simplified_number_fails_where_its_original_does(steps in steps(), inputs in inputs()) {
        let mut pool = Pool::new();
        steps.into_iter().for_each(|step| pool.calculate(step));
        for expr in &pool.numbers {
            let [original, simplified] = both(&pool.arena, *expr, &inputs);
            prop_assert_eq!(original, simplified, "{}", pool.arena.show(*expr));
        }
    }
}

#[test]
fn a_wrong_simplification_shows() {
    let mut arena = Arena::new();
    let (x, one) = (arena.input(0), arena.integer(1));
    let wrong = arena.rewritten(&Node::Apply(Op::Add, [x, one].into()), x);
    assert_eq!(wrong, x);
    let twice = arena.apply(Op::Add, &[wrong, wrong]);
    let inputs = [Term::int(4)];
    assert_eq!(both(&arena, wrong, &inputs), [5, 4].map(|value| Ok(Term::int(value))));
    assert_eq!(both(&arena, twice, &inputs), [10, 8].map(|value| Ok(Term::int(value))));
    // A mark names the form that was asked for; the same sum without the mistake is another one.
    let marked = Term::int(4).with_mark(twice.mark());
    let found = arena.of_term(&marked);
    assert_eq!(both(&arena, found, &inputs)[0], Ok(Term::int(10)));
    let right = arena.apply(Op::Add, &[x, x]);
    assert_eq!((right, both(&arena, right, &inputs)[0].clone()), (twice, Ok(Term::int(8))));
}
