//! Checks of guards: operations that have no effect and always end.
//!
//! Those are values, maps and bitstrings under construction, the natives that guards know, choices between such
//! expressions, and `try … catch … -> false`, by which the compiler joins alternatives. An `error` makes it fail, too.

use ir::Primitive;
use ops::{Control, Rule};
use term::{Mfa, Term};

use super::Checker;
use frontend::flat::{Action, Body, Try, Value};

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
            Action::Try(attempt) => self.guard_try(attempt),
            _ => self.flaw("a guard holds what no guard may"),
        }
    }

    fn guard_call(&mut self, module: &Value, function: &Value, arity: usize) {
        let name = |value: &Value| match value {
            Value::Literal(Term::Atom(_, name)) => Some(*name),
            _ => None,
        };
        match (name(module), name(function)) {
            (Some(module), Some(function)) => {
                let function = Mfa { module, function, arity: u8::try_from(arity).unwrap_or(u8::MAX) };
                if !is_guard_function(function) {
                    self.flaw(format!("a guard calls {function}"));
                }
            }
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

fn is_guard_function(function: Mfa) -> bool {
    let fails = |rule| rule == Rule::Control(Control::Error) && function.arity == 1;
    ops::find(function).is_some_and(|operation| operation.guard || fails(operation.rule))
}
