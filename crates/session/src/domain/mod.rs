//! The domain of a function's inputs: its spec as a grammar, with values of opaque types.

mod driver;
mod kind;
mod opaque;
mod sequences;
mod states;
mod wanted;

use std::rc::Rc;

use constraint::{Grammar, RuleId, Shape};
use frontend::core::Name;
use frontend::grammar::{Declarations, Opaque, Spec, SpecClause, TypeSource, Warning, abstract_signatures, signatures};
use frontend::wanted::{CalleeNeed, PartSelector, WantedInputs};
use rustc_hash::FxHashMap;
use search::{EntryFacts, EntryPoint, Need, Selector, Signature, Wanted};
use term::{Atom, Mfa};

use crate::Session;

pub use sequences::{SequenceDomain, sequences};
pub use states::{StateChoice, is_callback, states};

/// The inputs of a function.
pub struct Domain {
    /// The function with the rules of its inputs.
    pub target: EntryPoint,
    pub grammar: Grammar,
    /// The parts of the spec that were not understood.
    pub warnings: Vec<Warning>,
    /// Opaque types of other modules of which only some values are tried.
    pub sampled: Vec<String>,
    /// The place where the spec was found, in words, if it is not the function's own.
    pub origin: Option<String>,
}

/// Reads declarations of types, each module once.
struct Types<'a> {
    session: &'a Session,
    known: FxHashMap<Atom, Option<Rc<Declarations>>>,
}

/// Returns the domain that a function's spec describes; without a spec every argument is `any()`.
pub fn domain(session: &Session, entry: Mfa, modules: Vec<Atom>) -> Domain {
    let mut grammar = Grammar::default();
    let mut types = Types::new(session);
    let found = specified(session, &mut types, &mut grammar, entry);
    with_opaques(&mut types, (entry, modules), grammar, found, |grammar, opaques| {
        opaque::fill(session, grammar, opaques)
    })
}

/// The same, where values of opaque types are whatever their declarations say.
pub fn declared_domain(session: &Session, entry: Mfa, modules: Vec<Atom>) -> Domain {
    let mut grammar = Grammar::default();
    let mut types = Types::new(session);
    let found = specified(session, &mut types, &mut grammar, entry);
    with_opaques(&mut types, (entry, modules), grammar, found, |grammar, opaques| {
        opaques.iter().for_each(|opaque| opaque.fill(grammar, Vec::new()));
        Vec::new()
    })
}

/// The domain of a spec whose opaque types are to be filled; the names of those with some values only are given back.
fn with_opaques(
    types: &mut Types<'_>,
    (entry, modules): (Mfa, Vec<Atom>),
    mut grammar: Grammar,
    (found, origin): (Spec, Option<String>),
    fill: impl FnOnce(&mut Grammar, &[Opaque]) -> Vec<String>,
) -> Domain {
    let session = types.session;
    let Spec { signatures, warnings, opaques } = found;
    let sampled = fill(&mut grammar, &opaques);
    let known = signatures.iter().map(|clause| known_result(&grammar, &opaques, clause.result)).collect();
    let specified = !signatures.is_empty();
    let wanted = match specified {
        true => None,
        false => wanted::inputs(session, types, &mut grammar, entry, &modules),
    };
    grammar.close();
    let wanted = wanted.map(|wanted| of_code(&mut grammar, wanted));
    let unmade = unmade(types, entry, &sampled);
    let is_internal = is_internal(types, entry);
    let is_callback = is_called_back(types, entry);
    let records = types.declarations(entry.module).map_or_else(Vec::new, |declared| declared.record_sizes());
    let mut clauses = clauses(&grammar, signatures, known);
    if clauses.is_empty() {
        let any = grammar.intern(vec![Shape::Any]);
        clauses.push(Signature { inputs: vec![any; usize::from(entry.arity)], result: None, no_return: false });
    }
    Domain {
        target: EntryPoint {
            function: entry,
            signatures: clauses,
            specified,
            modules,
            facts: EntryFacts { wanted, unmade, records, is_internal, is_callback, ..EntryFacts::default() },
        },
        grammar,
        warnings,
        sampled,
        origin,
    }
}

/// A result of which every value is known; of an opaque type only some are.
fn known_result(grammar: &Grammar, opaques: &[Opaque], result: RuleId) -> Option<RuleId> {
    let is_opaque = |rule| opaques.iter().any(|opaque| opaque.is(rule));
    Some(result).filter(|result| !grammar.reaches(*result, is_opaque))
}

/// The clauses of a spec, with the results that are known.
fn clauses(grammar: &Grammar, signatures: Vec<SpecClause>, known: Vec<Option<RuleId>>) -> Vec<Signature> {
    let clause = |(clause, result): (SpecClause, Option<RuleId>)| Signature {
        result,
        no_return: is_empty(grammar, clause.result),
        inputs: clause.params,
    };
    signatures.into_iter().zip(known).map(clause).collect()
}

/// True for a function that the documentation hides, unless it implements a protocol, through which everyone calls it.
fn is_internal(types: &mut Types<'_>, entry: Mfa) -> bool {
    let declared = types.declarations(entry.module);
    let is_hidden = declared.is_some_and(|declared| declared.is_hidden(entry.function, entry.arity));
    is_hidden && !types.exports(Mfa { function: Atom::new("__impl__"), arity: 1, ..entry })
}

/// True for a function that a behaviour of its module calls.
fn is_called_back(types: &mut Types<'_>, entry: Mfa) -> bool {
    let behaviours = types.declarations(entry.module).map_or_else(Vec::new, |declared| declared.behaviours().to_vec());
    behaviours.into_iter().any(|behaviour| {
        let declared = types.declarations(behaviour);
        declared.is_some_and(|declared| declared.has_callback(entry.function, entry.arity))
    })
}

/// By input: an opaque type in it that is not among those whose values calls make.
fn unmade(types: &mut Types<'_>, entry: Mfa, made: &[String]) -> Vec<Option<String>> {
    let mut grammar = Grammar::default();
    let Some(Spec { signatures, opaques, .. }) = abstract_signatures(&mut grammar, types, entry, false) else {
        return Vec::new();
    };
    let unmade_in = |param: RuleId| {
        let of_input = opaques.iter().filter(|opaque| !opaque.is_record());
        let mut inside = of_input.filter(|opaque| grammar.reaches(param, |rule| opaque.is(rule)));
        inside.find(|opaque| !made.contains(&opaque.written())).map(Opaque::written)
    };
    let of_input = |at: usize| signatures.iter().find_map(|clause| unmade_in(*clause.params.get(at)?));
    (0..usize::from(entry.arity)).map(of_input).collect()
}

/// The spec of a function, and where it comes from if that is not its own.
fn specified(session: &Session, types: &mut Types<'_>, grammar: &mut Grammar, entry: Mfa) -> (Spec, Option<String>) {
    if let Some(own) = signatures(grammar, types, entry) {
        let origin = comment_origin(types, entry);
        return (own, origin);
    }
    let Some((full, places)) = default_head(session, entry) else { return (Spec::default(), None) };
    let Some(mut spec) = signatures(grammar, types, full) else { return (Spec::default(), None) };
    for clause in &mut spec.signatures {
        clause.params = places.iter().map(|at| clause.params[*at]).collect();
    }
    (spec, Some(format!("it only fills in defaults: its inputs are those of the spec of {full}")))
}

/// The origin of a function's own spec, if that is a comment.
fn comment_origin(types: &mut Types<'_>, entry: Mfa) -> Option<String> {
    let declared = types.declarations(entry.module);
    let is_commented = declared.is_some_and(|it| it.is_commented(entry.function, entry.arity));
    is_commented.then(|| "its inputs are those of the @spec in a comment".to_owned())
}

/// The function whose default arguments an Elixir function fills in, and the places of its own.
fn default_head(session: &Session, entry: Mfa) -> Option<(Mfa, Vec<usize>)> {
    let module = session.module(entry.module).ok().filter(|module| module.is_elixir())?;
    let (flat, _) = module.flat(Name { function: entry.function, arity: entry.arity })?.ok()?;
    let (full, places) = frontend::flat::default_head(&flat)?;
    Some((Mfa { module: entry.module, function: full.function, arity: full.arity }, places))
}

/// The inputs that code asks for, as the search takes them.
fn of_code(grammar: &mut Grammar, wanted: WantedInputs) -> Wanted {
    let need = |need: CalleeNeed| Need {
        callee: need.callee,
        input: need.input,
        path: need.path.into_iter().map(selector).collect(),
        written: search::written(grammar, need.rule),
        rule: kind::rule(grammar, need.rule),
    };
    let inputs = Signature { inputs: wanted.rules, result: None, no_return: false };
    Wanted { inputs, needs: wanted.needs.into_iter().map(need).collect() }
}

fn selector(step: PartSelector) -> Selector {
    match step {
        PartSelector::Each => Selector::Each,
        PartSelector::Rest => Selector::Rest,
        PartSelector::Element(at) => Selector::Element(at as usize),
        PartSelector::Key(key) => Selector::Key(key),
    }
}

fn is_empty(grammar: &Grammar, rule: RuleId) -> bool {
    grammar.rule(rule).shapes.is_empty()
}

impl<'a> Types<'a> {
    fn new(session: &'a Session) -> Types<'a> {
        Types { session, known: FxHashMap::default() }
    }
}

impl TypeSource for Types<'_> {
    fn exports(&mut self, function: Mfa) -> bool {
        let module = self.session.module(function.module);
        module.is_ok_and(|module| module.exports(function.function, function.arity))
    }

    fn declarations(&mut self, module: Atom) -> Option<Rc<Declarations>> {
        let read = || self.session.module(module).ok().map(|module| Rc::new(module.declarations()));
        self.known.entry(module).or_insert_with(read).clone()
    }
}
