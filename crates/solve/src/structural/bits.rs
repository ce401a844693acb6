//! Bitstrings: a length, and numbers for the bits between its cuts.
//!
//! A bitstring that was looked into has an integer for its length and pieces, each an integer below a power of two.
//! Bits between the pieces are open. What reads across a cut is the sum of its pieces. Bitstrings that are parts of
//! others wait until it is known where they begin and end; then their pieces are the same.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};
use std::rc::Rc;
use term::{Bits, Term};

use constraint::{Kinds, Op};

use super::production::Prod;
use super::propagators::{Propagator, Status, TermRelation};
use super::store::{Conflict, Context, NodeId, Order, Step, Store};
use crate::integer::interval::Range;
use crate::query::UnknownReason;

/// The known bits of a node.
#[derive(Clone, Debug)]
pub struct BitString {
    /// The number of bits.
    pub len: NodeId,
    /// The number of bytes, if a condition is about it.
    pub bytes: Option<NodeId>,
    /// In their order, none overlapping.
    pub pieces: Vec<Piece>,
    /// The production that the length is tied to.
    tied: Option<(u64, u64)>,
}

/// Consecutive bits whose number is a node.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The first bit.
    pub at: u32,
    /// The number of bits.
    pub size: u32,
    /// The number that they are.
    pub node: NodeId,
}

impl Piece {
    fn end(&self) -> u32 {
        self.at + self.size
    }
}

/// A number that is others side by side, the first worth most.
#[derive(Clone, Debug)]
pub struct Join {
    whole: NodeId,
    pieces: Rc<[(NodeId, u32)]>,
}

fn power(size: u32) -> BigInt {
    BigInt::one() << size
}

fn near_bits(near: Option<&Term>, at: u32, size: u32) -> Option<Term> {
    let bits = near.and_then(Term::as_bits)?;
    let fits = at as usize + size as usize <= bits.bit_len();
    fits.then(|| Term::big(BigInt::from(bits.read_uint(at as usize, size as usize))))
}

impl Store {
    fn digits(&mut self, size: u32, near: Option<Term>) -> NodeId {
        let id = self.integer(Some(BigInt::from(0)), near);
        self.node_mut(id).prods =
            Rc::new([Prod::Integer(Rc::new(Range { low: Some(BigInt::from(0)), high: Some(power(size) - 1) }))]);
        id
    }

    fn number(&mut self, cx: &mut Context, value: impl Into<BigInt>) -> NodeId {
        self.literal(cx, Term::big(value.into()))
    }

    /// The integer that is the number of bits of a node, which is made a bitstring.
    pub fn bit_size(&mut self, cx: &mut Context, id: NodeId) -> Step<NodeId> {
        self.keep_kinds(cx, id, Kinds::BITS)?;
        let node = self.node(id);
        if let Some(Term::Bits(_, bits)) = &node.value {
            let len = bits.bit_len();
            return Ok(self.number(cx, len));
        }
        if let Some(bits) = &node.bits {
            return Ok(bits.len);
        }
        let near = node.near.as_ref().and_then(Term::as_bits).map(|bits| Term::int(bits.bit_len() as i64));
        let len = self.integer(Some(BigInt::from(0)), near);
        self.node_mut(id).bits = Some(Box::new(BitString { len, bytes: None, pieces: Vec::new(), tied: None }));
        self.measured.push(id);
        self.has_bits = true;
        Ok(len)
    }

    /// The integer that is the number of bytes of a node, which is made a bitstring.
    pub fn byte_size(&mut self, cx: &mut Context, id: NodeId) -> Step<NodeId> {
        let len = self.bit_size(cx, id)?;
        let node = self.node(id);
        if let Some(Term::Bits(_, bits)) = &node.value {
            let bytes = bits.byte_len();
            return Ok(self.number(cx, bytes));
        }
        if let Some(bytes) = node.bits.as_ref().and_then(|bits| bits.bytes) {
            return Ok(bytes);
        }
        let near = node.near.as_ref().and_then(Term::as_bits).map(|bits| Term::int(bits.byte_len() as i64));
        let whole = |prod: &Prod| matches!(prod, Prod::Bits { base, unit } if base % 8 == 0 && unit % 8 == 0);
        let whole = node.prods.iter().all(whole);
        let bytes = self.integer(Some(BigInt::from(0)), near);
        if let Some(bits) = &mut self.node_mut(id).bits {
            bits.bytes = Some(bytes);
        }
        let eight = self.number(cx, 8);
        if whole {
            self.equations.push((len, Op::Mul, Rc::new([bytes, eight])));
            return Ok(bytes);
        }
        let seven = self.number(cx, 7);
        let [bits, above] = [0, 0].map(|_| self.integer(None, None));
        self.equations.push((bits, Op::Mul, Rc::new([bytes, eight])));
        self.equations.push((above, Op::Add, Rc::new([len, seven])));
        self.relations.extend([(Order::AtMost, len, bits), (Order::AtMost, bits, above)]);
        Ok(bytes)
    }

    /// Lengths are what the productions allow.
    pub fn tie_bits(&mut self, cx: &mut Context, id: NodeId) -> Step {
        let node = self.node(id);
        let (Some(bits), [Prod::Bits { base, unit }], None) = (&node.bits, &node.prods[..], &node.value) else {
            return Ok(());
        };
        let (len, base, unit) = (bits.len, *base, *unit);
        if bits.tied == Some((base, unit)) {
            return Ok(());
        }
        if let Some(bits) = &mut self.node_mut(id).bits {
            bits.tied = Some((base, unit));
        }
        match (base, unit) {
            (base, 0) => return self.bind(cx, len, Term::big(BigInt::from(base))),
            (0, 8) => drop(self.byte_size(cx, id)?),
            (_, 1) => {}
            (base, unit) => {
                let times = self.integer(Some(BigInt::from(0)), None);
                let (base, unit) = (self.number(cx, base), self.number(cx, unit));
                let product = self.integer(None, None);
                self.equations.push((product, Op::Mul, Rc::new([times, unit])));
                self.equations.push((len, Op::Add, Rc::new([product, base])));
            }
        }
        self.restrict_integer(cx, len, Range { low: Some(BigInt::from(base)), high: None })
    }

    /// The number in some bits of a node, which is made a bitstring that has them.
    pub fn read(&mut self, cx: &mut Context, id: NodeId, at: u32, size: u32) -> Step<NodeId> {
        if size == 0 {
            return Ok(self.number(cx, 0));
        }
        let end = cx.some(at.checked_add(size), UnknownReason::Budget)?;
        let len = self.bit_size(cx, id)?;
        self.restrict_integer(cx, len, Range { low: Some(BigInt::from(end)), high: None })?;
        if let Some(Term::Bits(_, bits)) = &self.node(id).value {
            let value = bits.read_uint(at as usize, size as usize);
            return Ok(self.number(cx, value));
        }
        let pieces = self.cover(id, at, end);
        if let [piece] = pieces[..] {
            return Ok(piece.node);
        }
        let near = near_bits(self.node(id).near.as_ref(), at, size);
        let whole = self.digits(size, near);
        self.join(cx, whole, pieces.iter().map(|piece| (piece.node, piece.size)).collect());
        Ok(whole)
    }

    /// The pieces between two places of an open bitstring; cut and made as needed.
    fn cover(&mut self, id: NodeId, at: u32, end: u32) -> Vec<Piece> {
        self.cut(id, at);
        self.cut(id, end);
        let near = self.node(id).near.clone();
        let known: Vec<Piece> =
            self.pieces(id).iter().filter(|piece| at <= piece.at && piece.at < end).copied().collect();
        let mut covered = Vec::with_capacity(known.len() + 1);
        let mut from = at;
        for piece in known.into_iter().map(Some).chain([None]) {
            let to = piece.map_or(end, |piece| piece.at);
            if from < to {
                let node = self.digits(to - from, near_bits(near.as_ref(), from, to - from));
                covered.push(Piece { at: from, size: to - from, node });
                self.insert(id, Piece { at: from, size: to - from, node });
            }
            covered.extend(piece);
            from = piece.map_or(end, |piece| piece.end());
        }
        covered
    }

    fn pieces(&self, id: NodeId) -> &[Piece] {
        self.node(id).bits.as_ref().map_or(&[], |bits| &bits.pieces)
    }

    fn insert(&mut self, id: NodeId, piece: Piece) {
        if let Some(bits) = &mut self.node_mut(id).bits {
            let place = bits.pieces.partition_point(|other| other.at < piece.at);
            bits.pieces.insert(place, piece);
        }
    }

    /// No piece goes across that place.
    fn cut(&mut self, id: NodeId, place: u32) {
        let Some(at) = self.pieces(id).iter().position(|piece| piece.at < place && place < piece.end()) else { return };
        let piece = self.pieces(id)[at];
        let near = self.node(piece.node).value.clone().or_else(|| self.node(piece.node).near.clone());
        let near = near.and_then(|near| near.as_bigint()).filter(|near| !near.is_negative());
        let sizes = [place - piece.at, piece.end() - place];
        let nears = near.map(|near| [&near >> sizes[1], near & (power(sizes[1]) - 1)].map(Term::big));
        let [high, low] = nears.map_or([None, None], |nears| nears.map(Some));
        let halves = [self.digits(sizes[0], high), self.digits(sizes[1], low)];
        if let Some(bits) = &mut self.node_mut(id).bits {
            let split = [
                Piece { at: piece.at, size: sizes[0], node: halves[0] },
                Piece { at: place, size: sizes[1], node: halves[1] },
            ];
            bits.pieces.splice(at..=at, split);
        }
        self.joins.push(Join { whole: piece.node, pieces: Rc::new([(halves[0], sizes[0]), (halves[1], sizes[1])]) });
        self.fresh_joins += 1;
    }

    fn join(&mut self, cx: &mut Context, whole: NodeId, pieces: Rc<[(NodeId, u32)]>) {
        self.joins.push(Join { whole, pieces });
        self.fresh_joins += 1;
        self.sum_joins(cx);
    }

    /// The equations of joins that have none yet.
    pub fn sum_joins(&mut self, cx: &mut Context) {
        while self.fresh_joins > 0 {
            let join = self.joins[self.joins.len() - self.fresh_joins].clone();
            self.fresh_joins -= 1;
            let Some(((first, _), rest)) = join.pieces.split_first() else { continue };
            let mut sum = *first;
            for (at, (piece, size)) in rest.iter().enumerate() {
                let factor = self.number(cx, power(*size));
                let shifted = self.integer(None, None);
                self.equations.push((shifted, Op::Mul, Rc::new([sum, factor])));
                sum = if at + 1 == rest.len() { join.whole } else { self.integer(None, None) };
                self.equations.push((sum, Op::Add, Rc::new([shifted, *piece])));
            }
        }
    }

    /// A number that is known gives its pieces, and pieces that are known give the number.
    pub fn propagate_joins(&mut self, cx: &mut Context) -> Step {
        self.sum_joins(cx);
        let mut at = 0;
        while at < self.joins.len() {
            if self.propagate_join(cx, &self.joins[at].clone())? {
                self.joins.swap_remove(at);
            } else {
                at += 1;
            }
        }
        Ok(())
    }

    fn propagate_join(&mut self, cx: &mut Context, join: &Join) -> Step<bool> {
        if let Some(value) = self.node(join.whole).value.as_ref().and_then(Term::as_bigint) {
            let mut left = value;
            for (piece, size) in join.pieces.iter().rev() {
                self.bind(cx, *piece, Term::big(&left & (power(*size) - 1)))?;
                left >>= *size;
            }
            return if left == BigInt::from(0) { Ok(true) } else { Err(Conflict) };
        }
        let mut value = BigInt::from(0);
        for (piece, size) in join.pieces.iter() {
            let Some(known) = self.node(*piece).value.as_ref().and_then(Term::as_bigint) else { return Ok(false) };
            value = (value << *size) + known;
        }
        self.bind(cx, join.whole, Term::big(value))?;
        Ok(true)
    }

    /// The sum of two integers.
    pub fn sum(&mut self, cx: &mut Context, a: NodeId, b: NodeId) -> NodeId {
        let number = |id| self.node(id).value.as_ref().and_then(Term::as_bigint);
        if let (Some(a), Some(b)) = (number(a), number(b)) {
            return self.number(cx, a + b);
        }
        let sum = self.integer(Some(BigInt::from(0)), None);
        self.equations.push((sum, Op::Add, Rc::new([a, b])));
        sum
    }

    /// A fresh bitstring with that many bits.
    pub fn bitstring(&mut self, cx: &mut Context, len: NodeId) -> Step<NodeId> {
        let prods: Rc<[Prod]> = Rc::new([Prod::Bits { base: 0, unit: 1 }]);
        let id = self.push(Kinds::BITS, prods, None);
        let own = self.bit_size(cx, id)?;
        self.keep_kinds(cx, len, Kinds::INTEGER)?;
        self.equate(own, len);
        Ok(id)
    }

    /// The bitstring that begins at a bit of another and has that many.
    pub fn slice(&mut self, cx: &mut Context, of: NodeId, at: NodeId, size: NodeId) -> Step<NodeId> {
        let id = self.bitstring(cx, size)?;
        self.keep_kinds(cx, at, Kinds::INTEGER)?;
        let all = self.bit_size(cx, of)?;
        let none = self.number(cx, 0);
        let end = self.integer(None, None);
        self.equations.push((end, Op::Add, Rc::new([at, size])));
        self.relations.extend([(Order::AtMost, none, at), (Order::AtMost, end, all)]);
        self.pending.push(Propagator::Within { whole: of, at, part: id });
        Ok(id)
    }

    /// Some bits of an integer, the least of them worth `2^from`: its number as a sum.
    pub fn low_bits(&mut self, cx: &mut Context, value: NodeId, from: u32, size: u32) -> Step<NodeId> {
        self.keep_kinds(cx, value, Kinds::INTEGER)?;
        if let Some(known) = self.node(value).value.as_ref().and_then(Term::as_bigint) {
            return Ok(self.number(cx, (known >> from) & (power(size) - 1)));
        }
        let within = Range { low: Some(BigInt::from(0)), high: Some(power(size) - 1) };
        let all = self.hull(value);
        let inside = |value: &Option<BigInt>| value.as_ref().is_some_and(|value| within.contains(value));
        if from == 0 && inside(&all.low) && inside(&all.high) {
            return Ok(value);
        }
        let near = self.node(value).near.as_ref().and_then(Term::as_bigint);
        let part = |near: BigInt| Term::big((near >> from) & (power(size) - 1));
        let digits = self.digits(size, near.clone().map(part));
        let above = self.integer(None, near.clone().map(|near| Term::big(near >> (from + size))));
        let factor = self.number(cx, power(from + size));
        let high = self.integer(None, None);
        self.equations.push((high, Op::Mul, Rc::new([above, factor])));
        let worth = self.integer(None, None);
        let factor = self.number(cx, power(from));
        self.equations.push((worth, Op::Mul, Rc::new([digits, factor])));
        if from == 0 {
            self.equations.push((value, Op::Add, Rc::new([high, worth])));
            return Ok(digits);
        }
        let below = self.digits(from, near.map(|near| Term::big(near & (power(from) - 1))));
        let both = self.integer(None, None);
        self.equations.push((both, Op::Add, Rc::new([high, worth])));
        self.equations.push((value, Op::Add, Rc::new([both, below])));
        Ok(digits)
    }

    /// A bitstring within another, once it is known where.
    pub fn examine_within(&mut self, cx: &mut Context, whole: NodeId, at: NodeId, part: NodeId) -> Step<Status> {
        let len = self.bit_size(cx, part)?;
        let number =
            |store: &Store, id| store.node(id).value.as_ref().map(|value| value.as_i64().and_then(|n| n.to_u32()));
        let (Some(at), Some(size)) = (number(self, at), number(self, len)) else { return Ok(Status::Suspended) };
        let (Some(at), Some(size)) = (at, size) else { return cx.give_up(UnknownReason::Budget) };
        if size == 0 {
            self.bind(cx, part, Term::bits(Bits::empty()))?;
            return Ok(Status::Entailed);
        }
        if self.node(whole).value.is_some() || self.node(part).value.is_some() {
            let (there, here) = (self.read(cx, whole, at, size)?, self.read(cx, part, 0, size)?);
            self.equate(there, here);
            return Ok(Status::Entailed);
        }
        self.read_open(cx, whole, at, size)?;
        self.read_open(cx, part, 0, size)?;
        for piece in self.pieces(part).to_vec() {
            self.cut(whole, at + piece.at);
        }
        for piece in self.pieces(whole).to_vec() {
            if at < piece.at && piece.at < at + size {
                self.cut(part, piece.at - at);
            }
        }
        let (there, here) = (self.cover(whole, at, at + size), self.cover(part, 0, size));
        for (a, b) in there.into_iter().zip(here) {
            self.equate(a.node, b.node);
        }
        Ok(Status::Entailed)
    }

    /// Makes the pieces of some bits, without a number for all of them.
    fn read_open(&mut self, cx: &mut Context, id: NodeId, at: u32, size: u32) -> Step {
        let end = at.checked_add(size).ok_or(Conflict)?;
        let len = self.bit_size(cx, id)?;
        self.restrict_integer(cx, len, Range { low: Some(BigInt::from(end)), high: None })?;
        self.cover(id, at, end);
        Ok(())
    }

    /// Two bitstrings that are to stand in a relation: their lengths, then their bits.
    pub fn look_bits(&mut self, cx: &mut Context, relate: TermRelation, a: NodeId, b: NodeId) -> Step<Status> {
        let lens = [self.bit_size(cx, a)?, self.bit_size(cx, b)?];
        let [left, right] =
            lens.map(|len| self.node(len).value.as_ref().and_then(Term::as_i64).and_then(|n| n.to_u32()));
        let (Some(left), Some(right)) = (left, right) else { return Ok(Status::Suspended) };
        let differ = matches!(relate, TermRelation::Differ | TermRelation::Unequal);
        if differ && left != right {
            return Ok(Status::Entailed);
        }
        let size = left.min(right);
        let (x, y) = (self.read(cx, a, 0, size)?, self.read(cx, b, 0, size)?);
        let order = match relate {
            _ if differ => Order::Differ,
            // What is equal so far is less where it is shorter.
            TermRelation::Less if left < right => Order::AtMost,
            TermRelation::Less => Order::Less,
            _ if right < left => Order::Less,
            _ => Order::AtMost,
        };
        self.relations.push((order, x, y));
        Ok(Status::Entailed)
    }

    /// Binds the pieces of a bitstring to the bits of its value.
    pub fn bind_bits(&mut self, cx: &mut Context, id: NodeId, bits: &Bits) -> Step {
        let Some(known) = self.node(id).bits.clone() else { return Ok(()) };
        let len = self.number(cx, bits.bit_len());
        self.same.push((known.len, len));
        if let Some(bytes) = known.bytes {
            let number = self.number(cx, bits.byte_len());
            self.same.push((bytes, number));
        }
        for piece in &known.pieces {
            if piece.end() as usize > bits.bit_len() {
                return Err(Conflict);
            }
            let value = bits.read_uint(piece.at as usize, piece.size as usize);
            let value = self.number(cx, value);
            self.same.push((piece.node, value));
        }
        Ok(())
    }

    /// Joins what is known of two bitstrings that are the same; the second one's is forgotten.
    pub fn absorb_bits(&mut self, a: NodeId, other: Option<Box<BitString>>) {
        let Some(theirs) = other else { return };
        let Some(mine) = self.node(a).bits.clone() else {
            self.node_mut(a).bits = Some(theirs);
            return;
        };
        self.same.push((mine.len, theirs.len));
        match (mine.bytes, theirs.bytes) {
            (Some(mine), Some(theirs)) => self.same.push((mine, theirs)),
            (None, Some(_)) => {
                if let Some(bits) = &mut self.node_mut(a).bits {
                    bits.bytes = theirs.bytes;
                }
            }
            _ => {}
        }
        let pieces = self.aligned(a, &mine.pieces, theirs.pieces);
        for piece in pieces {
            match self.pieces(a).iter().find(|own| own.at == piece.at) {
                Some(own) => self.same.push((own.node, piece.node)),
                None => self.insert(a, piece),
            }
        }
    }

    /// Cuts the pieces of a node where the others are cut, and the others where the node's are.
    fn aligned(&mut self, a: NodeId, mine: &[Piece], theirs: Vec<Piece>) -> Vec<Piece> {
        for piece in &theirs {
            self.cut(a, piece.at);
            self.cut(a, piece.end());
        }
        // The others' pieces are cut in the place of the node's own.
        let swap = |store: &mut Store, pieces: Vec<Piece>| {
            store.node_mut(a).bits.as_mut().map_or(Vec::new(), |bits| std::mem::replace(&mut bits.pieces, pieces))
        };
        let own = swap(self, theirs);
        for piece in mine {
            self.cut(a, piece.at);
            self.cut(a, piece.end());
        }
        swap(self, own)
    }
}
