//! Arithmetic on integers; where there are floats, see `floats`.

use constraint::{Expr, Op, Test, Type};
use ops::Rule;
use term::{Term, number};

use super::bits::is_negative;
use super::watch::Watch;

/// Questions of one operation: each has its own number.
pub const FIRST_IS_INTEGER: u32 = 1;
/// The question whether the first operand is a float.
pub const FIRST_IS_FLOAT: u32 = 2;
/// The question whether the second operand is an integer.
pub const SECOND_IS_INTEGER: u32 = 3;
/// The question whether the second operand is a float.
pub const SECOND_IS_FLOAT: u32 = 4;
const IS_ZERO: u32 = 5;
const TOO_SMALL: u32 = 6;
const TOO_LARGE: u32 = 7;
const IS_NEGATIVE: u32 = 8;
const FITS: u32 = 9;
const LIMIT: u32 = 10;

/// The largest shift that solvers are bothered with.
const MOST_SHIFT: i64 = 4096;

impl Watch<'_> {
    /// The expression of an operation on two operands, if it is a new one.
    pub fn arith(&mut self, op: Op, a: &Term, b: &Term) -> Option<Expr> {
        if !a.mark().is_some() && !b.mark().is_some() {
            return None;
        }
        let floats = op.on_floats().is_some();
        if !self.is_number(a, floats, FIRST_IS_INTEGER, FIRST_IS_FLOAT)
            || !self.is_number(b, floats, SECOND_IS_INTEGER, SECOND_IS_FLOAT)
        {
            return None;
        }
        if !a.is_integer() || !b.is_integer() {
            return self.float_arith(op.on_floats()?, a, b);
        }
        match op {
            Op::Div | Op::Rem if !self.is_divisor(b) => return None,
            Op::Bsl | Op::Bsr if self.is_far(b) => {
                self.far_shift(op, a, b);
                return None;
            }
            _ => {}
        }
        let (x, y) = (self.expr(a), self.expr(b));
        Some(self.recorder.apply(op, x, y))
    }

    /// The expression of an operation on one operand, if it is a new one; without an operation, the operand itself.
    pub fn arith_one(&mut self, op: Option<Op>, floats: bool, a: &Term) -> Option<Expr> {
        let expr = self.expr_of(a)?;
        if !self.is_number(a, floats, FIRST_IS_INTEGER, FIRST_IS_FLOAT) {
            return None;
        }
        Some(match op {
            Some(op) if !a.is_integer() => self.recorder.arena.float(op.on_floats()?, &[expr]),
            Some(op) => self.recorder.arena.apply(op, &[expr]),
            None => expr,
        })
    }

    /// True if the operation takes this operand.
    pub fn is_number(&mut self, value: &Term, floats: bool, integer: u32, float: u32) -> bool {
        if let Some(expr) = self.expr_of(value) {
            self.ask(integer, Test::Type(expr, Type::Integer), value.is_integer());
            if floats && !value.is_integer() {
                self.ask(float, Test::Type(expr, Type::Float), matches!(value, Term::Float(..)));
            }
        }
        value.is_integer() || floats && value.is_number()
    }

    fn is_divisor(&mut self, value: &Term) -> bool {
        let zero = number::sign(value).is_some_and(std::cmp::Ordering::is_eq);
        if let Some(expr) = self.expr_of(value) {
            let literal = self.recorder.integer(0);
            self.ask(IS_ZERO, Test::Same(expr, literal), zero);
        }
        !zero
    }

    /// True if a shift goes further than solvers are bothered with.
    fn is_far(&mut self, by: &Term) -> bool {
        let back = is_negative(by);
        if let Some(expr) = self.expr_of(by) {
            let zero = self.recorder.integer(0);
            self.ask(TOO_SMALL, Test::Less(expr, zero), back);
        }
        self.is_beyond(TOO_LARGE, by, back, MOST_SHIFT)
    }

    /// True if a number of that sign lies further from zero.
    fn is_beyond(&mut self, ordinal: u32, value: &Term, negative: bool, most: i64) -> bool {
        let least = Term::int(-most);
        let far = if negative { value.compare(&least).is_lt() } else { Term::int(most).compare(value).is_lt() };
        if let Some(expr) = self.expr_of(value) {
            let bound = self.recorder.integer(if negative { -most } else { most });
            let test = if negative { Test::Less(expr, bound) } else { Test::Less(bound, expr) };
            self.ask(ordinal, test, far);
        }
        far
    }

    /// Records the tests that decide the result of a long shift: nothing of the number is left, or its sign, or
    /// it is too large. If not, it is held.
    fn far_shift(&mut self, op: Op, a: &Term, by: &Term) {
        let back = is_negative(by);
        let settled =
            if back == (op == Op::Bsl) { self.all_goes(a) } else { !self.is_divisor(a) || self.is_limit(by, back) };
        match self.expr_of(by) {
            _ if settled => {}
            // A number that is known is shifted by each of the counts in turn.
            Some(expr) if self.expr_of(a).is_none() => _ = self.steer(expr),
            _ => self.pin_all(Rule::Arith(op).function(2), [a, by]),
        }
    }

    /// True if a number has so few bits that a shift to the right leaves none.
    fn all_goes(&mut self, value: &Term) -> bool {
        let negative = is_negative(value);
        let bound = number::bsl(&Term::int(if negative { -1 } else { 1 }), &Term::int(MOST_SHIFT)).unwrap_or_default();
        let fits = if negative { !value.compare(&bound).is_lt() } else { value.compare(&bound).is_lt() };
        if let Some(expr) = self.expr_of(value) {
            let (zero, bound) = (self.recorder.integer(0), self.recorder.arena.literal(bound));
            self.ask(IS_NEGATIVE, Test::Less(expr, zero), negative);
            self.ask(FITS, Test::Less(expr, bound), negative != fits);
        }
        fits
    }

    /// True if a shift to the left goes beyond all integers.
    fn is_limit(&mut self, by: &Term, back: bool) -> bool {
        self.is_beyond(LIMIT, by, back, number::MAX_BITS as i64)
    }
}
