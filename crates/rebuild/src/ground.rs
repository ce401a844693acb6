//! Values for what is unknown: those that the spec allows, and that no clause before the wanted one takes.

use constraint::{Grammar, RuleId, Shape};
use frontend::flat::Pattern;
use frontend::instrument::CaseSite;
use rustc_hash::FxHashMap;
use solve::structural::{accepts, smallest};
use term::{Atom, Map, Term};

use crate::eval::Alternative;
use crate::partial_term::PartialTerm;

/// The most values that an unknown is tried with.
const TRIES: usize = 12;

/// Inputs of an alternative; nothing if none was found that the rules allow and that gets to the clause.
pub fn ground(grammar: &Grammar, rules: &[RuleId], alternative: &Alternative) -> Option<Vec<Term>> {
    let unknowns = Unknowns::of(grammar, rules, &alternative.params);
    let mut values: Vec<Term> = Vec::new();
    for (at, unknown) in unknowns.list.iter().enumerate() {
        values.push(unknown.value(grammar, at, 0)?);
    }
    let fits = |values: &[Term]| inputs(grammar, rules, alternative, &unknowns, values);
    if let Some(inputs) = fits(&values) {
        return Some(inputs);
    }
    for at in 0..values.len() {
        let usual = values[at].clone();
        for other in (1..TRIES).filter_map(|attempt| unknowns.list[at].value(grammar, at, attempt)) {
            values[at] = other;
            if let Some(inputs) = fits(&values) {
                return Some(inputs);
            }
        }
        values[at] = usual;
    }
    None
}

fn inputs(
    grammar: &Grammar,
    rules: &[RuleId],
    alternative: &Alternative,
    unknowns: &Unknowns,
    values: &[Term],
) -> Option<Vec<Term>> {
    let filled = |answer: &PartialTerm| unknowns.fill(answer, values);
    let inputs: Vec<Term> = alternative.params.iter().map(filled).collect::<Option<_>>()?;
    let allowed = rules.iter().zip(&inputs).all(|(rule, input)| accepts(grammar, *rule, input));
    let taken = match alternative.arg.iter().map(filled).collect::<Option<Vec<Term>>>() {
        Some(arg) => earlier_takes(&alternative.case, alternative.clause, &arg),
        // What decides is not known from the inputs.
        None => false,
    };
    (allowed && !taken).then_some(inputs)
}

/// True if a clause before this one surely takes the argument.
fn earlier_takes(case: &CaseSite, clause: u32, arg: &[Term]) -> bool {
    let earlier = case.alternatives.iter().take(clause as usize).filter(|alternative| !alternative.guarded);
    let takes = |patterns: &[Pattern]| patterns.iter().zip(arg).all(|(pattern, value)| takes(pattern, value));
    earlier.into_iter().any(|alternative| takes(&alternative.patterns))
}

fn takes(pattern: &Pattern, value: &Term) -> bool {
    match (pattern, value) {
        (Pattern::Var(_), _) => true,
        (Pattern::Alias(_, inner), _) => takes(inner, value),
        (Pattern::Literal(literal), _) => literal == value,
        (Pattern::Cons(parts), Term::Cons(_, cell)) => takes(&parts.0, &cell.head) && takes(&parts.1, &cell.tail),
        (Pattern::Tuple(items), Term::Tuple(_, values)) => {
            items.len() == values.len() && items.iter().zip(values.iter()).all(|(item, value)| takes(item, value))
        }
        _ => false,
    }
}

/// The unknowns of the parameters, in the order in which they are met.
struct Unknowns {
    list: Vec<Unknown>,
    places: FxHashMap<u32, usize>,
}

struct Unknown {
    rule: Option<RuleId>,
    /// It is the rest of a list.
    rest: bool,
}

impl Unknowns {
    fn of(grammar: &Grammar, rules: &[RuleId], params: &[PartialTerm]) -> Unknowns {
        let mut unknowns = Unknowns { list: Vec::new(), places: FxHashMap::default() };
        for (at, param) in params.iter().enumerate() {
            unknowns.meet(grammar, rules.get(at).copied(), param, false);
        }
        unknowns
    }

    fn meet(&mut self, grammar: &Grammar, rule: Option<RuleId>, answer: &PartialTerm, rest: bool) {
        match answer {
            PartialTerm::Unknown(number) if !self.places.contains_key(number) => {
                self.places.insert(*number, self.list.len());
                self.list.push(Unknown { rule, rest });
            }
            PartialTerm::Unknown(_)
            | PartialTerm::Literal(_)
            | PartialTerm::Bits(_)
            | PartialTerm::Applied(..)
            | PartialTerm::Cut => {}
            PartialTerm::Cons(parts) => {
                let inner = rule.and_then(|rule| cons(grammar, rule));
                self.meet(grammar, inner.map(|(head, _)| head), &parts.0, false);
                self.meet(grammar, inner.map(|(_, tail)| tail), &parts.1, true);
            }
            PartialTerm::Tuple(items) => {
                let inner = rule.and_then(|rule| tuple(grammar, rule, items.len()));
                for (at, item) in items.iter().enumerate() {
                    self.meet(grammar, inner.as_ref().map(|rules| rules[at]), item, false);
                }
            }
            PartialTerm::Map { pairs, .. } => {
                for (key, value) in pairs {
                    self.meet(grammar, None, key, false);
                    let inner = rule.and_then(|rule| field(grammar, rule, key));
                    self.meet(grammar, inner, value, false);
                }
            }
        }
    }

    /// The term; nothing if a part of it is known only to the run.
    fn fill(&self, answer: &PartialTerm, values: &[Term]) -> Option<Term> {
        term::deeper(|| match answer {
            PartialTerm::Unknown(number) => self.places.get(number).map(|at| values[*at].clone()),
            PartialTerm::Literal(term) => Some(term.clone()),
            PartialTerm::Cons(parts) => Some(Term::cons(self.fill(&parts.0, values)?, self.fill(&parts.1, values)?)),
            PartialTerm::Tuple(items) => {
                Some(Term::tuple(items.iter().map(|item| self.fill(item, values)).collect::<Option<Vec<Term>>>()?))
            }
            PartialTerm::Map { pairs, .. } => {
                let pair = |(key, value): &(PartialTerm, PartialTerm)| {
                    Some((self.fill(key, values)?, self.fill(value, values)?))
                };
                Some(Term::map(Map::from_pairs(pairs.iter().map(pair).collect::<Option<Vec<_>>>()?)))
            }
            PartialTerm::Bits(_) | PartialTerm::Applied(..) | PartialTerm::Cut => None,
        })
    }
}

impl Unknown {
    /// A value: the rest of a list is empty, others have names of their own, as far as the rule allows that.
    fn value(&self, grammar: &Grammar, at: usize, attempt: usize) -> Option<Term> {
        let letter = |number: usize| Term::atom(Atom::new(&letters(number)));
        let usual = if self.rest { Term::nil() } else { letter(at) };
        let smallest = self.rule.and_then(|rule| smallest(grammar, rule));
        let others = [
            letter(at + 26),
            Term::int(0),
            Term::int(at as i64 + 1),
            Term::nil(),
            Term::tuple([]),
            Term::list([letter(at)]),
            Term::tuple([letter(at)]),
            Term::float(0.5),
            Term::binary(Vec::new()),
        ];
        let all = [usual].into_iter().chain(smallest).chain(others);
        let allowed = |value: &Term| self.rule.is_none_or(|rule| accepts(grammar, rule, value));
        all.filter(allowed).nth(attempt)
    }
}

/// `a`, `b`, …, `z`, `a1`, …
fn letters(number: usize) -> String {
    let letter = char::from(b'a' + (number % 26) as u8);
    if number < 26 { letter.to_string() } else { format!("{letter}{}", number / 26) }
}

/// The rules of head and tail.
fn cons(grammar: &Grammar, rule: RuleId) -> Option<(RuleId, RuleId)> {
    grammar.rule(rule).shapes.iter().find_map(|shape| match shape {
        Shape::Cons(head, tail) => Some((*head, *tail)),
        _ => None,
    })
}

fn tuple(grammar: &Grammar, rule: RuleId, len: usize) -> Option<Vec<RuleId>> {
    grammar.rule(rule).shapes.iter().find_map(|shape| match shape {
        Shape::Tuple(items) if items.len() == len => Some(items.clone()),
        _ => None,
    })
}

/// The rule of the value of a key.
fn field(grammar: &Grammar, rule: RuleId, key: &PartialTerm) -> Option<RuleId> {
    let PartialTerm::Literal(key) = key else { return None };
    let fields = grammar.rule(rule).shapes.iter().filter_map(|shape| match shape {
        Shape::Map(fields) => Some(fields),
        _ => None,
    });
    fields.flatten().find(|field| accepts(grammar, field.key, key)).map(|field| field.value)
}
