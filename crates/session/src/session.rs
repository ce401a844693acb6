//! The outside of a running program: code from the library, answers from the real VM, permissions from the user.

use std::cell::{RefCell, RefMut};
use std::rc::Rc;
use std::time::Instant;

use exec::forward::{Code, Numbers, Observed, Stop, Told, VmAnswer, VmCall, World};
use frontend::instrument::{Called, Event, From, Table};
use host::{CallResult, Host, HostError, SessionId};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Atom, Call, Exception, Fun, Mfa, Outcome, Term, known};

use crate::Failure;
use crate::compile;
use crate::guard;
use crate::interrupt;
use crate::library::{Library, NoCode};

/// Bytes of events that a run may tell.
const EVENTS: u64 = 4 << 20;

/// What ended a run all of whose processes wait.
pub(crate) const WAITED: &str = "all its processes wait for messages";

/// Front end and VM joined; runs follow one another, each with a session of its own.
pub struct Outside {
    pub host: Host,
    pub library: Library,
    allowed: FxHashSet<Mfa>,
    /// The process of the VM that keeps the current run's state; opened when first needed.
    session: Option<SessionId>,
    /// What the numbers of events mean, and the next free one.
    numbers: Rc<Numbers>,
    next: u32,
    /// Of modules that the VM has instrumented.
    tables: FxHashMap<Atom, Rc<Table>>,
}

impl Outside {
    pub fn new(host: Host, library: Library, allowed: impl IntoIterator<Item = Mfa>) -> Outside {
        Outside {
            host,
            library,
            allowed: allowed.into_iter().collect(),
            session: None,
            numbers: Rc::default(),
            next: 0,
            tables: FxHashMap::default(),
        }
    }

    /// Has a module tell its events, here and on the VM; gives what they mean, or says what is wrong with it.
    pub fn instrument(&mut self, module: Atom) -> Result<Rc<Table>, Failure> {
        if let Some(table) = self.tables.get(&module) {
            self.library.module(&mut self.host, module)?.observe_again(Rc::clone(table));
            return Ok(Rc::clone(table));
        }
        let first = self.instrument_first(module);
        if first.is_err() {
            self.release(module);
        }
        let table = first?;
        self.tables.insert(module, Rc::clone(&table));
        Ok(table)
    }

    fn instrument_first(&mut self, module: Atom) -> Result<Rc<Table>, Failure> {
        let broken = |why: String| Failure::Broken(module.to_string(), why);
        let known = self.library.module(&mut self.host, module)?;
        let (told, table) = known.observe(self.next).map_err(|errors| broken(errors[0].to_string()))?;
        let beam = compile::compile(&mut self.host, &told).map_err(broken)?;
        self.guard()?;
        self.host.load(module, &beam).map_err(|error| Failure::Host(error.to_string()))?;
        self.next = table.end();
        let numbers = Rc::make_mut(&mut self.numbers);
        for (number, event) in table.events() {
            match event {
                Event::Call { called: Called::Outside, .. } => drop(numbers.outside.insert(number)),
                Event::Bind { from: From::Caught, .. } => drop(numbers.caught.insert(number)),
                _ => {}
            }
        }
        Ok(table)
    }

    /// From now on runs on the VM may do nothing that our machine refuses.
    pub fn guard(&mut self) -> Result<(), Failure> {
        let rules = guard::rules(self.allowed.iter().copied());
        self.host.guard(&rules).map_err(|error| Failure::Host(error.to_string()))
    }

    /// Runs in a module tell nothing any more, here; on the VM nobody listens.
    pub fn release(&mut self, module: Atom) {
        if let Ok(known) = self.library.module(&mut self.host, module) {
            known.release();
        }
    }

    /// Ends the current run: gives what it printed and drops its state in the VM.
    pub fn end_run(&mut self) -> Result<Vec<u8>, HostError> {
        let Some(session) = self.session.take() else { return Ok(Vec::new()) };
        let output = self.host.session_output(session);
        self.host.close_session(session);
        output
    }
}

/// An outside that a running program and those who watch it hold together; none of them while another is at it.
#[derive(Clone)]
pub struct Shared {
    outside: Rc<RefCell<Outside>>,
    /// When runs are to stop.
    until: Option<Instant>,
}

impl Shared {
    pub fn new(outside: Outside) -> Shared {
        Shared { outside: Rc::new(RefCell::new(outside)), until: None }
    }

    /// The same, for runs that stop then.
    pub fn until(&self, end: Option<Instant>) -> Shared {
        Shared { outside: Rc::clone(&self.outside), until: end }
    }

    pub fn borrow_mut(&self) -> RefMut<'_, Outside> {
        self.outside.borrow_mut()
    }
}

impl World for Shared {
    fn code(&mut self, function: Mfa, local: bool) -> Code {
        self.borrow_mut().code(function, local)
    }

    fn exports(&mut self, module: Atom, arity: u8) -> Option<Vec<Atom>> {
        self.borrow_mut().exports(module, arity)
    }

    fn modules(&mut self) -> Vec<Atom> {
        self.borrow_mut().modules()
    }

    fn atoms(&mut self, module: Atom) -> Vec<Atom> {
        self.borrow_mut().atoms(module)
    }

    fn told(&mut self, call: &Call) -> Option<Told> {
        self.borrow_mut().told(call)
    }

    fn points(&mut self, function: Mfa) -> Vec<Vec<Term>> {
        self.borrow_mut().points(function)
    }

    fn keep_points(&mut self, function: Mfa, points: &[Vec<Term>]) {
        self.borrow_mut().keep_points(function, points);
    }

    fn vm_call(&mut self, kind: VmCall, function: Mfa, args: &[Term]) -> VmAnswer {
        self.borrow_mut().vm_call(kind, function, args)
    }

    fn allowed(&self, function: Mfa) -> bool {
        self.outside.borrow().allowed(function)
    }

    fn wants_stop(&self) -> bool {
        interrupt::is_wanted() || self.until.is_some_and(|end| Instant::now() >= end)
    }

    /// What a run has printed is of no interest to those who run many.
    fn end_run(&mut self) {
        let _ = self.borrow_mut().end_run();
    }

    fn fun_identity(&self, lifted: Mfa) -> Option<(u32, u32)> {
        self.outside.borrow().fun_identity(lifted)
    }
}

impl World for Outside {
    fn code(&mut self, function: Mfa, local: bool) -> Code {
        match self.library.unit(&mut self.host, function, local) {
            Ok(unit) => Code::Graph(unit),
            Err(NoCode::NoModule | NoCode::NoFunction) => Code::Undefined,
            Err(NoCode::Broken(error)) => Code::Broken(error.to_string()),
        }
    }

    fn exports(&mut self, module: Atom, arity: u8) -> Option<Vec<Atom>> {
        self.library.exports(&mut self.host, module, arity)
    }

    fn modules(&mut self) -> Vec<Atom> {
        self.library.given.clone()
    }

    fn atoms(&mut self, module: Atom) -> Vec<Atom> {
        self.library.atoms(&mut self.host, module)
    }

    fn points(&mut self, function: Mfa) -> Vec<Vec<Term>> {
        let content = self.library.content(&mut self.host, function.module);
        content.map_or(Vec::new(), |content| self.host.points(function, &content))
    }

    fn keep_points(&mut self, function: Mfa, points: &[Vec<Term>]) {
        if let Some(content) = self.library.content(&mut self.host, function.module) {
            self.host.keep_points(function, &content, points);
        }
    }

    fn told(&mut self, call: &Call) -> Option<Told> {
        let (result, events) = self.host.call_observed(call, EVENTS);
        let outcome = match (result.signal_raised(), &events) {
            (CallResult::NotSent(_), _) => return None,
            (_, Err(error)) => Err(Stop::Other(error.to_string())),
            (CallResult::Ended(outcome), _) => Ok(outcome),
            (CallResult::Refused(function), _) => Err(Stop::Refused { function, effect: guard::effect(function) }),
            (other, _) => Err(Stop::Other(limit(other))),
        };
        let events = events.unwrap_or_default();
        let events = events.into_iter().map(|it| Observed { number: it.number, value: it.value }).collect();
        Some(Told { outcome, events, numbers: Rc::clone(&self.numbers) })
    }

    fn vm_call(&mut self, kind: VmCall, function: Mfa, args: &[Term]) -> VmAnswer {
        let call = Call { module: function.module, function: function.function, args: args.to_vec() };
        let result = match kind {
            VmCall::Pure => self.host.call(&call),
            VmCall::Session => {
                let session = *self.session.get_or_insert_with(|| self.host.open_session());
                self.host.session_call(session, &call)
            }
        };
        answer(result)
    }

    fn allowed(&self, function: Mfa) -> bool {
        self.allowed.contains(&function)
    }

    fn fun_identity(&self, lifted: Mfa) -> Option<(u32, u32)> {
        self.library.fun_identity(lifted)
    }
}

/// What ended a run on the VM that did not end by itself.
fn limit(result: CallResult) -> String {
    if let CallResult::Waited = result {
        return WAITED.to_owned();
    }
    match answer(result) {
        VmAnswer::Limit(what) => format!("a limit of {what}"),
        VmAnswer::Failed(how) => how,
        _ => "no answer".to_owned(),
    }
}

fn answer(result: CallResult) -> VmAnswer {
    match result {
        CallResult::Ended(Outcome::Value(value)) => VmAnswer::Value(value),
        CallResult::Ended(Outcome::Raised(raised)) if called_a_visitor(&raised) => VmAnswer::Unsendable,
        CallResult::Ended(Outcome::Raised(raised)) => VmAnswer::Raised(raised),
        CallResult::TimedOut => VmAnswer::Limit("time".to_owned()),
        CallResult::OutOfReductions => VmAnswer::Limit("reductions".to_owned()),
        CallResult::OutOfMemory => VmAnswer::Limit("memory".to_owned()),
        CallResult::Waited => VmAnswer::Failed(WAITED.to_owned()),
        CallResult::Refused(function) => VmAnswer::Failed(format!("{function} was refused")),
        CallResult::Killed(reason) => VmAnswer::Failed(format!("its process was ended with {reason}")),
        CallResult::HostDied(how) => VmAnswer::Failed(how),
        CallResult::NotSent(_) => VmAnswer::Unsendable,
    }
}

/// Whether the VM tried to call a closure that it was only shown: it has no code for it.
fn called_a_visitor(raised: &Exception) -> bool {
    let is_closure = |term: &Term| matches!(term, Term::Fun(_, fun) if matches!(**fun, Fun::Closure(_)));
    match raised.reason.as_tuple() {
        Some([tag, fun]) => tag.as_atom() == Some(known::BADFUN) && is_closure(fun),
        _ => false,
    }
}
