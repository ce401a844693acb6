//! Specs as rules of inputs, through the library.

use std::rc::Rc;

use constraint::{Grammar, RuleId, Shape};
use frontend::grammar::{Declarations, Spec, TypeSource, Warning, signatures};
use rustc_hash::FxHashMap;
use search::{Signature, Target};
use term::{Atom, Mfa};

use crate::opaque;
use crate::session::{Outside, Shared};

/// What a function is explored with.
pub struct Domain {
    pub target: Target,
    pub grammar: Grammar,
    pub warnings: Vec<Warning>,
    /// Opaque types of other modules of which only some values are tried.
    pub made: Vec<String>,
}

/// Reads declarations of types, each module once.
pub struct Types<'a> {
    outside: &'a mut Outside,
    known: FxHashMap<Atom, Option<Rc<Declarations>>>,
}

impl<'a> Types<'a> {
    fn new(outside: &'a mut Outside) -> Types<'a> {
        Types { outside, known: FxHashMap::default() }
    }
}

/// What the spec of a function says; without a spec every argument is `any()`.
pub fn domain(outside: &Shared, entry: Mfa, modules: Vec<Atom>) -> Domain {
    let mut grammar = Grammar::default();
    let found = signatures(&mut grammar, &mut Types::new(&mut outside.borrow_mut()), entry).unwrap_or_default();
    let Spec { signatures, warnings, opaques } = found;
    let made = opaque::fill(outside, &mut grammar, &opaques);
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
    Domain { target: Target { entry, signatures: clauses, specified, modules }, grammar, warnings, made }
}

fn is_empty(grammar: &Grammar, rule: RuleId) -> bool {
    grammar.rule(rule).shapes.is_empty()
}

impl TypeSource for Types<'_> {
    fn exports(&mut self, function: Mfa) -> bool {
        let Outside { host, library, .. } = &mut *self.outside;
        let module = library.module(host, function.module);
        module.is_ok_and(|module| module.exports(function.function, function.arity))
    }

    fn declarations(&mut self, module: Atom) -> Option<Rc<Declarations>> {
        if let Some(known) = self.known.get(&module) {
            return known.clone();
        }
        let Outside { host, library, .. } = &mut *self.outside;
        let found = library.module(host, module).ok().map(|module| Rc::new(module.declarations()));
        self.known.insert(module, found.clone());
        found
    }
}
