//! Matching bitstrings: sizes are arithmetic on the number of bits, fields are numbers of bits.
//!
//! A size that is an expression stays one as long as nothing is read behind it. All that is read must stand at a known
//! place: then the numbers that the place depends on are asked for, in steps that any run would make alike.

use constraint::{Expr, Node, Op, Part, Test, Type};
use ir::{SegmentFormat, SegmentKind};
use rustc_hash::FxHashMap;
use term::{Bits, Term, cut, known, number};

use super::watch::Watch;

const FITS: u32 = 0;
const IS_BITS: u32 = 1;
const SIZE_IS_INTEGER: u32 = 2;
const SIZE_IS_NEGATIVE: u32 = 3;
const IS_WHOLE: u32 = 4;
const PLACE: u32 = 5;
const FIRST_PLACE: u32 = 1 << 16;
const IN_PART: u32 = 7;

/// Numbers from here on are not followed further.
const MOST_PLACE: i64 = 1 << 26;

/// Numbers up to here are distinguished one by one.
const ONE_BY_ONE: i64 = 16;

/// The work for one part of a sum of sizes, in steps of work on terms.
const PART: u32 = 5;

/// The expressions of a segment.
pub struct Taken {
    /// None if it is not wanted.
    pub value: Option<Expr>,
    /// The bits after the segment.
    pub rest: Expr,
}

impl Watch<'_> {
    /// A segment at the front of a bitstring; nothing if it is not there.
    pub fn segment(&mut self, test: SegmentFormat, bits: &Term, size: &Term, wanted: bool) -> Option<Taken> {
        let whole = self.expr(bits);
        self.is(IS_BITS, bits, Type::Bitstring);
        let found = bits.as_bits()?;
        match test.kind {
            SegmentKind::Utf8 | SegmentKind::Utf16 | SegmentKind::Utf32 => self.text_segment(test, whole, found),
            _ if size.as_atom() == Some(known::ALL) => self.all_of(test, whole, found),
            _ => self.sized(test, whole, found, size, wanted),
        }
    }

    fn all_of(&mut self, test: SegmentFormat, whole: Expr, found: &Bits) -> Option<Taken> {
        if !self.is_whole(IS_WHOLE, whole, found.bit_len(), u64::from(test.unit)) {
            return None;
        }
        let rest = self.recorder.arena.literal(Term::bits(Bits::empty()));
        Some(Taken { value: Some(whole), rest })
    }

    fn sized(&mut self, test: SegmentFormat, whole: Expr, found: &Bits, size: &Term, wanted: bool) -> Option<Taken> {
        let length = self.is_natural(size, SIZE_IS_INTEGER, SIZE_IS_NEGATIVE).then(|| self.expr(size))?;
        let unit = Term::int(i64::from(test.unit));
        let need = number::mul(size, &unit)?;
        let short = Term::int(found.bit_len() as i64).compare(&need).is_lt();
        let by = self.recorder.integer(i64::from(test.unit));
        let mut needed = self.recorder.apply(Op::Mul, length, by);
        let all = self.recorder.arena.bit_size(whole);
        self.ask(FITS, Test::Less(all, needed), short);
        if short {
            return None;
        }
        let bits = u32::try_from(need.as_i64()?).ok()?;
        let reads = test.kind == SegmentKind::Float || wanted && test.kind == SegmentKind::Integer;
        let whole = match reads.then(|| self.steer(length)) {
            Some(_) if bits > 0 => self.placed(whole),
            _ => whole,
        };
        if reads {
            needed = self.recorder.integer(i64::from(bits));
        }
        let value = match test.kind {
            SegmentKind::Bits => Some(self.front(whole, needed)),
            SegmentKind::Float => Some(self.float_segment(test.little, whole, found, bits)?).filter(|_| wanted),
            _ if reads => {
                let from = self.readable(whole, bits);
                Some(self.recorder.arena.segment(from, 0, bits, test.signed, test.little))
            }
            _ => None,
        };
        Some(Taken { value, rest: self.recorder.arena.rest(whole, needed) })
    }

    fn front(&mut self, whole: Expr, size: Expr) -> Expr {
        let start = self.recorder.integer(0);
        self.recorder.arena.slice(whole, start, size)
    }

    /// True if a number is an integer that is not negative.
    pub fn is_natural(&mut self, number: &Term, integer: u32, negative: u32) -> bool {
        self.is(integer, number, Type::Integer)
            && match self.expr_of(number) {
                Some(expr) => !self.is_below(negative, expr, number, 0),
                None => !is_negative(number),
            }
    }

    /// True if a bitstring of that many bits can be cut into units.
    pub fn is_whole(&mut self, ordinal: u32, bits: Expr, len: usize, unit: u64) -> bool {
        let holds = unit < 2 || (len as u64).is_multiple_of(unit);
        if unit < 2 || self.recorder.arena.as_literal(bits).is_some() {
            return holds;
        }
        let size = self.recorder.arena.bit_size(bits);
        if self.residue(size, unit).is_some() {
            return holds;
        }
        match self.plain_bits(size).filter(|_| unit == 8) {
            Some(root) => self.ask(ordinal, Test::Type(root, Type::Binary), holds),
            None => {
                let by = self.recorder.integer(unit as i64);
                let (over, zero) = (self.recorder.apply(Op::Rem, size, by), self.recorder.integer(0));
                self.ask(ordinal, Test::Same(over, zero), holds);
            }
        }
        holds
    }

    /// The bits left after whole units, if the path condition determines them.
    fn residue(&self, size: Expr, unit: u64) -> Option<u64> {
        self.residue_once(size, unit, &mut FxHashMap::default())
    }

    /// The same, with what is known already: a size that is added to itself again and again is looked at once.
    fn residue_once(&self, size: Expr, unit: u64, known: &mut FxHashMap<Expr, Option<u64>>) -> Option<u64> {
        if let Some(residue) = known.get(&size) {
            return *residue;
        }
        cut::work(PART);
        let residue = self.residue_of_parts(size, unit, known);
        known.insert(size, residue);
        residue
    }

    fn residue_of_parts(&self, size: Expr, unit: u64, known: &mut FxHashMap<Expr, Option<u64>>) -> Option<u64> {
        let mut of = |part: Expr| self.residue_once(part, unit, known);
        match self.recorder.arena.node(size) {
            Node::Literal(term) => Some(term.as_i64()?.rem_euclid(unit as i64) as u64),
            Node::Apply(Op::Add, args) => Some((of(args[0])? + of(args[1])?) % unit),
            Node::Apply(Op::Sub, args) => Some((unit + of(args[0])? - of(args[1])?) % unit),
            Node::Apply(Op::Mul, args) => (of(args[1])? == 0).then_some(0),
            Node::Apply(Op::BitSize, args) => (8 % unit == 0 && self.is_binary(args[0])).then_some(0),
            _ => None,
        }
    }

    fn is_binary(&self, expr: Expr) -> bool {
        let Watch { recorder, .. } = self;
        recorder.facts.settled(&recorder.arena, Test::Type(expr, Type::Binary)) == Some(true)
    }

    /// The bitstring whose bits, but for whole bytes, are counted there.
    fn plain_bits(&self, size: Expr) -> Option<Expr> {
        cut::work(PART);
        match self.recorder.arena.node(size) {
            Node::Apply(Op::BitSize, args) => Some(args[0]),
            Node::Apply(Op::Add, args) if self.residue(args[1], 8) == Some(0) => self.plain_bits(args[0]),
            Node::Apply(Op::Sub, args) if self.residue(args[1], 8) == Some(0) => self.plain_bits(args[0]),
            Node::Apply(Op::Add, args) if self.residue(args[0], 8) == Some(0) => self.plain_bits(args[1]),
            _ => None,
        }
    }

    /// `bit_size(B)` and `byte_size(B)`.
    pub fn size_of_bits(&mut self, bits: &Term, bytes: bool) -> Option<Expr> {
        let expr = self.expr_of(bits)?;
        self.is(IS_BITS, bits, Type::Bitstring).then_some(())?;
        let size = self.recorder.arena.bit_size(expr);
        if !bytes {
            return Some(size);
        }
        Some(self.eighth(size).unwrap_or_else(|| {
            let arena = &mut self.recorder.arena;
            if matches!(arena.node(size), Node::Apply(Op::BitSize, _)) {
                return arena.apply(Op::ByteSize, &[expr]);
            }
            let (seven, eight) = (arena.integer(7), arena.integer(8));
            let above = arena.apply(Op::Add, &[size, seven]);
            arena.apply(Op::Div, &[above, eight])
        }))
    }

    /// `size(B)`: bytes that are not whole do not count.
    pub fn whole_bytes(&mut self, bits: &Term) -> Option<Expr> {
        let size = self.size_of_bits(bits, false)?;
        Some(self.eighth(size).unwrap_or_else(|| {
            let eight = self.recorder.integer(8);
            self.recorder.apply(Op::Div, size, eight)
        }))
    }

    /// An eighth of a number of bits that is known to be one of whole bytes.
    fn eighth(&mut self, size: Expr) -> Option<Expr> {
        cut::work(PART);
        let node = self.recorder.arena.node(size).clone();
        match node {
            Node::Literal(term) => {
                let bits = term.as_i64().filter(|bits| bits % 8 == 0)?;
                Some(self.recorder.integer(bits / 8))
            }
            Node::Apply(op @ (Op::Add | Op::Sub), args) => {
                let (a, b) = (self.eighth(args[0])?, self.eighth(args[1])?);
                Some(self.recorder.apply(op, a, b))
            }
            Node::Apply(Op::Mul, args) => {
                let factor = self.eighth(args[1])?;
                Some(self.recorder.apply(Op::Mul, args[0], factor))
            }
            Node::Apply(Op::BitSize, args) if self.is_binary(args[0]) => {
                Some(self.recorder.arena.apply(Op::ByteSize, &args))
            }
            _ => None,
        }
    }

    /// Asks whether something is the empty bitstring.
    pub fn bits_end(&mut self, bits: &Term) {
        let Some(expr) = self.expr_of(bits) else { return };
        self.is(IS_BITS, bits, Type::Bitstring);
        if let Some(found) = bits.as_bits() {
            let (size, zero) = (self.recorder.arena.bit_size(expr), self.recorder.integer(0));
            self.ask(FITS, Test::Same(size, zero), found.is_empty());
        }
    }

    /// Asks for the numbers that a number depends on, and gives it.
    pub fn steer(&mut self, expr: Expr) -> Option<i64> {
        if self.recorder.arena.as_literal(expr).is_none()
            && let Some(bytes) = self.eighth(expr)
        {
            return self.steer(bytes)?.checked_mul(8);
        }
        match self.recorder.arena.node(expr).clone() {
            Node::Literal(term) => return term.as_i64(),
            Node::Apply(Op::Add | Op::Sub | Op::Mul, args) => {
                self.steer(args[0]);
                self.steer(args[1]);
                return self.recorder.value(expr)?.as_i64();
            }
            _ => {}
        }
        let value = self.recorder.value(expr)?.as_i64()?;
        let literal = self.recorder.integer(value);
        let same = Test::Same(expr, literal);
        if self.recorder.facts.settled(&self.recorder.arena, same) != Some(true) {
            self.locate(expr, value);
            let Watch { recorder, .. } = self;
            if !recorder.truncated {
                recorder.facts.learn(&recorder.arena, same, true);
            }
        }
        Some(value)
    }

    /// Asks where a number lies, in steps that depend on nothing but the answers: small ones one by one as a loop would,
    /// larger ones doubled, then halved.
    fn locate(&mut self, expr: Expr, value: i64) {
        let counted = match self.recorder.arena.node(expr) {
            Node::Bits { .. } => true,
            Node::Apply(op, _) => matches!(op, Op::BitSize | Op::ByteSize | Op::Length | Op::TupleSize),
            _ => false,
        };
        if !counted && self.lies_below(expr, value, 0) {
            let negated = self.recorder.arena.apply(Op::Neg, &[expr]);
            return self.find_natural(negated, -value);
        }
        self.find_natural(expr, value);
    }

    fn find_natural(&mut self, expr: Expr, value: i64) {
        let (mut low, mut high) = (0, 1);
        while !self.lies_below(expr, value, high) {
            if high >= MOST_PLACE {
                let literal = self.recorder.integer(value);
                return self.step(PLACE, Test::Same(expr, literal), true, true);
            }
            (low, high) = (high, if high < ONE_BY_ONE { high + 1 } else { high * 2 });
        }
        while high - low > 1 {
            let middle = (low + high) / 2;
            if self.lies_below(expr, value, middle) { high = middle } else { low = middle }
        }
    }

    fn lies_below(&mut self, expr: Expr, value: i64, bound: i64) -> bool {
        let literal = self.recorder.integer(bound);
        // Each place is a branch of its own, as a clause for it would be.
        self.ask(FIRST_PLACE.saturating_add(bound as u32), Test::Less(expr, literal), value < bound);
        value < bound
    }

    /// The same bitstring, at a place that is known.
    pub fn placed(&mut self, bits: Expr) -> Expr {
        let Node::Slice { of, at, size } = *self.recorder.arena.node(bits) else { return bits };
        if self.recorder.arena.as_literal(at).is_some() {
            return bits;
        }
        let Some(place) = self.steer(at) else { return bits };
        let place = self.recorder.integer(place);
        let arena = &mut self.recorder.arena;
        let size = if arena.size_behind(of, at) == size { arena.size_behind(of, place) } else { size };
        arena.slice(of, place, size)
    }

    /// A bitstring that begins with the same bits, so many of them, and of which it is known what they are parts of.
    pub fn readable(&mut self, bits: Expr, count: u32) -> Expr {
        match self.recorder.arena.node(bits).clone() {
            Node::Slice { of, at, .. } if matches!(self.recorder.arena.node(of), Node::Build { .. }) => {
                let Some(from) = self.steer(at).and_then(|from| u32::try_from(from).ok()) else { return bits };
                let whole = self.readable(of, from.saturating_add(count));
                let [at, size] = [from, count].map(|number| self.recorder.integer(i64::from(number)));
                self.recorder.arena.slice(whole, at, size)
            }
            Node::Build { parts, .. } => self.first_parts(&parts, count),
            _ => bits,
        }
    }

    /// As many parts as it takes for so many bits.
    fn first_parts(&mut self, parts: &[Part], count: u32) -> Expr {
        let mut left = i64::from(count);
        let mut taken = Vec::new();
        for part in parts {
            if left <= 0 {
                break;
            }
            let (part, size) = match *part {
                Part::Integer { size, .. } => (*part, i64::from(size)),
                Part::Bits(bits) => match self.first_bits(bits, left) {
                    Some((bits, size)) => (Part::Bits(bits), size),
                    None => (*part, left),
                },
            };
            taken.push(part);
            left -= size;
        }
        self.recorder.arena.build(taken)
    }

    /// So many of a bitstring's first bits, or all it has.
    fn first_bits(&mut self, bits: Expr, count: i64) -> Option<(Expr, i64)> {
        let bits = self.placed(bits);
        let size = self.recorder.arena.bit_size(bits);
        if let Some(known) = self.recorder.arena.as_literal(size).and_then(Term::as_i64) {
            let first = self.readable(bits, u32::try_from(known.min(count)).ok()?);
            return Some((if known <= count { first } else { bits }, known));
        }
        let all = self.recorder.value(size)?.as_i64()?;
        let wanted = self.recorder.integer(count);
        self.ask(IN_PART, Test::Less(size, wanted), all < count);
        if all < count {
            self.steer(size);
        }
        let taken = all.min(count);
        let number = self.recorder.integer(taken);
        let first = self.readable(bits, u32::try_from(taken).ok()?);
        Some((self.front(first, number), taken))
    }

    /// The bitstring that begins some bits before another.
    pub fn before(&mut self, rest: Expr, bits: i64) -> Option<Expr> {
        let Node::Slice { of, at, size } = *self.recorder.arena.node(rest) else { return None };
        let by = self.recorder.integer(bits);
        let arena = &mut self.recorder.arena;
        let place = arena.apply(Op::Sub, &[at, by]);
        let longer = if arena.size_behind(of, at) == size {
            arena.size_behind(of, place)
        } else {
            arena.apply(Op::Add, &[size, by])
        };
        Some(arena.slice(of, place, longer))
    }
}

/// True for integers below zero.
pub fn is_negative(number: &Term) -> bool {
    number::sign(number).is_some_and(std::cmp::Ordering::is_lt)
}
