//! Arithmetic on integers; where there are floats, see `floats`.

use constraint::{Expr, Op, Test, Type};
use term::{Term, number};

use super::floats::float_operator;
use super::natives::operation;
use super::watch::{Watch, mark_of};

/// Questions of one operation: each has its own number.
pub const FIRST_IS_INTEGER: u32 = 1;
pub const FIRST_IS_FLOAT: u32 = 2;
pub const SECOND_IS_INTEGER: u32 = 3;
pub const SECOND_IS_FLOAT: u32 = 4;
const IS_ZERO: u32 = 5;
const TOO_SMALL: u32 = 6;
const TOO_LARGE: u32 = 7;

/// The largest shift that solvers are bothered with.
const MOST_SHIFT: i64 = 4096;

/// An operation of two operands by its name.
pub fn binary(name: &str) -> Option<Op> {
    Some(match name {
        "+" => Op::Add,
        "-" => Op::Sub,
        "*" => Op::Mul,
        "div" => Op::Div,
        "rem" => Op::Rem,
        "band" => Op::Band,
        "bor" => Op::Bor,
        "bxor" => Op::Bxor,
        "bsl" => Op::Bsl,
        "bsr" => Op::Bsr,
        _ => return None,
    })
}

impl Watch<'_> {
    /// What an operation on two operands gives, if it is a new expression.
    pub fn arith(&mut self, op: Op, a: &Term, b: &Term) -> Option<Expr> {
        if !a.mark().is_some() && !b.mark().is_some() {
            return None;
        }
        let floats = matches!(op, Op::Add | Op::Sub | Op::Mul);
        if !self.is_number(a, floats, FIRST_IS_INTEGER, FIRST_IS_FLOAT)
            || !self.is_number(b, floats, SECOND_IS_INTEGER, SECOND_IS_FLOAT)
        {
            return None;
        }
        if !a.is_integer() || !b.is_integer() {
            return self.float_arith(float_operator(op)?, a, b);
        }
        let sound = match op {
            Op::Div | Op::Rem => self.is_divisor(b),
            Op::Bsl | Op::Bsr => self.is_shift(b),
            _ => true,
        };
        if !sound {
            // A division by zero is settled by the question; a large shift is not.
            if matches!(op, Op::Bsl | Op::Bsr) {
                self.pin_all(operation(op.name(), 2), [a, b]);
            }
            return None;
        }
        let (x, y) = (self.expr(a), self.expr(b));
        Some(self.recorder.apply(op, x, y))
    }

    /// What an operation on one operand gives, if it is a new expression; without an operation, the operand itself.
    pub fn arith_one(&mut self, op: Option<Op>, floats: bool, a: &Term) -> Option<Expr> {
        let expr = mark_of(a)?;
        if !self.is_number(a, floats, FIRST_IS_INTEGER, FIRST_IS_FLOAT) {
            return None;
        }
        Some(match op {
            Some(op) if !a.is_integer() => self.recorder.arena.float(float_operator(op)?, &[expr]),
            Some(op) => self.recorder.arena.apply(op, &[expr]),
            None => expr,
        })
    }

    /// Whether the operation takes this operand.
    pub fn is_number(&mut self, value: &Term, floats: bool, integer: u32, float: u32) -> bool {
        if let Some(expr) = mark_of(value) {
            self.ask(integer, Test::Type(expr, Type::Integer), value.is_integer());
            if floats && !value.is_integer() {
                self.ask(float, Test::Type(expr, Type::Float), matches!(value, Term::Float(..)));
            }
        }
        value.is_integer() || floats && value.is_number()
    }

    fn is_divisor(&mut self, value: &Term) -> bool {
        let zero = number::sign(value).is_some_and(std::cmp::Ordering::is_eq);
        if let Some(expr) = mark_of(value) {
            let literal = self.recorder.integer(0);
            self.ask(IS_ZERO, Test::Same(expr, literal), zero);
        }
        !zero
    }

    fn is_shift(&mut self, value: &Term) -> bool {
        let least = number::sign(value).is_some_and(std::cmp::Ordering::is_lt);
        let most = Term::int(MOST_SHIFT).compare(value).is_lt();
        if let Some(expr) = mark_of(value) {
            let (low, high) = (self.recorder.integer(0), self.recorder.integer(MOST_SHIFT));
            self.ask(TOO_SMALL, Test::Less(expr, low), least);
            if !least {
                self.ask(TOO_LARGE, Test::Less(high, expr), most);
            }
        }
        !least && !most
    }
}
