//! The generator of long inputs: values of the grammar that are long, nested deeply, or large.
//!
//! A [`Plan`] says where a value grows: how long its sequences are and at which level of nesting, how deep it is, how
//! much its elements differ. An element is made from a seed, so that a seed that comes again makes the same element: a
//! run of one command, a few in turn, one after the other in blocks, or mostly one. Where elements are numbered, their
//! integers, names and texts count: keys that all differ.

use constraint::{Grammar, MapField, RuleId, Shape};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};
use solve::structural::smallest;
use term::{Atom, Bits, Map, Term};

use super::alphabet::Alphabet;
use super::magnitude;
use super::random::Random;

/// How the elements of a sequence differ.
#[derive(Clone, Copy, Debug)]
enum Variety {
    /// All the same.
    Same,
    /// So many in turn.
    Cycle(usize),
    /// Runs of the same, so many.
    Blocks(usize),
    /// The same but for one in so many.
    Mostly(usize),
    /// Each by chance.
    Random,
}

/// Where and how a value grows.
#[derive(Clone, Debug)]
struct Plan {
    /// The length of sequences at the level that is long.
    length: usize,
    /// The level of nested sequences that is long; others are short.
    long_level: u32,
    /// The levels of a recursive type.
    depth: u32,
    variety: Variety,
    /// True if what is repeated is numbered.
    is_numbered: bool,
    /// Integers are large in one of so many; 0: never.
    large: usize,
    alphabet: Alphabet,
    /// Decides what is the same at every level of a recursive type.
    constructor: u64,
}

/// The place of a value within the one that is generated.
#[derive(Clone, Copy, Debug)]
struct Position {
    /// Sequences above it.
    level: u32,
    /// Rules above it that no depth asked for.
    nesting: u32,
    /// Levels of recursion that are still wanted.
    depth: u32,
    /// Its number in the sequence.
    number: u64,
}

/// The most values that one input has; a long binary counts little.
const MOST_VALUES: usize = 20_000;
/// The longest binary in bytes: a little more than a length of 16 bits can say.
const MOST_BYTES: usize = 100_000;
/// The longest list.
const MOST_ELEMENTS: usize = 10_000;
/// The deepest recursion.
const MOST_DEPTH: usize = 1_000;
/// Rules above a value after which it is the smallest.
const MOST_NESTING: u32 = 5;
/// Atoms by number.
const MOST_NAMES: u64 = 2_000;

/// Generates values of a grammar.
pub struct Generator {
    /// By rule: its values can have a value of a recursive rule inside.
    nests: Vec<bool>,
    smallest: FxHashMap<RuleId, Option<Term>>,
}

impl Generator {
    /// The generator of a grammar.
    pub fn new(grammar: &Grammar) -> Generator {
        let rules = (0..grammar.len()).map(|at| RuleId(at as u32));
        let inside: Vec<FxHashSet<RuleId>> = rules.map(|rule| inside(grammar, rule)).collect();
        let is_recursive = |rule: &RuleId| inside[rule.0 as usize].contains(rule);
        let nests = inside.iter().map(|parts| parts.iter().any(is_recursive)).collect();
        Generator { nests, smallest: FxHashMap::default() }
    }

    /// A value of a rule by chance; nothing if none can be made.
    pub fn generate(&mut self, grammar: &Grammar, rule: RuleId, random: &mut Random) -> Option<Term> {
        let plan = Plan::by_chance(random);
        let position = Position { level: 0, nesting: 0, depth: plan.depth, number: 0 };
        let random = Random::new(random.next());
        Generation { generator: self, grammar, plan, random, left: MOST_VALUES }.value(rule, position)
    }

    fn smallest(&mut self, grammar: &Grammar, rule: RuleId) -> Option<Term> {
        self.smallest.entry(rule).or_insert_with(|| smallest(grammar, rule)).clone()
    }

    /// The parts of a shape that can nest.
    fn nesting_parts(&self, shape: &Shape) -> Vec<usize> {
        let nests = |rule: &RuleId| self.nests[rule.0 as usize];
        match shape {
            Shape::Cons(head, _) => (0..usize::from(nests(head))).collect(),
            Shape::Tuple(items) => (0..items.len()).filter(|at| nests(&items[*at])).collect(),
            Shape::Map(fields) => (0..fields.len()).filter(|at| nests(&fields[*at].value)).collect(),
            _ => Vec::new(),
        }
    }
}

/// The rules of what can stand somewhere inside a value of a rule. The rest of a list is not inside it.
fn inside(grammar: &Grammar, rule: RuleId) -> FxHashSet<RuleId> {
    let mut met = FxHashSet::from_iter([(rule, false)]);
    let mut todo = vec![(rule, false)];
    while let Some((rule, is_inside)) = todo.pop() {
        let mut next = Vec::new();
        for shape in &grammar.rule(rule).shapes {
            match shape {
                Shape::Cons(head, tail) => next.extend([(*head, true), (*tail, is_inside)]),
                Shape::Tuple(items) => next.extend(items.iter().map(|item| (*item, true))),
                Shape::Map(fields) => next.extend(fields.iter().map(|field| (field.value, true))),
                Shape::Rule(other) => next.push((*other, is_inside)),
                _ => {}
            }
        }
        todo.extend(next.into_iter().filter(|found| met.insert(*found)));
    }
    met.into_iter().filter(|(_, is_inside)| *is_inside).map(|(rule, _)| rule).collect()
}

impl Plan {
    fn by_chance(random: &mut Random) -> Plan {
        let depth = if random.one_in(3) { magnitude::length(random, MOST_DEPTH) as u32 } else { 0 };
        let variety = match random.below(8) {
            0 | 1 => Variety::Same,
            2 => Variety::Cycle(2 + random.below(3)),
            3 | 4 => Variety::Blocks(2 + random.below(3)),
            5 => Variety::Mostly(8 << random.below(4)),
            _ => Variety::Random,
        };
        Plan {
            length: magnitude::length(random, MOST_BYTES),
            long_level: [0, 0, 0, 0, 0, 1, 1, 2][random.below(8)],
            depth,
            variety,
            is_numbered: random.one_in(3),
            large: [0, 1, 1, 4][random.below(4)],
            alphabet: Alphabet::by_chance(random),
            constructor: random.next(),
        }
    }
}

/// One value that is being generated.
struct Generation<'a> {
    generator: &'a mut Generator,
    grammar: &'a Grammar,
    plan: Plan,
    random: Random,
    /// Values that may still be made.
    left: usize,
}

impl Generation<'_> {
    fn value(&mut self, rule: RuleId, at: Position) -> Option<Term> {
        if self.left == 0 || at.nesting > MOST_NESTING {
            return self.generator.smallest(self.grammar, rule);
        }
        self.left -= 1;
        let grammar = self.grammar;
        let shapes = &grammar.rule(rule).shapes;
        if at.depth > 0 {
            let nests = |shape: &&Shape| !self.generator.nesting_parts(shape).is_empty();
            let nested: Vec<&Shape> = shapes.iter().filter(nests).collect();
            if let Some(shape) = self.constructor(&nested) {
                return term::deeper(|| self.nested(shape, rule, at));
            }
        }
        // A sequence is what can be long.
        let is_long = at.level <= self.plan.long_level;
        let sequence =
            |shape: &&Shape| matches!(shape, Shape::Cons(..) | Shape::Bits { unit: 1.., .. } | Shape::Map(_));
        let sequences: Vec<&Shape> = shapes.iter().filter(sequence).filter(|_| is_long).collect();
        let shape = match self.random.pick(&sequences) {
            Some(shape) if !self.random.one_in(8) => *shape,
            _ => self.random.pick(shapes)?,
        };
        term::deeper(|| self.of_shape(shape, rule, at))
    }

    /// One of several shapes of a recursive type: the same at every level where elements are the same.
    fn constructor<'s>(&mut self, shapes: &[&'s Shape]) -> Option<&'s Shape> {
        match self.plan.variety {
            Variety::Same | Variety::Blocks(_) if !shapes.is_empty() => {
                Some(shapes[self.plan.constructor as usize % shapes.len()])
            }
            _ => self.random.pick(shapes).copied(),
        }
    }

    /// A value of a shape with a part that is nested as deeply as is still wanted.
    fn nested(&mut self, shape: &Shape, rule: RuleId, at: Position) -> Option<Term> {
        let parts = self.generator.nesting_parts(shape);
        let deep = match self.plan.variety {
            Variety::Same | Variety::Blocks(_) => parts[(self.plan.constructor >> 32) as usize % parts.len()],
            _ => *self.random.pick(&parts)?,
        };
        let below = Position { level: at.level + 1, depth: at.depth - 1, ..at };
        let beside = Position { level: at.level + 1, depth: 0, nesting: MOST_NESTING, ..at };
        match shape {
            Shape::Cons(head, tail) => {
                let first = self.value(*head, below)?;
                let rest = self.generator.smallest(self.grammar, *tail)?;
                Some(Term::cons(first, rest))
            }
            Shape::Tuple(items) => {
                let mut part = |(at, item): (usize, &RuleId)| {
                    if at == deep { self.value(*item, below) } else { self.beside(*item, beside, at) }
                };
                let items: Option<Vec<Term>> = items.iter().enumerate().map(&mut part).collect();
                Some(Term::tuple(items?))
            }
            Shape::Map(fields) => {
                let mut map = Map::new();
                for (place, field) in fields.iter().enumerate().filter(|(place, it)| it.mandatory || *place == deep) {
                    let position = if place == deep { below } else { beside };
                    map.insert_mut(self.value(field.key, beside)?, self.value(field.value, position)?);
                }
                Some(Term::map(map))
            }
            other => self.of_shape(other, rule, at),
        }
    }

    /// A value beside the deep one: the same at every level where elements are the same.
    fn beside(&mut self, rule: RuleId, at: Position, part: usize) -> Option<Term> {
        if !matches!(self.plan.variety, Variety::Same | Variety::Blocks(_)) {
            return self.value(rule, at);
        }
        let outer = std::mem::replace(&mut self.random, Random::new(self.plan.constructor ^ part as u64));
        let value = self.value(rule, at);
        self.random = outer;
        value
    }

    fn of_shape(&mut self, shape: &Shape, rule: RuleId, at: Position) -> Option<Term> {
        let inside = Position { nesting: at.nesting + 1, ..at };
        Some(match shape {
            Shape::Literal(value) => value.clone(),
            Shape::Atom => self.atom(at),
            Shape::Integer { low, high } => self.integer(low.as_ref(), high.as_ref(), at),
            Shape::Float => self.float(at),
            Shape::Cons(..) => return self.list(rule, at),
            Shape::Tuple(items) => {
                let items: Option<Vec<Term>> = items.iter().map(|item| self.value(*item, inside)).collect();
                Term::tuple(items?)
            }
            Shape::Map(fields) => return self.map(fields, at),
            Shape::Bits { base, unit } => self.bits(*base, *unit, at),
            Shape::Rule(other) => return self.value(*other, inside),
            Shape::Any => self.anything(at),
            Shape::AnyTuple => Term::tuple((0..self.random.below(4)).map(|_| self.anything(at)).collect::<Vec<_>>()),
            Shape::Fun { .. } | Shape::Pid | Shape::Port | Shape::Reference => {
                return self.generator.smallest(self.grammar, rule);
            }
        })
    }

    /// The length of a sequence at a level.
    fn length(&mut self, at: Position, most: usize) -> usize {
        if at.level == self.plan.long_level { self.plan.length.min(most) } else { self.random.below(4) }
    }

    /// A list, element by element, that ends where its rule allows it.
    fn list(&mut self, rule: RuleId, at: Position) -> Option<Term> {
        let length = self.length(at, MOST_ELEMENTS).max(1);
        let (elements, tail) = self.elements(rule, at, length)?;
        Some(Term::list_with_tail(elements, tail))
    }

    fn elements(&mut self, rule: RuleId, at: Position, length: usize) -> Option<(Vec<Term>, Term)> {
        let seeds: Vec<u64> = (0..4).map(|_| self.random.next()).collect();
        let mut known: FxHashMap<(RuleId, u64), Term> = FxHashMap::default();
        let (mut elements, mut rest) = (Vec::new(), rule);
        while elements.len() < length && self.left > 0 {
            let grammar = self.grammar;
            let cells = grammar.rule(rest).shapes.iter().filter_map(|shape| match shape {
                Shape::Cons(head, tail) => Some((*head, *tail)),
                _ => None,
            });
            let cells: Vec<(RuleId, RuleId)> = cells.collect();
            let Some(&(head, tail)) = self.random.pick(&cells) else { break };
            let number = elements.len();
            let seed = self.seed(&seeds, number, length);
            let position = Position { level: at.level + 1, nesting: at.nesting + 1, depth: 0, number: number as u64 };
            let element = match known.get(&(head, seed)).filter(|_| !self.plan.is_numbered) {
                Some(element) => element.clone(),
                None => {
                    let outer = std::mem::replace(&mut self.random, Random::new(seed));
                    let element = self.value(head, position);
                    self.random = outer;
                    known.entry((head, seed)).or_insert(element?).clone()
                }
            };
            elements.push(element);
            rest = tail;
        }
        let tail = self.generator.smallest(self.grammar, rest)?;
        Some((elements, tail))
    }

    /// The seed of an element.
    fn seed(&mut self, seeds: &[u64], number: usize, length: usize) -> u64 {
        match self.plan.variety {
            Variety::Same => seeds[0],
            Variety::Cycle(count) => seeds[number % count],
            Variety::Blocks(count) => seeds[number * count / length.max(1) % seeds.len()],
            Variety::Mostly(times) => seeds[if self.random.one_in(times) { 1 + self.random.below(3) } else { 0 }],
            Variety::Random => self.random.next(),
        }
    }

    fn map(&mut self, fields: &[MapField], at: Position) -> Option<Term> {
        let mut map = Map::new();
        let inside = Position { level: at.level + 1, nesting: at.nesting + 1, ..at };
        for field in fields {
            let is_open = !self.grammar.rule(field.key).shapes.iter().all(|shape| matches!(shape, Shape::Literal(_)));
            let count = match (is_open, field.mandatory) {
                (true, _) => self.length(at, MOST_ELEMENTS),
                (false, true) => 1,
                (false, false) => self.random.below(2),
            };
            let was_numbered = self.plan.is_numbered;
            for number in 0..count {
                let position = Position { number: number as u64, ..inside };
                // Keys that are the same make no long map.
                self.plan.is_numbered |= is_open;
                let key = self.value(field.key, position);
                self.plan.is_numbered = was_numbered;
                map.insert_mut(key?, self.value(field.value, position)?);
            }
        }
        Some(Term::map(map))
    }

    fn bits(&mut self, base: u64, unit: u64, at: Position) -> Term {
        let base = usize::try_from(base).unwrap_or(0);
        if self.plan.is_numbered && unit != 0 && 8 % unit == 0 && base == 0 && at.level != self.plan.long_level {
            return Term::binary(format!("{}", at.number).into_bytes());
        }
        let unit = usize::try_from(unit).unwrap_or(0);
        let units = self.length(at, MOST_BYTES);
        let length = base.saturating_add(unit.saturating_mul(units)).min(8 * MOST_BYTES);
        let bits = base + (length - base.min(length)).checked_div(unit).unwrap_or(0) * unit;
        let Plan { alphabet, .. } = &self.plan;
        let bytes: Vec<u8> = (0..bits.div_ceil(8)).map(|_| alphabet.byte(&mut self.random)).collect();
        Term::bits(Bits::from_bits(bytes, bits))
    }

    fn atom(&mut self, at: Position) -> Term {
        let name = match self.plan.is_numbered {
            true => format!("a{}", at.number % MOST_NAMES),
            false if self.random.one_in(16) => "a".repeat(magnitude::length(&mut self.random, Atom::MAX_CHARS)),
            false => char::from(b'a' + self.random.below(3) as u8).to_string(),
        };
        Term::atom_named(&name)
    }

    fn integer(&mut self, low: Option<&BigInt>, high: Option<&BigInt>, at: Position) -> Term {
        let is_character = high.is_some_and(|high| *high == BigInt::from(0x10_ffff));
        let is_byte = high.is_some_and(|high| *high == BigInt::from(255));
        let value = if is_character || is_byte && !self.random.one_in(3) {
            BigInt::from(self.plan.alphabet.byte(&mut self.random))
        } else if self.plan.is_numbered {
            low.cloned().unwrap_or_default() + at.number
        } else if self.plan.large > 0 && self.random.one_in(self.plan.large) {
            magnitude::integer(&mut self.random, low, high)
        } else {
            low.filter(|low| **low > BigInt::ZERO).cloned().unwrap_or_default() + self.random.below(4)
        };
        Term::big(magnitude::clamp(value, low, high))
    }

    fn float(&mut self, at: Position) -> Term {
        let special = [0.0, 1.0, -1.0, 0.5, 1.0e300, -1.0e300, 1.0e-300, 1.0e10];
        let value = if self.plan.is_numbered { at.number as f64 } else { special[self.random.below(special.len())] };
        Term::float(value)
    }

    /// A value where the spec allows any.
    fn anything(&mut self, at: Position) -> Term {
        match self.random.below(6) {
            0 => self.atom(at),
            1 => Term::nil(),
            2 => self.bits(0, 8, Position { level: at.level + 1, ..at }),
            3 => Term::tuple([self.atom(at), self.integer(None, None, at)]),
            4 if at.level <= self.plan.long_level => {
                let below = Position { level: at.level + 1, nesting: MOST_NESTING, ..at };
                let length = self.length(at, MOST_ELEMENTS);
                let seed = self.random.next();
                let element = |generation: &mut Self, number: usize| {
                    let seed = if matches!(generation.plan.variety, Variety::Random) { number as u64 } else { seed };
                    let outer = std::mem::replace(&mut generation.random, Random::new(seed));
                    let element = generation.anything(Position { number: number as u64, ..below });
                    generation.random = outer;
                    element
                };
                Term::list((0..length).map(|number| element(self, number)).collect::<Vec<_>>())
            }
            _ => self.integer(None, None, at),
        }
    }
}
