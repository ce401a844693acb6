//! Values of a kind that a spec has and that the program does not take, wherever it asks for another: one root.

use std::collections::BTreeSet;

use constraint::{Condition, Expr, Node, RuleId, Shape, Test};
use term::{Notation, Term};

use super::blame;
use super::parts::{InputParts, PartType, around};
use super::root::FindingRoot;
use crate::contract::written_in;

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
    if matches!(condition.test, Test::HasKey(..)) {
        return Some(FindingRoot::Keys);
    }
    let mut kinds = BTreeSet::new();
    rules.iter().for_each(|rule| collect(parts, *rule, &mut kinds));
    if kinds.len() < 2 {
        return None;
    }
    let types: BTreeSet<String> = rules.iter().map(|rule| written_in(parts.notation, parts.grammar, *rule)).collect();
    Some(FindingRoot::Kind {
        argument: parts.input(part)? + 1,
        is_whole: matches!(around(parts.arena, part).collect::<Vec<_>>()[..], [whole] if is_input(parts, whole)),
        kind: kind(parts.notation, &value),
        spec: types.into_iter().collect::<Vec<_>>().join(" | "),
    })
}

/// The root of a crash on a character where an operation wants a byte.
pub(super) fn characters(parts: &mut InputParts<'_>, condition: &Condition) -> Option<FindingRoot> {
    let number = blame::byte_asked(parts.arena, condition)?;
    let [one] = parts.of(number)[..] else { return None };
    let code = parts.values.value(number).ok()?.as_i64()?;
    let is_element = matches!(parts.arena.node(one), Node::Head(_));
    let is_character = is_element || !parts.values.value(one).ok()?.is_integer();
    let is_wide = is_character && (256..=0x0010_FFFF).contains(&code);
    Some(FindingRoot::Characters { argument: parts.input(one)? + 1 }).filter(|_| is_wide)
}

fn is_input(parts: &InputParts<'_>, part: Expr) -> bool {
    matches!(parts.arena.node(part), Node::Input(_))
}

/// The kinds of the values of a rule.
fn collect(parts: &InputParts<'_>, rule: RuleId, kinds: &mut BTreeSet<String>) {
    for shape in &parts.grammar.rule(rule).shapes {
        let kind = match shape {
            Shape::Rule(inner) if *inner != rule => {
                collect(parts, *inner, kinds);
                continue;
            }
            Shape::Literal(term) => kind(parts.notation, term),
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

/// The kind of a value by which members of a union differ.
fn kind(notation: Notation<'_>, value: &Term) -> String {
    match value {
        Term::Atom(_, atom) => notation.atom(*atom),
        Term::Tuple(_, items) => {
            let tag = items.first().and_then(Term::as_atom).map_or("_".to_owned(), |tag| notation.atom(tag));
            let rest = if notation.is_elixir() { ", _" } else { ",_" };
            format!("{{{tag}{}}}", rest.repeat(items.len().saturating_sub(1)))
        }
        Term::Nil(_) | Term::Cons(..) => "lists".to_owned(),
        Term::Bits(..) => "binaries".to_owned(),
        Term::Map(..) => "maps".to_owned(),
        Term::Float(..) => "floats".to_owned(),
        value if value.is_integer() => "integers".to_owned(),
        _ => "other terms".to_owned(),
    }
}
