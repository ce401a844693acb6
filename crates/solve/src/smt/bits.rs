//! A problem in the theory of bit-vectors of one width.

use constraint::Op;
use num_bigint::BigInt;

use super::script::Script;
use crate::integer::IntegerProblem;
use crate::integer::bounds::Bounds;
use crate::integer::int::Int;
use crate::integer::interval::{Interval, Range};
use crate::problem::Expression;

/// The width in which nothing can be cut off, if there are bounds.
pub fn exact_width(problem: &IntegerProblem, bounds: &Bounds) -> Option<u64> {
    let used = problem.used();
    let exprs = bounds.exprs.iter().zip(&used).filter(|(_, used)| **used).map(|(interval, _)| interval);
    let most = bounds.variables.iter().chain(exprs).map(bits).collect::<Option<Vec<u64>>>()?;
    // One bit for the sign, and one to spare for the negation of the least number.
    Some((most.into_iter().max().unwrap_or(0) + 2).next_multiple_of(8))
}

fn bits(interval: &Interval) -> Option<u64> {
    Some(interval.magnitude()?.bits())
}

/// The script of a problem in bit-vectors of a width.
pub fn script(problem: &IntegerProblem, bounds: &Bounds, width: u64) -> Script {
    let mut script = Script::bits(problem, width);
    let exact = exact_width(problem, bounds).is_some_and(|exact| exact <= width);
    // Where results may be cut off, small variables make it unlikely.
    let room = BigInt::from(1) << (width / 2 - 2);
    for (at, (name, interval)) in script.names.clone().iter().zip(&bounds.variables).enumerate() {
        script.line(&format!("(declare-const {name} (_ BitVec {width}))"));
        let Range { low, high } = problem.variables[at].range.clone();
        let low = interval.low.as_ref().map(Int::to_big).or(low);
        let high = interval.high.as_ref().map(Int::to_big).or(high);
        for (low, high) in [(low, high), (Some(-&room), Some(room.clone()))].into_iter().take(2 - usize::from(exact)) {
            bound(&mut script, name, low, high);
        }
    }
    let used = problem.used();
    for (at, expr) in problem.exprs.iter().enumerate() {
        if let (true, Expression::Apply(op, args)) = (used[at], expr) {
            let names: Vec<String> = args.iter().map(|at| script.name(problem, *at)).collect();
            if matches!(op, Op::Div | Op::Rem) {
                script.assert(&format!("(distinct {} {})", names[1], script.number(&BigInt::from(0))));
            }
            let text = applied(&script, *op, &names);
            script.line(&format!("(define-fun e{at} () (_ BitVec {width}) {text})"));
        }
    }
    script.relations(problem);
    script
}

fn bound(script: &mut Script, name: &str, low: Option<BigInt>, high: Option<BigInt>) {
    let fits = |value: &BigInt| value.bits() < script.width;
    let low = low.filter(fits).map(|low| script.at_most(&script.number(&low), name));
    let high = high.filter(fits).map(|high| script.at_most(name, &script.number(&high)));
    for condition in [low, high].into_iter().flatten() {
        script.assert(&condition);
    }
}

fn applied(script: &Script, op: Op, names: &[String]) -> String {
    let function = match op {
        Op::Add => "bvadd",
        Op::Sub => "bvsub",
        Op::Mul => "bvmul",
        Op::Div => "bvsdiv",
        Op::Rem => "bvsrem",
        Op::Neg => "bvneg",
        Op::Band => "bvand",
        Op::Bor => "bvor",
        Op::Bxor => "bvxor",
        Op::Bnot => "bvnot",
        Op::Abs => return abs(script, &names[0]),
        Op::Bsl => return shifted(script, &names[0], &names[1], ["bvshl", "bvashr"]),
        Op::Bsr => return shifted(script, &names[0], &names[1], ["bvashr", "bvshl"]),
        // Not operations of an integer problem.
        Op::Length | Op::TupleSize | Op::MapSize | Op::BitSize | Op::ByteSize | Op::Float(_) => {
            return names[0].clone();
        }
    };
    format!("({function} {})", names.join(" "))
}

fn abs(script: &Script, a: &str) -> String {
    format!("(ite (bvslt {a} {}) (bvneg {a}) {a})", script.number(&BigInt::from(0)))
}

fn shifted(script: &Script, a: &str, by: &str, functions: [&str; 2]) -> String {
    let [along, against] = functions;
    format!("(ite (bvslt {by} {}) ({against} {a} (bvneg {by})) ({along} {a} {by}))", script.number(&BigInt::from(0)))
}
