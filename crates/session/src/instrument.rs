//! Instrumented modules: their text, their compiled form, and the events of a call.

use std::rc::Rc;

use exec::forward::{Ending, Place};
use frontend::core::Name;
use frontend::flat::{self, Style};
use frontend::instrument::{RUNTIME, Table, note, notes};
use host::{CallResult, EventError, Observed};
use term::{Atom, Call, Mfa, Outcome};

use crate::run::take_expression;
use crate::session::{Outside, WAITED};
use crate::start::Start;
use crate::{Failure, compile, guard};

/// Bytes of events that are kept of one call: more than anybody reads.
pub const MOST: u64 = 1 << 18;

/// Locations would hide what is added.
const READABLE: Style = Style { marks: false, locations: false };

/// A module before and after, and what its events mean.
pub struct Instrumented {
    pub name: Atom,
    flat: flat::Module,
    told: flat::Module,
    pub table: Rc<Table>,
}

impl Instrumented {
    /// Instruments a module of the library.
    pub fn new(outside: &mut Outside, name: Atom) -> Result<Instrumented, Failure> {
        let module = outside.library.module(&mut outside.host, name)?;
        let broken = |why: String| Failure::Broken(name.to_string(), why);
        let (told, table) = module.observe(0).map_err(|errors| broken(errors[0].to_string()))?;
        let (flat, _) = module.flat_module();
        Ok(Instrumented { name, flat, told, table })
    }

    /// Returns the flat and the instrumented program, whole or of one function.
    pub fn text(&self, function: Option<Name>) -> Result<String, Failure> {
        let notes = notes(&self.table);
        let Some(name) = function else {
            let flat = flat::print(&self.flat, READABLE);
            let told = flat::print_noted(&self.told, READABLE, RUNTIME, &notes);
            return Ok(format!("%% The flat program.\n{flat}\n%% The instrumented program.\n{told}"));
        };
        let of = |module: &flat::Module| {
            module.functions.iter().position(|function| function.name == name.function && function.arity == name.arity)
        };
        let missing = || {
            let function = Mfa { module: self.name, function: name.function, arity: name.arity };
            Failure::NoFunction(function, "the module has no function of that name and arity".to_owned())
        };
        let at = of(&self.flat).ok_or_else(missing)?;
        let flat = flat::print_function(&self.flat.functions[at], &self.flat.files, READABLE);
        let told = &self.told.functions[at];
        let told = flat::print_function_noted(told, &self.told.files, READABLE, RUNTIME, &notes);
        Ok(format!("%% The flat program.\n{flat}\n%% The instrumented program.\n{told}"))
    }

    /// Returns the compiled form of the instrumented program.
    pub fn compiled(&self, outside: &mut Outside) -> Result<Vec<u8>, Failure> {
        let why = |why| format!("instrumented, it does not compile: {why}");
        compile::compile(&mut outside.host, &self.told)
            .map_err(|error| Failure::Broken(self.name.to_string(), why(error)))
    }
}

/// The events of a call and how it ended.
pub struct RecordedCall {
    /// A line for each event.
    pub text: String,
    pub ending: Ending,
    /// The events, if they are all.
    pub events: Option<Vec<Observed>>,
}

/// Runs an expression on the VM and records the events of the one module.
pub fn recorded(start: &mut Start, modules: &[Instrumented], expression: &str) -> Result<RecordedCall, Failure> {
    let main = take_expression(start, expression)?;
    start.outside.guard()?;
    for module in modules {
        let beam = module.compiled(&mut start.outside)?;
        start.outside.host.load(module.name, &beam).map_err(|error| Failure::Host(error.to_string()))?;
    }
    let [module] = modules else {
        return Err(Failure::Unusable("events are told of one module at a time".to_owned()));
    };
    let call = Call { module: main.module, function: main.function, args: Vec::new() };
    let (result, events) = start.outside.host.call_observed(&call, MOST);
    let function = Call::read(expression).map_or(main, |call| call.mfa());
    let (events, ending) = match events {
        Ok(events) => (events, ending(result, function)?),
        Err(EventError::TooMany(events)) => {
            (events, stopped(function, "it told more events than are kept; those above came first"))
        }
        Err(error @ EventError::Garbage) => return Err(Failure::Host(error.to_string())),
    };
    let is_whole = !matches!(ending, Ending::Vm { .. });
    let mut text = String::new();
    for event in &events {
        if let Some((function, meant)) = module.table.event(event.number) {
            text.push_str(&note(function, meant, event.value.as_ref()));
            text.push('\n');
        }
    }
    Ok(RecordedCall { text, ending, events: is_whole.then_some(events) })
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
        CallResult::OutOfReductions => stopped(main, "it took more reductions than a call may take"),
        CallResult::Waited => stopped(main, WAITED),
        CallResult::Refused(function) => Ending::Refused { function, effect: guard::effect(function), at },
        CallResult::Killed(reason) => return Err(Failure::Host(format!("the call was ended with {reason}"))),
        CallResult::HostDied(how) | CallResult::NotSent(how) => return Err(Failure::Host(how)),
    })
}
