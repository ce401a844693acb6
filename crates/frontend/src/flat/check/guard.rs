//! What a guard may hold: operations that have no effect and always end.
//!
//! Those are values, maps and bitstrings under construction, the natives that guards know, choices between such
//! expressions, and `try … catch … -> false`, by which the compiler joins alternatives. An `error` is one more way to fail.

use ir::Primitive;
use term::Term;

use super::Checker;
use crate::flat::{Action, Body, Try, Value};

impl Checker<'_> {
    /// Checks a guard.
    pub fn guard(&mut self, guard: &Body) {
        term::deeper(|| guard.steps.iter().for_each(|step| self.guard_action(&step.action)));
    }

    fn guard_action(&mut self, action: &Action) {
        match action {
            Action::Values(_) | Action::Map { .. } | Action::Bits(_) => {}
            Action::Call { module, function, args } => self.guard_call(module, function, args.len()),
            Action::Primop { op: Primitive::MatchFail, .. } => {}
            Action::Case(case) => case.clauses.iter().for_each(|clause| self.guard(&clause.body)),
            Action::Block(body) => self.guard(body),
            Action::Try(attempt) => self.guard_try(attempt),
            _ => self.flaw("a guard holds what no guard may"),
        }
    }

    fn guard_call(&mut self, module: &Value, function: &Value, arity: usize) {
        let name = |value: &Value| match value {
            Value::Literal(Term::Atom(_, name)) => Some(name.name()),
            _ => None,
        };
        match (name(module), name(function)) {
            (Some("erlang"), Some(function)) if is_guard_function(function, arity) => {}
            (Some(module), Some(function)) => self.flaw(format!("a guard calls {module}:{function}/{arity}")),
            _ => self.flaw("a guard calls a function known only at run time"),
        }
    }

    fn guard_try(&mut self, attempt: &Try) {
        self.guard(&attempt.body);
        let fails = matches!(&attempt.handler.result[..], [Value::Literal(value)] if value.as_bool() == Some(false));
        if !attempt.ok.steps.is_empty() || !attempt.handler.steps.is_empty() || !fails {
            self.flaw("a try in a guard does more than fail");
        }
    }
}

fn is_guard_function(name: &str, arity: usize) -> bool {
    match arity {
        0 => matches!(name, "self" | "node"),
        1 => ONE_ARGUMENT.contains(&name) || name.starts_with("is_"),
        2 => TWO_ARGUMENTS.contains(&name),
        3 => matches!(name, "is_record" | "binary_part"),
        _ => false,
    }
}

const ONE_ARGUMENT: &[&str] = &[
    "+",
    "-",
    "abs",
    "bit_size",
    "bnot",
    "byte_size",
    "ceil",
    "error",
    "float",
    "floor",
    "hd",
    "length",
    "map_size",
    "node",
    "not",
    "round",
    "size",
    "tl",
    "trunc",
    "tuple_size",
];

const TWO_ARGUMENTS: &[&str] = &[
    "*",
    "+",
    "-",
    "/",
    "/=",
    "<",
    "=/=",
    "=:=",
    "=<",
    "==",
    ">",
    ">=",
    "and",
    "band",
    "binary_part",
    "bor",
    "bsl",
    "bsr",
    "bxor",
    "div",
    "element",
    "is_function",
    "is_map_key",
    "is_record",
    "map_get",
    "or",
    "rem",
    "xor",
];
