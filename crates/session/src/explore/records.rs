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

/// The fields of a record, by its tag and the size of its tuples.
type Fields<'f> = &'f dyn Fn(Atom, usize) -> Option<Vec<Atom>>;

/// A term with its records; nothing if it has none.
fn with_records(term: &Term, fields: Fields<'_>) -> Option<String> {
    term::deeper(|| match term {
        Term::Tuple(_, items) => tuple(items, fields),
        Term::Cons(..) => list(term, fields),
        Term::Map(_, map) => {
            let (keys, values): (Vec<Term>, Vec<Term>) =
                map.iter().map(|(key, value)| (key.clone(), value.clone())).unzip();
            let values = parts(&values, fields)?;
            let entry = |(key, value): (&Term, String)| format!("{} => {value}", key.write(Style::Folded));
            let entries: Vec<String> = keys.iter().zip(values).map(entry).collect();
            Some(format!("#{{{}}}", entries.join(",")))
        }
        _ => None,
    })
}

fn tuple(items: &[Term], fields: Fields<'_>) -> Option<String> {
    let parts = parts(items, fields);
    let tag = items.first().and_then(Term::as_atom);
    let Some((tag, names)) = tag.and_then(|tag| Some((tag, fields(tag, items.len())?))) else {
        return Some(format!("{{{}}}", parts?.join(",")));
    };
    let values = parts.unwrap_or_else(|| items.iter().map(|item| item.write(Style::Folded)).collect());
    let fields = names.iter().zip(&values[1..]).map(|(name, value)| format!("{name} = {value}"));
    Some(format!("#{tag}{{{}}}", fields.collect::<Vec<_>>().join(", ")))
}

fn list(list: &Term, fields: Fields<'_>) -> Option<String> {
    let mut cells = list.cells();
    let mut items: Vec<Term> = cells.by_ref().cloned().collect();
    let is_proper = matches!(cells.rest(), Term::Nil(_));
    items.extend((!is_proper).then(|| cells.rest().clone()));
    let mut parts = parts(&items, fields)?;
    let tail = if is_proper { String::new() } else { parts.pop().map_or(String::new(), |tail| format!("|{tail}")) };
    Some(format!("[{}{tail}]", parts.join(",")))
}

/// Terms as text; nothing if none has a record.
fn parts(items: &[Term], fields: Fields<'_>) -> Option<Vec<String>> {
    let parts: Vec<Option<String>> = items.iter().map(|item| with_records(item, fields)).collect();
    let text = |(part, item): (Option<String>, &Term)| part.unwrap_or_else(|| item.write(Style::Folded));
    parts.iter().any(Option::is_some).then(|| parts.into_iter().zip(items).map(text).collect())
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
