//! Lowering for a machine that emits events: where the flat program has an event, the graph has an operation that
//! emits it.
//!
//! Here nothing is fused, no value waits until it is needed, and no call is a tail call: an event follows it.

use constraint::Type;
use ir::{Catch, Event, Op, Operand, Primitive, Raise, Reg, Replay, Terminator, Test};
use ops::{Control, Relation, Rule};
use term::Term;

use super::Lowering;
use super::condition::type_test;
use super::place::Place;
use crate::flat::{Action, Body, Callee, Case, Lambda, LetStep, Letrec, Value};
use crate::instrument::{Aside, EventSite, LambdaSite, never_returns};

impl<'a> Lowering<'_, 'a> {
    /// True if the graph emits events.
    pub fn is_observed(&self) -> bool {
        self.lifting.sites.is_some() && !self.in_guard
    }

    /// A body that emits an event at its end, if it is observed.
    pub fn closed(&mut self, body: &'a Body, closing: Option<u32>, place: &Place) {
        if !self.is_observed() {
            return self.body(body, place);
        }
        let sites = self.lifting.sites;
        term::deeper(|| {
            sites.into_iter().for_each(|sites| self.asides(sites.before(body)));
            for step in &body.steps {
                if !self.builder.is_live() {
                    return;
                }
                self.stand_at(step.location);
                self.observed_step(step);
                sites.into_iter().for_each(|sites| self.asides(sites.after(step)));
            }
            if let Some(closing) = closing.filter(|_| !never_returns(body)) {
                self.emit(closing);
            }
            self.give(&body.result, place);
        });
    }

    fn emit(&mut self, number: u32) {
        self.event(Event::Emit, vec![int(number)]);
    }

    fn asides(&mut self, asides: &[Aside]) {
        for aside in asides {
            let value = aside.value.map(|var| self.variable(var));
            self.event(Event::Emit, [int(aside.event)].into_iter().chain(value).collect());
        }
    }

    fn event(&mut self, event: Event, args: Vec<Operand>) {
        let to = self.builder.register();
        self.builder.push(Op::Primitive { to, op: Primitive::Event(event), args }, self.at);
    }

    fn observed_step(&mut self, step: &'a LetStep) {
        let site = self.lifting.sites.and_then(|sites| sites.step(step));
        match site {
            Some(EventSite::Own { call } | EventSite::Jump(call)) => {
                self.emit(call);
                self.observed_action(step);
            }
            Some(EventSite::Bind(bind)) => {
                self.observed_action(step);
                self.emit(bind);
            }
            Some(EventSite::Fun { first } | EventSite::Named { first }) => self.open_call(step, first),
            Some(EventSite::Outside { call, bind }) => {
                self.emit(call);
                let given = self.valued(step, call);
                self.event(Event::Emit, vec![int(bind), given]);
            }
            Some(EventSite::Catch { first } | EventSite::Try { first }) => self.observed_protection(step, first),
            Some(EventSite::Peek { received }) => self.observed_peek(step, received),
            Some(EventSite::Wait { late }) => self.observed_wait(step, late),
            Some(EventSite::Case { .. } | EventSite::Choice | EventSite::Closing(_) | EventSite::Again) | None => {
                self.observed_action(step);
            }
        }
    }

    /// The test for a message, and the message: what the run that is replayed came to. The message is wanted even if the
    /// program does not look at it.
    fn observed_peek(&mut self, step: &LetStep, received: u32) {
        let parts: Vec<Option<Reg>> = step.binds.iter().map(|var| Some(self.new_register(*var))).collect();
        let all = self.builder.register();
        let args = vec![int(received)];
        self.builder.push(Op::Primitive { to: all, op: Primitive::Replay(Replay::Message), args }, self.at);
        self.take_apart(all, &parts);
    }

    /// The test for the end of the time to wait. What is no time to wait is the program's mistake.
    fn observed_wait(&mut self, step: &'a LetStep, late: u32) {
        let mut args = vec![int(late)];
        if let Action::Primop { args: times, .. } = &step.action
            && let [time] = &times[..]
        {
            let time = self.operand(time);
            self.check_time(&time);
            args.push(time);
        }
        let place = self.on(&step.binds);
        self.operation(&place, |to| Op::Primitive { to, op: Primitive::Replay(Replay::Timeout), args });
    }

    /// Raises what the VM raises for something that is no time.
    fn check_time(&mut self, time: &Operand) {
        let [integer, positive, other, bad, good] = [(); 5].map(|()| self.builder.block(self.handler));
        let longest = Operand::Literal(Term::int(i64::from(u32::MAX)));
        let less = || Test::Predicate(Rule::Relation(Relation::Less).function(2));
        self.test(type_test(Type::Integer), [time.clone()], [], integer, other);
        self.builder.start(integer);
        self.test(less(), [time.clone(), int(0)], [], bad, positive);
        self.builder.start(positive);
        self.test(less(), [longest, time.clone()], [], bad, good);
        self.builder.start(other);
        self.test(Test::Literal(Term::atom_named("infinity")), [time.clone()], [], good, bad);
        self.builder.start(bad);
        self.builder.end(Terminator::Raise(Raise::Error(atom("timeout_value"))), self.at);
        self.builder.start(good);
    }

    /// The step as it is: names for values, or an action whose values go to their registers.
    fn observed_action(&mut self, step: &'a LetStep) {
        if let (Action::Values(values), true) = (&step.action, !step.binds.is_empty()) {
            return self.name_values(&step.binds, values);
        }
        let place = self.on(&step.binds);
        self.action(&step.action, &place);
    }

    /// A call, unless its value is given, and the value, which is wanted even if the program throws it away.
    fn valued(&mut self, step: &'a LetStep, call: u32) -> Operand {
        let (module, function, args) = match &step.action {
            Action::Call { module, function, args } => (self.operand(module), self.operand(function), args),
            Action::Apply { args, .. } => {
                let apply = Rule::Control(Control::ApplyFun).function(2);
                let [module, function] = [apply.module, apply.function].map(|name| Operand::Literal(Term::atom(name)));
                (module, function, args)
            }
            _ => return Operand::Literal(Term::nil()),
        };
        let operands = [vec![int(call), module, function], self.operands(args)].concat();
        let (given, [yes, no, next]) = (self.builder.register(), [(); 3].map(|()| self.builder.block(self.handler)));
        let value = match step.binds.first() {
            Some(var) => self.new_register(*var),
            None => self.builder.register(),
        };
        self.builder.push(Op::Primitive { to: given, op: Primitive::Replay(Replay::Result), args: operands }, self.at);
        self.test(Test::Tuple(1), [given.into()], [Some(value)], yes, no);
        self.builder.start(yes);
        self.builder.jump(next, self.at);
        self.builder.start(no);
        self.action(&step.action, &Place::values([Some(value)], Some(next)));
        self.builder.start(next);
        value.into()
    }

    /// A call that leads into the module or not.
    fn open_call(&mut self, step: &'a LetStep, first: u32) {
        let callee = match &step.action {
            Action::Apply { function: Callee::Value(value), .. } => self.operand(value),
            Action::Apply { function: Callee::Local(name), .. } => self.operand(&Value::Function(*name)),
            Action::Call { module, function, .. } => {
                let parts = self.operands([module, function]);
                self.tuple(parts)
            }
            _ => Operand::Literal(Term::nil()),
        };
        let module = Operand::Literal(Term::atom(self.lifting.top.module));
        self.event(Event::BeforeCall, vec![int(first), module.clone(), callee.clone()]);
        let value = self.valued(step, first + 1);
        self.event(Event::AfterCall, vec![int(first + 2), module, callee, value]);
    }

    /// The body of a clause that was selected.
    pub fn observed_clause(&mut self, case: &'a Case, number: usize, place: &Place) {
        let first = self.lifting.sites.and_then(|sites| sites.case(case)).map(|first| first + 2 * number as u32);
        let loud = self.lifting.sites.is_some_and(|sites| sites.is_loud(case));
        first.into_iter().filter(|_| loud).for_each(|number| self.emit(number));
        self.closed(&case.clauses[number].body, first.map(|number| number + 1), place);
    }

    /// The event that closes a `letrec`.
    pub fn closing_of(&self, letrec: &Letrec) -> Option<u32> {
        self.lifting.sites.and_then(|sites| sites.letrec(letrec))
    }

    /// The event that closes a label.
    pub fn closing_of_label(&self, lambda: &Lambda) -> Option<u32> {
        match self.lifting.sites.and_then(|sites| sites.lambda(lambda)) {
            Some(LambdaSite::Label { closing }) => Some(closing),
            _ => None,
        }
    }

    /// A `try` or a `catch`, which emit events of their own.
    fn observed_protection(&mut self, step: &'a LetStep, first: u32) {
        let place = self.on(&step.binds);
        self.joined(&place, |this, place| match &step.action {
            Action::Try(part) => this.protect(part, Some(first), place),
            Action::Catch(body) => this.catch(body, Some(first), place),
            _ => {}
        });
    }

    /// Emits the class and reason that a handler is about to make a value of.
    pub fn emit_caught(&mut self, number: u32, class: Reg, reason: Reg) {
        let recorded = self.tuple(vec![class.into(), reason.into()]);
        self.event(Event::Emit, vec![int(number), recorded]);
    }

    /// The whole of a function: its body, its exit, and the handler that emits the event of an exception.
    pub fn observed_function(&mut self, lambda: &'a Lambda) {
        let site = self.lifting.sites.and_then(|sites| sites.lambda(lambda));
        let (exit, raised) = match site {
            Some(LambdaSite::Function { exit, raised }) => (exit, raised),
            Some(LambdaSite::Label { closing }) => return self.closed(&lambda.body, Some(closing), &Place::Return),
            None => return self.body(&lambda.body, &Place::Return),
        };
        let [reason, raw, value] = [(); 3].map(|()| self.builder.register());
        let catch = Catch { class: None, reason: Some(reason), raw: Some(raw) };
        let (handler, done) = (self.builder.catch_block(None, catch), self.builder.block(None));
        self.under(handler, |this| this.closed(&lambda.body, Some(exit), &Place::values([Some(value)], Some(done))));
        self.builder.start(done);
        self.builder.end(Terminator::Return(value.into()), self.at);
        self.builder.start(handler);
        self.emit(raised);
        self.builder.end(Terminator::Raise(Raise::Again { reason: reason.into(), raw: raw.into() }), self.at);
    }
}

fn atom(name: &str) -> Operand {
    Operand::Literal(Term::atom_named(name))
}

fn int(number: u32) -> Operand {
    Operand::Literal(Term::int(i64::from(number)))
}
