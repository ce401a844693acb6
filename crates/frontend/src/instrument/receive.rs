//! `receive` in a flat program: a loop around operations of the language that the OTP compiler takes only as it has made it.
//!
//! The loop looks at one message after the other. Nothing can be emitted while it does: the message is not the program's
//! until it is removed from the queue. So a `receive` emits its events when it is over: after the removal the
//! message and the clause that it selected, or that time was up.

use ir::{Primitive, Receive};

use crate::flat::{Action, Body, Case, Clause, Function, Lambda, Letrec, Pattern, Value, Var};

/// The part that an action does for a `receive` in its loop.
pub fn part(action: &Action) -> Option<Receive> {
    match action {
        Action::Primop { op: Primitive::Receive(part), .. } => {
            Some(*part).filter(|part| !matches!(part, Receive::Timeout | Receive::Marker(_)))
        }
        _ => None,
    }
}

/// True if a label is the loop of a `receive`.
pub fn is_loop(lambda: &Lambda) -> bool {
    let first = lambda.body.steps.iter().find(|step| !matches!(step.action, Action::Line(_)));
    first.is_some_and(|step| matches!(part(&step.action), Some(Receive::Peek | Receive::Wait)))
}

/// True if a clause is where a `receive` goes on when time is up; `waits` are the answers of [`Receive::Wait`].
pub fn is_late(case: &Case, clause: &Clause, waits: &[Var]) -> bool {
    let is_true =
        |pattern: &Pattern| matches!(pattern, Pattern::Literal(term) if term.as_atom() == Some(term::known::TRUE));
    asks(case, waits) && clause.patterns.iter().all(is_true)
}

/// True if a case decides on one of these.
pub fn asks(case: &Case, vars: &[Var]) -> bool {
    matches!(&case.args[..], [Value::Var(var)] if vars.contains(var))
}

/// True if every operation of a `receive` is in a loop of the known shape.
pub fn is_regular(function: &Function) -> bool {
    let (mut all, mut known) = (0, 0);
    each_action(&function.lambda, &mut |action| {
        all += usize::from(part(action).is_some());
        if let Action::Letrec(Letrec { functions, goto: true, .. }) = action {
            known += functions.iter().filter(|(_, it)| is_loop(it)).map(|(_, it)| quiet(&it.body)).sum::<usize>();
        }
    });
    all == known
}

/// The operations of a `receive` in code without events.
fn quiet(body: &Body) -> usize {
    let mut count = 0;
    for step in &body.steps {
        match (part(&step.action), &step.action) {
            (Some(Receive::Remove), _) => return count + 1,
            (Some(_), _) => count += 1,
            (None, Action::Case(case)) => count += case.clauses.iter().map(|it| quiet(&it.body)).sum::<usize>(),
            _ => {}
        }
    }
    count
}

fn each_action(lambda: &Lambda, look: &mut dyn FnMut(&Action)) {
    let mut open = vec![&lambda.body];
    while let Some(body) = open.pop() {
        for step in &body.steps {
            look(&step.action);
            open.extend(step.action.bodies());
        }
    }
}
