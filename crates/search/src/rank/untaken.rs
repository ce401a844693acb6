//! Values of a kind that a spec has and that the program does not take, wherever it asks for another: one root.

use std::collections::BTreeSet;

use constraint::{Condition, Expr, Grammar, Node, RuleId, Shape, Test};
use term::Term;

use super::blame;
use super::parts::{InputParts, PartType, around};
use super::root::FindingRoot;
use crate::contract::written;

/// The root of a crash on a value of one of several kinds that a spec has for a part; with `is_range`, also on a number
/// that an operation does not take.
pub(super) fn untaken_kind(parts: &mut InputParts<'_>, condition: &Condition, is_range: bool) -> Option<FindingRoot> {
    let part = match condition.test {
        Test::Cons(_) => return None,
        Test::Less(..) if is_range => {
            let asked: Vec<Expr> = condition.test.exprs().flat_map(|expr| parts.of(expr)).collect();
            let [one] = asked[..] else { return None };
            one
        }
        Test::Less(..) => return None,
        _ => blame::asked(parts, condition).filter(|_| !condition.holds)?,
    };
    let value = parts.values.value(part).ok()?;
    let PartType::Rules(rules) = parts.type_of(part)? else { return None };
    let is_key = matches!(condition.test, Test::HasKey(..));
    let mut kinds = BTreeSet::new();
    rules.iter().for_each(|rule| collect(parts.grammar, *rule, &mut kinds));
    if kinds.len() < 2 && !is_key {
        return None;
    }
    let kind = if is_key { "maps without some keys".to_owned() } else { kind(&value) };
    let types: BTreeSet<String> = rules.iter().map(|rule| written(parts.grammar, *rule)).collect();
    Some(FindingRoot::Kind {
        argument: parts.input(part)? + 1,
        is_whole: matches!(around(parts.arena, part).collect::<Vec<_>>()[..], [whole] if is_input(parts, whole)),
        kind,
        spec: types.into_iter().collect::<Vec<_>>().join(" | "),
    })
}

/// The root of a crash on a character where an operation wants a byte.
pub(super) fn characters(parts: &mut InputParts<'_>, condition: &Condition) -> Option<FindingRoot> {
    let asked: Vec<Expr> = condition.test.exprs().flat_map(|it| parts.of(it)).collect();
    let [one] = asked[..] else { return None };
    let is_wide = is_beyond_bytes(parts, condition) && is_character(parts, one);
    Some(FindingRoot::Characters { argument: parts.input(one)? + 1 }).filter(|_| is_wide)
}

/// True if a condition finds that a number is no byte, because it is too large.
fn is_beyond_bytes(parts: &InputParts<'_>, condition: &Condition) -> bool {
    let Test::Less(left, right) = condition.test else { return false };
    let number = |expr: Expr| parts.arena.as_literal(expr).and_then(Term::as_i64);
    match condition.holds {
        true => number(left) == Some(255),
        false => number(right) == Some(256),
    }
}

/// True if a part stands in a list and has the code of a character.
fn is_character(parts: &mut InputParts<'_>, part: Expr) -> bool {
    let value = parts.values.value(part).ok().and_then(|value| value.as_i64());
    matches!(parts.arena.node(part), Node::Head(_)) && value.is_some_and(|code| (256..=0x0010_FFFF).contains(&code))
}

fn is_input(parts: &InputParts<'_>, part: Expr) -> bool {
    matches!(parts.arena.node(part), Node::Input(_))
}

/// The kinds of the values of a rule.
fn collect(grammar: &Grammar, rule: RuleId, kinds: &mut BTreeSet<String>) {
    for shape in &grammar.rule(rule).shapes {
        let kind = match shape {
            Shape::Rule(inner) if *inner != rule => {
                collect(grammar, *inner, kinds);
                continue;
            }
            Shape::Literal(term) => kind(term),
            Shape::Integer { .. } => "integers".to_owned(),
            Shape::Float => "floats".to_owned(),
            Shape::Bits { .. } => "binaries".to_owned(),
            Shape::Cons(..) => "lists".to_owned(),
            Shape::Map(_) => "maps".to_owned(),
            other => format!("{other:?}"),
        };
        kinds.insert(kind);
    }
}

/// The kind of a value, as a reader tells members of a union apart.
fn kind(value: &Term) -> String {
    match value {
        Term::Atom(_, atom) => atom.to_string(),
        Term::Tuple(_, items) => {
            let tag = items.first().and_then(Term::as_atom).map_or("_".to_owned(), |tag| tag.to_string());
            format!("{{{tag}{}}}", ",_".repeat(items.len().saturating_sub(1)))
        }
        Term::Nil(_) | Term::Cons(..) => "lists".to_owned(),
        Term::Bits(..) => "binaries".to_owned(),
        Term::Map(..) => "maps".to_owned(),
        Term::Float(..) => "floats".to_owned(),
        value if value.is_integer() => "integers".to_owned(),
        _ => "other terms".to_owned(),
    }
}
