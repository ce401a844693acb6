//! Operations in a text of conditions: which one is meant depends on what it gets.

use term::Mfa;
use term::math::Math;

use super::parse::Parser;
use super::{Fault, Spot};
use crate::{Condition, Expr, FloatOp, Op, Test, Type};

/// A number: its expression, and its type, integer or float.
pub type Number = (Expr, Type);

/// An operation as it is written.
#[derive(Clone, Copy)]
pub enum Call {
    /// On integers, or on floats if one operand is and the operation takes them.
    Op(Op),
    /// Of a float; an integer stays what it is.
    Whole(FloatOp),
    /// On floats, which integers become.
    Floats(FloatOp),
    /// An integer becomes a float.
    Convert,
}

impl Call {
    /// The operator, or the function outside of `math`, with a name.
    pub fn named(name: &str) -> Option<Call> {
        use Op::{Abs, Add, Band, Bnot, Bor, Bsl, Bsr, Bxor, Div, Mul, Rem, Sub};
        let ops = [Add, Sub, Mul, Div, Rem, Abs, Band, Bor, Bxor, Bnot, Bsl, Bsr].map(|op| (op.name(), Call::Op(op)));
        let whole =
            [FloatOp::Trunc, FloatOp::Round, FloatOp::Floor, FloatOp::Ceil].map(|op| (op.name(), Call::Whole(op)));
        let floats = [(FloatOp::Div.name(), Call::Floats(FloatOp::Div)), (FloatOp::Of.name(), Call::Convert)];
        let found = ops.into_iter().chain(whole).chain(floats).find(|(known, _)| *known == name);
        found.map(|(_, call)| call)
    }

    /// The function of `math` with a name.
    pub fn of_math(name: &str) -> Option<Call> {
        let math = Math::ALL.iter().copied().find(|math| math.name() == name);
        math.map(|math| Call::Floats(FloatOp::Math(math)))
    }

    /// The number of its operands.
    pub fn arity(self) -> usize {
        match self {
            Call::Op(Op::Abs | Op::Bnot) | Call::Convert | Call::Whole(_) => 1,
            Call::Floats(FloatOp::Math(math)) => math.arity(),
            _ => 2,
        }
    }
}

impl Parser<'_> {
    /// The result of an operation.
    pub(super) fn apply(&mut self, call: Call, args: &[Number], spot: Spot) -> Result<Number, Fault> {
        let integers = args.iter().all(|(_, kind)| *kind == Type::Integer);
        let (op, kind) = match call {
            Call::Op(op) if integers => (op, Type::Integer),
            Call::Op(op) => match op.on_floats() {
                Some(op) => (Op::Float(op), Type::Float),
                None => return spot.fault(format!("{} takes integers, not floats", op.name())),
            },
            Call::Whole(_) if integers => return Ok(args[0]),
            Call::Whole(op) => (Op::Float(op), Type::Integer),
            Call::Floats(op) => (Op::Float(op), Type::Float),
            Call::Convert => return Ok((self.float(args[0]), Type::Float)),
        };
        let args: Vec<Expr> = match op {
            Op::Float(_) => args.iter().map(|arg| self.float(*arg)).collect(),
            _ => args.iter().map(|(expr, _)| *expr).collect(),
        };
        Ok((self.text.arena.apply(op, &args), kind))
    }

    fn float(&mut self, (expr, kind): Number) -> Expr {
        if kind == Type::Float { expr } else { self.text.arena.float(FloatOp::Of, &[expr]) }
    }

    /// The result of an opaque function, which is an integer.
    pub(super) fn observed(&mut self, function: Mfa, args: &[Number], spot: Spot) -> Number {
        self.text.asked.push((function, spot.line, spot.column));
        let arena = &mut self.text.arena;
        let call = arena.opaque(function, args.iter().map(|(expr, _)| *expr).collect());
        let value = arena.element(call, 0);
        let tests = [Test::Tuple(call, 1), Test::Type(value, Type::Integer)];
        self.returning.extend(tests.map(|test| Condition { test, holds: true }));
        (value, Type::Integer)
    }
}
