//! Checking what steps compute.

use super::{Checker, Labels, Local};
use frontend::flat::{Action, Callee, Case, Clause, LetStep, Letrec, Name, Try, Value, Var};

impl Checker<'_> {
    /// Checks an action.
    pub fn action(&mut self, step: &LetStep, labels: &Labels) {
        let none = Labels::default();
        match &step.action {
            Action::Values(values) => self.counted(values, step.binds.len()),
            Action::Apply { function, args } => self.apply(function, args, labels),
            Action::Call { module, function, args } => {
                self.values([module, function]);
                self.values(args);
            }
            Action::Primop { args, .. } => self.values(args),
            Action::Case(case) => self.case(case, width(step), labels),
            Action::Fun(fun) => self.lambda(&fun.lambda, 1, &none),
            Action::Letrec(letrec) => self.letrec(letrec, width(step), labels),
            Action::Try(attempt) => self.attempt(attempt, width(step), labels),
            Action::Catch(body) => self.body(body, 1, &none),
            Action::Map { base, pairs } => {
                self.value(base);
                pairs.iter().for_each(|(_, key, value)| self.values([key, value]));
            }
            Action::Bits(segments) => {
                segments.iter().for_each(|segment| self.values([&segment.value, &segment.size]));
            }
            Action::Line(_) => self.nothing(&step.binds),
        }
    }

    fn counted(&mut self, values: &[Value], binds: usize) {
        self.values(values);
        if values.len() != binds {
            self.flaw(format!("{} values for {binds} variables", values.len()));
        }
    }

    fn nothing(&mut self, binds: &[Var]) {
        if !binds.is_empty() {
            self.flaw("a line mark has no value");
        }
    }

    fn apply(&mut self, function: &Callee, args: &[Value], labels: &Labels) {
        match function {
            Callee::Value(value) => self.value(value),
            Callee::Local(name) => self.local_call(*name, args.len(), labels),
        }
        self.values(args);
    }

    fn local_call(&mut self, name: Name, args: usize, labels: &Labels) {
        if usize::from(name.arity) != args {
            self.flaw(format!("{args} arguments for a function of {}", name.arity));
        }
        let label = self.function(name);
        if label && !labels.contains(&name) {
            self.flaw(format!("the label {} is not called last", name.function.name()));
        }
    }

    /// True if the function that is used here is a label.
    pub fn function(&mut self, name: Name) -> bool {
        match self.locals.get(&name) {
            Some(Local { in_scope: true, label }) => return *label,
            _ if self.module.contains(&name) => {}
            _ => self.flaw(format!("there is no function {}/{} here", name.function.name(), name.arity)),
        }
        false
    }

    fn case(&mut self, case: &Case, count: usize, labels: &Labels) {
        self.values(&case.args);
        if case.clauses.is_empty() {
            self.flaw("a case has no clauses");
        }
        for clause in &case.clauses {
            if clause.patterns.len() != case.args.len() {
                self.flaw("a clause has not as many patterns as the case has arguments");
            }
            self.clause(clause, count, labels);
        }
    }

    fn clause(&mut self, clause: &Clause, count: usize, labels: &Labels) {
        let mut bound = Vec::new();
        clause.patterns.iter().for_each(|pattern| self.pattern(pattern, &mut bound));
        self.guard(&clause.guard);
        self.body(&clause.guard, 1, &Labels::default());
        self.body(&clause.body, count, labels);
        self.leave(&bound);
    }

    fn letrec(&mut self, letrec: &Letrec, count: usize, labels: &Labels) {
        let mut inner = labels.clone();
        for (name, lambda) in &letrec.functions {
            if self.locals.insert(*name, Local { in_scope: true, label: letrec.goto }).is_some() {
                self.flaw(format!("there are two local functions {}", name.function.name()));
            }
            if lambda.params.len() != usize::from(name.arity) {
                self.flaw(format!("the parameters of {} are not as many as its arity", name.function.name()));
            }
            inner.extend(letrec.goto.then_some(*name));
        }
        let none = Labels::default();
        for (_, lambda) in &letrec.functions {
            match letrec.goto {
                true => self.lambda(lambda, count, &inner),
                false => self.lambda(lambda, 1, &none),
            }
        }
        self.body(&letrec.body, count, &inner);
        letrec.functions.iter().for_each(|(name, _)| self.forget(*name));
    }

    fn forget(&mut self, name: Name) {
        if let Some(local) = self.locals.get_mut(&name) {
            local.in_scope = false;
        }
    }

    fn attempt(&mut self, attempt: &Try, count: usize, labels: &Labels) {
        if !matches!(attempt.caught.len(), 2 | 3) {
            self.flaw("a try catches with other than two or three variables");
        }
        self.body(&attempt.body, attempt.vars.len(), &Labels::default());
        for (vars, body) in [(&attempt.vars, &attempt.ok), (&attempt.caught, &attempt.handler)] {
            self.bind(vars);
            self.body(body, count, labels);
            self.leave(vars);
        }
    }
}

/// The number of values that the parts of an action should have: one if it is not bound, unless it has none at all.
fn width(step: &LetStep) -> usize {
    match step.binds.len() {
        0 if step.action.has_no_value() => 0,
        0 => 1,
        count => count,
    }
}
