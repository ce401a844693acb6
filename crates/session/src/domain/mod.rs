//! The domain of a function's inputs: its spec as a grammar, with values of opaque types.

mod opaque;

use std::rc::Rc;

use constraint::{Grammar, RuleId, Shape};
use frontend::grammar::{Declarations, Spec, TypeSource, Warning, signatures};
use rustc_hash::FxHashMap;
use search::{EntryPoint, Signature};
use term::{Atom, Mfa};

use crate::Session;

/// The inputs of a function.
pub struct Domain {
    /// The function with the rules of its inputs.
    pub target: EntryPoint,
    pub grammar: Grammar,
    /// The parts of the spec that were not understood.
    pub warnings: Vec<Warning>,
    /// Opaque types of other modules of which only some values are tried.
    pub sampled: Vec<String>,
}

/// Reads declarations of types, each module once.
struct Types<'a> {
    session: &'a Session,
    known: FxHashMap<Atom, Option<Rc<Declarations>>>,
}

/// Returns the domain that a function's spec describes; without a spec every argument is `any()`.
pub fn domain(session: &Session, entry: Mfa, modules: Vec<Atom>) -> Domain {
    let mut grammar = Grammar::default();
    let found =
        signatures(&mut grammar, &mut Types { session, known: FxHashMap::default() }, entry).unwrap_or_default();
    let Spec { signatures, warnings, opaques } = found;
    let sampled = opaque::fill(session, &mut grammar, &opaques);
    grammar.close();
    let specified = !signatures.is_empty();
    let mut clauses: Vec<Signature> = signatures
        .into_iter()
        .map(|clause| Signature { no_return: is_empty(&grammar, clause.result), inputs: clause.params })
        .collect();
    if clauses.is_empty() {
        let any = grammar.intern(vec![Shape::Any]);
        clauses.push(Signature { inputs: vec![any; usize::from(entry.arity)], no_return: false });
    }
    Domain {
        target: EntryPoint { function: entry, signatures: clauses, specified, modules },
        grammar,
        warnings,
        sampled,
    }
}

fn is_empty(grammar: &Grammar, rule: RuleId) -> bool {
    grammar.rule(rule).shapes.is_empty()
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
