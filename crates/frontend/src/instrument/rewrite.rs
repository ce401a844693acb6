//! The instrumentation itself: a flat program to one that gives the same values and emits its events.

use ir::{Location, Primitive};
use rustc_hash::FxHashSet;
use term::{Atom, Mfa, Term};

use super::number::Numbering;
use super::receive::is_regular;
use super::site::{Aside, EventSite, LambdaSite, Sites};
use super::table::EventTable;
use super::{RUNTIME, never_returns};
use crate::flat::{
    Action, Body, Callee, Case, Clause, Fun, Function, Lambda, LetStep, Letrec, Module, Name, Pattern, Try, Value, Var,
};

/// The module that emits its events, and the table that they refer to. `known` are the functions outside whose values
/// need not be recorded. Events get numbers from `first` on.
pub fn instrumented(module: &Module, first: u32, known: &dyn Fn(Mfa) -> bool) -> (Module, EventTable) {
    let emitting = module.functions.iter().filter(|function| is_regular(function));
    let functions: FxHashSet<Name> = emitting.map(|it| Name { function: it.name, arity: it.arity }).collect();
    let exports = module.exports.iter().map(|&(function, arity)| Name { function, arity }).collect();
    let numbering = Numbering { module: module.name, functions: &functions, exports: &exports, known };
    let mut table = EventTable { first, functions: Vec::new() };
    let rewritten = module.functions.iter().map(|function| {
        let (events, sites) = numbering.number(function, table.end());
        table.functions.push(events);
        rewrite(module.name, function, &sites)
    });
    let functions = rewritten.collect();
    let (exports, attributes) = (module.exports.clone(), module.attributes.clone());
    (Module { name: module.name, exports, attributes, functions, files: module.files.clone() }, table)
}

fn rewrite(module: Atom, function: &Function, sites: &Sites) -> Function {
    let taken = function.names.iter().map(String::as_str).collect();
    let (names, funs) = (function.names.clone(), FxHashSet::default());
    let mut rewriting = Rewriting { module, sites, names, taken, funs, last: 0 };
    let lambda = rewriting.lambda(&function.lambda);
    Function { name: function.name, arity: function.arity, lambda, names: rewriting.names }
}

struct Rewriting<'a> {
    module: Atom,
    sites: &'a Sites,
    names: Vec<String>,
    taken: FxHashSet<&'a str>,
    /// Names of funs that are there.
    funs: FxHashSet<Atom>,
    last: u32,
}

/// The events that are emitted at the end of a body, innermost first.
type Closings = Vec<u32>;

impl Rewriting<'_> {
    fn fresh(&mut self) -> Var {
        loop {
            self.last += 1;
            let name = format!("_E{}", self.last);
            if !self.taken.contains(&*name) {
                self.names.push(name);
                return Var(self.names.len() as u32 - 1);
            }
        }
    }

    /// The compiler takes funs of one name for copies, such as those of what comes after an attempt, and keeps the first;
    /// but each emits events of its own.
    fn fun(&mut self, fun: &Fun) -> Fun {
        let mut name = fun.name;
        while !self.funs.insert(name) {
            name = Atom::new(&format!("{}'", name.name()));
        }
        Fun { lambda: self.lambda(&fun.lambda), name }
    }

    /// A function that emits its exit. The handler that emits the event of an exception is around everything.
    fn lambda(&mut self, lambda: &Lambda) -> Lambda {
        let Some(LambdaSite::Function { exit, raised }) = self.sites.lambda(lambda) else { return lambda.clone() };
        let inner = self.body(&lambda.body, &vec![exit], false);
        let [value, passed, class, reason, raw, none] = [(); 6].map(|()| self.fresh());
        let again = Action::Primop { op: Primitive::Raise, args: vec![Value::Var(raw), Value::Var(reason)] };
        let steps = vec![emit(raised), step(vec![none], again)];
        let part = Try {
            body: inner,
            vars: vec![passed],
            ok: Body::new(Vec::new(), vec![Value::Var(passed)]),
            caught: vec![class, reason, raw],
            handler: Body::new(steps, vec![Value::Var(none)]),
        };
        let body = Body::new(vec![step(vec![value], Action::Try(Box::new(part)))], vec![Value::Var(value)]);
        Lambda { params: lambda.params.clone(), body, location: lambda.location, lifted: lambda.lifted }
    }

    /// `labels`: whether the body's last step may be a jump, so that the events at the end must be emitted before its
    /// values are: nothing may stand behind a jump.
    fn body(&mut self, body: &Body, closings: &Closings, labels: bool) -> Body {
        term::deeper(|| {
            let mut steps: Vec<LetStep> = self.sites.before(body).iter().map(|it| self.aside(it)).collect();
            for (at, step) in body.steps.iter().enumerate() {
                let last = at + 1 == body.steps.len() && step.is_result(&body.result);
                if last && labels && passes_on(step, self.sites) {
                    let action = self.last(step, closings, &mut steps);
                    steps.push(LetStep { binds: step.binds.clone(), action, location: step.location });
                    return Body::new(steps, body.result.clone());
                }
                self.step(step, &mut steps);
                steps.extend(self.sites.after(step).iter().map(|it| self.aside(it)));
            }
            if !never_returns(body) {
                steps.extend(closings.iter().map(|&number| emit(number)));
            }
            Body::new(steps, body.result.clone())
        })
    }

    /// The last step of a body that can be left by a jump.
    fn last(&mut self, step: &LetStep, closings: &Closings, steps: &mut Vec<LetStep>) -> Action {
        match (&step.action, self.sites.step(step)) {
            (action, Some(EventSite::Jump(bind))) => {
                steps.push(emit(bind));
                action.clone()
            }
            (action, Some(EventSite::Again)) => action.clone(),
            (action, Some(site)) => self.nested(action, site, closings, true),
            (action, None) => action.clone(),
        }
    }

    fn step(&mut self, original: &LetStep, steps: &mut Vec<LetStep>) {
        let LetStep { binds, action, location } = original;
        let plain = |action: Action| LetStep { binds: binds.clone(), action, location: *location };
        let Some(site) = self.sites.step(original) else { return steps.push(plain(action.clone())) };
        match site {
            EventSite::Own { call } | EventSite::Jump(call) => steps.extend([emit(call), plain(action.clone())]),
            EventSite::Bind(bind) => {
                let action = match action {
                    Action::Fun(fun) => Action::Fun(self.fun(fun)),
                    other => other.clone(),
                };
                steps.extend([plain(action), emit(bind)]);
            }
            EventSite::Fun { first } | EventSite::Named { first } => {
                let callee = callee(action);
                steps.push(self.runtime("call", [number(first), Value::Literal(Term::atom(self.module))], &callee));
                let value = self.with_value(original, action.clone(), steps);
                let args = [number(first + 2), Value::Literal(Term::atom(self.module))];
                steps.push(self.runtime("back", args, &[callee, vec![value]].concat()));
            }
            EventSite::Outside { call, bind } => {
                steps.push(emit(call));
                let value = self.with_value(original, action.clone(), steps);
                steps.push(self.runtime("out", [number(bind)], &[value]));
            }
            EventSite::Peek { .. } | EventSite::Wait { .. } | EventSite::Again => steps.push(plain(action.clone())),
            EventSite::Case { .. }
            | EventSite::Choice
            | EventSite::Closing(_)
            | EventSite::Try { .. }
            | EventSite::Catch { .. } => {
                let action = self.nested(action, site, &Closings::new(), false);
                steps.push(plain(action));
            }
        }
    }

    /// Adds a step whose value is wanted even if the program throws it away; several values come as a tuple.
    fn with_value(&mut self, original: &LetStep, action: Action, steps: &mut Vec<LetStep>) -> Value {
        let mut binds = original.binds.clone();
        if binds.is_empty() {
            binds.push(self.fresh());
        }
        let value = match binds[..] {
            [var] => Value::Var(var),
            _ => Value::Tuple(binds.iter().map(|&var| Value::Var(var)).collect()),
        };
        steps.push(LetStep { binds, action, location: original.location });
        value
    }

    /// An action with bodies of its own, which emit the events of their ends and then `closings`.
    fn nested(&mut self, action: &Action, site: EventSite, closings: &Closings, labels: bool) -> Action {
        let and = |number: u32| [&[number], &closings[..]].concat();
        match (action, site) {
            (Action::Case(case), EventSite::Case { first }) => {
                Action::Case(self.case(case, Some(first), closings, labels))
            }
            (Action::Case(case), EventSite::Choice) => Action::Case(self.case(case, None, closings, labels)),
            (Action::Letrec(letrec), EventSite::Closing(closing)) => {
                Action::Letrec(self.letrec(letrec, closing, closings, labels))
            }
            (Action::Try(part), EventSite::Try { first }) => {
                let caught: Vec<Value> = part.caught.iter().take(2).map(|&var| Value::Var(var)).collect();
                let mut handler = self.body(&part.handler, &and(first + 3), labels);
                handler.steps.insert(0, self.runtime("out", [number(first + 2)], &[Value::Tuple(caught)]));
                Action::Try(Box::new(Try {
                    body: self.body(&part.body, &vec![first], false),
                    vars: part.vars.clone(),
                    ok: self.body(&part.ok, &and(first + 1), labels),
                    caught: part.caught.clone(),
                    handler,
                }))
            }
            (Action::Catch(body), EventSite::Catch { first }) => self.catch(body, first),
            (other, _) => other.clone(),
        }
    }

    fn case(&mut self, case: &Case, first: Option<u32>, closings: &Closings, labels: bool) -> Case {
        let loud = self.sites.is_loud(case);
        let clauses = case.clauses.iter().enumerate().map(|(at, clause)| {
            let number = first.map(|first| first + 2 * at as u32);
            let closings: Closings = number.iter().map(|number| number + 1).chain(closings.iter().copied()).collect();
            let mut body = self.body(&clause.body, &closings, labels);
            if let Some(number) = number.filter(|_| loud) {
                body.steps.insert(0, emit(number));
            }
            Clause {
                patterns: clause.patterns.clone(),
                guard: clause.guard.clone(),
                body,
                location: clause.location,
                generated: clause.generated,
            }
        });
        Case { clauses: clauses.collect(), args: case.args.clone() }
    }

    fn letrec(&mut self, letrec: &Letrec, closing: u32, closings: &Closings, labels: bool) -> Letrec {
        let mut functions = Vec::new();
        for (name, lambda) in &letrec.functions {
            let lambda = match self.sites.lambda(lambda) {
                Some(LambdaSite::Label { closing }) => {
                    let closings = [&[closing], &closings[..]].concat();
                    let body = self.body(&lambda.body, &closings, true);
                    Lambda { params: lambda.params.clone(), body, location: lambda.location, lifted: lambda.lifted }
                }
                _ => self.lambda(lambda),
            };
            functions.push((*name, lambda));
        }
        let closings = [&[closing], &closings[..]].concat();
        let body = self.body(&letrec.body, &closings, labels || letrec.goto);
        Letrec { functions, body, goto: letrec.goto }
    }

    /// `catch` does not show the exception itself, so that it is spelt out.
    fn catch(&mut self, body: &Body, first: u32) -> Action {
        let [passed, class, reason, raw, stack, value] = [(); 6].map(|()| self.fresh());
        let caught = Value::Tuple(vec![Value::Var(class), Value::Var(reason)]);
        let record = self.runtime("out", [number(first + 1)], &[caught]);
        let exit = |reason: Value| Value::Tuple(vec![atom("EXIT"), reason]);
        let trace = Action::Primop { op: Primitive::BuildStacktrace, args: vec![Value::Var(raw)] };
        let error = Body::new(
            vec![step(vec![stack], trace)],
            vec![exit(Value::Tuple(vec![Value::Var(reason), Value::Var(stack)]))],
        );
        let other = self.fresh();
        let clauses = vec![
            clause(Pattern::Literal(Term::atom_named("throw")), Body::new(Vec::new(), vec![Value::Var(reason)])),
            clause(Pattern::Literal(Term::atom_named("exit")), Body::new(Vec::new(), vec![exit(Value::Var(reason))])),
            clause(Pattern::Var(other), error),
        ];
        let choice = Action::Case(Case { args: vec![Value::Var(class)], clauses });
        Action::Try(Box::new(Try {
            body: self.body(body, &vec![first], false),
            vars: vec![passed],
            ok: Body::new(Vec::new(), vec![Value::Var(passed)]),
            caught: vec![class, reason, raw],
            handler: Body::new(vec![record, step(vec![value], choice)], vec![Value::Var(value)]),
        }))
    }

    fn aside(&self, aside: &Aside) -> LetStep {
        match aside.value {
            Some(var) => self.runtime("out", [number(aside.event)], &[Value::Var(var)]),
            None => emit(aside.event),
        }
    }

    fn runtime<const N: usize>(&self, function: &str, first: [Value; N], more: &[Value]) -> LetStep {
        let args = first.into_iter().chain(more.iter().cloned()).collect();
        step(Vec::new(), Action::Call { module: atom(RUNTIME), function: atom(function), args })
    }
}

/// True if a last step can contain a jump, or is one.
fn passes_on(step: &LetStep, sites: &Sites) -> bool {
    match step.action {
        Action::Case(_) | Action::Letrec(_) | Action::Try(_) => true,
        _ => matches!(sites.step(step), Some(EventSite::Jump(_) | EventSite::Again)),
    }
}

/// The test whether a call leads into the module.
fn callee(action: &Action) -> Vec<Value> {
    match action {
        Action::Apply { function: Callee::Value(value), .. } => vec![value.clone()],
        Action::Apply { function: Callee::Local(name), .. } => vec![Value::Function(*name)],
        Action::Call { module, function, .. } => vec![Value::Tuple(vec![module.clone(), function.clone()])],
        _ => Vec::new(),
    }
}

fn clause(pattern: Pattern, body: Body) -> Clause {
    let guard = Body::new(Vec::new(), vec![Value::Literal(Term::bool(true))]);
    Clause { patterns: vec![pattern], guard, body, location: Location::NONE, generated: true }
}

fn emit(event: u32) -> LetStep {
    let args = vec![number(event)];
    step(Vec::new(), Action::Call { module: atom(RUNTIME), function: atom("out"), args })
}

fn step(binds: Vec<Var>, action: Action) -> LetStep {
    LetStep { binds, action, location: Location::NONE }
}

fn number(event: u32) -> Value {
    Value::Literal(Term::int(i64::from(event)))
}

fn atom(name: &str) -> Value {
    Value::Literal(Term::atom_named(name))
}
