//! A problem in the theory of integers.

use constraint::Op;
use num_bigint::BigInt;

use super::script::{Script, integer};
use crate::integer::IntegerProblem;
use crate::integer::bounds::Bounds;
use crate::integer::int::runs;
use crate::integer::interval::{Interval, Range};
use crate::problem::Expression;

/// Shifts by an unknown are spelled out for so many amounts at most.
const MOST_SHIFTS: i64 = 72;
/// Shifts by more are not sent.
const MOST_SHIFT: i64 = 4096;

/// `None` if some bit operation has no good form among the integers.
pub fn script(problem: &IntegerProblem, bounds: &Bounds) -> Option<Script> {
    let mut script = Script::integers(problem);
    for (name, variable) in script.names.clone().iter().zip(&problem.variables) {
        script.line(&format!("(declare-const {name} Int)"));
        let Range { low, high } = &variable.range;
        let ends = [low.as_ref().map(|low| (">=", low)), high.as_ref().map(|high| ("<=", high))];
        for (compare, bound) in ends.into_iter().flatten() {
            script.assert(&format!("({compare} {name} {})", integer(bound)));
        }
    }
    let used = problem.used();
    for (at, expr) in problem.exprs.iter().enumerate() {
        if let (true, Expression::Apply(op, args)) = (used[at], expr) {
            let names: Vec<String> = args.iter().map(|at| script.name(problem, *at)).collect();
            let text = applied(&names, bounds, *op, args)?;
            if matches!(op, Op::Div | Op::Rem) && bounds.exprs[args[1]].contains(&0.into()) {
                script.assert(&format!("(distinct {} 0)", names[1]));
            }
            script.line(&format!("(define-fun e{at} () Int {text})"));
        }
    }
    script.relations(problem);
    Some(script)
}

fn applied(names: &[String], bounds: &Bounds, op: Op, args: &[usize]) -> Option<String> {
    let known = |at: usize| bounds.exprs[args[at]].value().map(|value| value.to_big());
    let interval = |at: usize| &bounds.exprs[args[at]];
    Some(match (op, names) {
        (Op::Add, [a, b]) => format!("(+ {a} {b})"),
        (Op::Sub, [a, b]) => format!("(- {a} {b})"),
        (Op::Mul, [a, b]) => format!("(* {a} {b})"),
        (Op::Neg, [a]) => format!("(- {a})"),
        (Op::Abs, [a]) => format!("(ite (>= {a} 0) {a} (- {a}))"),
        (Op::Bnot, [a]) => format!("(- (- {a}) 1)"),
        (Op::Div, [a, b]) => towards_zero("div", a, b, interval(0)),
        (Op::Rem, [a, b]) => towards_zero("mod", a, b, interval(0)),
        (Op::Band, [a, b]) => masked(a, known(1)).or_else(|| masked(b, known(0)))?,
        (Op::Bor, [a, b]) => {
            let both = masked(a, known(1)).or_else(|| masked(b, known(0)))?;
            format!("(- (+ {a} {b}) {both})")
        }
        (Op::Bxor, [a, b]) => {
            let both = masked(a, known(1)).or_else(|| masked(b, known(0)))?;
            format!("(- (+ {a} {b}) (* 2 {both}))")
        }
        (Op::Bsl, [a, b]) => shifted(a, b, interval(1), false)?,
        (Op::Bsr, [a, b]) => shifted(a, b, interval(1), true)?,
        _ => return None,
    })
}

/// Erlang rounds towards zero, SMT-LIB so that the rest is never negative: they agree where the dividend is not.
fn towards_zero(function: &str, a: &str, b: &str, dividend: &Interval) -> String {
    let (above, below) = (format!("({function} {a} {b})"), format!("(- ({function} (- {a}) {b}))"));
    if dividend.is_at_least(0) {
        above
    } else if dividend.is_at_most(0) {
        below
    } else {
        format!("(ite (>= {a} 0) {above} {below})")
    }
}

/// `a band mask`, from what divisions by powers of two leave.
fn masked(a: &str, mask: Option<BigInt>) -> Option<String> {
    let mask = mask?;
    if mask < BigInt::from(0) {
        return Some(format!("(- {a} {})", masked(a, Some(-mask - 1))?));
    }
    let mut parts = Vec::new();
    for (low, high) in runs(&mask)? {
        let rest = |bits: u64| format!("(mod {a} {})", BigInt::from(1) << bits);
        parts.push(if low == 0 { rest(high) } else { format!("(- {} {})", rest(high), rest(low)) });
    }
    Some(match &parts[..] {
        [] => String::from("0"),
        [part] => part.clone(),
        parts => format!("(+ {})", parts.join(" ")),
    })
}

fn shifted(a: &str, by: &str, amount: &Interval, right: bool) -> Option<String> {
    let (low, high) = (amount.low.as_ref()?.to_i64()?, amount.high.as_ref()?.to_i64()?);
    if high.checked_sub(low)? > MOST_SHIFTS || low < -MOST_SHIFT || high > MOST_SHIFT {
        return None;
    }
    let one = |amount: i64| {
        let power = BigInt::from(1) << amount.unsigned_abs();
        if right == (amount > 0) && amount != 0 { format!("(div {a} {power})") } else { format!("(* {a} {power})") }
    };
    let chain =
        |rest: String, amount: i64| format!("(ite (= {by} {}) {} {rest})", integer(&amount.into()), one(amount));
    Some((low..high).fold(one(high), chain))
}
