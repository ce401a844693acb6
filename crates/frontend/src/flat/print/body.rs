//! Printing bodies: a step a line.

use term::Term;

use super::Printer;
use crate::flat::{Action, Body, LetStep, Value};

impl Printer<'_> {
    /// Prints a body.
    pub fn body(&mut self, body: &Body) {
        term::deeper(|| self.open_body(body));
    }

    fn open_body(&mut self, body: &Body) {
        let (steps, last) = match body.steps.split_last() {
            // The compiler wants the use of a label to be the very last thing.
            Some((last, steps)) if self.labels && last.is_result(&body.result) => (steps, Some(last)),
            _ => (&body.steps[..], None),
        };
        for step in steps {
            if self.is_shown(step) {
                self.step(step);
                self.note(&step.action);
                self.newline();
            }
        }
        match last {
            Some(step) => self.action(&step.action, step.location),
            None => self.values(&body.result),
        }
    }

    /// The event of an added step, as a comment at the end of its line.
    fn note(&mut self, action: &Action) {
        let Some((module, notes)) = self.style.notes else { return };
        let Action::Call { module: Value::Literal(called), args, .. } = action else { return };
        let Some(Value::Literal(Term::Int(_, number))) = args.first() else { return };
        if called.as_atom().is_some_and(|called| called.name() == module) {
            let note = usize::try_from(*number).ok().and_then(|number| notes.get(number));
            self.text(&format!("  %% {}", note.map_or("", |note| note)));
        }
    }

    /// The comment behind lines of an added handler.
    pub fn added(&self, handler: &Body) -> &'static str {
        if self.is_added(handler) { "  %% added" } else { "" }
    }

    /// True if a handler was added that emits the event of an exception.
    fn is_added(&self, handler: &Body) -> bool {
        let first = handler.steps.first().map(|step| &step.action);
        match (self.style.notes, first, handler.steps.last().map(|step| &step.action)) {
            (
                Some((module, _)),
                Some(Action::Call { module: Value::Literal(called), .. }),
                Some(Action::Primop { .. }),
            ) => handler.steps.len() == 2 && called.as_atom().is_some_and(|called| called.name() == module),
            _ => false,
        }
    }

    fn is_shown(&self, step: &LetStep) -> bool {
        self.style.marks || !matches!(step.action, Action::Line(_))
    }

    fn step(&mut self, step: &LetStep) {
        let effect = step.binds.is_empty() && !step.action.has_no_value();
        match effect {
            true => self.text("do "),
            false => {
                self.text("let <");
                self.vars(&step.binds);
                self.text("> = ");
            }
        }
        let added = match &step.action {
            Action::Try(part) => self.added(&part.handler),
            _ => "",
        };
        self.text(added);
        match is_block(&step.action) {
            true => self.indented(|printer| printer.action(&step.action, step.location)),
            false => self.action(&step.action, step.location),
        }
        match (effect, is_block(&step.action)) {
            (true, _) => {}
            (false, false) => self.text(" in"),
            (false, true) => {
                self.newline();
                self.text("in");
                self.text(added);
            }
        }
    }

    /// One value stands alone, others in angle brackets.
    pub fn values(&mut self, values: &[Value]) {
        match values {
            [value] => self.value(value),
            _ => {
                self.text("<");
                self.separated(values, |printer, value| printer.value(value));
                self.text(">");
            }
        }
    }
}

/// Actions that take more than a line.
fn is_block(action: &Action) -> bool {
    matches!(action, Action::Case(_) | Action::Fun(_) | Action::Letrec(_) | Action::Try(_) | Action::Catch(_))
}
