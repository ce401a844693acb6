//! Operations on numbers, lengths and sizes. Floats are real numbers: a result that is rounded is only close to the exact
//! one, and the two zeros are one number. Integers have any size.

use constraint::{Expr, FloatOp, Op};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use term::Term;
use term::math::Math;

use crate::commands::{and, integer, power, small};
use crate::encode::{ClaimEncoder, Meaning};

/// Shifts by a constant that are spelled out.
const MOST_SHIFT: i64 = 1024;
/// Bits of a constant mask that are spelled out.
const MOST_MASK: u64 = 512;

impl ClaimEncoder<'_> {
    /// The meaning of an operation.
    pub fn apply(&mut self, op: Op, args: &[Expr]) -> Meaning {
        let mut needs = Vec::new();
        let values = self.values(args, &mut needs);
        let [x, ..] = &values[..] else { return Meaning { value: self.script.declare("T"), needs, enough: None } };
        let number = match op {
            Op::Length => {
                needs.push(format!("(proper {x})"));
                self.lists.push(x.clone());
                format!("(len {x})")
            }
            Op::TupleSize => {
                needs.push(format!("(istup {x})"));
                let list = self.named(&format!("(tv {x})"));
                self.lists.push(list.clone());
                format!("(len {list})")
            }
            Op::MapSize => {
                needs.push(format!("(ismap {x})"));
                self.maps.add(x, None);
                format!("(size {x})")
            }
            Op::BitSize | Op::ByteSize => {
                needs.push(format!("(isbin {x})"));
                self.bits.add(x);
                if op == Op::BitSize { format!("(bits {x})") } else { format!("(div (+ (bits {x}) 7) 8)") }
            }
            Op::Float(op) => return self.float(op, &values, needs),
            _ => return self.integers(op, args, &values, needs),
        };
        Meaning::exact(format!("(mkint {number})"), needs)
    }

    fn integers(&mut self, op: Op, args: &[Expr], values: &[String], mut needs: Vec<String>) -> Meaning {
        needs.extend(values.iter().map(|value| format!("(isint {value})")));
        let exact = |number: String, needs| Meaning::exact(format!("(mkint {number})"), needs);
        let x = format!("(iv {})", values[0]);
        match (op, values.get(1).map(|y| format!("(iv {y})"))) {
            (Op::Neg, None) => exact(format!("(- {x})"), needs),
            (Op::Abs, None) => exact(format!("(ite (>= {x} 0) {x} (- {x}))"), needs),
            (Op::Bnot, None) => exact(format!("(- (- {x}) 1)"), needs),
            (Op::Add, Some(y)) => exact(format!("(+ {x} {y})"), needs),
            (Op::Sub, Some(y)) => exact(format!("(- {x} {y})"), needs),
            (Op::Mul, Some(y)) => exact(format!("(* {x} {y})"), needs),
            (Op::Div | Op::Rem, Some(y)) => {
                needs.push(format!("(distinct {y} 0)"));
                exact(format!("({} {x} {y})", if op == Op::Div { "quo" } else { "remainder" }), needs)
            }
            (Op::Band | Op::Bor | Op::Bxor, Some(y)) => {
                let both = self.both([args[0], args[1]], [&x, &y]);
                exact(
                    match op {
                        Op::Band => both,
                        Op::Bor => format!("(- (+ {x} {y}) {both})"),
                        _ => format!("(- (+ {x} {y}) (* 2 {both}))"),
                    },
                    needs,
                )
            }
            (Op::Bsl | Op::Bsr, Some(_)) => self.shift(op, args[1], &x, needs),
            _ => Meaning { value: self.script.declare("T"), needs, enough: None },
        }
    }

    /// The bits that two integers share, as an integer.
    fn both(&mut self, args: [Expr; 2], [x, y]: [&str; 2]) -> String {
        let mask = |expr| self.constant(expr).and_then(Term::as_bigint).filter(|mask| mask.bits() <= MOST_MASK);
        match (mask(args[0]), mask(args[1])) {
            (_, Some(mask)) => masked(x, &mask),
            (Some(mask), None) => masked(y, &mask),
            (None, None) => {
                let both = format!("(conj {x} {y})");
                let facts = [
                    format!("(=> (>= {x} 0) (<= 0 {both} {x}))"),
                    format!("(=> (>= {y} 0) (<= 0 {both} {y}))"),
                    format!("(=> (and (< {x} 0) (< {y} 0)) (and (<= {both} {x}) (<= {both} {y})))"),
                    format!("(=> (= {x} {y}) (= {both} {x}))"),
                    format!("(= (mod {both} 2) (* (mod {x} 2) (mod {y} 2)))"),
                ];
                self.script.assert(&and(facts));
                both
            }
        }
    }

    fn shift(&mut self, op: Op, by: Expr, x: &str, needs: Vec<String>) -> Meaning {
        let by = self.constant(by).and_then(Term::as_i64).filter(|by| by.abs() <= MOST_SHIFT);
        let Some(by) = by.map(|by| if op == Op::Bsr { -by } else { by }) else {
            let number = self.script.declare("Int");
            return Meaning { value: format!("(mkint {number})"), needs, enough: None };
        };
        let factor = power(by.unsigned_abs() as u32);
        let word = if by < 0 { "div" } else { "*" };
        Meaning::exact(format!("(mkint ({word} {x} {factor}))"), needs)
    }

    fn float(&mut self, op: FloatOp, values: &[String], mut needs: Vec<String>) -> Meaning {
        let takes_integers = matches!(op, FloatOp::Of | FloatOp::Read(_) | FloatOp::Decimal);
        let tester = if takes_integers { "isint" } else { "isflt" };
        needs.extend(values.iter().map(|value| format!("({tester} {value})")));
        if !takes_integers {
            let within = |value: &String| format!("(<= (magnitude (fv {value})) mostfloat)");
            self.script.assert_if(&and(&needs), &and(values.iter().map(within)));
        }
        let x = format!("({} {})", if takes_integers { "iv" } else { "fv" }, values[0]);
        let exact = |maker: &str, value: String, needs| Meaning::exact(format!("({maker} {value})"), needs);
        match (op, values.get(1).map(|y| format!("(fv {y})"))) {
            (FloatOp::Add, Some(y)) => self.rounded(&format!("(+ {x} {y})"), needs),
            (FloatOp::Sub, Some(y)) => self.rounded(&format!("(- {x} {y})"), needs),
            (FloatOp::Mul, Some(y)) => self.rounded(&format!("(* {x} {y})"), needs),
            (FloatOp::Div, Some(y)) => {
                needs.push(format!("(distinct {y} 0.0)"));
                self.rounded(&format!("(/ {x} {y})"), needs)
            }
            (FloatOp::Of, None) => self.rounded(&format!("(to_real {x})"), needs),
            (FloatOp::Neg, None) => exact("mkflt", format!("(- {x})"), needs),
            (FloatOp::Abs, None) => exact("mkflt", format!("(magnitude {x})"), needs),
            (FloatOp::Trunc, None) => exact("mkint", format!("(truncate {x})"), needs),
            (FloatOp::Floor, None) => exact("mkint", format!("(to_int {x})"), needs),
            (FloatOp::Ceil, None) => exact("mkint", format!("(- (to_int (- {x})))"), needs),
            (FloatOp::Round, None) => {
                let away = format!("(ite (>= {x} 0.0) (to_int (+ {x} 0.5)) (- (to_int (- 0.5 {x}))))");
                exact("mkint", away, needs)
            }
            (FloatOp::Math(Math::Floor), None) => exact("mkflt", format!("(to_real (to_int {x}))"), needs),
            (FloatOp::Math(Math::Ceil), None) => exact("mkflt", format!("(to_real (- (to_int (- {x}))))"), needs),
            _ => self.unknown_number(op, needs),
        }
    }

    /// A number of which only the kind is known.
    fn unknown_number(&mut self, op: FloatOp, needs: Vec<String>) -> Meaning {
        use FloatOp::{Digits, Power, Scaled, Write};
        let is_integer = matches!(op, Write(_) | Scaled(_) | Digits | Power);
        let (maker, sort) = if is_integer { ("mkint", "Int") } else { ("mkflt", "Real") };
        let number = self.script.declare(sort);
        if matches!(op, Write(_)) {
            self.script.assert(&format!("(>= {number} 0)"));
        }
        Meaning { value: format!("({maker} {number})"), needs, enough: None }
    }

    /// The float nearest to a real number, known up to the error of rounding.
    fn rounded(&mut self, exact: &str, needs: Vec<String>) -> Meaning {
        let exact = self.script.define("Real", exact);
        let near = self.script.declare("Real");
        let error = format!("(+ leastfloat (/ (magnitude {exact}) {}.0))", power(53));
        let whole = format!("(= {exact} (to_real (to_int {exact})))");
        let small = format!("(<= (magnitude {exact}) {}.0)", power(53));
        self.script.assert(&and([
            format!("(<= (magnitude (- {near} {exact})) {error})"),
            format!("(=> (>= {exact} 0.0) (>= {near} 0.0))"),
            format!("(=> (<= {exact} 0.0) (<= {near} 0.0))"),
            format!("(=> (and {whole} {small}) (= {near} {exact}))"),
        ]));
        let mut needs = needs;
        needs.push(format!("(< (magnitude {exact}) beyondfloat)"));
        let enough = Some(format!("(<= (magnitude {exact}) mostfloat)"));
        Meaning { value: format!("(mkflt {near})"), needs, enough }
    }
}

/// The bits of a number that a constant mask keeps: those of each run of ones in the mask.
fn masked(x: &str, mask: &BigInt) -> String {
    if mask.is_negative() {
        let others: BigInt = -mask - BigInt::one();
        return if others.is_zero() { x.to_owned() } else { format!("(- {x} {})", masked(x, &others)) };
    }
    let mut runs = vec![small(0)];
    let mut at = 0;
    while at < mask.bits() {
        let end = (at..).find(|bit| !mask.bit(*bit)).unwrap_or(at);
        if end > at {
            let (low, width) = (power(at as u32), power((end - at) as u32));
            runs.push(format!("(* (mod (div {x} {}) {}) {})", integer(&low), integer(&width), integer(&low)));
        }
        at = end.max(at) + 1;
    }
    if let [_, only] = &runs[..] { only.clone() } else { format!("(+ {} 0)", runs.join(" ")) }
}
