//! Equalities that a guard states: a variable that a pattern names twice is compared there.

use ir::Primitive;
use ops::{Boolean, Control, Relation, Rule};
use term::Term;

use crate::flat::{Action, Body, Case, Clause, Pattern, Try, Value, Var};

/// Pairs of values that are the same wherever the guard holds. What the guard computes itself is left out.
pub(super) fn equalities(guard: &Body) -> Vec<(Value, Value)> {
    let mut search = EqualitySearch { around: Vec::new(), pairs: Vec::new() };
    search.body(guard);
    search.pairs
}

struct EqualitySearch<'a> {
    /// The bodies around the place looked at, the outermost first.
    around: Vec<&'a Body>,
    pairs: Vec<(Value, Value)>,
}

impl<'a> EqualitySearch<'a> {
    /// The equalities that follow if the body gives `true`.
    fn body(&mut self, body: &'a Body) {
        self.around.push(body);
        if let [result] = &body.result[..] {
            self.value(result);
        }
        self.around.pop();
    }

    fn value(&mut self, value: &Value) {
        let Value::Var(var) = value else { return };
        match self.action(*var) {
            Some(action @ Action::Call { args, .. }) => match (rule(action), &args[..]) {
                (Rule::Boolean(Boolean::And), [a, b]) => [a, b].into_iter().for_each(|part| self.value(part)),
                (Rule::Relation(Relation::Same), [a, b]) => self.equal(a, b),
                _ => {}
            },
            Some(Action::Try(attempt)) if is_false_if_it_fails(attempt) => self.body(&attempt.body),
            Some(Action::Case(case)) => self.both(case),
            _ => {}
        }
    }

    fn equal(&mut self, a: &Value, b: &Value) {
        if !self.is_computed(a) && !self.is_computed(b) {
            self.pairs.push((a.clone(), b.clone()));
        } else if b.literal().and_then(Term::as_bool) == Some(true) {
            self.value(a);
        }
    }

    /// `andalso`: one that is `true` leads to the other, and nothing else leads to `true`.
    fn both(&mut self, case: &'a Case) {
        let ([arg], [first, others @ ..]) = (&case.args[..], &case.clauses[..]) else { return };
        let is_true = |pattern: &Pattern| matches!(pattern, Pattern::Literal(term) if *term == Term::bool(true));
        if matches!(&first.patterns[..], [pattern] if is_true(pattern)) && others.iter().all(never_true) {
            self.value(arg);
            self.body(&first.body);
        }
    }

    fn action(&self, var: Var) -> Option<&'a Action> {
        let steps = self.around.iter().rev().flat_map(|body| &body.steps);
        steps.into_iter().find(|step| step.binds == [var]).map(|step| &step.action)
    }

    fn is_computed(&self, value: &Value) -> bool {
        match value {
            Value::Var(var) => self.around.iter().any(|body| body.steps.iter().any(|step| step.binds.contains(var))),
            Value::Cons(parts) => self.is_computed(&parts.0) || self.is_computed(&parts.1),
            Value::Tuple(items) => items.iter().any(|item| self.is_computed(item)),
            Value::Literal(_) | Value::Function(_) => false,
        }
    }
}

/// `try Body of V -> V catch _ -> false`.
fn is_false_if_it_fails(attempt: &Try) -> bool {
    attempt.vars.len() == 1 && attempt.passes_on() && attempt.handler.gives_bool(false)
}

/// A clause that gives `false`, or ends with an exception.
fn never_true(clause: &Clause) -> bool {
    let raises = |action: &Action| match action {
        Action::Primop { op, .. } => *op == Primitive::MatchFail,
        call => rule(call) == Rule::Control(Control::Error),
    };
    clause.body.gives_bool(false) || clause.body.steps.last().is_some_and(|step| raises(&step.action))
}

/// Returns the meaning of a call.
fn rule(call: &Action) -> Rule {
    call.named().map_or(Rule::None, ops::rule)
}
