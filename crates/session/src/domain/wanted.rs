//! The inputs that the code of a function without a spec asks for.

use std::rc::Rc;

use constraint::{Grammar, RuleId, Shape};
use frontend::core::Name;
use frontend::flat::Function;
use frontend::grammar::{Opaque, signatures};
use frontend::wanted::{CalleeSource, WantedInputs, wanted};
use term::{Atom, Mfa};

use super::Types;
use crate::Session;

/// The code and the specs of a session's modules.
struct Callees<'a, 's> {
    session: &'a Session,
    types: &'a mut Types<'s>,
    /// The modules under test, whose code counts.
    modules: &'a [Atom],
}

/// Returns the inputs that the code of a function asks for.
pub(super) fn inputs(
    session: &Session,
    types: &mut Types<'_>,
    grammar: &mut Grammar,
    function: Mfa,
    modules: &[Atom],
) -> Option<WantedInputs> {
    wanted(grammar, &mut Callees { session, types, modules }, function)
}

impl CalleeSource for Callees<'_, '_> {
    fn flat(&mut self, function: Mfa) -> Option<Rc<Function>> {
        let module = self.session.module(function.module).ok().filter(|_| self.modules.contains(&function.module))?;
        let flat = module.flat(Name { function: function.function, arity: function.arity })?;
        flat.ok().map(|(function, _)| Rc::new(function))
    }

    fn spec(&mut self, grammar: &mut Grammar, function: Mfa) -> Option<Vec<RuleId>> {
        let spec = signatures(grammar, self.types, function)?;
        let is_opaque = |rule: RuleId| spec.opaques.iter().any(|opaque: &Opaque| opaque.is(rule));
        let params = |at: usize| -> Vec<RuleId> { spec.signatures.iter().map(|clause| clause.params[at]).collect() };
        let all: Vec<Vec<RuleId>> = (0..usize::from(function.arity)).map(params).collect();
        if all.iter().flatten().any(|rule| grammar.reaches(*rule, is_opaque)) || all.iter().any(Vec::is_empty) {
            return None;
        }
        let union = |rules: Vec<RuleId>| grammar.intern(rules.into_iter().map(Shape::Rule).collect());
        Some(all.into_iter().map(union).collect())
    }
}
