//! Calls with their records as the source writes them.

use term::{Atom, Mfa, Style, Term};

use crate::Session;

/// Returns the call with `#name{field = …}` for each tuple that is a record of the function's module; nothing if there is none.
pub(super) fn record_call(session: &Session, function: Mfa, inputs: &[Term]) -> Option<String> {
    let declared = session.module(function.module).ok()?.declarations();
    let fields = |name: Atom, size: usize| declared.record_fields(name, size);
    let args: Vec<Option<String>> = inputs.iter().map(|input| with_records(input, &fields)).collect();
    if args.iter().all(Option::is_none) {
        return None;
    }
    let args = args.into_iter().zip(inputs).map(|(arg, input)| arg.unwrap_or_else(|| input.write(Style::Folded)));
    Some(format!("{}:{}({})", function.module, function.function, args.collect::<Vec<_>>().join(", ")))
}

/// A term with its records; nothing if it has none.
fn with_records(term: &Term, fields: &dyn Fn(Atom, usize) -> Option<Vec<Atom>>) -> Option<String> {
    term::deeper(|| {
        let part = |item: &Term| with_records(item, fields);
        let written = |parts: Vec<Option<String>>, items: &[Term]| -> Vec<String> {
            parts.into_iter().zip(items).map(|(part, item)| part.unwrap_or_else(|| item.write(Style::Folded))).collect()
        };
        match term {
            Term::Tuple(_, items) => {
                let parts: Vec<Option<String>> = items.iter().map(part).collect();
                let tag = items.first().and_then(Term::as_atom);
                if let Some((tag, names)) = tag.and_then(|tag| Some((tag, fields(tag, items.len())?))) {
                    let values = written(parts, items).split_off(1);
                    let fields = names.iter().zip(values).map(|(name, value)| format!("{name} = {value}"));
                    return Some(format!("#{tag}{{{}}}", fields.collect::<Vec<_>>().join(", ")));
                }
                parts.iter().any(Option::is_some).then(|| format!("{{{}}}", written(parts, items).join(",")))
            }
            Term::Cons(..) => {
                let mut cells = term.cells();
                let items: Vec<Term> = cells.by_ref().cloned().collect();
                let (parts, tail) = (items.iter().map(part).collect::<Vec<_>>(), cells.rest());
                let last = part(tail);
                if parts.iter().all(Option::is_none) && last.is_none() {
                    return None;
                }
                let tail = match tail {
                    Term::Nil(_) => String::new(),
                    tail => format!("|{}", last.unwrap_or_else(|| tail.write(Style::Folded))),
                };
                Some(format!("[{}{tail}]", written(parts, &items).join(",")))
            }
            Term::Map(_, map) => {
                let pairs: Vec<(&Term, &Term)> = map.iter().collect();
                let values: Vec<Option<String>> = pairs.iter().map(|(_, value)| part(value)).collect();
                let text = |(value, (key, plain)): (Option<String>, &(&Term, &Term))| {
                    format!("{} => {}", key.write(Style::Folded), value.unwrap_or_else(|| plain.write(Style::Folded)))
                };
                let is_any = values.iter().any(Option::is_some);
                let entries = values.into_iter().zip(&pairs).map(text).collect::<Vec<_>>().join(",");
                is_any.then(|| format!("#{{{entries}}}"))
            }
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        let fields = |name: Atom, size: usize| match (name.name(), size) {
            ("state", 3) => Some(vec![Atom::new("count"), Atom::new("Next")]),
            _ => None,
        };
        with_records(&Term::read(text).expect(text), &fields)
    }

    #[test]
    fn tuples_of_a_records_tag_and_size_are_records() {
        assert_eq!(shown("{state,1,\"ab\"}").as_deref(), Some("#state{count = 1, 'Next' = \"ab\"}"));
        let nested = "[{ok,{state,0,{state,1,[]}}}|#{a => {state,2,3}}]";
        let expected =
            "[{ok,#state{count = 0, 'Next' = #state{count = 1, 'Next' = []}}}|#{a => #state{count = 2, 'Next' = 3}}]";
        assert_eq!(shown(nested).as_deref(), Some(expected));
        for text in ["{state,1}", "{stat,1,2}", "[state,1,2]", "\"ab\"", "7"] {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
