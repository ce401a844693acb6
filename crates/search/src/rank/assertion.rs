//! Checks of the author that failed: what was expected, and what there was instead.

use term::Term;

use crate::finding::ReasonShape;

/// Characters of a value in the reason of a rank.
const SHOWN: usize = 80;

/// True if a check of the author has failed: `{assertEqual, [{module, m}, {line, 7}, …]}`, or Elixir's.
pub fn is_assertion(reason: &Term) -> bool {
    if let ReasonShape::Struct(name) = ReasonShape::of(reason) {
        return name.name() == "Elixir.ExUnit.AssertionError";
    }
    let Some([tag, facts]) = reason.as_tuple() else { return false };
    let is_named = tag.as_atom().is_some_and(|tag| tag.name().starts_with("assert"));
    is_named && fact(facts, "line").is_some()
}

/// Says in words what a check expected and what it got, if the reason is that of one.
pub fn words(reason: &Term) -> Option<String> {
    if !is_assertion(reason) {
        return None;
    }
    match reason.as_tuple() {
        Some([tag, facts]) => Some(of_eunit(tag, facts)),
        _ => Some(of_exunit(reason)),
    }
}

/// `the assertion total(L) fails: expected 3, got 4`.
fn of_eunit(tag: &Term, facts: &Term) -> String {
    let checked = fact(facts, "expression").or_else(|| fact(facts, "command"));
    let checked = checked.and_then(text).map_or(String::new(), |checked| format!(" {checked}"));
    let is_negated = tag.as_atom().is_some_and(|tag| tag.name().starts_with("assertNot"));
    let expected = match (fact(facts, "expected").map(shown), fact(facts, "pattern").and_then(text)) {
        (Some(value), _) => Some(value),
        (None, Some(pattern)) if is_negated => Some(format!("no match of {pattern}")),
        (None, Some(pattern)) => Some(pattern),
        (None, None) if is_negated => Some("another value".to_owned()),
        (None, None) => None,
    };
    let expected = expected.map(|expected| format!("expected {expected}"));
    let parts: Vec<String> = expected.into_iter().chain(got(facts)).collect();
    let colon = if parts.is_empty() { "" } else { ": " };
    format!("the assertion{checked} fails{colon}{}", parts.join(", "))
}

/// The value, or the end, that a check met.
fn got(facts: &Term) -> Option<String> {
    let exception = |it: &Term| {
        let parts = it.as_tuple().unwrap_or_default();
        parts.iter().take(2).map(shown).collect::<Vec<String>>().join(":")
    };
    let value = ["value", "not_boolean", "unexpected_success"].into_iter().find_map(|name| fact(facts, name));
    let raised = fact(facts, "unexpected_exception").map(exception);
    value.map(shown).or(raised).map(|got| format!("got {got}"))
}

/// The message of an Elixir check, with both sides where it has them.
fn of_exunit(reason: &Term) -> String {
    let field = |name: &str| reason.as_map().and_then(|map| map.get(&Term::atom_named(name)).cloned());
    let is_there = |value: &Term| value.as_atom().is_none_or(|name| name.name() != "ex_unit_no_meaningful_value");
    let message = field("message").as_ref().and_then(binary_text).unwrap_or_default();
    let sides = ["left", "right"].into_iter().filter_map(|name| {
        let value = field(name).filter(is_there)?;
        Some(format!("{name} {}", shown(&value)))
    });
    let parts: Vec<String> = Some(message).filter(|message| !message.is_empty()).into_iter().chain(sides).collect();
    let colon = if parts.is_empty() { "" } else { ": " };
    format!("an assertion fails{colon}{}", parts.join(", "))
}

fn fact<'t>(facts: &'t Term, name: &str) -> Option<&'t Term> {
    facts.cells().find_map(|fact| match fact.as_tuple()? {
        [key, value] if key.as_atom()?.name() == name => Some(value),
        _ => None,
    })
}

fn shown(value: &Term) -> String {
    cut(value.to_string())
}

fn text(chars: &Term) -> Option<String> {
    let chars: Option<String> =
        chars.cells().map(|char| char.as_i64().and_then(|char| char::from_u32(u32::try_from(char).ok()?))).collect();
    chars.map(cut)
}

fn binary_text(value: &Term) -> Option<String> {
    let Term::Bits(_, bits) = value else { return None };
    let text = String::from_utf8(bits.as_bytes()?.to_vec()).ok()?;
    text.lines().next().map(|line| cut(line.to_owned()))
}

fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(SHOWN) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(reason: &str) -> Option<String> {
        words(&Term::read(reason).unwrap_or_else(|e| panic!("{e}")))
    }

    #[test]
    fn each_check_says_what_it_expected_and_got() {
        for (facts, expected) in [
            (
                "{assert, [{line, 1}, {expression, \"X > 0\"}, {expected, true}, {value, false}]}",
                "the assertion X > 0 fails: expected true, got false",
            ),
            (
                "{assertEqual, [{line, 1}, {expression, \"f(X)\"}, {expected, 3}, {value, [4]}]}",
                "the assertion f(X) fails: expected 3, got [4]",
            ),
            (
                "{assertMatch, [{line, 1}, {expression, \"g()\"}, {pattern, \"{ ok , _ }\"}, {value, error}]}",
                "the assertion g() fails: expected { ok , _ }, got error",
            ),
            (
                "{assertNotEqual, [{line, 1}, {expression, \"h\"}, {value, 1}]}",
                "the assertion h fails: expected another value, got 1",
            ),
            (
                "{assertNotMatch, [{line, 1}, {expression, \"h\"}, {pattern, \"[]\"}, {value, []}]}",
                "the assertion h fails: expected no match of [], got []",
            ),
            (
                "{assertException, [{line, 1}, {expression, \"h\"}, {pattern, \"{ error , badarg , [...] }\"}, {unexpected_success, 7}]}",
                "the assertion h fails: expected { error , badarg , [...] }, got 7",
            ),
            (
                "{assertException, [{line, 1}, {expression, \"h\"}, {pattern, \"{ error , a , [...] }\"}, {unexpected_exception, {exit, b, []}}]}",
                "the assertion h fails: expected { error , a , [...] }, got exit:b",
            ),
        ] {
            assert_eq!(said(facts).as_deref(), Some(expected));
        }
    }

    #[test]
    fn an_exunit_check_says_its_message() {
        let reason = "#{'__struct__' => 'Elixir.ExUnit.AssertionError', message => <<\"Assertion with == failed\">>, left => 1, right => 2}";
        assert_eq!(said(reason).as_deref(), Some("an assertion fails: Assertion with == failed, left 1, right 2"));
    }

    #[test]
    fn other_reasons_are_none() {
        for reason in ["{assertion, []}", "{assertEqual, 7}", "badarg", "{badmatch, [{line, 1}]}"] {
            assert_eq!(said(reason), None, "{reason}");
        }
    }
}
