//! Bitstrings: numbers read out of them, parts of them, and bitstrings put together.

use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use term::{BitsBuilder, Term};

use crate::{Arena, Expr, FloatOp, Node, Op};

/// One of the things that a bitstring is put together from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Part {
    /// `size` bits of an integer in two's complement, the least of them the one worth `2^from`.
    Integer { value: Expr, from: u32, size: u32 },
    /// All of a bitstring.
    Bits(Expr),
}

impl Part {
    /// The expression of the number or bitstring.
    pub fn expr(&self) -> Expr {
        match *self {
            Part::Integer { value, .. } => value,
            Part::Bits(bits) => bits,
        }
    }

    pub(crate) fn expr_mut(&mut self) -> &mut Expr {
        match self {
            Part::Integer { value, .. } => value,
            Part::Bits(bits) => bits,
        }
    }

    /// Adds this part, whose expression has that value.
    pub fn append(&self, value: &Term, builder: &mut BitsBuilder) -> Option<()> {
        match self {
            Part::Integer { from, size, .. } => {
                builder.push_bigint(&(value.as_bigint()? >> *from), *size as usize, false);
            }
            Part::Bits(_) => builder.push_bits(value.as_bits()?),
        }
        Some(())
    }
}

/// The number in `size` bits from bit `at` on.
pub fn read(bits: &Term, at: u32, size: u32) -> Option<Term> {
    let bits = bits.as_bits()?;
    let end = u64::from(at) + u64::from(size);
    let fits = end <= bits.bit_len() as u64;
    fits.then(|| Term::big(BigInt::from(bits.read_uint(at as usize, size as usize))))
}

/// The part of a bitstring that begins at a bit and has that many.
pub fn slice([bits, at, size]: &[Term; 3]) -> Option<Term> {
    let bits = bits.as_bits()?;
    let [at, size] = [at, size].map(|number| number.as_i64().and_then(|number| usize::try_from(number).ok()));
    let (at, size) = (at?, size?);
    (at.checked_add(size)? <= bits.bit_len()).then(|| Term::bits(bits.slice(at, size)))
}

impl Arena {
    /// The number of bits of a bitstring.
    pub fn bit_size(&mut self, bits: Expr) -> Expr {
        self.apply(Op::BitSize, &[bits])
    }

    /// The size of what was cut out of a bitstring or put together.
    pub fn known_size(&self, bits: Expr) -> Option<Expr> {
        match self.node(bits) {
            Node::Slice { size, .. } | Node::Build { size, .. } => Some(*size),
            _ => None,
        }
    }

    fn number_of(&self, expr: Expr) -> Option<u64> {
        self.as_literal(expr).and_then(Term::as_i64).and_then(|number| u64::try_from(number).ok())
    }

    /// The unsigned big-endian number in some bits.
    pub fn bits(&mut self, of: Expr, at: u32, size: u32) -> Expr {
        self.make(Node::Bits { of, at, size })
    }

    pub(crate) fn simplify_bits(&mut self, of: Expr, at: u32, size: u32) -> Option<Expr> {
        if size == 0 {
            return Some(self.integer(0));
        }
        term::deeper(|| match self.node(of) {
            Node::Literal(term) => read(term, at, size).map(|value| self.literal(value)),
            Node::Slice { of: whole, at: from, .. } => {
                let whole = *whole;
                let begin = self.number_of(*from).and_then(|from| u32::try_from(from + u64::from(at)).ok())?;
                Some(self.bits(whole, begin, size))
            }
            Node::Build { parts, .. } => {
                let parts = parts.clone();
                self.bits_of_parts(&parts, at, size)
            }
            _ => None,
        })
    }

    /// Bits of something put together, if it is known which parts they are in.
    fn bits_of_parts(&mut self, parts: &[Part], at: u32, size: u32) -> Option<Expr> {
        let (mut at, mut left) = (u64::from(at), u64::from(size));
        let mut pieces: Vec<(Expr, u32)> = Vec::new();
        for part in parts {
            if left == 0 {
                break;
            }
            let length = match *part {
                Part::Integer { size, .. } => u64::from(size),
                Part::Bits(bits) => {
                    let size = self.bit_size(bits);
                    self.number_of(size)?
                }
            };
            if at >= length {
                at -= length;
                continue;
            }
            let taken = left.min(length - at);
            let (from, size) = (at as u32, taken as u32);
            let piece = match *part {
                Part::Bits(bits) => self.bits(bits, from, size),
                Part::Integer { value, from: low, size: all } => self.digits(value, low + all - from - size, size),
            };
            self.join(&mut pieces, piece, size);
            (at, left) = (0, left - taken);
        }
        (left == 0).then(|| self.sum(&pieces))
    }

    /// Adds a piece behind others; neighbours of the same bitstring become one.
    fn join(&mut self, pieces: &mut Vec<(Expr, u32)>, piece: Expr, size: u32) {
        if let Some((last, before)) = pieces.last().copied()
            && let (Node::Bits { of, at, size: first }, Node::Bits { of: other, at: next, size: second }) =
                (self.node(last), self.node(piece))
            && (of == other && at + first == *next && *first == before && *second == size)
        {
            let (of, at) = (*of, *at);
            pieces.pop();
            let joined = self.bits(of, at, before + size);
            return pieces.push((joined, before + size));
        }
        pieces.push((piece, size));
    }

    /// The number whose digits these are, the first worth most.
    fn sum(&mut self, pieces: &[(Expr, u32)]) -> Expr {
        let mut shift = 0u32;
        let mut all: Option<Expr> = None;
        for (piece, size) in pieces.iter().rev() {
            let factor = self.literal(Term::big(BigInt::from(1) << shift));
            let worth = self.apply(Op::Mul, &[*piece, factor]);
            all = Some(all.map_or(worth, |all| self.apply(Op::Add, &[worth, all])));
            shift += size;
        }
        all.unwrap_or_else(|| self.integer(0))
    }

    /// A number that is two side by side: the one worth more, the other, and how many bits that has room for.
    fn halves(&self, value: Expr) -> Option<(Expr, Expr, u32)> {
        let Node::Apply(Op::Add, args) = self.node(value) else { return None };
        let Node::Apply(Op::Mul, product) = self.node(args[0]) else { return None };
        let factor = self.as_literal(product[1])?.as_bigint()?;
        let above = u32::try_from(factor.trailing_zeros()?).ok()?;
        let side_by_side = factor == BigInt::from(1) << above && self.width(args[1])? <= above;
        side_by_side.then_some((product[0], args[1], above))
    }

    /// The number of bits that a number which is not negative has room in, if its form says so.
    fn width(&self, value: Expr) -> Option<u32> {
        match self.node(value) {
            Node::Bits { size, .. } => Some(*size),
            Node::Apply(Op::Float(FloatOp::Write(width)), _) => Some(width.bits()),
            Node::Literal(term) => {
                term.as_bigint().filter(|n| *n >= BigInt::from(0)).and_then(|n| u32::try_from(n.bits()).ok())
            }
            Node::Apply(Op::Add, _) => {
                let (high, _, above) = self.halves(value)?;
                self.width(high)?.checked_add(above)
            }
            _ => None,
        }
    }

    /// `size` bits of an integer, the least of them worth `2^from` there.
    pub fn digits(&mut self, value: Expr, from: u32, size: u32) -> Expr {
        if let Node::Bits { of, at, size: all } = *self.node(value) {
            let above = all.saturating_sub(from);
            let taken = size.min(above);
            return self.bits(of, at + above - taken, taken);
        }
        if from == 0
            && let Node::Apply(Op::Float(FloatOp::Write(width)), _) = self.node(value)
            && width.bits() <= size
        {
            return value;
        }
        if let Some((high, low, above)) = self.halves(value) {
            if from >= above {
                return self.digits(high, from - above, size);
            }
            let below = size.min(above - from);
            let low = self.digits(low, from, below);
            if below == size {
                return low;
            }
            let high = self.digits(high, 0, size - below);
            let mut pieces = vec![(high, size - below)];
            self.join(&mut pieces, low, below);
            return self.sum(&pieces);
        }
        let by = self.integer(i64::from(from));
        let shifted = self.apply(Op::Bsr, &[value, by]);
        let mask = self.literal(Term::big((BigInt::from(1) << size) - 1));
        self.apply(Op::Band, &[shifted, mask])
    }

    /// The integer that a segment of a pattern takes from some bits.
    pub fn segment(&mut self, of: Expr, at: u32, size: u32, signed: bool, little: bool) -> Expr {
        if size == 0 {
            return self.integer(0);
        }
        let (value, sign) = if little && size > 8 {
            // Bits that are left over after whole bytes stand last and are worth most.
            let mut pieces: Vec<(Expr, u32)> = Vec::new();
            let mut from = 0;
            while from < size {
                let taken = (size - from).min(8);
                pieces.insert(0, (self.bits(of, at + from, taken), taken));
                from += taken;
            }
            let last = (size - 1) / 8 * 8;
            (self.sum(&pieces), self.bits(of, at + last, 1))
        } else {
            (self.bits(of, at, size), self.bits(of, at, 1))
        };
        if !signed {
            return value;
        }
        let worth = self.literal(Term::big(-(BigInt::from(1) << size)));
        let below = self.apply(Op::Mul, &[sign, worth]);
        self.apply(Op::Add, &[value, below])
    }

    /// Part of a bitstring.
    pub fn slice(&mut self, of: Expr, at: Expr, size: Expr) -> Expr {
        self.make(Node::Slice { of, at, size })
    }

    /// A part of a part is a part of the whole.
    pub(crate) fn simplify_slice(&mut self, of: Expr, at: Expr, size: Expr) -> Option<Expr> {
        if let (Some(bits), Some(at), Some(size)) = (self.as_literal(of), self.as_literal(at), self.as_literal(size))
            && let Some(found) = slice(&[bits.clone(), at.clone(), size.clone()])
        {
            return Some(self.literal(found));
        }
        if self.number_of(at) == Some(0) && self.bit_size(of) == size {
            return Some(of);
        }
        let Node::Slice { of: whole, at: from, .. } = *self.node(of) else { return None };
        let at = self.apply(Op::Add, &[from, at]);
        Some(self.slice(whole, at, size))
    }

    /// The bits behind the first ones of a bitstring.
    pub fn rest(&mut self, of: Expr, by: Expr) -> Expr {
        let (whole, at) = match *self.node(of) {
            Node::Slice { of: whole, at, size } => {
                if self.size_behind(whole, at) != size {
                    let size = self.apply(Op::Sub, &[size, by]);
                    return self.slice(of, by, size);
                }
                (whole, self.apply(Op::Add, &[at, by]))
            }
            _ => (of, by),
        };
        let size = self.size_behind(whole, at);
        self.slice(whole, at, size)
    }

    /// The number of bits that follow the first ones.
    pub fn size_behind(&mut self, whole: Expr, at: Expr) -> Expr {
        let all = self.bit_size(whole);
        self.apply(Op::Sub, &[all, at])
    }

    /// A bitstring put together.
    pub fn build(&mut self, parts: Vec<Part>) -> Expr {
        // The size belongs to the simplified form alone.
        let size = self.integer(0);
        self.make(Node::Build { parts: parts.into(), size })
    }

    pub(crate) fn simplify_build(&mut self, parts: &[Part]) -> Option<Expr> {
        let mut whole = Vec::with_capacity(parts.len());
        for part in parts {
            self.put_together(&mut whole, *part);
        }
        let parts: Vec<Part> = whole.into_iter().filter(|part| !self.is_nothing(part)).collect();
        if let [Part::Bits(bits)] = parts[..] {
            return Some(bits);
        }
        let mut builder = BitsBuilder::new();
        let constant = |part: &Part| self.as_literal(part.expr()).and_then(|value| part.append(value, &mut builder));
        if parts.iter().map(constant).all(|done| done.is_some()) {
            return Some(self.literal(Term::bits(builder.finish())));
        }
        let mut size = self.integer(0);
        for part in &parts {
            let more = match *part {
                Part::Integer { size, .. } => self.integer(i64::from(size)),
                Part::Bits(bits) => self.bit_size(bits),
            };
            size = self.apply(Op::Add, &[size, more]);
        }
        Some(self.intern(Node::Build { parts: parts.into(), size }))
    }

    /// Adds a part: bits that were taken from a bitstring as a number are part of it again, and neighbours one part.
    fn put_together(&mut self, parts: &mut Vec<Part>, part: Part) {
        let Part::Integer { value, from, size } = part else { return self.put_behind(parts, part) };
        match (self.node(value), self.halves(value)) {
            (Node::Bits { of, at, size: all }, _) if from + size <= *all => {
                let (of, at) = (*of, at + all - from - size);
                let [at, size] = [at, size].map(|number| self.integer(i64::from(number)));
                let slice = self.slice(of, at, size);
                self.put_behind(parts, Part::Bits(slice));
            }
            (_, Some((high, low, above))) => {
                let below = size.min(above.saturating_sub(from));
                if below < size {
                    let part = Part::Integer { value: high, from: from.saturating_sub(above), size: size - below };
                    self.put_together(parts, part);
                }
                if below > 0 {
                    self.put_together(parts, Part::Integer { value: low, from, size: below });
                }
            }
            _ => self.put_behind(parts, part),
        }
    }

    fn put_behind(&mut self, parts: &mut Vec<Part>, part: Part) {
        if let (Some(Part::Bits(last)), Part::Bits(next)) = (parts.last(), part)
            && let (Node::Slice { of, at, size }, Node::Slice { of: other, at: begin, size: more }) =
                (self.node(*last), self.node(next))
            && of == other
        {
            let (of, at, size, begin, more) = (*of, *at, *size, *begin, *more);
            if self.apply(Op::Add, &[at, size]) == begin {
                let size = self.apply(Op::Add, &[size, more]);
                let joined = self.slice(of, at, size);
                parts.pop();
                return parts.push(Part::Bits(joined));
            }
        }
        parts.push(part);
    }

    fn is_nothing(&self, part: &Part) -> bool {
        match part {
            Part::Integer { size, .. } => *size == 0,
            Part::Bits(bits) => self.as_literal(*bits).and_then(Term::as_bits).is_some_and(term::Bits::is_empty),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate;

    fn bytes(bytes: &[u8]) -> Term {
        Term::binary(bytes.to_vec())
    }

    #[test]
    fn a_number_of_a_part_is_a_number_of_the_whole() {
        let mut arena = Arena::new();
        let x = arena.input(0);
        let [eight, sixteen] = [8, 16].map(|n| arena.integer(n));
        let rest = arena.rest(x, eight);
        let rest = arena.rest(rest, sixteen);
        let inside = arena.bits(rest, 4, 8);
        assert_eq!(inside, arena.bits(x, 28, 8));
        assert_eq!(evaluate(&arena, inside, &[bytes(&[1, 2, 3, 0x45, 0x67])]), Ok(Term::int(0x56)));
        assert!(evaluate(&arena, inside, &[bytes(&[1, 2, 3, 4])]).is_err());
        assert_eq!(evaluate(&arena, rest, &[bytes(&[1, 2, 3, 4])]), Ok(bytes(&[4])));
    }

    #[test]
    fn what_was_put_together_comes_apart() {
        let mut arena = Arena::new();
        let (x, y) = (arena.input(0), arena.input(1));
        let byte = arena.bits(x, 0, 8);
        let built = arena.build(vec![
            Part::Integer { value: byte, from: 0, size: 8 },
            Part::Integer { value: y, from: 8, size: 8 },
            Part::Integer { value: y, from: 0, size: 8 },
            Part::Bits(x),
        ]);
        assert_eq!(arena.bits(built, 2, 4), arena.bits(x, 2, 4));
        let both = arena.bits(built, 4, 16);
        let inputs = [bytes(&[0xab]), Term::int(-2)];
        assert_eq!(evaluate(&arena, both, &inputs), Ok(Term::int(0xbfff)));
        assert_eq!(evaluate(&arena, built, &inputs), Ok(bytes(&[0xab, 0xff, 0xfe, 0xab])));
        let size = arena.bit_size(built);
        assert_eq!(evaluate(&arena, size, &inputs), Ok(Term::int(32)));
    }

    #[test]
    fn bytes_that_are_turned_twice_are_as_they_were() {
        let mut arena = Arena::new();
        let x = arena.input(0);
        let little = arena.segment(x, 0, 32, false, true);
        let bytes = (0..4).map(|byte| Part::Integer { value: little, from: byte * 8, size: 8 }).collect();
        let (start, size) = (arena.integer(0), arena.integer(32));
        assert_eq!(arena.build(bytes), arena.slice(x, start, size));
        let turned = arena.build(vec![Part::Integer { value: little, from: 0, size: 32 }]);
        let value = Term::binary(vec![1, 2, 3, 0xfe]);
        assert_eq!(evaluate(&arena, turned, &[value]), Ok(Term::binary(vec![0xfe, 3, 2, 1])));
    }

    #[test]
    fn segments_are_read_as_the_machine_reads_them() {
        let mut arena = Arena::new();
        let x = arena.input(0);
        let term = bytes(&[0x9c, 0x37, 0xe1, 0x58, 0x0f, 0xd2, 0x81, 0x66, 0x3b]);
        let bits = term.as_bits().expect("bits").clone();
        for size in 0..60 {
            for (signed, little) in [(false, false), (true, false), (false, true), (true, true)] {
                let expr = arena.segment(x, 3, size, signed, little);
                let read = bits.read_int(3, size as usize, signed, little);
                assert_eq!(evaluate(&arena, expr, std::slice::from_ref(&term)), Ok(read), "{size} {signed} {little}");
            }
        }
    }
}
