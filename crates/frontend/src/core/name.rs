//! Names in Core Erlang: those of functions and of variables.

use term::{Atom, Term};

use super::CoreError;
use super::node::{list, pair, record, unexpected};

/// A function's name and arity, as `'f'/1` has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name {
    /// Its name.
    pub function: Atom,
    /// The number of parameters.
    pub arity: u8,
}

/// The compiler numbers the variables it makes up, and names the others as the source does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variable {
    Number(i64),
    Named(Atom),
}

/// The name of a `c_var`.
pub enum Named {
    Variable(Variable),
    Function(Name),
}

/// The name of a variable or of a function.
pub fn variable_or_function(term: &Term) -> Result<Named, CoreError> {
    let [_, name] = record(term, "c_var")?;
    match name {
        Term::Int(_, number) => Ok(Named::Variable(Variable::Number(*number))),
        Term::Atom(_, name) => Ok(Named::Variable(Variable::Named(*name))),
        Term::Tuple(..) => function_name(name).map(Named::Function),
        _ => Err(unexpected("the name of a variable", name)),
    }
}

/// The name of a variable.
pub fn variable(term: &Term) -> Result<Variable, CoreError> {
    match variable_or_function(term)? {
        Named::Variable(variable) => Ok(variable),
        Named::Function(_) => Err(CoreError::new("a function's name stands where a variable should be bound")),
    }
}

/// The name of a function.
pub fn function(term: &Term) -> Result<Name, CoreError> {
    match variable_or_function(term)? {
        Named::Function(name) => Ok(name),
        Named::Variable(_) => Err(CoreError::new("a variable stands where a function's name should be")),
    }
}

fn function_name(term: &Term) -> Result<Name, CoreError> {
    let (function, arity) = pair(term, "a function's name and arity")?;
    let function = function.as_atom().ok_or_else(|| unexpected("a function's name", function))?;
    let arity = arity.as_i64().and_then(|arity| u8::try_from(arity).ok());
    let arity = arity.ok_or_else(|| CoreError::new("an arity is not a number from 0 to 255"))?;
    Ok(Name { function, arity })
}

/// The names of a list of variables.
pub fn variables(term: &Term) -> Result<Vec<Variable>, CoreError> {
    list(term, "variables")?.into_iter().map(variable).collect()
}
