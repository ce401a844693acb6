//! Arithmetic with floats: integers are converted, and all that may be no finite number is asked.

use constraint::{Expr, FloatOp, Test, Type, Width};
use term::math::Math;
use term::{Bits, Mfa, Term, number};

use super::arith::{FIRST_IS_FLOAT, FIRST_IS_INTEGER, SECOND_IS_FLOAT, SECOND_IS_INTEGER};
use super::watch::Watch;

/// Questions of one operation, after those of arithmetic.
const FIRST_FITS: u32 = 8;
const SECOND_FITS: u32 = 9;
const HAS_RESULT: u32 = 10;
const BELOW: u32 = 11;
const ABOVE: u32 = 12;
const IS_ZERO: u32 = 13;

/// Of a segment: whether its exponent says that it is no finite number.
const IS_FINITE: u32 = 6;
const IS_FINITE_BELOW: u32 = 8;

/// A number as a float: what it stands for, and what it is.
type Float = (Expr, f64);

impl Watch<'_> {
    /// The expression of an operation on two numbers, of which one at least is a float or is to become one.
    pub fn float_arith(&mut self, op: FloatOp, a: &Term, b: &Term) -> Option<Expr> {
        let x = self.as_float(a, FIRST_FITS)?;
        let y = self.as_float(b, SECOND_FITS)?;
        self.float_result(op, &[x, y])
    }

    /// A number as a float; nothing if it is too large for one.
    pub fn as_float(&mut self, value: &Term, ordinal: u32) -> Option<Float> {
        let expr = self.expr(value);
        if let Term::Float(_, float) = value {
            return Some((expr, *float));
        }
        let float = self.recorder.arena.float(FloatOp::Of, &[expr]);
        let found = number::to_f64(value);
        if self.expr_of(value).is_some() {
            self.ask(ordinal, Test::Defined(float), found.is_some());
        }
        found.map(|found| (float, found))
    }

    fn float_result(&mut self, op: FloatOp, args: &[Float]) -> Option<Expr> {
        let exprs: Vec<Expr> = args.iter().map(|arg| arg.0).collect();
        let result = self.recorder.arena.float(op, &exprs);
        let values: Vec<Term> = args.iter().map(|arg| Term::float(arg.1)).collect();
        let found = op.compute(&values);
        let open = exprs.iter().any(|expr| self.recorder.arena.as_literal(*expr).is_none());
        if open && !op.is_total() {
            self.ask(HAS_RESULT, Test::Defined(result), found.is_some());
        }
        found.map(|_| result)
    }

    /// `/`
    pub fn divide(&mut self, a: &Term, b: &Term) -> Option<Expr> {
        if !self.is_number(a, true, FIRST_IS_INTEGER, FIRST_IS_FLOAT)
            || !self.is_number(b, true, SECOND_IS_INTEGER, SECOND_IS_FLOAT)
            || self.is_zero(b)
        {
            return None;
        }
        self.float_arith(FloatOp::Div, a, b)
    }

    fn is_zero(&mut self, value: &Term) -> bool {
        let holds = number::sign(value).is_some_and(std::cmp::Ordering::is_eq);
        if let Some(expr) = self.expr_of(value) {
            let zero = if value.is_integer() { Term::int(0) } else { Term::float(0.0) };
            let zero = self.recorder.arena.literal(zero);
            self.ask(IS_ZERO, Test::Same(expr, zero), holds);
        }
        holds
    }

    /// `float(X)`
    pub fn converted(&mut self, value: &Term) -> Option<Expr> {
        if !self.is_number(value, true, FIRST_IS_INTEGER, FIRST_IS_FLOAT) {
            return None;
        }
        self.as_float(value, FIRST_FITS).map(|(expr, _)| expr)
    }

    /// `trunc(X)` and the like: integers stay as they are.
    pub fn whole(&mut self, op: FloatOp, value: &Term) -> Option<Expr> {
        let expr = self.expr_of(value)?;
        if !self.is_number(value, true, FIRST_IS_INTEGER, FIRST_IS_FLOAT) {
            return None;
        }
        Some(if value.is_integer() { expr } else { self.recorder.arena.float(op, &[expr]) })
    }

    /// A function of `math`.
    pub fn math(&mut self, math: Math, args: &[Term]) -> Option<Expr> {
        let questions =
            [(FIRST_IS_INTEGER, FIRST_IS_FLOAT, FIRST_FITS), (SECOND_IS_INTEGER, SECOND_IS_FLOAT, SECOND_FITS)];
        let mut floats = Vec::with_capacity(args.len());
        for (arg, (integer, float, fits)) in args.iter().zip(questions) {
            if !self.is_number(arg, true, integer, float) {
                return None;
            }
            floats.push(self.as_float(arg, fits)?);
        }
        let last = *floats.last()?;
        let inside = match math {
            Math::Sqrt => !self.is_float_below(last, 0.0, BELOW),
            Math::Log | Math::Log2 | Math::Log10 => self.is_float_above(last, 0.0, BELOW),
            Math::Acos | Math::Asin => {
                !self.is_float_below(last, -1.0, BELOW) && !self.is_float_above(last, 1.0, ABOVE)
            }
            Math::Atanh => self.is_float_above(last, -1.0, BELOW) && self.is_float_below(last, 1.0, ABOVE),
            Math::Acosh => !self.is_float_below(last, 1.0, BELOW),
            Math::Fmod => !self.is_zero(&Term::float(last.1).with_mark(last.0.mark())),
            _ => return self.float_result(FloatOp::Math(math), &floats),
        };
        let exprs: Vec<Expr> = floats.iter().map(|float| float.0).collect();
        inside.then(|| self.recorder.arena.float(FloatOp::Math(math), &exprs))
    }

    /// The float nearest to an integer times ten to the power of another; both are integers.
    pub fn decimal(&mut self, mantissa: &Term, exponent: &Term) -> Option<Expr> {
        let exprs = [self.expr(mantissa), self.expr(exponent)];
        let result = self.recorder.arena.float(FloatOp::Decimal, &exprs);
        let found = FloatOp::Decimal.compute(&[mantissa.clone(), exponent.clone()]).is_some();
        self.ask(HAS_RESULT, Test::Defined(result), found);
        found.then_some(result)
    }

    /// The integer nearest to a float times a power of ten, which is known.
    pub fn scaled(&mut self, function: Mfa, value: &Term, power: &Term) -> Option<Expr> {
        self.pin_all(function, Some(power).filter(|power| power.mark().is_some()));
        let (expr, power) = (self.expr_of(value)?, i16::try_from(power.as_i64()?).ok()?);
        Some(self.recorder.arena.float(FloatOp::Scaled(power), &[expr]))
    }

    fn is_float_below(&mut self, value: Float, bound: f64, ordinal: u32) -> bool {
        let literal = self.recorder.arena.literal(Term::float(bound));
        self.ask(ordinal, Test::Less(value.0, literal), value.1 < bound);
        value.1 < bound
    }

    fn is_float_above(&mut self, value: Float, bound: f64, ordinal: u32) -> bool {
        let literal = self.recorder.arena.literal(Term::float(bound));
        self.ask(ordinal, Test::Less(literal, value.0), bound < value.1);
        bound < value.1
    }

    /// A float at the front of a bitstring: its bits are those of a finite number, or it is not there.
    pub fn float_segment(&mut self, little: bool, whole: Expr, found: &Bits, size: u32) -> Option<Expr> {
        let value = found.read_float(0, size as usize, little);
        if size == 0 {
            return Some(self.recorder.arena.literal(Term::float(0.0)));
        }
        let width = Width::of(size)?;
        let whole = self.readable(whole, size);
        let (_, exponent) = width.exponent();
        if little {
            // The last byte has the sign and the first bits of the exponent; the others begin the byte before.
            let first = exponent.min(7);
            if self.has_all_ones(whole, size - 7, first, found, IS_FINITE) && exponent > first {
                self.has_all_ones(whole, size - 16, exponent - first, found, IS_FINITE_BELOW);
            }
        } else {
            self.has_all_ones(whole, 1, exponent, found, IS_FINITE);
        }
        value?;
        let word = self.recorder.arena.segment(whole, 0, size, false, little);
        Some(self.recorder.arena.float(FloatOp::Read(width), &[word]))
    }

    /// True if some bits are all ones.
    fn has_all_ones(&mut self, whole: Expr, at: u32, size: u32, found: &Bits, ordinal: u32) -> bool {
        let most = (1 << size) - 1;
        let field = self.recorder.arena.bits(whole, at, size);
        let literal = self.recorder.integer(most);
        let holds = Term::big(found.read_uint(at as usize, size as usize).into()) == Term::int(most);
        self.ask(ordinal, Test::Same(field, literal), holds);
        holds
    }

    /// The bits of a number in a float of that size, as an integer.
    pub fn float_bits(&mut self, value: &Term, size: u64, questions: [u32; 3]) -> Option<(Expr, u32)> {
        let [is_number, is_integer, fits] = questions;
        self.is(is_number, value, Type::Number).then_some(())?;
        self.is(is_integer, value, Type::Integer);
        let width = Width::of(u32::try_from(size).ok()?)?;
        let (float, _) = self.as_float(value, fits)?;
        Some((self.recorder.arena.float(FloatOp::Write(width), &[float]), width.bits()))
    }
}
