//! `--flat` and `--ir`: what the front end makes of a function or a module, as text.

use frontend::core::Name;
use frontend::flat::{self, Style};
use session::Failure;
use session::library::Module;
use session::run::{callee, take_expression};
use session::start::Start;
use term::{Atom, Mfa};

use crate::options::RunOptions;
use crate::words::Target;

/// The stages that the options ask for, the flat program first.
pub fn show(options: &RunOptions, mut start: Start, target: Target) -> Result<String, Failure> {
    match target {
        Target::Function(function) => show_function(options, &mut start, function),
        Target::Module(module) => show_module(options, &mut start, module),
        Target::Sources => show_given(options, &mut start),
        Target::Expression(expression) => {
            let main = take_expression(&mut start, &expression)?;
            let named = callee(&mut start, main)?.filter(|callee| ops::native(*callee).is_none());
            let shown = named.unwrap_or(main);
            show_function(options, &mut start, shown)
        }
    }
}

fn show_given(options: &RunOptions, start: &mut Start) -> Result<String, Failure> {
    if let Some((_, error)) = start.failures.first() {
        return Err(Failure::from(error.clone()));
    }
    let given = start.given.clone();
    given.into_iter().map(|module| show_module(options, start, module)).collect()
}

fn loaded(start: &mut Start, name: Atom) -> Result<&mut Module, Failure> {
    let outside = &mut start.outside;
    outside.library.module(&mut outside.host, name).map_err(Failure::from)
}

fn show_function(options: &RunOptions, start: &mut Start, function: Mfa) -> Result<String, Failure> {
    let module = loaded(start, function.module)?;
    let name = Name { function: function.function, arity: function.arity };
    let missing = || module.missing(function);
    let broken = |why: String| Failure::Broken(function.module.to_string(), why);
    let mut text = String::new();
    if options.flat {
        let (flat, files) = module.flat(name).ok_or_else(missing)?.map_err(|error| broken(error.to_string()))?;
        text.push_str(&flat::print_function(&flat, files.names(), Style::default()));
        text.push('\n');
    }
    if options.ir {
        let unit = module.lowered(name).ok_or_else(missing)?.map_err(broken)?;
        text.push_str(&unit.to_string());
    }
    Ok(text)
}

fn show_module(options: &RunOptions, start: &mut Start, name: Atom) -> Result<String, Failure> {
    let module = loaded(start, name)?;
    let broken = |why: String| Failure::Broken(name.to_string(), why);
    let (flat, errors) = module.flat_module();
    if let Some(error) = errors.first() {
        return Err(broken(error.to_string()));
    }
    let mut text = String::new();
    if options.flat {
        text.push_str(&flat::print(&flat, Style::default()));
    }
    if options.ir {
        for function in &flat.functions {
            let unit = frontend::lower::lower(&flat, function).map_err(|error| broken(error.to_string()))?;
            text.push_str(&format!("{unit}\n"));
        }
    }
    Ok(text)
}
