//! The operands of operators, which have no specs.

use constraint::{Grammar, Shape};
use term::{Mfa, Term};

use super::guard::list;

/// Returns the shapes that an operator takes, where those it takes anything for say nothing; `None` if it is none.
pub(super) fn operand(grammar: &mut Grammar, operator: Mfa, at: usize) -> Option<Option<Vec<Shape>>> {
    if operator.module.name() != "erlang" {
        return None;
    }
    let integer = Shape::Integer { low: None, high: None };
    Some(match (operator.function.name(), operator.arity) {
        ("+" | "-" | "*" | "/", _) => Some(vec![integer, Shape::Float]),
        ("div" | "rem" | "band" | "bor" | "bxor" | "bsl" | "bsr" | "bnot", _) => Some(vec![integer]),
        ("and" | "or" | "xor" | "not" | "andalso" | "orelse", _) => {
            Some([true, false].map(|it| Shape::Literal(Term::bool(it))).to_vec())
        }
        ("++", 2) if at == 1 => None,
        ("++" | "--", 2) => {
            let any = grammar.intern(vec![Shape::Any]);
            Some(vec![Shape::Rule(list(grammar, any))])
        }
        ("=:=" | "=/=" | "==" | "/=" | "<" | ">" | "=<" | ">=", 2) => None,
        (name, 1) if name.starts_with("is_") => None,
        _ => return None,
    })
}
