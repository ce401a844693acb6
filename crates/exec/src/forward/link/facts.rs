//! Facts about registers on the paths to a block: the tests that held and those that did not.
//!
//! Knowledge is a list that grows at its new end and shares its old one; it lives in an arena, so that what is known
//! on an edge is one number.

use constraint::Kinds;
use ir::{Operand, Reg, SegmentFormat, Test};
use ops::Rule;
use term::Term;

/// The most steps back in a search for a fact.
const MEMORY: usize = 48;

/// The facts at one place; there are none at the beginning of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts(u32);

/// No facts.
pub const NOTHING: Facts = Facts(u32::MAX);

/// All knowledge about one function.
#[derive(Default)]
pub struct Arena<'a> {
    nodes: Vec<Node<'a>>,
}

struct Node<'a> {
    event: Event<'a>,
    before: Facts,
    depth: u32,
}

#[derive(Clone, Copy)]
enum Event<'a> {
    /// A test had this answer.
    Tested { test: &'a Test, args: &'a [Operand], outs: &'a [Option<Reg>], holds: bool },
    /// A register was written.
    Written(Reg),
    /// `to` has become a copy of `from`, which is not needed under its own name any more.
    Copied { from: Reg, to: Reg },
    /// Something was called: what is at hand before it is not worth keeping beyond it.
    Called,
}

/// The outcome of a test, known before it is made.
pub enum Verdict {
    /// It holds; these registers, first to second, hold what it would reveal.
    Yes(Vec<(Reg, Reg)>),
    No,
}

/// A walk back through knowledge: how registers are called today.
#[derive(Default)]
struct Names {
    written: Vec<Reg>,
    copies: Vec<(Reg, Reg)>,
    /// True if something was called since.
    called: bool,
}

impl Names {
    /// Today's name of a register of the past, if its value still has one.
    fn today(&self, reg: Reg) -> Option<Reg> {
        match self.copies.iter().rev().find(|(from, _)| *from == reg) {
            Some((_, to)) => Some(*to),
            None => (!self.written.contains(&reg)).then_some(reg),
        }
    }

    fn see(&mut self, event: Event) {
        match event {
            Event::Written(reg) => self.written.push(reg),
            Event::Copied { from, to } => {
                // The name that the copy has today, the original has too.
                let name = self.today(to);
                self.written.push(to);
                self.copies.retain(|(old, _)| *old != to);
                if let Some(name) = name {
                    self.copies.push((from, name));
                }
            }
            Event::Called => self.called = true,
            Event::Tested { .. } => {}
        }
    }

    fn matches(&self, past: &Operand, now: &Operand) -> bool {
        match (past, now) {
            (Operand::Reg(past), Operand::Reg(now)) => self.today(*past) == Some(*now) || self.kept(*past, *now),
            (Operand::Literal(past), Operand::Literal(now)) => past == now,
            _ => false,
        }
    }

    /// A register that was copied keeps its own name too.
    fn kept(&self, past: Reg, now: Reg) -> bool {
        past == now && !self.written.contains(&past)
    }
}

impl<'a> Arena<'a> {
    fn push(&mut self, event: Event<'a>, before: Facts) -> Facts {
        let depth = self.depth(before) + 1;
        self.nodes.push(Node { event, before, depth });
        Facts(self.nodes.len() as u32 - 1)
    }

    fn depth(&self, facts: Facts) -> u32 {
        self.nodes.get(facts.0 as usize).map_or(0, |node| node.depth)
    }

    /// The facts after a test.
    pub fn tested(&mut self, facts: Facts, branch: &Asked<'a>, holds: bool) -> Facts {
        let Asked { test, args, outs } = *branch;
        let facts =
            if holds { outs.iter().flatten().fold(facts, |facts, out| self.written(facts, *out)) } else { facts };
        self.push(Event::Tested { test, args, outs, holds }, facts)
    }

    /// The facts after a register is written.
    pub fn written(&mut self, facts: Facts, reg: Reg) -> Facts {
        if facts == NOTHING { NOTHING } else { self.push(Event::Written(reg), facts) }
    }

    /// The facts after a call.
    pub fn called(&mut self, facts: Facts) -> Facts {
        if facts == NOTHING { NOTHING } else { self.push(Event::Called, facts) }
    }

    /// The facts after a copy.
    pub fn copied(&mut self, facts: Facts, from: Reg, to: Reg) -> Facts {
        self.push(Event::Copied { from, to }, facts)
    }

    /// The facts where two paths meet: those where they parted.
    pub fn meet(&mut self, a: Facts, b: Facts) -> Facts {
        let (mut left, mut right) = (a, b);
        let mut rewritten = Vec::new();
        while left != right {
            let longer = if self.depth(left) >= self.depth(right) { &mut left } else { &mut right };
            let node = &self.nodes[longer.0 as usize];
            match node.event {
                Event::Written(reg) | Event::Copied { to: reg, .. } => rewritten.push(reg),
                Event::Tested { .. } | Event::Called => {}
            }
            *longer = node.before;
            if rewritten.len() > MEMORY {
                return NOTHING;
            }
        }
        rewritten.into_iter().fold(left, |facts, reg| self.written(facts, reg))
    }

    /// Walks back from the newest event, with the names that registers have today.
    fn walk(&self, facts: Facts, mut see: impl FnMut(&Names, Event<'a>) -> bool) {
        let mut names = Names::default();
        let mut at = facts;
        for _ in 0..MEMORY {
            let Some(node) = self.nodes.get(at.0 as usize) else { return };
            if see(&names, node.event) {
                return;
            }
            names.see(node.event);
            at = node.before;
        }
    }

    /// Decides a test by the facts, if they suffice, and names the registers of its parts.
    pub fn decide(&self, facts: Facts, asked: &Asked) -> Option<Verdict> {
        let value = asked.args.first()?;
        let mut kinds = Kinds::ALL;
        let mut verdict = None;
        self.walk(facts, |names, event| {
            let Event::Tested { test, args, outs, holds } = event else { return false };
            if !args.first().is_some_and(|first| names.matches(first, value)) {
                return false;
            }
            let equal = same_test(test, asked.test) && args.len() == asked.args.len();
            if equal && args.iter().zip(asked.args).all(|(past, now)| names.matches(past, now)) {
                verdict = if holds { revealed(names, outs, asked.outs) } else { Some(Verdict::No) };
                return true;
            }
            kinds = kinds & kinds_of(test, args, holds);
            if holds && excludes(test, args, asked) {
                verdict = Some(Verdict::No);
            }
            verdict.is_some()
        });
        verdict.or_else(|| by_kind(kinds, asked))
    }

    /// The operation that makes the value of a register anew from its parts, if all of them are at hand.
    pub fn parts(&self, facts: Facts, reg: Reg) -> Option<Parts> {
        let mut found = None;
        self.walk(facts, |names, event| {
            let Event::Tested { test, args, outs, holds: true } = event else { return names.called };
            if names.called || !args.first().is_some_and(|value| names.matches(value, &Operand::Reg(reg))) {
                return names.called;
            }
            let part = |at: usize| names.today(outs.get(at).copied().flatten()?);
            found = match test {
                Test::Cons => part(0).zip(part(1)).map(|(head, tail)| Parts::Cell(head, tail)),
                Test::Tuple(size) => (0..*size as usize).map(part).collect::<Option<_>>().map(Parts::Tuple),
                Test::Segment(segment) => {
                    fixed_size(*segment, args).and_then(|bits| Some(Parts::Behind { rest: part(1)?, bits }))
                }
                _ => return false,
            };
            true
        });
        found
    }
}

/// The parts of a value.
pub enum Parts {
    /// Head and tail of a list cell.
    Cell(Reg, Reg),
    /// The elements of a tuple.
    Tuple(Vec<Reg>),
    /// A bitstring that begins that many bits before another.
    Behind { rest: Reg, bits: i64 },
}

/// The number of bits of a segment whose size is a literal.
fn fixed_size(segment: SegmentFormat, args: &[Operand]) -> Option<i64> {
    match (segment.kind, args.get(1)) {
        (ir::SegmentKind::Utf8 | ir::SegmentKind::Utf16 | ir::SegmentKind::Utf32, _) => None,
        (_, Some(Operand::Literal(Term::Int(_, size @ 0..=0xffff)))) => Some(size * i64::from(segment.unit)),
        _ => None,
    }
}

/// A test that is to be decided.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The test.
    pub test: &'a Test,
    /// Its operands.
    pub args: &'a [Operand],
    /// The registers that it writes.
    pub outs: &'a [Option<Reg>],
}

/// The copies that stand for what a test would reveal; nothing if a part is not at hand.
fn revealed(names: &Names, known: &[Option<Reg>], wanted: &[Option<Reg>]) -> Option<Verdict> {
    let mut copies = Vec::new();
    for (at, out) in wanted.iter().enumerate() {
        if let Some(to) = out {
            let from = names.today(known.get(at).copied().flatten()?)?;
            if names.called {
                return None;
            }
            copies.push((from, *to));
        }
    }
    Some(Verdict::Yes(copies))
}

fn same_test(a: &Test, b: &Test) -> bool {
    match (a, b) {
        (Test::Literal(a), Test::Literal(b)) => a == b,
        (Test::Same, Test::Same) | (Test::Cons, Test::Cons) | (Test::MapKey, Test::MapKey) => true,
        (Test::BitsEnd, Test::BitsEnd) => true,
        (Test::Tuple(a), Test::Tuple(b)) => a == b,
        (Test::Predicate(a), Test::Predicate(b)) => a == b,
        (Test::Segment(a), Test::Segment(b)) => a == b,
        _ => false,
    }
}

/// True if a test that held says that another of the same value does not.
fn excludes(held: &Test, args: &[Operand], asked: &Asked) -> bool {
    match (held, asked.test) {
        (Test::Literal(a), Test::Literal(b)) => a != b,
        (Test::Tuple(a), Test::Tuple(b)) => a != b,
        (Test::Segment(segment), Test::BitsEnd) => takes_bits(*segment, args),
        (Test::Segment(segment), Test::Literal(literal)) => {
            takes_bits(*segment, args) && literal.as_bits().is_some_and(|bits| bits.is_empty())
        }
        _ => false,
    }
}

/// True if a segment is surely not empty.
fn takes_bits(segment: SegmentFormat, args: &[Operand]) -> bool {
    let wide = segment.unit > 0 && matches!(args.get(1), Some(Operand::Literal(Term::Int(_, 1..))));
    wide || matches!(segment.kind, ir::SegmentKind::Utf8 | ir::SegmentKind::Utf16 | ir::SegmentKind::Utf32)
}

/// Returns the kinds that a value can be of after a test of it.
fn kinds_of(test: &Test, args: &[Operand], holds: bool) -> Kinds {
    match holding(test).filter(|_| args.len() == 1 || !matches!(test, Test::Predicate(_))) {
        Some((possible, _)) if holds => possible,
        Some((_, certain)) => Kinds::ALL - certain,
        None => Kinds::ALL,
    }
}

/// Returns the kinds of values for which a test can hold, and those for which it always does.
fn holding(test: &Test) -> Option<(Kinds, Kinds)> {
    match test {
        Test::Cons => Some((Kinds::CONS, Kinds::CONS)),
        Test::Literal(literal) => {
            let kind = Kinds::of(literal);
            Some((kind, if kind == Kinds::NIL { kind } else { Kinds::NONE }))
        }
        Test::Tuple(_) => Some((Kinds::TUPLE, Kinds::NONE)),
        Test::MapKey => Some((Kinds::MAP, Kinds::NONE)),
        Test::Segment(_) | Test::BitsEnd => Some((Kinds::BITS, Kinds::NONE)),
        Test::Predicate(function) => match ops::rule(*function) {
            Rule::Type(kind) => Some((Kinds::possible(kind), Kinds::certain(kind))),
            _ => None,
        },
        Test::Same => None,
    }
}

/// Returns the outcome of a test that follows from the kinds that a value can be of.
fn by_kind(kinds: Kinds, asked: &Asked) -> Option<Verdict> {
    let (possible, certain) =
        holding(asked.test).filter(|_| !matches!(asked.test, Test::Segment(_) | Test::BitsEnd))?;
    if !kinds.meets(possible) {
        return Some(Verdict::No);
    }
    let plain = asked.outs.iter().all(Option::is_none);
    (certain.has(kinds) && plain).then(|| Verdict::Yes(Vec::new()))
}
