//! Properties of PropEr: their generators as grammars of inputs, and the functions that stand for them.

use constraint::{Grammar, RuleId, Shape};
use host::{CallResult, Source};
use search::{EntryFacts, EntryPoint, Reason, Signature};
use term::{Atom, Call, Mfa, Outcome, Style, Term};

use crate::domain::Domain;
use crate::{Failure, Session};

/// The module that describes generators and builds what they make, here and on the VM.
pub(crate) const MODULE: &str = "hound_proper";
pub(crate) const SOURCE: &str = include_str!("../erl/hound_proper.erl");

/// A property whose generators are understood.
pub(crate) struct ProperProperty {
    /// The inputs of a function that is true where the property holds.
    pub domain: Domain,
    /// The parts of generators that are left out.
    pub reasons: Vec<Reason>,
    /// True if the inputs are what the generators make, and nothing is built of them.
    pub is_plain: bool,
}

/// True for a function that may be a property of PropEr, which is there.
pub(crate) fn is_candidate(session: &Session, function: Mfa) -> bool {
    let is_named = function.arity == 0 && function.function.name().starts_with("prop_");
    is_named && session.exported(function).is_ok() && session.module(Atom::new("proper")).is_ok()
}

/// Returns the property that a function gives, or the reason why its generators are not understood; nothing if it gives
/// none.
pub(crate) fn property(session: &Session, function: Mfa, modules: Vec<Atom>) -> Option<Result<ProperProperty, String>> {
    is_candidate(session, function).then(|| translated(session, function, modules).transpose())?
}

fn translated(session: &Session, function: Mfa, modules: Vec<Atom>) -> Result<Option<ProperProperty>, String> {
    session.module(Atom::new(MODULE)).map_err(|error| error.to_string())?;
    let Some((descriptions, notes)) = described(session, function)? else { return Ok(None) };
    let all: Vec<Term> = descriptions.cells().cloned().collect();
    let check = add_check(session, function, &descriptions, all.len()).map_err(|failure| failure.to_string())?;
    let mut grammar = Grammar::default();
    let inputs = all.iter().map(|description| seed(&mut grammar, description)).collect::<Option<Vec<RuleId>>>();
    let inputs = inputs.ok_or_else(|| "its generators have no description".to_owned())?;
    grammar.close();
    let signature = Signature { inputs, result: None, no_return: false };
    let facts = EntryFacts { is_property: true, ..EntryFacts::default() };
    let target = EntryPoint { function: check, signatures: vec![signature], specified: true, modules, facts };
    let reasons = notes.into_iter().map(|what| Reason::Generator { what }).collect();
    let domain = Domain { target, grammar, warnings: Vec::new(), sampled: Vec::new(), origin: None };
    Ok(Some(ProperProperty { domain, reasons, is_plain: all.iter().all(is_plain) }))
}

/// The descriptions of a property's generators, and the notes on them; nothing if it is none.
fn described(session: &Session, function: Mfa) -> Result<Option<(Term, Vec<String>)>, String> {
    let args = vec![Term::atom(function.module), Term::atom(function.function)];
    let call = Call { module: Atom::new(MODULE), function: Atom::new("describe"), args };
    let unusable = || "its generators were not understood".to_owned();
    let CallResult::Ended(Outcome::Value(value)) = session.host().confirm(&call) else { return Err(unusable()) };
    match value.as_tuple() {
        Some([_, descriptions, notes]) => Ok(Some((descriptions.clone(), notes.cells().filter_map(text).collect()))),
        Some([_, why]) if why.as_atom().is_some() => Ok(None),
        Some([_, why]) => Err(text(why).unwrap_or_else(unusable)),
        _ => Err(unusable()),
    }
}

/// True if a seed of this description is the instance itself.
fn is_plain(description: &Term) -> bool {
    match description.as_tuple() {
        Some([tag, inner]) => match tag.as_atom().map_or("", |tag| tag.name()) {
            "plain" => true,
            "checked" | "fits" | "list" => term::deeper(|| is_plain(inner)),
            "tuple" | "fixed" => inner.cells().all(|each| term::deeper(|| is_plain(each))),
            _ => false,
        },
        Some([tag, _, last]) => match tag.as_atom().map_or("", |tag| tag.name()) {
            "float_in" => true,
            "wrapped" => term::deeper(|| is_plain(last)),
            _ => false,
        },
        _ => false,
    }
}

fn text(binary: &Term) -> Option<String> {
    String::from_utf8(binary.as_bits()?.to_bytes().into_owned()).ok()
}

/// Adds a module with the function of the seeds that is true where the property holds.
fn add_check(session: &Session, function: Mfa, descriptions: &Term, count: usize) -> Result<Mfa, Failure> {
    let module = Atom::new(&format!("hound_proper_{}_{}", function.module.name(), function.function.name()));
    let seeds: Vec<String> = (0..count).map(|at| format!("S{at}")).collect();
    let seeds = seeds.join(", ");
    let head = format!(
        "{}, {}, {}",
        Term::atom(function.module),
        Term::atom(function.function),
        descriptions.write(Style::Paste)
    );
    let define = |name: &str| format!("{name}({seeds}) -> {MODULE}:{name}({head}, [{seeds}]).\n");
    let text = format!(
        "-module({}).\n-export([check/{count}, instances/{count}]).\n{}{}",
        Term::atom(module),
        define("check"),
        define("instances")
    );
    if session.loaded(module.name()).is_none() {
        session.add(Source::ErlText { file: format!("{}.erl", module.name()), text })?;
    }
    Ok(Mfa { module, function: Atom::new("check"), arity: count as u8 })
}

/// Returns the call that shows a counterexample, and its instances as they are written.
pub(crate) fn shown(session: &Session, property: Mfa, check: Mfa, seeds: &[Term]) -> Option<(String, Vec<String>)> {
    let call = Call { module: check.module, function: Atom::new("instances"), args: seeds.to_vec() };
    let CallResult::Ended(Outcome::Value(value)) = session.host().confirm(&call) else { return None };
    let instances: Vec<String> = value.cells().map(|instance| instance.write(Style::Paste)).collect();
    let Mfa { module, function, .. } = property;
    Some((format!("proper:check({module}:{function}(), [{}])", instances.join(", ")), instances))
}

/// The rule of the seeds of a description.
fn seed(grammar: &mut Grammar, description: &Term) -> Option<RuleId> {
    let parts = description.as_tuple()?;
    let shapes = match (parts.first()?.as_atom()?.name(), &parts[1..]) {
        ("plain", [plain]) => return term::deeper(|| plain_rule(grammar, plain)),
        ("float_in", _) => vec![Shape::Float],
        ("checked" | "fits", [inner]) | ("wrapped", [_, inner]) => return term::deeper(|| seed(grammar, inner)),
        ("made", [inner, result]) => {
            let inner = term::deeper(|| seed(grammar, inner))?;
            match result.as_tuple() {
                Some(_) => vec![Shape::Tuple(vec![inner, term::deeper(|| seed(grammar, result))?])],
                None => return Some(inner),
            }
        }
        ("list", [inner]) => {
            let inner = term::deeper(|| seed(grammar, inner))?;
            return Some(list(grammar, inner));
        }
        ("tuple", [all]) => vec![Shape::Tuple(seeds(grammar, all)?)],
        ("fixed", [all]) => return seeds(grammar, all).map(|rules| fixed(grammar, rules)),
        ("union", [all]) => {
            let rules = seeds(grammar, all)?;
            let numbers: Vec<RuleId> =
                (1..=rules.len()).map(|at| grammar.intern(vec![Shape::Literal(Term::int(at as i64))])).collect();
            numbers.into_iter().zip(rules).map(|(number, rule)| Shape::Tuple(vec![number, rule])).collect()
        }
        _ => return None,
    };
    Some(grammar.intern(shapes))
}

fn seeds(grammar: &mut Grammar, all: &Term) -> Option<Vec<RuleId>> {
    all.cells().map(|each| term::deeper(|| seed(grammar, each))).collect()
}

/// The rule of a type.
fn plain_rule(grammar: &mut Grammar, plain: &Term) -> Option<RuleId> {
    let shapes = match (plain.as_atom(), plain.as_tuple()) {
        (Some(name), _) => match name.name() {
            "any" => return Some(any(grammar)),
            "float" => vec![Shape::Float],
            "atom" => vec![Shape::Atom],
            _ => return None,
        },
        (None, Some(parts)) => match (parts.first()?.as_atom()?.name(), &parts[1..]) {
            ("integer", [low, high]) => vec![Shape::Integer { low: low.as_bigint(), high: high.as_bigint() }],
            ("bits", [base, unit]) => vec![Shape::Bits { base: count(base)?, unit: count(unit)? }],
            ("literal", [value]) => vec![Shape::Literal(value.clone())],
            ("drawn", [values]) => values.cells().map(|value| Shape::Literal(value.clone())).collect(),
            ("union", [types]) => plain_rules(grammar, types)?.into_iter().map(Shape::Rule).collect(),
            ("list", [of]) => {
                let of = term::deeper(|| plain_rule(grammar, of))?;
                return Some(list(grammar, of));
            }
            ("vector", [length, of]) => {
                let (length, of) = (count(length)?, term::deeper(|| plain_rule(grammar, of))?);
                return Some(fixed(grammar, vec![of; length as usize]));
            }
            ("tuple", [types]) => vec![Shape::Tuple(plain_rules(grammar, types)?)],
            ("fixed", [types]) => return plain_rules(grammar, types).map(|rules| fixed(grammar, rules)),
            ("function", [arity, result]) => {
                let anything = grammar.intern(vec![Shape::Any]);
                let (arity, result) = (count(arity)?, term::deeper(|| plain_rule(grammar, result))?);
                vec![Shape::Fun { params: Some(vec![anything; arity as usize]), result }]
            }
            _ => return None,
        },
        _ => return None,
    };
    Some(grammar.intern(shapes))
}

fn plain_rules(grammar: &mut Grammar, types: &Term) -> Option<Vec<RuleId>> {
    types.cells().map(|each| term::deeper(|| plain_rule(grammar, each))).collect()
}

fn count(number: &Term) -> Option<u64> {
    number.as_i64().and_then(|number| u64::try_from(number).ok())
}

fn list(grammar: &mut Grammar, of: RuleId) -> RuleId {
    let list = grammar.reserve();
    grammar.fill(list, vec![Shape::Literal(Term::nil()), Shape::Cons(of, list)]);
    list
}

fn fixed(grammar: &mut Grammar, rules: Vec<RuleId>) -> RuleId {
    let end = grammar.intern(vec![Shape::Literal(Term::nil())]);
    rules.into_iter().rev().fold(end, |tail, head| grammar.intern(vec![Shape::Cons(head, tail)]))
}

/// What PropEr's `any()` makes: numbers, atoms, bitstrings, tuples and lists.
fn any(grammar: &mut Grammar) -> RuleId {
    let any = grammar.reserve();
    let list = list(grammar, any);
    let integer = Shape::Integer { low: None, high: None };
    let plain = vec![integer, Shape::Float, Shape::Atom, Shape::Bits { base: 0, unit: 1 }];
    grammar.fill(any, [plain, vec![Shape::AnyTuple, Shape::Rule(list)]].concat());
    any
}
