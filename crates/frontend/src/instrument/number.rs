//! Numbers the events of a function and finds its contexts.

use ir::{Primitive, Receive};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Atom, Mfa};

use super::equal::equalities;
use super::receive::{asks, is_late, is_loop, part};
use super::site::{Aside, EventSite, LambdaSite, Sites, address};
use super::table::{Alternative, Called, CaseSite, Context, EventEntry, From, FunctionEvents};
use crate::flat::{Action, Body, Callee, Case, Function, Lambda, LetStep, Letrec, Name, Try, Value, Var};

/// The facts about the module and the library that distinguish calls.
pub struct Numbering<'a> {
    /// The module.
    pub module: Atom,
    /// The functions of the module that emit their events: all but those whose `receive` has an unknown shape.
    pub functions: &'a FxHashSet<Name>,
    /// Those that can be called from outside.
    pub exports: &'a FxHashSet<Name>,
    /// True if the value of a function outside follows from its arguments and the run's own state, and it calls nothing.
    pub known: &'a dyn Fn(Mfa) -> bool,
}

impl Numbering<'_> {
    /// The events of a function, the first of which gets the number `first`, and where they are emitted. The same function
    /// has the same events whenever it is flattened.
    pub fn number(&self, function: &Function, first: u32) -> (FunctionEvents, Sites) {
        let name = Name { function: function.name, arity: function.arity };
        let mut walk = Walk {
            numbering: self,
            events: FunctionEvents {
                name,
                first,
                names: function.names.clone(),
                contexts: Vec::new(),
                events: Vec::new(),
            },
            sites: Sites::default(),
            context: 0,
            locals: FxHashMap::default(),
        };
        if self.functions.contains(&name) {
            walk.function(&function.lambda, None, None);
        }
        (walk.events, walk.sites)
    }
}

/// The meaning of a name of a `letrec`.
#[derive(Clone)]
enum Local {
    Context(u32),
    /// The parameters of a label.
    Label(Vec<Var>),
}

/// A `receive` that is being numbered.
struct Receiving {
    /// The result of the loop.
    result: Vec<Value>,
    /// The event of a message, and that of time being up.
    received: u32,
    late: u32,
    message: Option<Var>,
    /// The variables that say whether there is a message, and whether time is up.
    peeks: Vec<Var>,
    waits: Vec<Var>,
}

struct Walk<'a, 'n> {
    numbering: &'n Numbering<'a>,
    events: FunctionEvents,
    sites: Sites,
    context: u32,
    /// Local functions have unique names, so nothing has to be forgotten.
    locals: FxHashMap<Name, Local>,
}

impl Walk<'_, '_> {
    fn add(&mut self, event: EventEntry) -> u32 {
        self.events.events.push(event);
        self.events.first + self.events.events.len() as u32 - 1
    }

    fn new_context(&mut self, lambda: &Lambda, local: Option<Name>, lifted: Option<Atom>) -> u32 {
        let number = self.events.contexts.len() as u32;
        let outer = (number > 0).then_some(self.context);
        let (bound, lets) = bound(&lambda.body);
        self.events.contexts.push(Context {
            params: lambda.params.clone(),
            bound,
            lets,
            local,
            lifted,
            outer,
            same: Vec::new(),
        });
        number
    }

    fn function(&mut self, lambda: &Lambda, local: Option<Name>, lifted: Option<Atom>) -> u32 {
        let context = self.new_context(lambda, local, lifted);
        self.inside(context, lambda);
        context
    }

    fn inside(&mut self, context: u32, lambda: &Lambda) {
        let outer = std::mem::replace(&mut self.context, context);
        let exit = self.add(EventEntry::Exit { context, values: lambda.body.result.clone() });
        let raised = self.add(EventEntry::Raised { context });
        self.sites.lambdas.insert(address(lambda), LambdaSite::Function { exit, raised });
        self.body(&lambda.body);
        self.context = outer;
    }

    fn body(&mut self, body: &Body) {
        term::deeper(|| self.steps(&body.steps));
    }

    fn steps(&mut self, steps: &[LetStep]) {
        for step in steps {
            if let Some(site) = self.step(step) {
                self.sites.steps.insert(address(step), site);
            }
        }
    }

    fn bind(&mut self, binds: &[Var], from: From) -> u32 {
        self.add(EventEntry::Bind { context: self.context, binds: binds.to_vec(), from })
    }

    fn call(&mut self, step: &LetStep, called: Called, args: &[Value]) -> u32 {
        self.add(EventEntry::Call { context: self.context, binds: step.binds.clone(), called, args: args.to_vec() })
    }

    fn step(&mut self, step: &LetStep) -> Option<EventSite> {
        match &step.action {
            Action::Line(_) => None,
            Action::Values(values) => self.plain(step, From::Values(values.clone())),
            Action::Map { base, pairs } => self.plain(step, From::Map { base: base.clone(), pairs: pairs.clone() }),
            Action::Bits(segments) => self.plain(step, From::Bits(segments.clone())),
            Action::Fun(fun) => {
                let context = self.function(&fun.lambda, None, Some(fun.name));
                self.plain(step, From::Fun(context))
            }
            Action::Apply { function, args } => Some(self.apply(step, function, args)),
            Action::Call { args, .. } => self.remote(step, args),
            Action::Primop { op, args } => self.primop(step, *op, args),
            Action::Case(case) => Some(self.case(step, case)),
            Action::Letrec(letrec) => Some(self.letrec(step, letrec)),
            Action::Try(part) => Some(self.attempt(step, part)),
            Action::Catch(body) => {
                self.body(body);
                let first = self.bind(&step.binds, From::Values(body.result.clone()));
                self.bind(&step.binds, From::Caught);
                Some(EventSite::Catch { first })
            }
        }
    }

    /// The event of a step: none if it binds nothing.
    fn plain(&mut self, step: &LetStep, from: From) -> Option<EventSite> {
        (!step.binds.is_empty()).then(|| EventSite::Bind(self.bind(&step.binds, from)))
    }

    fn apply(&mut self, step: &LetStep, function: &Callee, args: &[Value]) -> EventSite {
        let name = match function {
            Callee::Local(name) | Callee::Value(Value::Function(name)) => Some(*name),
            Callee::Value(_) => None,
        };
        match name.filter(|name| usize::from(name.arity) == args.len()) {
            Some(name) => match self.locals.get(&name).cloned() {
                Some(Local::Label(params)) => EventSite::Jump(self.bind(&params, From::Values(args.to_vec()))),
                Some(Local::Context(context)) => EventSite::Own { call: self.call(step, Called::Local(context), args) },
                None if self.numbering.functions.contains(&name) => {
                    EventSite::Own { call: self.call(step, Called::Own(name), args) }
                }
                None => self.outside(step, None, args),
            },
            None => {
                let fun = match function {
                    Callee::Value(value) => Some(value.clone()),
                    Callee::Local(_) => None,
                };
                EventSite::Fun { first: self.open_call(step, fun, args) }
            }
        }
    }

    /// A call that leads into the module or not, as the run decides.
    fn open_call(&mut self, step: &LetStep, fun: Option<Value>, args: &[Value]) -> u32 {
        let first = self.call(step, Called::Inside(fun), args);
        self.call(step, Called::Outside(None), args);
        self.bind(&step.binds, From::Result);
        first
    }

    fn remote(&mut self, step: &LetStep, args: &[Value]) -> Option<EventSite> {
        let Some(mfa) = step.action.named() else {
            return Some(EventSite::Named { first: self.open_call(step, None, args) });
        };
        let name = Name { function: mfa.function, arity: mfa.arity };
        let Numbering { module, functions, exports, known } = self.numbering;
        if mfa.module == *module && exports.contains(&name) && functions.contains(&name) {
            return Some(EventSite::Own { call: self.call(step, Called::Own(name), args) });
        }
        if known(mfa) {
            let from = From::Known { module: mfa.module, function: mfa.function, args: args.to_vec() };
            return self.plain(step, from);
        }
        Some(self.outside(step, Some(mfa), args))
    }

    fn outside(&mut self, step: &LetStep, function: Option<Mfa>, args: &[Value]) -> EventSite {
        let call = self.call(step, Called::Outside(function), args);
        EventSite::Outside { call, bind: self.bind(&step.binds, From::Result) }
    }

    fn primop(&mut self, step: &LetStep, op: Primitive, args: &[Value]) -> Option<EventSite> {
        if op.raises() { None } else { self.plain(step, From::Primop { op, args: args.to_vec() }) }
    }

    fn case(&mut self, step: &LetStep, case: &Case) -> EventSite {
        let first = self.case_events(step, case);
        case.clauses.iter().for_each(|clause| self.body(&clause.body));
        EventSite::Case { first }
    }

    fn case_events(&mut self, step: &LetStep, case: &Case) -> u32 {
        let alternatives = case.clauses.iter().map(|clause| Alternative {
            patterns: clause.patterns.clone(),
            equal: equalities(&clause.guard),
            guarded: !clause.guard.is_bool(true),
        });
        let site = Rc::new(CaseSite { args: case.args.clone(), alternatives: alternatives.collect() });
        let (context, first) = (self.context, self.events.first + self.events.events.len() as u32);
        for (clause, body) in case.clauses.iter().map(|clause| &clause.body).enumerate() {
            self.add(EventEntry::Case { context, clause: clause as u32, case: Rc::clone(&site) });
            self.add(EventEntry::ExitCase { context, binds: step.binds.clone(), values: body.result.clone() });
        }
        self.sites.cases.insert(address(case), first);
        first
    }

    fn letrec(&mut self, step: &LetStep, letrec: &Letrec) -> EventSite {
        let closing = self.bind(&step.binds, From::Values(letrec.body.result.clone()));
        self.sites.letrecs.insert(address(letrec), closing);
        match letrec.goto {
            true => self.labels(step, letrec),
            false => self.local_functions(letrec),
        }
        self.body(&letrec.body);
        EventSite::Closing(closing)
    }

    fn local_functions(&mut self, letrec: &Letrec) {
        let mut contexts = Vec::new();
        for (name, lambda) in &letrec.functions {
            let context = self.new_context(lambda, Some(*name), lambda.lifted);
            self.locals.insert(*name, Local::Context(context));
            contexts.push(context);
        }
        for (context, (_, lambda)) in contexts.into_iter().zip(&letrec.functions) {
            self.inside(context, lambda);
        }
    }

    fn labels(&mut self, step: &LetStep, letrec: &Letrec) {
        for (name, lambda) in &letrec.functions {
            self.locals.insert(*name, Local::Label(lambda.params.clone()));
        }
        for (_, lambda) in &letrec.functions {
            let closing = self.bind(&step.binds, From::Values(lambda.body.result.clone()));
            self.sites.lambdas.insert(address(lambda), LambdaSite::Label { closing });
            match is_loop(lambda) {
                true => self.receive(&lambda.body),
                false => self.body(&lambda.body),
            }
        }
    }

    /// The loop of a `receive`.
    fn receive(&mut self, body: &Body) {
        let peek = body.steps.iter().find(|step| part(&step.action) == Some(Receive::Peek));
        let message = peek.and_then(|step| step.binds.get(1).copied());
        let received = self.bind(message.as_slice(), From::Message);
        let late = self.bind(&[], From::Primop { op: Primitive::Receive(Receive::Timeout), args: Vec::new() });
        let result = body.result.clone();
        let mut receiving = Receiving { result, received, late, message, peeks: Vec::new(), waits: Vec::new() };
        self.quiet(body, &mut receiving, &[]);
    }

    /// Steps without events until a message is removed; `delayed` is emitted then.
    fn quiet(&mut self, body: &Body, receiving: &mut Receiving, delayed: &[Aside]) {
        for (at, step) in body.steps.iter().enumerate() {
            let site = match (part(&step.action), &step.action) {
                (Some(Receive::Peek), _) => {
                    receiving.peeks.extend(step.binds.first());
                    EventSite::Peek { received: receiving.received }
                }
                (Some(Receive::Wait), _) => {
                    receiving.waits.extend(&step.binds);
                    EventSite::Wait { late: receiving.late }
                }
                (Some(Receive::Remove), _) => {
                    let received = Aside { event: receiving.received, value: receiving.message };
                    self.sites.asides.insert(address(step), [&[received], delayed].concat());
                    return self.steps(&body.steps[at + 1..]);
                }
                (None, Action::Apply { .. }) => {
                    self.same(&step.binds, &receiving.result);
                    EventSite::Again
                }
                (None, Action::Case(case)) => self.quiet_case(step, case, receiving, delayed),
                _ => continue,
            };
            self.sites.steps.insert(address(step), site);
        }
    }

    /// Notes that variables have the values of others.
    fn same(&mut self, binds: &[Var], values: &[Value]) {
        let pairs = binds.iter().zip(values).filter_map(|(bind, value)| match value {
            Value::Var(var) => Some((*bind, *var)),
            _ => None,
        });
        self.events.contexts[self.context as usize].same.extend(pairs);
    }

    fn quiet_case(&mut self, step: &LetStep, case: &Case, receiving: &mut Receiving, delayed: &[Aside]) -> EventSite {
        if asks(case, &receiving.peeks) || asks(case, &receiving.waits) {
            for clause in &case.clauses {
                self.same(&step.binds, &clause.body.result);
                if is_late(case, clause, &receiving.waits) {
                    let late = Aside { event: receiving.late, value: None };
                    self.sites.asides.insert(address(&clause.body), vec![late]);
                    self.body(&clause.body);
                } else {
                    self.quiet(&clause.body, receiving, delayed);
                }
            }
            return EventSite::Choice;
        }
        let first = self.case_events(step, case);
        self.sites.quiet.insert(address(case));
        for (number, clause) in case.clauses.iter().enumerate() {
            let selected = Aside { event: first + 2 * number as u32, value: None };
            self.quiet(&clause.body, receiving, &[delayed, &[selected]].concat());
        }
        EventSite::Case { first }
    }

    fn attempt(&mut self, step: &LetStep, part: &Try) -> EventSite {
        let first = self.bind(&part.vars, From::Values(part.body.result.clone()));
        self.bind(&step.binds, From::Values(part.ok.result.clone()));
        self.bind(&part.caught[..part.caught.len().min(2)], From::Caught);
        self.bind(&step.binds, From::Values(part.handler.result.clone()));
        [&part.body, &part.ok, &part.handler].into_iter().for_each(|body| self.body(body));
        EventSite::Try { first }
    }
}

/// The variables that a body binds, those of functions defined in it left out: by `let`, then in patterns; and how many
/// are bound by `let`.
fn bound(body: &Body) -> (Vec<Var>, usize) {
    let (mut lets, mut patterns) = (Vec::new(), Vec::new());
    bound_in(body, &mut lets, &mut patterns);
    let count = lets.len();
    lets.append(&mut patterns);
    (lets, count)
}

fn bound_in(body: &Body, lets: &mut Vec<Var>, patterns: &mut Vec<Var>) {
    term::deeper(|| {
        for step in &body.steps {
            lets.extend(&step.binds);
            match &step.action {
                Action::Case(case) => {
                    for clause in &case.clauses {
                        clause
                            .patterns
                            .iter()
                            .for_each(|pattern| pattern.each(&mut |part| patterns.extend(part.var())));
                        bound_in(&clause.body, lets, patterns);
                    }
                }
                Action::Catch(inner) => bound_in(inner, lets, patterns),
                Action::Letrec(letrec) => {
                    for (_, lambda) in letrec.functions.iter().filter(|_| letrec.goto) {
                        lets.extend(&lambda.params);
                        bound_in(&lambda.body, lets, patterns);
                    }
                    bound_in(&letrec.body, lets, patterns);
                }
                Action::Try(part) => {
                    bound_in(&part.body, lets, patterns);
                    lets.extend(&part.vars);
                    bound_in(&part.ok, lets, patterns);
                    lets.extend(&part.caught);
                    bound_in(&part.handler, lets, patterns);
                }
                _ => {}
            }
        }
    });
}
