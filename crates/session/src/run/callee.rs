//! The function that an expression calls last, so that a wrong name is reported before anything runs.

use frontend::flat::{Action, Body, Case, Function, Value};
use term::Mfa;

/// Returns the named function whose value is the expression's value, if there is one.
pub(super) fn last_callee(expression: &Function) -> Option<Mfa> {
    last_call(&expression.lambda.body)
}

fn last_call(body: &Body) -> Option<Mfa> {
    let [Value::Var(result)] = body.result.as_slice() else { return None };
    let step = body.steps.iter().rev().find(|step| step.binds.contains(result))?;
    match &step.action {
        Action::Call { module, function, args } => named(module, function, args.len()),
        Action::Case(case) => only_body(case).and_then(last_call),
        _ => None,
    }
}

/// The body of a case that leaves no choice: a function's clauses are one.
fn only_body(case: &Case) -> Option<&Body> {
    let mut written = case.clauses.iter().filter(|clause| !clause.generated);
    match (written.next(), written.next()) {
        (Some(clause), None) => Some(&clause.body),
        _ => None,
    }
}

fn named(module: &Value, function: &Value, arity: usize) -> Option<Mfa> {
    let (Value::Literal(module), Value::Literal(function)) = (module, function) else { return None };
    Some(Mfa { module: module.as_atom()?, function: function.as_atom()?, arity: u8::try_from(arity).ok()? })
}
