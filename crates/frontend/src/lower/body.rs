//! Bodies: step after step, then the result.

use ir::{Location, Op, Reg};

use super::place::Place;
use super::{Lowering, is_tail};
use crate::flat::{Action, Body, LetStep, Value, Var};

impl<'a> Lowering<'_, 'a> {
    /// Lowers a body.
    pub fn body(&mut self, body: &'a Body, place: &Place) {
        if self.is_observed() {
            return self.closed(body, None, place);
        }
        term::deeper(|| {
            let mut rest = &body.steps[..];
            while let Some((step, after)) = rest.split_first() {
                if !self.builder.is_live() {
                    return;
                }
                self.stand_at(step.location);
                match self.steps(step, after, body, place) {
                    Some(left) => rest = left,
                    None => return,
                }
            }
            self.give(&body.result, place);
        });
    }

    /// One step, and the next one with it where the first only decides the second. The steps that are left, or nothing
    /// when the body's values have come to their place.
    fn steps(
        &mut self,
        step: &'a LetStep,
        after: &'a [LetStep],
        body: &'a Body,
        place: &Place,
    ) -> Option<&'a [LetStep]> {
        let Some((next, rest)) = after.split_first() else {
            if is_tail(step, body) {
                self.action(&step.action, place);
                return None;
            }
            self.step(step);
            return Some(after);
        };
        let last = rest.is_empty() && is_tail(next, body);
        if last && self.asks_truth(step, next, place) {
            self.action(&step.action, place);
            return None;
        }
        if !self.decides(step, next) {
            self.step(step);
            return Some(after);
        }
        let next_place = if last { place.clone() } else { self.on(&next.binds) };
        self.joined(&next_place, |this, place| this.fused_case(step, next, place));
        (!last).then_some(rest)
    }

    /// Sets the source place of what follows.
    pub fn stand_at(&mut self, location: Location) {
        if location.is_known() {
            self.at = location;
        }
    }

    fn step(&mut self, step: &'a LetStep) {
        if let (Action::Values(values), true) = (&step.action, !step.binds.is_empty()) {
            return self.name_values(&step.binds, values);
        }
        if !self.keep_condition(step) {
            let place = self.on(&step.binds);
            self.note_boolean(step);
            self.action(&step.action, &place);
        }
    }

    /// Binds variables to values.
    pub fn name_values(&mut self, binds: &[Var], values: &'a [Value]) {
        if binds.len() != values.len() {
            self.fail(format!("{} values where {} are expected", values.len(), binds.len()));
        }
        binds.iter().zip(values).for_each(|(var, value)| self.name_value(*var, value));
    }

    /// Registers for variables, and control just goes on.
    pub fn on(&mut self, binds: &[Var]) -> Place {
        Place::values(binds.iter().map(|var| self.wanted_register(*var)).collect::<Vec<_>>(), None)
    }

    /// A register for a variable that is used.
    pub fn wanted_register(&mut self, var: Var) -> Option<Reg> {
        (self.lifting.uses(var) > 0).then(|| self.new_register(var))
    }

    /// Puts the value of an operation, which `make` gets a register for, to its place.
    pub fn operation(&mut self, place: &Place, make: impl FnOnce(Reg) -> Op) {
        let to = place.register().unwrap_or_else(|| self.builder.register());
        self.builder.push(make(to), self.at);
        self.give_register(to, place);
    }

    /// Lowers an action.
    pub fn action(&mut self, action: &'a Action, place: &Place) {
        match action {
            Action::Values(values) => self.give(values, place),
            Action::Apply { function, args } => self.apply(function, args, place),
            Action::Call { .. } => self.remote(action, place),
            Action::Primop { op, args } => self.primop(*op, args, place),
            Action::Fun(fun) => self.fun(fun, place),
            Action::Map { base, pairs } => self.map(base, pairs, place),
            Action::Bits(segments) => self.bits(segments, place),
            Action::Line(line) => self.line(*line, place),
            Action::Case(case) => self.joined(place, |this, place| this.case(case, place)),
            Action::Letrec(letrec) => self.joined(place, |this, place| this.letrec(letrec, place)),
            Action::Try(part) => self.joined(place, |this, place| this.protect(part, None, place)),
            Action::Catch(body) => self.joined(place, |this, place| this.catch(body, None, place)),
        }
    }

    fn line(&mut self, line: u32, place: &Place) {
        self.builder.push(Op::Line(line), self.at);
        if let Place::Values { next, .. } = place {
            self.go(*next);
        }
    }

    /// Gives an action with several blocks a block to go on in, where control just goes on after it.
    pub fn joined(&mut self, place: &Place, lower: impl FnOnce(&mut Self, &Place)) {
        let Place::Values { to, next: None } = place else { return lower(self, place) };
        let next = self.builder.block(self.handler);
        lower(self, &Place::Values { to: to.clone(), next: Some(next) });
        self.builder.start(next);
    }
}
