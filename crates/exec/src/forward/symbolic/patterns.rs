//! Compiled patterns of `binary`: what they were made of goes on with them, so that a search for them is a search for that.

use constraint::{Expr, Node, Test, Type, outcome_term};
use ops::prelude::pattern_compiler;
use term::{Outcome, Term};

use super::pin::unmarked;
use super::recorder::Recorder;
use super::watch::Watch;

impl Watch<'_> {
    /// The compiled pattern of a list of binaries: an application, which is looked into again when it is used.
    pub fn compiled(&mut self, needles: &Term) -> Option<Expr> {
        let plain = unmarked(needles);
        let pattern = ops::prelude::compiled(&plain).ok()?;
        let function = pattern_compiler();
        self.recorder.arena.samples.learn(function, &[plain], outcome_term(&Outcome::Value(pattern)));
        let expr = self.expr(needles);
        let Recorder { arena, facts, .. } = &mut *self.recorder;
        let call = arena.opaque(function, vec![expr]);
        let compiled = arena.element(call, 0);
        let reference = arena.element(compiled, 1);
        facts.learn(arena, Test::Tuple(compiled, 2), true);
        facts.learn(arena, Test::Type(reference, Type::Reference), true);
        Some(compiled)
    }

    /// The source of a compiled pattern.
    pub fn needles(&mut self, pattern: &Term) -> Option<Expr> {
        let needles = ops::prelude::needles(pattern)?;
        if let Some(made_of) = self.made_of(pattern)
            && self.recorder.value(made_of).as_ref() == Some(&needles)
        {
            return Some(made_of);
        }
        self.pin_all(pattern_compiler(), [pattern]);
        None
    }

    /// The mark of the whole, or that of the reference in it.
    fn made_of(&self, pattern: &Term) -> Option<Expr> {
        let arena = &self.recorder.arena;
        let compiled = match self.expr_of(pattern) {
            Some(compiled) => compiled,
            None => match arena.node(self.expr_of(pattern.as_tuple()?.get(1)?)?) {
                Node::Element(compiled, 1) => *compiled,
                _ => return None,
            },
        };
        let Node::Element(call, 0) = arena.node(compiled) else { return None };
        match arena.node(*call) {
            Node::Opaque(function, args) if *function == pattern_compiler() => args.first().copied(),
            _ => None,
        }
    }
}
