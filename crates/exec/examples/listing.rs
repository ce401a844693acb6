//! Prints what the linker makes of a graph: `hound run --ir lists:sort/1 | cargo run -p exec --example listing`.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "an example reads and prints")]

use std::io::Read;
use std::rc::Rc;

use exec::forward::{Code, CodeSource, Limits, Machine, Options, SampleStore, Stop, Vm, VmAnswer, VmCall};
use ir::Unit;
use term::{Mfa, Term};

struct Single(Rc<Unit>);

impl CodeSource for Single {
    fn code(&mut self, _function: Mfa, _local: bool) -> Code {
        Code::Graph(Rc::clone(&self.0))
    }
}

impl Vm for Single {
    fn vm_call(&mut self, _kind: VmCall, _function: Mfa, _args: &[Term]) -> VmAnswer {
        VmAnswer::Failed("there is no VM here".into())
    }

    fn allowed(&self, _function: Mfa) -> bool {
        false
    }
}

impl SampleStore for Single {}

impl Stop for Single {}

fn main() -> Result<(), String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| error.to_string())?;
    let unit = Unit::read(&text).map_err(|error| error.to_string())?;
    let name = unit.functions.first().ok_or("the unit has no function")?.name;
    let mut machine = Machine::new(Limits::default(), Options::default());
    print!("{}", machine.listing(&mut Single(Rc::new(unit)), name)?);
    Ok(())
}
