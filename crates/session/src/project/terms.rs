//! Files of Erlang terms, each ended by a full stop: `rebar.config`, `Emakefile`, `.app.src`.

use term::Term;

/// Returns the terms of a text that can be read; others (variables, for one) are left out.
pub(super) fn consult(text: &str) -> Vec<Term> {
    forms(text).iter().filter_map(|form| Term::read(form).ok()).collect()
}

/// The texts between full stops, without comments.
fn forms(text: &str) -> Vec<String> {
    let (mut forms, mut form, mut quote) = (Vec::new(), String::new(), None);
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match (quote, char) {
            (Some(_), '\\') | (None, '$') => {
                form.push(char);
                form.extend(chars.next());
                continue;
            }
            (Some(open), _) if open == char => quote = None,
            (None, '"' | '\'') => quote = Some(char),
            (None, '%') => {
                while chars.next_if(|char| *char != '\n').is_some() {}
                continue;
            }
            _ => {}
        }
        let is_end =
            quote.is_none() && char == '.' && chars.peek().is_none_or(|next| next.is_whitespace() || *next == '%');
        if is_end { forms.push(std::mem::take(&mut form)) } else { form.push(char) }
    }
    forms
}

/// Returns the value of a key in a list of pairs, or in the terms of a file; the last one counts.
pub(super) fn value<'a>(terms: &'a [Term], key: &str) -> Option<&'a Term> {
    terms.iter().rev().find_map(|term| match term.as_tuple() {
        Some([name, value]) if is_named(name, key) => Some(value),
        _ => None,
    })
}

/// True for that atom.
pub(super) fn is_named(term: &Term, name: &str) -> bool {
    term.as_atom().is_some_and(|atom| atom.name() == name)
}

/// Returns the elements of a list.
pub(super) fn elements(list: &Term) -> Vec<Term> {
    list.proper_list().unwrap_or_default()
}

/// Returns the text of a string, a binary or an atom.
pub(super) fn text(term: &Term) -> Option<String> {
    if let Some(atom) = term.as_atom() {
        return Some(atom.name().to_owned());
    }
    if let Some(bits) = term.as_bits() {
        return String::from_utf8(bits.to_bytes().into_owned()).ok();
    }
    let chars = term.proper_list()?;
    chars.iter().map(|char| char::from_u32(u32::try_from(char.as_i64()?).ok()?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_end_at_full_stops() {
        let terms = consult("%% A. comment.\n{a, \"x. y\"}. {b, 'q. %', $., 1.5}.\n{c, \"\\\"\"}.%% end\n{d, X}.");
        let texts: Vec<String> = terms.iter().map(Term::to_string).collect();
        assert_eq!(texts, ["{a,\"x. y\"}", "{b,'q. %',46,1.5}", "{c,\"\\\"\"}"]);
        assert_eq!(value(&terms, "a").and_then(text).as_deref(), Some("x. y"));
        assert_eq!(value(&terms, "z"), None);
    }
}
