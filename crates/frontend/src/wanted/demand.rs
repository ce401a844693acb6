//! The demands of code on a variable.

use std::rc::Rc;

use constraint::{MapField, RuleId, Shape};
use ir::Primitive;
use term::{Atom, Mfa, Term};

use super::{CalleeNeed, DEPTH, Demands, PartSelector, guard, operator};
use crate::flat::{Action, Body, Callee, Case, Clause, Lambda, Letrec, Name, Pattern, Value, Var};

/// The demand of a piece of code on a variable.
pub(super) enum Demand {
    /// It takes anything.
    Silent,
    /// It raises an exception whatever it gets.
    Never,
    /// It takes values of these shapes.
    Shapes(Vec<Shape>),
}

impl Demands<'_> {
    /// The rule of a parameter of a function of the module, or of a local one; nothing if it takes anything.
    pub(super) fn param(&mut self, name: Name, at: usize) -> Option<RuleId> {
        if let Some(known) = self.params.get(&(name, at)) {
            return *known;
        }
        let lambda = self.lambda(name)?;
        let var = *lambda.params.get(at)?;
        if self.depth >= DEPTH {
            return None;
        }
        // A function that hands on a part of its parameter to itself has a recursive rule.
        let rule = self.grammar.reserve();
        self.params.insert((name, at), Some(rule));
        self.depth += 1;
        let demand = self.body(&lambda.body, &mut vec![var]);
        self.depth -= 1;
        let shapes = match demand {
            Demand::Shapes(shapes) if shapes.iter().any(|shape| *shape != Shape::Rule(rule)) => shapes,
            _ => {
                self.grammar.fill(rule, vec![Shape::Any]);
                self.params.insert((name, at), None);
                return None;
            }
        };
        let shapes: Vec<Shape> = shapes.into_iter().filter(|shape| *shape != Shape::Rule(rule)).collect();
        self.grammar.fill(rule, shapes);
        Some(rule)
    }

    fn lambda(&mut self, name: Name) -> Option<Rc<Lambda>> {
        if let Some(local) = self.letrecs.get(&name) {
            return Some(Rc::clone(local));
        }
        let Name { function, arity } = name;
        let found = self.source.flat(Mfa { module: self.entry.module, function, arity })?;
        Some(Rc::new(found.lambda.clone()))
    }

    /// The first demand of a body on a value that some variables have.
    pub(super) fn body(&mut self, body: &Body, vars: &mut Vec<Var>) -> Demand {
        if self.looks == 0 {
            return Demand::Silent;
        }
        self.looks -= 1;
        if raises(body) {
            return Demand::Never;
        }
        for step in &body.steps {
            if let Action::Values(values) = &step.action {
                let same = step.binds.iter().zip(values).filter(|(_, value)| is_one(value, vars));
                let new: Vec<Var> = same.map(|(bind, _)| *bind).collect();
                vars.extend(new);
            }
            match self.action(&step.action, vars) {
                Demand::Silent => {}
                demand => return demand,
            }
        }
        Demand::Silent
    }

    fn action(&mut self, action: &Action, vars: &mut Vec<Var>) -> Demand {
        match action {
            Action::Apply { function: Callee::Local(name), args } => self.local_call(*name, args, vars),
            Action::Apply { function: Callee::Value(fun), args } if is_one(fun, vars) => {
                let any = self.grammar.intern(vec![Shape::Any]);
                Demand::Shapes(vec![Shape::Fun { params: Some(vec![any; args.len()]), result: any }])
            }
            Action::Call { module, function, args } => self.remote_call((module, function), args, vars),
            Action::Case(case) => self.case(case, vars),
            Action::Letrec(letrec) => self.letrec(letrec, vars),
            Action::Map { base, .. } if is_one(base, vars) => Demand::Shapes(vec![self.any_map()]),
            // What is caught is no demand, and a fun may never be called.
            _ => Demand::Silent,
        }
    }

    fn letrec(&mut self, letrec: &Letrec, vars: &mut Vec<Var>) -> Demand {
        for (name, lambda) in &letrec.functions {
            self.letrecs.insert(*name, Rc::new(lambda.clone()));
        }
        self.body(&letrec.body, vars)
    }

    fn local_call(&mut self, name: Name, args: &[Value], vars: &mut Vec<Var>) -> Demand {
        let callee = Mfa { module: self.entry.module, function: name.function, arity: name.arity };
        let is_own = self.letrecs.contains_key(&name);
        let Some(at) = args.iter().position(|arg| is_one(arg, vars)) else {
            return if is_own { self.free(name, vars) } else { Demand::Silent };
        };
        let spec = if is_own || callee == self.entry { None } else { self.source.spec(self.grammar, callee) };
        match spec {
            Some(rules) => self.needed(callee, rules.get(at).copied()),
            None => self.param(name, at).map_or(Demand::Silent, |rule| Demand::Shapes(vec![Shape::Rule(rule)])),
        }
    }

    /// The demand of a local function on a variable from outside.
    fn free(&mut self, name: Name, vars: &mut Vec<Var>) -> Demand {
        let Some(lambda) = self.letrecs.get(&name).cloned() else { return Demand::Silent };
        if !self.labels.insert(name) {
            return Demand::Silent;
        }
        let demand = self.body(&lambda.body, vars);
        self.labels.remove(&name);
        demand
    }

    fn remote_call(&mut self, (module, function): (&Value, &Value), args: &[Value], vars: &[Var]) -> Demand {
        if is_one(module, vars) {
            return Demand::Shapes(vec![Shape::Atom]);
        }
        let (Some(module), Some(function)) = (literal_atom(module), literal_atom(function)) else {
            return Demand::Silent;
        };
        let Some(at) = args.iter().position(|arg| is_one(arg, vars)) else { return Demand::Silent };
        let callee = Mfa { module, function, arity: args.len() as u8 };
        if let Some(shapes) = operator::operand(self.grammar, callee, at) {
            return shapes.map_or(Demand::Silent, Demand::Shapes);
        }
        let rules = self.source.spec(self.grammar, callee);
        self.needed(callee, rules.and_then(|rules| rules.get(at).copied()))
    }

    /// The demand of a function with a spec, which is noted.
    fn needed(&mut self, callee: Mfa, rule: Option<RuleId>) -> Demand {
        let Some(rule) = rule.filter(|rule| !self.is_any(*rule)) else { return Demand::Silent };
        let need = CalleeNeed { callee, input: self.input, path: self.path.clone(), rule };
        if !self.needs.contains(&need) {
            self.needs.push(need);
        }
        Demand::Shapes(vec![Shape::Rule(rule)])
    }

    fn is_any(&self, rule: RuleId) -> bool {
        let is_any =
            |shape: &Shape| matches!(shape, Shape::Any) || matches!(shape, Shape::Rule(it) if self.is_any(*it));
        self.grammar.rule(rule).shapes.iter().any(is_any)
    }

    fn case(&mut self, case: &Case, vars: &[Var]) -> Demand {
        let at = case.args.iter().position(|arg| is_one(arg, vars));
        let (mut all, mut is_silent) = (Vec::new(), false);
        for clause in &case.clauses {
            match self.clause(clause, at, vars) {
                Demand::Silent => is_silent = true,
                Demand::Never => {}
                Demand::Shapes(shapes) => all.extend(shapes),
            }
        }
        match all.is_empty() {
            _ if is_silent => Demand::Silent,
            true => Demand::Never,
            false => Demand::Shapes(all),
        }
    }

    /// The demand of a clause on the value at a place of its case, or on variables that it uses.
    fn clause(&mut self, clause: &Clause, at: Option<usize>, vars: &[Var]) -> Demand {
        if raises(&clause.body) {
            return Demand::Never;
        }
        let mut vars = vars.to_vec();
        let mut pattern = at.map(|at| &clause.patterns[at]);
        while let Some(Pattern::Alias(var, inner)) = pattern {
            vars.push(*var);
            pattern = Some(inner);
        }
        match pattern {
            Some(Pattern::Var(var)) => vars.push(*var),
            Some(pattern) => return Demand::Shapes(self.pattern(pattern, clause)),
            None => {}
        }
        match guard::kinds(self.grammar, &clause.guard, &vars) {
            Some(shapes) => Demand::Shapes(shapes),
            None => self.body(&clause.body, &mut vars),
        }
    }

    /// The shapes that a pattern takes, whose variables the rest of the clause narrows.
    fn pattern(&mut self, pattern: &Pattern, clause: &Clause) -> Vec<Shape> {
        match pattern {
            Pattern::Alias(_, inner) => self.pattern(inner, clause),
            Pattern::Literal(term) => self.literal(term),
            Pattern::Var(var) => match guard::kinds(self.grammar, &clause.guard, &[*var]) {
                Some(shapes) => shapes,
                None => match self.body(&clause.body, &mut vec![*var]) {
                    Demand::Shapes(shapes) => shapes,
                    Demand::Silent | Demand::Never => vec![Shape::Any],
                },
            },
            Pattern::Cons(cell) => {
                let (head, tail) =
                    (self.part(PartSelector::Each, &cell.0, clause), self.part(PartSelector::Rest, &cell.1, clause));
                vec![Shape::Cons(head, tail)]
            }
            Pattern::Tuple(items) => {
                let items = items.iter().enumerate();
                vec![Shape::Tuple(
                    items.map(|(at, it)| self.part(PartSelector::Element(at as u32), it, clause)).collect(),
                )]
            }
            Pattern::Map(pairs) => vec![self.map(pairs, clause)],
            Pattern::Bits(_) => vec![Shape::Bits { base: 0, unit: 8 }],
        }
    }

    fn part(&mut self, step: PartSelector, pattern: &Pattern, clause: &Clause) -> RuleId {
        self.path.push(step);
        let shapes = self.pattern(pattern, clause);
        self.path.pop();
        self.grammar.intern(shapes)
    }

    fn literal(&mut self, term: &Term) -> Vec<Shape> {
        match term {
            Term::Cons(_, cell) => {
                let parts = [&cell.head, &cell.tail].map(|part| self.literal(part));
                let [head, tail] = parts.map(|shapes| self.grammar.intern(shapes));
                vec![Shape::Cons(head, tail)]
            }
            Term::Tuple(_, items) => {
                let shapes: Vec<Vec<Shape>> = items.iter().map(|item| self.literal(item)).collect();
                vec![Shape::Tuple(shapes.into_iter().map(|shapes| self.grammar.intern(shapes)).collect())]
            }
            Term::Map(..) => vec![self.any_map()],
            Term::Bits(..) => vec![Shape::Bits { base: 0, unit: 8 }],
            term => vec![Shape::Literal(term.clone())],
        }
    }

    fn map(&mut self, pairs: &[(Value, Pattern)], clause: &Clause) -> Shape {
        let mut fields = Vec::new();
        for (key, value) in pairs {
            if let Value::Literal(key) = key {
                let value = self.part(PartSelector::Key(key.clone()), value, clause);
                let key = self.literal(key);
                let key = self.grammar.intern(key);
                fields.push(MapField { key, value, mandatory: true });
            }
        }
        let any = self.grammar.intern(vec![Shape::Any]);
        fields.push(MapField { key: any, value: any, mandatory: false });
        Shape::Map(fields)
    }

    fn any_map(&mut self) -> Shape {
        let any = self.grammar.intern(vec![Shape::Any]);
        Shape::Map(vec![MapField { key: any, value: any, mandatory: false }])
    }
}

/// True if a value is that of one of the variables.
fn is_one(value: &Value, vars: &[Var]) -> bool {
    matches!(value, Value::Var(var) if vars.contains(var))
}

pub(super) fn literal_atom(value: &Value) -> Option<Atom> {
    if let Value::Literal(term) = value { term.as_atom() } else { None }
}

/// True if a body ends in an exception, whatever happens before.
fn raises(body: &Body) -> bool {
    match body.steps.last().map(|step| &step.action) {
        Some(Action::Primop { op: Primitive::MatchFail | Primitive::Raise | Primitive::RawRaise, .. }) => true,
        Some(Action::Call { module, function, .. }) => {
            let names = literal_atom(module).zip(literal_atom(function));
            names.is_some_and(|(module, function)| {
                module.name() == "erlang" && matches!(function.name(), "error" | "exit" | "throw" | "raise")
            })
        }
        Some(Action::Case(case)) => case.clauses.iter().all(|clause| raises(&clause.body)),
        _ => false,
    }
}
