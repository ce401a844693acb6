//! The mentions of a piece of flat program: variables it uses and binds, functions it names.

use crate::flat::{Action, Body, Callee, Lambda, Name, Pattern, Value, Var};

/// One occurrence.
pub enum Mention {
    Use(Var),
    Bind(Var),
    Function(Name),
}

/// Shows every mention in a lambda, closures inside it included, in no particular order.
pub fn mentions(lambda: &Lambda, look: &mut dyn FnMut(Mention)) {
    let mut walk = Walk { look, values: Vec::new(), bodies: vec![&lambda.body] };
    walk.bind(&lambda.params);
    while let Some(body) = walk.bodies.pop() {
        walk.body(body);
        while let Some(value) = walk.values.pop() {
            walk.value(value);
        }
    }
}

/// The walk keeps its own stack: programs nest deeper than ours would bear.
struct Walk<'a, 'f> {
    look: &'f mut dyn FnMut(Mention),
    values: Vec<&'a Value>,
    bodies: Vec<&'a Body>,
}

impl<'a> Walk<'a, '_> {
    fn bind(&mut self, vars: &[Var]) {
        vars.iter().for_each(|var| (self.look)(Mention::Bind(*var)));
    }

    fn body(&mut self, body: &'a Body) {
        for step in &body.steps {
            self.bind(&step.binds);
            self.values.extend(step.action.values());
            self.bodies.extend(step.action.bodies());
            self.names(&step.action);
        }
        self.values.extend(&body.result);
    }

    fn value(&mut self, value: &'a Value) {
        match value {
            Value::Var(var) => (self.look)(Mention::Use(*var)),
            Value::Literal(_) => {}
            Value::Cons(pair) => self.values.extend([&pair.0, &pair.1]),
            Value::Tuple(items) => self.values.extend(items),
            Value::Function(name) => (self.look)(Mention::Function(*name)),
        }
    }

    /// The names that an action itself calls or binds in its bodies.
    fn names(&mut self, action: &'a Action) {
        match action {
            Action::Apply { function: Callee::Local(name), .. } => (self.look)(Mention::Function(*name)),
            Action::Case(case) => {
                let patterns = case.clauses.iter().flat_map(|clause| &clause.patterns);
                patterns.for_each(|pattern| pattern.each(&mut |part| self.pattern(part)));
            }
            Action::Fun(fun) => self.bind(&fun.lambda.params),
            Action::Letrec(letrec) => letrec.functions.iter().for_each(|(_, lambda)| self.bind(&lambda.params)),
            Action::Try(part) => [&part.vars, &part.caught].into_iter().for_each(|vars| self.bind(vars)),
            _ => {}
        }
    }

    fn pattern(&mut self, pattern: &'a Pattern) {
        self.bind(pattern.var().as_slice());
        match pattern {
            Pattern::Map(pairs) => self.values.extend(pairs.iter().map(|(key, _)| key)),
            Pattern::Bits(segments) => self.values.extend(segments.iter().map(|segment| &segment.size)),
            _ => {}
        }
    }
}
