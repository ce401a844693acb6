//! From a term to a match specification.

use term::{Atom, Term};

use super::expression::{MatchExpression, function};
use super::pattern::MatchPattern;
use super::{MatchClause, Specification, variable};

impl Specification {
    /// Returns the specification that a term describes, if it is a good one.
    pub fn compile(spec: &Term) -> Option<Specification> {
        let clauses = spec.proper_list()?;
        clauses.iter().map(clause).collect::<Option<Vec<_>>>().map(|clauses| Specification { clauses })
    }
}

fn clause(term: &Term) -> Option<MatchClause> {
    let [head, guards, body] = term.as_tuple()? else { return None };
    let head = MatchPattern::of(head)?;
    let mut variables = Vec::new();
    head.variables(&mut variables);
    let each = |term: &Term| expression(term, &variables);
    let all = |list: &Term| list.proper_list()?.iter().map(each).collect::<Option<Vec<_>>>();
    let (guards, body) = (all(guards)?, all(body)?);
    (!body.is_empty()).then_some(MatchClause { head, guards, body })
}

fn expression(term: &Term, variables: &[u32]) -> Option<MatchExpression> {
    let all = |terms: &[Term]| {
        let each = |term: &Term| term::deeper(|| expression(term, variables));
        terms.iter().map(each).collect::<Option<Vec<_>>>()
    };
    match term {
        Term::Atom(_, atom) => match (atom.name(), variable(*atom)) {
            (_, Some(number)) => variables.contains(&number).then_some(MatchExpression::Variable(number)),
            ("$_", _) => Some(MatchExpression::Row),
            ("$$", _) => Some(MatchExpression::Bound),
            _ => Some(MatchExpression::Constant(term.clone())),
        },
        Term::Tuple(_, items) => match &items[..] {
            [Term::Tuple(_, parts)] => all(parts).map(MatchExpression::Tuple),
            [Term::Atom(_, name), args @ ..] if variable(*name).is_none() => call(*name, args, all),
            _ => None,
        },
        Term::Cons(_, cell) => {
            let [head, tail] = [&cell.head, &cell.tail].map(|part| all(std::slice::from_ref(part)));
            Some(MatchExpression::Cons(Box::new(head?.pop()?), Box::new(tail?.pop()?)))
        }
        Term::Map(_, map) => {
            let entry =
                |(key, value): (&Term, &Term)| Some((expression(key, variables)?, expression(value, variables)?));
            map.iter().map(entry).collect::<Option<Vec<_>>>().map(MatchExpression::Map)
        }
        _ => Some(MatchExpression::Constant(term.clone())),
    }
}

fn call(name: Atom, args: &[Term], all: impl Fn(&[Term]) -> Option<Vec<MatchExpression>>) -> Option<MatchExpression> {
    Some(match (name.name(), args) {
        ("const", [term]) => MatchExpression::Constant(term.clone()),
        ("and", [_, ..]) => MatchExpression::And(all(args)?),
        ("or", [_, ..]) => MatchExpression::Or(all(args)?),
        ("andalso" | "andthen", [_, ..]) => MatchExpression::AndAlso(all(args)?),
        ("orelse", [_, ..]) => MatchExpression::OrElse(all(args)?),
        ("self", []) => MatchExpression::Own,
        _ => MatchExpression::Call(function(name, args.len())?, all(args)?),
    })
}

/// True if a clause of `ets:select_replace/2` cannot change the key at a place.
pub fn keeps_key(clause: &Term, place: usize) -> bool {
    let Some([head, _, body]) = clause.as_tuple() else { return false };
    let Some([result]) = body.proper_list().and_then(|body| <[Term; 1]>::try_from(body).ok()) else { return false };
    if is_named(&result, "$_") {
        return true;
    }
    let part = |term: &Term| term.as_tuple().and_then(|items| items.get(place)).cloned();
    match (part(head), result.as_tuple()) {
        (Some(key), Some([name, row])) if is_named(name, "const") => {
            part(row).is_some_and(|it| is_key(&key, &it, true))
        }
        (Some(key), Some([row])) => part(row).is_some_and(|it| is_key(&key, &it, false) || is_element(&it, place)),
        _ => false,
    }
}

fn is_named(term: &Term, name: &str) -> bool {
    term.as_atom().is_some_and(|atom| atom.name() == name)
}

/// `{element, Place, '$_'}`
fn is_element(term: &Term, place: usize) -> bool {
    match term.as_tuple() {
        Some([name, at, row]) => {
            is_named(name, "element") && at.as_i64() == Some(place as i64 + 1) && is_named(row, "$_")
        }
        _ => false,
    }
}

/// True if a part of the result is the key that the head has.
fn is_key(key: &Term, part: &Term, constant: bool) -> bool {
    let all = |keys: &[Term], parts: &[Term], constant: bool| {
        keys.len() == parts.len() && keys.iter().zip(parts).all(|(key, part)| is_key(key, part, constant))
    };
    term::deeper(|| match (key, part) {
        (Term::Atom(_, atom), _) if matches!(atom.name(), "_" | "$_" | "$$") => false,
        (Term::Atom(_, atom), _) if constant && variable(*atom).is_some() => false,
        // The map of the row may have more keys.
        (_, Term::Map(..)) => false,
        (Term::Cons(_, key), Term::Cons(_, part)) => {
            is_key(&key.head, &part.head, constant) && is_key(&key.tail, &part.tail, constant)
        }
        (Term::Tuple(_, keys), Term::Tuple(_, parts)) if constant => all(keys, parts, true),
        (_, Term::Tuple(_, parts)) => match (key.as_tuple(), &parts[..]) {
            (Some(keys), [Term::Tuple(_, parts)]) => all(keys, parts, false),
            (_, [name, part]) if is_named(name, "const") => is_key(key, part, true),
            _ => false,
        },
        _ => key == part,
    })
}
