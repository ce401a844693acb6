//! A module of functions that call each other, and calls of them.

use fastrand::Rng;

use crate::kinds::{Kind, Variable, chance};

/// How deep expressions nest.
const SIZE: u32 = 3;
const FUNCTIONS: usize = 24;
const CALLS: usize = 10;

pub struct Program {
    pub name: String,
    pub text: String,
    pub calls: Vec<String>,
}

/// A function that was written already.
pub struct Signature {
    pub name: String,
    pub params: Vec<Kind>,
    pub result: Kind,
}

/// Writes one program.
pub struct Writer {
    pub rng: Rng,
    /// How many variables there are.
    variables: usize,
    pub functions: Vec<Signature>,
}

impl Program {
    pub fn new(seed: u64) -> Program {
        let name = format!("invented_{seed}");
        let mut writer = Writer { rng: Rng::with_seed(seed), variables: 0, functions: Vec::new() };
        let mut text = format!("-module({name}).\n-compile([export_all, nowarn_export_all]).\n");
        let mut calls = Vec::new();
        for number in 0..FUNCTIONS {
            text.push_str(&writer.function(format!("f{number}")));
            calls.extend((0..CALLS).map(|_| writer.sample_call(&name)));
        }
        Program { name, text, calls }
    }
}

impl Writer {
    pub fn fresh(&mut self, kind: Option<Kind>) -> Variable {
        self.variables += 1;
        Variable { name: format!("V{}", self.variables), kind }
    }

    pub fn fresh_name(&mut self) -> String {
        self.fresh(None).name
    }

    fn function(&mut self, name: String) -> String {
        let params: Vec<Kind> = (0..self.rng.usize(1..4)).map(|_| Kind::any(&mut self.rng)).collect();
        let result = Kind::any(&mut self.rng);
        let mut clauses: Vec<String> =
            (0..self.rng.usize(..4)).map(|_| self.function_clause(&name, &params, result)).collect();
        let last: Vec<Variable> = params.iter().map(|kind| self.fresh(Some(*kind))).collect();
        let names: Vec<&str> = last.iter().map(|variable| variable.name.as_str()).collect();
        clauses.push(format!("{name}({}) ->\n    {}", names.join(", "), self.body(&last, SIZE, result)));
        self.functions.push(Signature { name, params, result });
        format!("\n{}.\n", clauses.join(";\n"))
    }

    fn function_clause(&mut self, name: &str, params: &[Kind], result: Kind) -> String {
        let mut bound = Vec::new();
        let patterns: Vec<String> = params.iter().map(|kind| self.fitting_pattern(&[], &mut bound, *kind)).collect();
        let guard = self.maybe_guard(&bound, 30);
        format!("{name}({}){guard} ->\n    {}", patterns.join(", "), self.body(&bound, SIZE, result))
    }

    /// A call of the function that was written last, mostly with arguments that it expects.
    fn sample_call(&mut self, module: &str) -> String {
        let Some(Signature { name, params, .. }) = self.functions.last() else { return String::new() };
        let (name, params) = (name.clone(), params.clone());
        let argument = |kind: &Kind| {
            let kind = if chance(&mut self.rng, 85) { *kind } else { Kind::any(&mut self.rng) };
            kind.literal(&mut self.rng)
        };
        let args: Vec<&str> = params.iter().map(argument).collect();
        format!("{module}:{name}({})", args.join(", "))
    }
}
