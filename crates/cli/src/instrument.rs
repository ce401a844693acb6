//! `hound instrument`: the flat program, the program that tells its events, and the events of a call.

use std::fs;
use std::path::Path;

use exec::forward::Ending;
use frontend::core::Name;
use frontend::instrument::RUNTIME;
use session::instrument::{Instrumented, RecordedCall, recorded};
use session::names::{atom, function_name};
use session::rebuilt::Rebuilding;
use session::sources::{is_path, source};
use session::start::{Start, start};
use session::{Failure, Run};
use term::{Atom, Call};

use crate::Printed;
use crate::options::{Format, InstrumentOptions};
use crate::progress::Spinner;
use crate::run::printed;

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
    let mut start = start(&options.code.session(), &sources)?;
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
        start.given.push(atom(word).ok_or_else(|| unusable(&format!("{word:?} is not a module's name")))?);
    }
    let wanted = wanted(rest.next(), &start.given)?;
    if options.depth.is_some() && !matches!(wanted, Wanted::Expression(_)) {
        return Err(unusable("--depth goes on from the events of a call: name one, such as 'm:main([a])'"));
    }
    if let Some(word) = rest.next() {
        return Err(unusable(&format!("{word:?} is one word too many: name one function or one call")));
    }
    let modules = start
        .given
        .clone()
        .into_iter()
        .map(|name| Instrumented::new(&mut start.outside, name))
        .collect::<Result<Vec<_>, _>>()?;
    let mut done = Printed::default();
    let function = if let Wanted::Function(name) = &wanted { Some(*name) } else { None };
    for module in &modules {
        done.out.push_str(&module.text(function)?);
    }
    if let Some(folder) = &options.out {
        modules.iter().try_for_each(|module| write(&mut start, module, folder))?;
    }
    let Wanted::Expression(expression) = wanted else { return Ok((done, 0)) };
    let RecordedCall { text, ending, events } = recorded(&mut start, &modules, &expression)?;
    let (ended, code) = ended(&expression, ending);
    done.out.push_str(&format!("\n%% The events of {expression}.\n{text}\n%% How it ended.\n{}", ended.out));
    done.err.push_str(&ended.err);
    if let (Some(events), Ok(call), [module]) = (events, Call::read(&expression), &modules[..])
        && call.module == module.name
    {
        let rebuilding = Rebuilding { table: &module.table, call: &call, events: &events, depth: options.depth };
        done.out.push_str(&rebuilding.text(start.outside));
    }
    Ok((done, code))
}

fn unusable(what: &str) -> Failure {
    Failure::Unusable(what.to_owned())
}

fn wanted(word: Option<&String>, given: &[Atom]) -> Result<Wanted, Failure> {
    let Some(word) = word else { return Ok(Wanted::Everything) };
    if word.contains('(') {
        return Ok(Wanted::Expression(word.clone()));
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
    Ok(Wanted::Function(Name { function, arity }))
}

/// Writes the module, and beside it the one that it tells its events to.
fn write(start: &mut Start, module: &Instrumented, folder: &Path) -> Result<(), Failure> {
    let beam = module.compiled(&mut start.outside)?;
    let located = start.outside.host.locate(RUNTIME);
    let runtime = located.ok().flatten().ok_or_else(|| unusable("the module for events is not there"))?;
    let failed = |error: std::io::Error| unusable(&format!("cannot write to {}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    fs::write(folder.join(format!("{}.beam", module.name.name())), beam).map_err(failed)?;
    fs::copy(runtime, folder.join(format!("{RUNTIME}.beam"))).map_err(failed)?;
    Ok(())
}

fn ended(expression: &str, ending: Ending) -> (Printed, u8) {
    let code = report::Kind::of(&ending).exit_code();
    let call = expression.to_owned();
    let run = Run { call, shown: None, ending, output: String::new(), steps: 0, coverage: None };
    (printed(&run, Format::Text), code)
}
