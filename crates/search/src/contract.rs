//! The contract of a function: what its spec says of the values that it gives.

mod kinds;

use constraint::{Arena, Condition, Evaluator, Expr, Grammar, MapField, RuleId, Shape, Test};
use exec::forward::maker_of_number;
use num_bigint::BigInt;
use solve::structural::{accepts, fields_accept};
use term::{Notation, Term};

use crate::rank::{InputParts, PartType};
use crate::subject::{EntryPoint, Signature};

/// A value held to the results that the spec has for the inputs.
#[derive(Clone, Default, Debug)]
pub struct ContractCheck {
    /// True if it is none of them.
    pub is_broken: bool,
    /// True if it is the value of a property, which has to be `true`.
    pub is_property: bool,
    /// Bounds that it keeps, as far as inputs decide that; also that parts of it are not of kinds which inputs may be of.
    pub bounds: Vec<Condition>,
}

/// Bounds of one value that are noted.
const BOUNDS: usize = 8;

/// Cells of a list whose elements are looked at.
const CELLS: usize = 100;

impl ContractCheck {
    /// Checks the value of a property.
    pub fn of_property(value: &Term) -> ContractCheck {
        ContractCheck { is_broken: value.as_bool() != Some(true), is_property: true, bounds: Vec::new() }
    }

    /// Checks a value of a call with these inputs. Nothing is said of results that are not known.
    pub fn of(
        entry: &EntryPoint,
        grammar: &Grammar,
        arena: &mut Arena,
        inputs: &[Term],
        value: &Term,
    ) -> ContractCheck {
        let allows = |signature: &&Signature| signature.allows(grammar, inputs);
        let allowing: Vec<&Signature> = entry.signatures.iter().filter(allows).collect();
        let Some(results) = allowing.iter().map(|signature| signature.result).collect::<Option<Vec<RuleId>>>() else {
            return ContractCheck::default();
        };
        let Some(result) = results.iter().find(|result| accepts(grammar, **result, value)) else {
            return ContractCheck { is_broken: !results.is_empty(), ..ContractCheck::default() };
        };
        // What breaks one of several results may be another.
        let mut bounds = Vec::new();
        if let [Signature { inputs: rules, .. }] = allowing[..] {
            Bounds { grammar, arena, rules, inputs, found: &mut bounds }.of(*result, value);
        }
        ContractCheck { bounds, ..ContractCheck::default() }
    }
}

struct Bounds<'a> {
    grammar: &'a Grammar,
    arena: &'a mut Arena,
    /// The rules of the inputs.
    rules: &'a [RuleId],
    inputs: &'a [Term],
    found: &'a mut Vec<Condition>,
}

impl Bounds<'_> {
    /// Notes the bounds of a value of a rule, and of its parts.
    fn of(&mut self, rule: RuleId, value: &Term) {
        if self.found.len() >= BOUNDS {
            return;
        }
        if let Some(expr) = self.arena.of_mark(value.mark()) {
            self.of_number(rule, expr, value);
            return self.of_kind(rule, expr);
        }
        let grammar = self.grammar;
        match value {
            Term::Tuple(_, items) => {
                let is_it = |rules: &&Vec<RuleId>| {
                    rules.len() == items.len()
                        && rules.iter().zip(items.iter()).all(|(rule, it)| accepts(grammar, *rule, it))
                };
                let tuples = grammar.rule(rule).shapes.iter().filter_map(|shape| match shape {
                    Shape::Tuple(rules) => Some(rules),
                    _ => None,
                });
                if let Some(rules) = tuples.clone().find(is_it) {
                    rules.iter().zip(items.iter()).for_each(|(rule, item)| term::deeper(|| self.of(*rule, item)));
                }
            }
            Term::Cons(..) => self.of_list(rule, value),
            Term::Map(_, map) => {
                let mut maps = grammar.rule(rule).shapes.iter().filter_map(|shape| match shape {
                    Shape::Map(fields) if fields_accept(grammar, fields, map) => Some(fields),
                    _ => None,
                });
                let (Some(fields), None) = (maps.next(), maps.next()) else { return };
                for (key, value) in map.iter() {
                    let field = fields.iter().find(|field| accepts(grammar, field.key, key));
                    field.into_iter().for_each(|field| term::deeper(|| self.of(field.value, value)));
                }
            }
            _ => {}
        }
    }

    fn of_list(&mut self, mut rule: RuleId, list: &Term) {
        let mut rest = list;
        for _ in 0..CELLS {
            let Term::Cons(mark, cell) = rest else { return };
            let shapes = &self.grammar.rule(rule).shapes;
            let cells = shapes.iter().filter_map(|shape| match shape {
                Shape::Cons(head, tail) => Some((*head, *tail)),
                _ => None,
            });
            let mut fitting = cells.filter(|(head, _)| accepts(self.grammar, *head, &cell.head));
            let (Some((head, tail)), None, false) = (fitting.next(), fitting.next(), mark.is_some()) else { return };
            term::deeper(|| self.of(head, &cell.head));
            (rule, rest) = (tail, &cell.tail);
        }
    }

    /// Notes that a part of an input is not of the kinds that its spec has and the result must not be of.
    fn of_kind(&mut self, rule: RuleId, part: Expr) {
        let (grammar, rules) = (self.grammar, self.rules);
        let values = Evaluator::new(&*self.arena, self.inputs);
        let mut parts = InputParts { arena: &*self.arena, grammar, rules, values, notation: Notation::ERLANG };
        let Some(PartType::Rules(given)) = parts.type_of(part) else { return };
        for test in kinds::foreign(grammar, (part, &given), rule, |term| self.arena.literal(term)) {
            self.found.push(Condition { test, holds: false });
        }
    }

    /// Notes the bounds of an integer.
    fn of_number(&mut self, rule: RuleId, expr: Expr, value: &Term) {
        let Some(number) = value.as_bigint() else { return };
        if maker_of_number(self.arena, [expr]).is_some() {
            return;
        }
        let shapes = &self.grammar.rule(rule).shapes;
        let has = |low: &Option<BigInt>, high: &Option<BigInt>| {
            low.as_ref().is_none_or(|low| *low <= number) && high.as_ref().is_none_or(|high| number <= *high)
        };
        let mut ranges = shapes.iter().filter_map(|shape| match shape {
            Shape::Integer { low, high } if has(low, high) => Some((low, high)),
            _ => None,
        });
        let is_whole = shapes.iter().any(|shape| matches!(shape, Shape::Any));
        let (Some((low, high)), false) = (ranges.next(), is_whole) else { return };
        if let Some(low) = low {
            let low = self.arena.literal(Term::big(low.clone()));
            self.found.push(Condition { test: Test::Less(expr, low), holds: false });
        }
        if let Some(high) = high {
            let high = self.arena.literal(Term::big(high.clone()));
            self.found.push(Condition { test: Test::Less(high, expr), holds: false });
        }
    }
}

/// A type as it is written in a spec, as far as it fits a line.
pub fn written(grammar: &Grammar, rule: RuleId) -> String {
    written_in(Notation::ERLANG, grammar, rule)
}

pub(crate) fn written_in(notation: Notation<'_>, grammar: &Grammar, rule: RuleId) -> String {
    Types { notation, grammar, open: Vec::new() }.of(rule)
}

/// A value that the spec does not allow, in the words of a language.
pub fn broken_contract(
    notation: Notation<'_>,
    grammar: &Grammar,
    entry: &EntryPoint,
    signature: usize,
    value: &Term,
) -> String {
    let result = entry.signatures.get(signature).and_then(|signature| signature.result);
    let expected = result.map(|result| written_in(notation, grammar, result)).unwrap_or_default();
    format!("gives {}, which the spec does not have: {expected}", notation.shown(value))
}

struct Types<'a> {
    notation: Notation<'a>,
    grammar: &'a Grammar,
    /// The rules that are being written.
    open: Vec<RuleId>,
}

/// Types within types that are written out.
const DEPTH: usize = 4;

impl Types<'_> {
    fn of(&mut self, rule: RuleId) -> String {
        if let (Some((_, name)), false) = (self.grammar.rule(rule).name, self.open.is_empty()) {
            return format!("{name}()");
        }
        if self.open.len() >= DEPTH || self.open.contains(&rule) {
            return "…".to_owned();
        }
        self.open.push(rule);
        let written = self.shapes(rule);
        self.open.pop();
        written
    }

    fn shapes(&mut self, rule: RuleId) -> String {
        let shapes = &self.grammar.rule(rule).shapes;
        let is_nil = |shape: &Shape| matches!(shape, Shape::Literal(Term::Nil(_)));
        let has_nil = shapes.iter().any(is_nil);
        let has_cons = shapes.iter().any(|shape| matches!(shape, Shape::Cons(..)));
        let is_bool = |shape: &Shape| matches!(shape, Shape::Literal(it) if it.as_bool().is_some());
        let mut parts: Vec<String> = Vec::new();
        for shape in shapes.iter().filter(|shape| !(is_nil(shape) && has_cons)) {
            let part = match shape {
                shape if is_bool(shape) && shapes.iter().filter(|it| is_bool(it)).count() == 2 => {
                    "boolean()".to_owned()
                }
                Shape::Cons(head, _) if has_nil => format!("[{}]", self.of(*head)),
                Shape::Cons(head, _) => format!("[{}, ...]", self.of(*head)),
                shape => self.shape(shape),
            };
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        if parts.is_empty() { "no_return()".to_owned() } else { parts.join(" | ") }
    }

    fn shape(&mut self, shape: &Shape) -> String {
        match shape {
            Shape::Any => "term()".to_owned(),
            Shape::Literal(term) => self.notation.shown(term),
            Shape::Atom => "atom()".to_owned(),
            Shape::Integer { low, high } => range(low.as_ref(), high.as_ref()),
            Shape::Float => "float()".to_owned(),
            Shape::AnyTuple => "tuple()".to_owned(),
            Shape::Tuple(rules) => {
                let parts: Vec<String> = rules.iter().map(|rule| self.of(*rule)).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Shape::Map(fields) => {
                let field = |field: &MapField, types: &mut Self| {
                    let arrow = if field.mandatory { ":=" } else { "=>" };
                    format!("{} {arrow} {}", types.of(field.key), types.of(field.value))
                };
                if self.notation.is_elixir() {
                    return self.elixir_map(fields);
                }
                let parts: Vec<String> = fields.iter().map(|it| field(it, self)).collect();
                format!("#{{{}}}", parts.join(", "))
            }
            Shape::Bits { base: 0, unit: 8 } => "binary()".to_owned(),
            Shape::Bits { base: 0, unit: 1 } => "bitstring()".to_owned(),
            Shape::Bits { base, unit: 0 } => format!("<<_{}{base}>>", self.size()),
            Shape::Bits { base, unit } => format!("<<_{0}{base}, _{0}_*{unit}>>", self.size()),
            Shape::Fun { params: None, .. } => {
                if self.notation.is_elixir() { "function()" } else { "fun()" }.to_owned()
            }
            Shape::Fun { params: Some(params), result } => {
                let params: Vec<String> = params.iter().map(|param| self.of(*param)).collect();
                let (params, result) = (params.join(", "), self.of(*result));
                if self.notation.is_elixir() {
                    format!("({params} -> {result})")
                } else {
                    format!("fun(({params}) -> {result})")
                }
            }
            Shape::Pid => "pid()".to_owned(),
            Shape::Port => "port()".to_owned(),
            Shape::Reference => "reference()".to_owned(),
            Shape::Cons(head, tail) => format!("[{} | {}]", self.of(*head), self.of(*tail)),
            Shape::Rule(rule) => self.of(*rule),
        }
    }

    /// The sign before a size in bits.
    fn size(&self) -> &'static str {
        if self.notation.is_elixir() { "::" } else { ":" }
    }

    /// `%{optional(:a) => integer()}`, `%Shop.Item{price: integer()}`.
    fn elixir_map(&mut self, fields: &[MapField]) -> String {
        let (mut made, mut parts) = ("%{".to_owned(), Vec::new());
        for field in fields {
            let (key, value) = (self.of(field.key), self.of(field.value));
            match key.strip_prefix(':').filter(|_| field.mandatory) {
                Some("__struct__") => made = format!("%{value}{{"),
                Some(name) => parts.push(format!("{name}: {value}")),
                None if field.mandatory => parts.push(format!("required({key}) => {value}")),
                None => parts.push(format!("optional({key}) => {value}")),
            }
        }
        format!("{made}{}}}", parts.join(", "))
    }
}

fn range(low: Option<&BigInt>, high: Option<&BigInt>) -> String {
    match (low, high) {
        (None, None) => "integer()".to_owned(),
        (Some(low), None) if *low == BigInt::from(0) => "non_neg_integer()".to_owned(),
        (Some(low), None) if *low == BigInt::from(1) => "pos_integer()".to_owned(),
        (None, Some(high)) if *high == BigInt::from(-1) => "neg_integer()".to_owned(),
        (low, high) => {
            let end = |bound: Option<&BigInt>| bound.map_or("_".to_owned(), BigInt::to_string);
            format!("{}..{}", end(low), end(high))
        }
    }
}
