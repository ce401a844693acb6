//! Taking the compiler's records apart, with an error that names the record where it is not as expected.

use term::{Atom, Term};

use super::CoreError;

/// The name of the record that a term is, or nothing.
pub fn name(term: &Term) -> &'static str {
    match term.as_tuple() {
        Some([Term::Atom(_, tag), ..]) => tag.name(),
        _ => "",
    }
}

/// The name of a record, or what stands in its place.
pub fn tag(term: &Term) -> String {
    match term.as_tuple().and_then(|fields| fields.first()) {
        Some(Term::Atom(_, name)) => format!("a `{}` node", name.name()),
        Some(_) => "a tuple that is no node".into(),
        None => kind(term).into(),
    }
}

fn kind(term: &Term) -> &'static str {
    match term {
        Term::Nil(_) => "an empty list",
        Term::Cons(..) => "a list",
        Term::Tuple(..) => "an empty tuple",
        Term::Atom(..) => "an atom",
        Term::Int(..) | Term::Big(..) => "an integer",
        _ => "a value of another kind",
    }
}

/// The error for a node that is something else.
pub fn unexpected(wanted: &str, found: &Term) -> CoreError {
    CoreError::new(format!("expected {wanted}, found {}", tag(found)))
}

/// The fields after the tag of a record of this name and size; the annotation is the first of them.
pub fn record<'a, const N: usize>(term: &'a Term, name: &str) -> Result<&'a [Term; N], CoreError> {
    let fields = term.as_tuple().unwrap_or_default();
    match fields.split_first() {
        Some((Term::Atom(..), rest)) if self::name(term) == name => rest
            .try_into()
            .map_err(|_| CoreError::new(format!("a `{name}` node has {} fields and should have {}", rest.len(), N))),
        _ => Err(unexpected(&format!("a `{name}` node"), term)),
    }
}

/// The elements of a proper list, `what` it is of.
pub fn list<'a>(term: &'a Term, what: &str) -> Result<Vec<&'a Term>, CoreError> {
    let mut cells = term.cells();
    let items = cells.by_ref().collect();
    match cells.rest() {
        Term::Nil(_) => Ok(items),
        _ => Err(unexpected(&format!("a list of {what}"), term)),
    }
}

/// The two parts of a pair.
pub fn pair<'a>(term: &'a Term, what: &str) -> Result<(&'a Term, &'a Term), CoreError> {
    match term.as_tuple() {
        Some([left, right]) => Ok((left, right)),
        _ => Err(unexpected(what, term)),
    }
}

/// The value of a `c_literal`.
pub fn literal(term: &Term) -> Result<&Term, CoreError> {
    let [_, value] = record(term, "c_literal")?;
    Ok(value)
}

/// The atom of a literal.
pub fn literal_atom(term: &Term) -> Result<Atom, CoreError> {
    let value = literal(term)?;
    value.as_atom().ok_or_else(|| unexpected("an atom", value))
}
