//! `hound instrument`: the flat program, the program that tells its events, and the events of a call.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use exec::forward::{Ending, Place};
use frontend::core::Name;
use frontend::flat::{self, Style};
use frontend::instrument::{RUNTIME, Table, note, notes};
use host::{CallResult, EventError, Observed};
use report::Run;
use term::{Atom, Call, Mfa, Outcome};

use crate::Printed;
use crate::failure::Failure;
use crate::guard;
use crate::options::{self, Format, InstrumentOptions};
use crate::progress::Spinner;
use crate::rebuilt::Rebuilding;
use crate::run::{printed, take_expression};
use crate::start::{Start, start};
use crate::told;
use crate::words::{is_path, source};
use crate::world::WAITED;

/// Bytes of events that are kept of one call: more than anybody reads.
pub const MOST: u64 = 1 << 18;

/// Locations would hide what is added.
const READABLE: Style = Style { marks: false, locations: false };

/// A module before and after, and what its events mean.
struct Instrumented {
    name: Atom,
    flat: flat::Module,
    told: flat::Module,
    table: Rc<Table>,
}

/// What the words after the sources ask for.
enum Wanted {
    Everything,
    Function(Name),
    Expression(String),
}

/// What to print, and the exit code.
pub fn instrument(options: &InstrumentOptions) -> Result<(Printed, u8), Failure> {
    let (paths, rest): (Vec<&String>, Vec<&String>) = options.words.iter().partition(|word| is_path(word));
    let sources = paths.iter().map(|word| source(Path::new(word))).collect::<Result<Vec<_>, _>>()?;
    let _spinner = Spinner::start(options.words.join(" ").replace(char::is_control, " "));
    let mut start = start(&options.code, &sources)?;
    if let Some((_, error)) = start.failures.first() {
        return Err(Failure::from(error.clone()));
    }
    let mut rest = rest.into_iter();
    // A folder is where modules are looked for; which of them is meant the next word says.
    if start.given.is_empty() {
        let word = rest.next().ok_or_else(|| unusable("no file or module to instrument"))?;
        if Path::new(word).is_file() {
            return Err(Failure::NotSource(word.into()));
        }
        start.given.push(options::atom(word).ok_or_else(|| unusable(&format!("{word:?} is not a module's name")))?);
    }
    let wanted = wanted(rest.next(), &start.given)?;
    if options.depth.is_some() && !matches!(wanted, Wanted::Expression(_)) {
        return Err(unusable("--depth goes on from the events of a call: name one, such as 'm:main([a])'"));
    }
    if let Some(word) = rest.next() {
        return Err(unusable(&format!("{word:?} is one word too many: name one function or one call")));
    }
    let modules =
        start.given.clone().into_iter().map(|name| observed(&mut start, name)).collect::<Result<Vec<_>, _>>()?;
    let mut done = Printed::default();
    for module in &modules {
        done.out.push_str(&text(module, &wanted)?);
    }
    if let Some(folder) = &options.out {
        modules.iter().try_for_each(|module| write(&mut start, module, folder))?;
    }
    match wanted {
        Wanted::Expression(expression) => {
            let (mut done, code, events) = events(&mut start, &modules, &expression, done)?;
            if let (Some(events), Ok(call), [module]) = (events, Call::read(&expression), &modules[..])
                && call.module == module.name
            {
                let rebuilding =
                    Rebuilding { table: &module.table, call: &call, events: &events, depth: options.depth };
                done.out.push_str(&rebuilding.text(start.outside));
            }
            Ok((done, code))
        }
        _ => Ok((done, 0)),
    }
}

fn unusable(what: &str) -> Failure {
    Failure::Unusable(what.to_owned())
}

fn wanted(word: Option<&String>, given: &[Atom]) -> Result<Wanted, Failure> {
    let Some(word) = word else { return Ok(Wanted::Everything) };
    if word.contains('(') {
        return Ok(Wanted::Expression(word.clone()));
    }
    let of = |name: &str| match options::function_name(word) {
        Ok(function) if given.contains(&function.module) => Some(function.function),
        Ok(_) => None,
        Err(_) => options::atom(name),
    };
    let parts = word.rsplit_once('/').and_then(|(name, arity)| Some((of(name)?, arity.parse().ok()?)));
    let (function, arity) = parts.ok_or_else(|| {
        unusable(&format!("{word:?} is neither a function, such as main/1, nor a call, such as 'm:main([a])'"))
    })?;
    Ok(Wanted::Function(Name { function, arity }))
}

fn observed(start: &mut Start, name: Atom) -> Result<Instrumented, Failure> {
    let outside = &mut start.outside;
    let module = outside.library.module(&mut outside.host, name)?;
    let broken = |why: String| Failure::Broken(name.to_string(), why);
    let (told, table) = module.observe(0).map_err(|errors| broken(errors[0].to_string()))?;
    let (flat, _) = module.flat_module();
    Ok(Instrumented { name, flat, told, table })
}

fn text(module: &Instrumented, wanted: &Wanted) -> Result<String, Failure> {
    let notes = notes(&module.table);
    let Wanted::Function(name) = wanted else {
        let flat = flat::print(&module.flat, READABLE);
        let told = flat::print_noted(&module.told, READABLE, RUNTIME, &notes);
        return Ok(format!("%% The flat program.\n{flat}\n%% The instrumented program.\n{told}"));
    };
    let of = |module: &flat::Module| {
        module.functions.iter().position(|function| function.name == name.function && function.arity == name.arity)
    };
    let missing = || {
        let function = Mfa { module: module.name, function: name.function, arity: name.arity };
        Failure::NoFunction(function, "the module has no function of that name and arity".to_owned())
    };
    let at = of(&module.flat).ok_or_else(missing)?;
    let flat = flat::print_function(&module.flat.functions[at], &module.flat.files, READABLE);
    let told = &module.told.functions[at];
    let told = flat::print_function_noted(told, &module.told.files, READABLE, RUNTIME, &notes);
    Ok(format!("%% The flat program.\n{flat}\n%% The instrumented program.\n{told}"))
}

fn compiled(start: &mut Start, module: &Instrumented) -> Result<Vec<u8>, Failure> {
    let compiled = told::compile(&mut start.outside.host, &module.told);
    compiled
        .map_err(|why| Failure::Broken(module.name.to_string(), format!("instrumented, it does not compile: {why}")))
}

/// Writes the module, and beside it the one that it tells its events to.
fn write(start: &mut Start, module: &Instrumented, folder: &Path) -> Result<(), Failure> {
    let beam = compiled(start, module)?;
    let located = start.outside.host.locate(RUNTIME);
    let runtime = located.ok().flatten().ok_or_else(|| unusable("the module for events is not there"))?;
    let failed = |error: std::io::Error| unusable(&format!("cannot write to {}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    fs::write(folder.join(format!("{}.beam", module.name.name())), beam).map_err(failed)?;
    fs::copy(runtime, folder.join(format!("{RUNTIME}.beam"))).map_err(failed)?;
    Ok(())
}

/// Runs the expression on the VM and prints the events of the modules, then how it ended. The events are given if they
/// are all.
fn events(
    start: &mut Start,
    modules: &[Instrumented],
    expression: &str,
    mut done: Printed,
) -> Result<(Printed, u8, Option<Vec<Observed>>), Failure> {
    let main = take_expression(start, expression)?;
    start.outside.guard()?;
    for module in modules {
        let beam = compiled(start, module)?;
        start.outside.host.load(module.name, &beam).map_err(|error| Failure::Host(error.to_string()))?;
    }
    let [module] = modules else { return Err(unusable("events are told of one module at a time")) };
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
    done.out.push_str(&format!("\n%% The events of {expression}.\n"));
    for event in &events {
        if let Some((function, meant)) = module.table.event(event.number) {
            done.out.push_str(&note(function, meant, event.value.as_ref()));
            done.out.push('\n');
        }
    }
    let ended = ended(expression, ending);
    done.out.push_str("\n%% How it ended.\n");
    done.out.push_str(&ended.0.out);
    done.err.push_str(&ended.0.err);
    Ok((done, ended.1, is_whole.then_some(events)))
}

fn ended(expression: &str, ending: Ending) -> (Printed, u8) {
    let code = report::Kind::of(&ending).exit_code();
    let call = expression.to_owned();
    let run = Run { call, shown: None, ending, output: String::new(), steps: 0, coverage: None };
    (printed(&run, Format::Text), code)
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
