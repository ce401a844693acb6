//! Heads with default arguments: `def f(a, b \\ 1)` makes an f/1 that only calls f/2.

use super::syntax::{Action, Body, Callee, Function, Name, Pattern, Value, Var};

/// Returns the function that a head with fewer arguments calls, and the places of the head's parameters among its
/// arguments; nothing if the function does anything else.
pub fn default_head(function: &Function) -> Option<(Name, Vec<usize>)> {
    let params = function.lambda.params.clone();
    let (params, body) = only_clause(&function.lambda.body, params)?;
    let (last, before) = body.steps.split_last()?;
    let Action::Apply { function: Callee::Local(callee), args } = &last.action else { return None };
    let is_longer = callee.function == function.name && callee.arity > function.arity;
    let is_result = body.result.iter().zip(&last.binds).all(|(value, bind)| *value == Value::Var(*bind));
    let places: Vec<usize> = (0..args.len()).filter(|at| is_param(&args[*at], &params)).collect();
    let is_in_order = places.iter().zip(&params).all(|(at, param)| args[*at] == Value::Var(*param));
    let is_default = |at: usize| places.contains(&at) || !mentions(&args[at], &params);
    let are_defaults = (0..args.len()).all(is_default) && before.iter().all(|step| knows_none(&step.action, &params));
    (is_longer && is_result && is_in_order && are_defaults && places.len() == params.len()).then_some((*callee, places))
}

/// True for an action that computes a default, which knows no parameter.
fn knows_none(action: &Action, params: &[Var]) -> bool {
    let values = match action {
        Action::Line(_) => &[][..],
        Action::Values(values) => values,
        Action::Apply { function: Callee::Local(_), args } | Action::Call { args, .. } => args,
        _ => return false,
    };
    !values.iter().any(|value| mentions(value, params))
}

fn mentions(value: &Value, params: &[Var]) -> bool {
    match value {
        Value::Var(var) => params.contains(var),
        Value::Cons(cell) => mentions(&cell.0, params) || mentions(&cell.1, params),
        Value::Tuple(items) => items.iter().any(|item| mentions(item, params)),
        Value::Literal(_) | Value::Function(_) => false,
    }
}

/// The body of a function with one clause that takes anything, and its parameters in there.
fn only_clause(body: &Body, params: Vec<Var>) -> Option<(Vec<Var>, &Body)> {
    let steps: Vec<_> = body.steps.iter().filter(|step| !matches!(step.action, Action::Line(_))).collect();
    let [only] = steps[..] else { return Some((params, body)) };
    let Action::Case(case) = &only.action else { return Some((params, body)) };
    let clause = case.clauses.first().filter(|clause| clause.guard.steps.is_empty())?;
    let is_all = case.args.iter().zip(&params).all(|(arg, param)| *arg == Value::Var(*param));
    let names = clause.patterns.iter().map(|pattern| if let Pattern::Var(var) = pattern { Some(*var) } else { None });
    let names = names.collect::<Option<Vec<Var>>>()?;
    (is_all && names.len() == params.len()).then_some((names, &clause.body))
}

fn is_param(value: &Value, params: &[Var]) -> bool {
    matches!(value, Value::Var(var) if params.contains(var))
}
