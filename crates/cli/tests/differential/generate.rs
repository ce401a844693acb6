//! Terms from the rules of a grammar, and terms that fit nowhere.

use std::collections::HashMap;

use fastrand::Rng;
use frontend::grammar::{Grammar, MapField, RuleId, Shape};
use num_bigint::BigInt;
use term::{Atom, Bits, Fun, Map, Mfa, Row, Table, Term};

/// Values that real calls returned, by the declared type their spec promised: valid sets, trees, queues.
#[derive(Default)]
pub struct Pool {
    values: HashMap<(Atom, Atom), Vec<Term>>,
}

impl Pool {
    const KEEP: usize = 40;

    pub fn add(&mut self, rng: &mut Rng, name: (Atom, Atom), value: Term) {
        let kept = self.values.entry(name).or_default();
        if kept.len() < Self::KEEP {
            kept.push(value);
        } else {
            kept[rng.usize(..Self::KEEP)] = value;
        }
    }
}

/// Grows terms; `size` falls with depth, and at zero only the smallest shapes are taken.
pub struct Generator<'a> {
    pub grammar: &'a Grammar,
    pub heights: &'a [Option<u32>],
    pub pool: &'a Pool,
    pub rng: &'a mut Rng,
}

impl Generator<'_> {
    pub fn term(&mut self, rule: RuleId, size: u32) -> Term {
        let grammar = self.grammar;
        let rule = grammar.rule(rule);
        let kept = rule.name.and_then(|name| self.pool.values.get(&name));
        if let Some(value) = kept.and_then(|kept| self.rng.choice(kept)).filter(|_| self.rng.u8(..10) < 7) {
            return value.clone();
        }
        let fits = |shape: &&Shape| shape.height(self.heights).is_some_and(|height| height <= size);
        let fitting: Vec<&Shape> = rule.shapes.iter().filter(fits).collect();
        let smallest = || rule.shapes.iter().min_by_key(|shape| shape.height(self.heights).unwrap_or(u32::MAX));
        match self.rng.choice(fitting).or_else(smallest) {
            Some(shape) => self.shape(shape, size),
            None => strange(self.rng, size.min(2)),
        }
    }

    fn shape(&mut self, shape: &Shape, size: u32) -> Term {
        let less = size.saturating_sub(1);
        match shape {
            Shape::Any | Shape::Rule(_) => any(self.rng, size),
            Shape::Literal(value) => value.clone(),
            Shape::Atom => atom(self.rng),
            Shape::Integer { low, high } => integer(self.rng, low.as_ref(), high.as_ref()),
            Shape::Float => float(self.rng),
            Shape::Cons(head, tail) => self.list(*head, *tail, size),
            Shape::AnyTuple => {
                let items: Vec<Term> = (0..self.rng.u32(..4)).map(|_| any(self.rng, less)).collect();
                Term::tuple(items)
            }
            Shape::Tuple(items) => {
                let items: Vec<Term> = items.iter().map(|item| self.term(*item, less)).collect();
                Term::tuple(items)
            }
            Shape::Map(fields) => self.map(fields, less),
            Shape::Bits { base, unit } => bits(self.rng, *base, *unit),
            Shape::Fun { params, result } => self.fun(params.as_ref().map(Vec::len), *result, size),
            Shape::Pid | Shape::Port | Shape::Reference => Term::atom_named("no_process"),
        }
    }

    /// Walks along a list's own rule, so that lists of some length appear.
    fn list(&mut self, head: RuleId, tail: RuleId, size: u32) -> Term {
        let less = size.saturating_sub(1);
        let mut items = vec![self.term(head, less)];
        let again = |shapes: &[Shape]| {
            shapes.iter().any(|shape| matches!(shape, Shape::Cons(h, t) if (*h, *t) == (head, tail)))
        };
        if again(&self.grammar.rule(tail).shapes) {
            for _ in 0..self.rng.u32(..=size.min(6) * 2) {
                items.push(self.term(head, less));
            }
            if self.grammar.rule(tail).shapes.contains(&Shape::Literal(Term::nil())) {
                return Term::list(items);
            }
        }
        let rest = self.term(tail, less);
        Term::list_with_tail(items, rest)
    }

    fn map(&mut self, fields: &[MapField], size: u32) -> Term {
        let mut map = Map::new();
        for field in fields {
            let optional = if self.rng.u8(..20) == 0 { 40 } else { 4 };
            let count = if field.mandatory { 1 } else { self.rng.u32(..optional) };
            for _ in 0..count {
                let (key, value) = (self.term(field.key, size), self.term(field.value, size));
                map.insert_mut(key, value);
            }
        }
        Term::map(map)
    }

    /// A table, or a fun of the support module whose name says what it returns.
    fn fun(&mut self, arity: Option<usize>, result: RuleId, size: u32) -> Term {
        let many = arity.unwrap_or_else(|| self.rng.usize(..3));
        if size > 0
            && self.rng.u8(..3) == 0
            && let Some(table) = self.table(many, result, size.min(2) - 1)
        {
            return Term::table(table);
        }
        let arity = arity.unwrap_or_else(|| self.rng.usize(..3)).min(3) as u8;
        let behaviours = fitting_behaviours(&self.grammar.rule(result).shapes);
        let name = if self.rng.u8(..12) == 0 { "raise" } else { self.rng.choice(behaviours).unwrap_or("first") };
        external(name, arity)
    }
}

impl Generator<'_> {
    /// Some rows of plain arguments, and something for all others.
    fn table(&mut self, arity: usize, result: RuleId, size: u32) -> Option<Table> {
        let mut rows = Vec::new();
        for _ in 0..self.rng.u32(..5) {
            let args = (0..arity).map(|_| self.plain()).collect();
            rows.push(Row { args, result: self.term(result, size) });
        }
        let default = self.term(result, size);
        Table::new(u8::try_from(arity).ok()?, rows, default)
    }

    /// An argument that programs are likely to use.
    fn plain(&mut self) -> Term {
        match self.rng.u8(..4) {
            0 => Term::int(self.rng.i64(-1..4)),
            1 => Term::atom_named(self.rng.choice(["a", "b", "true", "ok"]).unwrap_or("a")),
            2 => Term::nil(),
            _ => any(self.rng, 1),
        }
    }
}

fn fitting_behaviours(shapes: &[Shape]) -> Vec<&'static str> {
    let mut fitting = Vec::new();
    for shape in shapes {
        fitting.extend_from_slice(match shape {
            Shape::Literal(value) if value.as_bool().is_some() => &["less", "odd", "yes", "no", "small"],
            Shape::Literal(_) => &["no", "yes"],
            Shape::Integer { .. } => &["hash", "one", "first"],
            Shape::Float => &["half"],
            Shape::Cons(..) => &["list", "empty"],
            Shape::Tuple(items) if items.len() == 2 => &["both", "tagged", "halt"],
            Shape::Tuple(_) | Shape::AnyTuple => &["both", "tagged"],
            Shape::Any => &["first", "last", "both", "hash", "list", "less"],
            _ => &["first", "last"],
        });
    }
    fitting
}

fn external(name: &str, arity: u8) -> Term {
    let (module, function) = (Atom::new("hound_funs"), Atom::new(name));
    Term::fun(Fun::External(Mfa { module, function, arity }))
}

/// Any term, mostly a plain one.
pub fn any(rng: &mut Rng, size: u32) -> Term {
    let less = size.saturating_sub(1);
    match rng.u8(..if size == 0 { 5 } else { 10 }) {
        0 | 1 => integer(rng, None, None),
        2 => atom(rng),
        3 => float(rng),
        4 => bits(rng, 0, 8),
        5 | 6 => {
            let items: Vec<Term> = (0..rng.u32(..5)).map(|_| any(rng, less)).collect();
            Term::list(items)
        }
        7 => text(rng),
        8 => {
            let items: Vec<Term> = (0..rng.u32(..4)).map(|_| any(rng, less)).collect();
            Term::tuple(items)
        }
        _ => Term::map(Map::from_pairs((0..rng.u32(..4)).map(|_| (any(rng, less), any(rng, less))))),
    }
}

/// Terms around the edges of everything.
pub fn strange(rng: &mut Rng, size: u32) -> Term {
    match rng.u8(..16) {
        0 => Term::list_with_tail([any(rng, 1), any(rng, 1)], any(rng, 0)),
        1 => Term::big(BigInt::from(1) << rng.u32(60..200)),
        2 => Term::big(-(BigInt::from(1) << rng.u32(60..200))),
        3 => Term::float(-0.0),
        4 => Term::float(f64::MAX),
        5 => bits(rng, 1, 1),
        6 => Term::bits(Bits::empty()),
        7 => nested(rng),
        8 => Term::tuple([]),
        9 => Term::nil(),
        10 => Term::list((0..40).map(|_| integer(rng, None, None)).collect::<Vec<_>>()),
        11 => external("first", rng.u8(..4)),
        12 => Term::map(Map::from_pairs((0..rng.i64(30..40)).map(|at| (Term::int(at * 7), Term::int(at))))),
        13 => Term::float(f64::from_bits(rng.u64(1..1 << 20))),
        14 => Term::atom_named("undefined"),
        _ => any(rng, size),
    }
}

fn nested(rng: &mut Rng) -> Term {
    let tuple = rng.bool();
    (0..rng.u32(20..200)).fold(Term::int(1), |inner, _| match tuple {
        true => Term::tuple([inner]),
        false => Term::list([inner]),
    })
}

pub fn atom(rng: &mut Rng) -> Term {
    let names =
        ["a", "b", "ok", "error", "true", "false", "undefined", "x y", "Ünï", "infinity", "utf8", "", "all", "c"];
    Term::atom_named(names[rng.usize(..names.len())])
}

pub fn float(rng: &mut Rng) -> Term {
    let known = [0.0, -0.0, 1.0, -1.5, 0.1, 3.0, 1e300, -1e-300, 123456789.125, 9007199254740993.0, 1e22];
    match rng.u8(..3) {
        0 => Term::float(known[rng.usize(..known.len())]),
        1 => Term::float((rng.f64() - 0.5) * 100.0),
        _ => Term::float(Some(f64::from_bits(rng.u64(..))).filter(|f| f.is_finite()).unwrap_or(2.5)),
    }
}

pub fn integer(rng: &mut Rng, low: Option<&BigInt>, high: Option<&BigInt>) -> Term {
    for _ in 0..8 {
        let value = loose_integer(rng);
        if low.is_none_or(|low| *low <= value) && high.is_none_or(|high| value <= *high) {
            return Term::big(value);
        }
    }
    match (low, high) {
        (Some(low), Some(high)) if low <= high => {
            let width = u64::try_from(high - low).unwrap_or(u64::MAX - 1);
            Term::big(low + BigInt::from(rng.u64(..=width)))
        }
        (Some(bound), _) | (None, Some(bound)) => Term::big(bound.clone()),
        (None, None) => Term::int(0),
    }
}

fn loose_integer(rng: &mut Rng) -> BigInt {
    match rng.u8(..24) {
        0..=11 => rng.i64(-2..12).into(),
        12..=17 => rng.i64(0..128).into(),
        18..=20 => rng.i64(-300..70000).into(),
        21 => BigInt::from(0x10FFFF - rng.i64(..4000)),
        22 => BigInt::from(rng.i64(..)),
        _ => (BigInt::from(1) << rng.u32(7..130)) + rng.i64(-1..2),
    }
}

pub fn bits(rng: &mut Rng, base: u64, unit: u64) -> Term {
    let most = if rng.u8(..10) == 0 { 40 } else { 7 };
    let times = if unit == 0 { 0 } else { rng.u64(..most) };
    let len = (base + unit * times) as usize;
    let ascii = rng.bool();
    let bytes: Vec<u8> = (0..len.div_ceil(8)).map(|_| if ascii { rng.u8(32..127) } else { rng.u8(..) }).collect();
    if len.is_multiple_of(8) && rng.u8(..4) == 0 {
        let text: String = (0..rng.usize(..6)).map(|_| character(rng)).collect();
        return Term::binary(text.into_bytes());
    }
    Term::bits(Bits::from_bits(bytes, len))
}

/// A string, mostly ASCII.
pub fn text(rng: &mut Rng) -> Term {
    let text: String = (0..rng.usize(..10)).map(|_| character(rng)).collect();
    Term::string(&text)
}

fn character(rng: &mut Rng) -> char {
    let odd = ['ß', 'Å', 'é', '\u{301}', '\u{200d}', '👩', '🇸', 'ǅ', '한', '\u{1100}', '\r', '\n', '\t', 'İ'];
    match rng.u8(..8) {
        0 => odd[rng.usize(..odd.len())],
        1 => rng.char('0'..='9'),
        2 => [' ', ',', ':', '/', '-', '.', '%', '~'][rng.usize(..8)],
        _ => rng.char('a'..='z'),
    }
}
