//! The sides of an equation as one sum, by the factors of what it adds up.

use constraint::{Arena, Expr, Node, Op};
use term::Term;

/// Adds an expression to a sum of others; nothing if it holds a number that is too large.
pub fn add(arena: &Arena, expr: Expr, factor: i128, sum: &mut Vec<(i128, Expr)>, constant: &mut i128) -> Option<()> {
    if let Some(value) = arena.as_literal(expr) {
        *constant = constant.checked_add(factor.checked_mul(i128::from(value.as_i64()?))?)?;
        return Some(());
    }
    match arena.node(expr) {
        Node::Apply(Op::Add, args) => args.iter().try_for_each(|arg| add(arena, *arg, factor, sum, constant)),
        Node::Apply(Op::Sub, args) if args.len() == 2 => {
            add(arena, args[0], factor, sum, constant)?;
            add(arena, args[1], -factor, sum, constant)
        }
        Node::Apply(Op::Neg, args) => args.iter().try_for_each(|arg| add(arena, *arg, -factor, sum, constant)),
        Node::Apply(Op::Mul, args) => match factor_of(arena, args) {
            Some((by, of)) => add(arena, of, factor.checked_mul(i128::from(by))?, sum, constant),
            None => {
                sum.push((factor, expr));
                Some(())
            }
        },
        _ => {
            sum.push((factor, expr));
            Some(())
        }
    }
}

/// The constant factor of a product of two, and the other one.
fn factor_of(arena: &Arena, args: &[Expr]) -> Option<(i64, Expr)> {
    let [left, right] = *args else { return None };
    let constant = |expr: Expr| arena.as_literal(expr).and_then(Term::as_i64);
    let first = constant(left).map(|by| (by, right));
    first.or_else(|| constant(right).map(|by| (by, left)))
}
