//! Calls to compare: most as the spec allows, the others around it.

use fastrand::Rng;
use term::{Call, Term};

use crate::generate::{Generator, Pool, any, strange};
use crate::subjects::Subject;

/// An endless row of calls of one function.
pub struct Calls<'a> {
    pub subject: &'a Subject,
    pub rng: Rng,
}

impl Calls<'_> {
    pub fn next(&mut self, pool: &Pool) -> Call {
        let function = self.subject.function;
        let args = self.args(pool);
        Call { module: function.module, function: function.function, args }
    }

    fn args(&mut self, pool: &Pool) -> Vec<Term> {
        let arity = self.subject.function.arity as usize;
        let Some(signature) = self.rng.choice(&self.subject.signatures) else {
            return (0..arity).map(|_| any(&mut self.rng, 3)).collect();
        };
        let size = self.rng.u32(..6);
        let (grammar, heights) = (&self.subject.grammar, &self.subject.heights[..]);
        let mut generator = Generator { grammar, heights, pool, rng: &mut self.rng };
        let mut args: Vec<Term> = signature.params.iter().map(|param| generator.term(*param, size)).collect();
        if arity > 0 && self.rng.u8(..10) < 3 {
            let at = self.rng.usize(..arity);
            args[at] = strange(&mut self.rng, 2);
        }
        args
    }

    /// Remembers what the VM returned under the name of the type the spec promises.
    pub fn remember(&mut self, pool: &mut Pool, value: &Term) {
        let [signature] = &self.subject.signatures[..] else { return };
        if let Some(name) = self.subject.grammar.rule(signature.result).name {
            pool.add(&mut self.rng, name, value.clone());
        }
    }
}
