//! `--flat` and `--ir`: what the front end makes of a function or a module, as text.

use frontend::core::Name;
use frontend::flat::{self, Style};
use session::run::{add_expression, callee};
use session::{Failure, Opened, Session};
use term::{Atom, Mfa};

use crate::options::RunOptions;
use crate::words::Argument;

/// Returns the stages that the options ask for, the flat program first.
pub fn show(options: &RunOptions, opened: &Opened, argument: Argument) -> Result<String, Failure> {
    let session = &opened.session;
    match argument {
        Argument::Function(function) => show_function(options, session, function),
        Argument::Module(module) => show_module(options, session, module),
        Argument::Sources => match opened.failure() {
            Some(failure) => Err(failure),
            None => opened.modules.iter().map(|module| show_module(options, session, *module)).collect(),
        },
        Argument::Expression(expression) => {
            let main = add_expression(session, &expression)?;
            let named = callee(session, main)?.filter(|callee| ops::native(*callee).is_none());
            show_function(options, session, named.unwrap_or(main))
        }
    }
}

fn show_function(options: &RunOptions, session: &Session, function: Mfa) -> Result<String, Failure> {
    let module = session.module(function.module)?;
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

fn show_module(options: &RunOptions, session: &Session, name: Atom) -> Result<String, Failure> {
    let module = session.module(name)?;
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
