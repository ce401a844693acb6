//! The recogniser: whether a term is a value of a rule.

use constraint::{Grammar, MapField, RuleId, Shape};
use term::{Map, Term};

/// Returns true if a term is a value of a rule. Of a fun that is no table only the arity is looked at.
pub fn accepts(grammar: &Grammar, rule: RuleId, term: &Term) -> bool {
    match term {
        Term::Cons(..) => accepts_list(grammar, rule, term),
        _ => any_shape(grammar, rule, &mut |shape| shape_accepts(grammar, shape, term)),
    }
}

/// Returns true if a shape of the rule passes, shapes of rules it refers to as a whole included.
fn any_shape<'g>(grammar: &'g Grammar, rule: RuleId, test: &mut dyn FnMut(&'g Shape) -> bool) -> bool {
    let shapes = &grammar.rule(rule).shapes;
    if !shapes.iter().any(|shape| matches!(shape, Shape::Rule(_))) {
        return shapes.iter().any(test);
    }
    let mut seen = vec![rule];
    let mut at = 0;
    while at < seen.len() {
        for shape in &grammar.rule(seen[at]).shapes {
            match shape {
                Shape::Rule(next) if seen.contains(next) => {}
                Shape::Rule(next) => seen.push(*next),
                shape if test(shape) => return true,
                _ => {}
            }
        }
        at += 1;
    }
    false
}

/// Follows all rules that the rest of the list may have, cell by cell: neither long lists nor many rules are deep.
fn accepts_list(grammar: &Grammar, rule: RuleId, list: &Term) -> bool {
    let mut rules = vec![rule];
    let mut rest = list;
    while let Term::Cons(_, cell) = rest {
        let mut next = Vec::new();
        let whole = rules.iter().any(|rule| {
            any_shape(grammar, *rule, &mut |shape| match shape {
                Shape::Any => true,
                Shape::Literal(literal) => literal == rest,
                Shape::Cons(first, others) => {
                    if !next.contains(others) && term::deeper(|| accepts(grammar, *first, &cell.head)) {
                        next.push(*others);
                    }
                    false
                }
                _ => false,
            })
        });
        if whole {
            return true;
        }
        if next.is_empty() {
            return false;
        }
        rules = next;
        rest = &cell.tail;
    }
    rules.iter().any(|rule| accepts(grammar, *rule, rest))
}

fn shape_accepts(grammar: &Grammar, shape: &Shape, term: &Term) -> bool {
    match (shape, term) {
        (Shape::Any, _) => true,
        (Shape::Literal(literal), term) => literal == term,
        (Shape::Atom, Term::Atom(..)) | (Shape::Float, Term::Float(..)) | (Shape::AnyTuple, Term::Tuple(..)) => true,
        (Shape::Integer { low, high }, term) => term.as_bigint().is_some_and(|value| {
            low.as_ref().is_none_or(|low| *low <= value) && high.as_ref().is_none_or(|high| value <= *high)
        }),
        (Shape::Tuple(rules), Term::Tuple(_, items)) => {
            rules.len() == items.len()
                && rules.iter().zip(items.iter()).all(|(rule, item)| term::deeper(|| accepts(grammar, *rule, item)))
        }
        (Shape::Map(fields), Term::Map(_, map)) => fields_accept(grammar, fields, map),
        (Shape::Bits { base, unit }, Term::Bits(_, bits)) => bits_accept(*base, *unit, bits.bit_len() as u64),
        (Shape::Fun { params, result }, Term::Fun(_, fun)) => {
            params.as_ref().is_none_or(|params| params.len() == usize::from(fun.arity()))
                && gives(term, &mut |value| term::deeper(|| accepts(grammar, *result, value)))
        }
        (Shape::Pid, Term::Handle(_, handle)) => handle.kind == term::HandleKind::Pid,
        (Shape::Port, Term::Handle(_, handle)) => handle.kind == term::HandleKind::Port,
        (Shape::Reference, Term::Handle(_, handle)) => handle.kind == term::HandleKind::Reference,
        _ => false,
    }
}

/// Every key belongs to the first field that takes it, and every mandatory field has a key.
pub fn fields_accept(grammar: &Grammar, fields: &[MapField], map: &Map) -> bool {
    let mut found = vec![false; fields.len()];
    for (key, value) in map.iter() {
        let Some(at) = fields.iter().position(|field| term::deeper(|| accepts(grammar, field.key, key))) else {
            return false;
        };
        if !term::deeper(|| accepts(grammar, fields[at].value, value)) {
            return false;
        }
        found[at] = true;
    }
    fields.iter().zip(found).all(|(field, found)| found || !field.mandatory)
}

/// Returns true if everything that a table gives is as wanted.
pub fn gives(fun: &Term, wanted: &mut dyn FnMut(&Term) -> bool) -> bool {
    let Some(table) = fun.as_table() else { return true };
    wanted(table.default()) && table.rows().iter().all(|row| wanted(&row.result))
}

/// Returns true if a length is `base` plus a multiple of `unit`.
pub fn bits_accept(base: u64, unit: u64, len: u64) -> bool {
    len == base || (unit != 0 && len > base && (len - base).is_multiple_of(unit))
}
