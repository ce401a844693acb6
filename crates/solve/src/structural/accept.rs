//! The recogniser: whether a term is a value of a rule.

use constraint::{Grammar, MapField, RuleId, Shape};
use rustc_hash::FxHashMap;
use term::{Map, Term};

/// Questions after which answers are kept. Where several shapes of a rule begin alike, each looks at the same parts, and so
/// does each of theirs: without that the work may double with every level.
const PLAIN: u32 = 1_000;

/// Returns true if a term is a value of a rule. Of a fun that is no table only the arity is looked at.
pub fn accepts(grammar: &Grammar, rule: RuleId, term: &Term) -> bool {
    Recogniser::new(grammar).accepts(rule, term)
}

/// Every key belongs to the first field that takes it, and every mandatory field has a key.
pub fn fields_accept(grammar: &Grammar, fields: &[MapField], map: &Map) -> bool {
    Recogniser::new(grammar).fields_accept(fields, map)
}

/// Answers about the parts of one term.
struct Recogniser<'g> {
    grammar: &'g Grammar,
    /// Questions so far.
    asked: u32,
    /// By rule and place of a part that has parts.
    known: FxHashMap<(RuleId, *const Term), bool>,
}

impl<'g> Recogniser<'g> {
    fn new(grammar: &'g Grammar) -> Recogniser<'g> {
        Recogniser { grammar, asked: 0, known: FxHashMap::default() }
    }

    fn accepts(&mut self, rule: RuleId, term: &Term) -> bool {
        self.asked = self.asked.saturating_add(1);
        let has_parts = matches!(term, Term::Cons(..) | Term::Tuple(..) | Term::Map(..) | Term::Fun(..));
        if self.asked < PLAIN || !has_parts {
            return self.decides(rule, term);
        }
        // Parts stay where they are as long as their term is looked at.
        let key = (rule, std::ptr::from_ref(term));
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let accepted = self.decides(rule, term);
        self.known.insert(key, accepted);
        accepted
    }

    fn decides(&mut self, rule: RuleId, term: &Term) -> bool {
        match term {
            Term::Cons(..) => self.accepts_list(rule, term),
            _ => any_shape(self.grammar, rule, &mut |shape| self.shape_accepts(shape, term)),
        }
    }

    /// Follows all rules that the rest of the list may have, cell by cell: neither long lists nor many rules are deep.
    fn accepts_list(&mut self, rule: RuleId, list: &Term) -> bool {
        let mut rules = vec![rule];
        let mut rest = list;
        while let Term::Cons(_, cell) = rest {
            let mut next = Vec::new();
            let whole = rules.iter().any(|rule| {
                any_shape(self.grammar, *rule, &mut |shape| match shape {
                    Shape::Any => true,
                    Shape::Literal(literal) => literal == rest,
                    Shape::Cons(first, others) => {
                        if !next.contains(others) && term::deeper(|| self.accepts(*first, &cell.head)) {
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
        rules.iter().any(|rule| self.accepts(*rule, rest))
    }

    fn shape_accepts(&mut self, shape: &Shape, term: &Term) -> bool {
        match (shape, term) {
            (Shape::Any, _) => true,
            (Shape::Literal(literal), term) => literal == term,
            (Shape::Atom, Term::Atom(..)) | (Shape::Float, Term::Float(..)) | (Shape::AnyTuple, Term::Tuple(..)) => {
                true
            }
            (Shape::Integer { low, high }, term) => term.as_bigint().is_some_and(|value| {
                low.as_ref().is_none_or(|low| *low <= value) && high.as_ref().is_none_or(|high| value <= *high)
            }),
            (Shape::Tuple(rules), Term::Tuple(_, items)) => {
                rules.len() == items.len()
                    && rules.iter().zip(items.iter()).all(|(rule, item)| term::deeper(|| self.accepts(*rule, item)))
            }
            (Shape::Map(fields), Term::Map(_, map)) => self.fields_accept(fields, map),
            (Shape::Bits { base, unit }, Term::Bits(_, bits)) => bits_accept(*base, *unit, bits.bit_len() as u64),
            (Shape::Fun { params, result }, Term::Fun(_, fun)) => {
                params.as_ref().is_none_or(|params| params.len() == usize::from(fun.arity()))
                    && gives(term, &mut |value| term::deeper(|| self.accepts(*result, value)))
            }
            (Shape::Pid, Term::Handle(_, handle)) => handle.kind == term::HandleKind::Pid,
            (Shape::Port, Term::Handle(_, handle)) => handle.kind == term::HandleKind::Port,
            (Shape::Reference, Term::Handle(_, handle)) => handle.kind == term::HandleKind::Reference,
            _ => false,
        }
    }

    fn fields_accept(&mut self, fields: &[MapField], map: &Map) -> bool {
        let mut found = vec![false; fields.len()];
        for (key, value) in map.iter() {
            let Some(at) = fields.iter().position(|field| term::deeper(|| self.accepts(field.key, key))) else {
                return false;
            };
            if !term::deeper(|| self.accepts(fields[at].value, value)) {
                return false;
            }
            found[at] = true;
        }
        fields.iter().zip(found).all(|(field, found)| found || !field.mandatory)
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

/// Returns true if everything that a table gives is as wanted.
pub fn gives(fun: &Term, wanted: &mut dyn FnMut(&Term) -> bool) -> bool {
    let Some(table) = fun.as_table() else { return true };
    wanted(table.default()) && table.rows().iter().all(|row| wanted(&row.result))
}

/// Returns true if a length is `base` plus a multiple of `unit`.
pub fn bits_accept(base: u64, unit: u64, len: u64) -> bool {
    len == base || (unit != 0 && len > base && (len - base).is_multiple_of(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each level may be either of two tuples that begin alike.
    #[test]
    fn shapes_that_begin_alike_do_not_double_the_work() {
        let mut grammar = Grammar::default();
        let tag = grammar.intern(vec![Shape::Literal(Term::atom_named("next"))]);
        let integer = grammar.intern(vec![Shape::Integer { low: None, high: None }]);
        let atom = grammar.intern(vec![Shape::Atom]);
        let mut rule = grammar.intern(vec![Shape::Literal(Term::nil())]);
        let levels = 80;
        for _ in 0..levels {
            let ways = [integer, atom].map(|last| Shape::Tuple([tag, rule, last].into()));
            rule = grammar.intern(ways.into());
        }
        grammar.close();
        let chain = |first: Term, last: Term| {
            (0..levels).fold(first, |term, _| Term::tuple([Term::atom_named("next"), term, last.clone()]))
        };
        for last in [Term::int(0), Term::atom_named("a")] {
            assert!(accepts(&grammar, rule, &chain(Term::nil(), last.clone())));
            assert!(!accepts(&grammar, rule, &chain(Term::int(1), last)));
        }
        assert!(!accepts(&grammar, rule, &chain(Term::nil(), Term::nil())));
    }
}
