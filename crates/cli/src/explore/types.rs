//! Specs as rules of inputs, through the library.

use std::rc::Rc;

use constraint::{Grammar, RuleId, Shape};
use frontend::grammar::{Declarations, TypeSource, Warning, signatures};
use rustc_hash::FxHashMap;
use search::{Signature, Target};
use term::{Atom, Mfa};

use crate::world::Outside;

/// Reads declarations of types, each module once.
pub struct Types<'a> {
    outside: &'a mut Outside,
    known: FxHashMap<Atom, Option<Rc<Declarations>>>,
}

impl<'a> Types<'a> {
    pub fn new(outside: &'a mut Outside) -> Types<'a> {
        Types { outside, known: FxHashMap::default() }
    }

    /// What the spec of a function says; without a spec every argument is `any()`.
    pub fn target(&mut self, entry: Mfa, modules: Vec<Atom>) -> (Target, Grammar, Vec<Warning>) {
        let mut grammar = Grammar::default();
        let (found, warnings) = signatures(&mut grammar, self, entry).unwrap_or_default();
        let specified = !found.is_empty();
        let mut clauses: Vec<Signature> = found
            .into_iter()
            .map(|clause| Signature { no_return: is_empty(&grammar, clause.result), inputs: clause.params })
            .collect();
        if clauses.is_empty() {
            let any = grammar.intern(vec![Shape::Any]);
            clauses.push(Signature { inputs: vec![any; usize::from(entry.arity)], no_return: false });
        }
        (Target { entry, signatures: clauses, specified, modules }, grammar, warnings)
    }
}

fn is_empty(grammar: &Grammar, rule: RuleId) -> bool {
    grammar.rule(rule).shapes.is_empty()
}

impl TypeSource for Types<'_> {
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
