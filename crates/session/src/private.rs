//! Functions that their module does not export: on the VM they are called through exported ones that are added to it.
//!
//! The module is compiled again, so that the compiler knows of these calls: of a function that is only called with integers
//! from within it may have made one that takes nothing else.

use frontend::flat::{Action, Body, Callee, Function, Lambda, LetStep, Module, Name, Value, Var};
use ir::Location;
use term::{Atom, Mfa};

use crate::instrument::compile;
use crate::{Failure, Session};

/// Returns the exported function that calls one which is not exported.
pub(crate) fn door(function: Mfa) -> Mfa {
    Mfa { function: Atom::new(&format!("hound private {}", function.function.name())), ..function }
}

impl Session {
    /// Lets the VM call the functions of a module that it does not export, each through its door.
    pub(crate) fn expose(&self, name: Atom) -> Result<(), Failure> {
        if !self.state().exposed.borrow_mut().insert(name) {
            return Ok(());
        }
        let broken = |why: String| Failure::Broken(name.to_string(), why);
        let module = self.module(name)?;
        let (mut flat, errors) = module.flat_module();
        if let Some(error) = errors.first() {
            return Err(broken(error.to_string()));
        }
        add_doors(&mut flat);
        let beam = compile(&mut self.host(), &flat).map_err(broken)?;
        Ok(self.host().load_original(name, &beam)?)
    }
}

/// Adds a door for each function that is not exported.
fn add_doors(module: &mut Module) {
    let names = module.functions.iter().map(|function| (function.name, function.arity));
    let hidden: Vec<(Atom, u8)> = names.filter(|name| !module.exports.contains(name)).collect();
    for (function, arity) in hidden {
        let door = door(Mfa { module: module.name, function, arity });
        module.exports.push((door.function, arity));
        module.functions.push(calling(door.function, Name { function, arity }));
    }
}

/// A function whose last call is another one with the same arguments.
fn calling(name: Atom, callee: Name) -> Function {
    let (arity, location) = (callee.arity, Location::default());
    let params: Vec<Var> = (0..u32::from(arity)).map(Var).collect();
    let value = Var(u32::from(arity));
    let args = params.iter().map(|param| Value::Var(*param)).collect();
    let action = Action::Apply { function: Callee::Local(callee), args };
    let body = Body { steps: vec![LetStep { binds: vec![value], action, location }], result: vec![Value::Var(value)] };
    let names = (0..=arity).map(|at| format!("V{at}")).collect();
    Function { name, arity, lambda: Lambda { params, body, location, lifted: None }, names }
}
