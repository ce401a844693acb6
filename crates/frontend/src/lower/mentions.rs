//! The mentions of a piece of flat program: variables it uses and binds, functions it names.

use crate::flat::{Action, Body, Callee, Case, Lambda, Letrec, Name, Pattern, SegmentPattern, Try, Value, Var};

/// One occurrence.
pub enum Mention {
    Use(Var),
    Bind(Var),
    Function(Name),
}

enum Piece<'a> {
    Body(&'a Body),
    Value(&'a Value),
    Pattern(&'a Pattern),
}

/// Shows every mention in a lambda, closures inside it included, in no particular order.
pub fn mentions(lambda: &Lambda, look: &mut dyn FnMut(Mention)) {
    let mut walk = Walk { look, open: Vec::new() };
    walk.lambda(lambda);
    while let Some(piece) = walk.open.pop() {
        walk.piece(piece);
    }
}

/// The walk keeps its own stack: programs nest deeper than ours would bear.
struct Walk<'a, 'f> {
    look: &'f mut dyn FnMut(Mention),
    open: Vec<Piece<'a>>,
}

impl<'a> Walk<'a, '_> {
    fn bind(&mut self, vars: &[Var]) {
        vars.iter().for_each(|var| (self.look)(Mention::Bind(*var)));
    }

    fn values(&mut self, values: impl IntoIterator<Item = &'a Value>) {
        self.open.extend(values.into_iter().map(Piece::Value));
    }

    fn bodies<const N: usize>(&mut self, bodies: [&'a Body; N]) {
        self.open.extend(bodies.map(Piece::Body));
    }

    fn lambda(&mut self, lambda: &'a Lambda) {
        self.bind(&lambda.params);
        self.bodies([&lambda.body]);
    }

    fn piece(&mut self, piece: Piece<'a>) {
        match piece {
            Piece::Body(body) => {
                for step in &body.steps {
                    self.bind(&step.binds);
                    self.action(&step.action);
                }
                self.values(&body.result);
            }
            Piece::Value(value) => self.value(value),
            Piece::Pattern(pattern) => self.pattern(pattern),
        }
    }

    fn value(&mut self, value: &'a Value) {
        match value {
            Value::Var(var) => (self.look)(Mention::Use(*var)),
            Value::Literal(_) => {}
            Value::Cons(pair) => self.values([&pair.0, &pair.1]),
            Value::Tuple(items) => self.values(items),
            Value::Function(name) => (self.look)(Mention::Function(*name)),
        }
    }

    fn pattern(&mut self, pattern: &'a Pattern) {
        match pattern {
            Pattern::Var(var) => self.bind(&[*var]),
            Pattern::Literal(_) => {}
            Pattern::Cons(pair) => self.open.extend([&pair.0, &pair.1].map(Piece::Pattern)),
            Pattern::Tuple(items) => self.open.extend(items.iter().map(Piece::Pattern)),
            Pattern::Map(pairs) => {
                self.values(pairs.iter().map(|(key, _)| key));
                self.open.extend(pairs.iter().map(|(_, pattern)| Piece::Pattern(pattern)));
            }
            Pattern::Bits(segments) => segments.iter().for_each(|segment| self.segment(segment)),
            Pattern::Alias(var, pattern) => {
                self.bind(&[*var]);
                self.open.push(Piece::Pattern(pattern));
            }
        }
    }

    fn segment(&mut self, segment: &'a SegmentPattern) {
        self.values([&segment.size]);
        self.open.push(Piece::Pattern(&segment.pattern));
    }

    fn action(&mut self, action: &'a Action) {
        match action {
            Action::Values(values) | Action::Primop { args: values, .. } => self.values(values),
            Action::Catch(body) => self.bodies([body]),
            Action::Apply { function, args } => {
                self.callee(function);
                self.values(args);
            }
            Action::Call { module, function, args } => {
                self.values([module, function]);
                self.values(args);
            }
            Action::Case(case) => self.case(case),
            Action::Fun(fun) => self.lambda(&fun.lambda),
            Action::Letrec(letrec) => self.letrec(letrec),
            Action::Try(part) => self.protect(part),
            Action::Map { base, pairs } => {
                self.values([base]);
                pairs.iter().for_each(|(_, key, value)| self.values([key, value]));
            }
            Action::Bits(segments) => {
                segments.iter().for_each(|segment| self.values([&segment.value, &segment.size]));
            }
            Action::Line(_) => {}
        }
    }

    fn callee(&mut self, callee: &'a Callee) {
        match callee {
            Callee::Local(name) => (self.look)(Mention::Function(*name)),
            Callee::Value(value) => self.values([value]),
        }
    }

    fn case(&mut self, case: &'a Case) {
        self.values(&case.args);
        for clause in &case.clauses {
            self.open.extend(clause.patterns.iter().map(Piece::Pattern));
            self.bodies([&clause.guard, &clause.body]);
        }
    }

    fn letrec(&mut self, letrec: &'a Letrec) {
        letrec.functions.iter().for_each(|(_, lambda)| self.lambda(lambda));
        self.bodies([&letrec.body]);
    }

    fn protect(&mut self, part: &'a Try) {
        self.bind(&part.vars);
        self.bind(&part.caught);
        self.bodies([&part.body, &part.ok, &part.handler]);
    }
}
