//! Domains whose values of abstract types come from sequences of calls.

use constraint::{Grammar, RuleId, Shape, call_tag};
use frontend::grammar::{Opaque, OtherResult, Producer, ResultPart, Spec, Warning, abstract_signatures};
use search::{EntryFacts, EntryPoint, OUTSIDE};
use term::{Atom, Mfa, Term};

use super::driver::{CallCode, LastCall, driver_name, driver_source, has_calls};
use super::{Domain, StateChoice, Types, clauses, comment_origin, known_result, unmade};
use crate::Session;

/// A domain with inputs that stand for calls.
pub struct SequenceDomain {
    pub domain: Domain,
    /// The function that makes the inputs and calls the one under test.
    pub driver: Mfa,
    /// The abstract types, or states, by name.
    pub names: Vec<String>,
    /// True if values must be of the types that are declared; a state is whatever calls make.
    pub is_typed: bool,
}

/// Returns the domain where opaque types and private records come from sequences of calls; nothing if the function takes
/// none, or none that calls can make.
pub fn sequences(session: &Session, entry: Mfa, modules: Vec<Atom>, choice: StateChoice) -> Option<SequenceDomain> {
    let mut grammar = Grammar::default();
    let mut types = Types::new(session);
    let Spec { signatures, warnings, opaques } =
        abstract_signatures(&mut grammar, &mut types, entry, choice == StateChoice::All)?;
    let mut code = CallCode::new();
    let abstracts = fill_all(&mut grammar, &opaques, &mut code);
    if abstracts.is_empty() {
        return None;
    }
    let known = signatures.iter().map(|clause| known_result(&grammar, &opaques, clause.result)).collect();
    let all: Vec<RuleId> = (0..usize::from(entry.arity))
        .map(|at| grammar.intern(signatures.iter().map(|clause| Shape::Rule(clause.params[at])).collect()))
        .collect();
    grammar.close();
    if !all.iter().any(|rule| has_calls(&grammar, *rule)) {
        return None;
    }
    let made: Vec<String> = abstracts.iter().map(|(_, name)| name.clone()).collect();
    let names =
        abstracts.into_iter().filter(|(rule, _)| is_used(&grammar, &all, *rule)).map(|(_, name)| name).collect();
    let signatures = clauses(&grammar, signatures, known);
    let last = LastCall { function: entry, inputs: all, code: None };
    let driver = install(session, &grammar, &code, &last)?;
    let warnings = warnings.into_iter().filter(|it| !matches!(it, Warning::Representation { .. })).collect();
    let facts = EntryFacts { unmade: unmade(&mut types, entry, &made), ..EntryFacts::default() };
    let target = EntryPoint { function: entry, signatures, specified: true, modules, facts };
    Some(SequenceDomain {
        domain: Domain { target, grammar, warnings, sampled: Vec::new(), origin: comment_origin(&mut types, entry) },
        driver,
        names,
        is_typed: true,
    })
}

/// Compiles the driver of a function, for the machine and the VM.
pub(super) fn install(session: &Session, grammar: &Grammar, code: &CallCode, last: &LastCall) -> Option<Mfa> {
    let driver = driver_name(last.function);
    let source = driver_source(grammar, code, last)?;
    session.add_source(driver.module, source).ok()?;
    Some(driver)
}

fn is_used(grammar: &Grammar, inputs: &[RuleId], rule: RuleId) -> bool {
    inputs.iter().any(|input| grammar.reaches(*input, |found| found == rule))
        // Once the grammar is closed a union has the shapes of its members.
        || inputs.iter().any(|input| {
            let shapes = &grammar.rule(rule).shapes;
            shapes.iter().any(|shape| grammar.rule(*input).shapes.contains(shape))
        })
}

/// Fills the rules of abstract types with calls, and those without producers with what their declarations say. Returns the
/// rules and names of the first.
pub(super) fn fill_all(grammar: &mut Grammar, opaques: &[Opaque], code: &mut CallCode) -> Vec<(RuleId, String)> {
    let usable: Vec<Vec<&Producer>> = opaques
        .iter()
        .map(|opaque| opaque.producers.iter().filter(|it| is_usable(grammar, opaques, it)).collect())
        .collect();
    for (opaque, mut producers) in opaques.iter().zip(usable) {
        let of_type = |it: &Producer| it.params.iter().filter(|param| **param == opaque.rule).count();
        producers.sort_by_cached_key(|it| (of_type(it), it.params.len(), it.function.function.name(), rank(&it.part)));
        let shapes = producers.iter().map(|producer| call_shape(grammar, producer, opaque.rule, code)).collect();
        grammar.fill(opaque.rule, shapes);
    }
    let heights = grammar.heights();
    for opaque in opaques {
        let shapes = &grammar.rule(opaque.rule).shapes;
        let shapes = shapes.iter().filter(|shape| shape.height(&heights).is_some()).cloned().collect();
        grammar.fill(opaque.rule, shapes);
    }
    let mut made = Vec::new();
    for opaque in opaques {
        if heights[opaque.rule.0 as usize].is_some() {
            made.push((opaque.rule, opaque.written()));
        } else {
            opaque.fill(grammar, Vec::new());
        }
    }
    made
}

/// The place of a part among those of one function.
fn rank(part: &ResultPart) -> (usize, usize) {
    match part {
        ResultPart::Whole { .. } => (0, 0),
        ResultPart::Element { at, size, .. } => (*size, *at),
    }
}

/// True if a producer makes values of the type from arguments that can be made: no funs, and no terms of any type where the
/// spec does not say what they are for.
fn is_usable(grammar: &Grammar, opaques: &[Opaque], producer: &Producer) -> bool {
    let has = |is: fn(&Shape) -> bool| {
        producer.params.iter().any(|param| grammar.reaches(*param, |rule| grammar.rule(rule).shapes.iter().any(is)))
    };
    let mut own = opaques.iter().filter(|opaque| opaque.producers.contains(producer));
    let (name, rule) = own.next().map_or((None, None), |own| (Some((own.module, own.name)), Some(own.rule)));
    let is_other = |found: RuleId| {
        opaques.iter().any(|it| it.rule == found && Some((it.module, it.name)) == name && Some(found) != rule)
    };
    let is_recursive_elsewhere = producer.params.iter().any(|param| grammar.reaches(*param, is_other));
    !has(|shape| matches!(shape, Shape::Fun { .. }))
        && (producer.is_bound || !has(|shape| *shape == Shape::Any))
        && !is_recursive_elsewhere
}

/// The shape of terms that stand for a call of a producer.
fn call_shape(grammar: &mut Grammar, producer: &Producer, rule: RuleId, code: &mut CallCode) -> Shape {
    let Mfa { module, function, arity } = producer.function;
    let args: Vec<String> = (1..=arity).map(|at| format!("#{at}")).collect();
    let call = format!("{module}:{function}({})", args.join(", "));
    let own = own_argument(producer, rule);
    let made = own.map_or_else(|| call.clone(), |at| with_old(&call, at));
    let (template, body) = match &producer.part {
        ResultPart::Whole { except } => (call, unless(&made, except)),
        ResultPart::Element { at, size, tag } => (format!("element({at}, {call})"), element(&made, (*at, *size, *tag))),
    };
    let body = own.map_or_else(|| body.clone(), |at| changed(at, &body));
    node(grammar, &template, &body, &producer.params, code)
}

/// The only argument of the type itself, counted from 1.
fn own_argument(producer: &Producer, rule: RuleId) -> Option<usize> {
    let mut own = producer.params.iter().enumerate().filter(|(_, param)| **param == rule);
    own.next().filter(|_| own.next().is_none()).map(|(at, _)| at + 1)
}

/// A call with the name `Old` for an argument.
pub(super) fn with_old(call: &str, at: usize) -> String {
    call.replace(&format!("#{at}"), "Old")
}

/// An expression that gives the value before it is changed a name: a call that leaves it as it was adds nothing to a
/// sequence.
pub(super) fn changed(at: usize, body: &str) -> String {
    format!("begin Old = #{at}, changed(Old, {body}) end")
}

/// The shape of terms that stand for a call with a template, whose code is noted.
pub(super) fn node(grammar: &mut Grammar, template: &str, body: &str, params: &[RuleId], code: &mut CallCode) -> Shape {
    let tag = call_tag(template);
    code.insert(tag.name().to_owned(), body.to_owned());
    let tag = grammar.intern(vec![Shape::Literal(Term::atom(tag))]);
    Shape::Tuple([&[tag][..], params].concat())
}

fn unless(call: &str, except: &[OtherResult]) -> String {
    if except.is_empty() {
        return call.to_owned();
    }
    let others = except.iter().map(|other| match other {
        OtherResult::Atom(atom) => format!("{atom} -> {}; ", throw()),
        OtherResult::Tuple { size, tag } => format!("{} -> {}; ", tuple(*size, 1, &tag.to_string()), throw()),
    });
    format!("case {call} of {}Made -> Made end", others.collect::<String>())
}

fn element(call: &str, (at, size, tag): (usize, usize, Option<Atom>)) -> String {
    let items: Vec<String> = (1..=size)
        .map(|item| match tag {
            _ if item == at => "Made".to_owned(),
            Some(tag) if item == 1 => tag.to_string(),
            _ => "_".to_owned(),
        })
        .collect();
    format!("case {call} of {{{}}} -> Made; _ -> {} end", items.join(", "), throw())
}

/// A pattern of a tuple with one element that matters.
fn tuple(size: usize, at: usize, item: &str) -> String {
    let items: Vec<&str> = (1..=size).map(|found| if found == at { item } else { "_" }).collect();
    format!("{{{}}}", items.join(", "))
}

/// The expression that ends a sequence without a value.
pub(super) fn throw() -> String {
    format!("throw({})", Atom::new(OUTSIDE))
}
