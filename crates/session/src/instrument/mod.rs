//! Instrumented modules: their text, their compiled form, and the events of a call.

mod rebuilt;

use std::rc::Rc;

use exec::forward::{Ending, Limits, Machine, Observer, Options, Place};
use frontend::core::Name;
use frontend::flat::{self, Style};
use frontend::instrument::{Called, EventEntry, EventTable, From, RUNTIME, note, notes};
use host::{CallResult, EventError, Host, RecordedEvent, preparing};
use rebuild::{Folding, Symbolic};
use term::{Atom, Call, Mfa, Outcome, Term};

use crate::library::LoadedModule;
use crate::run::add_expression;
use crate::vm::WAITED;
use crate::{Failure, Session, guard};

pub use rebuilt::{EndedCase, Rebuilding, cases};

/// Bytes of events that a call may emit: calls that stay open take some hundred bytes each until the end of the run.
const MOST_BYTES: u64 = 16 << 20;

/// The first events of a call, which are shown, and from which others are rebuilt.
const MOST_EVENTS: usize = 20_000;

/// A module before and after, and the meaning of its events.
pub struct Instrumented {
    /// The module's name.
    pub name: Atom,
    flat: flat::Module,
    instrumented: flat::Module,
    /// The meaning of its events.
    pub table: Rc<EventTable>,
}

impl Instrumented {
    /// Instruments a module of the library.
    pub fn new(session: &Session, name: Atom) -> Result<Instrumented, Failure> {
        let module = session.module(name)?;
        let (instrumented, table) = observed(&module, 0)?;
        let (flat, _) = module.flat_module();
        Ok(Instrumented { name, flat, instrumented, table })
    }

    /// Returns the flat and the instrumented program, whole or of one function.
    pub fn text(&self, function: Option<Name>) -> Result<String, Failure> {
        let notes = notes(&self.table);
        // Locations would hide what is added.
        let (plain, noted) = (Style::PLAIN, Style { notes: Some((RUNTIME, &notes)), ..Style::PLAIN });
        let Some(name) = function else {
            let flat = flat::print(&self.flat, plain);
            let instrumented = flat::print(&self.instrumented, noted);
            return Ok(format!("%% The flat program.\n{flat}\n%% The instrumented program.\n{instrumented}"));
        };
        let of = |module: &flat::Module| {
            module.functions.iter().position(|function| function.name == name.function && function.arity == name.arity)
        };
        let missing = || {
            let function = Mfa { module: self.name, function: name.function, arity: name.arity };
            Failure::NoFunction(function, "the module has no function of that name and arity".to_owned())
        };
        let at = of(&self.flat).ok_or_else(missing)?;
        let flat = flat::print_function(&self.flat.functions[at], &self.flat.files, plain);
        let instrumented = &self.instrumented.functions[at];
        let instrumented = flat::print_function(instrumented, &self.instrumented.files, noted);
        Ok(format!("%% The flat program.\n{flat}\n%% The instrumented program.\n{instrumented}"))
    }

    /// Returns the compiled form of the instrumented program.
    pub fn compiled(&self, session: &Session) -> Result<Vec<u8>, Failure> {
        let why = |why| format!("instrumented, it does not compile: {why}");
        compile(&mut session.host(), &self.instrumented)
            .map_err(|error| Failure::Broken(self.name.to_string(), why(error)))
    }
}

/// Compiles a module that emits events; an error is the compiler's messages.
pub fn compile(host: &mut Host, module: &flat::Module) -> Result<Vec<u8>, String> {
    preparing(|| host.compile_core(&flat::print(module, Style::default()), &[]))
}

/// Lets runs in a module emit events, with numbers from `first` on.
fn observed(module: &LoadedModule, first: u32) -> Result<(flat::Module, Rc<EventTable>), Failure> {
    module.observe(first).map_err(|errors| Failure::Broken(module.name.to_string(), errors[0].to_string()))
}

impl Session {
    /// Lets a module emit events, here and on the VM; returns their meaning.
    pub fn instrument(&self, module: Atom) -> Result<Rc<EventTable>, Failure> {
        let known = self.state().tables.borrow().get(&module).cloned();
        if let Some(table) = known {
            self.module(module)?.emit(Some(Rc::clone(&table)));
            return Ok(table);
        }
        let table = self.instrument_first(module).inspect_err(|_| self.release(module))?;
        self.state().tables.borrow_mut().insert(module, Rc::clone(&table));
        Ok(table)
    }

    fn instrument_first(&self, name: Atom) -> Result<Rc<EventTable>, Failure> {
        let next = &self.state().next_event;
        let (instrumented, table) = observed(&*self.module(name)?, next.get())?;
        let broken = |why: String| Failure::Broken(name.to_string(), why);
        let beam = compile(&mut self.host(), &instrumented).map_err(broken)?;
        self.guard()?;
        self.host().load(name, &beam)?;
        next.set(table.end());
        let mut numbers = self.state().numbers.borrow_mut();
        let numbers = Rc::make_mut(&mut numbers);
        for (number, event) in table.events() {
            match event {
                EventEntry::Call { called: Called::Outside(_), .. } => drop(numbers.outside.insert(number)),
                EventEntry::Bind { from: From::Caught, .. } => drop(numbers.caught.insert(number)),
                _ => {}
            }
        }
        Ok(table)
    }

    /// Lets runs in a module emit nothing any more, here; on the VM its events are dropped.
    pub fn release(&self, module: Atom) {
        if let Ok(module) = self.module(module) {
            module.emit(None);
        }
    }
}

/// The events of a call and its end.
pub struct RecordedCall {
    /// The end of the call.
    pub ending: Ending,
    /// The first events.
    pub events: FirstEvents,
    /// The symbolic run, if the call is of a function that emits events and these fit together.
    pub symbolic: Option<Symbolic>,
}

impl RecordedCall {
    /// True if the call came to its end.
    pub fn has_ended(&self) -> bool {
        !matches!(self.ending, Ending::Vm { .. })
    }

    /// Returns a line for each of the first events.
    pub fn text(&self, table: &EventTable) -> String {
        let mut text = String::new();
        for event in &self.events.first {
            if let Some((function, meant)) = table.event(event.number) {
                text.push_str(&note(function, meant, event.value.as_ref()));
                text.push('\n');
            }
        }
        if let Some(more @ 1..) = self.events.count.checked_sub(self.events.first.len() as u64) {
            text.push_str(&format!("%% {more} more events.\n"));
        }
        text
    }
}

/// The first events of a call, and the number of all.
#[derive(Default)]
pub struct FirstEvents {
    /// The first ones.
    pub first: Vec<RecordedEvent>,
    /// The number of all.
    pub count: u64,
}

impl FirstEvents {
    fn add(&mut self, event: RecordedEvent) {
        self.count += 1;
        if self.first.len() < MOST_EVENTS {
            self.first.push(event);
        }
    }

    /// True if these are all.
    pub fn are_all(&self) -> bool {
        self.count == self.first.len() as u64
    }
}

/// The events of a run as they come: the first are kept, all are folded.
struct Recording<'a> {
    events: FirstEvents,
    folding: Option<Folding<'a>>,
}

impl Observer for Recording<'_> {
    fn event(&mut self, number: u32, value: Option<&Term>) {
        if let Some(folding) = &mut self.folding {
            folding.event((number, value));
        }
        self.events.add(RecordedEvent { number, value: value.cloned() });
    }
}

/// The side that makes a call whose events are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventSource {
    /// On the VM, by the instrumented program.
    Vm,
    /// On our machine, by the program as it is.
    Machine,
}

/// Runs an expression and records the events of the one module.
pub fn record(
    session: &Session,
    modules: &[Instrumented],
    expression: &str,
    source: EventSource,
) -> Result<RecordedCall, Failure> {
    let main = add_expression(session, expression)?;
    let [module] = modules else {
        return Err(Failure::Unusable("events are recorded of one module at a time".to_owned()));
    };
    let read = Call::read(expression).ok().filter(|call| call.module == module.name);
    let function =
        read.and_then(|call| Some(Name { function: call.function, arity: call.args.len().try_into().ok()? }));
    let folding = function.and_then(|function| Folding::new(&module.table, function));
    let mut recording = Recording { events: FirstEvents::default(), folding };
    let call = Call { module: main.module, function: main.function, args: Vec::new() };
    let ending = match source {
        EventSource::Machine => on_machine(session, &call, &mut recording),
        EventSource::Vm => {
            let named = Call::read(expression).map_or(main, |call| call.mfa());
            on_vm(session, module, &call, named, &mut recording)?
        }
    };
    let Recording { events, folding } = recording;
    Ok(RecordedCall { ending, events, symbolic: folding.and_then(Folding::finish) })
}

fn on_machine(session: &Session, call: &Call, observer: &mut dyn Observer) -> Ending {
    let mut machine = Machine::new(Limits::default(), Options { processes: true, ..Options::default() });
    let ending = machine.run_observed(&mut session.clone(), call, observer).ending;
    // What it printed is of no interest beside its events.
    let _ = session.end_run();
    ending
}

fn on_vm(
    session: &Session,
    module: &Instrumented,
    call: &Call,
    named: Mfa,
    observer: &mut dyn Observer,
) -> Result<Ending, Failure> {
    session.guard()?;
    let beam = module.compiled(session)?;
    session.host().load(module.name, &beam)?;
    session.host().end = session.end();
    let (result, whole) = session.host().call_observed_by(call, MOST_BYTES, &mut |event| {
        observer.event(event.number, event.value.as_ref());
    });
    match whole {
        Ok(()) => ending(result, named),
        Err(EventError::TooMany) => Ok(stopped(named, "it emitted more events than are followed")),
        Err(error @ EventError::Garbage) => Err(Failure::Host(error.to_string())),
    }
}

/// The end of a run that the VM did not let go on.
fn stopped(function: Mfa, what: &str) -> Ending {
    let at = Place { function, file: String::new(), line: 0, column: 0 };
    Ending::Vm { function, what: what.to_owned(), at }
}

fn ending(result: CallResult, main: Mfa) -> Result<Ending, Failure> {
    let at = Place { function: main, file: String::new(), line: 0, column: 0 };
    Ok(match result.signal_raised() {
        CallResult::Ended(Outcome::Value(value)) => Ending::Value(value),
        CallResult::Ended(Outcome::Raised(raised)) => Ending::Raised(raised),
        CallResult::OutOfMemory => Ending::OutOfMemory { at },
        CallResult::TimedOut => stopped(main, "its time was up"),
        CallResult::OutOfReductions(_) => stopped(main, "it took more reductions than a call may take"),
        CallResult::Waited => stopped(main, WAITED),
        CallResult::Refused(function) => Ending::Refused { function, effect: guard::effect(function).to_owned(), at },
        CallResult::Killed(reason) => return Err(Failure::Host(format!("the call was ended with {reason}"))),
        CallResult::HostDied(how) | CallResult::NotSent(how) => return Err(Failure::Host(how)),
    })
}
