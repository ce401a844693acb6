//! Bitstrings: their sizes, and the numbers in equal chunks of them.
//!
//! All places and sizes that a claim names are multiples of one number of bits; a chunk is that many. A number that is
//! read from a bitstring is made of chunks, a slice has the chunks of the whole, what is put together those of its parts.

use constraint::{Expr, Node, Part};
use num_integer::Integer;
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

use crate::Claim;
use crate::commands::{and, integer, power, small};
use crate::encode::{ClaimEncoder, Meaning};

/// Chunks of one number, or of one constant.
pub const MOST_OF_ONE: u32 = 64;

/// The bitstrings that occur.
#[derive(Default)]
pub struct BitReads {
    /// The bits of a chunk.
    chunk: u32,
    /// Terms that are used as bitstrings.
    terms: Vec<String>,
    /// Chunks that were asked for: of a term, at a bit.
    pub chunks: Vec<(String, BitOffset)>,
    asked: FxHashSet<String>,
    /// Bitstrings that are made of others.
    pub made: FxHashMap<String, MadeBits>,
    /// Pairs of terms that are compared.
    pub compared: Vec<(String, String)>,
}

/// The pieces of a bitstring that are all or part of others.
pub struct MadeBits {
    /// It is only where this holds.
    pub needs: String,
    /// The pieces.
    pub pieces: Vec<BitPiece>,
}

/// A piece of a bitstring, from one place to the next.
pub struct BitPiece {
    /// The bitstring it is taken from.
    pub of: String,
    /// The place there where it begins.
    pub begin: BitOffset,
    /// The place where it begins here.
    pub from: BitOffset,
    /// The place where it ends here.
    pub to: BitOffset,
}

/// A number of bits: a number of the script and a constant.
#[derive(Clone)]
pub struct BitOffset {
    /// The number of the script; empty if there is none.
    pub unknown: String,
    /// The constant.
    pub more: i64,
}

impl BitOffset {
    /// A constant number.
    pub fn constant(more: i64) -> BitOffset {
        BitOffset { unknown: String::new(), more }
    }

    /// The sum of two numbers.
    pub fn plus(&self, other: &BitOffset) -> BitOffset {
        let unknown = match (&*self.unknown, &*other.unknown) {
            ("", one) | (one, "") => one.to_owned(),
            (one, other) => format!("(+ {one} {other})"),
        };
        BitOffset { unknown, more: self.more + other.more }
    }

    /// The difference of two numbers.
    pub fn minus(&self, other: &BitOffset) -> BitOffset {
        let unknown = match (&*self.unknown, &*other.unknown) {
            (one, "") => one.to_owned(),
            (one, other) if one == other => String::new(),
            ("", other) => format!("(- {other})"),
            (one, other) => format!("(- {one} {other})"),
        };
        BitOffset { unknown, more: self.more - other.more }
    }

    /// The number in the script.
    pub fn text(&self) -> String {
        match &*self.unknown {
            "" => small(self.more),
            unknown if self.more == 0 => unknown.to_owned(),
            unknown => format!("(+ {unknown} {})", small(self.more)),
        }
    }
}

impl BitReads {
    /// Chunks that fit all constant places and sizes of a claim.
    pub fn of(claim: &Claim<'_>) -> BitReads {
        let mut common = 0;
        let mut meet = |size: u64| common = common.gcd(&size);
        let mut todo: Vec<Expr> = claim.conditions.iter().flat_map(|condition| condition.test.exprs()).collect();
        let mut seen = FxHashSet::default();
        let number = |expr: Expr| match claim.arena.original(expr) {
            Node::Literal(term) => term.as_i64().map_or(0, i64::unsigned_abs),
            _ => 0,
        };
        while let Some(expr) = todo.pop() {
            let node = claim.arena.original(expr);
            if !seen.insert(expr.original()) {
                continue;
            }
            match node {
                Node::Bits { at, size, .. } => [*at, *size].into_iter().for_each(|place| meet(u64::from(place))),
                Node::Slice { at, size, .. } => [*at, *size].into_iter().for_each(|place| meet(number(place))),
                Node::Build { parts, .. } => parts.iter().for_each(|part| {
                    if let Part::Integer { size, .. } = part {
                        meet(u64::from(*size));
                    }
                }),
                Node::Literal(Term::Bits(_, bits)) => meet(bits.bit_len() as u64),
                _ => {}
            }
            node.each_part(|part| todo.push(part));
        }
        let chunk = u32::try_from(common).ok().filter(|chunk| (1..=64).contains(chunk)).unwrap_or(8);
        BitReads { chunk, ..BitReads::default() }
    }

    /// Adds a term that is used as a bitstring.
    pub fn add(&mut self, term: &str) {
        if !self.terms.iter().any(|known| known == term) {
            self.terms.push(term.to_owned());
        }
    }

    /// Adds terms that are compared.
    pub fn compare(&mut self, a: &str, b: &str) {
        self.compared.push((a.to_owned(), b.to_owned()));
    }

    /// All terms that are used as bitstrings.
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// The number of bits of a chunk.
    pub fn width(&self) -> u32 {
        self.chunk
    }

    /// A chunk of a bitstring.
    pub fn chunk(&mut self, of: &str, at: &BitOffset) -> String {
        let text = format!("(chunk {of} {})", at.text());
        if self.asked.insert(text.clone()) {
            self.chunks.push((of.to_owned(), at.clone()));
        }
        text
    }
}

impl ClaimEncoder<'_> {
    /// The number in some bits.
    pub fn bits_read(&mut self, of: Expr, at: u32, size: u32) -> Meaning {
        let mut needs = Vec::new();
        let of = self.values(&[of], &mut needs).remove(0);
        needs.push(format!("(isbin {of})"));
        needs.push(format!("(>= (bits {of}) {})", u64::from(at) + u64::from(size)));
        self.bits.add(&of);
        let width = self.bits.chunk;
        let number = if !size.is_multiple_of(width) || size / width > MOST_OF_ONE {
            let number = self.script.declare("Int");
            self.script.assert(&format!("(<= 0 {number} {})", integer(&(power(size) - 1))));
            number
        } else {
            let mut sum = vec![small(0)];
            for place in 0..size / width {
                let chunk = self.bits.chunk(&of, &BitOffset::constant(i64::from(at + place * width)));
                sum.push(format!("(* {chunk} {})", power(size - (place + 1) * width)));
            }
            format!("(+ {} 0)", sum.join(" "))
        };
        Meaning::exact(format!("(mkint {number})"), needs)
    }

    /// A number of bits that an expression gives.
    fn place(&self, expr: Expr, value: &str) -> BitOffset {
        let constant = self.constant(expr).and_then(Term::as_i64).filter(|value| value.abs() < 1 << 40);
        constant.map_or_else(|| BitOffset { unknown: format!("(iv {value})"), more: 0 }, BitOffset::constant)
    }

    /// A part of a bitstring.
    pub fn slice(&mut self, [of, at, size]: [Expr; 3]) -> Meaning {
        let mut needs = Vec::new();
        let parts = self.values(&[of, at, size], &mut needs);
        let [whole, begin, length] = &parts[..] else { return Meaning::exact(String::from("mknil"), needs) };
        let (begin, length) = (format!("(iv {begin})"), format!("(iv {length})"));
        needs.push(format!("(isbin {whole})"));
        needs.extend(parts[1..].iter().map(|number| format!("(and (isint {number}) (<= 0 (iv {number})))")));
        needs.push(format!("(<= (+ {begin} {length}) (bits {whole}))"));
        let slice = self.script.declare("T");
        let all = format!("(=> (and (= {begin} 0) (= {length} (bits {whole}))) (= {slice} {whole}))");
        let facts = and([format!("(isbin {slice})"), format!("(= (bits {slice}) {length})"), all]);
        self.script.assert_if(&and(&needs), &facts);
        [whole, &slice].into_iter().for_each(|term| self.bits.add(term));
        let (begin, from) = (self.place(at, &parts[1]), BitOffset::constant(0));
        let piece = BitPiece { of: whole.clone(), begin, from, to: self.place(size, &parts[2]) };
        self.bits.made.insert(slice.clone(), MadeBits { needs: and(&needs), pieces: vec![piece] });
        Meaning::exact(slice, needs)
    }

    /// A bitstring put together.
    pub fn build(&mut self, parts: &[Part]) -> Meaning {
        let mut needs = Vec::new();
        let built = self.script.declare("T");
        let mut at = BitOffset::constant(0);
        let (mut pieces, mut facts) = (Vec::new(), vec![format!("(isbin {built})")]);
        for part in parts {
            let value = self.values(&[part.expr()], &mut needs).remove(0);
            let size = match *part {
                Part::Integer { from, size, .. } => {
                    needs.push(format!("(isint {value})"));
                    facts.extend(self.digits(&built, &at, &value, from, size));
                    BitOffset::constant(i64::from(size))
                }
                Part::Bits(_) => {
                    needs.push(format!("(isbin {value})"));
                    self.bits.add(&value);
                    let size = BitOffset { unknown: format!("(bits {value})"), more: 0 };
                    let (begin, from) = (BitOffset::constant(0), at.clone());
                    pieces.push(BitPiece { of: value, begin, from, to: at.plus(&size) });
                    size
                }
            };
            at = at.plus(&size);
        }
        facts.push(format!("(= (bits {built}) {})", at.text()));
        let all = and(&needs);
        self.script.assert_if(&all, &and(facts));
        self.bits.add(&built);
        self.bits.made.insert(built.clone(), MadeBits { needs: all, pieces });
        Meaning::exact(built, needs)
    }

    /// The chunks of a number in a bitstring.
    fn digits(&mut self, built: &str, at: &BitOffset, value: &str, from: u32, size: u32) -> Vec<String> {
        let width = self.bits.chunk;
        if !size.is_multiple_of(width) || size / width > MOST_OF_ONE {
            return Vec::new();
        }
        let mut facts = Vec::new();
        for place in 0..size / width {
            let chunk = self.bits.chunk(built, &at.plus(&BitOffset::constant(i64::from(place * width))));
            let low = power(from + size - (place + 1) * width);
            facts.push(format!("(= {chunk} (mod (div (iv {value}) {low}) {}))", power(width)));
        }
        facts
    }
}
