//! `hound instrument`: the flat program, the instrumented one, and the events of a call.

use std::fs;
use std::path::Path;
use std::time::Duration;

use frontend::core::Name;
use frontend::instrument::RUNTIME;
use host::Stopwatch;
use report::Output;
use session::instrument::{EventSource, Instrumented, Rebuilding, record};
use session::library::{is_path, source_path};
use session::names::{atom, function_name, module_name};
use session::run::Evaluation;
use session::{Failure, Opened, Session};
use term::{Atom, Call};

use crate::exit::Exit;
use crate::options::{EventsOf, InstrumentOptions, OutputFormat};
use crate::run::output;
use crate::spinner::Spinner;

/// The part of the module that is printed.
enum Selection {
    Everything,
    Function(Name),
    Expression(String),
}

/// Prints the programs, and the events of the call.
pub fn instrument(options: &InstrumentOptions) -> Result<(Output, Exit), Failure> {
    let _spinner = Spinner::start(options.words.join(" ").replace(char::is_control, " "));
    let (opened, selection) = open(options)?;
    let end = Stopwatch::start().deadline(Duration::from_secs(options.time));
    let session = &opened.session.until(Some(end));
    let modules = opened.modules.iter().map(|name| Instrumented::new(session, *name)).collect::<Result<Vec<_>, _>>()?;
    let mut done = Output::default();
    let function = if let Selection::Function(name) = &selection { Some(*name) } else { None };
    for module in &modules {
        done.out.push_str(&module.text(function)?);
    }
    if let Some(folder) = &options.out {
        modules.iter().try_for_each(|module| write(session, module, folder))?;
    }
    match selection {
        Selection::Expression(expression) => call(options, session, &modules, expression, done),
        _ => Ok((done, Exit::Printed)),
    }
}

/// Opens the session of the words, with the part of the module that they select.
fn open(options: &InstrumentOptions) -> Result<(Opened, Selection), Failure> {
    let (paths, rest): (Vec<&String>, Vec<&String>) = options.words.iter().partition(|word| is_path(word));
    let sources = paths.iter().map(|word| source_path(Path::new(word))).collect::<Result<Vec<_>, _>>()?;
    let mut opened = Opened::new(&options.code.session(), &sources)?;
    if let Some(failure) = opened.failure() {
        return Err(failure);
    }
    let mut rest = rest.into_iter();
    // A folder is where modules are looked for; the next word names one of them.
    if opened.modules.is_empty() {
        let word = rest.next().ok_or_else(|| unusable("no file or module to instrument"))?;
        if Path::new(word).is_file() {
            return Err(Failure::NotSource(word.into()));
        }
        opened.modules.push(module_name(word).ok_or_else(|| unusable(&format!("{word:?} is not a module's name")))?);
    }
    let selection = selection(rest.next(), &opened.modules)?;
    if options.depth.is_some() && !matches!(selection, Selection::Expression(_)) {
        return Err(unusable("--depth goes on from the events of a call: name one, such as 'm:main([a])'"));
    }
    match rest.next() {
        Some(word) => Err(unusable(&format!("{word:?} is one word too many: name one function or one call"))),
        None => Ok((opened, selection)),
    }
}

/// Adds the events of a call, its end, and what is rebuilt from them.
fn call(
    options: &InstrumentOptions,
    session: &Session,
    modules: &[Instrumented],
    expression: String,
    mut done: Output,
) -> Result<(Output, Exit), Failure> {
    let source = match options.events {
        EventsOf::Vm => EventSource::Vm,
        EventsOf::Machine => EventSource::Machine,
    };
    let recorded = record(session, modules, &expression, source)?;
    let exit = match Exit::of_run(&recorded.ending) {
        Exit::Value => Exit::Printed,
        exit => exit,
    };
    let read = Call::read(&expression);
    let text = modules.first().map_or_else(String::new, |module| recorded.text(&module.table));
    done.out.push_str(&format!("\n%% The events of {expression}.\n{text}\n%% How it ended.\n"));
    let run = Evaluation {
        call: expression,
        shown: None,
        ending: recorded.ending.clone(),
        output: String::new(),
        steps: 0,
        coverage: None,
        schedule: None,
        crashes: Vec::new(),
        leaks: Vec::new(),
    };
    let ended = output(&run, OutputFormat::Text);
    done.out.push_str(&ended.out);
    done.err.push_str(&ended.err);
    if let (Ok(call), [module]) = (read, modules)
        && call.module == module.name
        && recorded.has_ended()
    {
        let rebuilding = Rebuilding { table: &module.table, call: &call, recorded: &recorded, depth: options.depth };
        done.out.push_str(&rebuilding.text(session));
    }
    Ok((done, exit))
}

fn unusable(what: &str) -> Failure {
    Failure::Unusable(what.to_owned())
}

fn selection(word: Option<&String>, given: &[Atom]) -> Result<Selection, Failure> {
    let Some(word) = word else { return Ok(Selection::Everything) };
    if word.contains('(') {
        return Ok(Selection::Expression(word.clone()));
    }
    let of = |name: &str| match function_name(word) {
        Ok(function) if given.contains(&function.module) => Some(function.function),
        Ok(_) => None,
        Err(_) => atom(name),
    };
    let parts = word.rsplit_once('/').and_then(|(name, arity)| Some((of(name)?, arity.parse().ok()?)));
    let (function, arity) = parts.ok_or_else(|| {
        unusable(&format!("{word:?} is neither a function, such as main/1, nor a call, such as 'm:main([a])'"))
    })?;
    Ok(Selection::Function(Name { function, arity }))
}

/// Writes the module, and beside it the one that receives its events.
fn write(session: &Session, module: &Instrumented, folder: &Path) -> Result<(), Failure> {
    let beam = module.compiled(session)?;
    let located = session.host().locate(RUNTIME);
    let runtime = located.ok_or_else(|| unusable("the module for events is not there"))?;
    let failed = |error: std::io::Error| unusable(&format!("cannot write to {}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    fs::write(folder.join(format!("{}.beam", module.name.name())), beam).map_err(failed)?;
    fs::copy(runtime, folder.join(format!("{RUNTIME}.beam"))).map_err(failed)?;
    Ok(())
}
