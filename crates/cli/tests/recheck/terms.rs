//! Random terms, and expressions over them that have values.

use constraint::{Arena, Evaluator, Expr, FloatOp, Op, Part, Width};
use fastrand::Rng;
use term::math::Math;
use term::{Mfa, Term};

/// Terms of every kind.
const TERMS: [&str; 40] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "-13",
    "255",
    "1000000",
    "100000000000000000000",
    "0.0",
    "-0.0",
    "1.0",
    "0.5",
    "-2.5",
    "1.0e300",
    "9007199254740993.0",
    "a",
    "b",
    "true",
    "false",
    "''",
    "'née'",
    "[]",
    "[1]",
    "[1,2,3]",
    "[a|b]",
    "\"text\"",
    "[1.0,[2]]",
    "{}",
    "{a}",
    "{a,1}",
    "{1.0,{b,[]},c}",
    "<<>>",
    "<<1,2,3>>",
    "<<5:3>>",
    "<<\"abcdefgh\">>",
    "#{}",
    "#{a => 1}",
    "#{a => 1, 2 => [x], {b} => c}",
    "fun(1) -> 2; (_) -> a end",
];

const INTEGERS: [Op; 10] = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem, Op::Band, Op::Bor, Op::Bxor, Op::Bsl, Op::Bsr];
const SINGLE: [Op; 8] = [Op::Neg, Op::Abs, Op::Bnot, Op::Length, Op::TupleSize, Op::MapSize, Op::BitSize, Op::ByteSize];
const FLOATS: [FloatOp; 5] = [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div, FloatOp::Decimal];
const FLOAT: [FloatOp; 15] = [
    FloatOp::Neg,
    FloatOp::Abs,
    FloatOp::Of,
    FloatOp::Of,
    FloatOp::Trunc,
    FloatOp::Round,
    FloatOp::Floor,
    FloatOp::Ceil,
    FloatOp::Read(Width::Half),
    FloatOp::Write(Width::Double),
    FloatOp::Scaled(2),
    FloatOp::Digits,
    FloatOp::Power,
    FloatOp::Math(Math::Floor),
    FloatOp::Math(Math::Sqrt),
];

/// A random term.
pub fn term(random: &mut Rng) -> Term {
    Term::read(TERMS[random.usize(..TERMS.len())]).expect("a term")
}

/// Expressions over some inputs, all with values.
pub struct Expressions {
    pub arena: Arena,
    pub inputs: Vec<Term>,
    /// Each with its value.
    pub known: Vec<(Expr, Term)>,
    /// Operations that have no value.
    pub undefined: Vec<Expr>,
}

impl Expressions {
    /// Expressions over so many random inputs.
    pub fn new(random: &mut Rng, inputs: usize, operations: usize) -> Expressions {
        let inputs: Vec<Term> = (0..inputs).map(|_| term(random)).collect();
        let mut all = Expressions { arena: Arena::new(), inputs, known: Vec::new(), undefined: Vec::new() };
        for at in 0..all.inputs.len() {
            let input = all.arena.input(at as u32);
            all.keep(input);
        }
        let mut left = 40 * operations;
        while all.known.len() < all.inputs.len() + operations && left > 0 {
            left -= 1;
            let made = all.operation(random);
            all.keep(made);
        }
        all
    }

    fn keep(&mut self, expr: Expr) {
        if let Ok(value) = self.value(expr) {
            if value.to_string().len() < 400 {
                self.known.push((expr, value));
            }
        } else if self.undefined.len() < 8 {
            self.undefined.push(expr);
        }
    }

    /// The value of the form that was asked for.
    pub fn value(&self, expr: Expr) -> Result<Term, constraint::Undefined> {
        Evaluator::new(&self.arena, &self.inputs).of_originals().value(expr)
    }

    /// One of the expressions, or a constant.
    pub fn any(&mut self, random: &mut Rng) -> Expr {
        if random.u32(..4) == 0 {
            return self.arena.literal(term(random));
        }
        self.known[random.usize(..self.known.len())].0
    }

    /// An expression whose value is as wanted, if there is one.
    fn such(&mut self, random: &mut Rng, wanted: fn(&Term) -> bool) -> Expr {
        let some: Vec<Expr> = self.known.iter().filter(|(_, value)| wanted(value)).map(|(expr, _)| *expr).collect();
        if some.is_empty() || random.u32(..8) == 0 { self.any(random) } else { some[random.usize(..some.len())] }
    }

    fn integer(&mut self, random: &mut Rng) -> Expr {
        if random.bool() {
            let value = random.i64(-3..40);
            return self.arena.integer(value);
        }
        self.such(random, Term::is_integer)
    }

    fn operation(&mut self, random: &mut Rng) -> Expr {
        let is_list = |term: &Term| matches!(term, Term::Cons(..));
        let is_float = |term: &Term| matches!(term, Term::Float(..));
        let is_map = |term: &Term| term.as_map().is_some();
        let is_bits = |term: &Term| term.as_bits().is_some();
        match random.u32(..24) {
            0 => {
                let list = self.such(random, is_list);
                self.arena.head(list)
            }
            1 => {
                let list = self.such(random, is_list);
                self.arena.tail(list)
            }
            2 => {
                let tuple = self.such(random, |term| term.as_tuple().is_some());
                self.arena.element(tuple, random.u32(..3))
            }
            3 => {
                let (head, tail) = (self.any(random), self.any(random));
                self.arena.cons(head, tail)
            }
            4 => {
                let items = (0..random.u32(..4)).map(|_| self.any(random)).collect();
                self.arena.tuple(items)
            }
            5 => {
                let (fun, arg) = (self.such(random, |term| matches!(term, Term::Fun(..))), self.any(random));
                self.arena.result(fun, vec![arg])
            }
            6 => {
                let (map, key) = (self.such(random, is_map), self.any(random));
                self.arena.map_value(map, key)
            }
            7 => {
                let map = self.such(random, is_map);
                self.arena.map_key(map, random.u32(..3))
            }
            8 => {
                let (map, key, value) = (self.such(random, is_map), self.any(random), self.any(random));
                self.arena.map_put(map, key, value)
            }
            9 => {
                let (map, key) = (self.such(random, is_map), self.any(random));
                self.arena.map_remove(map, key)
            }
            10 => {
                let (first, second) = (self.such(random, is_map), self.such(random, is_map));
                self.arena.map_merge(first, second)
            }
            11 => {
                let bits = self.such(random, is_bits);
                let unit = [1, 8][random.usize(..2)];
                self.arena.bits(bits, unit * random.u32(..3), unit * random.u32(..4))
            }
            12 => {
                let (bits, at, size) = (self.such(random, is_bits), self.integer(random), self.integer(random));
                self.arena.slice(bits, at, size)
            }
            13 => {
                let parts = (0..random.u32(..4)).map(|_| self.part(random, is_bits)).collect();
                self.arena.build(parts)
            }
            14 => {
                let atom = self.such(random, |term| term.as_atom().is_some());
                self.arena.name(atom)
            }
            15 => {
                let text = self.such(random, is_list);
                self.arena.atom(text)
            }
            16 => {
                let x = self.any(random);
                let op = SINGLE[random.usize(..SINGLE.len())];
                self.arena.apply(op, &[x])
            }
            17..=19 => {
                let (x, y) = (self.integer(random), self.integer(random));
                let op = INTEGERS[random.usize(..INTEGERS.len())];
                self.arena.apply(op, &[x, y])
            }
            20 => {
                let x = self.such(random, Term::is_integer);
                self.arena.apply(SINGLE[random.usize(..3)], &[x])
            }
            21 => {
                let x = self.such(random, Term::is_number);
                self.arena.float(FLOAT[random.usize(..FLOAT.len())], &[x])
            }
            22 => {
                let (x, y) = (self.such(random, is_float), self.such(random, is_float));
                self.arena.float(FLOATS[random.usize(..FLOATS.len())], &[x, y])
            }
            _ => {
                let x = self.any(random);
                let hash = Mfa { module: term::Atom::new("m"), function: term::Atom::new("hash"), arity: 1 };
                if let Ok(value) = self.value(x) {
                    self.arena.samples.learn(hash, &[value], Term::tuple([Term::int(42)]));
                }
                self.arena.opaque(hash, vec![x])
            }
        }
    }

    fn part(&mut self, random: &mut Rng, is_bits: fn(&Term) -> bool) -> Part {
        if random.bool() {
            return Part::Bits(self.such(random, is_bits));
        }
        let value = self.integer(random);
        Part::Integer { value, from: 4 * random.u32(..2), size: [3, 8, 16][random.usize(..3)] }
    }
}
