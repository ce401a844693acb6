//! The rules of inputs: a term of a rule has one of its shapes, and its parts are terms of the shape's rules.

use std::collections::VecDeque;

use constraint::{Grammar, MapField, RuleId, Shape};
use rustc_hash::FxHashSet;
use term::Term;

use crate::commands::{and, implies, integer, or};
use crate::encode::{ClaimEncoder, input};

/// Terms that no condition names and whose rules are looked at all the same.
const BEYOND: usize = 60;
/// Terms whose rules are looked at in all.
const MOST: usize = 3000;

/// Terms whose rules are to be stated.
#[derive(Default)]
struct Todo {
    named: VecDeque<(RuleId, String)>,
    others: VecDeque<(RuleId, String)>,
}

impl ClaimEncoder<'_> {
    /// States that the inputs are terms of their rules.
    pub fn state_rules(&mut self) {
        let proper = proper_rules(self.claim.grammar, &|_| true);
        let texts = proper_rules(self.claim.grammar, &|head| is_character_rule(self.claim.grammar, head));
        let mut todo = Todo::default();
        for (at, rule) in self.claim.inputs.iter().enumerate() {
            self.script.function(&predicate(*rule), "Bool", 1);
            self.script.assert(&format!("({} {})", predicate(*rule), input(at)));
            todo.named.push_back((*rule, input(at)));
        }
        let (mut seen, mut beyond) = (FxHashSet::default(), BEYOND);
        while seen.len() < MOST {
            let next = todo.named.pop_front().or_else(|| {
                beyond = beyond.checked_sub(1)?;
                todo.others.pop_front()
            });
            let Some((rule, term)) = next else { break };
            if !seen.insert((rule, term.clone())) {
                continue;
            }
            self.state_rule(rule, &term, &mut todo);
            let whole = format!("({} {term})", predicate(rule));
            if proper.contains(&rule) && !self.lists.is_empty() {
                self.script.assert_if(&whole, &format!("(proper {term})"));
            }
            if texts.contains(&rule) && self.texts {
                self.script.assert_if(&whole, &format!("(text {term})"));
            }
        }
    }

    fn state_rule(&mut self, rule: RuleId, term: &str, todo: &mut Todo) {
        let grammar = self.claim.grammar;
        let shapes = &grammar.rule(rule).shapes;
        if shapes.contains(&Shape::Any) {
            return;
        }
        if !shapes.iter().any(has_parts) {
            self.plain.insert(term.to_owned());
        }
        let shapes: Vec<String> = shapes.iter().map(|shape| self.shape(shape, term, todo)).collect();
        self.script.assert_if(&format!("({} {term})", predicate(rule)), &or(shapes));
    }

    /// The fact that a term is of a rule, whose meaning is stated later.
    fn of_rule(&mut self, rule: RuleId, term: String, todo: &mut Todo) -> String {
        if self.claim.grammar.rule(rule).shapes.contains(&Shape::Any) {
            return String::from("true");
        }
        self.script.function(&predicate(rule), "Bool", 1);
        let fact = format!("({} {term})", predicate(rule));
        let is_named = !term.starts_with('(');
        if is_named { &mut todo.named } else { &mut todo.others }.push_back((rule, term));
        fact
    }

    fn shape(&mut self, shape: &Shape, x: &str, todo: &mut Todo) -> String {
        let tester = match shape {
            Shape::Any => return String::from("true"),
            Shape::Literal(term) => return format!("(= {x} {})", self.literal(term)),
            Shape::Integer { low, high } => {
                let low = low.as_ref().map(|low| format!("(<= {} (iv {x}))", integer(low)));
                let high = high.as_ref().map(|high| format!("(<= (iv {x}) {})", integer(high)));
                return and([format!("(isint {x})")].into_iter().chain(low).chain(high));
            }
            Shape::Cons(head, tail) => {
                let (hd, tl) = (self.part("hd", x), self.part("tl", x));
                let (hd, tl) = (self.of_rule(*head, hd, todo), self.of_rule(*tail, tl, todo));
                return and([format!("(iscons {x})"), hd, tl]);
            }
            Shape::Tuple(items) => return self.tuple(items, x, todo),
            Shape::Map(fields) => return self.fields(fields, x, todo),
            Shape::Bits { base, unit } => {
                let more = format!("(- (bits {x}) {base})");
                let size = match unit {
                    0 => format!("(= {more} 0)"),
                    unit => format!("(and (>= {more} 0) (= (mod {more} {unit}) 0))"),
                };
                return and([format!("(isbin {x})"), size]);
            }
            Shape::Fun { params, result } => return self.fun(params.as_deref(), *result, x, todo),
            Shape::Rule(rule) => return self.of_rule(*rule, x.to_owned(), todo),
            Shape::Atom => "isatm",
            Shape::Float => "isflt",
            Shape::AnyTuple => "istup",
            Shape::Pid => "(_ is mkpid)",
            Shape::Port => "(_ is mkprt)",
            Shape::Reference => "(_ is mkref)",
        };
        format!("({tester} {x})")
    }

    fn tuple(&mut self, items: &[RuleId], x: &str, todo: &mut Todo) -> String {
        let mut facts = vec![self.has_size(x, items.len() as u32)];
        for (at, rule) in items.iter().enumerate() {
            let cell = self.cell(x, at as u32, &mut Vec::new());
            let item = self.part("hd", &cell);
            facts.push(self.of_rule(*rule, item, todo));
        }
        and(facts)
    }

    fn fun(&mut self, params: Option<&[RuleId]>, result: RuleId, x: &str, todo: &mut Todo) -> String {
        let mut facts = vec![format!("(isfun {x})")];
        facts.extend(params.map(|params| format!("(= (arity {x}) {})", params.len())));
        let calls: Vec<String> =
            self.results.iter().filter(|(fun, ..)| fun == x).map(|(_, _, value)| value.clone()).collect();
        for value in calls {
            facts.push(self.of_rule(result, value, todo));
        }
        and(facts)
    }

    /// A map has the mandatory fields whose key is a constant, and each of its keys belongs to some field.
    fn fields(&mut self, fields: &[MapField], x: &str, todo: &mut Todo) -> String {
        let mut facts = vec![format!("(ismap {x})")];
        let single = |grammar: &Grammar, rule: RuleId| match &grammar.rule(rule).shapes[..] {
            [Shape::Literal(term)] => Some(term.clone()),
            _ => None,
        };
        let keys: Vec<Option<Term>> = fields.iter().map(|field| single(self.claim.grammar, field.key)).collect();
        self.maps.add(x, None);
        if keys.iter().all(Option::is_some) {
            facts.push(format!("(<= (size {x}) {})", fields.len()));
        }
        for (field, key) in fields.iter().zip(&keys) {
            let Some(key) = key.as_ref().filter(|_| field.mandatory) else { continue };
            let key = self.literal(key);
            self.maps.add_key(&key);
            facts.push(format!("(has {x} {key})"));
        }
        for key in self.maps.keys.clone() {
            let value = self.named_part(&format!("(get {x} {key})"));
            let mut some = Vec::new();
            for field in fields {
                let belongs = self.of_rule(field.key, key.clone(), todo);
                some.push(and([belongs, self.of_rule(field.value, value.clone(), todo)]));
            }
            facts.push(implies(&format!("(has {x} {key})"), &or(some)));
        }
        and(facts)
    }

    fn named_part(&self, text: &str) -> String {
        self.parts.get(text).cloned().unwrap_or_else(|| text.to_owned())
    }
}

/// Returns true if a shape has terms that are cells or tuples.
fn has_parts(shape: &Shape) -> bool {
    match shape {
        Shape::Literal(term) => matches!(term, Term::Cons(..) | Term::Tuple(..)),
        shape => matches!(shape, Shape::Any | Shape::Cons(..) | Shape::Tuple(_) | Shape::AnyTuple | Shape::Rule(_)),
    }
}

fn predicate(rule: RuleId) -> String {
    format!("rule{}", rule.0)
}

/// The rules all of whose terms are lists that end in `[]`, with heads of rules that are as wanted. Terms are finite, so
/// that the rules may refer to each other.
fn proper_rules(grammar: &Grammar, head: &dyn Fn(RuleId) -> bool) -> FxHashSet<RuleId> {
    let mut proper: FxHashSet<RuleId> = (0..grammar.len() as u32).map(RuleId).collect();
    loop {
        let fits = |rule: &RuleId| {
            grammar.rule(*rule).shapes.iter().all(|shape| match shape {
                Shape::Literal(Term::Nil(_)) => true,
                Shape::Cons(first, rest) => head(*first) && proper.contains(rest),
                Shape::Rule(rule) => proper.contains(rule),
                _ => false,
            })
        };
        let kept: FxHashSet<RuleId> = proper.iter().copied().filter(fits).collect();
        if kept.len() == proper.len() {
            return kept;
        }
        proper = kept;
    }
}

/// Returns true if all terms of a rule are characters, as far as its shapes show.
fn is_character_rule(grammar: &Grammar, rule: RuleId) -> bool {
    grammar.rule(rule).shapes.iter().all(|shape| match shape {
        Shape::Integer { low: Some(low), high: Some(high) } => *low >= 0.into() && *high < 0xd800.into(),
        Shape::Literal(term) => constraint::is_character(term),
        _ => false,
    })
}
